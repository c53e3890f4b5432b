"""Learned absolute positions: another table, which simply ends.

Source: Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", section 3.1; Devlin et al. 2018 (BERT).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings import checks
from core.encodings.checks import Floats, integer, refuse


def rows(table: npt.ArrayLike, length: int, offset: int = 0) -> Floats:
    """(length, d) the rows offset … offset + length - 1 of `table` (n_positions, d), as fresh float64.

    `length` and `offset` count tokens, 0 or more. Raises `ArgumentError`, naming both, when they pass the last row:
    there is no vector for a position that was never trained.
    """
    array = checks.table("table", table, "one row per position, (n_positions, d),")
    count = integer("length", length, least=0)
    start = integer("offset", offset, least=0)
    if start + count > len(array):
        raise refuse(
            "length",
            count,
            f"with offset {start} it reaches position {start + count - 1}, "
            f"and the table of {len(array)} rows ends at position {len(array) - 1}",
        )
    return array[start : start + count].astype(np.float64)
