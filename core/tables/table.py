"""A table of vectors: one row per token, kept as stored (also as int8) and expanded only where someone looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.tables.messages import Notice, TableError
from core.tables.vocabulary import TokenId, Vocabulary
from core.values import dataclass

Float32: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float32 | np.float64]
Metric: TypeAlias = Literal["cosine", "dot", "euclidean"]

_CHUNK = 2048
"""Rows expanded at a time: 3 MB of float32 at 384 columns, which stays in the processor's cache."""


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers behind a plain ndarray that refuses to be written to."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of numbers with a token each; equal only to itself.

    ``values``  (rows, dim) float32, float64, float16 or int8, perhaps mapped from a file.
    ``scales``  None, or for int8 (rows,): row = value · scale, or (rows, blocks): each block of dim / blocks columns.
    ``ids``     None where a row's number is its token's ID, else (rows,): the ID of every row.
    ``hidden_rows``  rows that a classroom's lists leave out (neighbours, suggestions); they are looked up all the same.
    ``notices`` what a person should know about how it was read.

    Numbers are given out as float32, read-only; a float64 table (the lessons' own few rows, so that their arithmetic
    is exact) stays float64 throughout. Raises TableError ("shape_not_table", "tokens_do_not_fit",
    "scales_do_not_fit") where the parts don't belong together.
    """

    id: str
    title: str
    vocabulary: Vocabulary
    tokens: Sequence[str]
    values: npt.NDArray[Any]
    scales: npt.NDArray[Any] | None = None
    ids: npt.NDArray[np.integer[Any]] | None = None
    hidden_rows: frozenset[int] = frozenset()
    notices: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if self.values.ndim != 2:
            raise TableError("shape_not_table", table=self.title, shape=_times(self.values.shape))
        if len(self.tokens) != self.rows:
            raise TableError("tokens_do_not_fit", table=self.title, rows=self.rows, tokens=len(self.tokens))
        if self.scales is not None and not self._scales_fit(self.scales):
            raise TableError(
                "scales_do_not_fit",
                table=self.title,
                scales=_times(self.scales.shape),
                shape=_times(self.values.shape),
            )
        object.__setattr__(self, "values", read_only(self.values))
        if self.scales is not None:
            object.__setattr__(self, "scales", read_only(self.scales))
        if self.ids is not None:
            object.__setattr__(self, "ids", read_only(self.ids))

    def _scales_fit(self, scales: npt.NDArray[Any]) -> bool:
        if scales.ndim not in (1, 2) or len(scales) != self.rows:
            return False
        return scales.ndim == 1 or (scales.shape[1] > 0 and self.dim % scales.shape[1] == 0)

    def __repr__(self) -> str:
        return f"<Table {self.id}: {self.rows} × {self.dim} {self.values.dtype}>"

    def __len__(self) -> int:
        return self.rows

    @property
    def rows(self) -> int:
        """How many rows (= tokens) it holds."""
        return int(self.values.shape[0])

    @property
    def dim(self) -> int:
        """How many numbers a row has."""
        return int(self.values.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, dim)"""
        return self.rows, self.dim

    # --- numbers ---------------------------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type in which numbers are given out: float64 where stored so, else float32."""
        return np.dtype(np.float64 if self.values.dtype == np.float64 else np.float32)

    def block(self, row_slice: slice, column_slice: slice = slice(None)) -> Floats:
        """The asked rows and columns, expanding nothing else. Slices may have steps, also negative ones."""
        part = self.values[row_slice, column_slice]
        if self.scales is None:
            return read_only(part.astype(self.dtype, copy=False))
        factors = self.scales[row_slice]
        if factors.ndim == 1:
            factors = factors[:, None]
        else:
            factors = factors[:, np.arange(self.dim)[column_slice] // (self.dim // factors.shape[1])]
        return read_only(np.multiply(part, factors, dtype=self.dtype))

    def row(self, index: int) -> Floats:
        """Row ``index`` (from 0), shape (dim,). Raises TableError ("row_outside"); -1 is no row."""
        self._check_row(index)
        row: Floats = self.block(slice(index, index + 1))[0]
        return row

    @cached_property
    def vectors(self) -> Floats:
        """All rows, (rows, dim). Expanded once and kept: a search reads this array and nothing else."""
        if self.values.dtype == self.dtype and self.scales is None:
            return self.values
        whole = np.empty(self.shape, dtype=self.dtype)
        for rows in self._chunks():
            whole[rows] = self.block(rows)
        return read_only(whole)

    @cached_property
    def norms(self) -> npt.NDArray[np.float64]:
        """The length of every row, (rows,) float64, measured once, a chunk at a time."""
        from core.encodings.similarity import row_norms  # searching is loaded with the first search

        norms = np.empty(self.rows, dtype=np.float64)
        for rows in self._chunks():
            norms[rows] = row_norms(self.vectors[rows] if "vectors" in self.__dict__ else self.block(rows))
        return read_only(norms)

    def _chunks(self) -> Iterator[slice]:
        for start in range(0, self.rows, _CHUNK):
            yield slice(start, min(start + _CHUNK, self.rows))

    @property
    def size_in_numbers(self) -> int:
        """rows · dim: what it adds to a model's parameters."""
        return self.rows * self.dim

    @property
    def size_in_bytes(self) -> dict[str, int]:
        """What the numbers weigh as float32, float16 and int8 (one float32 scale for each row)."""
        numbers = self.size_in_numbers
        return {"float32": 4 * numbers, "float16": 2 * numbers, "int8": numbers + 4 * self.rows}

    # --- tokens ----------------------------------------------------------------------------------------------------

    @cached_property
    def _index(self) -> dict[str, int]:
        # Backwards, so that of equal tokens the first row counts.
        return {token: row for row, token in zip(range(self.rows - 1, -1, -1), reversed(self.tokens), strict=True)}

    @cached_property
    def _row_of_id(self) -> dict[int, int]:
        return {} if self.ids is None else {int(number): row for row, number in enumerate(self.ids)}

    def find(self, token: str) -> int | None:
        """The row of ``token``, spelt exactly as the vocabulary spells it, or None. Of equal tokens the first."""
        return self._index.get(token)

    def id_of(self, row: int) -> TokenId:
        """The ID of row ``row`` in this table's vocabulary."""
        self._check_row(row)
        return TokenId(self.vocabulary, row if self.ids is None else int(self.ids[row]))

    def row_of(self, token: TokenId) -> int:
        """The row of an ID of this table's own vocabulary.

        Raises TableError: "other_vocabulary" for an ID that another vocabulary gave out, "id_not_shipped" where the
        vocabulary has that ID and the table no row.
        """
        if token.vocabulary != self.vocabulary:
            raise TableError(
                "other_vocabulary",
                id=token.id,
                found=token.vocabulary.title,
                table=self.title,
                expected=self.vocabulary.title,
            )
        row = token.id if self.ids is None else self._row_of_id.get(token.id, -1)
        if not 0 <= row < self.rows:
            raise TableError("id_not_shipped", id=token.id, vocabulary=self.vocabulary.title, table=self.title)
        return row

    def lookup(self, token: TokenId) -> Floats:
        """The vector of ``token``, (dim,). Raises as ``row_of`` does."""
        return self.row(self.row_of(token))

    # --- neighbours ------------------------------------------------------------------------------------------------

    def nearest(
        self,
        query: npt.ArrayLike,
        k: int,
        metric: Metric = "cosine",
        exclude: Iterable[int] = (),
        hide_filtered: bool = True,
    ) -> tuple[npt.NDArray[np.integer[Any]], npt.NDArray[np.float64]]:
        """The ``k`` rows closest to ``query`` (dim,), best first: (indices, scores in the metric's own value).

        ``exclude``: rows that may not answer, usually the query's own. ``hide_filtered`` leaves out ``hidden_rows``
        as well. The first call expands the table and measures its rows; later ones are one pass over memory.
        Raises TableError ("query_does_not_fit") and, as ``core.encodings.similarity.nearest``, ArgumentError for a
        query that is not finite or, with cosine, all zeros, and for k < 1.
        """
        wanted = np.asarray(query, dtype=np.float64)
        if wanted.shape != (self.dim,):
            raise TableError("query_does_not_fit", found=_times(wanted.shape), table=self.title, dim=self.dim)
        left_out = set(exclude) | self.hidden_rows if hide_filtered else set(exclude)
        from core.encodings.similarity import nearest

        return nearest(self.vectors, wanted, k, metric=metric, exclude=sorted(left_out), norms=self.norms)

    def _check_row(self, index: int) -> None:
        if not 0 <= index < self.rows:
            raise TableError("row_outside", table=self.title, row=index, last=self.rows - 1)


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(str(length) for length in shape) or "a single number"
