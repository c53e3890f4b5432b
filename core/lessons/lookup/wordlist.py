"""A list of words in two geometries: as one-hot rows, and as rows of a learned table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from core.encodings.similarity import cosine, dot, euclidean
from core.lessons.lookup.naming import Naming
from core.lessons.lookup.scene import nameless
from core.lessons.lookup.state import LookupState
from core.stage.frame import Array
from core.stage.lesson import Context
from core.tables.table import Table
from core.values import dataclass

LESSON_TABLE = "lesson_animals"  # where the chosen table has no words
MEASURES: dict[str, Callable[[Array, Array], Array]] = {"cosine": cosine, "dot": dot, "distance": euclidean}


@dataclass(frozen=True, slots=True)
class Found:
    """The words that the table has, in the list's order, and their rows."""

    table: Table
    names: tuple[str, ...]
    rows: tuple[int, ...]
    missing: tuple[str, ...]

    @property
    def vectors(self) -> Array:
        return np.array([self.table.row(row) for row in self.rows], dtype=np.float64).reshape(-1, self.table.dim)


def found_words(state: LookupState, context: Context) -> Found:
    table = context.table_called(LESSON_TABLE) if nameless(context.table) else context.table
    own = Naming(table.id, table.vocabulary.size, table)
    names, rows, missing = [], [], []
    for word in state.words:
        number_ = own.id_of_word(word)
        row = None if number_ is None else own.row(number_)
        if row is None:
            missing.append(word)
        elif row not in rows:
            names.append(word)
            rows.append(row)
    return Found(table, tuple(names), tuple(rows), tuple(missing))


def lacked(own: Naming, found: Found) -> str:
    """The first of the words that is not a single token there; empty where all are."""
    return next((word for word in found.names if own.id_of_word(word) is None), "")


def counted(own: Naming, found: Found) -> Naming:
    """The vocabulary whose one-hot rows are shown: the table's own where the chosen one lacks one of the words."""
    if not lacked(own, found):
        return own
    return Naming(found.table.id, found.table.vocabulary.size, found.table)


def picked_pair(state: LookupState, found: Found) -> tuple[int, int]:
    last = len(found.names) - 1
    return min(state.pair_row, last), min(state.pair_column, last)


def matrices(found: Found, measure: str) -> tuple[Array, Array]:
    return _identity(len(found.names), measure), _learned(found.table, found.rows, measure)


@lru_cache(maxsize=32)
def _identity(size: int, measure: str) -> Array:
    """What one-hot rows give: each of ``size`` different tokens with each, however long the rows are."""
    rows = np.eye(size)
    return MEASURES[measure](rows, rows)


@lru_cache(maxsize=32)
def _learned(table: Table, rows: tuple[int, ...], measure: str) -> Array:
    vectors = np.array([table.row(row) for row in rows], dtype=np.float64)
    values = np.nan_to_num(MEASURES[measure](vectors, vectors))
    return np.round(values, 9) + 0.0


def title_of(found: Found) -> str:
    return Naming(found.table.id, found.table.vocabulary.size, found.table).title
