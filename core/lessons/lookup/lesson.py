"""Lookup: what an ID is, and how a row of numbers takes its place. Eight pages, each a room of its own, loaded when it
is first shown."""

from __future__ import annotations

import dataclasses
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.lessons.lookup.scene import settle
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import Event, Frame
from core.stage.lesson import Context, Lesson, Preset

if TYPE_CHECKING:
    from core.lessons.lookup.pages import Page

SECONDS = 3.0  # of the animation on the page Lookup
ROOMS = {"lookup": "lookup_page", "one_hot": "onehot"}  # of the others the page's own name


@cache
def _page(name: str) -> Page:
    found: Page = import_module(f"core.lessons.lookup.{ROOMS.get(name, name)}").PAGE
    return found


def frame(state: LookupState, context: Context) -> Frame:
    """The picture of a state's page. Reads from a table only the rows and columns that it shows."""
    return _page(state.page).frame(state, context)


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """What a person does on the page."""
    page = _page(state.page)
    return state if page.act is None else page.act(state, event, context)


def controls(state: LookupState) -> tuple[str, ...]:
    return _page(state.page).controls(state)


def check(state: LookupState, context: Context) -> LookupState:
    """The picked card and the ID in agreement, the table's last ID, and the length of the page's animation."""
    state = settle(state, context)
    kept = {"beats": _page(state.page).beats(state, context), "last_id": context.table.id_of(context.table.rows - 1).id}
    return state if kept == {name: getattr(state, name) for name in kept} else params.replace(state, **kept)


def ranges(state: LookupState) -> dict[str, tuple[float, float]]:
    """The slider reaches every ID of the table."""
    return {"token_id": (0.0, float(state.last_id))}


def follow(before: LookupState, after: LookupState) -> LookupState:
    """Another page begins its animation anew."""
    if (before.page, before.number_as) == (after.page, after.number_as):
        return after
    return dataclasses.replace(after, progress=0.0)


def step(state: LookupState, seconds: float) -> LookupState:
    """The animation's share, moved by ``seconds`` of the page's; it stops at 0 and at 1."""
    if state.beats == 0:
        return state
    progress = min(max(state.progress + seconds / state.beats, 0.0), 1.0)
    return dataclasses.replace(state, progress=progress)


CAT = {"sentence": "The cat sat"}
MAT = {"sentence": "the cat on the mat", "table": "lesson_random"}
ANIMALS = ("cat", "dog", "photosynthesis")

LESSON = Lesson(
    id="lookup",
    state=LookupState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("lesson", {"token_id": 2}, {"table": "lesson_4x3"}),
        Preset("euro", {"page": "ids", "first": 0, "second": 2}, CAT),
        Preset("next_door", {"page": "ids", "number_as": "neighbours", "vocabulary": "smollm2", "second": 1}, CAT),
        Preset("merges", {"page": "ids", "number_as": "merges", "part": 1}, CAT),
        Preset("merges_long", {"page": "ids", "number_as": "merges", "part": 0}, {"sentence": "unbelievably slower"}),
        Preset("one_hot", {"page": "one_hot", "words": ("cat", "dog", "car")}, {"table": "lesson_animals"}),
        Preset("one_hot_glove", {"page": "one_hot", "words": ANIMALS, "pair_column": 2, "vocabulary": "glove"},
               {"table": "glove"}),
        Preset("random", {"token": 1}, {"table": "lesson_random", "sentence": "the cat sat on the mat"}),
        Preset("layer", {"page": "layer", "token_id": 2}, {"table": "lesson_4x3", "model": "gpt-2-small-124m"}),
        Preset("layer_table", {"page": "layer", "priced": "table", "token": 1}, {"table": "minilm", **CAT}),
        Preset("gradient", {"page": "gradient"}, MAT),
        Preset("gradient_counts", {"page": "gradient", "loss": "sum"}, MAT),
        Preset("root_d", {"page": "scale", "d_model": 512}),
        Preset("root_d_small", {"page": "scale", "d_model": 768, "initial": "small"}),
        Preset("size", {"page": "size"}, {"model": "gpt-2-small-124m"}),
        Preset("size_large", {"page": "size"}, {"model": "llama-3-8b"}),
        Preset("four_vocabularies", {"page": "vocabularies", "form": "cat", "vocabulary": "smollm2"}, CAT),
        Preset("unknown_word", {"page": "vocabularies", "vocabulary": "glove", "form": "positive"},
               {"sentence": "the review was positve"}),
        Preset("three_vocabularies", {"token": 1, "ids": "gpt2"}, {"table": "minilm", **CAT}),
        Preset("neighbours", {"token": 1}, {"table": "smollm2", **CAT}),
        Preset("deep", {"token_id": 11_111}, {"table": "minilm", **CAT}),
        Preset("texture", {"token": 1, "cells": "colours"}, {"table": "minilm", **CAT}),
        Preset("missing", {"token": 3}, {"table": "glove", "sentence": "the review was positve"}),
    ),
)  # fmt: skip
