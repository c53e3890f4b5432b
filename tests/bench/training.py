"""Training: from the first press of play to the first picture of a run, and the frames while it plays."""

from __future__ import annotations

import dataclasses
import statistics
import time

from PySide6.QtCore import QEventLoop

from core.lessons.training.state import TrainingState
from core.stage.session import Session
from gui.desk import Desk
from gui.window import Window
from tests.bench.stopwatch import SIZE, application, player, times, window

RUNS = 5


def first_picture() -> float:
    """Milliseconds from play to the first drawn frame of a run that nobody has asked for before."""
    app, found = application(), []
    desk = Desk(Session("rope"))
    made = Window(desk)
    made.resize(*SIZE)
    made.show()
    made.open()
    made.show_tab("training")
    page = made.page
    for run in range(RUNS):
        app.processEvents()
        state = dataclasses.replace(TrainingState(), seed=100 + run)
        start = time.perf_counter()
        page.put(state)
        page.frame = None  # the one on the screen belongs to the run before
        page.player.toggle()
        while page.frame is None or page.frame.computing:
            # As the app waits: without a loop that takes the interpreter from the worker.
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        app.processEvents()
        found.append(1000 * (time.perf_counter() - start))
        page.player.pause()
    made.close()
    desk.close()
    made.deleteLater()
    app.processEvents()
    median = statistics.median(found)
    print(f"training: first picture {median:.0f} ms after play (at most 200)")
    return median


def playing() -> float:
    """Milliseconds that 95 of 100 frames stay below, late in a run, where the curves are long."""
    with window("training?batch=250") as made:
        costs = sorted(times(player(made), runs=200))
    late = costs[int(0.95 * len(costs))]
    print(f"training: {statistics.median(costs):.1f} ms a frame, 95 % below {late:.1f} ms (60 a second: 16.7)")
    return late


def main() -> None:
    first_picture()
    playing()


if __name__ == "__main__":
    main()
