"""IDs are addresses: their mean is another address, and the line on which they stand knows no kinship."""

from __future__ import annotations

import numpy as np

from core.lessons.lookup import merges, nextdoor
from core.lessons.lookup.naming import Naming, cards_in, naming
from core.lessons.lookup.pages import (
    WIDE,
    Page,
    address,
    cut,
    head_panel,
    nice_step,
    note,
    panel,
    quoted,
    said,
    sentence_cards,
    signs,
)
from core.lessons.lookup.scene import Item
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import (
    Axis,
    Card,
    Cards,
    Cell,
    Curve,
    Event,
    Frame,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Pick,
    Points,
    Readout,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count
from core.stage.theme import Role

LINE = 8.6  # where the line of IDs lies, in the panel's own units
BRACE = 6.0
LETTER = 0.95  # a letter's width of a small label
AROUND = 2  # addresses shown on each side of the mean


def frame(state: LookupState, context: Context) -> Frame:
    """The view of IDs that the state asks for."""
    if state.number_as == "neighbours":
        return nextdoor.frame(state, context)
    if state.number_as == "merges":
        return merges.frame(state, context)
    return _mean_frame(state, context)


def controls(state: LookupState) -> tuple[str, ...]:
    if state.number_as == "merges":
        return ("number_as",)
    return ("number_as", "vocabulary", "kin") if state.number_as == "neighbours" else ("number_as", "vocabulary")


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """Cards are picked, on this view or on its two neighbours."""
    if state.number_as == "neighbours":
        return nextdoor.act(state, event, context)
    if state.number_as == "merges":
        return merges.act(state, event, context)
    cards = cards_in(state.vocabulary, context)
    first, second = _pair(state, cards)
    match event:
        case Pick(key="cards", index=(int(place), *_)):
            start = _cards(state, cards)[1][0]
            return _with(state, place + start, cards)
        case Key(key="cards", name=name):
            step = {"left": second - 1, "right": second + 1, "home": 0, "end": len(cards) - 1}.get(name)
            return state if step is None else params.replace(_with(state, step, cards), first=first)
    return state


def _with(state: LookupState, place: int, cards: tuple[Item, ...]) -> LookupState:
    """The card is picked, and the one that was picked last stays."""
    _, second = _pair(state, cards)
    if not 0 <= place < len(cards) or place == second:
        return state
    return params.replace(state, first=second, second=place)


def beats(state: LookupState, context: Context) -> int:
    return merges.beats(state, context) if state.number_as == "merges" else 0


# --- the mean --------------------------------------------------------------------------------------------------------


def _pair(state: LookupState, cards: tuple[Item, ...]) -> tuple[int, int]:
    last = max(len(cards) - 1, 0)
    return min(state.first, last), min(state.second, last)


def _cards(state: LookupState, cards: tuple[Item, ...]) -> tuple[Cards, tuple[int, int]]:
    return sentence_cards("cards", cards, Rect(0.0, 0.0, WIDE, 3.0), _pair(state, cards))


def _mean_frame(state: LookupState, context: Context) -> Frame:
    own = naming(state, context)
    cards = cards_in(state.vocabulary, context)
    first, second = _pair(state, cards)
    numbers = [cards[at].id for at in (first, second)] if cards else []
    if len(numbers) < 2 or None in numbers:
        return _nothing(state, own, cards)
    a, b = (int(number_) for number_ in numbers if number_ is not None)
    mean = (a + b) / 2
    names = [cards[at].text for at in (first, second)]
    found = _found(own, mean)
    return Frame(
        title=said("ids.title"),
        subtitle=said("ids.subtitle", vocabulary=own.title, size=count(own.size)),
        panels=(
            _line_panel(state, own, cards, mean),
            _mean_panel(a, b, mean, found),
            _around_panel(own, mean),
        ),
        worked=Worked(_worked(names, a, b, mean, found)),
        alt=said("ids.alt", first=names[0] or address(a), second=names[1] or address(b), a=address(a), b=address(b),
                 mean=address(mean), found=found, vocabulary=own.title),
        notice=missing_notice(own, cards),
    )  # fmt: skip


def missing_notice(own: Naming, cards: tuple[Item, ...]) -> str:
    """Which words the vocabulary has no ID for."""
    missing = [item.text for item in cards if item.id is None]
    if not missing:
        return ""
    words = ", ".join(cut(word) for word in missing[:3]) + (" …" if len(missing) > 3 else "")
    return said("notice_missing", words=words, table=own.title)


def _found(own: Naming, mean: float) -> str:
    """What stands at the mean."""
    if mean != int(mean):
        sides = [own.token(int(mean)), own.token(int(mean) + 1)]
        if all(sides):
            return said("ids.between", first=cut(sides[0] or "", 14), second=cut(sides[1] or "", 14))
        return said("ids.half")
    token = own.token(int(mean))
    if token:
        return said("ids.is_token", word=cut(token))
    return said("ids.not_shipped" if token is None else "ids.other")


def _line_panel(state: LookupState, own: Naming, cards: tuple[Item, ...], mean: float) -> Panel:
    """The sentence's cards, and below them the line of IDs with the mean of two."""
    mark, (start, stop) = _cards(state, cards)
    pair = _pair(state, cards)
    shown = {at: cards[at] for at in {*range(start, stop), *pair} if cards[at].id is not None}
    low, high = _span([item.id for item in shown.values() if item.id is not None], own.size)

    def x(number_: float) -> float:
        return 2.0 + (WIDE - 4.0) * (number_ - low) / (high - low)

    a, b = (float(cards[at].id or 0) for at in pair)
    marks: list[Mark] = [
        mark,
        Curve("brace", np.array([x(a), x(a), x(b), x(b)]), np.array([LINE, BRACE, BRACE, LINE]), "warn", "thin"),
        Curve("drop", np.array([x(mean), x(mean)]), np.array([BRACE, LINE]), "warn", "line", "dash"),
    ]
    others = sorted(float(item.id or 0) for at, item in shown.items() if at not in pair)
    if others:
        named = {float(item.id or 0): item.text for item in shown.values()}
        texts = tuple(f"{cut(named[value], 12)} {address(value)}".strip() for value in others)
        places = np.array([x(value) for value in others])
        marks.append(Points("others", places, np.full(len(others), LINE), "muted", hover=texts))
        marks += _names(places.tolist(), texts)
    ends = np.array([x(a), x(b)])
    marks.append(Points("ends", ends, np.full(2, LINE), "what", 1.6))
    marks.append(Points("mean", np.array([x(mean)]), np.array([LINE]), "warn", 1.5, "diamond"))
    for key, at, value in (("first", pair[0], a), ("second", pair[1], b)):
        written = f"{cut(cards[at].text, 12)} {address(value)}".strip()
        if key == "first" or pair[0] != pair[1]:
            marks.append(Label(f"{key} name", x(value), BRACE - 0.62, written, "label", "what", bold=True))
    token = own.token(int(mean)) if mean == int(mean) else None
    said_mean = f"{address(mean)}  {quoted(token, 14)}" if token else address(mean)
    marks.append(Label("mean name", x(mean), BRACE - 1.8, said_mean, "heading", "warn", bold=True))
    step = nice_step(high - low, 5)
    ticks = range(-(-int(low) // step) * step, int(high) + 1, step)
    return head_panel(
        state,
        Cell(0, 0, 8, 12),
        tuple(marks),
        caption=signs([*(item.text for item in cards), *(name or "" for _, name in _around(own, mean))], own.spelling),
        x=Axis(0.0, WIDE, tuple((x(tick), address(tick)) for tick in ticks)),
        y=Axis(-0.3, LINE),
        invert_y=True,
    )


def _names(places: list[float], texts: tuple[str, ...]) -> list[Mark]:
    """Names above the dots of the other tokens, as far as they have room."""
    marks: list[Mark] = []
    end = 0.0
    for at, (place, written) in enumerate(zip(places, texts, strict=True)):
        half = LETTER * len(written) / 2
        if place - half >= end:
            marks.append(Label(f"other {at}", place, LINE - 0.85, written, "small", "muted"))
            end = place + half
    return marks


def _span(numbers: list[int], size: int) -> tuple[float, float]:
    """The part of the line that is shown."""
    low, high = min(numbers), max(numbers)
    spare = max((high - low) * 0.06, 4.0)
    low_end = 0.0 if low < (high - low) * 0.25 + 4 else low - spare
    return low_end, max(min(high + spare, float(size - 1)), low_end + 4.0)


def _mean_panel(a: int, b: int, mean: float, found: str) -> Panel:
    label = said("ids.mean_of", first=address(a), second=address(b))
    readout = Readout("mean value", address(mean), label, "warn", "number", found)
    return Panel("mean_panel", Cell(8, 0, 4, 5), readouts=(readout,), border="warn")


def _around(own: Naming, mean: float) -> list[tuple[int, str | None]]:
    """The IDs around the mean, and their tokens."""
    middle = int(mean)
    return [(at, own.token(at)) for at in range(max(middle - AROUND, 0), min(middle + AROUND + 1, own.size))]


def _around_panel(own: Naming, mean: float) -> Panel:
    """The addresses around the mean: in the order in which they were given out."""
    cards = []
    for at, token in _around(own, mean):
        picked = at == mean
        role: Role = "warn" if picked else "text"
        cards.append(Card(token or "…", str(at), role, picked, faint=token is None))
    place = Rect(0.0, 0.0, WIDE, 4.0)
    return panel("around", Cell(8, 5, 4, 7), (Cards("street", tuple(cards), place),), WIDE, 4.0,
                 title=said("ids.around"))  # fmt: skip


def _worked(names: list[str], a: int, b: int, mean: float, found: str) -> tuple[Line, ...]:
    words = [f"{cut(name, 14)}  " if name else "" for name in names]
    return (
        line(Term(said("ids.as_numbers"), "muted"), f"  {words[0]}{address(a)}   {words[1]}{address(b)}"),
        line(f"({address(a)} + {address(b)}) / 2 = {address(a + b)} / 2 = ", Term(address(mean), "warn", bold=True)),
        line(Term(address(mean), "warn", bold=True), Term(f": {found}", "muted")),
    )


# --- nothing to average ----------------------------------------------------------------------------------------------


def _nothing(state: LookupState, own: Naming, cards: tuple[Item, ...]) -> Frame:
    """An empty sentence, or a picked word without an ID."""
    marks: list[Mark] = [note("say", 0.0, 6.0, said("ids.nothing" if cards else "no_cards"), "text", bold=True)]
    if cards:
        marks.insert(0, _cards(state, cards)[0])
    return Frame(
        title=said("ids.title"),
        subtitle=said("ids.subtitle", vocabulary=own.title, size=count(own.size)),
        panels=(head_panel(state, Cell(0, 0, 12, 12), tuple(marks),
                           caption=signs([item.text for item in cards], own.spelling), x=Axis(0.0, WIDE),
                           y=Axis(0.0, 12.0), invert_y=True),),
        worked=Worked(),
        alt=said("ids.alt_nothing", vocabulary=own.title),
        notice=missing_notice(own, cards),
    )  # fmt: skip


PAGE = Page(frame, controls, act, beats)
