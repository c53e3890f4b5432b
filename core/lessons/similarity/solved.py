"""What a table answers to "a − b + c": numbers only, nothing drawn.

Source: Mikolov et al. 2013 (3CosAdd), Levy and Goldberg 2014 (3CosMul), both as in gensim: query words left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from core.encodings import similarity
from core.encodings.checks import ArgumentError, Cancelled
from core.lessons.similarity.facts import Floats, rows_of
from core.lessons.similarity.state import METHODS
from core.tables.table import Table
from core.values import dataclass

Rows = tuple[int, int, int]  # plus, minus, plus
_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Solved:
    """Answers best first, without the words asked with and what the display filter hides."""

    rows: tuple[int, ...]
    scores: tuple[float, ...]
    dropped: tuple[tuple[int, float], ...]  # words of the question that score among the answers, best first
    bests: tuple[tuple[str, int, float], ...]  # of every method: its name, its best row and score
    rank: int | None  # the hoped-for row's place from 1, where it has one
    hoped_score: float


NOTHING = Solved((), (), (), (), None, 0.0)


def solve_job(
    table: Table,
    asked: Rows,
    count: int,
    method: str,
    hoped: int | None,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> Solved:
    """For a Job: the ``count`` best answers. None at all where a row is zero or the three cancel."""
    try:
        rows, scores = _answers(table, asked, count, method)
    except ArgumentError:
        return NOTHING
    bests = []
    for name in METHODS:
        found, values = _answers(table, asked, 1, name) if name != method else (rows, scores)
        if found:
            bests.append((name, found[0], values[0]))
        progress(0.2 * len(bests))
    mine = dict.fromkeys(asked)
    own = zip(mine, scores_of(table, asked, method, tuple(mine)).tolist(), strict=True)
    least = scores[-1] if scores else -np.inf
    dropped = sorted(((row, score) for row, score in own if score >= least), key=lambda pair: -pair[1])
    rank, hoped_score = None, 0.0
    if hoped is not None and hoped not in mine:
        hoped_score = float(scores_of(table, asked, method, (hoped,))[0])
        rank = rows.index(hoped) + 1 if hoped in rows else _rank(table, asked, method, hoped_score, cancelled)
    return Solved(rows, scores, tuple(dropped), tuple(bests), rank, hoped_score)


@lru_cache(maxsize=64)
def _answers(table: Table, asked: Rows, count: int, method: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    if method == "rows":
        found, scores = table.nearest(target(table, asked, method), count, "cosine", exclude=asked)
    else:
        # The display filter's rows are taken out afterwards, so that many more are asked for.
        more = count + len(table.hidden_rows)
        plus, minus = [asked[0], asked[2]], [asked[1]]
        found, scores = similarity.analogy(table.vectors, plus, minus, more, method, norms=table.norms)
    pairs = zip(found.tolist(), scores.tolist(), strict=True)
    shown = [(row, score) for row, score in pairs if row not in table.hidden_rows][:count]
    return tuple(row for row, _ in shown), tuple(score for _, score in shown)


def parts(table: Table, asked: Rows, method: str) -> Floats:
    """(3, d): the rows that are added, as they stand or (but for "rows") at length 1; zero rows stay."""
    rows = rows_of(table, asked)
    if method == "rows":
        return rows
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    units: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return units


def target(table: Table, asked: Rows, method: str) -> Floats:
    """(d,): plus − minus + plus."""
    rows = parts(table, asked, method)
    total: Floats = rows[0] - rows[1] + rows[2]
    return total


def scores_of(table: Table, asked: Rows, method: str, rows: tuple[int, ...] | slice) -> Floats:
    """The score of each of these rows, float64; −2 for a row of zeros, which has none."""
    block = rows_of(table, rows) if isinstance(rows, tuple) else table.vectors[rows].astype(np.float64)
    if method == "3CosMul":
        one, minus, other = ((1 + similarity.cosine(block, part)[:, 0]) / 2 for part in parts(table, asked, method))
        scores = np.asarray(one * other / (minus + 1e-6), dtype=np.float64)
    else:
        scores = np.asarray(similarity.cosine(block, target(table, asked, method))[:, 0], dtype=np.float64)
    scores[np.isnan(scores)] = -2.0
    return scores


def _rank(table: Table, asked: Rows, method: str, score: float, cancelled: Callable[[], bool]) -> int:
    """The place among all rows that may answer: one more than there are better ones."""
    left_out = np.array(sorted({*asked, *table.hidden_rows}))
    better = 0
    for start in range(0, table.rows, _BLOCK):
        if cancelled():
            raise Cancelled
        block = slice(start, min(start + _BLOCK, table.rows))
        above = scores_of(table, asked, method, block) > score + 1e-9
        inside = left_out[(left_out >= block.start) & (left_out < block.stop)]
        above[inside - start] = False
        better += int(above.sum())
    return better + 1
