"""What has to be told apart is: hands that meet, bars that are picked, levels near the axis, what a colour means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scenes

from core.stage import frame as f
from core.stage.theme import FLOOR, PROFILES, SIZES, THEMES
from gui.theming import Look
from gui.view import colours, legend, words
from gui.view.readouts import Readouts, _details
from gui.view.snapshot import stage_image
from tests.gui.view.test_marks import count

WHOLE = f.Cell(0, 0, 12, 12)
UNIT = f.Rect(0, 0, 1, 1)


@pytest.mark.parametrize("turn", [0.0, 0.01, -0.05])
@pytest.mark.parametrize("dials", [1, 24])
def test_hands_that_meet_are_both_seen(qapp: object, turn: float, dials: int) -> None:
    angles = np.linspace(0, 6, dials)
    hands = (f.Hand("q", angles + turn, "query"), f.Hand("k", angles, "key"))
    panel = f.Panel("p", WHOLE, (f.Dials("d", hands, UNIT, columns=max(1, dials // 2)),))
    image = stage_image(scenes.frame(panel), stage=(900, 300))
    first, second = (count(image, THEMES["projector"].colour(role)) for role in ("query", "key"))  # type: ignore[arg-type]
    assert first > 0.4 * second > 0


def test_hands_apart_stand_where_they_are(shown: Callable[..., Any]) -> None:
    hands = (f.Hand("q", np.array([0.0]), "query"), f.Hand("k", np.array([1.0]), "key"))
    item = shown(f.Panel("p", WHOLE, (f.Dials("d", hands, UNIT, 1),))).items_by_key["d"]
    assert not any(shift.any() for shift in item._shifts.values())


def test_a_picked_bar_keeps_its_height(shown: Callable[..., Any]) -> None:
    bars = f.Bars("b", np.arange(4.0), np.array([0.2, 0.5, 0.4, 0.1]), "where", picked=2)
    panel = f.Panel("p", WHOLE, (bars,), x=f.Axis(-1, 4, ((0.0, "0"),)), y=f.Axis(0, 1))
    item = shown(panel).items_by_key["b"]
    assert item._bars[2].height() == pytest.approx(0.8 * item._bars[1].height())


def test_a_level_close_to_the_edge_is_the_axis(shown: Callable[..., Any]) -> None:
    def lines(low: float) -> tuple[float, float]:
        axes = f.Axis(0, 1, ((0.0, "0"), (1.0, "1"))), f.Axis(low, 1, ((0.0, "0"), (1.0, "1")))
        panel = f.Panel("p", WHOLE, (f.Label("m", 0.5, 0.5, "x"),), x=axes[0], y=axes[1])
        plot = shown(panel)
        return plot.axes._lines[0].y1(), plot.axes._grid[0].y1()

    near, far = lines(-0.01), lines(-0.5)
    assert near[0] == near[1]
    assert far[0] > far[1] + 20


@pytest.mark.parametrize("note", ["", "one scale for all", ("a note too long to stand beside the title " * 3).strip()])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_legend_shows_its_colours_and_ends(qapp: object, stage: Any, note: str, profile: Any) -> None:
    scale = f.Legend("signed", "−8", "0", (0.0, 0.5))
    panel = f.Panel("p", f.Cell(0, 0, 12, 6), (f.Label("m", 0.5, 0.5, "x"),), "title", note, legend=scale)
    image = stage_image(scenes.frame(panel), profile, stage=(1340, 590))
    names = set(colours.names("signed", THEMES[profile].dark)[10:100])
    assert sum(count(image, name) for name in names) > 100
    stage.draw(scenes.frame(panel))
    view = stage.panel_view("p")
    assert view.rect().contains(view._legend.toRect())
    assert legend.width(scale, view.look) <= view._legend.width() + 1
    assert stage.cut_texts() == []


def test_a_legend_stands_beside_nothing_that_it_covers(stage: Any) -> None:
    choice = f.Segments("c", (("a", "one"), ("b", "two")), "a")
    panel = f.Panel(
        "p", f.Cell(0, 0, 12, 4), (f.Label("m", 0.5, 0.5, "x"),), note="note", choice=choice,
        legend=f.Legend("amount", "0", "1"),
    )  # fmt: skip
    stage.draw(scenes.frame(panel))
    view = stage.panel_view("p")
    assert view._legend.left() > view.segments.geometry().right()
    assert view._legend.left() > view._texts[0][0].left() + words.width(view._texts[0][2], "note")


def test_a_result_stays_with_its_equals_sign(qapp: object) -> None:
    font = Look().font("label")
    detail = "1.300 × cos(2 × 1 + 1.322) = −1.279"
    assert _details(detail, font, 10_000) == [detail]
    lines = _details(detail, font, words.width(font, detail) - 5)
    assert lines[-1] == "= −1.279"
    assert " ".join(lines) == detail


def test_details_do_not_wrap_while_there_is_room_beside(qapp: object) -> None:
    from PySide6.QtCore import QRectF

    look = Look()
    readouts = Readouts(look)
    pair = (
        f.Readout("a", "−1.279", "score"),
        f.Readout("b", "gap 2", size="heading", detail="1.3 × cos(2 × 1 + 1.322) = −1.279"),
    )
    readouts.lay_out(pair, QRectF(0, 0, 700, 120), filling=True)
    assert [text for _, text, *_ in readouts._lines[1][1]] == ["gap 2", pair[1].detail]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("height", [480, 720, 1080])
def test_no_text_is_smaller_than_the_floor(profile: Any, height: float) -> None:
    theme = THEMES[profile]
    for size in SIZES:
        assert theme.pixels(size, height) >= FLOOR  # type: ignore[arg-type]
    assert theme.least(height) >= FLOOR - 1


def test_on_a_dark_ground_pale_cells_are_dimmed() -> None:
    for name in ("signed", "amount", "angle"):
        bright, dim = (colours.table(name, dark) & 0xFF for dark in (False, True))  # type: ignore[arg-type]
        assert (dim <= bright).all()
        assert dim.max() < 0.9 * bright.max()
