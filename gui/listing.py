"""What ``volvelle list`` prints: tabs, parameters, presets."""

from __future__ import annotations

from collections.abc import Iterator

from core.lessons import lessons
from core.stage.lesson import Shared
from core.stage.numbers import count, short
from core.stage.params import Choice, Flag, Range, Spec, Text, Vector, Words, specs, value_to_text
from core.stage.text import text


def listing() -> Iterator[str]:
    """Each id at the start of a line, its parameters and presets indented below."""
    for lesson in lessons():
        yield f"{lesson.id}  {text(f'tab.{lesson.id}')}"
        for entry in specs(lesson.state):
            if not entry.clock:
                yield "    " + _line(entry)
        yield "    " + text("startup.list.presets", names=", ".join(preset.id for preset in lesson.presets))
    yield f"# {text('startup.list.every')}"
    for entry in specs(Shared):
        yield "    " + _line(entry)


def _line(entry: Spec) -> str:
    default = value_to_text(entry.default) or '""'
    return text("startup.list.line", name=entry.name, allowed=allowed(entry), default=default)


def allowed(entry: Spec) -> str:
    """What a parameter may be, in words."""
    kind = entry.kind
    if isinstance(kind, Flag):
        return text("startup.list.flag")
    if isinstance(kind, Choice):
        return " | ".join(kind.options)
    if isinstance(kind, Text):
        return text("startup.list.text", most=kind.max_length)
    if isinstance(kind, Words):
        return text("startup.list.words", most=kind.max_count)
    write = count if isinstance(kind, Range) and kind.integer else short
    low, high = write(kind.low), write(kind.high)
    if isinstance(kind, Vector):
        return text("startup.list.vector", least=kind.min_size, most=kind.max_size, low=low, high=high)
    return text("startup.list.number", low=low, high=high)
