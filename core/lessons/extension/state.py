"""Longer context's state: lengths, a method, a model that may own them, and how the clock lengthens the text."""

from __future__ import annotations

import dataclasses
import math

from core.lessons.extension import configs
from core.lessons.extension.configs import FARTHEST, SHORTEST
from core.stage.lesson import Context
from core.stage.params import Choice, Range, param, replace
from core.values import dataclass

PAGES = ("angles", "zones", "neighbours", "scores", "map", "models", "advice")
METHODS = ("none", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "base")
MOST_PAIRS = 128
STILL = ("models",)  # pages on which nothing depends on the length


@dataclass(frozen=True, slots=True)
class ExtensionState:
    """``travel`` is what the clock has moved: doublings of the target length."""

    page: str = param("angles", Choice(PAGES), hidden=True)
    target: int = param(
        16_384, Range(SHORTEST, FARTHEST, soft=(1024, FARTHEST), scale="log"), unit="tokens", role="where"
    )
    trained: int = param(4096, Range(SHORTEST, FARTHEST, soft=(1024, 131_072), scale="log"), unit="tokens")
    method: str = param("none", Choice(METHODS))
    factor: float = param(4.0, Range(1.0, 256.0, soft=(1.0, 64.0), scale="log", step=0.001))
    fit: bool = param(False)
    config: str = param(configs.OWN, Choice(configs.names))
    rotary_dims: int = param(128, Range(8, 2 * MOST_PAIRS, soft=(16, 128), step=2))
    # Below a base of about 72 YaRN's ramp would run backwards for the longest texts.
    base: float = param(10_000.0, Range(100.0, 1e8, soft=(1000.0, 1e7), scale="log", step=1.0))
    new_base: float = param(500_000.0, Range(100.0, 1e8, soft=(1000.0, 1e7), scale="log", step=1.0))
    ramp: str = param("pairs", Choice(("pairs", "turns")))
    pair: int = param(63, Range(0, MOST_PAIRS - 1, soft=(0, 63)))
    position: int = param(12_000, Range(0, FARTHEST - 1, soft=(0, 131_071)), unit="tokens", role="where")
    gap: int = param(40, Range(0, FARTHEST - 1, soft=(0, 255)), unit="tokens", role="where")
    span: int = param(256, Range(16, FARTHEST, soft=(16, 131_072), scale="log"), unit="tokens")
    tests: int = param(50, Range(5, 1000, soft=(5, 200)))
    travel: float = param(0.0, Range(-20.0, 20.0), clock=True)


def dims_of(state: ExtensionState) -> int:
    """The dimensions that turn; LongRoPE's divisors exist for so many pairs and no others."""
    return 2 * len(configs.searched(state.config)[0]) if state.method == "longrope" else state.rotary_dims


def factor_of(state: ExtensionState) -> float:
    """The factor that the method uses, at the length to which the clock has come."""
    if not state.fit:
        return state.factor
    return min(max(round(target_of(state) / state.trained, 3), 1.0), 256.0)


def target_of(state: ExtensionState) -> int:
    return min(max(round(state.target * math.pow(2.0, state.travel)), SHORTEST), FARTHEST)


def _ends(state: ExtensionState) -> tuple[float, float]:
    """How many doublings back to the trained length, and on to the longest text."""
    least = min(state.trained, state.target)
    return math.log2(least / state.target), math.log2(FARTHEST / state.target)


def check(state: ExtensionState, context: Context) -> ExtensionState:
    if state.config != configs.OWN:
        state = replace(state, **configs.owned(state.config))
    if state.fit:
        state = replace(state, factor=state.target / state.trained)
    if state.method == "base":  # the method is a larger one
        state = replace(state, new_base=max(state.new_base, state.base))
    back, on = _ends(state)
    return dataclasses.replace(
        state,
        pair=min(state.pair, dims_of(state) // 2 - 1),
        travel=min(max(state.travel, back), on) + 0.0,
    )


def step(state: ExtensionState, seconds: float) -> ExtensionState:
    """The text grows by one doubling a second, to the longest that can be shown, and back to the trained length."""
    if state.page in STILL:
        return state
    back, on = _ends(state)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, back), on) + 0.0)


def settle(state: ExtensionState) -> ExtensionState:
    """The length to which the clock has come becomes the target length."""
    if not state.travel:
        return state
    moved = dataclasses.replace(state, target=target_of(state), travel=0.0)
    return replace(moved, factor=moved.target / state.trained) if state.fit else moved


def follow(before: ExtensionState, after: ExtensionState) -> ExtensionState:
    """A chosen model brings its lengths; a number that it states and a person moves makes all numbers one's own."""
    if after.config != before.config:
        return replace(after, travel=0.0, **configs.assumed(after.config))
    known = configs.owned(after.config)
    if any(getattr(after, name) != getattr(before, name) for name in known):
        after = dataclasses.replace(after, config=configs.OWN)
    if after.factor != before.factor and after.fit and before.fit:
        after = dataclasses.replace(after, fit=False)
    if (after.target, after.trained) != (before.target, before.trained):
        after = dataclasses.replace(after, travel=0.0)
    return after


def ranges(state: ExtensionState) -> dict[str, tuple[float, float]]:
    return {"pair": (0, dims_of(state) // 2 - 1), "position": (0, max(target_of(state) - 1, 1)), "gap": (0, state.span)}
