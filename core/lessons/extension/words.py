"""What the pages of Longer context share: texts, the panel with the pages' buttons, and how its numbers are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from core.lessons.extension import configs
from core.lessons.extension.scene import Scene
from core.lessons.extension.state import ExtensionState
from core.stage.frame import Axis, Cell, Mark, Panel
from core.stage.numbers import count, number, short, shown
from core.stage.text import text
from core.stage.words import segments
from core.tables.models import Unknown


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"extension.{key}", **fields)


def big_panel(state: ExtensionState, cell: Cell, marks: Sequence[Mark], x: Axis, y: Axis, **more: Any) -> Panel:
    """The large picture, with the buttons for the pages at its head."""
    return Panel("big", cell, tuple(marks), choice=segments("extension", state, "page"), x=x, y=y, **more)


def method_name(method: str) -> str:
    """As it begins a sentence."""
    return said(f"name.{method}")


def subtitle(scene: Scene, scaled: bool = False) -> str:
    """What the method does, its short name spelled out; and whose numbers these are. ``scaled``: the page shows what
    becomes of the scores too."""
    found = configs.entry(scene.config)
    what = said("subtitle.yarn_scaled" if scaled and scene.method == "yarn" else f"subtitle.{scene.method}")
    if found is None:
        return what
    two_bases = not isinstance(found.rope_theta_local, Unknown)
    name = said("global_layers", name=found.name) if two_bases else found.name
    if scene.assumed:
        return said("subtitle.assumed", name=name, trained=count(scene.trained))
    return f"{name}. {what}"


def zone_name(scene: Scene, zone: str) -> str:
    """A zone in a word. A raised base slows pair by pair: its last pair is divided by no set factor. Searched divisors
    blend nothing: they are under the factor, or not."""
    if scene.method == "longrope" and zone != "keep":
        return said("zone.under" if zone == "blend" else "zone.over", n=short(scene.stretch, 1))
    if scene.method not in ("ntk", "dynamic") or zone == "keep":
        return said(f"zone.{zone}")
    if zone == "divide":
        return said("zone.most", n=times(float(scene.slowdown[-1])))
    return said("zone.slowed")


def with_source(caption: str, config: str) -> str:
    """A caption, and where a chosen model's numbers were read."""
    return " ".join(part for part in (caption, source_text(config)) if part)


def source_text(config: str) -> str:
    """Where a chosen model's numbers were read, shortly; "" for one's own."""
    found = configs.entry(config)
    if found is None:
        return ""
    first = found.source[0]
    where = first.package if isinstance(first.repo, Unknown) else first.repo
    return said("source" if len(found.source) > 1 else "source_one", where=where, n=len(found.source) - 1)


def written(value: float) -> str:
    """A positive number with four significant digits: ``1``, ``0.3162``, ``0.00003162``, ``62,830``."""
    decimals = 3 - math.floor(math.log10(value)) if value > 0 else 3
    return short(round(value, decimals), max(0, decimals))


def small(value: float, decimals: int, digits: int = 2) -> str:
    """A number with these decimals, or as many more as show so many digits of it: ``57.3``, ``0.0053``."""
    return number(value, max(decimals, digits_of(value, digits)))


def digits_of(value: float, digits: int) -> int:
    """How many decimals show so many digits of a positive number."""
    return digits - 1 - math.floor(math.log10(value)) if value > 0 else 0


def times(value: float) -> str:
    """How many times slower: ``1``, ``2.85``, ``47``; ``1.0001`` where that is not nothing."""
    for decimals in range(2, 9):
        written_out = short(value, decimals if value < 10 else 1 if value < 100 else 0)
        if written_out != "1" or abs(value - 1) < 1e-9:
            return written_out
    return "1"


def running(value: float, decimals: int = 3) -> str:
    """A number that changes while the text grows: whole, or with all its decimals, so that it keeps its width."""
    return count(value) if abs(value - round(value)) < 1e-9 else number(value, decimals)


def tokens(length: float) -> str:
    """A length in tokens, or a place between two: ``6.28``, ``112``, ``3,000``, ``3,000.25``."""
    if length == round(length):
        return count(length)
    return number(length, 2 if length < 10 else 1 if length < 100 else 0)


def place(position: float) -> str:
    """A position as it acts: whole, or with two decimals."""
    return short(position, 2) if abs(position - round(position)) > 1e-9 else count(position)


def equals(from_shown: float, true: float, decimals: int = 3) -> str:
    """ "=" where the arithmetic with printed numbers gives the printed result, else "≈"."""
    return "=" if number(from_shown, decimals) == number(true, decimals) else "≈"


def exactly(value: float, by_hand: float | None = None) -> str:
    """ "=" where three decimals hold all of the value (and the printed numbers give it), else "≈"."""
    close = abs(value - shown(value)) < 1e-9 and (by_hand is None or abs(by_hand - value) < 1e-9)
    return "=" if close else "≈"


def factor_text(value: float, *products: tuple[float, int]) -> str:
    """A factor with four digits, or as many more as its products need: each (other factor, decimals) then comes out as
    it is written."""
    decimals = max(0, 3 - math.floor(math.log10(abs(value))))
    for more in range(7):
        at = decimals + more
        if all(number(other * shown(value, at), d) == number(other * value, d) for other, d in products):
            return short(value, at)
    return short(value, decimals + 6)


def divisor_text(slow: float, position: float) -> str:
    """How many times slower, with the digits from which the position over it comes out as it is written."""
    for decimals in range(2, 7):
        if place(position / shown(slow, decimals)) == place(position / slow):
            return short(slow, decimals)
    return short(slow, 6)


def as_shown(written_number: str) -> float:
    """The number that a person reads."""
    return float(written_number.replace(",", "").replace("−", "-"))


def turns_text(turns: float) -> str:
    """An angle for a lecturer: degrees below one turn, else turns."""
    if turns < 1:
        return said("degrees", n=small(360 * turns, 1 if turns < 0.1 else 0))
    return said("turns", n=short(turns, 1 if turns < 100 else 0))
