"""What a person does on the Similarity stage: picks and arrow keys choose the pair, offers mend a missing word."""

from __future__ import annotations

import dataclasses

from core.lessons.similarity.asked import grid_of, known_pair, near_of, offers_for
from core.lessons.similarity.state import SimilarityState, Word, listed, table_of, typed_for, word
from core.stage.frame import Event, Key, Pick
from core.stage.lesson import Context
from core.stage.params import replace
from core.tables.table import Table

_MOVES = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def act(state: SimilarityState, event: Event, context: Context) -> SimilarityState:
    if not isinstance(event, (Pick, Key)):
        return state
    table = table_of(state, context)
    if isinstance(event, Pick) and event.key.endswith("_offers"):
        return _take_offer(state, event, table, context)
    if event.key == "matrix" and state.view == "matrix":
        return _move_in_matrix(state, event, table)
    if event.key == "bars" and state.view == "neighbours":
        return _move_in_bars(state, event, table, context)
    if event.key == "points" and state.view == "map":
        return _move_in_map(state, event, table)
    return state


def _with_pair(state: SimilarityState, table: Table, first: int | None, second: int | None) -> SimilarityState:
    """The pair set to these rows; the arithmetic stands whole again."""
    values = {name: typed_for(table, row) for name, row in (("first", first), ("second", second)) if row is not None}
    changed: SimilarityState = replace(state, **values)
    return dataclasses.replace(changed, terms=0.0) if changed != state else state


def _take_offer(state: SimilarityState, event: Pick, table: Table, context: Context) -> SimilarityState:
    field = event.key.removesuffix("_offers")
    if len(event.index) != 1:
        return state
    if state.view == "pair" and field in ("first", "second"):
        entry = word(table, getattr(state, field))
    elif state.view == "neighbours" and field == "first":
        entry = word(table, state.first)
    elif state.view in ("matrix", "map") and field == "words":
        missing = listed(table, state.words)[1]
        entry = missing[0] if missing else Word("", None, "")
    else:
        return state
    offers = (offers_for(table, entry, context) or ()) if entry.row is None else ()
    if not 0 <= event.index[0] < len(offers):
        return state
    row = table.find(offers[event.index[0]])
    if row is None:
        return state
    typed = typed_for(table, row)
    if field == "words":
        changed: SimilarityState = replace(state, words=tuple(typed if w == entry.typed else w for w in state.words))
        return changed
    return _with_pair(state, table, row if field == "first" else None, row if field == "second" else None)


def _move_in_matrix(state: SimilarityState, event: Pick | Key, table: Table) -> SimilarityState:
    found, _ = listed(table, state.words)
    if not found:
        return state
    rows = [entry.row for entry in grid_of(state, table, found).words]
    n = len(rows)
    if isinstance(event, Pick):
        if len(event.index) != 2 or not all(0 <= place < n for place in event.index):
            return state
        row, column = event.index
    else:
        pair = known_pair(state, table)
        here = (
            [rows.index(entry.row) if entry.row in rows else -1 for entry in (pair.first, pair.second)]
            if pair
            else [-1, -1]
        )
        if min(here) < 0:
            row, column = 0, min(1, n - 1)
        elif event.name in ("home", "end"):
            row, column = here[0], 0 if event.name == "home" else n - 1
        else:
            down, right = _MOVES.get(event.name, (0, 0))
            row, column = (min(max(place + by, 0), n - 1) for place, by in zip(here, (down, right), strict=True))
    return _with_pair(state, table, rows[row], rows[column])


def _move_in_bars(state: SimilarityState, event: Pick | Key, table: Table, context: Context) -> SimilarityState:
    asked = word(table, state.first)
    near = near_of(state, table, asked, context) if asked.row is not None else None
    if near is None or not near.rows:
        return state
    if isinstance(event, Pick):
        if len(event.index) != 1 or not 0 <= event.index[0] < len(near.rows):
            return state
        return _with_pair(state, table, None, near.rows[event.index[0]])
    other = word(table, state.second).row
    return _with_pair(state, table, None, near.rows[_stepped(near.rows, other, event.name)])


def _move_in_map(state: SimilarityState, event: Pick | Key, table: Table) -> SimilarityState:
    found, _ = listed(table, state.words)
    rows = tuple(entry.row for entry in found if entry.row is not None)
    first, second = (word(table, typed, in_a_list=True).row for typed in (state.first, state.second))
    if isinstance(event, Pick):
        if len(event.index) != 1 or not 0 <= event.index[0] < len(rows):
            return state
        picked = rows[event.index[0]]
        # The last two points that were picked are the pair.
        return state if picked == second else _with_pair(state, table, second if second in rows else first, picked)
    return _with_pair(state, table, None, rows[_stepped(rows, second, event.name)]) if rows else state


def _stepped(rows: tuple[int, ...], here: int | None, name: str) -> int:
    """The place of the row that an arrow key goes to."""
    last = len(rows) - 1
    if name in ("home", "end") or here not in rows:
        return last if name == "end" else 0
    return min(max(rows.index(here) + sum(_MOVES.get(name, (0, 0))), 0), last)
