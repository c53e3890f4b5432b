"""Motion, time and undo."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from core.lessons import lesson
from core.stage.clock import LONGEST_STEP, Clock
from core.stage.frame import Axis, Cell, Dials, Frame, Hand, Label, Panel, Points, Rect, Worked
from core.stage.history import LIMIT, History
from core.stage.motion import blend, ease, moves
from core.stage.params import replace
from core.stage.session import Session


def frame(angle: float, x: float, label: str = "a") -> Frame:
    marks = (
        Dials("dial", (Hand("hand", np.array([angle])),), Rect(0, 0, 1, 1), 1),
        Points("dots", np.array([x]), np.array([0.0])),
        Label("label", x, 0.5, label),
    )
    return Frame("Title", "", (Panel("panel", Cell(0, 0, 12, 12), marks),), Worked(), "The picture in words.")


def test_hands_take_the_short_way_and_places_move_straight() -> None:
    between = blend(frame(0.1, 0.0), frame(2 * math.pi - 0.1, 1.0, "b"), 0.5)
    dials, dots, label = between.panels[0].marks
    assert isinstance(dials, Dials)
    assert math.cos(dials.hands[0].angles[0]) == pytest.approx(1.0)
    assert isinstance(dots, Points)
    assert dots.x[0] == pytest.approx(0.5)
    assert isinstance(label, Label)
    assert (label.x, label.text) == (0.5, "b")


def test_the_ends_of_a_motion() -> None:
    old, new = frame(0, 0), frame(1, 1)
    assert blend(old, new, 1.0) is new
    start = blend(old, new, 0.0).panels[0].marks[1]
    assert isinstance(start, Points)
    assert start.x[0] == 0
    assert moves(old, new)
    assert not moves(old, old)
    assert not moves(None, new)
    assert ease(-1) == 0
    assert ease(2) == 1
    assert ease(0.5) == 0.5


def test_nothing_moves_between_panels_with_other_axes() -> None:
    old, new = frame(0, 0), frame(1, 1)
    wider = dataclasses.replace(new, panels=(dataclasses.replace(new.panels[0], y=Axis(-1.0, 2.0)),))
    assert blend(old, wider, 0.5).panels[0] is wider.panels[0]
    assert not moves(old, wider)


def test_the_clock_measures_caps_and_scales() -> None:
    clock = Clock(speed=2.0)
    assert clock.advance(10.0) == 0.0
    assert clock.advance(10.05) == pytest.approx(0.1)
    assert clock.advance(1000.0) == pytest.approx(2 * LONGEST_STEP)
    assert clock.advance(900.0) == 0.0
    clock.forget()
    assert clock.advance(2000.0) == 0.0


def rope(**values: object) -> Session:
    return Session("rope", states={"rope": replace(lesson("rope").initial(), **values)})


def test_a_gesture_is_one_entry() -> None:
    history = History(rope())
    for position in range(4, 20):
        history.record(rope(query_position=position), gesture="rope.query_position")
    history.record(rope(query_position=19, key_position=7), gesture="rope.key_position")
    assert len(history.before) == 2
    assert history.undo() == rope(query_position=19)
    assert history.undo() == rope()
    assert history.undo() == rope()
    assert history.redo() == rope(query_position=19)
    history.record(rope(query_position=1))
    assert history.after == []


def test_the_clock_fills_no_undo_list_but_a_pause_does() -> None:
    history = History(rope())
    history.record(rope(travel=3.0))
    assert history.before == []
    history.mark(rope())
    assert history.undo() == rope()


def test_the_list_has_an_end() -> None:
    history = History(rope())
    for position in range(LIMIT + 50):
        history.record(rope(query_position=position))
    assert len(history.before) == LIMIT
