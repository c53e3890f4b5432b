"""Slopes: the list for 1 to 128 heads as a row of ramps, built as the published code builds it.

Source: Press et al. 2021, section 3, and its code, get_slopes: past a power of two, every other slope of twice as many.
"""

from __future__ import annotations

import math

import numpy as np

from core.lessons.alibi import panels
from core.lessons.alibi.pages import Page, choose_head, head_panel, said, sign, turn_heads
from core.lessons.alibi.state import AlibiState, rates, settle, slope_of
from core.lessons.alibi.weights import half_distance, slope_decimals, slope_rule, slope_text
from core.stage.frame import (
    Array,
    Axis,
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
    Points,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, short, shown
from core.stage.text import text

SPAN = 16  # tokens of a ramp
HALF = 0.43  # of a ramp's width, heads being 1 apart
LABELS = 0.17  # how high over the ramps their words stand, as a share of the deepest
PUBLISHED = 8  # the largest exponent of Press et al.
NAMED = 24  # heads with a number each


def round_down(value: float) -> float:
    """The largest 1, 2, 4 or 5 times a power of ten up to it."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(power * part for part in (1, 2, 4, 5) if power * part <= value * (1 + 1e-9))


def _lower(n: int) -> int:
    return 1 << (n.bit_length() - 1)


def _saw(heads: range, slopes: tuple[float, ...]) -> tuple[Array, Array]:
    """x and lower edge of one ramp per head: from −m × 16 up to 0."""
    x = np.array([[head - HALF, head - HALF, head + HALF] for head in heads], dtype=float)
    low = np.array([[0.0, -SPAN * slopes[head - 1], 0.0] for head in heads])
    return x.ravel(), low.ravel()


def _ramps(state: AlibiState) -> Panel:
    slopes, n, head = rates(state), state.n_heads, state.head
    lower, deep = _lower(n), SPAN * max(rates(state))
    marks: list[Mark] = []
    series = [("first", range(1, lower + 1)), ("second", range(lower + 1, n + 1))]
    for name, heads in series:
        if not len(heads):
            continue
        x, low = _saw(heads, slopes)
        marks.append(Region(f"ramps_{name}", x, low, np.zeros(len(x)), "where", hatched=name == "second"))
        # Its words stand over it where they have room, else at the end where they do.
        gap = max(0.0, 0.004 * n - 0.5 + HALF) if n > lower else 0.0  # between the two lists, however many heads
        ends = np.array([heads[0] - HALF, heads[-1] + HALF])
        ends += np.array([gap, 0.0]) if name == "second" else np.array([0.0, -gap])
        marks.append(Curve(f"span_{name}", ends, np.full(2, 0.06 * deep), "where", "line"))
    wide = n - lower >= n / 4
    first = said("slopes.first" if n > lower else "slopes.only", n=count(lower), exponent=state.max_exponent)
    marks.append(Label("words_first", 1 - HALF, LABELS * deep, first, "label", "text", "left"))
    if n > lower:
        second = said("slopes.second", n=count(n - lower), double=count(2 * lower))
        at = (lower + 1 - HALF, "left") if wide and n > 2 * (lower / 2) and n - lower > n / 3 else (n + HALF, "right")
        marks.append(Label("words_second", at[0], LABELS * deep, second, "label", "text", at[1]))  # type: ignore[arg-type]
    x, low = _saw(range(head, head + 1), slopes)
    marks.append(Curve("picked_ramp", x, low, "text", "bold" if n <= NAMED else "thin", closed=True))
    every = 1 if n <= NAMED else -(-n // 16)
    labels = [h for h in range(1, n + 1) if (h == 1 or h % every == 0) and (h == head or abs(h - head) >= every)]
    ticks = tuple(
        (float(h), text("alibi.slopes_head", head=h) if h == 1 else count(h)) for h in sorted({*labels, head})
    )
    bottom = np.full(n, -1.0 * deep)
    dots = np.array([-SPAN * slope for slope in slopes])
    marks.append(
        Points(
            "tips",
            np.arange(1.0, n + 1) - HALF,
            np.maximum(dots, bottom),
            "where",
            0.5 if n > NAMED else 0.9,
            picked=(head - 1,),
            hover=tuple(said("slopes.hover", head=h, slope=slope_text(m)) for h, m in enumerate(slopes, 1)),
        )
    )
    step = round_down(deep / 2)
    scale = tuple((-step * k, short(-step * k, 5)) for k in range(int(deep / step + 1e-9) + 1))
    return head_panel(
        state,
        Cell(0, 0, 8, 12),
        tuple(marks),
        caption=said("slopes.caption", span=SPAN),
        x=Axis(0.4, n + 0.6, ticks),
        y=Axis(-1.06 * deep, 0.27 * deep, scale),
    )


def _decay(slope: float) -> Panel:
    """What is left of a weight at equal scores, from here to where it is 1 %."""
    half, percent = half_distance(slope), math.log(100) / slope
    x = np.linspace(0.0, 1.15 * percent, 120)
    drops = np.array([half, half, percent, percent])
    marks: tuple[Mark, ...] = (
        Curve("decay", x, np.exp(-slope * x), "where", "bold"),
        Curve("decay_drops", drops, np.array([0.0, 0.5, 0.0, 0.2]), "control", "thin", "dash", breaks=(2,)),
        Points("decay_half", drops[:1], np.array([0.5]), "where", 1.2),
        Label("decay_half_word", half + 0.02 * percent, 0.72, said("slopes.half"), "small", "text", "left"),
        Points("decay_percent", drops[2:3], np.array([0.01]), "where", 1.2),
        Label("decay_word", percent, 0.28, said("slopes.percent"), "small", "text", "center"),
    )
    ticks = ((0.0, "0"), (half, number(half, 1)), (percent, number(percent, 1)))
    return Panel(
        "decay_panel",
        Cell(8, 4, 4, 4),
        marks,
        title=said("slopes.decay"),
        x=Axis(0.0, 1.15 * percent, ticks),
        y=Axis(0.0, 1.08, ((0.0, "0"), (1.0, "1"))),
    )


def _worked(state: AlibiState) -> Worked:
    slope, head, n = slope_of(state), state.head, state.n_heads
    lower, m = _lower(n), slope_decimals(slope_of(state))
    used = float(m.replace(",", ""))
    rule = slope_rule(head, n, state.max_exponent)
    rate: tuple[tuple[str, tuple[int, ...]], ...] = (("slopes", (head - 1,)), ("tips", (head - 1,)))
    lines: list[Line] = [
        line(
            said("slopes.work_slope", head=head, rule=rule, sign="=" if abs(used - slope) < 1e-12 else "≈"),
            Term(m, "where", rate, bold=True),
        )
    ]
    for key, log, name in (("half", math.log(2), "decay_half"), ("percent", math.log(100), "decay_percent")):
        top, true = shown(log), log / slope
        tokens = Term(number(true, 1), "where", ((name, (0,)),), bold=True)
        equal = sign(top / used, true, 1)
        lines.append(
            line(said(f"slopes.work_{key}", top=number(top), slope=m, sign=equal), tokens, said("slopes.tokens"))
        )
    if n == lower:
        lines.append(line(said("slopes.work_power", n=n)))
        ratio = 2 ** (-state.max_exponent / n)
        written = short(ratio, 4)
        equal = "=" if abs(float(written) - ratio) < 1e-12 else "≈"
        lines.append(line(said("slopes.work_ratio", exponent=state.max_exponent, n=n, sign=equal, ratio=written)))
        return Worked(tuple(lines))
    taken = [str(2 * k + 1) for k in range(n - lower)]
    listed = ", ".join(taken if len(taken) <= 6 else [*taken[:3], "…", taken[-1]])
    slopes = rates(state)
    lines += [
        line(said("slopes.work_lower", lower=lower, n=n, exponent=state.max_exponent)),
        line(said("slopes.work_rest", first=lower + 1, last=n, double=2 * lower)),
        line(said("slopes.work_taken", listed=listed, exponent=state.max_exponent, double=2 * lower)),
        line(
            Term(
                said(
                    "slopes.work_sorted", head=lower + 1, m=slope_decimals(slopes[lower]), n=slope_decimals(slopes[0])
                ),
                "muted",
            )
        ),
    ]
    return Worked(tuple(lines))


def frame(state: AlibiState, context: Context) -> Frame:
    slope, n = slope_of(state), state.n_heads
    key = "one" if n == 1 else "power" if n == _lower(n) else "two"
    bottom = panels.slope_panel(slope, Cell(8, 0, 4, 4)), _decay(slope), panels.slopes_panel(state, Cell(8, 8, 4, 4))
    alt = said(
        "slopes.alt",
        n=n,
        first=slope_text(rates(state)[0]),
        head=state.head,
        slope=slope_text(slope),
        half=number(half_distance(slope), 1),
        percent=number(math.log(100) / slope, 1),
    )
    fields = {
        "n": n,
        "slope": slope_text(slope),
        "lower": _lower(n),
        "rest": n - _lower(n),
        "exponent": f"{MINUS}{state.max_exponent}",
    }
    title = said(f"slopes.title_{key}", **fields)
    published = state.max_exponent == PUBLISHED
    subtitle = said("slopes.subtitle" if published else "slopes.subtitle_exponent", exponent=state.max_exponent)
    return Frame(title, subtitle, (_ramps(state), *bottom), _worked(state), alt)


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    if isinstance(event, Pick) and event.key in ("tips", "slopes") and event.index:
        return choose_head(state, event.index[0] + 1)
    if isinstance(event, Key) and event.key in ("tips", "slopes"):
        return turn_heads(settle(state), event)
    return state


PAGE = Page(frame, ("n_heads", "head", "max_exponent"), act)
