"""The sines of a few pairs over the position, with their periods."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.positions.pages import even_ticks, period, said
from core.lessons.positions.state import PositionsState, drawn_pairs, frequency, pairs, reading
from core.stage.frame import Axis, Cell, Curve, Label, Mark, Panel, Points, Region
from core.stage.numbers import count
from core.stage.theme import Role

LANES = 3
CYCLES = 60  # more than that across a small panel is a band, not a line


def waves_panel(state: PositionsState, cell: Cell) -> Panel:
    """One wave below the other; the picked pair's takes the colour, all have their scale from −1 to 1."""
    here = reading(state)
    start = max(0.0, here - 0.75 * state.span)
    end = start + state.span
    shown = waves(state)
    lanes = np.arange(len(shown)) + 0.64
    high = 0.27
    ends_of_now = np.stack([lanes - high, lanes + high], axis=1).ravel()
    breaks = tuple(range(2, 2 * len(shown), 2))  # the names of the waves stay free
    marks: list[Mark] = [Curve("now", np.full(2 * len(shown), here), ends_of_now, "where", "thin", "dash", breaks)]
    ticks: list[tuple[float, str]] = []
    for lane, pair in enumerate(shown):
        speed = frequency(state, pair)
        middle = float(lanes[lane])
        role: Role = "where" if pair == state.pair else "text"
        cycles = state.span * speed / (2 * math.pi)
        if cycles > CYCLES:
            ends = np.array([start, end])
            marks.append(Region(f"wave.{pair}", ends, np.full(2, middle - high), np.full(2, middle + high), role))
        else:
            x = np.linspace(start, end, min(max(64, int(16 * cycles) + 1), 1000))
            marks.append(Curve(f"wave.{pair}", x, middle - high * np.sin(x * speed), role))
        dot = np.array([middle - high * math.sin(here * speed)])
        marks.append(Points(f"dot.{pair}", np.array([here]), dot, role, 1.4))
        label = said("waves.label", pair=count(pair), period=period(2 * math.pi / speed))
        marks.append(Label(f"name.{pair}", start, lane + 0.16, label, "small", role, "left", bold=pair == state.pair))
        ticks += [(middle - high, "1"), (middle + high, "−1")]
    return Panel(
        "waves_panel",
        cell,
        tuple(marks),
        title=said("waves.title"),
        caption=said("waves.caption"),
        x=Axis(start, end, even_ticks(start, end), said("waves.axis")),
        y=Axis(0.0, float(len(shown)), tuple(ticks)),
        invert_y=True,
    )


def waves(state: PositionsState) -> tuple[int, ...]:
    """The pairs that are drawn as waves: those that were typed, else the fastest, the slowest, one between or the
    picked one."""
    if drawn := drawn_pairs(state):
        return drawn
    shown = pairs(state, LANES)
    if state.pair in shown or len(shown) < LANES:
        return shown
    return tuple(sorted((shown[0], state.pair, shown[-1])))
