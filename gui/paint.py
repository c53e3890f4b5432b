"""How the window's own widgets are painted: panels, buttons' bodies, rings, small signs. Colours come from the look."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gui.theming import Look, hyphened

Sign = Literal["start", "back", "play", "pause", "on", "down", "left", "right", "check", "more"]


def em(look: Look) -> float:
    """The unit of every distance: the pixel size of a label."""
    return look.pixels("label")


def radius(look: Look) -> float:
    return round(0.45 * em(look), 1)


def ring_room(look: Look) -> float:
    """What a widget keeps free around its body for the focus ring."""
    return max(3.0, 0.17 * em(look))


def gap(look: Look) -> int:
    """Between the buttons of one choice, on the stage and beside it."""
    return max(4, round(look.share(0.7)))


def body(widget: QWidget, look: Look) -> QRectF:
    """The visible part of a widget: all but the room for the ring."""
    room = ring_room(look)
    return QRectF(widget.rect()).adjusted(room, room, -room, -room)


def start(widget: QWidget) -> QPainter:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    return painter


def panel(painter: QPainter, rect: QRectF, look: Look) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.panel)
    painter.drawRoundedRect(rect, 1.2 * radius(look), 1.2 * radius(look))


def box(
    painter: QPainter,
    rect: QRectF,
    look: Look,
    fill: QColor,
    border: QColor,
    width: float = 0.0,
    corner: float | None = None,
) -> None:
    """A rounded box whose border lies inside ``rect``."""
    corner = radius(look) if corner is None else corner
    pen = QPen(border, width or max(1.0, look.stroke("thin")))
    half = pen.widthF() / 2
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), corner, corner)


def ring(painter: QPainter, widget: QWidget, look: Look) -> None:
    """The sign of the keyboard's focus: around the body, in the colour of text."""
    width = max(2.0, 0.09 * em(look))
    painter.setPen(QPen(look.colour("text"), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = QRectF(widget.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter.drawRoundedRect(edge, 1.25 * radius(look), 1.25 * radius(look))


def write(
    painter: QPainter,
    rect: QRectF,
    words: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignCenter,
) -> None:
    """One line of plain text."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, hyphened(words, font))


def width_of(words: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(hyphened(words, font))


def line_height(font: QFont) -> float:
    return QFontMetricsF(font).height()


def sign(painter: QPainter, name: Sign, rect: QRectF, colour: QColor) -> None:
    """A small sign that fills the square ``rect``: drawn, because fonts differ in which of them they have."""
    side, left, top = rect.width(), rect.left(), rect.top()

    def at(x: float, y: float) -> QPointF:
        return QPointF(left + x * side, top + y * side)

    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if name in ("start", "on"):
        bar = QRectF(at(0.04, 0.0), at(0.16, 1.0)) if name == "start" else QRectF(at(0.84, 0.0), at(0.96, 1.0))
        painter.drawRect(bar)
        points = (at(0.96, 0.14), at(0.26, 0.5), at(0.96, 0.86)) if name == "start" else (
            at(0.04, 0.14), at(0.74, 0.5), at(0.04, 0.86)
        )  # fmt: skip
        painter.drawPolygon(QPolygonF(points))
    elif name == "back":
        painter.drawPolygon(QPolygonF((at(0.86, 0.12), at(0.12, 0.5), at(0.86, 0.88))))
    elif name == "play":
        painter.drawPolygon(QPolygonF((at(0.14, 0.1), at(0.9, 0.5), at(0.14, 0.9))))
    elif name == "pause":
        painter.drawRect(QRectF(at(0.16, 0.1), at(0.4, 0.9)))
        painter.drawRect(QRectF(at(0.6, 0.1), at(0.84, 0.9)))
    elif name == "down":
        painter.drawPolygon(QPolygonF((at(0.05, 0.25), at(0.95, 0.25), at(0.5, 0.85))))
    elif name == "left":
        painter.drawPolygon(QPolygonF((at(0.75, 0.05), at(0.15, 0.5), at(0.75, 0.95))))
    elif name == "right":
        painter.drawPolygon(QPolygonF((at(0.25, 0.05), at(0.85, 0.5), at(0.25, 0.95))))
    elif name == "more":
        for row in (0.18, 0.5, 0.82):
            painter.drawRect(QRectF(at(0.0, row - 0.07), at(1.0, row + 0.07)))
    else:
        path = QPainterPath(at(0.12, 0.55))
        path.lineTo(at(0.4, 0.82))
        path.lineTo(at(0.9, 0.2))
        pen = QPen(colour, 0.17 * side, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)


def tip(words: str) -> str:
    """A tool tip that shows ``words`` as they are: tokens look like markup."""
    import html  # the tips are written long after start-up

    return f"<qt>{html.escape(words)}</qt>" if words else ""
