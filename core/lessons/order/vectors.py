"""Where the numbers come from: a vector for every token of the sentence, seeded weights, and a small position table.

Words that the lessons' tables lack get seeded numbers, and the stage says so; the tables of real models invent nothing:
a word that they lack is left out, and the stage says that.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np

from core.encodings import attention, learned
from core.stage.frame import Array
from core.stage.lesson import Context
from core.tables import shipped
from core.tables.tokens import Token, visible
from core.values import dataclass

MOST = 12  # tokens
HEAD = 4  # numbers of a query, a key and a value
ORIGINS = ("lesson", "glove", "minilm")
LESSON_TABLES = ("lesson_animals", "lesson_random")  # both with rows of four numbers
SPREAD = {"lesson": 1.0, "glove": 0.15, "minilm": 0.07}  # of the weights before they are rounded
_TABLE_SEED = 2017  # of the small learned table and of words without a row


@dataclass(frozen=True, slots=True)
class Word:
    """A token of the sentence. ``table`` says whose row ``row`` is; "" where its numbers are seeded."""

    shown: str
    piece: str
    table: str = ""
    row: int = -1


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens that take part, and those that could not: without a row, or beyond the twelfth. ``unknown``: what was
    typed where the vocabulary's stand-in takes part; ``read_as``: what was typed and the row that was read."""

    words: tuple[Word, ...]
    left_out: tuple[str, ...] = ()
    too_many: int = 0
    unknown: tuple[str, ...] = ()
    read_as: tuple[tuple[str, str], ...] = ()

    @property
    def seeded(self) -> tuple[str, ...]:
        """The words whose numbers come from no table, each once."""
        return tuple(dict.fromkeys(word.shown for word in self.words if not word.table))


def sentence(origin: str, context: Context) -> Sentence:
    """The typed sentence as ``origin`` can read it."""
    tokens = context.tokens_in(LESSON_TABLES[0] if origin == "lesson" else origin)
    if origin == "lesson":
        words = [_lesson_word(token) for token in tokens]
        return Sentence(tuple(words[:MOST]), (), max(0, len(words) - MOST), *_otherwise(tokens[:MOST], context))
    table = shipped.table(origin)
    here = [(token, number) for token in tokens if (number := token.token_id) is not None]
    words = [Word(token.shown, token.piece, origin, table.row_of(number)) for token, number in here[:MOST]]
    missing = tuple(dict.fromkeys(token.shown for token in tokens if token.missing))
    part = tuple(token for token, _ in here[:MOST])
    return Sentence(tuple(words), missing, max(0, len(here) - MOST), *_otherwise(part, context))


def _otherwise(tokens: tuple[Token, ...], context: Context) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """What stands for something else than it looks: unknown to the vocabulary, or spelt otherwise, each once."""
    typed = [(context.shared.sentence[token.start : token.end], token) for token in tokens]
    unknown = dict.fromkeys(visible(word) for word, token in typed if token.unknown)
    others = dict.fromkeys(
        (visible(word), token.shown)
        for word, token in typed
        if not token.unknown and word != token.piece.removeprefix("##")
    )
    return tuple(unknown), tuple(others)


def _lesson_word(token: Token) -> Word:
    for table_id in LESSON_TABLES:
        row = shipped.table(table_id).find(token.piece)
        if row is not None:
            return Word(token.shown, token.piece, table_id, row)
    return Word(token.shown, token.piece)


def width(origin: str) -> int:
    """Numbers of a token's vector."""
    return HEAD if origin == "lesson" else shipped.table(origin).dim


@lru_cache(maxsize=16)
def token_vectors(origin: str, words: tuple[Word, ...]) -> Array:
    """(n, d) float64: lesson rows and seeded ones as they are, with at most two decimals; rows of GloVe and MiniLM
    brought to root mean square 1 (RMS norm without a weight, as before the attention of Llama)."""
    rows = _rows(origin, words)
    return rows if origin == "lesson" else attention.rms_norm(rows)


@lru_cache(maxsize=16)
def _rows(origin: str, words: tuple[Word, ...]) -> Array:
    found = np.empty((len(words), width(origin)))
    for index, word in enumerate(words):
        found[index] = shipped.table(word.table).row(word.row) if word.table else _drawn(word.piece)
    return found


def _drawn(piece: str) -> Array:
    """(4,) one decimal, drawn with the word itself as the seed: the same word always gets the same numbers."""
    seed = zlib.crc32(piece.encode("utf-8", "replace"))
    drawn: Array = np.random.default_rng([_TABLE_SEED, seed]).uniform(-1.0, 1.0, HEAD).round(1) + 0.0
    return drawn


def with_learned(origin: str, words: tuple[Word, ...], order: tuple[int, ...]) -> tuple[Array, Array]:
    """((n, d) vectors of the tokens in this order, with learned positions 0 … n - 1 added; (n, d) those positions).
    MiniLM adds its own rows before the norm, the others a small seeded table."""
    n, d = len(words), width(origin)
    if origin == "minilm":
        places = learned.rows(shipped.minilm_positions(), n)
        return attention.rms_norm(_rows(origin, words)[list(order)] + places), places
    table = np.random.default_rng([_TABLE_SEED, d]).normal(0.0, 0.5, (MOST, d)).round(1) + 0.0
    places = learned.rows(table, n)
    return token_vectors(origin, words)[list(order)] + places, places


@lru_cache(maxsize=16)
def projections(origin: str, seed: int) -> Array:
    """(3, d + 1, 4) the weights W_q, W_k and W_v; their last row is for an appended position. One decimal, so that
    what is shown is what is used; smaller for longer vectors, so that q, k and v are not."""
    drawn = np.random.default_rng(seed).normal(0.0, SPREAD[origin], (3, width(origin) + 1, HEAD))
    weights: Array = drawn.round(1) + 0.0
    return weights
