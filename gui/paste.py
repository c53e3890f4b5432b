"""A row for a long text: it is pasted as a whole, and the field shows how it begins."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from core.stage.numbers import count
from core.stage.params import Spec, Text
from core.stage.text import text
from gui import paint
from gui.controls import Push
from gui.fields import Field
from gui.rows import Row
from gui.theming import Look

SHOWN = 160  # a longer text is shown by its beginning, and then only pasted over


class PasteField(Field):
    """Shows the beginning of a text. What is pasted replaces all of it and keeps its line breaks."""

    pasted = Signal(str)

    def show_text(self, words: str) -> None:
        plain = " ".join(words[: 4 * SHOWN].split())
        whole = plain == words
        self.setReadOnly(not whole or len(words) > SHOWN)
        super().show_text(plain[:SHOWN] + ("…" if len(plain) > SHOWN else ""))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            words = QGuiApplication.clipboard().text()
            if self.isReadOnly() or len(words) > SHOWN or "\n" in words:
                self.setModified(False)
                self.pasted.emit(words)
                event.accept()
                return
        super().keyPressEvent(event)


class PasteRow(Row):
    """Label with the text's length, its beginning, and buttons to paste and to clear."""

    def __init__(self, owner: str, entry: Spec, parent: QWidget | None = None) -> None:
        super().__init__(owner, entry, parent)
        assert isinstance(entry.kind, Text)
        self.kind = entry.kind
        self.field = PasteField(self)
        self.field.entered.connect(self._on_text)
        self.field.pasted.connect(self._on_text)
        self.paste, self.clear = Push(self), Push(self, role="muted")
        for button, name, wanted in ((self.paste, "paste", self._on_paste), (self.clear, "clear", self._on_clear)):
            button.setText(text(f"window.field.{name}"))
            button.clicked.connect(wanted)
        self.name_widget(self.field)
        self.paste.setAccessibleName(f"{self.name}: {self.paste.text()}")
        self.clear.setAccessibleName(f"{self.name}: {self.clear.text()}")
        self.show_value(entry.default)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        for widget in (self.field, self.paste, self.clear):
            widget.set_look(look)

    def stops(self) -> list[QWidget]:
        return [self.field, self.paste, self.clear]

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        size = len(value)
        self.label.setText(text("window.field.length", name=self.name, count=count(size)) if size else self.name)
        self.clear.setEnabled(bool(size))
        self.field.show_text(str(value))

    def take_back(self) -> None:
        self.field.take_back()

    def _beside(self, width: int) -> bool:
        return self.paste.sizeHint().width() + self.clear.sizeHint().width() <= width

    def height_for(self, width: int) -> int:
        room = round(paint.ring_room(self.look))
        button = self.paste.sizeHint().height()
        buttons = button if self._beside(width) else 2 * button
        return self.label.heightForWidth(width - 2 * room) + self.field.sizeHint().height() + buttons

    def arrange(self) -> None:
        width = self.width()
        top = self._head(width)
        self.field.setGeometry(0, top, width, self.field.sizeHint().height())
        top += self.field.height()
        hint, other = self.paste.sizeHint(), self.clear.sizeHint()
        if self._beside(width):
            wide = width - other.width()
            self.paste.setGeometry(0, top, wide, hint.height())
            self.clear.setGeometry(wide, top, other.width(), hint.height())
        else:
            self.paste.setGeometry(0, top, width, hint.height())
            self.clear.setGeometry(0, top + hint.height(), width, hint.height())

    @Slot(str)
    def _on_text(self, words: str) -> None:
        if not words.strip():
            self.said.emit(text("window.field.no_text"))
            return
        self.edited.emit(self.entry.name, words, "")
        self.take_back()
        if len(words) > self.kind.max_length:
            self.said.emit(text("window.field.too_long", most=count(self.kind.max_length), found=count(len(words))))

    @Slot()
    def _on_paste(self) -> None:
        self._on_text(QGuiApplication.clipboard().text())

    @Slot()
    def _on_clear(self) -> None:
        self.edited.emit(self.entry.name, "", "")
        self.take_back()
