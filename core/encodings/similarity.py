"""How alike two vectors are, and what follows from it: neighbours, analogies, pictures of many vectors.

`dot`, `cosine` and `euclidean` compare every row of one array with every row of another.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats, rows, shape_error
from core.encodings.clustering import cluster_order
from core.encodings.norms import exponent, row_norms, scaled_rows, unit_rows
from core.encodings.projection import Pca, Procrustes, pca, procrustes
from core.encodings.search import analogy, nearest

__all__ = [
    "Pca",
    "Procrustes",
    "analogy",
    "cluster_order",
    "cosine",
    "dot",
    "euclidean",
    "nearest",
    "pca",
    "procrustes",
    "row_norms",
]

# Differences held at once by `euclidean`: a few megabytes, whatever the two arrays are.
_BLOCK = 250_000


def dot(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """(len(a), len(b)) sums of products of a (len(a), d) and b (len(b), d); one vector (d,) counts as one row.

    A product beyond 1.8e308 is infinite, with its sign. Raises `ArgumentError` for numbers that aren't finite and for
    rows of different lengths.
    """
    one, other = _two(a, b)
    with np.errstate(over="ignore", invalid="ignore"):
        products: Floats = one @ other.T
        if not np.isfinite(products).all():
            # inf - inf would be NaN: sum in a safe range, then scale back.
            (small_one, e), (small_other, f) = scaled_rows(one), scaled_rows(other)
            products = np.ldexp(small_one @ small_other.T, e[:, np.newaxis] + f)
    return products


def cosine(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """(len(a), len(b)) cosines of the angles between rows, within -1 … 1; NaN for a row of zeros (no direction).

    Shapes and errors as `dot`. Rows are scaled first, so that 1e200 and 1e-200 keep their direction.
    """
    one, other = _two(a, b)
    (units, zero), (other_units, other_zero) = unit_rows(one), unit_rows(other)
    cosines: Floats = np.clip(units @ other_units.T, -1.0, 1.0)
    cosines[zero, :] = np.nan
    cosines[:, other_zero] = np.nan
    return cosines


def euclidean(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """(len(a), len(b)) straight-line distances between rows. Shapes and errors as `dot`.

    Summed from the differences themselves: |a|² + |b|² - 2ab would lose near neighbours to rounding.
    """
    one, other = _two(a, b)
    # Squares of huge numbers pass the end of float64: those are taken in units of a power of two.
    power = max(exponent(one), exponent(other))
    power = power if power > 400 else 0
    one, other = np.ldexp(one, -power), np.ldexp(other, -power)
    distances = np.empty((len(one), len(other)))
    step = max(1, _BLOCK // max(1, other.size))
    width = max(1, _BLOCK // other.shape[1])
    for start in range(0, len(one), step):
        for left in range(0, len(other), width):
            difference = one[start : start + step, np.newaxis] - other[left : left + width]
            squares = np.einsum("ijk,ijk->ij", difference, difference)
            lengths = np.sqrt(squares)
            tiny = squares < 1e-280
            if tiny.any():
                small, powers = scaled_rows(difference[tiny])
                lengths[tiny] = np.ldexp(np.sqrt((small * small).sum(axis=1)), powers)
            distances[start : start + step, left : left + width] = lengths
    with np.errstate(over="ignore"):
        return np.ldexp(distances, power)


def _two(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[Floats, Floats]:
    one, other = rows("a", a), rows("b", b)
    if one.shape[1] != other.shape[1]:
        raise shape_error("b", other, f"rows as long as those of a, {one.shape[1]}, are needed")
    return one, other
