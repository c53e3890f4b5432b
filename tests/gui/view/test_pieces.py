"""A formula in pieces, of which each can be picked and lit; cards that stand evenly above columns."""

from __future__ import annotations

from typing import Any

import pytest
import scenes
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.stage import frame as f
from gui.view.stage import StageView

WHOLE = f.Cell(0, 0, 12, 12)
PARTS = (r"\mathrm{out}_i", "=", r"\sum_j", r"\sqrt{d}", "v_j")


def stage(mark: Any, **lit: Any) -> StageView:
    view = StageView()
    view.resize(900, 500)
    view.draw(scenes.frame(f.Panel("p", WHOLE, (mark,), invert_y=True)), **lit)
    view.show()
    return view


def item(view: StageView) -> Any:
    plot = view.panel_view("p").plot
    assert plot is not None
    return plot, plot.items_by_key["m"]


@pytest.fixture
def formula() -> f.Formula:
    return f.Formula("m", "".join(PARTS), 0.5, 0.5, "title", parts=PARTS, roles=("what", "text"), picked=3)


def test_the_pieces_of_a_formula_stand_side_by_side_on_one_line(qtbot: Any, formula: f.Formula) -> None:
    view = stage(formula)
    qtbot.addWidget(view)
    _, drawn = item(view)
    assert len(drawn._parts) == len(PARTS)
    for left, right in zip(drawn._parts, drawn._parts[1:], strict=False):
        assert left.right() <= right.left() + 0.5
        assert left.top() == right.top()
        assert left.height() == right.height()
    assert view.cut_texts() == []


def test_a_piece_is_picked_by_its_number(qtbot: Any, formula: f.Formula) -> None:
    view = stage(formula)
    qtbot.addWidget(view)
    plot, drawn = item(view)
    events: list[Any] = []
    view.happened.connect(events.append)
    for number, part in enumerate(drawn._parts):
        at = part.center().toPoint()
        QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
        assert events[-1] == f.Pick("m", (number,))


def test_a_lit_piece_looks_different(qtbot: Any, formula: f.Formula) -> None:
    plain, lit = stage(formula), stage(formula, lit=[("m", (4,))])
    for view in (plain, lit):
        qtbot.addWidget(view)
    assert plain.grab().toImage() != lit.grab().toImage()


def test_even_cards_stand_in_equal_parts_of_their_place(qtbot: Any) -> None:
    cards = tuple(f.Card(word, str(place)) for place, word in enumerate(("a", "photosynthesis", "cat", "dog")))
    view = stage(f.Cards("m", cards, f.Rect(0.2, 0.1, 0.8, 0.3), even=True))
    qtbot.addWidget(view)
    _, drawn = item(view)
    place = drawn.mapping.rect(f.Rect(0.2, 0.1, 0.8, 0.3))
    for number, box in enumerate(drawn._boxes):
        assert box.center().x() == pytest.approx(place.left() + (number + 0.5) * place.width() / 4, abs=0.5)
        assert box.width() == pytest.approx(drawn._boxes[0].width())
