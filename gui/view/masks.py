"""Cells that hold no number: the panel's colour, hatched where the cells are large enough for it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from gui.theming import Look, hatch

PITCH = 1.1  # of the hatching, per cent of the height


def draw(
    painter: QPainter,
    look: Look,
    mask: np.ndarray,
    boxes: list[QRectF],
    cell: tuple[float, float],
    steps: tuple[int, int],
) -> None:
    """``mask`` (tiles, rows, columns) over the tiles' ``boxes``; each row and column of it stands for ``steps`` cells
    of the size ``cell``."""
    if mask.strides[0] == 0:  # all tiles share it
        runs = _runs(mask[0], boxes[0], cell, steps)
        start = boxes[0].topLeft()
        runs = [run.translated(box.topLeft() - start) for box in boxes for run in runs]
    else:
        runs = [run for own, box in zip(mask, boxes, strict=True) for run in _runs(own, box, cell, steps)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.panel)  # the image's own cells may end a pixel further
    painter.drawRects(runs)
    pitch = look.share(PITCH)
    if min(cell) >= pitch or len(boxes) == 1:  # else the hatching would be specks
        painter.setBrush(
            hatch(look.soft("control", 0.75 if look.theme.dark else 0.5).rgba(), pitch, look.stroke("thin"))
        )
        painter.drawRects(runs)


def _runs(mask: np.ndarray, box: QRectF, cell: tuple[float, float], steps: tuple[int, int]) -> list[QRectF]:
    """The masked cells of each row as a few rectangles."""
    (wide, high), (rs, cs) = cell, steps
    found = []
    for row, flags in enumerate(mask):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
        top, bottom = round(box.top() + row * rs * high), round(box.top() + (row + 1) * rs * high)
        for a, b in edges.reshape(-1, 2).tolist():
            left, right = round(box.left() + a * cs * wide), round(box.left() + b * cs * wide)
            found.append(QRectF(left, top, right - left, bottom - top) & box)
    return found
