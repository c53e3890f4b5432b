"""Token cards in a row, that can be picked, dragged and moved by keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen

from core.stage.frame import Drop, Event, Index, Key, Pick
from gui.theming import Look, at_pixels
from gui.view import words
from gui.view.item import MarkItem


class CardsItem(MarkItem):
    """Rounded cards: the token as typed, and a line below."""

    LAYER = 1.0
    INTERACTIVE = 4

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._boxes: list[QRectF] = []
        self._texts: list[tuple[QFont, str, QFont, str]] = []
        self._held: tuple[int, QPointF] | None = None
        self._current = -1

    def arrange(self) -> QRectF:
        mark, look = self.mark, self.look
        place = self.mapping.rect(mark.place) & self.canvas
        self._boxes, self._texts = [], []
        if not mark.cards or place.width() < 8 or place.height() < 8:
            return place
        if mark.even:
            return self._arrange_evenly(place)
        for scale in (1.0, 0.9, 0.8, 0.7, 0.62):
            gap = look.share(1.6) * scale
            title, line, widths, full = self._measure(scale, place.width())
            rows = self._rows(widths, place.width(), gap)
            if len(rows) * full + (len(rows) - 1) * gap <= place.height():
                break
        else:
            # Narrower cards, with their texts elided, rather than cards outside the panel.
            most = max(1, int((place.height() + gap) // (full + gap)))
            per_row = -(-len(mark.cards) // most)
            numbers = range(len(mark.cards))
            rows = [list(numbers[start : start + per_row]) for start in numbers[::per_row]]
            for row in rows:
                room = place.width() - (len(row) - 1) * gap
                for rank, index in enumerate(sorted(row, key=widths.__getitem__)):
                    # From the narrowest on: each may take its equal part of what is left, so that the long ones give.
                    widths[index] = max(8.0, min(widths[index], room / (len(row) - rank)))
                    room -= widths[index]
        if len(rows) == 1:
            # Equal cards where there is room: a row of them looks like one.
            room = (place.width() - gap * (len(widths) - 1)) / len(widths)
            if max(widths) <= room:
                widths = [max(max(widths), min(look.share(19.2), room))] * len(widths)
        high = min(full * 1.18, (place.height() - gap * (len(rows) - 1)) / len(rows))
        top = place.top() + max(0.0, (place.height() - len(rows) * high - gap * (len(rows) - 1)) / 2)
        for row in rows:
            left = place.left()
            for index in row:
                self._boxes.append(QRectF(left, top, widths[index], high))
                left += widths[index] + gap
            top += high + gap
        shrink = min(1.0, high / full)
        pairs = zip(mark.cards, self._boxes, strict=True)
        self._texts = [self._fit(card, box, title, line, shrink) for card, box in pairs]
        self._gap = gap
        self._heights = self._line_heights()
        return place.adjusted(-gap, -gap, gap, gap) & self.canvas

    def _arrange_evenly(self, place: QRectF) -> QRectF:
        """One row, each card in its own equal part of the place; texts shrink together, then they are elided."""
        cards = self.mark.cards
        part = place.width() / len(cards)
        self._gap = gap = min(self.look.share(1.6), 0.08 * part)
        title, line, _, full = self._measure(1.0, place.width())
        high = min(place.height(), full * 1.18)
        top = place.center().y() - high / 2
        self._boxes = [QRectF(place.left() + i * part + gap / 2, top, part - gap, high) for i in range(len(cards))]
        shrink = min(1.0, high / full)
        fitted = [self._fit(card, box, title, line, shrink) for card, box in zip(cards, self._boxes, strict=True)]
        title = min((big for big, _, _, _ in fitted), key=QFont.pixelSize)
        line = min((small for _, _, small, _ in fitted), key=QFont.pixelSize)
        self.cut = []
        self._texts = [self._fit(card, box, title, line, 1.0) for card, box in zip(cards, self._boxes, strict=True)]
        self._heights = self._line_heights()
        return place.adjusted(-gap, -gap, gap, gap) & self.canvas

    def _line_heights(self) -> tuple[float, float]:
        """All titles of a row stand on one line, also those in a smaller font."""
        return (
            0.95 * max(words.height(big) for big, _, _, _ in self._texts),
            0.95 * max(words.height(small) for _, _, small, _ in self._texts),
        )

    def _measure(self, scale: float, room: float) -> tuple[QFont, QFont, list[float], float]:
        """Fonts of title and line, the cards' widths and their height, at this scale."""
        look, cards = self.look, self.mark.cards
        title = at_pixels(look.font("title", bold=True), max(look.least, look.pixels("title") * scale))
        line = at_pixels(look.font("label", mono=True), max(look.least, look.pixels("label") * scale))
        inset = look.share(1.4) * scale
        most = max(room * 0.24, look.share(12))
        widths = [
            min(most, max(words.width(title, card.title), words.width(line, card.subtitle), look.share(5)) + 2 * inset)
            for card in cards
        ]
        full = words.height(title) * 0.95 + 1.4 * inset
        if any(card.subtitle for card in cards):
            full += words.height(line)
        return title, line, widths, full

    def _fit(self, card: Any, box: QRectF, title: QFont, line: QFont, shrink: float) -> tuple[QFont, str, QFont, str]:
        least, elide = self.look.least, Qt.TextElideMode.ElideRight  # a word is known by its start
        titled = at_pixels(title, max(least, title.pixelSize() * shrink))
        lined = at_pixels(line, max(least, line.pixelSize() * shrink))
        for pad in (min(self.look.share(2.2), 0.2 * box.width()), min(self.look.share(1.2), 0.12 * box.width())):
            # Clear of a frame around the card, where there is room for that.
            big, text = words.fit(card.title, titled, box.width() - pad, least, elide)
            small, below = words.fit(card.subtitle, lined, box.width() - pad, least)
            if text == card.title and below == card.subtitle:
                break
        self.cut += [whole for whole, shown in ((card.title, text), (card.subtitle, below)) if whole != shown]
        return big, text, small, below

    @staticmethod
    def _rows(widths: list[float], room: float, gap: float) -> list[list[int]]:
        rows: list[list[int]] = [[]]
        used = 0.0
        for index, wide in enumerate(widths):
            if rows[-1] and used + gap + wide > room:
                rows.append([])
                used = 0.0
            used += wide + (gap if rows[-1] else 0.0)
            rows[-1].append(index)
        return rows

    def draw(self, painter: QPainter) -> None:
        if not self._boxes:
            return  # there was no room
        for index, (card, box) in enumerate(zip(self.mark.cards, self._boxes, strict=True)):
            if self._held is None or self._held[0] != index:
                self._draw_card(painter, index, card, box)
        if self._held is not None and self._held[0] < len(self._boxes):
            index, away = self._held
            at = self._boxes[index].center() + away
            self._draw_drop_mark(painter, self._target(at))
            painter.setOpacity(0.85)
            self._draw_card(painter, index, self.mark.cards[index], self._boxes[index].translated(away))

    def _draw_card(self, painter: QPainter, index: int, card: Any, box: QRectF) -> None:
        look = self.look
        wide = look.stroke("bold" if card.picked else "thin")
        colour = look.colour("what" if card.picked and card.role == "text" else card.role)
        border = colour if card.picked else look.colour("control" if card.faint or card.role == "text" else card.role)
        pen = QPen(border, wide)
        if card.faint:
            pen.setDashPattern([4.0, 3.0])
        inner = box.adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        radius = min(look.share(1.1), box.height() / 3)
        if self.is_lit(index):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.soft("where", 0.4))
            grow = look.stroke("hand")
            painter.drawRoundedRect(box.adjusted(-grow, -grow, grow, grow), radius + grow, radius + grow)
        painter.setPen(pen)
        painter.setBrush(look.panel if card.faint else look.ground)
        painter.drawRoundedRect(inner, radius, radius)
        big, text, small, below = self._texts[index]
        ink = look.colour("muted") if card.faint else colour
        if below:
            # Title and line as one block in the card's middle.
            high, low = self._heights
            top = box.center().y() - (high + low) / 2
            words.write(painter, QRectF(box.left(), top, box.width(), high), text, big, ink, words.CENTRE)
            rect = QRectF(box.left(), top + high, box.width(), low)
            words.write(painter, rect, below, small, look.colour("muted"), words.CENTRE)
        else:
            words.write(painter, box, text, big, ink, words.CENTRE)

    def _draw_drop_mark(self, painter: QPainter, target: int) -> None:
        source = self._held[0] if self._held else -1
        if target in (source, -1):
            return
        box = self._boxes[target]
        gap = self._gap / 2
        x = box.right() + gap if target > source else box.left() - gap
        painter.setPen(self.look.pen("where", "hand"))
        painter.drawLine(QLineF(x, box.top(), x, box.bottom()))

    def _target(self, at: QPointF) -> int:
        best, nearest = -1, 0.0
        for index, box in enumerate(self._boxes):
            centre = box.center()
            away = abs(centre.x() - at.x()) + 2 * abs(centre.y() - at.y())
            if best < 0 or away < nearest:
                best, nearest = index, away
        return best

    def hit(self, at: QPointF) -> Index | None:
        for index, box in enumerate(self._boxes):
            if box.contains(at):
                return (index,)
        return None

    def hover(self, at: QPointF) -> str:
        found = self.hit(at)
        if found is None:
            return ""
        card = self.mark.cards[found[0]]
        whole = f"{card.title}\n{card.subtitle}" if card.subtitle else card.title
        return card.hover or (whole if card.title in self.cut or card.subtitle in self.cut else "")

    def grip(self, at: QPointF) -> Any:
        found = self.hit(at) if self.mark.draggable else None
        if found is None:
            return None
        return found[0], QPointF(at)

    def dragged(self, grip: Any, at: QPointF) -> Event | None:
        self._held = (grip[0], at - grip[1])
        self.update()
        return None

    def dropped(self, grip: Any, at: QPointF) -> Event | None:
        held, self._held = self._held, None
        self.update()
        if held is None or held[0] >= len(self._boxes):
            return None
        target = self._target(self._boxes[held[0]].center() + held[1])
        self._current = target
        return Drop(self.mark.key, held[0], target) if target != held[0] else None

    def key(self, name: str, ctrl: bool) -> Event | None:
        count = len(self.mark.cards)
        picked = next((i for i, card in enumerate(self.mark.cards) if card.picked), -1)
        here = picked if picked >= 0 else min(max(self._current, 0), count - 1)
        step = {"left": -1, "right": 1}.get(name, 0)
        if ctrl and step and self.mark.draggable:
            target = here + step
            if not 0 <= target < count:
                return None
            self._current = target
            return Drop(self.mark.key, here, target)
        if name == "enter":
            return Pick(self.mark.key, (here,)) if count else None
        return Key(self.mark.key, name)

    def cover_rect(self) -> QRectF:
        return self.mapping.rect(self.mark.place) & self.canvas
