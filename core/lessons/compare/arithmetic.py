"""One score on the blackboard, under any scheme: products of printed numbers, "≈" where the last digit differs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.encodings import rotary
from core.lessons.compare import schemes
from core.lessons.compare.words import change_text, changed, said, score_text
from core.stage.frame import Array, Line, Term, Worked, line
from core.stage.numbers import MINUS, count, number, short, shown
from core.values import dataclass

FEW = 4  # numbers of a vector whose products are written out
WRITTEN_OUT = 5  # terms of a sum that stand on one line with its name and its total
Lights = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, eq=False)
class Pair:
    """A query's and a key's vector (d,) and where they stand."""

    x: Array
    y: Array
    query: int
    key: int
    trained: int
    head: int
    lights: Lights = ()

    @property
    def d(self) -> int:
        return len(self.x)

    def moved(self, by: int) -> Pair:
        return Pair(self.x, self.y, self.query + by, self.key + by, self.trained, self.head, self.lights)

    def score(self, scheme: str) -> float | None:
        """None where the learned table refuses."""
        at = np.array([float(self.query)]), np.array([float(self.key)])
        if any(schemes.refused(scheme, place, self.trained)[0] for place in at):
            return None
        found = schemes.scores(scheme, self.x[np.newaxis], self.y[np.newaxis], *at, self.trained, self.head)
        return float(found[0, 0])

    def terms(self, scheme: str) -> Array:
        """(4,) x·y, x·r, p·y and p·r of an adding scheme, before the division."""
        at = np.array([float(self.query), float(self.key)])
        p, r = schemes.position_rows(scheme, at, self.d, self.trained)
        return np.array([self.x @ self.y, self.x @ r, p @ self.y, p @ r])


def score_lines(scheme: str, pair: Pair) -> list[Line]:
    """From the vectors to the score: two lines at most."""
    score = pair.score(scheme)
    if score is None:
        place = max(pair.query, pair.key)
        return [line(Term(said("work.refused", row=count(place), last=count(pair.trained - 1)), "warn", pair.lights))]
    content = float(pair.x @ pair.y)
    end = Term(score_text(score), "where", pair.lights, bold=True)
    root = _root(pair.d)
    if scheme == "raw_index":
        long = _root(pair.d + 1)
        i, j = count(pair.query), count(pair.key)
        told = (shown(content) + pair.query * pair.key) / shown(math.sqrt(pair.d + 1))
        start = f"(q·k + i × j) / √{pair.d + 1} = ({number(content)} + {i} × {j}) / {long}"
        return [line(start), line(f"{_sign(told, score)} ", end)]
    if scheme in ("sinusoidal", "learned"):
        return _divided("x·y + x·r + p·y + p·r = ", pair.terms(scheme), pair.d, end)
    scaled = content / math.sqrt(pair.d)
    places, exact = _places(content, pair.d)
    divided = f"q·k / √{pair.d} = {number(content, places)} / {root} {_told(exact)} "
    division = divided + number(scaled)
    if scheme == "rope":
        return _turned(_pairs(pair), pair.d, end)
    if scheme == "t5":
        place = int(schemes.bucket(np.array([pair.key - pair.query]))[0])
        bias = float(schemes.t5_numbers()[place])
        fields = {"gap": number(pair.key - pair.query, 0), "bucket": place, "bias": number(bias, 2)}
        looked_up = f"{division}, {said('work.bucket', **fields)}"
        return [
            line(looked_up),
            line(f"{number(scaled)} {_signed(bias, 2)} {_sign(shown(scaled) + bias, score)} ", end),
        ]
    if scheme == "alibi":
        m, gap = schemes.slope(pair.head), abs(pair.query - pair.key)
        told = shown(scaled) - m * gap
        product = f"{MINUS} {short(m, 8)} × {count(gap)}"
        return [
            line(division),
            line(f"{said('work.slope')} × |i {MINUS} j|:  {number(scaled)} {product} {_sign(told, score)} ", end),
        ]
    return [line(divided, end)]


def moved_line(scheme: str, pair: Pair, shift: int) -> Line:
    """The same two tokens at the start and moved: ``at 0: 0.593, moved by 1,000: 0.593, change 0.000``."""
    start, here = pair.moved(-shift).score(scheme), pair.score(scheme)
    if start is None or here is None:
        return line(said("work.not_there"))
    return line(
        said("work.moved", start=score_text(start), shift=count(shift), here=score_text(here)),
        Term(change_text(changed(start, here)), "where", bold=True),
    )


def product_lines(name: str, a: Array, b: Array) -> list[Line]:
    """A dot product and its division by √d, three lines, where the vectors are short enough to be written out."""
    if len(a) > FEW:
        return []
    total, root = float(a @ b), math.sqrt(len(a))
    factors = [f"({short(x)})({short(y)})" for x, y in zip(a, b, strict=True)]
    products = np.array([shown(shown(x) * shown(y), 4) for x, y in zip(a, b, strict=True)])
    space = " " * len(name)
    decimals, exact = _places(total, len(a))
    scaled = f"/ {short(root)} {_told(exact)} {number(total / root)}"
    return [
        line(f"{name} = {' + '.join(factors[:2])}"),
        line(f"{space} + {' + '.join(factors[2:])}" if factors[2:] else ""),
        line(f"{space} = {_sum(products, total, 4, decimals)},  {scaled}"),
    ]


def _pairs(pair: Pair) -> Array:
    """(d/2,) what each turned pair adds to the product."""
    speeds = schemes.frequencies(pair.d)
    at = np.array([float(pair.query)]), np.array([float(pair.key)])
    turned = [rotary.rotate(v[np.newaxis], p, speeds)[0] for v, p in zip((pair.x, pair.y), at, strict=True)]
    return np.asarray((turned[0] * turned[1]).reshape(-1, 2).sum(1))


def added(parts: Sequence[float], total: float, least: int = 3, of: int = 3) -> tuple[int, bool]:
    """With how many decimals printed parts add up to the total, printed with ``of``, and whether they do."""
    for decimals in range(least, 7):
        if number(sum(shown(part, decimals) for part in parts), of) == number(total, of):
            return decimals, True
    return least, False


def spelled(parts: Sequence[float], decimals: int) -> str:
    """``1.200 − 0.300``."""
    return " ".join([number(parts[0], decimals), *(_signed(part, decimals) for part in parts[1:])])


def _sum(parts: Array, total: float, least: int = 3, of: int = 3) -> str:
    """``1.200 − 0.300 = 0.900``. The total with ``of`` decimals."""
    decimals, exact = added(parts.tolist(), total, max(least, of), of)
    return f"{spelled(parts.tolist(), decimals)} {_told(exact)} {number(total, of)}"


def _signed(value: float, decimals: int = 3) -> str:
    rounded = shown(value, decimals)
    return f"{MINUS if rounded < 0 else '+'} {number(abs(rounded), decimals)}"


def _root(d: int) -> str:
    return short(math.sqrt(d))


def _root_shown(d: int) -> float:
    return shown(math.sqrt(d))


def _places(total: float, d: int) -> tuple[int, bool]:
    """With how many decimals a printed total, divided by the printed √d, gives the printed quotient."""
    for decimals in range(3, 6):
        if number(shown(total, decimals) / _root_shown(d)) == number(total / math.sqrt(d)):
            return decimals, True
    return 3, False


def _divided(start: str, parts: Array, d: int, end: Term) -> list[Line]:
    """A sum and its division by √d, with the same digits in both lines."""
    total = float(parts.sum())
    decimals, exact = _places(total, d)
    summed = _sum(parts, total, of=decimals)
    return [
        line(start if len(start + summed) <= Worked.COLUMNS else said("work.sum"), summed),
        line(f"{number(total, decimals)} / {_root(d)} {_told(exact)} ", end),
    ]


def _turned(parts: Array, d: int, end: Term) -> list[Line]:
    """The turned pairs and their sum's division by √d: few as a sum, some on a line of their own, of many the first."""
    if len(parts) <= WRITTEN_OUT:
        return _divided(said("work.turned"), parts, d, end)
    score = number(float(parts.sum()) / math.sqrt(d))
    for decimals in (3, 4):
        total = sum(shown(part, decimals) for part in parts)
        written = spelled(parts.tolist(), decimals)
        if len(written) <= Worked.COLUMNS and number(total / _root_shown(d)) == score:
            told = said("work.all_pairs", total=number(total, decimals), pairs=len(parts))
            return [line(written), line(f"{told}; {number(total, decimals)} / {_root(d)} = ", end)]
    total = float(parts.sum())
    decimals, exact = _places(total, d)
    first = said("work.turned") + spelled(parts[:3].tolist(), decimals)
    return [
        line(first + said("work.more", more=len(parts) - 3) + number(total, decimals)),
        line(f"{number(total, decimals)} / {_root(d)} {_told(exact)} ", end),
    ]


def _sign(told: float, true: float) -> str:
    """≈ where the printed numbers come out otherwise than the full precision."""
    return _told(score_text(told) == score_text(true))


def _told(exact: bool) -> str:
    return "=" if exact else "≈"
