"""Many dimensions on a flat picture, and one picture laid over another.

Source: Pearson 1901 and Hotelling 1933 for principal components; Schönemann 1966 for the orthogonal Procrustes problem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.encodings import checks
from core.encodings.checks import Cancelled, Floats, flag, integer, read_only, real, shape_error
from core.encodings.norms import exponent

_BLOCK = 4096
_MANY = 100_000  # rows from which on a float32 table is worked through once instead of three times


@dataclass(frozen=True, eq=False)
class Pca:
    """mean (d,); components (k, d), unit rows; explained_variance (k,), over n - 1; explained_variance_ratio (k,), its
    share of all the variance; points (n, k), the centred rows along the components."""

    mean: Floats
    components: Floats
    explained_variance: Floats
    explained_variance_ratio: Floats
    points: Floats


@dataclass(frozen=True, eq=False)
class Procrustes:
    """points = scale * old points @ rotation + translation: (n, d), (d, d), a number, (d,)."""

    points: Floats
    rotation: Floats
    scale: float
    translation: Floats


def pca(
    table: npt.ArrayLike,
    n_components: int,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Pca:
    """The `n_components` (1 … d) directions in which the rows of `table` (n, d) differ most, largest first.

    The sign of a component is free; here its largest entry (the first of equals) is positive. A single row, equal rows
    or more components than the rows span give the missing ones no variance: directions at right angles, points at 0.
    A large table is passed over in blocks: `progress(share)` hears 0 … 1, and when `cancelled()` says so, `Cancelled`
    is raised. Raises `ArgumentError` for an empty table, numbers that aren't finite or n_components outside 1 … d.
    """
    array = checks.table("table", table, "at least one row and one column, (n, d),")
    if not len(array):
        raise shape_error("table", array, "at least one row and one column, (n, d), is needed")
    n, d = array.shape
    k = integer("n_components", n_components, least=1, most=d)
    blocks = range(0, n, _BLOCK)

    def told(done: int) -> None:
        if cancelled is not None and cancelled():
            raise Cancelled
        if progress is not None:
            progress(done / (4 * len(blocks)))

    quick = _moments(array, told) if array.dtype == np.float32 and n > max(_MANY, 2 * d) else None
    if quick is not None:
        return _along(array, *quick, k, told)
    largest = 0.0
    for step, start in enumerate(blocks if array.dtype != np.float32 else ()):  # its squares never leave float64
        part = array[start : start + _BLOCK]
        high, low = float(part.max()), float(part.min())
        if not (np.isfinite(high) and np.isfinite(low)):
            real("table", array)  # names the entry
        largest = max(largest, high, -low)
        told(step + 1)
    # Squares of huge or tiny numbers leave float64: work in units of a power of two, which rounds nothing.
    power = int(np.frexp(largest)[1])
    power = 0 if abs(power) < 400 else power

    def scaled(start: int) -> Floats:
        """A fresh block, to be changed in place."""
        rows = array[start : start + _BLOCK].astype(np.float64)
        return np.ldexp(rows, -power) if power else rows

    # Counted from the first row, equal rows have exactly no variance.
    first = scaled(0)[0]
    total = np.zeros(d)
    for step, start in enumerate(blocks):
        rows = scaled(start)
        rows -= first
        part = np.ones(len(rows)) @ rows
        if not np.isfinite(part).all():
            real("table", array)
        total += part
        told(len(blocks) + step + 1)
    middle = total / n
    centre = first + middle
    # Two steps where one would round: a centre far from the first row must not cost the small differences.
    near = np.array_equal(centre - first, middle)

    def centred(start: int) -> Floats:
        rows = scaled(start)
        if near:
            rows -= centre
        else:
            rows -= first
            rows -= middle
        return rows

    if n > 2 * d:
        # Tall: the (d, d) covariance holds all, and the table is never copied.
        covariance = np.zeros((d, d))
        for step, start in enumerate(blocks):
            block = centred(start)
            covariance += block.T @ block
            told(2 * len(blocks) + step + 1)
        values, vectors = np.linalg.eigh(covariance)
        squares, components = np.maximum(values[::-1], 0.0), vectors.T[::-1]
    else:
        whole = np.concatenate([centred(start) for start in blocks])
        # All d directions are only needed where the rows don't span what was asked for.
        _, singular, components = np.linalg.svd(whole, full_matrices=k > n)
        squares = np.concatenate([singular**2, np.zeros(d - len(singular))])
    components = _signed(components[:k])
    points = np.empty((n, k))
    for step, start in enumerate(blocks):
        points[start : start + _BLOCK] = centred(start) @ components.T
        told(3 * len(blocks) + step + 1)
    if power:
        points = np.ldexp(points, power)
    with np.errstate(over="ignore", under="ignore"):
        variance = np.ldexp(squares / max(n - 1, 1), 2 * power)[:k]
    everything = squares.sum()
    ratio = squares[:k] / everything if everything > 0 else np.zeros(k)
    return Pca(np.ldexp(centre, power), components, variance, ratio, points)


def _moments(array: npt.NDArray[np.float32], told: Callable[[int], None]) -> tuple[Floats, Floats] | None:
    """Mean (d,) and sum of squared deviations (d, d) of a large float32 table in one pass, as exact as its numbers are.

    None where that would cost digits (the rows lie far from the origin for their spread) or where a number is not
    finite: then the passes above do it, or name the entry.
    """
    n, d = array.shape
    total, squares = np.zeros(d), np.zeros((d, d))
    for step, start in enumerate(range(0, n, _BLOCK)):
        block = array[start : start + _BLOCK]
        total += np.ones(len(block), np.float32) @ block
        squares += block.T @ block  # products of 4,096 rows in float32, their sums in float64
        told(step + 1)
    mean = total / n
    deviations = squares - n * np.outer(mean, mean)
    if not np.isfinite(deviations).all() or np.trace(deviations) < 0.1 * np.trace(squares):
        return None
    return mean, deviations


def _along(
    array: npt.NDArray[np.float32], mean: Floats, deviations: Floats, k: int, told: Callable[[int], None]
) -> Pca:
    """The components that belong to these moments, and the table's rows along them."""
    n = len(array)
    values, vectors = np.linalg.eigh(deviations)
    squares, components = np.maximum(values[::-1], 0.0), _signed(vectors.T[::-1][:k])
    points, middle = np.empty((n, k)), components @ mean
    blocks = range(0, n, _BLOCK)
    for step, start in enumerate(blocks):
        points[start : start + _BLOCK] = array[start : start + _BLOCK].astype(np.float64) @ components.T - middle
        told(len(blocks) + 3 * (step + 1))
    return Pca(mean, components, squares[:k] / (n - 1), squares[:k] / squares.sum(), points)


def procrustes(
    points: npt.ArrayLike,
    reference: npt.ArrayLike,
    translate: bool = True,
    scale: bool = False,
    reflect: bool = True,
) -> Procrustes:
    """`points` (n, d) turned so that they lie as near as possible to `reference` (n, d), row by row (least squares).

    `translate` also moves the centre, `scale` also stretches, `reflect` allows a mirror image. Keeps a cloud from
    jumping when its projection is computed anew. Raises `ArgumentError` for shapes that differ or are empty.
    """
    moving, fixed = real("points", points, ndim=2), real("reference", reference, ndim=2)
    if moving.shape != fixed.shape or 0 in moving.shape:
        raise shape_error("points", moving, f"the shape of reference, {fixed.shape}, with at least one row, is needed")
    # The best turn doesn't depend on the size of either cloud.
    moving_power, fixed_power = exponent(moving), exponent(fixed)
    one, other = np.ldexp(moving, -moving_power), np.ldexp(fixed, -fixed_power)
    if flag("translate", translate):
        centre, target = one.mean(axis=0), other.mean(axis=0)
    else:
        centre = target = np.zeros(one.shape[1])
    one, other = one - centre, other - target
    left, singular, right = np.linalg.svd(one.T @ other)
    if not flag("reflect", reflect) and np.linalg.det(left @ right) < 0:
        left[:, -1] *= -1
        singular[-1] *= -1
    rotation = left @ right
    size = float((one * one).sum())
    with np.errstate(over="ignore"):
        stretch = 1.0
        if flag("scale", scale) and size > 0:
            stretch = float(np.ldexp(singular.sum() / size, fixed_power - moving_power))
        shift = np.ldexp(target, fixed_power) - stretch * (np.ldexp(centre, moving_power) @ rotation)
        moved = stretch * (moving @ rotation) + shift
    return Procrustes(moved, read_only(rotation), stretch, read_only(shift))


def _signed(components: Floats) -> Floats:
    size = np.abs(components)
    # "Largest" with a margin: rounding must not choose between two equal entries.
    first = np.argmax(size >= size.max(axis=1, keepdims=True) * (1 - 1e-9), axis=1)
    signs = np.where(components[np.arange(len(components)), first] < 0, -1.0, 1.0)
    return components * signs[:, np.newaxis]
