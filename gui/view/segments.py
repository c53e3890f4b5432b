"""A choice as a row of buttons at a panel's head."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget

from core.stage.frame import Segments
from gui.theming import Look
from gui.view import words

BY_KEY = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
)

SQUEEZED = 0.86  # of their natural width: narrower buttons stand in two rows


class Segment(QAbstractButton):
    """One option: filled where it is the chosen one."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self.option = ("", "")
        self.cut = False
        self.ring = False  # the focus came by the keyboard
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.ring = event.reason() in BY_KEY
        super().focusInEvent(event)

    def show_option(self, value: str, text: str) -> None:
        if (value, text) != self.option:
            self.option = (value, text)
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        look = self.look
        font = look.font("label", bold=True)
        return QSize(
            round(words.width(font, self.option[1]) + look.share(2.6)), round(words.height(font) + look.share(1.1))
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        look, on = self.look, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = look.stroke("thin")
        rect = QRectF(self.rect()).adjusted(wide, wide, -wide, -wide)
        radius = look.share(0.7)
        painter.setPen(QPen(look.colour("text" if on or self.underMouse() else "control"), wide))
        painter.setBrush(look.colour("text") if on else look.ground)
        painter.drawRoundedRect(rect, radius, radius)
        font, text = words.fit(self.option[1], look.font("label", bold=on), rect.width() - look.share(1.0), look.least)
        self.cut = text != self.option[1]
        words.write(painter, rect, text, font, look.ground if on else look.colour("text"), words.CENTRE)
        if self.hasFocus() and self.ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(look.colour("where"), look.stroke("line")))
            painter.drawRoundedRect(rect, radius, radius)
        painter.end()


class SegmentBar(QWidget):
    """Buttons of which one is chosen; tells (parameter, value) when another is."""

    chosen = Signal(object)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self.choice: Segments | None = None
        self.buttons: list[Segment] = []
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)

    def show_choice(self, choice: Segments) -> None:
        """Show the options; emits nothing."""
        if choice == self.choice:
            return
        self.choice = choice
        while len(self.buttons) < len(choice.options):
            button = Segment(self.look, self)
            self.buttons.append(button)
            self._group.addButton(button)
        for index, button in enumerate(self.buttons):
            button.setVisible(index < len(choice.options))
            if index < len(choice.options):
                button.show_option(*choice.options[index])
                button.setChecked(button.option[0] == choice.value)
        self._lay_out()

    def _gap(self) -> int:
        return max(4, round(self.look.share(0.7)))

    def _shown(self) -> list[Segment]:
        return self.buttons[: len(self.choice.options)] if self.choice is not None else []

    def sizeHint(self) -> QSize:
        gap = self._gap()
        hints = [button.sizeHint() for button in self._shown()]
        high = max((hint.height() for hint in hints), default=0)
        return QSize(sum(hint.width() for hint in hints) + gap * max(0, len(hints) - 1), high)

    def wanted(self, width: int) -> QSize:
        """What the buttons take of this width: one row, or two where they would be squeezed."""
        hint = self.sizeHint()
        if len(self._rows(width)) == 1:
            return QSize(min(hint.width(), width), hint.height())
        return QSize(width, 2 * hint.height() + self._gap())

    def _rows(self, width: int) -> list[list[Segment]]:
        shown = self._shown()
        if len(shown) < 4 or self.sizeHint().width() * SQUEEZED <= width:
            return [shown]
        half = -(-len(shown) // 2)
        return [shown[:half], shown[half:]]

    def _lay_out(self) -> None:
        if not self._shown() or self.width() < 4:
            return
        gap = self._gap()
        rows = self._rows(self.width())
        high = (self.height() - gap * (len(rows) - 1)) // len(rows)
        for number, row in enumerate(rows):
            hints = [button.sizeHint().width() for button in row]
            room = self.width() - gap * (len(row) - 1)
            scale = min(1.0, room / max(1, sum(hints)))
            left = 0.0
            for button, hint in zip(row, hints, strict=True):
                start = round(left)
                button.setGeometry(start, number * (high + gap), round(left + hint * scale) - start, high)
                left += hint * scale + gap

    def cut_texts(self) -> list[str]:
        return [button.option[1] for button in self._shown() if button.cut]

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    @Slot(QAbstractButton)
    def _clicked(self, button: Segment) -> None:
        if self.choice is None:
            return
        value, name = button.option[0], self.choice.name
        # The state decides what is chosen; until it answers, the old option stays.
        for other in self._shown():
            other.setChecked(other.option[0] == self.choice.value)
        if value != self.choice.value:
            self.chosen.emit((name, value))
