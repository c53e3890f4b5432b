"""The page that gave the tab its name: a one-hot row times the embedding matrix is one row of it."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import normalize

from core.lessons.lookup.acts import act
from core.lessons.lookup.naming import ALIKE, cosine
from core.lessons.lookup.pages import Page
from core.lessons.lookup.panels import cards_panel
from core.lessons.lookup.product import big_panel
from core.lessons.lookup.scene import Scene, nameless, offers, scene, settle
from core.lessons.lookup.state import LookupState
from core.lessons.lookup.worked import alt, table_name, worked
from core.stage.frame import Frame
from core.stage.lesson import Context
from core.stage.numbers import count
from core.stage.text import text
from core.tables.spellings import plain_word
from core.tables.table import Table

BEATS = 3  # "all of the product", "the zeros go", "the row slides out"


def frame(state: LookupState, context: Context) -> Frame:
    """The picture of a state. Reads from the table only the rows and columns that it shows."""
    state = settle(state, context)
    found = scene(state, context)
    title, subtitle = _title(state, found)
    return Frame(
        title=title,
        subtitle=subtitle,
        panels=(cards_panel(state, found, context), big_panel(state, found)),
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
    if found.dense:  # rows too low for all their names
        return text("lookup.title_large", zeros=count(found.size - 1)), text("lookup.subtitle_colours")
    beside = [row for row in (found.row - 1, found.row + 1) if 0 <= row < table.rows and found.name(row)]
    title = text("lookup.title_large", zeros=count(found.size - 1))
    if not beside or not found.name(found.row):
        return title, text("lookup.subtitle")
    words = text("lookup.and").join(text("lookup.quoted", word=found.name(row)) for row in beside)
    key = "lookup.subtitle_beside" if _unlike(table, found.row, tuple(beside)) else "lookup.subtitle_listed"
    return title, text(key, word=found.name(found.row), words=words)


@lru_cache(maxsize=256)
def _unlike(table: Table, row: int, others: tuple[int, ...]) -> bool:
    """Whether the row has hardly anything in common with each of the others."""
    cosines = [cosine(table.row(row), table.row(other)) for other in others]
    return all(found is not None and found.value < ALIKE for found in cosines)


def _notice(state: LookupState, found: Scene) -> str:
    """What is missing, or read otherwise than it was typed, in a sentence."""
    said = missing_notice(found)
    if said or state.ids != "gpt2":
        return said or _folded(found)
    return text("lookup.notice_gpt2")


def _folded(found: Scene) -> str:
    """What a table without capitals (or accents) has made of a typed word: of the picked one, or of one that does not
    begin the sentence, where a capital is no more than usual."""
    table = found.table
    if nameless(table) or not table.vocabulary.fold_case:
        return ""
    picked = (found.item,) if found.item is not None else ()
    for item in (*picked, *found.items[1:]):
        read = plain_word(item.piece, table.vocabulary.spelling)
        known = item.id is not None and not item.unknown and item.typed
        if known and normalize("NFC", item.typed) != normalize("NFC", read):
            return text("lookup.notice_folded", typed=_quoted(item.typed), word=_quoted(read), table=table_name(table))
    return ""


def missing_notice(found: Scene) -> str:
    """Which words have no row, the picked one first."""
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
    return ""


def _quoted(word: str) -> str:
    return word if len(word) <= 24 else word[:23] + "…"


def controls(state: LookupState) -> tuple[str, ...]:
    return ("ids", "cells") if state.rowless else ("token_id", "ids", "cells")


def beats(state: LookupState, context: Context) -> int:
    return BEATS


PAGE = Page(frame, controls, act, beats)
