"""What a person does on the Similarity stage: picks and arrow keys choose the pair, offers mend a missing word."""

from __future__ import annotations

import dataclasses

from core.lessons.similarity.analogy import picked_answer
from core.lessons.similarity.asked import grid_of, known_pair, near_of, offers_for, placed, question, solved_of
from core.lessons.similarity.axis import leaning, picked_place
from core.lessons.similarity.bank import picked_word
from core.lessons.similarity.curated import OCCUPATIONS
from core.lessons.similarity.state import (
    FIELDS,
    LISTS,
    SimilarityState,
    Word,
    listed,
    poles_of,
    table_of,
    typed_for,
    word,
)
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
    if event.key == "bars" and state.view == "analogy":
        return _move_in_answers(state, event, table, context)
    if event.key == "points" and state.view == "map":
        return _move_in_map(state, event, table)
    if event.key == "points" and state.view in ("axis", "bias"):
        return _move_on_axis(state, event, table)
    if event.key in ("one_sense", "other_sense") and state.view == "bank":
        return _move_in_senses(state, event, table)
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
    if field in FIELDS.get(state.view, ()):
        entry = word(table, getattr(state, field), state.view in LISTS)
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
    if field not in ("first", "second"):
        taken: SimilarityState = replace(state, **{field: typed})
        return taken
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
    return _with_pair(state, table, None, _row_of(event, near.rows, word(table, state.second).row))


def _move_in_answers(state: SimilarityState, event: Pick | Key, table: Table, context: Context) -> SimilarityState:
    if any(entry.row is None for entry in question(state, table)):
        return state
    solved = solved_of(state, table, context)
    if solved is None or not solved.rows:
        return state
    here = solved.rows[picked_answer(state, table, solved)]
    return _with_pair(state, table, None, _row_of(event, solved.rows, here))


def _move_on_axis(state: SimilarityState, event: Pick | Key, table: Table) -> SimilarityState:
    low, high = (word(table, typed, in_a_list=True) for typed in poles_of(state))
    bias = state.view == "bias"
    words = placed(table, OCCUPATIONS if bias else state.words)[0]
    if low.row is None or high.row is None or low.row == high.row or not words:
        return state
    found = leaning(table, low, high, words)
    if found is None or not found.words:
        return state
    rows = tuple(entry.row for entry in found.words if entry.row is not None)
    if isinstance(event, Key):
        event = Key(event.key, {"up": "right", "down": "left"}.get(event.name, event.name))  # up the picture
    row = _row_of(event, rows, rows[picked_place(state, table, found)])
    if not bias:
        return _with_pair(state, table, None, row)
    names = {entry.row: entry.typed for entry in found.words}
    moved: SimilarityState = replace(state, occupation=names.get(row, state.occupation))
    return moved


def _move_in_senses(state: SimilarityState, event: Pick | Key, table: Table) -> SimilarityState:
    one, other = (placed(table, typed)[0] for typed in (state.one_sense, state.other_sense))
    group = one if event.key == "one_sense" else other
    here = picked_word(state, table, (one, other))
    words = group if isinstance(event, Pick) else (*one, *other)
    rows = tuple(entry.row for entry in words if entry.row is not None)
    return _with_pair(state, table, None, _row_of(event, rows, here.row if here is not None else None))


def _row_of(event: Pick | Key, rows: tuple[int, ...], here: int | None) -> int | None:
    """The row that was picked, or that an arrow key goes to; None where there is none."""
    if isinstance(event, Pick):
        good = len(event.index) == 1 and 0 <= event.index[0] < len(rows)
        return rows[event.index[0]] if good else None
    return rows[_stepped(rows, here, event.name)] if rows else None


def _move_in_map(state: SimilarityState, event: Pick | Key, table: Table) -> SimilarityState:
    found = placed(table, state.words)[0]
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
