"""Longer context: seven published ways to slow the hands of rotary positions, each a pure function.

Every method answers with an `Extension`. `head_dim` means the rotary dimensions here. Zones say what the method's rule
does to each pair, fastest first: "keep" leaves it alone, "divide" slows it by the full factor, "blend" by a part of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.encodings.angles import powers
from core.encodings.checks import Floats, even, flag, number, read_only, real, refuse, shape_error


@dataclass(frozen=True, eq=False)
class Extension:
    """What a method makes of the hands.

    frequencies: (head_dim // 2,) radians per token, read-only; attention_factor: multiplies cosines and sines, so
    scores grow by its square; base: the effective one; zones: "keep", "blend" or "divide" per pair, fastest first.
    """

    frequencies: Floats
    attention_factor: float
    base: float
    zones: tuple[str, ...]


def none(head_dim: int, base: float) -> Extension:
    """Nothing extended: frequencies base**(-2i/d), all kept."""
    width, turning = even("head_dim", head_dim), number("base", base, above=0)
    return _extension(_plain(width, turning), turning, ("keep",) * (width // 2))


def linear(head_dim: int, base: float, factor: float) -> Extension:
    """Position interpolation: every pair divided by `factor` (> 0), the same as dividing the positions.

    Zones: all divide. Source: Chen et al. 2023, "Extending Context Window … via Positional Interpolation", section 2.3.
    """
    width, turning = even("head_dim", head_dim), number("base", base, above=0)
    stretch = number("factor", factor, above=0)
    return _extension(_divide(_plain(width, turning), stretch), turning, ("divide",) * (width // 2))


def ntk_aware(head_dim: int, base: float, factor: float) -> Extension:
    """A larger base, b * factor**(d / (d - 2)): the fastest pair is kept, the slowest divided by `factor` (> 0).

    Zones: the first keeps, the last divides, all between blend. Raises `ArgumentError` for head_dim 2, whose only pair
    is the fastest. Source: bloc97 2023 ("NTK-aware scaled RoPE"); Peng et al. 2023, "YaRN", section 3.1.
    """
    width, turning = _with_slow_pair(head_dim), number("base", base, above=0)
    return _raised(width, turning, number("factor", factor, above=0), "factor", factor)


def dynamic_ntk(head_dim: int, base: float, factor: float, original_length: float, length: float) -> Extension:
    """NTK-aware with a factor that follows the text: s * length / L - (s - 1), and the plain base while length <= L.

    `original_length` L and `length` in tokens, above 0. A pure function: it never remembers a longer text.
    Zones: as `ntk_aware`; all keep while length <= L. Source: transformers, _compute_dynamic_ntk_parameters; with
    factor 1 it is the length / L of Peng et al. 2023, "YaRN", section 3.3.
    """
    width, turning = _with_slow_pair(head_dim), number("base", base, above=0)
    stretch = number("factor", factor, above=0)
    trained = number("original_length", original_length, above=0)
    tokens = number("length", length, above=0)
    if tokens <= trained:
        return none(width, turning)
    return _raised(width, turning, stretch * (tokens / trained) - (stretch - 1), "length", length)


def yarn(
    head_dim: int,
    base: float,
    factor: float,
    original_length: float,
    beta_fast: float = 32,
    beta_slow: float = 1,
    truncate: bool = True,
    attention_factor: float | None = None,
    mscale: float | None = None,
    mscale_all_dim: float | None = None,
) -> Extension:
    """YaRN: fast pairs kept, slow ones divided by `factor` (> 0), a ramp over the pair index between.

    The ramp runs from the pair that makes `beta_fast` turns within `original_length` tokens to the one that makes
    `beta_slow` (0 < beta_slow <= beta_fast); `truncate` rounds both outwards to whole pairs (gpt-oss doesn't). Zones:
    keep where the ramp is 0, divide where it is 1, blend between.
    Attention factor: a given one wins; else with `mscale` and `mscale_all_dim` both set (0 counts as not set) the ratio
    of 0.1 * mscale * ln(factor) + 1 for the two; else 0.1 * ln(factor) + 1; for factor <= 1 it is 1.
    Raises `ArgumentError` for base <= 1, whose logarithm the rule divides by.
    Source: Peng et al. 2023, "YaRN", sections 3.2 and 3.4, as the code has it (transformers, _compute_yarn_parameters);
    the paper's text ramps over the number of turns instead, which is `llama3` with low 1 and high 32.
    """
    width, turning = even("head_dim", head_dim), number("base", base, above=0)
    if turning <= 1:
        raise refuse("base", base, "a base above 1 is needed, for the rule divides by its logarithm")
    stretch = number("factor", factor, above=0)
    trained = number("original_length", original_length, above=0)
    slow = number("beta_slow", beta_slow, above=0)
    fast = number("beta_fast", beta_fast, above=0)
    if fast < slow:
        raise refuse("beta_fast", fast, f"no less than beta_slow, which is {slow:g}, is needed")
    # The pair, as a fraction, that makes so many turns: d ln(L / (2π turns)) / (2 ln b).
    within = math.log(trained) - math.log(2 * math.pi)
    low, high = (width * (within - math.log(turns)) / (2 * math.log(turning)) for turns in (fast, slow))
    if flag("truncate", truncate):
        low, high = float(math.floor(low)), float(math.ceil(high))
    # The references clamp to d - 1, although there are only d/2 pairs: it matters for long original lengths. Where the
    # clamps cross (a base below about 5, say) their ramp runs backwards, and so does this one.
    low, high = max(low, 0.0), min(high, float(width - 1))
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(width // 2) - low) / (high - low), 0.0, 1.0)
    plain = _plain(width, turning)
    speeds = plain * (1 - ramp) + _divide(plain, stretch) * ramp
    zones = tuple("keep" if share == 0 else "divide" if share == 1 else "blend" for share in ramp.tolist())
    if attention_factor is not None:
        temperature = number("attention_factor", attention_factor, above=0)
    else:
        temperature = _temperature(stretch, mscale, mscale_all_dim)
    return _extension(speeds, turning, zones, temperature)


def llama3(
    head_dim: int,
    base: float,
    factor: float,
    original_length: float,
    low_freq_factor: float = 1,
    high_freq_factor: float = 4,
) -> Extension:
    """Llama 3's rule: a pair's turns within `original_length` tokens decide, and the blend is linear in them.

    More than `high_freq_factor` turns: keep; fewer than `low_freq_factor`: divide by `factor` (> 0); blend between.
    0 <= low_freq_factor <= high_freq_factor; equal ones leave no blend. Source: Dubey et al. 2024, "The Llama 3 Herd of
    Models", section 3.4.3; meta-llama/llama-models, apply_scaling.
    """
    width, turning = even("head_dim", head_dim), number("base", base, above=0)
    stretch = number("factor", factor, above=0)
    trained = number("original_length", original_length, above=0)
    low = number("low_freq_factor", low_freq_factor, least=0)
    high = number("high_freq_factor", high_freq_factor, above=0)
    if high < low:
        raise refuse("high_freq_factor", high, f"no less than low_freq_factor, which is {low:g}, is needed")
    plain = _plain(width, turning)
    with np.errstate(over="ignore"):
        turns = plain * (trained / (2 * math.pi))
    keep = (turns > high) | ((turns == high) & (low == high))
    divide = (turns < low) & ~keep
    # Equal limits leave nothing to blend, and 0/0 isn't formed.
    share = np.where(keep, 1.0, 0.0) if low == high else np.clip((np.minimum(turns, high) - low) / (high - low), 0, 1)
    divided = _divide(plain, stretch)
    speeds = np.where(keep, plain, np.where(divide, divided, share * plain + (1 - share) * divided))
    zones = tuple("keep" if k else "divide" if d else "blend" for k, d in zip(keep, divide, strict=True))
    return _extension(speeds, turning, zones)


def longrope(
    head_dim: int,
    base: float,
    short_factor: npt.ArrayLike,
    long_factor: npt.ArrayLike,
    original_length: float,
    max_length: float,
    length: float = 1,
    factor: float | None = None,
    attention_factor: float | None = None,
) -> Extension:
    """LongRoPE: a searched divisor for every pair, (head_dim // 2,) each > 0; the long list once length > L.

    `original_length` L (> 1), `max_length` and `length` in tokens. s is `factor`, or max_length / L without one;
    attention factor: a given one, else sqrt(1 + ln s / ln L), and 1 for s <= 1. Zones: keep where the divisor is 1,
    divide where it is s or more (and isn't 1), blend elsewhere. Source: Ding et al. 2024, "LongRoPE"; transformers,
    _compute_longrope_parameters.
    """
    width, turning = even("head_dim", head_dim), number("base", base, above=0)
    trained = number("original_length", original_length, above=1)
    longest = number("max_length", max_length, above=0)
    tokens = number("length", length, above=0)
    stretch = longest / trained if factor is None else number("factor", factor, above=0)
    short = _divisors("short_factor", short_factor, width // 2)
    long = _divisors("long_factor", long_factor, width // 2)
    divisors = long if tokens > trained else short
    if attention_factor is not None:
        temperature = number("attention_factor", attention_factor, above=0)
    else:
        temperature = 1.0 if stretch <= 1 else math.sqrt(1 + math.log(stretch) / math.log(trained))
    zones = tuple("keep" if e == 1 else "divide" if e >= stretch else "blend" for e in divisors.tolist())
    return _extension(_divide(_plain(width, turning), divisors), turning, zones, temperature)


def _extension(speeds: Floats, base: float, zones: tuple[str, ...], attention_factor: float = 1.0) -> Extension:
    return Extension(read_only(speeds), attention_factor, base, zones)


def _plain(width: int, base: float) -> Floats:
    return powers(base, np.arange(0, width, 2) / width)


def _divide(speeds: Floats, factor: float | Floats) -> Floats:
    with np.errstate(over="ignore"):
        slowed: Floats = speeds / factor
    if not np.isfinite(slowed).all():
        raise refuse("factor", factor, "a factor large enough to give finite frequencies is needed")
    return slowed


def _with_slow_pair(head_dim: int) -> int:
    width = even("head_dim", head_dim)
    if width == 2:
        raise refuse(
            "head_dim", width, "the only pair is the fastest, so NTK has no stretch possible; 4 or more is needed"
        )
    return width


def _raised(width: int, base: float, multiplier: float, argument: str, value: float) -> Extension:
    try:
        raised = base * multiplier ** (width / (width - 2))
    except OverflowError:
        raised = math.inf
    if not (math.isfinite(raised) and raised > 0):
        raise refuse(argument, value, "the base that it asks for is no finite number above 0")
    zones = ("keep", *("blend",) * (width // 2 - 2), "divide")
    return _extension(_plain(width, raised), raised, zones)


def _temperature(factor: float, mscale: float | None, mscale_all_dim: float | None) -> float:
    def grown(scale: float) -> float:
        return 1.0 if factor <= 1 else 0.1 * scale * math.log(factor) + 1.0

    one = None if mscale is None else number("mscale", mscale, least=0)
    other = None if mscale_all_dim is None else number("mscale_all_dim", mscale_all_dim, least=0)
    return grown(one) / grown(other) if one and other else grown(1.0)


def _divisors(argument: str, value: npt.ArrayLike, pairs: int) -> Floats:
    divisors = real(argument, value, ndim=1)
    if len(divisors) != pairs:
        raise shape_error(argument, divisors, f"one number for each of the {pairs} pairs is needed")
    for wrong in divisors[divisors <= 0][:1]:
        raise refuse(argument, wrong, "numbers above 0 are needed")
    return divisors
