"""RoPE: the lesson's numbers, and that a person who multiplies what is shown gets what is shown."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings

from core.encodings import rotary
from core.lessons.rope.lesson import LESSON
from core.lessons.rope.state import RopeState, follow, rotary_dims, settle, step
from core.stage.frame import Curve, Dials, Drag, Frame, Key, Label, Pick, Points, Readout
from core.stage.lesson import Context
from core.stage.motion import panel_of
from core.stage.numbers import number
from tests.core.strategies import legal_states

CONTEXT = Context()
QUICK = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def at(**values: object) -> RopeState:
    return LESSON.from_mapping(values, CONTEXT)


def drawn(**values: object) -> Frame:
    return LESSON.frame(at(**values), CONTEXT)


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readouts(frame: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in frame.panels for readout in panel.readouts}


def mark(frame: Frame, key: str) -> object:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def hands(frame: Frame, key: str = "dial") -> dict[str, np.ndarray]:
    dials = mark(frame, key)
    assert isinstance(dials, Dials)
    return {hand.key: hand.angles for hand in dials.hands}


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


# --- the lesson's own numbers ----------------------------------------------------------------------------------------


def test_the_lessons_example() -> None:
    frame = drawn()
    assert lines(frame)[:3] == [
        "rotate q by 3:  (cos 3, sin 3) = (−0.990,  0.141)",
        "rotate k by 1:  (cos 1, sin 1) = ( 0.540,  0.841)",
        "q·k = (−0.990)(0.540) + (0.141)(0.841) = −0.5346 + 0.1186 = −0.416",
    ]
    shown = readouts(frame)
    assert shown["score"].value == "−0.416"
    assert shown["gap"].value == "gap m − n = 2"
    assert shown["gap"].detail == "cos(2 × 1) = −0.416"
    assert mark(frame, "angle").text == "2 rad"  # type: ignore[attr-defined]


@pytest.mark.parametrize("preset", ["near", "far", "farthest"])
def test_the_gap_alone_sets_the_score(preset: str) -> None:
    frame = LESSON.frame(LESSON.from_mapping(LESSON.preset(preset).values, CONTEXT), CONTEXT)
    assert readouts(frame)["score"].value == "−0.416"
    assert lines(frame)[2].endswith(" −0.416")


def test_the_first_presets_are_the_lessons() -> None:
    assert [dict(preset.values) for preset in LESSON.presets[:2]] == [
        {"query_position": 3, "key_position": 1},
        {"query_position": 503, "key_position": 501},
    ]


def test_the_wavelength_is_written() -> None:
    assert "one full turn takes 2π / 1 = 6.283 tokens" in lines(drawn())
    assert "θ of pair 3 = 10,000^(−2 × 3 / 16) = 0.03162 rad per token" in lines(drawn(pair=3))


# --- arithmetic that a person can follow -----------------------------------------------------------------------------

PRODUCT = re.compile(r"(?:q·k =|pair \d+:) \((.+?)\)\((.+?)\) \+ \((.+?)\)\((.+?)\) = (\S+) ([+−]) (\S+) ([=≈]) (\S+)")
ENTRY = re.compile(r"[qk] [xy]: \((.+?)\)\((.+?)\) ([+−]) \((.+?)\)\((.+?)\) = (\S+) ([+−]) (\S+) ([=≈]) (\S+)")


@QUICK
@given(legal_states(RopeState))
def test_products_of_the_shown_factors_give_the_shown_sums(state: RopeState) -> None:
    state = LESSON.legal(dataclasses.replace(state, page="dial"), CONTEXT)
    frame = LESSON.frame(state, CONTEXT)
    found = next(filter(None, map(PRODUCT.fullmatch, lines(frame))))
    a, b, c, d, first, sign, second, equal, score = found.groups()
    places = len(a.partition(".")[2]) + 1
    assert first == number(value(a) * value(b), places)
    assert value(second) * (-1 if sign == "−" else 1) == pytest.approx(value(number(value(c) * value(d), places)))
    total = value(first) + (-1 if sign == "−" else 1) * value(second)
    if state.curve == "pair":
        assert score == readouts(frame)["score"].value
    assert (equal == "=") == (number(total, len(score.partition(".")[2])) == score)
    for written in lines(frame):
        found = ENTRY.fullmatch(written)
        if found is None:
            continue
        a, b, between, c, d, first, sign, second, equal, result = found.groups()
        assert first == number(value(a) * value(b), 4)
        part = value(c) * value(d) * (-1 if between == "−" else 1)
        assert value(second) * (-1 if sign == "−" else 1) == pytest.approx(value(number(part, 4)))
        assert (equal == "=") == (number(value(first) + (-1 if sign == "−" else 1) * value(second)) == result)


@QUICK
@given(legal_states(RopeState))
def test_the_score_is_that_of_the_whole_mathematics(state: RopeState) -> None:
    state = dataclasses.replace(LESSON.legal(state, CONTEXT), page="dial", travel=0.0, curve="pair")
    frame = LESSON.frame(state, CONTEXT)
    q, k = np.zeros(state.head_dim), np.zeros(state.head_dim)
    step_of_pair = 1 if state.pairing == "adjacent" else rotary_dims(state) // 2
    first = 2 * state.pair if state.pairing == "adjacent" else state.pair
    q[[first, first + step_of_pair]], k[[first, first + step_of_pair]] = state.query, state.key
    speeds = rotary.frequencies(state.head_dim, state.base, rotary_dims(state))
    places = [state.query_position], [state.key_position]
    want = rotary.scores(q, k, *places, speeds, state.pairing)[0, 0]
    assert value(readouts(frame)["score"].value) == pytest.approx(want, abs=6e-4)


COSINE = re.compile(r"(?:(\S+) × )?cos\((\S+) × (\S+?)(?: ([+−]) (\S+))?\) ([=≈]) (\S+)")


@pytest.mark.parametrize("seed", range(40))
def test_the_cosine_of_the_shown_angle_gives_the_shown_score_or_is_near(seed: int) -> None:
    rng = np.random.default_rng(seed)
    exact = 0
    for _ in range(20):
        m, n = rng.integers(0, 10 ** int(rng.integers(1, 7)), 2)
        small = rng.random() < 0.2
        q, k = (tuple(rng.uniform(-4, 4, 2).round(1)) for _ in range(2))
        values = {"query": q, "key": (4.0, 0.001) if small else k, "pair": int(rng.integers(0, 8))}
        frame = drawn(query_position=int(m), key_position=int(n), keep_gap=False, **values)
        found = COSINE.fullmatch(readouts(frame)["gap"].detail)
        if found is None:
            assert 0.0 in (math.hypot(*at(**values).query), math.hypot(*at(**values).key))
            continue
        reach, gap, theta, sign, offset, equal, score = found.groups()
        angle = value(gap) * value(theta) + (value(offset) * (-1 if sign == "−" else 1) if offset else 0.0)
        by_hand = (value(reach) if reach else 1.0) * math.cos(angle)
        assert (equal == "=") == (number(by_hand, len(score.partition(".")[2])) == score)
        assert by_hand == pytest.approx(value(score), abs=0.02)
        exact += equal == "="
        assert any(line.endswith(found[0]) for line in lines(frame)), "on the blackboard as beside the score"
    assert exact, "where it comes out, it says so"


@pytest.mark.parametrize("base", [100.0, 10_000.0, 1_000_000.0, 1e8])
@pytest.mark.parametrize("head_dim", [16, 64, 128])
def test_a_full_turn_is_as_long_as_on_the_other_pages(base: float, head_dim: int) -> None:
    for pair in (0, 3, head_dim // 4, head_dim // 2 - 1):
        (turn,) = (line for line in lines(drawn(base=base, head_dim=head_dim, pair=pair)) if "one full turn" in line)
        found = re.fullmatch(r"one full turn takes 2π / (\S+) ([=≈]) (\S+) tokens", turn)
        assert found is not None
        places = len(found[3].partition(".")[2])
        assert (found[2] == "=") == (number(2 * math.pi / value(found[1]), places) == number(value(found[3]), places))
        length = 2 * math.pi * base ** (2 * pair / head_dim)
        assert value(found[3]) == pytest.approx(length, rel=6e-4)
        if length >= 10_000:
            assert found[3] == number(length, 0)


def test_angles_multiply_out_where_theta_is_not_one() -> None:
    written = lines(drawn(query_position=503, key_position=501, pair=1))[0]
    found = re.match(r"(?:rotate q by|q:) φ = (\S+) × (\S+) = (\S+):", written)
    assert found is not None
    position, theta, angle = (value(part) for part in found.groups())
    assert number(position * theta, 4) == number(angle, 4)
    assert math.cos(angle) == pytest.approx(math.cos(503 * 10_000 ** (-2 / 16)), abs=1e-4)


def test_what_adds_up_has_as_many_decimals_as_that_takes() -> None:
    slow = drawn(pair=3)
    assert lines(slow)[2] == "q·k = (0.9955)(0.9995) + (0.0947)(0.0316) = 0.99500 + 0.00299 = 0.998"
    assert mark(slow, "angle").text == "0.0632 rad"  # type: ignore[attr-defined]
    llama = LESSON.frame(LESSON.from_mapping(LESSON.preset("llama3").values, CONTEXT), CONTEXT)
    assert readouts(llama)["score"].value == "0.9998", "not a perfect match"
    assert lines(llama)[2].endswith("= 0.9998")


@pytest.mark.parametrize("preset", [preset.id for preset in LESSON.presets if "page" not in preset.values])
def test_theta_is_written_in_one_way(preset: str) -> None:
    frame = LESSON.frame(LESSON.from_mapping(LESSON.preset(preset).values, CONTEXT), CONTEXT)
    theta = re.search(r"= (\S+) rad per token", "\n".join(lines(frame)))
    assert theta is not None
    if "θ" in (caption := panel_of(frame, "big").caption):
        assert f"θ = {theta[1]} rad" in caption
    if preset != "whole_head":
        assert f"× {theta[1]}" in readouts(frame)["gap"].detail


def test_the_whole_head_is_the_number_that_matters() -> None:
    frame = drawn(curve="head")
    assert readouts(frame)["score"].value == "6.368"
    assert lines(frame)[:3] == [
        "each of the 8 pairs adds cos(2 × θ), with its own θ:",
        "−0.416 + 0.807 + 0.980 + 0.998 + 1.000 + 1.000 + 1.000 + 1.000",
        "all 8 pairs: q·k ≈ 6.368",
    ]
    assert readouts(frame)["gap"].detail == "pair 0 alone: cos(2 × 1) = −0.416"
    assert readouts(drawn(curve="head", head_dim=2))["score"].label == "score q · k", "one pair is no sum"
    wide = LESSON.frame(LESSON.from_mapping(LESSON.preset("whole_head").values, CONTEXT), CONTEXT)
    assert lines(wide)[1].endswith(" + … and 59 more")
    assert lines(wide)[2].endswith(readouts(wide)["score"].value)
    assert lines(wide)[5].startswith("pair 0: (−0.990)(0.540)"), "the score of one pair is not called the head's"
    (result,) = (term for term in wide.worked.lines[5] if term.bold)
    assert result.lights == (("gap", ()),), "where the pair's own score stands"


def test_the_pairs_slider_ends_with_the_head() -> None:
    assert LESSON.slider_ends(at(head_dim=64))["pair"] == (0, 31)


# --- moving ----------------------------------------------------------------------------------------------------------


def test_hands_rest_on_whole_positions_and_sweep_between() -> None:
    assert mark(drawn(travel=0.55), "q_name").text == "q at m = 3"  # type: ignore[attr-defined]
    between = drawn(travel=0.8)
    assert mark(between, "q_name").text == "q at m = 3.500"  # type: ignore[attr-defined]
    assert lines(between)[0] == "rotate q by 3.500:  (cos 3.500, sin 3.500) = (−0.936, −0.351)"
    assert readouts(between)["score"].value == "−0.416"
    assert mark(drawn(travel=1.0), "q_name").text == "q at m = 4"  # type: ignore[attr-defined]
    assert mark(drawn(travel=-1.0), "k_name").text == "k at n = 0"  # type: ignore[attr-defined]


def test_the_wedge_stands_between_the_hands_while_they_turn() -> None:
    for travel in (0.0, 0.7, 12.9, 500.0, 80_000.8):
        turned = hands(drawn(travel=travel))
        assert float(turned["q_hand"][0] - turned["k_hand"][0]) == pytest.approx(2.0)


@pytest.mark.parametrize(
    "values", [{}, {"query_position": 12, "key_position": 9}, {"pair": 1}, {"page": "head"}], ids=str
)
def test_nothing_is_laid_out_anew_while_both_tokens_move(values: dict[str, object]) -> None:
    state = at(**values)
    seen = set()
    for seconds in np.arange(0.0, 1.0, 0.1):
        frame = LESSON.frame(step(state, float(seconds)), CONTEXT)
        big = panel_of(frame, "big")
        sizes = tuple(found.size for found in big.marks if isinstance(found, Label))
        score = tuple(readout.value for panel in frame.panels for readout in panel.readouts)
        seen.add((big.caption.count("\n"), sizes, score, tuple(panel.cell for panel in frame.panels)))
    assert len(seen) == 1


def test_the_angle_goes_round_with_the_hands() -> None:
    places = []
    for turn in np.linspace(0.0, 2 * np.pi, 91):
        vector = (float(np.cos(turn)), float(np.sin(turn)))
        label = mark(drawn(pair=3, query=vector, key=vector), "angle")
        assert isinstance(label, Label)
        places.append((label.x, label.y))
    assert np.hypot(*np.diff(places, axis=0).T).max() < 0.08, "never from one side of the hands to the other"


def test_one_beat_is_one_token_and_the_last_position_ends_it() -> None:
    state = at()
    assert LESSON.beat == 1.0
    assert settle(step(state, 1.0)).query_position == 4
    assert settle(step(state, 7.0)).key_position == 8
    end = step(state, 1e9)
    assert settle(end).query_position == 1_000_000
    assert step(end, 1.0) == end
    assert settle(step(end, -1e9)).key_position == 0


@QUICK
@given(legal_states(RopeState))
def test_settling_changes_no_number_on_the_stage(state: RopeState) -> None:
    state = LESSON.legal(dataclasses.replace(state, page="dial"), CONTEXT)
    settled = settle(state)
    assert 0.0 <= settled.travel < 1.0
    assert settle(settled) == settled
    before, after = LESSON.frame(state, CONTEXT), LESSON.frame(settled, CONTEXT)
    assert readouts(before)["score"].value == readouts(after)["score"].value
    assert mark(before, "q_name").text == mark(after, "q_name").text  # type: ignore[attr-defined]


def test_with_the_gap_kept_the_other_token_goes_along() -> None:
    state = at()
    assert LESSON.edited(state, CONTEXT, query_position=503).key_position == 501
    assert LESSON.edited(state, CONTEXT, key_position=501).query_position == 503
    assert LESSON.edited(state, CONTEXT, query_position=0).key_position == 0, "the gap is kept at the start"
    back = LESSON.edited(at(query_position=3, key_position=5), CONTEXT, query_position=1_000_000)
    assert (back.query_position, back.key_position) == (999_998, 1_000_000), "and at the end"
    alone = LESSON.edited(dataclasses.replace(state, keep_gap=False), CONTEXT, query_position=9)
    assert (alone.query_position, alone.key_position) == (9, 1)
    both = LESSON.edited(state, CONTEXT, query_position=9, key_position=4)
    assert (both.query_position, both.key_position) == (9, 4)
    other = LESSON.edited(step(state, 4.7), CONTEXT, base=500_000.0)
    assert (other.query_position, other.travel) == (7, pytest.approx(0.7))
    moved = LESSON.edited(step(state, 4.7), CONTEXT, query_position=20)
    assert (moved.query_position, moved.key_position, moved.travel) == (20, 18, 0.0)
    assert follow(state, state) is state


# --- what a person does ----------------------------------------------------------------------------------------------


def test_dragging_a_tip_turns_the_vector_before_the_rotation() -> None:
    turned = LESSON.act(at(), Drag("q_hand", 0.0, 0.8), CONTEXT)  # type: ignore[misc]
    angle = hands(LESSON.frame(turned, CONTEXT))["q_hand"][0]
    assert math.cos(angle - math.pi / 2) == pytest.approx(1.0, abs=1e-5)
    assert (turned.query_position, turned.key_position) == (3, 1)
    state = at(key=(0.6, -0.8))
    for way in range(200):
        state = LESSON.act(state, Drag("k_hand", math.cos(way), math.sin(way)), CONTEXT)  # type: ignore[misc]
    assert math.hypot(*state.key) == pytest.approx(1.0, abs=1e-3), "dragging does not change the length"
    assert LESSON.act(state, Drag("k_hand", 0.0, 0.0), CONTEXT) == state  # type: ignore[misc]


def test_pairs_are_picked_on_the_stage() -> None:
    act = LESSON.act
    assert act is not None
    assert act(at(), Pick("pairs", (5,)), CONTEXT).pair == 5
    assert act(at(), Key("pairs", "end"), CONTEXT).pair == 7
    assert act(at(pair=3), Key("pairs", "left"), CONTEXT).pair == 2
    wide = at(head_dim=256, pair=101)
    frame = LESSON.frame(wide, CONTEXT)
    assert len(hands(frame, "pairs")["pairs_q"]) == 24
    assert act(wide, Pick("pairs", (23,)), CONTEXT).pair == 127
    picked = mark(frame, "pairs").picked  # type: ignore[attr-defined]
    assert act(wide, Pick("pairs", (picked,)), CONTEXT).pair == 101


def test_a_pair_outside_the_head_is_repaired() -> None:
    assert at(head_dim=4, pair=60).pair == 1
    assert at(head_dim=7).head_dim % 2 == 0


def test_pairing_names_the_two_dimensions() -> None:
    caption = panel_of(drawn(pair=2), "big").caption
    assert caption.startswith("dimensions 4 and 5")
    assert panel_of(drawn(pair=2, pairing="halves"), "big").caption.startswith("dimensions 2 and 10")


# --- pictures --------------------------------------------------------------------------------------------------------


@QUICK
@given(legal_states(RopeState))
def test_the_marker_stands_on_the_curve_and_in_the_panel(state: RopeState) -> None:
    frame = LESSON.frame(LESSON.legal(dataclasses.replace(state, page="dial"), CONTEXT), CONTEXT)
    panel = panel_of(frame, "curve_panel")
    curve, here, name = (mark(frame, key) for key in ("scores", "here", "here_name"))
    assert isinstance(curve, Curve)
    assert isinstance(here, Points)
    assert isinstance(name, Label)
    assert panel.x.low <= here.x[0] <= panel.x.high
    assert panel.y.low < min(curve.y.min(), here.y[0])
    assert max(curve.y.max(), here.y[0]) < panel.y.high
    assert len(curve.x) <= 1000


def test_the_whole_head_sums_its_pairs() -> None:
    frame = drawn(curve="head")
    want = sum(math.cos(2 * 10_000 ** (-2 * pair / 16)) for pair in range(8))
    assert mark(frame, "here").y[0] == pytest.approx(want)  # type: ignore[attr-defined]
    assert number(want) in mark(frame, "here_name").text  # type: ignore[attr-defined]


def test_the_same_curve_is_the_same_array() -> None:
    first, second = (mark(drawn(travel=travel), "scores") for travel in (0.0, 0.8))
    assert first.y is second.y  # type: ignore[attr-defined]


def test_a_vector_of_length_zero_has_no_angle() -> None:
    frame = drawn(query=(0.0, 0.0))
    assert readouts(frame)["score"].value == "0.000"
    assert "no angle" in readouts(frame)["gap"].detail
    assert mark(frame, "dial").wedge is None  # type: ignore[attr-defined]


def test_full_turns_are_told() -> None:
    caption = panel_of(drawn(query_position=12, key_position=0), "big").caption
    assert caption == "12 rad is 1 full turn and 5.717 rad"
    assert "159,154 full turns" in panel_of(drawn(query_position=999_999, key_position=1), "big").caption
