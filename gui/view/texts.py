"""Marks that are words: labels, formulas, tables of text and code."""

from __future__ import annotations

import warnings
from functools import lru_cache

from PySide6.QtCore import QByteArray, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from core.stage.frame import Event, Index, Key, Pick
from gui.theming import Look, at_pixels
from gui.view import words
from gui.view.item import MarkItem


class LabelItem(MarkItem):
    """A plain text at a point, pushed inside the panel where it would leave it."""

    LAYER = 4.0

    def arrange(self) -> QRectF:
        mark = self.mark
        font = self.look.font(mark.size, mark.bold, mark.mono)
        lines = mark.text.split("\n")
        widest = max(lines, key=lambda line: words.width(font, line))
        font, shown = words.fit(widest, font, self.bounds.width(), self.look.least)
        self._text = mark.text
        if shown != widest:
            self.cut.append(widest)
            metrics = words.metrics(font)
            middle = Qt.TextElideMode.ElideMiddle
            self._text = "\n".join(metrics.elidedText(line, middle, self.bounds.width()) for line in lines)
        self.set_size(font)
        return self._rect_of(self.box)

    def set_size(self, font: QFont) -> None:
        """Stand at the mark's point in this font."""
        mark = self.mark
        self.font = font
        at = self.mapping.point(mark.x, mark.y)
        gap = 0.0 if mark.anchor == "center" else self.look.share(0.3)
        w, h = words.width(font, self._text) + 1, words.height(font, self._text)
        self.box = words.inside(words.anchored(at.x(), at.y(), w, h, mark.anchor, gap), self.bounds)

    def settled(self) -> None:
        """The box has changed after all were laid out."""
        rect = self._rect_of(self.box)
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
            self.update()

    @staticmethod
    def _rect_of(box: QRectF) -> QRectF:
        return box.adjusted(-3, -2, 3, 2)

    def draw(self, painter: QPainter) -> None:
        if self.is_lit():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.look.soft("where", 0.25))
            painter.drawRoundedRect(self._rect, 4, 4)
        anchor = self.mark.anchor
        align = words.LEFT if "left" in anchor else words.RIGHT if "right" in anchor else words.CENTRE
        words.write(painter, self.box, self._text, self.font, self.look.colour(self.mark.role), align)

    def hit(self, at: QPointF) -> Index | None:
        return () if self.box.contains(at) else None

    def hover(self, at: QPointF) -> str:
        return self.mark.text if self.cut and self.box.contains(at) else ""


def settle(labels: list[LabelItem]) -> None:
    """Labels never cross: two that would become smaller first, then the later one makes way upwards or downwards."""
    for number, label in enumerate(labels):
        for other in labels[:number]:
            while _cross(label, other) and label.font.pixelSize() - 1 >= label.look.least:
                for each in (label, other):
                    each.set_size(at_pixels(each.font, max(each.look.least, each.font.pixelSize() - 1)))
            if _cross(label, other):
                _make_way(label, other, labels)
    for label in labels:
        label.settled()


def _make_way(label: LabelItem, other: LabelItem, labels: list[LabelItem]) -> None:
    start = QRectF(label.box)
    below, above = other.box.bottom() - start.top(), other.box.top() - start.bottom()
    for shift in sorted((below, above), key=abs):
        label.box = words.inside(start.translated(0, shift), label.bounds)
        if not any(_cross(label, each) for each in labels if each is not label):
            return
    label.box = start


def _cross(a: LabelItem, b: LabelItem) -> bool:
    # A line's box has air above and below its letters.
    air_a, air_b = a.box.height() * 0.16, b.box.height() * 0.16
    return a.box.adjusted(0, air_a, 0, -air_a).intersects(b.box.adjusted(0, air_b, 0, -air_b))


@lru_cache(maxsize=128)
def _svg(latex: str, pixels: int, colour: str) -> tuple[bytes, float, float]:
    """The typeset formula: SVG, width and height in pixels. 30–170 ms the first time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of its own, about how it finds its fonts
        import ziamath  # slow to import, and only some tabs need it

    ziamath.config.svg2 = False  # QtSvg draws SVG 1.1 without <use>
    made = ziamath.Latex(latex, size=pixels, color=colour)
    document = made.svg()
    # The image is one pixel larger than the formula on each side.
    w, h = made.getsize()
    return document.encode(), float(w) + 2, float(h) + 2


class FormulaItem(MarkItem):
    """A typeset formula."""

    LAYER = 4.0

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._renderer: QSvgRenderer | None = None
        self._drawn: tuple[str, int, str] | None = None

    def arrange(self) -> QRectF:
        mark = self.mark
        wanted = (mark.latex, round(self.look.pixels(mark.size)), self.look.colour(mark.role).name())
        if wanted != self._drawn or self._renderer is None:
            document, self._w, self._h = _svg(*wanted)
            self._drawn = wanted
            self._renderer = QSvgRenderer(QByteArray(document), self)
        shrink = min(1.0, self.bounds.width() / self._w)
        at = self.mapping.point(mark.x, mark.y)
        gap = 0.0 if mark.anchor == "center" else self.look.share(0.3)
        w, h = self._w * shrink, self._h * shrink
        return words.inside(words.anchored(at.x(), at.y(), w, h, mark.anchor, gap), self.bounds)

    def draw(self, painter: QPainter) -> None:
        if self.is_lit():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.look.soft("where", 0.25))
            painter.drawRoundedRect(self._rect, 4, 4)
        if self._renderer is not None:
            self._renderer.render(painter, self._rect)

    def hit(self, at: QPointF) -> Index | None:
        return () if self._rect.contains(at) else None

    def hover(self, at: QPointF) -> str:
        return self.mark.spoken if self._rect.contains(at) else ""


class TableItem(MarkItem):
    """Text in rows and columns under a bold head; a row can be picked."""

    INTERACTIVE = 2

    def arrange(self) -> QRectF:
        mark, look = self.mark, self.look
        place = self.mapping.rect(mark.place) & self.canvas
        count = max((len(row) for row in mark.rows), default=0)
        self._cells: list[tuple[QRectF, str, QFont, int, int]] = []
        self._whole: dict[tuple[int, int], str] = {}
        rows = max(1, len(mark.rows))
        self._high = min(place.height() / rows, look.pixels("label") * 2.4)
        self._place = QRectF(place.left(), place.top(), place.width(), self._high * rows)
        if not count:
            return place
        shares = list(mark.widths[:count]) if len(mark.widths) >= count else [1.0] * count
        inset = look.share(0.6)
        edges = [place.left()]
        for share in shares:
            edges.append(edges[-1] + place.width() * share / sum(shares))
        size = max(look.least, min(look.pixels("label"), self._high * 0.72))
        for r, row in enumerate(mark.rows):
            base = at_pixels(look.font("label", bold=r == 0, mono=mark.mono and r > 0), size)
            for c, text in enumerate(row):
                left, right = edges[c] + inset, edges[c + 1] - inset
                box = QRectF(left, place.top() + r * self._high, right - left, self._high)
                font, shown = words.fit(text, base, box.width(), look.least)
                if shown != text:
                    self.cut.append(text)
                    self._whole[r, c] = text
                self._cells.append((box, shown, font, r, c))
        self._edges = edges
        return self._place.adjusted(-3, -3, 3, 3) & self.canvas

    def draw(self, painter: QPainter) -> None:
        mark, look, place = self.mark, self.look, self._place
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        lines = [
            QLineF(place.left(), y, place.right(), y)
            for y in (place.top() + r * self._high for r in range(2, len(mark.rows)))
        ]
        painter.setPen(QPen(look.colour("line"), look.stroke("thin")))
        painter.drawLines(lines)
        painter.setPen(QPen(look.colour("control"), look.stroke("thin")))
        painter.drawLine(QLineF(place.left(), place.top() + self._high, place.right(), place.top() + self._high))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if 0 < mark.picked < len(mark.rows):
            wide = look.stroke("line")
            row = QRectF(place.left(), place.top() + mark.picked * self._high, place.width(), self._high)
            painter.setPen(QPen(look.colour("what"), wide))
            painter.setBrush(look.ground)
            painter.drawRoundedRect(row.adjusted(wide / 2, 1, -wide / 2, -1), look.share(0.6), look.share(0.6))
        for box, text, font, r, c in self._cells:
            if self.lit and (self.is_lit(r) or self.is_lit(r, c)):
                painter.setPen(QPen(look.colour("where"), look.stroke("line")))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(-6, 2, 6, -2), 5, 5)
            side = mark.align[c] if c < len(mark.align) else "left"
            align = {"left": words.LEFT, "right": words.RIGHT, "center": words.CENTRE}[side]
            role = mark.roles[c] if c < len(mark.roles) and r > 0 else "muted" if r == 0 else "text"
            words.write(painter, box, text, font, look.colour(role), align)

    def hit(self, at: QPointF) -> Index | None:
        if not self._place.contains(at):
            return None
        row = int((at.y() - self._place.top()) / self._high)
        return (min(row, len(self.mark.rows) - 1),)

    def hover(self, at: QPointF) -> str:
        for box, _, _, r, c in self._cells:
            if (r, c) in self._whole and box.contains(at):
                return self._whole[r, c]
        return ""

    def key(self, name: str, ctrl: bool) -> Event | None:
        if name == "enter":
            return Pick(self.mark.key, (self.mark.picked,)) if self.mark.picked > 0 else None
        return Key(self.mark.key, name)

    def cover_rect(self) -> QRectF:
        return self.mapping.rect(self.mark.place) & self.canvas


class CodeItem(MarkItem):
    """Lines of code; lit ones stand on a bar."""

    def arrange(self) -> QRectF:
        mark, look = self.mark, self.look
        place = self.mapping.rect(mark.place) & self.canvas
        inset = look.share(1.0)
        font = look.font("label", mono=True)
        rows = max(1, len(mark.lines))
        widest = max(mark.lines, key=lambda line: words.width(font, line), default="")
        font, _ = words.fit(widest, font, place.width() - 2 * inset, look.least)
        high = min(words.height(font) * 1.35, place.height() / rows)
        if high < words.height(font):
            font = at_pixels(font, max(look.least, font.pixelSize() * high / words.height(font)))
        self._font, self._rows = font, []
        room = place.width() - 2 * inset
        metrics = words.metrics(font)
        for number, line in enumerate(mark.lines):
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, room)
            if shown != line:
                self.cut.append(line)
            self._rows.append((QRectF(place.left(), place.top() + number * high, place.width(), high), shown))
        self._inset = inset
        return place

    def draw(self, painter: QPainter) -> None:
        look = self.look
        for number, (box, line) in enumerate(self._rows):
            lit = number in self.mark.lit or self.is_lit(number)
            if lit:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.soft("where", 0.16))
                painter.drawRect(box)
                painter.setBrush(look.colour("where"))
                painter.drawRect(QRectF(box.left(), box.top(), look.stroke("bold"), box.height()))
            text = box.adjusted(self._inset, 0, 0, 0)
            words.write(painter, text, line, self._font, look.colour("text"))

    def hit(self, at: QPointF) -> Index | None:
        for number, (box, _) in enumerate(self._rows):
            if box.contains(at):
                return (number,)
        return None

    def hover(self, at: QPointF) -> str:
        found = self.hit(at)
        return self.mark.lines[found[0]] if found and self.mark.lines[found[0]] in self.cut else ""
