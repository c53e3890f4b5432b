"""The plane through two rows: the true angle between them, and where their cosine stands on a scale."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.similarity.arithmetic import Progress
from core.lessons.similarity.facts import Pair
from core.lessons.similarity.state import clipped, spelling_notes
from core.stage.frame import Anchor, Array, Axis, Cell, Curve, Label, Mark, Panel, Region, Segments, Vectors
from core.stage.numbers import number
from core.stage.text import text
from core.stage.theme import Role, Size

_ARC = np.linspace(0.0, math.pi, 91)
_RING = (np.cos(_ARC), np.sin(_ARC))
_WEDGE = 0.36  # radius of the angle's wedge; the longer row has length 1


def plane(pair: Pair, at: Progress, cell: Cell, choice: Segments | None = None) -> Panel:
    """The half circle through the longer row's tip; the first row lies along its diameter."""
    longest = max(*pair.lengths, 1e-300)
    one, other = (length / longest for length in pair.lengths)
    cosine, sine = (math.cos(pair.angle), math.sin(pair.angle)) if pair.defined else (0.0, 1.0)
    marks: list[Mark] = [
        Curve("ground", np.array([-1.0, 1.0]), np.zeros(2), "control", "thin"),
        Curve("ring", *_RING, "control", "thin"),
        _ticks(),
        *_scale(choice is not None),
    ]
    if pair.defined:
        marks.append(_wedge(pair.angle))
        if at.divided:
            if 0 < other < 0.97:
                x, y = np.array([other * cosine, cosine]), np.array([other * sine, sine])
                marks.append(Curve("extension", x, y, "muted", "thin", "dot"))
            marks.append(Curve("drop", np.full(2, cosine), np.array([sine, -0.08]), "muted", "line", "dash"))
            marks.append(Curve("reach", np.array([0.0, cosine]), np.full(2, -0.08), "text", "bold"))
    if 0 < one < 0.97:  # a line from the tip to the name
        marks.append(Curve("first_extension", np.array([one, 1.04]), np.zeros(2), "what", "line", "dot"))
    if one > 0:
        marks.append(_arrow("first", one, 0.0, "what"))
    if other > 0:
        marks.append(_arrow("second", other * cosine, other * sine, "text"))
    names = tuple(clipped(entry.shown, 14 if choice else 8) for entry in (pair.first, pair.second))
    marks += _names(pair, cosine, sine, names, "heading" if choice else "label")
    # A long name at the line's end needs room beside the ring.
    longest_name = max(len(names[0]), len(names[1]) if cosine > 0.35 else 0)
    right = 1.15 + (0.07 if choice else 0.13) * longest_name
    if pair.defined:
        marks.append(_angle(pair))
        if at.divided:
            marks.append(_shadow(pair, cosine, -0.22 if choice is not None else -0.13))
    return Panel(
        "plane",
        cell,
        tuple(marks),
        title="" if choice else text("similarity.panel.plane"),
        caption=_caption(pair, (one, other), names, at) if choice else "",
        x=Axis(-1.15, right),
        y=Axis(-0.42, 1.26),
        equal=True,
        choice=choice,
    )


def _caption(pair: Pair, lengths: tuple[float, float], names: tuple[str, ...], at: Progress) -> str:
    """What is true of the picture, and what its thin lines are."""
    lines = []
    if pair.defined and at.divided:
        lines.append(text("similarity.caption.drop"))
    dotted = 0 < lengths[0] < 0.97 or (0 < lengths[1] < 0.97 and pair.defined and at.divided)
    if dotted:
        lines.append(text("similarity.caption.dotted"))
    notes = [text("similarity.caption.plane"), " · ".join(lines), *spelling_notes(names)]
    return "\n".join(note for note in notes if note)


def _arrow(key: str, x: float, y: float, role: str) -> Vectors:
    zero = np.zeros(1)
    return Vectors(key, zero, zero, np.array([x]), np.array([y]), "what" if role == "what" else "text", "bold")


def _scale(large: bool) -> list[Mark]:
    """What the line below the half circle measures: −1 … 1; a small picture has no room for the numbers."""
    ends = np.array([-1.0, -1.0, 0.0, 0.0, 1.0, 1.0])
    strokes = np.tile([-0.035, 0.035], 3)
    numbers = [Label(f"scale_{k}", k, -0.1, number(k, 0), "small", "muted", "top") for k in (-1, 0, 1) if large]
    return [Curve("scale", ends, strokes, "control", "thin", breaks=(2, 4)), *numbers]


def _ticks() -> Curve:
    """A stroke on the ring every 30 degrees."""
    angles = np.arange(0, 181, 30) * math.pi / 180
    x = np.column_stack([0.97 * np.cos(angles), 1.03 * np.cos(angles)]).ravel()
    y = np.column_stack([0.97 * np.sin(angles), 1.03 * np.sin(angles)]).ravel()
    return Curve("ring_ticks", x, y, "control", "thin", breaks=tuple(range(2, len(x), 2)))


def _wedge(angle: float) -> Region:
    """The sector from the first row's direction to the second's."""
    x = np.linspace(_WEDGE * min(math.cos(angle), 0.0), _WEDGE, 49)
    circle = np.sqrt(np.maximum(_WEDGE**2 - x**2, 0.0))
    low: Array = np.zeros(len(x))
    high: Array = circle
    # Where the second row's own line, x tan(angle), bounds the sector; at a right angle it lies on x = 0.
    if angle < math.pi / 2:
        high = np.minimum(circle, x * math.tan(angle))
    elif abs(angle - math.pi / 2) > 1e-9:
        low = np.where(x < 0.0, np.clip(x * math.tan(angle), 0.0, circle), 0.0)
    return Region("wedge", x, low, high, "muted")


def _names(pair: Pair, cosine: float, sine: float, names: tuple[str, ...], size: Size) -> list[Mark]:
    x, y = 1.06 * cosine, max(1.1 * sine, 0.06)
    role: Role = "text"
    side: Anchor = "bottom" if cosine > -0.6 else "bottom right"
    if pair.lengths[1] <= 0:
        x, y, role = 0.0, 0.12, "warn"
    elif cosine > 0.35:
        # Nearly parallel arrows: the second name stays clear of the first.
        y = max(y, 0.13)
        side = "bottom left" if y < 0.2 else "left"
    return [
        Label("first_name", 1.06, 0.0, names[0], size, "what", "left", bold=True),
        Label("second_name", x, y, names[1], size, role, side, bold=True),
    ]


def _angle(pair: Pair) -> Label:
    # Between the arrows where the dashed line leaves room, else on the far side of the second one.
    middle, radius = pair.angle / 2, 0.5
    side: Anchor = "center"
    if pair.angle < math.radians(75):
        middle, side = pair.angle + math.radians(14), "right"
    x, y = radius * math.cos(middle), radius * math.sin(middle)
    return Label("angle", x, y, pair.written("angle"), "label", "text", side, bold=True)


def _shadow(pair: Pair, cosine: float, y: float) -> Label:
    written = text("similarity.shadow", cosine=pair.written("cosine"))
    at = min(max(cosine / 2 if abs(cosine) > 0.3 else cosine, -1.0), 1.0)
    return Label("shadow", at, y, written, "label", "text", "top", bold=True)
