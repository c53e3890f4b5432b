"""The widgets that a form and the bars are made of, painted in one hand. Each takes a look and says how much room it
needs; none of them knows a lesson."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QRadioButton, QWidget

from core.stage.theme import Role, Size
from gui import paint
from gui.theming import Look, hyphened

Style = Literal["box", "line", "flat", "segment"]
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class Words(QLabel):
    """Plain text that wraps, in a size and a role."""

    doubled = Signal()  # double-clicked

    def __init__(
        self, parent: QWidget | None = None, size: Size = "label", role: Role = "text", bold: bool = False
    ) -> None:
        super().__init__(parent)
        self.look = Look()
        self.size_name, self.role, self.bold = size, role, bold
        self._said = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)

    def setText(self, words: str) -> None:
        self._said = words
        super().setText(hyphened(words, self.look.font(self.size_name, self.bold)))

    def text(self) -> str:
        return self._said

    def set_look(self, look: Look) -> None:
        self.look = look
        self.setFont(look.font(self.size_name, self.bold))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, look.colour(self.role))
        self.setPalette(palette)

    def fit(self, width: int, lines: int) -> int:
        """Shrink the font until the text takes at most ``lines`` lines of ``width``; returns the height it takes.

        A sentence that is too long for its place is the exception; a cut one would be a mistake.
        """
        font = QFont(self.look.font(self.size_name, self.bold))  # a copy: the look's fonts are kept
        least = round(max(6.0, self.look.least * 0.6))
        for pixels in range(font.pixelSize(), least - 1, -1):
            font.setPixelSize(pixels)
            self.setFont(font)
            if self.heightForWidth(width) <= lines * self.fontMetrics().lineSpacing() + 2:
                break
        return self.heightForWidth(width)

    def natural_width(self) -> int:
        """Of the text on one line."""
        return self.fontMetrics().horizontalAdvance(super().text()) + 2

    def widest_word(self) -> int:
        metrics = self.fontMetrics()
        return max((metrics.horizontalAdvance(word) for word in super().text().split()), default=0) + 2

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.doubled.emit()
        event.accept()


class Ringed:
    """Shows where the keyboard is by a ring; a click needs none. Stands before the Qt class among the bases."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._note_focus(event)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._note_focus(event)
        super().focusOutEvent(event)

    def _note_focus(self, event: QFocusEvent) -> None:
        self.setProperty("ringed", bool(event.gotFocus() and event.reason() in _KEYBOARD))
        self.update()


class Pressed(Ringed):
    """While it holds the keyboard's focus it keeps Space for itself; elsewhere Space plays."""

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
            and not event.modifiers()
            and self.property("ringed")
        ):
            event.accept()
            return True
        return super().event(event)


class Clicked(Pressed):
    """Return clicks it too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Push(Clicked, QAbstractButton):
    """A button: a rounded box (``line``: a low one), or text alone. Checked, it is dark."""

    def __init__(self, parent: QWidget | None = None, style: Style = "box", role: Role = "text") -> None:
        super().__init__(parent)
        self.look = Look()
        self.style_name, self.role = style, role
        self.sign: paint.Sign | None = None
        self.text_size: Size = "label"
        self.bold = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if style == "line":
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        unit = paint.em(self.look)
        font = self.look.font(self.text_size, self.bold or self.isCheckable())
        pad = {"flat": 0.35, "line": 0.55}.get(self.style_name, 0.75) * unit
        width = paint.width_of(self.text(), font) + 2 * pad
        if self.sign is not None:
            width += 0.55 * unit + (0.45 * unit if self.text() else 0.0)
        height = paint.line_height(font) + (0.3 if self.style_name in ("flat", "line") else 0.5) * unit
        room = 2 * paint.ring_room(self.look)
        return QSize(round(width + room + 0.5), round(height + room + 0.5))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, rect = self.look, paint.body(self, self.look)
        ink = look.colour(self.role) if self.isEnabled() else look.colour("control")
        if self.style_name != "flat":
            dark = self.isChecked() or (self.isDown() and self.isEnabled())
            over = self.underMouse() and self.isEnabled()
            edge = look.colour("text" if dark or over else "control")
            paint.box(painter, rect, look, look.colour("text") if dark else look.ground, edge)
            if dark:
                ink = look.ground
        font = look.font(self.text_size, self.bold or self.isChecked())
        _write_with_sign(painter, rect, self.text(), self.sign, font, ink, look)
        if self.style_name == "flat" and (self.underMouse() or self.isDown()) and self.isEnabled():
            underline = QRectF(rect.left() + 0.3 * paint.em(look), rect.bottom() - 2, rect.width(), 1.5)
            underline.setRight(rect.right() - 0.3 * paint.em(look))
            painter.fillRect(underline, ink)
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()


def _write_with_sign(
    painter: QPainter, rect: QRectF, words: str, sign: paint.Sign | None, font: Any, ink: Any, look: Look
) -> None:
    if sign is None:
        paint.write(painter, rect, words, font, ink)
        return
    side = 0.5 * paint.em(look)
    gap = 0.4 * paint.em(look) if words else 0.0
    width = paint.width_of(words, font)
    left = rect.center().x() - (width + gap + side) / 2
    if words:
        place = QRectF(left, rect.top(), width, rect.height())
        paint.write(painter, place, words, font, ink, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    paint.sign(painter, sign, QRectF(left + width + gap, rect.center().y() - side / 2, side, side), ink)


class Tick(Clicked, QCheckBox):
    """A flag: a box with a check mark and its words; in a role of its own it has a border around it."""

    def __init__(self, parent: QWidget | None = None, role: Role = "control") -> None:
        super().__init__(parent)
        self.look = Look()
        self.role = role

    def set_look(self, look: Look) -> None:
        self.look = look
        self.update()

    @property
    def framed(self) -> bool:
        return self.role not in ("control", "text", "muted", "line")

    def _words_width(self, width: float) -> float:
        unit = paint.em(self.look)
        return width - 2 * paint.ring_room(self.look) - 1.55 * unit - (1.0 * unit if self.framed else 0.0)

    def heightForWidth(self, width: int) -> int:
        unit, font = paint.em(self.look), self.look.font("label", self.framed)
        metrics = paint.QFontMetricsF(font)
        area = QRectF(0, 0, max(1.0, self._words_width(width)), 10_000)
        text = metrics.boundingRect(area, int(Qt.TextFlag.TextWordWrap), hyphened(self.text(), font))
        high = max(text.height(), 1.1 * unit) + (0.6 if self.framed else 0.2) * unit
        return round(high + 2 * paint.ring_room(self.look) + 0.5)

    def sizeHint(self) -> QSize:
        unit, font = paint.em(self.look), self.look.font("label", self.framed)
        words = max((paint.width_of(word, font) for word in self.text().split()), default=0.0)
        extra = 2 * paint.ring_room(self.look) + 1.55 * unit + (1.0 * unit if self.framed else 0.0)
        width = round(words + extra + 1)
        return QSize(width, self.heightForWidth(max(width, self.width())))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: Any) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, rect, unit = self.look, paint.body(self, self.look), paint.em(self.look)
        on = self.isChecked()
        ink = look.colour(self.role if self.framed else "text")
        left = rect.left()
        if self.framed:
            border = ink if on else look.colour("control")
            paint.box(painter, rect, look, look.ground, border, look.stroke("line" if on else "thin"))
            left += 0.5 * unit
        side = 1.05 * unit
        square = QRectF(left, rect.center().y() - side / 2, side, side)
        edge = ink if on else look.colour("control")
        paint.box(painter, square, look, ink if on else look.ground, edge, corner=0.22 * unit)
        if on:
            inner = square.adjusted(0.15 * side, 0.15 * side, -0.15 * side, -0.15 * side)
            paint.sign(painter, "check", inner, look.ground)
        font = look.font("label", self.framed)
        painter.setFont(font)
        painter.setPen(ink)
        words = QRectF(square.right() + 0.5 * unit, rect.top(), self._words_width(self.width()), rect.height())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(words, flags, hyphened(self.text(), font))
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()


class Segment(Pressed, QRadioButton):
    """One of a few options that lie side by side; the chosen one is dark. Arrow keys move among them."""

    def __init__(self, value: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.value = value
        self.setText(words)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.update()

    def sizeHint(self) -> QSize:
        font, unit = self.look.font("label", True), paint.em(self.look)
        room = 2 * paint.ring_room(self.look)
        width = paint.width_of(self.text(), font) + 0.7 * unit + room
        return QSize(round(width + 0.5), round(paint.line_height(font) + 0.45 * unit + room + 0.5))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: Any) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, rect, on = self.look, paint.body(self, self.look), self.isChecked()
        fill, edge = (look.colour("text"), look.colour("text")) if on else (look.ground, look.colour("control"))
        paint.box(painter, rect, look, fill, edge)
        paint.write(painter, rect, self.text(), look.font("label", on), look.ground if on else look.colour("text"))
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()
