"""Rings around cells of a matrix: seen on every colour, thin where cells are small, clear of the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.stage.theme import Role
from core.values import dataclass
from gui.theming import Look

THINNEST = 1.5  # pixels


def width(look: Look, cell: tuple[float, float]) -> float:
    """A ring's width around cells of this size: it leaves the neighbours to be seen."""
    return min(look.stroke("bold"), max(THINNEST, 0.14 * min(cell)))


def edge(look: Look, cell: tuple[float, float]) -> float:
    """Of the ground's colour, on both sides of a ring."""
    return min(max(1.0, look.stroke("thin")), 0.7 * width(look, cell))


def reach(look: Look, cell: tuple[float, float]) -> float:
    """How far a ring stands into a cell."""
    return width(look, cell) / 2 + edge(look, cell)


@dataclass(frozen=True, slots=True)
class Ring:
    """One ring on a box's edge. ``lit``: a term of the arithmetic points there."""

    box: QRectF
    role: Role
    lit: bool = False


def draw(painter: QPainter, look: Look, cell: tuple[float, float], rings: Sequence[Ring], radius: float = 0.0) -> None:
    """All their pale (or dark) edges first. ``radius``: of rounded cells."""
    wide = width(look, cell)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ground in (True, False):
        for ring in rings:
            colour: QColor = look.ground if ground else look.colour(ring.role)
            # What is lit is stronger, outwards: the numbers stay clear.
            stroke = wide * (1.6 if ring.lit else 1.0)
            painter.setPen(QPen(colour, stroke + (2 * edge(look, cell) if ground else 0.0)))
            # On the line between the cells; around what is hardly wider than the ring outside of it.
            thin = not radius and min(ring.box.width(), ring.box.height()) < 4 * wide
            out = stroke / 2 if thin else (stroke - wide) / 2
            painter.drawRoundedRect(ring.box.adjusted(-out, -out, out, out), radius or wide, radius or wide)
