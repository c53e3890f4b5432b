"""What a colour scale means: a small bar of its colours between the texts of its ends."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from core.stage.frame import Legend
from gui.theming import Look
from gui.view import colours, words

LONG, HIGH = 9.0, 1.35  # of the bar, per cent of the height


def width(legend: Legend, look: Look) -> float:
    """Of both texts and the bar."""
    font = look.font("small")
    ends = words.width(font, legend.low) + words.width(font, legend.high)
    return look.share(LONG) + ends + 2 * look.share(0.6)


def draw(painter: QPainter, box: QRectF, legend: Legend, look: Look) -> None:
    """Flush left in ``box``, in its middle."""
    font, gap = look.font("small"), look.share(0.6)
    left = box.left()
    low = words.width(font, legend.low)
    words.write(painter, QRectF(left, box.top(), low, box.height()), legend.low, font, look.colour("muted"))
    high = min(look.share(HIGH), box.height())
    bar = QRectF(left + low + gap, box.center().y() - high / 2, look.share(LONG), high)
    painter.drawImage(bar, _image(legend, look))
    painter.setPen(QPen(look.colour("control"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar)
    end = QRectF(bar.right() + gap, box.top(), words.width(font, legend.high), box.height())
    words.write(painter, end, legend.high, font, look.colour("muted"))


def _image(legend: Legend, look: Look) -> QImage:
    if legend.colours == "none":
        image = QImage(1, 1, QImage.Format.Format_RGB32)
        image.fill(look.ground)
        return image
    first, last = (round(share * (colours.STEPS - 1)) for share in legend.part)
    row = np.ascontiguousarray(colours.table(legend.colours, look.theme.dark)[first : last + 1].astype(np.uint32))
    return QImage(row.data, len(row), 1, 4 * len(row), QImage.Format.Format_RGB32).copy()
