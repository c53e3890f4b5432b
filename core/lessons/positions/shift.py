"""The shift as one matrix, applied to the picked row and compared."""

from __future__ import annotations

import numpy as np

from core.lessons.positions.pages import said
from core.lessons.positions.panels import DECIMALS
from core.lessons.positions.rows import rows_of, shift_block
from core.lessons.positions.state import PositionsState, at, shown_size
from core.stage.frame import ArraySource, Axis, Cell, Label, Mark, Matrix, Outline, Panel, Rect
from core.stage.numbers import count, number
from core.stage.theme import Role


def shift_panel(state: PositionsState, cell: Cell) -> Panel:
    """M(k) · row p = row p + k, with the cells' numbers."""
    matrix, shown = shift_block(state, shown_size(state))
    size = len(shown)
    here, other = at(state), at(state) + state.offset
    now, then = rows_of(state).at(np.array([here, other]), np.array(shown))
    gap, slim = 0.085 * size, max(1.05, 0.2 * size)
    places = DECIMALS if state.numbers else None
    apart = np.arange(size) // 2
    outline: tuple[Outline, ...] = ()
    if 2 * state.pair < size:
        outline = (Outline(2 * state.pair, 2 * state.pair, 2, 2, "where"),)
    blocks = (
        ("matrix", matrix, 0.0, float(size), said("shift.matrix", offset=_k(state))),
        ("now", now[:, None], size + gap, slim, said("shift.row", row=count(here))),
        ("then", then[:, None], size + 2 * gap + slim, slim, said("shift.row", row=count(other))),
    )
    marks: list[Mark] = []
    for key, values, x, wide, name in blocks:
        marks.append(
            Matrix(
                key,
                ArraySource(values),
                (0, size),
                (0, values.shape[1]),
                (-1.0, 1.0),
                place=Rect(x, 0.0, wide, float(size)),
                decimals=places,
                plain=(apart[:, None] != apart[None, :]) if key == "matrix" else None,
                outlines=outline if key == "matrix" else (),
                hover="{value}",
            )
        )
        role: Role = "where" if key == "now" else "text"  # as the rows are outlined in the table
        marks.append(Label(f"{key}.name", x + wide / 2, -0.12 * size, name, "small", role, bold=True))
    for key, sign, x in (("times", "·", size + gap / 2), ("equals", "=", size + 1.5 * gap + slim)):
        marks.append(Label(key, x, size / 2, sign, "title", bold=True))
    everything = state.d_model // 2
    return Panel(
        "shift_panel",
        cell,
        tuple(marks),
        title=said(
            "shift.title" if 2 * everything == size else "shift.title_some",
            offset=_k(state),
            row=count(here),
            other=count(other),
            pairs=size // 2,
            all=count(everything),
        ),
        caption=said("shift.caption"),
        x=Axis(0.0, size + 2 * (gap + slim)),
        y=Axis(-0.22 * size, float(size)),
        invert_y=True,
    )


def _k(state: PositionsState) -> str:
    return number(state.offset, 0)
