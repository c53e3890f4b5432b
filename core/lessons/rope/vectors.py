"""The gap page's vectors: equal ones, random draws, and SmolLM2's own first-layer queries and keys."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import attention, rotary
from core.lessons.rope.scene import frequencies
from core.stage.frame import Array
from core.tables import shipped
from core.values import dataclass

SPACE = "Ġ"  # how the vocabulary writes a leading space
POINTS = 481
LEFT_OUT = 0.1  # of the draws, at either end of the band


@dataclass(frozen=True, eq=False)
class Products:
    """Per pair i the score's two parts: q·k = Σ cosine[i] · cos(gap · θ[i]) + sine[i] · sin(gap · θ[i]), (pairs,)."""

    cosine: Array
    sine: Array
    theta: Array

    def parts(self, gap: float) -> Array:
        """What each pair adds at this gap, (pairs,)."""
        found: Array = self.cosine * np.cos(gap * self.theta) + self.sine * np.sin(gap * self.theta)
        return found

    def curve(self, gaps: Array) -> Array:
        turn = np.multiply.outer(gaps, self.theta)
        found: Array = np.cos(turn) @ self.cosine + np.sin(turn) @ self.sine
        return found


def products(q: Array, k: Array, theta: Array) -> Products:
    """Of two vectors (..., d) whose adjacent entries are pairs."""
    a, b, c, d = q[..., 0::2], q[..., 1::2], k[..., 0::2], k[..., 1::2]
    return Products(a * c + b * d, a * d - b * c, theta)


@lru_cache(maxsize=32)
def gaps(span: int) -> Array:
    """Whole gaps from 0 to ``span``, all of them or evenly many."""
    found: Array = np.unique(np.linspace(0, span, POINTS).round()) if span >= POINTS else np.arange(span + 1.0)
    return found


@lru_cache(maxsize=16)
def equal(turned: int, base: float) -> Products:
    """q = k with the same length in each pair, 1 in all: the score is the average of the pairs' cosines."""
    theta = frequencies(turned, base)
    return Products(np.full(len(theta), 1 / len(theta)), np.zeros(len(theta)), theta)


@lru_cache(maxsize=16)
def drawn(turned: int, base: float, seed: int) -> Products:
    """One q and one k, each entry from a normal distribution with mean 0 and variance 1."""
    q, k = draw(turned, seed, 1)
    return products(q[0], k[0], frequencies(turned, base))


def draw(turned: int, seed: int, draws: int) -> tuple[Array, Array]:
    found = np.random.default_rng([seed, turned]).normal(size=(draws, 2, turned))
    return found[:, 0], found[:, 1]


@lru_cache(maxsize=16)
def band(turned: int, base: float, seed: int, draws: int, span: int) -> tuple[Array, Array]:
    """Between which scores eight of ten draws lie at each gap, (gaps,) each."""
    q, k = draw(turned, seed, draws)
    theta = frequencies(turned, base)
    all_of = products(q, k, theta)
    turn = np.multiply.outer(theta, gaps(span))
    scores = all_of.cosine @ np.cos(turn) + all_of.sine @ np.sin(turn)
    ordered = np.sort(scores, axis=0)
    cut = round(LEFT_OUT * draws)
    return ordered[cut], ordered[draws - 1 - cut]


@lru_cache(maxsize=64)
def row_of(word: str) -> int | None:
    """The row of a word of SmolLM2's table: with a space before it as inside a sentence, else as typed."""
    plain = word.strip()
    if not plain:
        return None
    table = shipped.table("smollm2")
    found = table.find(SPACE + plain)
    return table.find(plain) if found is None else found


def shown_word(word: str) -> str:
    """The token as it was found: ``␣cat`` with the space that belongs to it."""
    row = row_of(word)
    return word.strip() if row is None else shipped.table("smollm2").tokens[row].replace(SPACE, "␣")


@lru_cache(maxsize=64)
def first_layer(query_word: str, key_word: str, head: int) -> tuple[Array, Array] | None:
    """(64,) query and key of these words in attention head 1 … 9 of the first layer; None where a word has no row."""
    rows = row_of(query_word), row_of(key_word)
    if rows[0] is None or rows[1] is None:
        return None
    layer, table = shipped.smollm2_layer0(), shipped.table("smollm2")
    both = np.stack([table.row(rows[0]), table.row(rows[1])]).astype(np.float64)
    x = attention.rms_norm(both, layer.attn_norm, layer.eps)
    d, group = layer.head_dim, (head - 1) * layer.n_kv_heads // layer.n_heads
    q: Array = x[0] @ layer.q[(head - 1) * d : head * d].T.astype(np.float64)
    k: Array = x[1] @ layer.k[group * d : (group + 1) * d].T.astype(np.float64)
    return q, k


@lru_cache(maxsize=64)
def word_products(query_word: str, key_word: str, head: int) -> Products | None:
    both = first_layer(query_word, key_word, head)
    layer = shipped.smollm2_layer0()
    return None if both is None else products(*both, frequencies(layer.head_dim, layer.rope_theta))


@lru_cache(maxsize=128)
def turned_scores(q: tuple[float, ...], k: tuple[float, ...], base: float, m: int, n: int) -> tuple[float, float]:
    """The score as a model computes it, by turning both vectors: in 64-bit and in 32-bit numbers."""
    theta = frequencies(len(q), base)
    wide = float(rotary.scores(np.array(q), np.array(k), [m], [n], theta)[0, 0])
    small = np.float32
    rotated = []
    for vector, place in ((q, m), (k, n)):
        angle = small(place) * theta.astype(small)
        x, y = np.array(vector[0::2], small), np.array(vector[1::2], small)
        cosine, sine = np.cos(angle), np.sin(angle)
        rotated.append(np.stack([x * cosine - y * sine, x * sine + y * cosine]))
    return wide, float((rotated[0] * rotated[1]).sum(dtype=small))
