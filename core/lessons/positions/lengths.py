"""The length of every learned row, and the place where there are no rows any more."""

from __future__ import annotations

import numpy as np

from core.lessons.positions.pages import said
from core.lessons.positions.rows import learned_lengths, learned_refusal, rows_of
from core.lessons.positions.state import PositionsState, at, limit, width
from core.stage.frame import Anchor, Axis, Cell, Curve, Label, Line, Mark, Panel, Points, Region, Term, line
from core.stage.numbers import count, number
from core.tables import models

Lights = tuple[tuple[str, tuple[int, ...]], ...]
SEAM = 128  # MiniLM was fine-tuned on texts of at most this many tokens


def _t(key: str, **fields: object) -> str:
    return said(f"worked.{key}", **fields)


def lengths_panel(state: PositionsState, cell: Cell) -> Panel:
    """All rows as a curve; the first, the seam and the last with their numbers."""
    lengths = learned_lengths()
    last = len(lengths) - 1
    high, end = 2.6, 1.45 * (last + 1)
    here = at(state)
    middle = (last + 1 + end) / 2
    marks: list[Mark] = [
        Region("beyond", np.array([last + 1.0, end]), np.zeros(2), np.full(2, high), "warn", hatched=True),
        Label("lengths.none", middle, 1.5, said("lengths.none"), "label", "warn", bold=True),
        Curve("lengths", np.arange(last + 1.0), lengths, "where"),
    ]
    before, after = (number(float(lengths[row]), 2) for row in (SEAM - 1, SEAM))
    names: tuple[tuple[int, Anchor, str], ...] = (
        (0, "left", said("lengths.at", row=0, value=number(float(lengths[0]), 2))),
        (SEAM - 1, "top left", said("lengths.seam", before=SEAM - 1, row=SEAM, first=before, second=after)),
        (last, "bottom right", said("lengths.at", row=last, value=number(float(lengths[last]), 2))),
    )
    for row, anchor, name in names:
        x = float(row) + (0.02 * end if row == 0 else 0.0)
        y = float(lengths[row]) + 0.25 * (row == last)
        if row == SEAM - 1:
            y = 0.9 * float(lengths[SEAM:].min())  # below the curve, clear of the line at 1
        marks.append(Label(f"lengths.{row}", x, y, name, "small", "text", anchor))
    if here <= last:
        place = np.array([float(here)])
        marks.append(Points("lengths.picked", place, lengths[here : here + 1], "where", 1.6, "ring"))
    ticks = tuple((float(row), str(row)) for row in (0, 128, 256, 384, 512))
    return Panel(
        "lengths_panel",
        cell,
        tuple(marks),
        title=said("lengths.title"),
        caption=said("lengths.caption", seam=SEAM, before=SEAM - 1),
        x=Axis(0.0, end, ticks, said("lengths.axis")),
        y=Axis(0.0, high, ((0.0, "0"), (1.0, "1"), (2.0, "2"))),
    )


def learned_lines(state: PositionsState) -> tuple[Line, ...]:
    """The row's beginning, its length, and what the whole table costs."""
    here, last = at(state), limit(state) - 1
    if learned_refusal(here):
        return refused_lines(state)
    start = rows_of(state).at(np.array([here]), np.arange(4))[0]
    listed = ", ".join(number(value) for value in start)
    lights: Lights = tuple(("table", (here, column)) for column in range(4))
    length = number(float(learned_lengths()[here]))
    return (
        line(Term(_t("row_start", row=count(here), numbers=listed, count=width(state)), "where", lights)),
        line(Term(_t("row_length", value=length, count=width(state)), lights=(("lengths.picked", ()),))),
        _cost(state),
        line(_t("sized", row=count(last + 1))),
        _gpt2(),
    )


def refused_lines(state: PositionsState) -> tuple[Line, ...]:
    """Why a row can't be looked up."""
    last = limit(state) - 1
    here = max(at(state), last + 1) if at(state) > last else at(state) + state.offset
    return (
        line(Term(_t("refused", row=count(here), needs=count(here + 1)), "warn", bold=True)),
        line(_t("refused_why", rows=count(last + 1), last=count(last))),
        _gpt2(),
        _cost(state),
    )


def _cost(state: PositionsState) -> Line:
    rows = limit(state)
    return line(_t("cost", rows=count(rows), columns=width(state), count=count(rows * width(state))))


def _gpt2() -> Line:
    """The lesson's example."""
    found = next(entry.max_position for entry in models.models() if entry.id.startswith("gpt-2"))
    ends = found if isinstance(found, int) else 1024
    return line(Term(_t("gpt2", tokens=count(1500), needs=count(1499), last=count(ends - 1)), "muted"))
