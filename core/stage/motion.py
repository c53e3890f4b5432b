"""Moving from one frame to the next: what moves is what changed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from core.stage.frame import Frame, Hand, Mark, Panel, Rect

SECONDS = 0.4  # of a change of state

# Fields in which a number is a place or a length; others (row numbers, counts) jump.
_PLACES = frozenset(
    {"x", "y", "x0", "y0", "x1", "y1", "low", "high", "height", "angles", "lengths", "opacity", "size", "place"}
)


def ease(t: float) -> float:
    """Smoothstep: starts and ends at rest; 0 below 0, 1 above 1."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


REST = 0.6  # share of a beat for which what walks stands still and can be read
_JITTER = 1e-6  # what adding up time steps may leave short of a whole beat


def beats(travel: float) -> tuple[int, float]:
    """Whole beats that the clock has moved, and the part 0 ≤ part < 1 of the next one."""
    whole = math.floor(travel + _JITTER)
    return whole, max(travel - whole, 0.0)


def sweep(part: float) -> float:
    """How far a walk has come within a beat: it rests, then moves to the next place, 0 … 1."""
    return ease((part - REST) / (1.0 - REST))


def blend(old: Frame, new: Frame, t: float) -> Frame:
    """The frame between: marks of the same key, kind and shape move, all else is the new one's. t = 1 is ``new``.

    Where a panel's axes are others than before, a place means something else, and nothing moves.
    """
    if t >= 1.0:
        return new
    axes = {panel.key: _extents(panel) for panel in new.panels}
    before = {(panel.key, mark.key): mark for panel, mark in old.marks() if axes.get(panel.key) == _extents(panel)}
    share = ease(t)
    panels = []
    for panel in new.panels:
        marks = tuple(_mark(before.get((panel.key, mark.key)), mark, share) for mark in panel.marks)
        same = all(a is b for a, b in zip(marks, panel.marks, strict=True))
        panels.append(panel if same else dataclasses.replace(panel, marks=marks))
    return dataclasses.replace(new, panels=tuple(panels))


def moves(old: Frame | None, new: Frame) -> bool:
    """Whether anything would move between the two: the same panels, with a mark that stands elsewhere."""
    if old is None or [panel.key for panel in old.panels] != [panel.key for panel in new.panels]:
        return False
    between = blend(old, new, 0.5)
    return any(a is not b for a, b in zip(between.panels, new.panels, strict=True))


def _extents(panel: Panel) -> tuple[float | bool, ...]:
    return panel.x.low, panel.x.high, panel.y.low, panel.y.high, panel.equal, panel.invert_y


def _mark(old: Any, new: Mark, share: float) -> Any:
    if type(old) is not type(new):
        return new
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(new):
        a, b = getattr(old, field.name), getattr(new, field.name)
        if a is b:
            continue
        if field.name == "hands":
            hands = _hands(a, b, share)
            if hands is not b:
                changed["hands"] = hands
        elif field.name in _PLACES:
            between = _turn(a, b, share) if field.name == "angles" else _between(a, b, share)
            if between is not b:
                changed[field.name] = between
    return dataclasses.replace(new, **changed) if changed else new


def _hands(old: tuple[Hand, ...], new: tuple[Hand, ...], share: float) -> tuple[Hand, ...]:
    before = {hand.key: hand for hand in old}
    hands = tuple(_mark(before.get(hand.key), hand, share) for hand in new)  # type: ignore[arg-type]
    return new if all(a is b for a, b in zip(hands, new, strict=True)) else hands


def _turn(a: Any, b: Any, share: float) -> Any:
    """Hands take the short way round."""
    if a.shape != b.shape or np.array_equal(a, b):
        return b
    way = np.remainder(b - a + np.pi, 2 * np.pi) - np.pi
    return b - way * (1.0 - share)


def _between(a: Any, b: Any, share: float) -> Any:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.shape != b.shape or np.array_equal(a, b):
            return b
        return a + (b - a) * share
    if isinstance(a, Rect) and isinstance(b, Rect):
        if a == b:
            return b
        pairs = zip(dataclasses.astuple(a), dataclasses.astuple(b), strict=True)
        return Rect(*(x + (y - x) * share for x, y in pairs))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and a != b:
        return a + (b - a) * share
    return b


def panel_of(frame: Frame, key: str) -> Panel:
    """The panel with this key. Raises KeyError where there is none."""
    for panel in frame.panels:
        if panel.key == key:
            return panel
    raise KeyError(key)
