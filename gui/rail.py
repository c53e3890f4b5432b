"""The numbered tabs at the left."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui import paint
from gui.controls import Push
from gui.theming import Look


class RailTab(Push):
    """A number and a name; the chosen one is dark."""

    def __init__(self, number: int, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.number, self.name = number, name
        self.narrow = False
        self.setCheckable(True)
        self.setText(f"{number}  {name}")
        self.setAccessibleName(f"{number} {name}")
        self.setToolTip(paint.tip(name))

    def natural_width(self) -> int:
        font, unit = self.look.font("label", True), paint.em(self.look)
        words = str(self.number) if self.narrow else self.text()
        return round(paint.width_of(words, font) + 1.3 * unit + 2 * paint.ring_room(self.look) + 1)

    def _number_width(self) -> float:
        return paint.width_of(f"{self.number}  ", self.look.font("label", True))

    def heightForWidth(self, width: int) -> int:
        unit = paint.em(self.look)
        font = self.look.font("label", True)
        inner = width - 2 * paint.ring_room(self.look) - 1.2 * unit - self._number_width()
        high = paint.line_height(font)
        if not self.narrow:
            flags = int(Qt.TextFlag.TextWordWrap)
            high = QFontMetricsF(font).boundingRect(QRectF(0, 0, max(inner, 10.0), 1000), flags, self.name).height()
        return round(high + 0.95 * unit + 2 * paint.ring_room(self.look))

    def sizeHint(self) -> QSize:
        return QSize(min(self.natural_width(), max(self.width(), 1)), self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, rect, unit = self.look, paint.body(self, self.look), paint.em(self.look)
        on = self.isChecked()
        ink = look.ground if on else look.colour("text" if self.underMouse() else "muted")
        if on:
            paint.box(painter, rect, look, look.colour("text"), look.colour("text"))
        font = look.font("label", on)
        if self.narrow:
            paint.write(painter, rect, str(self.number), font, ink)
        else:
            inner = rect.adjusted(0.6 * unit, 0, -0.5 * unit, 0)
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            paint.write(painter, inner, str(self.number), font, ink, left)
            painter.drawText(inner.adjusted(self._number_width(), 0, 0, 0), left | Qt.TextFlag.TextWordWrap, self.name)
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # the rail moves among its tabs
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: object) -> None:
        self.update()

    def leaveEvent(self, event: object) -> None:
        self.update()


class Rail(QWidget):
    """One tab is chosen. Up and Down move among them while the rail has the focus."""

    chosen = Signal(int)

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.tabs = [RailTab(number + 1, name, self) for number, name in enumerate(names)]
        for tab in self.tabs:
            tab.clicked.connect(self._on_clicked)

    def set_look(self, look: Look) -> None:
        self.look = look
        for tab in self.tabs:
            tab.set_look(look)

    def set_narrow(self, narrow: bool) -> None:
        """Numbers alone, in windows without room for names."""
        for tab in self.tabs:
            tab.narrow = narrow

    def wanted_width(self, most: int) -> int:
        """As wide as the longest name, up to ``most``: beyond, names wrap."""
        return min(max((tab.natural_width() for tab in self.tabs), default=0) + 2 * self._pad(), most)

    def _pad(self) -> int:
        return round(0.6 * paint.em(self.look) - paint.ring_room(self.look))

    def show_chosen(self, index: int) -> None:
        for number, tab in enumerate(self.tabs):
            tab.setChecked(number == index)
            # Tab visits the chosen one alone, as in any list of tabs.
            tab.setFocusPolicy(Qt.FocusPolicy.StrongFocus if number == index else Qt.FocusPolicy.ClickFocus)

    def arrange(self) -> None:
        pad, unit = self._pad(), paint.em(self.look)
        width = self.width() - 2 * pad
        heights = [tab.heightForWidth(width) for tab in self.tabs]
        spare = self.height() - sum(heights) - round(unit)
        gap = max(-2, min(round(0.3 * unit), spare // max(1, len(self.tabs))))
        y = round(0.55 * unit)
        for tab, high in zip(self.tabs, heights, strict=True):
            tab.setGeometry(pad, y, width, high)
            y += high + gap

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = next((number for number, tab in enumerate(self.tabs) if tab.hasFocus()), -1)
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if here < 0 or not by:
            event.ignore()
            return
        there = (here + by) % len(self.tabs)
        self.chosen.emit(there)
        self.tabs[there].setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def _on_clicked(self) -> None:
        tab = self.sender()
        assert isinstance(tab, RailTab)
        self.chosen.emit(tab.number - 1)
