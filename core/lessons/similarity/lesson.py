"""Similarity: how near two words' rows are, in a pair, a list, a whole table and on a flat map.

Cosine, dot product and distance of rows of the token table itself, before any context. What has no row is said to be
missing, with spellings that the table has; no vector is made up.
"""

from __future__ import annotations

import dataclasses

from core.lessons.similarity import lists
from core.lessons.similarity import map as flat_map
from core.lessons.similarity import pair as two
from core.lessons.similarity.acts import act
from core.lessons.similarity.analogy import analogy_frame
from core.lessons.similarity.asked import cloud_of, grid_of, known_pair, near_of, placed, question, solved_of, usual_of
from core.lessons.similarity.axis import axis_frame
from core.lessons.similarity.bank import bank_frame
from core.lessons.similarity.cloud import flat_on
from core.lessons.similarity.curated import OCCUPATIONS
from core.lessons.similarity.facts import compared
from core.lessons.similarity.flat import flat
from core.lessons.similarity.missing import missing_frame
from core.lessons.similarity.neighbours import neighbours_frame
from core.lessons.similarity.presets import PRESETS
from core.lessons.similarity.state import (
    END,
    FIELDS,
    LISTS,
    SimilarityState,
    Word,
    clipped,
    list_of,
    listed,
    poles_of,
    reading_notes,
    table_name,
    table_of,
    word,
)
from core.stage.frame import Frame
from core.stage.lesson import Context, Lesson
from core.stage.numbers import count
from core.stage.text import text
from core.tables.table import Table
from core.tables.tokens import visible

# --- frames ----------------------------------------------------------------------------------------------------------


def frame(state: SimilarityState, context: Context) -> Frame:
    table = table_of(state, context)
    notes = []
    if table.id != context.table.id:
        key = "similarity.notice.own_table" if table.id == "lesson_animals" else "similarity.notice.stand_in"
        notes.append(text(key, chosen=table_name(context.table), table=table_name(table)))
    typed = FIELDS.get(state.view, ())
    words = {field: word(table, getattr(state, field), state.view in LISTS) for field in typed}
    missing = tuple((field, entry) for field, entry in words.items() if entry.row is None)
    if missing:
        return missing_frame(state, context, table, missing, notes)
    return _VIEWS[state.view](state, context, table, notes)


def _pair(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    words = (word(table, state.first), word(table, state.second))
    notes += reading_notes(table, words) + _space_notes(table, words)
    return two.frame(state, compared(table, *words), table_name(table), " ".join(notes))


def _matrix(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    found, missing = listed(table, state.words)
    _tell_missing(table, missing, notes)
    if not found:
        return missing_frame(state, context, table, tuple(("words", entry) for entry in missing[:1]), notes)
    notes += reading_notes(table, found)
    pair = known_pair(state, table)
    return lists.matrix_frame(state, table, grid_of(state, table, found), pair, table_name(table), " ".join(notes))


def _map(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    found, missing, hidden = placed(table, state.words)
    _tell_missing(table, missing, notes)
    _tell_hidden(hidden, notes)
    notes += reading_notes(table, found)
    name = table_name(table)
    if state.whole:
        cloud = cloud_of(table, context)
        if table.hidden_rows:
            fields = {"rows": count(table.rows), "hidden": len(table.hidden_rows)}
            notes.append(text("similarity.notice.rows_not_drawn", **fields))
        if cloud is None:
            return flat_map.computing_frame(state, table, name, " ".join(notes))
        seen = flat_on(cloud, table, found, state.metric)
        return flat_map.map_frame(state, table, found, seen, known_pair(state, table), name, " ".join(notes), cloud)
    if not found:
        return missing_frame(state, context, table, tuple(("words", entry) for entry in missing[:1]), notes)
    seen = flat(table, found, state.metric)
    return flat_map.map_frame(state, table, found, seen, known_pair(state, table), name, " ".join(notes))


def _neighbours(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    asked = word(table, state.first)
    near = near_of(state, table, asked, context)
    names = tuple(visible(table.tokens[row], table.vocabulary.spelling) for row in near.rows) if near else ()
    left_out = "similarity.notice.left_out" if table.hidden_rows else "similarity.notice.left_out_itself"
    notes.append(text(left_out, word=clipped(asked.shown), hidden=len(table.hidden_rows)))
    notes += reading_notes(table, (asked,)) + _space_notes(table, (asked,))
    pair = known_pair(state, table)
    return neighbours_frame(state, table, asked, near, pair, names, table_name(table), " ".join(notes))


def _analogy(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    asked = question(state, table)
    hoped = word(table, state.hoped, in_a_list=True)
    if state.hoped.strip() and hoped.row is None:
        _tell_missing(table, (hoped,), notes)
    if table.hidden_rows:
        notes.append(text("similarity.notice.rows_left_out", hidden=len(table.hidden_rows)))
    notes += reading_notes(table, (*asked, hoped))
    solved = solved_of(state, table, context)
    return analogy_frame(state, table, asked, solved, hoped, table_name(table), " ".join(notes))


def _axis(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    low, high = (word(table, typed, in_a_list=True) for typed in poles_of(state))
    typed = OCCUPATIONS if state.view == "bias" else state.words
    found, missing, hidden = placed(table, typed)
    _tell_missing(table, missing, notes)
    _tell_hidden(hidden, notes)
    if low.row is None or high.row is None:  # the bias page's own poles, in a table of the class
        gone = tuple((f"pole_{place}", entry) for place, entry in enumerate((low, high)) if entry.row is None)
        return missing_frame(state, context, table, gone, notes)
    notes += reading_notes(table, (low, high, *found))
    return axis_frame(state, table, low, high, found, table_name(table), " ".join(notes))


def _bank(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    many = word(table, state.many, in_a_list=True)
    groups = []
    for typed in (state.one_sense, state.other_sense):
        found, missing, hidden = placed(table, typed)
        _tell_missing(table, missing, notes)
        _tell_hidden(hidden, notes)
        groups.append(found)
    notes += reading_notes(table, (many, *groups[0], *groups[1]))
    usual, waits = usual_of(table, "cosine", context)
    both = (groups[0], groups[1])
    return bank_frame(state, table, many, both, table_name(table), " ".join(notes), usual, waits)


_VIEWS = {
    "pair": _pair,
    "matrix": _matrix,
    "neighbours": _neighbours,
    "analogy": _analogy,
    "map": _map,
    "axis": _axis,
    "bias": _axis,
    "bank": _bank,
}


def _tell_missing(table: Table, missing: tuple[Word, ...], notes: list[str]) -> None:
    if missing:
        shown = list_of(tuple(entry.shown for entry in missing))
        notes.append(text("similarity.notice.missing", words=shown, table=table_name(table)))


def _tell_hidden(hidden: int, notes: list[str]) -> None:
    """Words of the display filter are counted, not named."""
    if hidden:
        notes.append(text("similarity.notice.hidden_words", count=hidden))


def _space_notes(table: Table, words: tuple[Word, ...]) -> list[str]:
    """A word that was read without its leading space, where the row with it exists too."""
    if table.vocabulary.spelling != "bytes":
        return []
    for entry in words:
        with_space = table.find("Ġ" + table.tokens[entry.row]) if entry.row is not None else None
        if with_space is not None and not entry.shown.startswith("␣"):
            return [text("similarity.notice.space", word=entry.shown, other=visible(table.tokens[with_space], "bytes"))]
    return []


def step(state: SimilarityState, seconds: float) -> SimilarityState:
    """The products of the dot product are added one a second, then come the lengths and the division."""
    if state.view != "pair":
        return state
    return dataclasses.replace(state, terms=min(max(state.terms + seconds, 0.0), END))


def follow(before: SimilarityState, after: SimilarityState) -> SimilarityState:
    """Another word, another sum: playing starts anew. Another notation asks the same; another question hopes anew."""
    if (before.first, before.second, before.view) != (after.first, after.second, after.view):
        after = dataclasses.replace(after, terms=0.0)
    if before.notation != after.notation:
        return dataclasses.replace(after, a=before.b, b=before.a)
    changed = (before.a, before.b, before.c) != (after.a, after.b, after.c)
    return dataclasses.replace(after, hoped="") if changed and before.hoped == after.hoped else after


def controls(state: SimilarityState) -> tuple[str, ...]:
    return {
        "pair": ("first", "second"),
        "matrix": ("words", "metric", "order", "first", "second"),
        "neighbours": ("first", "count", "metric", "lost", "second"),
        "analogy": ("a", "b", "c", "notation", "method", "hoped", "count", "second"),
        "map": ("words", "whole", "lost", "metric", "first", "second"),
        "axis": ("low", "high", "words"),
        "bias": ("occupation",),
        "bank": ("many", "one_sense", "other_sense"),
    }[state.view]


LESSON = Lesson(
    id="similarity",
    state=SimilarityState,
    frame=frame,
    act=act,
    step=step,
    follow=follow,
    controls=controls,
    presets=PRESETS,
)
