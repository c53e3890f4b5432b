"""Time as the stage knows it: measured, capped, scaled. The moment is handed in; core reads no clock."""

from __future__ import annotations

from dataclasses import dataclass

SPEEDS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0)
LONGEST_STEP = 0.1  # seconds: after a stall the picture goes on, it does not jump


@dataclass
class Clock:
    """Turns moments into the seconds that a lesson moves."""

    speed: float = 1.0
    last: float | None = None

    def advance(self, now: float) -> float:
        """Seconds to move since the last call; 0 at the first one and where time ran backwards."""
        elapsed = 0.0 if self.last is None else min(max(now - self.last, 0.0), LONGEST_STEP)
        self.last = now
        return elapsed * self.speed

    def forget(self) -> None:
        """After a pause the next call starts anew."""
        self.last = None
