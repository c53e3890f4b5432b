"""One pair of dimensions of a query and a key at two places: every number that RoPE's stage and arithmetic show."""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property, lru_cache

import numpy as np

from core.encodings import rotary
from core.stage.frame import Array
from core.stage.numbers import MINUS, count, number, short, shown
from core.values import dataclass

FARTHEST = 1_000_000
MOST_PAIRS = 128
DIALS_AT_ONCE = 24  # more small dials could not be read from the last row

Pair = tuple[float, float]


@lru_cache(maxsize=64)
def frequencies(head_dim: int, base: float) -> Array:
    """(head_dim // 2,) radians per token, fastest first."""
    return rotary.frequencies(head_dim, base)


def pairs_shown(pairs: int, picked: int) -> tuple[int, ...]:
    """Which pairs get a small dial: all, or evenly many of them and the picked one."""
    if pairs <= DIALS_AT_ONCE:
        return tuple(range(pairs))
    shown = np.linspace(0, pairs - 1, DIALS_AT_ONCE).round().astype(int)
    if picked not in shown:
        shown[np.abs(shown - picked).argmin()] = picked
    return tuple(int(pair) for pair in shown)


def written(value: float) -> str:
    """A positive number with four significant digits: ``1``, ``0.3162``, ``0.00003162``, ``62,830``."""
    decimals = _four_digits(value) if value > 0 else 3
    return short(round(value, decimals), max(0, decimals))


def _four_digits(value: float) -> int:
    """The decimals that give four significant digits."""
    return 3 - math.floor(math.log10(value))


def radians(angle: float) -> str:
    """An angle as the arithmetic has it: three decimals from 1 on, four below; four digits where those would be
    zeros, 0 for the dust that subtraction leaves."""
    if abs(angle) >= 1 or abs(angle) < 1e-9:
        return short(angle)
    if abs(angle) >= 0.001:
        return short(angle, 4)
    return (MINUS if angle < 0 else "") + written(abs(angle))


@dataclass(frozen=True)
class Scene:
    """Query at position ``m``, key at ``n`` (tokens, both may lie between two tokens while they move), one frequency
    ``theta`` in radians per token, and the two vectors before the turn."""

    m: float
    n: float
    gap: int
    theta: float
    query: Pair
    key: Pair

    @cached_property
    def query_length(self) -> float:
        return math.hypot(*self.query)

    @cached_property
    def key_length(self) -> float:
        return math.hypot(*self.key)

    @property
    def query_angle(self) -> float:
        return math.atan2(self.query[1], self.query[0])

    @property
    def key_angle(self) -> float:
        return math.atan2(self.key[1], self.key[0])

    @property
    def reach(self) -> float:
        """The largest score that these two vectors can have."""
        return self.query_length * self.key_length

    @property
    def offset(self) -> float:
        """The angle from k to q before any turn."""
        return self.query_angle - self.key_angle if self.reach else 0.0

    @cached_property
    def theta_text(self) -> str:
        """θ as it is written everywhere: four significant digits, and more where a position or the gap times what is
        written would not give the angle that is written."""
        least = max(4, _four_digits(self.theta))
        places = (math.floor(self.m), math.floor(self.n))  # steady while both tokens move on
        for decimals in range(least, least + 9):
            shown_theta = shown(self.theta, decimals)
            turns = all(number(at * shown_theta, 4) == number(at * self.theta, 4) for at in places)
            if turns and radians(self.gap * shown_theta) == radians(self.gap * self.theta):
                break
        return short(self.theta, decimals)

    @property
    def between(self) -> float:
        """The angle from the key's hand to the query's, in radians, full turns included."""
        return self.gap * self.theta + self.offset

    @property
    def wedge(self) -> float:
        """The same without the full turns."""
        return math.fmod(self.between, 2 * math.pi)

    @property
    def key_hand(self) -> float:
        return math.fmod(self.n * self.theta, 2 * math.pi) + self.key_angle

    @property
    def query_hand(self) -> float:
        """Beside the key's hand, so that the wedge between them is what is written."""
        return self.key_hand + self.wedge if self.reach else self.m * self.theta + self.query_angle

    @cached_property
    def turned_query(self) -> Pair:
        x, y = rotary.rotate(np.array(self.query), [self.m], [self.theta])
        return float(x), float(y)

    @cached_property
    def turned_key(self) -> Pair:
        x, y = rotary.rotate(np.array(self.key), [self.n], [self.theta])
        return float(x), float(y)

    @cached_property
    def score(self) -> float:
        """The product of the two turned vectors, without a division by the square root of the dimension."""
        found = rotary.scores(np.array(self.query), np.array(self.key), [self.m], [self.n], [self.theta])
        return float(found[0, 0])

    @cached_property
    def score_text(self) -> str:
        """Three decimals; four where three would write a perfect match that it is not."""
        three = number(self.score)
        perfect = three in (number(self.reach), number(-self.reach))
        return number(self.score, 4) if perfect and number(self.reach - abs(self.score), 4) != "0.0000" else three

    @property
    def score_decimals(self) -> int:
        return len(self.score_text.partition(".")[2])

    @property
    def resting(self) -> Scene:
        """At the whole positions that a move between two tokens started from."""
        whole_m, whole_n = math.floor(self.m), math.floor(self.n)
        return self if (whole_m, whole_n) == (self.m, self.n) else dataclasses.replace(self, m=whole_m, n=whole_n)

    @staticmethod
    def place(position: float) -> str:
        """A position as it is written: whole, or with the thousandths that the arithmetic uses."""
        return count(position) if position == int(position) else number(position, 3)
