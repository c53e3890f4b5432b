"""From scores to weights in one row of attention, and ALiBi's bias on the blackboard.

Source: Press et al. 2021, "Train Short, Test Long", section 3.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.encodings import alibi
from core.encodings.attention import attention
from core.stage.frame import Array, Line, Term, Worked, line
from core.stage.numbers import MINUS, count, number, short, shown
from core.stage.text import text
from core.values import dataclass

HEAD_DIM = 64  # of the scores that are shown: each was divided by its root, 8
SEED = 2021
TERMS = 8  # of a sum that fit on one line

Lights = tuple[tuple[str, tuple[int, ...]], ...]


@lru_cache(maxsize=64)
def slopes(n_heads: int, max_exponent: int = 8) -> tuple[float, ...]:
    """The slope of each head, head 1 first."""
    return tuple(alibi.slopes(n_heads, max_exponent).tolist())


@lru_cache(maxsize=8)
def content(kind: str, query: int, n_keys: int) -> Array:
    """(n_keys,) q·k / √d of one query as if no token had a place: all alike, or drawn with a fixed seed. Two decimals,
    so that what is shown is what is used."""
    if kind == "equal":
        return np.zeros(n_keys)
    return np.random.default_rng([SEED, query]).normal(size=n_keys).round(2) + 0.0


@dataclass(frozen=True, eq=False)
class Row:
    """What one query gives to its keys, (n_keys,) each, and the sum that the weights with the bias are shares of."""

    scores: Array
    bias: Array
    weights: Array  # with the bias
    plain: Array  # without
    exponentials: Array  # e^(score + bias)
    total: float


@lru_cache(maxsize=64)
def row(kind: str, query: int, n_tokens: int, symmetric: bool, slope: float) -> Row:
    """A causal query has the keys up to itself, a symmetric one all ``n_tokens``."""
    n_keys = n_tokens if symmetric else query + 1
    return row_from(content(kind, query, n_keys), query, symmetric, slope)


def row_from(scores: Array, query: int, symmetric: bool, slope: float) -> Row:
    """The row of these scores (n_keys,), which are scaled already."""
    n_keys = len(scores)
    bias = alibi.bias([slope], 1, n_keys, symmetric, query_start=query)[0]
    q, k, v = np.ones((1, 1)), scores[:, np.newaxis], np.zeros((n_keys, 1))
    with_bias = attention(q, k, v, bias=bias, scale=1.0)
    plain = attention(q, k, v, scale=1.0)
    exponentials: Array = np.exp(scores + bias[0])
    return Row(scores, bias[0], with_bias.weights[0], plain.weights[0], exponentials, float(exponentials.sum()))


def slope_text(slope: float) -> str:
    """``1/8`` where it is one over a whole number, else four decimals, or more of a very small one."""
    part = 1 / slope
    if slope == 1:
        return "1"
    return f"1/{count(part)}" if abs(part - round(part)) < 1e-9 else number(slope, max(4, 1 - _power(slope)))


def slope_decimals(slope: float) -> str:
    """The slope as a number: exact where it is a whole number of 256ths, else with four significant digits."""
    if abs(slope * 256 - round(slope * 256)) < 1e-12:
        return short(slope, 8)
    return number(slope, 3 - _power(slope))


def _power(value: float) -> int:
    return math.floor(math.log10(value))


def weight_text(weight: float, decimals: int = 3) -> str:
    """Three decimals, or one digit where that would be 0.000."""
    if weight >= 0.5 * 10.0**-decimals or weight < 1e-12:
        return number(weight, decimals)
    return number(weight, -math.floor(math.log10(weight)))


def weight_decimals(found: Row, key: int) -> int:
    """Three, or as many more as tell the weight from the one without the bias."""
    pair = float(found.weights[key]), float(found.plain[key])
    if abs(pair[0] - pair[1]) < 1e-9:
        return 3
    return next((places for places in range(3, 6) if number(pair[0], places) != number(pair[1], places)), 3)


def weight_texts(found: Row, key: int) -> tuple[str, str]:
    """A weight with and without the bias, told apart."""
    places = weight_decimals(found, key)
    return weight_text(float(found.weights[key]), places), weight_text(float(found.plain[key]), places)


def exponent_places(total: float, decimals: int, least: int = 3) -> int:
    """Decimals of an exponent from which e^total comes out with ``decimals``; at most 6, then it is but near."""
    power = number(math.exp(total), decimals)
    return next((places for places in range(least, 7) if _power_of(total, places, decimals) == power), least)


def power_sign(total: float, places: int, decimals: int) -> str:
    """ "=" where e to the power of the printed exponent gives the printed power, else "≈"."""
    return _sign(_power_of(total, places, decimals) == number(math.exp(total), decimals))


def _power_of(total: float, places: int, decimals: int) -> str:
    return number(math.exp(shown(total, places)), decimals)


def half_distance(slope: float) -> float:
    """Tokens after which a weight has fallen to one half, at equal scores."""
    return math.log(2) / slope


def worked(
    head: int, rule: str, slope: float, query: int, key: int, symmetric: bool, found: Row, bar: Lights
) -> Worked:
    """One cell from score to weight; then the sum below it, where the slope comes from, and what is to be kept.
    ``rule``: the slope as :func:`slope_rule` writes it; ``bar``: what a weight lights."""
    score, bias = float(found.scores[key]), float(found.bias[key])
    cell = (("bias", (query, key)),)
    between = f"|{count(query)} {MINUS} {count(key)}|" if symmetric else f"({count(query)} {MINUS} {count(key)})"
    form = f"{MINUS}m |i {MINUS} j|" if symmetric else f"{MINUS}m (i {MINUS} j)"
    distance = abs(query - key)
    power = float(found.exponentials[key])
    total = found.total
    weight = float(found.weights[key])
    places = weight_decimals(found, key)
    fine = exponent_places(score + bias, places)
    m = _slope_for(slope, distance, fine)
    exact_bias = number(-float(m) * distance, fine) == number(bias, fine)
    sign = f"+ {number(bias, fine)}" if shown(bias, fine) > 0 else f"{MINUS} {number(abs(bias), fine)}"
    exact_weight = number(shown(power, places) / shown(total, places), places) == number(weight, places)
    root = math.isqrt(HEAD_DIM)
    lines: list[Line] = [
        line(text("alibi.work_score", d=HEAD_DIM, raw=number(score * root, 2), root=root, score=number(score))),
        line(
            text("alibi.work_bias"),
            Term(f"{form} = {MINUS}{m} × {between} {_sign(exact_bias)} {number(bias, fine)}", "where", cell),
        ),
        line(
            text("alibi.work_weight"),
            f"e^({number(score)} {sign}) / sum {power_sign(score + bias, fine, places)} ",
            f"{number(power, places)} / {number(total, places)} {_sign(exact_weight)} ",
            Term(number(weight, places), "where", bar, bold=True),
        ),
        line(text("alibi.work_sum", last=count(len(found.scores) - 1))),
        *_sum(found.exponentials, total),
        without_line(score, found.scores, float(found.plain[key]), weight_texts(found, key)[1]),
        line(text("alibi.work_slope", head=head, rule=rule, slope=slope_decimals(slope))),
        _after("half", math.log(2), slope),
        _after("percent", math.log(100), slope),
        *(
            line(Term(text(f"alibi.work_{fact}", root=root, d=HEAD_DIM), "muted"))
            for fact in ("order", "soft", "reach")
        ),
    ]
    return Worked(tuple(lines))


def without_line(score: float, scores: Array, plain: float, written: str) -> Line:
    """Where the weight without the bias comes from; ``written``: as the stage shows it."""
    power, total = math.exp(score), float(np.exp(scores).sum())
    decimals = len(written.partition(".")[2])
    exact = number(shown(power) / shown(total), decimals) == number(plain, decimals)
    told = text("alibi.work_without", score=number(score), power=number(power), total=number(total))
    return line(told, f" {_sign(exact)} {written}")


def _after(key: str, log: float, slope: float) -> Line:
    """After how many tokens a weight has fallen so far."""
    m, tokens = slope_decimals(slope), number(log / slope, 1)
    exact = _sign(number(log / float(m), 1) == tokens)
    return line(text(f"alibi.work_{key}", slope=m, sign=exact, tokens=tokens))


def slope_rule(head: int, n_heads: int, max_exponent: int = 8) -> str:
    """Where this head's slope comes from: ``2^(−8 × 3 / 8)``; past the next lower power of two every other slope of
    twice as many heads."""
    lower = 1 << (n_heads.bit_length() - 1)
    number_, of = (head, lower) if head <= lower else (2 * (head - lower) - 1, 2 * lower)
    return f"2^({MINUS}{max_exponent} × {number_} / {of})"


def _sum(exponentials: Array, total: float) -> tuple[Line, Line]:
    if len(exponentials) > TERMS:
        parts = [*map(number, exponentials[:3]), "…", *map(number, exponentials[-3:])]
        return line(" + ".join(parts)), line(f"= {number(total)}")
    exact = number(sum(shown(value) for value in exponentials)) == number(total)
    return line(" + ".join(map(number, exponentials))), line(f"{_sign(exact)} {number(total)}")


def _slope_for(slope: float, distance: int, places: int) -> str:
    """The slope with so many decimals that it gives the bias as it is written, with ``places`` decimals."""
    if abs(slope * 256 - round(slope * 256)) < 1e-12:
        return short(slope, 8)  # exact
    least = max(4, 1 - _power(slope))
    bias = number(slope * distance, places)
    decimals = next((d for d in range(least, 10) if number(shown(slope, d) * distance, places) == bias), 10)
    return short(slope, decimals)


def _sign(exact: bool) -> str:
    return "=" if exact else "≈"
