"""Reach: a text longer than those of training. The bias is defined there too, and what weight it leaves is worked out;
beside it RoPE and the sinusoid with the same two vectors.

Source: Press et al. 2021, figures 1 and 4 (perplexity); Vaswani et al. 2017, section 3.5; Su et al. 2021.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.encodings import rotary, sinusoidal
from core.lessons.alibi.pages import Page, choose_head, digits, head_panel, said, sign, turn_heads
from core.lessons.alibi.state import AlibiState, rates, settle, slope_of
from core.lessons.alibi.weights import HEAD_DIM, SEED, slope_decimals, slope_text
from core.stage.frame import (
    Array,
    Axis,
    Bars,
    Cell,
    Curve,
    Event,
    Frame,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Pick,
    Readout,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number, percent, short, shown

MOST = 400  # keys of a curve
LEAST = 5e-7  # smaller shares are not printed as numbers
SPREAD = 0.5  # of the drawn numbers: scores of content and of position are then of one size


def share_beyond(slope: float, trained: int, tested: int) -> float:
    """Of the last query's weights at equal scores, the share on keys ``trained`` or more tokens back: two geometric
    sums, (e^(−mL) − e^(−mN)) / (1 − e^(−mN)); 0 where the text is no longer than in training."""
    if tested <= trained:
        return 0.0
    far, all_ = math.exp(-slope * trained), math.exp(-slope * tested)
    return (far - all_) / -math.expm1(-slope * tested)


@lru_cache(maxsize=1)
def _vectors() -> tuple[Array, Array]:
    rng = np.random.default_rng(SEED)
    q, k = rng.normal(scale=SPREAD, size=(2, HEAD_DIM))
    return q, k


@lru_cache(maxsize=16)
def keys(tested: int) -> Array:
    """Positions of the keys that are drawn, at most ``MOST``, the last one the query's own."""
    found = np.unique(np.linspace(0, tested - 1, min(tested, MOST)).round())
    found.setflags(write=False)
    return found


@lru_cache(maxsize=16)
def others(tested: int) -> tuple[Array, Array]:
    """(keys,) scores / √d of the last query with one key vector at every place: RoPE, and the sinusoid added."""
    q, k = _vectors()
    at, root = keys(tested), math.sqrt(HEAD_DIM)
    last = np.array([float(tested - 1)])
    many = np.broadcast_to(k, (len(at), HEAD_DIM))
    turned = rotary.scores(q, many, last, at, rotary.frequencies(HEAD_DIM))[0] / root
    here, there = sinusoidal.table(last, HEAD_DIM), sinusoidal.table(at, HEAD_DIM)
    added = ((q + here) @ (many + there).T)[0] / root
    return turned, added


def base_score() -> float:
    """q·k / √d of the two vectors before any position, two decimals: what is shown is used."""
    q, k = _vectors()
    return round(float(q @ k) / math.sqrt(HEAD_DIM), 2) + 0.0


def _unseen(key: str, first: float, last: float, low: float, high: float) -> list[Mark]:
    if last <= first:
        return []
    x = np.array([first, last])
    return [Region(key, x, np.full(2, low), np.full(2, high), "control", hatched=True)]


def _ticks(tested: int, trained: int, far: bool) -> tuple[tuple[float, str], ...]:
    edge = tested - trained if far else trained
    places = {0, tested - 1}
    if 0.12 * tested < edge < 0.88 * tested:
        places.add(edge)
    return tuple((float(place), count(place)) for place in sorted(places))


def _alibi(state: AlibiState) -> Panel:
    trained, tested, slope = state.trained, state.tested, slope_of(state)
    x, start = keys(tested), base_score()
    y = start - slope * (tested - 1 - x)
    low, high = float(y[0]), start
    room = max(high - low, 1e-6)
    bottom, top = low - 0.06 * room, high + 0.12 * room
    edge = float(tested - trained)
    marks: list[Mark] = [*_unseen("unseen", 0.0, edge, low, top), Curve("alibi", x, y, "where", "bold")]
    if edge > 0.2 * tested:
        marks.append(Label("unseen_word", 0.5 * edge, high - 0.1 * room, said("reach.unseen_gap"), "label", "text"))
    share = share_beyond(slope, trained, tested)
    readout = Readout(
        "share",
        _percent(state, share),
        said("reach.share", trained=count(trained)),
        "where",
        detail=said("reach.honest"),
    )
    ticks = (*_ticks(tested, trained, far=True),)
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        tuple(marks),
        note=said("reach.alibi", head=state.head, slope=slope_text(slope)),
        caption=said("reach.caption", last=count(tested - 1)),
        readouts=(readout,),
        x=Axis(0.0, float(max(tested - 1, 1)), ticks),
        y=Axis(bottom, top, ((low, short(low, 2)), (high, short(high, 2)))),
    )


def _percent(state: AlibiState, share: float) -> str:
    """One decimal, or as many as leave one digit of a small share, at most four: as small as the arithmetic prints."""
    if state.tested <= state.trained:
        return said("reach.nothing")
    return percent(share, min(max(1, digits(share) - 3), 4)) if share >= LEAST else said("reach.under")


def _other(state: AlibiState, name: str, values: Array, cell: Cell) -> Panel:
    trained, tested = state.trained, state.tested
    spread = max(float(values.max() - values.min()), 1e-3)
    low, high = float(values.min()) - 0.08 * spread, float(values.max()) + 0.08 * spread
    far = name == "rope"
    first, last = (0.0, float(tested - trained)) if far else (float(trained), float(tested - 1))
    ends = float(values.min()), float(values.max())
    marks = [*_unseen(f"unseen_{name}", first, last, ends[0], high), Curve(name, keys(tested), values, "text", "line")]
    return Panel(
        f"{name}_panel",
        cell,
        tuple(marks),
        title=said(f"reach.{name}"),
        caption=said(f"reach.{name}_unseen" if tested > trained else "reach.all_seen"),
        x=Axis(0.0, float(max(tested - 1, 1)), _ticks(tested, trained, far)),
        y=Axis(low, high, tuple((end, number(end, 1)) for end in ends) if spread > 0.1 else ()),
    )


def _shares(state: AlibiState) -> Panel:
    n, every = state.n_heads, np.array([share_beyond(m, state.trained, state.tested) for m in rates(state)])
    top = max(float(every.max()), 0.05)
    ticks = tuple((float(head), count(head)) for head in sorted({1, state.head, n}))
    return Panel(
        "shares_panel",
        Cell(8, 7, 4, 5),
        (Bars("shares", np.arange(1.0, n + 1), every, "where", 0.7, picked=state.head - 1),),
        title=said("reach.heads"),
        x=Axis(0.4, n + 0.6, ticks),
        y=Axis(0.0, 1.1 * top, ((0.0, "0"), (top, percent(top)))),
    )


def _share(far: float, whole: float, places: int) -> float:
    """What the printed powers come to."""
    a, b = shown(far, places), shown(whole, places)
    return (a - b) / (1 - b) if b < 1 else math.nan


def _worked(state: AlibiState) -> Worked:
    slope, trained, tested = slope_of(state), state.trained, state.tested
    m = slope_decimals(slope)
    share = share_beyond(slope, trained, tested)
    axis = _axis_lines(m, slope, tested)
    if tested <= trained:
        inside = line(said("reach.work_inside", tested=count(tested), trained=count(trained)))
        return Worked((inside, line(Term(said("reach.work_longer"), "muted")), *axis))
    far, whole = math.exp(-slope * trained), math.exp(-slope * tested)
    least = max(min(max(digits(far), 4), 6), digits(share))
    # Gentle slopes leave two numbers near 1, whose difference needs more decimals than the share has.
    places = next((d for d in range(least, 12) if sign(_share(far, whole, d), share, least) == "="), least)
    lines = []
    for name, length, power in (("L", trained, far), ("N", tested, whole)):
        exponent = slope * length
        depth = 6 if exponent < 1 else 4
        shown_exponent = short(exponent, depth)
        exact = abs(float(m) * length - float(shown_exponent.replace(",", ""))) < 1e-9
        equal = "=" if exact else "≈"
        result = number(power, places) if power >= LEAST else said("reach.work_under")
        relation = " ≈ " if power >= LEAST else ": "
        head = said(f"reach.work_{name}", length=count(length))
        power_text = f"e^(−{m} × {count(length)}) {equal} e^(−{shown_exponent}){relation}"
        if len(head) + len(power_text) + len(result) > Worked.COLUMNS:
            power_text = f"e^(−{m} × {count(length)}){relation}"
        lines.append(line(head, power_text, Term(result, "where", bold=name == "L")))
    if share < LEAST:  # nothing that the printed numbers could be divided into
        lines.append(line(said("reach.work_share"), Term(said("reach.work_under"), "where", bold=True)))
        return Worked((*lines, *axis, *_facts()))
    equal = sign(_share(far, whole, places), share, least)
    a_text, b_text = number(far, places), number(whole, places)
    lines.append(
        line(
            said("reach.work_share"),
            f"({a_text} − {b_text}) / (1 − {b_text}) {equal} ",
            Term(number(share, least), "where", (("shares", (state.head - 1,)),), bold=True),
        )
    )
    return Worked((*lines, *axis, *_facts()))


def _axis_lines(m: str, slope: float, tested: int) -> tuple[Line, Line]:
    """Where the two ends of ALiBi's line come from; ``m``: the slope as it is written."""
    q, k = _vectors()
    raw, root, start = float(q @ k), math.isqrt(HEAD_DIM), base_score()
    near = sign(shown(raw, 2) / root, start, 2)
    back = tested - 1
    low = start - slope * back
    far = sign(start - float(m) * back, low, 2)
    here = said("reach.work_here", d=HEAD_DIM, raw=number(raw, 2), root=root, sign=near)
    there = said("reach.work_there", back=count(back), score=number(start, 2), slope=m, sign=far)
    return line(here, number(start, 2)), line(there, number(low, 2))


def _facts() -> tuple[Line, ...]:
    return tuple(line(Term(said(f"reach.work_{fact}"), "muted")) for fact in ("limit", "rope", "sinusoid"))


def frame(state: AlibiState, context: Context) -> Frame:
    trained, tested = state.trained, state.tested
    turned, added = others(tested)
    share = share_beyond(slope_of(state), trained, tested)
    panels = (
        _alibi(state),
        _other(state, "rope", turned, Cell(0, 7, 4, 5)),
        _other(state, "sinusoid", added, Cell(4, 7, 4, 5)),
        _shares(state),
    )
    fields = {"trained": count(trained), "tested": count(tested), "head": state.head}
    fields["share"] = _percent(state, share)
    key = "inside" if tested <= trained else "longer"
    alt = said("reach.alt", slope=slope_text(slope_of(state)), **fields)
    subtitle = said("reach.subtitle_inside" if key == "inside" else "reach.subtitle")
    return Frame(said(f"reach.title_{key}", **fields), subtitle, panels, _worked(state), alt)


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    if isinstance(event, Pick) and event.key == "shares" and event.index:
        return choose_head(state, event.index[0] + 1)
    if isinstance(event, Key) and event.key == "shares":
        return turn_heads(settle(state), event)
    return state


PAGE = Page(frame, ("trained", "tested", "head", "n_heads", "max_exponent"), act)
