"""RoPE's pages: the lesson's and the references' numbers, arithmetic that comes out, what a person may do on each."""

from __future__ import annotations

import json
import math
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encodings import attention, rotary
from core.lessons.rope import configs, head, layouts, vectors, wrong
from core.lessons.rope.lesson import LESSON
from core.lessons.rope.state import PAGES, RopeState, rotary_dims
from core.stage.frame import Bars, Cards, Dials, Drag, Frame, Handle, Key, Matrix, Pick, Readout, Region, Table, Worked
from core.stage.lesson import Context
from core.stage.motion import panel_of
from core.stage.numbers import number
from core.stage.text import text
from core.tables import models, shipped
from core.tables.models import Unknown
from tests.core.printed import check_whole, written

CONTEXT = Context()
GOLDEN = Path(__file__).parents[2] / "golden"


def at(**values: Any) -> RopeState:
    state: RopeState = LESSON.from_mapping(values, CONTEXT)
    return state


def drawn(**values: Any) -> Frame:
    return LESSON.frame(at(**values), CONTEXT)


def preset(preset_id: str, **values: Any) -> Frame:
    return drawn(**{**LESSON.preset(preset_id).values, **values})


def mark(frame: Frame, key: str) -> Any:
    return {found.key: found for _, found in frame.marks()}[key]


def keys(frame: Frame) -> set[str]:
    return {found.key for _, found in frame.marks()}


def readout(frame: Frame, key: str) -> Readout:
    return {found.key: found for panel in frame.panels for found in panel.readouts}[key]


def act(state: RopeState, *events: Any) -> RopeState:
    for event in events:
        state = LESSON.legal(LESSON.act(state, event, CONTEXT), CONTEXT)  # type: ignore[misc]
    return state


def value(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]


# --- all pages -------------------------------------------------------------------------------------------------------


OF_PAGES = [found for found in LESSON.presets if "page" in found.values]  # the dial's have their own tests


@pytest.mark.parametrize("found", OF_PAGES, ids=[found.id for found in OF_PAGES])
def test_every_presets_arithmetic_comes_out(found: Any) -> None:
    least = {"head": 2, "gap": 2, "layouts": 2, "layers": 1, "models": 1, "wrong": 0}
    assert check_whole(drawn(**found.values)) >= least[found.values["page"]]


@pytest.mark.parametrize("seed", range(6))
def test_arithmetic_comes_out_for_other_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for page in PAGES[1:]:
        for kind in range(4):
            values = {
                "page": page,
                "query_position": int(rng.integers(0, 3000)),
                "key_position": int(rng.integers(0, 3000)),
                "base": float(10 ** rng.uniform(1, 7)),
                "head_dim": 2 * int(rng.integers(2, 128)),
                "untouched": 2 * int(rng.integers(0, 40)),
                "trained": int(rng.integers(128, 100_000)),
                "pair": int(rng.integers(0, 128)),
                "vectors": ("equal", "random", "words", "equal")[kind],
                "mistake": ("values", "layouts", "sign", "d_model")[kind],
                "seed": int(rng.integers(0, 99)),
                "entries": 2 * int(rng.integers(2, 9)),
                "layers": int(rng.integers(2, 9)),
                "leave_out": int(rng.integers(0, 4)),
            }
            check_whole(drawn(**values))
            assert max(map(len, written(drawn(**values)))) <= Worked.COLUMNS


@pytest.mark.parametrize("page", PAGES)
def test_each_page_is_one_big_picture_and_few_small_ones(page: str) -> None:
    frame = drawn(page=page)
    big = panel_of(frame, "big")
    assert big.choice is not None
    assert big.choice.value == page
    assert [option for option, _ in big.choice.options] == list(PAGES)
    assert len(frame.panels) <= 4
    assert (big.border == "warn") == (page == "wrong")


@pytest.mark.parametrize("values", [{"page": "head", "head_dim": 256}, *({"page": page} for page in PAGES)], ids=str)
def test_a_frame_while_playing_is_quick(values: dict[str, Any]) -> None:
    state = at(**values)
    LESSON.frame(state, CONTEXT)
    times = []
    for beat in range(12):
        moved = LESSON.step(state, 0.7 + beat / 60) if LESSON.step else state
        start = time.perf_counter()
        LESSON.frame(moved, CONTEXT)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.005


# --- dial ------------------------------------------------------------------------------------------------------------


def test_tokens_are_dragged_along_the_text() -> None:
    state = at()
    grips = [found for _, found in drawn().marks() if isinstance(found, Handle)]
    assert {grip.key for grip in grips} == {"token_q", "token_k"}
    q = mark(drawn(), "token_q")
    moved = act(state, Drag("token_q", q.x + 4 * q.step, -9.0))
    assert (moved.query_position, moved.key_position) == (7, 5), "the gap is kept"
    free = act(at(keep_gap=False), Drag("token_q", q.x + 4 * q.step, 0.0))
    assert (free.query_position, free.key_position) == (7, 1)
    assert act(state, Drag("token_k", -1e7, 0.0)).key_position == 0
    far = act(at(query_position=1_000_000, key_position=999_998), Drag("token_q", 1e7, 0.0))
    assert far.query_position == 1_000_000
    same = act(state, Drag("token_q", q.x, 0.0))
    assert same == state, "where it stands, it stays"


def test_both_tokens_go_500_further_at_one_press() -> None:
    assert isinstance(mark(drawn(), "further"), Cards)
    moved = act(at(), Pick("further", (0,)))
    assert (moved.query_position, moved.key_position) == (503, 501)
    assert readout(LESSON.frame(moved, CONTEXT), "score").value == readout(drawn(), "score").value == "−0.416"
    assert mark(drawn(query_position=999_900, key_position=999_898), "further").cards[0].title == "+100"
    assert "further" not in keys(preset("farthest")), "there is no way on, and no button that says so with +0"
    end = act(at(query_position=999_900, key_position=999_898), Pick("further", (0,)))
    assert (end.query_position, end.key_position) == (1_000_000, 999_998), "as far as there are positions"


def test_the_value_is_shown_and_does_not_turn() -> None:
    hands = [mark(drawn(query_position=m), "v_dial").hands[0] for m in (3, 40, 999)]
    assert len({float(hand.angles[0]) for hand in hands}) == 1
    assert hands[0].role == "what"


def test_lengths_stay() -> None:
    assert "lengths stay: q 1.000, k 1.000" in panel_of(drawn(), "big").caption
    frame = preset("own_vectors")
    assert "length of q: 1.300 before, √(1.259² + 0.326²) ≈ 1.300 after" in written(frame) or any(
        line.startswith("length of q: 1.300 before") and line.endswith("1.300 after") for line in written(frame)
    )


# --- all pairs -------------------------------------------------------------------------------------------------------


def test_all_pairs_are_dials_up_to_128() -> None:
    for dims in (2, 16, 64, 128, 256):
        dials: Dials = mark(drawn(page="head", head_dim=dims), "head")
        assert len(dials.hands[0].angles) == dims // 2
        assert len(dials.labels) in (0, dims // 2)
    picked = act(at(page="head", head_dim=256), Pick("head", (127,)))
    assert picked.pair == 127
    assert act(picked, Key("head", "home")).pair == 0


def test_wavelengths_are_the_references() -> None:
    checked = 0
    for case in golden("rope_inv_freq"):
        params = case["params"]
        if params["head_dim"] > 256 or not 2 <= params["base"] <= 1e8:
            continue
        speeds = np.array(case["values"]["inv_freq"])
        last = len(speeds) - 1
        frame = drawn(page="head", head_dim=params["head_dim"], base=params["base"], pair=last)
        length = 2 * math.pi / speeds[last]
        assert value(readout(frame, "wave").value.removesuffix(" tokens")) == pytest.approx(length, rel=0.005)
        checked += 1
    assert checked


def test_pairs_that_went_full_circle_are_marked() -> None:
    frame = preset("head_64")
    assert readout(frame, "full").value == "46 of 64"
    ground = [found for _, found in frame.marks() if isinstance(found, Region) and found.key.startswith("full_")]
    assert sum(round(float(region.x[1] - region.x[0])) for region in ground) == 46
    waves = 2 * math.pi * 10_000 ** (np.arange(0, 128, 2) / 128)
    assert (head.full_circle(waves, 4096), head.full_circle(waves, 6), head.full_circle(waves, 10**6)) == (46, 0, 64)
    assert "pair 45: 4,080 tokens, within 4,096;  pair 46: 4,712" in written(frame)


@pytest.mark.parametrize("name", ["head_64", "head_128", "gpt_j", "neox", "deepseek"])
def test_the_picked_pair_is_the_first_that_has_not_gone_full_circle(name: str) -> None:
    state = at(**LESSON.preset(name).values)
    waves = 2 * math.pi / rotary.frequencies(rotary_dims(state), state.base)
    assert state.pair == head.full_circle(waves, state.trained)
    assert "q at 3, k at 1" in panel_of(preset(name), "big").caption


@pytest.mark.parametrize(
    ("name", "turned", "whole"), [("gpt_j", 64, 256), ("neox", 24, 96), ("deepseek", 64, 192)], ids=str
)
def test_a_part_of_the_head_turns(name: str, turned: int, whole: int) -> None:
    frame, state = preset(name), at(**LESSON.preset(name).values)
    assert (rotary_dims(state), state.head_dim) == (turned, whole)
    assert mark(frame, "turned_name").text == f"{turned} turn"
    assert mark(frame, "kept_name").text == f"{whole - turned} stay"
    known = name == "deepseek"
    assert any(line.startswith("turns in training") for line in written(frame)) == known
    assert ("trained length is unknown" in panel_of(frame, "big").caption) == (not known)
    assert len(mark(frame, "head").hands[0].angles) == turned // 2
    speeds = rotary.frequencies(whole, state.base, turned)
    assert mark(frame, "head").hands[1].angles == pytest.approx(state.query_position * speeds)


def test_partial_rotary_is_the_references() -> None:
    for case in golden("rope_partial"):
        params = case["params"]
        if "rotary_dim" not in params:  # other rules of which frequencies a part has
            continue
        untouched = params["head_dim"] - params["rotary_dim"]
        state = at(page="head", head_dim=params["head_dim"], base=params["base"], untouched=untouched, query_position=7)
        hands = mark(LESSON.frame(state, CONTEXT), "head").hands[1]
        assert hands.angles == pytest.approx(7 * np.array(case["values"]["inv_freq"]))


# --- score against gap -----------------------------------------------------------------------------------------------


def test_equal_vectors_average_the_cosines() -> None:
    frame = preset("equal")
    theta = 10_000.0 ** (-np.arange(0, 128, 2) / 128)
    curve = mark(frame, "scores")
    assert curve.y == pytest.approx(np.cos(np.multiply.outer(curve.x, theta)).mean(axis=1))
    assert curve.y[0] == pytest.approx(1.0)
    assert (np.diff(curve.y) > 0).any(), "the fall is uneven"
    assert curve.y[-1] < curve.y[20] < curve.y[0]
    assert readout(frame, "score").value == number(float(np.cos(2 * theta).mean())) == "0.897"


def test_random_vectors_are_seeded_and_their_band_does_not_fall() -> None:
    first, again, other = (preset("random", seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(mark(first, "scores").y, mark(again, "scores").y)
    assert not np.array_equal(mark(first, "scores").y, mark(other, "scores").y)
    band: Region = mark(first, "band")
    width = band.high - band.low
    assert width[200:].mean() == pytest.approx(width[:40].mean(), rel=0.15)
    q, k = vectors.draw(128, 5, 200)
    speeds = rotary.frequencies(128)
    scores = [rotary.scores(q[i], k[i], [2], [0], speeds)[0, 0] for i in range(200)]
    one_q, one_k = vectors.draw(128, 5, 1)
    want = rotary.scores(one_q[0], one_k[0], [2], [0], speeds)[0, 0]
    assert mark(first, "scores").y[2] == pytest.approx(want)
    inside = (band.low[2] <= np.array(scores)) & (np.array(scores) <= band.high[2])
    assert inside.mean() == pytest.approx(0.8, abs=0.01)


def test_real_queries_and_keys_score_alike_at_one_gap() -> None:
    near, far = preset("words"), preset("words_far")
    assert readout(near, "score").value == readout(far, "score").value == "14.510"
    layer, table = shipped.smollm2_layer0(), shipped.table("smollm2")
    x = np.stack([table.row(table.find(word) or 0) for word in ("Ġsat", "Ġcat")]).astype(float)
    x = attention.rms_norm(x, layer.attn_norm, layer.eps)
    q, k = (x[0] @ layer.q.T)[:64], (x[1] @ layer.k.T)[:64]
    speeds = rotary.frequencies(64, 100_000.0)
    for m, n in ((3, 1), (503, 501)):
        assert rotary.scores(q, k, [m], [n], speeds)[0, 0] == pytest.approx(14.5097, abs=1e-4)
    bars: Bars = mark(near, "shares")
    assert float(bars.height.sum()) == pytest.approx(14.5097, abs=1e-4)
    table_of: Table = mark(near, "places")
    assert [row[:2] for row in table_of.rows[1:]] == [("3", "14.5097"), ("503", "14.5097"), ("100,003", "14.5097")]
    assert table_of.rows[3][2] != "14.5097", "32-bit numbers drift"
    last = preset("words", attention_head=9)
    q, k = (x[0] @ layer.q.T)[512:], (x[1] @ layer.k.T)[128:]
    assert readout(last, "score").value == number(float(rotary.scores(q, k, [3], [1], speeds)[0, 0]))


def test_a_word_without_a_row_is_said() -> None:
    frame = preset("words", query_word="xqzzy", key_word=" ")
    assert mark(frame, "missing").text == "No row for “xqzzy” and an empty word in SmolLM2’s table"
    assert "table. Its 8,679 rows" in frame.alt
    assert "scores" not in keys(frame)
    assert "query_word" in LESSON.shown_controls(at(page="gap", vectors="words"))


# --- layouts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entries", [4, 8, 16])
def test_the_same_vector_lies_in_both_layouts(entries: int) -> None:
    frame = drawn(page="layouts", entries=entries, pair=1, query_position=70, key_position=11)
    rows = []
    for key in ("adjacent", "halves"):
        found: Matrix = mark(frame, key)
        rows.append(found.source.block(slice(0, 1), slice(0, entries))[0])
        names = [int(label) for label in found.column_labels]
        assert [names[outline.column] for outline in found.outlines] == [2, 3], "the same two numbers"
    order = rotary.pairing_permutation(entries)
    assert np.array_equal(rows[1], rows[0][order])
    q, k = layouts.drawn(entries, 12)
    speeds = rotary.frequencies(entries)
    same = rotary.scores(q, k, [70], [11], speeds)[0, 0]
    assert rotary.scores(q[order], k[order], [70], [11], speeds, "halves")[0, 0] == pytest.approx(same)
    mixed = rotary.rotate(q, [70], speeds) @ rotary.rotate(k, [11], speeds, "halves")
    assert readout(frame, "same").value == number(float(same))
    assert readout(frame, "mixed").value == number(float(mixed))


def test_who_uses_which_layout() -> None:
    adjacent, halves, both = configs.layouts()
    assert {"GPT-J", "DeepSeek-V3"} <= set(adjacent)
    assert {"GPT-NeoX", "Falcon", "Gemma", "Qwen", "gpt-oss"} <= set(halves)
    assert {"Llama", "Mistral"} <= set(both)
    shown = " ".join(" ".join(row) for row in mark(drawn(page="layouts"), "families").rows)
    assert all(name in shown for name in (*adjacent, *halves, *both))
    rows = mark(drawn(page="layouts"), "families").rows
    assert [row[1] for row in rows[1:]] == [", ".join(names) for names in (adjacent, halves, both)], "a row each"


def test_a_pair_is_picked_on_either_row() -> None:
    state = at(page="layouts", entries=8)
    assert act(state, Pick("adjacent", (0, 5))).pair == 2
    assert act(state, Pick("halves", (0, 5))).pair == 1


# --- wrong on purpose ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", ["values", "layouts", "sign"])
def test_what_is_right_does_not_move_and_what_is_wrong_does(mistake: str) -> None:
    state = at(page="wrong", mistake=mistake)
    _, right, false = wrong.curves(state)
    assert np.ptp(right) < 1e-9
    assert np.ptp(false) > 0.2
    near, on, wrong_near, wrong_on = wrong.values(state)
    assert near == pytest.approx(on, abs=1e-9)
    assert abs(wrong_near - wrong_on) > 1e-3


def test_a_flipped_sign_sees_the_sum() -> None:
    q, k = layouts.drawn(8, 12)
    speeds = rotary.frequencies(8)
    _, _, false, _ = wrong.values(at(page="wrong", mistake="sign"))
    assert false == pytest.approx(rotary.scores(q, k, [4], [0], speeds)[0, 0])
    assert any(line.startswith("3 − (−1) = 4") for line in written(drawn(page="wrong", mistake="sign")))


def test_d_model_in_the_exponent_loses_the_slow_pairs() -> None:
    right, false = wrong.speeds(64, 4, 10_000.0)
    assert right[-1] == pytest.approx(10_000 ** (-62 / 64))
    assert false[-1] == pytest.approx(10_000 ** (-62 / 256))
    assert len(right) == len(false) == 32
    assert "d_model = head dimension × heads: 64 × 4 = 256" in written(preset("wrong_d_model"))


def test_the_wrong_exponents_slowest_pair_is_told_beside_the_right_one() -> None:
    first = written(preset("wrong_d_model"))[:2]
    assert first[0].endswith("6.2832 / 10,000^(−62/64) = 47,117 tokens")
    assert first[1].endswith("6.2832 / 10,000^(−62/256) = 58.5 tokens")
    assert mark(preset("wrong_d_model"), "here_name").text == "gap 2: 0.614"


@pytest.mark.parametrize("mistake", ["layouts", "sign"])
@pytest.mark.parametrize("entries", [4, 8, 16])
def test_the_wrong_score_is_added_up_from_its_pairs(mistake: str, entries: int) -> None:
    frame = drawn(page="wrong", mistake=mistake, entries=entries)
    for line, key in zip(written(frame)[:2], ("wrong", "wrong_far"), strict=True):
        parts, _, result = line.partition("): ")[2].rpartition(" = ")
        assert result == readout(frame, key).value
        assert round(sum(value(part) for part in re.sub("− ", "+ −", parts).split("+ ")), 3) == value(result)


def test_both_turned_values_are_reckoned() -> None:
    frame = preset("wrong_values")
    first, second = written(frame)[:2]
    assert first == "v at 1, first entry: (−0.8)(0.5403) − (0.3)(0.8415) = −0.685"
    assert second.startswith("v at 501, first entry: ")
    assert second.endswith(f"= {readout(frame, 'wrong_far').value}")


def test_both_averages_are_added_up() -> None:
    frame = preset("wrong_d_model")
    for line, key in zip(written(frame)[4:6], ("right", "wrong"), strict=True):
        parts, _, result = line.partition(": ")[2].rpartition(" = ")
        assert result == readout(frame, key).value
        assert round(sum(value(part) for part in parts.split(" + ")), 3) == value(result)


def test_one_press_shows_the_right_one_beside() -> None:
    state = at(page="wrong")
    before = LESSON.frame(state, CONTEXT)
    assert "right_curve" not in keys(before)
    assert readout(before, "right").value == "?"
    assert "should not move" not in panel_of(before, "big").caption, "the answer is not given away"
    after = LESSON.frame(act(state, Pick("show_right", (0,))), CONTEXT)
    assert {"right_curve", "wrong_curve"} <= keys(after)
    assert panel_of(after, "big").caption.endswith("It should not move.")
    assert readout(after, "right").value == readout(after, "right_far").value != "?"


# --- layers ----------------------------------------------------------------------------------------------------------


def test_each_layer_turns_and_some_models_leave_layers_out() -> None:
    frame = drawn(page="layers", layers=6)
    assert len([found for _, found in frame.marks() if isinstance(found, Dials)]) == 6
    assert (readout(frame, "times_once").value, readout(frame, "times_rope").value) == ("1×", "6×")
    fewer = preset("layers_left_out")
    assert len([found for _, found in fewer.marks() if isinstance(found, Dials)]) == 6
    assert {"rope_none_3", "rope_none_7"} <= keys(fewer)
    assert any("8 − 2 = 6" in line for line in written(fewer))
    assert "every layer" in frame.title
    assert "6 of 8 layers" in fewer.title
    assert mark(fewer, "rope_name").text == "RoPE: in 6 of 8 layers"


# --- models ----------------------------------------------------------------------------------------------------------


def test_models_set_the_numbers_and_unknown_stays_unknown() -> None:
    rows = {row[0]: row for row in mark(preset("models"), "models").rows}
    assert rows["Llama 3 8B"] == ("Llama 3 8B", "500,000", "128 of 128", "2,559,196", "unknown", "8,192")
    assert rows["DeepSeek-V3 (671B)"][2:5] == ("64 of 192", "47,117", "4,096")
    neox = LESSON.edited(at(page="models"), CONTEXT, config="gpt-neox-20b")
    assert (neox.base, neox.head_dim, neox.untouched, neox.trained) == (10_000.0, 96, 72, 2048)
    own = LESSON.edited(neox, CONTEXT, base=500_000.0)
    assert (own.config, own.base, own.head_dim) == (configs.OWN, 500_000.0, 96)
    assert any(line.endswith("the trained length is unknown") for line in written(preset("models")))
    for found in models.models():
        if found.scheme == "rope" and not isinstance(found.rope_theta, Unknown):
            state = LESSON.edited(at(page="models"), CONTEXT, config=found.id)
            assert (state.config, state.head_dim, state.base) == (found.id, found.head_dim, found.rope_theta)
            assert check_whole(LESSON.frame(state, CONTEXT)) >= 1


def test_a_model_is_picked_in_the_table() -> None:
    state = act(at(page="models"), Pick("models", (2, 0)))
    assert state.config == "gpt-neox-20b"
    assert act(state, Key("models", "down")).config == "llama-2-7b"
    assert act(state, Pick("models", (0, 0))) == state, "the head is no model"
    frame = LESSON.frame(state, CONTEXT)
    assert mark(frame, "models").picked == 2
    assert re.search(r"GPT-NeoX", panel_of(frame, "source_panel").title)


# --- what is drawn and said agrees with what is calculated -----------------------------------------------------------


ENDS = [(0, 0), (3, 1), (250_000, 700_000), (0, 1_000_000), (999_999, 1_000_000)]


@pytest.mark.parametrize("places", ENDS, ids=str)
def test_the_line_of_the_text_ends_with_the_positions(places: tuple[int, int]) -> None:
    frame = drawn(query_position=places[0], key_position=places[1])
    ends = [mark(frame, key).text for key in ("text_start", "text_tick_0", "text_tick_1")]
    first, middle, last = (value(text.removeprefix("token ")) for text in ends)
    assert 0 <= first <= min(places)
    assert max(places) <= last <= 1_000_000
    assert 2 * middle == first + last


@pytest.mark.parametrize("mistake", ["values", "layouts", "sign"])
@pytest.mark.parametrize("m", [3, 999_700, 1_000_000])
def test_the_second_place_is_as_far_on_as_is_said(mistake: str, m: int) -> None:
    frame = drawn(page="wrong", mistake=mistake, query_position=m, key_position=m - 2, beside=True)
    by = min(500, 1_000_000 - m)
    shown = {found.key: found for panel in frame.panels for found in panel.readouts}
    assert ("wrong_far" in shown) == ("right_far" in shown) == bool(by)
    assert (f"both tokens {by} further" in frame.alt) == bool(by)
    if by:
        there = drawn(page="wrong", mistake=mistake, query_position=m + by, key_position=m + by - 2, beside=True)
        assert shown["wrong_far"].value == readout(there, "wrong").value
        assert shown["wrong_far"].label == f"at m = {m + by:,}, n = {m + by - 2:,}"
    lines = [text for text in written(frame) if text.startswith(("wrong (", "v at"))]
    assert len(lines) == (2 if by else 1), "the last place is not worked out twice"


@pytest.mark.parametrize("seed", range(5))
def test_a_key_at_position_0_is_the_same_in_either_layout_and_that_is_said(seed: int) -> None:
    for n in (0, 7):
        frame = drawn(page="layouts", query_position=n + 5, key_position=n, seed=seed)
        same, mixed = readout(frame, "same"), readout(frame, "mixed")
        assert ("position 0" in mixed.detail) == (same.value == mixed.value) == (n == 0)
        for mistake in ("values", "layouts", "sign"):
            wrong_one = drawn(
                page="wrong", mistake=mistake, query_position=n + 5, key_position=n, seed=seed, beside=True
            )
            alike = readout(wrong_one, "wrong").value == readout(wrong_one, "right").value
            assert ("At n = 0" in panel_of(wrong_one, "big").caption) == alike == (n == 0)
    assert "1,000,000" in drawn(page="layouts", query_position=1_000_000, key_position=1).alt


@pytest.mark.parametrize("config", configs.names()[1:])
def test_the_entries_that_turn_are_those_that_the_dial_names(config: str) -> None:
    values = {"config": config, **configs.assumed(config), "pairing": "adjacent"}
    state = at(page="head", **values)
    region = mark(LESSON.frame(state, CONTEXT), "turned")
    captions = [panel_of(drawn(**values, pair=pair), "big").caption for pair in (0, rotary_dims(state) // 2 - 1)]
    named = [tuple(map(int, re.findall(r"dimensions (\d+) and (\d+)", text)[0])) for text in captions]
    assert (named[0][0], named[1][1] + 1) == (region.x[0], region.x[1])
    # DeepSeek's own code puts the entries that turn behind the others.
    assert region.x[0] == (128 if config == "deepseek-v3-671b" else 0)


@pytest.mark.parametrize("config", configs.names()[1:])
def test_a_turned_part_is_not_called_the_whole_head(config: str) -> None:
    frame = drawn(config=config, curve="head")
    state = at(config=config, curve="head")
    assert ("turned part" in readout(frame, "score").label) == (state.untouched > 0)
    assert ("all pairs of the head" in frame.alt) == (state.untouched == 0)


def test_a_length_that_no_file_states_is_nowhere_called_trained() -> None:
    assert "trained" not in text("rope.param.trained")
    for config in configs.names()[1:]:
        stated = configs.trained(models.model(config)) is not None
        for trained in (128, 1_000_000):
            frame = drawn(page="head", config=config, trained=trained)
            assert ("in training" in frame.title + " ".join(written(frame)[:3])) == stated, config


def test_a_vector_without_a_direction_has_no_angle_in_words() -> None:
    for values in ({"query": (0.0, 0.0)}, {"key": (0.0, 0.0)}):
        assert "radians apart" not in drawn(**values).alt
    assert "2 radians apart" in drawn().alt


def test_where_some_layers_leave_it_out_none_says_each() -> None:
    frame = preset("layers_left_out")
    assert "each" not in frame.subtitle
    assert "6 of 8" in frame.title
