"""From token IDs to vectors: picking a row is multiplying by a one-hot vector.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.4; Press and Wolf 2017 for the shared matrix.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings import checks
from core.encodings.checks import Floats, real, shape_error


def one_hot(ids: npt.ArrayLike, vocab_size: int) -> Floats:
    """(n, vocab_size) zeros with a single 1 per row, in the column of that row's ID.

    `ids`: (n,) whole numbers from 0 to vocab_size - 1 (one number counts as a list of one).
    Raises `ArgumentError` for anything else.
    """
    size = checks.size("vocab_size", vocab_size)
    chosen = checks.ids("ids", ids, size, "vocab_size")
    vectors = np.zeros((len(chosen), size))
    vectors[np.arange(len(chosen)), chosen] = 1.0
    return vectors


def lookup(table: npt.ArrayLike, ids: npt.ArrayLike) -> Floats:
    """(n, d) the rows of `table` (vocab_size, d) with these IDs, as fresh float64: one_hot(ids) @ table, without zeros.

    Raises `ArgumentError` for IDs below 0 or beyond the last row: numpy would count a negative ID from the end.
    """
    array = checks.table("table", table, "one row per token, (vocab_size, d),")
    chosen = checks.ids("ids", ids, len(array), "vocab_size")
    # Only the chosen rows are converted: a table may be 400,000 rows of float32.
    return array[chosen].astype(np.float64)


def scale_by_sqrt_d(vectors: npt.ArrayLike) -> Floats:
    """The vectors (..., d) times sqrt(d), as the 2017 paper does before it adds positions (section 3.4)."""
    array = real("vectors", vectors, least_ndim=1)
    if array.shape[-1] == 0:
        raise shape_error("vectors", array, "vectors with at least one number, (..., d), are needed")
    with np.errstate(over="ignore"):
        scaled: Floats = array * np.sqrt(float(array.shape[-1]))
    return scaled


def gradient(ids: npt.ArrayLike, output_gradient: npt.ArrayLike, vocab_size: int) -> Floats:
    """(vocab_size, d) what a loss asks of the table: each looked-up row collects the gradients of its places.

    `output_gradient`: (n, d), the loss's gradient at the n looked-up vectors. Equals one_hot(ids).T @ output_gradient:
    rows whose ID didn't occur get zeros, an ID that occurred twice gets the sum.
    """
    size = checks.size("vocab_size", vocab_size)
    chosen = checks.ids("ids", ids, size, "vocab_size")
    upstream = real("output_gradient", output_gradient, ndim=2)
    if len(upstream) != len(chosen):
        raise shape_error("output_gradient", upstream, f"one row for each of the {len(chosen)} ids is needed")
    total = np.zeros((size, upstream.shape[1]))
    with np.errstate(over="ignore"):
        np.add.at(total, chosen, upstream)
    return total
