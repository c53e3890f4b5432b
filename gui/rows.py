"""The rows of a form: one per parameter, each built from its description and its words.

Data flows one way: ``show`` puts a value into the widgets without a signal; what a person does comes out as ``edited``.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from core.stage import words
from core.stage.params import Choice, Flag, Range, Spec, Text, Vector, Words
from core.stage.text import text
from core.stage.theme import TEXT_ROLES, Role
from gui import controls, paint
from gui.fields import Field, NumberField, VectorField, parse_number, written
from gui.groove import Groove
from gui.picker import Picker
from gui.scale import SliderScale
from gui.theming import Look, at_pixels

SHORT = 3  # options that may lie side by side
SHRINK = (1.0, 0.95, 0.9, 0.86, 0.82)  # of a label's size, so that it stays on one line with its number
LONG = 1000  # characters from which on a text is pasted rather than typed


class Row(QWidget):
    """One parameter: its label, its widgets."""

    edited = Signal(str, object, str)  # name, value, gesture
    let_go = Signal()  # the gesture ended
    said = Signal(str)

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.owner, self.entry = owner, entry
        self.look = Look()
        self.value: Any = entry.default
        self.name = words.label(owner, entry)
        role = entry.role if entry.role in TEXT_ROLES else "text"
        self.role: Role = role  # type: ignore[assignment]
        self.label = controls.Words(self)
        self.label.setText(self.name)
        self.label.doubled.connect(self.reset)

    def name_widget(self, widget: QWidget) -> None:
        tip = words.tip(self.owner, self.entry)
        unit = text(f"unit.{self.entry.unit}") if self.entry.unit else ""
        widget.setAccessibleName(f"{self.name} ({unit})" if unit else self.name)
        widget.setAccessibleDescription(tip)
        shown = f"{self.name}: {tip}" if tip else self.name
        widget.setToolTip(paint.tip(f"{shown} ({unit})" if unit else shown))
        self.label.setToolTip(widget.toolTip())
        self.label.setBuddy(widget)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.label.set_look(look)

    def show_value(self, value: Any) -> None:
        self.value = value

    def take_back(self) -> None:
        """What was typed was refused: show the value that holds."""

    def stops(self) -> list[QWidget]:
        """The widgets that Tab visits, in their order."""
        return []

    def height_for(self, width: int) -> int:
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def arrange(self) -> None:
        raise NotImplementedError

    @Slot()
    def reset(self) -> None:
        self.edited.emit(self.entry.name, self.entry.default, "")

    def _head(self, width: int) -> int:
        """Place the label alone on its lines; returns the height."""
        room = round(paint.ring_room(self.look))
        high = self.label.heightForWidth(width - 2 * room)
        self.label.setGeometry(room, 0, width - 2 * room, high)
        return high


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


class FlagRow(Row):
    """A tick box with its words."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        self.label.hide()
        self.box = controls.Tick(self, role=self.role if self.role != "text" else "control")
        self.box.setText(self.name)
        self.box.clicked.connect(self._on_clicked)
        self.name_widget(self.box)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.box.set_look(look)

    def stops(self) -> list[QWidget]:
        return [self.box]

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.box.setChecked(bool(value))

    def height_for(self, width: int) -> int:
        return self.box.heightForWidth(width)

    def arrange(self) -> None:
        self.box.setGeometry(0, 0, self.width(), self.height())

    @Slot(bool)
    def _on_clicked(self, on: bool) -> None:
        self.edited.emit(self.entry.name, bool(on), "")


class ChoiceRow(Row):
    """Up to three short options side by side, else a list that opens."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        assert isinstance(entry.kind, Choice)
        options = tuple((value, words.option(owner, entry, value)) for value in entry.kind.options)
        self.segments: list[controls.Segment] = []
        self.group = QButtonGroup(self)
        if len(options) <= SHORT:
            for value, shown in options:
                segment = controls.Segment(value, shown, self)
                segment.setAccessibleName(f"{self.name}: {shown}")
                self.group.addButton(segment)
                self.segments.append(segment)
            self.group.buttonClicked.connect(self._on_segment)
        self.picker = Picker(self)
        self.picker.set_options(options)
        self.picker.picked.connect(self._on_picked)
        self.name_widget(self.picker)
        for segment in self.segments:
            segment.setToolTip(self.picker.toolTip())

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.picker.set_look(look)
        for segment in self.segments:
            segment.set_look(look)

    def stops(self) -> list[QWidget]:
        return [self.picker, *self.segments]

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.picker.show_value(str(value))
        for segment in self.segments:
            segment.setChecked(segment.value == value)

    def _beside(self, width: int) -> bool:
        """Whether the options fit side by side."""
        if not self.segments:
            return False
        widest = [segment.sizeHint().width() for segment in self.segments]
        return sum(widest) - self._lap() * (len(widest) - 1) <= width

    def _lap(self) -> int:
        """Neighbours share the room for the ring, less the small gap that all such buttons have."""
        return round(2 * paint.ring_room(self.look)) - paint.gap(self.look)

    def height_for(self, width: int) -> int:
        widget = self.segments[0] if self._beside(width) else self.picker
        return self.label.heightForWidth(width - 2 * round(paint.ring_room(self.look))) + widget.sizeHint().height()

    def arrange(self) -> None:
        width = self.width()
        top = self._head(width)
        beside = self._beside(width)
        self.picker.setVisible(not beside)
        for segment in self.segments:
            segment.setVisible(beside)
        if not beside:
            self.picker.setGeometry(0, top, width, self.picker.sizeHint().height())
            return
        natural = [segment.sizeHint().width() for segment in self.segments]
        spare = width + self._lap() * (len(natural) - 1) - sum(natural)
        left = 0
        for index, segment in enumerate(self.segments):
            wide = natural[index] + spare // len(natural)
            if index == len(natural) - 1:
                wide = width - left
            segment.setGeometry(left, top, wide, segment.sizeHint().height())
            left += wide - self._lap()

    @Slot(str)
    def _on_picked(self, value: str) -> None:
        self.edited.emit(self.entry.name, value, "")

    @Slot(object)
    def _on_segment(self, segment: controls.Segment) -> None:
        self.edited.emit(self.entry.name, segment.value, "")


class TextRow(Row):
    """A line of text, or words with commas between them."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        self.field = Field(self)
        self.field.entered.connect(self._on_entered)
        if isinstance(entry.kind, Text):
            self.field.setMaxLength(entry.kind.max_length)
        self.name_widget(self.field)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.field.set_look(look)

    def stops(self) -> list[QWidget]:
        return [self.field]

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.field.show_text(", ".join(value) if isinstance(value, tuple) else str(value))

    def take_back(self) -> None:
        self.field.take_back()

    def height_for(self, width: int) -> int:
        room = round(paint.ring_room(self.look))
        return self.label.heightForWidth(width - 2 * room) + self.field.sizeHint().height()

    def arrange(self) -> None:
        top = self._head(self.width())
        self.field.setGeometry(0, top, self.width(), self.field.sizeHint().height())

    @Slot(str)
    def _on_entered(self, typed: str) -> None:
        self.edited.emit(self.entry.name, typed, "")
        self.take_back()


class VectorRow(Row):
    """A short list of numbers."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        self.vector = VectorField(self, role=self.role)
        self.vector.entered.connect(self._on_entered)
        self.name_widget(self.vector)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.vector.set_look(look)

    def stops(self) -> list[QWidget]:
        return list(self.vector.fields)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.vector.show_numbers(tuple(value), self.name)

    def take_back(self) -> None:
        self.vector.take_back()

    def height_for(self, width: int) -> int:
        room = round(paint.ring_room(self.look))
        return self.label.heightForWidth(width - 2 * room) + self.vector.heightForWidth(width)

    def arrange(self) -> None:
        top = self._head(self.width())
        self.vector.setGeometry(0, top, self.width(), self.vector.heightForWidth(self.width()))

    @Slot(int, str)
    def _on_entered(self, index: int, typed: str) -> None:
        number = parse_number(typed)
        if number is None:
            self.vector.fields[index].take_back()
            kept = written(self.value[index])
            self.said.emit(text("window.field.no_number", found=typed[:40], name=self.name, kept=kept))
            return
        numbers = list(self.value)
        numbers[index] = number
        self.edited.emit(self.entry.name, tuple(numbers), "")
        self.vector.fields[index].take_back()


def row_for(owner: str, entry: Spec, parent: QWidget) -> Row:
    """The row that suits the parameter's kind."""
    if isinstance(entry.kind, Text) and entry.kind.max_length > LONG:
        from gui.paste import PasteRow  # few tabs have a text to paste

        return PasteRow(owner, entry, parent)
    kinds: dict[type, type[Row]] = {
        Range: RangeRow, Flag: FlagRow, Choice: ChoiceRow, Text: TextRow, Words: TextRow, Vector: VectorRow
    }  # fmt: skip
    return kinds[type(entry.kind)](owner, entry, parent)
