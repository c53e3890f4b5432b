"""From one parameter description: legal states, and junk of every kind."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import strategies as st

from core.stage.frame import Drag, Drop, Event, Frame, Key, Matrix, Pick, Scroll
from core.stage.params import Choice, Flag, Range, Spec, Text, Vector, Words, from_mapping, specs

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -(10**400), "1e400", "abc", "", "NaN", "-Infinity", "0x10", "\ud800", "1,2,3", b"x"]),
    st.floats(),
    st.text(max_size=12),
    st.lists(st.one_of(st.integers(), st.floats(), st.none(), st.text(max_size=3)), max_size=5),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
WORDS = ["cat", "dog", "car", "the", "The", " cat", "photosynthesis", "qqqq", "<s>", "<unk>", "&amp;", "🦜", "\t", "ﬁ"]


def value(spec: Spec) -> st.SearchStrategy[Any]:
    """A legal value of this parameter, ends included."""
    kind = spec.kind
    if isinstance(kind, Flag):
        return st.booleans()
    if isinstance(kind, Choice):
        return st.sampled_from(kind.options)
    if isinstance(kind, Text):
        return st.one_of(st.sampled_from(WORDS), st.text(max_size=20))
    if isinstance(kind, Words):
        return st.lists(st.sampled_from(WORDS), max_size=min(kind.max_count, 6))
    if isinstance(kind, Vector):
        return st.lists(st.floats(kind.low, kind.high), min_size=kind.min_size, max_size=kind.max_size)
    assert isinstance(kind, Range)
    low, high = kind.slider
    numbers = st.integers(math.ceil(low), math.floor(high)) if kind.integer else st.floats(low, high)
    return st.one_of(numbers, st.sampled_from([kind.low, kind.high, spec.default]))


def legal_states(state: type) -> st.SearchStrategy[Any]:
    """Any legal state of a class."""
    fields = {spec.name: value(spec) for spec in specs(state)}
    return st.fixed_dictionaries(fields).map(lambda values: from_mapping(state, values))


def junk_mappings(state: type) -> st.SearchStrategy[dict[str, Any]]:
    """What a damaged file or a hand-written link could hold."""
    fields = {spec.name: st.one_of(JUNK, value(spec)) for spec in specs(state)}
    return st.fixed_dictionaries({}, optional=fields)


def events(frame: Frame) -> st.SearchStrategy[Event]:
    """What a person might do to this frame."""
    keys = st.sampled_from([mark.key for _, mark in frame.marks()] or ["nothing"])
    keys = st.one_of(keys, st.sampled_from(_hands(frame) or ["nothing"]))
    number = st.floats(-1e7, 1e7)
    index = st.lists(st.integers(-3, 2_000_000), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Pick, keys, index),
        st.builds(Drag, keys, number, number),
        st.builds(Drop, keys, st.integers(-2, 50), st.integers(-2, 50)),
        st.builds(Scroll, keys, st.integers(-(10**7), 10**7), st.integers(-(10**7), 10**7)),
        st.builds(Key, keys, st.sampled_from(["left", "right", "up", "down", "home", "end"])),
    )


def _hands(frame: Frame) -> list[str]:
    return [hand.key for _, mark in frame.marks() for hand in getattr(mark, "hands", ())]


def through_json(values: Any) -> Any:
    return json.loads(json.dumps(values))


def blocks(frame: Frame) -> list[tuple[Matrix, Any]]:
    """Every matrix with the numbers that a view would ask for."""
    found = []
    for _, mark in frame.marks():
        if isinstance(mark, Matrix):
            found.append((mark, mark.source.block(slice(*mark.rows), slice(*mark.columns))))
    return found
