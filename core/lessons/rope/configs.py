"""What a published model's entry tells of its rotation; what it doesn't tell stays unknown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from core.tables.models import UNKNOWN, Model, RopeScaling, Unknown, model, models

OWN = "own"
# First words of names that say too little, or too much.
FAMILIES = {"Code": "Code Llama", "YaRN": "YaRN Llama", "OLMo": "OLMo 2", "Qwen2.5": "Qwen", "Qwen3": "Qwen"}

# DeepSeek-V3's own inference/model.py: k = cat([k_nope, k_pe]), and q in the same order.
TURNED_LAST = ("deepseek-v3-671b",)


@cache
def names() -> tuple[str, ...]:
    """Own numbers, then every model that turns its queries and keys with a known base."""
    return (OWN, *(entry.id for entry in rotating() if not isinstance(entry.rope_theta, Unknown)))


@cache
def rotating() -> tuple[Model, ...]:
    return tuple(entry for entry in models() if entry.scheme == "rope")


def rotary_dims(found: Model) -> int | None:
    return None if isinstance(found.rotary_dims, Unknown) else found.rotary_dims


def first_turned(config: str) -> int:
    """The first entry of a head that turns: 0 in most models, else those that don't turn come before."""
    return int(owned(config)["untouched"]) if config in TURNED_LAST else 0


def trained(found: Model) -> int | None:
    """The length of training, or that before an extension, where the entry states one."""
    if not isinstance(found.trained_length, Unknown):
        return found.trained_length
    how = found.rope_scaling
    if isinstance(how, RopeScaling) and how.original_max_position is not UNKNOWN:
        return int(found.rope_scaling.original_max_position)  # type: ignore[union-attr, arg-type]
    return None


def declared(found: Model) -> int | None:
    return found.max_position if isinstance(found.max_position, int) else None


@cache
def owned(config: str) -> Mapping[str, Any]:
    """The parameters that the entry states, and their values."""
    if config == OWN:
        return MappingProxyType({})
    found = model(config)
    turned, length = rotary_dims(found), trained(found)
    values: dict[str, Any] = {"head_dim": found.head_dim}
    if not isinstance(found.rope_theta, Unknown):
        values["base"] = found.rope_theta
    if turned is not None:
        values["untouched"] = found.head_dim - turned
    if length is not None:
        values["trained"] = length
    return MappingProxyType(values)


@cache
def assumed(config: str) -> Mapping[str, int]:
    """The length to begin with where the entry states none of training: the declared one."""
    if config == OWN or "trained" in owned(config):
        return MappingProxyType({})
    length = declared(model(config))
    return MappingProxyType({} if length is None else {"trained": length})


@cache
def layouts() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Model families by layout: adjacent, halves, and those whose code and Hugging Face copies differ."""
    found: tuple[list[str], list[str], list[str]] = ([], [], [])
    for entry in rotating():
        note = "" if isinstance(entry.pairing_note, Unknown) else entry.pairing_note
        at = 2 if "halves" in note else 0 if entry.pairing == "adjacent" else 1
        family = _family(entry.name)
        if not isinstance(entry.pairing, Unknown) and family not in found[at]:
            found[at].append(family)
    return tuple(found[0]), tuple(found[1]), tuple(found[2])


def _family(name: str) -> str:
    first = name.split()[0]
    if name.startswith("Llama 4"):
        return "Llama 4"
    if first.startswith("Phi-"):
        return "Phi"
    return FAMILIES.get(first, first.removesuffix("-6B").removesuffix("-20B").removesuffix("-120b"))
