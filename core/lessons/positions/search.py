"""The search for a position's nearest look-alike among a million, hand by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.lessons.positions.state import LAST
from core.stage.jobs import Cancelled
from core.values import dataclass

NEAR = 3  # positions this near are neighbours, which look alike for a good reason
REACHES = (0.004, 0.03, 0.25, 0.8, 2.5)  # differences within which the nearest is looked for, one after the other


@dataclass(frozen=True, slots=True)
class LookAlike:
    """The row that comes nearest, and the largest difference in one number, with the first hands only."""

    row: int
    gap: float


def search_job(
    position: int,
    d_model: int,
    base: float,
    most: int,
    decimals: int | None,
    progress: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> tuple[LookAlike, ...]:
    """For a Job: the nearest look-alike of ``position`` for 1 … ``most`` hands, among the rows 0 … LAST that are more
    than NEAR away; with ``decimals`` both rows are rounded first. Exact: nothing is sampled."""

    def told(share: float) -> None:
        if cancelled():
            raise Cancelled
        progress(share)

    return _search(position, d_model, base, most, decimals, told)


def _search(
    position: int, d_model: int, base: float, most: int, decimals: int | None, told: Callable[[float], None]
) -> tuple[LookAlike, ...]:
    distances = np.arange(-position, LAST + 1 - position)
    chords = _chords()[np.abs(distances)]
    chords[max(0, position - NEAR) : position + NEAR + 1] = np.inf
    # Rounding moves each number by half a unit at most, so two rows come nearer by a unit at most.
    slack = 0.0 if decimals is None else 10.0**-decimals
    found: list[LookAlike] = []
    for step, reach in enumerate(REACHES):
        told(step / len(REACHES))
        # One of a hand's two numbers moves by at least its chord over √2: the others need no look.
        rows = np.flatnonzero(chords <= np.sqrt(2.0) * (reach + slack))
        worst = np.zeros(len(rows))
        for hand in range(most):
            speed = float(base ** (-2.0 * hand / d_model))
            worst = np.maximum(worst, _apart(rows * speed, position * speed, decimals))
            kept = worst <= reach
            rows, worst = rows[kept], worst[kept]
            if not len(rows):
                break
            if hand < len(found):
                continue
            ties = np.flatnonzero(worst <= worst.min() + 1e-12)
            best = ties[np.argmin(np.abs(rows[ties] - position))]
            found.append(LookAlike(int(rows[best]), float(worst[best])))
        if len(found) == most:
            break
    return tuple(found)


def _apart(angles: NDArray[Any], angle: float, decimals: int | None) -> NDArray[Any]:
    """The larger difference of the two numbers."""
    sines, cosines = np.sin(angles), np.cos(angles)
    sine, cosine = np.sin(angle), np.cos(angle)
    if decimals is not None:
        sines, cosines = np.round(sines, decimals), np.round(cosines, decimals)
        sine, cosine = np.round(sine, decimals), np.round(cosine, decimals)
    apart: NDArray[Any] = np.maximum(np.abs(sines - sine), np.abs(cosines - cosine))
    return apart if decimals is None else np.round(apart, decimals)


@cache
def _chords() -> NDArray[np.float64]:
    """How far the first hand's tip, one radian a position, is from where it was, for every distance."""
    return np.asarray(2.0 * np.abs(np.sin(np.arange(LAST + 1) / 2.0)))
