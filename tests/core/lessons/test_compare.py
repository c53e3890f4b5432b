"""Compare: what stands still when a sentence moves, the wall, the table, the four terms, and packed documents."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import alibi, packing
from core.encodings.attention import attention
from core.lessons.compare import arithmetic, content, distance, ends, maps, overview, packed, schemes, terms
from core.lessons.compare.lesson import LESSON
from core.lessons.compare.schemes import SCHEMES, Product, Scores
from core.lessons.compare.state import COMBINATIONS, FAR, MOST, WINDOW, CompareState, settle, step
from core.stage.frame import Curve, Drag, Frame, Key, Matrix, Pick, Scroll, Table, is_finite
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.numbers import number
from core.tables.models import models

CONTEXT = Context()
MAT = Context(Shared(sentence="The cat sat on the mat"))
GOLDEN = Path(__file__).parents[2] / "golden"
QUICK = settings(max_examples=25, deadline=None, derandomize=True, database=None)
STILL = ("none", "t5", "rope", "alibi")


def at(context: Context = CONTEXT, **values: object) -> CompareState:
    return LESSON.from_mapping(values, context)


def drawn(context: Context = CONTEXT, **values: object) -> Frame:
    return LESSON.frame(at(context, **values), context)


def mark(frame: Frame, key: str) -> Any:
    return next(mark for _, mark in frame.marks() if mark.key == key)


def lines(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def readout(frame: Frame, key: str) -> str:
    return next(r.value for panel in frame.panels for r in panel.readouts if r.key == key)


def matrix(frame: Frame, key: str) -> np.ndarray:
    found = mark(frame, key)
    return np.asarray(found.source.block(slice(*found.rows), slice(*found.columns)))


def value(written: str) -> float:
    return float(written.replace("−", "-").replace(",", ""))


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return found


# --- moving the sentence ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vectors", content.KINDS)
@pytest.mark.parametrize("shift", [1, 777, FAR])
def test_relative_schemes_stand_still(vectors: str, shift: int) -> None:
    start, moved = (drawn(MAT, vectors=vectors, shift=by, extra=6) for by in (0, shift))
    for scheme in STILL:
        change = np.abs(matrix(moved, f"map_{scheme}") - matrix(start, f"map_{scheme}")).max()
        assert change < 1e-9, scheme
    for scheme in ("sinusoidal", "raw_index"):
        assert np.abs(matrix(moved, f"map_{scheme}") - matrix(start, f"map_{scheme}")).max() > 0.1, scheme


def test_all_scores_stay_finite_a_million_places_on() -> None:
    frame = drawn(shift=FAR, scheme="raw_index")
    for scheme in SCHEMES:
        assert is_finite(matrix(frame, f"map_{scheme}"))
    assert matrix(frame, "map_raw_index").min() > 1e11
    assert readout(frame, "change") == "242.5 billion"
    levels = {mark(frame, f"map_{scheme}").levels for scheme in SCHEMES}
    assert len(levels) == 1, "one scale"
    assert levels == {mark(drawn(), "map_rope").levels}, "and it stays"
    assert mark(frame, "map_raw_index").mask.all(), "what is off the scale is not drawn as if it were its end"
    assert mark(frame, "map_raw_index_off").text == "off the\nscale, from\n242.5 billion"
    assert mark(frame, "map_none").row_labels == ("+0 the", "+1 cat", "+2 sat")
    assert "+0 is place 1,000,000." in panel_of(frame, "big").caption


def test_the_table_tells_each_schemes_largest_change() -> None:
    frame = drawn(shift=1000, scheme="sinusoidal")
    rows = {row[0]: row for row in mark(frame, "schemes").rows[1:]}
    before, after = matrix(drawn(), "map_sinusoidal"), matrix(frame, "map_sinusoidal")
    most = np.unravel_index(int(np.abs(after - before).argmax()), after.shape)
    change = abs(round(after[most], 3) - round(before[most], 3))
    assert rows["sinusoidal"][1] == readout(frame, "change") == number(change)
    detail = panel_of(frame, "change_panel").readouts[0].detail
    assert detail == f"“sat” asks “sat”: {number(before[most])} → {number(after[most])}"
    assert [rows[name][1] for name in ("none", "T5 bias", "RoPE", "ALiBi")] == ["0.000"] * 4
    assert rows["learned"][1:] == ("refused", "✗ no row")
    assert frame.title == f"Moved by 1,000 places, sinusoidal scores change by up to {number(change)}"
    assert drawn(shift=1000).title == "Moved by 1,000 places, RoPE scores stand still"


def test_the_learned_table_has_a_wall() -> None:
    frame = drawn(MAT, scheme="learned", trained=8, extra=6)
    hidden = mark(frame, "map_learned").mask
    place = np.arange(12) >= 8
    np.testing.assert_array_equal(hidden, place[:, np.newaxis] | place[np.newaxis, :])
    assert all(mark(frame, f"map_{scheme}").mask is None for scheme in SCHEMES if scheme != "learned")
    assert frame.title == "The learned table ends at row 7: place 11 is refused"
    assert "the table of 8 rows ends at position 7" in frame.notice
    assert frame.notice.startswith("12 tokens moved by 0 need rows up to 11. The table answers: ")
    preset = LESSON.preset("wall")
    context = Context(Shared(**preset.shared))
    walled = LESSON.frame(at(context, **preset.values), context)
    assert walled.title == "The learned table ends at row 7: place 8 is refused"
    assert readout(walled, "change") == "refused"
    assert mark(walled, "schemes").rows[4] == ("learned", "refused", "✗ no row")
    assert lines(walled)[1] == "row 8 does not exist: the table ends at row 7"
    gone = drawn(scheme="learned", shift=512)
    assert mark(gone, "map_learned").mask.all()
    assert mark(gone, "map_learned_gone").text == "no row\n512"
    assert mark(drawn(scheme="learned", shift=509), "map_learned").mask is None
    assert lines(gone)[1] == "row 514 does not exist: the table ends at row 511"


def test_what_training_has_met_is_counted_in_places_or_in_gaps() -> None:
    def told(context: Context, **values: object) -> dict[str, str]:
        return {row[0]: row[2] for row in mark(drawn(context, **values), "schemes").rows[1:]}

    moved = told(CONTEXT, shift=FAR)
    assert moved["RoPE"] == moved["T5 bias"] == moved["ALiBi"] == "✓ seen", "a moved sentence has no new gap"
    assert moved["sinusoidal"] == "✗ new"
    longer = told(MAT, trained=4)
    assert (longer["RoPE"], longer["T5 bias"], longer["ALiBi"]) == ("✗ new: 8 of 8", "✗ new buckets", "~ goes on")
    assert mark(drawn(MAT, trained=4), "schemes").rows[0][2] == "whole text", "not of the picked pair alone"
    assert told(MAT, trained=200, extra=300)["T5 bias"] == "✓ same buckets"


def test_scores_are_those_of_the_published_rules() -> None:
    x = content.sentence("seeded", MAT).rows(16, 6)
    place = np.arange(6.0) + 100
    plain = x @ x.T / 4
    made = {scheme: schemes.scores(scheme, x, x, place, place) for scheme in SCHEMES}
    np.testing.assert_allclose(made["none"], plain)
    np.testing.assert_allclose(made["alibi"], plain + alibi.bias([schemes.slope(2)], 6, 6, symmetric=True)[0])
    joined = np.hstack([x, place[:, np.newaxis]])
    np.testing.assert_allclose(made["raw_index"], joined @ joined.T / math.sqrt(17))
    p = schemes.position_rows("sinusoidal", place, 16)
    np.testing.assert_allclose(made["sinusoidal"], attention(x + p, x + p, x).scores)
    biased = plain + schemes.t5_numbers()[schemes.bucket(np.arange(6) - np.arange(6)[:, np.newaxis])]
    np.testing.assert_allclose(made["t5"], biased)


@pytest.mark.parametrize(
    "case", [c for c in cases("t5_buckets") if c["id"] == "buckets32_max128"], ids=lambda c: c["id"]
)
def test_t5_buckets_are_the_golden_ones(case: dict[str, Any]) -> None:
    relative = np.arange(case["params"]["relative_position_from"], case["params"]["relative_position_to"] + 1)
    assert schemes.bucket(relative).tolist() == case["values"]["bidirectional"]
    x = content.sentence("seeded", CONTEXT).rows(16, 1)
    keys = relative + 1000.0
    got = schemes.scores("t5", x, np.repeat(x, len(keys), 0), np.array([1000.0]), keys)[0] - (x @ x.T)[0, 0] / 4
    np.testing.assert_allclose(got, schemes.t5_numbers()[case["values"]["bidirectional"]])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_window_costs_what_it_shows(scheme: str) -> None:
    words = content.sentence("seeded", MAT)
    source = Scores(scheme, words, MOST, 1000, 16)
    whole = source.block(slice(0, MOST), slice(0, MOST))
    np.testing.assert_allclose(source.block(slice(500, 509), slice(3, 60, 5)), whole[500:509, 3:60:5], atol=1e-12)
    assert source.shape == (MOST, MOST)
    assert source.block(slice(500, 500), slice(0, 3)).shape == (0, 3)
    frame = drawn(MAT, extra=MOST, shift=1000, scheme=scheme)
    assert mark(frame, f"map_{scheme}").rows == (0, WINDOW)
    assert source == Scores(scheme, content.sentence("seeded", MAT), MOST, 1000, 16), "equal sources are drawn once"


def test_a_long_text_can_be_scrolled() -> None:
    state = at(MAT, extra=100)
    state = LESSON.legal(LESSON.act(state, Scroll("map_rope", 10**6, 0), MAT), MAT)
    frame = LESSON.frame(state, MAT)
    assert mark(frame, "map_rope").rows == (106 - WINDOW, 106)
    assert state.query >= 106 - WINDOW
    longer = LESSON.edited(state, MAT, extra=200)
    assert mark(LESSON.frame(longer, MAT), "map_rope").rows == (206 - WINDOW, 206), "its end comes into view"


def test_frames_are_quick() -> None:
    for values in ({}, {"page": "distance"}, {"page": "table"}, {"page": "terms"}, {"page": "packed"}):
        state = at(MAT, extra=6, **values)
        LESSON.frame(state, MAT)
        times = []
        for _ in range(5):
            start = time.perf_counter()
            LESSON.frame(state, MAT)
            times.append(time.perf_counter() - start)
        assert min(times) < 0.005, values


# --- arithmetic ------------------------------------------------------------------------------------------------------

RESULT = re.compile(r"(?:.*[=≈] )?(−?[\d,.]+)$")


@QUICK
@given(
    st.sampled_from(SCHEMES),
    st.sampled_from([0, 3, 500]),
    st.integers(0, 5),
    st.integers(0, 5),
    st.sampled_from([2, 4, 8, 16, 36]),
    st.integers(1, 8),
)
def test_the_arithmetic_ends_in_the_cell(scheme: str, shift: int, query: int, key: int, d: int, head: int) -> None:
    frame = drawn(MAT, scheme=scheme, shift=shift, query=query, key=key, d=d, head=head)
    score = float(matrix(frame, f"map_{scheme}")[query, key])
    ends = [line for line in (lines(frame)[3:5] if shift else lines(frame)[1:3]) if line]  # moved: on the second page
    found = RESULT.match(ends[-1])
    assert found is not None, ends
    assert value(found[1]) == pytest.approx(score, abs=5.0001e-4 if abs(score) < 100 else 0.5)
    if scheme == "alibi":
        scaled, m, gap, sign, told = re.fullmatch(
            r"− slope × \|i − j\|:  (\S+) − (\S+) × (\S+) ([=≈]) (\S+)", ends[-1]
        ).groups()  # type: ignore[union-attr]
        assert (sign == "=") == (number(value(scaled) - value(m) * value(gap)) == told)
    if scheme == "none":
        total, root, sign, told = re.search(r"= (\S+) / (\S+) ([=≈]) (\S+)$", ends[-1]).groups()  # type: ignore[union-attr]
        assert (sign == "=") == (number(value(total) / value(root)) == told)
    if scheme == "rope" and ends[1].startswith("= "):
        told, total, root, last = re.fullmatch(r"= (\S+), .* pairs; (\S+) / (\S+) = (\S+)", ends[1]).groups()  # type: ignore[union-attr]
        assert told == total == number(_added(ends[0]), len(total.partition(".")[2]))
        assert number(value(total) / value(root)) == last
    elif scheme in ("sinusoidal", "learned", "rope") and " more = " not in ends[0]:
        parts, total = ends[0].replace("pairs: ", "= ").split("= ", 1)[1].rsplit(" = ", 1)
        decimals = len(total.partition(".")[2])
        assert number(_added(parts), decimals) == total


def _added(written: str) -> float:
    """``1.2 − 0.3 + 0.4`` worked out."""
    terms_ = written.replace("− ", "+ −").split(" + ")
    return sum(value(part) for part in terms_)


def test_the_moved_line_and_the_facts() -> None:
    written = lines(drawn(shift=1000))
    assert written[0] == "RoPE: “sat” at 1,002 asks “the” at 1,000"
    assert written[1] == "at 0: −0.742, moved by 1,000: −0.742, change of 0.000"
    assert written[2] == "all 9 scores in view change by less than 10⁻⁹: 0.000"
    assert lines(drawn(shift=1000, scheme="none"))[2] == "all 9 scores in view change by less than 10⁻⁹: 0.000"
    assert any("float32" in line for line in written)
    assert any("stand-ins" in line for line in lines(drawn(scheme="t5")))
    assert any("MiniLM’s" in line for line in lines(drawn(scheme="learned")))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("shift", "extra"), [(1, 0), (1000, 6), (FAR, 0), (FAR, 500)])
def test_the_change_is_worked_out_on_the_first_page(shift: int, extra: int, scheme: str) -> None:
    frame = drawn(MAT, scheme=scheme, shift=shift, extra=extra, query=5, key=1)
    assert max(map(len, lines(frame))) <= 72
    first = lines(frame)[:3]
    if readout(frame, "change") == "refused":
        assert "does not exist" in first[1]
        return
    assert first[2].endswith(": " + readout(frame, "change"))
    assert "changes by" not in first[1]
    start, here, change = re.fullmatch(r"at 0: (.*), moved by .*: (.*), change of (.*)", first[1]).groups()  # type: ignore[union-attr]
    if "illion" not in here:
        assert number(abs(value(here) - value(start)), len(change.partition(".")[2])) == change
    if not first[2].startswith("all "):
        before, after = re.search(r"(\S+) → (.*): ", first[2]).groups()  # type: ignore[union-attr]
        if "illion" not in after:
            change = readout(frame, "change")
            assert number(abs(value(after) - value(before)), len(change.partition(".")[2])) == change


def test_sixteen_numbers_are_written_out_as_eight_turned_pairs() -> None:
    for gap in range(33):
        written = lines(drawn(page="distance", query=2, key=2, distance=gap))
        assert len(re.findall(r"\d\.\d{3}", written[1])) == 8, written
        assert len(written[1]) <= 72
        assert written[2].startswith("= "), written
    assert " + 22 more = " in lines(drawn(d=50))[1]


# --- distance --------------------------------------------------------------------------------------------------------


def test_distance_shows_every_scheme_on_one_axis() -> None:
    frame = drawn(page="distance", scheme="alibi", query=2, key=2, span=32, distance=8)
    curves = {m.key: m for _, m in frame.marks() if isinstance(m, Curve) and m.key.startswith("curve_")}
    assert set(curves) == {f"curve_{scheme}" for scheme in SCHEMES if scheme != "raw_index"}
    names = {m.key: m for _, m in frame.marks() if isinstance(m, Curve) and m.name}
    assert len(names) == 7
    assert names["name_raw_index"].name == "raw index ↑", "of a line that leaves the axis no stub is left"
    places = sorted(float(m.y[-1]) for m in names.values())
    low, high = (getattr(panel_of(frame, "big").y, end) for end in ("low", "high"))
    assert min(np.diff(places)) > 0.079 * (high - low)
    assert low <= places[0] <= places[-1] <= high
    for key, m in curves.items():
        assert names[key.replace("curve", "name")].y[0] == m.y[-1], "a name's line begins where the curve ends"
    assert [m.key for m in curves.values() if m.role == "where"] == ["curve_alibi"], "one alone is coloured"
    assert all(m.role == "muted" for key, m in curves.items() if key != "curve_alibi")
    line = curves["curve_alibi"].y
    np.testing.assert_allclose(np.diff(line), -schemes.slope(2))
    np.testing.assert_allclose(curves["curve_none"].y, curves["curve_none"].y[0])
    looks = {(m.dash, mark(frame, key.replace("curve", "dots")).shape) for key, m in curves.items()}
    assert len(looks) == 6, "no two look alike"
    assert readout(frame, "score") == number(line[8])


def test_a_steep_line_is_cut_at_the_edge() -> None:
    values = np.array([0.0, -1.0, -2.0, -3.0, -4.0])
    x, y = ends.on_axis(values, -2.5, 1.0)
    np.testing.assert_allclose(x, [0.0, 1.0, 2.0, 2.5])
    np.testing.assert_allclose(y, [0.0, -1.0, -2.0, -2.5])
    x, y = ends.on_axis(values[::-1], -2.5, 1.0)
    np.testing.assert_allclose(x, [1.5, 2.0, 3.0, 4.0])
    assert not len(ends.on_axis(values, -0.5, 1.0)[0]), "a stub is left out"
    assert ends.spread([0.0, 0.0, 5.0], 0.0, 10.0) == pytest.approx([0.0, 0.8, 5.0])
    assert ends.spread([5.0, 5.0], 0.0, 10.0) == pytest.approx([4.6, 5.4])
    whole = drawn(page="distance", scheme="raw_index", query=2, key=2)
    assert len(mark(whole, "curve_raw_index").x) == 33, "the chosen one is shown whole"


def test_a_curves_name_picks_its_scheme() -> None:
    state = at(page="distance", scheme="rope")
    assert LESSON.act(state, Pick("name_raw_index", (0,)), CONTEXT).scheme == "raw_index"


def test_distance_moves_only_what_counts_places() -> None:
    words = content.sentence("seeded", CONTEXT)
    start, moved = (
        distance.curves(words, 3, 2, 2, 16, 32, shift, 512, 2, "rope") for shift in (0, FAR)
    )  # fmt: skip
    for scheme in STILL:
        np.testing.assert_allclose(moved.of[scheme], start.of[scheme], atol=1e-9)
    assert moved.of["learned"] is None
    frame = drawn(page="distance", shift=FAR, scheme="learned")
    assert readout(frame, "score") == "refused"
    assert frame.title == "The learned table ends at row 511: the query has no row"


def test_the_handle_and_the_clock_move_the_distance() -> None:
    state = at(page="distance", distance=4, span=32)
    assert LESSON.act(state, Drag("here", 7.4, 0.0), CONTEXT).distance == 7
    assert LESSON.act(state, Drag("here", 1e9, 0.0), CONTEXT).distance == 32
    assert settle(step(state, 3.0)).distance == 7
    assert LESSON.slider_ends(at(page="distance", span=128))["distance"] == (0, 128)
    assert settle(step(state, 1e9)).distance == 32


# --- the table -------------------------------------------------------------------------------------------------------


def test_the_table_is_computed_for_the_sizes() -> None:
    rows = {row[0]: row for row in overview.table_rows(at(d_model=768, max_len=1024, n_heads=12))[1:]}
    assert rows["learned"][1] == "786,432"
    assert rows["T5 bias"][1] == "384"
    assert [rows[name][1] for name in ("none", "raw index", "sinusoidal", "RoPE", "ALiBi")] == ["0"] * 5
    assert rows["learned"][4] == "no row 1,024: refused"
    llama = at(d_model=4096, max_len=4096, n_heads=32)
    assert overview.new_pairs(llama) == (18, 64), "the 18 slowest of 64 pairs"
    assert overview.beyond(llama, "alibi") == "gentlest head: from −16.0"
    one = [overview.beyond(at(d_model=2, n_heads=1, max_len=length), "rope") for length in (6, 7)]
    assert one == ["1 pair: new angles", "all pairs have wrapped"]
    assert overview.beyond(at(d_model=768, n_heads=5), "rope") == "needs an even head size"


def test_t5s_last_bucket_begins_where_it_says() -> None:
    first = int(re.search(r"from (\d+) on", overview.beyond(at(), "t5"))[1])  # type: ignore[index]
    last = schemes.bucket(np.array([-(10**6)]))[0]
    assert schemes.bucket(np.array([-first]))[0] == last
    assert schemes.bucket(np.array([1 - first]))[0] == last - 1


def test_users_are_those_of_the_file() -> None:
    known = {model.name for model in models()}
    assert {m.name for scheme in SCHEMES for m in overview.users(scheme)} == known
    for scheme in SCHEMES:
        for name in overview.users_text(scheme).split(", …")[0].split(", "):
            assert any(model.startswith(name) for model in known) or not overview.users(scheme)
    assert overview.users_text("alibi") == "BLOOM-176B, MPT-7B"
    unknown = next(model for model in models() if model.name.startswith("Llama 4"))
    assert overview.longest(unknown) == "unknown"
    listed = mark(drawn(page="table", scheme="rope", list_from=40), "models")
    assert len(listed.rows) == 1 + overview.LISTED, "the list ends with its last model"


def test_picking_a_row_picks_its_scheme() -> None:
    state = at(page="table")
    assert LESSON.act(state, Pick("schemes", (4,)), CONTEXT).scheme == "learned"
    assert LESSON.act(state, Pick("schemes", (0,)), CONTEXT) == state
    assert LESSON.act(state, Key("schemes", "down"), CONTEXT).scheme == "alibi"
    frame = drawn(page="table", scheme="learned")
    table = mark(frame, "schemes")
    assert isinstance(table, Table)
    assert table.rows[table.picked][0] == "learned"
    assert lines(frame)[0] == "places × width = 1,024 × 768 = 786,432"


# --- the four terms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("added", ["sinusoidal", "learned"])
@pytest.mark.parametrize("shift", [0, 400])
def test_four_terms_sum_to_the_score(added: str, shift: int) -> None:
    frame = drawn(MAT, page="terms", added=added, shift=shift)
    parts = [matrix(frame, f"term_{name}") for name in terms.TERMS]
    np.testing.assert_allclose(sum(parts), matrix(frame, "term_sum"), atol=1e-12)
    scored = drawn(MAT, scheme=added, shift=shift)
    np.testing.assert_allclose(matrix(frame, "term_sum"), matrix(scored, f"map_{added}"), atol=1e-12)
    assert len({mark(frame, f"term_{name}").levels for name in terms.TERMS[1:]}) == 1, "terms with places share a scale"
    _, fine = mark(frame, "term_position").levels
    assert max(float(np.abs(part).max()) for part in parts[1:]) > 0.25 * fine, "on which they can be seen"
    _, top = mark(frame, "term_content").levels
    assert f"±{top:.0f}" in panel_of(frame, "big").note
    assert f"±{fine:.0f}" in panel_of(frame, "big").note


@QUICK
@given(
    st.sampled_from(["sinusoidal", "learned"]),
    st.sampled_from([0, 7, 300]),
    st.sampled_from([4, 16]),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_the_printed_terms_add_up(added: str, shift: int, d: int, query: int, key: int) -> None:
    written = lines(drawn(MAT, page="terms", added=added, shift=shift, d=d, query=query, key=key))
    parts, total = written[1].split(" = ")
    assert number(_added(parts)) == total


def test_a_moved_sentence_changes_the_mixed_terms_alone() -> None:
    words = content.sentence("seeded", MAT)
    start, here = (terms.seen(at(MAT, page="terms"), words, 6, shift) for shift in (0, 1000))
    whole = slice(0, 6)
    changes = [
        float(np.abs(a.block(whole, whole) - b.block(whole, whole)).max())
        for a, b in zip(start.parts, here.parts, strict=True)
    ]
    assert changes[0] == 0.0
    assert changes[3] < 1e-9, "a sinusoid's p·r sees the gap alone"
    assert min(changes[1:3]) > 0.1
    frame = drawn(MAT, page="terms", shift=1000)
    rows = {row[0]: row[-1] for row in mark(frame, "terms").rows[1:]}
    assert rows["x·y"] == rows["p·r"] == rows["RoPE"] == "0.000"
    assert readout(frame, "mixed") == max(rows["x·r"], rows["p·y"]), "the headline stands in the table"


@QUICK
@given(
    st.sampled_from(["sinusoidal", "learned"]),
    st.sampled_from([1, 100, 400]),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_printed_changes_follow_from_the_printed_columns(added: str, shift: int, query: int, key: int) -> None:
    frame = drawn(MAT, page="terms", added=added, shift=shift, query=query, key=key)
    for _, before, after, change in mark(frame, "terms").rows[1:]:
        assert number(abs(value(after) - value(before))) == change
    start = drawn(MAT, page="terms", added=added, query=query, key=key)
    listed = {row[0]: value(row[1]) for row in mark(start, "terms").rows[1:]}
    assert readout(start, "mixed") == number(listed["x·r"] + listed["p·y"])


def test_products_are_written_out_for_four_numbers() -> None:
    written = lines(drawn(page="terms", d=4))
    at_ = written.index(next(line for line in written if line.startswith("x·y = (")))
    factors = " ".join(written[at_ : at_ + 2])
    pairs = re.findall(r"\(([^)]*)\)\(([^)]*)\)", factors)
    assert len(pairs) == 4
    products, total, _, quotient = re.fullmatch(r"\s+= (.*) [=≈] (\S+),  / 2 ([=≈]) (\S+)", written[at_ + 2]).groups()  # type: ignore[union-attr]
    assert sum(value(a) * value(b) for a, b in pairs) == pytest.approx(value(total), abs=1e-3)
    assert _added(products) == pytest.approx(value(total), abs=1e-3)
    assert number(value(total) / 2) == quotient


def test_a_term_knows_the_wall_only_where_it_needs_rows() -> None:
    frame = drawn(MAT, page="terms", added="learned", trained=4)
    assert mark(frame, "term_content").mask is None
    assert mark(frame, "term_rope").mask is None
    assert mark(frame, "term_position").mask is not None
    walled = drawn(MAT, page="terms", added="learned", trained=4, query=5)
    assert walled.title == "The learned table ends at row 3: there is nothing to add"
    assert Product("learned", (True, True), content.sentence("seeded", MAT), 6, 0, 16, 4).shape == (6, 6)


# --- packed documents ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("packed_documents"), ids=lambda c: c["id"])
def test_packed_documents_are_the_golden_ones(case: dict[str, Any]) -> None:
    params, values = case["params"], case["values"]
    q, k, v = (np.array(params[name]) for name in "qkv")
    lengths = tuple(params["doc_lengths"])
    names = {
        ("continuous", "plain"): "out_continuous_plain_causal",
        ("restarted", "plain"): "out_reset_plain_causal",
        ("continuous", "block"): "out_continuous_block_causal",
        ("restarted", "block"): "out_reset_block_causal",
    }
    assert set(names) == set(COMBINATIONS)
    for (positions, mask), name in names.items():
        got = packed.attend("rope", q, k, v, lengths, positions == "restarted", mask == "block", "halves")
        np.testing.assert_allclose(got.output, values[name], atol=1e-10)
    separate = packed.alone("rope", q, k, v, lengths, "halves")
    np.testing.assert_allclose(separate, values["out_each_document_alone"], atol=1e-10)


def test_a_block_mask_is_enough_under_relative_schemes() -> None:
    documents = content.packed(CompareState().documents, False)
    for scheme in STILL:
        found = packed.ways(scheme, documents, 16)
        assert found.restarting[1] < 1e-12, scheme
        assert found.apart[2] < 1e-12, scheme
        assert found.apart[3] < 1e-12, scheme
        assert min(found.apart[:2]) > 0.01, f"{scheme}: restarting alone still leaks"
    absolute = packed.ways("sinusoidal", documents, 16)
    assert absolute.restarting[1] > 0.01
    assert absolute.apart[3] < 1e-12


def test_weights_sum_to_one_and_the_mask_is_what_is_hatched() -> None:
    frame = drawn(page="packed", attention="block")
    found = mark(frame, "weights")
    assert isinstance(found, Matrix)
    weights = matrix(frame, "weights")
    np.testing.assert_allclose(weights.sum(1), 1.0)
    np.testing.assert_array_equal(found.mask, ~packing.block_mask([3, 2]))
    assert weights[found.mask].max() == 0.0
    assert readout(frame, "share") == "0 %"
    assert {(o.row, o.rows) for o in found.outlines if o.role == "what"} == {(0, 3), (3, 2)}
    plain = drawn(page="packed")
    np.testing.assert_array_equal(mark(plain, "weights").mask, ~np.tri(5, dtype=bool))
    assert [label.split()[0] for label in mark(plain, "weights").row_labels] == list("01234")
    restarted = drawn(page="packed", positions="restarted")
    assert [label.split()[0] for label in mark(restarted, "weights").row_labels] == list("01201")


def test_a_boundary_token_hides_nothing() -> None:
    plain, with_boundary = (drawn(page="packed", boundary=on) for on in (False, True))
    assert value(readout(with_boundary, "share").removesuffix(" %")) > 10
    assert value(readout(plain, "share").removesuffix(" %")) > 10
    found = content.packed("a b | c", True)
    assert found.names == ("a", "b", "<end>", "c")
    assert found.lengths == (3, 1)
    assert matrix(drawn(page="packed", documents="a b | c", boundary=True), "weights")[3].min() > 0
    assert with_boundary.title.startswith("A boundary token hides nothing: ")
    assert panel_of(with_boundary, "share_panel").readouts[0].detail == "to <end> alone: 9 %"


def test_what_goes_to_boundaries_is_of_all_earlier_documents() -> None:
    documents = "a b c | d e | f g h"
    frame = drawn(page="packed", documents=documents, boundary=True)
    names = content.packed(documents, True)
    weights = matrix(frame, "weights")
    document = packing.document_index(names.lengths)
    later = range(names.lengths[0], len(document))
    crossing = [sum(weights[i, b] for b in names.boundaries if document[b] != document[i]) for i in later]
    assert len(names.boundaries) == 2
    assert (
        panel_of(frame, "share_panel").readouts[0].detail == f"to <end> alone: {number(100 * np.mean(crossing), 0)} %"
    )


def test_the_combinations_are_picked_and_played() -> None:
    state = at(page="packed")
    picked = LESSON.act(state, Pick("ways", (4,)), CONTEXT)
    assert (picked.positions, picked.attention) == ("restarted", "block")
    places = [settle(step(state, float(beat))) for beat in range(5)]
    assert [(s.positions, s.attention) for s in places] == [*COMBINATIONS, COMBINATIONS[-1]]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("boundary", [False, True])
@pytest.mark.parametrize("asking", [2, 99])
@pytest.mark.parametrize(
    "documents",
    [
        CompareState().documents,
        "a b c d | e f g h | i j",
        "cat sea blue red sat tree big | blue bird red",
        "the dog ran | one two three four five six seven",
    ],
)
def test_packed_shares_are_the_true_ones(documents: str, asking: int, boundary: bool, scheme: str) -> None:
    """Of weights that nobody has rounded: "≈" where the printed ones come out otherwise."""
    values = {"documents": documents, "boundary": boundary, "scheme": scheme}
    frame = drawn(page="packed", **values, asking=asking)
    names = content.packed(documents, boundary)
    x = names.words.rows(16, len(names.names))
    exact = packed.attend(scheme, x, x, x, names.lengths, False, False).weights
    np.testing.assert_allclose(matrix(frame, "weights"), exact)
    document = packing.document_index(names.lengths)
    crossing = (exact * (document[:, np.newaxis] != document[np.newaxis, :])).sum(1)[names.lengths[0] :]
    share = number(100 * crossing.mean(), 0) + " %"
    assert readout(frame, "share") == share
    assert share in frame.title
    places = mark(frame, "weights").decimals
    query = min(asking, len(document) - 1)
    for text, mine in zip(lines(frame)[:2], (True, False), strict=True):
        if text.endswith("hidden by the mask"):
            continue
        found = re.search(r": +(?:(.*) ([=≈]) )?(\S+)$", text)
        assert found is not None
        part = (document == document[query]) == mine
        assert found[3] == number(exact[query, part].sum(), places)
        if found[1] and "…" not in found[1]:
            assert (number(_added(found[1]), places) == found[3]) == (found[2] == "=")
    parts, sign, told = re.search(r"\((.*)\) / \d+ ([=≈]) (\d+ %)$", lines(frame)[2]).groups()  # type: ignore[union-attr]
    assert told == share
    if "…" not in parts:
        assert (number(100 * _added(parts) / len(crossing), 0) + " %" == told) == (sign == "=")


def test_one_document_has_no_others_that_a_mask_could_hide() -> None:
    written = lines(drawn(page="packed", documents="only one doc"))
    assert written[1].endswith("→ other documents: none: there is one document")
    first = lines(drawn(page="packed", documents="a b | c", asking=0))
    assert first[1].endswith("→ other documents: hidden by the mask")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("combination", COMBINATIONS)
def test_how_far_outputs_are_apart_is_worked_out(combination: tuple[str, str], scheme: str) -> None:
    """The number that lies farthest from what it is alone, as the table has it."""
    positions, attention_ = combination
    frame = drawn(page="packed", scheme=scheme, positions=positions, attention=attention_)
    table = mark(frame, "ways")
    shown = table.rows[table.picked][-1]
    written = lines(frame)[3]
    if shown == "0.000":
        assert written == "outputs differ from each document alone by at most 0.000"
        return
    here, alone, sign, apart = re.search(r": (\S+), alone (\S+): apart ([=≈]) (\S+)$", written).groups()  # type: ignore[union-attr]
    assert apart == shown
    assert (number(abs(value(here) - value(alone))) == apart) == (sign == "=")


def test_one_later_document_is_called_the_second() -> None:
    assert "of the second document’s attention" in drawn(page="packed").title
    assert "of the later documents’ attention" in drawn(page="packed", documents="a b | c d | e f").title


@pytest.mark.parametrize("d", [2, 4, 8, 16, 50])
@pytest.mark.parametrize("trained", [2, 6, 7, 8, 64, 511])
def test_only_slow_pairs_see_new_angles(d: int, trained: int) -> None:
    """As the table page counts them, and as the definition does: less than a turn within the trained length."""
    state = at(MAT, d=d, trained=trained, extra=507, scheme="rope")
    slow = sum(trained * 10_000 ** (-2 * pair / d) < 2 * math.pi for pair in range(d // 2))
    told = next(row[2] for row in mark(LESSON.frame(state, MAT), "schemes").rows if row[0] == "RoPE")
    assert told == (f"✗ new: {slow} of {d // 2}" if slow else "~ wrapped")
    detail = panel_of(LESSON.frame(state, MAT), "change_panel").readouts[0].detail
    whole = "for the one pair" if d == 2 else f"in {slow} of {d // 2} pairs"
    assert detail.endswith(f"new angles {whole}" if slow else "no angle is new")
    sizes = at(d_model=d, n_heads=1, max_len=trained)
    assert overview.new_pairs(sizes) == (slow, d // 2)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("shift", "d"), [(1, 16), (710, 2), (1000, 16), (FAR, 16)])
def test_only_what_stands_still_is_said_to(shift: int, d: int, scheme: str) -> None:
    """A change that is too small to be printed is one."""
    frame = drawn(scheme=scheme, shift=shift, d=d)
    if scheme == "learned" and shift + 3 > 512:
        assert "refused" in frame.title
        return
    change = np.abs(matrix(frame, f"map_{scheme}") - matrix(drawn(scheme=scheme, d=d), f"map_{scheme}")).max()
    assert ("stand still" in frame.title) == (change < 1e-9)
    assert frame.title.startswith("Moved by 1 place," if shift == 1 else f"Moved by {shift:,} places,")
    assert "none scores" not in frame.title


@pytest.mark.parametrize("values", [{}, {"extra": 9}, {"shift": 5}, {"shift": FAR}, {"vectors": "glove"}])
def test_scores_beyond_the_scale_are_told(values: dict[str, Any]) -> None:
    frame = drawn(MAT, **values)
    most, least, top = -1.0, 1.0, mark(frame, "map_none").levels[1]
    for scheme in SCHEMES:
        found = matrix(frame, f"map_{scheme}")
        if mark(frame, f"map_{scheme}").mask is None:
            most, least = max(most, found.max()), min(least, found.min())
    assert mark(frame, "scale_high").text.startswith("≥ ") == (most > top)
    assert mark(frame, "scale_low").text.startswith("≤ ") == (least < -top)


def test_too_many_documents_are_told() -> None:
    frame = drawn(page="packed", documents=" | ".join(["a b c d e f g h"] * 5))
    assert frame.notice == "Only three documents and 20 tokens are shown."
    assert matrix(frame, "weights").shape == (20, 20)
    assert drawn(page="packed", documents="one text alone").title == "One document: there is no join to see across"
    assert drawn(page="packed", documents=" | ").title == "There is nothing to compare yet"


# --- vectors, clock, picks -------------------------------------------------------------------------------------------


def test_no_vector_is_made_up_for_a_word_that_a_table_lacks() -> None:
    context = Context(Shared(sentence="cat qqqqzzz dog"))
    words = content.sentence("glove", context)
    assert (words.names, words.missing) == (("cat", "dog"), ("qqqqzzz",))
    frame = LESSON.frame(at(context, vectors="glove"), context)
    assert "qqqqzzz" in frame.notice
    nothing = Context(Shared(sentence="qqqqzzz"))
    assert LESSON.frame(at(nothing, vectors="glove"), nothing).title == "There is nothing to compare yet"


def test_drawn_vectors_belong_to_spellings() -> None:
    x = content.sentence("seeded", MAT).rows(16, 6)
    np.testing.assert_array_equal(x[0], x[4], err_msg="the … the")
    np.testing.assert_array_equal(x, x.round(2))
    assert not np.array_equal(x[1], x[2])
    assert f"drawn with seed {content.SEED}" in panel_of(drawn(), "big").caption
    assert "GloVe row" in panel_of(drawn(vectors="glove"), "big").caption


def test_playing_moves_the_sentence_by_decades_and_ends() -> None:
    state = at()
    shifts = [settle(step(state, float(beat))).shift for beat in range(9)]
    assert shifts == [0, 1, 10, 100, 1000, 10_000, 100_000, FAR, FAR]
    between = at(shift=37)
    assert settle(step(between, 1.0)).shift == 100
    assert settle(step(between, -1.0)).shift == 10
    end = step(between, 1e9)
    assert step(end, 1.0) == end
    assert settle(end).shift == FAR
    assert LESSON.edited(end, CONTEXT, shift=5).travel == 0.0


def test_a_cell_is_picked_in_any_map() -> None:
    state = LESSON.act(at(MAT), Pick("map_alibi", (4, 1)), MAT)
    assert (state.scheme, state.query, state.key) == ("alibi", 4, 1)
    assert LESSON.act(state, Pick("map_alibi", (9, 9)), MAT) == state
    moved = LESSON.act(state, Key("map_alibi", "up"), MAT)
    assert (moved.query, moved.key) == (3, 1)
    assert LESSON.act(at(MAT, page="terms"), Pick("term_sum", (3, 2)), MAT).query == 3
    pair = maps.pair_of(state, content.sentence("seeded", MAT), 6)
    assert arithmetic.Pair(pair.x, pair.y, 4, 1, 512, 2).score("alibi") == pair.score("alibi")
    assert dataclasses.replace(state, page="distance").scheme == "alibi"
