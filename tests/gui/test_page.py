"""The page: one state, one frame; time; undo; the hand check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from core.stage.frame import Drag, Pick
from core.stage.params import replace
from core.stage.session import Session
from gui.window import Window
from tests.gui.window_helpers import END, FakeState, settle

Open = Callable[..., Window]


class Draws:
    """Counts what reaches the stage."""

    def __init__(self, page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.frames: list[Any] = []
        self.lit: list[Any] = []
        real = page.stage.draw

        def draw(frame: Any, lit: Any = frozenset()) -> None:
            self.frames.append(frame)
            self.lit.append(lit)
            real(frame, lit)

        monkeypatch.setattr(page.stage, "draw", draw)


def test_several_edits_in_one_turn_are_drawn_once(
    open_window: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(at_once=True)
    draws = Draws(window.page, monkeypatch)
    for position in range(10, 20):
        window.page.edit("position", position)
    assert draws.frames == []
    settle(QApplication.instance())
    assert len(draws.frames) == 1
    assert "19.0" in draws.frames[0].title
    settle(QApplication.instance())
    assert len(draws.frames) == 1


def test_a_change_moves_and_ends_where_it_should(
    open_window: Open,
    qtbot: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window()
    page = window.page
    draws = Draws(page, monkeypatch)
    page.edit("position", 40)
    qtbot.waitUntil(lambda: not window.desk.ticker.running and bool(draws.frames), timeout=3000)
    places = [frame.panels[0].marks[0].x[0] for frame in draws.frames]
    assert places == sorted(places)
    assert len(places) > 3
    assert any(3 < place < 40 for place in places)
    assert draws.frames[-1] is page.frame


@pytest.mark.parametrize("how", ["calm", "slider", "drag"])
def test_no_motion_where_none_is_wanted(
    open_window: Open,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    window = open_window()
    page = window.page
    draws = Draws(page, monkeypatch)
    if how == "calm":
        window.desk.prefer(calm=True)
        page.edit("position", 40)
    elif how == "slider":
        page.form.rows["position"].slider.wanted.emit(40)
    else:
        page.stage.happened.emit(Drag("grip", 40.0, 0.2))
    settle(QApplication.instance())
    assert not window.desk.ticker.running
    assert [frame.panels[0].marks[0].x[0] for frame in draws.frames] == [40]


def test_play_runs_to_the_end_and_stops(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page = window.page
    page.transport.speeds.picked.emit("4.0")
    assert not window.desk.ticker.running
    page.transport.buttons[2].click()
    assert page.player.playing
    assert page.transport.buttons[2].accessibleName() == "Pause"
    qtbot.waitUntil(lambda: not page.player.playing, timeout=6000)
    assert page.state.time == END
    assert not window.desk.ticker.running
    assert page.transport.buttons[2].accessibleName() == "Play"
    assert len(window.desk.history.before) == 1  # a pause adds one entry
    page.player.toggle()  # at its end: from the start again
    assert page.player.playing
    assert page.state.time < END / 2
    page.player.toggle()
    window.desk.undo()
    window.desk.undo()
    window.desk.undo()
    assert page.state.time == 0


def test_the_clock_measures_and_caps(open_window: Open) -> None:
    window = open_window()
    page = window.page
    page.player.toggle()
    page._on_tick(100.0)
    page._on_tick(100.05)
    assert page.state.time == pytest.approx(0.05)
    page._on_tick(107.0)  # the machine was busy: the picture goes on, it does not jump
    assert page.state.time == pytest.approx(0.15)
    page.player.pause()


def test_steps_and_the_start(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page = window.page
    start, back, _, on = page.transport.buttons
    for button, time in ((on, 0.5), (on, 1.0), (back, 0.5), (on, 1.0), (start, 0.0), (back, 0.0)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert page.state.time == pytest.approx(time)
    assert page.state.position == 3
    window.desk.undo()
    assert page.state.time == pytest.approx(1.0)


def test_an_edit_while_it_plays_is_undone_alone(open_window: Open) -> None:
    window = open_window()
    page = window.page
    page.player.toggle()
    page._on_tick(1.0)
    page._on_tick(1.05)
    page.edit("keep", False)
    page._on_tick(1.10)
    page.player.pause()
    assert page.state.keep is False
    window.desk.undo()
    assert (page.state.keep, page.state.time) == (False, pytest.approx(0.05))
    window.desk.undo()
    assert (page.state.keep, page.state.time) == (True, pytest.approx(0.05))
    window.desk.undo()
    assert page.state == FakeState()


def test_leaving_a_tab_stops_it(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    first = window.page
    first.player.toggle()
    assert window.desk.ticker.running
    qtbot.keyClick(first, Qt.Key.Key_PageDown)
    assert not first.player.playing
    assert not window.desk.ticker.running
    before = first.state
    qtbot.wait(60)
    assert first.state == before


def test_a_tab_without_time_says_so(open_window: Open) -> None:
    window = open_window(Session("fake3"))
    transport = window.page.transport
    assert transport.note.isVisible()
    for button in (*transport.buttons, transport.speeds):
        assert not button.isEnabled()
        assert button.accessibleDescription()
    window.commands.do_play()
    assert not window.page.player.playing


def test_events_of_the_stage_reach_the_lesson(open_window: Open) -> None:
    window = open_window(at_once=True)
    page = window.page
    page.stage.happened.emit(Pick("dot", (0,)))
    assert page.state.position == 4
    for x in (10.0, 20.0, 30.0):
        page.stage.happened.emit(Drag("grip", x, 0.0))
    assert page.state.position == 30
    page.stage.chosen.emit(("pairing", "halves"))
    assert page.state.pairing == "halves"
    assert len(window.desk.history.before) == 3  # a drag is one


def test_stepping_through_the_terms_lights_the_stage(
    open_window: Open,
    qtbot: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window(at_once=True)
    page = window.page
    draws = Draws(page, monkeypatch)
    page.worked.step.click()
    assert draws.lit[-1] == {("dot", (0,))}
    page.worked.setFocus()
    qtbot.keyClick(page.worked, Qt.Key.Key_Right)
    assert draws.lit[-1] == {("words", ())}
    assert page.worked.page == 0
    qtbot.keyClick(page.worked, Qt.Key.Key_Right)
    assert draws.lit[-1] == {("grip", ())}
    assert page.worked.page == 1
    qtbot.keyClick(page.worked, Qt.Key.Key_Right)
    assert draws.lit[-1] == set()
    assert page.worked.page == 0
    qtbot.keyClick(page.worked, Qt.Key.Key_Left)
    assert draws.lit[-1] == {("grip", ())}
    page.edit("position", 9)  # the term stays the current one when its numbers change
    settle(QApplication.instance())
    assert draws.lit[-1] == {("grip", ())}
    qtbot.keyClick(page.worked, Qt.Key.Key_Escape)
    assert draws.lit[-1] == set()
    page.worked.turn.click()
    assert page.worked.page == 0
    qtbot.keyClick(page.worked, Qt.Key.Key_Up)
    assert page.worked.page == 1


def test_jobs_are_done_beside_the_window(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page = window.page
    page.put(replace(page.state, work=1))
    qtbot.waitUntil(lambda: page.frame is not None and not page.frame.computing and page.state.work == 1)
    assert not window.desk.worker.busy


def test_a_job_is_cancelled_at_once_and_begun_again(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    page, status = window.page, window.status
    page.put(replace(page.state, work=3))
    qtbot.waitUntil(lambda: window.desk.worker.busy and status.button.isVisible())
    assert page.frame.computing
    qtbot.waitUntil(lambda: (status.share or 0) > 0.01, timeout=3000)
    began = window.desk.ticker.now()
    qtbot.mouseClick(status.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.desk.worker.busy and "cancelled" in status.sentence)
    assert window.desk.ticker.now() - began < 0.2
    assert status.button.text() == "Compute again"
    qtbot.mouseClick(status.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.desk.worker.busy)
    page.put(replace(page.state, work=0))  # nobody asks for it any more
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    assert not status.button.isVisible()


def test_a_failed_job_is_a_sentence(open_window: Open, qtbot: Any) -> None:
    window = open_window()
    window.page.put(replace(window.page.state, work=5))
    qtbot.waitUntil(lambda: "five is not allowed" in window.status.sentence)
    assert "Traceback" not in window.status.sentence


def test_one_timer_in_the_whole_app(open_window: Open) -> None:
    window = open_window()
    window.commands.do_next_tab()
    window.commands.do_next_tab()
    timers = window.findChildren(QTimer)
    for top in QApplication.topLevelWidgets():
        timers += [timer for timer in top.findChildren(QTimer) if timer not in timers]
    own = [timer for timer in timers if type(timer.parent()).__module__.startswith("gui")]
    assert [type(timer.parent()).__name__ for timer in own] == ["Ticker"]
    assert len(timers) == 1, [(timer.parent(), timer.interval()) for timer in timers]


def test_a_window_is_freed(open_window: Open, qtbot: Any) -> None:
    import gc
    import weakref

    from PySide6.QtCore import QCoreApplication, QEvent

    from gui.desk import Desk
    from tests.gui.window_helpers import IDS, LESSONS

    gone: list[int] = []

    def note(*what: object) -> None:
        gone.append(1)

    window = Window(Desk(ids=IDS, lessons=LESSONS.__getitem__))
    window.open()
    window.commands.do_next_tab()
    window.page.edit("position", 5)
    parts: list[QObject] = [window, window.page, window.page.form, window.page.stage, window.desk, window.bar]
    watched = [weakref.ref(part) for part in parts]
    for part in parts:
        part.destroyed.connect(note)
    window.close()
    window.deleteLater()
    del parts, part, window
    settle(QApplication.instance())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    settle(QApplication.instance())
    assert [reference() for reference in watched if reference() is not None] == []
    assert len(gone) == len(watched)
