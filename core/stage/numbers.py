"""How a number is written, once for the stage, the arithmetic and the status line.

No ``-0.000``, no ``2.4e-17``: a number is rounded first and signed afterwards, with a true minus sign and thousands
separators.
"""

from __future__ import annotations

import math

MINUS = "−"


def number(value: float, decimals: int = 3, *, plus: bool = False) -> str:
    """``value`` rounded to ``decimals`` places: ``−0.416``, ``1,898``, ``undefined`` for NaN, ``∞``."""
    value = float(value)
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    rounded = shown(value, decimals)
    digits = f"{abs(rounded):,.{decimals}f}"
    if rounded < 0:
        return MINUS + digits
    return "+" + digits if plus and rounded > 0 else digits


def short(value: float, decimals: int = 3) -> str:
    """As :func:`number`, without trailing zeros: ``0.5``, ``22.627``, ``3``."""
    written = number(value, decimals)
    return written.rstrip("0").rstrip(".") if "." in written else written


def count(value: float) -> str:
    """A whole number with thousands separators."""
    return number(round(value), 0)


def bracketed(value: float, decimals: int = 3) -> str:
    """A factor in a product: ``(−0.990)``."""
    return f"({number(value, decimals)})"


def percent(share: float, decimals: int = 0) -> str:
    """A share of 1 as per cent: ``41 %``."""
    return number(100 * share, decimals) + " %"


def size(numbers: float) -> str:
    """A large count for a person: ``38.6 million``."""
    for limit, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if numbers >= limit:
            return f"{number(numbers / limit, 1)} {name}"
    return count(numbers)


def memory(amount: float) -> str:
    """An amount of memory in decimal units: ``154 MB``."""
    for limit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if amount >= limit:
            return f"{number(amount / limit, 1 if amount < 100 * limit else 0)} {name}"
    return f"{count(amount)} bytes"


def shown(value: float, decimals: int = 3) -> float:
    """The number as a person reads it off the stage: the arithmetic goes on from there.

    Halves are rounded away from zero, as by hand (0.0625 → 0.063); Python's own ``round`` takes the even neighbour.
    """
    value = float(value)
    scaled = abs(value) * 10.0**decimals
    if scaled < 1e14 and abs(scaled - int(scaled) - 0.5) <= 16 * math.ulp(scaled):  # a half, but for binary noise
        return math.copysign((int(scaled) + 1) / 10.0**decimals, value)
    return round(value, decimals) + 0.0
