"""Similarity on whole tables: analogies, the map of all rows, axes, one row with two senses, agreement with others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encodings import similarity as mathematics
from core.encodings.checks import Cancelled
from core.lessons.similarity import bank, facts
from core.lessons.similarity import cloud as clouds
from core.lessons.similarity.axis import leaning
from core.lessons.similarity.curated import FORTY, KINDS, MONEY, OCCUPATIONS, RIVER
from core.lessons.similarity.flat import LATE, around
from core.lessons.similarity.lesson import LESSON, SimilarityState, act, frame
from core.lessons.similarity.solved import solve_job
from core.lessons.similarity.state import find, word
from core.stage.frame import Frame, Key, Pick, Points, Readout
from core.stage.lesson import Context, Shared
from core.stage.numbers import MINUS
from core.stage.numbers import number as number_of
from core.stage.params import from_mapping
from core.stage.text import text
from core.tables import shipped
from core.tables.table import Table
from core.tables.vocabulary import Vocabulary

CASES = Path(__file__).parents[2] / "cases"


def shown(table: str, **values: Any) -> Frame:
    return frame(from_mapping(SimilarityState, values), Context(Shared(table=table)))


def preset(name: str) -> tuple[SimilarityState, Context]:
    found = LESSON.preset(name)
    context = Context(from_mapping(Shared, found.shared))
    return LESSON.from_mapping(found.values, context), context


def mark(seen: Frame, key: str) -> Any:
    return next(mark for _, mark in seen.marks() if mark.key == key)


def keys(seen: Frame) -> set[str]:
    return {mark.key for _, mark in seen.marks()}


def texts(seen: Frame) -> list[str]:
    return [mark.text for _, mark in seen.marks() if hasattr(mark, "text")]


def readouts(seen: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in seen.panels for readout in panel.readouts}


def lines(seen: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in seen.worked.lines]


def number(written: str) -> float:
    return float(written.replace(MINUS, "-").replace("+", "").replace(",", "").strip("()"))


def solve(table: str, question: str, method: str, count: int = 10, hoped: str = "") -> Any:
    found = shipped.table(table)
    asked = tuple(find(found, name, True) for name in question.split())
    wanted = find(found, hoped, True) if hoped else None
    return solve_job(found, asked, count, method, wanted, lambda share: None, lambda: False)  # type: ignore[arg-type]


# --- analogies -------------------------------------------------------------------------------------------------------


def test_king_minus_man_plus_woman_is_queen_in_three_ways() -> None:
    scores = {}
    for name, method in (("queen", "rows"), ("queen_unit", "3CosAdd"), ("queen_product", "3CosMul")):
        state, context = preset(name)
        seen = frame(state, context)
        assert state.method == method
        assert readouts(seen)["answer"].value == "queen"
        assert mark(seen, "methods").picked == ("rows", "3CosAdd", "3CosMul").index(method) + 1
        scores[method] = readouts(seen)["score"].value
    assert scores == {"rows": "0.86", "3CosAdd": "0.85", "3CosMul": "0.93"}
    rows = mark(seen, "methods").rows[1:]
    assert [row[1:] for row in rows] == [("queen", "0.86"), ("queen", "0.85"), ("queen", "0.93")]


def test_the_words_of_the_question_are_shown_and_struck_out() -> None:
    seen = frame(*preset("queen"))
    names = [mark(seen, f"name_{place}").text for place in range(11)]
    assert names[:3] == ["king", "queen", "daughter"]
    assert {"dropped_0", "strike_0", "why_0"} <= keys(seen)
    assert mark(seen, "dropped_0").hatched
    assert list(mark(seen, "bars").x) == list(range(1, 11)), "an answer's bar is never one of the question"
    assert "struck out: king" in seen.alt


def test_rome_and_the_failure() -> None:
    assert "“france” is to “paris” as “italy” is to “rome”" in frame(*preset("rome")).title
    seen = frame(*preset("smollm2_rome"))
    assert "not “␣Rome”" in seen.title
    assert "hoped" in keys(seen)
    assert any("place 48" in said for said in texts(seen))
    found = solve("smollm2", "Paris France Italy", "rows", 60, "Rome")
    assert found.rank == 48
    table = shipped.table("smollm2")
    assert table.tokens[found.rows[47]] == "ĠRome", "the place counted over all rows is the place in the list"


@pytest.mark.parametrize("method", ["rows", "3CosAdd", "3CosMul"])
def test_the_place_of_a_hope_is_counted_over_all_rows(method: str) -> None:
    far = solve("minilm", "paris france italy", method, 3, "athens")
    near = solve("minilm", "paris france italy", method, 40, "athens")
    assert near.rank == far.rank == near.rows.index(find(shipped.table("minilm"), "athens")) + 1


def test_both_notations_ask_the_same() -> None:
    state, context = preset("queen")
    turned = LESSON.edited(state, context, notation="sentence")
    assert (turned.a, turned.b, turned.c) == ("man", "king", "woman")
    assert turned.hoped == "queen"
    one, other = frame(state, context), frame(turned, context)
    assert one.title == other.title
    assert lines(one) == lines(other)
    assert readouts(one)["answer"].label == "king − man + woman"
    assert readouts(other)["answer"].label == "man : king = woman : ?"
    assert LESSON.edited(state, context, c="girl").hoped == "", "another question, another hope"


@pytest.mark.parametrize("name", ["queen", "queen_unit", "queen_product", "rome", "swimming", "smollm2_rome"])
@pytest.mark.parametrize("place", [0, 4])
def test_the_printed_numbers_give_the_printed_score(name: str, place: int) -> None:
    state, context = preset(name)
    seen = frame(act(state, Pick("bars", (place,)), context), context)
    assert mark(seen, "bars").picked == place
    written = lines(seen)
    assert all(len(line) <= 72 for line in written)
    scores = []
    for line in written[2::3]:
        value, relation, result = re.match(r"score = (.+?) ([=≈]) (\S+)(?: {3}\(length.*\))?$", line).groups()  # type: ignore[union-attr]
        calculated = eval(value.replace("×", "*").replace(MINUS, "-"))  # digits, brackets and signs only
        assert (relation == "=") == (number_of(calculated, 2) == result)
        scores.append(result)
    assert scores[0] == mark(seen, "bars").labels[place]
    # Every score on the stage is derived: the hoped-for row's, and those of the other ways to ask.
    assert {row[2] for row in mark(seen, "methods").rows[1:]} <= set(scores)
    if "hoped" in keys(seen):
        assert mark(seen, "says_hoped").text.startswith(scores[1])
    if state.method != "3CosMul":
        one, minus, other, total = re.match(r"= (\S+) − (\S+) \+ (\S+) = (\S+)$", written[1]).groups()  # type: ignore[union-attr]
        assert number(one) - number(minus) + number(other) == pytest.approx(number(total), abs=1e-9)


def test_the_parallelogram_is_one() -> None:
    seen = frame(*preset("queen"))
    step = mark(seen, "step")
    moves = np.array([step.x1 - step.x0, step.y1 - step.y0])
    np.testing.assert_allclose(moves[:, 0], moves[:, 1], atol=1e-12)
    table = shipped.table("glove")
    king, man, woman = (table.row(find(table, name)).astype(float) for name in ("king", "man", "woman"))  # type: ignore[arg-type]
    corners = mark(seen, "corners")
    places = np.column_stack([corners.x, corners.y])
    for (i, one), (j, other) in (((0, king), (1, man)), ((1, man), (2, woman)), ((0, king), (2, woman))):
        assert np.hypot(*(places[i] - places[j])) == pytest.approx(float(np.linalg.norm(one - other)), abs=1e-9)


def test_the_display_filter_is_left_out_of_answers() -> None:
    table = shipped.table("minilm")
    hidden = frozenset([*table.hidden_rows, find(table, "queen") or 0])
    filtered = Table(table.id, table.title, table.vocabulary, table.tokens, table.values, table.scales, None, hidden)
    asked = tuple(find(table, name) for name in ("king", "man", "woman"))
    for method in ("rows", "3CosAdd", "3CosMul"):
        found = solve_job(filtered, asked, 10, method, None, lambda share: None, lambda: False)  # type: ignore[arg-type]
        assert len(found.rows) == 10
        assert not hidden & set(found.rows)


def test_rows_that_cancel_give_no_answer() -> None:
    numbers = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0], [0.0, 0.0], [0.6, 0.8]])
    tokens = ("king", "man", "woman", "zero", "other")
    table = Table("own", "own", Vocabulary("own", "own", 5), tokens, numbers)
    context = Context(Shared(table="glove"))
    context.__dict__["table"] = table
    for values in ({"method": "rows"}, {"b": "zero", "method": "3CosMul"}):
        seen = frame(SimilarityState(view="analogy", **values), context)  # type: ignore[arg-type]
        assert seen.alt
        assert "bars" not in keys(seen)


def test_a_lessons_table_lends_its_place_to_glove() -> None:
    for view in ("analogy", "axis", "bias", "bank"):
        seen = shown("lesson_4x3", view=view)
        assert "GloVe" in seen.notice
        assert "missing_0" not in keys(seen)


# --- what two rows have in common ---------------------------------------------------------------------------------


def usual(table: str | Table, metric: str) -> float:
    found = shipped.table(table) if isinstance(table, str) else table
    return facts.average_job(found, metric, lambda share: None, lambda: False)


def pairwise(rows: Any, metric: str) -> float:
    """Of all pairs of different rows, one by one."""
    compare = {"cosine": mathematics.cosine, "dot": mathematics.dot, "distance": mathematics.euclidean}[metric]
    found = compare(rows, rows)[np.triu_indices(len(rows), 1)]
    return float(np.nanmean(found))


@pytest.mark.parametrize("metric", ["cosine", "dot", "distance"])
@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_the_average_is_that_of_all_pairs(metric: str, blocks: int) -> None:
    rng = np.random.default_rng(blocks)
    rows, dim = 1300, 6
    numbers = rng.normal(0.4, 1.0, (rows, dim)) * rng.uniform(0.2, 3.0, (rows, 1))
    numbers[[3, 700]] = 0.0
    scales = None
    if blocks:
        scales = rng.uniform(0.01, 0.02, (rows, blocks) if blocks > 1 else rows).astype(np.float32)
        numbers = np.clip(numbers * 40, -127, 127).astype(np.int8)  # type: ignore[assignment]
    own = Table("own", "own", Vocabulary("own", "own", rows), [f"w{row}" for row in range(rows)], numbers, scales)
    exact = pairwise(own.vectors.astype(float), metric)
    assert usual(own, metric) == pytest.approx(exact, rel=0.01 if metric == "distance" else 1e-5)


@pytest.mark.parametrize("metric", ["cosine", "dot", "distance"])
def test_the_printed_average_is_the_tables_own(metric: str) -> None:
    for name in ("glove", "minilm", "smollm2"):
        table = shipped.table(name)
        chosen = np.random.default_rng(5).permutation(table.rows)[:2500]  # 3 million pairs, not those that are used
        exact = pairwise(table.vectors[chosen].astype(float), metric)
        assert usual(name, metric) == pytest.approx(exact, abs=0.05 if metric == "dot" else 0.03)
        label = f"on average{number_of(usual(name, metric), 2)}"
        caption = mark_panel(shown(name, view="neighbours", first="cat", metric=metric), "bars_panel")
        assert label.removeprefix("on average") + " on average" in caption


def mark_panel(seen: Frame, key: str) -> str:
    return next(panel.caption for panel in seen.panels if panel.key == key)


def test_the_average_can_be_cancelled() -> None:
    for metric in ("cosine", "distance"):
        with pytest.raises(Cancelled):
            facts.average_job(big(60_000, 4), metric, lambda share: None, lambda: True)


def test_senses_wait_for_the_average_and_claim_nothing_before() -> None:
    state, context = preset("bank")
    seen = frame(state, Context(context.shared, ask=lambda job: None))
    assert seen.computing
    assert "one_sense" in keys(seen)
    assert "near" not in seen.title
    assert not frame(state, context).computing


@pytest.mark.parametrize("groups", [((), MONEY), (RIVER, ()), ((), ()), (("qqzz",), MONEY)])
def test_a_sense_without_words_has_no_mean(groups: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    seen = shown("glove", view="bank", one_sense=groups[0], other_sense=groups[1])
    assert set(readouts(seen)) == {
        key for key, words in zip(("mean_one", "mean_other"), groups, strict=True) if set(words) & {*RIVER, *MONEY}
    }
    said = " ".join([seen.title, seen.alt, *texts(seen), *lines(seen)])
    assert "undefined" not in said
    assert "like “none”" not in said
    assert "like none" not in said


# --- the whole table -------------------------------------------------------------------------------------------------


def test_the_map_of_a_whole_table() -> None:
    seen = frame(*preset("glove_whole"))
    density = mark(seen, "density")
    table = shipped.table("glove")
    found = mathematics.pca(table.vectors, 2)
    assert readouts(seen)["share"].value == f"{100 * found.explained_variance_ratio.sum():.0f} %"
    cloud = clouds.cloud_job(table, lambda share: None, lambda: False)
    assert cloud.counts.sum() + cloud.outside == table.rows
    assert cloud.outside <= 4 * clouds.EDGE * table.rows
    assert density.columns[1] <= clouds.ACROSS
    points = mark(seen, "points")
    assert points.labels == KINDS
    rows = [find(table, name) for name in KINDS]
    np.testing.assert_allclose(np.column_stack([points.x, -points.y]), found.points[rows], atol=1e-6)
    # A word lies in a cell that counts it.
    for x, y in zip(points.x, points.y, strict=True):
        column, row = int((x - density.place.x) / cloud.side), int((y - density.place.y) / cloud.side)
        assert cloud.counts[row, column] >= 1


def test_what_the_whole_map_leaves_out_is_said_once() -> None:
    table = shipped.table("minilm")
    seen = shown("minilm", view="map", whole=True, words=KINDS)
    cloud = clouds.cloud_job(table, lambda share: None, lambda: False)
    drawn = cloud.counts.sum() + cloud.outside
    assert drawn == table.rows - len(table.hidden_rows)
    assert f"directions come from all {table.rows:,} rows" in seen.notice
    assert f"{len(table.hidden_rows)} rows of the display filter" in seen.notice
    assert seen.alt.startswith(f"{drawn:,} rows as a density")
    assert "left out" not in seen.notice


def test_the_whole_map_waits_for_its_job() -> None:
    state = SimilarityState(view="map", whole=True)
    seen = frame(state, Context(Shared(table="glove"), ask=lambda job: None))
    assert seen.computing
    assert "density" not in keys(seen)
    assert not frame(state, Context(Shared(table="lesson_animals"), ask=lambda job: None)).computing


def big(rows: int, dim: int) -> Table:
    numbers = np.random.default_rng(7).standard_normal((rows, dim), dtype=np.float32)
    numbers[:, 0] *= 3
    numbers[: rows // 2, 1] += 6
    return Table("own", "own", Vocabulary("own", "own", rows), [f"w{row}" for row in range(rows)], numbers)


def test_four_hundred_thousand_points() -> None:
    table = big(400_000, 6)
    told: list[float] = []
    cloud = clouds.cloud_job(table, told.append, lambda: False)
    assert cloud.counts.sum() + cloud.outside == 400_000
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert sum(cloud.shares) == pytest.approx(18 / 22, abs=0.01)
    context = Context(Shared(table="glove"))
    context.__dict__["table"] = table
    seen = frame(SimilarityState(view="map", whole=True, words=("w5", "w399999")), context)
    assert mark(seen, "points").labels == ("w5", "w399999")
    assert mark(seen, "density").source.shape == cloud.counts.shape


def test_the_projection_can_be_cancelled() -> None:
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        clouds.cloud_job(big(60_000, 4), lambda share: None, cancelled)
    assert len(asked) == 4


def test_the_display_filter_is_left_out_of_maps() -> None:
    table = shipped.table("minilm")
    hidden = table.tokens[min(table.hidden_rows)]
    state = from_mapping(SimilarityState, {"view": "map", "words": ("cat", "dog", hidden)})
    seen = frame(state, Context(Shared(table="minilm")))
    assert mark(seen, "points").labels == ("cat", "dog")
    assert "display filter" in seen.notice
    assert hidden not in seen.notice + seen.alt
    numbers, names = table.block(slice(0, 500), slice(0, 8)), table.tokens[:500]
    few = Table("own", "own", Vocabulary("own", "own", 500), names, numbers, hidden_rows=frozenset({3, 99}))
    cloud = clouds.cloud_job(few, lambda share: None, lambda: False)
    assert cloud.counts.sum() + cloud.outside == 498


# --- neighbours that a map loses -------------------------------------------------------------------------------------


def test_dashed_frames_mark_the_neighbours_that_a_flat_map_loses() -> None:
    state, context = preset("glove_neighbours")
    seen = frame(state, context)
    table = shipped.table("glove")
    row = find(table, "cat")
    assert row is not None
    near, _ = table.nearest(table.row(row), 10, "cosine", exclude=(row,))
    found = around(table, row, tuple(int(index) for index in near))
    assert [table.tokens[near[rank]] for rank in found.lost] == ["monkey", "snake"]
    apart = np.hypot(*(found.points[1:] - found.points[0]).T)
    for rank in range(10):
        late = int((apart < apart[rank] - 1e-9).sum()) - rank
        assert (late >= LATE) == (rank in found.lost)
    frames = mark(seen, "lost_bars")
    assert len(frames.x) == 5 * len(found.lost)
    assert frames.dash == mark(seen, "lost").dash == "dash"
    assert "lost_bars" not in keys(frame(LESSON.edited(state, context, lost=False), context))


@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2"])
def test_the_drawn_map_has_the_places_that_the_dashes_tell(table: str) -> None:
    """Equal scales, so that what is measured on the screen is what was counted."""
    for name in ("cat", "king", "bread", "car", "seven", "river"):
        seen = shown(table, view="neighbours", first=name)
        panel = next(panel for panel in seen.panels if panel.key == "around_panel")
        assert panel.equal
        points = mark(seen, "around")
        apart = np.hypot(points.x - points.x[0], points.y - points.y[0])[1:]
        late = [rank for rank in range(len(apart)) if (apart < apart[rank] - 1e-9).sum() - rank >= LATE]
        framed = [round(float(y)) for y in mark(seen, "lost_bars").y[2::5] - 0.41] if "lost_bars" in keys(seen) else []
        assert framed == late
    assert next(panel for panel in frame(*preset("queen")).panels if panel.key == "plane_panel").equal


# --- axes ------------------------------------------------------------------------------------------------------------


def test_the_bias_page_has_the_measured_values() -> None:
    table = shipped.table("glove")
    words = tuple(word(table, name, True) for name in OCCUPATIONS)
    found = leaning(table, word(table, "she"), word(table, "he"), words)
    assert found is not None
    value = dict(zip([entry.shown for entry in found.words], found.values.tolist(), strict=True))
    for name, wanted in (
        ("captain", 0.167), ("boss", 0.135), ("engineer", 0.073), ("scientist", 0.031), ("programmer", 0.024),
        ("pilot", -0.002), ("teacher", -0.028), ("librarian", -0.036), ("doctor", -0.037), ("nurse", -0.165),
        ("homemaker", -0.167), ("receptionist", -0.165), ("housekeeper", -0.165),
    ):  # fmt: skip
        assert value[name] == pytest.approx(wanted, abs=0.0006), name
    seen = frame(*preset("bias"))
    assert readouts(seen)["leaning"].value == "+0.17"
    assert "repeats its texts" in seen.title
    assert {entry.shown for entry in found.words} == set(OCCUPATIONS), "the list is curated: nothing else is placed"
    assert LESSON.shown_controls(SimilarityState(view="bias")) == ("occupation",)


@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2"])
def test_zero_is_no_middle_where_all_lean_one_way(table: str) -> None:
    seen = shown(table, view="bias")
    x = mark(seen, "points").x
    assert ("zero is not neutral" in seen.subtitle) == (x[0] * x[-1] > 0)
    assert ("how people wrote" in seen.subtitle) == (x[0] * x[-1] <= 0)


@pytest.mark.parametrize("name", ["axis_things", "axis_sizes", "axis_family", "bias"])
def test_a_place_is_the_difference_of_two_cosines(name: str) -> None:
    state, context = preset(name)
    for event in ("home", "end", "down"):
        state = act(state, Key("points", event), context)
        seen = frame(state, context)
        points = mark(seen, "points")
        assert isinstance(points, Points)
        assert list(points.x) == sorted(points.x)
        high, low, place, *poles = lines(seen)
        assert len(poles) == (0 if name == "bias" else 1), "the picture of the poles shows their cosine"
        for line in (high, low, *poles):
            dot, one, other, relation, cosine = re.match(r".* = (\S+) / \((\S+) × (\S+)\) ([=≈]) (\S+)$", line).groups()  # type: ignore[union-attr]
            places = len(cosine.partition(".")[2])
            same = round(number(dot) / (number(one) * number(other)), places) == number(cosine)
            assert same == (relation == "=")
        first, second, third = re.match(r"place = (\S+) − (\S+) = (\S+) [=≈] ", place).groups()  # type: ignore[union-attr]
        assert number(first) - number(second) == pytest.approx(number(third), abs=1e-9)
        assert (readouts(seen)["to_high"].value, readouts(seen)["to_low"].value) == (first, second.strip("()"))
        assert number(readouts(seen)["leaning"].value) == pytest.approx(float(points.x[points.picked[0]]), abs=0.0051)


def test_all_on_one_side_is_not_called_towards_both() -> None:
    seen = shown("smollm2", view="bias")
    points = mark(seen, "points")
    assert points.x.max() < 0
    assert seen.title.endswith("on the side of “␣she”, “␣dancer” the farthest")
    assert "towards" in frame(*preset("bias")).title


def test_an_axis_from_animal_to_machine_parts_them() -> None:
    seen = frame(*preset("axis_things"))
    names = [mark(seen, f"name_{place}").text for place in range(11)]
    assert set(names[:5]) == {"wolf", "lion", "cat", "dog", "horse"}


def test_forty_words_on_an_axis_do_not_share_a_place() -> None:
    seen = shown("glove", view="axis", low="animal", high="machine", words=FORTY)
    points = mark(seen, "points")
    assert len(points.x) == 40
    assert points.y.max() < 20
    gaps = [abs(points.x[a] - points.x[b]) for a in range(40) for b in range(a) if points.y[a] == points.y[b]]
    assert min(gaps) > 0.1


def test_one_pole_is_no_axis() -> None:
    seen = shown("glove", view="axis", low="cat", high="Cat")
    assert "points" not in keys(seen)
    assert "two different words" in texts(seen)[0]
    assert shown("glove", view="axis", low="he", high="she", words=()).title


# --- one row, two senses ---------------------------------------------------------------------------------------------


def test_one_row_for_bank() -> None:
    seen = frame(*preset("bank"))
    table = shipped.table("glove")
    one_row = table.row(find(table, "bank"))  # type: ignore[arg-type]
    for key, group in (("one_sense", RIVER), ("other_sense", MONEY)):
        bars = mark(seen, key)
        rows = np.array([table.row(find(table, name)) for name in group])  # type: ignore[arg-type]
        cosines = mathematics.cosine(rows, one_row)[:, 0]
        np.testing.assert_allclose(bars.height - bars.base, cosines, atol=1e-9)
        assert bars.labels == tuple(f"{value:.2f}" for value in cosines)
        printed = [number(label) for label in bars.labels]
        mean = readouts(seen)["mean_one" if key == "one_sense" else "mean_other"].value
        assert round(sum(printed) / len(printed), 2) == number(mean)
    assert lines(seen)[0] == "mean: river words = (0.41 + 0.55 + 0.35 + 0.34 + 0.39) / 5 = 0.41"
    assert lines(seen)[1].startswith("mean: money words = (0.64 + ")
    assert lines(seen)[2].startswith("cosine of bank with river = ")
    assert lines(seen)[6].startswith("bank · river = ")
    assert "0.04 on average" in seen.panels[0].caption, "near is more than what any two rows have in common"
    assert usual(table, "cosine") == pytest.approx(0.0364, abs=0.0001)
    diagram = next(panel for panel in seen.panels if panel.key == "diagram_panel")
    assert "no such vector is shown" in diagram.caption


def test_near_is_said_only_of_what_is_nearer_than_any_two_rows() -> None:
    assert "near “river” and near “money”" in frame(*preset("bank_minilm")).title
    seen = shown("smollm2", view="bank")
    assert number(readouts(seen)["mean_one"].value) < usual("smollm2", "cosine")
    assert "near" not in seen.title


def test_a_mean_too_long_for_the_board_loses_its_name_and_not_its_numbers() -> None:
    values = -np.full(6, 0.125)
    line = bank._mean_line("mean_one", "a long name …", values, number_of(-0.125), 3)
    written = "".join(term.text for term in line or ())
    assert written == "mean = (−0.125 − 0.125 − 0.125 − 0.125 − 0.125 − 0.125) / 6 = −0.125"
    assert bank._mean_line("mean_one", "none", np.array([np.nan]), "undefined", 3) is None


def test_marks_before_a_name_are_explained() -> None:
    space, piece = text("similarity.caption.space"), text("similarity.caption.piece")
    for name, mark_of in (("smollm2_neighbours", space), ("smollm2_map", space), ("minilm_neighbours", piece)):
        assert mark_of in frame(*preset(name)).panels[0].caption, name
    for view in ("pair", "matrix", "axis", "bank", "analogy"):
        assert space in shown("smollm2", view=view, first=" cat", words=("cat", "dog")).panels[0].caption, view
    assert space not in frame(*preset("glove_neighbours")).panels[0].caption


@pytest.mark.parametrize("name", ["glove_map", "minilm_map", "smollm2_map"])
def test_both_shares_of_a_map_come_to_the_share_above(name: str) -> None:
    seen = frame(*preset(name))
    one, other = map(number, re.findall(r"([0-9.]+) %", seen.panels[0].caption)[:2])
    assert readouts(seen)["share"].value == f"{one + other:.0f} %"


def test_the_small_map_of_neighbours_says_how_much_it_keeps() -> None:
    seen = frame(*preset("glove_neighbours"))
    one, other, whole, share = re.match(r".*: \((\S+) \+ (\S+)\) / (\S+) = (\d+) %$", lines(seen)[-1]).groups()  # type: ignore[union-attr]
    assert round(100 * (number(one) + number(other)) / number(whole)) == int(share)
    assert f"{share} % of the spread" in seen.panels[2].title


def test_an_answer_s_name_stands_on_its_dot_s_side_of_the_arrow() -> None:
    seen = frame(*preset("smollm2_rome"))
    name, dot, arrow = mark(seen, "reached_name"), mark(seen, "reached"), mark(seen, "goal")
    assert dot.y[0] < arrow.y[0]
    assert name.y < arrow.y[0]


def test_picking_walks_through_both_senses() -> None:
    state, context = preset("bank")
    assert act(state, Pick("other_sense", (2,)), context).second == "credit"
    for _ in range(5):
        state = act(state, Key("one_sense", "down"), context)
    assert state.second == "money"
    assert act(state, Pick("other_sense", (9,)), context) == state


def test_picking_an_answer_and_an_occupation() -> None:
    state, context = preset("smollm2_rome")
    picked = act(state, Pick("bars", (3,)), context)
    assert picked.second == " Milan"
    assert readouts(frame(picked, context))["answer"].value == "␣Milan"
    assert act(picked, Key("bars", "up"), context).second == " Italians"
    state, context = preset("bias")
    assert act(state, Key("points", "home"), context).occupation == "homemaker"
    assert act(state, Key("points", "up"), context).occupation == "coach"
    assert act(state, Pick("points", (99,)), context) == state
    missing = SimilarityState(view="analogy", a="kinng")
    assert act(missing, Pick("a_offers", (0,)), Context(Shared(table="glove"))).a != "kinng"


# --- forty words -----------------------------------------------------------------------------------------------------


def test_forty_words_in_a_matrix() -> None:
    state, context = preset("glove_forty")
    seen = frame(state, context)
    found = mark(seen, "matrix")
    assert found.rows == found.columns == (0, 40)
    assert sorted(found.row_names) == sorted(FORTY)
    picked = act(state, Pick("matrix", (39, 0)), context)
    after = mark(frame(picked, context), "matrix")
    assert (after.outlines[0].row, after.outlines[0].column) == (39, 0), "the picked cell comes first"
    assert act(picked, Key("matrix", "right"), context).second == found.row_names[1]


# --- agreement with what others measured -----------------------------------------------------------------------------


def evidence() -> list[Any]:
    return json.loads((CASES / "similarity_evidence.json").read_text(encoding="utf-8"))["lists"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", evidence(), ids=lambda case: f"{case['table']}-{case['word'].strip()}-{case['of']}")
def test_neighbours_agree_with_the_measured_lists(case: dict[str, Any]) -> None:
    """Those of the shipped tables to the last digit; those of the float32 sources as far as int8 keeps them."""
    seen = shown(case["table"], view="neighbours", first=case["word"], count=len(case["names"]))
    bars = mark(seen, "bars")
    names = [mark(seen, f"name_{rank}").text for rank in range(len(bars.x))]
    if case["of"] == "shipped":
        assert names == case["names"]
        assert list(bars.labels) == case["scores"]
        return
    common = set(names) & set(case["names"])
    assert len(common) >= len(names) - 1, "top lists of the source and of its int8 copy agree to 98.9 % on average"
    for name in common:
        ours, theirs = number(bars.labels[names.index(name)]), number(case["scores"][case["names"].index(name)])
        assert ours == pytest.approx(theirs, abs=0.0101)
