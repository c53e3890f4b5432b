"""What all marks' items share: a mark, its place in pixels, and what a pointer meets there.

Items stand in the scene in pixels of the plot and paint themselves through its :class:`Mapping`; so text, lines and
grips need no cosmetic tricks, and a change of range is a change of the mapping.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any, ClassVar

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from core.stage.frame import ArraySource, Event, Index, Rect
from core.values import dataclass
from gui.theming import Look
from gui.view.words import cover

Lit = dict[str, frozenset[Index]]  # mark key -> indices, () for the whole
COMPARED = 5_000  # numbers: arrays up to here are compared, larger ones only by identity


@dataclass(frozen=True, slots=True)
class Mapping:
    """From panel coordinates to the plot's pixels and back. ``area`` is where the axes' extents lie."""

    area: QRectF
    x0: float
    sx: float
    y0: float
    sy: float

    def px(self, x: Any) -> Any:
        return self.x0 + self.sx * x

    def py(self, y: Any) -> Any:
        return self.y0 + self.sy * y

    def point(self, x: float, y: float) -> QPointF:
        return QPointF(self.x0 + self.sx * x, self.y0 + self.sy * y)

    def back(self, point: QPointF) -> tuple[float, float]:
        return (point.x() - self.x0) / self.sx, (point.y() - self.y0) / self.sy

    def rect(self, place: Rect) -> QRectF:
        """The place in pixels, upright whatever the y axis' direction."""
        first = self.point(place.x, place.y)
        last = self.point(place.x + place.width, place.y + place.height)
        return QRectF(first, last).normalized()


def same(a: Any, b: Any) -> bool:
    """Whether two marks draw the same: by identity, else by value where that is cheap."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.size <= COMPARED and a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())
    if isinstance(a, ArraySource):
        return same(a.values, b.values)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if dataclasses.is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))
    return bool(a == b)


class MarkItem(pg.GraphicsObject):
    """Draws one mark. Subclasses override :meth:`arrange` (places in pixels) and :meth:`draw`."""

    LAYER: ClassVar[float] = 0.0
    INTERACTIVE: ClassVar[int] = 0  # the panel's keys go to the mark with the highest number

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.mark: Any = None
        self.mapping = Mapping(QRectF(), 0.0, 1.0, 0.0, -1.0)
        self.bounds = QRectF()  # texts stay inside
        self.canvas = QRectF()  # of the whole plot, a little larger: strokes and dots at the edge are not cut
        self.lit: Lit = {}
        self.covered = False
        self.cut: list[str] = []  # texts that had to be elided
        self._rect = QRectF()

    # --- what the plot calls

    def set_mark(self, mark: Any) -> bool:
        """Take the mark; False where it draws the same as before."""
        if same(self.mark, mark):
            return False
        old, self.mark = self.mark, mark
        self.read(old)
        return True

    def set_lit(self, lit: Lit) -> None:
        own = {key: value for key, value in lit.items() if key in self.keys()}
        if own != self.lit:
            self.lit = own
            self.relit()
            self.update()

    def set_covered(self, covered: bool) -> None:
        if covered != self.covered:
            self.covered = covered
            self.update()

    def set_place(self, mapping: Mapping, bounds: QRectF, canvas: QRectF) -> None:
        self.mapping, self.bounds, self.canvas = mapping, bounds, canvas
        self.cut = []
        rect = self.arrange()
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        self.update()

    # --- what subclasses say

    def keys(self) -> tuple[str, ...]:
        """The keys that light something here."""
        return (self.mark.key,)

    def read(self, old: Any) -> None:
        """A new mark has come: prepare what does not depend on the place."""

    def relit(self) -> None:
        """What is lit has changed."""

    def arrange(self) -> QRectF:
        """Work out places in pixels; returns the rectangle that :meth:`draw` stays in."""
        return QRectF(self.canvas)

    def draw(self, painter: QPainter) -> None:
        raise NotImplementedError

    def overhang(self, mapping: Mapping) -> tuple[float, float, float, float]:
        """Pixels needed beyond the axes' extents: left, top, right, bottom."""
        return 0.0, 0.0, 0.0, 0.0

    def signature(self) -> Any:
        """What the overhang depends on."""
        return None

    def cover_rect(self) -> QRectF:
        """Where the "?" tile lies."""
        return self._rect

    def hit(self, at: QPointF) -> Index | None:
        """The index of what lies there; None: nothing of this mark."""
        return None

    def pick_key(self, index: Index) -> str:
        return self.mark.key

    def hover(self, at: QPointF) -> str:
        return ""

    def grip(self, at: QPointF) -> Any:
        """What can be dragged from there; None: nothing."""
        return None

    def dragged(self, grip: Any, at: QPointF) -> Event | None:
        return None

    def dropped(self, grip: Any, at: QPointF) -> Event | None:
        return None

    def key(self, name: str, ctrl: bool) -> Event | None:
        return None

    def is_lit(self, *index: int) -> bool:
        found = self.lit.get(self.mark.key)
        return found is not None and (() in found or index in found)

    # --- Qt

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if self.mark is None or self.canvas.isEmpty():  # or there was never room to arrange it
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        try:
            if self.covered:
                cover(painter, self.cover_rect(), self.look)
            else:
                self.draw(painter)
        except Exception:
            # One mark is missing from the picture; an exception that went on into Qt would end the program.
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        finally:
            painter.restore()


def polygon(x: Any, y: Any) -> QPolygonF:
    """Points from arrays."""
    return pg.functions.arrayToQPolygonF(np.ascontiguousarray(x, dtype=float), np.ascontiguousarray(y, dtype=float))


def rounded(painter: QPainter, rect: QRectF, radius: float, pen: QPen | Qt.PenStyle, brush: Any) -> None:
    painter.setPen(pen)
    painter.setBrush(brush)
    painter.drawRoundedRect(rect, radius, radius)
