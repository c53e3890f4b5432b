"""Similarity: how near two words' rows are, in a pair, a list, a whole table and on a flat map.

Cosine, dot product and distance of rows of the token table itself, before any context. What has no row is said to be
missing, with spellings that the table has; no vector is made up.
"""

from __future__ import annotations

import dataclasses

from core.lessons.similarity import facts, lists
from core.lessons.similarity import map as flat_map
from core.lessons.similarity import pair as two
from core.lessons.similarity.acts import act
from core.lessons.similarity.asked import grid_of, known_pair, near_of
from core.lessons.similarity.missing import missing_frame
from core.lessons.similarity.state import (
    END,
    SimilarityState,
    Word,
    clipped,
    list_of,
    listed,
    table_name,
    table_of,
    word,
)
from core.stage.frame import Frame
from core.stage.lesson import Context, Lesson, Preset
from core.stage.text import text
from core.tables.table import Table
from core.tables.tokens import visible

# --- frames ----------------------------------------------------------------------------------------------------------


def frame(state: SimilarityState, context: Context) -> Frame:
    table = table_of(state, context)
    notes = []
    if table.id != context.table.id:
        notes.append(text("similarity.notice.own_table", chosen=table_name(context.table)))
    if state.view == "pair":
        return _pair(state, context, table, notes)
    if state.view == "neighbours":
        return _neighbours(state, context, table, notes)
    found, missing = listed(table, state.words)
    if missing:
        shown = list_of(tuple(entry.shown for entry in missing))
        notes.append(text("similarity.notice.missing", words=shown, table=table_name(table)))
    if not found:
        return missing_frame(state, context, table, tuple(("words", entry) for entry in missing[:1]), notes)
    pair = known_pair(state, table)
    if state.view == "matrix":
        return lists.matrix_frame(state, table, grid_of(state, table, found), pair, table_name(table), " ".join(notes))
    flat = facts.flat(table, found, state.metric)
    return flat_map.map_frame(state, table, found, flat, pair, table_name(table), " ".join(notes))


def _pair(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    words = (word(table, state.first), word(table, state.second))
    missing = tuple(pair for pair in zip(("first", "second"), words, strict=True) if pair[1].row is None)
    if missing:
        return missing_frame(state, context, table, missing, notes)
    notes += _space_notes(table, words)
    return two.frame(state, facts.compared(table, *words), table_name(table), " ".join(notes))


def _neighbours(state: SimilarityState, context: Context, table: Table, notes: list[str]) -> Frame:
    asked = word(table, state.first)
    if asked.row is None:
        return missing_frame(state, context, table, (("first", asked),), notes)
    near = near_of(state, table, asked, context)
    names = tuple(visible(table.tokens[row], table.vocabulary.spelling) for row in near.rows) if near else ()
    left_out = "similarity.notice.left_out" if table.hidden_rows else "similarity.notice.left_out_itself"
    notes.append(text(left_out, word=clipped(asked.shown), hidden=len(table.hidden_rows)))
    notes += _space_notes(table, (asked,))
    return lists.neighbours_frame(
        state, table, asked, near, known_pair(state, table), names, table_name(table), " ".join(notes)
    )


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
    """Another word, another sum: playing starts anew."""
    same = (before.first, before.second, before.view) == (after.first, after.second, after.view)
    return after if same else dataclasses.replace(after, terms=0.0)


def controls(state: SimilarityState) -> tuple[str, ...]:
    return {
        "pair": ("first", "second"),
        "matrix": ("words", "metric", "order", "first", "second"),
        "neighbours": ("first", "count", "metric", "second"),
        "map": ("words", "lost", "metric", "first", "second"),
    }[state.view]


ANIMALS = ("cat", "dog", "horse", "rabbit", "lion", "wolf")
VEHICLES = ("car", "truck", "bus", "train", "bicycle", "boat")
FOOD = ("bread", "cheese", "apple", "rice", "soup", "cake")
KINDS = ANIMALS + VEHICLES + FOOD
MIXED = tuple(name for three in zip(ANIMALS, VEHICLES, FOOD, strict=True) for name in three)

_LESSON = {"table": "lesson_animals"}
_GLOVE = {"table": "glove"}

LESSON = Lesson(
    id="similarity",
    state=SimilarityState,
    frame=frame,
    act=act,
    step=step,
    follow=follow,
    controls=controls,
    presets=(
        Preset("cat_dog", {"first": "cat", "second": "dog"}, _LESSON),
        Preset("cat_car", {"first": "cat", "second": "car"}, _LESSON),
        Preset("dog_car", {"first": "dog", "second": "car"}, _LESSON),
        Preset("matrix", {"view": "matrix", "words": ("cat", "dog", "car")}, _LESSON),
        Preset("glove_pair", {"first": "cat", "second": "photosynthesis"}, _GLOVE),
        Preset("glove_neighbours", {"view": "neighbours", "first": "cat", "second": "dog"}, _GLOVE),
        Preset("glove_matrix", {"view": "matrix", "words": MIXED, "order": "clustered"}, _GLOVE),
        Preset("glove_map", {"view": "map", "words": KINDS}, _GLOVE),
        Preset("minilm_neighbours", {"view": "neighbours", "first": "cat", "second": "kitten"}, {"table": "minilm"}),
        Preset("minilm_map", {"view": "map", "words": KINDS}, {"table": "minilm"}),
        Preset("smollm2_neighbours", {"view": "neighbours", "first": " cat", "second": " dog"}, {"table": "smollm2"}),
        Preset("smollm2_map", {"view": "map", "words": KINDS}, {"table": "smollm2"}),
    ),
)
