"""Measuring: medians, resident memory, a window to measure in."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from core.lessons import IDS, lesson
from core.stage.lesson import Context
from core.stage.session import Session, from_link
from gui.app import create_app
from gui.desk import Desk
from gui.window import Window

SIZE = (1920, 1080)


def milliseconds(action: Callable[[], object], runs: int = 60, warm: int = 5) -> float:
    """The median time of one call."""
    return statistics.median(times(action, runs, warm))


def times(action: Callable[[], object], runs: int = 60, warm: int = 5) -> list[float]:
    """The milliseconds of single calls."""
    for _ in range(warm):
        action()
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        found.append(1000 * (time.perf_counter() - start))
    return found


def resident() -> float:
    """This process's memory in megabytes (Linux)."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def application() -> QApplication:
    """The one application; making it again would dress every widget anew."""
    app = QApplication.instance()
    return app if isinstance(app, QApplication) else create_app()


def session(link: str) -> Session:
    name, state, shared, _ = from_link(link, lesson, IDS)
    return Session(name, shared, {name: lesson(name).legal(state, Context(shared))})


@contextmanager
def window(link: str, profile: str = "projector", size: tuple[int, int] = SIZE) -> Iterator[Window]:
    """The app's window on this link, shown."""
    app = application()
    desk = Desk(session(link), at_once=True)
    desk.prefer(profile=profile)
    made = Window(desk)
    made.resize(*size)
    made.show()
    made.open()
    app.processEvents()
    try:
        yield made
    finally:
        made.close()
        made.deleteLater()
        app.processEvents()


def player(made: Window, seconds: float = 1 / 60) -> Callable[[], None]:
    """A call of it plays one frame of the shown page and paints it. The lesson's time runs evenly."""
    app = application()
    assert made.page is not None
    time_of = made.page.player
    time_of.toggle()
    made.desk.ticker.stop()  # the timer would add ticks of its own
    moment = [0.0]
    made.desk.ticker.ticked.emit(0.0)

    def frame() -> None:
        moment[0] += seconds
        if not time_of.playing:  # it came to its end: from the start again
            time_of.to_start()
            time_of.toggle()
            made.desk.ticker.stop()
        made.desk.ticker.ticked.emit(moment[0])
        app.processEvents()

    return frame
