"""An order for the rows of a heat map in which alike stands beside alike.

Source: Sokal and Michener 1958 (average linkage, UPGMA); Eisen et al. 1998 for ordering heat maps by it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Ints, flag, real, shape_error
from core.encodings.norms import exponent


def cluster_order(matrix: npt.ArrayLike, distances: bool = False) -> Ints:
    """(n,) a permutation of the rows of a square matrix: matrix[order][:, order] shows its clusters as blocks.

    `matrix`: (n, n) similarities, such as cosines (more = nearer), or with `distances` less = nearer; it counts as
    the mean of itself and its transpose, and an undefined entry (NaN) as the farthest. Clusters whose members are
    nearest on average are joined first; ties go to the lowest row numbers; each join turns its halves so that the
    nearest ends meet. Deterministic. Raises `ArgumentError` for a matrix that isn't square or holds infinities.
    """
    array = real("matrix", matrix, ndim=2, finite=False)
    n = len(array)
    if array.shape != (n, n):
        raise shape_error("matrix", array, "as many rows as columns are needed")
    real("matrix", np.nan_to_num(array, nan=0.0, posinf=np.inf, neginf=-np.inf))
    gap = array.copy() if flag("distances", distances) else -array
    gap = np.ldexp(gap, -exponent(np.nan_to_num(gap)))  # within ±1, so that no sum leaves float64
    gap = gap / 2 + gap.T / 2
    gap[np.isnan(gap)] = 3.0  # farther than any other: those differ by at most 2
    between = gap.copy()
    np.fill_diagonal(between, np.inf)
    leaves = [[row] for row in range(n)]
    for _ in range(n - 1):
        first, second = sorted(divmod(int(np.argmin(between)), n))
        leaves[first] = _joined(leaves[first], leaves[second], gap)
        share = len(leaves[second]) / len(leaves[first])
        merged = between[first] * (1 - share) + between[second] * share
        between[first], between[:, first] = merged, merged
        between[second], between[:, second] = np.inf, np.inf
        between[first, first] = np.inf
    order = np.array(leaves[0] if n else [], dtype=np.int64)
    return order[::-1].copy() if n and order[0] > order[-1] else order


def _joined(one: list[int], other: list[int], gap: npt.NDArray[np.float64]) -> list[int]:
    """The two halves, each one way round or the other, with the nearest ends in the middle."""
    ways = [(a, b) for a in (one, one[::-1]) for b in (other, other[::-1])]
    ways += [(b, a) for a, b in ways]
    left, right = min(ways, key=lambda way: float(gap[way[0][-1], way[1][0]]))
    return left + right
