"""Longer context: published numbers through the lesson's own eyes, and arithmetic that a person can follow."""

from __future__ import annotations

import math
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings

from core.encodings import extension
from core.lessons.extension import configs, mapped, seen
from core.lessons.extension.lesson import LESSON
from core.lessons.extension.scene import TURN, Scene, scene_of
from core.lessons.extension.state import METHODS, ExtensionState, follow, settle, step, target_of
from core.stage.frame import Bars, Curve, Drag, Frame, Key, Matrix, Pick, Readout, Region, Scroll, Table
from core.stage.lesson import Context
from core.stage.numbers import number
from core.stage.text import has_text, text
from core.tables.models import model
from tests.core.strategies import legal_states

CONTEXT = Context()
QUICK = settings(max_examples=40, deadline=None, derandomize=True, database=None)
NUMBER = r"−?\d+(?:,\d{3})*(?:\.\d+)?"


def at(**values: object) -> ExtensionState:
    return LESSON.from_mapping(values, CONTEXT)


def preset(name: str) -> ExtensionState:
    return LESSON.from_mapping(LESSON.preset(name).values, CONTEXT)


def drawn(**values: object) -> Frame:
    return LESSON.frame(at(**values), CONTEXT)


def scene(**values: object) -> Scene:
    return scene_of(at(**values))


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readouts(frame: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in frame.panels for readout in panel.readouts}


def mark(frame: Frame, key: str) -> object:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


# --- the published numbers -------------------------------------------------------------------------------------------


def test_past_training_only_the_slow_pairs_are_new() -> None:
    frame = LESSON.frame(LESSON.initial(), CONTEXT)
    assert readouts(frame)["count"].value == "18 of 64"
    assert frame.title == "Past 4,096 tokens, 18 of 64 pairs reach angles never met in training"
    assert readouts(drawn(target=4096))["count"].value == "0 of 64"


def test_interpolation_turns_12_000_as_3_000() -> None:
    frame = LESSON.frame(preset("interpolation"), CONTEXT)
    assert readouts(frame)["count"].value == "0 of 64"
    assert "12,000 turns as 3,000" in frame.title
    assert "pair 63: 12,000 / 4 = 3,000, as there in training" in lines(frame)
    assert "position 1 acts as 1 / 4 = 0.25; training had whole ones only" in lines(frame)
    assert mark(frame, "known_at").text == "3,000"  # type: ignore[attr-defined]


@pytest.mark.parametrize("pair", [0, 12, 45, 63])
def test_interpolation_moves_every_pair_alike(pair: int) -> None:
    assert scene(method="linear", pair=pair).acts_as == pytest.approx(3000, rel=1e-12)


def test_yarn_zones_attention_factor_and_square() -> None:
    frame = LESSON.frame(preset("yarn"), CONTEXT)
    shown = readouts(frame)
    assert (shown["method"].value, shown["square"].value) == ("1.277", "1.631")
    assert frame.title == "YaRN keeps pairs 0–20 and divides pairs 46–63 by 16"
    zones = mark(frame, "zones")
    assert isinstance(zones, Table)
    assert [row[:2] for row in zones.rows[1:]] == [("kept", "0–20"), ("blended", "21–45"), ("divided", "46–63")]
    assert [row[2] for row in zones.rows[1:]] == ["to 112", "to 4,080", "from 4,712"]
    assert lines(frame)[:4] == [
        "factor: 0.1 × ln 16 + 1 = 0.1 × 2.773 + 1 = 1.277",
        "on q·k: 1.277² = 1.631",
        "keep to: 64 × ln(4,096 / (2π × 32)) / ln 10,000 = 20.94 → 20",
        "divide from: 64 × ln(4,096 / 2π) / ln 10,000 = 45.03 → 46",
    ]


def test_code_and_paper_blend_differently() -> None:
    frame = LESSON.frame(preset("yarn"), CONTEXT)
    who = mark(frame, "who")
    assert isinstance(who, Table)
    assert [row[1] for row in who.rows[1:]] == ["2.85×", "8.67×"]
    paper = scene(method="yarn", factor=16, target=65_536, ramp="turns", pair=38)
    want = extension.llama3(128, 10_000, 16, 4096, 1, 32).frequencies
    np.testing.assert_allclose(paper.after, want, rtol=1e-12)
    assert paper.attention == pytest.approx(1.2772588722239782)


def test_dynamic_ntk_multiplies_by_13() -> None:
    frame = LESSON.frame(preset("dynamic"), CONTEXT)
    assert readouts(frame)["method"].value == "13"
    assert lines(frame)[:3] == [
        "multiplier: 4 × 16,384 / 4,096 − (4 − 1) = 16 − 3 = 13",
        "new base: 10,000 × 13^(128 / 126) = 135,402",
        "the paper’s: 16,384 / 4,096 = 4, as here with factor 1",
    ]
    short = scene(method="dynamic", target=4096)
    np.testing.assert_array_equal(short.after, short.reference)


def test_a_larger_base_slows_the_last_pair_47_times_and_the_first_not_at_all() -> None:
    frame = LESSON.frame(preset("base"), CONTEXT)
    assert readouts(frame)["method"].value == "47×"
    assert readouts(frame)["first"].value == "1×"
    assert frame.title == "The larger base slows the last pair 47 times, the first not at all"
    found = scene(method="base")
    assert found.slowdown[0] == 1.0
    assert found.slowdown[-1] == pytest.approx(50 ** (126 / 128))
    np.testing.assert_array_equal(found.ratio, 1.0)  # nothing is mapped onto known angles


def test_ntk_aware_leaves_pairs_outside_that_a_larger_multiplier_takes_in() -> None:
    assert scene(method="ntk").n_new == 17
    assert "pair 52: 12,000 / 3.14006 = 3,821.58, as there in training" in lines(LESSON.frame(preset("ntk"), CONTEXT))
    assert scene(method="ntk").slowdown[[0, -1]] == pytest.approx([1.0, 4.0])
    assert scene(method="dynamic").n_new == 0


def test_llama3_1s_factor_covers_half_of_its_declared_length() -> None:
    state = preset("llama3_1")
    assert (state.base, state.trained, state.factor, state.method) == (500_000.0, 8192, 8.0, "llama3")
    assert scene_of(state).covered == pytest.approx(65_536)
    assert readouts(LESSON.frame(state, CONTEXT))["count"].value == "29 of 64"
    assert [first for _, first, _ in scene_of(state).runs()] == [0, 29, 35]


def test_gpt_oss_keeps_its_ends_as_fractions_and_deepseek_has_no_factor() -> None:
    written = lines(LESSON.frame(preset("gpt_oss"), CONTEXT))
    assert "keep to: 32 × ln(4,096 / (2π × 32)) / ln 150,000 = 8.09" in written
    assert "divide from: 32 × ln(4,096 / 2π) / ln 150,000 = 17.40" in written
    assert "on q·k: 1.3466² = 1.813" in written, "with the digits that the square needs"
    assert scene_of(preset("deepseek")).attention == 1.0
    assert scene_of(preset("deepseek")).pairs == 32
    assert scene_of(preset("phi")).attention == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)))


def test_deepseek_scales_its_softmax_instead() -> None:
    found = scene_of(preset("deepseek"))
    assert found.on_scores == pytest.approx((0.1 * math.log(40) + 1) ** 2)
    zones = LESSON.frame(LESSON.edited(preset("deepseek"), CONTEXT, page="zones"), CONTEXT)
    assert [readouts(zones)[key].value for key in ("method", "square")] == ["1.000", "1.874"]
    assert lines(zones)[:2] == [
        "factor: (0.1 × ln 40 + 1) / (0.1 × ln 40 + 1) = 1.000",
        "on q·k: (0.1 × ln 40 + 1)² = 1.369² = 1.874",
    ]
    scores = LESSON.frame(LESSON.edited(preset("deepseek"), CONTEXT, page="scores"), CONTEXT)
    assert "1.874" in scores.title
    assert scene_of(preset("gpt_oss")).on_scores == pytest.approx((0.1 * math.log(32) + 1) ** 2)


def test_searched_divisors_blend_nothing() -> None:
    zones = mark(LESSON.frame(preset("phi"), CONTEXT), "zones")
    assert isinstance(zones, Table)
    assert [row[0] for row in zones.rows[1:]] == ["under 32×", "32× and more"]
    found = scene_of(preset("phi"))
    assert [bool((found.slowdown[first : last + 1] >= 32).all()) for _, first, last in found.runs()] == [False, True]


def test_gemmas_numbers_are_those_of_its_global_layers() -> None:
    frame = LESSON.frame(preset("gemma"), CONTEXT)
    assert "global layers" in frame.subtitle
    assert "so in its global layers; the local ones: base 10,000, window 1,024" in lines(frame)


# --- what an entry doesn't tell --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["code_llama", "llama3", "qwen", "gemma"])
def test_unknown_stays_unknown(name: str) -> None:
    state = preset(name)
    assert scene_of(state).assumed
    frame = LESSON.frame(state, CONTEXT)
    assert "assumption" in frame.subtitle
    moved = LESSON.edited(state, CONTEXT, trained=2048)
    assert (moved.config, moved.trained) == (state.config, 2048), "what is not stated can be moved"
    table = mark(drawn(page="models", config=state.config), "models")
    assert isinstance(table, Table)
    assert table.rows[table.picked][2] == "unknown"
    advice = mark(drawn(page="advice", config=state.config), "checks")
    assert ("From what length?", "unknown") in advice.rows  # type: ignore[attr-defined]


def test_a_stated_number_that_is_moved_makes_the_numbers_ones_own() -> None:
    state = preset("vicuna")
    assert LESSON.edited(state, CONTEXT, target=32_768).config == "vicuna-7b-v1-5-16k"
    for name, other in (
        ("factor", 8.0),
        ("base", 500_000.0),
        ("trained", 2048),
        ("method", "ntk"),
        ("rotary_dims", 64),
    ):
        moved = LESSON.edited(state, CONTEXT, **{name: other})
        assert (moved.config, getattr(moved, name)) == ("own", other), name


def test_an_assumed_length_is_called_so_where_it_decides() -> None:
    for name in ("gemma", "code_llama"):
        frame = LESSON.frame(preset(name), CONTEXT)
        assert "16,384 tokens" in frame.title
        assert readouts(frame)["count"].detail == "assumed: trained on 16,384 tokens"
        assert "assumed" in drawn(**{**LESSON.preset(name).values, "page": "map"}).title
    assert "assumed" in LESSON.frame(preset("gemma"), CONTEXT).title


def test_without_a_chosen_model_none_is_shown() -> None:
    frame = drawn(page="models")
    written = [*lines(frame), *(panel.title for panel in frame.panels), frame.alt]
    assert not [found for found in written if "Llama" in found]
    assert "own numbers, target / trained: 16,384 / 4,096 = 4" in written
    chosen = drawn(page="models", config="llama-3-1-8b", **configs.assumed("llama-3-1-8b"))
    label = mark(chosen, "source_1").text  # type: ignore[attr-defined]
    page = int(re.findall(r"page (\d+)", label)[0])
    assert "·" in "".join(term.text for term in chosen.worked.page(page - 1)[0])
    assert max(len(entry) for entry in lines(chosen)) <= 72


def test_the_degrees_follow_from_the_radians() -> None:
    assert "trained: 8,192 × 0.000002455 = 0.0201 rad, 1.2°" in lines(LESSON.frame(preset("llama3_1"), CONTEXT))


def test_a_raised_base_divides_no_pair_by_a_set_factor() -> None:
    zones = mark(LESSON.frame(preset("dynamic"), CONTEXT), "zones")
    assert [row[0] for row in zones.rows[1:]] == ["kept", "slowed", "slowed 13×"]  # type: ignore[attr-defined]


def test_a_chosen_model_brings_its_numbers() -> None:
    state = LESSON.edited(at(), CONTEXT, config="llama-3-1-8b")
    assert (state.trained, state.target, state.base, state.method) == (8192, 131_072, 500_000.0, "llama3")
    assert configs.stated(model("gemma-3-27b")) is None
    assert configs.names()[0] == "own"
    for config in configs.names():
        assert has_text(f"extension.option.config.{config}")
        if config != "own":
            assert model(config).name.startswith(text(f"extension.option.config.{config}").split()[0])


@pytest.mark.parametrize("config", configs.names()[1:])
def test_every_models_frames(config: str) -> None:
    for page in ("angles", "models"):
        state = at(page=page, config=config, **configs.assumed(config))
        assert LESSON.frame(state, CONTEXT).alt
    assert "read in" in next(p.caption for p in drawn(config=config).panels if p.key == "big")


def test_longrope_has_divisors_for_48_pairs_only() -> None:
    state = at(method="longrope", rotary_dims=128)
    assert scene_of(state).pairs == 48
    assert "rotary_dims" not in LESSON.shown_controls(state)
    assert LESSON.edited(state, CONTEXT, method="none").rotary_dims == 128


# --- the pictures ----------------------------------------------------------------------------------------------------


def test_bars_shrink_out_of_the_red() -> None:
    before, after = drawn(), drawn(method="linear")
    for frame, n in ((before, 18), (after, 0)):
        region, bars = mark(frame, "new"), mark(frame, "seen")
        assert isinstance(region, Region)
        assert isinstance(bars, Bars)
        assert region.role == "warn"
        assert region.hatched
        assert int((region.high > region.low).sum()) == 2 * n
        assert bars.height.max() <= 1.0
    assert mark(before, "new").x.shape == mark(after, "new").x.shape  # type: ignore[attr-defined]


@QUICK
@given(legal_states(ExtensionState))
def test_new_is_what_lies_outside_the_range_of_training(state: ExtensionState) -> None:
    found = scene_of(LESSON.legal(state, CONTEXT))
    arc, reached = found.trained * found.before, found.target * found.after
    want = (arc < TURN) & (reached > arc * (1 + 1e-9))
    np.testing.assert_array_equal(found.new, want)
    if not found.n_new and not found.round.all():
        assert found.covered >= found.target * (1 - 1e-8)


def test_neighbours_lose_contrast_by_interpolation_and_keep_it_by_yarn() -> None:
    shown = readouts(LESSON.frame(preset("cost"), CONTEXT))
    assert (shown["gap"].value, shown["gauge"].value) == ("0.25", "6.5 %")
    assert readouts(LESSON.frame(preset("yarn_near"), CONTEXT))["gauge"].value == "99.9 %"
    gemma = LESSON.frame(LESSON.edited(preset("gemma"), CONTEXT, page="neighbours"), CONTEXT)
    assert lines(gemma)[1] == "with the method: 0.00007110° / 8 = 0.00000889°", "no angle is written as 0"
    assert "less than 0.006° each" in gemma.panels[0].caption
    assert "Numbers read in" in gemma.panels[0].caption
    assert lines(LESSON.frame(preset("cost"), CONTEXT))[2].endswith("0.00195 / 0.02979 = 6.5 %"), "it stands below"
    assert lines(LESSON.frame(preset("cost"), CONTEXT))[1] == "with the method: 57.3° / 4 = 14.3°"
    points = mark(LESSON.frame(preset("cost"), CONTEXT), "fractions")
    assert points.x.tolist() == [0.25, 0.5, 0.75, 1.25, 1.5, 1.75]  # type: ignore[attr-defined]


def test_interpolation_stretches_the_score_curve() -> None:
    frame = drawn(page="scores", method="linear", span=256, gap=40)
    before, after = mark(frame, "score_before"), mark(frame, "score_after")
    assert isinstance(before, Curve)
    assert isinstance(after, Curve)
    np.testing.assert_allclose(after.y[::4], before.y[: len(after.y[::4])], atol=1e-12)
    assert readouts(frame)["score"].value == number(float(before.y[10]))
    top = mark(drawn(page="scores", method="yarn", factor=16.0, target=65_536), "score_after")
    assert top.y[0] == pytest.approx(1.6314, abs=1e-4)  # type: ignore[attr-defined]


# --- the map ---------------------------------------------------------------------------------------------------------


def test_the_map_is_a_pure_window() -> None:
    source = seen.ActsAs((1.0, 0.25), 2**20)
    assert source.shape == (2, 2**20)
    assert source.block(slice(1, 2), slice(12_000, 12_003)).tolist() == [[3000.0, 3000.25, 3000.5]]
    whole = source.block(slice(0, 2), slice(0, 2**20, 4096))
    assert whole.shape == (2, 256)
    np.testing.assert_array_equal(source.block(slice(0, 2), slice(4096, 8192, 4096)), whole[:, 1:2])


def test_seen_fraction_never() -> None:
    shares = {name: readouts(drawn(page="map", method=name)) for name in ("none", "linear")}
    assert [shares["linear"][key].value for key in ("never", "fraction", "seen")] == ["0 %", "75 %", "25 %"]
    assert shares["none"]["fraction"].value == "0 %"
    assert value(shares["none"]["never"].value[:-2]) > 10
    looks = {method: mark(drawn(page="map", method=method), "map").fills for method in ("none", "linear")}  # type: ignore[attr-defined]
    cells = {role: sum(f.rows * f.columns for f in looks["linear"] if f.role == role) for role in ("what", "control")}
    assert cells["what"] / (64 * seen.BINS) == 0.25, "the picture has as much of each as the numbers say"
    assert cells["control"] / (64 * seen.BINS) == 0.75
    assert {fill.role for fill in looks["none"]} == {"what"}
    left = sum(f.rows * f.columns for f in looks["none"])
    assert left / (64 * seen.BINS) == pytest.approx(1 - value(shares["none"]["never"].value[:-2]) / 100, abs=0.005)
    never = mark(drawn(page="map", method="none"), "map_never")
    assert isinstance(never, Curve)
    assert never.role == "warn"
    assert never.x.min() >= 4096 - 16_384 / seen.BINS
    assert not [m for _, m in drawn(page="map", method="linear").marks() if m.key == "map_never"]
    kinds = np.full((64, seen.BINS), mapped.SEEN)
    kinds[::8, ::32] = mapped.NEVER
    _, (x, y) = mapped.looks(kinds.tobytes(), kinds.shape, np.ones(64).tobytes())
    assert len(x) == 2 * (kinds == mapped.NEVER).sum(), "a single cell is hatched too"
    assert np.abs(np.diff(y.reshape(-1, 2))).min() > 0.2, "not only at a corner"
    assert lines(LESSON.frame(preset("map_fraction"), CONTEXT))[:2] == [
        "pair 63 acts as: 12,001 / 4 = 3,000.25",
        "a fraction: inside the range, between two trained positions",
    ]


@QUICK
@given(legal_states(ExtensionState))
def test_the_close_look_says_what_is_true(state: ExtensionState) -> None:
    state = LESSON.edited(LESSON.legal(state, CONTEXT), CONTEXT, page="map")
    found = scene_of(state)
    close = mark(LESSON.frame(state, CONTEXT), "close")
    assert isinstance(close, Matrix)
    assert close.rows[0] <= found.pair < close.rows[1]
    assert close.columns[0] <= found.position < close.columns[1]
    acts = close.source.block(slice(*close.rows), slice(*close.columns))
    filled = {(fill.row, fill.column) for fill in close.fills if fill.role == "warn"}
    for (r, c), position in np.ndenumerate(acts):
        pair = close.rows[0] + r
        arc = found.trained * found.before[pair]
        outside = arc < TURN and position >= found.trained and (position * found.before[pair]) % TURN >= arc
        assert ((pair, close.columns[0] + c) in filled) == outside or abs(
            (position * found.before[pair]) % TURN - arc
        ) < 1e-6 * arc


def test_a_million_positions_cost_what_is_shown() -> None:
    state = at(page="map", method="yarn", rotary_dims=256, factor=64.0, target=1_000_000, position=999_999)
    LESSON.frame(state, CONTEXT)
    fastest = min(_seconds(state, target) for target in range(900_001, 900_008))
    assert fastest < 0.03


def _seconds(state: ExtensionState, target: int) -> float:
    other = LESSON.edited(state, CONTEXT, target=target)
    start = time.perf_counter()
    LESSON.frame(other, CONTEXT)
    return time.perf_counter() - start


# --- playing ---------------------------------------------------------------------------------------------------------


def test_a_step_is_a_doubling_and_the_longest_text_ends_it() -> None:
    state = at()
    assert LESSON.beat == 1.0
    assert target_of(step(state, 1.0)) == 32_768
    assert target_of(step(state, 0.5)) == 23_170
    assert settle(step(state, 2.0)).target == 65_536
    assert settle(step(state, 0.5)).target == 23_170, "controls show the length that the picture shows"
    end = step(state, 1e9)
    assert target_of(end) == 2**20
    assert step(end, 1.0) == end
    assert target_of(step(end, -1e9)) == 4096, "back to the trained length"
    still = at(page="models")
    assert step(still, 1.0) == still


def test_bars_cross_into_the_red_while_the_text_grows() -> None:
    start = at(target=4096)
    grown = [scene_of(step(start, seconds)) for seconds in (0.0, 0.25, 0.5, 1.0)]
    assert [found.n_new for found in grown] == [0, 18, 18, 18]
    reached = [float(found.turns_reached[-1]) for found in grown]
    assert reached == sorted(reached)
    held = at(method="linear", target=8192)
    assert [scene_of(step(held, seconds)).n_new for seconds in (0.0, 1.0, 1.1)] == [0, 0, 18]


def test_while_the_text_grows_what_does_not_change_stands_still() -> None:
    dynamic = preset("dynamic")
    frames = [LESSON.frame(step(dynamic, seconds), CONTEXT) for seconds in (0.0, 0.3, 1.0, 1.9)]
    assert len({frame.panels[0].y for frame in frames}) == 1
    assert len({tuple(mark(frame, "by_base").y) for frame in frames}) == 1  # type: ignore[attr-defined]
    past = [lines(LESSON.frame(step(at(), seconds), CONTEXT)) for seconds in (0.1, 0.3, 0.5, 0.9, 1.0)]
    assert len({written[0] for written in past}) == 1, "θ keeps its digits"


def test_the_factor_can_follow_the_text() -> None:
    state = LESSON.edited(at(method="linear"), CONTEXT, fit=True, target=65_536)
    assert state.factor == 16.0
    assert scene_of(step(state, 1.0)).factor == 32.0
    assert settle(step(state, 1.0)).factor == 32.0
    assert LESSON.edited(state, CONTEXT, factor=4.0).fit is False


@QUICK
@given(legal_states(ExtensionState))
def test_settling_changes_no_number(state: ExtensionState) -> None:
    state = LESSON.legal(state, CONTEXT)
    settled = settle(state)
    assert settle(settled) == settled
    assert LESSON.legal(settled, CONTEXT).travel == pytest.approx(settled.travel, abs=1e-9)
    assert target_of(settled) == target_of(state)


# --- what a person does ----------------------------------------------------------------------------------------------


def test_pairs_positions_and_models_are_picked_on_the_stage() -> None:
    act = LESSON.act
    assert act is not None
    assert act(at(), Pick("seen", (7,)), CONTEXT).pair == 7
    assert act(at(), Key("seen", "left"), CONTEXT).pair == 62
    assert act(at(page="zones"), Key("slow", "home"), CONTEXT).pair == 0
    picked = act(at(page="map"), Pick("close", (61, 5000)), CONTEXT)
    assert (picked.pair, picked.position) == (61, 5000)
    assert act(at(page="map"), Scroll("close", -3, 8), CONTEXT).position == 12_008
    chosen = act(at(page="models"), Pick("models", (6,)), CONTEXT)
    assert (chosen.config, chosen.trained, chosen.target) == ("llama-3-1-8b", 8192, 131_072)
    assert act(chosen, Key("models", "down"), CONTEXT).config == "deepseek-v3-671b"
    assert act(at(page="advice"), Drag("depth", 1e9, 0.0), CONTEXT).position == 16_383
    assert follow(at(), at()) == at()


# --- arithmetic that a person can follow -----------------------------------------------------------------------------

PRODUCT = re.compile(rf"(?:trained|reached): ({NUMBER}) × ({NUMBER})(?: / ({NUMBER}))? ([=≈]) ({NUMBER}) rad.*")
QUOTIENT = re.compile(rf".*?({NUMBER}) / ({NUMBER}) ([=≈]) ({NUMBER}).*")


@QUICK
@given(legal_states(ExtensionState))
def test_printed_numbers_give_the_printed_results(state: ExtensionState) -> None:
    state = LESSON.legal(state, CONTEXT)
    for page in ("angles", "neighbours", "map"):
        for written in lines(LESSON.frame(LESSON.edited(state, CONTEXT, page=page), CONTEXT)):
            found = PRODUCT.fullmatch(written)
            if found is not None:
                length, theta, slow, sign, result = found.groups()
                decimals = len(result.partition(".")[2])
                hand = value(length) * value(theta) / (value(slow) if slow else 1)
                assert (sign == "=") == (number(hand, decimals) == result), written


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_rule_and_its_name_spelled_out(method: str) -> None:
    for page in ("angles", "zones", "neighbours", "scores", "map", "advice"):
        frame = drawn(page=page, method=method)
        assert frame.worked.lines
        assert frame.title
    assert has_text(f"extension.subtitle.{method}")


def test_quotients_are_marked_where_they_are_rounded() -> None:
    for name in ("vicuna", "llama3_1", "gpt_oss", "cost", "advice"):
        for written in lines(LESSON.frame(preset(name), CONTEXT)):
            found = QUOTIENT.fullmatch(written)
            if found is None or "ln" in written or "^" in written or "×" in written or "−" in written or "%" in written:
                continue
            top, bottom, _, result = found.groups()
            decimals = len(result.partition(".")[2])
            assert number(value(top) / value(bottom), decimals) == result, written


def test_the_estimate_of_a_test() -> None:
    frame = LESSON.frame(preset("advice"), CONTEXT)
    assert lines(frame)[:3] == [
        "back: 131,071 − 12,000 = 119,071, / 8,192 ≈ 14.54",
        "read: 10 × 50 × 131,072 = 65,536,000 tokens",
        "rule of three: 0 of 50 missed, rate below 3 / 50 = 6.0 %",
    ]
    assert 1 - 0.05 ** (1 / 50) < 3 / 50 < 1 - 0.05 ** (1 / 50) + 0.002


# --- what is said agrees with what is calculated ---------------------------------------------------------------------


def _random(rng: np.random.Generator, **values: object) -> ExtensionState:
    state: dict[str, object] = {
        "target": int(128 * 2 ** rng.uniform(0, 12)),
        "trained": int(128 * 2 ** rng.uniform(0, 12)),
        "factor": float(rng.choice([1.0, 2.0, 4.0, 16.0, 256.0])),
        "rotary_dims": 2 * int(rng.integers(4, 129)),
        "base": float(rng.choice([100.0, 10_000.0, 1e6, 1e8])),
        "new_base": float(rng.choice([100.0, 10_000.0, 10_001.0, 1e6, 1e8])),
        "ramp": str(rng.choice(["pairs", "turns"])),
        "method": str(rng.choice(METHODS)),
    }
    state["pair"] = int(rng.integers(0, int(str(state["rotary_dims"])) // 2))
    return at(**{**state, **values})


@pytest.mark.parametrize("seed", range(8))
def test_a_title_says_only_what_the_zones_hold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        state = _random(rng, page="zones")
        found, title = scene_of(state), LESSON.frame(state, CONTEXT).title
        zones = [zone for zone, _, _ in found.runs()]
        if found.method in ("yarn", "llama3"):
            if "divides" in title:
                assert "divide" in zones, title
            if "leaves fast pairs alone" in title or "keeps" in title:
                assert "keep" in zones, title
            if "no pair by the whole" in title:
                assert float(found.slowdown.max()) < found.factor * (1 + 1e-9)
        if found.method not in ("none", "dynamic", "base"):
            assert ("slows no pair" in title) == bool((found.slowdown <= 1 + 1e-9).all()), title
        for count in re.findall(rf"({NUMBER}) times", title):
            assert value(count) > 1, title


@pytest.mark.parametrize("trained", [128, 4096, 131_072])
@pytest.mark.parametrize("method", ["yarn", "llama3"])
def test_where_no_pair_is_divided_no_title_says_so(method: str, trained: int) -> None:
    values = {"page": "zones", "method": method, "trained": trained, "target": 4 * trained, "factor": 4.0}
    for dims, base in ((128, 10_000.0), (8, 100.0), (64, 1e6)):
        found = scene(**values, rotary_dims=dims, base=base)
        title = drawn(**values, rotary_dims=dims, base=base).title
        divided = "divide" in [zone for zone, _, _ in found.runs()]
        assert ("divides" in title) <= divided, title


def test_a_larger_base_is_larger() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        for page in ("angles", "zones", "neighbours", "scores"):
            state = _random(rng, page=page, method="base")
            assert state.new_base >= state.base
            frame, found = LESSON.frame(state, CONTEXT), scene_of(state)
            if not found.slows:
                assert "arger base" not in frame.title
            if page != "angles":  # that one first says whether the text is longer at all
                assert ("same base" in frame.title) == (not found.slows)
            assert "0×" not in [readout.value for readout in readouts(frame).values()]
    kept = at(method="none", base=1e8, new_base=100.0)
    assert kept.new_base == 100.0, "a number that no method uses stays"


@pytest.mark.parametrize("seed", range(6))
def test_an_angle_is_written_with_digits_that_tell_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(30):
        state = _random(rng)
        found, written = scene_of(state), lines(LESSON.frame(state, CONTEXT))
        met, reached = (
            re.search(rf"^{name}: .* [=≈] ({NUMBER}) rad", "\n".join(written), re.MULTILINE)
            for name in ("trained", "reached")
        )
        assert met is not None
        assert reached is not None
        assert value(met[1]) == pytest.approx(found.trained * found.before[found.pair], rel=0.05)
        assert value(reached[1]) == pytest.approx(found.target * found.after[found.pair], rel=0.05)
        degrees = re.search(rf"rad, ({NUMBER})°", "\n".join(written))
        if degrees is not None:
            assert value(degrees[1]) == pytest.approx(360 * found.turns_trained[found.pair], rel=0.06)
        assert max(map(len, written)) <= 72


@pytest.mark.parametrize("method", ["linear", "ntk", "yarn", "llama3"])
@pytest.mark.parametrize("page", ["angles", "zones", "neighbours", "scores"])
def test_factor_1_changes_nothing_and_says_nothing_else(method: str, page: str) -> None:
    frame = drawn(page=page, method=method, factor=1.0)
    written = " ".join([frame.title, *lines(frame), *(readout.detail for readout in readouts(frame).values())])
    for wrong in ("1 times", "divides pairs", "fractions are new", "stretches"):
        assert wrong not in written.replace("slowed 1× ", ""), wrong


@pytest.mark.parametrize(("trained", "target"), [(4096, 1024), (1024, 4096), (4096, 4096), (131_072, 128)])
def test_no_more_tokens_are_inside_than_the_text_has(trained: int, target: int) -> None:
    alt = drawn(page="advice", trained=trained, target=target).alt
    found = re.match(r"A text of (\S+) tokens, (\S+) of them", alt)
    assert found is not None
    assert value(found[2]) == min(trained, target)


def test_the_way_back_on_the_strip_is_the_number_beside_it() -> None:
    for position in (0, 12_000, 131_071):
        frame = drawn(**{**LESSON.preset("advice").values, "position": position})
        far = value(readouts(frame)["back"].value)
        ways = [found for _, found in frame.marks() if found.key == "way"]
        assert len(ways) == (far > 0)
        for way in ways:
            assert way.x0[0] - 1 - way.x1[0] == far  # type: ignore[union-attr]


def test_the_close_looks_colours_are_the_maps() -> None:
    close = mark(LESSON.frame(preset("map_fraction"), CONTEXT), "close")
    assert isinstance(close, Matrix)
    acts = close.source.block(slice(*close.rows), slice(*close.columns))
    whole = {(close.rows[0] + r, close.columns[0] + c) for r, c in np.argwhere(acts == np.round(acts)).tolist()}
    assert {(fill.row, fill.column) for fill in close.fills if fill.role == "what"} == whole
    assert whole


@pytest.mark.parametrize("below", [2, 4, 5, 16, 17, 26, 300])
def test_stripes_are_as_many_as_whole_positions(below: int) -> None:
    kinds = np.full((1, seen.BINS), mapped.FRACTION)
    fills, _ = mapped.looks(kinds.tobytes(), kinds.shape, np.array([1 / below]).tobytes())
    share = sum(fill.rows * fill.columns for fill in fills if fill.role == "what") / seen.BINS
    assert share == (pytest.approx(1 / below, abs=0.5 / mapped.STRIPES) if below <= mapped.STRIPES else 0)


def test_one_shape_means_one_thing_on_a_page() -> None:
    for found in LESSON.presets:
        frame = LESSON.frame(preset(found.id), CONTEXT)
        diamonds = [m.key for _, m in frame.marks() if getattr(m, "shape", "") == "diamond"]
        assert set(diamonds) <= {"picked", "map_here", "map_here_rim"}, found.id
        if diamonds:
            assert any("Diamond" in panel.caption for panel in frame.panels), found.id
