"""The state of the tab Position tables, its window on the million rows, and how time and hands on the stage move it."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from core.stage.frame import Drag, Event, Key, Pick, Scroll
from core.stage.lesson import Context
from core.stage.motion import beats, sweep
from core.stage.params import Choice, Flag, Range, param
from core.tables import shipped

SCHEMES = ("raw_index", "fraction", "binary", "sinusoidal", "learned")
LAST = 1_000_000  # the last row of every table that has no end of its own
BITS = 20  # enough for LAST
WORD = 4  # numbers of a word's vector beside an appended position
DIALS = 8
DIALS_WIDE = 1.7  # the dials' panel, in units of its height
DIALS_RAISED = 0.05  # their centres stand above the middle of their cells, because of the names below
WIDE = 32  # columns in view, as long as no more than 16 rows are


@dataclass(frozen=True, slots=True)
class PositionsState:
    """``travel`` is how far the clock has moved on from ``position``, in positions; rows from ``top`` and columns from
    ``left`` are in view as far as that shows the picked row."""

    position: int = param(3, Range(0, LAST, soft=(0, 64)), role="where")
    offset: int = param(0, Range(-1000, 1000, soft=(0, 16)))
    d_model: int = param(4, Range(2, 4096, soft=(2, 64), step=2))
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    show: str = param("dials", Choice(("dials", "waves", "shift")))
    numbers: bool = param(True, Flag())
    length: int = param(16, Range(1, LAST + 1, soft=(2, 64)), unit="tokens")
    span: int = param(64, Range(16, 2000, soft=(16, 1000), scale="log"))
    window: int = param(16, Range(8, 128, soft=(8, 64)))
    scheme: str = param("sinusoidal", Choice(SCHEMES), hidden=True)
    pair: int = param(0, Range(0, 2047), hidden=True)
    top: int = param(0, Range(0, LAST), hidden=True)
    left: int = param(0, Range(0, 4094), hidden=True)
    travel: float = param(0.0, Range(-float(LAST), float(LAST)), clock=True)


# --- what a state says -----------------------------------------------------------------------------------------------


def at(state: PositionsState) -> int:
    """The picked row: whole positions only, the next one when the hands have arrived there."""
    return min(max(state.position + beats(state.travel)[0], 0), LAST)


def reading(state: PositionsState) -> float:
    """Where the hands stand: at rest on a whole position, then sweeping to the next."""
    return at(state) + sweep(beats(state.travel)[1])


def width(state: PositionsState) -> int:
    """Columns of the scheme's table."""
    if state.scheme == "sinusoidal":
        return state.d_model
    if state.scheme == "learned":
        return int(shipped.minilm_positions().shape[1])
    return BITS if state.scheme == "binary" else WORD + 1


def limit(state: PositionsState) -> int:
    """Rows that exist: all, the trained ones, or those of the text."""
    if state.scheme == "learned":
        return len(shipped.minilm_positions())
    return min(state.length, LAST + 1) if state.scheme == "fraction" else LAST + 1


def exists(state: PositionsState) -> bool:
    return at(state) < limit(state)


def shifts(state: PositionsState) -> bool:
    """Whether two rows are compared."""
    return state.offset != 0 and state.scheme in ("sinusoidal", "raw_index")


def rows(state: PositionsState) -> tuple[int, int]:
    """The rows in view: from ``top``, moved so that the picked ones and a neighbour on each side are seen."""
    low, high = _reach(state)
    here = at(state)
    top = min(max(state.top, here + high - state.window + 2), here + low - 1)
    top = min(max(top, 0), LAST + 1 - state.window)
    return top, top + state.window


def _reach(state: PositionsState) -> tuple[int, int]:
    """How far up and down from the picked row the shifted one lies, where both fit into the window."""
    if not shifts(state) or abs(state.offset) > state.window - 3:
        return 0, 0
    return min(state.offset, 0), max(state.offset, 0)


def columns(state: PositionsState) -> tuple[int, int]:
    """The columns in view, whole pairs."""
    count = min(width(state), max(WIDE, 2 * state.window))
    left = min(state.left - state.left % 2, width(state) - count)
    return left, left + count


def pairs(state: PositionsState, most: int = DIALS) -> tuple[int, ...]:
    """The pairs on the dials: all where there is room, else from the fastest to the slowest in even steps."""
    last = state.d_model // 2 - 1
    count = min(last + 1, most)
    return tuple(round(last * place / max(count - 1, 1)) for place in range(count))


def shown_size(state: PositionsState) -> int:
    """How many rows and columns of the shift matrix are shown: all up to 16, else the first blocks."""
    return state.d_model if state.d_model <= 16 else 8


def frequency(state: PositionsState, pair: int) -> float:
    """Radians that a pair turns with each position."""
    return float(state.base ** (-2.0 * pair / state.d_model))


# --- what moves it ---------------------------------------------------------------------------------------------------


def check(state: PositionsState, context: Context) -> PositionsState:
    """The shifted row, the picked pair and the distance travelled stay inside the table."""
    offset = min(max(state.offset, -state.position), LAST - state.position)
    low, high = _ends(state.position, offset)
    return dataclasses.replace(
        state,
        offset=offset,
        pair=min(state.pair, state.d_model // 2 - 1),
        travel=min(max(state.travel, low), high),
    )


def step(state: PositionsState, seconds: float) -> PositionsState:
    """One position a second, until a row or the shifted one would leave the table."""
    low, high = _ends(state.position, state.offset)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, low), high) + 0.0)


def settle(state: PositionsState) -> PositionsState:
    """The position that the clock has reached is the parameter; a sweep that is under way stays."""
    here = at(state)
    left_over = beats(state.travel)[1] if here < LAST else 0.0
    return dataclasses.replace(state, position=here, top=rows(state)[0], travel=left_over)


def follow(before: PositionsState, after: PositionsState) -> PositionsState:
    """A typed position is where the hands stand, without a sweep."""
    return dataclasses.replace(after, travel=0.0) if after.position != before.position else after


def act(state: PositionsState, event: Event, context: Context) -> PositionsState:
    """Pick a cell or a dial; scroll the window, which takes the picked row along at its edges; arrow keys."""
    if event.key in ("dials", "hand", "shifted"):
        return _dials(state, event)
    if event.key != "table":
        return state
    if isinstance(event, Pick) and len(event.index) >= 2:
        row, column = event.index[:2]
        start, stop = rows(state)
        if start <= row < stop and 0 <= column < width(state):
            pair = column // 2 if state.scheme == "sinusoidal" else state.pair
            return _go(dataclasses.replace(state, pair=pair), row, start)
    if isinstance(event, Scroll):
        return _scroll(state, event.rows, event.columns)
    if isinstance(event, Key):
        if event.name in ("left", "right"):
            return _scroll(state, 0, -2 if event.name == "left" else 2)
        return _walk(state, {"up": -1, "down": 1}.get(event.name, 0), event.name)
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


def dial_places(count: int) -> tuple[int, list[tuple[float, float]]]:
    """Dials side by side, and the centre of each in the panel, DIALS_WIDE × 1."""
    across = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}.get(count, 4)
    down = -(-count // across)
    wide, high = DIALS_WIDE / across, 1.0 / down
    centres = [
        ((dial % across + 0.5) * wide, 1.0 - (dial // across + 0.5) * high + DIALS_RAISED) for dial in range(count)
    ]
    return across, centres


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
    up, down_to = _reach(state)
    low, high = top + (top > 0) - up, bottom - (bottom < LAST) - down_to
    return _go(moved, min(max(at(state), low), high), top)
