"""Lookup: a one-hot row times the embedding matrix is one row of it. The ID is an address, the row is what is seen."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.lessons.lookup.panels import cards_panel, size_panel
from core.lessons.lookup.product import big_panel
from core.lessons.lookup.scene import LookupState, Scene, card_window, nameless, offers, scene, settle
from core.lessons.lookup.worked import alt, table_name, worked
from core.stage import params
from core.stage.frame import Event, Frame, Key, Pick, Scroll
from core.stage.lesson import Context, Lesson, Preset
from core.stage.numbers import count
from core.stage.text import text

SECONDS = 3.0  # of the animation: its three beats are "all of the product", "the zeros go", "the row slides out"


def frame(state: LookupState, context: Context) -> Frame:
    """The picture of a state. Reads from the table only the rows and columns that it shows."""
    state = settle(state, context)
    found = scene(state, context)
    title, subtitle = _title(state, found)
    return Frame(
        title=title,
        subtitle=subtitle,
        panels=(cards_panel(state, found, context), size_panel(found, context), big_panel(state, found)),
        worked=worked(found),
        alt=alt(found),
        notice=_notice(state, found),
    )


def _title(state: LookupState, found: Scene) -> tuple[str, str]:
    table = found.table
    if found.row is None:
        item = found.item
        if item is None:
            return text("lookup.title_empty"), text("lookup.subtitle_empty")
        return text("lookup.title_missing", word=_quoted(item.text)), text("lookup.subtitle_missing")
    if state.ids == "gpt2" and not nameless(table):
        return text("lookup.title_ids"), text("lookup.subtitle_ids", table=table_name(table))
    if found.small:
        return text("lookup.title"), text("lookup.subtitle")
    beside = [row for row in (found.row - 1, found.row + 1) if 0 <= row < table.rows and found.name(row)]
    title = text("lookup.title_large", zeros=count(found.size - 1))
    if not beside or not found.name(found.row):
        return title, text("lookup.subtitle")
    words = text("lookup.and").join(text("lookup.quoted", word=found.name(row)) for row in beside)
    return title, text("lookup.subtitle_beside", word=found.name(found.row), words=words)


def _notice(state: LookupState, found: Scene) -> str:
    """What is missing, in a sentence."""
    item, table = found.item, found.table
    if item is not None and item.id is None:
        near = ", ".join(word for word, _ in offers(found))
        key = "lookup.notice_near" if near else "lookup.notice_far"
        return text(key, word=_quoted(item.text), table=table_name(table), words=near)
    unknown = [entry.typed for entry in found.items if entry.unknown]
    if unknown:
        return text("lookup.notice_unknown", word=_quoted(unknown[0]), table=table_name(table))
    missing = [entry.text for entry in found.items if entry.id is None]
    if missing:
        words = ", ".join(_quoted(word) for word in missing[:3]) + (" …" if len(missing) > 3 else "")
        return text("lookup.notice_missing", words=words, table=table_name(table))
    if state.ids == "gpt2":
        return text("lookup.notice_gpt2")
    return ""


def _quoted(word: str) -> str:
    return word if len(word) <= 24 else word[:23] + "…"


# --- what a person does ----------------------------------------------------------------------------------------------


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A card, a row or a spelling is picked; the window is scrolled; arrow keys go on to the next one."""
    state = settle(state, context)
    found = scene(state, context)
    match event:
        case Pick(key="cards", index=(int(place), *_)):
            return _with_card(state, place + card_window(found)[0], found)
        case Pick(key="near", index=(int(place), *_)):
            near = offers(found)
            return _with_id(state, near[place][1]) if 0 <= place < len(near) else state
        case Pick(key="E" | "picked", index=(int(row), *_)):
            return _with_row(state, row, found)
        case Pick(key="onehot", index=(_, int(row), *_)):
            return _with_row(state, row, found)
        case Scroll(key="E" | "picked", rows=rows, columns=columns):
            return _scrolled(state, found, found.rows[0] + rows, found.columns[0] + columns)
        case Key(key="cards", name=name):
            last = len(found.items) - 1
            step = {"left": found.card - 1, "right": found.card + 1, "home": 0, "end": last}.get(name)
            return state if step is None else _with_card(state, min(max(step, 0), last), found)
        case Key(key="E" | "picked", name=name):
            return _key(state, found, name)
    return state


def _with_card(state: LookupState, card: int, found: Scene) -> LookupState:
    if not 0 <= card < len(found.items):
        return state
    number = found.items[card].id
    chosen = state.token_id if number is None else number
    return params.replace(state, token=card, token_id=chosen, token_of=chosen, first_row=-1, scrolled_at=-1)


def _with_id(state: LookupState, number: int) -> LookupState:
    # The picked card is let go; settle finds the card that has the ID, if one does.
    return params.replace(state, token_id=number, token_of=number, token=-1, first_row=-1, scrolled_at=-1)


def _with_row(state: LookupState, row: int, found: Scene) -> LookupState:
    if not found.rows[0] <= row < found.rows[1]:
        return state
    number = found.id(row)
    card = next((index for index, item in enumerate(found.items) if item.id == number), -1)
    # The window stays where it is: the row was clicked in it.
    return params.replace(state, token_id=number, token_of=number, token=card, first_row=found.rows[0], scrolled_at=row)


def _scrolled(state: LookupState, found: Scene, row: int, column: int) -> LookupState:
    shown_rows, shown_columns = found.rows[1] - found.rows[0], found.columns[1] - found.columns[0]
    row = min(max(row, 0), found.table.rows - shown_rows)
    column = min(max(column, 0), found.table.dim - shown_columns)
    if (row, column) == (found.rows[0], found.columns[0]):
        return state
    if row == found.rows[0]:
        return params.replace(state, first_column=column)
    at = -1 if found.row is None else found.row
    return params.replace(state, first_row=row, scrolled_at=at, first_column=column)


def _key(state: LookupState, found: Scene, name: str) -> LookupState:
    last = found.table.rows - 1
    if name in ("left", "right"):
        step = 1 if name == "right" else -1
        return _scrolled(state, found, found.rows[0], found.columns[0] + step)
    row = {"up": -1, "down": 1}.get(name)
    target = {"home": 0, "end": last}.get(name) if row is None else (found.row if found.row is not None else -row) + row
    if target is None or not 0 <= target <= last:
        return state
    return _with_row_anywhere(state, target, found)


def _with_row_anywhere(state: LookupState, row: int, found: Scene) -> LookupState:
    number = found.id(row)
    card = next((index for index, item in enumerate(found.items) if item.id == number), -1)
    state = params.replace(state, token_id=number, token_of=number, token=card)
    if found.rows[0] <= row < found.rows[1]:
        return params.replace(state, first_row=found.rows[0], scrolled_at=row)
    return params.replace(state, first_row=-1, scrolled_at=-1)


def step(state: LookupState, seconds: float) -> LookupState:
    """The animation's share moved by ``seconds`` of its three; it stops at 0 and at 1."""
    progress = float(np.clip(state.progress + seconds / SECONDS, 0.0, 1.0))
    return dataclasses.replace(state, progress=progress)


CAT = "The cat sat"

LESSON = Lesson(
    id="lookup",
    state=LookupState,
    frame=frame,
    act=act,
    step=step,
    beat=SECONDS / 3,
    check=settle,
    presets=(
        Preset("lesson", {"token_id": 2}, {"table": "lesson_4x3"}),
        Preset("random", {"token": 1}, {"table": "lesson_random", "sentence": "the cat sat on the mat"}),
        Preset("three_vocabularies", {"token": 1, "ids": "gpt2"}, {"table": "minilm", "sentence": CAT}),
        Preset("neighbours", {"token": 1}, {"table": "smollm2", "sentence": CAT}),
        Preset("deep", {"token_id": 12_000}, {"table": "minilm", "sentence": CAT}),
        Preset("texture", {"token": 1, "cells": "colours"}, {"table": "minilm", "sentence": CAT}),
        Preset("size", {"token": 1}, {"table": "minilm", "sentence": CAT, "model": "gpt-2-small-124m"}),
        Preset("size_large", {"token": 1}, {"table": "minilm", "sentence": CAT, "model": "llama-3-8b"}),
        Preset("missing", {"token": 3}, {"table": "glove", "sentence": "the review was positve"}),
    ),
)
