"""The strip of named classroom states at the bottom: which one is shown, and buttons for all of them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.text import text
from gui import paint
from gui.controls import Push, Words
from gui.picker import Picker
from gui.theming import Look


class PresetStrip(QWidget):
    """Reports which preset is wanted, by its number from 0."""

    wanted = Signal(int)

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.names = names
        self.current = -1
        self.changed = False
        self.line = Words(self, bold=True)
        self.buttons: list[Push] = []
        for number, name in enumerate(names):
            button = Push(self)
            button.setCheckable(True)
            button.setText(f"{number + 1}  {name}")
            button.setAccessibleName(text("window.preset.button", number=number + 1, name=name))
            keys = text("window.preset.keys", number=number + 1) if number < 9 else ""
            button.setToolTip(paint.tip(f"{name} {keys}".strip()))
            button.setProperty("number", number)
            button.clicked.connect(self._on_button)
            self.buttons.append(button)
        self.rest = Picker(self)
        self.rest.fixed = text("window.preset.more")
        self.rest.setAccessibleName(text("window.preset.more"))
        self.rest.picked.connect(self._on_picked)
        self._rest: tuple[int, ...] = ()
        self._first = 0  # of the buttons shown
        self.show_current(-1, False)

    def set_look(self, look: Look) -> None:
        self.look = look
        for widget in (self.line, self.rest, *self.buttons):
            widget.set_look(look)
        self.arrange()

    def show_current(self, number: int, changed: bool) -> None:
        """``number`` −1: none was chosen. ``changed``: the state has moved on since."""
        self.current, self.changed = number, changed
        if not self.names:
            words = text("window.preset.none")
        elif number < 0:
            words = text("window.preset.choose", count=len(self.names))
        else:
            key = "window.preset.changed" if changed else "window.preset.line"
            words = text(key, number=number + 1, count=len(self.names), name=self.names[number])
        if self.line.text() != words:
            self.line.setText(words)
            self._fit_line()
        for index, button in enumerate(self.buttons):
            button.setChecked(index == number and not changed)
        if 0 <= number < len(self.buttons) and self.buttons[number].isHidden():
            self.arrange()
        self.rest.show_value(str(number) if not changed else "")

    def _pad(self) -> int:
        return round(0.75 * paint.em(self.look))

    def _fit_line(self) -> None:
        pad, unit = self._pad(), paint.em(self.look)
        width = self.width() - 2 * pad
        if width < 10:
            return
        button = self.buttons[0].sizeHint().height() if self.buttons else 0
        room = self.height() - button - round(0.5 * unit)
        high = self.line.fit(width, 1)
        self.line.setGeometry(pad, round(0.25 * unit) + max(0, (room - high) // 2), width, high)

    def arrange(self) -> None:
        pad, unit = self._pad(), paint.em(self.look)
        self._fit_line()
        if not self.buttons:
            return
        room = round(paint.ring_room(self.look))
        left, width = pad - room, self.width() - 2 * pad + 2 * room
        gap = round(0.35 * unit) - 2 * room
        more = self.rest.sizeHint().width()
        for number, button in enumerate(self.buttons):
            button.setText(f"{number + 1}  {self.names[number]}")
            if number == self.current and button.sizeHint().width() + gap + more > width:
                button.setText(str(number + 1))  # its name stands in the line above
        widths = [button.sizeHint().width() for button in self.buttons]
        high = self.buttons[0].sizeHint().height()
        top = self.height() - high - round(0.25 * unit)
        first, last = 0, len(widths)
        if sum(widths) + gap * (last - 1) > width:
            first, last = self._window(widths, gap, width - more)
        x = left
        for index, button in enumerate(self.buttons):
            button.setVisible(first <= index < last)
            if first <= index < last:
                button.setGeometry(x, top, widths[index], high)
                x += widths[index] + gap
        rest = (*range(first), *range(last, len(widths)))
        self.rest.setVisible(bool(rest))
        if rest != self._rest:
            self._rest = rest
            self.rest.set_options(tuple((str(index), f"{index + 1}  {self.names[index]}") for index in rest))
            self.rest.show_value(str(self.current))
        if rest:
            self.rest.setGeometry(x, top, min(self.rest.sizeHint().width(), left + width - x), high)

    def _window(self, widths: list[int], gap: int, room: int) -> tuple[int, int]:
        """First and last + 1 of the buttons that fit: the chosen one is always among them."""

        def end(start: int) -> int:
            last, used = start, 0
            while last < len(widths) and used + widths[last] + gap <= room:
                used += widths[last] + gap
                last += 1
            return last

        first = self._first if self._first < len(widths) else 0
        if self.current >= 0 and not first <= self.current < end(first):
            first = next((start for start in range(self.current + 1) if end(start) > self.current), self.current)
        elif end(0) > self.current:
            first = 0
        self._first = first
        return first, end(first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        paint.panel(painter, QRectF(self.rect()), self.look)
        painter.end()

    @Slot()
    def _on_button(self) -> None:
        self.wanted.emit(int(self.sender().property("number")))
        self.show_current(self.current, self.changed)  # a second click must not switch it off

    @Slot(str)
    def _on_picked(self, value: str) -> None:
        self.wanted.emit(int(value))
