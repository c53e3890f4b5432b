"""The stage draws what changed and nothing else; texts appear as typed and are not cut."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scenes
from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from PySide6.QtGui import QImage, QPainter

from core.stage import frame as f
from core.stage import motion
from core.stage.theme import THEMES
from gui.theming import Look, palette
from gui.view import words
from gui.view.item import MarkItem, same
from gui.view.snapshot import stage_image

WHOLE = f.Cell(0, 0, 12, 12)


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of items that were laid out, one after the other."""
    keys: list[str] = []
    original = MarkItem.set_place

    def count(self: MarkItem, *arguments: Any) -> None:
        if hasattr(self.mark, "key") and not isinstance(self.mark, f.Panel):
            keys.append(self.mark.key)
        original(self, *arguments)

    monkeypatch.setattr(MarkItem, "set_place", count)
    return keys


def test_an_unchanged_frame_touches_nothing(stage: Any, qapp: Any, placed: list[str]) -> None:
    first = scenes.rope()
    stage.draw(first)
    qapp.processEvents()
    placed.clear()
    paints = [view.repaints for view in stage.shown_panels()]
    stage.draw(first)
    stage.draw(scenes.rope())  # equal, not identical
    qapp.processEvents()
    assert placed == []
    assert [view.repaints for view in stage.shown_panels()] == paints


def test_only_the_mark_that_changed_is_laid_out(stage: Any, qapp: Any, placed: list[str]) -> None:
    stage.draw(scenes.positions(3))
    placed.clear()
    stage.draw(scenes.positions(4))
    assert sorted(placed) == ["clock", "table"]


def test_a_moving_mark_moves(stage: Any, qapp: Any) -> None:
    old, new = scenes.rope(3, 1), scenes.rope(5, 3)
    tips = []
    for t in (0.0, 0.5, 1.0):
        stage.draw(motion.blend(old, new, t))
        tips.append(stage.panel_view("dial").plot.items_by_key["dials"]._tips["q"][0].copy())
    assert not np.allclose(tips[0], tips[1])
    assert not np.allclose(tips[1], tips[2])


@pytest.mark.parametrize("token", ["<s>", "<unk>", "&amp;", "<b>bold</b>", "a&b", "\\n", "<img src=x>"])
def test_tokens_appear_as_typed(qapp: Any, token: str) -> None:
    """The same ink as a plain drawText of the same characters."""

    def ink(image: QImage) -> int:
        flat = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
        return int((flat == 0x14181F).sum())

    label = f.Label("m", 0.5, 0.5, token, "title")
    image = stage_image(scenes.frame(f.Panel("p", WHOLE, (label,))), stage=(600, 200))
    reference = QImage(600, 200, QImage.Format.Format_RGB32)
    reference.fill(Look().panel)
    painter = QPainter(reference)
    painter.setFont(Look().font("title"))
    painter.setPen(Look().colour("text"))
    painter.drawText(QPointF(100, 100), token)  # no flags: certainly plain
    painter.end()
    assert abs(ink(image) - ink(reference)) <= 0.3 * ink(reference)
    assert ink(image) > 10


def test_a_tool_tip_is_escaped() -> None:
    assert "&lt;unk&gt;" in words.tip("<unk>", Look())
    assert words.tip("cat", Look()).startswith("<")  # certainly rich text, so that nothing is guessed


def test_texts_shrink_before_they_are_cut(qapp: Any) -> None:
    look = Look()
    base = look.font("label")
    wide = words.width(base, "positional encoding")
    font, text = words.fit("positional encoding", base, wide * 0.85, look.least)
    assert text == "positional encoding"
    assert look.least - 1 <= font.pixelSize() < base.pixelSize()
    font, text = words.fit("positional encoding", base, wide * 0.3, look.least)
    assert "…" in text
    assert font.pixelSize() >= look.least - 1


def test_a_title_wraps_to_two_lines(shown: Callable[..., Any], stage: Any) -> None:
    title = "a title that is rather long for the narrow panel that it stands in"
    shown(f.Panel("p", f.Cell(0, 0, 12, 4), (f.Label("m", 0.5, 0.5, "x"),), title))
    assert stage.cut_texts() == []
    assert len([text for text in stage.panel_view("p")._texts if text[1]]) == 2


@pytest.mark.parametrize("scene", ["rope", "positions", "lookup"])
@pytest.mark.parametrize("size", [(1340, 590, 1080), (893, 393, 720), (700, 420, 768)])
def test_nothing_is_cut(stage: Any, qapp: Any, scene: str, size: tuple[int, int, int]) -> None:
    stage.set_look(Look(height=float(size[2])))
    stage.resize(size[0], size[1])
    stage.draw(scenes.ALL[scene]())
    qapp.processEvents()
    assert stage.cut_texts() == []


def test_covers_hide_panels_marks_and_readouts(shown: Callable[..., Any], stage: Any, qapp: Any) -> None:
    scene = scenes.rope()
    stage.draw(scene)
    qapp.processEvents()
    bare = stage.grab().toImage()
    stage.draw(replace(scene, covers=frozenset({"curve", "score", "dials"})))
    qapp.processEvents()
    covered = stage.grab().toImage()
    assert bare != covered
    assert not stage.panel_view("curve").plot.isVisible()
    stage.draw(scene)
    qapp.processEvents()
    assert stage.panel_view("curve").plot.isVisible()
    assert stage.grab().toImage() == bare


def test_a_hidden_mark_says_nothing(shown: Callable[..., Any]) -> None:
    dial = scenes.rope().panels[0]
    plot = shown(dial, covers=frozenset({"dials"}))
    centre = plot.items_by_key["dials"].cover_rect().center()
    assert plot._item_at(centre) is None or plot._item_at(centre)[0].mark.key != "dials"


def test_a_new_look_draws_everything_anew(stage: Any, qapp: Any) -> None:
    stage.draw(scenes.rope(), {("q", (0,))})
    stage.set_look(Look(THEMES["night"], 720.0))
    qapp.processEvents()
    assert stage.grab().toImage().pixelColor(12, 12).name() == THEMES["night"].panel.lower()
    assert stage.panel_view("dial").plot.items_by_key["dials"].lit == {"q": frozenset({(0,)})}


def test_panels_that_come_and_go(stage: Any, qapp: Any) -> None:
    for name in (*scenes.ALL, *scenes.ALL):
        stage.draw(scenes.ALL[name]())
        qapp.processEvents()
    assert {view.panel.key for view in stage.shown_panels()} == {panel.key for panel in scenes.zoo().panels}
    assert all(view.isVisible() for view in stage.shown_panels())
    hidden = [view for view in stage._panels.values() if not view.isVisible()]
    assert len(hidden) <= 6


def test_a_mark_that_changes_its_kind(shown: Callable[..., Any]) -> None:
    shown(f.Panel("p", WHOLE, (f.Label("m", 0.5, 0.5, "x"),)))
    plot = shown(f.Panel("p", WHOLE, (f.Handle("m", 0.5, 0.5),)))
    assert plot.items_by_key["m"].INTERACTIVE == 5


def test_a_mark_that_comes_back_stands_where_the_axes_are_now(shown: Callable[..., Any]) -> None:
    label = f.Label("m", 0.5, 0.5, "x")
    shown(f.Panel("p", WHOLE, (label,)))
    shown(f.Panel("p", WHOLE, (f.Label("n", 0.5, 0.5, "y"),), x=f.Axis(0, 10)))
    plot = shown(f.Panel("p", WHOLE, (label,), x=f.Axis(0, 10)))
    box = plot.items_by_key["m"].box
    assert abs(box.center().x() - plot.mapping.px(0.5)) < 2


def test_no_item_outlives_its_stage(qapp: Any) -> None:
    from gui.view.stage import StageView

    gc.collect()
    view = StageView(Look())
    view.resize(900, 500)
    view.show()
    for scene in scenes.ALL.values():
        view.draw(scene())
        qapp.processEvents()
    found = [weakref.ref(view), *(weakref.ref(panel) for panel in view.shown_panels())]
    found += [weakref.ref(item) for p in view.shown_panels() if p.plot for item in p.plot.items_by_key.values()]
    view.hide()
    view.deleteLater()
    del view, scene
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert [ref() for ref in found if ref() is not None] == []


def test_marks_are_the_same_by_value() -> None:
    a = f.Dials("d", (f.Hand("h", np.arange(3.0)),), f.Rect(0, 0, 1, 1), 1)
    b = f.Dials("d", (f.Hand("h", np.arange(3.0)),), f.Rect(0, 0, 1, 1), 1)
    assert same(a, b)
    assert not same(a, replace(b, hands=(f.Hand("h", np.arange(3.0) + 1),)))
    big = np.zeros(100_000)
    assert not same(big, big.copy())


def test_the_palette_has_every_profile(qapp: Any) -> None:
    for theme in THEMES.values():
        look = Look(theme)
        assert palette(look).window().color() == look.ground
        assert look.font("number", bold=True, mono=True).pixelSize() == round(look.pixels("number"))


def test_labels_never_cross(shown: Callable[..., Any]) -> None:
    labels = (
        f.Label("a", 0.0, 0.5, "a long label at the left of the panel", anchor="left"),
        f.Label("b", 0.3, 0.5, "and another that would cross it by far", anchor="left"),
        f.Label("c", 0.5, 0.5, "and a third", anchor="left"),
    )
    plot = shown(f.Panel("p", f.Cell(0, 0, 12, 6), labels))
    boxes = [plot.items_by_key[key].box.adjusted(0, 4, 0, -4) for key in "abc"]
    assert not any(a.intersects(b) for a, b in itertools.combinations(boxes, 2))
