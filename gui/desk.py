"""What all pages share: the session with its history, the worker, the ticker, the preferences, the sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.lessons import IDS, lesson
from core.stage.history import History
from core.stage.lesson import Context, Lesson, Shared
from core.stage.session import Session
from gui.settings import Preferences, Store
from gui.ticker import Ticker
from gui.worker import Worker

SAVE_AFTER = 1000  # milliseconds without another edit


class Desk(QObject):
    """Holds the present session; whoever changes it says so, whoever shows it listens."""

    changed = Signal()  # the session is another one: draw it
    said = Signal(str)  # a sentence for the status line
    adjusted = Signal()  # a preference

    def __init__(
        self,
        session: Session | None = None,
        *,
        store: Store | None = None,
        ids: tuple[str, ...] = IDS,
        lessons: Callable[[str], Lesson] = lesson,
        preferences: Preferences | None = None,
        at_once: bool = False,
        parent: QObject | None = None,
    ) -> None:
        """``at_once``: jobs are done where they are asked for, and nothing moves by itself (tests, exports)."""
        super().__init__(parent)
        self.ids = ids
        self.lesson = lessons
        self.store = store
        self.at_once = at_once
        self.preferences = preferences if preferences is not None else Preferences()
        self.history = History(session if session is not None else Session(ids[0]))
        self.ticker = Ticker(self)
        self.worker = Worker(self, at_once=at_once)
        self.ticker.rested.connect(self.save)

    # --- the session ---------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        return self.history.present

    @property
    def shared(self) -> Shared:
        return self.session.shared

    def context(self, shared: Shared | None = None) -> Context:
        clock = None if self.at_once else perf_counter
        return Context(shared if shared is not None else self.shared, self.worker.ask, clock)

    def state(self, lesson_id: str) -> Any:
        """The tab's state; the one of a fresh start where it was never visited."""
        found = self.session.states.get(lesson_id)
        return found if found is not None else self.lesson(lesson_id).initial(self.context())

    def record(self, session: Session, gesture: str = "") -> None:
        """An edit by a person: it can be undone."""
        self.history.record(session, gesture)
        self._edited()

    def move(self, session: Session) -> None:
        """The clock moved something, a tab was opened: not an entry of its own."""
        self.history.move(session)
        self.changed.emit()

    def end_gesture(self) -> None:
        """The mouse or the key was let go: the next edit is an entry of its own."""
        self.history.gesture = ""

    def undo(self) -> None:
        self.history.undo()
        self._edited()

    def redo(self) -> None:
        self.history.redo()
        self._edited()

    def _edited(self) -> None:
        """Say so; a moment later it is on disk, so that a crash loses nothing."""
        if self.store is not None:
            self.ticker.after_rest(SAVE_AFTER)
        self.changed.emit()

    # --- preferences, sentences, files ---------------------------------------------------------------------------

    def prefer(self, **values: Any) -> None:
        self.preferences = replace(self.preferences, **values)
        self.adjusted.emit()

    def say(self, sentence: str) -> None:
        self.said.emit(sentence)

    def save(self) -> None:
        """Write what changed since the last time."""
        self.ticker.forget_rest()
        if self.store is not None:
            if trouble := self.store.save(self.session):
                self.say(trouble)
            self.store.save_preferences(self.preferences)

    def close(self) -> None:
        self.ticker.stop()
        self.worker.close()
