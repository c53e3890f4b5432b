"""ALiBi: slopes by the published rule, biases that are what they say, weights that a person can follow."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import alibi as mathematics
from core.lessons.alibi import weights
from core.lessons.alibi.lesson import LESSON
from core.lessons.alibi.panels import BiasSource
from core.lessons.alibi.state import AlibiState, settle, step
from core.stage.frame import Bars, Curve, Drag, Frame, Key, Matrix, Outline, Pick, Readout, Scroll, is_finite
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.numbers import number
from tests.core.strategies import legal_states

CONTEXT = Context()
QUICK = settings(max_examples=40, deadline=None, derandomize=True, database=None)


def at(**values: object) -> AlibiState:
    return LESSON.from_mapping(values, CONTEXT)


def drawn(**values: object) -> Frame:
    return LESSON.frame(at(**values), CONTEXT)


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readouts(frame: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in frame.panels for readout in panel.readouts}


def mark(frame: Frame, key: str) -> object:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def matrix(frame: Frame, key: str = "bias") -> tuple[Matrix, np.ndarray]:
    found = mark(frame, key)
    assert isinstance(found, Matrix)
    return found, found.source.block(slice(*found.rows), slice(*found.columns))


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


# --- slopes ----------------------------------------------------------------------------------------------------------


def rule(n_heads: int) -> list[float]:
    """Press et al.'s rule, written out."""
    lower = 2 ** int(math.log2(n_heads))
    first = [2 ** (-8 * k / lower) for k in range(1, lower + 1)]
    return first + [2 ** (-8 * k / (2 * lower)) for k in range(1, 2 * (n_heads - lower), 2)]


@pytest.mark.parametrize("n_heads", [1, 3, 8, 12, 112, 128])
def test_slopes_follow_the_rule(n_heads: int) -> None:
    bars = mark(drawn(n_heads=n_heads, heads="slopes"), "slopes")
    assert isinstance(bars, Bars)
    np.testing.assert_allclose(bars.height, np.log2(rule(n_heads)), atol=1e-12)
    head = re.escape(f"slope of head {n_heads}: ") + r"2\^\(−8 × (\d+) / (\d+)\) = (\S+)"
    found = next(re.fullmatch(head, line) for line in lines(drawn(n_heads=n_heads, head=n_heads)) if "2^(" in line)
    assert found is not None
    exponent, of, slope = found.groups()
    assert 2 ** (-8 * int(exponent) / int(of)) == pytest.approx(rule(n_heads)[-1])
    assert value(slope) == pytest.approx(rule(n_heads)[-1], rel=5e-4)


def test_eight_heads_go_from_a_half_to_a_256th() -> None:
    shown = [readouts(drawn(head=head))["slope"].value for head in range(1, 9)]
    assert shown == ["1/2", "1/4", "1/8", "1/16", "1/32", "1/64", "1/128", "1/256"]


def test_twelve_heads_are_two_series() -> None:
    frame = LESSON.frame(LESSON.from_mapping(LESSON.preset("twelve").values, CONTEXT), CONTEXT)
    heights = mark(frame, "slopes").height  # type: ignore[attr-defined]
    assert readouts(frame)["slope"].value == "0.7071"
    assert np.argmax(heights) == 8, "the list is not sorted"
    assert panel_of(frame, "heads_panel").note == "log scale · list for 8, then every other of the list for 16"


# --- bias ------------------------------------------------------------------------------------------------------------


def test_causal_bias_hides_later_keys() -> None:
    found, values = matrix(drawn(head=2))
    i, j = np.indices((8, 8))
    assert found.mask is not None
    np.testing.assert_array_equal(found.mask, j > i)
    np.testing.assert_allclose(values[j <= i], (-(i - j) / 4)[j <= i])
    assert is_finite(values)
    assert found.mask_text == "−∞"


def test_symmetric_bias_hides_nothing() -> None:
    found, values = matrix(drawn(head=3, symmetric=True))
    i, j = np.indices((8, 8))
    assert found.mask is None
    np.testing.assert_allclose(values, -np.abs(i - j) / 8)


def test_small_maps_are_the_same_window_of_every_head() -> None:
    frame = drawn(n_heads=12, head=9, n_tokens=40, query_position=30)
    big, values = matrix(frame)
    maps, all_values = matrix(frame, "heads")
    assert (maps.rows, maps.columns) == (big.rows, big.columns)
    assert maps.source.shape == (12, 40, 40)
    np.testing.assert_array_equal(all_values[8], np.exp(values), "what is left of a weight")
    assert maps.picked_tile == 8


def test_a_window_over_many_tokens_is_the_same_bias() -> None:
    source = BiasSource(tuple(rule(4)), 100_000, False, tiled=True)
    whole = BiasSource(tuple(rule(4)), 64, False, tiled=True)
    np.testing.assert_array_equal(
        source.block(slice(50_000, 50_064), slice(50_000, 50_064)), whole.block(slice(0, 64), slice(0, 64))
    )
    thinned = whole.block(slice(3, 60, 5), slice(0, 50, 7))
    np.testing.assert_array_equal(thinned, whole.block(slice(3, 60), slice(0, 50))[:, ::5, ::7])
    assert source.block(slice(5, 5), slice(0, 3)).shape == (4, 0, 3)
    assert source == BiasSource(tuple(rule(4)), 100_000, False, tiled=True), "equal sources are not drawn twice"


def test_the_window_shows_the_picked_query_and_numbers_that_fit() -> None:
    found, _ = matrix(drawn(n_tokens=100_000, query_position=99_999, key_position=99_995))
    assert found.rows == (99_992, 100_000)
    assert found.scrolls
    assert Outline(99_999, 99_995, 1, 1, "where") in found.outlines
    assert matrix(drawn())[0].decimals == 1
    assert matrix(drawn(head=2))[0].decimals == 2
    assert matrix(drawn(head=8))[0].decimals == 3


def test_rows_carry_the_sentences_tokens() -> None:
    context = Context(Shared(sentence="Cat photosynthesis"))
    frame = LESSON.frame(at(), context)
    labels = mark(frame, "bias").row_labels  # type: ignore[attr-defined]
    assert labels[0] == "0 Cat", "as typed"
    assert labels[1] == "1 photosynt…"
    assert labels[2] == "2"
    assert "rows 0 to 1" in panel_of(frame, "bias_panel").caption


# --- weights ---------------------------------------------------------------------------------------------------------


@QUICK
@given(legal_states(AlibiState))
def test_weights_sum_to_one(state: AlibiState) -> None:
    state = LESSON.legal(state, CONTEXT)
    slope = weights.slopes(state.n_heads)[state.head - 1]
    found = weights.row(state.content, state.query_position, state.n_tokens, state.symmetric, slope)
    assert len(found.weights) == (state.n_tokens if state.symmetric else state.query_position + 1)
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.plain.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found.weights, found.exponentials / found.total, rtol=1e-9, atol=1e-300)


def test_equal_scores_without_bias_are_equal_weights() -> None:
    without, with_bias = mark(drawn(), "without"), mark(drawn(), "with")
    np.testing.assert_allclose(without.height, 1 / 8)  # type: ignore[attr-defined]
    ratios = with_bias.height[:-1] / with_bias.height[1:]  # type: ignore[attr-defined]
    np.testing.assert_allclose(ratios, math.exp(-0.5))


def test_a_gentle_bias_is_still_seen_in_the_weight() -> None:
    gentlest = drawn(head=8)
    assert panel_of(gentlest, "weights_panel").title == "weight of key 4: 0.1252, without bias 0.1250"
    assert lines(gentlest)[2] == "weight: e^(0.000 − 0.01172) / sum = 0.9883 / 7.8917 = 0.1252"


def test_the_sliders_end_where_the_head_and_the_text_do() -> None:
    ends = LESSON.slider_ends(at(n_heads=12, n_tokens=20, query_position=9))
    assert ends == {"head": (1, 12), "query_position": (0, 19), "key_position": (0, 9)}
    assert LESSON.slider_ends(at(symmetric=True))["key_position"] == (0, 7)


def test_a_weight_halves_after_its_half_distance() -> None:
    assert readouts(drawn(head=8))["half"].value == "177.4 tokens"
    assert weights.half_distance(1 / 256) == pytest.approx(256 * math.log(2))
    found = weights.row("equal", 2000, 5000, False, math.log(2) / 50)
    assert found.weights[1950] == pytest.approx(found.weights[2000] / 2)


def test_seeded_scores_do_not_depend_on_the_length() -> None:
    np.testing.assert_array_equal(weights.content("seeded", 7, 8), weights.content("seeded", 7, 500)[:8])
    assert not np.array_equal(weights.content("seeded", 7, 8), weights.content("seeded", 6, 8))


def test_the_lessons_cell() -> None:
    assert lines(drawn())[:6] == [
        "score:  q·k / √64 = 0.00 / 8 = 0.000",
        "bias:   −m (i − j) = −0.5 × (7 − 4) = −1.500",
        "weight: e^(0.000 − 1.500) / sum = 0.223 / 2.495 = 0.089",
        "sum of e^(score + bias) over the keys 0 to 7:",
        "0.030 + 0.050 + 0.082 + 0.135 + 0.223 + 0.368 + 0.607 + 1.000",
        "= 2.495",
    ]


SCORE = re.compile(r"score:  q·k / √64 = (\S+) / 8 = (\S+)")
BIAS = re.compile(r"bias:   .* = −(\S+) × [(|](\S+) − (\S+)[)|] ([=≈]) (\S+)")
WEIGHT = re.compile(r"weight: e\^\((\S+) ([+−]) (\S+)\) / sum ([=≈]) (\S+) / (\S+) ([=≈]) (\S+)")


@QUICK
@given(legal_states(AlibiState))
def test_the_arithmetic_of_a_cell_works_out(state: AlibiState) -> None:
    state = LESSON.legal(dataclasses.replace(state, page="bias", travel=0.0), CONTEXT)
    frame = LESSON.frame(state, CONTEXT)
    written = lines(frame)
    raw, score = SCORE.fullmatch(written[0]).groups()  # type: ignore[union-attr]
    assert number(value(raw) / 8) == score
    slope, i, j, equal, bias = BIAS.fullmatch(written[1]).groups()  # type: ignore[union-attr]
    finer = len(bias.partition(".")[2])
    assert (equal == "=") == (number(-value(slope) * abs(value(i) - value(j)), finer) == bias)
    groups = WEIGHT.fullmatch(written[2]).groups()  # type: ignore[union-attr]
    first, sign, second, comes, power, total, equal, weight = groups
    assert first == score
    assert value(second) * (-1 if sign == "−" else 1) == pytest.approx(value(bias))
    by_hand = math.exp(value(score) + value(bias))
    assert by_hand == pytest.approx(value(power), rel=2e-3, abs=1e-3)
    assert (comes == "=") == (number(by_hand, len(power.partition(".")[2])) == power)
    places = len(weight.partition(".")[2])
    assert (equal == "=") == (number(value(power) / value(total), places) == weight)
    key, query = state.key_position, state.query_position
    row_bias = mathematics.bias(
        mathematics.slopes(state.n_heads, state.max_exponent)[state.head - 1 : state.head],
        1,
        key + 1,
        state.symmetric,
        query_start=query,
    )
    assert number(row_bias[0, 0, key], finer) == bias


def test_many_keys_are_a_curve() -> None:
    frame = drawn(n_tokens=100_000, query_position=99_999, key_position=99_990, head=8)
    curve = mark(frame, "with")
    assert isinstance(curve, Curve)
    assert len(curve.x) == 512
    assert curve.x[-1] == 99_999
    assert isinstance(mark(drawn(n_tokens=100_000, query_position=4, key_position=2), "with"), Curve)
    middle = mark(drawn(n_tokens=1000, query_position=500, key_position=500, symmetric=True), "with")
    assert (middle.x[0], middle.x[-1]) == (244, 755)  # type: ignore[attr-defined]


# --- moving ----------------------------------------------------------------------------------------------------------


def test_playing_goes_from_head_to_head_and_ends() -> None:
    state = at()
    assert settle(step(state, 1.0)).head == 2
    end = step(state, 1e9)
    assert settle(end).head == 8
    assert step(end, 1.0) == end
    assert settle(step(end, -1e9)).head == 1
    assert step(step(state, 0.4), 2.2).travel == pytest.approx(step(state, 2.6).travel)


def test_bars_rest_and_then_move_to_the_next_head() -> None:
    heights = [mark(drawn(travel=travel), "with").height[7] for travel in (0.0, 0.55, 0.8, 1.0)]  # type: ignore[attr-defined]
    assert heights[0] == heights[1]
    assert heights[1] > heights[2] > heights[3]
    assert heights[3] == mark(drawn(head=2), "with").height[7]  # type: ignore[attr-defined]


def test_choosing_a_head_ends_the_travel() -> None:
    state = step(at(), 3.7)
    assert LESSON.edited(state, CONTEXT, head=2) == at(head=2)
    assert LESSON.edited(state, CONTEXT, content="seeded").head == 4


# --- what a person does ----------------------------------------------------------------------------------------------


def act(state: AlibiState, event: object) -> AlibiState:
    assert LESSON.act is not None
    return LESSON.legal(LESSON.act(state, event, CONTEXT), CONTEXT)  # type: ignore[no-any-return, arg-type]


def test_cells_and_heads_are_picked_on_the_stage() -> None:
    state = act(at(), Pick("bias", (5, 2)))
    assert (state.query_position, state.key_position) == (5, 2)
    assert act(state, Pick("bias", (2, 5))) == state, "a hidden key"
    assert act(state, Pick("bias", (99, 0))) == state
    assert act(state, Pick("with", (4,))).key_position == 4
    assert act(state, Pick("heads", (6, 0, 0))).head == 7
    assert act(state, Pick("heads", (60,))) == state
    assert act(state, Key("slopes", "end")).head == 8
    assert act(state, Key("bias", "up")).query_position == 4
    corner = act(at(query_position=5, key_position=5), Key("bias", "up"))
    assert (corner.query_position, corner.key_position) == (4, 4), "along the edge of what is hidden"
    assert act(at(query_position=0, key_position=0), Key("bias", "up")) == at(query_position=0, key_position=0)
    assert act(state, Drag("bias", 0.0, 0.0)) == state


def test_a_window_is_scrolled_and_stays_where_it_was_picked() -> None:
    state = at(n_tokens=1000, query_position=500, key_position=499)
    assert matrix(LESSON.frame(state, CONTEXT))[0].rows == (493, 501)
    scrolled = act(state, Scroll("bias", -100, -200))
    found = matrix(LESSON.frame(scrolled, CONTEXT))[0]
    assert (found.rows, found.columns) == ((393, 401), (293, 301))
    picked = act(scrolled, Pick("bias", (395, 296)))
    assert matrix(LESSON.frame(picked, CONTEXT))[0].rows == (393, 401)
    assert matrix(LESSON.frame(act(scrolled, Scroll("bias", 10**7, 10**7)), CONTEXT))[0].columns == (992, 1000)
    back = LESSON.edited(scrolled, CONTEXT, query_position=700)
    assert matrix(LESSON.frame(back, CONTEXT))[0].rows == (693, 701)


@QUICK
@given(legal_states(AlibiState), st.booleans())
def test_repaired_states_hold_together(state: AlibiState, symmetric: bool) -> None:
    state = LESSON.legal(dataclasses.replace(state, symmetric=symmetric), CONTEXT)
    assert state.head <= state.n_heads
    assert state.query_position < state.n_tokens
    free = {"rows": state.masked == "none", "wrong": False}.get(state.page, symmetric)
    assert state.key_position <= (state.n_tokens - 1 if free else state.query_position)
    assert 1 <= settle(state).head <= state.n_heads
    assert LESSON.legal(state, CONTEXT) == state
