"""What the Similarity tab knows of two rows, of a list of rows and of a table: numbers only, nothing drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from core.encodings import similarity
from core.encodings.checks import Cancelled
from core.lessons.similarity.state import Word
from core.stage.numbers import number, short, shown
from core.tables.spellings import suggestions
from core.tables.table import Metric, Table
from core.values import dataclass

Floats = npt.NDArray[np.float64]
TERMS = 4  # of a dot product, written out one by one
SAMPLED = 1000  # rows from which a table has an average, whose reckoning is then a job
_BLOCK = 2048  # rows at a time
_NUMBERS = 60_000_000  # of rows, for an average that cannot be summed exactly


def rows_of(table: Table, rows: tuple[int, ...]) -> Floats:
    """(len(rows), dim) float64. A lesson's own numbers stay as printed: float32 would make 0.1 of 0.100000001."""
    if table.scales is None and table.values.dtype == np.float64:
        return np.asarray(table.values[list(rows)], dtype=np.float64)
    return np.array([table.row(row) for row in rows], dtype=np.float64).reshape(len(rows), table.dim)


def decimals(table: Table) -> int:
    """Places of a cosine that can be trusted: int8 keeps two."""
    return 3 if table.scales is None else 2


def places_of(values: Floats) -> int | None:
    """The places (1 to 3) that write these numbers exactly, or None."""
    for places in (1, 2, 3):
        if np.abs(values - values.round(places)).max(initial=0.0) < 1e-9:
            return places
    return None


@dataclass(frozen=True, eq=False)
class Pair:
    """Two rows compared. Cosine is NaN where a row is all zeros."""

    first: Word
    second: Word
    rows: Floats  # (2, d)
    dot: float
    cosine: float
    distance: float
    lengths: tuple[float, float]
    exact: bool  # the numbers are short enough to be calculated with as they stand
    places: int  # of a printed factor
    decimals: int  # of a printed cosine
    terms: tuple[int, ...]  # the columns whose products are written out

    @property
    def dim(self) -> int:
        return int(self.rows.shape[1])

    @property
    def others(self) -> int:
        """How many products are not written out."""
        return self.dim - len(self.terms)

    @property
    def defined(self) -> bool:
        return not math.isnan(self.cosine)

    @property
    def angle(self) -> float:
        """Radians, 0 where undefined."""
        return math.acos(min(max(self.cosine, -1.0), 1.0)) if self.defined else 0.0

    @property
    def product_places(self) -> int:
        """All places of short numbers' products; three of others."""
        return min(2 * self.places, 4 if self.exact else 3)

    @property
    def factors(self) -> Floats:
        """(2, terms) as printed: the arithmetic goes on from these."""
        factors: Floats = self.rows[:, list(self.terms)].round(self.places) + 0.0
        return factors

    @property
    def products(self) -> Floats:
        """(terms,) of the printed factors, as printed."""
        products: Floats = (self.factors[0] * self.factors[1]).round(self.product_places) + 0.0
        return products

    @property
    def sum(self) -> float:
        """The dot product as printed below the products."""
        return round(self.dot, self.product_places) + 0.0

    @property
    def shown_rest(self) -> float:
        """What the products that are not written out come to: all printed products make the printed sum."""
        return round(self.sum - float(self.products.sum()), self.product_places) + 0.0

    def written(self, what: str) -> str:
        """dot, cosine, distance, angle as the stage prints them."""
        if what == "angle":
            return number(math.degrees(self.angle), 1) + "°" if self.defined else number(math.nan)
        if what == "cosine":
            return "0" if self.exact and self.dot == 0.0 and self.defined else number(self.cosine, self.decimals)
        if what == "dot":
            return short(self.dot, self.product_places) if self.exact else number(self.dot, 2)
        if what == "sum":  # as the arithmetic prints and divides it
            return self.written("dot") if self.exact else number(self.sum, self.product_places)
        return short(self.distance, 3) if self.exact else number(self.distance, 2)

    @cached_property
    def length_places(self) -> int:
        """Of a printed length: as few as bring out the printed cosine and angle, at least three."""
        if self.exact:
            return 4
        for places in (3, 4, 5):
            product = math.prod(shown(length, places) for length in self.lengths)
            cosine = min(max(self.sum / product, -1.0), 1.0) if product else math.nan
            angle = number(math.degrees(math.acos(cosine)), 1) + "°" if product else ""
            if (number(cosine, self.decimals), angle) == (self.written("cosine"), self.written("angle")):
                return places
        return 3

    def written_length(self, which: int) -> str:
        return number(self.lengths[which], self.length_places)

    def written_square(self, which: int, places: int = 3) -> str:
        square = self.lengths[which] ** 2
        return short(square, 4) if self.exact else number(square, places)


@lru_cache(maxsize=64)
def compared(table: Table, first: Word, second: Word) -> Pair:
    """Two words of a table; the largest products are written out, or all where there are few."""
    assert first.row is not None
    assert second.row is not None
    rows = rows_of(table, (first.row, second.row))
    dot = float(similarity.dot(rows[0], rows[1])[0, 0])
    cosine = float(similarity.cosine(rows[0], rows[1])[0, 0])
    places = places_of(rows) if table.scales is None else None
    if places is not None:
        # On paper the sum of short numbers is short; in binary it ends in dust such as 2.4e-17.
        dot = round(dot, 2 * places) + 0.0
        cosine = 0.0 if dot == 0.0 and not math.isnan(cosine) else cosine
    products = rows[0] * rows[1]
    if rows.shape[1] <= TERMS:
        terms = tuple(range(rows.shape[1]))
    else:
        terms = tuple(int(column) for column in np.argsort(-np.abs(products), kind="stable")[:TERMS])
    if places is None:
        largest = float(np.abs(rows[:, list(terms)]).max(initial=0.0))
        shown_places = 2 if largest >= 1.0 else 3
    else:
        shown_places = places
    return Pair(
        first,
        second,
        rows,
        dot,
        cosine,
        float(similarity.euclidean(rows[0], rows[1])[0, 0]),
        (math.sqrt(float(rows[0] @ rows[0])), math.sqrt(float(rows[1] @ rows[1]))),
        places is not None,
        shown_places,
        decimals(table),
        terms,
    )


# --- a list of words -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Grid:
    """Every word of a list with every other, in the order shown."""

    words: tuple[Word, ...]
    values: Floats  # (n, n), 0 where undefined
    undefined: npt.NDArray[np.bool_]  # (n, n)


@lru_cache(maxsize=32)
def grid(table: Table, words: tuple[Word, ...], metric: str, clustered: bool) -> Grid:
    """The matrix of a word list. ``clustered`` puts alike beside alike."""
    rows = rows_of(table, tuple(word.row for word in words if word.row is not None))
    compare = {"cosine": similarity.cosine, "dot": similarity.dot, "distance": similarity.euclidean}[metric]
    values = compare(rows, rows)
    values[np.abs(values) < 1e-12] = 0.0
    if clustered and len(words) > 2:
        order = similarity.cluster_order(values, distances=metric == "distance")
        words = tuple(words[index] for index in order)
        values = values[order][:, order]
    undefined = np.isnan(values)
    return Grid(words, np.where(undefined, 0.0, values), undefined)


# --- a whole table: jobs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest rows to one, best first, and what two rows of this table have in common on average."""

    rows: tuple[int, ...]
    scores: Floats
    average: float | None  # None for a table that has none


def neighbours_job(
    table: Table, row: int, count: int, metric: str, progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> Nearest:
    """For a Job: the ``count`` rows nearest to ``row``, without itself and without what the display filter hides."""
    usual = average_job(table, metric, progress, cancelled)
    return _neighbours(table, row, count, metric, usual)


@lru_cache(maxsize=64)
def _neighbours(table: Table, row: int, count: int, metric: str, usual: float) -> Nearest:
    name: Metric = "euclidean" if metric == "distance" else "dot" if metric == "dot" else "cosine"
    query = rows_of(table, (row,))[0]
    if name == "cosine" and not query.any():
        return Nearest((), np.zeros(0), None)
    if table.scales is None and table.values.dtype == np.float64:
        hidden = tuple(sorted({row} | table.hidden_rows))
        found: npt.NDArray[Any]
        found, scores = similarity.nearest(table.values, query, count, name, hidden)
        scores = np.where(np.abs(scores) < 1e-12, 0.0, scores)
    else:
        found, wide = table.nearest(query, count, name, exclude=(row,))
        scores = np.asarray(wide, dtype=np.float64)
    return Nearest(tuple(int(index) for index in found), scores, None if math.isnan(usual) else usual)


_kept: WeakKeyDictionary[Table, dict[str, float]] = WeakKeyDictionary()


def average_job(table: Table, metric: str, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> float:
    """For a Job: the mean score of two different rows of the table; NaN for a table too small to have one."""
    if table.rows < SAMPLED:
        return math.nan
    known = _kept.setdefault(table, {})
    if metric not in known:
        reckon = _mean_distance if metric == "distance" else _mean_product
        known[metric] = reckon(table, metric, progress, cancelled)
    return known[metric]


def _mean_product(table: Table, metric: str, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> float:
    """Of all pairs, exactly: the products of all pairs are the square of the sum less the squares."""
    total, squares, n = np.zeros(table.dim), 0.0, 0
    for start in range(0, table.rows, _BLOCK):
        if cancelled():
            raise Cancelled
        # Block by block: a picture that needs only this shall not expand the whole table.
        rows = table.block(slice(start, start + _BLOCK)).astype(np.float64)
        own = (rows * rows).sum(axis=1)
        if metric == "cosine":  # a row of zeros has no direction
            rows = rows[own > 0] / np.sqrt(own[own > 0])[:, np.newaxis]
            own = np.ones(len(rows))
        total += rows.sum(axis=0)
        squares += float(own.sum())
        n += len(rows)
        progress(min(1.0, (start + _BLOCK) / table.rows))
    return (float(total @ total) - squares) / (n * (n - 1)) if n > 1 else math.nan


def _mean_distance(
    table: Table, metric: str, progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> float:
    """Of rows shuffled with a fixed seed, each with some that follow it: every row counts alike, so that what is left
    to chance is far below the second decimal."""
    n = table.rows
    shuffled = np.random.default_rng(0).permutation(n)
    steps = max(1, min((n - 1) // 2, _NUMBERS // table.size_in_numbers))
    total = 0.0
    for start in range(0, n, _BLOCK):
        if cancelled():
            raise Cancelled
        stop = min(start + _BLOCK, n)
        rows = _taken(table, shuffled[np.arange(start, stop + steps) % n])
        for step in range(1, steps + 1):
            difference = rows[: stop - start] - rows[step : step + stop - start]
            total += float(np.sqrt(np.einsum("ij,ij->i", difference, difference)).sum(dtype=np.float64))
        progress(stop / n)
    return total / (n * steps)


def _taken(table: Table, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """These rows, expanded all at once."""
    values = table.values[rows].astype(table.dtype)
    if table.scales is None:
        return values
    scales = table.scales[rows]
    if scales.ndim == 1:
        return np.asarray(values * scales[:, np.newaxis])
    return np.asarray(values * np.repeat(scales, table.dim // scales.shape[1], axis=1))


def spellings_job(
    table: Table, typed: str, progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> tuple[str, ...]:
    """For a Job: tokens of the table that may have been meant."""
    return _spellings(table, typed)


@lru_cache(maxsize=64)
def _spellings(table: Table, typed: str) -> tuple[str, ...]:
    return suggestions(table, typed.strip())


def is_large(table: Table) -> bool:
    """Whether a pass over all of it may cost more than a frame has time for."""
    return table.size_in_numbers > 200_000 or table.rows >= SAMPLED


def shared_places(values: Any) -> int:
    """Places for the numbers in a matrix's cells: as few as write them exactly, at most two."""
    found = places_of(np.asarray(values, dtype=np.float64))
    return 2 if found is None else min(found, 2)
