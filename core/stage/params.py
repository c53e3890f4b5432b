"""One description of a parameter, from which form, clamping, link, file, command line and tests are made.

A state is a frozen dataclass whose fields are declared with :func:`param`. Whatever a file, a link or a person offers
goes through :func:`coerce` or :func:`from_mapping`, which are total: any input gives a legal value.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from core.values import dataclass

State = TypeVar("State")
Scale = Literal["linear", "log"]


@dataclass(frozen=True, slots=True)
class Range:
    """A number's full range, and the softer one that its slider covers."""

    low: float
    high: float
    soft: tuple[float, float] | None = None
    scale: Scale = "linear"
    step: float | None = None  # values are multiples of it, counted from low
    integer: bool = False  # set from the default's type

    @property
    def slider(self) -> tuple[float, float]:
        return self.soft if self.soft is not None else (self.low, self.high)

    def coerce(self, value: object, default: object) -> float | int:
        number = _number(value)
        if number is None:
            return default  # type: ignore[return-value]
        number = min(max(number, self.low), self.high)
        if self.step:
            # Rounded, so that 0.01 + 9 × 0.01 is 0.1.
            number = round(self.low + math.floor((number - self.low) / self.step + 0.5) * self.step, 12)
            if number > self.high:
                number -= self.step
        return round(number) if self.integer else float(number)


@dataclass(frozen=True, slots=True)
class Flag:
    """On or off."""

    def coerce(self, value: object, default: object) -> bool:
        if isinstance(value, str):
            word = value.strip().lower()
            return word in {"1", "true", "yes", "on"} if word in _FLAG_WORDS else bool(default)
        number = _number(value) if not isinstance(value, bool) else float(value)
        return bool(default) if number is None else number != 0


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few named options; a function in their place is asked when they are first needed."""

    named: tuple[str, ...] | Callable[[], tuple[str, ...]]

    @property
    def options(self) -> tuple[str, ...]:
        return self.named if isinstance(self.named, tuple) else self.named()

    def coerce(self, value: object, default: object) -> str:
        return value if isinstance(value, str) and value in self.options else str(default)


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, kept as typed: no stripping, no change of case."""

    max_length: int = 400

    def coerce(self, value: object, default: object) -> str:
        return _clean(value)[: self.max_length] if isinstance(value, str) else str(default)


@dataclass(frozen=True, slots=True)
class Words:
    """A list of words. Typed and linked as one text, separated by commas."""

    max_count: int = 40
    max_length: int = 60

    def coerce(self, value: object, default: object) -> tuple[str, ...]:
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, (list, tuple)):
            return default  # type: ignore[return-value]
        words = [_clean(word).strip()[: self.max_length] for word in value[:4096] if isinstance(word, str)]
        return tuple([word for word in words if word][: self.max_count])


@dataclass(frozen=True, slots=True)
class Vector:
    """A short list of numbers."""

    min_size: int = 2
    max_size: int = 16
    low: float = -100.0
    high: float = 100.0

    def coerce(self, value: object, default: object) -> tuple[float, ...]:
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, (list, tuple)) or not self.min_size <= len(value) <= self.max_size:
            return default  # type: ignore[return-value]
        numbers = [_number(entry) for entry in value]
        if any(number is None for number in numbers):
            return default  # type: ignore[return-value]
        return tuple(min(max(number, self.low), self.high) for number in numbers if number is not None)


Kind = Range | Flag | Choice | Text | Words | Vector


@dataclass(frozen=True, slots=True)
class Spec:
    """All that is known of one parameter but its words: those are texts of the state's owner (a lesson's id, or
    ``shared``): ``<owner>.param.<name>``, ``<owner>.tip.<name>``, ``<owner>.option.<name>.<value>``."""

    name: str
    kind: Kind
    default: Any
    unit: str = ""  # "tokens", "radians" …: the text ``unit.<unit>``
    role: str = "control"  # the colour of its slider
    clock: bool = False  # moved by the clock: no undo entry of its own, not in the form
    hidden: bool = False  # set on the stage (a picked cell), not in the form


def param(
    default: Any,
    kind: Kind | None = None,
    *,
    unit: str = "",
    role: str = "control",
    clock: bool = False,
    hidden: bool = False,
) -> Any:
    """Declare a field of a state. Without ``kind`` it follows from the default (a flag for a bool)."""
    if kind is None:
        if not isinstance(default, bool):
            raise TypeError(f"param({default!r}): only a flag's kind can be left out")
        kind = Flag()
    if isinstance(kind, Range):
        kind = dataclasses.replace(kind, integer=isinstance(default, int))
    spec = Spec("", kind, default, unit, role, clock, hidden)
    return dataclasses.field(default=default, metadata={"spec": spec})


def specs(state: type) -> tuple[Spec, ...]:
    """The parameters of a state class, in the order in which they were declared."""
    if state not in _SPECS:
        _SPECS[state] = tuple(
            dataclasses.replace(field.metadata["spec"], name=field.name)
            for field in dataclasses.fields(state)
            if "spec" in field.metadata
        )
    return _SPECS[state]


def spec(state: type, name: str) -> Spec:
    """The parameter called ``name``. Raises KeyError where the state has none."""
    for entry in specs(state):
        if entry.name == name:
            return entry
    raise KeyError(name)


def coerce(entry: Spec, value: object) -> Any:
    """A legal value for this parameter, whatever ``value`` is."""
    return entry.kind.coerce(value, entry.default)


def from_mapping(state: type[State], values: Mapping[Any, Any]) -> State:
    """A legal state from anything that has names and values; unknown names are passed over."""
    known = {entry.name: entry for entry in specs(state)}
    return state(**{name: coerce(known[name], value) for name, value in values.items() if name in known})


def to_mapping(state: Any, *, changed_only: bool = False) -> dict[str, Any]:
    """The state's values as JSON can hold them."""
    values = {entry.name: getattr(state, entry.name) for entry in specs(type(state))}
    if changed_only:
        defaults = {entry.name: entry.default for entry in specs(type(state))}
        values = {name: value for name, value in values.items() if value != defaults[name]}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def replace(state: State, **values: object) -> State:
    """The state with some values set, each made legal first."""
    legal = {name: coerce(spec(type(state), name), value) for name, value in values.items()}
    return dataclasses.replace(state, **legal)  # type: ignore[type-var]


def value_to_text(value: Any) -> str:
    """A value as a link writes it; ``coerce`` reads it back to the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(value_to_text(entry) for entry in value)
    return repr(value) if isinstance(value, float) else str(value)


def without_clock(state: State) -> State:
    """The state with the fields that the clock moves at their defaults: two states that differ only there are one
    entry of the undo list."""
    moved = {entry.name: entry.default for entry in specs(type(state)) if entry.clock}
    return dataclasses.replace(state, **moved) if moved else state  # type: ignore[type-var]


def changed(state: Any, other: Any) -> Iterable[str]:
    """The names of the parameters in which two states of one class differ."""
    return [entry.name for entry in specs(type(state)) if getattr(state, entry.name) != getattr(other, entry.name)]


_SPECS: dict[type, tuple[Spec, ...]] = {}
_FLAG_WORDS = frozenset({"1", "0", "true", "false", "yes", "no", "on", "off"})


def _number(value: object) -> float | None:
    """A finite number, or None. An integer too large for a float counts as very large."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.copysign(1.7e308, 1 if value > 0 else -1)  # type: ignore[operator]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _clean(text: str) -> str:
    """Lone surrogates can't be written to a file; everything else stays."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
