"""The flat map of a run, moment by moment, turned so that words drift and never spin.

Rows are scaled to length 1 first: what counts is their direction, as for the cosine. The plane of each moment is
that of a principal component analysis (PCA), its spread averaged with its neighbours in time, so that the plane turns
gradually where two directions change rank. Each picture is then laid over the next one (orthogonal Procrustes, from the
last moment back to the first, which leaves the last one as its PCA gives it).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings.similarity import pca
from core.lessons.training.work import Trained
from core.stage.frame import Array
from core.values import dataclass

_MOMENTS = 25  # moments before and after that the plane is averaged over


@dataclass(frozen=True, eq=False)
class Flat:
    """points (moments, n, 2); reach (2,), how far from the middle words come in each direction, over all moments
    but for one in a thousand; shares (moments,): of the words' spread at that moment, what the map keeps."""

    points: Array
    reach: Array
    shares: Array


@lru_cache(maxsize=4)
def flat(trained: Trained, rows: tuple[int, ...]) -> Flat:
    """The map of these rows of the word table."""
    units = unit_rows(trained.words[:, list(rows)])
    centred = units - units.mean(axis=1, keepdims=True)
    spread = _averaged(np.matmul(centred.transpose(0, 2, 1), centred))
    _, directions = np.linalg.eigh(spread)
    points = np.matmul(centred, directions[:, :, :-3:-1])
    points[-1] = pca(units[-1], 2).points
    whole = np.square(centred).sum(axis=(1, 2))
    shares = np.square(points).sum(axis=(1, 2)) / np.where(whole > 0, whole, 1.0)
    # The best turn of picture k onto k + 1, then of all of them onto the last: turns multiply.
    left, _, right = np.linalg.svd(np.matmul(points[:-1].transpose(0, 2, 1), points[1:]))
    turns = np.matmul(left, right)
    onto = np.eye(2)
    for moment in range(len(turns) - 1, -1, -1):
        onto = turns[moment] @ onto
        points[moment] = points[moment] @ onto
    reach = np.quantile(np.abs(points), 0.999, axis=(0, 1))
    return Flat(points, np.maximum(reach, 1e-6), shares)


def unit_rows(rows: Array) -> Array:
    """(…, d) rows scaled to length 1, in float64; a row of zeros stays."""
    exact = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    scaled: Array = exact / np.where(lengths > 0, lengths, 1.0)
    return scaled


@lru_cache(maxsize=16)
def cosines(trained: Trained, one: int, other: int) -> Array:
    """(moments,) the cosine of two rows at every moment."""
    both = unit_rows(trained.words[:, [one, other]])
    found: Array = np.clip((both[:, 0] * both[:, 1]).sum(axis=1), -1.0, 1.0)
    return found


def nearest(trained: Trained, row: int, moment: int, among: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The rows among these by their cosine with ``row``, nearest first, itself left out."""
    others = [other for other in among if other != row]
    units = unit_rows(trained.words[moment, [row, *others]])
    scores = units[1:] @ units[0]
    order = np.argsort(-scores, kind="stable")
    return tuple((others[place], float(scores[place])) for place in order)


def _averaged(spread: Array) -> Array:
    """(moments, d, d) each the mean over the moments around it."""
    sums = np.concatenate([np.zeros_like(spread[:1]), np.cumsum(spread, axis=0)])
    moments = np.arange(len(spread))
    low = np.maximum(moments - _MOMENTS, 0)
    high = np.minimum(moments + _MOMENTS + 1, len(spread))
    mean: Array = (sums[high] - sums[low]) / (high - low)[:, np.newaxis, np.newaxis]
    return mean
