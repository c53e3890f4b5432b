"""What the pages of Order share: the sign between both orders with the buttons for the pages, names, and lines of
arithmetic that keep to their 72 columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from core.lessons.order.scene import Scene
from core.lessons.order.state import OrderState
from core.lessons.order.vectors import Sentence
from core.stage.frame import Array, Axis, Cell, Line, Mark, Panel, Readout, Term, Worked, line
from core.stage.numbers import bracketed, number, short, shown
from core.stage.text import text
from core.stage.words import segments

EQUAL, DIFFERENT, YES, NO = "=", "≠", "✓", "✗"
BIG = Cell(0, 0, 12, 7)
SIGN = Cell(0, 7, 4, 5)
REST = Cell(4, 7, 8, 5)
MIDDLE = Cell(4, 7, 5, 5)
LOW = Cell(9, 7, 3, 5)
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
WIDE = 100.0  # of the big panel, in its own units

Lights = tuple[tuple[str, tuple[int, ...]], ...]


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"order.{key}", **fields)


def below(place: int) -> str:
    """A position as an index: ``₁₁``."""
    return str(place).translate(_BELOW)


def cut(word: str, most: int) -> str:
    return word if len(word) <= most else word[: most - 1] + "…"


def name_of(scene: Scene, token: int, most: int = 12) -> str:
    return cut(scene.words[token].shown, most)


def quoted(scene: Scene, token: int, most: int = 12) -> str:
    return said("quoted", word=name_of(scene, token, most))


def sentence_text(scene: Scene, order: Sequence[int], most: int = 40) -> str:
    """The tokens in this order, cut where they are long."""
    return cut(" ".join(scene.words[token].shown for token in order), most)


def scheme_name(state: OrderState) -> str:
    return said(f"option.scheme.{state.scheme}")


def big_panel(state: OrderState, marks: Sequence[Mark], caption: str = "", **more: Any) -> Panel:
    """The picture at the left, 100 units wide and high from its upper left corner, under the buttons of the schemes."""
    axis = Axis(0.0, WIDE)
    choice = segments("order", state, "scheme")
    return Panel("big", BIG, tuple(marks), caption=caption, x=axis, y=axis, invert_y=True, choice=choice, **more)


def sign_panel(state: OrderState, scene: Scene) -> Panel:
    """The sign between the picked token's outputs, in words too, under the buttons of the pages."""
    same = scene.same[state.token]
    return Panel(
        "sign_panel",
        SIGN,
        choice=segments("order", state, "page"),
        readouts=(
            Readout("sign", EQUAL if same else DIFFERENT, role="text" if same else "warn"),
            Readout(
                "sign_words",
                said("equal" if same else "different"),
                "",
                "text" if same else "warn",
                "heading",
                _difference(scene, state.token),
            ),
        ),
    )


def widest(scene: Scene, token: int) -> tuple[int, float, float]:
    """Where the token's two outputs differ most: the index, the number as typed, the number rearranged."""
    here, there = scene.typed.output[token], scene.moved.output[scene.moved.where[token]]
    entry = int(np.abs(here - there).argmax())
    return entry, float(here[entry]), float(there[entry])


def _difference(scene: Scene, token: int) -> str:
    """The largest difference between the token's outputs."""
    key = "gap_none" if scene.same[token] else "gap"
    return said(key, token=quoted(scene, token), gap=gap_text(float(scene.gaps[token])))


def gap_lines(scene: Scene, token: int) -> list[Line]:
    """A line that shows between which two numbers that difference lies; none where there is no difference."""
    if scene.same[token]:
        return []
    entry = widest(scene, token)[0]
    return [fitting([Term(said("work_gap", token=quoted(scene, token), entry=entry) + gap_sum(scene, token), "warn")])]


def gap_sum(scene: Scene, token: int) -> str:
    """``|−0.281 − 1.335| = 1.616``; of a smaller difference than these digits show, its size alone."""
    _, here, there = widest(scene, token)
    gap = abs(here - there)
    if gap < 0.0005:
        return gap_text(gap)
    other = bracketed(there) if shown(there) < 0 else number(there)
    sign = sign_for(abs(shown(here) - shown(there)), gap, 3)
    return f"|{number(here)} {_MINUS} {other}| {sign} {number(gap)}"


def gap_text(gap: float) -> str:
    """Three decimals, or as many as show a digit; the least that is told apart is 1e-12."""
    decimals = next((places for places in range(3, 13) if abs(gap) >= 0.5 * 10.0**-places), 12)
    return number(gap, decimals)


def level(*arrays: Array) -> float:
    """The colour scale's end: the largest number, one digit rounded up."""
    most = max((float(np.abs(array).max()) for array in arrays if array.size), default=0.0)
    if most < 1e-9:
        return 1.0
    power = 10.0 ** np.floor(np.log10(most))
    return float(np.ceil(most / power - 1e-9) * power)


def caption_of(read: Sentence, *more: str) -> str:
    """What has to be said of where the numbers come from: never silently."""
    notes = [entry for entry in more if entry]
    if read.seeded:
        notes.append(said("seeded", words=listed(read.seeded, 4)))
    return " · ".join(notes)


def listed(words: Sequence[str], most: int) -> str:
    named = ", ".join(said("quoted", word=cut(word, 14)) for word in words[:most])
    return named + (" …" if len(words) > most else "")


# --- arithmetic ------------------------------------------------------------------------------------------------------


def sign_for(written: float, true: float, decimals: int) -> str:
    """ "=" where the printed numbers give the printed result, else "≈"."""
    return "=" if number(written, decimals) == number(true, decimals) else "≈"


def row(values: Sequence[float] | Array, decimals: int) -> str:
    """``[−1.17  0.23]``"""
    return "[" + " ".join(number(value, decimals) for value in values) + "]"


def decimals_for(*arrays: Array) -> int:
    """Two decimals where they are all that there is, else three."""
    return 2 if all(np.abs(array - np.round(array, 2)).max() < 1e-9 for array in arrays if array.size) else 3


_MANY = 64  # numbers: nobody reads so many, and one by one they take a millisecond


def rounded(values: Sequence[float] | Array, decimals: int) -> Array:
    if len(values) > _MANY:
        return np.round(np.asarray(values, dtype=float), decimals)
    kept: Array = np.array([shown(value, decimals) for value in values])
    return kept


def products(
    a: Sequence[float] | Array, b: Sequence[float] | Array, decimals: tuple[int, int], most: int, last: bool = False
) -> str:
    """``(−0.99)(0.54) + (0.14)(0.84)``, the first ``most`` of them, or ``last``: the last of them too. 0 means all of
    them, as narrow as can be: ``(2)(1.4)+(−0.8)(0.3)``."""

    def pair(at: int) -> str:
        return bracketed(a[at], decimals[0]) + bracketed(b[at], decimals[1])

    if not most:
        return "+".join(f"({short(x, decimals[0])})({short(y, decimals[1])})" for x, y in zip(a, b, strict=True))

    if len(a) <= most:
        return " + ".join(map(pair, range(len(a))))
    if last and most > 1:
        return " + ".join([*map(pair, range(most - 1)), "…", pair(-1)])
    return " + ".join([*map(pair, range(most)), "…"])


def sum_of(values: Sequence[float] | Array, decimals: int) -> str:
    """``0.12 + 0.30 − 0.05``"""
    written = ""
    for value in values:
        part = number(abs(shown(value, decimals)), decimals)
        minus = shown(value, decimals) < 0
        written += (f" {_MINUS} " if minus else " + ") + part if written else (_MINUS if minus else "") + part
    return written


_MINUS = "−"


def shortest(make: Callable[[int], str], *tries: int, room: int = Worked.COLUMNS) -> str:
    """What ``make`` writes for the first of ``tries`` that fits into a line, else the last one cut."""
    written = ""
    for attempt in tries:
        written = make(attempt)
        if len(written) <= room:
            return written
    return cut(written, room)


def fitting(pieces: Sequence[str | Term]) -> Line:
    """A line that ends with "…" where it would be longer than 72 columns."""
    room, kept = Worked.COLUMNS, []
    for piece in pieces:
        term = piece if isinstance(piece, Term) else Term(piece)
        if len(term.text) > room:
            kept.append(Term(cut(term.text, room), term.role, term.lights, term.bold))
            break
        kept.append(term)
        room -= len(term.text)
        if not room:
            break
    return line(*kept)


def muted(key: str, **fields: object) -> Line:
    """A fact to be kept."""
    return fitting([Term(said(key, **fields), "muted")])


def words_panel(key: str, cell: Cell, entries: Sequence[tuple[str, str, str, bool]], **more: Any) -> Panel:
    """Statements with the sentence that explains each: (key, statement, sentence, whether it warns)."""
    readouts = tuple(
        Readout(name, statement, "", "warn" if warns else "text", "heading", sentence)
        for name, statement, sentence, warns in entries
    )
    return Panel(key, cell, readouts=readouts, **more)
