"""What is kept from one time to the next, and what happens to files that are damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect

from core.lessons import IDS as REAL_IDS
from core.stage import session as sessions
from core.stage.clock import SPEEDS
from core.stage.session import Session
from core.stage.theme import PROFILES
from gui import app as apps
from gui.desk import SAVE_AFTER
from gui.fields import NumberField
from gui.settings import Preferences, Store, state_folder, visible_place
from gui.window import Window
from tests.gui.window_helpers import IDS, LESSONS, FakeState

Open = Callable[..., Window]
lessons = LESSONS.__getitem__


def test_closing_keeps_every_tab_and_opening_restores_it(open_window: Open, store: Store) -> None:
    window = open_window()
    window.page.edit("position", 77)
    window.commands.do_next_tab()
    window.page.edit("base", 500.0)
    window.bar.table.picked.emit("glove")
    window.set_profile("night")
    window.set_zoom(1.2)
    window.close()
    kept, sentence = store.load(lessons, IDS)
    assert sentence == ""
    again = open_window(kept, preferences=store.preferences())
    assert again.tab == "fake2"
    assert again.page.state.base == 500.0
    assert again.desk.shared.table == "glove"
    assert again.look.theme.profile == "night"
    assert again.desk.preferences.zoom == 1.2
    again.commands.do_previous_tab()
    assert again.page.state.position == 77


def test_turning_a_tab_saves(open_window: Open, store: Store) -> None:
    window = open_window()
    window.page.edit("position", 5)
    window.commands.do_next_tab()
    assert store.load(lessons, IDS)[0].states["fake"].position == 5
    window.commands.do_preset(2)
    assert store.load(lessons, IDS)[0].states["fake2"].position == 503


def test_an_edit_is_on_disk_a_moment_later(open_window: Open, store: Store, qtbot: Any) -> None:
    window = open_window()
    window.page.edit("position", 7)
    assert not store.state_file.exists()
    qtbot.waitUntil(store.state_file.exists, timeout=4 * SAVE_AFTER)
    assert store.load(lessons, IDS)[0].states["fake"].position == 7
    window.desk.undo()
    qtbot.waitUntil(lambda: "fake" not in store.load(lessons, IDS)[0].states
                    or store.load(lessons, IDS)[0].states["fake"].position != 7, timeout=4 * SAVE_AFTER)  # fmt: skip


def test_what_is_being_typed_is_kept_when_the_window_is_closed(open_window: Open, store: Store, qtbot: Any) -> None:
    window = open_window()
    field = next(field for field in window.page.form.findChildren(NumberField) if field.isVisible())
    field.setFocus()
    before = store.load(lessons, IDS)[0]
    qtbot.keyClicks(field, "6")
    window.close()
    assert store.load(lessons, IDS)[0] != before


def test_values_that_cannot_be_used_stay_in_a_copy(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(Session("fake", states={"fake": FakeState(position=9)}))
    written = json.loads(store.state_file.read_text(encoding="utf-8"))
    written["states"]["fake"]["position"] = "far away"
    store.state_file.write_text(json.dumps(written), encoding="utf-8")
    session, sentence = store.load(lessons, IDS)
    assert session is not None
    copy = next(iter(tmp_path.glob("state.damaged-*.json")))
    assert str(copy) in sentence
    assert "far away" in copy.read_text(encoding="utf-8")


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for damage in ("{", "", "[1, 2]", '{"volvelle": 99}', "\x00\xff"):
        store.state_file.write_text(damage, encoding="latin-1")
        session, sentence = store.load(lessons, IDS)
        assert session is None
        assert "set aside" in sentence
        assert not store.state_file.exists()
    assert len(list(tmp_path.glob("state.damaged-*.json"))) == 5


def test_a_crash_while_writing_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    assert store.save(Session("fake", states={"fake": FakeState(position=9)})) == ""

    def fail(*what: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sessions.os, "replace", fail)
    assert "No space left" in store.save(Session("fake", states={"fake": FakeState(position=10)}))
    monkeypatch.undo()
    assert store.load(lessons, IDS)[0].states["fake"].position == 9
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "below")
    assert "can’t be kept" in store.save(Session("fake"))
    store.save_preferences(Preferences(zoom=1.3))
    assert store.preferences() == Preferences()


def test_what_is_asked_for_goes_before_what_was_kept(tmp_path: Path, qapp: Any) -> None:
    store = Store(tmp_path)
    first, second = REAL_IDS[0], REAL_IDS[1]
    states = {name: apps.lesson(name).initial() for name in (first, second)}
    store.save(Session(first, states=states))
    desk, _ = apps.prepare(store=store)
    assert (desk.session.tab, set(desk.session.states)) == (first, {first, second})
    desk, _ = apps.prepare(Session(second), store=store, profile="night")
    assert (desk.session.tab, set(desk.session.states)) == (second, {first, second})
    assert desk.preferences.profile == "night"
    desk, _ = apps.prepare(store=store, fresh=True)
    assert desk.session.states == {}
    store.state_file.write_text("?")
    desk, sentence = apps.prepare(store=store)
    assert desk.session.states == {}
    assert "set aside" in sentence


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["profile", "zoom", "speed", "calm", "place", "maximized"]), json_values))
def test_preferences_are_legal_whatever_the_file_holds(values: dict[str, Any]) -> None:
    made = Preferences.read(values)
    assert made.profile in PROFILES
    assert 0.6 <= made.zoom <= 1.6
    assert made.speed in SPEEDS
    assert made.place is None or len(made.place) == 4
    assert Preferences.read(json.loads(json.dumps(values))) is not None
    assert isinstance(visible_place(made.place, [QRect(0, 0, 1920, 1080)]), QRect)


def test_the_window_comes_back_to_a_screen_that_is_there() -> None:
    desk, projector = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 720)
    assert visible_place((100, 100, 1200, 800), [desk]) == QRect(100, 100, 1200, 800)
    assert visible_place((1920, 0, 1280, 720), [desk, projector]) == projector
    gone = visible_place((1920, 0, 1280, 720), [desk])
    assert desk.contains(gone)
    assert gone.size() == projector.size()
    assert desk.contains(visible_place((3000, -2000, 9000, 9000), [desk]))
    assert desk.contains(visible_place(None, [desk]))
    above = visible_place((100, -400, 1200, 1000), [desk])
    assert desk.contains(above)


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qapp: Any) -> None:
    monkeypatch.setenv("VOLVELLE_STATE_DIR", str(tmp_path))
    assert state_folder() == tmp_path
    monkeypatch.delenv("VOLVELLE_STATE_DIR")
    assert state_folder().is_absolute()
