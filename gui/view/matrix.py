"""A window on a source as coloured cells. What it costs depends on what is shown, never on the source's size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from core.stage.frame import Event, Index, Key, Outline, Pick, Rect
from core.stage.numbers import number
from core.stage.theme import Role
from gui.theming import Look
from gui.view import cells, colours, rings, words
from gui.view.cells import MOST
from gui.view.glyphs import Cell, Sheet
from gui.view.item import Mapping, MarkItem
from gui.view.labels import RowLabels, column_labels, row_labels
from gui.view.window import Window

LONG = 12  # rows and columns: with more, the first outlined cell's names are shown whatever is left out


@dataclass(slots=True)
class Tile:
    """One matrix of the small multiples (or the only one): its cells' box and its title's."""

    box: QRectF
    title: QRectF


class MatrixItem(MarkItem):
    """Cells, their numbers, labels and outlines, in one item."""

    INTERACTIVE = 1

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.window = Window(look)
        self._tiles: list[Tile] = []
        self._tile_gap = 0.0
        self._sheet = Sheet()
        self._labels: list[RowLabels] = []
        self.title_font = look.font("small")
        self.label_font = look.font("small")
        self.strong_font = look.font("small", bold=True)

    # --- window and places

    @property
    def _shape(self) -> tuple[int, int]:
        (r0, r1), (c0, c1) = self.mark.rows, self.mark.columns
        return max(0, r1 - r0), max(0, c1 - c0)

    def _place(self) -> Rect:
        rows, columns = self._shape
        return self.mark.place or Rect(0.0, 0.0, float(columns), float(rows))

    def signature(self) -> Any:
        mark = self.mark
        if not mark.row_labels and not mark.column_labels:
            return self._shape if mark.place is None else None
        place = self._place()
        return (
            place.x,
            place.y,
            len(mark.column_labels) > 0,
            self._label_width(),
            self._shape if mark.place is None else 0,
        )

    def _label_width(self) -> float:
        """Of the widest row label, were it bold; a very long token is elided instead of squeezing the cells."""
        widest = max((words.width(self.strong_font, text) for text in self.mark.row_labels), default=0.0)
        return min(widest, self.look.share(15))

    def overhang(self, mapping: Mapping) -> tuple[float, float, float, float]:
        box, area = mapping.rect(self._place()), mapping.area
        left = top = 0.0
        gap = self.look.share(0.8)
        if self.mark.row_labels:
            left = max(0.0, gap + self._label_width() + 1.0 - (box.left() - area.left()))
        if self.mark.column_labels:
            top = max(0.0, words.height(self.label_font) + gap * 0.4 - (box.top() - area.top()))
        return left, top, 0.0, 0.0

    def arrange(self) -> QRectF:
        box = self.mapping.rect(self._place())
        rows, columns = self._shape
        if not rows or not columns or box.width() < 1 or box.height() < 1:
            self._tiles = []
            return QRectF()
        self._lay_tiles(box)
        inner = self._tiles[0].box
        # No more numbers than pixels: a larger window is asked for every nth row and column.
        steps = (max(1, int(rows / inner.height())), max(1, int(columns / inner.width())))
        self.window.show_window(self.mark, steps)
        self._write_numbers()
        self._lay_labels()
        rect = QRectF(box).adjusted(-6, -6, 6, 6)
        for label in self._labels:
            rect |= label.extent()
        return rect & self.canvas

    def _lay_tiles(self, box: QRectF) -> None:
        shape = self.mark.source.shape
        if len(shape) == 2:
            self._tiles = [Tile(self._snap(box), QRectF())]
            return
        count = shape[0]
        across = self.mark.tile_columns or max(1, round(np.sqrt(count)))
        down = -(-count // across)
        gap = min(self.look.share(1.4), 0.2 * min(box.width() / across, box.height() / down))
        self._tile_gap = gap
        title = words.height(self.title_font) + self.look.stroke("bold") if any(self.mark.tiles) else 0.0
        wide, high = (box.width() + gap) / across, (box.height() + gap) / down
        self._tiles = []
        for index in range(count):
            left, top = box.left() + index % across * wide, box.top() + index // across * high
            inside = self._whole_cells(QRectF(left, top + title, wide - gap, max(1.0, high - gap - title)))
            self._tiles.append(Tile(inside, QRectF(left, top - self.look.stroke("bold"), wide - gap, title)))

    def _whole_cells(self, box: QRectF) -> QRectF:
        """So that all small cells have the same whole number of pixels."""
        box, (rows, columns) = self._snap(box), self._shape
        wide, high = box.width() // columns * columns, box.height() // rows * rows
        return QRectF(box.left(), box.top(), wide or box.width(), high or box.height())

    @staticmethod
    def _snap(box: QRectF) -> QRectF:
        left, top = round(box.left()), round(box.top())
        return QRectF(left, top, max(1, round(box.right()) - left), max(1, round(box.bottom()) - top))

    # --- numbers

    def _gap(self) -> float:
        return min(self.look.share(0.75), 0.2 * self._cell()[1]) if self.mark.separate else 0.0

    def _cell(self) -> tuple[float, float]:
        rows, columns = self._shape
        return self._tiles[0].box.width() / columns, self._tiles[0].box.height() / rows

    def _cell_rect(self, tile: int, row: int, column: int) -> QRectF:
        """Row and column in the window, not in the source."""
        wide, high = self._cell()
        box, half = self._tiles[tile].box, self._gap() / 2
        return QRectF(box.left() + column * wide, box.top() + row * high, wide, high).adjusted(half, half, -half, -half)

    def _write_numbers(self) -> None:
        mark = self.mark
        self._sheet = Sheet()
        wide, high = self._cell()
        least = self.look.least
        if self.window.steps != (1, 1) or self.window.block.size > MOST or 0.72 * (high - self._gap()) < least:
            return
        if mark.decimals is None and not mark.mask_text:
            return
        base = self.look.font("label", mono=True)
        sheet = Sheet()
        texts = self._number_texts()
        longest = max([mark.characters, 1, *(len(text) for text in texts.values())])
        pixels = max(min(0.45 * high, self.look.pixels("title")), least)
        room = (wide - self._gap()) * 0.8
        if not mark.separate:  # a number keeps off the ring of its cell or its neighbour's
            ring = rings.reach(self.look, self._cell()) + 1.0 if mark.outlines else 1.5
            room = min(0.9 * wide, wide - 2 * ring)
        pixels = min(pixels, int(room / max(1, longest) / sheet.advance(base) + 0.05))
        if pixels < least - 0.5:
            return
        strong = {index for outline in (*mark.fills, *mark.outlines) for index in self.window.cells_of(outline)}
        filled = {index: fill.role for fill in mark.fills for index in self.window.cells_of(fill)}
        muted = self.look.colour("muted")
        text_ink = self.look.colour("text")
        white = colours.white_ink(mark.colours, self.look.theme.dark) if self.window.indices is not None else None
        for (t, r, c), text in texts.items():
            if self.window.mask is not None and self.window.mask[t, r, c]:
                ink = muted
            elif (r, c) in filled:
                ink = self.look.ground
            elif self.window.plain is not None and self.window.plain[t, r, c]:
                ink = muted
            elif white is None or self.window.indices is None:
                ink = text_ink
            else:
                ink = colours.WHITE if white[self.window.indices[t, r, c]] else colours.BLACK
            centre = self._cell_rect(t, r, c).center()
            bold = (r, c) in strong and mark.separate
            sheet.add(Cell(centre.x(), centre.y(), text, ink.rgba(), bold))
        sheet.finish(pixels)
        self._sheet = sheet

    def _number_texts(self) -> dict[tuple[int, int, int], str]:
        mark, mask = self.mark, self.window.mask
        found = {}
        for index in np.ndindex(*self.window.block.shape):
            if mask is not None and mask[index]:
                if mark.mask_text:
                    found[index] = mark.mask_text
            elif mark.decimals is not None:
                found[index] = number(self.window.block[index], mark.decimals)
        return found  # type: ignore[return-value]

    # --- labels

    def _lay_labels(self) -> None:
        mark = self.mark
        self._labels = []
        if not self._tiles:
            return
        rows, columns = self._shape
        across = self.mark.tile_columns or max(1, round(np.sqrt(len(self._tiles))))
        # A frame around whole rows or columns picks their names too.
        picked_rows: dict[int, Role] = {}
        picked_columns: dict[int, Role] = {}
        for o in mark.outlines:
            if o.columns >= columns:
                picked_rows |= {o.row - mark.rows[0] + i: o.role for i in range(o.rows)}
            if o.rows >= rows:
                picked_columns |= {o.column - mark.columns[0] + i: o.role for i in range(o.columns)}
            if o is mark.outlines[0] and o.rows == o.columns == 1 and min(rows, columns) > LONG:
                # On a long axis names are left out: those of the first outlined cell stand there in any case.
                picked_rows.setdefault(o.row - mark.rows[0], o.role)
                picked_columns.setdefault(o.column - mark.columns[0], o.role)
        for index, tile in enumerate(self._tiles):
            if mark.row_labels and index % across == 0:
                labels = row_labels(mark.row_labels, tile.box, mark.rows[0], picked_rows, self.look, self.bounds)
                labels.role = mark.row_role
                self._labels.append(labels)
            if mark.column_labels and index < across:
                labels = column_labels(
                    mark.column_labels, tile.box, mark.columns[0], picked_columns, self.look, self.bounds
                )
                labels.role = mark.column_role
                self._labels.append(labels)
        self.cut += [text for labels in self._labels for text in labels.cut]

    # --- painting

    def draw(self, painter: QPainter) -> None:
        if not self._tiles:
            return
        if self.mark.opacity < 1.0:
            painter.setOpacity(max(0.0, self.mark.opacity))
        if self.mark.separate:
            tiles, rows, columns = (range(n) for n in self.window.block.shape)
            places = [[[self._cell_rect(t, r, c) for c in columns] for r in rows] for t in tiles]
            cells.draw_separate(painter, self.look, self.window, places, self._corner())
        else:
            boxes = [tile.box for tile in self._tiles]
            cells.draw_joined(painter, self.look, self.mark, self.window, boxes, self._shape)
        self._sheet.draw(painter)
        self._draw_outlines(painter)
        for labels in self._labels:
            labels.draw(painter, self.look)
        for index, tile in enumerate(self._tiles):
            if index < len(self.mark.tiles) and self.mark.tiles[index]:
                picked = index == self.mark.picked_tile
                base = self.look.font("small", bold=True) if picked else self.title_font
                font, text = words.fit(self.mark.tiles[index], base, tile.title.width(), self.look.least)
                words.write(painter, tile.title, text, font, self.look.colour("where" if picked else "muted"))
        if 0 <= self.mark.picked_tile < len(self._tiles):
            wide = min(self.look.stroke("bold"), max(2.0, 0.5 * self._tile_gap))
            painter.setPen(QPen(self.look.colour("where"), wide))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            half = wide / 2 + 1  # a hair of the panel between ring and cells
            box = self._tiles[self.mark.picked_tile].box.adjusted(-half, -half, half, half)
            painter.drawRoundedRect(box, wide, wide)

    def _corner(self) -> float:
        return min(self.look.share(0.75), self._cell()[1] * 0.2) if self.mark.separate else 0.0

    def _draw_outlines(self, painter: QPainter) -> None:
        found = [rings.Ring(box, o.role) for o in self.mark.outlines for box in self._outlined(o)]
        found += [rings.Ring(box, o.role, True) for o in self._lit_cells() for box in self._outlined(o)]
        rings.draw(painter, self.look, self._cell(), found, self._corner())

    def _outlined(self, outline: Outline) -> Iterator[QRectF]:
        (r0, r1), (c0, c1) = self.mark.rows, self.mark.columns
        top, bottom = max(outline.row, r0) - r0, min(outline.row + outline.rows, r1) - r0
        left, right = max(outline.column, c0) - c0, min(outline.column + outline.columns, c1) - c0
        if top >= bottom or left >= right:
            return
        for tile in range(len(self._tiles)):
            if self.mark.separate and (bottom - top) * (right - left) <= MOST:
                for row in range(top, bottom):
                    yield from (self._cell_rect(tile, row, column) for column in range(left, right))
            else:
                yield self._cell_rect(tile, top, left) | self._cell_rect(tile, bottom - 1, right - 1)

    def _lit_cells(self) -> Iterator[Outline]:
        rows, columns = self._shape
        for index in self.lit.get(self.mark.key, ()):
            cell = index[1:] if len(index) == 3 else index
            if len(cell) == 2:
                yield Outline(cell[0], cell[1], role="where")
            elif len(cell) == 1:
                yield Outline(cell[0], self.mark.columns[0], 1, columns, "where")
            else:
                yield Outline(self.mark.rows[0], self.mark.columns[0], rows, columns, "where")

    # --- pointer and keys

    def hit(self, at: QPointF) -> Index | None:
        return self._cell_at(at) or self._head_at(at)

    def _head_at(self, at: QPointF) -> Index | None:
        """A row's or a column's name stands for its cell in the picked column or row."""
        if len(self._tiles) != 1 or len(self.mark.source.shape) != 2:
            return None
        box, (wide, high) = self._tiles[0].box, self._cell()
        picked = next(iter(self.mark.outlines), None)
        (top, bottom), (first, last) = self.mark.rows, self.mark.columns
        if self.mark.column_labels and self._labels[-1].extent().contains(at) and box.left() <= at.x() < box.right():
            row = picked.row if picked is not None and top <= picked.row < bottom else top
            return row, min(first + int((at.x() - box.left()) / wide), last - 1)
        if self.mark.row_labels and self._labels[0].extent().contains(at) and box.top() <= at.y() < box.bottom():
            column = picked.column if picked is not None and first <= picked.column < last else first
            return min(top + int((at.y() - box.top()) / high), bottom - 1), column
        return None

    def _cell_at(self, at: QPointF) -> Index | None:
        for number_, tile in enumerate(self._tiles):
            if tile.box.contains(at):
                wide, high = self._cell()
                rows, columns = self._shape
                row = min(int((at.y() - tile.box.top()) / high), rows - 1) + self.mark.rows[0]
                column = min(int((at.x() - tile.box.left()) / wide), columns - 1) + self.mark.columns[0]
                return (row, column) if len(self.mark.source.shape) == 2 else (number_, row, column)
        return None

    def hover(self, at: QPointF) -> str:
        found = self._cell_at(at)
        if found is None:
            return next((text for labels in self._labels for text in labels.hover(at)), "")
        if not self.mark.hover:
            return ""
        mark = self.mark
        tile = found[0] if len(found) == 3 else 0
        row, column = found[-2:]
        r, c = (row - mark.rows[0]) // self.window.steps[0], (column - mark.columns[0]) // self.window.steps[1]
        masked = self.window.mask is not None and self.window.mask[tile, r, c]
        decimals = 3 if mark.decimals is None else max(mark.decimals, 3)
        value = mark.mask_text if masked else number(self.window.block[tile, r, c], decimals)
        said = mark.hover.replace("{row}", _name(mark.row_names, row, mark.rows))
        said = said.replace("{column}", _name(mark.column_names, column, mark.columns))
        titles = mark.tiles[tile] if tile < len(mark.tiles) else str(tile)
        return str(said.replace("{value}", value).replace("{tile}", titles))

    def key(self, name: str, ctrl: bool) -> Event | None:
        if name == "enter":
            outline = next(iter(self.mark.outlines), None)
            return Pick(self.mark.key, (outline.row, outline.column)) if outline is not None else None
        return Key(self.mark.key, name)

    def cover_rect(self) -> QRectF:
        return self.mapping.rect(self._place()) & self.canvas


def _name(names: tuple[str, ...], index: int, window: tuple[int, int]) -> str:
    """A row's name; names are given for the rows shown, or for all."""
    at = index - window[0] if len(names) == window[1] - window[0] else index
    return names[at] if 0 <= at < len(names) else number(index, 0)
