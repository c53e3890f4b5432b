"""What the pages of Lookup share: their buttons at the stage's head, cards of the sentence, and arithmetic that says
"≈" where the printed numbers come out otherwise in the last place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from core.lessons.lookup.scene import Item, card_width, fitting
from core.lessons.lookup.state import LookupState
from core.stage.frame import (
    Axis,
    Card,
    Cards,
    Cell,
    Event,
    Frame,
    Label,
    Legend,
    Line,
    Mark,
    Panel,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, number, short, shown
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments
from core.tables.vocabulary import Spelling
from core.values import dataclass

WIDE = 100.0  # a panel's width in its own coordinates
ROOM = 62.0  # letters of a title's size that fit into a row of cards across the stage


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its picture, its controls, what a person may do on it, and the seconds that its animation takes."""

    frame: Callable[[LookupState, Context], Frame]
    controls: Callable[[LookupState], tuple[str, ...]]
    act: Callable[[LookupState, Event, Context], LookupState] | None = None
    beats: Callable[[LookupState, Context], int] = lambda state, context: 0


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"lookup.{key}", **fields)


def quoted(word: str, most: int = 24) -> str:
    """A token between quotation marks, cut where it is long."""
    return said("quoted", word=cut(word, most))


def cut(word: str, most: int = 24) -> str:
    return word if len(word) <= most else word[: most - 1] + "…"


def head_panel(state: LookupState, cell: Cell, marks: tuple[Mark, ...], **more: Any) -> Panel:
    """The panel at the stage's head, with the buttons for the pages."""
    return Panel("big", cell, marks, choice=segments("lookup", state, "page"), **more)


def signed_legend() -> Legend:
    """What the colours of numbers with a sign mean."""
    return Legend("signed", said("below"), said("above"))


def panel(key: str, cell: Cell, marks: Sequence[Mark], x: float, y: float, **more: Any) -> Panel:
    """A panel of ``x`` by ``y`` units, counted from its upper left corner."""
    return Panel(key, cell, tuple(marks), x=Axis(0.0, x), y=Axis(0.0, y), invert_y=True, **more)


def note(key: str, x: float, y: float, written: str, role: Role = "muted", bold: bool = False) -> Label:
    """A line of text that begins at the point."""
    return Label(key, x, y, written, "label", role, "left", bold=bold)


def sentence_cards(
    key: str, items: Sequence[Item], place: Rect, picked: Sequence[int], room: float = ROOM
) -> tuple[Cards, tuple[int, int]]:
    """The sentence's cards around the last picked one, as many as fit; and which they are: first, stop."""
    widths = [card_width(item.text, item.below) for item in items]
    start, stop = fitting(widths, picked[-1] if picked else 0, room * place.width / WIDE)
    cards = tuple(card(items[index], index in picked) for index in range(start, stop))
    return Cards(key, cards, place), (start, stop)


def card(item: Item, picked: bool) -> Card:
    if item.id is None:
        return Card(item.text, item.below, "muted", picked, faint=True, hover=text("common.not_there"))
    role: Role = "what" if picked else "text"
    return Card(item.text or item.below, item.below if item.text else "", role, picked)


def equals(written: float, true: float, decimals: int) -> str:
    """ "=" where the arithmetic with printed numbers gives the printed result, else "≈"."""
    return "=" if number(written, decimals) == number(true, decimals) else "≈"


def noted(comment: str, *pieces: str | Term) -> Line:
    """A line of arithmetic with a comment after it, where that has room."""
    found = line(*pieces)
    after = Term("   " + comment, "muted")
    return (*found, after) if sum(len(term.text) for term in (*found, after)) <= Worked.COLUMNS else found


def factor(value: float, decimals: int) -> str:
    """A factor in a product: negative ones in brackets."""
    written = number(value, decimals)
    return f"({written})" if written.startswith(MINUS) else written


def address(number_: float) -> str:
    """An ID, without separators: it is an address, not an amount. A mean of IDs keeps its half."""
    return short(number_, 1).replace(",", "")


def signs(names: Iterable[str], spelling: Spelling) -> str:
    """What the signs in these names mean, where one has any."""
    shown_names = tuple(names)
    found = []
    if any("␣" in name for name in shown_names):
        found.append(said("leading"))
    if spelling == "wordpiece" and any(name.startswith("##") for name in shown_names):
        found.append(said("piece"))
    return between(found)


def between(parts: Iterable[str]) -> str:
    """The parts of a caption, those that say nothing left out."""
    return "   ·   ".join(filter(None, parts))


def rounded(value: float, decimals: int) -> float:
    return shown(value, decimals)


def nice_step(span: float, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 … that cuts ``span`` into at most ``most`` parts."""
    step = 1
    while True:
        for part in (1, 2, 5):
            if span / (step * part) <= most:
                return step * part
        step *= 10
