"""The looks of the map pair × position: cells filled by their class, slanted lines over what was never seen."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.stage.frame import Array, Outline

SEEN, FRACTION, NEVER = 0, 1, 2
MOST_FILLS = 2000
LARGEST = 4096  # denominator: beyond, no share is seen
STRIPES = 16  # columns of a stripe pattern: so many of them are seen as whole positions are among the fractions
PITCH = 0.045  # of the hatching, of the map's height
EDGE = 0.006  # half a stroke, of the map's height
ASPECT = 1.4  # about how much wider than high the map is, for slanted lines


@lru_cache(maxsize=512)
def whole_share(ratio: float) -> float:
    """The share of positions p for which p × ratio is whole: 1/4 for a quarter. A fraction so close is among those
    that the continued fraction gives."""
    rest, before, below = ratio, 0, 1
    while below <= LARGEST:
        if abs(round(ratio * below) / below - ratio) < 1e-13:
            return 1 / below
        rest = 1 / (rest - math.floor(rest))
        before, below = below, math.floor(rest) * below + before
    return 0.0


def striped(ratios: Array) -> bool:
    """Whether any pair has a stripe pattern."""
    return any(0 < _stripes(ratio) < STRIPES for ratio in set(ratios.tolist()))


def _stripes(ratio: float) -> int:
    """How many columns of the pattern are seen: none where whole positions are too rare for one, since a stripe would
    say that there are more."""
    share = STRIPES * whole_share(ratio)
    return round(share) if share >= 1 else 0


@lru_cache(maxsize=16)
def looks(found: bytes, shape: tuple[int, int], ratios: bytes) -> tuple[tuple[Outline, ...], tuple[Array, Array]]:
    """What was seen and what only as a fraction is filled; over what never was run slanted lines, (2n,) x in columns
    and y in rows, two ends each. Where every so many positions are whole, as many columns of a stripe pattern are
    seen."""
    kinds = np.frombuffer(found, dtype=np.int64).reshape(shape).copy()
    pattern = np.arange(shape[1]) % STRIPES
    for row, ratio in enumerate(np.frombuffer(ratios).tolist()):
        stripes = _stripes(ratio)
        kinds[row, (kinds[row] == FRACTION) & (pattern < stripes)] = SEEN
    fills = [Outline(*box, "what") for box in _boxes(kinds == SEEN)]
    fills += [Outline(*box, "control") for box in _boxes(kinds == FRACTION)]
    return tuple(fills[:MOST_FILLS]), _slanted(_boxes(kinds == NEVER), shape)


def _boxes(flags: Array) -> list[tuple[int, int, int, int]]:
    """(row, column, rows, columns) of the set cells: runs along the rows, equal ones below one another as one."""
    boxes: list[tuple[int, int, int, int]] = []
    start = 0
    for row in [*(np.flatnonzero((flags[1:] != flags[:-1]).any(axis=1)) + 1).tolist(), len(flags)]:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], flags[start].astype(np.int8), [0]])))
        boxes += [(start, a, row - start, b - a) for a, b in edges.reshape(-1, 2).tolist()]
        start = row
    return boxes


def _slanted(boxes: list[tuple[int, int, int, int]], shape: tuple[int, int]) -> tuple[Array, Array]:
    """Lines x + y = k × pitch within the boxes, in a square whose sides are the map's height."""
    if not boxes:
        return np.zeros(0), np.zeros(0)
    down, across = 1.0 / shape[0], ASPECT / shape[1]
    row, column, rows, columns = np.array(boxes, float).T
    left, right, top, bottom = column * across, (column + columns) * across, row * down, (row + rows) * down
    first = np.ceil((left + top) / PITCH).astype(int)
    # A box that lines would miss, or touch at a corner, has one of its own, through its middle.
    small = right - left + bottom - top < 1.5 * PITCH
    n = np.where(small, 1, np.floor((right + bottom) / PITCH).astype(int) - first + 1)
    at = np.repeat(np.arange(len(boxes)), n)
    k = (np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n) + first[at]) * PITCH
    k = np.where(small[at], ((left + right + top + bottom) / 2)[at], k)
    x0 = np.maximum(left[at], k - bottom[at])
    x1 = np.minimum(right[at], k - top[at])
    # The strokes' ends are as wide as the strokes: long ones stay clear of the map's edges.
    long = x1 - x0 > 4 * EDGE
    x0 = np.where(long, np.maximum(x0, np.maximum(EDGE, k - 1 + EDGE)), x0)
    x1 = np.where(long, np.minimum(x1, np.minimum(ASPECT - EDGE, k - EDGE)), x1)
    x = np.stack([x0, x1], axis=1)
    y = k[:, np.newaxis] - x
    return (x / across).ravel(), (y / down).ravel()
