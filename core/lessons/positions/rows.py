"""The rows of every scheme, asked for window by window, and the matrix that moves a row."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encodings import learned, naive, sinusoidal
from core.lessons.positions.state import BITS, LAST, WORD, PositionsState, page, width
from core.tables import shipped
from core.values import dataclass

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a scheme's table, LAST + 1 of them; computed when they are looked at. Rows that don't exist are 0."""

    scheme: str
    columns: int
    base: float
    length: int
    layout: str = "interleaved"

    @property
    def shape(self) -> tuple[int, int]:
        return LAST + 1, self.columns

    def block(self, rows: slice, columns: slice) -> Array:
        return self.at(np.arange(*rows.indices(LAST + 1)), np.arange(*columns.indices(self.columns)))

    def at(self, positions: NDArray[Any], columns: NDArray[Any]) -> Array:
        """(positions, columns) the numbers there."""
        if self.scheme == "sinusoidal":
            return sinusoidal.table(positions, self.columns, self.base, self.layout, columns)
        if self.scheme == "binary":
            return naive.binary(positions, BITS)[:, columns]
        values = np.zeros((len(positions), len(columns)))
        if self.scheme == "learned":
            there = positions < len(shipped.minilm_positions())
            values[there] = shipped.minilm_positions()[positions[there]][:, columns]
            return values
        there = positions < self.length if self.scheme == "fraction" else positions >= 0
        if self.scheme == "fraction":
            appended = naive.fraction(positions[there], self.length)
        else:
            appended = naive.raw_index(positions)
        values[there] = np.hstack([np.tile(word("cat"), (len(appended), 1)), appended])[:, columns]
        return values


def rows_of(state: PositionsState) -> Rows:
    """The source of the chosen scheme; equal where it shows the same numbers."""
    own = state.scheme == "sinusoidal"
    length = state.length if state.scheme == "fraction" else 0
    layout = state.layout if page(state) == "layouts" else "interleaved"
    return Rows(state.scheme, width(state), state.base if own else 0.0, length, layout)


@cache
def word(name: str) -> Array:
    """(WORD,) the lesson's vector of cat, dog or car."""
    table = shipped.table("lesson_animals")
    row = table.find(name)
    assert row is not None
    return np.asarray(table.row(row), dtype=np.float64).round(6)[:WORD]


@cache
def learned_lengths() -> Array:
    """(512,) the length of each row of MiniLM's position table."""
    return np.asarray(np.linalg.norm(shipped.minilm_positions().astype(np.float64), axis=1))


def learned_refusal(position: int) -> str:
    """What asking the table for a text that reaches ``position`` answers; empty where the row exists."""
    try:
        learned.rows(shipped.minilm_positions(), 1, offset=position)
    except ValueError as error:
        return str(error)
    return ""


# --- shift -----------------------------------------------------------------------------------------------------------


def shift_block(state: PositionsState, most: int) -> tuple[Array, tuple[int, ...]]:
    """The first ``most`` rows and columns of M(k), and the columns of the table that they stand for.

    A matrix of 4,096 × 4,096 is never made: one pair's turn does not depend on the others.
    """
    shown = tuple(range(min(state.d_model, most)))
    if state.d_model <= most:
        return sinusoidal.shift_matrix(state.offset, state.d_model, state.base), shown
    turn = sinusoidal.table([state.offset], state.d_model, state.base, columns=shown)[0]
    matrix = np.zeros((most, most))
    for sine in range(0, most, 2):
        s, c = turn[sine], turn[sine + 1]
        matrix[sine : sine + 2, sine : sine + 2] = [[c, s], [-s, c]]
    return matrix, shown


def shift_error(d_model: int, base: float, position: int, offset: int) -> float:
    """The largest difference between row p + k and M(k) · row p, over all of d_model's numbers."""
    now, then, turn = sinusoidal.table([position, position + offset, offset], d_model, base)
    sine = now[0::2] * turn[1::2] + now[1::2] * turn[0::2]
    cosine = now[1::2] * turn[1::2] - now[0::2] * turn[0::2]
    return float(max(np.abs(sine - then[0::2]).max(), np.abs(cosine - then[1::2]).max()))
