"""One sentence in four vocabularies; a leading space and a capital as rows of their own; spellings for what is
missing."""

from __future__ import annotations

from functools import lru_cache

from core.lessons.lookup.naming import Cosine, Naming, cards_in, cosine, named, naming
from core.lessons.lookup.pages import WIDE, Page, address, card, cut, equals, head_panel, note, panel, rounded, said
from core.lessons.lookup.scene import Item, card_width, fitting, offers_for
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import (
    Axis,
    Card,
    Cards,
    Cell,
    Event,
    Frame,
    Key,
    Line,
    Mark,
    Panel,
    Pick,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number
from core.tables.spellings import plain_word
from core.tables.table import Table

ROWS = ("gpt2", "minilm", "smollm2", "glove")
LEFT = 13.0  # where the cards begin
ROOM = 54.0  # letters of a row of cards
HIGH = 2.1
FORMS = 6
LISTED = 4  # of them below, with their IDs
ALIKE = 3  # cosines
OFFERS = 24.0  # letters of the row of spellings


def frame(state: LookupState, context: Context) -> Frame:
    """A row of cards for each vocabulary; below the dresses of one word, and what is offered for a missing one."""
    rows = {key: cards_in(key, context) for key in ROWS}
    own = naming(state, context)
    forms = own.dressed(state.form)
    lost = _lost(state, rows, context)
    pieces = sorted({len(cards) for cards in rows.values() if cards})
    same = len(pieces) == 1
    return Frame(
        title=said("vocabularies.title" if same or not pieces else "vocabularies.title_cuts"),
        subtitle=said("vocabularies.subtitle"),
        panels=(
            _rows_panel(state, rows, context),
            _forms_panel(state, own, forms),
            _lost_panel(own, forms, lost),
        ),
        worked=Worked(_worked(own, forms, lost is None)),
        alt=_alt(state, own, rows, forms),
        notice=_notice(lost),
    )  # fmt: skip


def controls(state: LookupState) -> tuple[str, ...]:
    return ("form", "vocabulary")


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """The word on a card becomes the word whose forms are shown."""
    if isinstance(event, Pick) and event.key in ROWS and event.index:
        cards = cards_in(event.key, context)
        start, stop = _window(cards)
        place = event.index[0] + start
        if start <= place < stop:
            own = named(event.key, context)
            word = plain_word(cards[place].piece, own.spelling)
            return params.replace(state, form=word) if word.strip() else state
    if isinstance(event, Key) and event.key in ROWS:
        return state
    return state


def _window(cards: tuple[Item, ...]) -> tuple[int, int]:
    return fitting([card_width(item.text, item.below) for item in cards], 0, ROOM)


# --- the picture -----------------------------------------------------------------------------------------------------


def _rows_panel(state: LookupState, rows: dict[str, tuple[Item, ...]], context: Context) -> Panel:
    marks: list[Mark] = []
    for place, key in enumerate(ROWS):
        cards = rows[key]
        y = place * HIGH
        marks.append(note(f"{key} name", 0.0, y + 0.45 * HIGH, said(f"table.{key}"), "text", bold=True))
        if not cards:
            marks.append(note(f"{key} none", LEFT, y + 0.45 * HIGH, said("vocabularies.none")))
            continue
        start, stop = _window(cards)
        shown = tuple(card(item, False) for item in cards[start:stop])
        right = WIDE if stop == len(cards) else WIDE - 8.0
        marks.append(Cards(key, shown, Rect(LEFT, y, right - LEFT, 0.86 * HIGH)))
        if stop < len(cards):
            more = said("vocabularies.more", cards=len(cards) - stop)
            marks.append(note(f"{key} more", right + 1.0, y + 0.45 * HIGH, more))
    return head_panel(state, Cell(0, 0, 8, 12), tuple(marks), caption=_caption(rows, context), x=Axis(0.0, WIDE),
                      y=Axis(-0.25, len(ROWS) * HIGH), invert_y=True)  # fmt: skip


def _caption(rows: dict[str, tuple[Item, ...]], context: Context) -> str:
    """Why a vocabulary of pieces can lack a word: only a part of its rows ships."""
    for key, cards in rows.items():
        table = named(key, context).table
        if table is not None and table.rows < table.vocabulary.size and any(item.id is None for item in cards):
            sizes = {"shipped": count(table.rows), "size": count(table.vocabulary.size)}
            return said("vocabularies.part", vocabulary=said(f"table.{key}"), **sizes)
    return ""


def _forms_panel(state: LookupState, own: Naming, forms: tuple[tuple[str, int], ...]) -> Panel:
    """The word with and without a space, small, with a capital: each is a row of its own."""
    cell = Cell(8, 0, 4, 7)
    key = "vocabularies.forms_one" if len(forms) == 1 else "vocabularies.forms"
    title = said(key, word=cut(state.form.strip(), 14) or "…", vocabulary=own.title)
    if not forms:
        say = note(
            "no form", 0.0, 2.0, said("vocabularies.no_form", word=cut(state.form.strip()) or "…", vocabulary=own.title)
        )
        return panel("forms_panel", cell, (say,), WIDE, 4.0, title=title)
    cards = tuple(Card(cut(shown, 14), str(number_), "what") for shown, number_ in forms[:FORMS])
    return panel("forms_panel", cell, (Cards("forms", cards, Rect(0.0, 0.0, WIDE, 4.0)),), WIDE, 4.0, title=title)


def _lost(
    state: LookupState, rows: dict[str, tuple[Item, ...]], context: Context
) -> tuple[Naming, str, tuple[tuple[str, int], ...]] | None:
    """The first word without a row, in the chosen vocabulary before the others, and the spellings offered for it."""
    chosen = cards_in(state.vocabulary, context)
    for key, cards in ((state.vocabulary, chosen), *rows.items()):
        missing = next((item for item in cards if item.id is None), None)
        own = named(key, context)
        if missing is not None and own.table is not None:
            return own, missing.text, _fitting_offers(own.table, missing.piece)
    return None


def _fitting_offers(table: Table, piece: str) -> tuple[tuple[str, int], ...]:
    """As many spellings as the cards have room for: the status line names no others."""
    near = offers_for(table, piece)
    return near[: fitting([card_width(shown, said("id", id=number_)) for shown, number_ in near], 0, OFFERS)[1]]


def _lost_panel(
    own: Naming, forms: tuple[tuple[str, int], ...], lost: tuple[Naming, str, tuple[tuple[str, int], ...]] | None
) -> Panel:
    """Spellings for a missing word; where nothing is missing, what the table says of the word's forms."""
    cell = Cell(8, 7, 4, 5)
    if lost is None:
        alike = _alike(own, forms)
        lines = [note(f"alike {place}", 0.0, 0.8 + 1.1 * place, said("vocabularies.both", first=first, second=second),
                      "text")
                 for place, (first, second, _) in enumerate(alike[:ALIKE])]  # fmt: skip
        lines += [note(f"value {place}", 52.0, 0.8 + 1.1 * place, number(value.value), "what", True)
                  for place, (_, _, value) in enumerate(alike[:ALIKE])]  # fmt: skip
        if not alike:
            lines = [note("all there", 0.0, 1.0, said("vocabularies.all_there"), "text")]
        key = "unknown" if not alike else "alike" if len(alike) <= ALIKE else "alike_some"
        title = said(f"vocabularies.{key}")
        return panel("lost_panel", cell, lines, WIDE, 4.0, title=title)
    where, word, near = lost
    title = said("vocabularies.lost" if near else "vocabularies.lost_far", word=cut(word, 16), vocabulary=where.title)
    if not near:
        return panel("lost_panel", cell, (note("far", 0.0, 2.0, said("vocabularies.far")),), WIDE, 4.0, title=title)
    cards = tuple(Card(cut(shown, 14), said("id", id=number_)) for shown, number_ in near)
    return panel("lost_panel", cell, (Cards("offers", cards, Rect(0.0, 0.0, WIDE, 4.0)),), WIDE, 4.0, title=title)


@lru_cache(maxsize=64)
def _alike(own: Naming, forms: tuple[tuple[str, int], ...]) -> tuple[tuple[str, str, Cosine], ...]:
    """The cosine of the first form's row with each of the others."""
    found = []
    for shown, number_ in forms[1:]:
        first, second = own.vector(forms[0][1]), own.vector(number_)
        value = None if first is None or second is None else cosine(first, second)
        if value is not None:
            found.append((cut(forms[0][0], 12), cut(shown, 12), value))
    return tuple(found)


# --- in words --------------------------------------------------------------------------------------------------------


def _worked(own: Naming, forms: tuple[tuple[str, int], ...], nothing_lost: bool) -> tuple[Line, ...]:
    """The IDs of the forms; and the cosines, where the stage shows them."""
    if not forms:
        return ()
    listed = "   ".join(f"{cut(shown, 9)} {address(number_)}" for shown, number_ in forms[:LISTED])
    more = "   …" if len(forms) > LISTED else ""
    first = line(Term(f"{own.title}  ", "muted"), Term(cut(listed + more, 58), "what", bold=True))
    if len(forms) == 1:
        # Not in a table that tells capitals apart and merely lacks this one.
        everywhere = own.table is not None and own.table.vocabulary.fold_case and not own.marks_space
        only = "vocabularies.worked_one" if everywhere else "vocabularies.worked_only"
        return (first, line(Term(said(only), "muted")))
    key = "vocabularies.worked_space" if own.marks_space else "vocabularies.worked_words"
    says = (line(Term(said(key), "muted")), line(Term(said("vocabularies.worked_rows"), "muted")))
    alike = _alike(own, forms)[:ALIKE] if nothing_lost else ()
    return (first, *says, *(_cosine_line(*entry) for entry in alike))


def _cosine_line(first: str, second: str, found: Cosine) -> Line:
    """dot / (length × length), with the numbers as they are printed."""
    a, b = (rounded(value, 3) for value in found.lengths)
    product = rounded(found.dot, 3) / (a * b) if a and b else 0.0
    written = f"{number(found.dot)} / ({number(a)} × {number(b)}) {equals(product, found.value, 3)} "
    return line(f"cosine({first}, {second}) = {written}", Term(number(found.value), "what", bold=True))


def _alt(state: LookupState, own: Naming, rows: dict[str, tuple[Item, ...]], forms: tuple[tuple[str, int], ...]) -> str:
    parts = []
    for key in ROWS:
        cards = ", ".join(
            f"{item.text} {item.id if item.id is not None else said('no_row')}" for item in rows[key][:12]
        )
        parts.append(
            said("vocabularies.alt_row", vocabulary=said(f"table.{key}"), cards=cards or said("vocabularies.none"))
        )
    listed = ", ".join(f"{shown} {number_}" for shown, number_ in forms) or said("no_row")
    return " ".join([*parts, said("vocabularies.alt_forms", word=state.form, vocabulary=own.title, forms=listed)])


def _notice(lost: tuple[Naming, str, tuple[tuple[str, int], ...]] | None) -> str:
    if lost is None:
        return ""
    own, word, near = lost
    words = ", ".join(shown for shown, _ in near)
    return said("notice_near" if near else "notice_far", word=cut(word), table=own.title, words=words)


PAGE = Page(frame, controls, act)
