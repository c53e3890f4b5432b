"""To the start, a step back, play or pause, a step on, the speed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.clock import SPEEDS
from core.stage.numbers import short
from core.stage.text import text
from gui import paint
from gui.controls import Push, Words
from gui.picker import Picker
from gui.theming import Look

_FRACTIONS = {0.25: "¼", 0.5: "½"}


def speed_text(speed: float) -> str:
    """``½×``"""
    return f"{_FRACTIONS.get(speed, short(speed))}×"


class SignButton(Push):
    """A painted sign without a box."""

    def __init__(self, sign: paint.Sign, name: str, parent: QWidget) -> None:
        super().__init__(parent, style="flat")
        self.sign = sign
        self.setAccessibleName(name)
        self.setToolTip(paint.tip(name))

    def sizeHint(self) -> QSize:
        side = round(2.5 * paint.em(self.look))
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        rect = paint.body(self, self.look)
        ink = self.look.colour("text" if self.isEnabled() else "control")
        if self.isEnabled() and (self.isDown() or self.underMouse()):
            paint.box(painter, rect, self.look, self.look.ground, self.look.colour("control"))
        side = 1.3 * paint.em(self.look)
        center = rect.center()
        assert self.sign is not None
        paint.sign(painter, self.sign, QRectF(center.x() - side / 2, center.y() - side / 2, side, side), ink)
        if self.property("ringed"):
            paint.ring(painter, self, self.look)
        painter.end()

    def enterEvent(self, event: QEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()


class Transport(QWidget):
    """Reports what is wanted; the page knows what moves."""

    start = Signal()
    back = Signal()
    play = Signal()
    on = Signal()
    speed = Signal(float)

    def __init__(self, moves: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.moves = moves
        names = ("start", "back", "play", "on")
        self.buttons = [SignButton(name, text(f"window.transport.{name}"), self) for name in names]  # type: ignore[arg-type]
        signals = (self.start, self.back, self.play, self.on)
        for button, signal in zip(self.buttons, signals, strict=True):
            button.clicked.connect(signal)
        self.speeds = Picker(self, flat=True)
        self.speeds.set_options(tuple((repr(speed), speed_text(speed)) for speed in SPEEDS))
        self.speeds.setAccessibleName(text("window.transport.speed"))
        self.speeds.setToolTip(paint.tip(text("window.transport.speed")))
        self.speeds.picked.connect(self._on_speed)
        self.note = Words(self, size="small", role="muted")
        self.note.setText(text("window.transport.still"))
        self.note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.note.setVisible(not moves)
        self.show_speed(1.0)
        for widget in (*self.buttons, self.speeds):
            widget.setEnabled(moves)
            if not moves:
                widget.setAccessibleDescription(text("window.transport.still"))
                widget.setToolTip(paint.tip(text("window.transport.still")))

    def set_look(self, look: Look) -> None:
        self.look = look
        for widget in (*self.buttons, self.speeds, self.note):
            widget.set_look(look)
        self.arrange()

    def show_playing(self, playing: bool) -> None:
        name = "pause" if playing else "play"
        button = self.buttons[2]
        if button.sign != name:
            button.sign = name  # type: ignore[assignment]
            button.setAccessibleName(text(f"window.transport.{name}"))
            button.setToolTip(paint.tip(text(f"window.transport.{name}")))
            button.update()

    def show_speed(self, speed: float) -> None:
        self.speeds.show_value(repr(speed))

    def arrange(self) -> None:
        unit = paint.em(self.look)
        speed = self.speeds.sizeHint()
        pad = round(0.35 * unit)
        note = 0
        if not self.moves:
            high = self.note.heightForWidth(self.width() - 2 * pad)
            note = min(high, self.height() // 2)
            self.note.setGeometry(pad, self.height() - note - round(0.3 * unit), self.width() - 2 * pad, note)
        rest = self.height() - note
        side = min(self.buttons[0].sizeHint().height(), rest)
        gap = (self.width() - 2 * pad - 4 * side - speed.width()) / 4
        x = float(pad)
        for button in self.buttons:
            button.setGeometry(round(x), (rest - side) // 2, side, side)
            x += side + gap
        high = min(speed.height(), rest)
        self.speeds.setGeometry(self.width() - pad - speed.width(), (rest - high) // 2, speed.width(), high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        paint.panel(painter, QRectF(self.rect()), self.look)
        painter.end()

    @Slot(str)
    def _on_speed(self, value: str) -> None:
        self.speed.emit(float(value))
