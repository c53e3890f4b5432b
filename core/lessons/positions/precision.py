"""What shorter number formats make of an angle far into a text, and of the score of two neighbours there.

Source: the program of a float32 or bfloat16 model, every step rounded: positions, speeds, their product.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encodings import rotary
from core.encodings.precision import round_to
from core.lessons.positions.pages import Page, equals, head_panel, said, small
from core.lessons.positions.state import LAST, PLACES, PositionsState, at
from core.stage.frame import (
    Axis,
    Cell,
    Curve,
    Dials,
    Frame,
    Hand,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Rect,
    Region,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number, short, shown
from core.stage.theme import Role

FORMATS = ("float64", "float32", "bfloat16")
ROLES: dict[str, Role] = {"float64": "text", "float32": "where", "bfloat16": "warn"}  # everywhere on the page
FLOOR = -7.0  # of the picture, as a power of ten: smaller errors are not seen there
DRAWN = np.unique(np.geomspace(PLACES[0], LAST, 41).round().astype(int))

Floats = NDArray[np.float64]


def _rounded(values: Any, format: str) -> Floats:  # noqa: A002 - the word for it
    return np.asarray(values, dtype=np.float64) if format == "float64" else round_to(values, format)


def angles(positions: Any, d_model: int, base: float, format: str) -> Floats:  # noqa: A002
    """(n, pairs) radians as a program of this format gets them: every step rounded."""
    exponents = _rounded(np.arange(0, d_model, 2) / d_model, format)
    speeds = _rounded(1.0 / _rounded(base**exponents, format), format)
    places = _rounded(np.asarray(positions, dtype=np.float64), format)
    return _rounded(np.multiply.outer(places, speeds), format)


def score(position: int, offset: int, d_model: int, base: float, format: str) -> float:  # noqa: A002
    """row p · row (p + k) with the angles of this format: the sum over the pairs of the cosine between their hands."""
    first, second = angles([position, position + offset], d_model, base, format)
    return float(np.cos(second - first).sum())


@lru_cache(maxsize=16)
def _worst(d_model: int, base: float, format: str) -> Floats:  # noqa: A002
    """The largest error of any pair up to each position of DRAWN, as a power of ten."""
    off = np.abs(angles(DRAWN, d_model, base, format) - angles(DRAWN, d_model, base, "float64")).max(axis=1)
    return np.asarray(np.log10(np.maximum(np.maximum.accumulate(off), 10.0 ** (FLOOR - 1))))


@cache
def drift(position: int) -> float:
    """How far a RoPE score of 128 numbers with gap 2 moves at a position when its angles are float32: random queries
    and keys of seed 131, both moved together, against the exact score."""
    rng = np.random.default_rng(131)
    query, key = rng.normal(size=128), rng.normal(size=128)
    exact = float(rotary.scores(query, key, 2, 0, rotary.frequencies(128, 10_000.0), "halves").item())
    first, second = angles([position + 2, position], 128, 10_000.0, "float32")
    turned = rotary.rotate(query, 1, first, "halves"), rotary.rotate(key, 1, second, "halves")
    return abs(float((turned[0] * turned[1]).sum()) - exact)


def frame(state: PositionsState, context: Context) -> Frame:
    """Errors along the text, the three angles at the picked position, and the score of two neighbours."""
    here, k = at(state), state.offset
    scores = {name: score(here, k, state.d_model, state.base, name) for name in FORMATS}
    stored = {name: _rounded([here, here + k], name) for name in FORMATS}
    merged = k != 0 and bool(stored["bfloat16"][0] == stored["bfloat16"][1])
    title = said("title.precision_same", row=count(here), other=count(here + k)) if merged else said("title.precision")
    off = _off(state)
    return Frame(
        title,
        said("subtitle.precision"),
        (_errors(state), _dial(state), _table(state, scores, stored)),
        Worked(_lines(state, scores, stored)),
        said(
            "alt.precision",
            row=count(here),
            pair=count(state.pair),
            single=small(off["float32"]),
            brain=small(off["bfloat16"]),
            scores=", ".join(f"{name} {number(value)}" for name, value in scores.items()),
        ),
    )


def _angle(state: PositionsState, name: str) -> float:
    return float(angles([at(state)], state.d_model, state.base, name)[0, state.pair])


def _off(state: PositionsState) -> dict[str, float]:
    exact = _angle(state, "float64")
    return {name: abs(_angle(state, name) - exact) for name in FORMATS}


def _errors(state: PositionsState) -> Panel:
    """Both axes in tens. Above half a turn an angle says nothing any more."""
    x = np.log10(DRAWN.astype(float))
    here = at(state)
    marks: list[Mark] = [
        Region("lost", np.array([2.0, 6.0]), np.full(2, math.log10(math.pi)), np.full(2, 3.6), "muted", hatched=True)
    ]
    drawn: tuple[tuple[str, Any], ...] = (("bfloat16", "dash"), ("float32", "solid"))
    for name, dash in drawn:
        worst = np.maximum(_worst(state.d_model, state.base, name), FLOOR)
        marks.append(Curve(f"error.{name}", x, worst, ROLES[name], "bold", dash))
        marks.append(Label(f"name.{name}", 6.16, float(worst[-1]), name, "small", ROLES[name], "left", bold=True))
    places = np.array([math.log10(place) for place in PLACES])
    single = np.maximum(np.interp(places, x, _worst(state.d_model, state.base, "float32")), FLOOR)
    picked = (PLACES.index(here),) if here in PLACES else ()
    marks.append(
        Points("places", places, single, "where", 1.3, picked=picked, hover=tuple(count(place) for place in PLACES))
    )
    if PLACES[0] <= here:
        ends = np.array([FLOOR, 3.6])
        marks.append(Curve("here", np.full(2, math.log10(here)), ends, "where", "thin", "dash"))
    return head_panel(
        state,
        Cell(0, 0, 12, 6),
        tuple(marks),
        caption=said("precision.caption"),
        x=Axis(2.0, 7.0, tuple((math.log10(place), count(place)) for place in PLACES), said("precision.position")),
        y=Axis(
            FLOOR,
            3.6,
            tuple(
                (float(power), small(10.0**power).rstrip("0") if power < 0 else count(10.0**power))
                for power in (-6, -4, -2, 0, 2)
            ),
            said("precision.error"),
        ),
    )


def _dial(state: PositionsState) -> Panel:
    """The three angles of the picked pair; a float64 hand is taken as exact."""
    drawn = (("float64", 0.9), ("float32", 0.66), ("bfloat16", 0.42))
    hands = tuple(
        Hand(f"hand.{name}", np.fmod(np.array([_angle(state, name)]), 2 * math.pi), ROLES[name], np.array([length]))
        for name, length in drawn
    )
    return Panel(
        "precision_dial",
        Cell(0, 6, 6, 6),
        (Dials("angle", hands, Rect(0.0, 0.0, 1.0, 1.0), 1, ticks=12),),
        title=said("precision.dial", row=count(at(state)), pair=count(state.pair)),
        caption=said("precision.hands"),
        equal=True,
    )


def _table(state: PositionsState, scores: dict[str, float], stored: dict[str, Floats]) -> Panel:
    here, k = at(state), state.offset
    turns = {name: math.fmod(_angle(state, name), 2 * math.pi) for name in FORMATS}
    apart = {name: abs(math.remainder(turns[name] - turns["float64"], 2 * math.pi)) for name in FORMATS}
    body = (
        (count(here), *(count(stored[name][0]) for name in FORMATS)),
        (count(here + k), *(count(stored[name][1]) for name in FORMATS)),
        (said("precision.angle"), *(number(turns[name], 4) for name in FORMATS)),
        (said("precision.off"), *(number(apart[name], 4) for name in FORMATS)),
        (said("precision.score"), *(number(scores[name], 3) for name in FORMATS)),
    )
    return Panel(
        "precision_table",
        Cell(6, 6, 6, 6),
        (
            Table(
                "formats",
                ((said("precision.head"), *FORMATS), *body),
                Rect(0.0, 0.0, 1.0, 1.0),
                widths=(1.15, 1.0, 1.0, 1.0),
                roles=("text", *(ROLES[name] for name in FORMATS)),
                align=("left", "right", "right", "right"),
            ),
        ),
        title=said("precision.formats"),
        caption=_short_way(state, turns, apart),
        invert_y=True,
    )


def _short_way(state: PositionsState, turns: dict[str, float], apart: dict[str, float]) -> str:
    """What "hand" means; where two hands are more than half a turn apart as numbers, the other way between them."""
    pair = count(state.pair)
    for name in FORMATS:
        gap = abs(shown(turns[name], 4) - shown(turns["float64"], 4))
        if gap > math.pi:
            sign = equals(round(shown(2 * math.pi, 4) - gap, 4), apart[name], 4)
            fields = {"gap": number(gap, 4), "off": number(apart[name], 4), "equals": sign}
            return said("precision.short_way", pair=pair, **fields)
    return said("precision.formats_caption", pair=pair)


def _lines(state: PositionsState, scores: dict[str, float], stored: dict[str, Floats]) -> tuple[Line, ...]:
    here, k = at(state), state.offset
    places = said("worked.stored", row=count(here), value=count(stored["bfloat16"][0]))
    if k:
        places += said("worked.stored_too", row=count(here + k), value=count(stored["bfloat16"][1]))
    moved = here != stored["bfloat16"][0]
    step = float(np.spacing(np.float32(max(here, 1))))
    return (
        _off_by(state, "float32"),
        line(Term(places, "warn" if moved else "text", (("formats", (1,)), ("formats", (2,))))),
        _score_off(scores, "bfloat16"),
        _off_by(state, "bfloat16"),
        _score_off(scores, "float32"),
        line(Term(said("worked.float32_step", row=count(here), step=short(step, 9)), "muted")),
        *(
            line(said("worked.drift", row=count(place)), Term(number(drift(place), 2), bold=True))
            for place in (100_000, LAST)
        ),
    )


def _off_by(state: PositionsState, name: str) -> Line:
    """The whole angle, and the difference of the printed numbers."""
    value, exact = shown(_angle(state, name), 4), shown(_angle(state, "float64"), 4)
    fields = {"name": name, "value": number(value, 4), "exact": number(exact, 4), "off": number(abs(value - exact), 4)}
    return line(Term(said("worked.angle_off", **fields), ROLES[name], (("formats", (3,)), ("formats", (4,)))))


def _score_off(scores: dict[str, float], name: str) -> Line:
    value, exact = shown(scores[name]), shown(scores["float64"])
    return line(
        said("worked.score_off", name=name, value=number(value), exact=number(exact)),
        Term(number(abs(value - exact)), bold=True, lights=(("formats", (5,)),)),
    )


PAGE = Page(frame, ("position", "offset", "pair", "d_model", "base", "show"))
