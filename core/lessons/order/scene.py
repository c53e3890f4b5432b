"""Self-attention over one sentence in two orders, and what stayed equal.

Source: Vaswani et al. 2017, section 3.2; the lesson "The order problem"; Haviv et al. 2022 for the causal mask.
Positions count from 0. A token is known by its place in the typed sentence.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from core.encodings import alibi, naive, rotary, sinusoidal
from core.encodings.attention import attention
from core.lessons.order import vectors
from core.lessons.order.vectors import HEAD, Word
from core.stage.frame import Array
from core.values import dataclass

SCHEMES = ("none", "raw_index", "sinusoidal", "learned", "rope", "alibi")
ADDED = ("sinusoidal", "learned")  # to the token's vector
AT_THE_INPUT = ("raw_index", *ADDED)
SAME = 1e-12
SLOPE = 0.5  # head 1 of 8
BASE = 10_000.0

Order = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Run:
    """One order, by place: ``order[p]`` is the token there. x (n, d_in) with its position, where one is added or
    appended; q, k (n, 4) as they meet, turned with RoPE; plain_q, plain_k before that; scores and weights (n, n)."""

    order: Order
    x: Array
    places: Array | None  # (n, d) or (n, 1): what was added or appended
    plain_q: Array
    plain_k: Array
    q: Array
    k: Array
    v: Array
    bias: Array | None
    allowed: Array  # (n, n) bool
    scores: Array  # q·k / √4, and the bias
    weights: Array
    output: Array

    @cached_property
    def where(self) -> Order:
        """The place of each token."""
        return tuple(self.order.index(token) for token in range(len(self.order)))


def run(origin: str, words: tuple[Word, ...], scheme: str, causal: bool, seed: int, order: Order) -> Run:
    """Attention over the sentence in this order; n ≥ 1 tokens."""
    n = len(order)
    places = np.arange(n, dtype=float)
    x, added = _with_positions(origin, words, scheme, order, places)
    w = vectors.projections(origin, seed)[:, : x.shape[1]]
    plain_q, plain_k, v = (_rows_times(x, matrix) for matrix in w)
    q, k = plain_q, plain_k
    if scheme == "rope":
        speeds = rotary.frequencies(HEAD, BASE)
        q, k = rotary.rotate(plain_q, places, speeds), rotary.rotate(plain_k, places, speeds)
    bias = alibi.bias([SLOPE], n, n, symmetric=not causal)[0] if scheme == "alibi" else None
    allowed = np.tril(np.ones((n, n), dtype=np.bool_)) if causal else np.ones((n, n), dtype=np.bool_)
    found = attention(q, k, v, bias=bias, mask=allowed)
    return Run(
        order, x, added, plain_q, plain_k, q, k, v, bias, allowed, found.scores, found.weights, found.output + 0.0
    )


def _with_positions(
    origin: str, words: tuple[Word, ...], scheme: str, order: Order, places: Array
) -> tuple[Array, Array | None]:
    if scheme == "learned":
        return vectors.with_learned(origin, words, order)
    x = vectors.token_vectors(origin, words)[list(order)]
    if scheme == "sinusoidal":
        added = sinusoidal.table(places, x.shape[1], BASE)
        return x + added, added
    if scheme == "raw_index":
        appended = naive.raw_index(places)
        return np.concatenate([x, appended], axis=1), appended
    return x, None


def _rows_times(x: Array, matrix: Array) -> Array:
    """x @ matrix, each row on its own: the same row gives the same digits wherever it stands."""
    rows: Array = np.array([row @ matrix for row in x])
    return rows


@dataclass(frozen=True, eq=False)
class Scene:
    """The sentence in both orders. ``gaps`` (n,): how far each token's output moved, its largest number."""

    words: tuple[Word, ...]
    typed: Run
    moved: Run
    gaps: Array

    @property
    def n(self) -> int:
        return len(self.words)

    @cached_property
    def same(self) -> tuple[bool, ...]:
        """Whether each token's output is equal in both orders, within 1e-12."""
        return tuple(bool(gap <= SAME) for gap in self.gaps)

    @property
    def equivariant(self) -> bool:
        """Whether the outputs move with their tokens."""
        return all(self.same)

    @cached_property
    def invariant(self) -> bool:
        """Whether the outputs stay in their places, whatever stands there."""
        return bool(np.abs(self.typed.output - self.moved.output).max() <= SAME)

    def _reads(self, order: Order) -> tuple[Word, ...]:
        return tuple(self.words[token] for token in order)

    @cached_property
    def unmoved(self) -> bool:
        """Whether both orders read the same."""
        return self._reads(self.moved.order) == self.words

    @cached_property
    def mirrored(self) -> bool:
        """Whether the second order reads as the first one backwards."""
        return self._reads(self.moved.order) == self.words[::-1]


@lru_cache(maxsize=64)
def scene(origin: str, words: tuple[Word, ...], scheme: str, causal: bool, seed: int, order: Order) -> Scene:
    """Both orders of the sentence; ``order`` is a permutation of its tokens."""
    typed = run(origin, words, scheme, causal, seed, tuple(range(len(words))))
    moved = run(origin, words, scheme, causal, seed, order)
    gaps: Array = np.abs(typed.output - moved.output[list(moved.where)]).max(axis=1)
    return Scene(words, typed, moved, gaps)
