"""The page that gave the tab its name: a one-hot row times the embedding matrix is one row of it."""

from __future__ import annotations

from core.lessons.lookup.acts import act
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


def controls(state: LookupState) -> tuple[str, ...]:
    return ("ids", "cells") if state.rowless else ("token_id", "ids", "cells")


def beats(state: LookupState, context: Context) -> int:
    return BEATS


PAGE = Page(frame, controls, act, beats)
