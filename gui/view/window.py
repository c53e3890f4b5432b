"""What a matrix shows of its source, as numbers and as an image: asked for once, coloured once."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from core.stage.frame import Matrix, Outline
from gui.theming import Look
from gui.view import colours
from gui.view.item import same


class Window:
    """The block of numbers at hand, (tiles, rows, columns), the colour of each and the image made of them."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.mark: Matrix | None = None
        self.steps = (1, 1)
        self.block = np.zeros((1, 0, 0))
        self.indices: np.ndarray | None = None  # into the colour table; None: cells without a colour
        self.plain: np.ndarray | None = None
        self.mask: np.ndarray | None = None
        self.pixels = np.zeros((0, 0), np.uint32)  # the tiles below one another
        self.image = QImage()
        self.uploads = 0  # images made, for the tests: the same numbers make none
        self._bad = np.zeros((1, 0, 0), bool)
        self._asked: Any = None
        self._coloured: Any = None

    def show_window(self, mark: Matrix, steps: tuple[int, int]) -> None:
        """Take the mark's window, every ``steps``-th row and column of it."""
        self.mark, self.steps = mark, steps
        self._ask(mark)
        made_of = (mark.levels, mark.colours, mark.plain, mark.mask, mark.fills)
        if self._coloured is None or not same(self._coloured, made_of):
            self._coloured = made_of
            self._colour(mark)

    def _ask(self, mark: Matrix) -> None:
        wanted = (mark.rows, mark.columns, self.steps)
        if self._asked is not None and self._asked[1:] == wanted and _same_source(self._asked[0], mark.source):
            return
        (r0, r1), (c0, c1), (rs, cs) = wanted
        values = np.asarray(mark.source.block(slice(r0, r1, rs), slice(c0, c1, cs)), dtype=float)
        self.block = values if values.ndim == 3 else values[np.newaxis]
        # Sources are finite; what is not is shown as a cell without a number rather than as a wrong colour.
        self._bad = ~np.isfinite(self.block)
        if self._bad.any():
            self.block = np.where(self._bad, 0.0, self.block)
        self._asked = (mark.source, *wanted)
        self._coloured = None

    def _colour(self, mark: Matrix) -> None:
        self.uploads += 1
        ground = int(self.look.ground.rgba()) & 0xFFFFFFFF
        tiles, rows, columns = self.block.shape
        if mark.colours == "none":
            self.indices = None
            pixels = np.full(self.block.shape, ground, np.uint32)
        else:
            self.indices = colours.indices(self.block, mark.levels, mark.colours)
            pixels = colours.table(mark.colours, self.look.theme.dark)[self.indices].astype(np.uint32)
        self.plain, self.mask = self._sampled(mark.plain), self._sampled(mark.mask)
        if self._bad.any():
            self.mask = self._bad if self.mask is None else self.mask | self._bad
        if self.plain is not None:
            pixels[self.plain] = ground
        if self.mask is not None:
            pixels[self.mask] = int(self.look.panel.rgba()) & 0xFFFFFFFF
        for fill in mark.fills:
            rs, cs = self.slices(fill)
            pixels[:, rs, cs] = int(self.look.colour(fill.role).rgba()) & 0xFFFFFFFF
        self.pixels = np.ascontiguousarray(pixels.reshape(tiles * rows, columns))
        self.image = QImage(self.pixels.data, columns, tiles * rows, 4 * columns, QImage.Format.Format_RGB32)

    def _sampled(self, flags: Any) -> np.ndarray | None:
        if flags is None:
            return None
        rs, cs = self.steps
        return np.broadcast_to(np.asarray(flags, bool)[..., ::rs, ::cs], self.block.shape)

    def slices(self, outline: Outline) -> tuple[slice, slice]:
        """The outline's cells in the block at hand."""
        assert self.mark is not None
        (r0, _), (c0, _), (rs, cs) = self.mark.rows, self.mark.columns, self.steps
        top, left = outline.row - r0, outline.column - c0
        return (
            slice(max(0, top) // rs, max(0, -(-(top + outline.rows) // rs))),
            slice(max(0, left) // cs, max(0, -(-(left + outline.columns) // cs))),
        )

    def cells_of(self, outline: Outline) -> list[tuple[int, int]]:
        """The same, one by one."""
        rows, columns = self.slices(outline)
        n, m = self.block.shape[1:]
        across = range(columns.start, min(columns.stop, m))
        return [(r, c) for r in range(rows.start, min(rows.stop, n)) for c in across]


def _same_source(a: Any, b: Any) -> bool:
    try:
        return same(a, b)
    except ValueError:  # a source that holds arrays and compares them
        return False
