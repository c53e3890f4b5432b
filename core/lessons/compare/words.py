"""What the pages of Compare share: texts, the panel with the pages' buttons, and how large numbers are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.lessons.compare.content import Words
from core.lessons.compare.schemes import EXACT
from core.lessons.compare.state import CompareState
from core.stage.frame import Axis, Cell, Frame, Label, Mark, Panel, Worked
from core.stage.numbers import MINUS, count, number, shown, size
from core.stage.text import text
from core.stage.words import segments

FAR_ON = 10_000  # from this place on a row's name would take the cells' room
CUT = 9  # letters of a token beside a matrix


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"compare.{key}", **fields)


def name_of(scheme: str) -> str:
    return said(f"option.scheme.{scheme}")


def big_panel(state: CompareState, cell: Cell, marks: Sequence[Mark], x: Axis, y: Axis, **more: Any) -> Panel:
    """The large picture, with the buttons for the pages at its head."""
    return Panel("big", cell, tuple(marks), choice=segments("compare", state, "page"), x=x, y=y, **more)


def change_text(change: float | None) -> str:
    """A change as it is shown: three decimals, less where the number is long; "refused" where there is no score."""
    if change is None:
        return said("refused")
    return number(0.0) if change < EXACT else score_text(change)


def score_text(score: float, *, brief: bool = False) -> str:
    """Three decimals; from a million on in words, or where it has to be brief as a power of ten."""
    if abs(score) < 1e6:
        return number(score, 3 if abs(score) < 100 else 1 if abs(score) < 10_000 else 0)
    if not brief:
        return (MINUS if score < 0 else "") + size(abs(score))
    exponent = math.floor(math.log10(abs(score)))
    return f"{number(score / 10.0**exponent, 1)}·10{str(exponent).translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def told(score: float) -> float:
    """A score as it is printed: what is said about it goes on from there."""
    return shown(score, 3 if abs(score) < 100 else 1 if abs(score) < 10_000 else 0)


def changed(before: float, after: float) -> float:
    """The change between two printed scores: what a person finds who subtracts them."""
    return 0.0 if abs(after - before) < EXACT else abs(told(after) - told(before))


def score_or_refused(score: float | None, *, brief: bool = False) -> str:
    return said("refused") if score is None else score_text(score, brief=brief)


def tokens(names: Sequence[str], shift: int, first: int) -> tuple[str, ...]:
    """Labels of a matrix: place and token; far on the places are counted from the sentence's own beginning."""
    start, sign = (first, "+") if shift >= FAR_ON else (shift + first, "")
    return tuple(f"{sign}{count(start + at)} {clipped(name)}" for at, name in enumerate(names))


def places(shift: int) -> str:
    """``1 place``, ``1,000 places``."""
    return said("places_1" if shift == 1 else "places", count=count(shift))


def counted_from(shift: int) -> str:
    """What +0 stands for, where the labels count so."""
    return " " + said("maps.caption_far", shift=count(shift)) if shift >= FAR_ON else ""


def column_names(names: Sequence[str], letters: int) -> tuple[str, ...]:
    """Tokens above the columns of a map that has room for so many letters; none where it has no room for words."""
    room = letters // max(len(names), 1)
    return tuple(clipped(name, room) for name in names) if room >= 4 else ()


def clipped(name: str, most: int = CUT) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def about(words: Words, state: CompareState) -> str:
    """Where the vectors come from, in one sentence."""
    return said(f"about.{state.vectors}", d=state.d)


def missing_notice(words: Words) -> str:
    if not words.missing:
        return ""
    listed = ", ".join(clipped(name, 20) for name in words.missing[:4]) + (" …" if len(words.missing) > 4 else "")
    return said("notice.missing", words=listed, table=said(f"option.vectors.{words.kind}"))


def empty(state: CompareState, message: str, notice: str = "") -> Frame:
    """Nothing to compare: what is missing and what to do."""
    label = Label("empty", 0.5, 0.5, message, "heading", "muted")
    panel = big_panel(state, Cell(0, 0, 12, 12), (label,), Axis(0.0, 1.0), Axis(0.0, 1.0))
    return Frame(said("title.empty"), said(f"subtitle.{state.page}"), (panel,), Worked(), message, notice=notice)
