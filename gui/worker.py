"""Does jobs beside the window. Answers come back in the GUI thread, and only while someone still wants them.

A *generation* is one evaluation of a frame: between :meth:`Worker.begin` and :meth:`Worker.end` the frame asks for its
jobs; what was running and is asked for no more is told to stop.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.stage.jobs import Cancelled, Job
from core.stage.text import text

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

KEPT = 32  # answers
TELLING = 0.04  # seconds between two tidings of progress
THREADS = 2


@dataclass
class _Run:
    job: Job
    number: int
    generation: int
    stop: Event
    share: float = 0.0


class Worker(QObject):
    """``ask(job)`` gives the answer, or None while it is computed, was cancelled or has failed."""

    answered = Signal()  # an answer came, or a job ended without one: draw again
    progressed = Signal(float)  # the smallest share of the jobs that run, 0 … 1
    _ended = Signal(object, object, str)  # run, answer, sentence
    _moved = Signal(object, float)

    def __init__(self, parent: QObject | None = None, *, at_once: bool = False) -> None:
        super().__init__(parent)
        self._at_once = at_once
        self._answers: OrderedDict[Job, Any] = OrderedDict()
        self._refused: dict[Job, str] = {}  # cancelled or failed, with the sentence
        self._runs: dict[Job, _Run] = {}
        self.refusal = ""  # why a job that the last frame asked for has no answer
        self._generation = 0
        self._count = 0
        self._pool: ThreadPoolExecutor | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)
        self._moved.connect(self._on_moved, Qt.ConnectionType.QueuedConnection)

    # --- what a frame asks ---------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._generation += 1
        self.refusal = ""

    def ask(self, job: Job) -> Any:
        if job in self._answers:
            self._answers.move_to_end(job)
            return self._answers[job]
        if job in self._refused:
            self.refusal = self._refused[job]
            return None
        if self._at_once:
            return self._compute(job)
        run = self._runs.get(job)
        if run is None:
            self._count += 1
            run = self._runs[job] = _Run(job, self._count, self._generation, Event())
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor  # with the first job, not with the window

                self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="volvelle")
            self._pool.submit(self._work, run)
        run.generation = self._generation
        return None

    def end(self) -> None:
        """The frame is evaluated: stop what it did not ask for."""
        for job, run in list(self._runs.items()):
            if run.generation < self._generation:
                run.stop.set()
                del self._runs[job]

    # --- what a person does --------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        return bool(self._runs)

    def cancel(self) -> None:
        """Stop everything that runs; it counts as cancelled at once, whenever its thread notices."""
        for job, run in self._runs.items():
            run.stop.set()
            self._refused[job] = text("window.job.cancelled")
        self._runs.clear()
        self.answered.emit()

    def retry(self) -> None:
        """Forget what was cancelled or failed, so that the next frame asks anew."""
        self._refused.clear()
        self.answered.emit()

    def close(self) -> None:
        for run in self._runs.values():
            run.stop.set()
        self._runs.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    # --- threads -------------------------------------------------------------------------------------------------

    def _work(self, run: _Run) -> None:
        if run.stop.is_set():
            return
        told = time.monotonic()

        def progress(share: float) -> None:
            nonlocal told
            if time.monotonic() - told >= TELLING:
                told = time.monotonic()
                self._moved.emit(run, float(share))

        try:
            answer = run.job.run(progress, run.stop.is_set)
        except Cancelled:
            self._ended.emit(run, None, text("window.job.cancelled"))
        except Exception as error:
            self._ended.emit(run, None, _sentence(error))
        else:
            self._ended.emit(run, answer, "")

    @Slot(object, object, str)
    def _on_ended(self, run: _Run, answer: object, sentence: str) -> None:
        wanted = self._runs.get(run.job)
        if wanted is None or wanted.number != run.number:
            if answer is not None:
                self._keep(run.job, answer)  # nobody waits, but it is paid for
            return
        del self._runs[run.job]
        if sentence:
            self._refused[run.job] = sentence
        else:
            self._keep(run.job, answer)
        self.answered.emit()

    @Slot(object, float)
    def _on_moved(self, run: _Run, share: float) -> None:
        if self._runs.get(run.job) is run:
            run.share = share
            self.progressed.emit(min(other.share for other in self._runs.values()))

    # --- answers -------------------------------------------------------------------------------------------------

    def _compute(self, job: Job) -> Any:
        try:
            answer = job.run()
        except Cancelled:
            self.refusal = self._refused[job] = text("window.job.cancelled")
        except Exception as error:
            self.refusal = self._refused[job] = _sentence(error)
        else:
            self._keep(job, answer)
            return answer
        return None

    def _keep(self, job: Job, answer: object) -> None:
        self._answers[job] = answer
        self._answers.move_to_end(job)
        while len(self._answers) > KEPT:
            self._answers.popitem(last=False)


def _sentence(error: Exception) -> str:
    why = str(error).strip() or type(error).__name__
    return text("window.job.failed", why=why)
