"""Time of one tab: playing, pausing, single steps, and what of it can be undone."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.stage.clock import Clock
from core.stage.lesson import Lesson
from core.stage.params import replace, specs
from core.stage.session import Session
from gui.desk import Desk

A_MOMENT = 0.05  # seconds: whether anything still moves


class Player(QObject):
    """Moves the lesson's state on the desk. A pause adds one entry to the undo list, however long it played."""

    turned = Signal(bool)  # it plays now, or no more
    moved = Signal()  # a tick moved the state

    def __init__(self, lesson: Lesson, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lesson, self.desk = lesson, desk
        self.playing = False
        self.clock = Clock()
        self._earlier: Session | None = None

    @Slot()
    def toggle(self) -> None:
        """Play or pause; at its end it begins again."""
        if self.playing:
            self.pause()
        elif self.lesson.step is not None:
            state = self.desk.state(self.lesson.id)
            if self.lesson.step(state, A_MOMENT) == state:
                self.to_start()
            self._earlier = self.desk.session
            self.playing = True
            self.clock.forget()
            self.clock.speed = self.desk.preferences.speed
            self.desk.ticker.hold("play")
            self.turned.emit(True)

    @Slot()
    def pause(self) -> None:
        if self.playing:
            self.playing = False
            self.desk.ticker.release("play")
            self._mark()
            self.turned.emit(False)

    def tick(self, now: float) -> None:
        """Time has come to ``now``, in seconds."""
        if not self.playing or self.lesson.step is None:
            return
        elapsed = self.clock.advance(now)
        if elapsed <= 0:
            return
        before = self.desk.state(self.lesson.id)
        after = self.lesson.step(before, elapsed)
        if after == before:
            self.pause()
            return
        self.desk.move(self.desk.session.with_state(self.lesson.id, after))
        self.moved.emit()

    def record(self, session: Session, gesture: str) -> None:
        """An edit by a person, also while it plays: what the clock moved before is an entry of its own."""
        if self.playing:
            self._mark()
        self.desk.record(session, gesture)
        if self.playing:
            self._earlier = self.desk.session

    def _mark(self) -> None:
        if self._earlier is not None:
            self.desk.history.mark(self._earlier)
        self._earlier = None

    # --- single moves --------------------------------------------------------------------------------------------

    @Slot()
    def step_on(self) -> None:
        self._move_by(self.lesson.beat)

    @Slot()
    def step_back(self) -> None:
        self._move_by(-self.lesson.beat)

    @Slot()
    def to_start(self) -> None:
        """What the clock moves goes back to its defaults."""
        self.pause()
        values = {entry.name: entry.default for entry in specs(self.lesson.state) if entry.clock}
        self._jump(self.lesson.legal(replace(self.desk.state(self.lesson.id), **values), self.desk.context()))

    @Slot(float)
    def set_speed(self, speed: float) -> None:
        self.clock.speed = speed
        self.desk.prefer(speed=speed)

    def _move_by(self, seconds: float) -> None:
        if self.lesson.step is not None:
            self.pause()
            self._jump(self.lesson.step(self.desk.state(self.lesson.id), seconds))

    def _jump(self, state: object) -> None:
        earlier = self.desk.session
        self.desk.move(earlier.with_state(self.lesson.id, state))
        self.desk.history.mark(earlier)
