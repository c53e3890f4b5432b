"""Wrong on purpose: the sign flipped, the bias scaled with the scores, a list of slopes that begins with 1."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.encodings import alibi
from core.encodings.attention import attention
from core.lessons.alibi.pages import (
    Page,
    Pair,
    cut,
    digits,
    head_panel,
    pair_panel,
    pick_cell,
    ratio,
    ratio_decimals,
    said,
    sign,
)
from core.lessons.alibi.state import AlibiState, n_shown, settle, slope_of
from core.lessons.alibi.weights import HEAD_DIM, content, exponent_places, power_sign, slope_decimals, slope_text
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Event,
    Frame,
    Line,
    Matrix,
    Outline,
    Panel,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, number, shown

ROOT = math.isqrt(HEAD_DIM)


def first_is_one(head: int, n_heads: int, max_exponent: int = 8) -> float:
    """The slope when k counts from 0: head 1 gets 2⁰ = 1, each other one that of the head before it."""
    lower = 1 << (n_heads.bit_length() - 1)
    if head <= lower:
        return float(2.0 ** (-max_exponent * (head - 1) / lower))
    return float(2.0 ** (-max_exponent * 2 * (head - lower - 1) / (2 * lower)))


def rate(state: AlibiState) -> float:
    """What the wrong form takes from a score per token of distance (a negative rate adds)."""
    if state.fault == "sign":
        return -slope_of(state)
    if state.fault == "early":
        return slope_of(state) / ROOT
    return first_is_one(state.head, state.n_heads, state.max_exponent)


@lru_cache(maxsize=64)
def weights(kind: str, n: int, slope: float) -> Array:
    """(n, n) causal weights when a score falls by ``slope`` per token."""
    scores = np.array([content(kind, query, n) for query in range(n)])
    mask = np.tril(np.ones((n, n), dtype=bool))
    bias = alibi.bias([slope], n, n)[0]
    return attention(np.eye(n), scores.T, np.zeros((n, 1)), bias=bias, mask=mask, scale=1.0).weights


@lru_cache(maxsize=8)
def _hidden(n: int) -> Array:
    return np.arange(n) > np.arange(n)[:, np.newaxis]


def _matrix(state: AlibiState, key: str, values: Array) -> Matrix:
    n, i, j = len(values), state.query_position, state.key_position
    return Matrix(
        key,
        ArraySource(values),
        (0, n),
        (0, n),
        (0.0, 1.0),
        colours="amount",
        decimals=2,
        row_labels=tuple(map(str, range(n))),
        column_labels=tuple(map(str, range(n))),
        outlines=(Outline(i, 0, 1, n, "query"), Outline(i, j, 1, 1, "key")),
        mask=_hidden(n),
        mask_text="0",
    )


def _share_of(total: float, weight: float, least: int) -> tuple[int, str, str]:
    """Of a score with its bias: decimals that its power needs, ``e^(−1.500) / sum = 0.223 / 2.495 = ``, the weight."""
    power = math.exp(total)
    parts, equal, came_to = ratio(power, power / max(weight, 1e-300), weight)
    decimals = ratio_decimals(parts)
    places = exponent_places(total, decimals, least)
    equals = power_sign(total, places, decimals)
    return places, f"e^({number(total, places)}) / {said('weights.sum')} {equals} {parts} {equal} ", came_to


def _lines(state: AlibiState, kind: str, pair: tuple[Array, Array]) -> Worked:
    i, j, slope = state.query_position, state.key_position, slope_of(state)
    m, least = slope_decimals(slope), max(3, digits(slope))
    score = float(content(kind, i, n_shown(state))[j])
    far = f"({i} {MINUS} {j})"
    right = score - slope * (i - j)
    bad = score - rate(state) * (i - j)
    shares = {
        key: _share_of(total, float(values[i, j]), least)
        for key, total, values in (("right", right, pair[0]), ("wrong", bad, pair[1]))
    }
    put = number(score)
    written, places = shown(score) - float(m) * (i - j), shares["right"][0]
    lines: list[Line] = [
        line(
            said("wrong.work_right"),
            f"{put} {MINUS} {m} × {far} {sign(written, right, places)} ",
            Term(number(right, places), "where", (("right", (i, j)),)),
        )
    ]
    told, places = said("wrong.work_wrong"), shares["wrong"][0]
    if state.fault == "sign":
        text_, value = f"{put} + {m} × {far}", shown(score) + float(m) * (i - j)
    elif state.fault == "early":
        raw = score * ROOT
        text_ = f"({number(raw, 2)} {MINUS} {m} × {far}) / {ROOT}"
        value = (shown(raw, 2) - float(m) * (i - j)) / ROOT
    else:
        other = slope_decimals(rate(state))
        text_, value = f"{put} {MINUS} {other} × {far}", shown(score) - float(other) * (i - j)
    lines.append(
        line(
            told, f"{text_} {sign(value, bad, places)} ", Term(number(bad, places), "warn", (("wrong", (i, j)),), True)
        )
    )
    for key, role in (("right", "where"), ("wrong", "warn")):
        lights = ((f"bars_{key}", (j,)), (key, (i, j)))
        _, sum_text, weight = shares[key]
        told = said(f"wrong.work_weight_{key}")
        lines.append(line(told, sum_text, Term(weight, role, lights)))  # type: ignore[arg-type]
    lines.insert(2, lines.pop())  # right and wrong scores, then the wrong weight, are what is seen first
    lines.append(line(Term(said(f"wrong.why_{state.fault}", n=state.n_heads), "muted")))
    lines.append(line(Term(said(f"wrong.seen_{state.fault}"), "muted")))
    return Worked(tuple(lines))


def frame(state: AlibiState, context: Context) -> Frame:
    kind = state.content
    n, i, j = n_shown(state), state.query_position, state.key_position
    pair = weights(kind, n, slope_of(state)), weights(kind, n, rate(state))
    square = {"x": Axis(0.0, float(n)), "y": Axis(0.0, float(n)), "invert_y": True}
    wrong = head_panel(
        state,
        Cell(0, 0, 8, 7),
        (_matrix(state, "wrong", pair[1]),),
        caption=said(f"wrong.form_{state.fault}", d=HEAD_DIM, root=ROOT, slope=slope_text(abs(rate(state)))),
        border="warn",
        **square,
    )
    right = Panel(
        "right_panel",
        Cell(0, 7, 8, 5),
        (_matrix(state, "right", pair[0]),),
        title=said("wrong.right"),
        caption=said("wrong.form_right", slope=slope_text(slope_of(state))),
        **square,  # type: ignore[arg-type]
    )
    words = Pair(("bars_right", "bars_wrong"), (said("wrong.bar_right"), said("wrong.bar_wrong")), ("where", "warn"))
    bars = pair_panel(
        "bars_panel",
        Cell(8, 0, 4, 12),
        (pair[0][i, : i + 1], pair[1][i, : i + 1]),
        words,
        n,
        j,
        title=said("wrong.bars", i=i, j=j, right=number(pair[0][i, j]), wrong=number(pair[1][i, j])),
    )
    title = said(f"wrong.title_{state.fault}")
    alt = said(
        "wrong.alt",
        fault=said(f"option.fault.{state.fault}"),
        head=state.head,
        i=i,
        j=j,
        right=number(pair[0][i, j]),
        wrong=number(pair[1][i, j]),
    )
    subtitle, worked = said("wrong.subtitle", head=state.head), _lines(state, kind, pair)
    return Frame(title, subtitle, (wrong, right, bars), worked, alt, notice=cut(state))


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    at = settle(state)
    moved = pick_cell(at, event, ("wrong", "right"), ("bars_wrong", "bars_right"), n_shown(at))
    return state if moved == at else moved


PAGE = Page(frame, ("fault", "head", "content", "query_position", "key_position", "n_heads"), act)
