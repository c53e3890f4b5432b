"""Compare's state: five pages over one sentence, how it is repaired, and what the clock moves on each page."""

from __future__ import annotations

import dataclasses
import math

from core.lessons.compare import content
from core.lessons.compare.schemes import ROWS, SCHEMES
from core.stage.lesson import Context
from core.stage.motion import beats
from core.stage.params import Choice, Range, Text, param
from core.values import dataclass

PAGES = ("maps", "distance", "table", "terms", "packed")
FAR = 1_000_000  # how far the sentence can be moved
MOST = 512  # tokens of a text
WINDOW = 32  # tokens of which a map shows the cells; of more a window
DECADES = 7  # 0, 1, 10 … 1,000,000: where the sentence stands while the clock runs
COMBINATIONS = (("continuous", "plain"), ("restarted", "plain"), ("continuous", "block"), ("restarted", "block"))


@dataclass(frozen=True, slots=True)
class CompareState:
    """``travel`` is what the clock has moved, in beats: decades of the shift, distances, rows or combinations."""

    page: str = param("maps", Choice(PAGES), hidden=True)
    scheme: str = param("rope", Choice(SCHEMES))
    shift: int = param(0, Range(0, FAR, scale="log"), unit="tokens", role="where")
    extra: int = param(0, Range(0, MOST - 1, soft=(0, 24)), unit="tokens")
    trained: int = param(512, Range(2, ROWS, scale="log"), unit="tokens")
    vectors: str = param("seeded", Choice(content.KINDS))
    d: int = param(16, Range(2, content.WIDEST, step=2))
    head: int = param(2, Range(1, 8))
    span: int = param(32, Range(8, 1000, soft=(8, 128)), unit="tokens")
    distance: int = param(4, Range(0, 1000, soft=(0, 32)), unit="tokens", role="where")
    added: str = param("sinusoidal", Choice(("sinusoidal", "learned")))
    d_model: int = param(768, Range(2, 16_384, soft=(64, 16_384), scale="log", step=2))
    max_len: int = param(1024, Range(2, FAR, soft=(128, 131_072), scale="log"), unit="tokens")
    n_heads: int = param(12, Range(1, 128, soft=(1, 64)))
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    list_from: int = param(1, Range(1, 64, soft=(1, 40)))
    documents: str = param("a cat sat | it rains", Text(200))
    positions: str = param("continuous", Choice(("continuous", "restarted")))
    attention: str = param("plain", Choice(("plain", "block")))
    boundary: bool = param(False)
    query: int = param(2, Range(0, MOST - 1), hidden=True)
    key: int = param(0, Range(0, MOST - 1), hidden=True)
    start: int = param(0, Range(0, MOST - 1), hidden=True)
    asking: int = param(content.MOST_PACKED, Range(0, content.MOST_PACKED), hidden=True)
    travel: float = param(0.0, Range(-1000.0, 1000.0), clock=True)


def length(state: CompareState, context: Context) -> int:
    """Tokens of the text: the sentence and what lengthens it; 0 where no token has a vector."""
    own = len(content.sentence(state.vectors, context).names)
    return min(own + state.extra, MOST) if own else 0


def window(state: CompareState, n: int) -> tuple[int, int]:
    """The tokens whose cells the maps show: first, stop."""
    first = min(state.start, max(n - WINDOW, 0))
    return first, min(first + WINDOW, n)


def looking_at(state: CompareState, n: int, query: int, key: int) -> CompareState:
    """Another picked cell; the window comes along at its edges."""
    query, key = min(max(query, 0), n - 1), min(max(key, 0), n - 1)
    start = min(state.start, query, key)
    start = max(start, max(query, key) - WINDOW + 1)
    return dataclasses.replace(state, query=query, key=key, start=start)


def check(state: CompareState, context: Context) -> CompareState:
    n = length(state, context)
    first, stop = window(state, n)
    asking = max(len(content.packed(state.documents, state.boundary).names) - 1, 0)
    state = dataclasses.replace(
        state,
        start=first,
        query=min(max(state.query, first), max(stop - 1, 0)),
        key=min(max(state.key, first), max(stop - 1, 0)),
        asking=min(state.asking, asking),
        distance=min(state.distance, state.span),
    )
    low, high = _reach(state)
    return dataclasses.replace(state, travel=min(max(state.travel, low), high) + 0.0)


def step(state: CompareState, seconds: float) -> CompareState:
    """A beat a second until the last place of the page."""
    low, high = _reach(state)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, low), high) + 0.0)


def settle(state: CompareState) -> CompareState:
    """Whole beats become the page's parameter."""
    whole, part = beats(state.travel)
    if not whole:
        return state
    return dataclasses.replace(_moved(state, whole), travel=part)


def follow(before: CompareState, after: CompareState) -> CompareState:
    """Whatever is set by hand rests; a text that was lengthened shows its end."""
    longer = MOST if after.extra > before.extra else after.start
    return dataclasses.replace(after, travel=0.0, start=min(longer, MOST - 1))


def combination(state: CompareState) -> int:
    return COMBINATIONS.index((state.positions, state.attention))


def _decade(shift: int) -> float:
    """0 for 0, 1 for 1, 2 for 10 … 7 for a million, and between them by the logarithm."""
    exact = len(str(shift))
    return 0.0 if shift < 1 else float(exact) if shift == 10 ** (exact - 1) else 1.0 + math.log10(shift)


def _reach(state: CompareState) -> tuple[float, float]:
    """How many beats the clock can go back and on."""
    if state.page in ("maps", "terms"):
        at = _decade(state.shift)
        return float(-math.ceil(at)), float(DECADES - math.floor(at))
    place, last = {
        "distance": (state.distance, state.span),
        "table": (SCHEMES.index(state.scheme), len(SCHEMES) - 1),
        "packed": (combination(state), len(COMBINATIONS) - 1),
    }[state.page]
    return float(-place), float(last - place)


def _moved(state: CompareState, by: int) -> CompareState:
    if state.page in ("maps", "terms"):
        at = _decade(state.shift)
        goal = (math.floor(at) if by > 0 else math.ceil(at)) + by
        return dataclasses.replace(state, shift=10 ** (goal - 1) if goal > 0 else 0)
    if state.page == "distance":
        return dataclasses.replace(state, distance=state.distance + by)
    if state.page == "table":
        return dataclasses.replace(state, scheme=SCHEMES[SCHEMES.index(state.scheme) + by])
    positions, attention = COMBINATIONS[combination(state) + by]
    return dataclasses.replace(state, positions=positions, attention=attention)
