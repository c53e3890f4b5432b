"""The frozen dataclasses of ``core.values`` keep what ``dataclasses.dataclass`` promises."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """Of the tests."""

    x: float
    y: float = 0.0
    tags: tuple[str, ...] = ()
    more: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Other:
    x: float
    y: float = 0.0
    tags: tuple[str, ...] = ()
    more: dict[str, int] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Held:
    values: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", self.values * 2)


@dataclass(frozen=True)
class Row:
    values: np.ndarray
    name: str


def test_positions_names_and_defaults() -> None:
    assert (Point(1.0).x, Point(1.0).y, Point(1, 2).y, Point(1, tags=("a",)).tags) == (1.0, 0.0, 2, ("a",))
    assert Point(1.0).more == {}
    assert Point(1.0).more is not Point(1.0).more


@pytest.mark.parametrize(
    ("given", "names", "says"),
    [
        ((), {}, r"Point.__init__\(\) missing 1 required positional argument: 'x'"),
        ((1,), {"z": 3}, r"Point.__init__\(\) got an unexpected keyword argument 'z'"),
        ((1, 2, (), {}, 5), {}, "takes from 2 to 5 positional arguments but 6 were given"),
    ],
)
def test_wrong_arguments_are_named(given: tuple[object, ...], names: dict[str, object], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        Point(*given, **names)  # type: ignore[arg-type]


def test_equal_by_fields_and_by_class() -> None:
    assert Point(1, 2) == Point(1.0, 2.0)
    assert Point(1, 2) != Point(1, 3)
    assert Point(1, 2) != Other(1, 2)
    assert Point(1, 2) != (1, 2)


def test_arrays_are_equal_by_their_numbers() -> None:
    assert Row(np.arange(3), "a") == Row(np.arange(3), "a")
    assert Row(np.arange(3), "a") != Row(np.arange(4), "a")
    assert Row(np.arange(3), "a") != Row([0, 1, 2], "a")  # type: ignore[arg-type]


def test_equal_values_have_one_hash() -> None:
    @dataclass(frozen=True, slots=True)
    class Key:
        a: int
        b: str = ""

    assert hash(Key(1, "x")) == hash(Key(1, "x"))
    assert len({Key(1), Key(1, ""), Key(2)}) == 2


def test_without_equality_only_itself() -> None:
    held = Held(np.ones(2))
    assert held == held
    assert held != Held(np.ones(2))
    assert hash(held) == hash(held)
    assert held.values.tolist() == [2.0, 2.0]  # and __post_init__ ran


def test_nothing_can_be_set_or_deleted() -> None:
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    assert not hasattr(point, "__dict__")


def test_what_the_standard_library_does_with_dataclasses() -> None:
    point = Point(1, 2, ("a",))
    assert dataclasses.is_dataclass(point)
    assert dataclasses.replace(point, y=5) == Point(1, 5, ("a",))
    assert dataclasses.asdict(point) == {"x": 1, "y": 2, "tags": ("a",), "more": {}}
    assert repr(point) == "Point(x=1, y=2, tags=('a',), more={})"
    match point:
        case Point(x, y):
            assert (x, y) == (1, 2)
