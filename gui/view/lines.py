"""Curves, bands and arrows."""

from __future__ import annotations

import itertools
from operator import sub
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPaintEngine, QPainter, QPainterPath, QPen, QPolygonF

from core.stage.frame import Index
from gui.theming import Look, hatch
from gui.view import words
from gui.view.item import Mapping, MarkItem, polygon

STEP = 1.5  # pixels: in a dense graph what lies closer is one column to the eye
CLOSE = 0.06  # pixels that a thinned line may leave the true one
FAR = 20_000.0  # pixels: what leaves the panel goes no further, Qt's fixed-point lines would overflow
CORNER = 0.25  # radians: larger turns are corners, not curves
JOINED = 40  # points: up to here as a path with true joints, beyond as overlapping segments


def thin(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As few points as the eye can tell from all of them.

    A dense graph keeps the first, lowest, highest and last point of each pixel column; then a smooth stretch keeps a
    point wherever the chord would otherwise leave the line by more than ``CLOSE``. Corners stay.
    """
    if len(x) < 3:
        return x, y
    if len(x) > x[-1] - x[0] > 0 and bool((np.diff(x) >= 0).all()):
        column = np.floor(x / STEP)
        starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
        if len(starts) * 4 < len(x):
            ends = np.append(starts[1:], len(x))
            order = np.lexsort((y, column))  # lowest and highest of each column
            keep = np.unique(np.concatenate([starts, ends - 1, order[starts], order[ends - 1]]))
            x, y = x[keep], y[keep]
    dx, dy = np.diff(x), np.diff(y)
    long = np.hypot(dx, dy)
    turn = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(dy, dx)))))
    # A chord of length s leaves an arc of curvature k by k s^2 / 8: this many chords are needed up to each point.
    chords = np.cumsum(np.sqrt(turn * (long[1:] + long[:-1]) / (16 * CLOSE)))
    inner = np.flatnonzero((np.diff(np.floor(chords), prepend=0.0) > 0) | (turn > CORNER)) + 1
    keep = np.concatenate([[0], inner, [len(x) - 1]])
    return x[keep], y[keep]


class CurveItem(MarkItem):
    """A line: thinned, and drawn as a path where that is quick, else as single segments with round ends."""

    LAYER = 1.0

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._segments: list[QLineF] = []
        self._joints = QPolygonF()
        self._paths: list[QPolygonF] = []
        self.name_font = look.font("label", bold=True)
        self.name_rect = QRectF()
        self.name_text = ""

    def signature(self) -> Any:
        return self.mark.name, float(self.mark.x[-1]) if len(self.mark.x) and self.mark.name else 0.0

    def overhang(self, mapping: Mapping) -> tuple[float, float, float, float]:
        if not self.mark.name or not len(self.mark.x):
            return 0.0, 0.0, 0.0, 0.0
        gap = self.look.share(0.8)
        wide = words.width(self.name_font, self.mark.name) + gap
        end = mapping.px(float(self.mark.x[-1]))
        return 0.0, 0.0, max(0.0, end + wide - mapping.area.right()), 0.0

    def arrange(self) -> QRectF:
        mark, wide = self.mark, self.look.stroke(self.mark.width)
        x, y = self.mapping.px(np.asarray(mark.x, float)), self.mapping.py(np.asarray(mark.y, float))
        x, y = np.clip(x, -FAR, FAR), np.clip(y, -FAR, FAR)
        cuts = [0, *(cut for cut in mark.breaks if 0 < cut < len(x)), len(x)]
        self._paths, self._segments, self._joints = [], [], QPolygonF()
        if len(cuts) > JOINED and set(map(sub, cuts[1:], cuts)) == {2}:
            # Hundreds of single strokes: a hatching.
            ends = np.column_stack([x[0::2], y[0::2], x[1::2], y[1::2]]).tolist()
            self._segments = [QLineF(*four) for four in ends]
        else:
            self._lay_strokes([(x[a:b], y[a:b]) for a, b in itertools.pairwise(cuts)], wide)
        rect = QRectF()
        if len(x):
            rect = QRectF(QPointF(x.min(), y.min()), QPointF(x.max(), y.max())).adjusted(-wide, -wide, wide, wide)
        self._place_name(x, y)
        return (rect | self.name_rect) & self.canvas

    def _lay_strokes(self, strokes: list[tuple[np.ndarray, np.ndarray]], wide: float) -> None:
        strokes = [thin(a, b) for a, b in strokes]
        if self.mark.closed and strokes and len(strokes[0][0]) > 1:
            strokes = [(np.append(a, a[0]), np.append(b, b[0])) for a, b in strokes]
        self._paths = [polygon(a, b) for a, b in strokes if len(a) > 1]
        if self.mark.dash == "solid" and sum(len(a) for a, _ in strokes) > JOINED:
            for a, b in strokes:
                if len(a) > 1:
                    self._cut_up(a, b, wide)

    def _cut_up(self, x: np.ndarray, y: np.ndarray, wide: float) -> None:
        """Segments with flat ends that meet at the tip of each corner, and dots on ends and where the line turns back.

        To Qt's raster engine these are ten times cheaper than a wide antialiased path of the same points.
        """
        dx, dy = np.diff(x), np.diff(y)
        long = np.maximum(np.hypot(dx, dy), 1e-9)
        ux, uy = dx / long, dy / long
        sine = np.abs(ux[1:] * uy[:-1] - uy[1:] * ux[:-1])
        cosine = ux[1:] * ux[:-1] + uy[1:] * uy[:-1]
        mitre = sine / (1.0 + np.maximum(cosine, 0.0))  # the tangent of half the turn, up to a right angle
        over = np.concatenate([[0.0], np.where(cosine > 0, 0.5 + wide / 2 * mitre, 0.5), [0.0]])
        x1, y1, x2, y2 = x[:-1] - ux * over[:-1], y[:-1] - uy * over[:-1], x[1:] + ux * over[1:], y[1:] + uy * over[1:]
        ends = zip(x1.tolist(), y1.tolist(), x2.tolist(), y2.tolist(), strict=True)
        self._segments += [QLineF(*four) for four in ends]
        corners = np.concatenate([[0], np.flatnonzero(cosine <= 0) + 1, [len(x) - 1]])
        for u, v in zip(x[corners].tolist(), y[corners].tolist(), strict=True):
            self._joints.append(QPointF(u, v))

    def _place_name(self, x: np.ndarray, y: np.ndarray) -> None:
        self.name_rect, self.name_text = QRectF(), self.mark.name
        if not self.mark.name or not len(x):
            return
        gap = self.look.share(0.8)
        high = words.height(self.name_font)
        room = self.bounds.right() - x[-1] - gap
        wide = words.width(self.name_font, self.mark.name)
        at = float(np.clip(y[-1], self.mapping.area.top(), self.mapping.area.bottom()))
        rect = QRectF(x[-1] + gap, at - high / 2, wide, high)
        if wide > room + 1:
            rect.moveTopRight(QPointF(self.bounds.right(), at - high - gap / 2))
        self.name_rect = words.inside(rect, self.bounds)

    def draw(self, painter: QPainter) -> None:
        mark = self.mark
        painter.save()
        wide = self.look.stroke(mark.width)
        clip = self.mapping.area.adjusted(-wide, -wide, wide, wide)
        painter.setClipRect(clip)
        pen = QPen(self.look.pen(mark.role, mark.width, mark.dash))
        if self.is_lit():
            pen.setWidthF(wide * 1.9)
        if self._segments and not self._paths:
            painter.setPen(pen)
            painter.drawLines(self._segments)
        elif self._segments and painter.paintEngine().type() is QPaintEngine.Type.Raster:
            flat = QPen(pen)
            flat.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(flat)
            painter.drawLines(self._segments)
            painter.setPen(pen)
            painter.drawPoints(self._joints)
        else:
            painter.setPen(pen)
            for path in self._paths:
                painter.drawPolyline(path)
        painter.restore()
        if self.name_text:
            words.halo(painter, self.name_rect, self.name_text, self.name_font, self.look.panel, self.look.share(0.4))
            words.write(painter, self.name_rect, self.name_text, self.name_font, self.look.colour(mark.role))

    def hit(self, at: QPointF) -> Index | None:
        reach = max(6.0, self.look.share(0.8))
        if not self._rect.adjusted(-reach, -reach, reach, reach).contains(at) or not len(self.mark.x):
            return None
        x, y = self.mapping.px(np.asarray(self.mark.x, float)), self.mapping.py(np.asarray(self.mark.y, float))
        nearest = int(np.argmin(np.hypot(x - at.x(), y - at.y())))
        return (nearest,) if np.hypot(x[nearest] - at.x(), y[nearest] - at.y()) <= reach else None


def spread(curves: list[CurveItem], bounds: QRectF) -> None:
    """Moves curves' names apart vertically, in the order of their ends."""
    curves = sorted(curves, key=_name_middle)
    for _ in range(8):
        moved = False
        for first, second in itertools.pairwise(curves):
            a, b = first.name_rect, second.name_rect
            overlap = a.bottom() - b.top()
            if overlap > 0.5 and a.left() < b.right() and b.left() < a.right():
                a.translate(0, -overlap / 2)
                b.translate(0, overlap / 2)
                first.name_rect, second.name_rect = words.inside(a, bounds), words.inside(b, bounds)
                moved = True
        if not moved:
            break
    for curve in curves:
        if not curve._rect.contains(curve.name_rect):
            curve.prepareGeometryChange()
            curve._rect = curve._rect | curve.name_rect
        curve.update()


def _name_middle(curve: CurveItem) -> float:
    return float(curve.name_rect.center().y())


class RegionItem(MarkItem):
    """The band between two curves."""

    LAYER = -1.0

    def arrange(self) -> QRectF:
        mark = self.mark
        x = self.mapping.px(np.asarray(mark.x, float))
        low, high = (np.clip(self.mapping.py(np.asarray(v, float)), -FAR, FAR) for v in (mark.low, mark.high))
        across, down = np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])
        self._shape = polygon(across, down)
        # Upright and level edges need no smoothing, which would cost as much as all else on the stage.
        self._smooth = bool(((np.diff(across) != 0) & (np.diff(down) != 0)).any())
        return self._shape.boundingRect().adjusted(-2, -2, 2, 2) & self.canvas

    def draw(self, painter: QPainter) -> None:
        role = self.mark.role
        painter.setClipRect(self.mapping.area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._smooth)
        painter.setPen(Qt.PenStyle.NoPen)
        soft = self.look.soft(role, 0.32 if self.is_lit() else 0.16)
        if self.mark.hatched:
            lines, pitch = self.look.soft(role, 0.55), self.look.share(1.3)
            painter.setBrush(hatch(lines.rgba(), pitch, self.look.stroke("thin"), soft.rgba()))
        else:
            painter.setBrush(soft)
        painter.drawPolygon(self._shape)


class VectorsItem(MarkItem):
    """Arrows, all in one path for the shafts and one for the heads."""

    LAYER = 2.0

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._shafts: list[QLineF] = []
        self._heads: list[QPolygonF] = []
        self._labels: list[tuple[QRectF, str]] = []
        self.font = look.font("label", bold=True)

    def arrange(self) -> QRectF:
        mark, wide = self.mark, self.look.stroke(self.mark.width)
        start = np.stack([self.mapping.px(np.asarray(mark.x0, float)), self.mapping.py(np.asarray(mark.y0, float))], -1)
        tip = np.stack([self.mapping.px(np.asarray(mark.x1, float)), self.mapping.py(np.asarray(mark.y1, float))], -1)
        way = tip - start
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
        along = way / length[:, None]
        across = np.stack([-along[:, 1], along[:, 0]], -1)
        head = np.minimum(4.2 * wide + 3, 0.6 * length)[:, None]
        neck = tip - along * head
        left, right = neck + across * head * 0.48, neck - across * head * 0.48
        self._shafts = [
            QLineF(*a, *b) for a, b in zip(start.tolist(), (tip - along * head * 0.8).tolist(), strict=True)
        ]
        self._heads = [
            QPolygonF([QPointF(*a), QPointF(*b), QPointF(*c)])
            for a, b, c in zip(tip.tolist(), left.tolist(), right.tolist(), strict=True)
        ]
        self._labels = []
        gap, high = self.look.share(0.7), words.height(self.font)
        for text, at, to in zip(mark.labels, tip.tolist(), along.tolist(), strict=False):
            if text:
                w = words.width(self.font, text)
                away = gap + abs(to[0]) * w / 2 + abs(to[1]) * high / 2
                centre = (at[0] + to[0] * away, at[1] + to[1] * away)
                rect = QRectF(centre[0] - w / 2, centre[1] - high / 2, w, high)
                self._labels.append((words.inside(rect, self.bounds), text))
        return QRectF(self.canvas)

    def draw(self, painter: QPainter) -> None:
        colour = self.look.colour(self.mark.role)
        pen = QPen(self.look.pen(self.mark.role, self.mark.width))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        some_lit = [i for i in range(len(self._shafts)) if self.is_lit(i)]
        if some_lit:
            halo = QPen(self.look.soft("where", 0.45), pen.widthF() * 3.2)
            halo.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(halo)
            painter.drawLines([self._shafts[i] for i in some_lit])
        painter.setPen(pen)
        painter.drawLines(self._shafts)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for head in self._heads:
            path.addPolygon(head)
            path.closeSubpath()
        painter.drawPath(path)
        for rect, text in self._labels:
            words.write(painter, rect, text, self.font, colour, words.CENTRE)

    def hit(self, at: QPointF) -> Index | None:
        reach = max(8.0, self.look.share(0.9))
        for index, shaft in enumerate(self._shafts):
            if _distance(shaft, at) <= reach:
                return (index,)
        return None


def _distance(line: QLineF, at: QPointF) -> float:
    dx, dy = line.dx(), line.dy()
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else ((at.x() - line.x1()) * dx + (at.y() - line.y1()) * dy) / square
    t = min(max(t, 0.0), 1.0)
    return float(np.hypot(at.x() - line.x1() - t * dx, at.y() - line.y1() - t * dy))
