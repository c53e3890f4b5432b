"""A matrix is a window: what it costs and asks for depends on what is shown."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
import scenes
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QImage, QPainter

from core.stage import frame as f
from core.stage.theme import THEMES, contrast
from gui.view import cells, colours, rings

WHOLE = f.Cell(0, 0, 12, 12)


@dataclass(eq=False)
class Counted:
    """A million rows that exist only where they are asked for."""

    shape: tuple[int, ...] = (1_000_000, 4_096)
    asked: list[tuple[slice, slice]] = field(default_factory=list)

    def block(self, rows: slice, columns: slice) -> np.ndarray:
        self.asked.append((rows, columns))
        r = np.arange(rows.start, rows.stop, rows.step or 1)
        c = np.arange(columns.start, columns.stop, columns.step or 1)
        return np.sin(r[:, None] + c[None, :])


def panel(mark: f.Matrix, columns: float = 16, rows: float = 16) -> f.Panel:
    return f.Panel("p", WHOLE, (mark,), x=f.Axis(0, columns), y=f.Axis(0, rows), invert_y=True)


def test_only_what_is_shown_is_asked_for_and_only_once(shown: Callable[..., Any]) -> None:
    source = Counted()
    mark = f.Matrix("m", source, (500_000, 500_016), (8, 24), (-1, 1))
    plot = shown(panel(mark))
    shown(panel(replace(mark, outlines=(f.Outline(500_003, 8),))))
    assert source.asked == [(slice(500_000, 500_016, 1), slice(8, 24, 1))]
    assert plot.items_by_key["m"].window.uploads == 1
    shown(panel(replace(mark, rows=(500_001, 500_017))))
    assert len(source.asked) == 2


def test_more_rows_than_pixels_are_sampled(shown: Callable[..., Any]) -> None:
    source = Counted()
    plot = shown(panel(f.Matrix("m", source, (0, 1_000_000), (0, 4_096), (-1, 1), place=f.Rect(0, 0, 16, 16))))
    rows, columns = source.asked[0]
    block = plot.items_by_key["m"].window.block
    assert rows.step > 1000
    assert columns.step > 1
    assert block.size < 3_000_000


def test_what_is_sampled_is_painted_at_the_cost_of_the_sample(
    shown: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    monkeypatch.setattr(cells, "round", lambda value: counted.append(value) or round(value), raising=False)
    plot = shown(panel(f.Matrix("m", Counted(), (0, 1_000_000), (0, 4_096), (-1, 1), place=f.Rect(0, 0, 16, 16))))
    plot.grab()
    assert len(counted) < 10_000


def test_a_name_at_the_edge_picks_its_row_or_column(shown: Callable[..., Any]) -> None:
    mark = f.Matrix(
        "m", f.ArraySource(np.eye(4)), (0, 4), (0, 4), (0, 1), row_labels=tuple("abcd"), column_labels=tuple("wxyz"),
        outlines=(f.Outline(2, 1),),
    )  # fmt: skip
    item = shown(panel(mark, 4, 4)).items_by_key["m"]
    rows, columns = item._labels
    assert [item.hit(box.center()) for box, *_ in columns.texts] == [(2, 0), (2, 1), (2, 2), (2, 3)]
    assert [item.hit(box.center()) for box, *_ in rows.texts] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert item.hit(item._tiles[0].box.center() + QPointF(1, 1)) == (2, 2)


def test_the_same_array_uploads_nothing(shown: Callable[..., Any]) -> None:
    values = np.eye(4)
    marks = [f.Matrix("m", f.ArraySource(values), (0, 4), (0, 4), (0, 1)) for _ in range(3)]
    plot = None
    for mark in marks:
        plot = shown(panel(mark, 4, 4))
    assert plot.items_by_key["m"].window.uploads == 1


def test_numbers_appear_where_there_is_room(shown: Callable[..., Any]) -> None:
    few = shown(panel(f.Matrix("m", Counted(), (0, 4), (0, 4), (-1, 1), place=f.Rect(0, 0, 16, 16))))
    assert few.items_by_key["m"]._sheet._runs
    many = shown(panel(f.Matrix("m", Counted(), (0, 64), (0, 64), (-1, 1), place=f.Rect(0, 0, 16, 16))))
    assert not many.items_by_key["m"]._sheet._runs


def test_long_axes_keep_the_picked_label(shown: Callable[..., Any]) -> None:
    mark = f.Matrix(
        "m",
        Counted(),
        (1000, 1100),
        (0, 16),
        (-1, 1),
        place=f.Rect(0, 0, 16, 16),
        row_labels=tuple(str(1000 + i) for i in range(100)),
        outlines=(f.Outline(1037, 0, 1, 16, "where"),),
    )
    labels = shown(panel(mark)).items_by_key["m"]._labels[0].texts
    texts = [text for _, text, *_ in labels]
    assert "1037" in texts
    assert len(texts) <= 26
    assert not any("…" in text for text in texts)
    boxes = sorted(((box.center().y(), text) for box, text, *_ in labels))
    assert min(b[0] - a[0] for a, b in itertools.pairwise(boxes)) > 15


def test_small_multiples_are_one_image(shown: Callable[..., Any]) -> None:
    values = np.random.default_rng(0).normal(size=(12, 20, 20))
    mark = f.Matrix(
        "m",
        f.ArraySource(values),
        (0, 20),
        (0, 20),
        (-3, 3),
        f.Rect(0, 0, 16, 16),
        tiles=("head",) * 12,
        tile_columns=4,
    )
    item = shown(panel(mark)).items_by_key["m"]
    assert (item.window.image.width(), item.window.image.height()) == (20, 240)
    tile = item._tiles[6].box
    assert item.hit(tile.center()) == (6, 10, 10)


def test_hover_says_names_and_values_as_typed(shown: Callable[..., Any]) -> None:
    mark = f.Matrix(
        "m",
        f.ArraySource(np.array([[0.5, -0.25], [1.0, 2.0]])),
        (0, 2),
        (0, 2),
        (-2, 2),
        hover="{row} looks at {column}: {value}",
        row_names=("<s>", "<unk>"),
        column_names=("&amp;", "{row}"),
        mask=np.array([[False, False], [False, True]]),
        mask_text="−∞",
    )
    plot = shown(panel(mark, 2, 2))
    item = plot.items_by_key["m"]
    at = item._cell_rect(0, 0, 1).center()
    assert plot.hover_text(QPointF(at)) == "<s> looks at {row}: −0.250"
    assert plot.hover_text(item._cell_rect(0, 1, 1).center()).endswith("−∞")


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_an_empty_window_draws_nothing(shown: Callable[..., Any], shape: tuple[int, int]) -> None:
    plot = shown(panel(f.Matrix("m", f.ArraySource(np.zeros((3, 3))), (0, shape[0]), (0, shape[1]), (0, 1))))
    assert plot.items_by_key["m"].hit(QPointF(50, 50)) is None


def test_row_zero_is_on_top(shown: Callable[..., Any]) -> None:
    plot = shown(scenes.positions().panels[0])
    item = plot.items_by_key["table"]
    assert item._cell_rect(0, 0, 0).top() < item._cell_rect(0, 15, 0).top()
    assert item.hit(item._cell_rect(0, 0, 0).center()) == (0, 0)


def numbered(size: int, outlines: tuple[f.Outline, ...]) -> f.Matrix:
    values = -np.arange(size * size).reshape(size, size) / 8.0
    place = f.Rect(0, 0, 16, 16)
    return f.Matrix("m", f.ArraySource(values), (0, size), (0, size), (-8, 8), place, outlines=outlines)


@pytest.mark.parametrize("size", [4, 8, 12])
def test_numbers_keep_off_the_rings(shown: Callable[..., Any], size: int) -> None:
    mark = numbered(size, (f.Outline(2, 0, 1, size, "query"), f.Outline(2, 1, role="where")))
    item = shown(panel(mark)).items_by_key["m"]
    clear = rings.reach(item.look, item._cell()) + 1
    longest = max(map(len, item._number_texts().values()))
    for run, _ in item._sheet._runs:
        wide = longest * run.rawFont().advancesForGlyphIndexes(run.rawFont().glyphIndexesForString("0"))[0].x()
        assert (item._cell()[0] - wide) / 2 >= clear - 0.5


@pytest.mark.parametrize("rows", [8, 40, 120])
def test_a_ring_leaves_the_neighbours_to_be_seen(shown: Callable[..., Any], rows: int) -> None:
    item = shown(panel(numbered(rows, (f.Outline(3, 0, 1, rows),)))).items_by_key["m"]
    high = item._cell()[1]
    assert rings.width(item.look, item._cell()) <= max(rings.THINNEST, 0.15 * high)


def test_a_ring_is_seen_on_every_colour_of_a_cell() -> None:
    """The ring, or the edge of the ground beside it."""
    for theme in THEMES.values():
        for colours_ in ("signed", "amount"):
            for colour in colours.names(colours_, theme.dark):  # type: ignore[arg-type]
                for role in ("what", "where", "query", "key", "warn"):
                    best = max(contrast(theme.colour(role), colour), contrast(theme.ground, colour))  # type: ignore[arg-type]
                    assert best >= 2.5, (theme.profile, colour, role)
                    assert contrast(theme.colour(role), theme.ground) >= 3.0  # type: ignore[arg-type]


def test_small_cells_have_lines_both_ways_or_none(
    shown: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, qapp: Any
) -> None:
    drawn: list[int] = []

    class Spy(QPainter):
        def drawLines(self, lines: list[QLineF]) -> None:
            across = sum(line.dy() == 0 for line in lines)
            drawn.extend([across, len(lines) - across])

    for shape in ((8, 300), (300, 8), (8, 8)):
        mark = f.Matrix("m", Counted(), (0, shape[0]), (0, shape[1]), (-1, 1), f.Rect(0, 0, 16, 16), decimals=None)
        item = shown(panel(mark)).items_by_key["m"]
        drawn.clear()
        picture = QImage(8, 8, QImage.Format.Format_RGB32)
        painter = Spy(picture)
        boxes = [tile.box for tile in item._tiles]
        cells.draw_joined(painter, item.look, item.mark, item.window, boxes, item._shape)
        painter.end()
        across, down = drawn[:2]
        assert (across > 0) == (down > 0), shape


def test_cells_of_small_multiples_have_whole_pixels(shown: Callable[..., Any]) -> None:
    mark = f.Matrix("m", f.ArraySource(np.zeros((5, 7, 7))), (0, 7), (0, 7), (-1, 1), f.Rect(0, 0, 16, 16))
    item = shown(panel(mark)).items_by_key["m"]
    wide, high = item._cell()
    assert wide == int(wide)
    assert high == int(high)
