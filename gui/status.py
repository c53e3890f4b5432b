"""One line of sentences at the bottom, and the progress of long work."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.text import text
from gui import paint
from gui.controls import Push, Words
from gui.theming import Look


class StatusLine(QWidget):
    """``say`` shows a sentence until the next one or until it is taken away; ``note`` what lasts as long as a frame."""

    cancelled = Signal()
    retried = Signal()
    grown = Signal()  # it may need another height

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.said, self.noted = "", ""
        self.share: float | None = None
        self.words = Words(self, size="small")
        self.button = Push(self, style="box")
        self.button.text_size = "small"
        self.button.clicked.connect(self._on_button)
        self.button.hide()
        self.setAccessibleName(text("window.status.name"))

    def set_look(self, look: Look) -> None:
        self.look = look
        self.words.set_look(look)
        self.button.set_look(look)
        self.arrange()

    @property
    def sentence(self) -> str:
        return self.said or self.noted

    def say(self, sentence: str) -> None:
        self.said = sentence
        self._show()

    def note(self, sentence: str) -> None:
        self.noted = sentence
        self._show()

    def show_work(self, share: float | None, refused: bool = False) -> None:
        """``share`` of the work that runs, None where none does; ``refused``: it ended without an answer."""
        before = (self.share is None, self.button.isHidden())
        self.share = share
        self.button.setText(text("window.job.again" if share is None and refused else "window.job.cancel"))
        self.button.setVisible(share is not None or refused)
        if before != (share is None, self.button.isHidden()):
            self.arrange()
            self.grown.emit()
        self.update()

    def _show(self) -> None:
        if self.words.text() == self.sentence:
            return
        self.words.setText(self.sentence)
        self.setAccessibleDescription(self.sentence)
        self.arrange()
        self.grown.emit()
        if self.sentence and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    # --- place and paint -----------------------------------------------------------------------------------------

    def _pad(self) -> int:
        return round(0.9 * paint.em(self.look))

    def _side(self) -> int:
        """The room that bar and button take at the right."""
        if self.button.isHidden():
            return 0
        bar = round(8 * paint.em(self.look)) if self.share is not None else 0
        return self.button.sizeHint().width() + bar + round(0.8 * paint.em(self.look))

    def _line(self) -> int:
        return round(1.45 * paint.em(self.look))

    def wanted_height(self, width: int) -> int:
        """One line with room for the button, so that work that begins moves nothing; more for a long sentence."""
        high = max(self._line(), self.button.sizeHint().height())
        if self.sentence:
            high = max(high, self.words.heightForWidth(max(50, width - 2 * self._pad() - self._side())) + 4)
        return high

    def arrange(self) -> None:
        pad, side = self._pad(), self._side()
        self.words.setGeometry(pad, 0, max(10, self.width() - 2 * pad - side), self.height())
        hint = self.button.sizeHint()
        self.button.setGeometry(
            self.width() - pad - hint.width(), (self.height() - hint.height()) // 2, hint.width(), hint.height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.share is None:
            return
        painter = paint.start(self)
        unit = paint.em(self.look)
        right = self.button.x() - 0.5 * unit
        groove = QRectF(right - 8 * unit, self.height() / 2 - 0.2 * unit, 8 * unit, 0.4 * unit)
        paint.box(painter, groove, self.look, self.look.ground, self.look.colour("control"), corner=0.2 * unit)
        done = QRectF(groove)
        done.setWidth(max(0.4 * unit, groove.width() * min(max(self.share, 0.0), 1.0)))
        paint.box(painter, done, self.look, self.look.colour("text"), self.look.colour("text"), corner=0.2 * unit)
        painter.end()

    @Slot()
    def _on_button(self) -> None:
        (self.cancelled if self.share is not None else self.retried).emit()
