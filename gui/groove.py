"""A slider."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from core.stage.theme import Role
from gui import paint
from gui.controls import Ringed
from gui.theming import Look


class Groove(Ringed, QSlider):
    """A slider that reports where it is wanted and shows where it is told: positions are whole numbers."""

    wanted = Signal(int)  # by mouse, or by an assistive technology
    nudged = Signal(int)  # steps, by arrow keys
    ended = Signal(int)  # −1: Home, 1: End
    forgotten = Signal()  # Delete: back to the default

    def __init__(self, parent: QWidget | None = None, role: Role = "control") -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.look = Look()
        self.role = role
        self.beyond = 0  # −1, 1: the value lies outside of what the slider covers
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._on_value)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.update()

    def show_position(self, position: int, beyond: int = 0) -> None:
        self.beyond = beyond
        self.blockSignals(True)
        self.setValue(position)
        self.blockSignals(False)
        self.update()

    def sizeHint(self) -> QSize:
        unit = paint.em(self.look)
        return QSize(round(5 * unit), round(self._grip() * 2 + 2 * paint.ring_room(self.look)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _grip(self) -> float:
        return max(8.0, 0.56 * paint.em(self.look))

    def _span(self) -> tuple[float, float]:
        inset = self._grip() + paint.ring_room(self.look)
        return inset, self.width() - inset

    def _at(self, x: float) -> int:
        left, right = self._span()
        share = min(max((x - left) / max(right - left, 1.0), 0.0), 1.0)
        return round(self.minimum() + share * (self.maximum() - self.minimum()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.wanted.emit(self._at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.wanted.emit(self._at(event.position().x()))
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)
        self.update()
        event.ignore()  # the window ends the gesture

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Down):
            self.nudged.emit(-1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Up):
            self.nudged.emit(1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.ended.emit(-1 if key == Qt.Key.Key_Home else 1)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.forgotten.emit()
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, grip = self.look, self._grip()
        ink = look.colour("text" if self.role == "control" else self.role)
        middle = self.height() / 2
        left, right = self._span()
        steps = max(self.maximum() - self.minimum(), 1)
        x = left + (right - left) * (self.value() - self.minimum()) / steps
        width = max(3.0, 0.2 * paint.em(look))
        edge = paint.ring_room(look) + width / 2
        painter.setPen(QPen(look.colour("control"), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(x, middle), QPointF(self.width() - edge, middle))
        painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(edge, middle), QPointF(x, middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.ground)  # a gap between the groove and the grip
        if self.beyond:  # an arrow: the value is still further on
            way = float(self.beyond)
            edge = QPen(look.ground, 0.36 * grip)
            edge.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            for pen, brush in ((edge, look.ground), (QPen(Qt.PenStyle.NoPen), ink)):
                painter.setPen(pen)
                painter.setBrush(brush)
                tip, back = x + way * 1.0 * grip, x - way * 0.6 * grip
                corners = (QPointF(tip, middle), QPointF(back, middle - grip), QPointF(back, middle + grip))
                painter.drawPolygon(QPolygonF(corners))
        else:
            painter.drawEllipse(QPointF(x, middle), grip, grip)
            painter.setBrush(ink)
            painter.drawEllipse(QPointF(x, middle), grip * 0.82, grip * 0.82)
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()

    @Slot(int)
    def _on_value(self, position: int) -> None:
        self.wanted.emit(position)
