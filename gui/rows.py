"""The rows of a form: one per parameter, each built from its description and its words.

Data flows one way: ``show`` puts a value into the widgets without a signal; what a person does comes out as ``edited``.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QWidget

from core.stage import words
from core.stage.params import Choice, Flag, Range, Spec, Text, Vector, Words
from core.stage.text import text
from gui import controls, paint
from gui.fields import Field, VectorField, parse_number, written
from gui.picker import Picker
from gui.rangerow import RangeRow
from gui.row import Row
from gui.theming import Look

SHORT = 3  # options that may lie side by side
LONG = 1000  # characters from which on a text is pasted rather than typed


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
