"""Names that stay readable: beside a picked cell, above narrow columns, in a row of buttons that is too long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from core.stage.frame import ArraySource, Axis, Cell, Curve, Matrix, Outline, Panel, Points, Segments
from gui.theming import Look
from gui.view.segments import SegmentBar

KINDS = tuple(f"kind{number:02}" for number in range(40))


def panel(*outlines: Outline, size: int = 40) -> Panel:
    names = KINDS[:size]
    cells = ArraySource(np.zeros((size, size)))
    shown = Matrix(
        "cells", cells, (0, size), (0, size), (-1.0, 1.0), row_labels=names, column_labels=names, outlines=outlines
    )
    return Panel("main", Cell(0, 0, 12, 8), (shown,), x=Axis(0, size), y=Axis(0, size), invert_y=True)


def names(plot: Any, which: int) -> list[str]:
    return [whole for _, _, _, _, whole in plot.items_by_key["cells"]._labels[which].texts]


def test_the_first_outlined_cell_of_a_long_matrix_has_its_names(shown: Callable[..., Any]) -> None:
    for row, column in ((11, 26), (39, 0), (17, 18)):
        plot = shown(panel(Outline(row, column), Outline(column, row)))
        assert KINDS[row] in names(plot, 0)
        assert KINDS[column] in names(plot, 1)
        assert len(names(plot, 0)) < 40
        above = [box for box, *_ in plot.items_by_key["cells"]._labels[1].texts]
        assert not any(one.intersects(other) for i, one in enumerate(above) for other in above[:i])


def test_words_above_columns_are_left_out_rather_than_cut(shown: Callable[..., Any]) -> None:
    plot = shown(panel(size=18))
    assert plot.cut_texts() == []
    assert len(names(plot, 1)) in (9, 18)


def test_a_long_row_of_buttons_stands_in_two(qapp: Any) -> None:
    parent = QWidget()
    bar = SegmentBar(Look(), parent)
    bar.show_choice(Segments("view", tuple((f"o{number}", f"option {number}") for number in range(8)), "o1"))
    hint = bar.sizeHint()
    assert bar.wanted(hint.width()).height() == hint.height()
    wanted = bar.wanted(hint.width() // 2 + 40)
    assert wanted.height() > 1.9 * hint.height()
    bar.resize(wanted)
    bar._lay_out()
    rects = [button.geometry() for button in bar.buttons]
    assert all(bar.rect().contains(rect) for rect in rects)
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    parent.deleteLater()


def test_a_line_does_not_cross_a_dots_name(shown: Callable[..., Any]) -> None:
    line = Curve("line", np.array([0.0, 1.0]), np.array([0.5, 0.5]), "text", "bold")
    dot = Points("dot", np.array([0.5]), np.array([0.5]), labels=("a long name",))
    plot = shown(Panel("main", Cell(0, 0, 12, 12), (line, dot), x=Axis(0, 1), y=Axis(0, 1)))
    box = plot.items_by_key["dot"]._labels[0][0]
    image = plot.grab().toImage()
    ink = plot.look.colour("text").rgba()
    y = round(plot.items_by_key["dot"].mapping.py(0.5))
    row = [image.pixel(x, y) == ink for x in range(round(box.left()), round(box.right()))]
    assert sum(row) < 0.7 * len(row), "the ground shows between the letters"
