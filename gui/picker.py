"""A choice that opens downwards."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from core.stage.theme import Role
from gui import paint
from gui.controls import Pressed
from gui.theming import Look


class Picker(Pressed, QComboBox):
    """A choice that opens downwards. ``flat`` has no box around it."""

    picked = Signal(str)  # the value of the entry that a person chose

    def __init__(self, parent: QWidget | None = None, *, flat: bool = False, role: Role = "text") -> None:
        super().__init__(parent)
        self.look = Look()
        self.flat, self.role = flat, role
        self.prefix = ""
        self.fixed = ""  # shown instead of the entry
        # Any other policy lets the box resize itself a moment after its font changed.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self._on_activated)

    def set_look(self, look: Look) -> None:
        self.look = look
        self.setFont(look.font("label"))
        self.view().setFont(look.font("label"))
        self.update()

    def set_options(self, options: tuple[tuple[str, str], ...]) -> None:
        """Values with their words."""
        self.blockSignals(True)
        self.clear()
        for value, words in options:
            self.addItem(words, value)
        self.blockSignals(False)
        self.updateGeometry()

    def show_value(self, value: str) -> None:
        self.blockSignals(True)
        self.setCurrentIndex(self.findData(value))
        self.blockSignals(False)
        self.update()

    def shown(self) -> str:
        return self.prefix + (self.fixed or self.currentText())

    def sizeHint(self) -> QSize:
        font, unit = self.look.font("label"), paint.em(self.look)
        room = 2 * paint.ring_room(self.look)
        pad = (0.35 if self.flat else 0.6) * unit
        width = paint.width_of(self.shown(), font) + 0.55 * unit + 0.45 * unit + 2 * pad + room
        return QSize(round(width + 0.5), round(paint.line_height(font) + 0.5 * unit + room + 0.5))

    def share(self) -> float:
        """How much smaller than usual the words are set: where the box is narrower than they need."""
        spare = self.sizeHint().width() - paint.width_of(self.shown(), self.look.font("label"))
        need = self.sizeHint().width() - spare
        return min(1.0, (self.width() - spare) / need) if need > 0 else 1.0

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def showPopup(self) -> None:
        metrics = self.view().fontMetrics()
        widest = max((metrics.horizontalAdvance(self.itemText(row)) for row in range(self.count())), default=0)
        self.view().setMinimumWidth(round(widest + 2.5 * paint.em(self.look)))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # a scroll over the window must not change a choice

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, rect, unit = self.look, paint.body(self, self.look), paint.em(self.look)
        ink = look.colour(self.role) if self.isEnabled() else look.colour("control")
        pad = (0.35 if self.flat else 0.6) * unit
        if not self.flat:
            paint.box(painter, rect, look, look.ground, look.colour("control"))
        side = 0.5 * unit
        inner = rect.adjusted(pad, 0, -pad, 0)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        font = look.font("label")
        if self.share() < 1.0:
            font = QFont(font)
            font.setPixelSize(max(6, int(font.pixelSize() * self.share())))
        paint.write(painter, inner, self.shown(), font, ink, align)
        at = inner.left() + paint.width_of(self.shown(), font) + 0.45 * unit if self.flat else inner.right() - side
        paint.sign(painter, "down", QRectF(at, rect.center().y() - side / 2, side, side), ink)
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()

    @Slot(int)
    def _on_activated(self, row: int) -> None:
        self.picked.emit(str(self.itemData(row)))
