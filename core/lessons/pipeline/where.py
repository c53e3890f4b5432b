"""The fourth page: where each scheme acts, at the input or inside every layer."""

from __future__ import annotations

import numpy as np

from core.lessons.pipeline import strip
from core.lessons.pipeline.compute import HEADS, KEY_HEADS, LAYERS, PATHS
from core.lessons.pipeline.state import PipelineState
from core.lessons.pipeline.wording import fitted, said
from core.stage.frame import Axis, Card, Cards, Cell, Curve, Label, Mark, Panel, Rect, Term, Worked, line
from core.stage.numbers import count

_LEFT = 13.0  # for the names of the paths
_TOP = 11.0  # for the names of the columns
AT_THE_INPUT = ("learned", "sinusoidal")


def panels(state: PipelineState, tokens: int, rows: int) -> tuple[Panel, ...]:
    return strip.panel(state, 1, tokens, rows), _big(state)


def _big(state: PipelineState) -> Panel:
    marks: list[Mark] = []
    each = (100.0 - _TOP) / len(PATHS)
    part = (100.0 - _LEFT) / 6
    for middle, name in ((1.0, "input"), (4.0, "layers")):
        marks.append(Label(f"column {name}", _LEFT + middle * part, _TOP / 2,
                           said(f"where.{name}"), "label", "muted", bold=True))  # fmt: skip
    edge = _LEFT + 2 * part
    middles = _TOP + (np.arange(len(PATHS)) + 0.5) * each
    # The line between input and layers stops at the chevrons.
    ends = np.array([_TOP * 0.2, *np.repeat(middles, 2), 100.0]) + np.array([0.0, *[-5.0, 5.0] * len(PATHS), 0.0])
    breaks = tuple(range(2, len(ends), 2))
    marks.append(Curve("edge", np.full(len(ends), edge), ends, "control", "thin", "dash", breaks=breaks))
    for row, path in enumerate(PATHS):
        top = _TOP + row * each
        picked = path == state.path
        name = said(f"option.path.{path}")
        marks.append(Label(f"name {path}", 0.0, top + each / 2, name, "label", "where" if picked else "text", "left",
                           bold=picked))  # fmt: skip
        place = Rect(_LEFT, top + 1.0, 100.0 - _LEFT, each - 2.0)
        marks.append(Cards(f"where {path}", _cards(path, picked), place, even=True))
        at = _LEFT + np.arange(1, 6)[:, np.newaxis] * part
        x = (at + np.array([-0.2, 0.25, -0.2])).ravel()
        y = np.tile(top + each / 2 + np.array([-2.6, 0.0, 2.6]), 5)
        marks.append(Curve(f"arrows {path}", x, y, "text", "bold", breaks=(3, 6, 9, 12)))
    return Panel(
        "where_panel",
        Cell(4, 0, 8, 12),
        tuple(marks),
        x=Axis(0.0, 100.0),
        y=Axis(0.0, 100.0),
        invert_y=True,
        caption=said("caption.where"),
    )


def _cards(path: str, picked: bool) -> tuple[Card, ...]:
    once = path in AT_THE_INPUT
    layers = (0, 1, None, LAYERS[path] - 1)
    inside = "" if once else said(f"where.act_{path}")
    first = Card(said(f"where.rows_{path}"), said(f"where.rows_below_{path}"))
    if once:
        second = Card(said(f"where.add_{path}"), said("where.once"), "where", picked)
    else:
        second = Card(said("where.nothing"), said("where.nothing_below"), faint=True)
    rest = [
        Card("…" if layer is None else said("where.layer", layer=layer), inside, "text" if once else "where",
             picked and not once)
        for layer in layers
    ]  # fmt: skip
    return (first, second, *rest)


def worked(state: PipelineState) -> Worked:
    """What the chosen path does, how often."""
    path = state.path
    layers, heads = LAYERS[path], HEADS[path]
    lines = [line(Term(said(f"where.line_{path}"), "where"))]
    if path in AT_THE_INPUT:
        lines.append(line(said("where.once_line", layers=layers)))
    elif path == "rope":
        keys = KEY_HEADS[path]
        times = count(layers * (heads + keys))
        lines.append(line(said("where.often_rope", layers=layers, heads=heads, keys=keys, times=times)))
    else:
        lines.append(line(said("where.often_alibi", layers=layers, heads=112, times=count(layers * 112))))
    lines.append(line(Term(said(f"where.fact_{path}"), "muted")))
    lines += [line(Term(said(f"where.fact{number}"), "muted")) for number in (1, 2, 3)]
    return Worked(tuple(fitted(entry) for entry in lines))
