"""The numbers that matter, large, with the words around them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from core.stage.frame import Readout
from core.stage.theme import Role
from gui.theming import Look, at_pixels
from gui.view import words

_Line = tuple[QRectF, str, QFont, Role, Qt.AlignmentFlag]


@dataclass(slots=True)
class _Block:
    """One readout, measured: label above, value, detail below; the detail may stand beside where it is low."""

    readout: Readout
    label: QFont
    value: QFont
    detail: QFont
    details: list[str]
    wide: float
    high: float


class Readouts:
    """Lays readouts out in a row where they fit, else below one another."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.cut: list[str] = []
        self._lines: list[tuple[str, list[_Line]]] = []
        self._boxes: dict[str, QRectF] = {}

    def clear(self) -> None:
        self._lines, self._boxes, self.cut = [], {}, []

    def lay_out(self, readouts: tuple[Readout, ...], room: QRectF, filling: bool) -> float:
        """Place them in ``room``; returns the height used. ``filling``: they have the panel for themselves."""
        self.clear()
        most = room.height() if filling else room.height() * 0.6
        gap, between = self.look.share(2.6), self.look.share(1.2)
        rows: list[list[_Block]] = []
        # Best is one row in which nothing wraps. With the panel to themselves, more rows are better than small letters.
        tries = [(shrink, False) for shrink in ((1.0,) if filling else (1.0, 0.92, 0.84))]
        tries += [(shrink, True) for shrink in (1.0, 0.92, 0.84, 0.76, 0.68, 0.6, 0.5, 0.42, 0.36, 0.3)]
        for shrink, wrapped in tries:
            blocks = [self._measure(readout, shrink, room.width(), wrapped) for readout in readouts]
            rows = _flow(blocks, room.width(), gap)
            fits = _high(rows, between) <= most and max(block.wide for block in blocks) <= room.width() + 1
            if fits and (wrapped or len(rows) == 1):
                break
        total = _high(rows, between)
        if filling and len(rows) > 1:
            spare = min((room.height() - total) / (len(rows) + 1), self.look.share(2.5))
            between += max(0.0, spare)
            total = _high(rows, between)
        top = room.top() + (max(0.0, (room.height() - total) / 2) if filling else 0.0)
        for row in rows:
            high = max(block.high for block in row)
            left = room.left()
            for block in row:
                self._place(block, left, top, room.width())  # captions on one line
                left += block.wide + gap
            top += high + between
        return total

    def _measure(self, readout: Readout, shrink: float, room: float, wrapped: bool) -> _Block:
        look = self.look

        def smaller(base: QFont) -> QFont:
            return at_pixels(base, max(look.least, base.pixelSize() * shrink))

        label, detail = smaller(look.font("label")), smaller(look.font("label"))
        value = smaller(look.font(readout.size, bold=True, mono=readout.size == "number"))
        least_wide = max(words.width(value, readout.value), words.width(label, readout.label))
        details = _details(readout.detail, detail, max(least_wide, room * 0.45)) if wrapped else [readout.detail]
        details = details if readout.detail else []
        wide = max([least_wide, *(words.width(detail, line) for line in details)])
        high = _tight(value) + words.height(detail) * len(details)
        if readout.label:
            high += words.height(label)
        return _Block(readout, label, value, detail, details, wide, high)

    def _place(self, block: _Block, left: float, top: float, room: float) -> None:
        readout, lines = block.readout, []
        wide = min(block.wide, room)
        self._boxes[readout.key] = QRectF(left, top, wide, block.high)
        if readout.label:
            high = words.height(block.label)
            lines.append(self._line(left, top, wide, high, readout.label, block.label, "muted"))
            top += high
        high = _tight(block.value)
        lines.append(self._line(left, top, wide, high, readout.value, block.value, readout.role))
        top += high
        for text in block.details:
            high = words.height(block.detail)
            lines.append(self._line(left, top, wide, high, text, block.detail, "muted"))
            top += high
        self._lines.append((readout.key, lines))

    def _line(self, left: float, top: float, wide: float, high: float, text: str, font: QFont, role: Role) -> _Line:
        font, shown = words.fit(text, font, wide + 1, self.look.least)
        if shown != text:
            self.cut.append(text)
        return QRectF(left, top, wide + 2, high), shown, font, role, words.LEFT

    def draw(self, painter: QPainter, covers: frozenset[str]) -> None:
        for key, lines in self._lines:
            if key in covers:
                words.cover(painter, self._boxes[key], self.look)
                continue
            for box, text, font, role, align in lines:
                words.write(painter, box, text, font, self.look.colour(role), align)


def _details(detail: str, font: QFont, room: float) -> list[str]:
    """Lines that fit: a result stays with its equals sign, ``… × cos(…)`` and below it ``= −1.279``."""
    if words.width(font, detail) <= room:
        return [detail]
    before, sign, result = detail.rpartition(" = ")
    if not sign or words.width(font, "= " + result) > room:
        return words.wrap(detail, font, room)
    return [*words.wrap(before, font, room), "= " + result]


def _tight(font: QFont) -> float:
    """The line's height for large figures, which have nothing below the line."""
    return min(words.height(font), 1.16 * font.pixelSize())


def _flow(blocks: list[_Block], room: float, gap: float) -> list[list[_Block]]:
    """Beside one another as long as they fit, then on a new row."""
    rows: list[list[_Block]] = [[]]
    for block in blocks:
        used = sum(other.wide + gap for other in rows[-1])
        if rows[-1] and used + block.wide > room:
            rows.append([])
        rows[-1].append(block)
    return rows


def _high(rows: list[list[_Block]], between: float) -> float:
    return sum(max(block.high for block in row) for row in rows if row) + between * (len(rows) - 1)
