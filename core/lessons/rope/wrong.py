"""The wrong page: four mistakes in a red frame, each beside the right one at one press."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import rotary
from core.lessons.rope import layouts
from core.lessons.rope.dial import JUMP
from core.lessons.rope.gap import groups
from core.lessons.rope.scene import FARTHEST, frequencies
from core.lessons.rope.state import RopeState, rotary_dims, settle
from core.lessons.rope.words import big_panel, equals, full_turn, round_down, said, sum_text, turn_text
from core.stage.frame import (
    Anchor,
    Array,
    Axis,
    Card,
    Cards,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count, number, short
from core.stage.params import replace
from core.stage.theme import Role

SHIFTS = 40
STEPS = 10  # of the curves between two positions


def frame(state: RopeState) -> Frame:
    state = settle(state)
    x, right, wrong = curves(state)
    low, high = min(float(right.min()), float(wrong.min()), 0.0), max(float(right.max()), float(wrong.max()), 0.0)
    tall = max(high - low, 0.1)
    levels = sorted({0.0, round_down(high), -round_down(-low)})
    above = 0.22 if over_gap(state) else 0.08
    ticks = tuple((v, short(v, 2)) for v in levels if v == 0 or abs(v) > 0.1 * tall)
    y = Axis(low - 0.08 * tall, high + above * tall, ticks)
    here = values(state)
    panels = (_wrong(state, x, wrong, y, here[2]), _right(state, x, right, y), *_numbers(state, here))
    title = said(f"wrong.title.{state.mistake}")
    alt = said(
        "wrong.alt" if far(state) else "wrong.alt_end",
        title=title,
        by=count(far(state)),
        right=number(here[0]) if state.beside else "?",
        right_far=number(here[1]) if state.beside else "?",
        wrong=number(here[2]),
        wrong_far=number(here[3]),
    )
    return Frame(title, said(f"wrong.subtitle.{state.mistake}"), panels, Worked(tuple(_lines(state, here))), alt)


def over_gap(state: RopeState) -> bool:
    """A wrong exponent still sees only the gap: it shows over the gap, the others over a common shift."""
    return state.mistake == "d_model"


def curves(state: RopeState) -> tuple[Array, Array, Array]:
    """x, and what is right and wrong there: over a shift of both tokens, or over the gap."""
    if over_gap(state):
        x = np.arange(0.0, state.span + 1) if state.span <= 480 else np.linspace(0, state.span, 481)
        both = _cosines(rotary_dims(state), state.n_heads, state.base, state.span)
        return x, both[0], both[1]
    x = np.linspace(0.0, SHIFTS, SHIFTS * STEPS + 1)
    args = (state.mistake, state.entries, state.seed, state.base, state.query_position, state.key_position)
    both = _shifted(*args)
    return x, both[0], both[1]


@lru_cache(maxsize=32)
def _cosines(turned: int, heads: int, base: float, span: int) -> tuple[Array, Array]:
    x = np.arange(0.0, span + 1) if span <= 480 else np.linspace(0, span, 481)
    found = [np.cos(np.multiply.outer(x, theta)).mean(axis=1) for theta in speeds(turned, heads, base)]
    return found[0], found[1]


def speeds(turned: int, heads: int, base: float) -> tuple[Array, Array]:
    """The right frequencies of a head's pairs, and those with d_model in the exponent's denominator."""
    return frequencies(turned, base), frequencies(turned * heads, base)[: turned // 2]


@lru_cache(maxsize=32)
def _shifted(mistake: str, entries: int, seed: int, base: float, m: int, n: int) -> tuple[Array, Array]:
    x = np.linspace(0.0, SHIFTS, SHIFTS * STEPS + 1)
    return _at(mistake, entries, seed, base, m + x, n + x)


def _at(mistake: str, entries: int, seed: int, base: float, m: Array, n: Array) -> tuple[Array, Array]:
    """The right and the wrong numbers (places,) with the query at m and the key at n, (places,) each."""
    q, k = (np.tile(vector, (len(m), 1)) for vector in layouts.drawn(entries, seed))
    theta = frequencies(entries, base)
    if mistake == "values":
        # The value is the key's vector here: what matters is that it should not turn.
        return k[:, 0], rotary.rotate(k, n, theta)[:, 0]
    turned = rotary.rotate(q, m, theta)
    right = (turned * rotary.rotate(k, n, theta)).sum(axis=1)
    return right, (turned * _wrong_key(mistake, k, n, base)).sum(axis=1)


def far(state: RopeState) -> int:
    """How much further both tokens are in the second line of numbers."""
    return min(JUMP, FARTHEST - max(state.query_position, state.key_position))


@lru_cache(maxsize=64)
def _values(mistake: str, entries: int, seed: int, base: float, places: tuple[int, int, int]) -> tuple[float, ...]:
    m, n, by = places
    shift = np.array([0.0, float(by)])
    right, wrong = _at(mistake, entries, seed, base, m + shift, n + shift)
    return float(right[0]), float(right[1]), float(wrong[0]), float(wrong[1])


def values(state: RopeState) -> tuple[float, ...]:
    """Right here, right 500 further, wrong here, wrong 500 further."""
    if over_gap(state):
        gap = state.query_position - state.key_position
        both = speeds(rotary_dims(state), state.n_heads, state.base)
        right, wrong = (float(np.cos(gap * theta).mean()) for theta in both)
        return right, right, wrong, wrong
    places = (state.query_position, state.key_position, far(state))
    return _values(state.mistake, state.entries, state.seed, state.base, places)


def _picture(state: RopeState, key: str, x: Array, y: Array) -> tuple[Mark, ...]:
    role = "warn" if key == "wrong" else "query"
    at = abs(state.query_position - state.key_position) if over_gap(state) else 0
    zero = Curve(f"{key}_zero", np.array([0.0, float(x[-1])]), np.zeros(2), "control", "thin")
    marks: list[Mark] = [zero, Curve(f"{key}_curve", x, y, role, "bold")]  # type: ignore[arg-type]
    if at <= x[-1]:
        where = float(np.interp(at, x, y))
        marks.append(Points(f"{key}_here", np.array([float(at)]), np.array([where]), "where", 1.5))
    return tuple(marks)


def _x(state: RopeState, x: Array) -> Axis:
    last = float(x[-1])
    label = said("gap.x") if over_gap(state) else said("wrong.x")
    low = 0.0 if over_gap(state) else -0.02 * last  # the point at the beginning stays clear of the numbers beside it
    return Axis(low, last, ((0.0, "0"), (last / 2, short(last / 2, 0)), (last, count(last))), label)


def _gap_mark(state: RopeState, x: Array, y: Axis, value: float) -> tuple[Mark, ...]:
    """Where the present gap stands on the curve over the gap, with the number above it."""
    gap, last = abs(state.query_position - state.key_position), float(x[-1])
    if not over_gap(state) or gap > last:
        return ()
    left, tall = gap > 0.7 * last, y.high - y.low
    name = said("curve_head", gap=count(gap), score=number(value))
    side: Anchor = "right" if left else "left"
    at = gap + (-0.015 if left else 0.015) * last
    return (
        Curve("present", np.full(2, float(gap)), np.array([y.high - 0.08 * tall, value]), "where", "line", "dash"),
        Label("here_name", at, y.high - 0.06 * tall, name, "label", "where", side, bold=True),
    )


def _wrong(state: RopeState, x: Array, wrong: Array, y: Axis, value: float) -> Panel:
    # What is wrong about it is told with the right one, not while the question is open.
    verdict = said(f"wrong.verdict.{state.mistake}") if state.beside else ""
    if state.beside and not state.key_position and not over_gap(state):
        verdict += " " + said("wrong.still")  # else the same number twice would look like a slip
    return big_panel(
        state,
        Cell(0, 0, 12, 7),
        (*_picture(state, "wrong", x, wrong), *_gap_mark(state, x, y, value)),
        _x(state, x),
        y,
        border="warn",
        caption=f"{said(f'wrong.caption.{state.mistake}')} {verdict}".strip(),
    )


def _right(state: RopeState, x: Array, right: Array, y: Axis) -> Panel:
    cell = Cell(0, 7, 6, 5)
    if state.beside:
        title = said("wrong.right", y=said(f"wrong.y.{state.mistake}"))
        return Panel("right_panel", cell, _picture(state, "right", x, right), title=title, x=_x(state, x), y=y)
    # One press shows the right one here.
    marks = (
        Label("ask", 0.0, 0.3, said(f"wrong.ask.{state.mistake}"), "label", "text", "left"),
        Cards("show_right", (Card(said("wrong.show"), role="where"),), Rect(0.0, 0.48, 0.6, 0.26), even=True),
    )
    return Panel("right_panel", cell, marks, invert_y=True)


def _numbers(state: RopeState, here: tuple[float, ...]) -> tuple[Panel, Panel]:
    """Wrong always, right once it is asked for: here, and 500 further on."""
    m, n, by = state.query_position, state.key_position, far(state)
    panels = []
    for row, key, role, pair in ((6, "wrong", "warn", here[2:]), (9, "right", "text", here[:2])):
        hidden = key == "right" and not state.beside
        near, on = ("?", "?") if hidden else (number(pair[0]), number(pair[1]))
        place = (
            said(f"wrong.{key}_gap", gap=count(abs(m - n)))
            if over_gap(state)
            else said(f"wrong.{key}_at", m=count(m), n=count(n))
        )
        readouts = [
            Readout(key, near, place, role=role, size="title"),  # type: ignore[arg-type]
        ]
        if not over_gap(state) and by:
            label = said("wrong.at", m=count(m + by), n=count(n + by))
            readouts.append(Readout(f"{key}_far", on, label, role=role, size="title"))  # type: ignore[arg-type]
        panels.append(Panel(f"{key}_numbers", Cell(row, 7, 3, 5), readouts=tuple(readouts)))
    return panels[0], panels[1]


def toggled(state: RopeState) -> RopeState:
    return replace(state, beside=not state.beside)


def _lines(state: RopeState, here: tuple[float, ...]) -> list[Line]:
    m, n, by = state.query_position, state.key_position, far(state)
    lines: list[Line] = []
    if over_gap(state):
        turned, heads = rotary_dims(state), state.n_heads
        last = turned // 2 - 1
        d_model = turned * heads
        pages: list[list[Line]] = [[], []]
        for key, d, theta in zip(("right", "wrong"), (turned, d_model), speeds(turned, heads, state.base), strict=True):
            power = f"{short(state.base)}^({MINUS}{2 * last}/{d})"
            role: Role = "warn" if key == "wrong" else "text"
            lights = ((key, ()),)
            slowest = said(f"wrong.slowest_{key}")
            turn = full_turn(float(theta[-1]), power)
            if len(slowest) + len(turn) > Worked.COLUMNS:  # a base with decimals: θ as a number, no room for the unit
                turn = turn_text(float(theta[-1]))[1]
            pages[0].append(line(slowest, Term(turn, role, lights)))
            pages[1].append(
                line(said(f"wrong.theta_{key}"), Term(f"{power} = {turn_text(float(theta[-1]))[0]}", role, lights))
            )
        averages = _average_lines(state, here[0], here[2])
        made_of = line(said("wrong.work_d", product=f"{turned} × {heads} = {d_model}"))
        lines = [*pages[0], made_of, *averages, *pages[1]]
    else:
        right, right_far, wrong, wrong_far = (number(value) for value in here)
        near, on = f"({count(m)}, {count(n)})", f"({count(m + by)}, {count(n + by)})"
        first, second = (
            Term(wrong, "warn", (("wrong", ()),), bold=True),
            Term(wrong_far, "warn", (("wrong_far", ()),), bold=True),
        )
        if state.mistake == "values":
            both = [_value_line(state, n, here[2], first), _value_line(state, n + by, here[3], second)]
            lines += both if by else both[:1]
        else:
            start = said("wrong.work_wrong_line")
            lines += [
                line(start, f"{place}: ", _sum(state, q_at, n_at, value, len(start) + len(place) + 2), result)
                for place, q_at, n_at, value, result in (
                    (near, m, n, here[2], first),
                    *([(on, m + by, n + by, here[3], second)] if by else []),
                )
            ]
        if state.mistake == "sign":
            lines.append(line(f"{count(m)} {MINUS} ({MINUS}{count(n)}) = {count(m + n)}", said("wrong.work_sum")))
        if state.beside:
            further = f", {on}: {right_far}" if by else ""
            lines.append(line(said("wrong.work_right_line"), f"{near}: {right}{further}"))
    lines.append(line(Term(said(f"wrong.work.{state.mistake}"), "muted")))
    return lines


def _sum(state: RopeState, m: int, n: int, true: float, before: int) -> str:
    """What the pairs add to the wrong score, the pairs of each half together where a line has no room for all after the
    ``before`` columns that it begins with."""
    parts = _parts(state, m, n)
    whole = sum_text(parts, true)
    if before + len(whole) + len(number(true)) > Worked.COLUMNS:
        half = len(parts) // 2
        whole = sum_text([float(parts[:half].sum()), float(parts[half:].sum())], true)
    return whole


def _parts(state: RopeState, m: int, n: int) -> Array:
    """(pairs,) what each pair of turned neighbours adds to the wrong score."""
    q, k = layouts.drawn(state.entries, state.seed)
    key = _wrong_key(state.mistake, k[np.newaxis], np.array([float(n)]), state.base)[0]
    both: Array = rotary.rotate(q, [m], frequencies(state.entries, state.base)) * key
    parts: Array = both[0::2] + both[1::2]
    return parts


def _wrong_key(mistake: str, k: Array, n: Array, base: float) -> Array:
    """(places, entries) the key at n (places,), turned in the other layout or backwards."""
    theta = frequencies(k.shape[1], base)
    return rotary.rotate(k, n, theta, "halves") if mistake == "layouts" else rotary.rotate(k, -n, theta)


def _average_lines(state: RopeState, right: float, wrong: float) -> list[Line]:
    """Both averages at the present gap, added up from those of parts of the head."""
    gap = abs(state.query_position - state.key_position)
    both = speeds(rotary_dims(state), state.n_heads, state.base)
    runs = groups(both[0])
    names = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    lines = [line(said("wrong.work_average", gap=count(gap), pairs=names))]
    for key, theta, true in (("right", both[0], right), ("wrong", both[1], wrong)):
        parts = np.cos(gap * theta) / len(theta)
        role: Role = "warn" if key == "wrong" else "text"
        total = Term(number(true), role, ((key, ()),), bold=True)
        lines.append(line(said(f"wrong.work_{key}"), sum_text([parts[a : b + 1].sum() for a, b in runs], true), total))
    return lines


def _value_line(state: RopeState, n: int, true: float, result: Term) -> Line:
    """The first pair of the value turned by its position; ``true`` is the first entry without rounding."""
    _, v = layouts.drawn(state.entries, state.seed)
    cosine, sine = round(float(np.cos(n)), 4), round(float(np.sin(n)), 4)
    x, y = float(v[0]), float(v[1])
    by_hand = x * cosine - y * sine
    product = f"({number(x, 1)})({number(cosine, 4)}) {MINUS} ({number(y, 1)})({number(sine, 4)})"
    return line(said("wrong.work_v", n=count(n)), f"{product} {equals(by_hand, true)} ", result)
