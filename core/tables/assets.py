"""Finds the files that ship with the program: beside ``core/`` in a checkout, inside it in an installed wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.tables.messages import TableError

_CORE = Path(__file__).resolve().parent.parent


@cache
def _roots() -> tuple[Path, ...]:
    # The wheel carries the assets as core/assets; a checkout keeps them at the top, beside core.
    return tuple(root for root in (_CORE / "assets", _CORE.parent / "assets") if root.is_dir())


def asset(*parts: str) -> Path:
    """The path of a shipped file or folder, for example ``asset("tables", "glove", "words.txt")``.

    Raises TableError ("asset_missing") where it is not there, and for parts that lead outside the assets.
    """
    name = "/".join(parts)
    for root in _roots():
        path = root.joinpath(*parts)
        if path.is_relative_to(root) and ".." not in path.parts and path.exists():
            return path
    raise TableError("asset_missing", name=name or "assets")
