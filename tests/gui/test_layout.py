"""Nothing is cut, elided, covered or scrolled away: every widget of every tab, profile and size, in two languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLabel, QLineEdit, QWidget

from core import lessons
from core.stage.session import Session
from core.stage.text import set_language
from core.stage.theme import PROFILES, TEXT_ROLES, THEMES, contrast
from gui import controls, paint
from gui.controls import Push, Segment, Tick
from gui.groove import Groove
from gui.picker import Picker
from gui.rail import RailTab
from gui.settings import Preferences
from gui.view.stage import StageView
from gui.window import Window
from tests.gui.window_helpers import settle

Open = Callable[..., Window]
SIZES = [(1024, 768), (1280, 720), (1920, 1080)]
LEAST = {"projector": 0.016, "day": 0.0105, "night": 0.0105}


@pytest.fixture(params=["en", "pseudo"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(request.param)
    yield request.param
    set_language("en")


def widgets(parent: QWidget) -> Iterator[QWidget]:
    """All that is shown, but what the stage draws within itself (its own tests look at that)."""
    for child in parent.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            yield child
            if not isinstance(child, StageView | Picker | QLineEdit):
                yield from widgets(child)


def faults(window: Window) -> list[str]:
    found = []
    for widget in widgets(window):
        name = f"{type(widget).__name__} “{_words(widget)}” {widget.geometry().getRect()}"
        parent = widget.parentWidget()
        if not parent.rect().contains(widget.geometry()):
            found.append(f"{name} leaves {type(parent).__name__} {parent.size().toTuple()}")
        if isinstance(widget, QAbstractScrollArea):
            found.append(f"{name} scrolls")
        need = widget.sizeHint()
        if isinstance(widget, QLabel):
            if widget.text() and widget.heightForWidth(widget.width()) > widget.height():
                found.append(f"{name} needs a height of {widget.heightForWidth(widget.width())}")
            if isinstance(widget, controls.Words) and widget.text() and widget.widest_word() > widget.width() + 1:
                found.append(f"{name} has a word of {widget.widest_word()}")
        elif isinstance(widget, RailTab):
            if widget.heightForWidth(widget.width()) > widget.height() + 1:
                found.append(f"{name} needs a height of {widget.heightForWidth(widget.width())}")
        elif isinstance(widget, Tick):
            if widget.heightForWidth(widget.width()) > widget.height():
                found.append(f"{name} needs a height of {widget.heightForWidth(widget.width())}")
        elif isinstance(widget, Picker):
            if widget.share() < 0.75 or need.height() > widget.height() + 1:
                found.append(f"{name} needs {need.toTuple()}")
        elif isinstance(widget, Push | Segment | Groove) and (
            need.width() > widget.width() + 1 or need.height() > widget.height() + 1
        ):
            found.append(f"{name} needs {need.toTuple()}")
        if isinstance(widget, QLineEdit) and not widget.boxed:
            text = paint.width_of(widget.text(), widget.font())
            if text > widget.width():
                found.append(f"{name} needs a width of {text}")
    for parent in [window, *widgets(window)]:
        found += _overlaps(parent)
    if _has_room(window):
        found += [f"cut on the stage: {text}" for text in window.page.stage.cut_texts()]
    worked = window.page.worked
    if worked.font_share() < (0.85 if window.look.zoom <= 1 else 0.6):
        found.append("arithmetic is wider than its place")
    return found


def _has_room(window: Window) -> bool:
    """Texts two fifths longer than English (the pseudo language) need a desk's width, and no enlarged letters."""
    return window.look.zoom <= 1.0 and (not window.page.title.text().startswith("[") or window.width() >= 1280)


def _overlaps(parent: QWidget) -> list[str]:
    if isinstance(parent, StageView | Picker | QLineEdit):
        return []
    room = round(2 * paint.ring_room(parent.look)) if hasattr(parent, "look") else 0
    shown = [child for child in parent.children() if isinstance(child, QWidget) and child.isVisible()
             and not child.isWindow()]  # fmt: skip
    found = []
    for index, one in enumerate(shown):
        for other in shown[index + 1 :]:
            common = one.geometry().intersected(other.geometry())
            # Neighbours may share the room that both keep free for the ring of the focus.
            if common.width() > room and common.height() > room:
                places = one.geometry().getRect(), other.geometry().getRect()
                found.append(f"{_words(one)} covers {_words(other)} {places}")
    return found


def _words(widget: QWidget) -> str:
    return str(getattr(widget, "text", str)() or widget.accessibleName() or type(widget).__name__)[:50]


def real_window(open_window: Open, lesson_id: str, profile: str, size: tuple[int, int], **more: Any) -> Window:
    return open_window(
        Session(lesson_id), size=size, at_once=True, preferences=Preferences(profile=profile, **more), keep=None,
        ids=lessons.IDS, lessons=lessons.lesson,
    )  # fmt: skip


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("lesson_id", lessons.IDS)
def test_nothing_is_cut(open_window: Open, language: str, lesson_id: str, size: tuple[int, int]) -> None:
    window = real_window(open_window, lesson_id, "projector", size)
    found: list[str] = []
    for profile in PROFILES:
        window.set_profile(profile)
        settle(QApplication.instance())
        found += [f"{profile}: {fault}" for fault in faults(window)]
        form = window.page.form
        for _ in form.pages()[1:]:
            form.turn()
            found += [f"{profile}, more: {fault}" for fault in faults(window)]
        form.page = 0
    assert found == []


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_preset_has_room(open_window: Open, size: tuple[int, int]) -> None:
    window = real_window(open_window, lessons.IDS[0], "projector", size)
    found = []
    for lesson_id in lessons.IDS:
        window.show_tab(lesson_id)
        for number, preset in enumerate(window.page.lesson.presets):
            window.page.choose(number)
            settle(QApplication.instance())
            found += [f"{lesson_id} {preset.id}: {fault}" for fault in faults(window)]
    assert found == []


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_every_kind_of_control_has_room(open_window: Open, language: str, size: tuple[int, int]) -> None:
    window = open_window(size=size, at_once=True)
    window.page.edit("position", 1_000_000)
    window.page.edit("base", 99_999_999.5)
    window.page.edit("vector", tuple(-88.125 for _ in range(16)))
    window.commands.do_preset(2)
    window.desk.say("A long sentence that tells what is wrong and what to do about it. " * 5)
    settle(QApplication.instance())
    found = faults(window)
    for _ in window.page.form.pages()[1:]:
        window.page.form.turn()
        found += faults(window)
    assert found == []


@pytest.mark.parametrize("zoom", [0.6, 1.3, 1.6])
@pytest.mark.parametrize("profile", ["projector", "day"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_zoom_keeps_everything_inside(open_window: Open, zoom: float, profile: str, size: tuple[int, int]) -> None:
    window = real_window(open_window, "rope", profile, size, zoom=zoom)
    assert faults(window) == []
    assert window.page.stage.height() > 0.35 * window.height()


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_sizes_are_those_for_the_last_row(open_window: Open, profile: str, size: tuple[int, int]) -> None:
    window = real_window(open_window, "rope", profile, size)
    least = LEAST[profile] * window.height() - 0.51  # fonts have whole pixels
    for widget in widgets(window):
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit) and _words(widget):
            pixels = widget.font().pixelSize()
            if pixels > 0 and not isinstance(widget, QAbstractButton):
                assert pixels >= least, _words(widget)
    for name, share in (("title", 0.035), ("label", 0.021), ("small", 0.016)):
        scale = 1.0 if profile == "projector" else 0.66
        assert window.look.pixels(name) >= share * scale * window.height()


def test_the_rail_is_narrow_only_below_1280(open_window: Open) -> None:
    window = open_window(size=(1279, 720))
    assert all(tab.narrow for tab in window.rail.tabs)
    window.resize(1280, 720)
    assert not any(tab.narrow for tab in window.rail.tabs)


@pytest.mark.parametrize("profile", PROFILES)
def test_contrast_of_all_pairs(profile: str) -> None:
    theme = THEMES[profile]
    for ground in (theme.ground, theme.panel):
        for role in TEXT_ROLES:
            assert contrast(theme.colour(role), ground) >= 7, (role, ground)
        assert contrast(theme.colour("control"), ground) >= 3
    for role in ("text", "where", "what", "query", "key"):
        assert contrast(theme.ground, theme.colour(role)) >= 7  # words and signs on a dark button


@pytest.mark.parametrize("profile", PROFILES)
def test_painted_words_are_in_the_colours_of_the_theme(open_window: Open, profile: str) -> None:
    window = real_window(open_window, "rope", profile, (1280, 720))
    image = window.grab().toImage()
    theme = THEMES[profile]
    for widget, role in ((window.page.title, "text"), (window.page.subtitle, "muted"), (window.bar.table, "muted")):
        corner = widget.mapTo(window, QPoint(0, 0))
        area = QRect(corner, widget.size())
        seen = {
            QColor(image.pixel(x, y)).name()
            for x in range(area.left(), area.right())
            for y in range(area.top(), area.bottom())
        }
        wanted = QColor(theme.colour(role)).name()
        assert wanted in seen, (role, wanted)
    assert Qt.AlignmentFlag.AlignLeft  # the words begin where the stage begins
    assert window.page.title.x() == window.page.stage.x()
