"""A number's row: its label, the number to type into, and a slider."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from core.stage import words
from core.stage.params import Range, Spec
from core.stage.text import text
from gui import paint
from gui.fields import NumberField, parse_number, written
from gui.groove import Groove
from gui.row import Row
from gui.scale import SliderScale
from gui.theming import Look, at_pixels

SHRINK = (1.0, 0.95, 0.9, 0.86, 0.82)  # of a label's size, so that it stays on one line with its number


class RangeRow(Row):
    """Label, number to type into, slider."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        assert isinstance(entry.kind, Range)
        self.kind = entry.kind
        self.scale = SliderScale(entry.kind)
        self.field = NumberField(self, role=self.role)
        self.field.entered.connect(self._on_entered)
        self.slider = Groove(self, role=self.role if self.role != "text" else "control")
        self.slider.setRange(0, self.scale.last)
        self.slider.wanted.connect(self._on_wanted)
        self.slider.nudged.connect(self._on_nudged)
        self.slider.ended.connect(self._on_ended)
        self.slider.forgotten.connect(self.reset)
        self.slider.sliderReleased.connect(self.let_go)
        self.name_widget(self.slider)
        self.name_widget(self.field)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.field.set_look(look)
        self.slider.set_look(look)

    def stops(self) -> list[QWidget]:
        return [self.field, self.slider]

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.field.show_text(written(value, integer=self.kind.integer))
        self.slider.show_position(self.scale.position(value), self.scale.beyond(value))
        self.slider.setAccessibleDescription(words.value_text(self.owner, self.entry, value))
        self.arrange()

    def show_ends(self, ends: tuple[float, float] | None) -> None:
        """The slider's ends, where the state decides them; None: the parameter's own."""
        if (ends or self.kind.slider) == (self.scale.low, self.scale.high):
            return
        self.scale = SliderScale(self.kind, ends)
        self.slider.blockSignals(True)
        self.slider.setRange(0, self.scale.last)
        self.slider.blockSignals(False)
        self.slider.show_position(self.scale.position(self.value), self.scale.beyond(self.value))

    def take_back(self) -> None:
        self.field.take_back()

    def _field_width(self) -> int:
        longest = max(
            (written(number, integer=self.kind.integer) for number in (self.value, self.kind.slider[1])), key=len
        )
        width = paint.width_of(max(longest, self.field.text(), key=len), self.field.font())
        return round(width + 2 * paint.ring_room(self.look) + 6)

    def _split(self, width: int) -> tuple[bool, int, int]:
        """Whether number and label share a line; the number's width; the label's height. A label never wraps beside
        its number: it becomes a little smaller, or has lines of its own."""
        room = round(paint.ring_room(self.look))
        number = min(self._field_width(), width)
        beside = width - room - number
        base = self.look.font(self.label.size_name, self.label.bold)
        for share in SHRINK:
            font = at_pixels(base, max(self.look.least, share * base.pixelSize()))
            if paint.width_of(self.name, font) + 2 <= beside:
                self.label.setFont(font)
                return True, number, self.label.heightForWidth(beside)
        self.label.setFont(base)
        return False, number, self.label.heightForWidth(width - 2 * room)

    def height_for(self, width: int) -> int:
        beside, _, high = self._split(width)
        number, groove = self.field.sizeHint().height(), self.slider.sizeHint().height()
        return (max(high, number) if beside else high + number) + groove

    def arrange(self) -> None:
        width = self.width()
        room = round(paint.ring_room(self.look))
        beside, number_width, high = self._split(width)
        number = self.field.sizeHint().height()
        top = 0
        if beside:
            line = max(high, number)
            lead = max(0, (number - self.label.fontMetrics().lineSpacing()) // 2) if high <= number else 0
            self.label.setGeometry(room, lead, width - room - number_width, high)
            self.field.setGeometry(width - number_width, 0, number_width, number)
            top = line
        else:
            self.label.setGeometry(room, 0, width - 2 * room, high)
            self.field.setGeometry(width - number_width, high, number_width, number)
            top = high + number
        self.slider.setGeometry(0, top, width, self.slider.sizeHint().height())

    def _offer(self, value: float, gesture: str) -> None:
        value = min(max(value, self.kind.low), self.kind.high)
        self.edited.emit(self.entry.name, round(value) if self.kind.integer else float(value), gesture)

    @Slot(int)
    def _on_wanted(self, position: int) -> None:
        self._offer(self.scale.value(position), f"slider {self.entry.name}")

    @Slot(int)
    def _on_nudged(self, steps: int) -> None:
        self._offer(self.scale.nudge(self.value, steps), f"arrow {self.entry.name}")

    @Slot(int)
    def _on_ended(self, side: int) -> None:
        self._offer(self.scale.low if side < 0 else self.scale.high, "")

    @Slot(str)
    def _on_entered(self, typed: str) -> None:
        number = parse_number(typed)
        if number is None:
            self.take_back()
            kept = written(self.value, integer=self.kind.integer)
            self.said.emit(text("window.field.no_number", found=typed[:40], name=self.name, kept=kept))
            return
        self.edited.emit(self.entry.name, number, "")
        # The page has answered by now: what holds is what it made of the number.
        if abs(float(self.value) - number) > 1e-9 * max(1.0, abs(number)):
            low, high = (written(limit, integer=self.kind.integer) for limit in (self.kind.low, self.kind.high))
            used = written(self.value, integer=self.kind.integer)
            outside = not self.kind.low <= number <= self.kind.high
            key = "window.field.outside" if outside else "window.field.adjusted"
            self.said.emit(text(key, name=self.name, found=typed[:40], low=low, high=high, used=used))
        self.take_back()
