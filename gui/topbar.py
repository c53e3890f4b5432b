"""The bar at the top: the sentence, the table, the profile, presenting, the menu."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage import words
from core.stage.lesson import Shared
from core.stage.params import Choice, spec
from core.stage.text import text
from core.stage.theme import PROFILES
from gui import paint
from gui.controls import Push, Words
from gui.fields import Field
from gui.picker import Picker
from gui.theming import Look


class TopBar(QWidget):
    """Shows what all tabs have in common and reports edits of it."""

    edited = Signal(str, object, str)  # shared parameter, value, gesture
    profile = Signal(str)
    present = Signal()
    menu = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.mark = Words(self, size="heading", bold=True)
        self.mark.setWordWrap(False)
        self.mark.setText(text("window.name"))
        self.sentence = Field(self)
        self.sentence.setMaxLength(400)
        self.sentence.setPlaceholderText(text("window.sentence.empty"))
        self.sentence.textEdited.connect(self._on_typed)
        self.sentence.entered.connect(self._on_entered)
        self.table = Picker(self, flat=True, role="muted")
        self.profiles = Picker(self, flat=True, role="muted")
        self.profiles.set_options(tuple((name, text(f"window.profile.{name}")) for name in PROFILES))
        self.profiles.setAccessibleName(text("window.profile.name"))
        self.profiles.setToolTip(paint.tip(text("window.profile.name")))
        self.profiles.picked.connect(self.profile)
        self.presenting = Push(self, style="flat", role="muted")
        self.presenting.setText(text("window.present.button"))
        self.presenting.setToolTip(paint.tip(text("window.present.tip")))
        self.presenting.clicked.connect(self.present)
        self.more = Push(self, style="flat", role="muted")
        self.more.sign = "more"
        self.more.setAccessibleName(text("window.menu.name"))
        self.more.setToolTip(paint.tip(text("window.menu.name")))
        self.more.clicked.connect(self.menu)
        for widget, name in ((self.sentence, "sentence"), (self.table, "table")):
            entry = spec(Shared, name)
            widget.setAccessibleName(words.label("shared", entry))
            widget.setAccessibleDescription(words.tip("shared", entry))
            widget.setToolTip(paint.tip(words.tip("shared", entry)))
        entry = spec(Shared, "table")
        assert isinstance(entry.kind, Choice)
        self.table.set_options(tuple((value, words.option("shared", entry, value)) for value in entry.kind.options))
        self.table.picked.connect(self._on_table)

    def set_look(self, look: Look) -> None:
        self.look = look
        for widget in (self.mark, self.sentence, self.table, self.profiles, self.presenting, self.more):
            widget.set_look(look)

    def show_shared(self, shared: Shared) -> None:
        if self.sentence.hasFocus() and self.sentence.text() == shared.sentence:
            self.sentence.note_text(shared.sentence)
        else:
            self.sentence.setModified(False)
            self.sentence.show_text(shared.sentence)
        before = self.table.shown()
        self.table.show_value(shared.table)
        if self.table.shown() != before:
            self.arrange(self._left)

    def show_used(self, table: bool) -> None:
        """Whether the chosen table plays a part in what is on the stage."""
        fixed = "" if table else text("window.table.unused")
        if fixed != self.table.fixed:
            self.table.fixed = fixed
            self.table.update()
            self.arrange(self._left)

    def show_profile(self, profile: str) -> None:
        self.profiles.show_value(profile)

    def wanted_height(self) -> int:
        return round(2.7 * paint.em(self.look))

    _left = 0

    def arrange(self, left: int) -> None:
        """``left``: where the sentence begins, in line with the stage below."""
        self._left = left
        unit, height = paint.em(self.look), self.height()
        x = self.width() - round(0.4 * unit)
        for widget in (self.more, self.presenting, self.profiles):
            hint = widget.sizeHint()
            x -= hint.width()
            widget.setGeometry(x, (height - hint.height()) // 2, hint.width(), hint.height())
            x -= round(0.15 * unit)
        wide, high = self.mark.natural_width(), self.mark.sizeHint().height()
        self.mark.setGeometry(round(1.2 * unit), (height - high) // 2, wide, high)
        left = max(left, self.mark.geometry().right() + round(unit))
        self.table.prefix = text("window.table.prefix") + " "
        least = round(9 * unit)
        if x - self.table.sizeHint().width() - left < least:
            self.table.prefix = ""
        hint = self.table.sizeHint()
        gap = round(0.4 * unit)
        room = max(x - left - hint.width() - gap, round(3 * unit))
        # About a third of the bar, as long as a sentence of a dozen words needs.
        width = min(room, max(least, round(0.335 * self.width())))
        high = self.sentence.sizeHint().height()
        self.sentence.setGeometry(left, (height - high) // 2, width, high)
        self.table.setGeometry(left + width + gap, (height - hint.height()) // 2, hint.width(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange(self._left)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        painter.fillRect(QRectF(self.rect()), self.look.panel)
        painter.end()

    @Slot(str)
    def _on_typed(self, words: str) -> None:
        self.edited.emit("sentence", words, "typing")

    @Slot(str)
    def _on_entered(self, words: str) -> None:
        self.edited.emit("sentence", words, "")

    @Slot(str)
    def _on_table(self, value: str) -> None:
        self.edited.emit("table", value, "")
