"""What can be computed about a scheme: its four lamps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.encodings import naive
from core.lessons.positions.rows import Array, Rows, learned_refusal, rows_of, shift_error
from core.lessons.positions.state import LAST, WORD, PositionsState, limit
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.tables import shipped
from core.values import dataclass

Verdict = Literal["yes", "partly", "no"]
RESOLUTION = 0.001  # the last digit shown
TRAINED = 512  # positions: what "past training" means for every scheme, MiniLM's length


@dataclass(frozen=True, slots=True)
class Lamp:
    """One need: whether it is met, the name of the sentence that says how, and the numbers in it."""

    need: Literal["bounded", "unique", "relative", "past"]
    verdict: Verdict
    how: str
    numbers: tuple[tuple[str, float], ...] = ()


@lru_cache(maxsize=64)
def lamps(rows: Rows, limit_rows: int) -> tuple[Lamp, Lamp, Lamp, Lamp]:
    """Bounded, unique, relative, past training: computed from the scheme's own numbers."""
    return _bounded(rows, limit_rows), _unique(rows, limit_rows), _relative(rows, limit_rows), _past(rows, limit_rows)


def lamps_of(state: PositionsState) -> tuple[Lamp, Lamp, Lamp, Lamp]:
    return lamps(rows_of(state), limit(state))


def lamps_job(
    rows: Rows, limit_rows: int, progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> tuple[Lamp, Lamp, Lamp, Lamp]:
    """For a Job: the lamps of a table whose rows have to be compared one by one."""
    return lamps(rows, limit_rows)


def asked(state: PositionsState, context: Context) -> tuple[Lamp, ...]:
    """The lamps; none while they are being computed, which takes a moment for the learned rows."""
    if state.scheme != "learned":
        return lamps_of(state)
    return context.ask(Job(lamps_job, (rows_of(state), limit(state)))) or ()


def _sample(rows: Rows) -> NDArray[Any]:
    """The columns that the lamps look at: all of a narrow table, fast to slow of a wide one, whole pairs."""
    if rows.scheme != "sinusoidal" or rows.columns <= 32:
        return np.arange(rows.columns) if rows.scheme in ("sinusoidal", "learned", "binary") else np.array([WORD])
    first = np.unique(np.linspace(0, rows.columns // 2 - 1, 16).round().astype(int)) * 2
    return np.sort(np.concatenate([first, first + 1]))


def _bounded(rows: Rows, limit_rows: int) -> Lamp:
    """The smallest and largest number in a sample of rows up to the last."""
    last = limit_rows - 1
    places = np.arange(limit_rows) if limit_rows <= TRAINED else np.unique(np.geomspace(1, last, 64).astype(int))
    values = rows.at(np.append(places, [0, last]), _sample(rows))
    low, high = float(values.min()), float(values.max())
    if max(abs(low), abs(high)) > 2.0:  # a few times the size of a word's numbers would still be bounded
        return Lamp("bounded", "no", "grows", (("high", high),))
    how = {"binary": "binary", "fraction": "part"}.get(rows.scheme, "within")
    return Lamp("bounded", "yes", how, (("low", low), ("high", high)))


@cache
def _turns() -> NDArray[np.int64]:
    """Distances over which the fastest hand, one radian a position, comes back to within the resolution."""
    distances = np.arange(1, LAST + 1)
    chord = 2.0 * np.abs(np.sin(distances / 2.0))
    found: NDArray[np.int64] = distances[chord < np.sqrt(2.0) * RESOLUTION]
    return found


def _unique(rows: Rows, limit_rows: int) -> Lamp:
    """Whether any two rows look equal to the last digit shown."""
    counted = ("count", float(limit_rows))
    if rows.scheme == "sinusoidal":
        # A distance turns pair i by distance · w; the pair's point moves by the chord 2 |sin(distance · w / 2)|, and
        # one of its two numbers by at least the chord over √2. Pair 0 alone leaves a few hundred candidates.
        speeds = rows.base ** (-np.arange(0, rows.columns, 2) / rows.columns)
        alike = _turns()
        for speed in speeds[1:]:
            if not len(alike):
                break
            alike = alike[2.0 * np.abs(np.sin(alike * speed / 2.0)) < np.sqrt(2.0) * RESOLUTION]
        if not len(alike):
            return Lamp("unique", "yes", "all", (counted,))
        return Lamp("unique", "partly", "alike", (("distance", float(alike[0])),))
    if rows.scheme == "learned":
        return Lamp("unique", "yes" if _nearest_learned() > RESOLUTION else "no", "all", (counted,))
    if limit_rows < 2:
        return Lamp("unique", "yes", "all", (counted,))
    first, second = rows.at(np.array([0, 1]), np.arange(rows.columns))  # all steps are equal, or flip a whole digit
    gap = float(np.abs(second - first).max())
    if gap < RESOLUTION:
        return Lamp("unique", "no", "steps", (("gap", gap),))
    return Lamp("unique", "yes", "all", (counted,))


@cache
def _nearest_learned() -> float:
    """The smallest over all pairs of rows of their largest difference in one number."""
    table = shipped.minilm_positions()
    best = np.inf
    for row in range(len(table) - 1):
        best = min(best, float(np.abs(table[row + 1 :] - table[row]).max(axis=1).min()))
    return best


def _relative(rows: Rows, limit_rows: int) -> Lamp:
    """Whether one matrix without a bias takes every row to the next."""
    if rows.scheme == "sinusoidal":
        error = max(shift_error(rows.columns, rows.base, position, 1) for position in (0, 6, 4_000, LAST - 1))
        return Lamp("relative", "yes" if error < 1e-6 else "no", "matrix", (("error", error),))
    if rows.scheme == "fraction":
        return Lamp("relative", "no", "length", (("steps", float(max(limit_rows - 1, 1))),))
    values = rows.at(np.arange(min(limit_rows, TRAINED)), _sample(rows))
    if not values[0].any():  # a matrix takes zeros to zeros
        return Lamp("relative", "no", "zero")
    left = _left_over(values[:-1], values[1:])
    return Lamp("relative", "yes" if left < 1e-9 else "no", "left", (("share", left),))


def _left_over(now: Array, then: Array) -> float:
    """The share of ``then`` that the best matrix from ``now`` does not reach."""
    basis = np.linalg.qr(now)[0]
    return float(np.linalg.norm(then - basis @ (basis.T @ then)) / np.linalg.norm(then))


def _past(rows: Rows, limit_rows: int) -> Lamp:
    """The first row after TRAINED ones: refused, larger than all before, or new in its combination only."""
    if rows.scheme == "learned":
        if learned_refusal(TRAINED):
            return Lamp("past", "no", "refused", (("row", float(TRAINED)),))
        return Lamp("past", "partly", "new", (("row", float(TRAINED)),))
    columns = _sample(rows)
    if rows.scheme == "fraction":
        trained = naive.fraction(np.arange(TRAINED), TRAINED)
        longer = naive.fraction(np.arange(TRAINED + 1), TRAINED + 1)
    else:
        trained, longer = rows.at(np.arange(TRAINED), columns), rows.at(np.array([TRAINED]), columns)
    if np.abs(longer).max() > np.abs(trained).max() + RESOLUTION:
        return Lamp("past", "no", "larger", (("value", float(np.abs(longer).max())),))
    if rows.scheme == "fraction":
        return Lamp("past", "partly", "closer")
    nearest = np.abs(longer[0] - trained).max(axis=1).min()
    return Lamp("past", "partly" if nearest > 0.0 else "yes", "defined", (("row", float(TRAINED)),))
