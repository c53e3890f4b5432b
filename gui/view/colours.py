"""Colour maps as tables, and the ink that is readable on each of their colours."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from core.stage.frame import Colours
from core.stage.theme import contrast

STEPS = 256
DIMMED = 0.86
_MAPS: dict[str, str] = {"signed": "CET-CBD1", "amount": "cividis", "angle": "CET-CBC1"}
BLACK, WHITE = QColor("#000000"), QColor("#FFFFFF")


@cache
def table(colours: Colours, dark: bool = False) -> np.ndarray:
    """(256,) colours as 0xAARRGGBB, opaque. ``dark``: all are dimmed, so that pale cells don't glare."""
    rgb = pg.colormap.get(_MAPS[colours]).getLookupTable(nPts=STEPS, alpha=False).astype(float)
    rgb = np.rint(rgb * (DIMMED if dark else 1.0)).astype(np.uint32)
    return 0xFF000000 | rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]


@cache
def white_ink(colours: Colours, dark: bool = False) -> np.ndarray:
    """(256,) bool: where white numbers are more readable than black ones. Either reaches 4.5 : 1 on any colour."""
    return np.array([contrast(name, "#FFFFFF") > contrast(name, "#000000") for name in names(colours, dark)])


@cache
def names(colours: Colours, dark: bool = False) -> tuple[str, ...]:
    """The table as ``#RRGGBB``."""
    return tuple(f"#{int(value) & 0xFFFFFF:06X}" for value in table(colours, dark))


def indices(values: Any, levels: tuple[float, float], colours: Colours) -> np.ndarray:
    """Which of the 256 colours each value takes; signed values are centred on 0, whatever the levels."""
    low, high = levels
    if colours == "signed":
        high = max(abs(low), abs(high))
        low = -high
    span = (high - low) or 1.0
    scaled = (np.asarray(values, dtype=float) - low) * ((STEPS - 1) / span)
    return np.clip(np.rint(scaled), 0, STEPS - 1).astype(np.uint8)


def ink_on(colour: QColor) -> QColor:
    """Black or white, whichever is more readable on the colour."""
    name = colour.name()
    return WHITE if contrast(name, "#FFFFFF") > contrast(name, "#000000") else BLACK
