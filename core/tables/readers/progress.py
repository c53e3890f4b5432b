"""How far a reader is, and whether it should stop."""

from __future__ import annotations

from collections.abc import Callable

from core.tables.messages import TableError

_STEP = 1 / 200
"""Share between two reports: a bar of 200 steps, however many blocks a file has."""


class ReadingCancelled(TableError):
    """Raised by ``open_table`` once ``cancelled()`` said so. Nothing is left behind; ``code`` "reading_cancelled"."""


class Watch:
    """Passes on progress and the wish to stop; readers call ``at`` after every block (a few milliseconds of work)."""

    def __init__(
        self, file: str, progress: Callable[[float], None] | None, cancelled: Callable[[], bool] | None
    ) -> None:
        self._file = file
        self._progress = progress
        self._cancelled = cancelled
        self._told = -1.0

    def at(self, share: float) -> None:
        """``share`` (0 to 1) is done. Raises ReadingCancelled."""
        if self._cancelled is not None and self._cancelled():
            raise ReadingCancelled("reading_cancelled", file=self._file)
        share = min(max(share, 0.0), 1.0)
        if self._progress is not None and (share >= self._told + _STEP or share == 1.0 > self._told):
            self._told = share
            self._progress(share)
