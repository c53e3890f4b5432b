"""Position tables: the lesson's numbers, the four lamps, the window on a million rows, the clock."""

from __future__ import annotations

import dataclasses
import re
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import sinusoidal
from core.lessons.positions import rows as rooms
from core.lessons.positions import state as states
from core.lessons.positions.lesson import LESSON
from core.lessons.positions.rows import Rows, lamps_of
from core.lessons.positions.state import LAST, PositionsState, at, reading, rows
from core.lessons.positions.worked import divisor
from core.stage.frame import Dials, Drag, Frame, Key, Label, Matrix, Pick, Scroll, is_finite
from core.stage.lesson import Context
from core.stage.motion import panel_of
from core.stage.numbers import number
from core.tables import shipped
from tests.core.strategies import blocks, junk_mappings, legal_states

FEW = settings(max_examples=60, deadline=None, derandomize=True, database=None)
CONTEXT = Context()


def state(**values: Any) -> PositionsState:
    found: PositionsState = LESSON.from_mapping(values, CONTEXT)
    return found


def preset(name: str) -> PositionsState:
    return state(**LESSON.preset(name).values)


def shown(some: PositionsState) -> Frame:
    return LESSON.frame(some, CONTEXT)


def mark(frame: Frame, key: str) -> Any:
    return next(found for _, found in frame.marks() if found.key == key)


def matrix(frame: Frame, key: str = "table") -> Matrix:
    found = mark(frame, key)
    assert isinstance(found, Matrix)
    return found


def cells(frame: Frame, key: str = "table") -> Any:
    found = matrix(frame, key)
    return found.source.block(slice(*found.rows), slice(*found.columns))


def written(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


# --- the lesson's numbers --------------------------------------------------------------------------------------------


def test_the_first_thing_shown_is_the_lessons_table() -> None:
    frame = shown(LESSON.initial(CONTEXT))
    expected = [
        ["0.000", "1.000", "0.000", "1.000"],
        ["0.841", "0.540", "0.010", "1.000"],
        ["0.909", "−0.416", "0.020", "1.000"],
        ["0.141", "−0.990", "0.030", "1.000"],
    ]
    assert [[number(value, matrix(frame).decimals or 0) for value in row] for row in cells(frame)[:4]] == expected
    assert matrix(frame).column_labels == ("sin(p)", "cos(p)", "sin(p/100)", "cos(p/100)")
    assert LESSON.preset("lesson").values == {}


def test_the_sketchs_arithmetic() -> None:
    first, second, law, *_ = written(shown(preset("hands")))
    assert re.sub(" +", " ", first) == "pair 0: sin(6 / 1) = −0.279 cos(6 / 1) = 0.960"
    assert re.sub(" +", " ", second) == "pair 1: sin(6 / 3.162) = 0.947 cos(6 / 3.162) = −0.321"
    assert law.startswith("row(6 + k) = M(k) · row(6)")


def test_periods_of_the_lesson() -> None:
    frame = shown(preset("periods"))
    names = [found.text for _, found in frame.marks() if isinstance(found, Label) and found.key.startswith("name.")]
    assert names == ["pair 0 · period 6.28", "pair 1 · period 628.3"]


def test_the_sine_of_a_sum_is_worked_with_the_shown_factors() -> None:
    lines = written(shown(preset("shift")))
    assert lines[0] == "sin(6 + 3) = sin(6) · cos(3) + cos(6) · sin(3)"
    assert lines[1] == "= (−0.279)(−0.990) + (0.960)(0.141) = 0.2762 + 0.1354 = 0.412"
    assert lines[2] == "row 9, column 0: 0.412"
    assert lines[6] == "row 9 − M(3) · row 6 = 0.000000000 in all 4 numbers"


@pytest.mark.parametrize(("offset", "position"), [(3, 6), (-3, 6), (1000, 0), (-1000, 999_990), (7, 999_990)])
@pytest.mark.parametrize("d_model", [2, 4, 16, 64, 4096])
def test_one_matrix_moves_the_row(offset: int, position: int, d_model: int) -> None:
    some = state(position=position, offset=offset, d_model=d_model, show="shift")
    frame = shown(some)
    size = matrix(frame, "matrix").rows[1]
    assert size <= 16
    moved = cells(frame, "matrix") @ cells(frame, "now")
    assert np.abs(moved - cells(frame, "then")).max() < 1e-9
    whole = sinusoidal.table([at(some), at(some) + some.offset], d_model)
    assert np.array_equal(cells(frame, "now")[:, 0], whole[0, :size])
    assert rooms.shift_error(d_model, some.base, at(some), some.offset) < 1e-9
    if d_model <= 64:
        expected = sinusoidal.shift_matrix(some.offset, d_model)[:size, :size]
        assert np.abs(cells(frame, "matrix") - expected).max() < 1e-12


@FEW
@given(position=st.integers(0, LAST), pair=st.integers(0, 7), offset=st.integers(-1000, 1000))
def test_what_is_printed_gives_the_number_in_the_cell(position: int, pair: int, offset: int) -> None:
    some = state(position=position, pair=pair, d_model=16, offset=offset)
    value = float(divisor(some, pair, position).replace(",", ""))
    row = sinusoidal.table([position], 16)[0]
    assert number(np.sin(position / value)) == number(row[2 * pair])
    assert number(np.cos(position / value)) == number(row[2 * pair + 1])
    assert all(len(line) <= 72 for line in written(shown(some)))


def test_hands_stand_at_position_times_frequency() -> None:
    dials = mark(shown(preset("hands")), "dials")
    assert isinstance(dials, Dials)
    assert np.allclose(dials.hands[0].angles, 6 * 10_000 ** (-np.arange(8) / 8))
    assert len(mark(shown(state(d_model=4096)), "dials").hands[0].angles) == states.DIALS


def test_the_words_drown_beside_a_raw_index() -> None:
    lines = [re.sub(" +", " ", line) for line in written(shown(preset("raw_index")))]
    assert lines[0] == "cat · dog = 0.56 + 0.42 + 0.02 + 0.02 = 1.02"
    assert lines[1] == "position 4,000 · position 4,002 = 16,008,000"
    assert lines[2] == "sum = 1.02 + 16,008,000 = 16,008,001.02"
    assert "0.0000064 %" in lines[3]


def test_two_back_depends_on_the_length() -> None:
    lines = written(shown(preset("fraction")))
    assert lines[1].endswith("2 / 15 = 0.133")
    assert lines[2].endswith("2 / 31 = 0.065")


def test_seven_and_eight_differ_in_four_digits() -> None:
    lines = written(shown(preset("binary")))
    assert lines[0] == "7 = 1 + 2 + 4"
    assert lines[2] == "to row 8: 4 digits change"


# --- lamps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "verdicts"),
    [
        ({"d_model": 16}, "yes yes yes partly"),
        ({"d_model": 4}, "yes partly yes partly"),
        ({"d_model": 4096}, "yes yes yes partly"),
        ({"scheme": "raw_index"}, "no yes no no"),
        ({"scheme": "fraction"}, "yes yes no partly"),
        ({"scheme": "fraction", "length": 5000}, "yes no no partly"),
        ({"scheme": "binary"}, "yes yes no partly"),
        ({"scheme": "learned"}, "yes yes no no"),
    ],
)
def test_what_a_good_scheme_needs(values: dict[str, Any], verdicts: str) -> None:
    assert [lamp.verdict for lamp in lamps_of(state(**values))] == verdicts.split()


@pytest.mark.parametrize("d_model", [2, 4])
def test_the_nearest_look_alike_is_the_first_one(d_model: int) -> None:
    """Against the definition: rows that differ by less than the last digit in every number, at every place."""
    unique = lamps_of(state(d_model=d_model))[1]
    distance = int(dict(unique.numbers)["distance"])
    assert distance == {2: 710, 4: 325_469}[d_model]
    places = np.arange(0, 500_000, 997)
    there = sinusoidal.table(places + distance, d_model) - sinusoidal.table(places, d_model)
    assert np.abs(there).max() < np.sqrt(2) * rooms.RESOLUTION
    distances = np.arange(1, distance)
    speeds = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    chords = 2 * np.abs(np.sin(distances[:, None] * speeds / 2)).max(axis=1)
    assert chords.min() >= np.sqrt(2) * rooms.RESOLUTION


def test_the_title_does_not_claim_more_than_the_lamp() -> None:
    assert shown(state(d_model=16)).title == "Eight clock hands give every position its own reading"
    assert shown(state(d_model=4)).title == "Two clock hands tell 325,469 positions apart"
    assert shown(state(d_model=2)).title == "One clock hand tells 710 positions apart"


def test_learned_rows_are_bounded_by_their_own_numbers() -> None:
    low, high = (value for _, value in lamps_of(state(scheme="learned"))[0].numbers)
    assert (low, high) == (float(shipped.minilm_positions().min()), float(shipped.minilm_positions().max()))


def test_past_training_asks_the_table_itself() -> None:
    assert rooms.learned_refusal(511) == ""
    assert "512" in rooms.learned_refusal(512)


# --- the window ------------------------------------------------------------------------------------------------------


def test_a_window_computes_only_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    table = sinusoidal.table

    def counted(positions: Any, d_model: int, *rest: Any, **named: Any) -> Any:
        values = table(positions, d_model, *rest, **named)
        asked.append(values.shape)
        return values

    monkeypatch.setattr(rooms.sinusoidal, "table", counted)
    source = Rows("sinusoidal", 4096, 10_000.0, 0)
    assert source.shape == (LAST + 1, 4096)
    block = source.block(slice(999_000, 999_016), slice(4000, 4032, 2))
    assert asked == [(16, 16)]
    assert np.array_equal(block, table(np.arange(999_000, 999_016), 4096)[:, 4000:4032:2])
    assert source.block(slice(0, LAST + 1, 250_000), slice(0, 2)).shape == (5, 2)


def test_the_learned_table_ends() -> None:
    frame = shown(preset("learned_end"))
    table = matrix(frame)
    assert table.rows == (504, 520)
    assert table.mask is not None
    assert table.mask.any(axis=1).tolist() == [False] * 8 + [True] * 8
    assert mark(frame, "missing").text == "row 512 does not exist"
    assert frame.title == "Row 512 does not exist: this table ends at row 511"
    assert panel_of(frame, "main").border == "warn"
    expected = shipped.minilm_positions()[504:512, :32].astype(float)
    assert np.array_equal(cells(frame)[:8], expected)
    assert any("1,500 tokens" in line and "1,023" in line for line in written(frame))


def test_learned_row_lengths() -> None:
    lengths = mark(shown(preset("learned")), "lengths").y
    assert lengths.shape == (512,)
    assert lengths[6] == pytest.approx(np.linalg.norm(shipped.minilm_positions()[6].astype(float)))
    assert lengths.argmax() == 0


@pytest.mark.parametrize("name", [entry.id for entry in LESSON.presets])
def test_the_picked_row_is_in_view_and_outlined(name: str) -> None:
    some = preset(name)
    table = matrix(shown(some))
    assert table.rows[0] <= at(some) < table.rows[1]
    assert (table.outlines[0].row, table.outlines[0].role) == (at(some), "where")


def test_a_million_rows_cost_what_sixteen_do() -> None:
    def cost(some: PositionsState) -> float:
        shown(some)
        best = 1.0
        for _ in range(20):
            start = time.perf_counter()
            blocks(shown(some))
            best = min(best, time.perf_counter() - start)
        return best

    assert cost(state(position=LAST - 20, d_model=4096)) < 5 * cost(state(position=20, d_model=32)) + 0.001


@FEW
@given(data=st.data())
def test_any_state_gives_finite_frames(data: st.DataObject) -> None:
    some = LESSON.from_mapping(data.draw(junk_mappings(PositionsState)), CONTEXT)
    assert some.d_model % 2 == 0
    assert 0 <= at(some) + some.offset <= LAST
    frame = shown(some)
    assert [panel.cell.columns for panel in frame.panels[:1]] <= [8]
    assert len(frame.panels) <= 4
    for found, values in blocks(frame):
        assert is_finite(values), found.key


# --- hands and clock -------------------------------------------------------------------------------------------------


def test_picking_scrolling_and_keys() -> None:
    some = state(d_model=16, position=6)
    picked = LESSON.act(some, Pick("table", (9, 5)), CONTEXT)  # type: ignore[misc]
    assert (picked.position, picked.pair) == (9, 2)
    assert rows(picked) == (0, 16)
    scrolled = LESSON.act(picked, Scroll("table", 500_000, 0), CONTEXT)  # type: ignore[misc]
    assert rows(scrolled) == (500_000, 500_016)
    assert at(scrolled) == 500_001
    back = LESSON.act(scrolled, Key("table", "up"), CONTEXT)  # type: ignore[misc]
    assert at(back) == 500_000
    for name, row in (("end", LAST), ("home", 0)):
        assert at(LESSON.act(back, Key("table", name), CONTEXT)) == row  # type: ignore[misc]
    learned = LESSON.act(state(scheme="learned"), Key("table", "end"), CONTEXT)  # type: ignore[misc]
    assert at(learned) == 511
    dial = LESSON.act(some, Pick("hand", (3,)), CONTEXT)  # type: ignore[misc]
    assert dial.pair == 3
    wide = LESSON.act(state(d_model=128), Scroll("table", 0, 9), CONTEXT)  # type: ignore[misc]
    assert matrix(shown(wide)).columns == (8, 40)


def test_a_hand_can_be_dragged() -> None:
    some = state(position=6, offset=3)
    _, centres = states.dial_places(2)

    def dragged(hand: str, dial: int, angle: float) -> PositionsState:
        x, y = centres[dial]
        event = Drag(hand, x + 0.3 * np.cos(angle), y + 0.3 * np.sin(angle))
        found: PositionsState = LESSON.legal(LESSON.act(some, event, CONTEXT), CONTEXT)  # type: ignore[misc]
        return found

    assert at(dragged("hand", 0, 6.0)) == 6
    assert at(dragged("hand", 0, 7.2)) == 7
    assert at(dragged("hand", 1, 0.5)) == 50
    assert dragged("hand", 1, 0.5).pair == 1
    assert at(dragged("hand", 1, -0.5)) == 0
    assert (at(dragged("shifted", 0, 10.1)), dragged("shifted", 0, 10.1).offset) == (6, 4)
    walked = LESSON.act(some, Key("dials", "right"), CONTEXT)  # type: ignore[misc]
    assert at(walked) == 7


@FEW
@given(data=st.data(), down=st.integers(-(10**7), 10**7))
def test_a_scrolled_window_is_where_it_was_scrolled_to(data: st.DataObject, down: int) -> None:
    some = LESSON.legal(data.draw(legal_states(PositionsState)), CONTEXT)
    top, count = rows(some)[0], some.window
    after = LESSON.act(some, Scroll("table", down, 0), CONTEXT)  # type: ignore[misc]
    if down:
        assert rows(after)[0] == min(max(top + down, 0), LAST + 1 - count)


def test_hands_rest_on_whole_positions_and_sweep_between() -> None:
    some = state(position=6)
    assert LESSON.beat == 1.0
    assert [at(LESSON.step(some, t)) for t in (0.0, 0.59, 0.99, 1.0, 2.5)] == [6, 6, 6, 7, 8]  # type: ignore[misc]
    assert [reading(LESSON.step(some, t)) for t in (0.0, 0.6, 0.8, 1.0)] == [6, 6, pytest.approx(6.5), 7]  # type: ignore[misc]
    assert at(LESSON.step(some, -1.0)) == 5  # type: ignore[misc]
    assert at(LESSON.step(some, -100.0)) == 0  # type: ignore[misc]
    assert at(LESSON.step(some, 1e7)) == LAST  # type: ignore[misc]


def test_small_steps_add_up() -> None:
    some = state(position=6)
    for _ in range(100):
        some = LESSON.step(some, 0.01)  # type: ignore[misc]
    assert at(some) == 7
    assert reading(some) == pytest.approx(7.0)


@FEW
@given(data=st.data(), seconds=st.floats(-50, 50))
def test_settling_changes_no_picture(data: st.DataObject, seconds: float) -> None:
    some = LESSON.legal(data.draw(legal_states(PositionsState)), CONTEXT)
    moved = LESSON.step(some, seconds)  # type: ignore[misc]
    settled = LESSON.legal(LESSON.settled(moved), CONTEXT)
    assert settled.position == at(moved) == at(settled)
    assert reading(settled) == pytest.approx(reading(moved), abs=1e-4)
    assert rows(settled) == rows(moved)
    assert settled.offset == moved.offset


def test_a_typed_position_is_shown_at_once() -> None:
    moved = LESSON.step(state(position=6), 3.8)  # type: ignore[misc]
    typed = LESSON.edited(moved, CONTEXT, position=20)
    assert (at(typed), reading(typed)) == (20, 20.0)
    other = LESSON.edited(moved, CONTEXT, d_model=16)
    assert at(other) == 9
    assert dataclasses.replace(other, d_model=4) == LESSON.settled(moved)


def test_controls_fit_the_scheme() -> None:
    assert LESSON.shown_controls(state())[:6] == ("position", "offset", "d_model", "base", "show", "numbers")
    assert "span" in LESSON.shown_controls(state(show="waves"))[:6]
    assert "base" not in LESSON.shown_controls(state(scheme="learned"))
    assert "length" in LESSON.shown_controls(state(scheme="fraction"))
