"""Bias: what one head adds to every score, what is left of a row of weights, and all heads as small maps."""

from __future__ import annotations

from core.lessons.alibi import panels, weights
from core.lessons.alibi.pages import Page, choose_head, turn_heads
from core.lessons.alibi.state import BARS, AlibiState, looking_at, row_of, settle, slope_of, window_of
from core.lessons.alibi.weights import half_distance, slope_rule, slope_text
from core.stage.frame import Cell, Event, Frame, Key, Pick, Scroll
from core.stage.lesson import Context
from core.stage.numbers import count, number
from core.stage.params import replace
from core.stage.text import text


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    row, column, size = window_of(state)
    if isinstance(event, Pick) and event.key == "bias" and len(event.index) == 2:
        return _picked(state, *event.index)
    if isinstance(event, Pick) and event.key in ("with", "without") and event.index and state.n_tokens <= BARS:
        return _picked(state, state.query_position, event.index[0])
    if isinstance(event, Pick) and event.key in ("heads", "slopes") and event.index:
        return choose_head(state, event.index[0] + 1)
    if isinstance(event, Scroll) and event.key == "bias":
        last = state.n_tokens - size
        start = min(max(row + event.rows, 0), last), min(max(column + event.columns, 0), last)
        return looking_at(state, *start)
    if isinstance(event, Key) and event.key == "bias":
        by = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(event.name, (0, 0))
        query, key = state.query_position + by[0], state.key_position + by[1]
        return _picked(state, query, key if state.symmetric or by[1] else min(key, max(query, 0)))
    if isinstance(event, Key) and event.key in ("heads", "slopes"):
        return turn_heads(settle(state), event)
    return state


def _picked(state: AlibiState, query: int, key: int) -> AlibiState:
    """Another cell; a hidden one can't be picked. The window stays unless the cell is outside of it."""
    if not (0 <= query < state.n_tokens and 0 <= key < state.n_tokens) or (key > query and not state.symmetric):
        return state
    row, column, size = window_of(state)
    moved = replace(state, query_position=query, key_position=key)
    row = min(max(row, query - size + 1), query)
    column = min(max(column, key - size + 1), key)
    return looking_at(moved, row, column)


def frame(state: AlibiState, context: Context) -> Frame:
    slope = slope_of(state)
    found = row_of(state)
    query, key = state.query_position, state.key_position
    weight, plain = weights.weight_texts(found, key)
    maps = state.heads == "maps"
    shown = (
        panels.bias_panel(state, slope, context),
        panels.slope_panel(slope, Cell(0, 7, 3, 5)),
        panels.weights_panel(state, found),
        panels.maps_panel(state) if maps else panels.slopes_panel(state, Cell(7, 7, 5, 5), "heads"),
    )
    alt = text(
        "alibi.alt_symmetric" if state.symmetric else "alibi.alt",
        head=state.head,
        n_heads=state.n_heads,
        slope=slope_text(slope),
        n_tokens=count(state.n_tokens),
        i=count(query),
        j=count(key),
        bias=number(found.bias[key]),
        weight=weight,
        plain=plain,
        half=number(half_distance(slope), 1),
    )
    bar = (("with", (key,) if state.n_tokens <= BARS else ()),)
    rule = slope_rule(state.head, state.n_heads, state.max_exponent)
    worked = weights.worked(state.head, rule, slope, query, key, state.symmetric, found, bar)
    title = text("alibi.title" if state.content == "equal" else "alibi.title_seeded")
    return Frame(title, text("alibi.subtitle"), shown, worked, alt)


CONTROLS = ("head", "n_heads", "n_tokens", "symmetric", "content", "query_position", "key_position", "heads")
PAGE = Page(frame, CONTROLS, act)
