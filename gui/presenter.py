"""Presenting: the stage alone on the full screen, and a blank screen in between."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.stage.text import text


class Veil(QWidget):
    """Black over the whole window. Any key or click takes it away and does nothing else."""

    lifted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(text("window.veil.name"))
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        self.lifted.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.lifted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0))
        painter.end()


class Presenter(QObject):
    """Knows whether the stage stands alone, whether the screen is blank, and the way back from both."""

    changed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.presenting = False
        self._was_full = False
        self._focus: QWidget | None = None
        self.veil = Veil(window)
        self.veil.lifted.connect(self.lift)

    @property
    def blank(self) -> bool:
        return not self.veil.isHidden()

    @Slot()
    def toggle(self) -> None:
        if self.presenting:
            self.leave()
        else:
            self.enter()

    def enter(self) -> None:
        """Hide everything but the stage and its arithmetic; take the whole screen."""
        if self.presenting:
            return
        self.presenting = True
        self._was_full = self._window.isFullScreen()
        self.changed.emit()
        if not self._was_full:
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowFullScreen)

    def leave(self) -> None:
        if not self.presenting:
            return
        self.presenting = False
        self.changed.emit()
        if not self._was_full:
            self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)

    def full_screen(self) -> None:
        """Take the whole screen or give it back, with everything on it."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def escape(self) -> bool:
        """One step back: the veil, presenting, the full screen. Whether there was one; it never quits."""
        if self.blank:
            self.lift()
        elif self.presenting:
            self.leave()
        elif self._window.isFullScreen():
            self.full_screen()
        else:
            return False
        return True

    def drop(self) -> None:
        """Blank the screen."""
        self._focus = self._window.focusWidget()
        self.veil.setGeometry(self._window.rect())
        self.veil.show()
        self.veil.raise_()
        self.veil.setFocus()

    @Slot()
    def lift(self) -> None:
        self.veil.hide()
        if self._focus is not None and self._focus.isVisible():
            self._focus.setFocus()
        self._focus = None
        self.changed.emit()

    def fit(self) -> None:
        """The window has another size."""
        if self.blank:
            self.veil.setGeometry(self._window.rect())
