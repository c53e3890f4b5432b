"""Every mark draws something, in its role's colour, and lights where it should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scenes
from PySide6.QtGui import QColor, QImage

from core.stage import frame as f
from core.stage.theme import THEMES, contrast
from gui.theming import Look
from gui.view import colours
from gui.view.marks import ITEMS
from gui.view.snapshot import stage_image

WHOLE = f.Cell(0, 0, 12, 12)
UNIT = f.Rect(0, 0, 1, 1)


def picture(*marks: Any, lit: Any = (), covers: frozenset[str] = frozenset(), **panel: Any) -> QImage:
    one = f.Panel("p", WHOLE, marks, **panel)
    return stage_image(scenes.frame(one, covers=covers), stage=(400, 300), lit=lit)


def pixels(image: QImage) -> np.ndarray:
    """(height, width) colours 0xRRGGBB."""
    flat = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return flat[:, : image.width()] & 0xFFFFFF


def count(image: QImage, colour: str) -> int:
    return int((pixels(image) == int(colour[1:], 16)).sum())


MARKS: dict[str, tuple[Any, str]] = {
    "curve": (f.Curve("m", np.array([0.0, 0.5, 1.0]), np.array([0.1, 0.8, 0.3]), "what"), "what"),
    "dashed": (f.Curve("m", np.array([0.0, 1.0]), np.array([0.5, 0.5]), "key", "bold", "dash"), "key"),
    "points": (f.Points("m", np.array([0.3, 0.6]), np.array([0.3, 0.6]), "where", 2.0), "where"),
    "diamonds": (f.Points("m", np.array([0.3, 0.6]), np.array([0.3, 0.6]), "where", 3.0, "diamond"), "where"),
    "vectors": (f.Vectors("m", np.zeros(1), np.zeros(1), np.ones(1), np.ones(1), "query"), "query"),
    "cards": (f.Cards("m", (f.Card("cat", "ID 3", "what", True),), UNIT), "what"),
    "dials": (f.Dials("m", (f.Hand("h", np.array([1.0]), "where"),), UNIT, 1, ticks=12), "where"),
    "bars": (f.Bars("m", np.array([0.5]), np.array([0.6]), "key", 0.4), "key"),
    "label": (f.Label("m", 0.5, 0.5, "████", "title", "what"), "what"),
    "handle": (f.Handle("m", 0.5, 0.5, "query"), "query"),
    "formula": (f.Formula("m", r"\blacksquare x^2", 0.5, 0.5, "number", "where"), "where"),
    "table": (f.Table("m", (("head",), ("████",)), UNIT, roles=("key",)), "key"),
    "code": (f.Code("m", ("████",), UNIT), "text"),
}


@pytest.mark.parametrize("name", MARKS)
@pytest.mark.parametrize("profile", ["projector", "night"])
def test_a_mark_draws_in_its_colour(qapp: object, name: str, profile: Any) -> None:
    mark, role = MARKS[name]
    image = stage_image(scenes.frame(f.Panel("p", WHOLE, (mark,))), profile, stage=(400, 300))
    assert count(image, THEMES[profile].colour(role)) > 5  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MARKS)
def test_a_lit_mark_looks_different(qapp: object, name: str) -> None:
    mark, _ = MARKS[name]
    key = "h" if name == "dials" else "m"
    plain, lit = picture(mark), picture(mark, lit=[(key, ()), (key, (0,)), (key, (1,))])
    assert (pixels(plain) != pixels(lit)).sum() > 20


@pytest.mark.parametrize("name", MARKS)
def test_a_covered_mark_shows_nothing_of_itself(qapp: object, name: str) -> None:
    mark, role = MARKS[name]
    if role == "text":
        mark = f.Code("m", ("████",), UNIT, lit=(0,))
        role = "where"
    assert count(picture(mark, covers=frozenset({"m"})), THEMES["projector"].colour(role)) == 0  # type: ignore[arg-type]


def test_every_mark_has_its_item() -> None:
    assert set(ITEMS) == set(f.Mark.__args__)


def test_a_region_tints_the_panel(qapp: object) -> None:
    x = np.array([0.0, 1.0])
    plain = picture(f.Region("m", x, x * 0 + 0.2, x * 0 + 0.8))
    hatched = picture(f.Region("m", x, x * 0 + 0.2, x * 0 + 0.8, hatched=True))
    panel = THEMES["projector"].panel
    assert count(plain, panel) < 0.8 * 400 * 300
    assert (pixels(plain) != pixels(hatched)).sum() > 1000


def test_a_wide_curve_is_as_wide_as_the_theme_says(qapp: object) -> None:
    image = picture(f.Curve("m", np.linspace(0, 1, 2000), np.full(2000, 0.5), "what"))
    column = pixels(image)[:, 200]
    width = int((column == int(THEMES["projector"].colour("what")[1:], 16)).sum())
    assert abs(width - Look().stroke("line")) <= 1.6


@pytest.mark.parametrize("name", ["signed", "amount", "angle"])
def test_numbers_in_cells_are_readable_on_every_colour(name: Any) -> None:
    white = colours.white_ink(name)
    for index, colour in enumerate(colours.names(name)):
        assert contrast(colour, "#FFFFFF" if white[index] else "#000000") >= 4.5


def test_signed_values_are_centred_on_zero() -> None:
    middle = int(colours.indices(0.0, (-1.0, 3.0), "signed"))
    assert middle in (127, 128)
    assert colours.ink_on(QColor("#FFFFFF")) == colours.BLACK
    assert colours.ink_on(QColor("#101010")) == colours.WHITE


@pytest.mark.parametrize("scene", scenes.ALL)
@pytest.mark.parametrize("profile", ["projector", "day", "night"])
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_whole_stages_draw_in_every_profile(qapp: object, scene: str, profile: Any, size: tuple[int, int]) -> None:
    image = stage_image(scenes.ALL[scene](), profile, size)
    assert len(np.unique(pixels(image))) > 50
