"""The state of the whole path: which path, how far it is walked, the picked cell, and how a batch is padded."""

from __future__ import annotations

import dataclasses

from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import HEADS, LAST_ROW, MOST, MOST_SENTENCES, MOST_STATIONS, PATHS, STATIONS, Run
from core.stage.lesson import Context
from core.stage.motion import beats
from core.stage.params import Choice, Range, Words, param
from core.values import dataclass

PAGES = ("walk", "shapes", "code", "where")
COLUMNS = 6  # numbers of a row that are in view
SQUARE = ("score", "bias")  # stations whose array has a row and a column for each token
IN_HEAD = ("qk", "turn")  # stations whose array has the numbers of one head
ACTS = {"learned": "position", "sinusoidal": "position", "rope": "turn", "alibi": "bias"}  # where positions come in
FARTHEST = 100_000
LONGEST = 60  # characters of a further sentence


@dataclass(frozen=True, slots=True)
class PipelineState:
    """``station`` is the one that the walk has come to, ``travel`` how far the clock has walked on from it, in
    stations. ``first`` is the position of the first token; ``token`` and ``key_token`` count from 0, heads from 1."""

    path: str = param("learned", Choice(PATHS), role="where")
    page: str = param("walk", Choice(PAGES), hidden=True)
    station: int = param(0, Range(0, MOST_STATIONS - 1), hidden=True)
    token: int = param(1, Range(0, MOST - 1), role="query")
    key_token: int = param(0, Range(0, MOST - 1), role="key")
    column: int = param(0, Range(0, 575, soft=(0, 63)), role="what")
    head: int = param(1, Range(1, 9))
    first: int = param(0, Range(0, FARTHEST, soft=(0, 500)), unit="tokens", role="where")
    others: tuple[str, ...] = param(("I go to bed", "Stop"), Words(MOST_SENTENCES - 1, LONGEST))
    padding: str = param("right", Choice(("right", "left")))
    counted: str = param("mask", Choice(("mask", "all")), role="where")
    form: str = param("numpy", Choice(("numpy", "torch")))
    code: str = param("stations", Choice(("stations", "program")))
    window: int = param(0, Range(0, 575), hidden=True)  # the first number of a row that is in view
    travel: float = param(0.0, Range(-float(MOST_STATIONS), float(MOST_STATIONS)), clock=True)


def name_of(state: PipelineState) -> str:
    """The station's name."""
    return STATIONS[state.path][state.station]


def run_of(state: PipelineState, context: Context) -> Run:
    """The walk of the first sentence."""
    found = compute.parts(context.shared.sentence)
    return compute.run(state.path, found[0] if found else "", _first(state), min(state.head, HEADS[state.path]))


def _first(state: PipelineState) -> int:
    return min(state.first, LAST_ROW + 1 - MOST) if state.path == "learned" else state.first


def check(state: PipelineState, context: Context) -> PipelineState:
    """The station is one of the path's, the picked cell one of the array's."""
    last = len(STATIONS[state.path]) - 1
    state = dataclasses.replace(
        state,
        station=min(state.station, last),
        head=min(state.head, HEADS[state.path]),
        first=_first(state),
    )
    n = max(run_of(state, context).n, 1)
    token = min(state.token, n - 1)
    key = min(state.key_token, n - 1)
    if state.path in ("rope", "alibi"):
        key = min(key, token)  # the causal mask hides later tokens
    return dataclasses.replace(
        state,
        token=token,
        key_token=key,
        travel=min(max(state.travel, -float(state.station)), float(last - state.station)),
    )


def step(state: PipelineState, seconds: float) -> PipelineState:
    """One station a second, to the ends of the path."""
    last = len(STATIONS[state.path]) - 1
    travel = min(max(state.travel + seconds, -float(state.station)), float(last - state.station))
    return dataclasses.replace(state, travel=travel)


def settle(state: PipelineState) -> PipelineState:
    """The whole stations that the clock has walked are the station."""
    whole, part = beats(state.travel)
    return dataclasses.replace(state, station=state.station + whole, travel=part) if whole else state


def on_path(state: PipelineState, path: str) -> PipelineState:
    """The same place on another path: the station of the same name, else the same number."""
    state = settle(state)
    there = STATIONS[path]
    name = name_of(state)
    station = there.index(name) if name in there else min(state.station, len(there) - 1)
    return dataclasses.replace(state, path=path, station=station, travel=0.0)


def follow(before: PipelineState, after: PipelineState) -> PipelineState:
    """Another path is entered where the old one was left; a column that was set comes into view; the page of where
    positions act opens at the station where they do."""
    if after.path != before.path:
        after = dataclasses.replace(on_path(dataclasses.replace(after, path=before.path), after.path))
    if after.page == "where" and (before.page, before.path) != (after.page, after.path):
        after = dataclasses.replace(after, station=STATIONS[after.path].index(ACTS[after.path]), travel=0.0)
    if after.column != before.column and not after.window <= after.column < after.window + COLUMNS:
        after = dataclasses.replace(after, window=max(0, after.column - COLUMNS // 2))
    return after


def width_of(state: PipelineState, run: Run) -> int:
    """Columns of the station's array."""
    array = run.arrays.get(name_of(state))
    return int(array.shape[-1]) if array is not None else compute.WIDTH[state.path]


def column_of(state: PipelineState, run: Run) -> int:
    """The picked column, inside the station's array."""
    return min(state.column, width_of(state, run) - 1)


def window_of(state: PipelineState, run: Run) -> tuple[int, int]:
    """First and last + 1 of the columns in view."""
    width = width_of(state, run)
    if name_of(state) in SQUARE:
        return 0, width
    start = min(state.window, max(0, width - COLUMNS))
    return start, min(start + COLUMNS, width)
