"""ALiBi's state: how it is repaired, how the clock moves it, and the window that it looks through."""

from __future__ import annotations

import dataclasses

from core.lessons.alibi import content, weights
from core.lessons.alibi.weights import Row, slopes
from core.stage.lesson import Context
from core.stage.motion import beats
from core.stage.params import Choice, Range, param, replace
from core.values import dataclass

PAGES = ("bias", "slopes", "rows", "weights", "reach", "wrong", "t5")
TABLES = ("glove", "minilm")  # whose vectors can give the sentence's own scores
FAULTS = ("sign", "early", "slope_one")
MOST = {"rows": 12, "weights": 12, "wrong": 12}  # of the tokens, on pages that show each cell's number
MOST_HEADS = 128
MOST_TOKENS = 100_000
WHOLE = 12  # tokens of which all cells are shown; of more a window whose cells have room for their numbers
WINDOW = 8
BARS = 24  # keys that get a bar each; more are a curve
SPAN = 512  # keys of a curve: at the weakest slope, 1/256, a weight has halved three times


@dataclass(frozen=True, slots=True)
class AlibiState:
    """A head of so many, a text of so many tokens, one cell, and how many heads the clock has moved on."""

    head: int = param(1, Range(1, MOST_HEADS, soft=(1, 12)), role="where")
    n_heads: int = param(8, Range(1, MOST_HEADS, soft=(1, 32)))
    n_tokens: int = param(8, Range(2, MOST_TOKENS, soft=(2, 24)))
    symmetric: bool = param(False)
    content: str = param("equal", Choice(("equal", "seeded")))
    query_position: int = param(7, Range(0, MOST_TOKENS - 1, soft=(0, 23)), role="query")
    key_position: int = param(4, Range(0, MOST_TOKENS - 1, soft=(0, 23)), role="key")
    heads: str = param("maps", Choice(("maps", "slopes")))
    max_exponent: int = param(8, Range(1, 16))
    page: str = param("bias", Choice(PAGES), hidden=True)
    # key-only rows
    masked: str = param("causal", Choice(("causal", "none")))
    # from score to weight
    scores: str = param("seeded", Choice(("equal", "seeded", *TABLES)))
    # extrapolation
    trained: int = param(512, Range(2, MOST_TOKENS, soft=(16, 4096), scale="log"), unit="tokens")
    tested: int = param(2048, Range(2, MOST_TOKENS, soft=(16, 16_384), scale="log"), unit="tokens")
    # wrong on purpose
    fault: str = param("sign", Choice(FAULTS))
    # T5's buckets
    both_ways: bool = param(True)
    n_buckets: int = param(32, Range(4, 256, soft=(4, 64)))
    max_distance: int = param(128, Range(3, 4096, soft=(16, 512), scale="log"), unit="tokens")
    gap: int = param(-20, Range(-10_000, 10_000, soft=(-150, 150)), role="where", unit="tokens")
    scroll_rows: int = param(0, Range(-MOST_TOKENS, MOST_TOKENS), hidden=True)
    scroll_columns: int = param(0, Range(-MOST_TOKENS, MOST_TOKENS), hidden=True)
    travel: float = param(0.0, Range(-float(MOST_HEADS), float(MOST_HEADS)), unit="heads", clock=True)


def _size(state: AlibiState) -> int:
    return state.n_tokens if state.n_tokens <= WHOLE else WINDOW


def window_of(state: AlibiState) -> tuple[int, int, int]:
    """First row, first column and size of what is shown: the picked query is its last row until it is scrolled."""
    size = _size(state)
    last = state.n_tokens - size
    row, column = (state.query_position - size + 1 + by for by in (state.scroll_rows, state.scroll_columns))
    return min(max(row, 0), last), min(max(column, 0), last), size


def looking_at(state: AlibiState, row: int, column: int) -> AlibiState:
    """The state whose window starts there."""
    anchor = state.query_position - _size(state) + 1
    return replace(state, scroll_rows=row - anchor, scroll_columns=column - anchor)


def n_shown(state: AlibiState) -> int:
    """How many of the text's tokens the page shows, from the first on; the text keeps its length."""
    return min(state.n_tokens, MOST.get(state.page, MOST_TOKENS))


def last_key(state: AlibiState, last: int) -> int:
    """The last key that the picked query may look at."""
    free = {"rows": state.masked == "none", "wrong": False}.get(state.page, state.symmetric)
    return last if free else min(state.query_position, last)


def picked(state: AlibiState, query: int, key: int, n: int) -> AlibiState:
    """Another cell of n × n; one that is hidden can't be picked."""
    if not (0 <= query < n and 0 <= key < n):
        return state
    moved = replace(state, query_position=query, key_position=key)
    return moved if key <= last_key(moved, n - 1) else state


def check(state: AlibiState, context: Context) -> AlibiState:
    head = min(state.head, state.n_heads)
    last = n_shown(state) - 1
    if state.page == "weights" and state.scores in TABLES:
        last = max(len(content.found(state.scores, context).names), 1) - 1
    state = dataclasses.replace(
        state,
        head=head,
        query_position=min(state.query_position, last),
        n_buckets=state.n_buckets - (state.n_buckets % 2 if state.both_ways else 0),
        travel=min(max(state.travel, 1.0 - head), float(state.n_heads - head)),
    )
    per_side = state.n_buckets // 2 if state.both_ways else state.n_buckets
    state = dataclasses.replace(
        state,
        key_position=min(state.key_position, last_key(state, last)),
        max_distance=max(state.max_distance, per_side // 2 + 1),
    )
    row, column, size = window_of(state)
    if size == state.n_tokens:  # all of it is in the window: nothing to scroll
        return dataclasses.replace(state, scroll_rows=0, scroll_columns=0)
    anchor = state.query_position - size + 1
    # Scrolled beyond an end is as good as scrolled to it.
    scrolls = [0 if min(max(anchor, 0), state.n_tokens - size) == at else at - anchor for at in (row, column)]
    return dataclasses.replace(state, scroll_rows=scrolls[0], scroll_columns=scrolls[1])


def step(state: AlibiState, seconds: float) -> AlibiState:
    """One head a second: what each head can still see. The last one ends it. T5 has no heads to walk along."""
    if state.page == "t5":
        return state
    travel = min(max(state.travel + seconds, 1.0 - state.head), float(state.n_heads - state.head))
    return dataclasses.replace(state, travel=travel)


def settle(state: AlibiState) -> AlibiState:
    """The whole heads that the clock has moved on become the chosen head."""
    whole, part = beats(state.travel)
    return dataclasses.replace(state, head=state.head + whole, travel=part) if whole else state


def follow(before: AlibiState, after: AlibiState) -> AlibiState:
    """A head that was chosen rests, also on another page; a query that was moved comes into view."""
    if (after.head, after.page) != (before.head, before.page):
        after = dataclasses.replace(after, travel=0.0)
    if (after.query_position, after.n_tokens) != (before.query_position, before.n_tokens):
        after = dataclasses.replace(after, scroll_rows=0, scroll_columns=0)
    return after


def rates(state: AlibiState) -> tuple[float, ...]:
    """The slopes of all heads."""
    return slopes(state.n_heads, state.max_exponent)


def slope_of(state: AlibiState) -> float:
    return rates(state)[state.head - 1]


def row_of(state: AlibiState) -> Row:
    """The picked query's row of attention in the shown head."""
    return weights.row(state.content, state.query_position, state.n_tokens, state.symmetric, slope_of(state))
