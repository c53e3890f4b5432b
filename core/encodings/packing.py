"""Several texts in one row: positions that start again, and a mask that keeps the texts apart.

Source: Krell et al. 2021, "Efficient Sequence Packing without Cross-contamination", section 3.2; transformers,
DataCollatorWithFlattening.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import MOST, Bools, Ints, flag, row, shape_error, size, whole
from core.encodings.checks import mask as checked_mask


def restart_positions(lengths: npt.ArrayLike, offset: int = 0) -> Ints:
    """(sum of lengths,) positions that start again with every text, at `offset` (0 or more; some models use 2).

    `lengths`: tokens of each text, whole numbers of 0 or more. One text of 3 after 6 cached tokens: ([3], offset=6).
    """
    counts = _lengths(lengths)
    first = size("offset", offset, least=0)
    starts = np.cumsum(counts) - counts
    return np.arange(counts.sum()) - np.repeat(starts, counts) + first


def document_index(lengths: npt.ArrayLike) -> Ints:
    """(sum of lengths,) which text each token belongs to, from 0."""
    counts = _lengths(lengths)
    return np.repeat(np.arange(len(counts)), counts)


def block_mask(lengths: npt.ArrayLike, causal: bool = True) -> Bools:
    """(n, n) with n = sum of lengths: True where query (row) and key (column) belong to one text.

    `causal` also needs the key not to come after the query.
    """
    document = document_index(lengths)
    same: Bools = document[:, np.newaxis] == document[np.newaxis, :]
    return np.tril(same) if flag("causal", causal) else same


def positions_from_mask(mask: npt.ArrayLike, offset: int = 0) -> Ints:
    """Positions that don't count padding: (n,) or (batch, n) as the mask, from `offset`, and -1 where masked.

    `mask`: True or 1 for a token, False or 0 for padding, on either side. Source: transformers' generation code,
    cumulative mask - 1.
    """
    tokens = checked_mask("mask", mask)
    if tokens.ndim not in (1, 2):
        raise shape_error("mask", tokens, "one row, (n,), or several, (batch, n), are needed")
    first = size("offset", offset, least=0)
    return np.where(tokens, np.cumsum(tokens, axis=-1) - 1 + first, -1)


def _lengths(lengths: npt.ArrayLike) -> Ints:
    return whole("lengths", row("lengths", lengths), ndim=1, least=0, most=MOST)
