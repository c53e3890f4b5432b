"""What drawing costs, against an empty pyqtgraph panel of the same size: ``python -m tests.bench.view``.

Each line is the median of one draw() with its repaint, in software, in a Full HD window.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QApplication

import gui  # noqa: F401  (names the Qt binding)
from core.stage import frame as f
from gui.theming import Look, load_fonts
from gui.view.stage import StageView
from tests.gui.view import scenes

ROUNDS = 40
SIZE = (1340, 590)
WHOLE = f.Cell(0, 0, 12, 12)


@dataclass(frozen=True)
class Waves:
    """A source of any size that holds nothing."""

    shape: tuple[int, int]

    def block(self, rows: slice, columns: slice) -> np.ndarray:
        r = np.arange(rows.start, rows.stop, rows.step or 1)
        c = np.arange(columns.start, columns.stop, columns.step or 1)
        return np.sin(r[:, None] / (1.0 + c[None, :]))


def measure(app: QApplication, draw: Callable[[int], None]) -> float:
    """Milliseconds."""
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        draw(number)
        app.processEvents()
        times.append(time.perf_counter() - start)
    return 1000 * median(times[5:])


def matrix(source: f.Source, first: int, size: int, decimals: int | None = None) -> f.Frame:
    mark = f.Matrix("m", source, (first, first + size), (0, size), (-1, 1), decimals=decimals)
    return scenes.frame(f.Panel("p", WHOLE, (mark,), x=f.Axis(0, size), y=f.Axis(0, size), invert_y=True))


def dials(turn: float) -> f.Frame:
    angles = turn + np.arange(128.0)
    hands = (f.Hand("q", angles, "query"), f.Hand("k", 2 * angles, "key"))
    return scenes.frame(
        f.Panel("p", WHOLE, (f.Dials("d", hands, f.Rect(0, 0, 16, 8), 16),), x=f.Axis(0, 16), y=f.Axis(0, 8))
    )


def curves(shift: float) -> f.Frame:
    x = np.linspace(0, 20, 1000)
    marks = tuple(f.Curve(f"c{k}", x, np.cos(x * (1 + k / 4) + shift), "query") for k in range(8))
    return scenes.frame(f.Panel("p", WHOLE, marks, x=f.Axis(0, 20), y=f.Axis(-1.1, 1.1)))


def points(shift: float) -> f.Frame:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 2000))
    return scenes.frame(f.Panel("p", WHOLE, (f.Points("p", x + shift, y),), x=f.Axis(-4, 4), y=f.Axis(-4, 4)))


def main() -> None:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    load_fonts()
    empty = pg.PlotWidget(background="w")
    empty.resize(*SIZE)
    empty.show()
    app.processEvents()
    base = measure(app, lambda number: empty.plotItem.setRange(xRange=(number, number + 5), padding=0))
    empty.hide()
    print(f"{'an empty pyqtgraph panel, its range moved':46} {base:7.2f} ms")
    cases: dict[str, Callable[[int], f.Frame]] = {
        "rope: dial, curve, 8 dials, readouts": lambda n: scenes.rope(3 + n / 20, 1 + n / 20 + np.sin(n) / 9),
        "positions: 16 × 16 cells, 8 dials, table": lambda n: scenes.positions(n % 16),
        "lookup: cards and three matrices": lambda n: scenes.lookup(n % 4),
        "the same frame again": lambda n: SAME,
        "16 × 16 cells with numbers, scrolled": lambda n: matrix(Waves((1000, 16)), n, 16, 2),
        "64 × 64 cells of 64 × 64": lambda n: matrix(Waves((200, 64)), n, 64),
        "64 × 64 cells of 1,000,000 × 4,096": lambda n: matrix(Waves((1_000_000, 4_096)), 500_000 + n, 64),
        "128 dials, 256 hands": lambda n: dials(n / 10),
        "8 moving curves of 1,000 points": lambda n: curves(n / 10),
        "2,000 moving points": lambda n: points(n / 100),
    }
    for name, make in cases.items():
        view = StageView(Look())
        view.resize(*SIZE)
        view.show()
        frames = [make(number) for number in range(ROUNDS)]
        view.draw(frames[0])
        app.processEvents()
        cost = measure(app, lambda number, view=view, frames=frames: view.draw(frames[number]))
        print(f"{name:46} {cost:7.2f} ms   {cost / base:5.2f} ×")
        view.hide()
        view.deleteLater()


SAME = scenes.rope()

if __name__ == "__main__":
    main()
