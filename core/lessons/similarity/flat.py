"""A few rows seen flat: where each stands on a map of two directions, and which nearness that loses. Numbers only."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import similarity
from core.lessons.similarity.facts import Floats, grid, rows_of
from core.lessons.similarity.state import Word
from core.tables.table import Table
from core.values import dataclass

NEAR_ON_A_MAP = 3  # dots: a true nearest word that is not among them is lost
LATE = 2  # places by which a neighbour may not come later on the map


@dataclass(frozen=True, eq=False)
class Flat:
    """A word list seen flat: where each word stands, how much of the spread that keeps, which nearness it loses."""

    points: Floats  # (n, 2)
    shares: tuple[float, float]
    variance: tuple[float, float]  # along the two axes
    total: float  # variance over all dimensions
    lost: tuple[tuple[int, int], ...]  # (word, its true nearest), where it is not among the nearest dots
    nearest: tuple[int, ...]  # the true nearest of each word


@lru_cache(maxsize=32)
def flat(table: Table, words: tuple[Word, ...], metric: str) -> Flat:
    """The two directions in which the words differ most (principal component analysis)."""
    rows = rows_of(table, tuple(word.row for word in words if word.row is not None))
    kept = min(2, rows.shape[1])
    found = similarity.pca(rows, kept)
    points = np.zeros((len(words), 2))
    points[:, :kept] = found.points
    near = nearest_each(table, words, metric)
    return Flat(points, *_spread(found, rows), lost_of(points, near), near)


def _spread(found: similarity.Pca, rows: Floats) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Shares of the two axes, variances along them (0 for an axis that there is not), variance over all dimensions."""
    shares, variance = np.zeros(2), np.zeros(2)
    kept = len(found.explained_variance)
    shares[:kept], variance[:kept] = found.explained_variance_ratio, found.explained_variance
    centred = rows - rows.mean(axis=0)
    total = float((centred * centred).sum()) / max(len(rows) - 1, 1)
    return (float(shares[0]), float(shares[1])), (float(variance[0]), float(variance[1])), total


def lost_of(points: Floats, near: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(word, its true nearest) where the nearest is the fourth dot or farther: second or third is still found."""
    if not len(points):
        return ()
    apart = similarity.euclidean(points, points)
    np.fill_diagonal(apart, np.inf)
    return tuple(
        (index, other)
        for index, other in enumerate(near)
        if other >= 0 and int((apart[index] < apart[index, other] - 1e-9).sum()) >= NEAR_ON_A_MAP
    )


@dataclass(frozen=True, eq=False)
class Around:
    """A word and its nearest rows, seen flat. The word stands first."""

    points: Floats  # (1 + n, 2)
    shares: tuple[float, float]
    variance: tuple[float, float]  # along the two axes
    total: float  # variance over all dimensions
    lost: tuple[int, ...]  # which of the n the map puts ``LATE`` or more places too far


@lru_cache(maxsize=32)
def around(table: Table, row: int, rows: tuple[int, ...]) -> Around:
    """A flat map of one word's neighbours: what stays near it, and what the picture loses."""
    numbers = rows_of(table, (row, *rows))
    kept = min(2, numbers.shape[1])
    found = similarity.pca(numbers, kept)
    points = np.zeros((len(numbers), 2))
    points[:, :kept] = found.points
    apart = np.hypot(*(points[1:] - points[0]).T)
    lost = tuple(rank for rank in range(len(rows)) if int((apart < apart[rank] - 1e-9).sum()) >= rank + LATE)
    return Around(points, *_spread(found, numbers), lost)


def nearest_each(table: Table, words: tuple[Word, ...], metric: str) -> tuple[int, ...]:
    if len(words) < 2:
        return (-1,) * len(words)
    values = grid(table, words, metric, False)
    score = -values.values if metric == "distance" else values.values.copy()
    score[values.undefined] = -np.inf
    np.fill_diagonal(score, -np.inf)
    best = score.argmax(axis=1)
    return tuple(int(index) if np.isfinite(row[index]) else -1 for index, row in zip(best, score, strict=True))
