"""Parameters: whatever comes in, a legal value goes out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stage.params import (
    Choice,
    Range,
    Text,
    Vector,
    Words,
    coerce,
    from_mapping,
    param,
    replace,
    spec,
    specs,
    to_mapping,
    value_to_text,
    without_clock,
)
from tests.core.strategies import JUNK, legal_states

SETTINGS = settings(deadline=None, derandomize=True, database=None, max_examples=200)


@dataclass(frozen=True, slots=True)
class Sample:
    position: int = param(3, Range(0, 1_000_000, soft=(0, 64)), unit="tokens")
    base: float = param(10_000.0, Range(2, 1e8, scale="log"))
    even: int = param(4, Range(2, 16, step=2))
    flag: bool = param(True)
    layout: str = param("adjacent", Choice(("adjacent", "halves")))
    sentence: str = param("The cat sat", Text(20))
    words: tuple[str, ...] = param(("cat",), Words(3))
    vector: tuple[float, ...] = param((1.0, 0.0), Vector(2, 2, -10, 10))
    travel: float = param(0.0, Range(0, 100), clock=True)


@SETTINGS
@given(value=JUNK)
def test_coerce_is_total(value: object) -> None:
    for entry in specs(Sample):
        legal = coerce(entry, value)
        assert type(legal) is type(entry.default), entry.name
        assert coerce(entry, legal) == legal
        if isinstance(entry.kind, Range):
            assert math.isfinite(legal)
            assert entry.kind.low <= legal <= entry.kind.high


@pytest.mark.parametrize(
    ("name", "given_value", "legal"),
    [
        ("position", "503", 503),
        ("position", 7.6, 8),
        ("position", -4, 0),
        ("position", 10**400, 1_000_000),
        ("position", "1e400", 3),
        ("position", None, 3),
        ("position", float("nan"), 3),
        ("position", "abc", 3),
        ("base", "1e9", 1e8),
        ("even", 5, 6),
        ("even", 6.9, 6),
        ("even", 99, 16),
        ("flag", "false", False),
        ("flag", "on", True),
        ("flag", "perhaps", True),
        ("flag", 0, False),
        ("layout", "halves", "halves"),
        ("layout", "thirds", "adjacent"),
        ("sentence", "x" * 50, "x" * 20),
        ("sentence", 5, "The cat sat"),
        ("sentence", "a\ud800", "a?"),
        ("words", "cat, dog ,,car,bus", ("cat", "dog", "car")),
        ("words", 7, ("cat",)),
        ("vector", "1,2", (1.0, 2.0)),
        ("vector", [1, 99], (1.0, 10.0)),
        ("vector", [1], (1.0, 0.0)),
        ("vector", [1, "nan"], (1.0, 0.0)),
    ],
)
def test_coerce(name: str, given_value: object, legal: object) -> None:
    assert coerce(spec(Sample, name), given_value) == legal


@SETTINGS
@given(state=legal_states(Sample))
def test_texts_bring_values_back(state: Sample) -> None:
    assert from_mapping(Sample, to_mapping(state)) == state
    written = {entry.name: value_to_text(getattr(state, entry.name)) for entry in specs(Sample)}
    again = from_mapping(Sample, written)
    for entry in specs(Sample):
        if entry.name == "words":
            continue  # a comma inside a word is the separator
        assert getattr(again, entry.name) == getattr(state, entry.name), entry.name


def test_changed_only_and_replace() -> None:
    state = replace(Sample(), position=503, travel=7)
    assert to_mapping(state, changed_only=True) == {"position": 503, "travel": 7.0}
    assert without_clock(state) == replace(Sample(), position=503)
    assert replace(state, position="junk").position == 3


def test_unknown_names_are_passed_over() -> None:
    assert from_mapping(Sample, {"nothing": 1, 5: 2}) == Sample()
    with pytest.raises(KeyError):
        spec(Sample, "nothing")


@given(value=st.floats(2, 16))
@SETTINGS
def test_steps_stay_inside(value: float) -> None:
    legal = coerce(spec(Sample, "even"), value)
    assert legal % 2 == 0
    assert 2 <= legal <= 16
