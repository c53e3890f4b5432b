"""Marks that are words: labels, formulas, tables of text and code."""

from __future__ import annotations

import warnings
from functools import lru_cache

from PySide6.QtCore import QByteArray, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from core.stage.frame import Event, Index, Key, Pick
from core.stage.theme import Role
from gui.theming import Look, at_pixels
from gui.view import words
from gui.view.item import MarkItem


class LabelItem(MarkItem):
    """A plain text at a point, pushed inside the panel where it would leave it."""

    LAYER = 4.0
    on_lines = False  # a curve may run there: it must not run through the words

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

    def set_on_lines(self, on_lines: bool) -> None:
        if on_lines != self.on_lines:
            self.on_lines = on_lines
            self.update()

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
        if self.on_lines and "\n" not in self._text:
            words.halo(painter, self.box, self._text, self.font, self.look.panel, self.look.share(0.4))
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


@lru_cache(maxsize=512)
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
        self._pieces: list[QSvgRenderer] = []
        self._pieces_of: tuple[tuple[str, ...], tuple[Role, ...], int] | None = None
        self._boxes: list[QRectF] = []  # of the pieces, as drawn
        self._parts: list[QRectF] = []  # what lights up and can be picked: as high as the whole line

    def arrange(self) -> QRectF:
        mark = self.mark
        if mark.parts:
            return self._arrange_parts()
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

    def _arrange_parts(self) -> QRectF:
        """The pieces side by side on one baseline; together they shrink where they are too wide."""
        mark = self.mark
        pixels = round(self.look.pixels(mark.size))
        made = []
        for number, latex in enumerate(mark.parts):
            role = mark.roles[number] if number < len(mark.roles) else mark.role
            document, w, h = _svg(latex, pixels, self.look.colour(role).name())
            made.append((document, w, h, _ascent(document)))
        space = 0.16 * pixels
        above = max(ascent for _, _, _, ascent in made)
        high = above + max(h - ascent for _, _, h, ascent in made)
        wide = sum(w for _, w, _, _ in made) + space * (len(made) - 1)
        shrink = min(1.0, self.bounds.width() / wide)
        at = self.mapping.point(mark.x, mark.y)
        gap = 0.0 if mark.anchor == "center" else self.look.share(0.3)
        box = words.anchored(at.x(), at.y(), wide * shrink, high * shrink, mark.anchor, gap)
        box = words.inside(box, self.bounds)
        drawn = (mark.parts, mark.roles, pixels)
        if drawn != self._pieces_of:
            self._pieces_of = drawn
            self._pieces = [QSvgRenderer(QByteArray(document), self) for document, _, _, _ in made]
        self._boxes, left = [], box.left()
        for _, w, h, ascent in made:
            self._boxes.append(QRectF(left, box.top() + (above - ascent) * shrink, w * shrink, h * shrink))
            left += (w + space) * shrink
        margin = 0.5 * space + self.look.stroke("line")
        self._parts = [QRectF(b.left(), box.top(), b.width(), box.height()) for b in self._boxes]
        self._parts = [part.adjusted(-0.5 * space, 0, 0.5 * space, 0) for part in self._parts]
        return box.adjusted(-margin, -margin, margin, margin)

    def draw(self, painter: QPainter) -> None:
        if self.mark.parts:
            self._draw_parts(painter)
            return
        if self.is_lit():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.look.soft("where", 0.25))
            painter.drawRoundedRect(self._rect, 4, 4)
        if self._renderer is not None:
            self._renderer.render(painter, self._rect)

    def _draw_parts(self, painter: QPainter) -> None:
        for number, (renderer, box, part) in enumerate(zip(self._pieces, self._boxes, self._parts, strict=True)):
            if self.is_lit(number):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.look.soft("where", 0.25))
                painter.drawRoundedRect(part, 4, 4)
            if number == self.mark.picked:
                painter.setPen(QPen(self.look.colour("where"), self.look.stroke("line")))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(part, 4, 4)
            renderer.render(painter, box)

    def hit(self, at: QPointF) -> Index | None:
        if self.mark.parts:
            return next(((number,) for number, part in enumerate(self._parts) if part.contains(at)), None)
        return () if self._rect.contains(at) else None

    def hover(self, at: QPointF) -> str:
        return self.mark.spoken if self._rect.contains(at) else ""


def _ascent(document: bytes) -> float:
    """How far a typeset formula reaches above its baseline, which is 0 in its own coordinates."""
    return -float(document.split(b'viewBox="', 1)[1].split(b'"', 1)[0].split()[1])


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
        inset, apart = look.share(0.6), 0.0
        size = max(look.least, min(look.pixels("label"), self._high * 0.72))
        shares = list(mark.widths[:count]) if len(mark.widths) >= count else []
        each = place.width() / (sum(shares) or 1.0)
        needs = self._needs(count, look.least) if shares else []
        # Chosen widths hold as long as nothing would be cut by them.
        if not shares or any(n + 2 * inset > s * each + 0.5 for n, s in zip(needs, shares, strict=True)):
            shares, size, inset, apart = self._by_content(count, place.width(), inset, size)
        edges = [place.left()]
        for share in shares:
            edges.append(edges[-1] + place.width() * share / sum(shares))
        for r, row in enumerate(mark.rows):
            base = at_pixels(look.font("label", bold=r == 0, mono=mark.mono and r > 0), size)
            for c, text in enumerate(row):
                left, right = edges[c] + inset, edges[c + 1] - inset
                if mark.align[c : c + 2] == ("right", "left"):  # a number keeps away from the words beside it
                    right -= apart
                box = QRectF(left, place.top() + r * self._high, right - left, self._high)
                font, shown = words.fit(text, base, box.width(), look.least)
                if shown != text:
                    self.cut.append(text)
                    self._whole[r, c] = text
                self._cells.append((box, shown, font, r, c))
        self._edges = edges
        return self._place.adjusted(-3, -3, 3, 3) & self.canvas

    def _by_content(
        self, count: int, room: float, inset: float, size: float
    ) -> tuple[list[float], float, float, float]:
        """Columns as wide as what stands in them, all cells in one size: it shrinks until the columns fit, and at the
        smallest one the space between them does."""
        while True:
            needs = self._needs(count, size)
            spare = room - 2 * inset * count - sum(needs)
            if spare >= 0 or size <= self.look.least:
                beside = max(inset + min(spare, 0.0) / (2 * count), 0.3 * inset)
                more = max(spare, 0.0) / count
                return [need + 2 * beside + more for need in needs], size, beside, min(more, 2 * inset)
            size = max(self.look.least, min(size - 1, size * (1 + spare / max(sum(needs), 1.0))))

    def _needs(self, count: int, size: float) -> list[float]:
        """The width of the widest text of each column in this size."""
        needs = [0.0] * count
        for r, row in enumerate(self.mark.rows):
            font = at_pixels(self.look.font("label", bold=r == 0, mono=self.mark.mono and r > 0), size)
            for c, text in enumerate(row):
                needs[c] = max(needs[c], words.width(font, text) + 1)
        return needs

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
            painter.setPen(QPen(look.colour(mark.picked_role), wide))
            painter.setBrush(look.ground)
            clear = min(look.share(0.5), place.left() - self.canvas.left(), self.canvas.right() - place.right())
            row = row.adjusted(wide / 2 - clear, 1, clear - wide / 2, -1)
            painter.drawRoundedRect(row, look.share(0.6), look.share(0.6))
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
                painter.setBrush(look.soft(self.mark.role, 0.16))
                painter.drawRect(box)
                painter.setBrush(look.colour(self.mark.role))
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
