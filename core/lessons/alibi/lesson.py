"""ALiBi: every score falls with distance, in each head at another rate.

Source: Press et al. 2021, "Train Short, Test Long". Heads count from 1, positions from 0.
"""

from __future__ import annotations

import dataclasses

from core.lessons.alibi import panels, weights
from core.lessons.alibi.state import BARS, AlibiState, check, follow, looking_at, row_of, settle, step, window_of
from core.lessons.alibi.weights import half_distance, slope_text, slopes
from core.stage.frame import Event, Frame, Key, Pick, Scroll
from core.stage.lesson import Context, Lesson, Preset
from core.stage.motion import REST, blend
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
        head = event.index[0] + 1
        return replace(state, head=head, travel=0.0) if 1 <= head <= state.n_heads else state
    if isinstance(event, Scroll) and event.key == "bias":
        last = state.n_tokens - size
        start = min(max(row + event.rows, 0), last), min(max(column + event.columns, 0), last)
        return looking_at(state, *start)
    if isinstance(event, Key) and event.key == "bias":
        by = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(event.name, (0, 0))
        query, key = state.query_position + by[0], state.key_position + by[1]
        return _picked(state, query, key if state.symmetric or by[1] else min(key, max(query, 0)))
    if isinstance(event, Key) and event.key in ("heads", "slopes"):
        head = settle(state).head
        goals = {"left": head - 1, "right": head + 1, "home": 1, "end": state.n_heads}
        return replace(state, head=min(max(goals.get(event.name, head), 1), state.n_heads), travel=0.0)
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
    at = settle(state)
    share = (at.travel - REST) / (1 - REST)  # blend eases it
    if share <= 0:
        return _frame(at, context)
    on = dataclasses.replace(at, head=at.head + 1)
    return blend(_frame(at, context), _frame(on, context), share)


def _frame(state: AlibiState, context: Context) -> Frame:
    slope = slopes(state.n_heads)[state.head - 1]
    found = row_of(state)
    query, key = state.query_position, state.key_position
    weight, plain = weights.weight_texts(found, key)
    shown = (
        panels.bias_panel(state, slope, context),
        panels.slope_panel(state, slope),
        panels.weights_panel(state, found),
        panels.maps_panel(state) if state.heads == "maps" else panels.slopes_panel(state),
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
    worked = weights.worked(state.head, state.n_heads, slope, query, key, state.symmetric, found, bar)
    return Frame(text("alibi.title"), text("alibi.subtitle"), shown, worked, alt)


def controls(state: AlibiState) -> tuple[str, ...]:
    return ("head", "n_heads", "n_tokens", "symmetric", "content", "query_position", "key_position", "heads")


def ranges(state: AlibiState) -> dict[str, tuple[float, float]]:
    last = state.n_tokens - 1
    return {
        "head": (1, state.n_heads),
        "query_position": (0, last),
        "key_position": (0, last if state.symmetric else state.query_position),
    }


LESSON = Lesson(
    id="alibi",
    state=AlibiState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("eight", {"n_heads": 8}),
        Preset("gentlest", {"head": 8}),
        Preset("twelve", {"n_heads": 12, "head": 9, "heads": "slopes"}),
        Preset("bloom", {"n_heads": 112, "head": 112, "heads": "slopes"}),
        Preset("seeded", {"head": 2, "content": "seeded"}),
        Preset("symmetric", {"head": 2, "symmetric": True, "query_position": 3, "key_position": 5}),
        Preset("window", {"head": 8, "n_tokens": 100_000, "query_position": 99_999, "key_position": 99_995}),
    ),
)
