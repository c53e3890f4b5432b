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

    def _shown(self) -> list[Segment]:
        return self.buttons[: len(self.choice.options)] if self.choice is not None else []

    def sizeHint(self) -> QSize:
        gap = round(self.look.share(0.7))
        hints = [button.sizeHint() for button in self._shown()]
        high = max((hint.height() for hint in hints), default=0)
        return QSize(sum(hint.width() for hint in hints) + gap * max(0, len(hints) - 1), high)

    def _lay_out(self) -> None:
        shown = self._shown()
        if not shown or self.width() < 4:
            return
        gap = round(self.look.share(0.7))
        hints = [button.sizeHint().width() for button in shown]
        room = self.width() - gap * (len(shown) - 1)
        scale = min(1.0, room / max(1, sum(hints)))
        left = 0.0
        for button, hint in zip(shown, hints, strict=True):
            button.setGeometry(round(left), 0, int(hint * scale), self.height())
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
