"""Next door on the line of IDs is not kin: the cosines to the neighbours' rows, beside that to a word of its kind."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.lookup.naming import ALIKE, Cosine, Naming, cards_in, cosine, naming
from core.lessons.lookup.pages import (
    WIDE,
    between,
    cut,
    equals,
    head_panel,
    note,
    panel,
    rounded,
    said,
    sentence_cards,
    signs,
)
from core.lessons.lookup.scene import Item
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import (
    Axis,
    Bars,
    Card,
    Cards,
    Cell,
    Event,
    Frame,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Pick,
    Readout,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number
from core.stage.theme import Role
from core.values import dataclass

SIDE = 2  # IDs shown on each side
FAR = 60  # IDs looked through for one that has a row
CARDS = Rect(0.0, 0.0, WIDE, 3.1)
PLACES = 3


@dataclass(frozen=True, slots=True)
class Near:
    """A token that the picked one is compared with."""

    key: str
    id: int
    name: str
    cosine: Cosine | None


def frame(state: LookupState, context: Context) -> Frame:
    """The street of IDs around the picked card, and what the table says of its neighbours."""
    own = naming(state, context)
    cards = cards_in(state.vocabulary, context)
    at = picked_card(state, cards)
    item = cards[at] if cards else None
    near = () if item is None or item.id is None else _near(own, item.id, state.kin)
    kin = next((entry for entry in near if entry.key == "kin"), None)
    doors = [entry for entry in near if entry.key != "kin" and entry.cosine is not None]
    titled = bool(doors) and _is_kin(doors, kin) and _of(doors[0]) < ALIKE
    name = item.text if item is not None else ""
    return Frame(
        title=_title(name, doors[0].name) if titled else said("nextdoor.title_plain"),
        subtitle=said("nextdoor.subtitle"),
        panels=(
            _street_panel(state, own, cards, at, kin),
            _bars_panel(own, item, near),
            _readouts(own, item, doors, kin),
        ),
        worked=Worked(_worked(name, doors, kin)),
        alt=_alt(own, item, near),
        notice=_notice(own, cards, state.kin, kin, item),
    )  # fmt: skip


def _of(entry: Near) -> float:
    return entry.cosine.value if entry.cosine is not None else math.nan


def _is_kin(doors: list[Near], kin: Near | None) -> bool:
    """Whether the rows say so too: the word of its kind is nearer than both next doors, and near."""
    return kin is not None and _of(kin) >= ALIKE and all(_of(kin) > _of(entry) for entry in doors)


def _title(name: str, beside: str) -> str:
    return said("nextdoor.title", word=cut(name, 14), beside=cut(beside, 14))


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A card of the sentence or of the street is picked; arrow keys go on to the next card."""
    cards = cards_in(state.vocabulary, context)
    at = picked_card(state, cards)
    if event.key != "cards" or not cards:
        return state
    if isinstance(event, Pick) and event.index:
        start, stop = sentence_cards("cards", cards, CARDS, (at,))[1]
        place = start + event.index[0]
        return params.replace(state, second=place) if start <= place < stop else state
    if isinstance(event, Key):
        step = {"left": at - 1, "right": at + 1, "home": 0, "end": len(cards) - 1}.get(event.name, at)
        return params.replace(state, second=min(max(step, 0), len(cards) - 1))
    return state


def picked_card(state: LookupState, cards: tuple[Item, ...]) -> int:
    return min(state.second, max(len(cards) - 1, 0))


def _near(own: Naming, number_: int, kin: str) -> tuple[Near, ...]:
    """The nearest IDs below and above that have a row, and the word of its kind."""
    here = own.vector(number_)
    found = []
    for key, step in (("before", -1), ("after", 1)):
        for away in range(1, FAR):
            name = own.token(number_ + step * away)
            if name and (own.table is None or own.row(number_ + step * away) is not None):
                found.append((key, number_ + step * away, name))
                break
    other = own.id_of_word(kin)
    if other is not None:
        found.append(("kin", other, own.token(other) or kin))
    near = []
    for key, other_id, name in found:
        there = own.vector(other_id)
        value = None if here is None or there is None else cosine(here, there)
        near.append(Near(key, other_id, name, value))
    return tuple(near)


# --- the picture -----------------------------------------------------------------------------------------------------


def _street_panel(state: LookupState, own: Naming, cards: tuple[Item, ...], at: int, kin: Near | None) -> Panel:
    marks: list[Mark] = []
    caption = ""
    if cards:
        marks.append(sentence_cards("cards", cards, CARDS, (at,))[0])
    item = cards[at] if cards else None
    if item is None or item.id is None:
        marks.append(note("say", 0.0, 6.5, said("ids.nothing" if cards else "no_cards"), "text", bold=True))
    else:
        street = []
        for number_ in range(max(item.id - SIDE, 0), min(item.id + SIDE + 1, own.size)):
            token, here = own.token(number_), number_ == item.id
            shown = item.text if here else token or "…"
            street.append(Card(shown, str(number_), "what" if here else "text", here, faint=token is None))
        dashed = said("nextdoor.dashed") if any(entry.faint for entry in street) else ""
        shown_names = [entry.text for entry in cards] + [entry.title for entry in street]
        caption = between((dashed, signs(shown_names, own.spelling)))
        end = 70.0 if kin is not None else WIDE
        marks.append(note("street name", 0.0, 4.6, said("nextdoor.street"), bold=True))
        marks.append(Cards("street", tuple(street), Rect(0.0, 5.6, end, 3.6)))
        if kin is not None:
            away = abs(kin.id - item.id)
            apart = said("nextdoor.away_one" if away == 1 else "nextdoor.away", away=count(away))
            marks.append(Label("dots", 74.0, 7.4, "⋯", "title", "muted"))
            marks.append(note("kin name", 78.0, 4.6, apart, bold=True))
            marks.append(Cards("kin", (Card(kin.name, str(kin.id), "what"),), Rect(78.0, 5.6, WIDE - 78.0, 3.6)))
    return head_panel(state, Cell(0, 0, 7, 12), tuple(marks), caption=caption, x=Axis(0.0, WIDE), y=Axis(-0.3, 9.4),
                      invert_y=True)  # fmt: skip


def _bars_panel(own: Naming, item: Item | None, near: tuple[Near, ...]) -> Panel:
    """The cosines as bars; without a table a sentence that says where there is one."""
    cell = Cell(7, 0, 5, 7)
    known = [entry for entry in near if entry.cosine is not None]
    if not known or item is None:
        why = "nextdoor.no_table" if own.table is None else "nextdoor.no_row"
        say = note("say none", 0.0, 1.7, said(why, vocabulary=own.title), "text")
        return panel("bars_panel", cell, (say,), 10.0, 3.4, title=said("nextdoor.bars"))
    values = [entry.cosine.value for entry in known if entry.cosine is not None]
    marks: list[Mark] = []
    for place, (entry, value) in enumerate(zip(known, values, strict=True)):
        role: Role = "what" if entry.key == "kin" else "muted"
        at, height = np.array([place + 0.5]), np.array([value])
        written = number(value, PLACES)
        marks.append(Bars(f"bar {entry.key}", at, height, role, 0.56, labels=(written,), horizontal=True))
    names = tuple((place + 0.5, _bar_name(entry)) for place, entry in enumerate(known))
    low = min(0.0, min(values) * 1.6)
    return Panel(
        "bars_panel",
        cell,
        tuple(marks),
        title=said("nextdoor.bars_of", word=cut(item.text, 12)),
        x=Axis(low, 1.0),
        y=Axis(0.0, float(len(known)), names),
        invert_y=True,
    )


def _bar_name(entry: Near) -> str:
    return f"{cut(entry.name, 12)} {entry.id}"


def _readouts(own: Naming, item: Item | None, doors: list[Near], kin: Near | None) -> Panel:
    cell = Cell(7, 7, 5, 5)
    shown: list[Readout] = []
    if item is not None and doors and doors[0].cosine is not None:
        value = number(doors[0].cosine.value, PLACES)
        shown.append(Readout("door value", value, said("nextdoor.door", word=cut(doors[0].name, 12)), "muted"))
    if item is not None and kin is not None and kin.cosine is not None:
        value = number(kin.cosine.value, PLACES)
        key = "nextdoor.kin" if _is_kin(doors, kin) else "nextdoor.kin_plain"
        shown.append(Readout("kin value", value, said(key, word=cut(kin.name, 12)), "what"))
    if shown:
        return Panel("values", cell, readouts=tuple(shown))
    return panel("values", cell, (note("why", 0.0, 2.0, said("nextdoor.why")),), 10.0, 4.0)


# --- in words --------------------------------------------------------------------------------------------------------


def _worked(name: str, doors: list[Near], kin: Near | None) -> tuple[Line, ...]:
    """What a cosine is, then dot / (length × length) for the next door, the word of its kind, and the other side."""
    lines: list[Line] = []
    pairs = [*doors[:1], *([kin] if kin is not None else []), *doors[1:]]
    for entry in pairs:
        found = entry.cosine
        if found is None:
            continue
        a, b = (rounded(value, PLACES) for value in found.lengths)
        product = rounded(found.dot, PLACES) / (a * b) if a and b else 0.0
        sign = equals(product, found.value, PLACES)
        words = f"cosine({cut(name, 9)}, {cut(entry.name, 9)})"
        written = f"{number(found.dot, PLACES)} / ({number(a, PLACES)} × {number(b, PLACES)}) {sign} "
        role: Role = "what" if entry.key == "kin" else "text"
        lines.append(line(f"{words:<22} = {written}", Term(number(found.value, PLACES), role, bold=True)))
    if lines:
        lines.insert(0, line(Term(said("nextdoor.cosine"), "muted")))
        lines.append(line(Term(said("nextdoor.worked"), "muted")))
    return tuple(lines)


def _alt(own: Naming, item: Item | None, near: tuple[Near, ...]) -> str:
    if item is None or item.id is None:
        return said("ids.alt_nothing", vocabulary=own.title)
    parts = [
        said("nextdoor.alt_pair", word=entry.name, id=entry.id,
             value=number(entry.cosine.value, PLACES) if entry.cosine is not None else said("nextdoor.unknown"))
        for entry in near
    ]  # fmt: skip
    return said("nextdoor.alt", word=item.text or str(item.id), id=item.id, vocabulary=own.title, near="; ".join(parts))


def _notice(own: Naming, cards: tuple[Item, ...], typed: str, kin: Near | None, item: Item | None) -> str:
    if kin is None and typed.strip() and item is not None:
        return said("nextdoor.notice_kin", word=cut(typed.strip()), table=own.title)
    missing = [entry.text for entry in cards if entry.id is None]
    return said("notice_missing", words=", ".join(map(cut, missing[:3])), table=own.title) if missing else ""
