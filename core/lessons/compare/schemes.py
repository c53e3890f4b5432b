"""Seven ways to tell where a token stands, as one function: the scores of given queries and keys at given positions.

Sources: Vaswani et al. 2017 (sinusoidal), Gehring et al. 2017 (learned), Raffel et al. 2020 (T5), Su et al. 2021
(RoPE), Press et al. 2021 (ALiBi).
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from core.encodings import alibi, learned, naive, rotary, sinusoidal, t5
from core.encodings.checks import ArgumentError
from core.lessons.compare.content import MINILM_SCALE, Words
from core.stage.frame import Array
from core.tables import shipped
from core.values import dataclass

SCHEMES = ("none", "raw_index", "sinusoidal", "learned", "t5", "rope", "alibi")
ABSOLUTE = ("raw_index", "sinusoidal", "learned")
ROWS = 512  # of the learned table: MiniLM's
BUCKETS, FARTHEST = 32, 128  # T5's
T5_SEED = 5
HEADS = 8  # of ALiBi; the head picks the slope
EXACT = 1e-9  # what float64 may leave of a change that is none


@cache
def learned_table() -> Array:
    """(512, 384) MiniLM's position rows, scaled like its words."""
    return np.asarray(shipped.minilm_positions(), dtype=np.float64) * MINILM_SCALE


@cache
def t5_numbers() -> Array:
    """(32,) stand-ins for one head's learned numbers: a walk, drawn with a seed, that falls from bucket to bucket;
    first the keys at and before the query, then those after it."""
    steps = np.random.default_rng(T5_SEED).normal(-0.14, 0.22, size=BUCKETS).round(2)
    half = BUCKETS // 2
    steps[0] = steps[half] = 0.0
    return np.concatenate([steps[:half].cumsum(), steps[half:].cumsum()]).round(2) + 0.0


def bucket(distance: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """T5's bucket of key position − query position, in both directions."""
    return t5.buckets(distance, True, BUCKETS, FARTHEST)


@cache
def slope(head: int) -> float:
    return float(alibi.slopes(HEADS)[head - 1])


@lru_cache(maxsize=32)
def frequencies(d: int, base: float = 10_000.0) -> Array:
    return rotary.frequencies(d, base)


def new_angles(d: int, length: int, base: float = 10_000.0) -> tuple[int, int]:
    """Of how many of RoPE's pairs the slowest have not turned once within the trained length: their angles are new
    beyond it. The others have met every angle."""
    turns = length * rotary.frequencies(d, base) / (2 * math.pi)
    return int((turns < 1).sum()), d // 2


def position_rows(scheme: str, positions: Array, d: int, trained: int = ROWS) -> Array:
    """(n, d) what an adding scheme adds; zeros where a learned table has no row."""
    if scheme == "sinusoidal":
        return sinusoidal.table(positions, d)
    there = ~refused(scheme, positions, trained)
    rows = np.zeros((len(positions), d))
    rows[there] = learned_table()[positions[there].astype(np.int64), :d]
    return rows


def refused(scheme: str, positions: Array, trained: int) -> NDArray[np.bool_]:
    """(n,) where a scheme has nothing to say: a learned table past its last row."""
    return positions >= trained if scheme == "learned" else np.zeros(len(positions), dtype=bool)


def refusal(n: int, shift: int, trained: int) -> str:
    """What a model says that is asked for rows it does not have; "" where it has them."""
    try:
        learned.rows(learned_table()[:trained, :1], n, offset=shift)
    except ArgumentError as error:
        return str(error)
    return ""


def scores(
    scheme: str,
    q: Array,
    k: Array,
    query_positions: Array,
    key_positions: Array,
    trained: int = ROWS,
    head: int = 2,
    pairing: str = "adjacent",
) -> Array:
    """(m, n) the scaled scores of q (m, d) and k (n, d) at their positions (m,) and (n,), before any mask. Cells that
    a learned table refuses are 0 (see ``refused``). All are divided by √d, T5's too, which leaves that to training."""
    d = q.shape[1]
    if scheme == "raw_index":
        q, k = (np.hstack([x, naive.raw_index(at)]) for x, at in ((q, query_positions), (k, key_positions)))
        return np.asarray(q @ k.T / math.sqrt(d + 1))
    if scheme in ("sinusoidal", "learned"):
        q = q + position_rows(scheme, query_positions, d, trained)
        k = k + position_rows(scheme, key_positions, d, trained)
        found = q @ k.T / math.sqrt(d)
        found[refused(scheme, query_positions, trained)] = 0.0
        found[:, refused(scheme, key_positions, trained)] = 0.0
        return np.asarray(found)
    if scheme == "rope":
        turned = rotary.scores(q, k, query_positions, key_positions, frequencies(d), pairing)
        return turned / math.sqrt(d)
    found = q @ k.T / math.sqrt(d)
    if scheme == "none":
        return np.asarray(found)
    distance = key_positions[np.newaxis, :] - query_positions[:, np.newaxis]
    if scheme == "t5":
        return np.asarray(found + t5_numbers()[bucket(distance.astype(np.int64))])
    return np.asarray(found - slope(head) * np.abs(distance))


@dataclass(frozen=True, slots=True)
class Scores:
    """The score matrix of a text of n tokens that starts at ``shift``, computed where it is looked at."""

    scheme: str
    words: Words
    n: int
    shift: int
    d: int
    trained: int = ROWS
    head: int = 2

    @property
    def shape(self) -> tuple[int, ...]:
        return self.n, self.n

    def block(self, rows: slice, columns: slice) -> Array:
        x = self.words.rows(self.d, self.n)
        at = np.arange(self.n, dtype=np.float64) + self.shift
        return scores(self.scheme, x[rows], x[columns], at[rows], at[columns], self.trained, self.head)

    def at(self, query: int, key: int) -> float:
        return float(self.block(slice(query, query + 1), slice(key, key + 1))[0, 0])

    def hidden(self, window: tuple[int, int]) -> NDArray[np.bool_] | None:
        """(m, m) the cells of a window of m tokens that have no score; None where all have one."""
        gone = refused(self.scheme, np.arange(*window) + self.shift, self.trained)
        return gone[:, np.newaxis] | gone[np.newaxis, :] if gone.any() else None


@dataclass(frozen=True, slots=True)
class Change:
    """A cell's score at the start of a text and where it has moved."""

    query: int
    key: int
    before: float
    after: float


@lru_cache(maxsize=128)
def largest_change(moved: Scores, window: tuple[int, int]) -> Change | None:
    """The cell of a window whose score differs most from the same one at shift 0; None where no cell has both."""
    whole = slice(*window)
    start = Scores(moved.scheme, moved.words, moved.n, 0, moved.d, moved.trained, moved.head)
    before, after = start.block(whole, whole), moved.block(whole, whole)
    change = np.abs(after - before)
    hidden = moved.hidden(window)
    if hidden is not None:  # what is refused at the start is refused further on too
        if hidden.all():
            return None
        change[hidden] = -1.0
    query, key = (int(at) for at in np.unravel_index(int(change.argmax()), change.shape))
    return Change(window[0] + query, window[0] + key, float(before[query, key]), float(after[query, key]))


@lru_cache(maxsize=32)
def level(words: Words, n: int, d: int) -> float:
    """The end of the colour scale: a round number that holds the content's scores and the sinusoid's at the start. It
    stays when the text moves, so that colours can be compared."""
    part = slice(0, min(n, 32))
    most = max(
        float(np.abs(Scores(scheme, words, n, 0, d).block(part, part)).max()) for scheme in ("none", "sinusoidal")
    )
    return rounded_up(most)


def rounded_up(most: float) -> float:
    """The end of a colour scale: the next round number."""
    nice = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000)
    return float(next((end for end in nice if end >= most), 1e6))


@dataclass(frozen=True, slots=True)
class Product:
    """One of the four terms of (x + p)·(y + r), divided by √d: content or position of query and key."""

    added: str
    content: tuple[bool, bool]  # the query's side, the key's side
    words: Words
    n: int
    shift: int
    d: int
    trained: int

    @property
    def shape(self) -> tuple[int, ...]:
        return self.n, self.n

    def block(self, rows: slice, columns: slice) -> Array:
        a, b = (self._side(*side) for side in zip(self.content, (rows, columns), strict=True))
        return np.asarray(a @ b.T / math.sqrt(self.d))

    def _side(self, content: bool, part: slice) -> Array:
        if content:
            return self.words.rows(self.d, self.n)[part]
        at = np.arange(self.n, dtype=np.float64)[part] + self.shift
        return position_rows(self.added, at, self.d, self.trained)

    def at(self, query: int, key: int) -> float:
        return float(self.block(slice(query, query + 1), slice(key, key + 1))[0, 0])
