"""A whole table seen flat: its two main directions, and how many rows lie where. Numbers only."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from core.encodings import similarity
from core.lessons.similarity.facts import Floats, rows_of
from core.lessons.similarity.flat import Flat, lost_of, nearest_each
from core.lessons.similarity.state import Word
from core.tables.table import Table
from core.values import dataclass

ACROSS = 120  # cells of the longer side: few enough to be seen, many enough to look like a cloud
EDGE = 0.0005  # share of the rows that may lie beyond each edge, so that a few far ones don't shrink the rest


@dataclass(frozen=True, eq=False)
class Cloud:
    """All rows of a table along its two main directions, counted in square cells."""

    mean: Floats  # (d,)
    components: Floats  # (2, d)
    shares: tuple[float, float]
    variance: tuple[float, float]
    total: float  # variance over all dimensions
    left: float
    bottom: float
    side: float  # of a cell
    counts: npt.NDArray[np.int64]  # (rows, columns), the topmost row first
    outside: int  # rows beyond the picture
    levels: Floats  # log10 of the counts, 0 where there is none
    empty: npt.NDArray[np.bool_]

    def points(self, table: Table, rows: tuple[int, ...]) -> Floats:
        """(len(rows), 2): where these rows lie."""
        points: Floats = (rows_of(table, rows) - self.mean) @ self.components.T
        return points


_kept: WeakKeyDictionary[Table, Cloud] = WeakKeyDictionary()


def cloud_job(table: Table, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> Cloud:
    """For a Job: principal components of all rows, then a count of them without what the display filter hides."""
    if table not in _kept:
        _kept[table] = _cloud(table, progress, cancelled)
    return _kept[table]


def _cloud(table: Table, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> Cloud:
    k = min(2, table.dim)
    found = similarity.pca(table.vectors, k, lambda share: progress(0.95 * share), cancelled)
    ratio, variance = (np.zeros(2) for _ in "ab")
    ratio[:k], variance[:k] = found.explained_variance_ratio, found.explained_variance
    components = np.zeros((2, table.dim))
    components[:k] = found.components
    points = np.zeros((table.rows, 2))
    points[:, :k] = found.points
    total = float(variance[0] / ratio[0]) if ratio[0] > 0 else 0.0
    if table.hidden_rows:
        points = np.delete(points, sorted(table.hidden_rows), axis=0)
    low, high = (np.quantile(points, share, axis=0) for share in (EDGE, 1 - EDGE))
    extent = np.maximum(high - low, 1e-9 + 0.05 * float((high - low).max()))
    side = float(extent.max()) * 1.04 / ACROSS
    middle = (low + high) / 2
    columns, rows = (max(1, int(np.ceil(1.04 * length / side))) for length in extent)
    corner = middle - np.array([columns, rows]) * side / 2
    place = np.floor((points - corner) / side)
    inside = ((place >= 0) & (place < [columns, rows])).all(axis=1)
    column, row = place[inside].astype(np.int64).T
    counts = np.bincount((rows - 1 - row) * columns + column, minlength=rows * columns).reshape(rows, columns)
    progress(1.0)
    return Cloud(
        found.mean,
        components,
        (float(ratio[0]), float(ratio[1])),
        (float(variance[0]), float(variance[1])),
        total,
        float(corner[0]),
        float(corner[1]),
        side,
        counts,
        int((~inside).sum()),
        np.log10(np.maximum(counts, 1)),
        counts == 0,
    )


def flat_on(cloud: Cloud, table: Table, words: tuple[Word, ...], metric: str) -> Flat:
    """The words of a list as they lie on the map of the whole table."""
    points = cloud.points(table, tuple(word.row for word in words if word.row is not None))
    near = nearest_each(table, words, metric)
    return Flat(points, cloud.shares, cloud.variance, cloud.total, lost_of(points, near), near)
