"""What a function accepts, said in one place: which argument, what it was, what is allowed.

Every check takes the argument's name first, returns the value in the type that the mathematics works with and
raises `ArgumentError`. Arrays may come back as views of the caller's memory: they are read, never written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

# What a dimension or a number of tokens may be: more would only end in a failed allocation.
MOST = 100_000_000

_LARGE = 100_000
_MASKED_ALLOWED = "True or 1 where attending is allowed, False or 0 elsewhere"


class ArgumentError(ValueError):
    """An argument that a function can't work with: `str()` is the English sentence, other languages use the fields."""

    def __init__(self, argument: str, value: str, allowed: str) -> None:
        super().__init__(argument, value, allowed)
        self.argument = argument
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.argument} is {self.value}: {self.allowed}"


class Cancelled(Exception):
    """Raised inside long work that was told to stop."""


def shown(value: object) -> str:
    """A value as it stands in a message: short, and without numpy's type names."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"an array of shape {value.shape}"
    try:
        text = repr(value.tolist()) if isinstance(value, np.ndarray) else repr(value)
    except ValueError:  # Python refuses to spell out a number of more than 4,300 digits
        text = "a number with thousands of digits"
    return text if len(text) <= 80 else text[:77] + "…"


def refuse(argument: str, value: object, allowed: str) -> ArgumentError:
    """The error to raise, for checks that belong to one function."""
    return ArgumentError(argument, shown(value), allowed)


def shape_error(argument: str, array: npt.NDArray[Any], allowed: str) -> ArgumentError:
    """The error for an array whose shape doesn't fit."""
    return ArgumentError(argument, f"an array of shape {array.shape}", allowed)


def number(
    argument: str, value: object, above: float | None = None, least: float | None = None, most: float | None = None
) -> float:
    """A finite number (no bool), `above` < value, `least` <= value <= `most`."""
    allowed = "a finite number" + _range(above, least, most)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise refuse(argument, value, f"{allowed} is needed")
    try:
        result = float(value)
    except OverflowError:
        result = float("inf")
    if (
        not np.isfinite(result)
        or (above is not None and result <= above)
        or (least is not None and result < least)
        or (most is not None and result > most)
    ):
        raise refuse(argument, value, f"{allowed} is needed")
    return result


def integer(argument: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """A whole number (no bool, no float), `least` <= value <= `most`."""
    allowed = "a whole number" + _range(None, least, most)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise refuse(argument, value, f"{allowed} is needed")
    result = int(value)
    if (least is not None and result < least) or (most is not None and result > most):
        raise refuse(argument, value, f"{allowed} is needed")
    return result


def size(argument: str, value: object, least: int = 1) -> int:
    """A dimension or a number of things: whole, `least` to a hundred million."""
    return integer(argument, value, least, MOST)


def even(argument: str, value: object) -> int:
    """A dimension that splits into pairs: even, 2 or more."""
    result = size(argument, value)
    if result % 2:
        near = f"{result - 1} or {result + 1}" if result > 1 else "2"
        raise refuse(argument, result, f"its numbers turn in pairs, and pairs need an even one, such as {near}")
    return result


def flag(argument: str, value: object) -> bool:
    """True or False, nothing that merely behaves like it."""
    if not isinstance(value, bool | np.bool_):
        raise refuse(argument, value, "True or False is needed")
    return bool(value)


def choice(argument: str, value: object, allowed: Sequence[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in allowed:
        raise refuse(argument, value, "one of " + ", ".join(allowed) + " is needed")
    return value


def real(argument: str, value: object, ndim: int | None = None, least_ndim: int = 0, finite: bool = True) -> Floats:
    """An array of finite numbers as float64; `ndim` exactly or `least_ndim` at least."""
    array = _plain(argument, value)
    if array.dtype.kind not in "iuf":
        raise refuse(argument, value, "an array of numbers is needed")
    _dimensions(argument, array, ndim, least_ndim)
    with np.errstate(over="ignore"):
        result: Floats = array.astype(np.float64, copy=False)
    if finite and not all_finite(result):
        raise _first(argument, result, ~np.isfinite(result), "finite numbers are needed")
    return result


def whole(
    argument: str,
    value: object,
    ndim: int | None = None,
    least: int | None = None,
    most: int | None = None,
    noun: str = "whole numbers",
) -> Ints:
    """An array of whole numbers (no bools, no floats) as int64, each within `least` … `most`."""
    array = _plain(argument, value)
    allowed = noun + _range(None, least, most)
    if array.size and array.dtype.kind not in "iu":
        raise refuse(argument, value, f"{allowed} are needed")
    _dimensions(argument, array, ndim, 0)
    limit = np.iinfo(np.int64).max if most is None else most
    wrong = array > limit
    if least is not None:
        wrong = wrong | (array < least)
    if wrong.any():
        raise _first(argument, array, wrong, f"{allowed} are needed")
    return array.astype(np.int64, copy=False)


def table(argument: str, value: object, allowed: str) -> npt.NDArray[Any]:
    """A two-dimensional array of numbers in its own type, not copied and not searched for NaN: it may be large."""
    array = _plain(argument, value)
    if array.dtype.kind not in "iuf":
        raise refuse(argument, value, "an array of numbers is needed")
    if array.ndim != 2 or array.shape[1] == 0:
        raise shape_error(argument, array, f"{allowed} is needed")
    return array


def row(argument: str, value: object) -> Ints | Floats:
    """One number as a list of one; anything else unchanged."""
    array = _plain(argument, value)
    return array[np.newaxis] if array.ndim == 0 else array


def ids(argument: str, value: object, n_rows: int, limit: str) -> Ints:
    """Row numbers of a table with `n_rows` rows; `limit` is what their number is called. One ID is a list of one."""
    noun = f"with {limit} {n_rows}, whole numbers"
    return whole(argument, row(argument, value), ndim=1, least=0, most=n_rows - 1, noun=noun)


def positions(argument: str, value: object) -> Floats:
    """(n,) finite positions, whole or not; one number counts as a list of one."""
    return real(argument, row(argument, value), ndim=1)


def rows(argument: str, value: object) -> Floats:
    """(n, d) vectors; one vector counts as one row."""
    array = real(argument, value, least_ndim=1)
    if array.ndim > 2 or array.shape[-1] == 0:
        raise shape_error(argument, array, "rows of numbers, (n, d), or one row, (d,), are needed")
    return np.atleast_2d(array)


def mask(argument: str, value: object) -> Bools:
    """An array of True and False, or of 1 and 0."""
    array = _plain(argument, value)
    if array.size == 0 or array.dtype.kind == "b":
        return array.astype(np.bool_, copy=False)
    if array.dtype.kind not in "iu":
        raise refuse(argument, value, f"{_MASKED_ALLOWED}: no other numbers")
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        raise _first(argument, array, wrong, f"{_MASKED_ALLOWED}: no other numbers")
    may: Bools = array == 1
    return may


def all_finite(array: npt.NDArray[Any]) -> bool:
    """Is every number finite? Of a large array the sum of squares tells it in a third of the time."""
    if array.size > _LARGE and array.flags.c_contiguous and array.dtype.kind == "f":
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            if np.isfinite(np.dot(flat, flat)):
                return True
    return bool(np.isfinite(array).all())


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, closed to writing: for arrays that several places keep."""
    array.flags.writeable = False
    return array


def _plain(argument: str, value: object) -> npt.NDArray[Any]:
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O" and all(type(entry) in (int, float) for entry in array.flat):
            array = array.astype(np.float64)  # whole numbers beyond 64 bits
    except (ValueError, TypeError, OverflowError):
        raise refuse(argument, value, "an array of finite numbers is needed, all rows of one length") from None
    return array


def _dimensions(argument: str, array: npt.NDArray[Any], ndim: int | None, least_ndim: int) -> None:
    if ndim is not None and array.ndim != ndim:
        raise shape_error(argument, array, f"an array with {ndim} {'axis' if ndim == 1 else 'axes'} is needed")
    if array.ndim < least_ndim:
        raise shape_error(argument, array, f"an array with {least_ndim} axes or more is needed")


def _first(argument: str, array: npt.NDArray[Any], wrong: npt.NDArray[np.bool_], allowed: str) -> ArgumentError:
    where = tuple(int(index[0]) for index in np.nonzero(wrong)) if array.ndim else ()
    name = f"{argument}[{', '.join(map(str, where))}]" if where else argument
    return refuse(name, array[where], allowed)


def _range(above: float | None, least: float | None, most: float | None) -> str:
    parts = []
    if above is not None:
        parts.append(f" above {above:g}")
    if least is not None and most is not None:
        parts.append(f" from {least} to {most}")
    elif least is not None:
        parts.append(f", {least} or more,")
    elif most is not None:
        parts.append(f", {most} or less,")
    return "".join(parts)
