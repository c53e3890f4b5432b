"""Plain text, painted: measured, shrunk to the smallest size that the last row reads, and only then elided."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPaintEngine, QPainter, QPainterPath, QPen

from core.stage.frame import Anchor
from gui.theming import Look, at_pixels, hyphened

_FLAGS = Qt.TextFlag.TextDontClip
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


_keys: dict[str, str] = {}
_metrics: dict[str, QFontMetricsF] = {}
_kept: dict[str, QFont] = {}


@lru_cache(maxsize=2048)
def _advance(key: str, text: str) -> float:
    shown = hyphened(text, _kept[key])
    return max(_metrics[key].horizontalAdvance(line) for line in shown.split("\n"))


def metrics(font: QFont) -> QFontMetricsF:
    """The font's measures, kept."""
    return _metrics[_known(font)]


def _known(font: QFont) -> str:
    """The font's key, always the same object: Qt makes a new one at every call, and the widths are kept by it."""
    key = font.key()
    if key not in _keys:
        _keys[key], _metrics[key], _kept[key] = key, QFontMetricsF(font), QFont(font)
    return _keys[key]


def width(font: QFont, text: str) -> float:
    """The text's advance; of its longest line."""
    return _advance(_known(font), text)


def height(font: QFont, text: str = "") -> float:
    found = metrics(font)
    return found.height() + found.lineSpacing() * text.count("\n")


def cap(font: QFont) -> float:
    """The height of a capital letter."""
    return metrics(font).capHeight()


def fit(
    text: str, font: QFont, room: float, least: float, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
) -> tuple[QFont, str]:
    """The font shrunk down to ``least`` pixels and, where that is not enough, the text elided."""
    needed = width(font, text)
    if needed <= room + 0.5 or not text:
        return font, text
    size = font.pixelSize()
    smaller = at_pixels(font, max(min(size, round(least + 0.49)), int(size * room / needed)))
    while width(smaller, text) > room + 0.5 and smaller.pixelSize() > least + 0.5:
        smaller = at_pixels(font, smaller.pixelSize() - 1)
    if width(smaller, text) <= room + 0.5:
        return smaller, text
    return smaller, metrics(smaller).elidedText(text, elide, room)


def wrap(text: str, font: QFont, room: float) -> list[str]:
    """Lines that fit the room, broken between words (a single longer word stays whole)."""
    lines: list[str] = []
    space = width(font, " ")
    for paragraph in text.split("\n"):
        current, across = "", 0.0
        for word in paragraph.split(" "):
            # Word by word: what is measured is kept, and lines that change with a number would fill the store.
            wide = width(font, word)
            if current and across + space + wide > room:
                lines.append(current)
                current, across = word, wide
            else:
                across = across + space + wide if current else wide
                current = f"{current} {word}" if current else word
        lines.append(current)
    return lines


def paragraph(text: str, font: QFont, room: float, most: int, least: float) -> tuple[QFont, list[str]]:
    """Wrapped to at most ``most`` lines, in a smaller font where it has to be; the last line is elided at worst."""
    size = font.pixelSize()
    while True:
        lines = wrap(text, font, room)
        if (len(lines) <= most and all(width(font, line) <= room for line in lines)) or size - 1 < least:
            break
        size -= 1
        font = at_pixels(font, size)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    elide = Qt.TextElideMode.ElideRight
    return font, [line if width(font, line) <= room else metrics(font).elidedText(line, elide, room) for line in lines]


def write(
    painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, align: Qt.AlignmentFlag = LEFT
) -> None:
    """Plain text; nothing in it is markup or a mnemonic."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, int(align.value) | int(_FLAGS.value), hyphened(text, font))


def halo(painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, wide: float) -> None:
    """The ground's colour around one line of text in the middle of ``rect``: what runs beneath doesn't cross it.

    On the screen it is kept as an image: stroking it costs half a millisecond, and on some tabs words move.
    """
    if painter.paintEngine().type() is not QPaintEngine.Type.Raster:
        _stroke(painter, rect, text, font, colour, wide)
        return
    image, edge = _halo(text, _known(font), colour.rgba(), wide, painter.device().devicePixelRatioF())
    high, across = metrics(font).height(), width(font, text)
    painter.drawImage(QPointF(rect.center().x() - across / 2 - edge, rect.center().y() - high / 2 - edge), image)


@lru_cache(maxsize=64)  # pictures: as many as stand on a stage, not as many as were ever shown
def _halo(text: str, font: str, colour: int, wide: float, ratio: float) -> tuple[QImage, float]:
    """The halo alone, and how far it reaches beyond the text's box."""
    edge = math.ceil(wide) + 1.0
    wanted = width(_kept[font], text) + 2 * edge, metrics(_kept[font]).height() + 2 * edge
    across, high = (math.ceil(size * ratio) for size in wanted)
    sheet = _sheet(across, high)
    sheet.setDevicePixelRatio(ratio)
    sheet.fill(0)
    painter = QPainter(sheet)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _stroke(painter, QRectF(0.0, 0.0, *wanted), text, _kept[font], QColor.fromRgba(colour), wide)
    painter.end()
    return sheet.copy(0, 0, across, high), edge


def _sheet(across: int, high: int) -> QImage:
    """One image to paint on, copied from: PySide6 keeps six references to None for every new image painted on."""
    if not _sheets or _sheets[0].width() < across or _sheets[0].height() < high:
        least = (256, 64) if not _sheets else (_sheets[0].width(), _sheets[0].height())
        size = max(across, least[0]), max(high, least[1])
        _sheets[:] = [QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)]
    return _sheets[0]


_sheets: list[QImage] = []


def _stroke(painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, wide: float) -> None:
    found = metrics(font)
    path = QPainterPath()
    base = rect.center().y() + (found.ascent() - found.descent()) / 2
    path.addText(rect.center().x() - width(font, text) / 2, base, font, hyphened(text, font))
    pen = QPen(colour, 2 * wide)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(path, pen)


def anchored(x: float, y: float, w: float, h: float, anchor: Anchor, gap: float = 0.0) -> QRectF:
    """A box whose ``anchor`` lies at the point: "left" means that the point is at the box's left."""
    left = x + gap if "left" in anchor else x - w - gap if "right" in anchor else x - w / 2
    top = y + gap if "top" in anchor else y - h - gap if "bottom" in anchor else y - h / 2
    return QRectF(left, top, w, h)


def inside(rect: QRectF, bounds: QRectF) -> QRectF:
    """The box pushed into the bounds."""
    moved = QRectF(rect)
    if moved.right() > bounds.right():
        moved.moveRight(bounds.right())
    if moved.bottom() > bounds.bottom():
        moved.moveBottom(bounds.bottom())
    moved.moveLeft(max(moved.left(), bounds.left()))
    moved.moveTop(max(moved.top(), bounds.top()))
    return moved


def cover(painter: QPainter, rect: QRectF, look: Look) -> None:
    """The tile over what the class has not voted on yet."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(look.colour("control"), look.stroke("line")))
    painter.setBrush(look.ground)
    inner = rect.adjusted(2, 2, -2, -2)
    radius = min(look.share(1.1), inner.height() / 4)
    painter.drawRoundedRect(inner, radius, radius)
    side = max(8.0, min(inner.height() * 0.55, inner.width() * 0.7, look.share(16)))
    write(painter, inner, "?", at_pixels(look.font("number", bold=True), side), look.colour("text"), CENTRE)
    painter.restore()


def tip(text: str, look: Look) -> str:
    """A tool tip that shows the text as typed: whatever looks like markup is escaped."""
    from html import escape  # its list of entities is long, and tips come long after start-up

    size = round(look.pixels("small"))
    return f"<p style='white-space:pre-wrap; font-size:{size}px'>{escape(text)}</p>"
