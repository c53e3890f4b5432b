"""The words of a parameter: label, tip, options, value with unit. Form, command line and tests read them here."""

from __future__ import annotations

from core.stage.frame import Segments
from core.stage.numbers import count, short
from core.stage.params import Choice, Flag, Range, Spec, spec
from core.stage.text import has_text, text


def label(owner: str, entry: Spec) -> str:
    """What stands beside the control."""
    return text(f"{owner}.param.{entry.name}")


def tip(owner: str, entry: Spec) -> str:
    """What the control does, or an empty text."""
    key = f"{owner}.tip.{entry.name}"
    return text(key) if has_text(key) else ""


def option(owner: str, entry: Spec, value: str) -> str:
    """An option of a choice; where it has no text of its own, the value itself (a model's id)."""
    key = f"{owner}.option.{entry.name}.{value}"
    return text(key) if has_text(key) else value


def segments(owner: str, state: object, name: str) -> Segments:
    """A choice parameter as buttons for a panel's head."""
    entry = spec(type(state), name)
    assert isinstance(entry.kind, Choice), name
    options = tuple((value, option(owner, entry, value)) for value in entry.kind.options)
    return Segments(name, options, getattr(state, name))


def value_text(owner: str, entry: Spec, value: object) -> str:
    """A value as it is shown, with its unit."""
    if isinstance(entry.kind, Flag):
        return text("common.on" if value else "common.off")
    if isinstance(entry.kind, Choice):
        return option(owner, entry, str(value))
    if isinstance(entry.kind, Range) and isinstance(value, (int, float)):
        written = count(value) if entry.kind.integer else short(value)
        return f"{written} {text('unit.' + entry.unit)}" if entry.unit else written
    if value in ("", ()):
        return text("common.empty")
    if isinstance(value, tuple):
        return ", ".join(short(part) if isinstance(part, float) else str(part) for part in value)
    return str(value)
