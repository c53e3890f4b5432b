"""The window as a person at the keyboard meets it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from core import lessons as real_lessons
from core.stage import session as sessions
from gui import keys
from gui.commands import Commands
from gui.window import Window
from tests.gui.window_helpers import IDS, LESSONS, settle

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip
Open = Callable[..., Window]


NONE = Qt.KeyboardModifier.NoModifier


def press(qtbot: Any, window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """A real key event, to whatever has the focus."""
    qtbot.keyClick(window.focusWidget() or window, key, modifiers)
    settle(QApplication.instance())


def test_page_keys_turn_tabs_whatever_has_the_focus(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    form = window.page.form
    row = form.rows["position"]
    window.page.stage.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    places = [
        window.bar.sentence, window.bar.table, row.field, row.slider, form.rows["keep"].box,
        window.page.worked, window.page.stage, window.page.stage.shown_panels()[0], window.rail.tabs[0], window.page,
    ]  # fmt: skip
    for place in places:
        place.setFocus()
        assert window.focusWidget() is place, place
        press(qtbot, window, Qt.Key.Key_PageDown)
        assert window.tab == "fake2", place
        press(qtbot, window, Qt.Key.Key_PageUp)
        assert window.tab == "fake", place
    assert window.page.state == window.page.lesson.state()


def test_page_keys_stop_at_the_ends(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    press(qtbot, window, Qt.Key.Key_PageUp)
    assert window.tab == "fake"
    for _ in range(5):
        press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.tab == "fake3"


def test_control_and_a_digit_jumps(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    press(qtbot, window, Qt.Key.Key_3, CTRL)
    assert window.tab == "fake3"
    press(qtbot, window, Qt.Key.Key_9, CTRL)
    assert window.tab == "fake3"
    press(qtbot, window, Qt.Key.Key_1, CTRL)
    assert window.tab == "fake"


def test_escape_never_quits(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    for place in (window.page, window.bar.sentence, window.page.form.rows["position"].field):
        place.setFocus()
        for _ in range(3):
            press(qtbot, window, Qt.Key.Key_Escape)
        assert window.isVisible()


def test_presenting_hides_all_but_the_stage(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    before = window.page.stage.height() / window.height(), window.page.stage.width() / window.width()
    press(qtbot, window, Qt.Key.Key_F5)
    page = window.page
    assert window.presenter.presenting
    assert window.isFullScreen()
    for hidden in (window.bar, window.rail, page.form, page.transport, page.strip):
        assert not hidden.isVisible()
    assert page.stage.height() / window.height() > before[0] + 0.08
    assert page.stage.width() / window.width() > before[1] + 0.1
    press(qtbot, window, Qt.Key.Key_PageDown)
    assert window.tab == "fake2"
    assert not window.page.form.isVisible()
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.presenter.presenting
    assert not window.isFullScreen()
    assert window.page.form.isVisible()
    assert window.rail.isVisible()


def test_full_screen_goes_and_comes(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    press(qtbot, window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    press(qtbot, window, Qt.Key.Key_F5)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.isFullScreen()  # it was before presenting
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()


@pytest.mark.parametrize("key", [Qt.Key.Key_B, Qt.Key.Key_Period])
def test_blank_and_back(open_window: Open, qtbot: Any, key: Qt.Key) -> None:
    window = open_window()
    window.page.setFocus()
    for back in (Qt.Key.Key_PageDown, Qt.Key.Key_X, key, Qt.Key.Key_Space, Qt.Key.Key_Escape):
        press(qtbot, window, key)
        assert window.presenter.veil.isVisible()
        assert window.presenter.veil.geometry() == window.rect()
        press(qtbot, window, back)
        assert not window.presenter.veil.isVisible(), back
        assert window.tab == "fake"
        assert not window.page.player.playing


def test_letters_in_a_field_are_letters(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.bar.sentence.setFocus()
    window.bar.sentence.selectAll()
    qtbot.keyClicks(window.bar.sentence, "b. a")
    settle(QApplication.instance())
    assert not window.presenter.blank
    assert not window.page.player.playing
    assert window.desk.shared.sentence == "b. a"


def test_space_plays_unless_a_field_or_a_button_has_the_focus(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.setFocus()
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.page.player.playing
    press(qtbot, window, Qt.Key.Key_Space)
    assert not window.page.player.playing
    box = window.page.form.rows["keep"].box
    box.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, window, Qt.Key.Key_Space)
    assert not window.page.player.playing
    assert window.page.state.keep is False
    window.page.form.rows["position"].slider.setFocus()
    press(qtbot, window, Qt.Key.Key_Space)
    assert window.page.player.playing


def test_zoom(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    before = window.look.pixels("label")
    press(qtbot, window, Qt.Key.Key_Plus, CTRL)
    assert window.look.pixels("label") > before
    press(qtbot, window, Qt.Key.Key_0, CTRL)
    assert window.look.pixels("label") == before
    for _ in range(9):
        press(qtbot, window, Qt.Key.Key_Minus, CTRL)
    assert window.desk.preferences.zoom == 0.6
    for _ in range(15):
        press(qtbot, window, Qt.Key.Key_Equal, CTRL)
    assert window.desk.preferences.zoom == 1.2  # the projector's sizes are large as they are
    window.set_profile("day")
    for _ in range(15):
        press(qtbot, window, Qt.Key.Key_Equal, CTRL)
    assert window.desk.preferences.zoom == 1.6


def test_undo_and_redo(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page = window.page
    page.edit("position", 10)
    page.edit("keep", False)
    settle(QApplication.instance())
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert (page.state.position, page.state.keep) == (10, True)
    assert page.form.rows["keep"].box.isChecked()
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert page.state.position == 3
    assert page.form.rows["position"].field.text() == "3"
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert "nothing to undo" in window.status.sentence
    press(qtbot, window, Qt.Key.Key_Z, CTRL | SHIFT)
    press(qtbot, window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert (page.state.position, page.state.keep) == (10, False)


def test_undo_works_from_a_number_field(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    field = window.page.form.rows["position"].field
    field.setFocus()
    qtbot.keyClicks(field, "20")
    press(qtbot, window, Qt.Key.Key_Z, CTRL)  # what is being typed
    assert window.page.state.position == 3
    field.selectAll()
    qtbot.keyClicks(field, "21")
    press(qtbot, window, Qt.Key.Key_Return)
    assert window.page.state.position == 21
    press(qtbot, window, Qt.Key.Key_Z, CTRL)  # the edit
    assert window.page.state.position == 3
    assert field.text() == "3"


def test_undo_shows_the_tab_where_it_happened(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.edit("position", 10)
    press(qtbot, window, Qt.Key.Key_PageDown)
    window.page.edit("position", 11)
    press(qtbot, window, Qt.Key.Key_PageDown)
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert window.tab == "fake2"
    assert window.page.state.position == 3
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert window.tab == "fake"
    assert window.page.state.position == 3


def test_reset(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.edit("position", 10)
    window.page.edit("vector", (2.0, 3.0))
    press(qtbot, window, Qt.Key.Key_R, CTRL)
    assert window.page.state == window.page.lesson.state()
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert window.page.state.vector == (2.0, 3.0)


def test_presets_by_key_and_by_click(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    strip = window.page.strip
    assert strip.current == 0
    press(qtbot, window, Qt.Key.Key_2, ALT)
    assert window.page.state.position == 503
    assert "Preset 2 of 9" in strip.line.text()
    qtbot.mouseClick(strip.buttons[0], Qt.MouseButton.LeftButton)
    settle(QApplication.instance())
    assert window.page.state.position == 3
    assert strip.buttons[0].isChecked()
    qtbot.mouseClick(strip.buttons[0], Qt.MouseButton.LeftButton)
    assert strip.buttons[0].isChecked()
    press(qtbot, window, Qt.Key.Key_3, ALT)
    assert window.desk.shared.table == "glove"
    assert window.bar.table.currentData() == "glove"
    window.page.edit("keep", False)
    settle(QApplication.instance())
    assert "changed" in strip.line.text()
    shown = [button for button in strip.buttons if button.isVisible()]
    assert len(shown) + strip.rest.count() == 9  # all are within reach
    strip.rest.picked.emit("8")
    assert window.page.state.position == 25


def test_links_of_marks_lead_away_and_back(open_window: Open, qtbot: Any) -> None:
    from core.stage.frame import Pick

    window = open_window()
    window.page.stage.happened.emit(Pick("away", (0,)))
    settle(QApplication.instance())
    assert window.tab == "fake2"
    assert window.page.state.position == 7
    press(qtbot, window, Qt.Key.Key_Left, ALT)
    assert window.tab == "fake"
    press(qtbot, window, Qt.Key.Key_Left, ALT)
    assert "no tab to go back" in window.status.sentence


def test_profiles(open_window: Open) -> None:
    window = open_window()
    window.bar.profiles.picked.emit("night")
    assert window.look.theme.dark
    assert window.page.look.theme.dark
    assert window.page.stage.look.theme.dark
    assert window.grab().toImage().pixelColor(3, window.height() - 60).lightness() < 60


def test_links_and_pictures_go_to_the_clipboard(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.edit("position", 12)
    press(qtbot, window, Qt.Key.Key_L, CTRL)
    assert QGuiApplication.clipboard().text() == "fake?position=12"
    window.page.setFocus()
    press(qtbot, window, Qt.Key.Key_C, CTRL)
    image = QGuiApplication.clipboard().image()
    assert image.width() == window.width()
    assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) > 10


@pytest.mark.parametrize(("name", "head"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a", b"\x89PNG")])
def test_pictures_are_saved(
    open_window: Open,
    qtbot: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    head: bytes,
) -> None:
    window = open_window()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *rest: (str(tmp_path / name), ""))
    press(qtbot, window, Qt.Key.Key_S, CTRL)
    path = tmp_path / (name if "." in name else name + ".png")
    assert path.read_bytes().startswith(head)
    assert str(path) in window.status.sentence
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *rest: (str(tmp_path / "none" / "a.svg"), ""))
    press(qtbot, window, Qt.Key.Key_S, CTRL)
    assert "can’t be written" in window.status.sentence


def test_sessions_are_saved_and_opened(
    open_window: Open,
    qtbot: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window()
    window.page.edit("position", 44)
    press(qtbot, window, Qt.Key.Key_PageDown)
    path = tmp_path / "lesson.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *rest: (str(path), ""))
    press(qtbot, window, Qt.Key.Key_S, CTRL | SHIFT)
    assert sessions.load(path, LESSONS.__getitem__, IDS).states["fake"].position == 44
    press(qtbot, window, Qt.Key.Key_1, CTRL)
    window.page.edit("position", 1)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *rest: (str(path), ""))
    press(qtbot, window, Qt.Key.Key_O, CTRL)
    assert window.tab == "fake2"
    assert window.desk.state("fake").position == 44
    path.write_text("{")
    press(qtbot, window, Qt.Key.Key_O, CTRL)
    assert "lesson.json" in window.status.sentence
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert window.desk.state("fake").position == 1


def test_help_and_about_are_plain_text(open_window: Open, qtbot: Any) -> None:
    from gui.about import TextDialog

    window = open_window()
    press(qtbot, window, Qt.Key.Key_F1)
    dialog = window.findChild(TextDialog)
    words = dialog.words.toPlainText()
    for key in keys.KEYS:
        if not key.name[-1].isdigit():
            assert keys.named(key.name) in words
    qtbot.keyClick(dialog.words, Qt.Key.Key_Escape)
    settle(QApplication.instance())
    assert window.findChild(TextDialog) is None
    window.commands.actions["about"].trigger()
    words = window.findChild(TextDialog).words.toPlainText()
    for part in ("MIT", "SIL OPEN FONT LICENSE", "Apache License", "glove/words.txt", "Inter-Bold.ttf"):
        assert part in words
    assert window.isVisible()


def test_every_key_has_a_method_and_a_name() -> None:
    for key in keys.KEYS:
        stem, _, number = key.name.rpartition("_")
        assert hasattr(Commands, f"do_{stem if number.isdigit() else key.name}")
        assert keys.named(key.name)
    used = [sequence for key in keys.KEYS for sequence in key.keys]
    assert len(used) == len(set(used))
    assert keys.help_lines()


def test_the_sentence_is_one_entry_of_undo(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.bar.sentence.setFocus()
    window.bar.sentence.selectAll()
    qtbot.keyClicks(window.bar.sentence, "dogs <unk>")
    assert window.desk.shared.sentence == "dogs <unk>"
    assert len(window.desk.history.before) == 1
    window.page.setFocus()
    press(qtbot, window, Qt.Key.Key_Z, CTRL)
    assert window.desk.shared.sentence == "The cat sat"
    assert window.bar.sentence.text() == "The cat sat"


def test_escape_takes_back_a_sentence_letter_by_letter(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    field, before = window.bar.sentence, window.desk.shared.sentence
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "Escaped")
    assert window.desk.shared.sentence == "Escaped"
    press(qtbot, window, Qt.Key.Key_Escape)
    assert field.text() == before
    assert window.desk.shared.sentence == before


def test_every_picture_has_a_name(open_window: Open) -> None:
    window = open_window(ids=real_lessons.IDS, lessons=real_lessons.lesson, at_once=True)
    for lesson_id in real_lessons.IDS:
        window.show_tab(lesson_id)
        plots = [view.plot for view in window.page.stage.shown_panels() if view.plot is not None]
        assert all(plot.accessibleName() for plot in plots), lesson_id


def test_the_menu_offers_everything(open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window()
    places = []
    monkeypatch.setattr(type(window.commands.menu), "popup", lambda menu, place: places.append(place))
    window.bar.more.click()
    assert len(places) == 1
    offered = [action for action in window.commands.menu.actions() if action.text()]
    assert len(offered) == len([name for name in keys.MENU if name])
    window.commands.actions["calm"].trigger()
    assert window.desk.preferences.calm


def test_a_tab_that_cannot_be_drawn_leaves_the_others_alone(open_window: Open) -> None:
    def broken(state: object, context: object) -> object:
        raise KeyError("rope.no_such_text")

    lessons = {**LESSONS, "fake2": dataclasses.replace(LESSONS["fake2"], frame=broken)}
    window = open_window(ids=tuple(lessons), lessons=lessons.__getitem__)
    first = window.page
    with pytest.raises(KeyError):
        window.show_tab("fake2")
    assert not first.isVisible(), "the tab before must not stand in its place"
    window.show_tab("fake3")
    assert window.page.lesson.id == "fake3"
    assert window.page.isVisible()
    assert not window.pages["fake2"].isVisible()
    window.show_tab("fake")
    assert window.page is first
    assert first.isVisible()


def test_code_is_copied_as_text(open_window: Open, qtbot: Any) -> None:
    link = "pipeline?preset=program"
    name, state, shared, _ = sessions.from_link(link, real_lessons.lesson, real_lessons.IDS)
    session = sessions.Session(name, shared, {name: state})
    window = open_window(session, ids=real_lessons.IDS, lessons=real_lessons.lesson, at_once=True)
    window.page.setFocus()
    press(qtbot, window, Qt.Key.Key_C, CTRL)
    copied = QGuiApplication.clipboard().text()
    assert "import numpy as np" in copied
    compile(copied, "copied", "exec")  # the program alone, not what it prints
