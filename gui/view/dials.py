"""Dials with hands: rings and ticks once, all hands of a kind in one call."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPainterPath, QPen, QPixmap

from core.stage.frame import Drag, Event, Index, Key, Pick
from gui.theming import Look
from gui.view import words
from gui.view.item import MarkItem

BIG = 15.0  # per cent of the window's height: larger dials have hands as wide as the theme's, with tips to hold
SHARE = 0.86  # of its cell that a small dial fills
WEDGE = 0.48  # of the radius
HUB = 3.0  # per cent of the height: smaller dials have no hub
NARROW, OUTER = 0.45, 0.34  # radians: a wedge narrower than this is marked from outside, by arcs so long
STAMPED = 12  # dials: from here on their rings are stamped


class DialsItem(MarkItem):
    """Dials of equal size; the hands of a big one can be dragged."""

    LAYER = 2.0
    INTERACTIVE = 3

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._centres = np.zeros((0, 2))
        self._radius = 1.0
        self._ticks: list[QLineF] = []
        self._texts: list[tuple[QRectF, str, Any]] = []

    def keys(self) -> tuple[str, ...]:
        return (self.mark.key, *(hand.key for hand in self.mark.hands))

    def arrange(self) -> QRectF:
        mark = self.mark
        count = max((len(hand.angles) for hand in mark.hands), default=len(mark.labels))
        box = self.mapping.rect(mark.place)
        columns = max(1, min(mark.columns, count))
        rows = max(1, -(-count // columns))
        self._font = self.look.font("small")
        label = words.height(self._font) if any(mark.labels) else 0.0
        wide, high = box.width() / columns, box.height() / rows
        single = count == 1
        ring = self.look.stroke("thin") if min(wide, high) < self.look.share(BIG) else self.look.stroke("line")
        self._radius = max(2.0, min(wide, high - label) / 2 * (1.0 if single else SHARE) - ring / 2)
        self._ring_width = ring
        self.big = 2 * self._radius > self.look.height * BIG / 100
        number = np.arange(count)
        self._centres = np.stack(
            [
                box.left() + (number % columns + 0.5) * wide,
                box.top() + (number // columns + 0.5) * high - label / 2,
            ],
            -1,
        )
        if not single:
            self._centres = np.rint(self._centres)  # so that one picture of a ring serves for all
        self._lay_ticks()
        self._texts = []
        for index, text in enumerate(mark.labels[:count]):
            font, shown = words.fit(text, self._font, wide, self.look.least)
            if shown != text:
                self.cut.append(text)
            x, y = self._centres[index]
            self._texts.append((QRectF(x - wide / 2, y + self._radius + ring, wide, label), shown, font))
        self._tips = {hand.key: self._tip(hand) for hand in mark.hands}
        self._shifts = self._apart()
        return box.adjusted(-ring - 8, -ring - 8, ring + 8, ring + 8) & self.canvas

    def _lay_ticks(self) -> None:
        r = self._radius
        self._ticks = []
        if self.mark.ticks > 0:
            turn = 2 * np.pi * np.arange(self.mark.ticks) / self.mark.ticks
            quarter = np.isclose(np.mod(turn, np.pi / 2), 0) | np.isclose(np.mod(turn, np.pi / 2), np.pi / 2)
            inner = np.where(quarter, 0.91, 0.95) * r
            for x, y in self._centres.tolist():
                for cos, sin, start in zip(np.cos(turn).tolist(), np.sin(turn).tolist(), inner.tolist(), strict=True):
                    self._ticks.append(QLineF(x + cos * start, y - sin * start, x + cos * r, y - sin * r))

    def _tip(self, hand: Any) -> np.ndarray:
        angles = np.asarray(hand.angles, float)
        length = self._radius * (0.85 if hand.lengths is None else np.asarray(hand.lengths, float))
        towards = np.stack([np.cos(angles), -np.sin(angles)], -1)
        return self._centres[: len(angles)] + towards * np.reshape(length, (-1, 1))

    def _apart(self) -> dict[str, np.ndarray]:
        """How far each hand is moved sideways, (dials, 2) pixels: hands that would hide one another lie side
        by side."""
        shifts = {hand.key: np.zeros((len(hand.angles), 2)) for hand in self.mark.hands}
        wide = self._hand_width()
        near = 1.6 * wide / (0.8 * self._radius)  # radians: where their tips begin to overlap
        for number, first in enumerate(self.mark.hands):
            for second in self.mark.hands[number + 1 :]:
                n = min(len(first.angles), len(second.angles))
                a, b = np.asarray(first.angles, float)[:n], np.asarray(second.angles, float)[:n]
                turn = np.remainder(a - b + np.pi, 2 * np.pi) - np.pi
                by = 0.55 * wide * np.clip(1 - np.abs(turn) / near, 0.0, 1.0) * np.where(turn < 0, -1.0, 1.0)
                middle = b + turn / 2
                across = np.stack([-np.sin(middle), -np.cos(middle)], -1) * by[:, None]
                shifts[first.key][:n] += across
                shifts[second.key][:n] -= across
        return shifts

    def _hand_width(self) -> float:
        return self.look.stroke("hand") if self.big else max(1.5, 0.08 * 2 * self._radius)

    def draw(self, painter: QPainter) -> None:
        look, mark = self.look, self.mark
        self._draw_rings(painter)
        if self._ticks:
            painter.setPen(QPen(look.colour("control"), self._ring_width))
            painter.drawLines(self._ticks)
        self._draw_marked(painter)
        if mark.wedge is not None:
            self._draw_wedges(painter)
        wide = self._hand_width()
        for hand in mark.hands:
            self._draw_hand(painter, hand, wide)
        if self.big or self._radius > look.share(HUB):
            # Where hands are drawn side by side, it holds them together.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("text"))
            for x, y in self._centres.tolist():
                painter.drawEllipse(QPointF(x, y), wide, wide)
        for index, (rect, text, font) in enumerate(self._texts):
            ink = look.colour("where" if index == mark.picked else "muted")
            words.write(painter, rect, text, font, ink, words.CENTRE)

    def _draw_rings(self, painter: QPainter) -> None:
        """One ellipse each: a path of all rings takes Qt ten times as long, stamping a picture a tenth."""
        look, r = self.look, self._radius
        raster = painter.paintEngine().type() is QPaintEngine.Type.Raster
        stamps = raster and len(self._centres) > STAMPED and painter.device().devicePixelRatioF() == 1.0
        for faint in (False, True):
            centres = [QPointF(*c) for i, c in enumerate(self._centres.tolist()) if (i in self.mark.faint) is faint]
            if not centres:
                continue
            pen = QPen(look.colour("line" if faint else "control"), self._ring_width)
            if stamps:
                picture = _ring(r, self._ring_width, pen.color().rgba(), look.ground.rgba())
                half = QPointF(picture.width() / 2, picture.height() / 2)
                for centre in centres:
                    painter.drawPixmap(centre - half, picture)
                continue
            painter.setPen(pen)
            painter.setBrush(look.ground)
            for centre in centres:
                painter.drawEllipse(centre, r, r)

    def _draw_marked(self, painter: QPainter) -> None:
        marked = [(self.mark.picked, "where", "bold")] if 0 <= self.mark.picked < len(self._centres) else []
        if self.mark.key in self.lit:
            marked += [(i, "where", "hand") for i in range(len(self._centres)) if self.is_lit(i)]
        for index, role, width in marked:
            painter.setPen(QPen(self.look.colour(role), self.look.stroke(width)))  # type: ignore[arg-type]
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*self._centres[index]), self._radius, self._radius)

    def _draw_hand(self, painter: QPainter, hand: Any, wide: float) -> None:
        look, tips = self.look, self._tips[hand.key]
        colour = look.colour(hand.role)
        lit = self.lit.get(hand.key)
        shifts = self._shifts[hand.key]
        tips = tips + shifts
        pairs = list(zip((self._centres[: len(tips)] + shifts).tolist(), tips.tolist(), strict=False))
        if lit is not None:
            halo = QPen(look.soft("where", 0.4), wide * 2.8)
            halo.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(halo)
            painter.drawLines([QLineF(*a, *b) for i, (a, b) in enumerate(pairs) if () in lit or (i,) in lit])
        strong = [QLineF(*a, *b) for i, (a, b) in enumerate(pairs) if i not in self.mark.faint]
        faint = [QLineF(*a, *b) for i, (a, b) in enumerate(pairs) if i in self.mark.faint]
        pen = QPen(colour, wide)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLines(strong)
        if faint:
            painter.setPen(QPen(look.colour("control"), wide * 0.7))
            painter.drawLines(faint)
        if self.big:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            r = wide * 1.75
            for x, y in tips.tolist():
                painter.drawEllipse(QPointF(x, y), r, r)

    def _draw_wedges(self, painter: QPainter) -> None:
        by_key = {hand.key: hand for hand in self.mark.hands}
        first, second = by_key.get(self.mark.wedge[0]), by_key.get(self.mark.wedge[1])
        if first is None or second is None:
            return
        look, r = self.look, self._radius * WEDGE
        arc = QPen(look.colour("where"), look.stroke("thin") * (1.6 if self.big else 1.0))
        arc.setCapStyle(Qt.PenCapStyle.FlatCap)
        for (x, y), a, b in zip(
            self._centres.tolist(), np.asarray(first.angles).tolist(), np.asarray(second.angles).tolist(), strict=False
        ):
            span = float(np.degrees(a - b))
            if abs(span) > 360:
                span = float(np.fmod(span, 360))
            box, start = QRectF(x - r, y - r, 2 * r, 2 * r), float(np.degrees(b))
            path = QPainterPath(QPointF(x, y))
            path.arcTo(box, start, span)
            path.closeSubpath()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.soft("where", 0.18 if look.theme.dark else 0.16))
            painter.drawPath(path)
            edge = QPainterPath()
            edge.arcMoveTo(box, start)
            edge.arcTo(box, start, span)
            painter.setPen(arc)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(edge)
            if self.big and 0 < abs(np.radians(span)) < NARROW:
                self._draw_outer_arcs(painter, QPointF(x, y), r, np.radians(start), np.radians(start + span))

    def _draw_outer_arcs(self, painter: QPainter, centre: QPointF, r: float, a: float, b: float) -> None:
        """Too narrow to be seen as an area: arrows that point at both hands, as on a workshop drawing."""
        low, high = min(a, b), max(a, b)
        box = QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r)
        head = self.look.share(1.1)
        margin = 0.8 * self._hand_width() / r
        path = QPainterPath()
        for at, way in ((high + margin, 1.0), (low - margin, -1.0)):
            path.arcMoveTo(box, float(np.degrees(at)))
            path.arcTo(box, float(np.degrees(at)), float(np.degrees(way * OUTER)))
            tip = QPointF(centre.x() + r * np.cos(at), centre.y() - r * np.sin(at))
            along = at + way * np.pi / 2  # away from the hands
            for turn in (-0.45, 0.45):
                path.moveTo(tip)
                path.lineTo(tip + QPointF(head * np.cos(along + turn), -head * np.sin(along + turn)))
        painter.drawPath(path)

    def _dial_at(self, at: QPointF) -> int | None:
        if not len(self._centres):
            return None
        away = np.hypot(self._centres[:, 0] - at.x(), self._centres[:, 1] - at.y())
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= self._radius else None

    def hit(self, at: QPointF) -> Index | None:
        found = self._dial_at(at)
        return None if found is None else (found,)

    def hover(self, at: QPointF) -> str:
        found = self._dial_at(at)
        return str(self.mark.labels[found]) if found is not None and found < len(self.mark.labels) else ""

    def grip(self, at: QPointF) -> Any:
        if not self.big:
            return None
        reach = max(14.0, self._hand_width() * 2.6)
        for hand in reversed(self.mark.hands):
            for x, y in self._tips[hand.key].tolist():
                if np.hypot(x - at.x(), y - at.y()) <= reach:
                    return hand.key
        return None

    def dragged(self, grip: Any, at: QPointF) -> Event | None:
        return Drag(grip, *self.mapping.back(at))

    def dropped(self, grip: Any, at: QPointF) -> Event | None:
        return Drag(grip, *self.mapping.back(at))

    def key(self, name: str, ctrl: bool) -> Event | None:
        if name == "enter":
            return Pick(self.mark.key, (max(0, self.mark.picked),))
        return Key(self.mark.key, name)

    def cover_rect(self) -> QRectF:
        return self.mapping.rect(self.mark.place) & self.canvas


@lru_cache(maxsize=32)
def _ring(radius: float, width: float, line: int, fill: int) -> QPixmap:
    """A dial's ring, its centre on a pixel's corner."""
    side = 2 * int(np.ceil(radius + width))
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(line), width))
    painter.setBrush(QColor.fromRgba(fill))
    painter.drawEllipse(QPointF(side / 2, side / 2), radius, radius)
    painter.end()
    return picture
