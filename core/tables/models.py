"""Published position settings of real models, from ``assets/models.json``; every number says where it was read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from core.tables.assets import asset
from core.tables.messages import TableError
from core.values import dataclass


class Unknown(Enum):
    """The type of UNKNOWN, so that ``value is UNKNOWN`` narrows."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __str__(self) -> str:
        return "unknown"

    def __bool__(self) -> bool:
        return False


UNKNOWN: Final = Unknown.UNKNOWN
"""No stored file states it. Not the same as None, which says that there is no such limit or setting."""

Scheme: TypeAlias = Literal["sinusoidal", "learned_absolute", "relative_bias_buckets", "rope", "alibi"]
Pairing: TypeAlias = Literal["adjacent", "halves"]


@dataclass(frozen=True, slots=True)
class RopeScaling:
    """How a model's trained length was extended. Fields as in ``core.encodings.extension``; UNKNOWN: not stated."""

    type: Literal["linear", "llama3", "yarn", "longrope"]
    original_max_position: int | Unknown = UNKNOWN
    factor: float | Unknown = UNKNOWN
    low_freq_factor: float | Unknown = UNKNOWN
    high_freq_factor: float | Unknown = UNKNOWN
    beta_fast: float | Unknown = UNKNOWN
    beta_slow: float | Unknown = UNKNOWN
    truncate: bool | Unknown = UNKNOWN
    mscale: float | Unknown = UNKNOWN
    mscale_all_dim: float | Unknown = UNKNOWN
    short_factor: tuple[float, ...] | Unknown = UNKNOWN
    long_factor: tuple[float, ...] | Unknown = UNKNOWN


@dataclass(frozen=True, slots=True)
class Source:
    """Where numbers were read: a file of a repository (with its commit) or of a package (its name with its version)."""

    note: str | Unknown = UNKNOWN
    repo: str | Unknown = UNKNOWN
    path: str | Unknown = UNKNOWN
    commit: str | Unknown = UNKNOWN
    package: str | Unknown = UNKNOWN


@dataclass(frozen=True, slots=True)
class Model:
    """One model's settings. Lengths in numbers, positions in tokens; ``meaning(field)`` says what each field is.

    UNKNOWN where no stored file states a value; None where there is no such limit or setting.
    """

    id: str
    name: str
    scheme: Scheme
    d_model: int
    n_heads: int
    head_dim: int
    vocab_size: int
    source: tuple[Source, ...]
    n_layers: int | Unknown = UNKNOWN
    n_kv_heads: int | Unknown = UNKNOWN
    parameters: int | Unknown = UNKNOWN
    tied_embeddings: bool | Unknown | None = UNKNOWN
    embeddings_times_sqrt_d: bool | Unknown = UNKNOWN
    max_position: int | Unknown | None = UNKNOWN
    trained_length: int | Unknown = UNKNOWN
    sliding_window: int | Unknown = UNKNOWN
    base: float | Unknown = UNKNOWN
    rope_theta: float | Unknown = UNKNOWN
    rope_theta_local: float | Unknown = UNKNOWN
    rotary_dims: int | Unknown = UNKNOWN
    pairing: Pairing | Unknown = UNKNOWN
    pairing_note: str | Unknown = UNKNOWN
    no_rope_layer_interval: int | Unknown = UNKNOWN
    rope_scaling: RopeScaling | Unknown | None = UNKNOWN
    alibi_bias_max: int | Unknown = UNKNOWN
    relative_buckets: int | Unknown = UNKNOWN
    relative_max_distance: int | Unknown = UNKNOWN
    shipped_tables: tuple[str, ...] = ()


@cache
def models() -> tuple[Model, ...]:
    """All models, in the order of the file. Raises TableError ("asset_damaged") where an entry has a strange key."""
    try:
        return tuple(_model(entry) for entry in _file()["models"])
    except (KeyError, TypeError, ValueError) as error:
        raise TableError("asset_damaged", name="models.json", reason=error) from error


def model(model_id: str) -> Model:
    """The model of that id, for example "llama-3-1-8b" (see ``slug``). Raises TableError ("model_unknown")."""
    found = _by_id().get(model_id)
    if found is None:
        raise TableError("model_unknown", name=model_id, known=", ".join(list(_by_id())[:3]))
    return found


def meaning(field: str) -> str:
    """What a field says, in English, for example of "rotary_dims" or "rope_scaling.factor"; "" for no field."""
    meanings: Mapping[str, str] = _file()["fields"]
    return meanings.get(field, "")


def slug(name: str) -> str:
    """A model's id, made of its name: small letters and digits with single hyphens between."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


@cache
def model_ids() -> tuple[str, ...]:
    """The ids of all models, in the file's order."""
    return tuple(entry.id for entry in models())


@cache
def _by_id() -> Mapping[str, Model]:
    return MappingProxyType({entry.id: entry for entry in models()})


@cache
def _file() -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(asset("models.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise TableError("asset_damaged", name="models.json", reason=error) from error
    return content


def _model(entry: dict[str, Any]) -> Model:
    # A strange key raises TypeError in the constructors, so none is dropped unseen.
    values = dict(entry)
    values["source"] = tuple(Source(**source) for source in entry["source"])
    if values.get("rope_scaling") is not None:
        values["rope_scaling"] = _scaling(entry["rope_scaling"])
    if "shipped_tables" in values:
        values["shipped_tables"] = tuple(values["shipped_tables"])
    return Model(id=slug(entry["name"]), **_checked(Model, values))


def _scaling(entry: dict[str, Any]) -> RopeScaling:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    return RopeScaling(**_checked(RopeScaling, values))


def _checked(kind: Callable[..., object], values: dict[str, Any]) -> dict[str, Any]:
    """``values`` with each number of the type that its field names (the file writes 10000 where 10000.0 is meant)."""
    types = {field.name: str(field.type) for field in fields(kind)}  # type: ignore[arg-type]
    for name, value in values.items():
        if name not in types:
            raise ValueError(f"no field {name}")
        if types[name].startswith("float") and isinstance(value, int) and not isinstance(value, bool):
            values[name] = float(value)
    return values
