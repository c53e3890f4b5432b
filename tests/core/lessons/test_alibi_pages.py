"""ALiBi's pages beyond the bias: published numbers, arithmetic that comes out, what a person may do on each."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from core.encodings import alibi as mathematics
from core.lessons.alibi import buckets, content, from_score, key_rows, reach, wrong
from core.lessons.alibi.lesson import LESSON
from core.lessons.alibi.state import PAGES, AlibiState, rates
from core.lessons.alibi.weights import content as drawn_scores
from core.lessons.alibi.weights import slope_rule, slopes
from core.stage.frame import Drag, Frame, Handle, Key, Matrix, Pick, Readout, Region
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.numbers import percent, shown
from core.stage.params import from_mapping
from tests.core.strategies import legal_states

GOLDEN = Path(__file__).parents[2] / "golden"
CONTEXT = Context()
MAT = Context(Shared(sentence="The cat sat on the mat"))
QUICK = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def cases(name: str) -> dict[str, dict[str, Any]]:
    found = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case for case in found}


def at(where: Context = CONTEXT, **values: object) -> AlibiState:
    return LESSON.from_mapping(values, where)


def show(where: Context = CONTEXT, **values: object) -> Frame:
    return LESSON.frame(at(where, **values), where)


def preset(preset_id: str) -> Frame:
    found = LESSON.preset(preset_id)
    return show(Context(from_mapping(Shared, found.shared)), **found.values)


def mark(frame: Frame, key: str) -> Any:
    return {found.key: found for _, found in frame.marks()}[key]


def readout(frame: Frame, key: str) -> Readout:
    return {found.key: found for panel in frame.panels for found in panel.readouts}[key]


def numbers(frame: Frame, key: str) -> Any:
    matrix = mark(frame, key)
    assert isinstance(matrix, Matrix)
    return np.asarray(matrix.source.block(slice(*matrix.rows), slice(*matrix.columns)))


def written(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def act(state: AlibiState, *events: Any, where: Context = CONTEXT) -> AlibiState:
    assert LESSON.act is not None
    for event in events:
        state = LESSON.legal(LESSON.act(state, event, where), where)
    return state


# --- arithmetic ------------------------------------------------------------------------------------------------------

_MATH = re.compile(r"[\d.,+\-*/()|√^eln× −]+")


def evaluated(side: str) -> float | None:
    """What a side of an equation comes to; None where it is words."""
    side = re.sub(r"^[^:]*: +", "", side).strip()
    if not side or not _MATH.fullmatch(side) or not re.search(r"\d", side):
        return None
    code = re.sub(r"(?<=\d),(?=\d{3})", "", side).replace("−", "-").replace("×", "*")
    code = re.sub(r"\|(.*?)\|", r"abs(\1)", code)
    code = code.replace("e^", "math.e**").replace("^", "**")
    code = re.sub(r"ln ?\(", "math.log(", re.sub(r"ln (\d+)", r"math.log(\1)", code))
    return float(eval(code, {"math": math, "abs": abs}))


def check_arithmetic(frame: Frame) -> int:
    """Each equation comes out with the numbers that are printed; returns how many there were."""
    checked = 0
    for text in written(frame):
        body = re.split(r" {3,}", text)[0] if " = " in re.split(r" {3,}", text)[0] else text
        if found := re.search(r"e\^\(([^)]*)\) / sum = ([\d.,]+) / ", text):  # a power stands over a sum
            power, by_hand = found[2].replace(",", ""), evaluated(f"e^({found[1]})")
            assert by_hand is not None
            assert f"{by_hand:.{len(power.partition('.')[2])}f}" == power, text
            checked += 1
        parts = re.split(r"(=|≈)", body)
        for place in range(1, len(parts) - 1, 2):
            right = re.sub(r"(?<=\d) [a-z].*$", "", parts[place + 1].strip()).partition(":")[0]
            a, b = evaluated(parts[place - 1]), evaluated(right)
            if a is None or b is None:
                continue
            checked += 1
            decimals = max((len(found) for found in re.findall(r"\.(\d+)", right)), default=0)
            if parts[place] == "=":
                assert min(abs(shown(a, decimals) - b), abs(a - b)) < 1e-9, text
            else:
                assert abs(a - b) <= 6 * 10.0**-decimals + 0.002 * abs(b), text
    return checked


def test_the_checker_finds_a_fault() -> None:
    assert evaluated("e^(−1.500)") == pytest.approx(math.exp(-1.5))
    assert evaluated("2^(−8 × 3 / 8)") == 0.125
    assert evaluated("0.5 × |3 − 5|") == 1.0
    assert evaluated("ln(20/8) / ln(128/8)") == pytest.approx(math.log(2.5) / math.log(16))
    assert evaluated("q·k / √64") is None


@pytest.mark.parametrize("found", LESSON.presets, ids=[found.id for found in LESSON.presets])
def test_every_presets_arithmetic_comes_out(found: Any) -> None:
    assert check_arithmetic(preset(found.id)) >= 2


@QUICK
@given(legal_states(AlibiState))
def test_arithmetic_anywhere(state: AlibiState) -> None:
    for context in (CONTEXT, MAT):
        check_arithmetic(LESSON.frame(LESSON.legal(state, context), context))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_one_big_and_few_small_panels(page: str) -> None:
    frame = show(page=page)
    assert 2 <= len(frame.panels) <= 4
    assert frame.panels[0].choice is not None
    assert frame.panels[0].choice.name == "page"
    assert page == "bias" or len(LESSON.shown_controls(at(page=page))) <= 7
    assert "  " not in frame.title


# --- slopes ----------------------------------------------------------------------------------------------------------


def rule(n_heads: int, exponent: float = 8) -> list[float]:
    """Press et al.'s rule, written out."""
    lower = 2 ** int(math.log2(n_heads))
    first = [2 ** (-exponent * k / lower) for k in range(1, lower + 1)]
    return first + [2 ** (-exponent * k / (2 * lower)) for k in range(1, 2 * (n_heads - lower), 2)]


@pytest.mark.parametrize("exponent", [8, 16, 3])
def test_slopes_of_1_to_128_heads_as_ramps(exponent: int) -> None:
    for n in range(1, 129):
        state = at(page="slopes", n_heads=n, max_exponent=exponent)
        np.testing.assert_allclose(rates(state), rule(n, exponent), rtol=1e-12)
        frame = LESSON.frame(state, CONTEXT)
        lower = 2 ** int(math.log2(n))
        tips = -mark(frame, "tips").y / 16
        np.testing.assert_allclose(tips, rule(n, exponent), rtol=1e-12)
        first: Region = mark(frame, "ramps_first")
        assert len(first.x) == 3 * lower
        second = [found for _, found in frame.marks() if found.key == "ramps_second"]
        assert [len(found.x) for found in second] == ([3 * (n - lower)] if n > lower else [])
        assert all(found.hatched for found in second), "told by more than a colour"
        for head in (1, n):
            base = slope_rule(head, n, exponent).replace("−", "-").replace("×", "*").replace("^", "**")
            assert eval(base) == pytest.approx(rule(n, exponent)[head - 1], rel=1e-12)


def test_published_slopes() -> None:
    found = cases("alibi_slopes")
    for n, values in found["slopes_handed"]["values"]["slopes_by_n_heads"].items():
        np.testing.assert_allclose(slopes(int(n)), values, rtol=1e-12)
    np.testing.assert_allclose(slopes(12, 16), found["max_exponent_16_n12"]["values"]["slopes"], rtol=1e-12)


def test_twelve_heads_are_appended_not_sorted() -> None:
    frame = preset("ramps_twelve")
    assert frame.title == "12 heads: 8 slopes, then 4 from another list; not sorted"
    assert "slope of head 9: 2^(−8 × 1 / 16) ≈ 0.7071" in written(frame)
    assert "power −8 k / 16 with k: 1, 3, 5, 7" in written(frame)
    assert readout(frame, "half").value == "1.0 tokens"


def test_one_head_has_one_slope() -> None:
    assert show(page="slopes", n_heads=1).title == "One head has one slope: 1/256"


def test_where_a_weight_has_halved_and_where_a_hundredth_is_left() -> None:
    frame = show(page="slopes", head=8)
    half, percent = mark(frame, "decay_half"), mark(frame, "decay_percent")
    assert math.exp(-half.x[0] / 256) == pytest.approx(0.5)
    assert math.exp(-percent.x[0] / 256) == pytest.approx(0.01)
    assert readout(frame, "half").value == "177.4 tokens"
    assert "1,178.9" in readout(frame, "half").detail


# --- key-only rows ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_heads", [1, 8, 12, 112])
@pytest.mark.parametrize("kind", ["equal", "seeded"])
def test_one_row_is_enough_under_a_causal_mask(n_heads: int, kind: str) -> None:
    for n in (2, 8, 12):
        for slope in slopes(n_heads):
            by_distance, by_key = key_rows.both(kind, n, slope, True)
            np.testing.assert_allclose(by_distance, by_key, rtol=0, atol=1e-12)


def test_published_rows_and_weights() -> None:
    for name, case in cases("alibi_bias").items():
        if name == "bloom_left_padding":
            continue
        n_heads, n = case["params"]["n_heads"], case["params"]["T"]
        frame = show(page="rows", n_heads=n_heads, n_tokens=n)
        values = case["values"]
        np.testing.assert_allclose(numbers(frame, "key_only"), values["key_only_row_press_bloom"], atol=1e-12)
        for head in range(1, n_heads + 1):
            causal = numbers(show(page="rows", n_heads=n_heads, n_tokens=n, head=head), "distance")
            np.testing.assert_allclose(causal, values["causal_matrix"][head - 1], atol=1e-12)
            both = numbers(show(page="rows", n_heads=n_heads, n_tokens=n, head=head, masked="none"), "distance")
            np.testing.assert_allclose(both, values["symmetric_matrix"][head - 1], atol=1e-12)


def test_without_a_mask_key_only_is_off_by_up_to_0_4() -> None:
    frame = preset("rows_free")
    by_distance, by_key = key_rows.both("equal", 8, 0.5, False)
    most = np.abs(by_distance - by_key).max()
    assert readout(frame, "most").value == f"{most:.3f}" == "0.389"
    assert panel_of(frame, "most_panel").border == "warn"
    assert "0.389" in frame.title
    causal = preset("rows_causal")
    assert readout(causal, "most").value == "0.000"
    assert panel_of(causal, "most_panel").border is None
    assert panel_of(causal, "main").legend is None, "its cells hold numbers"
    assert panel_of(show(page="rows", n_heads=112), "main").legend is not None


@pytest.mark.parametrize("n", [2, 5, 8, 12])
@pytest.mark.parametrize("kind", ["equal", "seeded"])
def test_the_last_querys_weights_are_equal_without_a_mask_too(n: int, kind: str) -> None:
    """No key lies behind it. What is said of a query is so of its weights, whatever the mask."""
    by_distance, by_key = key_rows.both(kind, n, 0.5, False)
    for query in range(n):
        same = bool(np.allclose(by_distance[query], by_key[query], atol=1e-12))
        assert same == (query == n - 1)
        for key in (0, n - 1):
            frame = show(page="rows", masked="none", n_tokens=n, content=kind, query_position=query, key_position=key)
            told = " ".join(written(frame))
            assert ("for every key" in told) == same
            assert ("differs by key" in told) != same
            assert ("equal in both" in frame.alt) == same
            assert ("differ; the" in frame.alt) == (not same)


def test_the_largest_difference_is_named_where_it_is() -> None:
    for query, key in ((0, 7), (0, 0), (3, 4), (7, 7)):
        frame = show(page="rows", masked="none", query_position=query, key_position=key)
        by_distance, by_key = key_rows.both("equal", 8, 0.5, False)
        apart = np.abs(by_distance - by_key)
        row, column = map(int, re.findall(r"\d+", readout(frame, "most").detail.partition(":")[0]))
        assert apart[row, column] == pytest.approx(apart.max(), abs=1e-12)
        if apart[query, key] == pytest.approx(apart.max(), abs=1e-12):
            assert (row, column) == (query, key), "the picked cell, where it is one of them"
    tiny = show(page="rows", masked="none", n_heads=8, head=8, max_exponent=16)
    assert float(readout(tiny, "most").value) > 0
    assert readout(tiny, "most").value in tiny.title


# --- from score to weight --------------------------------------------------------------------------------------------


def test_the_bias_is_added_after_the_scaling() -> None:
    frame = show(page="weights", head=2, key_position=5)
    parts, shares = numbers(frame, "parts"), numbers(frame, "shares")[0]
    np.testing.assert_array_equal(parts[0], drawn_scores("seeded", 7, 8))
    np.testing.assert_allclose(parts[1], -0.25 * (7 - np.arange(8)))
    np.testing.assert_allclose(parts[2], parts[0] + parts[1])
    np.testing.assert_allclose(shares, np.exp(parts[2]) / np.exp(parts[2]).sum())
    assert written(frame)[:3] == [
        "score:  q·k / √64 = −10.96 / 8 = −1.370",
        "+ bias: −1.370 − 0.25 × (7 − 5) = −1.370 − 0.500 = −1.870",
        "weight: e^(−1.870) / sum = 0.154 / 3.438 = 0.045",
    ]


@pytest.mark.parametrize("kind", ["glove", "minilm"])
def test_the_sentences_own_scores(kind: str) -> None:
    frame = show(MAT, page="weights", scores=kind, query_position=5, key_position=1, head=2)
    table = MAT.table_called(kind)
    tokens = MAT.tokens_in(kind)
    rows = np.array([table.row(token.id) for token in tokens], dtype=float)
    factor = 36.0 if kind == "minilm" else 1.0
    want = factor * (rows @ rows[5]) / math.sqrt(table.dim)
    np.testing.assert_allclose(numbers(frame, "parts")[0], want, atol=2e-3)
    assert mark(frame, "parts").column_labels[1] == "1 cat"
    assert content.width(kind) == table.dim


def test_words_without_a_row_are_said() -> None:
    where = Context(Shared(sentence="the cat qqqq sat"))
    frame = show(where, page="weights", scores="glove", query_position=9)
    assert "qqqq" in frame.notice
    assert [label.split()[1] for label in mark(frame, "parts").column_labels] == ["the", "cat", "sat"]
    empty = show(Context(Shared(sentence="qqqq")), page="weights", scores="glove")
    assert "no token" in empty.alt.lower()
    assert act(at(page="weights", scores="glove"), Pick("sees", (0, 0)), where=Context(Shared(sentence=""))).head == 1


def test_each_head_sees_its_own_share() -> None:
    frame = show(page="weights", scores="equal")
    sees = numbers(frame, "sees")
    for head in range(1, 9):
        want = np.exp(-(2.0**-head) * (7 - np.arange(8)))
        np.testing.assert_allclose(sees[head - 1], want / want.sum())
    again = from_score.every_head(slopes(8), np.zeros(8), 7, False)
    np.testing.assert_allclose(sees, again)
    assert act(at(page="weights"), Pick("sees", (6, 2))).head == 7
    assert act(at(page="weights"), Pick("sees", (6, 2))).key_position == 2
    assert act(at(page="weights"), Pick("parts", (1, 3))).key_position == 3


# --- reach -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slope", "trained", "tested"), [(1 / 256, 512, 2048), (0.5, 4, 9), (2**-16, 1000, 50_000)])
def test_the_share_beyond_is_a_sum_of_weights(slope: float, trained: int, tested: int) -> None:
    weights = np.exp(-slope * np.arange(tested))
    want = weights[trained:].sum() / weights.sum()
    assert reach.share_beyond(slope, trained, tested) == pytest.approx(want, rel=1e-9)
    assert reach.share_beyond(slope, tested, trained) == 0.0


def test_a_longer_text_in_three_schemes() -> None:
    frame = preset("longer")
    assert readout(frame, "share").value == "13.5 %"
    assert "perplexity" in panel_of(frame, "main").caption
    line, start = mark(frame, "alibi"), reach.base_score()
    np.testing.assert_allclose(line.y, start - (2047 - line.x) / 256)
    assert mark(frame, "rope").y[-1] == pytest.approx(start, abs=0.006), "at its own place nothing is turned"
    assert mark(frame, "unseen").x.tolist() == [0.0, 1536.0], "gaps of 512 and more"
    assert mark(frame, "unseen_sinusoid").x.tolist() == [512.0, 2047.0], "rows from 512 on"
    shares = mark(frame, "shares").height
    assert np.argmax(shares) == 7
    assert shares[0] < 1e-12
    inside = show(page="reach", trained=2048, tested=512)
    assert readout(inside, "share").value == "0 %"
    assert "Hatched" not in inside.subtitle
    assert not any("never trained" in text for text in written(inside))
    near, far = show(page="reach", head=6, tested=1024), preset("longer_steep")
    assert readout(near, "share").value == "0.03 %", "the arithmetic says 0.00034"
    assert readout(far, "share").value == "under 0.0001 %", "the arithmetic says under 0.000001"
    assert "under 0.0001 %" in far.alt
    assert not [found for _, found in inside.marks() if found.key.startswith("unseen")]


@pytest.mark.parametrize("exponent", [1, 8, 16])
@pytest.mark.parametrize(("trained", "tested"), [(512, 2048), (2, 3), (50_000, 100_000), (99_999, 100_000)])
def test_the_shares_arithmetic_says_what_the_readout_says(trained: int, tested: int, exponent: int) -> None:
    for head in range(1, 9):
        frame = show(page="reach", head=head, max_exponent=exponent, trained=trained, tested=tested)
        said, by_hand = readout(frame, "share").value, written(frame)[2].removeprefix("share = ")
        assert said in frame.title
        assert max(map(len, written(frame))) <= frame.worked.COLUMNS
        if said.startswith("under"):
            assert by_hand.startswith("under")
            continue
        decimals = len(said.removesuffix(" %").partition(".")[2])
        value = float(re.split(r"[=≈] ?", by_hand)[-1])
        assert value > 0
        # The readout and the arithmetic are both rounded from the same share.
        share = reach.share_beyond(slopes(8, exponent)[head - 1], trained, tested)
        assert percent(share, decimals) == said
        assert value == pytest.approx(share, rel=0.051)


def test_the_ends_of_the_line_of_scores_are_worked_out() -> None:
    for head in (1, 8):
        for tested in (300, 2048, 100_000):
            frame = show(page="reach", head=head, tested=tested)
            low, high = (label for _, label in panel_of(frame, "main").y.ticks)
            told = {entry.partition(":")[0]: entry for entry in written(frame)}
            assert float(told["at distance 0"].split()[-1].replace("−", "-")) == float(high.replace("−", "-"))
            far = told[f"at distance {tested - 1:,}"].split()[-1]
            assert far.rstrip("0").rstrip(".") == low


def test_a_weight_without_the_bias_is_worked_out() -> None:
    for values in ({"content": "seeded"}, {"content": "equal"}, {"symmetric": True, "content": "seeded"}):
        for query, key in ((7, 4), (7, 7), (3, 0), (0, 0)):
            frame = show(query_position=query, key_position=key, head=2, **values)
            (told,) = (entry for entry in written(frame) if entry.startswith("without"))
            assert panel_of(frame, "weights_panel").title.endswith("without bias " + told.split()[-1])
            page = show(page="weights", query_position=query, key_position=key, symmetric="symmetric" in values)
            (told,) = (entry for entry in written(page) if entry.startswith("without"))
            assert panel_of(page, "bars_panel").title.endswith("without bias " + told.split()[-1])


@pytest.mark.parametrize("kind", ["glove", "minilm"])
def test_the_table_without_a_row_is_named(kind: str) -> None:
    empty = show(Context(Shared(sentence="" if kind == "minilm" else "qqqq")), page="weights", scores=kind)
    assert f"a row in {'GloVe' if kind == 'glove' else 'MiniLM'}:" in empty.alt


# --- wrong on purpose ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["sign", "early", "slope_one"])
def test_wrong_stands_beside_right(fault: str) -> None:
    for head in (1, 3, 8):
        frame = show(page="wrong", fault=fault, head=head, content="seeded")
        scores = np.array([drawn_scores("seeded", query, 8) for query in range(8)])
        distance = np.subtract.outer(np.arange(8), np.arange(8)).astype(float)
        slope = 2.0**-head
        right = scores - slope * distance
        bad = {
            "sign": scores + slope * distance,
            "early": (8 * scores - slope * distance) / 8,
            "slope_one": scores - 2.0 ** -(head - 1) * distance,
        }[fault]
        for key, values in (("right", right), ("wrong", bad)):
            exponentials = np.tril(np.exp(values))
            want = exponentials / exponentials.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(numbers(frame, key), want, atol=1e-12)
        assert panel_of(frame, "main").border == "warn"
        assert panel_of(frame, "right_panel").border is None


def test_the_flipped_sign_looks_farthest() -> None:
    weights = numbers(preset("wrong_sign"), "wrong")
    assert (weights.argmax(axis=1) == 0).all()
    assert wrong.first_is_one(1, 8) == 1.0


# --- T5 --------------------------------------------------------------------------------------------------------------


def test_published_buckets() -> None:
    for name, case in cases("t5_buckets").items():
        params, values = case["params"], case["values"]
        if name.startswith("matrix"):
            np.testing.assert_array_equal(numbers(show(page="t5"), "table"), values["bucket_matrix_rows_query"])
            continue
        for kind in ("bidirectional", "causal"):
            relative = range(params["relative_position_from"], params["relative_position_to"] + 1)
            state = at(
                page="t5",
                both_ways=kind == "bidirectional",
                n_buckets=params["num_buckets"],
                max_distance=params["max_distance"],
            )
            assert [buckets.bucket_of(state, gap) for gap in relative] == values[kind]


def test_the_curve_holds_every_bucket_level() -> None:
    curve = mark(show(page="t5"), "buckets")
    assert sorted(set(curve.y.tolist())) == [float(bucket) for bucket in range(32) if bucket != 16]
    assert len(curve.breaks) == len(curve.x) // 2 - 1


@pytest.mark.parametrize("n_buckets", [4, 8, 32, 64])
def test_the_bucket_that_stays_empty_is_named(n_buckets: int) -> None:
    for gap in (-20, 0, 20):
        state = at(page="t5", n_buckets=n_buckets, gap=gap)
        every = {buckets.bucket_of(state, relative) for relative in range(-5000, 5001)}
        (missing,) = set(range(n_buckets)) - every
        assert f"bucket {missing} stays empty: distance 0 counts as before, bucket 0" in written(
            LESSON.frame(state, CONTEXT)
        )
        causal = at(page="t5", n_buckets=n_buckets, gap=gap, both_ways=False)
        assert {buckets.bucket_of(causal, relative) for relative in range(-5000, 5001)} == set(range(n_buckets))
        assert not any("empty" in entry for entry in written(LESSON.frame(causal, CONTEXT)))


@pytest.mark.parametrize("gap", [-300, -128, -64, -20, -16, -8, -7, 0, 3, 8, 64, 200])
@pytest.mark.parametrize("both", [True, False])
def test_who_shares_a_bucket(gap: int, both: bool) -> None:
    state = at(page="t5", gap=gap, both_ways=both)
    first, last = buckets.mates(state)
    if not both and gap > 0:
        return
    side = 1 if gap > 0 else -1
    bucket = buckets.bucket_of(state, gap)
    assert buckets.bucket_of(state, side * first) == bucket
    assert first == (1 if side > 0 else 0) or buckets.bucket_of(state, side * (first - 1)) != bucket
    assert buckets.bucket_of(state, side * (last if last is not None else 10_000)) == bucket
    assert last is None or buckets.bucket_of(state, side * (last + 1)) != bucket
    frame = LESSON.frame(state, CONTEXT)
    assert readout(frame, "bucket").value == str(bucket)
    assert check_arithmetic(frame) >= (2 if abs(gap) >= (8 if both else 16) else 0)


def test_the_last_bucket_begins_before_the_largest_distance() -> None:
    assert "from 91 on" in panel_of(show(page="t5"), "main").caption
    assert [buckets.bucket_of(at(page="t5"), -gap) for gap in (90, 91, 128, 5000)] == [14, 15, 15, 15]
    assert "from 113 on" in panel_of(show(page="t5", both_ways=False), "main").caption


def test_the_gap_is_dragged_and_picked() -> None:
    state = at(page="t5")
    assert isinstance(mark(LESSON.frame(state, CONTEXT), "gap"), Handle)
    assert act(state, Drag("gap", -63.6, 3.0)).gap == -64
    assert act(state, Pick("table", (4, 1))).gap == -3
    assert act(state, Key("table", "left")).gap == -21
    odd = at(page="t5", n_buckets=31)
    assert odd.n_buckets == 30, "both directions share them"
    assert at(page="t5", both_ways=False, n_buckets=64, max_distance=10).max_distance == 33


# --- moving between pages --------------------------------------------------------------------------------------------


def test_heads_are_picked_on_every_page_that_shows_them() -> None:
    for page, key in (("slopes", "tips"), ("slopes", "slopes"), ("reach", "shares")):
        assert act(at(page=page), Pick(key, (4,))).head == 5
        assert act(at(page=page), Key(key, "end")).head == 8
    assert act(at(page="rows"), Pick("key_only", (2, 6))).head == 3
    assert act(at(page="rows"), Pick("distance", (5, 2))).query_position == 5
    assert act(at(page="wrong"), Pick("wrong", (2, 5))) == at(page="wrong"), "a hidden key"
    assert act(at(page="wrong"), Pick("bars_right", (2,))).key_position == 2


def test_playing_walks_the_heads_but_not_on_t5() -> None:
    assert LESSON.step is not None
    for page in PAGES:
        walked = LESSON.settled(LESSON.step(at(page=page), 2.0))
        assert walked.head == (1 if page == "t5" else 3)
    moving = at(page="slopes", travel=0.8)
    assert LESSON.edited(moving, CONTEXT, page="weights").travel == 0.0


@pytest.mark.parametrize("page", ["rows", "weights", "wrong"])
def test_a_wide_text_keeps_its_length_where_12_tokens_are_shown(page: str) -> None:
    state = LESSON.edited(at(n_tokens=100_000, query_position=99_999), CONTEXT, page=page)
    assert (state.n_tokens, state.query_position) == (100_000, 11)
    frame = LESSON.frame(state, CONTEXT)
    assert "12 of 100,000" in frame.notice
    assert LESSON.slider_ends(state)["query_position"] == (0, 11)
    square = {"rows": "distance", "weights": "shares", "wrong": "right"}[page]
    assert numbers(frame, square).shape[1] == 12
    assert LESSON.edited(state, CONTEXT, page="bias").n_tokens == 100_000
    assert not LESSON.frame(at(page=page), CONTEXT).notice


def test_the_longest_arithmetic_has_room() -> None:
    gentle = {"max_exponent": 16, "head": 8, "n_tokens": 12, "query_position": 11, "key_position": 10}
    frames = [show(page=page, **gentle, symmetric=True) for page in ("rows", "weights", "wrong")]
    frames += [show(page="rows", masked="none", **gentle)]
    frames += [show(page="reach", head=8, max_exponent=16, trained=long, tested=100_000) for long in (50_000, 99_999)]
    frames += [show(page="t5", both_ways=False, n_buckets=256, max_distance=4096, gap=-10_000)]
    for frame in frames:
        assert max(map(len, written(frame))) <= frame.worked.COLUMNS, written(frame)
        check_arithmetic(frame)


def test_the_title_says_how_much_lies_beyond() -> None:
    assert "13.5 % of its weight beyond" in preset("longer").title
    assert "nothing here is new" in show(page="reach", trained=2048, tested=512).title


def test_the_printed_ratio_gives_the_printed_weight() -> None:
    assert written(preset("wrong_slope"))[2] == "wrong weight: e^(−3.000) / sum = 0.0498 / 1.5814 = 0.031"
    assert "0.9163 / 2.7726 × 8 = 2.644" in written(preset("t5"))[1]


def test_bloom_with_112_heads_is_the_published_bias() -> None:
    frame = show(page="rows", n_heads=112, n_tokens=6)
    want = np.multiply.outer(mathematics.slopes(112), np.arange(6.0))
    np.testing.assert_allclose(numbers(frame, "key_only"), want, atol=1e-12)
