"""Frozen dataclasses that cost next to nothing until they are used.

What ``dataclasses.dataclass(frozen=True)`` compiles for each class (four to six functions, half a millisecond) was a
fifteenth of the start-up. Here equality, hash and text are written once for all classes, arrays are compared by their
numbers, and the constructor is compiled when the first object is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # the same to everything that reads types
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, slots: bool = False, eq: bool = True) -> Callable[[type], type]:
        """``dataclasses.dataclass`` for values; ``eq=False``: equal to itself alone. Only ``frozen=True`` is meant."""
        assert frozen

        def made(cls: type) -> type:
            cls = dataclasses.dataclass(init=False, eq=False, repr=False, slots=slots)(cls)
            for name, method in (_COMMON | _EQUAL if eq else _COMMON).items():
                if name not in cls.__dict__:
                    setattr(cls, name, method)
            return cls

        return made


def _init(self: Any, *args: Any, **kwargs: Any) -> None:
    cls = type(self)
    cls.__init__ = _constructor(cls)
    cls.__init__(self, *args, **kwargs)


def _constructor(cls: Any) -> Callable[..., None]:
    known: dict[str, Any] = {"put": object.__setattr__, "absent": dataclasses.MISSING}
    parameters, lines = ["self"], []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            known[f"{name}_default"] = field.default
            parameters.append(f"{name}={name}_default")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"{name}_default"] = field.default_factory
            parameters.append(f"{name}=absent")
            value = f"{name}_default() if {name} is absent else {name}"
        else:
            parameters.append(name)
        lines.append(f"put(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines or ["pass"]), known)
    constructor: Callable[..., None] = known["__init__"]
    constructor.__qualname__ = f"{cls.__qualname__}.__init__"  # what a TypeError names
    return constructor


def _eq(self: Any, other: Any) -> bool:
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented  # type: ignore[no-any-return]
    return all(_same(getattr(self, name), getattr(other, name)) for name in self.__match_args__)


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is b or (isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b))
    return a is b or bool(a == b)


def _hash(self: Any) -> int:
    return hash((type(self), *(getattr(self, name) for name in self.__match_args__)))


def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"


def _set(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


_COMMON: dict[str, Any] = {"__init__": _init, "__repr__": _repr, "__setattr__": _set, "__delattr__": _delete}
_EQUAL: dict[str, Any] = {"__eq__": _eq, "__hash__": _hash}
