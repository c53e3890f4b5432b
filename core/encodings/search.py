"""The nearest rows of a large table: one rough pass in the table's own precision, then the few candidates exactly.

The rough pass knows how far it may be off, so the answer is the same as from comparing every row in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from core.encodings import checks
from core.encodings.checks import ArgumentError, Bools, Floats, Ints, choice, ids, integer, real, refuse, shape_error
from core.encodings.norms import exponent, row_norms, scaled_rows, unit_rows

METRICS = ("cosine", "dot", "euclidean")
METHODS = ("3CosAdd", "3CosMul")

_BLOCK = 4096
Table: TypeAlias = npt.NDArray[Any]


_RUN = 512  # rows, of which only the best is looked at for a first limit


@dataclass(frozen=True, eq=False)
class _Rough:
    """Each score, in "more is better", and how far it may be off: one bound for all rows, or one for each."""

    scores: Floats
    margin: float | Floats

    @property
    def lower(self) -> Floats:
        return self.scores - self.margin

    @property
    def upper(self) -> Floats:
        return self.scores + self.margin


def nearest(
    table: npt.ArrayLike,
    query: npt.ArrayLike,
    k: int,
    metric: str = "cosine",
    exclude: Sequence[int] | AbstractSet[int] | npt.NDArray[np.integer] = (),
    norms: npt.ArrayLike | None = None,
) -> tuple[Ints, Floats]:
    """(indices, scores) of the k rows of `table` (n, d) that are nearest to `query` (d,), best first.

    `metric`: cosine and dot with the largest first, euclidean with the smallest first; scores are the metric's own
    values in float64. Ties come in the order of the rows. Rows in `exclude` are left out, and so are rows of zeros, in
    every metric: they stand for words without a vector. Fewer than k rows come back where the table has no more.
    `norms`: (n,) `row_norms(table)`, kept by whoever searches often; a float32 table is passed over in float32.
    Raises `ArgumentError` for a query that isn't finite or, with cosine, is all zeros; for k < 1; for shapes and row
    numbers that don't fit.
    """
    rows = _table(table)
    vector = real("query", query, ndim=1)
    if len(vector) != rows.shape[1]:
        raise shape_error("query", vector, f"a vector as long as the rows of the table, {rows.shape[1]}, is needed")
    count = integer("k", k, least=1)
    kind = choice("metric", metric, METRICS)
    if kind == "cosine" and not vector.any():
        raise ArgumentError("query", "all zeros", "a vector with a direction is needed for cosine")
    lengths = _norms(rows, norms)
    open_rows = _open(lengths, ids("exclude", _listed(exclude), len(rows), "rows"))
    chosen = _candidates(_rough(rows, vector, lengths, kind), open_rows, count)
    scores = _exactly(rows, chosen, vector, kind)
    return _best(chosen, scores, count, descending=kind != "euclidean")


def analogy(
    table: npt.ArrayLike,
    positive: Sequence[int] | npt.NDArray[np.integer],
    negative: Sequence[int] | npt.NDArray[np.integer],
    k: int,
    method: str = "3CosAdd",
    norms: npt.ArrayLike | None = None,
) -> tuple[Ints, Floats]:
    """(indices, scores) of the k rows that complete "positive minus negative", best first, without the rows asked with.

    3CosAdd: cosine with the mean of the unit vectors, negatives turned round. 3CosMul: product of the positives'
    cosines over that of the negatives' plus 1e-6, each cosine first shifted to 0 … 1. Both exactly as gensim: every row
    is brought to length 1 before anything is added. Rows of zeros are left out; `norms` as in `nearest`.
    Raises `ArgumentError` for rows that aren't there or are all zeros, for nothing asked and for vectors that cancel.
    Source: Mikolov et al. 2013; Levy and Goldberg 2014, "Linguistic Regularities …", section 3 and 6; gensim 4,
    KeyedVectors.most_similar and most_similar_cosmul.
    """
    rows = _table(table)
    plus = ids("positive", positive, len(rows), "rows")
    minus = ids("negative", negative, len(rows), "rows")
    count = integer("k", k, least=1)
    kind = choice("method", method, METHODS)
    if not len(plus) + len(minus):
        raise refuse("positive", list(plus), "at least one row, here or in negative, is needed")
    asked = np.concatenate([plus, minus])
    units, zero = unit_rows(rows[asked].astype(np.float64))
    if zero.any():
        side, place = ("positive", 0) if zero[: len(plus)].any() else ("negative", len(plus))
        where = int(np.argmax(zero[place:]))
        raise refuse(f"{side}[{where}]", int(asked[place + where]), "a row that isn't all zeros is needed")
    if kind == "3CosAdd":
        mean = (units[: len(plus)].sum(axis=0) - units[len(plus) :].sum(axis=0)) / len(asked)
        if np.abs(mean).max() < 1e-12:
            raise refuse("negative", minus, "these cancel the positive ones, and no direction is left")
        return nearest(rows, mean, count, "cosine", asked, norms)
    lengths = _norms(rows, norms)
    signs = np.array([1] * len(plus) + [-1] * len(minus))
    parts = [_rough(rows, unit, lengths, "cosine") for unit in units]
    least = _quotient([(p.lower, p.upper) for p in parts], signs)
    most = _quotient([(p.upper, p.lower) for p in parts], signs)
    with np.errstate(invalid="ignore"):
        rough = _Rough((least + most) / 2, (most - least) / 2 + 1e-15)
    chosen = _candidates(rough, _open(lengths, asked), count)
    exact = [_exactly(rows, chosen, unit, "cosine") for unit in units]
    return _best(chosen, _quotient([(cosines, cosines) for cosines in exact], signs), count, descending=True)


def _listed(exclude: object) -> object:
    return list(exclude) if isinstance(exclude, AbstractSet) else exclude


def _table(table: npt.ArrayLike) -> Table:
    array = checks.table("table", table, "at least one row and one column, (n, d),")
    if not len(array):
        raise shape_error("table", array, "at least one row and one column, (n, d), is needed")
    # float32 stays float32: half the memory to pass over. Anything else is searched in float64.
    return array if array.dtype == np.float32 else array.astype(np.float64, copy=False)


def _norms(rows: Table, norms: npt.ArrayLike | None) -> Floats:
    lengths = row_norms(rows) if norms is None else real("norms", norms, ndim=1, finite=False)
    if len(lengths) != len(rows):
        raise shape_error("norms", lengths, f"one length for each of the {len(rows)} rows is needed")
    # A length may leave float32, or even float64, while its row is finite; NaN only comes from a row that isn't.
    if np.isnan(lengths).any() or (norms is None and not np.isfinite(lengths).all() and not np.isfinite(rows).all()):
        wrong = int(np.argmax(~np.isfinite(lengths)))
        raise refuse(f"table[{wrong}]", rows[wrong], "rows of finite numbers are needed")
    return lengths


def _open(lengths: Floats, exclude: Ints) -> Bools:
    is_open: Bools = lengths > 0
    is_open[exclude] = False
    return is_open


def _rough(rows: Table, vector: Floats, lengths: Floats, metric: str) -> _Rough:
    """Bounds of every row's score from one product in the table's own precision."""
    d = rows.shape[1]
    error = (d + 8) * float(np.finfo(rows.dtype).eps)
    # The query is brought near 1: ranks don't change, and it stays within float32.
    power = exponent(vector)
    query = np.ldexp(vector, -power)
    size = float(np.sqrt(query @ query))
    if metric == "cosine":
        query /= size
    with np.errstate(all="ignore"):
        products = (rows @ query.astype(rows.dtype)).astype(np.float64)
        if metric == "cosine":
            scores, margin = products, error
            scores /= lengths
            # Near the end of the format's range a row has fewer digits than the bound assumes.
            coarse = lengths < 1e8 * float(np.finfo(rows.dtype).tiny)
            if coarse.any():
                coarse &= lengths > 0  # rows of zeros are left out anyway
                margin = np.where(coarse, np.inf, error) if coarse.any() else error
        elif metric == "dot":
            scores, margin = products, error * lengths * size
            margin += 2 * d * float(np.finfo(rows.dtype).tiny)
        else:
            scale = np.ldexp(1.0, -power)
            near = lengths * scale
            scores = 2 * products * scale - near * near - size * size
            margin = 4 * error * (near + size) ** 2
        # Where the rough pass overflowed, only the exact one can tell.
        if np.isfinite(scores.sum() + lengths.sum() + np.sum(margin)):
            return _Rough(scores, margin)
        known = np.isfinite(scores) & np.isfinite(lengths) & np.isfinite(margin)
    if not known.all():
        scores, margin = np.where(known, scores, 0.0), np.where(known, margin, np.inf)
    return _Rough(scores, margin)


def _quotient(cosines: Sequence[tuple[Floats, Floats]], signs: Ints) -> Floats:
    """3CosMul from (cosine for a positive, cosine for a negative) per word; the two differ where bounds are wanted."""
    above = np.ones(len(cosines[0][0]))
    below = np.ones(len(cosines[0][0]))
    for (as_positive, as_negative), sign in zip(cosines, signs, strict=True):
        if sign > 0:
            above *= (1 + np.clip(as_positive, -1, 1)) / 2
        else:
            below *= (1 + np.clip(as_negative, -1, 1)) / 2
    return above / (below + 1e-6)


def _candidates(rough: _Rough, open_rows: Bools, k: int) -> Ints:
    """Every row that may be among the k best."""
    if isinstance(rough.margin, float) and len(open_rows) >= 4 * k * _RUN:
        # The best of a run of rows is one row's score: the k-th best of these can't be above the k-th best of all.
        scores = rough.scores
        scores[~open_rows] = -np.inf
        runs = np.maximum.reduceat(scores, np.arange(0, len(scores), _RUN))
        limit = np.partition(runs, len(runs) - k)[len(runs) - k] - 2 * rough.margin
        return np.flatnonzero(scores >= limit) if limit > -np.inf else np.flatnonzero(open_rows)
    lower = np.where(open_rows, rough.lower, -np.inf)
    kth = max(len(lower) - k, 0)
    limit = np.partition(lower, kth)[kth]
    return np.flatnonzero(open_rows & (rough.upper >= limit))


def _exactly(rows: Table, chosen: Ints, vector: Floats, metric: str) -> Floats:
    """The metric's own values for these rows, in float64.

    Each row is summed by itself: a matrix product may round equal rows differently, and ties would be lost.
    """
    scores = np.empty(len(chosen))
    unit = unit_rows(vector[np.newaxis])[0][0]
    for start in range(0, len(chosen), _BLOCK):
        block = rows[chosen[start : start + _BLOCK]].astype(np.float64)
        if metric == "cosine":
            values = np.clip((unit_rows(block)[0] * unit).sum(axis=1), -1.0, 1.0)
        elif metric == "dot":
            (scaled, powers), (query, query_power) = scaled_rows(block), scaled_rows(vector[np.newaxis])
            with np.errstate(over="ignore"):
                values = np.ldexp((scaled * query).sum(axis=1), powers + query_power)
        else:
            power = max(exponent(block), exponent(vector))
            difference = np.ldexp(block, -power) - np.ldexp(vector, -power)
            small, powers = scaled_rows(difference)
            with np.errstate(over="ignore"):
                values = np.ldexp(np.sqrt((small * small).sum(axis=1)), powers + power)
        scores[start : start + _BLOCK] = values
    return scores


def _best(chosen: Ints, scores: Floats, k: int, descending: bool) -> tuple[Ints, Floats]:
    order = np.argsort(-scores if descending else scores, kind="stable")[:k]
    return chosen[order], scores[order]
