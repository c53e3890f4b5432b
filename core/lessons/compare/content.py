"""What the tokens say, before any position: their vectors, drawn with a seed or read from a shipped table.

A query and a key are the token's vector itself, no W_q and no W_k: so that what a scheme does is all that differs.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np

from core.stage.frame import Array
from core.stage.lesson import Context
from core.stage.text import text
from core.tables import shipped
from core.values import dataclass

KINDS = ("seeded", "glove", "minilm")
SEED = 42
SPREAD = 0.7  # of the drawn numbers: then scores of content and of position are of one size
WIDEST = 50  # numbers of a vector: as many as GloVe has
MINILM_SCALE = 20.0  # MiniLM's rows are short, for a norm follows them; × 20 they compare with drawn vectors
MOST_PACKED = 20  # tokens of all documents together
MOST_DOCUMENTS = 3


@dataclass(frozen=True, slots=True)
class Words:
    """Tokens with a vector each: how they are written, and what their vectors are found by; and those without one."""

    kind: str
    names: tuple[str, ...]
    keys: tuple[int, ...]
    missing: tuple[str, ...] = ()

    def rows(self, d: int, n: int) -> Array:
        """(n, d) the first d numbers of the vectors of n tokens, the words said again where they are fewer."""
        return _rows(self.kind, self.keys, d, n)

    def repeated(self, n: int) -> tuple[str, ...]:
        return tuple(self.names[i % len(self.names)] for i in range(n))


def sentence(kind: str, context: Context) -> Words:
    """The shared sentence. Drawn vectors belong to spellings; a table's own tokens without a row are left out."""
    if kind == "seeded":
        names = tuple(token.shown for token in context.tokens)
        return Words(kind, names, tuple(_spelled(name) for name in names))
    tokens = context.tokens if context.shared.table == kind else context.tokens_in(kind)
    found = [(token.shown, token.id) for token in tokens if token.id is not None]
    missing = tuple(token.shown for token in tokens if token.id is None)
    return Words(kind, tuple(name for name, _ in found), tuple(row for _, row in found), missing)


@dataclass(frozen=True, slots=True)
class Packed:
    """Documents in one sequence, a boundary token after each but the last if asked for."""

    words: Words
    lengths: tuple[int, ...]
    boundaries: tuple[int, ...]
    left_out: bool

    @property
    def names(self) -> tuple[str, ...]:
        return self.words.names


@lru_cache(maxsize=16)
def packed(documents: str, boundary: bool) -> Packed:
    """Documents are separated by ``|``, their words by spaces; what is more than the stage can show is left out."""
    parts = [part.split() for part in documents.split("|")]
    parts = [part for part in parts if part]
    room = MOST_PACKED
    names: list[str] = []
    lengths: list[int] = []
    boundaries: list[int] = []
    for number, part in enumerate(parts[:MOST_DOCUMENTS]):
        ends = boundary and number < min(len(parts), MOST_DOCUMENTS) - 1
        own = part[: max(room - ends, 0)]
        if not own:
            break
        names += own
        if ends:
            boundaries.append(len(names))
            names.append(text("compare.boundary_token"))
        lengths.append(len(own) + ends)
        room -= lengths[-1]
    left_out = len(names) - len(boundaries) < sum(map(len, parts))
    words = Words("seeded", tuple(names), tuple(_spelled(name) for name in names))
    return Packed(words, tuple(lengths), tuple(boundaries), left_out)


def _spelled(name: str) -> int:
    return crc32(name.encode("utf-8", "replace"))


@lru_cache(maxsize=32)
def _rows(kind: str, keys: tuple[int, ...], d: int, n: int) -> Array:
    vectors = np.array([_vector(kind, key)[:d] for key in keys])
    found = vectors[np.arange(n) % len(keys)]
    found.setflags(write=False)
    return found


@lru_cache(maxsize=512)
def _vector(kind: str, key: int) -> Array:
    """(WIDEST,) two decimals where drawn, so that what is printed is what is used."""
    if kind == "seeded":
        return np.random.default_rng([SEED, key]).normal(scale=SPREAD, size=WIDEST).round(2) + 0.0
    row = shipped.table(kind).row(key)[:WIDEST].astype(np.float64)
    return np.asarray(row * MINILM_SCALE if kind == "minilm" else row)
