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

from core.encodings import precision, sinusoidal
from core.lessons.positions import alike, cosine, lamps, panels, picture, wall
from core.lessons.positions import precision as far
from core.lessons.positions import rows as rooms
from core.lessons.positions import state as states
from core.lessons.positions.dials import dial_places
from core.lessons.positions.lamps import RESOLUTION, lamps_of
from core.lessons.positions.lesson import LESSON, ROOMS
from core.lessons.positions.pages import divisor
from core.lessons.positions.rows import Rows
from core.lessons.positions.search import NEAR, LookAlike, search_job
from core.lessons.positions.state import LAST, PositionsState, at, hands_on, page, reading, rows
from core.stage.frame import Code, Dials, Drag, Frame, Key, Label, Matrix, Pick, Scroll, Table, is_finite
from core.stage.jobs import Cancelled
from core.stage.lesson import Context
from core.stage.motion import panel_of
from core.stage.numbers import number
from core.tables import shipped
from tests.core.strategies import blocks, junk_mappings, legal_states

FEW = settings(max_examples=60, deadline=None, derandomize=True, database=None)
CONTEXT = Context()
WITH_TABLE = ("dials", "waves", "shift", "layouts", "lengths", "raw_index", "fraction", "binary")


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
    assert size <= 8
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
    table = mark(shown(preset("raw_index")), "dot")
    assert isinstance(table, Table)
    assert [row[-2] for row in table.rows[1:]] == ["0.56", "0.42", "0.02", "0.02", "16,008,000"]
    assert table.rows[-1][2:4] == ("4,000", "4,002")


@pytest.mark.parametrize("offset", [0, 2, 50])
@pytest.mark.parametrize("position", [0, 1, 2, 3, 4, 10, 4000])
def test_a_product_is_said_to_drown_only_what_it_outweighs(position: int, offset: int) -> None:
    frame = shown(state(scheme="raw_index", position=position, offset=offset))
    outweighs = position * (position + offset) >= 10 * 1.02
    assert (panel_of(frame, "dot_panel").caption == "one product drowns the other four") == outweighs


@pytest.mark.parametrize("position", [0, 7, 255, 256, 4000, LAST])
def test_hidden_binary_digits_are_told(position: int) -> None:
    """Row 256 equals row 0 in its last eight digits: the lamp looks at all twenty."""
    frame = shown(state(scheme="binary", position=position))
    across = matrix(frame).columns[1]
    assert f"{across} of 20 digits in view" in panel_of(frame, "main").caption


def test_two_back_depends_on_the_length() -> None:
    lines = written(shown(preset("fraction")))
    assert lines[1].endswith("2 / 15 = 0.133")
    assert lines[2].endswith("2 / 31 = 0.065")
    labels = [mark(shown(preset("fraction")), f"two.{lane}").text for lane in (0, 1)]
    assert labels == ["16 tokens: from 6 to 4 is 0.133", "32 tokens: from 6 to 4 is 0.065"]
    longer, shorter = (mark(shown(preset("fraction")), f"back.{lane}") for lane in (0, 1))
    assert longer.x0[0] - longer.x1[0] == pytest.approx(2 / 15)
    assert shorter.x0[0] - shorter.x1[0] == pytest.approx(2 / 31)


def test_seven_and_eight_differ_in_four_digits() -> None:
    lines = written(shown(preset("binary")))
    assert lines[0] == "7 = 1 + 2 + 4"
    assert lines[2] == "to row 8: 4 digits change"
    assert matrix(shown(preset("binary"))).columns == (0, 8)
    assert matrix(shown(state(scheme="binary", position=LAST))).columns == (0, 20)


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
    assert np.abs(there).max() < np.sqrt(2) * RESOLUTION
    distances = np.arange(1, distance)
    speeds = 10_000.0 ** (-np.arange(0, d_model, 2) / d_model)
    chords = 2 * np.abs(np.sin(distances[:, None] * speeds / 2)).max(axis=1)
    assert chords.min() >= np.sqrt(2) * RESOLUTION


def test_the_title_does_not_claim_more_than_the_lamp() -> None:
    assert shown(state(d_model=16)).title == "Eight clock hands give every position its own reading"
    assert shown(state(d_model=4)).title == "Two clock hands tell at least 325,469 positions apart"
    assert shown(state(d_model=2)).title == "One clock hand tells at least 710 positions apart"


@pytest.mark.parametrize(("d_model", "base"), [(2, 1e4), (4, 2.0), (4, 5.0), (4, 50.0), (4, 1e4), (6, 2.0), (6, 3.0)])
def test_so_many_rows_are_told_apart_and_some_more_may_be(d_model: int, base: float) -> None:
    """No two of the first rows are alike: "at least", for the first alike ones may come later."""
    unique = lamps_of(state(d_model=d_model, base=base))[1]
    if unique.how == "all":
        return
    distance = int(dict(unique.numbers)["distance"])
    table = sinusoidal.table(np.arange(distance), d_model, base)
    for apart in np.flatnonzero(2 * np.abs(np.sin(np.arange(distance) / 2)) < np.sqrt(2) * RESOLUTION)[1:]:
        assert np.abs(table[apart:] - table[:-apart]).max(axis=1).min() >= RESOLUTION
    assert f"at least {distance:,} " in shown(state(d_model=d_model, base=base)).title


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
    assert mark(frame, "missing").text == "rows from 512 on do not exist"
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


@pytest.mark.parametrize("name", [entry.id for entry in LESSON.presets if page(preset(entry.id)) in WITH_TABLE])
def test_the_picked_row_is_in_view_and_outlined(name: str) -> None:
    some = preset(name)
    table = matrix(shown(some))
    assert table.rows[0] <= at(some) < table.rows[1]
    if table.rows[1] - table.rows[0] > panels.DENSE:  # a frame would hide the row
        lines = mark(shown(some), "row.where")
        assert lines.y.tolist() == [at(some) - table.rows[0]] * 2 + [at(some) - table.rows[0] + 1] * 2
    else:
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


# --- look-alikes -----------------------------------------------------------------------------------------------------


def search(position: int, d_model: int, base: float, most: int, decimals: int | None) -> tuple[LookAlike, ...]:
    return search_job(position, d_model, base, most, decimals, lambda share: None, lambda: False)


def by_definition(position: int, d_model: int, base: float, hands: int, decimals: int | None) -> tuple[int, float]:
    """Every row, number by number."""
    table = sinusoidal.table(np.arange(LAST + 1), d_model, base, columns=np.arange(2 * hands))
    if decimals is not None:
        table = np.round(table, decimals)
    apart = np.abs(table - table[position]).max(axis=1)
    apart[max(0, position - NEAR) : position + NEAR + 1] = 9.0
    best = np.flatnonzero(apart <= apart.min() + 1e-12)
    return int(best[np.argmin(np.abs(best - position))]), float(apart.min())


@pytest.mark.parametrize(
    ("position", "d_model", "base", "hands", "decimals"),
    [(6, 4, 1e4, 2, None), (5, 4, 1e4, 2, 2), (777_777, 16, 1e4, 3, None), (0, 8, 50.0, 4, None), (LAST, 6, 2.0, 3, 1)],
)
def test_the_search_finds_what_the_definition_says(
    position: int, d_model: int, base: float, hands: int, decimals: int | None
) -> None:
    found = search(position, d_model, base, hands, decimals)
    assert len(found) == hands
    row, gap = by_definition(position, d_model, base, hands, decimals)
    assert (found[-1].row, found[-1].gap) == (row, pytest.approx(gap, abs=1e-9))


def test_position_6_has_a_twin() -> None:
    frame = shown(preset("lookalike"))
    assert frame.title == "Two hands are not enough: position 6 reads like position 735,767"
    one, two = search(6, 4, 1e4, 2, None)
    assert two.row == 735_767
    assert number(two.gap, 4) == "0.0005"
    assert one.gap < two.gap
    assert mark(frame, "list").rows[2][:4] == ("2", "735,767", "", "0.00051")
    assert cells(frame, "apart").max() == pytest.approx(two.gap)


def test_the_lessons_rounding_trap() -> None:
    frame = shown(preset("rounding"))
    assert frame.title == "Rounded to two decimals, positions 5 and 13,828 are the same"
    assert np.array_equal(cells(frame, "pairs"), cells(frame, "twins"))
    assert np.array_equal(*sinusoidal.table([5, 13_828], 4).round(2))
    exact = shown(state(show="fingerprint", position=5, hands=2))
    assert exact.title.endswith(f"position {number(search(5, 4, 1e4, 2, None)[1].row, 0)}")


def test_hands_are_added_one_by_one() -> None:
    some = preset("fingerprint")
    assert hands_on(some) == 1
    assert shown(some).title == "One hand is not enough: position 6 reads like position 312,695"
    later = LESSON.step(some, 1.2)  # type: ignore[misc]
    assert (hands_on(later), at(later)) == (2, 6)
    assert shown(later).title == "Two hands tell position 6 from all others"
    assert hands_on(LESSON.step(some, 99.0)) == 8  # type: ignore[misc]
    assert LESSON.settled(later).hands == 2
    picked = LESSON.act(some, Pick("own", (4,)), CONTEXT)  # type: ignore[misc]
    assert hands_on(picked) == 5
    assert (matrix(shown(later), "pairs").mask[:, 0]).tolist() == [False] * 4 + [True] * 12  # type: ignore[index]


def test_gaps_only_grow_with_hands() -> None:
    found = search(6, 16, 1e4, 8, None)
    gaps = [entry.gap for entry in found]
    assert gaps == sorted(gaps)
    assert gaps[1] > RESOLUTION > gaps[0]


def test_a_search_can_be_stopped_and_waited_for() -> None:
    with pytest.raises(Cancelled):
        search_job(6, 4, 1e4, 2, None, lambda share: None, lambda: True)
    waiting = Context(ask=lambda job: None)
    for name in ("lookalike", "circle", "cosine", "learned"):
        frame = LESSON.frame(preset(name), waiting)
        assert frame.computing
        assert "computing" in " ".join(found.text for _, found in frame.marks() if isinstance(found, Label))
        assert frame.alt


# --- the identity, similarity, layouts -------------------------------------------------------------------------------


def test_the_identity_with_its_cosine_half() -> None:
    frame = shown(preset("identity"))
    lines = written(frame)
    assert lines[0] == "sin(6 + 2) = sin(6) · cos(2) + cos(6) · sin(2)"
    assert lines[1] == "= (−0.279)(−0.416) + (0.960)(0.909) = 0.1161 + 0.8726 = 0.989"
    assert lines[3] == "cos(6 + 2) = cos(6) · cos(2) − sin(6) · sin(2)"
    heights = mark(frame, "terms").height
    assert heights[:3] == pytest.approx([np.sin(6) * np.cos(2), np.cos(6) * np.sin(2), np.sin(8)])
    assert heights[3:] == pytest.approx([np.cos(6) * np.cos(2), -np.sin(6) * np.sin(2), np.cos(8)])
    for half in ("sin", "cos"):
        parts = [mark(frame, f"{half}.{part}").y for part in ("0", "1", "sum")]
        middle = (mark(frame, f"{half}.now").y).mean()
        assert parts[0] + parts[1] - middle == pytest.approx(parts[2])


def test_the_law_of_a_slower_pair_names_its_angles() -> None:
    fast, slow = shown(state(show="identity")), shown(state(show="identity", pair=1))
    assert mark(fast, "sin.law").text == "sin(p + k) = sin p · cos k + cos p · sin k"
    assert mark(slow, "cos.law").text == "cos(a + b) = cos a · cos b − sin a · sin b"
    assert panel_of(slow, "main").note == "pair 1: a = p / 100, b = k / 100"


@pytest.mark.parametrize("d_model", [2, 4, 8, 16, 64, 128])
@pytest.mark.parametrize("base", [2.0, 100.0, 1e4])
@pytest.mark.parametrize("offset", [0, 3, 40, 300])
def test_two_values_of_an_uneven_fall_are_written_apart(d_model: int, base: float, offset: int) -> None:
    told = shown(state(show="similarity", d_model=d_model, base=base, offset=offset)).alt
    found = re.search(r"fall: (\S+) at distance .*, (\S+) at distance", told)
    if found:
        low, high = (float(part.replace("−", "-")) for part in found.groups())
        assert low < high


@pytest.mark.parametrize("d_model", [2, 4, 8, 16])
@pytest.mark.parametrize("offset", [0, 1, 3, 9, 200])
def test_the_mean_is_worked_out_from_all_pairs(d_model: int, offset: int) -> None:
    text = written(shown(state(show="similarity", d_model=d_model, offset=offset)))[0]
    parts, half, sign, mean = re.fullmatch(r"\((.*)\) / (\d+) ([=≈]) (\S+)", text).groups()  # type: ignore[union-attr]
    terms = [float(part.replace("−", "-")) for part in parts.replace("− ", "+ −").split(" + ")]
    assert len(terms) == int(half) == d_model // 2
    assert (number(sum(terms) / len(terms)) == mean) == (sign == "=")
    exact = float(alike.similarity(np.array([offset]), d_model, 1e4)[0])
    assert mean == number(exact)


def test_similarity_depends_on_the_distance_alone_and_falls_unevenly() -> None:
    some = preset("similarity")
    values = cells(shown(some), "alike")
    for distance in range(16):
        assert np.ptp(np.diagonal(values, distance)) < 1e-12
    table = sinusoidal.table(np.arange(16), 16)
    assert np.abs(values - table @ table.T / 8).max() < 1e-12
    curve = alike.similarity(np.arange(65), 16, 1e4)
    low, up = alike.rise(curve)
    assert (low, up) == (3, 6)
    assert (np.diff(curve[: low + 1]) < 0).all()
    assert (np.diff(curve[low : up + 1]) > 0).all()
    assert curve[up + 1] < curve[up]
    assert "6 apart (ring) is more alike than 3 apart" in panel_of(shown(some), "similarity_curve").caption
    assert alike.rise(np.array([1.0, 0.5, 0.25])) == (0, 0)
    assert alike.rise(np.array([1.0, 0.5, 0.75])) == (1, 2)
    picked = LESSON.act(some, Pick("alike", (4, 9)), CONTEXT)  # type: ignore[misc]
    assert (picked.position, picked.offset) == (4, 5)
    far_away = cells(shown(state(show="similarity", position=LAST, d_model=64)), "alike")
    assert np.abs(np.diagonal(far_away) - 1).max() < 1e-12


def test_layouts_hold_the_same_clock_in_other_columns() -> None:
    frames = {name: shown(state(show="layouts", d_model=8, layout=name)) for name in sinusoidal.LAYOUTS}
    values = {name: cells(frame) for name, frame in frames.items()}
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    assert np.array_equal(values["interleaved"][:, order], values["concatenated"])
    assert not np.allclose(values["concatenated"], values["tensor2tensor"])
    assert np.array_equal(values["tensor2tensor"], sinusoidal.table(np.arange(16), 8, layout="tensor2tensor"))
    assert matrix(frames["concatenated"]).column_labels[3:5] == ("sin 3", "cos 0")
    assert "divisor: 10,000^(1 / 3) = 21.544" in written(shown(preset("layouts")))[0]
    for name in sinusoidal.LAYOUTS:
        some = state(show="layouts", d_model=8, layout=name, position=3)
        picked = LESSON.act(some, Pick("table", (3, 5)), CONTEXT)  # type: ignore[misc]
        assert picked.pair == (2 if name == "interleaved" else 1)
        own = far_speeds(picked)
        assert np.sin(3 * own) == pytest.approx(
            values[name][3, 2 * picked.pair if name == "interleaved" else picked.pair]
        )


@pytest.mark.parametrize("layout", sinusoidal.LAYOUTS)
def test_one_pair_is_the_same_in_every_layout(layout: str) -> None:
    """tensor2tensor's exponent would be 0 / 0."""
    frame = shown(state(show="layouts", d_model=2, layout=layout))
    assert np.array_equal(cells(frame), cells(shown(state(show="layouts", d_model=2))))
    assert frame.title == "With one pair all three layouts are the same"
    assert not any("(1 − 1)" in text or "(0 / 0)" in text or "(0 / 1)" in text for text in written(frame))
    assert "i / (d/2 − 1)" not in panel_of(frame, "layouts_periods").caption
    assert "tensor2tensor: one pair, divisor 1" in written(frame)
    more = shown(state(show="layouts", d_model=4, layout=layout))
    assert "base^(i / (2 − 1))" in written(more)[5]


def far_speeds(some: PositionsState) -> float:
    from core.lessons.positions.layouts import speed

    return speed(some, some.pair, some.layout)


def test_chosen_waves_are_drawn() -> None:
    names = [found.key for _, found in shown(preset("chosen")).marks() if found.key.startswith("wave.")]
    assert names == ["wave.0", "wave.1", "wave.2", "wave.4", "wave.7"]
    odd = state(show="waves", drawn=("x", "²", "99", "1", "1"))
    assert states.drawn_pairs(odd) == (1,)


# --- float precision -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("position", "error"), [(1_000, 3.2e-5), (100_000, 5.2e-3), (1_000_000, 5.2e-2)])
def test_float32_angles_as_measured(position: int, error: float) -> None:
    """The golden file's rows for 128 dimensions: the worst pair is pair 1."""
    off = np.abs(far.angles([position], 128, 1e4, "float32") - far.angles([position], 128, 1e4, "float64"))[0]
    assert int(off.argmax()) == 1
    assert off.max() == pytest.approx(error, rel=0.02)


def test_bfloat16_makes_two_positions_one() -> None:
    frame = shown(preset("precision"))
    assert frame.title == "In bfloat16, positions 100,000 and 100,002 are the same"
    assert precision.round_to([100_000, 100_002], "bfloat16").tolist() == [99_840, 99_840]
    table = mark(frame, "formats").rows
    assert table[1][1:] == ("100,000", "100,000", "99,840")
    assert table[5][1:] == ("57.382", "57.389", "64.000")
    exact = sinusoidal.table([100_000, 100_002], 128)
    assert number(float(exact[0] @ exact[1])) == "57.382"


def test_a_rope_score_drifts_as_measured() -> None:
    assert far.drift(100_000) == pytest.approx(0.0086, abs=1e-4)
    assert far.drift(1_000_000) == pytest.approx(0.0978, abs=1e-3)


def test_places_on_the_curve_can_be_picked() -> None:
    picked = LESSON.act(preset("precision"), Pick("places", (4,)), CONTEXT)  # type: ignore[misc]
    assert at(picked) == LAST


# --- learned ---------------------------------------------------------------------------------------------------------


def test_the_seam_and_the_ends_are_named() -> None:
    frame = shown(preset("seam"))
    assert mark(frame, "lengths.0").text == "row 0: 2.36"
    assert mark(frame, "lengths.127").text == "rows 127, 128: 0.69, 0.48"
    assert mark(frame, "lengths.511").text == "row 511: 0.97"
    assert frame.title == "MiniLM was fine-tuned on short texts: a seam after row 127"
    assert shown(preset("learned")).title == "A learned table has one row per position, and it ends"


def test_the_bounds_that_are_said_hold_for_all_numbers() -> None:
    """-0.2026 is not within -0.2: bounds are rounded outwards."""
    texts = [mark(shown(preset(name)), "lamp.bounded").text for name in ("learned", "lesson", "fraction")]
    assert [text.split(" in ")[1] for text in texts] == ["[−0.21, 1.88]", "[−1, 1]", "[0, 1]"]


def test_one_digit_changes() -> None:
    frame = shown(state(scheme="binary", position=6))
    assert panel_of(frame, "flips_panel").caption == "from row 6 to row 7: one digit changes"
    assert written(frame)[2] == "to row 7: one digit changes"


def test_learned_rows_are_a_circle_of_about_5_7_rows() -> None:
    frame = shown(preset("circle"))
    panel = panel_of(frame, "picture_turn")
    assert panel.readouts[0].value == "5.7"
    assert "one turn takes 5.67 rows: 360° / 5.67 = 63.5° a row" in written(frame)
    points = mark(frame, "cloud")
    assert len(points.x) == 512
    steps = np.angle(np.exp(1j * np.diff(np.arctan2(points.y, points.x))))
    assert (np.sign(steps) == np.sign(steps[0])).all(), "always the same way round"
    exact = np.exp(2j * np.pi * np.arange(512) / 5.7)
    assert picture.turn_of(np.stack([exact.real, exact.imag], 1)) == pytest.approx(5.7, rel=1e-3)


@pytest.mark.parametrize("row", range(0, 510, 7))
def test_the_angles_follow_from_the_printed_places(row: int) -> None:
    frame = shown(state(scheme="learned", learned_show="picture", position=row))
    for text in written(frame)[:2]:
        x, y, angle = (float(part.replace("−", "-")) for part in re.findall(r"−?[\d.]+(?=[,)°])", text))
        assert round(np.degrees(np.arctan2(y, x))) % 360 == angle, text


def test_the_short_way_round_is_said() -> None:
    panel = panel_of(shown(preset("precision")), "precision_table")
    assert panel.caption.endswith("2π − 3.9039 = 2.3793")
    assert pytest.approx(3.9039) == 5.4763 - 1.5724


def test_the_drift_says_its_base() -> None:
    """It is that of base 10,000, whatever base the page has."""
    for base in (10_000.0, 500_000.0):
        told = [text for text in written(shown(state(show="precision", base=base, d_model=128))) if "RoPE" in text]
        assert len(told) == 2
        assert all("float32" in text and "base 10,000" in text and len(text) <= 72 for text in told)


def test_each_hand_turns_by_its_own_speed() -> None:
    assert any("each pair by k × its own speed" in text for text in written(shown(preset("picture"))))


def test_cosine_against_distance() -> None:
    table = shipped.minilm_positions().astype(float)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    mean = cosine.over_distance()[:, 0]
    assert mean[1] == pytest.approx(np.mean([unit[row] @ unit[row + 1] for row in range(511)]))
    assert cosine.peaks() == (6, 12, 17, 34), "a shoulder is no peak"
    frame = shown(preset("cosine"))
    assert frame.title == "Learned neighbours are alike, and alike again six rows on"
    assert panel_of(frame, "cosine_value").readouts[0].value == number(unit[200] @ unit[206])
    beyond = shown(state(scheme="learned", learned_show="cosine", position=510, offset=6))
    assert panel_of(beyond, "cosine_value").readouts[0].role == "warn"


def test_the_wall() -> None:
    frame = shown(preset("wall"))
    assert frame.title == "1,500 tokens do not fit into 1,024 rows"
    assert "476 tokens have no row" in written(frame)[1]
    code = mark(frame, "code")
    assert isinstance(code, Code)
    assert code.lines[-2:] == ("wpe(tensor(1024))", "IndexError: index out of range in self")
    assert mark(frame, "cost").rows[1:] == (
        ("MiniLM", "512 × 384", "196,608", "0.9 %"),
        ("BERT", "512 × 768", "393,216", "0.4 %"),
        ("GPT-2", "1,024 × 768", "786,432", "0.6 %"),
    )
    assert "512" in wall.refusal(1500)
    fits = shown(state(scheme="learned", learned_show="wall", tokens=512))
    assert fits.title.startswith("512 tokens fit")
    assert wall.refusal(512) == ""
    some = shown(state(scheme="learned", learned_show="wall", tokens=600))
    assert some.title == "600 tokens fit into 1,024 rows, but not into 512"
    assert LESSON.step(preset("wall"), 5.0) == preset("wall")  # type: ignore[misc]


def test_every_page_is_reached_by_a_preset() -> None:
    reached = {page(preset(entry.id)) for entry in LESSON.presets}
    assert reached == {*states.SHOWS, *states.LEARNED_SHOWS, "raw_index", "fraction", "binary"}
    assert set(ROOMS) < reached
    assert lamps.TRAINED == 512


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
    block = LESSON.act(state(show="shift", offset=3), Pick("matrix", (3, 0)), CONTEXT)  # type: ignore[misc]
    assert block.pair == 1
    assert LESSON.act(block, Pick("now", (0, 0)), CONTEXT).pair == 0  # type: ignore[misc]
    assert LESSON.act(block, Pick("matrix", (9, 0)), CONTEXT) == block  # type: ignore[misc]
    dial = LESSON.act(some, Pick("hand", (3,)), CONTEXT)  # type: ignore[misc]
    assert dial.pair == 3
    wide = LESSON.act(state(d_model=128), Scroll("table", 0, 9), CONTEXT)  # type: ignore[misc]
    assert matrix(shown(wide)).columns == (8, 40)


@pytest.mark.parametrize(
    ("values", "key", "column", "ends"),
    [
        ({"position": 3}, "table", 1, "cos(3 / 1) = −0.990"),
        ({"position": 3, "d_model": 64}, "table", 18, None),
        ({"position": 6, "show": "shift", "offset": 3}, "table", 0, "sin(6 / 1) = −0.279"),
        ({"position": 6, "show": "waves"}, "table", 3, "cos(6 / 100) = 0.998"),
        ({"position": 7, "scheme": "binary"}, "table", 2, "1"),
        ({"position": 6, "scheme": "learned"}, "table", 17, None),
        ({"position": 6, "scheme": "fraction"}, "index", 4, "0.400"),
        ({"position": 6, "scheme": "raw_index"}, "table", 2, "0.1"),
    ],
)
def test_a_column_is_picked_with_its_cell(values: dict[str, Any], key: str, column: int, ends: str | None) -> None:
    some = state(**values)
    assert not any(outline.columns == 1 and outline.rows > 1 for outline in matrix(shown(some)).outlines)
    picked: PositionsState = LESSON.legal(LESSON.act(some, Pick(key, (at(some), column)), CONTEXT), CONTEXT)  # type: ignore[misc]
    frame = shown(picked)
    first, stop = matrix(frame, key).rows
    framed = [o for o in matrix(frame, key).outlines if (o.column, o.columns) == (column, 1) and o.rows > 1]
    assert [(o.row, o.rows) for o in framed] == [(first, stop - first)]
    exact = rooms.rows_of(some).at(np.array([at(some)]), np.array([column]))[0, 0]
    told = written(frame)[0]
    assert told.startswith(f"row {at(some)}, column {column}: ")
    assert float(told.split(" ")[-1].replace("−", "-")) == pytest.approx(exact, abs=5.1e-4)
    assert ends is None or told.endswith(": " + ends)
    again = LESSON.act(picked, Pick(key, (at(some), column)), CONTEXT)  # type: ignore[misc]
    assert (again.column, again.pair) == (-1, picked.pair)


def test_a_column_is_left_with_its_pair_or_its_scheme() -> None:
    picked = LESSON.legal(LESSON.act(state(d_model=16), Pick("table", (3, 5)), CONTEXT), CONTEXT)  # type: ignore[misc]
    assert (picked.pair, picked.column) == (2, 5)
    assert LESSON.edited(picked, CONTEXT, position=9).column == 5
    assert LESSON.edited(picked, CONTEXT, pair=0).column == -1
    assert LESSON.edited(picked, CONTEXT, d_model=4).column == -1
    assert LESSON.edited(picked, CONTEXT, scheme="learned").column == -1


@pytest.mark.parametrize("column", [0, 1, 63, 4094, 4095])
@pytest.mark.parametrize("position", [0, 4000, LAST])
def test_a_picked_column_fits_its_line(position: int, column: int) -> None:
    some = state(d_model=4096, position=position, pair=column // 2, column=column)
    assert max(map(len, written(shown(some)))) <= 72


def test_a_hand_can_be_dragged() -> None:
    some = state(position=6, offset=3)
    _, centres = dial_places(2)

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
    assert {"span", "drawn"} <= set(LESSON.shown_controls(state(show="waves"))[:6])
    assert "base" not in LESSON.shown_controls(state(scheme="learned"))
    assert "length" in LESSON.shown_controls(state(scheme="fraction"))


@pytest.mark.parametrize("values", [{"d_model": 12}, {"window": 32}, {"scheme": "learned"}])
def test_numbers_are_offered_only_where_cells_have_room(values: dict[str, Any]) -> None:
    some = state(**values)
    assert "numbers" not in LESSON.shown_controls(some)
    assert matrix(shown(some)).decimals is None
    assert matrix(shown(state())).decimals == 3
    assert matrix(shown(state(numbers=False))).decimals is None


@pytest.mark.parametrize("name", [entry.id for entry in LESSON.presets])
def test_a_slider_has_room_for_its_value(name: str) -> None:
    for low, high in LESSON.slider_ends(preset(name)).values():
        assert low < high
