"""The sentence's own scores: q·k / √d of rows of a shipped table, before any position.

A query and a key are the token's row itself, no W_q and no W_k, so that the bias is all that is added.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.stage.frame import Array
from core.stage.lesson import Context
from core.tables import shipped
from core.values import dataclass

MOST_TOKENS = 12  # whose columns have room for numbers
MINILM_SCALE = 6.0  # MiniLM's rows are short, for a norm follows them; × 6 their products are of a score's size


@dataclass(frozen=True, slots=True)
class Found:
    """The sentence's tokens that have a row, the rows' numbers, those without one, and how many had no room."""

    names: tuple[str, ...]
    rows: tuple[int, ...]
    missing: tuple[str, ...]
    left_out: int


def found(kind: str, context: Context) -> Found:
    tokens = context.tokens if context.shared.table == kind else context.tokens_in(kind)
    there = [(token.shown, token.id) for token in tokens if token.id is not None]
    missing = tuple(token.shown for token in tokens if token.id is None)
    names, rows = tuple(name for name, _ in there), tuple(row for _, row in there)
    return Found(names[:MOST_TOKENS], rows[:MOST_TOKENS], missing, max(len(rows) - MOST_TOKENS, 0))


def width(kind: str) -> int:
    return shipped.table(kind).dim


@lru_cache(maxsize=64)
def products(kind: str, rows: tuple[int, ...], query: int) -> tuple[Array, Array]:
    """(n,) q·k of a query with every key, two decimals; and q·k / √d of those, three: what is shown is used."""
    table = shipped.table(kind)
    vectors = np.array([table.row(row) for row in rows], dtype=np.float64)
    factor = MINILM_SCALE**2 if kind == "minilm" else 1.0
    raw = (factor * (vectors @ vectors[query])).round(2) + 0.0
    return raw, (raw / math.sqrt(table.dim)).round(3) + 0.0
