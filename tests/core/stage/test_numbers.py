"""Numbers as a person reads them."""

from __future__ import annotations

import math

import pytest

from core.stage import numbers


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        (-0.41614, 3, "−0.416"),
        (-0.0001, 3, "0.000"),
        (2.4e-17, 3, "0.000"),
        (-2.4e-17, 2, "0.00"),
        (1898, 0, "1,898"),
        (1_000_000, 0, "1,000,000"),
        (math.nan, 3, "undefined"),
        (math.inf, 3, "∞"),
        (-math.inf, 3, "−∞"),
        (0.9999, 3, "1.000"),
        (0.0625, 3, "0.063"),
        (-0.0625, 3, "−0.063"),
        (0.285, 2, "0.29"),
        (2.5, 0, "3"),
        (1e300, 3, f"{1e300:,.3f}"),
    ],
)
def test_number(value: float, decimals: int, written: str) -> None:
    assert numbers.number(value, decimals) == written


def test_other_forms() -> None:
    assert numbers.short(22.6274, 3) == "22.627"
    assert numbers.short(3.0) == "3"
    assert numbers.short(100.0, 0) == "100"
    assert numbers.number(0.5, 2, plus=True) == "+0.50"
    assert numbers.bracketed(-0.98999) == "(−0.990)"
    assert numbers.percent(0.414) == "41 %"
    assert numbers.size(50_257 * 768) == "38.6 million"
    assert numbers.memory(50_257 * 768 * 4) == "154 MB"
    assert numbers.memory(48) == "48 bytes"
    assert math.copysign(1, numbers.shown(-0.0001)) == 1
