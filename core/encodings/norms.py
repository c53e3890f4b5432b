"""Lengths of rows, safe from overflow: huge and tiny rows are first scaled by a power of two, which rounds nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats

# Squares within these stay clear of overflow and of the coarse small numbers at the end of the range.
_SAFE = {np.dtype(np.float32): (1e-24, 1e34), np.dtype(np.float64): (1e-250, 1e300)}


def exponent(array: npt.NDArray[Any]) -> int:
    """The e for which array / 2**e stays within ±1; 0 for zeros or an empty array."""
    largest = float(np.max(np.abs(array))) if array.size else 0.0
    return int(np.frexp(largest)[1])


def scaled_rows(rows: Floats) -> tuple[Floats, npt.NDArray[np.int32]]:
    """(rows / 2**e, e): each row brought to a largest entry within 0.5 … 1, with its own e; zero rows stay."""
    largest = np.max(np.abs(rows), axis=1, initial=0.0)
    exponents = np.frexp(largest)[1]
    return np.ldexp(rows, -exponents[:, np.newaxis]), exponents


def unit_rows(rows: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """(rows of length 1, which rows were zero); a zero row stays zero."""
    scaled, _ = scaled_rows(rows)
    lengths = np.sqrt((scaled * scaled).sum(axis=1))
    zero = lengths == 0
    return scaled / np.where(zero, 1.0, lengths)[:, np.newaxis], zero


def row_norms(table: npt.NDArray[Any]) -> Floats:
    """(n,) Euclidean lengths of the rows of a float32 or float64 table, computed in the table's own precision.

    Meant to be kept beside a table that is searched often (`similarity.nearest(…, norms=…)`).
    """
    low, high = _SAFE[table.dtype]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        squares: Floats = np.einsum("ij,ij->i", table, table).astype(np.float64)
    norms: Floats = np.sqrt(squares)
    unsafe = np.flatnonzero(~((squares >= low) & (squares <= high)))
    for start in range(0, len(unsafe), 4096):
        chosen = unsafe[start : start + 4096]
        scaled, exponents = scaled_rows(table[chosen].astype(np.float64))
        with np.errstate(over="ignore", invalid="ignore"):
            norms[chosen] = np.ldexp(np.sqrt((scaled * scaled).sum(axis=1)), exponents)
    return norms
