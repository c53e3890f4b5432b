"""One-hot rows know nothing: an identity matrix for any list of words, beside the same list in a learned table."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.lookup.naming import Naming, naming
from core.lessons.lookup.pages import (
    WIDE,
    Page,
    address,
    cut,
    equals,
    head_panel,
    note,
    noted,
    panel,
    rounded,
    said,
    signed_legend,
    signs,
)
from core.lessons.lookup.state import LookupState
from core.lessons.lookup.wordlist import Found, counted, found_words, lacked, matrices, picked_pair, title_of
from core.stage import params
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Event,
    Frame,
    Key,
    Label,
    Legend,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Pick,
    Readout,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number, short
from core.stage.text import text
from core.tables.spellings import suggestions
from core.tables.tokens import visible

SEPARATE = 5  # words, up to which the cells stand apart
SHORT = 24  # letters of up to three words that stand in full above their columns; of others only …
LONGEST = 9  # … so many each


def frame(state: LookupState, context: Context) -> Frame:
    """The two matrices, the picked pair's rows, and what the pair comes to in both."""
    found = found_words(state, context)
    if not found.names:
        return _nothing(state, found)
    chosen = naming(state, context)
    own = counted(chosen, found)
    pair = picked_pair(state, found)
    plain, learned = matrices(found, state.measure)
    a, b = (found.names[at] for at in pair)
    return Frame(
        title=said("one_hot.title"),
        subtitle=_subtitle(chosen, own, found),
        panels=(
            _matrices_panel(state, found, plain, learned, pair),
            _rows_panel(own, a, b),
            _values_panel(state, found, plain, learned, pair),
        ),
        worked=Worked(_worked(state, own, found, pair)),
        alt=said("one_hot.alt", words=", ".join(found.names), first=a, second=b, measure=_measure(state),
                 plain=short(float(plain[pair])), learned=number(float(learned[pair])), table=title_of(found)),
        notice=_notice(found, chosen, own),
    )  # fmt: skip


def controls(state: LookupState) -> tuple[str, ...]:
    return ("words", "measure", "vocabulary")


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A cell of either matrix is picked, or the arrow keys go to the next one."""
    found = found_words(state, context)
    last = len(found.names) - 1
    if event.key not in ("plain", "learned") or last < 0:
        return state
    row, column = picked_pair(state, found)
    if isinstance(event, Pick) and len(event.index) >= 2:
        row, column = event.index[:2]
    elif isinstance(event, Key):
        down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(event.name, (0, 0))
        row, column = min(max(row + down, 0), last), min(max(column + right, 0), last)
    if not (0 <= row <= last and 0 <= column <= last):
        return state
    return params.replace(state, pair_row=row, pair_column=column)


def _subtitle(chosen: Naming, own: Naming, found: Found) -> str:
    """How long the rows are, and why they are another vocabulary's where the chosen one lacks a word."""
    sizes = {"zeros": count(own.size - 1), "size": count(own.size)}
    lacking = lacked(chosen, found)
    if lacking:
        return said("one_hot.subtitle_counted", word=cut(lacking), vocabulary=chosen.title, own=own.title, **sizes)
    return said("one_hot.subtitle", vocabulary=own.title, **sizes)


def _measure(state: LookupState) -> str:
    return said(f"option.measure.{state.measure}")


# --- the picture -----------------------------------------------------------------------------------------------------


def _matrices_panel(state: LookupState, found: Found, plain: Array, learned: Array, pair: tuple[int, int]) -> Panel:
    n = len(found.names)
    high = min(8.4, 2.8 * n)
    wide = min(36.0, 12.0 * n)
    top = 2.1 + (8.4 - high) / 2
    left, right = Rect(11.5, top + 0.1, wide, high), Rect(63.5, top + 0.1, wide, high)
    names = tuple(cut(name, 14) for name in found.names)
    above = 14 if n <= 3 and sum(map(len, names)) <= SHORT else LONGEST
    most = max(float(np.abs(learned).max()), 1e-9)
    level = 1.0 if state.measure == "cosine" else most
    marks: list[Mark] = [
        note("plain name", 0.0, 0.5, said("one_hot.plain", measure=_measure(state)), bold=True),
        note(
            "learned name",
            51.0,
            0.5,
            said("one_hot.learned", table=title_of(found), measure=_measure(state)),
            bold=True,
        ),
    ]
    for key, values, place, end in (
        ("plain", plain, left, max(1.0, float(plain.max()))),
        ("learned", learned, right, level),
    ):
        distance = state.measure == "distance"
        places = 0 if key == "plain" and not distance else 3 if n <= SEPARATE else 2
        marks.append(
            Matrix(
                key,
                ArraySource(values),
                (0, n),
                (0, n),
                (0.0, end) if distance else (-end, end),
                place,
                "amount" if distance else "signed",
                places,
                row_labels=names,
                column_labels=tuple(cut(name, above) for name in names) if n <= SEPARATE else (),
                outlines=(Outline(*pair),),
                separate=n <= SEPARATE,
                hover=said("one_hot.hover"),
                row_names=found.names,
                column_names=found.names,
            )
        )
    # A single word has the cosine 1 with itself in both.
    sign = "=" if np.allclose(plain, learned, rtol=0.0, atol=1e-9) else "≠"
    marks.append(Label("against", 50.3, top + high / 2, sign, "title", "muted", bold=True))
    legend = Legend("amount", said("close"), said("far")) if state.measure == "distance" else signed_legend()
    return head_panel(state, Cell(0, 0, 8, 12), tuple(marks), legend=legend, x=Axis(0.0, WIDE), y=Axis(-0.2, 10.7),
                      invert_y=True)  # fmt: skip


def _rows_panel(own: Naming, a: str, b: str) -> Panel:
    """The pair's one-hot rows, with the zeros in between left out."""
    cell = Cell(8, 0, 4, 7)
    ids = [own.id_of_word(word) for word in (a, b)]
    title = said("one_hot.rows", size=count(own.size), vocabulary=own.title)
    first, second = (number_ if number_ is not None else 0 for number_ in ids)  # ``counted`` has seen to it
    shown: list[int | None] = []
    for at in sorted({0, first, second, own.size - 1}):
        if shown and at - (shown[-1] or 0) > 1:
            shown.append(None)
        shown.append(at)
    values = np.array([[1.0 if at == picked else 0.0 for at in shown] for picked in (first, second)])
    gaps = np.array([[at is None for at in shown]] * 2)
    # As the vocabulary spells them: "cat" without its leading space is another token.
    names = tuple(cut(own.token(picked) or word, 14) for picked, word in ((first, a), (second, b)))
    fills = tuple(Outline(row, shown.index(picked)) for row, picked in enumerate((first, second)))
    matrix = Matrix(
        "onehots",
        ArraySource(values),
        (0, 2),
        (0, len(shown)),
        (-1.0, 1.0),
        Rect(0.0, 0.0, 10.0, 2.0),
        "none",
        0,
        row_labels=names,
        column_labels=tuple("" if at is None else address(at) for at in shown),
        plain=values == 0.0,
        fills=fills,
        mask=gaps,
        mask_text="…",
    )
    return panel("rows_panel", cell, (matrix,), 10.0, 2.0, title=title, note=signs(names, own.spelling))


def _values_panel(state: LookupState, found: Found, plain: Array, learned: Array, pair: tuple[int, int]) -> Panel:
    places = 3 if state.measure == "distance" else 0
    readouts = (
        Readout("plain value", number(float(plain[pair]), places), said("one_hot.plain_value"), "muted"),
        Readout(
            "learned value", number(float(learned[pair])), said("one_hot.learned_value", table=title_of(found)), "what"
        ),
    )
    a, b = (cut(found.names[at], 14) for at in pair)
    title = said("one_hot.pair", measure=_measure(state), first=a, second=b)
    return Panel("values_panel", Cell(8, 7, 4, 5), title=title, readouts=readouts)


# --- in words --------------------------------------------------------------------------------------------------------


def _worked(state: LookupState, own: Naming, found: Found, pair: tuple[int, int]) -> tuple[Line, ...]:
    """What the stage shows of the pair first: the chosen measure in both geometries."""
    a, b = (cut(found.names[at], 14) for at in pair)
    size = own.size
    if pair[0] == pair[1]:
        products, value = f"1 × 1 + {count(size - 1)} × (0 × 0) = ", "1"
        apart = line("distance = √((1 − 1)²) = ", Term("0", "what", bold=True))
    else:
        products, value = f"1 × 0 + 0 × 1 + {count(size - 2)} × (0 × 0) = ", "0"
        apart = line("distance = √((1 − 0)² + (0 − 1)²) = √2 ≈ ", Term("1.414", "what", bold=True))
    dot = noted(said("one_hot.unit_length"), f"dot({a}, {b}) = {products}", Term(value, "what", bold=True))
    zeros = line(
        f"{count(size)} − 1 = ", Term(count(size - 1), "what", bold=True), Term(said("one_hot.zeros"), "muted")
    )
    cosine = line(Term(said("one_hot.cosine"), "muted"))
    learned, learned_apart = _learned_lines(found, pair, a, b)
    if state.measure == "distance":
        return (apart, *learned_apart, zeros, dot, cosine, *learned)
    return (dot, cosine, *learned, zeros, apart, *learned_apart)


def _learned_lines(found: Found, pair: tuple[int, int], a: str, b: str) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The same pair in the learned table: dot, lengths and cosine; and the distance from the same three numbers."""
    x, y = found.vectors[pair[0]], found.vectors[pair[1]]
    product, lengths = float(x @ y), (float(np.linalg.norm(x)), float(np.linalg.norm(y)))
    written = [number(length, 4) for length in lengths]
    short_dot, (first, second) = rounded(product, 4), (rounded(length, 4) for length in lengths)
    away = float(np.linalg.norm(x - y))
    inside = f"({short(product, 4)})" if short_dot < 0 else short(product, 4)
    from_these = math.sqrt(max(first**2 + second**2 - 2 * short_dot, 0.0))
    # Of rows close together the printed digits leave nothing: there the result stands alone.
    shown = number(from_these) == number(away) and pair[0] != pair[1]
    root = f"√({written[0]}² + {written[1]}² − 2 × {inside}) = " if shown else ""
    apart = _begun(f"{title_of(found)}: ", f"distance = {root}", number(away))
    if 0.0 in lengths:
        return (), (apart,)
    value = min(product / (lengths[0] * lengths[1]), 1.0)
    sign = equals(short_dot / (first * second), value, 3)
    fraction = f"{short(product, 4)} / ({written[0]} × {written[1]}) {sign} "
    return (_begun(f"{title_of(found)}: ", f"cosine({a}, {b}) = {fraction}", number(value)),), (apart,)


def _begun(name: str, start: str, value: str) -> Line:
    """A line of arithmetic with the table's name before it, where that has room."""
    longer = len(name + start + value) > Worked.COLUMNS
    return line(start if longer else name + start, Term(value, "what", bold=True))


def _notice(found: Found, chosen: Naming, own: Naming) -> str:
    if found.missing:
        word = found.missing[0]
        near = ", ".join(visible(token, found.table.vocabulary.spelling) for token in suggestions(found.table, word, 3))
        if near:
            return said("notice_near", word=cut(word), table=title_of(found), words=near)
        return said("notice_far", word=cut(word), table=title_of(found))
    lacking = lacked(chosen, found)
    return said("one_hot.lacks", word=cut(lacking), vocabulary=chosen.title, own=own.title) if lacking else ""


def _nothing(state: LookupState, found: Found) -> Frame:
    say = note("say", 0.0, 4.0, said("one_hot.nothing", table=title_of(found)), "text", bold=True)
    big = head_panel(state, Cell(0, 0, 12, 12), (say,), x=Axis(0.0, WIDE), y=Axis(0.0, 12.0), invert_y=True)
    notice = text("lookup.notice_far", word=cut(found.missing[0]), table=title_of(found)) if found.missing else ""
    subtitle = said("one_hot.subtitle_nothing")
    return Frame(said("one_hot.title"), subtitle, (big,), Worked(), said("one_hot.alt_nothing"), notice=notice)


PAGE = Page(frame, controls, act)
