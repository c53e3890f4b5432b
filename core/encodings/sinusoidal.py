"""Sinusoidal positions: the hands of a clock, each pair of columns one hand.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5; tensor2tensor's get_timing_signal_1d for its
own exponent and layout.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.encodings.angles import angles, powers
from core.encodings.checks import Floats, Ints, choice, even, number, size, whole
from core.encodings.checks import positions as checked_positions

LAYOUTS = ("interleaved", "concatenated", "tensor2tensor")


def table(
    positions: npt.ArrayLike,
    d_model: int,
    base: float = 10_000.0,
    layout: str = "interleaved",
    columns: Sequence[int] | npt.NDArray[np.integer] | None = None,
) -> Floats:
    """(n, d_model) or (n, len(columns)): one row per position, each number within -1 … 1.

    `positions`: (n,) finite, whole or not, in tokens. `base` > 0 (with 1 all pairs turn at one speed).
    `columns`: numbers 0 … d_model - 1 in any order; only these are computed, so that a window costs what it shows.

    * interleaved: column 2i is sin(p / base**(2i/d)), column 2i + 1 the cosine of the same. An odd d keeps d in the
      exponent and ends with a sine: ceil(d/2) sines, floor(d/2) cosines.
    * concatenated: the same values, all sines first.
    * tensor2tensor: floor(d/2) sines, then as many cosines, of p / base**(i / (d//2 - 1)): another family, no
      permutation of the first. An odd d ends with a column of zeros; d = 2 has the one speed 1.

    Raises `ArgumentError` for d_model below 1, a base that isn't above 0, a position or column that isn't there.
    """
    width = size("d_model", d_model)
    turning = number("base", base, above=0)
    kind = choice("layout", layout, LAYOUTS)
    places = checked_positions("positions", positions)
    if columns is None:
        chosen: Ints = np.arange(width)
    else:
        noun = f"with d_model {width}, column numbers"
        chosen = whole("columns", columns, ndim=1, least=0, most=width - 1, noun=noun)
    pair, is_cosine, is_empty = _columns(chosen, width, kind)
    exponents = pair / max(width // 2 - 1, 1) if kind == "tensor2tensor" else 2.0 * pair / width
    values = angles(places, powers(turning, exponents))
    sines, cosines = np.flatnonzero(~is_cosine), np.flatnonzero(is_cosine)
    result = np.empty_like(values)
    result[:, sines] = np.sin(values[:, sines])
    result[:, cosines] = np.cos(values[:, cosines])
    result[:, is_empty] = 0.0
    return result


def shift_matrix(k: float, d_model: int, base: float = 10_000.0) -> Floats:
    """(d_model, d_model) the one matrix that moves every position by k: table(p + k) == table(p) @ shift_matrix(k).T.

    `k` in tokens, also negative or a fraction. Interleaved layout, even d_model: pair i turns by k / base**(2i/d),
    whatever p is. Source: Vaswani et al. 2017, section 3.5 ("a linear function of PE_pos").
    """
    step = number("k", k)
    width = even("d_model", d_model)
    pairs = np.arange(0, width, 2)
    turn = angles(np.array([step]), powers(number("base", base, above=0), pairs / width))[0]
    matrix = np.zeros((width, width))
    matrix[pairs, pairs] = matrix[pairs + 1, pairs + 1] = np.cos(turn)
    matrix[pairs, pairs + 1] = np.sin(turn)
    matrix[pairs + 1, pairs] = -np.sin(turn)
    return matrix


def _columns(chosen: Ints, width: int, layout: str) -> tuple[Ints, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which pair each column belongs to, whether it is the cosine of it, and whether it stays empty."""
    none = np.zeros(len(chosen), dtype=np.bool_)
    if layout == "interleaved":
        return chosen // 2, chosen % 2 == 1, none
    n_sines = (width + 1) // 2 if layout == "concatenated" else width // 2
    is_cosine = chosen >= n_sines
    empty = (chosen >= 2 * n_sines) if layout == "tensor2tensor" else none
    return np.where(empty, 0, chosen - n_sines * is_cosine), is_cosine, empty
