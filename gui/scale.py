"""Between a number and a slider's whole positions: linear or logarithmic, over the soft range."""

from __future__ import annotations

import math

from core.stage.params import Range

FINE = 1000  # positions where single values are too many to be positions
MOST = 4096


class SliderScale:
    """Positions 0 … ``last`` for a parameter's range."""

    def __init__(self, kind: Range, ends: tuple[float, float] | None = None) -> None:
        """``ends``: of the slider, where they are others than the parameter's."""
        self.kind = kind
        self.low, self.high = ends if ends is not None else kind.slider
        self.log = kind.scale == "log" and self.low >= 0
        # A logarithm has no zero: a range that begins there is moved up by one.
        self.shift = 1.0 if self.log and self.low < 1e-9 else 0.0
        self.step = kind.step or (1.0 if kind.integer else 0.0)
        steps = (self.high - self.low) / self.step if self.step else math.inf
        self.exact = not self.log and steps <= MOST
        self.last = max(1, round(steps)) if self.exact else FINE

    def beyond(self, value: float) -> int:
        """−1 or 1 where the value lies before or after the slider's ends."""
        return int(value > self.high) - int(value < self.low)

    def position(self, value: float) -> int:
        """The nearest position; values outside the soft range stand at its ends."""
        value = min(max(float(value), self.low), self.high)
        if self.exact:
            return round((value - self.low) / self.step)
        if self.log:
            low, high = math.log(self.low + self.shift), math.log(self.high + self.shift)
            share = (math.log(value + self.shift) - low) / (high - low) if high > low else 0.0
        else:
            share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.0
        return round(share * self.last)

    def value(self, position: int) -> float:
        """The round number nearest to what the position means."""
        if position <= 0:
            return self.low
        if position >= self.last:
            return self.high
        if self.exact:
            return self.low + position * self.step
        share = position / self.last
        if self.log:
            low, high = math.log(self.low + self.shift), math.log(self.high + self.shift)
            value = _rounded(math.exp(low + share * (high - low)) - self.shift, 2)
        else:
            span = self.high - self.low
            grain = 10.0 ** math.floor(math.log10(span / self.last)) if span > 0 else 1.0
            value = round((self.low + share * span) / grain) * grain
        return min(max(value, self.low), self.high)

    def nudge(self, value: float, steps: int) -> float:
        """The value some arrow keys away."""
        if self.log and not self.step:
            factor = 10.0 ** (steps / 20)
            moved = _rounded((value + self.shift) * factor - self.shift, 2)
            if moved == value:
                moved = (value + self.shift) * factor - self.shift
            return moved
        step = self.step or _nice((self.high - self.low) / 100)
        return round((value + steps * step) / step) * step if not self.step else value + steps * step


def _rounded(value: float, digits: int) -> float:
    """To so many significant digits."""
    return float(f"{value:.{digits - 1}e}")


def _nice(value: float) -> float:
    """The next smaller 1, 2 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (5, 2, 1) if factor * power <= value * 1.0001)
