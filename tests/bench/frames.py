"""What a frame costs at 1920×1080 in software rendering: every playing tab, windows on large sources, matplotlib."""

from __future__ import annotations

import statistics

import numpy as np

from core.lessons import IDS, lesson
from core.stage.frame import Axis, Cell, Frame, Matrix, Panel, Rect, Worked
from core.stage.motion import REST
from core.stage.theme import THEMES
from gui.theming import Look
from gui.view.stage import StageView
from tests.bench.stopwatch import SIZE, application, milliseconds, player, times, window


def empty_panel() -> float:
    """Milliseconds to repaint an empty pyqtgraph panel of the window's size."""
    import pyqtgraph

    application()
    plot = pyqtgraph.PlotWidget()
    plot.resize(*SIZE)
    plot.show()
    application().processEvents()
    cost = milliseconds(plot.viewport().repaint)
    plot.close()
    plot.deleteLater()
    return cost


def tabs() -> None:
    empty = empty_panel()
    limit = 16.0 if empty <= 3 else 5 * empty
    print(f"empty panel: {empty:.1f} ms, so a frame may cost {limit:.1f} ms")
    for lesson_id in IDS:
        if lesson(lesson_id).step is None:
            continue
        with window(lesson_id) as made:
            costs = sorted(times(player(made), runs=200))
            median, slow = statistics.median(costs), costs[len(costs) * 95 // 100]
            print(f"{lesson_id} playing: {median:.1f} ms a frame, 95 % within {slow:.1f} ms")


class Waves:
    """A source of any size that computes what it is asked for."""

    def __init__(self, rows: int, columns: int) -> None:
        self.shape = (rows, columns)

    def block(self, rows: slice, columns: slice) -> np.ndarray:
        i = np.arange(rows.start, rows.stop, rows.step or 1)[:, None]
        j = np.arange(columns.start, columns.stop, columns.step or 1)[None, :]
        return np.sin(i * 0.37 + j)


def matrices() -> float:
    """The same window on 64 × 64 and on 1,000,000 × 4,096 numbers, scrolled row by row."""
    application()
    costs = []
    for rows, columns in ((64, 64), (1_000_000, 4_096)):
        view = StageView(Look(THEMES["projector"], 1080.0, 1.0))
        view.resize(1340, 590)
        view.show()
        source = Waves(rows, columns)
        first = [0]

        def scroll(view: StageView = view, source: Waves = source, first: list[int] = first) -> None:
            first[0] = (first[0] + 1) % (source.shape[0] - 32)
            start = first[0]
            labels = tuple(str(start + row) for row in range(32))
            matrix = Matrix(
                "matrix", source, (start, start + 32), (0, 32), (-1, 1), Rect(0, 0, 32, 32), row_labels=labels
            )
            panel = Panel("panel", Cell(0, 0, 12, 12), (matrix,), x=Axis(0, 32), y=Axis(0, 32), invert_y=True)
            view.draw(Frame("Title", "", (panel,), Worked(), "In words."))
            application().processEvents()

        costs.append(milliseconds(scroll))
        view.close()
        view.deleteLater()
    print(f"1,000,000 × 4,096: {costs[1]:.1f} ms, 64 × 64: {costs[0]:.1f} ms, ratio {costs[1] / costs[0]:.2f} (≤ 1.3)")
    return costs[1] / costs[0]


def matplotlib_scene() -> float:
    """The RoPE scene, playing, against the same dials and curve in matplotlib's Agg."""
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: uv run --group bench python -m tests.bench")
        return float("nan")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.patches import Circle, Wedge

    with window("rope") as made:
        costs = sorted(times(player(made), runs=200))
        # The median of the frames in which the hands turn; for the rest of a beat they stand and cost next to nothing.
        ours = costs[round(len(costs) * (1.0 - (1.0 - REST) / 2))]
    figure = pyplot.figure(figsize=(19.2, 10.8), dpi=100)
    big = figure.add_axes((0.13, 0.28, 0.28, 0.55))
    big.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    big.add_patch(Circle((0, 0), 1, fill=False))
    wedge = big.add_patch(Wedge((0, 0), 0.45, 57, 171, alpha=0.2))
    hands = [big.plot([0, 1], [0, 0], linewidth=8)[0] for _ in "qk"]
    curve = figure.add_axes((0.44, 0.47, 0.38, 0.2))
    gaps = np.linspace(0, 20, 400)
    curve.plot(gaps, np.cos(gaps), linewidth=3)
    (dot,) = curve.plot([2], [np.cos(2)], "o", markersize=14)
    small = figure.add_axes((0.44, 0.29, 0.38, 0.14))
    small.set(xlim=(0, 16), ylim=(-1, 1), aspect="equal")
    pairs = [[small.plot([0, 1], [0, 0], linewidth=3)[0] for _ in "qk"] for _ in range(8)]
    for pair in range(8):
        small.add_patch(Circle((2 * pair + 1, 0), 0.9, fill=False))
    score = figure.text(0.45, 0.75, "", fontsize=50)
    position = [0.0]

    def draw() -> None:
        position[0] += 1 / 60
        for hand, start in zip(hands, (3, 1), strict=True):
            angle = start + position[0]
            hand.set_data([0, np.cos(angle)], [0, np.sin(angle)])
        wedge.set(theta1=np.degrees(1 + position[0]), theta2=np.degrees(3 + position[0]))
        for pair, lines in enumerate(pairs):
            for line, start in zip(lines, (3, 1), strict=True):
                angle = (start + position[0]) * 10_000 ** (-pair / 8)
                line.set_data([2 * pair + 1, 2 * pair + 1 + np.cos(angle)], [0, np.sin(angle)])
        dot.set_data([2], [np.cos(2)])
        score.set_text(f"{np.cos(2):.3f}")
        figure.canvas.draw()

    theirs = milliseconds(draw, runs=30)
    print(f"RoPE scene: {ours:.1f} ms, in matplotlib {theirs:.1f} ms, {theirs / ours:.1f} times faster (at least 6)")
    return theirs / ours


def main() -> None:
    tabs()
    matrices()
    matplotlib_scene()


if __name__ == "__main__":
    main()
