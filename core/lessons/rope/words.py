"""What RoPE's pages share: texts, the panel with the pages' buttons, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.lessons.rope.state import RopeState
from core.stage.frame import Array, Axis, Cell, Mark, Panel
from core.stage.numbers import MINUS, count, number, short, shown
from core.stage.text import text
from core.stage.words import segments

TURN = 2 * math.pi


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


def sum_text(parts: Sequence[float] | Array, true: float) -> str:
    """``3.643 + 1.852 = ``: with as many decimals as it takes that the printed parts give the printed sum."""
    decimals = next((d for d in range(3, 7) if equals(summed(parts, d), true) == "="), 3)
    return f"{total(parts, decimals)} {equals(summed(parts, decimals), true)} "


def turn_text(theta: float) -> tuple[str, str]:
    """θ and ``6.2832 / θ = wavelength``, both with as many digits as the printed wavelength takes."""
    length = wave(TURN / theta)
    decimals = len(length.partition(".")[2])
    for digits in range(4, 11):
        places = digits - 1 - math.floor(math.log10(theta))
        for tau in (4, 9):
            if number(round(TURN, tau) / shown(theta, places), decimals) == length:
                written = short(theta, places)
                return written, f"{short(TURN, tau)} / {written} = {length}"
    written = short(theta, 12)
    return written, f"{short(TURN, 9)} / {written} ≈ {length}"


def full_turn(theta: float, power: str) -> str:
    """``6.2832 / 10,000^(−62/64) = 47,117 tokens``, where ``power`` is how θ is written."""
    length = wave(TURN / theta)
    decimals = len(length.partition(".")[2])
    tau = next((d for d in (4, 9) if number(round(TURN, d) / theta, decimals) == length), 9)
    sign = "=" if number(round(TURN, tau) / theta, decimals) == length else "≈"
    return f"{short(TURN, tau)} / {power} {sign} {text('rope.tokens', n=length)}"


def share_text(whole: float, part: float, decimals: int) -> str:
    """``4,096 / 4,712 = 0.87``: the divisor with as many decimals as the printed result takes."""
    result = number(whole / part, decimals)
    least = len(wave(part).partition(".")[2])
    for places in range(least, least + 8):
        if number(whole / shown(part, places), decimals) == result:
            return f"{count(whole)} / {number(part, places)} = {result}"
    return f"{count(whole)} / {number(part, least)} ≈ {result}"


def wave(value: float) -> str:
    """A wavelength in tokens: ``6.28``, ``112``, ``54,410``."""
    return number(value, 2 if value < 10 else 1 if value < 100 else 0)


def round_down(value: float) -> float:
    """The largest number of the form 1, 2 or 5 times a power of ten that is no larger; 0 for none."""
    if value <= 1e-9:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value * (1 + 1e-9)))
    return next(power * f for f in (5, 2, 1) if power * f <= value * (1 + 1e-9))
