"""Jobs: answered in the GUI thread, cached within bounds, stopped when nobody asks any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from core.stage.jobs import Job
from gui.worker import KEPT, Worker
from tests.gui.window_helpers import settle, slow

calls: list[int] = []


def counted(number: int, *, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> int:
    calls.append(number)
    return number * number


@pytest.fixture
def worker(qapp: Any) -> Iterator[Worker]:
    calls.clear()
    made = Worker()
    yield made
    made.close()
    settle(qapp)


def evaluate(worker: Worker, *jobs: Job) -> list[Any]:
    worker.begin()
    answers = [worker.ask(job) for job in jobs]
    worker.end()
    return answers


def test_an_answer_comes_in_this_thread(worker: Worker, qtbot: Any) -> None:
    here: list[threading.Thread] = []

    def note() -> None:
        here.append(threading.current_thread())

    worker.answered.connect(note)
    assert evaluate(worker, Job(counted, (7,))) == [None]
    qtbot.waitUntil(lambda: bool(here))
    assert here == [threading.main_thread()]
    assert evaluate(worker, Job(counted, (7,))) == [49]
    assert calls == [7]


def test_equal_jobs_run_once(worker: Worker, qtbot: Any) -> None:
    evaluate(worker, Job(counted, (3,)), Job(counted, (3,)))
    evaluate(worker, Job(counted, (3,)))
    qtbot.waitUntil(lambda: not worker.busy)
    assert calls == [3]


def test_what_nobody_asks_for_is_stopped(worker: Worker, qtbot: Any) -> None:
    evaluate(worker, Job(slow, (2,)))
    evaluate(worker, Job(slow, (3,)))
    evaluate(worker, Job(counted, (4,)))
    qtbot.waitUntil(lambda: evaluate(worker, Job(counted, (4,))) == [16], timeout=2000)  # its thread is free
    assert not worker.busy


def test_an_old_answer_does_not_count_for_a_new_question(worker: Worker, qtbot: Any) -> None:
    job = Job(slow, (2,))
    evaluate(worker, job)
    evaluate(worker)
    evaluate(worker, job)  # asked again while the first run still winds down
    qtbot.wait(50)
    assert worker.busy
    assert worker.refusal == ""


def test_cancel_counts_at_once(worker: Worker) -> None:
    evaluate(worker, Job(slow, (2,)))
    began = time.perf_counter()
    worker.cancel()
    assert not worker.busy
    assert time.perf_counter() - began < 0.2
    assert evaluate(worker, Job(slow, (2,))) == [None]
    assert not worker.busy
    assert "cancelled" in worker.refusal
    worker.retry()
    evaluate(worker, Job(slow, (2,)))
    assert worker.busy


def test_a_failure_is_a_sentence(worker: Worker, qtbot: Any) -> None:
    evaluate(worker, Job(slow, (5,)))
    qtbot.waitUntil(lambda: not worker.busy)
    evaluate(worker, Job(slow, (5,)))
    assert worker.refusal == "This could not be computed: five is not allowed."
    evaluate(worker)
    assert worker.refusal == ""


def test_the_cache_is_bounded(qapp: Any) -> None:
    worker = Worker(at_once=True)
    calls.clear()
    for number in range(KEPT + 10):
        assert evaluate(worker, Job(counted, (number,))) == [number * number]
    assert len(worker._answers) == KEPT
    assert evaluate(worker, Job(counted, (KEPT + 9,))) == [(KEPT + 9) ** 2]
    assert len(calls) == KEPT + 10
    assert evaluate(worker, Job(slow, (5,))) == [None]
    assert "five" in worker.refusal


def test_progress_is_told(worker: Worker, qtbot: Any) -> None:
    shares: list[float] = []
    worker.progressed.connect(shares.append)
    evaluate(worker, Job(slow, (2,)))
    qtbot.waitUntil(lambda: len(shares) >= 3, timeout=4000)
    assert shares == sorted(shares)


def test_closing_waits_for_no_one(qapp: Any) -> None:
    worker = Worker()
    evaluate(worker, Job(slow, (2,)), Job(slow, (3,)), Job(slow, (4,)))
    began = time.perf_counter()
    worker.close()
    assert time.perf_counter() - began < 0.5
    settle(QApplication.instance())
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("volvelle")]
