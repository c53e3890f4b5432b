"""Two rows that may look alike: their numbers as far as hands are on, and how far they are apart."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.lessons.positions.lamps import RESOLUTION
from core.lessons.positions.pages import equals, said, small
from core.lessons.positions.search import LookAlike
from core.lessons.positions.state import PositionsState, at, frequency, hands_on
from core.stage.frame import Line, Term, line
from core.stage.numbers import count, number


def decimals_of(state: PositionsState) -> int | None:
    """To how many decimals rows are rounded before they are compared."""
    return None if state.round_to == "full" else int(state.round_to)


def alike(state: PositionsState, gap: float) -> bool:
    """Whether two rows that differ by at most this look equal: to the last digit shown, or after rounding."""
    return gap < RESOLUTION if state.round_to == "full" else gap == 0.0


def values_of(state: PositionsState, row: int, hands: int) -> NDArray[np.float64]:
    """(2 · hands,) sine and cosine of each hand, rounded where the state says so."""
    angles = row * np.array([frequency(state, pair) for pair in range(hands)])
    values = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
    decimals = decimals_of(state)
    return values if decimals is None else np.round(values, decimals)


def places_of(state: PositionsState, twin: LookAlike | None) -> int:
    """Decimals of the cells: as many as show the difference with two digits."""
    decimals = decimals_of(state)
    if decimals is not None:
        return decimals
    if twin is None:
        return 3
    return 3 if twin.gap >= 0.1 else min(7, 1 - math.floor(math.log10(max(twin.gap, 1e-6))))


def lines(state: PositionsState, twin: LookAlike | None) -> tuple[Line, ...]:
    """Each number of both rows and their difference from the printed numbers, the largest difference first."""
    if twin is None:
        return ()
    here, on, places = at(state), hands_on(state), places_of(state, twin)
    own, other = values_of(state, here, on), values_of(state, twin.row, on)
    written: list[Line] = []
    worst = int(np.abs(own - other).argmax())
    for row in [worst, *(row for row in range(2 * on) if row != worst)]:
        half = "cos" if row % 2 else "sin"
        a, b = round(own[row], places), round(other[row], places)
        apart = abs(own[row] - other[row])
        written.append(
            line(
                Term(said(f"worked.{half}_of", pair=row // 2) + "  ", "muted"),
                Term(number(a, places), "where", (("pairs", (row, 0)),)),
                said("worked.against"),
                Term(number(b, places), lights=(("twins", (row, 0)),)),
                said("worked.apart"),
                f"{equals(abs(a - b), apart, places)} ",
                Term(number(apart, places), lights=(("apart", (row, 0)),), bold=True),
            )
        )
    kind = "apart_enough" if not alike(state, twin.gap) else "alike" if state.round_to == "full" else "alike_rounded"
    verdict = said(f"worked.{kind}", gap=small(twin.gap), limit=number(RESOLUTION))
    turns = frequency(state, 0) * (twin.row - here) / (2 * math.pi)
    circle = said("worked.turns", apart=count(abs(twin.row - here)), turns=number(abs(turns), 5))
    written.insert(min(1, len(written)), line(Term(verdict, "warn" if alike(state, twin.gap) else "text", bold=True)))
    written.insert(2, line(Term(circle, "muted")))
    return tuple(written)
