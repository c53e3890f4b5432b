"""Learned rows against one another: cosine similarity over the distance, which nobody prescribed.

Source: MiniLM's shipped position table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from core.encodings import similarity
from core.lessons.positions.dials import in_words
from core.lessons.positions.lengths import refused_lines
from core.lessons.positions.pages import Page, even_ticks, head_panel, said, waiting
from core.lessons.positions.rows import learned_lengths
from core.lessons.positions.state import PositionsState, at, exists, limit, square
from core.stage.frame import (
    ArraySource,
    Axis,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Points,
    Readout,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.stage.numbers import count, number
from core.tables import shipped

FAR = 40  # distances of the curve
CLEAR = 0.03  # how far a peak of the mean stands above what lies on both sides of it
NUMBERED = 10  # rows along the side that leave room for numbers


@cache
def cosines() -> NDArray[np.float64]:
    """(rows, rows) of MiniLM's position table."""
    table = shipped.minilm_positions().astype(np.float64)
    return similarity.cosine(table, table)


@cache
def over_distance() -> NDArray[np.float64]:
    """(FAR + 1, 3): mean, smallest and largest cosine of all pairs of rows that are so far apart."""
    every = cosines()
    lines = [np.diagonal(every, distance) for distance in range(FAR + 1)]
    return np.array([[found.mean(), found.min(), found.max()] for found in lines])


@cache
def peaks() -> tuple[int, ...]:
    """Distances at which the mean has a clear peak: it falls by ``CLEAR`` on both sides before it is higher again."""
    mean = over_distance()[:, 0]
    found = []
    for d in range(1, FAR):
        before, after = mean[:d][::-1], mean[d + 1 :]
        if all(_falls(float(mean[d]), side) >= CLEAR for side in (before, after)):
            found.append(d)
    return tuple(found)


def _falls(top: float, side: NDArray[np.float64]) -> float:
    """How far the mean falls from ``top`` on one side, up to where it is as high again."""
    higher = np.flatnonzero(side >= top)
    reach = side[: higher[0]] if len(higher) else side
    return top - float(reach.min()) if len(reach) else 0.0


def cosines_job(progress: Callable[[float], None], cancelled: Callable[[], bool]) -> bool:
    """For a Job: every row with every other, kept for all later frames."""
    return bool(over_distance().size)


def _other(state: PositionsState) -> int | None:
    """The second row, where it exists."""
    other = at(state) + state.offset
    return other if exists(state) and other < limit(state) else None


def frame(state: PositionsState, context: Context) -> Frame:
    """Rows against rows, and the mean over the distance with its rises."""
    if not context.ask(Job(cosines_job)):
        waits = head_panel(state, Cell(0, 0, 12, 12), (waiting("cosines.waiting", 0.5, 0.5),))
        alt = said("alt.cosine_waiting", last=count(limit(state) - 1))
        return Frame(said("title.cosine_waiting"), said("subtitle.cosine"), (waits,), Worked(), alt, computing=True)
    here, other, last = at(state), _other(state), limit(state) - 1
    listed = ", ".join(count(peak) for peak in peaks()[:3])
    alt = said("alt.cosine", peaks=listed, next=number(over_distance()[1, 0], 2))
    if other is not None:
        alt += " " + said(
            "alt.cosine_two", row=count(here), other=count(other), value=number(float(cosines()[here, other]))
        )
    return Frame(
        said("title.cosine", rows=in_words(peaks()[0]))
        if exists(state)
        else said("title.learned_end", row=count(here), last=count(last)),
        said("subtitle.cosine"),
        (_matrix(state), _value(state), _curve(state)),
        Worked(_lines(state)),
        alt,
    )


def _matrix(state: PositionsState) -> Panel:
    first, stop = square(state)
    size, here, other = stop - first, at(state), _other(state)
    outlines: tuple[Outline, ...] = ()
    if other is not None and first <= here < stop and first <= other < stop:
        outlines = (Outline(here, other, 1, 1, "where"),)
    names = tuple(count(row) for row in range(first, stop))
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        (
            Matrix(
                "cosines",
                ArraySource(cosines()),
                (first, stop),
                (first, stop),
                (-1.0, 1.0),
                decimals=2 if size <= NUMBERED else None,
                row_labels=names,
                column_labels=names,
                outlines=outlines,
                hover=said("similarity.hover"),
                scrolls=True,
            ),
        ),
        note=said("table.key_signed", level="1"),
        caption=said("cosine.caption", first=count(first), last=count(stop - 1)),
        x=Axis(0.0, 1.006 * size),
        y=Axis(0.0, float(size)),
        invert_y=True,
        border=None if exists(state) else "warn",
    )


def _value(state: PositionsState) -> Panel:
    here, other = at(state), _other(state)
    value = number(float(cosines()[here, other])) if other is not None else said("lengths.none")
    role = "where" if other is not None else "warn"
    label = said("cosine.value", row=count(here), other=count(here + state.offset))
    return Panel("cosine_value", Cell(0, 7, 4, 5), readouts=(Readout("cosine", value, label, role),))  # type: ignore[arg-type]


def _curve(state: PositionsState) -> Panel:
    mean, low, high = over_distance().T
    x = np.arange(FAR + 1.0)
    tops = np.array(peaks()[:4])
    marks: list[Mark] = [
        Region("spread", x, low, high, "where"),
        Curve("mean", x, mean, "where", "bold"),
        Points(
            "tops",
            tops.astype(float),
            mean[tops],
            "text",
            1.2,
        ),
        *(
            Label(f"top.{top}", float(top), float(mean[top]) + 0.09, count(top), "small", "text", "bottom")
            for top in tops
        ),
    ]
    k = abs(state.offset)
    if _other(state) is not None and k <= FAR:
        value = np.array([float(cosines()[at(state), at(state) + state.offset])])
        marks.append(Points("two", np.array([float(k)]), value, "where", 1.6, "ring"))
    return Panel(
        "cosine_curve",
        Cell(4, 7, 8, 5),
        tuple(marks),
        title=said("cosine.curve"),
        caption=said("cosine.curve_caption"),
        x=Axis(0.0, float(FAR), even_ticks(0.0, float(FAR), 4), said("similarity.distance")),
        y=Axis(-0.5, 1.12, ((-0.5, "−0.5"), (0.0, "0"), (0.5, "0.5"), (1.0, "1"))),
    )


def _lines(state: PositionsState) -> tuple[Line, ...]:
    here, other = at(state), _other(state)
    if other is None:
        return refused_lines(state)
    table = shipped.minilm_positions().astype(np.float64)
    product = round(float(table[here] @ table[other]), 4)
    a, b = (round(float(learned_lengths()[row]), 4) for row in (here, other))
    value = float(cosines()[here, other])
    equal = "=" if number(product / (a * b)) == number(value) else "≈"
    mean = over_distance()[min(abs(state.offset), FAR), 0]
    return (
        line(said("worked.dot_rows", row=count(here), other=count(other), value=number(product, 4))),
        line(
            said("worked.cosine_rows", product=number(product, 4), a=number(a, 4), b=number(b, 4)) + f" {equal} ",
            Term(number(value), "where", (("cosines", (here, other)),), bold=True),
        ),
        line(Term(said("worked.peaks", peaks=", ".join(count(peak) for peak in peaks()[:4])), lights=(("tops", ()),))),
        line(Term(said("worked.mean_distance", k=count(min(abs(state.offset), FAR)), value=number(mean)), "muted")),
    )


PAGE = Page(frame, ("position", "offset", "learned_show", "window"))
