"""Many short texts in a mono font as a few glyph runs: 256 numbers in the time of a handful of labels."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QGlyphRun, QPainter, QRawFont

from gui.theming import font as make_font


class Cell(NamedTuple):
    """A text centred on a point."""

    x: float
    y: float
    text: str
    rgba: int
    bold: bool


class Sheet:
    """Collects texts of one size and draws them, one run per ink and weight."""

    def __init__(self) -> None:
        self._cells: list[Cell] = []
        self._runs: list[tuple[QGlyphRun, QColor]] = []

    @staticmethod
    def advance(font: QFont) -> float:
        """A figure's width as a share of the font's pixel size."""
        raw = _raw(100.0, font.bold())
        return raw.advancesForGlyphIndexes(raw.glyphIndexesForString("0"))[0].x() / 100.0

    def add(self, cell: Cell) -> None:
        self._cells.append(cell)

    def finish(self, pixels: float) -> None:
        """Lay the texts out in this size."""
        groups: dict[tuple[int, bool], list[Cell]] = defaultdict(list)
        for cell in self._cells:
            groups[cell.rgba, cell.bold].append(cell)
        self._runs = []
        for (rgba, bold), cells in groups.items():
            raw = _raw(float(round(pixels)), bold)
            step = raw.advancesForGlyphIndexes(raw.glyphIndexesForString("0"))[0].x()
            rise = raw.capHeight() / 2
            indexes: list[int] = []
            places: list[QPointF] = []
            for cell in cells:
                found = _glyphs(raw, round(pixels), bold, cell.text)
                left = cell.x - len(found) * step / 2
                indexes += found
                places += [QPointF(left + k * step, cell.y + rise) for k in range(len(found))]
            run = QGlyphRun()
            run.setRawFont(raw)
            run.setGlyphIndexes(indexes)
            run.setPositions(places)
            self._runs.append((run, QColor.fromRgba(rgba)))

    def draw(self, painter: QPainter) -> None:
        for run, colour in self._runs:
            painter.setPen(colour)
            painter.drawGlyphRun(QPointF(0, 0), run)


@lru_cache(maxsize=128)
def _raw(pixels: float, bold: bool) -> QRawFont:
    weight = QFont.Weight.Bold if bold else QFont.Weight.Normal
    return QRawFont.fromFont(make_font(pixels, weight, mono=True))


_known: dict[tuple[int, bool, str], list[int]] = {}


def _glyphs(raw: QRawFont, pixels: int, bold: bool, text: str) -> list[int]:
    found = _known.get((pixels, bold, text))
    if found is None:
        if len(_known) > 20_000:
            _known.clear()
        found = _known[pixels, bold, text] = raw.glyphIndexesForString(text)
    return found
