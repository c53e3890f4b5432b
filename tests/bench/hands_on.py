"""What a person does: dragging a card, scrolling a million rows. Each move must be painted within a frame (16 ms)."""

from __future__ import annotations

import itertools
import statistics

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from core.lessons.order.state import ARRANGEMENTS
from core.stage.frame import Cards, Scroll
from tests.bench.stopwatch import application, resident, times, window


def drag_a_card() -> float:
    """Milliseconds that 95 of 100 moves of a dragged card stay below, with the whole window at 1920×1080."""
    with window("order") as made:
        stage = made.page.stage
        view, item = next(
            (view.plot, view.plot.items_by_key[mark.key])
            for view in stage.shown_panels()
            for mark in view.panel.marks
            if isinstance(mark, Cards) and mark.draggable
        )
        start = item.sceneBoundingRect().center()
        _mouse(view, QEvent.Type.MouseButtonPress, start)
        way = itertools.cycle(range(-300, 301, 12))

        def move() -> None:
            _mouse(view, QEvent.Type.MouseMove, QPointF(start.x() + next(way), start.y()))
            application().processEvents()

        found = sorted(times(move, runs=120))
        _mouse(view, QEvent.Type.MouseButtonRelease, start)
        orders = itertools.cycle(ARRANGEMENTS[:-1])

        def drop() -> None:
            made.page.edit("arrangement", next(orders))
            application().processEvents()

        dropped = times(drop, runs=30)
    late = found[len(found) * 95 // 100]
    print(f"dragging a card: {statistics.median(found):.1f} ms a move, 95 % below {late:.1f} ms (at most 16)")
    print(f"another order: {statistics.median(dropped):.1f} ms")
    return late


def scroll_a_million_rows() -> float:
    """The same for scrolling, and the memory that scrolling through 1,000,000 × 512 takes."""
    with window("positions?d_model=512") as made:
        moves = itertools.cycle((17, 211, 4_001, -1_234, 65_537))
        page = made.page

        def scroll() -> None:
            page.stage.happened.emit(Scroll("table", next(moves), 0))
            application().processEvents()

        times(scroll, runs=20)
        before = resident()
        found = sorted(times(scroll, runs=200))
        grown = resident() - before
    late = found[len(found) * 95 // 100]
    print(f"scrolling a million rows: {statistics.median(found):.1f} ms, 95 % below {late:.1f} ms, {grown:+.1f} MB")
    return late


def _mouse(view: object, kind: QEvent.Type, at: QPointF) -> None:
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    button = none if kind == QEvent.Type.MouseMove else left
    held = none if kind == QEvent.Type.MouseButtonRelease else left
    where = QPointF(view.viewport().mapToGlobal(at.toPoint()))
    event = QMouseEvent(kind, at, where, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.viewport(), event)


def main() -> None:
    drag_a_card()
    scroll_a_million_rows()


if __name__ == "__main__":
    main()
