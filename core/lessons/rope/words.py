"""What RoPE's pages share: texts, the panel with the pages' buttons, and how their numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.lessons.rope.state import RopeState
from core.stage.frame import Array, Axis, Cell, Mark, Panel
from core.stage.numbers import MINUS, number, shown
from core.stage.text import text
from core.stage.words import segments


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"rope.{key}", **fields)


def big_panel(state: RopeState, cell: Cell, marks: Sequence[Mark], x: Axis, y: Axis, **more: Any) -> Panel:
    """The large picture, with the buttons for the pages at its head."""
    return Panel("big", cell, tuple(marks), choice=segments("rope", state, "page"), x=x, y=y, **more)


def total(parts: Sequence[float] | Array, decimals: int = 3) -> str:
    """A sum as it is written: ``3.210 + 8.088 − 0.100``."""
    written = number(float(parts[0]), decimals)
    for part in parts[1:]:
        value = number(float(part), decimals)
        written += f" {MINUS} {value[1:]}" if value.startswith(MINUS) else f" + {value}"
    return written


def equals(from_shown: float, true: float, decimals: int = 3) -> str:
    """ "=" where the arithmetic with printed numbers gives the printed result, else "≈"."""
    return "=" if number(from_shown, decimals) == number(true, decimals) else "≈"


def summed(parts: Sequence[float] | Array, decimals: int = 3) -> float:
    """What the printed parts add up to."""
    return sum(shown(float(part), decimals) for part in parts)


def wave(value: float) -> str:
    """A wavelength in tokens: ``6.28``, ``112``, ``54,410``."""
    return number(value, 2 if value < 10 else 1 if value < 100 else 0)
