"""What shorter number formats make of a value: the reason why positions collide in 16 bits.

Source: IEEE 754 (binary16, binary32); bfloat16 is binary32 without its lower 16 bits, rounded to nearest even.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats, choice, real

FORMATS = ("bfloat16", "float16", "float32")


def round_to(x: npt.ArrayLike, format: str) -> Floats:  # noqa: A002 - the word for it
    """The values of `x` (any shape) as they come back from "bfloat16", "float16" or "float32", as float64.

    Rounds once, to nearest even. Values beyond the format become infinite, without a warning; NaN and infinities stay.
    """
    name = choice("format", format, FORMATS)
    values = real("x", x, finite=False)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if name == "bfloat16":
            return _bfloat16(values)
        return values.astype(np.float16 if name == "float16" else np.float32).astype(np.float64)


def _bfloat16(values: Floats) -> Floats:
    """Straight from float64: going through float32 would round twice and miss ties by one step.

    8 significant bits are kept, fewer below 2**-126, where the spacing stays 2**-133.
    """
    exponents = np.maximum(np.frexp(values)[1], -125) - 8
    # rint rounds to nearest even; scaling by powers of two is exact.
    rounded: Floats = np.ldexp(np.rint(np.ldexp(values, -exponents)), exponents)
    beyond = np.abs(rounded) >= 2.0**128
    return np.where(np.isnan(values), np.nan, np.where(beyond, np.copysign(np.inf, values), rounded))
