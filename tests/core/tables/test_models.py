"""models.json as typed entries: everything loads, nothing is dropped, unknown is not "none"."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from typing import Any

import pytest

from core.tables import models as models_module
from core.tables.assets import asset
from core.tables.messages import TableError
from core.tables.models import UNKNOWN, Model, RopeScaling, Source, Unknown, meaning, model, models, slug

ENTRIES: list[dict[str, Any]] = json.loads(asset("models.json").read_text(encoding="utf-8"))["models"]


def unfolded(value: object) -> object:
    """A typed value as the file writes it, without what is unknown."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: unfolded(entry) for name, entry in pairs if entry is not UNKNOWN and name != "id" and entry != ()}
    return [unfolded(entry) for entry in value] if isinstance(value, tuple) else value


def test_every_value_of_the_file_arrives() -> None:
    assert len(models()) == len(ENTRIES) == 41
    for entry, typed in zip(ENTRIES, models(), strict=True):
        assert unfolded(typed) == entry


@pytest.mark.parametrize("kind", [Model, RopeScaling, Source])
def test_values_are_of_their_fields_types(kind: type) -> None:
    hints = typing.get_type_hints(kind)
    entries: list[object] = {
        Model: list(models()),
        RopeScaling: [m.rope_scaling for m in models() if isinstance(m.rope_scaling, RopeScaling)],
        Source: [source for m in models() for source in m.source],
    }[kind]
    for entry in entries:
        for name, hint in hints.items():
            assert fits(getattr(entry, name), hint), (entry, name)


def fits(value: object, hint: Any) -> bool:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in arguments)
    if origin is typing.Literal:
        return value in arguments
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(part, arguments[0]) for part in value)
    return type(value) is hint


def test_every_field_is_in_use_and_has_its_meaning() -> None:
    used = {key for entry in ENTRIES for key in entry}
    assert {field.name for field in dataclasses.fields(Model)} == used | {"id"}
    scaling = {key for entry in ENTRIES for key in entry.get("rope_scaling") or ()}
    assert {field.name for field in dataclasses.fields(RopeScaling)} == scaling
    assert all(meaning(key) for key in used)
    assert all(meaning(f"rope_scaling.{key}") for key in scaling)
    assert meaning("nonsense") == ""


def test_ids() -> None:
    ids = [entry.id for entry in models()]
    assert len(set(ids)) == 41
    assert all(model(name).id == name for name in ids)
    assert slug("GPT-2 (small, 124M)") == "gpt-2-small-124m"
    assert model("llama-3-1-8b").name == "Llama 3.1 8B"
    with pytest.raises(TableError, match="no model named gpt-17"):
        model("gpt-17")


def test_unknown_is_not_none() -> None:
    assert model("transformer-base-2017").max_position is None
    assert model("bloom-176b").max_position is UNKNOWN
    assert model("llama-2-7b").rope_scaling is None
    assert model("gpt-2-small-124m").rope_scaling is UNKNOWN
    assert (repr(UNKNOWN), str(UNKNOWN), bool(UNKNOWN), Unknown("unknown")) == ("UNKNOWN", "unknown", False, UNKNOWN)


def test_what_must_agree_within_an_entry() -> None:
    for entry in models():
        if isinstance(entry.n_kv_heads, int):
            assert entry.n_heads % entry.n_kv_heads == 0
        assert (entry.scheme == "rope") == isinstance(entry.rope_theta, float) == (entry.pairing is not UNKNOWN)
        if isinstance(entry.rotary_dims, int):
            assert entry.rotary_dims % 2 == 0
            assert entry.rotary_dims <= entry.head_dim
        scaling = entry.rope_scaling
        if isinstance(scaling, RopeScaling) and isinstance(scaling.long_factor, tuple):
            assert isinstance(entry.rotary_dims, int)
            assert len(scaling.long_factor) == entry.rotary_dims // 2


def test_a_strange_key_is_not_dropped_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    for strange in ({"surprise": 1}, {"rope_scaling": {"type": "yarn", "surprise": 1}}, {"source": [{"url": "x"}]}):
        monkeypatch.setattr(models_module, "_file", lambda entry=strange: {"models": [{**ENTRIES[0], **entry}]})
        with pytest.raises(TableError, match=r"models\.json .* can't be read"):
            models.__wrapped__()
