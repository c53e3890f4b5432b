"""The identity behind the shift: sin(p + k) as two products, and its cosine half.

Source: the lesson's section "Sinusoidal encoding"; the addition theorems.
"""

from __future__ import annotations

import math

import numpy as np

from core.lessons.positions.pages import Page, angle_text, even_ticks, head_panel, said, three
from core.lessons.positions.state import PositionsState, at, frequency, reading
from core.lessons.positions.worked import shifted_lines
from core.stage.frame import Axis, Bars, Cell, Curve, Dials, Frame, Hand, Label, Mark, Panel, Points, Rect, Worked
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number

TURNS = 2.2  # of the pair along the picture
HIGH = 0.29  # of a wave, in lanes
HALVES = ("sin", "cos")


def frame(state: PositionsState, context: Context) -> Frame:
    """Both halves as waves, the terms at the picked position as bars, the angles on a dial."""
    here, other = at(state), at(state) + state.offset
    a, b = _parts(state, float(here))
    fields = {"pair": count(state.pair), "row": count(here), "other": count(other), "k": number(state.offset, 0)}
    sums = {"sine": number(a[2]), "cosine": number(b[2])}
    parts = ", ".join(number(value) for value in (*a[:2], *b[:2]))
    return Frame(
        said("title.identity"),
        said("subtitle.identity"),
        (_waves(state), _dial(state), _bars(state)),
        Worked(shifted_lines(state)),
        said("alt.identity", parts=parts, **fields, **sums),
    )


def _parts(state: PositionsState, position: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The two terms and the sum of each half."""
    speed = frequency(state, state.pair)
    angle, turn = position * speed, state.offset * speed
    sine = (math.sin(angle) * math.cos(turn), math.cos(angle) * math.sin(turn))
    cosine = (math.cos(angle) * math.cos(turn), -math.sin(angle) * math.sin(turn))
    return (*sine, sum(sine)), (*cosine, sum(cosine))


def _waves(state: PositionsState) -> Panel:
    here, speed = reading(state), frequency(state, state.pair)
    long = TURNS * 2 * math.pi / speed
    start = max(0.0, here - 0.5 * long)
    x = np.linspace(start, start + long, 260)
    angle, turn = x * speed, state.offset * speed
    marks: list[Mark] = []
    now = _parts(state, here)
    kind = "_part" if state.pair else ""  # of a slower pair, the angles are parts of p and k
    for lane, half in enumerate(HALVES):
        middle = lane + 0.62
        if half == "sin":
            terms = (np.sin(angle) * math.cos(turn), np.cos(angle) * math.sin(turn))
        else:
            terms = (np.cos(angle) * math.cos(turn), -np.sin(angle) * math.sin(turn))
        for number_, (values, dash) in enumerate(zip(terms, ("dash", "dot"), strict=True)):
            marks.append(Curve(f"{half}.{number_}", x, middle - HIGH * values, "text", "line", dash))  # type: ignore[arg-type]
        marks.append(Curve(f"{half}.sum", x, middle - HIGH * (terms[0] + terms[1]), "where", "bold"))
        ends = np.array([middle - HIGH, middle + HIGH])
        marks.append(Curve(f"{half}.now", np.full(2, here), ends, "where", "thin", "dash"))
        dots = middle - HIGH * np.array(now[lane])
        marks.append(Points(f"{half}.terms", np.full(2, here), dots[:2], "text", 1.2))
        marks.append(Points(f"{half}.dot", np.full(1, here), dots[2:], "where", 1.6))
        marks.append(
            Label(
                f"{half}.law", start, lane + 0.16, said(f"identity.{half}{kind}"), "label", "where", "left", bold=True
            )
        )
    lanes = (0.62 - HIGH, 0.62 + HIGH, 1.62 - HIGH, 1.62 + HIGH)
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        tuple(marks),
        note=said(f"identity.pair{kind}", pair=count(state.pair), divisor=three(1.0 / speed)),
        caption=said("identity.caption"),
        x=Axis(start, start + long, even_ticks(start, start + long)),
        y=Axis(0.0, 2.0, tuple(zip(lanes, ("1", "−1", "1", "−1"), strict=True))),
        invert_y=True,
    )


def _dial(state: PositionsState) -> Panel:
    here, speed = at(state), frequency(state, state.pair)
    angle, turn = reading(state) * speed, math.fmod(state.offset * speed, 2 * math.pi)
    hands = (
        Hand("angle", np.array([angle]), "where"),
        Hand("sum", np.array([angle + turn]), "text", np.array([0.6])),
    )
    by = MINUS * (state.offset < 0) + angle_text(abs(state.offset) * speed)
    caption = said("identity.angles", angle=angle_text(here * speed), turn=by, k=number(state.offset, 0))
    return Panel(
        "identity_dial",
        Cell(0, 7, 6, 5),
        (Dials("clock", hands, Rect(0.0, 0.0, 1.0, 1.0), 1, wedge=("angle", "sum"), ticks=12),),
        title=said("identity.dial", row=count(here), other=count(here + state.offset)),
        caption=caption,
        equal=True,
    )


def _bars(state: PositionsState) -> Panel:
    """The four products and the two sums at the picked position."""
    values = np.array([*_parts(state, float(at(state)))[0], *_parts(state, float(at(state)))[1]])
    x = np.array([0.0, 1.0, 2.0, 3.6, 4.6, 5.6])
    marks: list[Mark] = [
        Bars("terms", x, values, "where", labels=tuple(number(value, 2) for value in values), width=0.7),
        Curve("terms.zero", np.array([-0.6, 6.2]), np.zeros(2), "control", "thin"),
    ]
    names = (said("identity.first"), said("identity.second"), said("identity.sum"))
    ticks = tuple((float(place), names[number_ % 3]) for number_, place in enumerate(x))
    marks += [
        Label(f"terms.{half}", 1.0 + 3.6 * lane, 1.9, said(f"identity.half_{half}"), "small", "text", bold=True)
        for lane, half in enumerate(HALVES)
    ]
    return Panel(
        "identity_terms",
        Cell(6, 7, 6, 5),
        tuple(marks),
        title=said("identity.terms", row=count(at(state))),
        x=Axis(-0.6, 6.2, ticks),
        y=Axis(-1.4, 2.1),
    )


PAGE = Page(frame, ("position", "offset", "pair", "d_model", "base", "show"))
