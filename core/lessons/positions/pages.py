"""What the pages of Position tables share: a page as data, its head with the buttons of the schemes, small helpers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from core.lessons.positions.state import PositionsState, frequency
from core.stage.frame import Cell, Frame, Label, Mark, Panel, Worked
from core.stage.lesson import Context
from core.stage.numbers import count, number, short, shown
from core.stage.text import text
from core.stage.words import segments
from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its picture and its controls."""

    frame: Callable[[PositionsState, Context], Frame]
    controls: tuple[str, ...]


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"positions.{key}", **fields)


def head_panel(state: PositionsState, cell: Cell, marks: tuple[Mark, ...], **more: Any) -> Panel:
    """The page's main panel, with the buttons for the schemes."""
    return Panel("main", cell, marks, choice=segments("positions", state, "scheme"), **more)


def waiting(key: str, x: float, y: float) -> Label:
    """What stands where an answer is still being computed."""
    return Label(key, x, y, text("common.computing"), "heading", "muted")


def wave_name(state: PositionsState, column: int) -> str:
    """``sin(p/100)``: a column of the table as its formula."""
    divisor = 1.0 / frequency(state, column // 2)
    angle = "p" if column < 2 else f"p/{three(divisor)}"
    return said("table.cos" if column % 2 else "table.sin", angle=angle)


def three(divisor: float) -> str:
    """About three digits that count: 3.16, 31.6, 316, 3,162."""
    return short(divisor, 2 if divisor < 10 else 1) if divisor < 100 else count(divisor)


def period(turn: float) -> str:
    """Positions that one turn takes, as a lesson writes it: 6.28, 628.3, 62,832."""
    return number(turn, 2 if turn < 100 else 1 if turn < 1000 else 0)


def even_ticks(start: float, end: float, parts: int = 5) -> tuple[tuple[float, str], ...]:
    """Round positions along an axis."""
    rough = (end - start) / parts
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(start / step)
    places = range(first, math.floor(end / step) + 1)
    return tuple((place * step, count(place * step) if step >= 1 else short(place * step, 6)) for place in places)


def small(value: float) -> str:
    """A number near 0 with two digits that count: ``0.00051``."""
    if value == 0.0:
        return "0"
    decimals = 2 if abs(value) >= 1 else min(12, 1 - math.floor(math.log10(abs(value))))
    return number(value, decimals)


def equals(written: float, true: float, decimals: int = 3) -> str:
    """ "=" where the arithmetic with printed numbers gives the printed result, else "≈"."""
    return "=" if number(written, decimals) == number(true, decimals) else "≈"


def fitting(*options: str) -> str:
    """The first that fits a line of arithmetic, else the last."""
    return next((option for option in options if len(option) <= Worked.COLUMNS), options[-1])


def divisor(state: PositionsState, pair: int, position: int) -> str:
    """base^(2i/d) with as many digits as the shown sine and cosine of this position need."""
    exact = 1.0 / frequency(state, pair)
    for decimals in range(3, 11):
        rounded = round(exact, decimals)
        if _same_reading(position / rounded, position / exact):
            return short(rounded, decimals)
    return short(exact, 10)


def angle_text(angle: float) -> str:
    """An angle within one turn, with as many digits as its shown sine and cosine need."""
    turned = angle % (2.0 * math.pi)
    for decimals in range(3, 7):
        if _same_reading(round(turned, decimals), turned):
            return short(turned, decimals)
    return short(turned, 7)


def _same_reading(a: float, b: float) -> bool:
    return shown(math.sin(a)) == shown(math.sin(b)) and shown(math.cos(a)) == shown(math.cos(b))
