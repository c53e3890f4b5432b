"""The one timer of the app. It runs only while someone holds it: a page that plays, a motion under way. Besides, it
says when nothing has been edited for a moment."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, QTimerEvent, Signal, Slot

INTERVAL = 16  # milliseconds


class Ticker(QObject):
    """Says what time it is, about sixty times a second."""

    ticked = Signal(float)  # seconds on a clock that only runs forward
    rested = Signal()  # the moment asked for with ``after_rest`` has passed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._holders: set[str] = set()
        self._rest = 0  # the number of the single shot under way
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._tick)

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def hold(self, name: str) -> None:
        """Run on behalf of ``name`` until it lets go."""
        self._holders.add(name)
        if not self._timer.isActive():
            self._timer.start()

    def release(self, name: str) -> None:
        self._holders.discard(name)
        if not self._holders:
            self._timer.stop()

    def stop(self) -> None:
        """Let go for everyone: the window closes."""
        self._holders.clear()
        self._timer.stop()
        self.forget_rest()

    def after_rest(self, milliseconds: int) -> None:
        """``rested`` comes once, so long after the last call."""
        self.forget_rest()
        self._rest = self.startTimer(milliseconds, Qt.TimerType.CoarseTimer)

    def forget_rest(self) -> None:
        if self._rest:
            self.killTimer(self._rest)
            self._rest = 0

    def timerEvent(self, event: QTimerEvent) -> None:
        self.forget_rest()
        self.rested.emit()

    @staticmethod
    def now() -> float:
        return time.perf_counter()

    @Slot()
    def _tick(self) -> None:
        self.ticked.emit(self.now())
