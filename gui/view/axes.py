"""Scales of a panel: light, drawn by hand, and only where there are ticks or a label."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen

from core.stage.frame import Axis, Bars, Matrix, Panel
from gui.theming import Look
from gui.view import words
from gui.view.item import Mapping, MarkItem


class AxesItem(MarkItem):
    """Ticks and labels below and at the left, a line in the gutter, pale lines across for the vertical scale."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.x, self.y = Axis(0.0, 1.0), Axis(0.0, 1.0)
        self.scale = True
        self.stale = True  # the ticks are not yet where they belong
        self.font = look.font("small")
        self.gap = look.share(0.6)
        self._texts: list[tuple[QRectF, str, object]] = []
        self._lines: list[QLineF] = []
        self._grid: list[QLineF] = []

    def show_axes(self, panel: Panel) -> None:
        self.mark = panel
        self.x, self.y, self.stale = panel.x, panel.y, True
        # Bars that lie and cells have names at the left, no scale: nothing runs across them.
        self.scale = not any(isinstance(m, Matrix) or (isinstance(m, Bars) and m.horizontal) for m in panel.marks)

    def keys(self) -> tuple[str, ...]:
        return ()

    def overhang(self, mapping: Mapping) -> tuple[float, float, float, float]:
        line = words.height(self.font)
        left = top = right = bottom = 0.0
        if self.x.ticks:
            bottom = self.gap * 1.6 + line
            for value, text in self.x.ticks:
                half, at = words.width(self.font, text) / 2, mapping.px(value)
                left = max(left, half - (at - mapping.area.left()))
                right = max(right, half - (mapping.area.right() - at))
        if self.x.label:
            bottom += line
        if self.y.ticks:
            left = max(left, self.gap * 1.6 + max(words.width(self.font, text) for _, text in self.y.ticks))
            top = bottom_half = line / 2
            bottom = max(bottom, bottom_half)
        if self.y.label:
            top = line * (1.5 if self.y.ticks else 1.0)
        return left, top, right, bottom

    def arrange(self) -> QRectF:
        area, line = self.mapping.area, words.height(self.font)
        self._texts, self._lines, self._grid = [], [], []
        self.stale = False
        if self.x.ticks:
            top = area.bottom() + self.gap * 1.6
            # A level close above the lower edge is the axis: two lines side by side would be one too many.
            levels = [self.mapping.py(value) for value, _ in self.y.ticks] if self.scale else []
            self._foot = max((y for y in levels if 0 <= area.bottom() - y <= 2.2 * self.gap), default=area.bottom())
            self._lines.append(QLineF(area.left(), self._foot, area.right(), self._foot))
            self._place_x(top, line)
        if self.x.label:
            top = area.bottom() + (self.gap * 1.6 + line if self.x.ticks else 0.0)
            font, text = words.fit(self.x.label, self.font, self.bounds.width(), self.look.least)
            wide = words.width(font, text)
            rect = words.inside(QRectF(area.center().x() - wide / 2, top, wide, line), self.bounds)
            self._texts.append((rect, text, words.CENTRE))
        for value, text in self.y.ticks:
            at = self.mapping.py(value)
            if self.scale:
                self._grid.append(QLineF(area.left(), at, area.right(), at))
            rect = QRectF(0.0, at - line / 2, area.left() - self.gap * 1.3, line)
            self._texts.append((rect, text, words.RIGHT))
        if self.y.label:
            room = self.bounds.width()
            wide = min(words.width(self.font, self.y.label), room)
            top = area.top() - line * (1.5 if self.y.ticks else 1.0)
            rect = words.inside(QRectF(area.left(), top, wide, line), self.bounds)
            self._texts.append((rect, self.y.label, words.LEFT))
        return QRectF(self.canvas)

    def _place_x(self, top: float, line: float) -> None:
        """The ends first, then from the left; a label that would touch its neighbour is left out, its tick stays."""
        area, taken = self.mapping.area, []
        ticks = sorted(self.x.ticks)
        order = [ticks[0], ticks[-1], *ticks[1:-1]] if len(ticks) > 1 else ticks
        for value, text in order:
            at = self.mapping.px(value)
            self._lines.append(QLineF(at, self._foot, at, area.bottom() + self.gap))
            wide = words.width(self.font, text)
            rect = words.inside(QRectF(at - wide / 2, top, wide, line), self.bounds)
            space = rect.adjusted(-self.gap, 0, self.gap, 0)
            if not any(space.intersects(other) for other in taken):
                taken.append(rect)
                self._texts.append((rect, text, words.CENTRE))

    def draw(self, painter: QPainter) -> None:
        thin = self.look.stroke("thin")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self.look.colour("line"), thin))
        painter.drawLines(self._grid)
        painter.setPen(QPen(self.look.colour("control"), thin))
        painter.drawLines(self._lines)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rect, text, align in self._texts:
            words.write(painter, rect, text, self.font, self.look.colour("muted"), align)  # type: ignore[arg-type]
