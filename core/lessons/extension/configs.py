"""What a published model's entry tells of its context length, and what it doesn't.

An entry owns the numbers that it states; a length that it doesn't state is drawn with an assumption that a person can
move, and is called unknown wherever it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from core.tables.models import UNKNOWN, Model, RopeScaling, Unknown, model, models

OWN = "own"
FIRST_BASE = 10_000.0  # RoFormer's, against which larger ones are compared
SEARCHED = "phi-3-mini-128k"  # whose searched divisors stand for LongRoPE where no chosen model has its own
FARTHEST = 2**20
SHORTEST = 128

TABLE = (
    "llama-2-7b",
    "vicuna-7b-v1-5-16k",
    "yarn-llama-2-7b-64k",
    "code-llama-7b",
    "llama-3-8b",
    "llama-3-1-8b",
    "deepseek-v3-671b",
    "gpt-oss-120b",
    "qwen2-5-7b-instruct-1m",
    "gemma-3-27b",
    "phi-3-mini-128k",
)


@cache
def names() -> tuple[str, ...]:
    """Own numbers, then every model that turns its queries and keys."""
    return (
        OWN,
        *(entry.id for entry in models() if entry.scheme == "rope" and not isinstance(entry.rope_theta, Unknown)),
    )


def entry(config: str) -> Model | None:
    return None if config == OWN else model(config)


def scaling(config: str) -> RopeScaling | None:
    """How the entry says that the length was extended; None where it says that it wasn't, or says nothing."""
    found = entry(config)
    return found.rope_scaling if found is not None and isinstance(found.rope_scaling, RopeScaling) else None


def stated(found: Model) -> int | None:
    """The length before the extension, or that of training, where the entry states one."""
    if isinstance(found.rope_scaling, RopeScaling) and found.rope_scaling.original_max_position is not UNKNOWN:
        return int(found.rope_scaling.original_max_position)
    return None if isinstance(found.trained_length, Unknown) else found.trained_length


def declared(found: Model) -> int | None:
    return found.max_position if isinstance(found.max_position, int) else None


@cache
def owned(config: str) -> Mapping[str, Any]:
    """The parameters that the entry states, and their values."""
    found = entry(config)
    if found is None:
        return MappingProxyType({})
    theta = FIRST_BASE if isinstance(found.rope_theta, Unknown) else found.rope_theta
    dims = found.head_dim if isinstance(found.rotary_dims, Unknown) else found.rotary_dims
    values: dict[str, Any] = {"rotary_dims": dims, "base": theta}
    length = stated(found)
    if length is not None:
        values["trained"] = length
    how = found.rope_scaling
    if isinstance(how, RopeScaling):
        values |= {"method": how.type, "ramp": "pairs"}
        if not isinstance(how.factor, Unknown):
            values |= {"factor": float(how.factor), "fit": False}
    elif how is None and theta > FIRST_BASE:
        values |= {"method": "base", "base": FIRST_BASE, "new_base": theta}
    elif how is None:
        values["method"] = "none"
    return MappingProxyType(values)


@cache
def assumed(config: str) -> Mapping[str, int]:
    """Lengths to begin with when a model is chosen: its own, and where it states none what its other numbers say."""
    found = entry(config)
    if found is None:
        return MappingProxyType({})
    how, end, start = scaling(config), declared(found), stated(found)
    factor = float(how.factor) if how is not None and not isinstance(how.factor, Unknown) else 1.0
    if start is None:
        start = round(end / factor) if end is not None else 4096
    if end is None:
        end = round(start * factor)
    return MappingProxyType(
        {"trained": min(max(start, SHORTEST), FARTHEST), "target": min(max(end, SHORTEST), FARTHEST)}
    )


@cache
def searched(config: str) -> tuple[tuple[float, ...], tuple[float, ...], str]:
    """LongRoPE's divisors, short and long, and the id of the model that published them."""
    for candidate in (config, SEARCHED):
        how = scaling(candidate)
        if how is not None and not isinstance(how.short_factor, Unknown) and not isinstance(how.long_factor, Unknown):
            return how.short_factor, how.long_factor, candidate
    raise KeyError(SEARCHED)
