"""How time and hands move the state of the tab Position tables."""

from __future__ import annotations

import dataclasses
import math

from core.lessons.positions.dials import dial_places
from core.lessons.positions.state import (
    LAST,
    MOST_TERMS,
    PLACES,
    PositionsState,
    at,
    columns,
    frequency,
    hands_most,
    hands_on,
    limit,
    page,
    pair_of,
    pairs,
    reach,
    rows,
    square,
    width,
)
from core.stage.frame import Drag, Event, Key, Pick, Scroll
from core.stage.lesson import Context
from core.stage.motion import beats


def check(state: PositionsState, context: Context) -> PositionsState:
    """The shifted row, the picked pair, the hands and the distance travelled stay inside the table."""
    offset = min(max(state.offset, -state.position), LAST - state.position)
    pair = min(state.pair, state.d_model // 2 - 1)
    column = state.column if state.column < width(state) else -1
    if state.scheme == "sinusoidal" and column >= 0 and pair_of(state, column) != pair:
        column = -1  # another pair has been picked since
    low, high = _ends(state.position, offset)
    most = hands_most(state)
    hands = min(state.hands, most)
    return dataclasses.replace(
        state,
        offset=offset,
        pair=pair,
        column=column,
        travel=min(max(state.travel, low), high),
        hands=hands,
        growth=min(max(state.growth, 1.0 - hands), float(most - hands)),
    )


def step(state: PositionsState, seconds: float) -> PositionsState:
    """One position a second, until a row or the shifted one would leave the table; one more hand a second on the page
    of the fingerprint. Nothing moves where no position is shown."""
    shown = page(state)
    if shown == "fingerprint":
        low, high = 1.0 - state.hands, float(hands_most(state) - state.hands)
        return dataclasses.replace(state, growth=min(max(state.growth + seconds, low), high) + 0.0)
    if shown == "wall":
        return state
    low, high = _ends(state.position, state.offset)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, low), high) + 0.0)


def settle(state: PositionsState) -> PositionsState:
    """The position that the clock has reached is the parameter; a sweep that is under way stays."""
    here, hands = at(state), hands_on(state)
    left_over = beats(state.travel)[1] if here < LAST else 0.0
    growth = beats(state.growth)[1] if hands < hands_most(state) else 0.0
    return dataclasses.replace(state, position=here, top=rows(state)[0], travel=left_over, hands=hands, growth=growth)


def follow(before: PositionsState, after: PositionsState) -> PositionsState:
    """A typed position is where the hands stand, without a sweep; so it is on another page."""
    turned = page(before) != page(after)
    if before.scheme != after.scheme:
        after = dataclasses.replace(after, column=-1)
    if turned or after.position != before.position:
        after = dataclasses.replace(after, travel=0.0)
    if turned or after.hands != before.hands or after.d_model != before.d_model:
        after = dataclasses.replace(after, growth=0.0)
    return after


def ranges(state: PositionsState) -> dict[str, tuple[float, float]]:
    """The sliders' ends that depend on the state: pairs and hands that there are; far positions where they matter."""
    ends = {"pair": (0.0, float(max(state.d_model // 2 - 1, 1))), "hands": (1.0, float(max(hands_most(state), 2)))}
    if page(state) == "precision":
        ends["position"] = (0.0, float(LAST))
    elif page(state) == "raw_index":
        ends["position"] = (0.0, 10_000.0)
    elif state.scheme == "learned":
        ends["position"] = (0.0, float(limit(state) + 8))
    return ends


def act(state: PositionsState, event: Event, context: Context) -> PositionsState:
    """Pick a cell, a dial, a point; scroll the window, which takes the picked row along at its edges; arrow keys."""
    if event.key in ("dials", "hand", "shifted"):
        return _dials(state, event)
    if event.key in ("reading", "own", "twin", "pairs", "terms"):
        return _listed(state, event)
    if event.key in ("alike", "cosines"):
        return _square(state, event)
    if event.key in ("places", "cloud") and isinstance(event, Pick) and event.index:
        row = event.index[0]
        here = row if event.key == "cloud" else PLACES[row] if 0 <= row < len(PLACES) else -1
        return _go(state, here, rows(state)[0]) if 0 <= here <= LAST else state
    if event.key in ("matrix", "now", "then"):
        return _block(state, event)
    if event.key not in ("table", "index"):
        return state
    if isinstance(event, Pick) and len(event.index) >= 2:
        row, column = event.index[:2]
        start, stop = rows(state)
        if start <= row < stop and 0 <= column < width(state):
            pair = pair_of(state, column) if state.scheme == "sinusoidal" else state.pair
            again = (row, column) == (at(state), state.column)  # the picked cell once more: no column
            return _go(dataclasses.replace(state, pair=pair, column=-1 if again else column), row, start)
    if isinstance(event, Scroll):
        return _scroll(state, event.rows, event.columns)
    if isinstance(event, Key):
        if event.name in ("left", "right"):
            return _scroll(state, 0, -2 if event.name == "left" else 2)
        return _walk(state, {"up": -1, "down": 1}.get(event.name, 0), event.name)
    return state


def _block(state: PositionsState, event: Event) -> PositionsState:
    """A block picked in the shift matrix, or in one of the rows beside it, by the row of its cell."""
    if isinstance(event, Pick) and event.index and 0 <= event.index[0] < state.d_model:
        return dataclasses.replace(state, pair=event.index[0] // 2)
    return state


def _listed(state: PositionsState, event: Event) -> PositionsState:
    """A pair picked from a row of dials, numbers or bars: on the page of the fingerprint the last hand that is on."""
    if not isinstance(event, Pick) or not event.index:
        return state
    place = event.index[0] // 2 if event.key == "pairs" else event.index[0]
    if page(state) == "fingerprint":
        if not 0 <= place < hands_most(state):
            return state
        return dataclasses.replace(state, hands=place + 1, growth=0.0)
    shown = pairs(state, MOST_TERMS)
    return dataclasses.replace(state, pair=shown[place]) if 0 <= place < len(shown) else state


def _square(state: PositionsState, event: Event) -> PositionsState:
    """A cell of a matrix of positions against positions is a position and an offset."""
    first, stop = square(state)
    if isinstance(event, Pick) and len(event.index) >= 2:
        row, column = event.index[:2]
        if first <= row < stop and first <= column < stop:
            picked = dataclasses.replace(state, offset=min(max(column - row, -1000), 1000))
            return _go(picked, row, first)
    if isinstance(event, Scroll):
        return _scroll(state, event.rows + event.columns, 0)
    if isinstance(event, Key):
        return _walk(state, {"up": -1, "left": -1, "down": 1, "right": 1}.get(event.name, 0), event.name)
    return state


def _ends(position: int, offset: int) -> tuple[float, float]:
    return float(max(0, -offset) - position), float(LAST - max(0, offset) - position)


def _go(state: PositionsState, row: int, top: int) -> PositionsState:
    return dataclasses.replace(state, position=row, top=top, travel=0.0)


def _walk(state: PositionsState, away: int, name: str) -> PositionsState:
    """Some rows on, or to the first or last one."""
    last = LAST if state.scheme != "learned" else limit(state) - 1
    target = {"home": 0, "end": last}.get(name, at(state) + away)
    return _go(state, min(max(target, 0), LAST), rows(state)[0])


def _dials(state: PositionsState, event: Event) -> PositionsState:
    """A dial picked, an arrow key on the dials, or a hand dragged round."""
    shown = pairs(state)
    if isinstance(event, Pick) and event.index and 0 <= event.index[0] < len(shown):
        return dataclasses.replace(state, pair=shown[event.index[0]])
    if isinstance(event, Key):
        return _walk(state, {"left": -1, "down": -1, "right": 1, "up": 1}.get(event.name, 0), event.name)
    if isinstance(event, Drag) and event.key != "dials":
        _, centres = dial_places(len(shown))
        dial = min(range(len(shown)), key=lambda i: math.dist(centres[i], (event.x, event.y)))
        turn = math.atan2(event.y - centres[dial][1], event.x - centres[dial][0])
        return _turned(dataclasses.replace(state, pair=shown[dial]), event.key, turn)
    return state


def _turned(state: PositionsState, hand: str, angle: float) -> PositionsState:
    """The position, or the offset, whose hand stands nearest to this angle, without another whole turn."""
    speed = frequency(state, state.pair)
    shown = at(state) + (state.offset if hand == "shifted" else 0)
    nearest = shown + round(math.remainder(angle - shown * speed, 2 * math.pi) / speed)
    if hand == "shifted":
        offset = min(max(nearest - at(state), -1000), 1000)
        return dataclasses.replace(state, position=at(state), travel=0.0, offset=offset)
    return _go(state, min(max(nearest, 0), LAST), rows(state)[0])


def _scroll(state: PositionsState, down: int, right: int) -> PositionsState:
    first, last_column = columns(state)
    left = min(max(first + right, 0), width(state) - (last_column - first))
    moved = dataclasses.replace(state, left=left - left % 2)
    if down == 0:
        return moved
    top = min(max(rows(state)[0] + down, 0), LAST + 1 - state.window)
    bottom = top + state.window - 1
    up, down_to = reach(state)
    low, high = top + (top > 0) - up, bottom - (bottom < LAST) - down_to
    return _go(moved, min(max(at(state), low), high), top)
