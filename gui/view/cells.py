"""A matrix's cells as they are painted: joined to one picture with lines between them, or each a rounded box."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from core.stage.frame import Matrix
from gui.theming import Look, hatch
from gui.view import masks
from gui.view.window import Window

GRID = 5.0  # pixels: smaller cells have no lines between them
MOST = 4_000  # cells with numbers
FEW = 1_000  # cells that are filled one by one


def draw_joined(
    painter: QPainter, look: Look, mark: Matrix, window: Window, boxes: list[QRectF], shape: tuple[int, int]
) -> None:
    """``shape``: rows and columns of each of the ``boxes``, however many of them the window samples."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    _, n, m = window.block.shape
    rows, columns = shape
    wide, high = boxes[0].width() / columns, boxes[0].height() / rows
    bare = mark.colours == "none"
    # Thousands of cells without numbers or names are one picture, however large it is drawn.
    picture = mark.decimals is None and not mark.row_labels and rows * columns > MOST
    gridded = min(wide, high) >= GRID and not picture  # both or none: lines in one direction would be stripes
    lines: list[QLineF] = []
    for index, box in enumerate(boxes):
        if gridded:
            xs = [round(box.left() + k * wide) for k in range(columns + 1)]
            ys = [round(box.top() + k * high) for k in range(rows + 1)]
            lines += [QLineF(box.left(), y, box.right() - 1, y) for y in ys[1:-1]]
            lines += [QLineF(x, box.top(), x, box.bottom() - 1) for x in xs[1:-1]]
        if gridded and window.steps == (1, 1) and rows * columns <= FEW:
            # Qt scales an image to within a pixel: beside a line that would show as a strip of the other cell.
            pixels = window.pixels[index * n : (index + 1) * n].tolist()
            for (top, bottom), row in zip(pairwise(ys), pixels, strict=True):
                for (left, right), value in zip(pairwise(xs), row, strict=True):
                    painter.fillRect(left, top, right - left, bottom - top, QColor.fromRgba(value))
        else:
            painter.drawImage(box, window.image, QRectF(0, index * n, m, n))
    if window.mask is not None:
        masks.draw(painter, look, window.mask, boxes, (wide, high), window.steps)
    painter.setPen(QPen(look.colour("line") if bare else look.panel, 1))
    painter.drawLines(lines)
    if bare or window.plain is not None or window.mask is not None:
        painter.setPen(QPen(look.colour("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects([box.adjusted(0, 0, -1, -1) for box in boxes])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_separate(
    painter: QPainter, look: Look, window: Window, boxes: list[list[list[QRectF]]], radius: float
) -> None:
    """``boxes[tile][row][column]``: the place of each cell."""
    thin = QPen(look.colour("line"), look.stroke("thin"))
    ground = int(look.ground.rgba()) & 0xFFFFFFFF
    rows = window.block.shape[1]
    for tile, tiled in enumerate(boxes):
        for row, line in enumerate(tiled):
            for column, rect in enumerate(line):
                masked = window.mask is not None and window.mask[tile, row, column]
                value = int(window.pixels[tile * rows + row, column])
                painter.setPen(thin if value == ground or masked else Qt.PenStyle.NoPen)
                painter.setBrush(QColor.fromRgba(value))
                painter.drawRoundedRect(rect, radius, radius)
                if masked:
                    lines = look.colour("line").rgba()
                    painter.setBrush(hatch(lines, look.share(masks.PITCH), look.stroke("thin")))
                    painter.drawRoundedRect(rect, radius, radius)
