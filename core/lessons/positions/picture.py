"""MiniLM's learned rows as a flat picture: its two strongest directions are a circle.

Source: principal components of the shipped position table (Pearson 1901); nobody told the model about circles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.encodings.projection import pca
from core.lessons.positions.lengths import refused_lines
from core.lessons.positions.pages import Page, even_ticks, head_panel, said, waiting
from core.lessons.positions.state import PositionsState, at, exists, limit
from core.stage.frame import Axis, Cell, Curve, Frame, Label, Line, Mark, Panel, Points, Readout, Term, Worked, line
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.stage.numbers import count, number, percent, shown
from core.tables import shipped
from core.values import dataclass

WALK = 6  # rows after the picked one that are joined: about one turn
WAVE = 48  # rows along the two waves


@dataclass(frozen=True, eq=False)
class Picture:
    """points (rows, 2), the share of all variance that each direction holds, and the rows that one turn takes."""

    points: NDArray[np.float64]
    shares: tuple[float, float]
    turn: float


def picture_job(progress: Callable[[float], None], cancelled: Callable[[], bool]) -> Picture:
    """For a Job: the two strongest directions of MiniLM's position table, and the period of the path in them."""
    return _picture()


@lru_cache(maxsize=1)
def _picture() -> Picture:
    found = pca(shipped.minilm_positions().astype(np.float64), 2)
    shares = (float(found.explained_variance_ratio[0]), float(found.explained_variance_ratio[1]))
    return Picture(found.points, shares, turn_of(found.points))


def turn_of(points: NDArray[np.float64]) -> float:
    """The rows that one turn takes: the period of the strongest frequency of the path, as a complex number a row."""
    padded = 16 * len(points)
    strength = np.abs(np.fft.fft(points[:, 0] + 1j * points[:, 1], padded))
    strength[0] = 0.0
    peak = int(strength.argmax())
    return padded / min(peak, padded - peak)


def frame(state: PositionsState, context: Context) -> Frame:
    """All rows as dots, a turn of them joined, the two directions as waves, and the period."""
    found: Picture | None = context.ask(Job(picture_job))
    last, here = limit(state) - 1, at(state)
    if found is None:
        title, alt = said("title.circle"), said("alt.circle_waiting", last=count(last))
    else:
        title = said("title.circle") if exists(state) else said("title.learned_end", row=count(here), last=count(last))
        share = percent(sum(found.shares))
        alt = said("alt.circle", count=count(last + 1), turn=number(found.turn, 1), share=share)
    return Frame(
        title,
        said("subtitle.circle", rows=count(last + 1)),
        (_cloud(state, found), _turn(found), _waves(state, found)),
        Worked(_lines(state, found)),
        alt,
        computing=found is None,
    )


def _cloud(state: PositionsState, found: Picture | None) -> Panel:
    cell, here, last = Cell(0, 0, 12, 8), at(state), limit(state) - 1
    if found is None:
        return head_panel(state, cell, (waiting("cloud.waiting", 0.5, 0.5),))
    points = found.points
    outer = 1.07 * float(np.hypot(points[:, 0], points[:, 1]).max())  # of the names, clear of all dots
    reach = 1.08 * outer
    marks: list[Mark] = [
        Points(
            "cloud",
            points[:, 0],
            points[:, 1],
            "control",
            0.7,
            hover=tuple(said("picture.row", row=count(row)) for row in range(last + 1)),
        )
    ]
    if exists(state):
        stop = min(here + WALK, last)
        walk = slice(here, stop + 1)
        names = tuple(count(row) for row in range(here, stop + 1))
        marks.append(Curve("walk", points[walk, 0], points[walk, 1], "where", "bold"))
        marks.append(Points("walked", points[walk, 0], points[walk, 1], "where", 1.4))
        for name, (x, y) in zip(names, points[walk], strict=True):
            away = outer / max(math.hypot(x, y), 1e-9)
            lead = np.array([x, 0.95 * away * x]), np.array([y, 0.95 * away * y])
            marks.append(Curve(f"lead.{name}", *lead, "where", "thin", "dot"))
            marks.append(Label(f"name.{name}", away * x, away * y, name, "label", "where", bold=True))
    return head_panel(
        state,
        cell,
        tuple(marks),
        caption=said("picture.caption", first=percent(found.shares[0]), second=percent(found.shares[1])),
        x=Axis(-reach, reach),
        y=Axis(-reach, reach),
        equal=True,
        border=None if exists(state) else "warn",
    )


def _turn(found: Picture | None) -> Panel:
    value = number(found.turn, 1) if found is not None else "…"
    return Panel(
        "picture_turn",
        Cell(0, 8, 4, 4),
        readouts=(Readout("turn", value, said("picture.turn"), "where", detail=said("picture.rows")),),
    )


def _waves(state: PositionsState, found: Picture | None) -> Panel:
    """Both directions over the rows around the picked one: two waves, a quarter of a turn apart."""
    cell = Cell(4, 8, 8, 4)
    if found is None:
        return Panel("picture_waves", cell, (waiting("waves.waiting", 0.5, 0.5),), title=said("picture.waves"))
    last = limit(state) - 1
    first = min(max(at(state) - WAVE // 2, 0), last - WAVE)
    x = np.arange(first, first + WAVE + 1)
    reach = 1.1 * float(np.abs(found.points[x]).max())
    marks: list[Mark] = []
    for lane, dash in enumerate(("solid", "dash")):
        y = found.points[x, lane] + (1.0 - 2.0 * lane) * 1.15 * reach
        marks.append(Curve(f"component.{lane}", x.astype(float), y, "where" if lane == 0 else "text", "line", dash))  # type: ignore[arg-type]
        if exists(state):
            here = at(state) - first
            marks.append(
                Points(f"component.{lane}.at", x[here : here + 1].astype(float), y[here : here + 1], "where", 1.4)
            )
    return Panel(
        "picture_waves",
        cell,
        tuple(marks),
        title=said("picture.waves"),
        caption=said("picture.waves_caption"),
        x=Axis(
            float(first), float(first + WAVE), even_ticks(float(first), float(first + WAVE), 6), said("lengths.axis")
        ),
        y=Axis(-2.3 * reach, 2.3 * reach),
    )


def _lines(state: PositionsState, found: Picture | None) -> tuple[Line, ...]:
    if not exists(state):
        return refused_lines(state)
    if found is None:
        return ()
    here, last = at(state), limit(state) - 1
    lines: list[Line] = []
    listed = range(here, min(here + 2, last) + 1)
    places = next((n for n in range(3, 6) if all(_same_angle(found.points[row], n) for row in listed)), 6)
    turn = shown(found.turn, 2)  # one digit more than on the stage: with 5.7 the angle would come out too small
    for row in listed:
        x, y = found.points[row]
        place = said("worked.place", row=count(row), x=number(x, places), y=number(y, places), angle=_degrees(x, y))
        lines.append(line(Term(place, "where" if row == here else "text", (("walked", (row - here,)),))))
    # On the first page, whose number it is.
    lines.insert(
        min(2, len(lines)),
        line(Term(said("worked.turn", turn=number(turn, 2), angle=number(360 / turn, 1)), bold=True)),
    )
    lines.append(line(Term(said("worked.nobody"), "muted")))
    return tuple(lines)


def _degrees(x: float, y: float) -> str:
    """The angle of a point in whole degrees, 0 to 359."""
    return count(round(math.degrees(math.atan2(y, x))) % 360)


def _same_angle(point: NDArray[np.float64], places: int) -> bool:
    """Whether the point as it is printed has the same whole degrees."""
    x, y = (float(value) for value in point)
    return _degrees(shown(x, places), shown(y, places)) == _degrees(x, y)


PAGE = Page(frame, ("position", "learned_show"))
