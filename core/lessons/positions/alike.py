"""How alike two positions are: a matter of their distance alone, and it falls unevenly.

Source: Vaswani et al. 2017, section 3.5: row p · row (p + k) is the sum of cos(k / base**(2i/d)) over the pairs.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.lessons.positions.pages import Page, divisor, equals, even_ticks, fitting, head_panel, said
from core.lessons.positions.state import LAST, MOST_TERMS, PositionsState, at, frequency, pairs, square
from core.stage.frame import (
    Axis,
    Bars,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Matrix,
    Outline,
    Panel,
    Points,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, bracketed, count, number, shown
from core.values import dataclass

FAR = 32  # distances of the curve, at least
NUMBERED = 10  # positions along the side that leave room for numbers


@dataclass(frozen=True, slots=True)
class Alike:
    """Cosine similarity of every position with every other; computed where it is looked at."""

    d_model: int
    base: float

    @property
    def shape(self) -> tuple[int, int]:
        return LAST + 1, LAST + 1

    def block(self, rows: slice, columns: slice) -> NDArray[Any]:
        across = np.arange(*columns.indices(LAST + 1))
        down = np.arange(*rows.indices(LAST + 1))
        apart = np.abs(down[:, None] - across[None, :])
        distances, places = np.unique(apart, return_inverse=True)
        return similarity(distances, self.d_model, self.base)[places.reshape(apart.shape)]


def similarity(distances: NDArray[Any], d_model: int, base: float) -> NDArray[np.float64]:
    """The mean over the pairs of cos(distance × speed): all rows have the same length, √(d/2)."""
    speeds = base ** (-np.arange(0, d_model, 2) / d_model)
    return np.asarray(np.cos(np.outer(distances, speeds)).mean(axis=1))


@lru_cache(maxsize=16)
def _curve(far: int, d_model: int, base: float) -> NDArray[np.float64]:
    return similarity(np.arange(far + 1), d_model, base)


def rise(values: NDArray[np.float64]) -> tuple[int, int]:
    """The distances where the similarity first stops falling, and where that rise ends; (0, 0) where it only falls."""
    ups = np.diff(values) > 1e-9
    if not ups.any():
        return 0, 0
    low = int(ups.argmax())
    downs = np.flatnonzero(~ups[low:])
    return low, low + int(downs[0]) if len(downs) else len(values) - 1


def frame(state: PositionsState, context: Context) -> Frame:
    """Positions against positions, the same numbers as a curve over the distance, and the pairs' shares."""
    far = max(FAR, abs(state.offset))
    curve = _curve(far, state.d_model, state.base)
    low, up = rise(curve)
    value = float(curve[abs(state.offset)])
    here, other = at(state), at(state) + state.offset
    fields = {"row": count(here), "other": count(other), "k": count(abs(state.offset)), "value": number(value)}
    uneven = (
        said("alt.uneven", before=count(low), low=_told(curve, low, up), rise=count(up), high=_told(curve, up, low))
        if up
        else said("alt.even", far=count(far))
    )
    return Frame(
        said("title.similarity"),
        said("subtitle.similarity"),
        (_matrix(state), _over_distance(state, curve, low, up), _shares(state)),
        Worked(_lines(state)),
        said("alt.similarity", **fields) + " " + uneven,
    )


def _told(curve: NDArray[np.float64], at_: int, against: int) -> str:
    """A value with as many decimals as tell it from another one."""
    value, other = float(curve[at_]), float(curve[against])
    decimals = next((n for n in range(3, 10) if number(value, n) != number(other, n)), 10)
    return number(value, decimals)


def _matrix(state: PositionsState) -> Panel:
    first, stop = square(state)
    size, here, k = stop - first, at(state), state.offset
    diagonal = tuple(
        Outline(row, row + k, 1, 1, "text")
        for row in range(first, stop)
        if first <= row + k < stop and size <= 20 and row != here
    )
    inside = first <= here < stop and first <= here + k < stop
    picked = (Outline(here, here + k, 1, 1, "where"),) if inside else ()
    names = tuple(count(row) for row in range(first, stop))
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        (
            Matrix(
                "alike",
                Alike(state.d_model, state.base),
                (first, stop),
                (first, stop),
                (-1.0, 1.0),
                decimals=2 if size <= NUMBERED else None,
                row_labels=names,
                column_labels=names,
                outlines=(*picked, *diagonal, *picked),  # named as the first, drawn as the last
                hover=said("similarity.hover"),
                scrolls=True,
            ),
        ),
        note=said("table.key_signed", level="1"),
        caption=said(
            "similarity.caption",
            row=count(here),
            other=count(here + k),
            k=count(abs(k)),
            value=number(float(_curve(max(FAR, abs(k)), state.d_model, state.base)[abs(k)])),
        ),
        x=Axis(0.0, 1.006 * size),
        y=Axis(0.0, float(size)),
        invert_y=True,
    )


def _over_distance(state: PositionsState, curve: NDArray[np.float64], low: int, up: int) -> Panel:
    far, k = len(curve) - 1, abs(state.offset)
    ups = () if not up else (Points("over.up", np.array([float(up)]), curve[up : up + 1], "text", 0.9, "ring"),)
    named = said("similarity.apart", k=count(k), value=number(curve[k]))
    floor = min(-0.2, 1.15 * float(curve.min()))
    return Panel(
        "similarity_curve",
        Cell(0, 7, 6, 5),
        (
            Curve("over", np.arange(far + 1.0), curve, "where"),
            Curve("over.zero", np.array([0.0, float(far)]), np.zeros(2), "control", "thin"),
            Points("over.at", np.array([float(k)]), curve[k : k + 1], "where", 0.9),
            *ups,
            Label(
                "over.value", *_beside(k, far), named, "small", "where", "left" if 2 * k < far else "right", bold=True
            ),
        ),
        title=said("similarity.curve"),
        caption=said("similarity.rises", before=count(low), rise=count(up)) if up else said("similarity.falls"),
        x=Axis(0.0, float(far), even_ticks(0.0, float(far), 4), said("similarity.distance")),
        y=Axis(floor, 1.4, ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))),
    )


def _beside(k: int, far: int) -> tuple[float, float]:
    """Where the dot's name begins: above the curve, which is highest at its start, right or left of the dot."""
    away = 0.02 * far
    return (max(k, 0.04 * far) + away if 2 * k < far else k - away), 1.24


def _shares(state: PositionsState) -> Panel:
    """cos(k × speed) of each pair: the fast ones differ at any distance, the slow ones hardly change."""
    listed = pairs(state, MOST_TERMS)
    values = np.array([math.cos(state.offset * frequency(state, pair)) for pair in listed])
    x = np.arange(float(len(listed)))
    every = max(1, -(-len(listed) // 8))
    ticks = tuple((float(place), count(pair)) for place, pair in enumerate(listed) if place % every == 0)
    return Panel(
        "similarity_shares",
        Cell(6, 7, 6, 5),
        (
            Bars("terms", x, values, "where", picked=listed.index(state.pair) if state.pair in listed else -1),
            Curve("terms.zero", np.array([-0.6, len(listed) - 0.4]), np.zeros(2), "control", "thin"),
        ),
        title=said("similarity.shares", k=number(state.offset, 0)),
        caption=said("similarity.mean"),
        x=Axis(-0.6, len(listed) - 0.4, ticks, said("similarity.pair")),
        y=Axis(-1.1, 1.1, ((-1.0, "−1"), (0.0, "0"), (1.0, "1"))),
    )


def _lines(state: PositionsState) -> tuple[Line, ...]:
    """The pairs' products from the rows' printed numbers, and their mean."""
    here, other, size = at(state), at(state) + state.offset, abs(state.offset)
    listed = pairs(state, MOST_TERMS)
    whole = len(listed) == state.d_model // 2
    value = float(similarity(np.array([size]), state.d_model, state.base)[0])
    terms = [math.cos(size * frequency(state, pair)) for pair in listed]
    half = state.d_model // 2
    lines: list[Line] = []
    if whole and len(terms) <= 8:
        total = sum(shown(term, 2) for term in terms)
        added = number(terms[0], 2)
        for term in terms[1:]:
            minus = shown(term, 2) < 0
            added += f" {MINUS if minus else '+'} {number(abs(term), 2)}"
        result = said("worked.mean", sum=added, count=half) + f" {equals(total / half, value)} "
        if len(result) + len(number(value)) <= Worked.COLUMNS:
            lines.append(
                line(
                    Term(result, "text", tuple(("terms", (i,)) for i in range(len(terms)))),
                    Term(number(value), "where", bold=True),
                )
            )
    if not lines:
        lines.append(
            line(
                said("worked.mean_of", count=count(half), k=count(size)) + " ", Term(number(value), "where", bold=True)
            )
        )
    lines.append(line(Term(said("worked.any_row", k=count(size)), "muted")))
    first = state.pair if state.pair in listed else listed[0]
    for pair in [first, *(pair for pair in listed if pair != first)]:
        speed = frequency(state, pair)
        sine, cosine = shown(math.sin(here * speed)), shown(math.cos(here * speed))
        other_sine, other_cosine = shown(math.sin(other * speed)), shown(math.cos(other * speed))
        product = round(sine * other_sine + cosine * other_cosine, 6)
        true = math.cos(size * speed)
        name = said("worked.pair", pair=pair) + " "
        products = f"{bracketed(sine)}{bracketed(other_sine)} + {bracketed(cosine)}{bracketed(other_cosine)} "
        result = f"{equals(product, true)} {number(true)}"
        angle = said("worked.is_cos", angle=f"{count(size)} / {divisor(state, pair, size)}")
        written = fitting(name + products + result + angle, name + products + result)[len(name) :]
        lights = (("terms", (listed.index(pair),)),)
        lines.append(line(Term(name, "where" if pair == state.pair else "text", lights), written))
    return tuple(lines)


PAGE = Page(frame, ("position", "offset", "d_model", "base", "show", "window"))
