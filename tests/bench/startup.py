"""From the start of the process to the first painted frame: Volvelle against an empty pyqtgraph window.

``python -m tests.bench.startup`` runs both in turn; with ``empty`` or ``volvelle`` it is the process that is timed.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

RUNS = 15


def main() -> float:
    import tempfile

    with tempfile.TemporaryDirectory() as cache:
        return compare(cache)


def compare(cache: str) -> float:
    """``cache``: where compiled modules are kept, as they are on a person's machine after the first start."""
    import statistics
    import subprocess

    seconds: dict[str, list[float]] = {"empty": [], "volvelle": []}
    quiet = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": cache, "HOME": cache}
    for run in range(RUNS + 1):
        for kind, times in seconds.items():
            environment = {**quiet, "BENCH_START": repr(time.time())}
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.startup", kind],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            if run:  # the first one compiles
                times.append(float(done.stdout))
    ratios = [b / a for a, b in zip(seconds["empty"], seconds["volvelle"], strict=True)]
    empty, volvelle = (1000 * statistics.median(times) for times in seconds.values())
    ratio = statistics.median(ratios)
    print(f"start-up: {volvelle:.0f} ms, empty pyqtgraph window {empty:.0f} ms, ratio {ratio:.2f} (at most 1.25)")
    return ratio


def empty() -> None:
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    import pyqtgraph

    plot = pyqtgraph.PlotWidget()
    plot.resize(1920, 1080)
    watched = end_after_paint([plot.viewport()])
    plot.show()
    app.exec()
    del watched


def volvelle() -> None:
    """The command itself, in a window of that size; waits for what the stage paints first."""
    import gc

    gc.disable()  # as gui.__main__ does, before anything is loaded
    from gui import cli, startup  # core, and then Qt

    startup.prepare(window=True)
    from PySide6.QtWidgets import QWidget

    from gui import app

    def begin(window: app.Window, watch: app.Watch) -> None:
        shown(window, watch)
        assert window.page is not None
        views = window.page.stage.shown_panels()
        window.watched = end_after_paint([part for view in views for part in view.findChildren(QWidget)])

    shown, app.begin = app.begin, begin
    app.Window.restore_place = lambda window: window.resize(1920, 1080)
    given = cli._opening().parse_args(["--fresh"])  # cli.run itself would see no display and draw the tour
    app.run(fresh=given.fresh)


def end_after_paint(widgets: list[QWidget]) -> QObject:
    """Ends the process, and prints how old it is, once one of the widgets has been painted."""
    from PySide6.QtCore import QEvent, QObject, QTimer

    class FirstPaint(QObject):
        done = False

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and not self.done:
                self.done = True
                QTimer.singleShot(0, self.end)
            return False

        def end(self) -> None:
            print(time.time() - float(os.environ["BENCH_START"]), flush=True)
            os._exit(0)

    watch = FirstPaint()
    for widget in widgets:
        widget.installEventFilter(watch)
    return watch


if __name__ == "__main__":
    {"empty": empty, "volvelle": volvelle}[sys.argv[1]]() if len(sys.argv) > 1 else main()
