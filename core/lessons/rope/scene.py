"""One pair of dimensions of a query and a key at two places: every number that RoPE's stage and arithmetic show."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from core.encodings import rotary
from core.stage.frame import Array
from core.stage.numbers import MINUS, count, number, short

FARTHEST = 1_000_000
MOST_PAIRS = 128

Pair = tuple[float, float]


@lru_cache(maxsize=64)
def frequencies(head_dim: int, base: float) -> Array:
    """(head_dim // 2,) radians per token, fastest first."""
    return rotary.frequencies(head_dim, base)


def written(value: float) -> str:
    """A positive number with four significant digits: ``1``, ``0.3162``, ``0.00003162``, ``62,830``."""
    decimals = 3 - math.floor(math.log10(value)) if value > 0 else 3
    return short(round(value, decimals), max(0, decimals))


def radians(angle: float) -> str:
    """An angle: three decimals, or four digits where it is small; 0 for the dust that subtraction leaves."""
    if abs(angle) >= 1 or abs(angle) < 1e-9:
        return short(angle)
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

    @staticmethod
    def place(position: float) -> str:
        """A position as it is written: whole, or with the thousandths that the arithmetic uses."""
        return count(position) if position == int(position) else number(position, 3)
