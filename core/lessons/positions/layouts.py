"""Three ways to lay out the same idea: interleaved, concatenated, and tensor2tensor's other exponents.

Source: Vaswani et al. 2017, section 3.5; Hugging Face transformers, modeling_marian.py; tensor2tensor,
get_timing_signal_1d; fairseq, SinusoidalPositionalEmbedding; openai/whisper, model.py.
"""

from __future__ import annotations

import math

import numpy as np

from core.encodings.sinusoidal import LAYOUTS
from core.lessons.positions.pages import Page, head_panel, period, said
from core.lessons.positions.rows import rows_of
from core.lessons.positions.state import PositionsState, at, columns, frequency, pair_of, roomy, rows, width
from core.stage.frame import (
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
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number, short

NAMED = 16  # columns that have room for "cos 3" above them


def speed(state: PositionsState, pair: int, layout: str) -> float:
    """Radians that a pair turns with each position in this layout."""
    if layout != "tensor2tensor":
        return frequency(state, pair)
    return float(state.base ** (-pair / max(state.d_model // 2 - 1, 1)))


def column_of(state: PositionsState, pair: int, cosine: bool) -> int:
    """Where a pair's sine or cosine stands in the chosen layout."""
    if state.layout == "interleaved":
        return 2 * pair + cosine
    return pair + cosine * (state.d_model // 2)


def frame(state: PositionsState, context: Context) -> Frame:
    """The table in the chosen layout, who uses which, and how long each pair's turn takes."""
    slowest = 2 * math.pi / speed(state, state.d_model // 2 - 1, state.layout)
    fields = {
        "layout": said(f"option.layout.{state.layout}"),
        "row": count(at(state)),
        "period": period(slowest),
        "numbers": _numbers(state),
    }
    return Frame(
        said("title.layout_one" if state.d_model == 2 else f"title.layout_{state.layout}"),
        said("subtitle.layout_one" if state.d_model == 2 else "subtitle.layouts"),
        (_table(state), _users(state), _periods(state)),
        Worked(_lines(state)),
        said("alt.layouts", **fields),
    )


def _numbers(state: PositionsState) -> str:
    left, right = columns(state)
    values = rows_of(state).at(np.array([at(state)]), np.arange(left, min(right, left + 8)))[0]
    return ", ".join(number(value) for value in values)


def _name(state: PositionsState, column: int, few: bool) -> str:
    pair = pair_of(state, column)
    cosine = column % 2 == 1 if state.layout == "interleaved" else column >= state.d_model // 2
    return said("layouts.cos" if cosine else "layouts.sin", pair=count(pair)) if few else count(pair)


def _table(state: PositionsState) -> Panel:
    first, stop = rows(state)
    left, right = columns(state)
    here = at(state)
    few = right - left <= NAMED
    outlines = [Outline(here, left, 1, right - left, "where")]
    for cosine in (False, True):
        column = column_of(state, state.pair, cosine)
        if left <= column < right:
            outlines.append(Outline(first, column, stop - first, 1, "text"))
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        (
            Matrix(
                "table",
                rows_of(state),
                (first, stop),
                (left, right),
                (-1.0, 1.0),
                decimals=3 if state.numbers and roomy(state) else None,
                row_labels=tuple(count(row) for row in range(first, stop)),
                column_labels=tuple(_name(state, column, few) for column in range(left, right)),
                outlines=tuple(outlines),
                hover=said("table.hover"),
                scrolls=True,
            ),
        ),
        note=said("table.key_signed", level="1"),
        caption=said(
            "layouts.caption" if right - left == width(state) else "layouts.caption_part",
            pair=count(state.pair),
            row=count(here),
            first=count(left),
            stop=count(right - 1),
            width=count(width(state)),
        ),
        x=Axis(0.0, 1.006 * (right - left)),
        y=Axis(0.0, float(stop - first)),
        invert_y=True,
    )


def _users(state: PositionsState) -> Panel:
    marks: list[Mark] = []
    for place, layout in enumerate(LAYOUTS):
        picked = layout == state.layout
        y = 1.5 * place
        name = said(f"layouts.order_{layout}")
        marks.append(
            Label(f"layout.{layout}", 0.0, y + 0.38, name, "label", "where" if picked else "text", "left", bold=picked)
        )
        marks.append(Label(f"users.{layout}", 0.0, y + 0.92, said(f"layouts.users_{layout}"), "small", "muted", "left"))
    return Panel(
        "layouts_users", Cell(0, 7, 6, 5), tuple(marks), title=said("layouts.who"), y=Axis(0.0, 4.4), invert_y=True
    )


def _periods(state: PositionsState) -> Panel:
    """One turn of each pair in positions, on a scale of tens: two families, no permutation of one another."""
    half = state.d_model // 2
    listed = np.unique(np.linspace(0, half - 1, min(half, 16)).round().astype(int))
    x = listed.astype(float)
    paper = np.array([math.log10(2 * math.pi / speed(state, int(pair), "interleaved")) for pair in listed])
    other = np.array([math.log10(2 * math.pi / speed(state, int(pair), "tensor2tensor")) for pair in listed])
    chosen = state.layout == "tensor2tensor"
    high = max(5.2, float(max(paper.max(), other.max())) + 0.4)
    right = max(float(half - 1), 1.0)
    return Panel(
        "layouts_periods",
        Cell(6, 7, 6, 5),
        (
            Curve("paper", x, paper, "text" if chosen else "where", "line"),
            Points("paper.dots", x, paper, "text" if chosen else "where", 1.0),
            Curve("other", x, other, "where" if chosen else "text", "line", "dash"),
            Points("other.dots", x, other, "where" if chosen else "text", 1.0, "ring"),
        ),
        title=said("layouts.periods"),
        caption=said("layouts.periods_caption" if half > 1 else "layouts.periods_one"),
        x=Axis(-0.04 * right, 1.04 * right, _pair_ticks(half), said("layouts.pair")),
        y=Axis(
            0.0,
            high,
            tuple((float(power), count(10.0**power)) for power in range(0, int(high) + 1, 1 if high < 6 else 2)),
        ),
    )


def _pair_ticks(half: int) -> tuple[tuple[float, str], ...]:
    every = max(1, -(-half // 8))
    return tuple((float(pair), count(pair)) for pair in range(0, half, every))


def _lines(state: PositionsState) -> tuple[Line, ...]:
    """The picked pair in the chosen layout, then all three layouts."""
    pair, here, half = state.pair, at(state), state.d_model // 2
    own = speed(state, pair, state.layout)
    if state.layout != "tensor2tensor":
        exponent = said("worked.exponent", pair=pair, d=state.d_model)
    elif half == 1:  # 0 / 0 by the rule
        exponent = said("worked.exponent_one")
    else:
        exponent = said("worked.exponent_t2t", pair=pair, last=half - 1)
    value = 1.0 / own
    power = said(
        "worked.divisor",
        base=short(state.base),
        exponent=exponent,
        value=short(value, 3) if value < 1e4 else count(value),
    )
    left, right = columns(state)
    cells: list[Term] = []
    for cosine in (False, True):
        column = column_of(state, pair, cosine)
        exact = math.cos(here * own) if cosine else math.sin(here * own)
        lights = (("table", (here, column)),) if left <= column < right else ()
        cells.append(
            Term(
                said(
                    "worked.column_cos" if cosine else "worked.column_sin",
                    pair=pair,
                    column=column,
                    value=number(exact),
                )
                + "   ",
                "where",
                lights,
            )
        )
    other = "interleaved" if state.layout == "tensor2tensor" else "tensor2tensor"
    against = said(
        "worked.against_t2t" if other == "tensor2tensor" else "worked.against_paper",
        pair=pair,
        value=short(1.0 / speed(state, pair, other), 3)
        if 1.0 / speed(state, pair, other) < 1e4
        else count(1.0 / speed(state, pair, other)),
    )
    return (
        line(Term(power, "where", (("layout." + state.layout, ()),))),
        line(f"{said('worked.row', row=count(here))} ", *cells),
        line(Term(against, "muted")),
        *(
            line(
                Term(
                    said(f"worked.layout_{_rule(name, half)}", d=state.d_model, half=half),
                    lights=((f"layout.{name}", ()),),
                )
            )
            for name in LAYOUTS
        ),
    )


def _rule(layout: str, half: int) -> str:
    """The sentence that states a layout's columns and divisors."""
    return "one" if layout == "tensor2tensor" and half == 1 else layout


PAGE = Page(frame, ("position", "layout", "d_model", "base", "pair", "show", "numbers", "window"))
