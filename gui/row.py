"""What all rows of a form share: a parameter, its words and its label."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage import words
from core.stage.params import Spec
from core.stage.text import text
from core.stage.theme import TEXT_ROLES, Role
from gui import controls, paint
from gui.theming import Look


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
