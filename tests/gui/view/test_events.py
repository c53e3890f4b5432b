"""What a person does on the stage, from real mouse, wheel and key events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scenes
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.stage import frame as f

WHOLE = f.Cell(0, 0, 12, 12)
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def mouse(plot: Any, kind: QEvent.Type, at: QPointF, buttons: Qt.MouseButton = LEFT) -> None:
    button = NONE if kind is QEvent.Type.MouseMove else LEFT
    held = NONE if kind is QEvent.Type.MouseButtonRelease else buttons
    place = plot.viewport().mapToGlobal(at.toPoint())
    event = QMouseEvent(kind, at, QPointF(place), button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(plot.viewport(), event)


def drag(plot: Any, start: QPointF, *way: QPointF) -> None:
    mouse(plot, QEvent.Type.MouseButtonPress, start)
    for point in way:
        mouse(plot, QEvent.Type.MouseMove, point)
    mouse(plot, QEvent.Type.MouseButtonRelease, way[-1])


def click(plot: Any, at: QPointF) -> None:
    mouse(plot, QEvent.Type.MouseButtonPress, at)
    mouse(plot, QEvent.Type.MouseButtonRelease, at)


@pytest.fixture
def events(stage: Any) -> list[Any]:
    found: list[Any] = []
    stage.happened.connect(found.append)
    return found


def test_a_click_on_a_cell_picks_it(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(scenes.positions().panels[0])
    click(plot, plot.items_by_key["table"]._cell_rect(0, 5, 3).center())
    assert events == [f.Pick("table", (5, 3))]


def test_a_window_reports_rows_of_the_source(shown: Callable[..., Any], events: list[Any]) -> None:
    panel = scenes.positions().panels[0]
    source = f.ArraySource(scenes.sinusoid(600))
    mark = replace(panel.marks[0], source=source, rows=(500, 516), outlines=())
    plot = shown(replace(panel, marks=(mark,)))
    click(plot, plot.items_by_key["table"]._cell_rect(0, 4, 0).center())
    assert events == [f.Pick("table", (504, 0))]


@pytest.mark.parametrize(
    ("mark", "index"),
    [
        (f.Points("m", np.array([0.2, 0.8]), np.array([0.2, 0.8])), (1,)),
        (f.Bars("m", np.array([0.2, 0.8]), np.array([0.9, 0.9]), width=0.3), (1,)),
        (f.Cards("m", (f.Card("a"), f.Card("b")), f.Rect(0, 0, 1, 1)), (1,)),
        (f.Dials("m", (f.Hand("h", np.zeros(2)),), f.Rect(0, 0, 1, 1), 2), (1,)),
        (f.Table("m", (("x",), ("y",), ("z",)), f.Rect(0, 0, 1, 1)), (1,)),
    ],
)
def test_a_click_picks_one_of_several(
    shown: Callable[..., Any], events: list[Any], mark: Any, index: tuple[int, ...]
) -> None:
    plot = shown(f.Panel("p", WHOLE, (mark,)))
    item = plot.items_by_key["m"]
    at = {
        f.Points: lambda: QPointF(*item._at[1]),
        f.Bars: lambda: item._bars[1].center(),
        f.Cards: lambda: item._boxes[1].center(),
        f.Dials: lambda: QPointF(*item._centres[1]),
        f.Table: lambda: item._cells[1][0].center(),
    }[type(mark)]()
    click(plot, at)
    assert events == [f.Pick("m", index)]


def test_a_handle_is_dragged_in_panel_coordinates(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(f.Panel("p", WHOLE, (f.Handle("m", 2.0, 3.0),), x=f.Axis(0, 10), y=f.Axis(0, 10)))
    drag(plot, plot.mapping.point(2, 3), plot.mapping.point(4, 5), plot.mapping.point(6, 7))
    assert [type(event) for event in events] == [f.Drag] * 3
    assert (events[-1].x, events[-1].y) == pytest.approx((6, 7), abs=0.05)


def test_the_big_dials_hands_are_dragged_and_small_ones_picked(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(scenes.rope(0.0, 1.0).panels[0])
    drag(plot, plot.mapping.point(0.85, 0.0), plot.mapping.point(0.6, 0.6))
    assert events
    assert all(isinstance(event, f.Drag) and event.key == "q" for event in events)
    assert (events[-1].x, events[-1].y) == pytest.approx((0.6, 0.6), abs=0.02)


def test_a_card_is_dropped_elsewhere(shown: Callable[..., Any], events: list[Any]) -> None:
    cards = tuple(f.Card(name) for name in ("a", "b", "c"))
    plot = shown(f.Panel("p", WHOLE, (f.Cards("m", cards, f.Rect(0, 0, 1, 1), True),)))
    boxes = plot.items_by_key["m"]._boxes
    drag(plot, boxes[0].center(), boxes[1].center(), boxes[2].center())
    assert events == [f.Drop("m", 0, 2)]
    events.clear()
    drag(plot, boxes[0].center(), boxes[0].center() + QPointF(2, 0))  # a click with an unsteady hand
    assert events == [f.Pick("m", (0,))]


def test_cards_by_keys(shown: Callable[..., Any], events: list[Any]) -> None:
    cards = tuple(f.Card(name, picked=name == "b") for name in ("a", "b", "c"))
    plot = shown(f.Panel("p", WHOLE, (f.Cards("m", cards, f.Rect(0, 0, 1, 1), True),)))
    QTest.keyClick(plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert events == [f.Drop("m", 1, 2), f.Key("m", "left"), f.Pick("m", (1,))]


def test_a_handle_by_keys_follows_the_axes(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(f.Panel("p", WHOLE, (f.Handle("m", 1.0, 1.0, step=0.5),), y=f.Axis(0, 2), x=f.Axis(0, 2)))
    QTest.keyClick(plot, Qt.Key.Key_Up)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    shown(f.Panel("p", WHOLE, (f.Handle("m", 1.0, 1.0, step=0.5),), y=f.Axis(0, 2), x=f.Axis(0, 2), invert_y=True))
    QTest.keyClick(plot, Qt.Key.Key_Up)
    assert events == [f.Drag("m", 1.0, 1.5), f.Drag("m", 1.5, 1.0), f.Drag("m", 1.0, 0.5)]


def test_the_wheel_and_keys_scroll_a_window(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(scenes.positions().panels[0])
    at = plot.items_by_key["table"]._cell_rect(0, 5, 3).center()
    place = plot.viewport().mapToGlobal(at.toPoint())
    for delta in (-120, -60, -60):
        wheel = QWheelEvent(
            at,
            QPointF(place),
            QPoint(),
            QPoint(0, delta),
            NONE,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(plot.viewport(), wheel)
    QTest.keyClick(plot, Qt.Key.Key_Down)
    assert events == [f.Scroll("table", 2, 0), f.Scroll("table", 2, 0), f.Key("table", "down")]


def test_a_picture_does_not_pan_or_zoom(shown: Callable[..., Any], events: list[Any]) -> None:
    plot = shown(scenes.rope().panels[2])
    before = (plot.viewRect(), plot.mapping)
    drag(plot, QPointF(100, 50), QPointF(300, 90))
    assert (plot.viewRect(), plot.mapping) == before
    assert not [event for event in events if not isinstance(event, f.Pick)]


def test_only_panels_with_something_to_hold_take_the_focus(shown: Callable[..., Any], stage: Any) -> None:
    plain = shown(f.Panel("p", WHOLE, (f.Label("m", 0.5, 0.5, "x"),), "a picture"))
    assert plain.focusPolicy() is Qt.FocusPolicy.NoFocus
    able = shown(f.Panel("q", WHOLE, (f.Handle("m", 0.5, 0.5),), "a picture"))
    assert able.focusPolicy() is Qt.FocusPolicy.StrongFocus
    assert able.accessibleName() == "a picture"


def test_the_focus_is_seen(shown: Callable[..., Any], stage: Any, qapp: Any) -> None:
    plot = shown(f.Panel("q", WHOLE, (f.Handle("m", 0.5, 0.5),)))
    before = stage.grab().toImage()
    stage.activateWindow()
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    qapp.processEvents()
    assert stage.panel_view("q").ring
    assert stage.grab().toImage() != before


def test_the_cursor_tells_what_can_be_held(shown: Callable[..., Any]) -> None:
    plot = shown(f.Panel("p", WHOLE, (f.Handle("m", 0.5, 0.5),)))
    mouse(plot, QEvent.Type.MouseMove, plot.mapping.point(0.5, 0.5), NONE)
    assert plot.viewport().cursor().shape() is Qt.CursorShape.OpenHandCursor
    mouse(plot, QEvent.Type.MouseMove, plot.mapping.point(0.1, 0.1), NONE)
    assert plot.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


def test_a_choice_is_reported_and_stays_until_the_state_answers(stage: Any, qapp: Any) -> None:
    chosen: list[Any] = []
    stage.chosen.connect(chosen.append)
    stage.draw(scenes.positions())
    qapp.processEvents()
    buttons = stage.panel_view("matrix").segments.buttons
    QTest.mouseClick(buttons[3], LEFT)
    assert chosen == [("scheme", "learned")]
    assert buttons[2].isChecked()
    assert not buttons[3].isChecked()
    QTest.keyClick(buttons[1], Qt.Key.Key_Space)
    assert chosen[-1] == ("scheme", "binary")


def test_long_tokens_are_whole_in_the_tool_tip(shown: Callable[..., Any]) -> None:
    long = "<antidisestablishmentarianism>" * 4
    cards = tuple(f.Card(long, "ID 1") for _ in range(6))
    plot = shown(f.Panel("p", f.Cell(0, 0, 4, 6), (f.Cards("m", cards, f.Rect(0, 0, 1, 1)),)))
    assert long in plot.hover_text(plot.items_by_key["m"]._boxes[0].center())
