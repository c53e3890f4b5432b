"""How long a product with a one-hot row takes on this machine, and how long reading a row; the clock is handed in."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.encodings.checks import Cancelled
from core.lessons.lookup.pages import said
from core.stage.numbers import number
from core.tables import shipped
from core.values import dataclass

MOST = 64_000_000  # numbers of a stand-in that is made to be measured: 256 MB
BLOCK = 2_048  # rows made at a time
TIMES = 5  # the quickest of so many products counts
READS = 2_000  # rows read for one measure of indexing


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds for one product and for one row read by its index, and whether both gave the same numbers."""

    product: float
    index: float
    same: bool


def measure(
    clock: Callable[[], float],
    rows: int,
    dim: int,
    table_id: str = "",
    *,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> Timing:
    """For a Job: one-hot × E and E[id], in seconds by the clock that is handed in. E is the shipped table, or where
    none is named a stand-in of ``rows`` × ``dim`` float32. Raises Cancelled."""
    if table_id:
        table = shipped.table(table_id).vectors
    else:
        table = np.empty((rows, dim), dtype=np.float32)
        block = np.random.default_rng(0).standard_normal((min(BLOCK, rows), dim), dtype=np.float32)
        for start in range(0, rows, BLOCK):
            if cancelled():
                raise Cancelled
            table[start : start + BLOCK] = block[: min(BLOCK, rows - start)]
            progress(0.5 * start / rows)
    picked = rows // 3
    onehot = np.zeros(rows, dtype=table.dtype)
    onehot[picked] = 1.0
    product, best = table[picked], float("inf")
    for turn in range(TIMES):
        if cancelled():
            raise Cancelled
        start_at = clock()
        product = onehot @ table
        best = min(best, clock() - start_at)
        progress(0.5 + 0.4 * (turn + 1) / TIMES)
    row = table[picked].copy()
    read = float("inf")
    for _ in range(TIMES):
        start_at = clock()
        for _ in range(READS):
            row = table[picked].copy()
        read = min(read, (clock() - start_at) / READS)
    progress(1.0)
    return Timing(max(best, 0.0), max(read, 0.0), bool(np.array_equal(product, row)))


def duration(seconds: float) -> str:
    """A time for a person: ``14.2 ms``."""
    for limit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= limit:
            return said(f"layer.{name}", value=number(seconds / limit, 1 if seconds < 100 * limit else 0))
    return said("layer.us", value=number(seconds * 1e6, 2))
