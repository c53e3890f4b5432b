"""A round grip for mouse and arrow keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from core.stage.frame import Drag, Event, Index
from gui.view.item import MarkItem

LEAST_REACH = 12.0  # pixels: half of what a finger or an unsteady hand meets


class HandleItem(MarkItem):
    """Reports where it is dragged to; the lesson says where it stands."""

    LAYER = 5.0
    INTERACTIVE = 5

    def arrange(self) -> QRectF:
        self._radius = self.look.share(1.1)
        self._reach = max(LEAST_REACH, self._radius * 1.3)
        self._centre = self.mapping.point(self.mark.x, self.mark.y)
        side = 2 * (self._reach + 4)
        rect = QRectF(0, 0, side, side)
        rect.moveCenter(self._centre)
        return rect

    def draw(self, painter: QPainter) -> None:
        if self.is_lit() or self.property("dragging"):
            painter.setPen(QPen(self.look.soft("where", 0.5), self.look.stroke("hand")))
            painter.drawEllipse(self._centre, self._radius * 1.25, self._radius * 1.25)
        painter.setPen(QPen(self.look.ground, self.look.stroke("line")))
        painter.setBrush(self.look.colour(self.mark.role))
        painter.drawEllipse(self._centre, self._radius, self._radius)

    def grip(self, at: QPointF) -> Any:
        away = at - self._centre
        return True if max(abs(away.x()), abs(away.y())) <= self._reach else None

    def dragged(self, grip: Any, at: QPointF) -> Event | None:
        return Drag(self.mark.key, *self.mapping.back(at))

    def dropped(self, grip: Any, at: QPointF) -> Event | None:
        return Drag(self.mark.key, *self.mapping.back(at))

    def hit(self, at: QPointF) -> Index | None:
        return () if self.grip(at) else None

    def hover(self, at: QPointF) -> str:
        return self.mark.name if self.grip(at) else ""

    def key(self, name: str, ctrl: bool) -> Event | None:
        step = self.mark.step * (10 if ctrl else 1)
        ways = {"left": (-step, 0.0), "right": (step, 0.0), "up": (0.0, step), "down": (0.0, -step)}
        if name not in ways:
            return None
        x, y = ways[name]
        if self.mapping.sy > 0:
            y = -y
        return Drag(self.mark.key, self.mark.x + x, self.mark.y + y)
