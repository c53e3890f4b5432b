"""The obvious ways to say where a token stands, and what is wrong with each: unbounded, or not the same everywhere.

Source: the lesson "The order problem" (three ways in which an appended number breaks).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats, integer, refuse, row, size, whole
from core.encodings.checks import positions as checked_positions


def raw_index(positions: npt.ArrayLike) -> Floats:
    """(n, 1) the position number itself, as an extra component: at 4,000 it drowns every other component."""
    return checked_positions("positions", positions)[:, np.newaxis].copy()


def fraction(positions: npt.ArrayLike, length: int) -> Floats:
    """(n, 1) how far along a text of `length` tokens: 0 at its first, 1 at its last token (0 if it is the only one).

    Bounded, but one step means 1 / (length - 1): it changes with the text. Raises `ArgumentError` for a position
    outside 0 … length - 1.
    """
    last = size("length", length) - 1
    places = checked_positions("positions", positions)
    for place in places[(places < 0) | (places > last)][:1]:
        raise refuse("positions", place, f"in a text of length {last + 1}, positions from 0 to {last} are needed")
    return (places / max(last, 1))[:, np.newaxis]


def binary(positions: npt.ArrayLike, n_bits: int) -> Floats:
    """(n, n_bits) the position's binary digits, the fastest first: column c changes every 2**c positions.

    Bounded and unique, but it jumps: 7 and 8 differ in four digits. Raises `ArgumentError` for positions that are not
    whole or don't fit in `n_bits` (1 to 62).
    """
    bits = integer("n_bits", n_bits, least=1, most=62)
    noun = f"with n_bits {bits}, whole numbers"
    places = whole("positions", row("positions", positions), ndim=1, least=0, most=2**bits - 1, noun=noun)
    return ((places[:, np.newaxis] >> np.arange(bits)) & 1).astype(np.float64)
