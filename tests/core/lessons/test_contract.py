"""What holds for every lesson. A new lesson gets these tests for nothing."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.lessons import IDS, lesson
from core.stage.frame import Frame, Pick, is_finite
from core.stage.history import History
from core.stage.lesson import Context, Lesson, Shared
from core.stage.motion import blend
from core.stage.params import Range, from_mapping, specs, to_mapping, without_clock
from core.stage.session import Session, from_json, from_link, to_json, to_link
from core.stage.text import has_text
from core.stage.theme import PROFILES, SIZES, THEMES
from core.stage.words import label, tip, value_text
from tests.core.strategies import JUNK, blocks, events, junk_mappings, legal_states, through_json

FEW = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
# The large tables take part through presets; here the small ones keep the tests fast.
SMALL = st.sampled_from(["lesson_4x3", "lesson_animals", "lesson_random", "glove"])
SHARED = st.builds(
    Shared, st.one_of(st.sampled_from(["The cat sat", "", "cat", "dog bites man", " "]), st.text(max_size=20)), SMALL
)


@pytest.fixture(params=IDS)
def a_lesson(request: pytest.FixtureRequest) -> Lesson:
    return lesson(request.param)


def check_frame(frame: Frame) -> None:
    """A frame that any view can draw."""
    assert frame.title
    assert len(frame.alt) > 20, "the picture in words"
    panel_keys = [panel.key for panel in frame.panels]
    assert panel_keys, "a frame without a panel"
    assert len(set(panel_keys)) == len(panel_keys), panel_keys
    keys = [mark.key for _, mark in frame.marks()] + [r.key for p in frame.panels for r in p.readouts]
    assert len(set(keys)) == len(keys), sorted(key for key in keys if keys.count(key) > 1)
    taken = np.zeros((12, 12), dtype=int)
    for panel in frame.panels:
        cell = panel.cell
        assert cell.row >= 0, panel.key
        assert cell.column >= 0, panel.key
        assert cell.row + cell.rows <= 12, panel.key
        assert cell.column + cell.columns <= 12, panel.key
        taken[cell.row : cell.row + cell.rows, cell.column : cell.column + cell.columns] += 1
        for axis in (panel.x, panel.y):
            assert math.isfinite(axis.low), panel.key
            assert math.isfinite(axis.high), panel.key
            assert axis.low < axis.high, panel.key
    assert taken.max() == 1, "panels overlap"
    for panel, mark in frame.marks():
        check_numbers(f"{panel.key}.{mark.key}", mark)
    for matrix, values in blocks(frame):
        rows, columns = (stop - start for start, stop in (matrix.rows, matrix.columns))
        assert values.shape[-2:] == (rows, columns), matrix.key
        assert is_finite(values), matrix.key
        assert matrix.levels[0] < matrix.levels[1], matrix.key
        for labels, n in ((matrix.row_labels, rows), (matrix.column_labels, columns)):
            assert len(labels) in (0, n), matrix.key
        for part in (matrix.plain, matrix.mask):
            assert part is None or part.shape[-2:] == (rows, columns), matrix.key
    lit = {key for line in frame.worked.lines for term in line for key, _ in term.lights}
    assert lit <= set(keys) | {hand.key for _, m in frame.marks() for hand in getattr(m, "hands", ())}, lit - set(keys)
    for line in frame.worked.lines:
        written = "".join(term.text for term in line)
        assert len(written) <= frame.worked.COLUMNS, written
        assert "-0.0" not in written, written
        assert "e-" not in written or "e-" in frame.title, written


def check_numbers(name: str, value: Any) -> None:
    """Every number in a mark is finite, however deep it lies."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        assert is_finite(value), name
    elif isinstance(value, float):
        assert math.isfinite(value), name
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            check_numbers(f"{name}.{field.name}", getattr(value, field.name))
    elif isinstance(value, tuple):
        for entry in value:
            check_numbers(name, entry)


def drawn(frame: Frame) -> Any:
    """All that is drawn, comparable: windows are replaced by the numbers in them."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return ("array", value.shape, value.tolist())
        if hasattr(value, "block"):
            return "source"
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return tuple((field.name, plain(getattr(value, field.name))) for field in dataclasses.fields(value))
        if isinstance(value, (tuple, frozenset)):
            return tuple(plain(entry) for entry in (sorted(value) if isinstance(value, frozenset) else value))
        return value

    return plain(frame), [values.tolist() for _, values in blocks(frame)]


def close(a: Any, b: Any) -> bool:
    for spec in specs(type(a)):
        x, y = getattr(a, spec.name), getattr(b, spec.name)
        if isinstance(x, float):
            if not math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-6):
                return False
        elif x != y:
            return False
    return True


# --- words -----------------------------------------------------------------------------------------------------------


def test_every_parameter_has_its_words(a_lesson: Lesson) -> None:
    assert has_text(f"tab.{a_lesson.id}")
    for spec in specs(a_lesson.state):
        if spec.clock or spec.hidden:
            continue
        assert label(a_lesson.id, spec)
        assert tip(a_lesson.id, spec), f"{a_lesson.id}.tip.{spec.name}"
        assert value_text(a_lesson.id, spec, spec.default)


def test_parameter_names_are_free(a_lesson: Lesson) -> None:
    own = {spec.name for spec in specs(a_lesson.state)}
    assert not own & ({spec.name for spec in specs(Shared)} | {"preset"}), "links would be ambiguous"


def test_defaults_are_legal(a_lesson: Lesson) -> None:
    for spec in specs(a_lesson.state):
        assert spec.kind.coerce(spec.default, None) == spec.default, spec.name
        if isinstance(spec.kind, Range):
            assert spec.kind.low <= spec.kind.slider[0] < spec.kind.slider[1] <= spec.kind.high, spec.name


# --- states ----------------------------------------------------------------------------------------------------------


@FEW
@given(data=st.data())
def test_junk_gives_a_legal_state_and_a_finite_frame(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    state = a_lesson.from_mapping(data.draw(junk_mappings(a_lesson.state)), context)
    assert from_mapping(a_lesson.state, to_mapping(state)) == state
    check_frame(a_lesson.frame(state, context))


@FEW
@given(data=st.data())
def test_repair_is_done_at_once(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), context)
    assert a_lesson.legal(state, context) == state


@FEW
@given(data=st.data())
def test_files_and_links_bring_a_state_back(a_lesson: Lesson, data: st.DataObject) -> None:
    shared = data.draw(SHARED)
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), Context(shared))
    shared = from_mapping(Shared, through_json(to_mapping(shared)))
    assert a_lesson.from_mapping(through_json(to_mapping(state)), Context(shared)) == state
    session = Session(a_lesson.id, shared, {a_lesson.id: state})
    assert from_json(to_json(session), lesson, IDS) == session
    name, again, common, notices = from_link(to_link(a_lesson.id, state, shared), lesson, IDS)
    assert (name, again, common, notices) == (a_lesson.id, state, shared, [])


@FEW
@given(data=st.data())
def test_the_same_state_gives_the_same_frame(a_lesson: Lesson, data: st.DataObject) -> None:
    shared = data.draw(SHARED)
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), Context(shared))
    assert drawn(a_lesson.frame(state, Context(shared))) == drawn(a_lesson.frame(state, Context(shared)))


@FEW
@given(data=st.data())
def test_whatever_a_person_does_keeps_the_state_legal(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), context)
    if a_lesson.act is None:
        return
    for _ in range(3):
        event = data.draw(events(a_lesson.frame(state, context)))
        state = a_lesson.legal(a_lesson.act(state, event, context), context)
        assert from_mapping(a_lesson.state, to_mapping(state)) == state
    check_frame(a_lesson.frame(state, context))


def test_an_unknown_mark_is_no_event(a_lesson: Lesson) -> None:
    context = Context()
    state = a_lesson.initial(context)
    if a_lesson.act is not None:
        assert a_lesson.act(state, Pick("no such mark", (0, 0)), context) == state


@FEW
@given(data=st.data())
def test_time_can_be_split(a_lesson: Lesson, data: st.DataObject) -> None:
    if a_lesson.step is None:
        return
    context = Context(data.draw(SHARED))
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), context)
    a, b = data.draw(st.floats(0, 3)), data.draw(st.floats(0, 3))
    sign = data.draw(st.sampled_from([1, -1]))
    whole = a_lesson.step(state, sign * (a + b))
    assert close(a_lesson.step(a_lesson.step(state, sign * a), sign * b), whole)
    assert from_mapping(a_lesson.state, to_mapping(whole)) == whole
    assert a_lesson.step(state, 0.0) == state
    assert without_clock(whole) == without_clock(state), "only the clock's fields move"
    check_frame(a_lesson.frame(a_lesson.legal(whole, context), context))


@FEW
@given(data=st.data())
def test_settling_changes_no_picture(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), context)
    settled = a_lesson.legal(a_lesson.settled(state), context)
    assert a_lesson.settled(settled) == settled
    assert a_lesson.frame(settled, context).title == a_lesson.frame(state, context).title
    assert a_lesson.frame(settled, context).alt == a_lesson.frame(state, context).alt


@FEW
@given(data=st.data())
def test_an_edit_is_legal_and_does_what_it_says(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), context)
    for name in a_lesson.shown_controls(state):
        edited = a_lesson.edited(state, context, **{name: data.draw(JUNK)})
        assert a_lesson.legal(edited, context) == edited
        assert from_mapping(a_lesson.state, to_mapping(edited)) == edited


def test_playing_ends(a_lesson: Lesson) -> None:
    if a_lesson.step is None:
        return
    state = a_lesson.initial()
    end = a_lesson.step(state, 1e9)
    assert a_lesson.step(end, 1.0) == end
    start = a_lesson.step(end, -1e12)
    assert a_lesson.step(start, -1.0) == start


# --- presets, controls, undo -----------------------------------------------------------------------------------------


def test_presets_are_legal_and_named(a_lesson: Lesson) -> None:
    assert len(a_lesson.presets) >= 3
    names = [preset.id for preset in a_lesson.presets]
    assert len(set(names)) == len(names)
    for preset in a_lesson.presets:
        assert has_text(f"{a_lesson.id}.preset.{preset.id}")
        shared = from_mapping(Shared, preset.shared)
        assert to_mapping(shared, changed_only=True).keys() <= preset.shared.keys()
        for name, value in preset.shared.items():
            assert getattr(shared, name) == value, name
        context = Context(shared)
        state = a_lesson.from_mapping(preset.values, context)
        for name, value in preset.values.items():
            assert getattr(state, name) == value, f"{preset.id}: {name}"
        check_frame(a_lesson.frame(state, context))
        assert set(a_lesson.shown_controls(state)) <= {spec.name for spec in specs(a_lesson.state)}


@FEW
@given(data=st.data())
def test_controls_exist_and_are_not_hidden(a_lesson: Lesson, data: st.DataObject) -> None:
    state = a_lesson.legal(data.draw(legal_states(a_lesson.state)), Context())
    names = a_lesson.shown_controls(state)
    assert len(set(names)) == len(names)
    known = {spec.name: spec for spec in specs(a_lesson.state)}
    assert all(not known[name].clock and not known[name].hidden for name in names)


@FEW
@given(data=st.data())
def test_undo_brings_the_session_back(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context()
    first = Session(a_lesson.id, context.shared, {a_lesson.id: a_lesson.initial(context)})
    history = History(first)
    second = first.with_state(a_lesson.id, a_lesson.legal(data.draw(legal_states(a_lesson.state)), context))
    history.record(second)
    if history.before:
        assert history.undo() == first
        assert history.redo() == second


@FEW
@given(data=st.data())
def test_motion_ends_in_the_new_frame(a_lesson: Lesson, data: st.DataObject) -> None:
    context = Context(data.draw(SHARED))
    old, new = (a_lesson.frame(a_lesson.legal(data.draw(legal_states(a_lesson.state)), context), context) for _ in "ab")
    assert blend(old, new, 1.0) is new
    for share in (0.0, 0.37):
        for panel, mark in blend(old, new, share).marks():
            check_numbers(f"{panel.key}.{mark.key}", mark)


def test_a_role_and_a_size_are_ones_that_the_theme_knows(a_lesson: Lesson) -> None:
    frame = a_lesson.frame(a_lesson.initial(), Context())
    for _, mark in frame.marks():
        if getattr(mark, "role", None):
            assert all(THEMES[profile].colour(mark.role).startswith("#") for profile in PROFILES)
        if isinstance(getattr(mark, "size", None), str):
            assert mark.size in SIZES
