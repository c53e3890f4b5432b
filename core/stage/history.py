"""Undo and redo over whole sessions, which are data."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.stage.params import without_clock
from core.stage.session import Session

LIMIT = 200


def _at_rest(session: Session) -> tuple[object, ...]:
    return (session.shared, {name: without_clock(state) for name, state in session.states.items()})


@dataclass
class History:
    """The sessions before and after the present one. ``gesture`` names an edit that goes on (a slider being dragged):
    as long as it stays the same, the edits are one entry."""

    present: Session
    before: list[Session] = field(default_factory=list)
    after: list[Session] = field(default_factory=list)
    gesture: str = ""

    def move(self, session: Session) -> None:
        """Set the present without an entry: the clock moved something, or another tab is shown."""
        self.present = session

    def record(self, session: Session, gesture: str = "") -> None:
        """An edit. Nothing is recorded where only the clock's fields or the tab differ."""
        if _at_rest(session) == _at_rest(self.present):
            self.present = session
            return
        if not (gesture and gesture == self.gesture and self.before):
            self.before.append(self.present)
            del self.before[:-LIMIT]
        self.gesture = gesture
        self.after.clear()
        self.present = session

    def mark(self, earlier: Session) -> None:
        """A pause: what the clock moved since ``earlier`` becomes one entry."""
        if earlier != self.present:
            self.before.append(earlier)
            del self.before[:-LIMIT]
            self.after.clear()
            self.gesture = ""

    def undo(self) -> Session:
        """The session before the last edit; the present one where there is none."""
        if self.before:
            self.after.append(self.present)
            self.present = self.before.pop()
        self.gesture = ""
        return self.present

    def redo(self) -> Session:
        if self.after:
            self.before.append(self.present)
            self.present = self.after.pop()
        self.gesture = ""
        return self.present
