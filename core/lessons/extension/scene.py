"""All pairs of a head before and after a method: every number that the pages of Longer context show.

Angles count from 0 up to a length: L tokens reach L × θ. A pair that has gone full circle within the trained length
has met every angle; one that has not is outside its range from position L on.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache

import numpy as np

from core.encodings import extension, rotary
from core.encodings.extension import Extension
from core.lessons.extension import configs
from core.lessons.extension.state import ExtensionState, dims_of, factor_of, target_of
from core.stage.frame import Array
from core.tables.models import UNKNOWN
from core.values import dataclass

TURN = 2 * math.pi
FAST, SLOW = 32.0, 1.0  # YaRN's turns within the trained length, unless a model says otherwise
LOW, HIGH = 1.0, 4.0  # Llama 3's


@dataclass(frozen=True, eq=False)
class Scene:
    """Frequencies in radians per token, (pairs,) each: ``reference`` of the plain base, ``before`` those of training,
    ``after`` those that the method makes of them for ``target`` tokens."""

    method: str
    dims: int
    base: float
    new_base: float
    trained: int
    target: int
    factor: float
    ramp: str
    config: str
    pair: int
    position: int
    made: Extension
    reference: Array
    before: Array

    @property
    def assumed(self) -> bool:
        """A model was chosen whose files don't state the trained length."""
        found = configs.entry(self.config)
        return found is not None and configs.stated(found) is None

    @property
    def pairs(self) -> int:
        return self.dims // 2

    @property
    def after(self) -> Array:
        return self.made.frequencies

    @property
    def attention(self) -> float:
        """What multiplies q, and k as well."""
        return self.made.attention_factor

    @property
    def on_scores(self) -> float:
        """What multiplies q·k in all: the attention factor's square, and where a model's entry tells of two scales
        (DeepSeek-V3) what its softmax is scaled by."""
        return self.attention**2 * self.softmax**2

    @property
    def softmax(self) -> float:
        """Whose square the softmax's scale is multiplied by: 0.1 × mscale_all_dim × ln s + 1, else 1."""
        how = configs.scaling(self.config)
        if self.method != "yarn" or how is None or self.factor <= 1:
            return 1.0
        return 0.1 * (known(how.mscale_all_dim) or 0.0) * math.log(self.factor) + 1

    @property
    def stretch(self) -> float:
        """For LongRoPE: the longest declared length over the trained one."""
        return longest(self.config, self.trained, self.target) / self.trained

    @cached_property
    def slowdown(self) -> Array:
        """How many times slower than with the plain base."""
        found: Array = self.reference / self.after
        return found

    @cached_property
    def slows(self) -> bool:
        """Whether any pair turns slower than with the plain base."""
        return bool((self.slowdown > 1 + 1e-9).any())

    @cached_property
    def ratio(self) -> Array:
        """What a position is multiplied by: position p turns pair i as p × ratio did in training."""
        found: Array = self.after / self.before
        return found

    @cached_property
    def turns_trained(self) -> Array:
        found: Array = self.trained * self.before / TURN
        return found

    @cached_property
    def turns_reached(self) -> Array:
        found: Array = self.target * self.after / TURN
        return found

    @cached_property
    def round(self) -> Array:
        """(pairs,) bool: gone full circle within the trained length."""
        found: Array = self.turns_trained >= 1.0
        return found

    @cached_property
    def new(self) -> Array:
        """(pairs,) bool: reaches angles that training never met."""
        found: Array = ~self.round & (self.turns_reached > self.turns_trained * (1 + 1e-9))
        return found

    @property
    def n_new(self) -> int:
        return int(self.new.sum())

    @cached_property
    def wavelengths(self) -> Array:
        """Tokens of one full turn, before the method."""
        found: Array = TURN / self.before
        return found

    @property
    def acts_as(self) -> float:
        """The position as which the shown position turns the shown pair."""
        return float(self.position * self.ratio[self.pair])

    @property
    def covered(self) -> float:
        """The longest text whose angles all stay in the trained range, in tokens; infinite where every pair has gone
        full circle."""
        slow = ~self.round
        return float(self.trained / self.ratio[slow].max()) if slow.any() else math.inf

    def runs(self) -> tuple[tuple[str, int, int], ...]:
        """The zones from fast to slow, as (zone, first pair, last pair)."""
        found: list[tuple[str, int, int]] = []
        for pair, zone in enumerate(self.made.zones):
            if found and found[-1][0] == zone:
                found[-1] = (zone, found[-1][1], pair)
            else:
                found.append((zone, pair, pair))
        return tuple(found)


def scene_of(state: ExtensionState) -> Scene:
    target = target_of(state)
    return _scene(
        state.method,
        dims_of(state),
        state.base,
        state.new_base,
        state.trained,
        target,
        factor_of(state),
        state.ramp,
        state.config,
        state.pair,
        min(state.position, target - 1),
    )


@lru_cache(maxsize=32)
def _scene(
    method: str,
    dims: int,
    base: float,
    new_base: float,
    trained: int,
    target: int,
    factor: float,
    ramp: str,
    config: str,
    pair: int,
    position: int,
) -> Scene:
    length = target if method in ("dynamic", "longrope") else 0  # only these two look at it
    made = extended(method, dims, base, new_base, trained, length, factor, ramp, config)
    reference = plain(dims, base)
    before = plain(dims, new_base) if method == "base" else reference
    return Scene(
        method, dims, base, new_base, trained, target, factor, ramp, config, pair, position, made, reference, before
    )


@lru_cache(maxsize=64)
def plain(dims: int, base: float) -> Array:
    return rotary.frequencies(dims, base)


@lru_cache(maxsize=64)
def extended(
    method: str,
    dims: int,
    base: float,
    new_base: float,
    trained: int,
    length: int,
    factor: float,
    ramp: str,
    config: str,
) -> Extension:
    """What the method makes of the pairs. A chosen model's further settings are its own, else the usual ones."""
    how = configs.scaling(config)
    if method == "linear":
        return extension.linear(dims, base, factor)
    if method == "ntk":
        return extension.ntk_aware(dims, base, factor)
    if method == "dynamic":
        return extension.dynamic_ntk(dims, base, factor, trained, length)
    if method == "yarn":
        fast, slow = betas(config)
        code = extension.yarn(
            dims,
            base,
            factor,
            trained,
            fast,
            slow,
            truncate=truncates(config),
            mscale=known(how.mscale) if how is not None else None,
            mscale_all_dim=known(how.mscale_all_dim) if how is not None else None,
        )
        if ramp == "pairs":
            return code
        text = extension.llama3(dims, base, factor, trained, slow, fast)
        return Extension(text.frequencies, code.attention_factor, text.base, text.zones)
    if method == "llama3":
        low, high = limits(config)
        return extension.llama3(dims, base, factor, trained, low, high)
    if method == "longrope":
        short, long, _ = configs.searched(config)
        return extension.longrope(dims, base, short, long, trained, longest(config, trained, length), length)
    return extension.none(dims, new_base if method == "base" else base)


def betas(config: str) -> tuple[float, float]:
    """YaRN's turns within the trained length: above the first kept, below the second divided."""
    how = configs.scaling(config)
    if how is None:
        return FAST, SLOW
    return known(how.beta_fast) or FAST, known(how.beta_slow) or SLOW


def limits(config: str) -> tuple[float, float]:
    """Llama 3's turns within the trained length: below the first divided, above the second kept."""
    how = configs.scaling(config)
    if how is None:
        return LOW, HIGH
    return known(how.low_freq_factor) or LOW, known(how.high_freq_factor) or HIGH


def truncates(config: str) -> bool:
    """Whether YaRN's ramp begins and ends at whole pairs."""
    how = configs.scaling(config)
    return how is None or how.truncate is UNKNOWN or bool(how.truncate)


def longest(config: str, trained: int, length: int) -> int:
    """The length for which LongRoPE's attention factor is meant."""
    found = configs.entry(config)
    end = configs.declared(found) if found is not None else None
    return end if end is not None else max(length, trained)


def ramp_ends(scene: Scene) -> tuple[float, float]:
    """The pairs, as fractions, between which YaRN's code blends: d ln(L / (2π turns)) / (2 ln base)."""
    over = 2 * math.log(scene.base)
    low, high = (scene.dims * math.log(scene.trained / (TURN * turns)) / over for turns in betas(scene.config))
    return low, high


def known(value: object) -> float | None:
    """A setting of a model's entry; None where no file states it."""
    return None if value is UNKNOWN else float(value)  # type: ignore[arg-type]


def cosines(speeds: Array, gaps: Array) -> Array:
    """(gaps,) the mean over pairs of cos(gap × speed): the score of two equal vectors, as a share of its largest."""
    found: Array = np.cos(np.multiply.outer(gaps, speeds)).mean(axis=1)
    return found
