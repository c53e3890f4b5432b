"""Every sentence that a person reads, by key. The texts lie in ``assets/strings/<language>/*.toml``.

A file's name is the first part of its keys: ``rope.toml`` holds ``rope.title``. Fields stand in braces, filled with
texts that are already formatted (see :mod:`core.stage.numbers`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

from core.tables.assets import asset

_language = "en"


def text(key: str, **fields: object) -> str:
    """The text for ``key`` with its fields filled. Raises KeyError for a key or a field that does not exist."""
    pattern = _file(_language, key.partition(".")[0])[key]
    return pattern.format(**fields) if fields else pattern.replace("{{", "{").replace("}}", "}")


def has_text(key: str) -> bool:
    """Whether there is such a text: for the few that are optional, like a control's tip."""
    return key in _file(_language, key.partition(".")[0])


def set_language(language: str) -> None:
    """``pseudo`` lengthens every text by two fifths and marks its ends: what is not translated or cut shows at once."""
    global _language
    _language = language


@cache
def _file(language: str, stem: str) -> dict[str, str]:
    """The texts of one file; none where there is no such file. Only the files that are needed are read."""
    if language == "pseudo":
        return {key: _lengthen(value) for key, value in _file("en", stem).items()}
    path = asset("strings", language) / f"{stem}.toml"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        return dict(_flat(stem, tomllib.load(file)))


def _flat(prefix: str, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """``_`` names the text of a group itself: ``[position] _ = "position"`` is ``param.position``."""
    for name, value in values.items():
        key = prefix if name == "_" else f"{prefix}.{name}"
        if isinstance(value, dict):
            yield from _flat(key, value)
        else:
            yield key, str(value)


def _lengthen(value: str) -> str:
    extra = max(1, round(0.4 * len(value) / 3))
    return "[" + value + " ūč" * extra + "]"
