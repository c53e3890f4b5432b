"""Turning speeds and angles: what sinusoids and rotations share."""

from __future__ import annotations

import numpy as np

from core.encodings.checks import Floats, refuse


def powers(base: float, exponents: Floats) -> Floats:
    """base ** -exponents, in radians per position. Raises `ArgumentError` for a base whose powers leave float64."""
    with np.errstate(over="ignore", divide="ignore"):
        speeds: Floats = np.power(base, -exponents)
    if not np.isfinite(speeds).all():
        raise refuse("base", base, "a base whose powers are finite numbers is needed")
    return speeds


def angles(positions: Floats, frequencies: Floats) -> Floats:
    """(n, pairs) radians: every position times every speed. Raises `ArgumentError` if an angle would leave float64."""
    if positions.size and frequencies.size:
        farthest = float(positions[np.argmax(np.abs(positions))])
        if not np.isfinite(farthest * float(np.max(np.abs(frequencies)))):
            raise refuse("positions", farthest, "its angle is too large for float64")
    return np.multiply.outer(positions, frequencies)
