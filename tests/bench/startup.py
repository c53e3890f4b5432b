"""From the start of the process to the first painted frame: Volvelle against an empty pyqtgraph window.

``python -m tests.bench.startup`` runs both in turn; with ``empty`` or ``volvelle`` it is the process that is timed.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 9


def main() -> float:
    with tempfile.TemporaryDirectory() as cache:
        return compare(cache)


def compare(cache: str) -> float:
    """``cache``: where compiled modules are kept, as they are on a person's machine after the first start."""
    seconds: dict[str, list[float]] = {"empty": [], "volvelle": []}
    quiet = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPYCACHEPREFIX": cache}
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


def child(kind: str) -> None:
    from PySide6.QtCore import QEvent, QObject, QTimer

    class FirstPaint(QObject):
        """Waits for a paint event in one of the watched widgets, and for what follows it to be done."""

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and not self.done:
                self.done = True
                QTimer.singleShot(0, self.end)
            return False

        done = False

        def end(self) -> None:
            print(time.time() - float(os.environ["BENCH_START"]), flush=True)
            os._exit(0)

    if kind == "empty":
        from PySide6.QtWidgets import QApplication

        app = QApplication([])
        import pyqtgraph

        plot = pyqtgraph.PlotWidget()
        plot.resize(1920, 1080)
        watch = FirstPaint()
        plot.viewport().installEventFilter(watch)
        plot.show()
    else:
        gc.disable()  # as gui.__main__ does
        from core.lessons import IDS
        from gui import startup

        startup.prepare(window=True)
        from gui.app import create_app, prepare
        from gui.window import Window

        app = create_app()
        desk, _ = prepare(None, fresh=True, profile=None)
        window = Window(desk)
        window.resize(1920, 1080)
        window.show()
        app.processEvents()
        window.open()
        assert window.page is not None
        assert window.page.lesson.id == IDS[0]
        watch = FirstPaint()
        for view in window.page.stage.shown_panels():
            for widget in view.findChildren(QObject):
                if widget.isWidgetType():
                    widget.installEventFilter(watch)
    app.exec()


if __name__ == "__main__":
    child(sys.argv[1]) if len(sys.argv) > 1 else main()
