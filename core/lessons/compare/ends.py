"""The curves' ends: what of a steep one is on the axis, and where each name stands."""

from __future__ import annotations

import numpy as np

from core.lessons.compare.schemes import SCHEMES
from core.lessons.compare.words import name_of, said
from core.stage.frame import Array, Curve, Mark
from core.stage.theme import Role
from core.values import dataclass

LEAST_SHOWN = 0.25  # of the axis: a steep line of which less is on it would be a stub
LEADER = (1.012, 1.05)  # from where to where, in spans, a thin line leads from a curve's end to its name
APART = 0.08  # of the panel's height, from name to name


@dataclass(frozen=True)
class Curves:
    """(span + 1,) scores of each scheme at distances 0 … span; None where the query has no row."""

    of: dict[str, Array | None]
    low: float
    high: float


def on_axis(values: Array, low: float, high: float) -> tuple[Array, Array]:
    """(m,) distances and scores of the part of a curve from low to high; empty where that would be but a stub."""
    inside = np.flatnonzero((values >= low) & (values <= high))
    if len(inside) < LEAST_SHOWN * len(values):
        return np.empty(0), np.empty(0)
    first, last = int(inside[0]), int(inside[-1])
    x, y = np.arange(first, last + 1.0), values[first : last + 1]
    for at, outside in ((0, first - 1), (len(x), last + 1)):  # it reaches the edge itself
        if 0 <= outside < len(values):
            near = first if outside < first else last
            edge = high if values[outside] > high else low
            part = (edge - values[near]) / (values[outside] - values[near])
            x, y = np.insert(x, at, near + part * (outside - near)), np.insert(y, at, edge)
    return x, y


def leaves(found: Curves, scheme: str) -> str:
    """Where a curve goes that does not come to its end on the axis, ``above`` or ``below``; "" where it does."""
    values = found.of[scheme]
    if values is None:
        return ""
    x, _ = on_axis(values, found.low, found.high)
    if len(x) and x[-1] == len(values) - 1:
        return ""
    return "above" if values.max() > found.high else "below"


def names(found: Curves, chosen: str, span: int) -> list[Mark]:
    """The schemes' names right of the curves' ends, apart from one another, each at the end of a thin line."""
    wanted: list[tuple[float, str]] = []
    for scheme in SCHEMES:
        values, off = found.of[scheme], leaves(found, scheme)
        if values is not None:
            wanted.append(({"above": found.high, "below": found.low}.get(off, float(values[-1])), scheme))
    wanted.sort()
    marks: list[Mark] = []
    for (end, scheme), y in zip(wanted, spread([end for end, _ in wanted], found.low, found.high), strict=True):
        off = leaves(found, scheme)
        name = said(f"distance.{off}", name=name_of(scheme)) if off else name_of(scheme)
        x, start = (LEADER[1], y) if off else (LEADER[0], end)  # what left the axis has no end to lead from
        points = np.array([x, LEADER[1]]) * span, np.array([start, y])
        role: Role = "where" if scheme == chosen else "muted"
        marks.append(Curve(f"name_{scheme}", *points, role, "thin", name=name))
    return marks


def spread(ends: list[float], low: float, high: float) -> list[float]:
    """Ascending places, at least ``APART`` of the axis from one another, as near to the ends as they can be."""
    gap = APART * (high - low)
    pools: list[tuple[float, int]] = []  # neighbours that touch share the mean of what they want
    for at, end in enumerate(ends):
        wanted, size = end - at * gap, 1
        while pools and pools[-1][0] > wanted:
            mean, others = pools.pop()
            wanted, size = (wanted * size + mean * others) / (size + others), size + others
        pools.append((wanted, size))
    last = max(high - (len(ends) - 1) * gap, low)
    wants = [min(max(mean, low), last) for mean, size in pools for _ in range(size)]
    return [want + at * gap for at, want in enumerate(wants)]
