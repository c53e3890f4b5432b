"""The lessons: one folder, one tab; its ``lesson.py`` says what the tab is, loaded when it is first wanted."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from core.stage.lesson import Lesson

IDS: tuple[str, ...] = (
    "lookup",
    "similarity",
    "training",
    "order",
    "positions",
    "rope",
    "extension",
    "alibi",
    "compare",
    "pipeline",
)


@cache
def lesson(lesson_id: str) -> Lesson:
    """The lesson with this id. Raises KeyError where there is none."""
    if lesson_id not in IDS:
        raise KeyError(lesson_id)
    found: Lesson = import_module(f"core.lessons.{lesson_id}.lesson").LESSON
    return found


def lessons() -> tuple[Lesson, ...]:
    """All of them, in the order of the tabs."""
    return tuple(lesson(lesson_id) for lesson_id in IDS)
