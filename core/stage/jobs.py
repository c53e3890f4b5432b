"""Long work, described so that it can be done elsewhere: a pure function and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.encodings.checks import Cancelled
from core.values import dataclass

__all__ = ["Cancelled", "Job", "run_now"]


@dataclass(frozen=True)
class Job:
    """``function(*arguments, progress=…, cancelled=…)`` depends on its arguments alone; equal jobs have equal answers.

    ``progress(share)`` may be called with 0 … 1; ``cancelled()`` is asked at least ten times a second.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def run(
        self,
        progress: Callable[[float], None] = lambda share: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Any:
        return self.function(*self.arguments, progress=progress, cancelled=cancelled)


def run_now(job: Job) -> Any:
    """The answer at once: for tests, exports and the command line."""
    return job.run()
