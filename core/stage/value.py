"""What frames and parameters are made of: values that are equal when their fields are."""

from __future__ import annotations

from typing import Any

import numpy as np


class Value:
    """Equality, hash and text for frozen dataclasses declared with ``eq=False, repr=False``.

    Written once instead of being compiled for each class, which would take a twentieth of the start-up; and arrays are
    compared by their numbers.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in _names(self))

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in _names(self))))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in _names(self))})"


def _names(value: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = value.__match_args__  # the fields, in their order
    return names


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is b or (isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b))
    return a is b or bool(a == b)
