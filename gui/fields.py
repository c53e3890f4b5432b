"""Fields to type into: numbers, texts, short vectors. What is typed is read here; what it means is the page's."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from core.stage.numbers import count, short
from core.stage.theme import Role
from gui import paint
from gui.theming import Look

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?(e[+-]?\d+)?")
_PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")


def parse_number(words: str) -> float | None:
    """What a person means by ``1,000,000``, ``−3``, ``2.5e3``, ``1 000``, ``0,5``; None where it is no number."""
    plain = words.strip().lower().replace("−", "-").replace("–", "-").replace("_", "")
    plain = re.sub(r"(?<=\d)[\s\u00a0\u202f'’](?=\d)", "", plain)
    if _GROUPED.fullmatch(plain):
        plain = plain.replace(",", "")
    elif plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not _PLAIN.fullmatch(plain):
        return None
    number = float(plain)
    return number if abs(number) < 1e300 else (1e300 if number > 0 else -1e300)


def written(value: float, *, integer: bool = False) -> str:
    """A parameter's value: as many decimals as it needs, three for ordinary numbers."""
    if integer:
        return count(value)
    decimals = 3
    while decimals < 9 and 0 < abs(value) < 10.0 ** (2 - decimals):
        decimals += 1
    return short(value, decimals)


class Field(QLineEdit):
    """A line to type into. Enter or leaving it hands over what was typed, Escape takes it back."""

    entered = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, boxed: bool = True, role: Role = "text") -> None:
        super().__init__(parent)
        self.look = Look()
        self.boxed, self.role = boxed, role
        self.mono = False
        self._told = ""  # what the state says
        self._before = ""  # what it said when typing began
        self.setFrame(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setSizePolicy(self.sizePolicy().horizontalPolicy(), self.sizePolicy().verticalPolicy())
        self.editingFinished.connect(self._on_finished)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.setFont(look.font("label", self.mono, self.mono))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, look.colour(self.role))
        palette.setColor(QPalette.ColorRole.PlaceholderText, look.colour("muted"))
        palette.setColor(QPalette.ColorRole.Highlight, look.colour("text"))
        palette.setColor(QPalette.ColorRole.HighlightedText, look.ground)
        self.setPalette(palette)
        pad = round(0.5 * paint.em(look) + paint.ring_room(look)) if self.boxed else 0
        self.setTextMargins(pad, 0, pad, 0)
        self.updateGeometry()
        self.update()

    def show_text(self, words: str) -> None:
        """Show a value that comes from the state. While a person types, their text stays."""
        self._told = words
        if self.hasFocus() and self.isModified():
            return
        self._before = words
        if self.text() != words:
            self.setText(words)
            self.setCursorPosition(0 if self.boxed else len(words))

    def note_text(self, words: str) -> None:
        """The state has taken over what is being typed."""
        self._told = words

    def take_back(self) -> None:
        """Show the value that held before, whatever was typed; where each letter counted at once, set it again."""
        words = self._before
        self.setModified(False)
        self.setText(words)
        if words != self._told:
            self._told = words
            self.entered.emit(words)

    def sizeHint(self) -> QSize:
        unit = paint.em(self.look)
        width = 8 * unit if self.boxed else paint.width_of(self.text() or "0", self.font()) + self._inset() * 2 + 4
        return QSize(round(width), round(paint.line_height(self.font()) + (0.55 if self.boxed else 0.3) * unit
                     + 2 * paint.ring_room(self.look)))  # fmt: skip

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def _inset(self) -> float:
        return paint.ring_room(self.look) + 2

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self.isModified():
                event.accept()  # takes back what was typed
                return True
            # Undo and copy belong to the text only while there is something typed or chosen.
            if (
                (event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable())
                or (event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable())
                or (event.matches(QKeySequence.StandardKey.Copy) and not self.hasSelectedText())
            ):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.take_back()
            self.selectAll()
            event.accept()
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.setModified(False)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        rect = paint.body(self, self.look)
        if self.hasFocus():
            paint.box(painter, rect, self.look, self.look.ground, self.look.colour("text"), self.look.stroke("line"))
        elif self.boxed:
            paint.box(painter, rect, self.look, self.look.ground, self.look.colour("control"))
        elif self.underMouse():
            line = QRectF(rect.left() + 2, rect.bottom() - 2, rect.width() - 4, 1.5)
            painter.fillRect(line, self.look.colour("control"))
        pad = self.textMargins().left() + 2.0
        room = self.width() - 2 * pad
        if self.boxed and not self.hasFocus() and paint.width_of(self.text(), self.font()) > room:
            # What goes on beyond the box ends in "…"; Qt would cut a letter in two.
            words = paint.QFontMetricsF(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
            align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            place = QRectF(pad, 0, room, self.height())
            paint.write(painter, place, words, self.font(), self.look.colour(self.role), align)
            painter.end()
            return
        painter.end()
        super().paintEvent(event)

    @Slot()
    def _on_finished(self) -> None:
        if self.isModified():
            self.setModified(False)
            self.entered.emit(self.text())
            self._before = self._told


class NumberField(Field):
    """A number at the right of its row; a click and one can type."""

    def __init__(self, parent: QWidget | None = None, *, boxed: bool = False, role: Role = "text") -> None:
        super().__init__(parent, boxed=boxed, role=role)
        self.mono = True
        self.setMaxLength(40)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def mouseReleaseEvent(self, event: object) -> None:
        if not self.hasSelectedText() and not self.isModified():
            self.selectAll()
        super().mouseReleaseEvent(event)  # type: ignore[arg-type]


class VectorField(QWidget):
    """A few numbers side by side, each a field; they wrap where they must."""

    entered = Signal(int, str)  # which one, what was typed

    def __init__(self, parent: QWidget | None = None, role: Role = "text") -> None:
        super().__init__(parent)
        self.look = Look()
        self.role = role
        self.fields: list[NumberField] = []

    def set_look(self, look: Look) -> None:
        self.look = look
        for field in self.fields:
            field.set_look(look)

    def show_numbers(self, numbers: tuple[float, ...], name: str) -> None:
        while len(self.fields) < len(numbers):
            field = NumberField(self, boxed=True, role=self.role)
            field.setProperty("index", len(self.fields))
            field.entered.connect(self._on_entered)
            field.set_look(self.look)
            field.show()
            self.fields.append(field)
        for index, field in enumerate(self.fields):
            field.setVisible(index < len(numbers))
            if index < len(numbers):
                field.show_text(written(numbers[index]))
                field.setAccessibleName(f"{name} {index + 1}")
        self.arrange()

    def take_back(self) -> None:
        for field in self.fields:
            field.take_back()

    def _columns(self, width: int) -> int:
        shown = [field for field in self.fields if not field.isHidden()]
        widest = max((paint.width_of(field.text(), field.font()) for field in shown), default=0.0)
        need = max(widest + 1.3 * paint.em(self.look) + 2 * paint.ring_room(self.look), 3.0 * paint.em(self.look))
        return max(1, min(len(shown), int(width // need)))

    def heightForWidth(self, width: int) -> int:
        shown = [field for field in self.fields if not field.isHidden()]
        if not shown:
            return 0
        rows = -(-len(shown) // self._columns(width))
        return rows * shown[0].sizeHint().height()

    def resizeEvent(self, event: object) -> None:
        self.arrange()

    def arrange(self) -> None:
        shown = [field for field in self.fields if not field.isHidden()]
        if not shown:
            return
        columns = self._columns(self.width())
        width, height = self.width() // columns, shown[0].sizeHint().height()
        for index, field in enumerate(shown):
            field.setGeometry(index % columns * width, index // columns * height, width, height)

    @Slot(str)
    def _on_entered(self, words: str) -> None:
        self.entered.emit(int(self.sender().property("index")), words)
