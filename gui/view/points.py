"""Dots with labels that never cross, and bars."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from core.stage.frame import Event, Index, Key, Pick
from gui.theming import Look
from gui.view import words
from gui.view.item import Mapping, MarkItem, polygon

DOT = 1.05  # diameter, per cent of the height
LABELLED = 300  # labels that are tried
HALOED = 64  # labels with a halo: more are a cloud, where it would only cost time
LED = 24  # labels of which each is found a place, if need be at the end of a line from its dot
HALO = 0.5  # per cent of the height


class PointsItem(MarkItem):
    """Dots of one role; picked ones are larger and keep their labels."""

    LAYER = 3.0
    INTERACTIVE = 1

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.font = look.font("small")
        self.bold = look.font("label", bold=True)
        self._at = np.zeros((0, 2))
        self._labels: list[tuple[QRectF, str, bool]] = []
        self._leaders: list[QLineF] = []

    def arrange(self) -> QRectF:
        mark = self.mark
        self._at = np.stack(
            [self.mapping.px(np.asarray(mark.x, float)), self.mapping.py(np.asarray(mark.y, float))], -1
        ).reshape(-1, 2)
        self._dot = self.look.share(DOT) * mark.size
        picked = [i for i in mark.picked if 0 <= i < len(self._at)]
        plain = np.ones(len(self._at), bool)
        plain[picked] = False
        self._picked = picked
        self._plain = polygon(*self._at[plain].T) if plain.any() else None
        self._place_labels()
        if len(self._at) == 0:
            return QRectF()
        reach = self._dot * 1.7 + 6
        low, high = self._at.min(0), self._at.max(0)
        rect = QRectF(QPointF(*low), QPointF(*high)).adjusted(-reach, -reach, reach, reach)
        for box, _, _ in self._labels:
            rect |= box
        return rect & self.canvas

    def _place_labels(self) -> None:
        self._labels, self._leaders = [], []
        texts = self.mark.labels
        if not texts:
            return
        order = [*self._picked, *(i for i in range(min(len(texts), LABELLED)) if i not in self._picked)]
        order = [i for i in order if i < min(len(texts), len(self._at)) and texts[i]]
        # Labels keep off the dots too, as far as there are few enough to care; better with room for their halo.
        r = self._dot / 2
        halo = self.look.share(HALO) if len(order) <= HALOED else 0.0
        dots = [QRectF(x - r, y - r, 2 * r, 2 * r) for x, y in self._at[:LABELLED].tolist()]
        wide = [dot.adjusted(-halo, -halo, halo, halo) for dot in dots] if halo else dots
        names: list[QRectF] = []
        for index in order:
            bold = index in self._picked
            font = self.bold if bold else self.font
            font, text = words.fit(texts[index], font, self.bounds.width() * 0.5, self.look.least)
            w, h = words.width(font, text), words.height(font) * 0.86
            at = QPointF(*self._at[index])
            gap = self._dot * (1.0 if bold else 0.6) + 3
            near = self._near(at, w, h, gap, bold)
            # Its own dot lies within the halo's reach.
            others = wide[:index] + wide[index + 1 :] if halo else dots
            box = _free(near, names, others)
            if box is None and halo:
                box = _free(near, names, dots)
            if box is None and len(order) <= LED:
                box = _free(self._far(at, w, h, gap), names, wide)
                if box is not None:
                    self._leaders.append(_leader(at, box, self._dot))
            if box is None and bold:
                # On a dot rather than on another name.
                box = _free(near, names, []) or words.inside(near[0], self.bounds)
            if box is not None:
                names.append(box)
                self._labels.append((box, text, bold))

    def _near(self, at: QPointF, w: float, h: float, gap: float, bold: bool) -> list[QRectF]:
        """Places for a label beside its dot, inside the bounds; a picked name looks a little further away too."""
        x, y = at.x(), at.y()
        boxes = [
            QRectF(x + gap, y - h / 2, w, h),
            QRectF(x - gap - w, y - h / 2, w, h),
            QRectF(x - w / 2, y - gap - h, w, h),
            QRectF(x - w / 2, y + gap, w, h),
        ]
        for away in (0.75 * gap, 2.5 * gap) if bold else (0.75 * gap,):
            boxes += _corners(at, w, h, away)
        return list(filter(self.bounds.contains, boxes)) or boxes[:1]

    def _far(self, at: QPointF, w: float, h: float, gap: float) -> list[QRectF]:
        """Places at the end of a line from the dot."""
        boxes = []
        for away in (2.5 * gap, 4.5 * gap, 7.0 * gap):
            boxes += _corners(at, w, h, away)
            boxes += [QRectF(left, at.y() - h / 2, w, h) for left in (at.x() + away, at.x() - away - w)]
        return list(filter(self.bounds.contains, boxes))

    def draw(self, painter: QPainter) -> None:
        colour = self.look.colour(self.mark.role)
        lit = [i for i in range(len(self._at)) if self.is_lit(i)] if self.lit else []
        for index in lit:
            painter.setPen(QPen(self.look.colour("where"), self.look.stroke("line")))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*self._at[index]), self._dot * 1.15 + 3, self._dot * 1.15 + 3)
        shape = self.mark.shape
        if self._plain is not None and shape != "none":
            if shape in ("disc", "square"):
                pen = QPen(colour, self._dot)
                round_cap = shape == "disc"
                pen.setCapStyle(Qt.PenCapStyle.RoundCap if round_cap else Qt.PenCapStyle.SquareCap)
                painter.setPen(pen)
                painter.drawPoints(self._plain)
            else:
                self._shapes(painter, list(self._plain), self._dot)
        if self._picked and shape != "none":
            ground = QPen(self.look.panel, self.look.stroke("line"))
            for index in self._picked:
                at, r = QPointF(*self._at[index]), self._dot * 0.85
                if shape == "disc":
                    painter.setPen(ground)
                    painter.setBrush(colour)
                    painter.drawEllipse(at, r + ground.widthF() / 2, r + ground.widthF() / 2)
                else:
                    self._shapes(painter, [at], self._dot * 1.6, filled=shape == "square")
        fonts = [self.bold if bold else self.font for _, _, bold in self._labels]
        if len(self._labels) <= HALOED:
            for (box, text, _), font in zip(self._labels, fonts, strict=True):
                words.halo(painter, box, text, font, self.look.panel, self.look.share(HALO))
        if self._leaders:  # above the halos: another name's must not cut them
            painter.setPen(QPen(self.look.colour("muted"), self.look.stroke("thin")))
            painter.drawLines(self._leaders)
        for (box, text, bold), font in zip(self._labels, fonts, strict=True):
            ink = colour if bold else self.look.colour("muted" if self._picked else "text")
            words.write(painter, box, text, font, ink, words.CENTRE)

    def _shapes(self, painter: QPainter, points: list[QPointF], size: float, filled: bool = False) -> None:
        path, r = QPainterPath(), size * 0.55
        for p in points:
            if self.mark.shape == "ring":
                path.addEllipse(p, r, r)
            elif self.mark.shape == "diamond":
                path.moveTo(p.x(), p.y() - r * 1.25)
                path.lineTo(p.x() + r * 1.25, p.y())
                path.lineTo(p.x(), p.y() + r * 1.25)
                path.lineTo(p.x() - r * 1.25, p.y())
                path.closeSubpath()
            elif self.mark.shape == "cross":
                path.moveTo(p.x() - r, p.y() - r)
                path.lineTo(p.x() + r, p.y() + r)
                path.moveTo(p.x() - r, p.y() + r)
                path.lineTo(p.x() + r, p.y() - r)
            else:
                path.addRect(p.x() - r, p.y() - r, 2 * r, 2 * r)
        colour = self.look.colour(self.mark.role)
        painter.setPen(QPen(colour, self.look.stroke("line")))
        solid = filled or self.mark.shape == "diamond"
        painter.setBrush(colour if solid else self.look.panel if self.mark.shape == "ring" else Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _nearest(self, at: QPointF) -> int | None:
        if not len(self._at):
            return None
        away = np.hypot(self._at[:, 0] - at.x(), self._at[:, 1] - at.y())
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= max(10.0, self._dot) else None

    def hit(self, at: QPointF) -> Index | None:
        nearest = self._nearest(at)
        return None if nearest is None else (nearest,)

    def hover(self, at: QPointF) -> str:
        nearest = self._nearest(at)
        if nearest is None:
            return ""
        if nearest < len(self.mark.hover):
            return str(self.mark.hover[nearest])
        return str(self.mark.labels[nearest]) if nearest < len(self.mark.labels) else ""

    def key(self, name: str, ctrl: bool) -> Event | None:
        if name == "enter":
            return Pick(self.mark.key, (self._picked[0],)) if self._picked else None
        return Key(self.mark.key, name)

    def cover_rect(self) -> QRectF:
        return self.mapping.area & self.canvas


def _corners(at: QPointF, w: float, h: float, away: float) -> list[QRectF]:
    x, y = at.x(), at.y()
    return [QRectF(left, top, w, h) for left in (x + away, x - away - w) for top in (y - away - h, y + away)]


def _free(boxes: list[QRectF], names: list[QRectF], dots: list[QRectF]) -> QRectF | None:
    """The first box that lies on no name and no dot."""
    return next((b for b in boxes if not any(map(b.intersects, names)) and not any(map(b.intersects, dots))), None)


def _leader(at: QPointF, box: QRectF, dot: float) -> QLineF:
    """From the edge of the dot to the nearest place of the box."""
    end = QPointF(min(max(at.x(), box.left()), box.right()), min(max(at.y(), box.top()), box.bottom()))
    line = QLineF(end, at)
    line.setLength(max(line.length() - 0.7 * dot, 0.0))
    return line


class BarsItem(MarkItem):
    """Bars, with a label at each end."""

    LAYER = 0.5
    INTERACTIVE = 1

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.font = look.font("label", mono=True)
        self._bars: list[QRectF] = []
        self._labels: list[tuple[QRectF, str, Any]] = []

    def signature(self) -> Any:
        return self.mark.labels, self.mark.horizontal, len(self.mark.x)

    def overhang(self, mapping: Mapping) -> tuple[float, float, float, float]:
        mark = self.mark
        if not any(mark.labels) or not len(mark.x):
            return 0.0, 0.0, 0.0, 0.0
        gap, high = self.look.share(0.7), words.height(self.font)
        if mark.horizontal:
            # Room at the right for the widest label beside a full bar, so that growing bars move nothing.
            wide = gap + max(words.width(self.font, text) for text in mark.labels)
            return 0.0, 0.0, wide, 0.0
        return 0.0, high, 0.0, 0.0

    def arrange(self) -> QRectF:
        mark = self.mark
        self._bars, self._labels = [], []
        gap, high = self.look.share(0.7), words.height(self.font)
        pairs = zip(np.asarray(mark.x, float).tolist(), np.asarray(mark.height, float).tolist(), strict=True)
        for index, (x, to) in enumerate(pairs):
            a, b = x - mark.width / 2, x + mark.width / 2
            if mark.horizontal:
                rect = QRectF(self.mapping.point(mark.base, a), self.mapping.point(to, b)).normalized()
            else:
                rect = QRectF(self.mapping.point(a, mark.base), self.mapping.point(b, to)).normalized()
            self._bars.append(rect)
            if index < len(mark.labels) and mark.labels[index]:
                down = to < mark.base
                if mark.horizontal:
                    font, text = words.fit(mark.labels[index], self.font, self.bounds.width(), self.look.least)
                    w = words.width(font, text)
                    left = rect.left() - gap - w if down else rect.right() + gap
                    box = QRectF(left, rect.center().y() - high / 2, w, high)
                else:
                    room = max(rect.width() / max(mark.width, 0.1), 8.0)
                    font, text = words.fit(mark.labels[index], self.font, room, self.look.least)
                    w = words.width(font, text)
                    # Above the bar; above the base line where it hangs: below lies the scale.
                    top = rect.top() - high
                    box = QRectF(rect.center().x() - w / 2, top, w, high)
                if text != mark.labels[index]:
                    self.cut.append(mark.labels[index])
                self._labels.append((words.inside(box, self.bounds), text, font))
        return QRectF(self.canvas)

    def draw(self, painter: QPainter) -> None:
        mark, colour = self.mark, self.look.colour(self.mark.role)
        painter.setPen(Qt.PenStyle.NoPen)
        if 0 <= mark.picked < len(self._bars):
            painter.setBrush(self.look.soft(mark.role, 0.5))
            painter.drawRects([bar for i, bar in enumerate(self._bars) if i != mark.picked])
            painter.setBrush(colour)
            painter.drawRect(self._bars[mark.picked])
            if not mark.horizontal:
                self._point_at(painter, self._bars[mark.picked])
        else:
            painter.setBrush(colour)
            painter.drawRects(self._bars)
        for index, bar in enumerate(self._bars if self.lit else []):
            if self.is_lit(index):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.look.colour("where"), self.look.stroke("bold")))
                painter.drawRoundedRect(bar.adjusted(-2, -2, 2, 2), 3, 3)
        for index, (box, text, font) in enumerate(self._labels):
            ink = colour if index == mark.picked else self.look.colour("text")
            words.write(painter, box, text, font, ink, words.CENTRE)

    def _point_at(self, painter: QPainter, bar: QRectF) -> None:
        """A small sign below the scale's line: what is picked has no other height than before."""
        side = self.look.share(0.55)
        tip = QPointF(bar.center().x(), self.mapping.area.bottom() + self.look.stroke("thin"))
        painter.drawPolygon([tip, tip + QPointF(side, 1.4 * side), tip + QPointF(-side, 1.4 * side)])

    def hit(self, at: QPointF) -> Index | None:
        for index, bar in enumerate(self._bars):
            if bar.adjusted(-3, -3, 3, 3).contains(at):
                return (index,)
        return None

    def key(self, name: str, ctrl: bool) -> Event | None:
        if name == "enter":
            return Pick(self.mark.key, (self.mark.picked,)) if self.mark.picked >= 0 else None
        return Key(self.mark.key, name)
