"""The controls at the right: made from the parameters' descriptions, six at once, the others behind "more"."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.lesson import Lesson
from core.stage.params import spec
from core.stage.text import text
from gui import paint
from gui.controls import Push
from gui.rows import RangeRow, Row, row_for
from gui.theming import Look

AT_ONCE = 6


class Form(QWidget):
    """Shows a state's parameters and reports edits; it never scrolls."""

    edited = Signal(str, object, str)  # name, value, gesture
    let_go = Signal()
    said = Signal(str)

    def __init__(self, lesson: Lesson, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lesson = lesson
        self.look = Look()
        self.rows: dict[str, Row] = {}
        self.names: tuple[str, ...] = ()
        self.page = 0
        self.more = Push(self, style="line", role="muted")
        self.more.clicked.connect(self.turn)
        self.setAccessibleName(text("window.form.name"))

    def set_look(self, look: Look) -> None:
        self.look = look
        for row in self.rows.values():
            row.set_look(look)
        self.more.set_look(look)
        self.arrange()

    def show_state(self, state: Any) -> None:
        names = self.lesson.shown_controls(state)
        anew = names != self.names
        if anew:
            self.names = names
            for name in names:
                if name not in self.rows:
                    self._add(name)
        width = self._inner()[0]
        ends = self.lesson.slider_ends(state)
        for name in names:
            row = self.rows[name]
            if isinstance(row, RangeRow):
                row.show_ends(ends.get(name))
            value = getattr(state, name)
            if row.value != value or not row.property("told"):
                row.setProperty("told", True)
                row.show_value(value)
                anew = anew or row.height_for(width) != row.height()
        if anew:
            self.arrange()

    def _add(self, name: str) -> None:
        row = row_for(self.lesson.id, spec(self.lesson.state, name), self)
        row.edited.connect(self.edited)
        row.let_go.connect(self.let_go)
        row.said.connect(self.said)
        row.set_look(self.look)
        self.rows[name] = row

    # --- where the rows stand ------------------------------------------------------------------------------------

    def pages(self) -> list[list[str]]:
        """The names on each page: six at most, fewer where six have no room."""
        width, height = self._inner()
        gap = round(0.1 * paint.em(self.look))
        heights = {name: self.rows[name].height_for(width) + gap for name in self.names}
        if len(self.names) <= AT_ONCE and sum(heights.values()) <= height:
            return [list(self.names)]
        height -= self.more.sizeHint().height()
        pages: list[list[str]] = [[]]
        used = 0
        for name in self.names:
            if pages[-1] and (len(pages[-1]) == AT_ONCE or used + heights[name] > height):
                pages.append([])
                used = 0
            pages[-1].append(name)
            used += heights[name]
        return pages

    def _inner(self) -> tuple[int, int]:
        pad = self._pad()
        return self.width() - 2 * pad, self.height() - 2 * pad

    def _pad(self) -> int:
        return round(0.62 * paint.em(self.look))

    def arrange(self) -> None:
        if not self.names or self.width() < 10:
            self.more.hide()
            return
        pages = self.pages()
        self.page = min(self.page, len(pages) - 1)
        shown = pages[self.page]
        width, height = self._inner()
        pad = self._pad()
        several = len(pages) > 1
        self.more.setVisible(several)
        if several:
            last = self.page == len(pages) - 1
            self.more.setText(text("window.form.back" if last else "window.form.more"))
            self.more.sign = "left" if last else "right"
            hint = self.more.sizeHint()
            left = pad
            self.more.setGeometry(left, self.height() - pad - hint.height(), min(hint.width(), width), hint.height())
            height -= hint.height()
        for name, row in self.rows.items():
            if name not in shown:
                row.hide()
        heights = [self.rows[name].height_for(width) for name in shown]
        spare = max(0, height - sum(heights))
        gap = min(spare // max(1, len(shown)), round(0.85 * paint.em(self.look)))
        top = pad
        before: QWidget | None = None
        for name, high in zip(shown, heights, strict=True):
            row = self.rows[name]
            row.setGeometry(pad, top, width, high)
            row.arrange()
            row.show()
            top += high + gap
            for stop in row.stops():
                if before is not None:
                    QWidget.setTabOrder(before, stop)
                before = stop
        if before is not None and several:
            QWidget.setTabOrder(before, self.more)

    @Slot()
    def turn(self) -> None:
        """The next page of controls; after the last the first."""
        self.page = (self.page + 1) % len(self.pages())
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        paint.panel(painter, QRectF(self.rect()), self.look)
        painter.end()
