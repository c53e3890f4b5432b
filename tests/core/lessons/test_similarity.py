"""Similarity: the lesson's numbers, arithmetic that multiplies out, real neighbours, and words that are missing."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import similarity as mathematics
from core.lessons.similarity import facts, flat
from core.lessons.similarity.curated import ANIMALS, FOOD, FORTY, KINDS, MIXED
from core.lessons.similarity.lesson import LESSON, SimilarityState, act, frame, step
from core.lessons.similarity.lists import lines_of
from core.lessons.similarity.state import END, VIEWS, find, listed, table_of, typed_for, word
from core.stage.frame import Bars, Cards, Curve, Frame, Key, Label, Matrix, Pick, Points, Readout, Vectors, is_finite
from core.stage.lesson import Context, Shared
from core.stage.motion import panel_of
from core.stage.numbers import MINUS
from core.stage.numbers import number as number_of
from core.stage.params import from_mapping
from core.tables import shipped
from core.tables.table import Table
from core.tables.tokenizers import tokenizer
from core.tables.vocabulary import Vocabulary
from tests.core.printed import check_whole


def shown(table: str = "lesson_animals", **values: Any) -> Frame:
    return frame(from_mapping(SimilarityState, values), Context(Shared(table=table)))


def preset(name: str) -> tuple[SimilarityState, Context]:
    found = LESSON.preset(name)
    context = Context(from_mapping(Shared, found.shared))
    return LESSON.from_mapping(found.values, context), context


def mark(seen: Frame, key: str) -> Any:
    return next(mark for _, mark in seen.marks() if mark.key == key)


def keys(seen: Frame) -> set[str]:
    return {mark.key for _, mark in seen.marks()}


def readouts(seen: Frame) -> dict[str, Readout]:
    return {readout.key: readout for panel in seen.panels for readout in panel.readouts}


def lines(seen: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in seen.worked.lines]


def number(written: str) -> float:
    return float(written.replace(MINUS, "-").replace(",", ""))


# --- the lesson's numbers --------------------------------------------------------------------------------------------


def test_a_fresh_start_shows_cat_and_dog_although_the_chosen_table_has_no_words() -> None:
    seen = frame(LESSON.initial(), Context())
    assert readouts(seen)["cosine"].value == "0.981"
    assert "cat, dog, car" in seen.notice


def test_the_lessons_arithmetic_stands_as_in_the_lesson() -> None:
    assert lines(shown()) == [
        "cat · dog = (0.8)(0.7) + (0.6)(0.7) + (0.1)(0.2) + (−0.2)(−0.1)",
        "          = 0.56 + 0.42 + 0.02 + 0.02 = 1.02",
        "cosine = 1.02 / (1.0247 × 1.0149) = 0.981",
        "|cat| = √(0.64 + 0.36 + 0.01 + 0.04) = √1.05 = 1.0247",
        "|dog| = √(0.49 + 0.49 + 0.04 + 0.01) = √1.03 = 1.0149",
        "distance = √(1.05 + 1.03 − 2 × 1.02) = √0.04 = 0.2",
        "angle = arccos(1.02 / (1.0247 × 1.0149)) = 11.2°",
    ]
    assert lines(shown(second="car"))[:4] == [
        "cat · car = (0.8)(−0.5) + (0.6)(0.3) + (0.1)(0.9) + (−0.2)(0.4)",
        "          = −0.40 + 0.18 + 0.09 − 0.08 = −0.21",
        "cosine = −0.21 / (1.0247 × 1.1446) = −0.179",
        "|cat| = √(0.64 + 0.36 + 0.01 + 0.04) = √1.05 = 1.0247",
    ]


@pytest.mark.parametrize(
    ("first", "second", "cosine", "dot", "angle"),
    [
        ("cat", "dog", "0.981", "1.02", "11.2°"),
        ("cat", "car", "−0.179", "−0.21", "100.3°"),
        ("dog", "car", "0", "0", "90.0°"),
        ("cat", "cat", "1.000", "1.05", "0.0°"),
    ],
)
def test_readouts(first: str, second: str, cosine: str, dot: str, angle: str) -> None:
    found = readouts(shown(first=first, second=second))
    assert (found["cosine"].value, found["dot"].value) == (cosine, dot)
    assert angle in found["cosine"].detail


def test_the_plane_shows_the_true_angle_and_the_true_lengths() -> None:
    seen = shown(second="car")
    one, other = mark(seen, "first"), mark(seen, "second")
    assert isinstance(one, Vectors)
    a, b = np.array([one.x1[0], one.y1[0]]), np.array([other.x1[0], other.y1[0]])
    lengths = np.hypot(*a), np.hypot(*b)
    assert a @ b / (lengths[0] * lengths[1]) == pytest.approx(-0.21 / math.sqrt(1.05 * 1.31), abs=1e-12)
    assert lengths[0] / lengths[1] == pytest.approx(math.sqrt(1.05 / 1.31))
    assert panel_of(seen, "plane").equal


def test_the_matrix_of_the_three_words() -> None:
    seen = shown(view="matrix")
    found = mark(seen, "matrix")
    assert isinstance(found, Matrix)
    block = found.source.block(slice(0, 3), slice(0, 3))
    table = shipped.table("lesson_animals")
    np.testing.assert_allclose(block, mathematics.cosine(table.values, table.values), atol=1e-15)
    assert block[1, 2] == 0.0, "dog and car: exactly 0, not 2.4e-17"
    assert found.decimals == 3


# --- arithmetic that multiplies out ----------------------------------------------------------------------------------

PAIRS = [
    ("lesson_animals", "cat", "dog"),
    ("lesson_random", "the", "mat"),
    ("lesson_4x3", "0", "2"),
    ("glove", "cat", "dog"),
    ("glove", "cat", "photosynthesis"),
    ("minilm", "cat", "kitten"),
    ("smollm2", " cat", " dog"),
]


@pytest.mark.parametrize(("table", "first", "second"), PAIRS)
def test_the_printed_numbers_give_the_printed_results(table: str, first: str, second: str) -> None:
    seen = shown(table, first=first, second=second)
    written = lines(seen)
    assert all(len(line) <= 72 for line in written)
    found = readouts(seen)
    factors = [tuple(map(number, pair)) for pair in re.findall(r"\((−?[\d.]+)\)\((−?[\d.]+)\)", " ".join(written[:2]))]
    sums = next(line for line in written if line.lstrip().startswith("= "))
    parts, relation, total = re.match(r"\s*= (.*?) ([=≈]) (\S+)$", sums).groups()  # type: ignore[union-attr]
    terms = [number(sign + value) for sign, value in re.findall(r"(−?) ?([\d.]+)(?! more)\b", parts.replace("+ ", ""))]
    for (one, other), term in zip(factors, terms, strict=False):
        assert term == pytest.approx(one * other, abs=0.00051), (one, other, term)
    places = len(total.partition(".")[2])
    assert (abs(sum(terms) - number(total)) < 0.5 * 10.0**-places - 1e-9) == (relation == "="), sums
    assert number(found["dot"].value) == pytest.approx(number(total), abs=0.0055)
    assert len(total.partition(".")[2]) <= (4 if table.startswith("lesson") else 3)
    division = next(line for line in written if line.startswith("cosine"))
    dot, one, other, relation, cosine = re.match(  # type: ignore[union-attr]
        r"cosine = (\S+) / \((\S+) × (\S+)\) ([=≈]) (\S+)$", division
    ).groups()
    assert (dot, cosine) == (total, found["cosine"].value)
    assert check_whole(seen) >= 5
    close = abs(number(dot) / (number(one) * number(other)) - number(cosine)) < 0.5 * 10.0 ** -len(
        cosine.split(".")[-1]
    )
    assert close == (relation == "=")


@pytest.mark.parametrize(("table", "first", "second"), PAIRS)
def test_the_numbers_are_those_of_the_encodings(table: str, first: str, second: str) -> None:
    rows = shipped.table(table)
    a, b = (rows.row(find(rows, typed)).astype(float) for typed in (first, second))  # type: ignore[arg-type]
    found = readouts(shown(table, first=first, second=second))
    for name, compare in (
        ("cosine", mathematics.cosine),
        ("dot", mathematics.dot),
        ("distance", mathematics.euclidean),
    ):
        written = found[name].value
        places = len(written.partition(".")[2])
        assert number(written) == pytest.approx(float(compare(a, b)[0, 0]), abs=0.51 * 10.0**-places), name


@pytest.mark.parametrize("name", [found.id for found in LESSON.presets])
def test_every_presets_arithmetic_comes_out(name: str) -> None:
    seen = frame(*preset(name))
    assert check_whole(seen) >= 2
    for line in lines(seen):
        assert len(line) <= 72
        # All products and the others' sum add up to the last place of the printed dot product.
        found = re.match(r" += (.*) \(\d+ more\) (.) (\S+)$", line)
        if found is not None:
            parts = re.findall(r"(−?) ?([\d.]+)", found[1].replace("+ ", ""))
            assert sum(number(sign + value) for sign, value in parts) == pytest.approx(number(found[3]), abs=1e-9)
            assert found[2] == "="


@pytest.mark.parametrize("name", ["glove_neighbours", "glove_forty", "glove_map", "glove_whole", "bank"])
def test_the_first_page_leads_to_the_large_cosine(name: str) -> None:
    seen = frame(*preset(name))
    assert any(re.match(r"cosine( of \w+ with \w+)? = ", line) for line in lines(seen)[:3])
    for start in range(0, len(lines(seen)), 3):
        page = [line for line in lines(seen)[start : start + 3] if line.strip()]
        assert all(" = " in line or line.lstrip().startswith("+") for line in page)
        assert re.search(r"[=≈] \S+( %)?°?$", page[-1]), "no page ends in the middle of a sum"


@pytest.mark.parametrize("table", ["lesson_animals", "glove", "minilm", "smollm2"])
def test_distance_and_angle_come_out_with_the_printed_numbers(table: str) -> None:
    names = KINDS if table != "lesson_animals" else ("cat", "dog", "car")
    rows = shipped.table(table)
    entries = [entry for name in names if (entry := word(rows, name, True)).row is not None]
    plain, pairs = 0, list(itertools.combinations(entries, 2))
    for one, other in pairs:
        pair = facts.compared(rows, one, other)
        written = ["".join(term.text for term in line) for line in lines_of(pair, "cosine")]
        distance = next(line for line in written if line.startswith("distance"))
        parts = re.match(r"distance = √\((\S+) \+ (\S+) − 2 × (\S+)\) = √(\S+) ([=≈]) (\S+)$", distance)
        assert parts is not None, distance
        a, b, dot, root, relation, result = parts.groups()
        assert number(a) + number(b) - 2 * number(dot.strip("()")) == pytest.approx(number(root), abs=1e-9), distance
        places = len(result.partition(".")[2])
        assert (number_of(math.sqrt(number(root)), places) in (result, f"{number(result):.{places}f}")) == (
            relation == "="
        ), distance
        angle = next(line for line in written if line.startswith("angle"))
        parts = re.match(r"angle = arccos\((\S+) / \((\S+) × (\S+)\)\) ([=≈]) (\S+)°$", angle)
        assert parts is not None, angle
        dot, a, b, sign, result = parts.groups()
        made = math.degrees(math.acos(min(max(number(dot) / (number(a) * number(b)), -1.0), 1.0)))
        assert (number_of(made, 1) == result) == (sign == "="), angle
        assert result + "°" == pair.written("angle")
        plain += relation == "=" == sign
    assert plain >= 0.97 * len(pairs), "more digits where three do not bring the result out"


def test_a_long_vector_shows_its_largest_terms_and_how_many_more() -> None:
    seen = shown("glove")
    assert lines(seen)[1].endswith("… and 46 more")
    assert "(46 more)" in lines(seen)[2]
    rows = mark(seen, "rows")
    products = mark(seen, "products").source.block(slice(0, 1), slice(0, 5))[0]
    assert rows.columns == (0, 5)
    assert list(np.abs(products[:4])) == sorted(np.abs(products[:4]), reverse=True)
    assert mark(seen, "strips").columns == (0, 50)


def test_terms_light_the_cells_they_came_from() -> None:
    seen = shown()
    third = next(term for term in seen.worked.lines[0] if term.text == "(0.1)(0.2)")
    assert set(third.lights) == {("rows", (0, 2)), ("rows", (1, 2)), ("products", (0, 2))}


def test_int8_tables_print_two_decimals_and_lessons_three() -> None:
    assert readouts(shown("glove"))["cosine"].value == "0.92"
    assert readouts(shown())["cosine"].value == "0.981"


# --- playing ---------------------------------------------------------------------------------------------------------


def test_playing_adds_one_product_after_the_other() -> None:
    state, context = preset("cat_dog")
    totals = []
    for _ in range(4):
        state = step(state, 1.0 if totals else 0.5)
        seen = frame(state, context)
        label = mark(seen, "sum")
        assert isinstance(label, Label)
        totals.append(label.text)
        assert readouts(seen)["cosine"].value == "…"
        assert "1.02" not in seen.alt
    assert totals == ["= 0.56", "= 0.98", "= 1.00", "= 1.02"]
    end = step(state, 100.0)
    assert end.terms == END
    assert readouts(frame(end, context))["cosine"].value == "0.981"
    assert lines(frame(end, context)) == lines(frame(step(end, -100.0), context))


def test_other_views_do_not_play() -> None:
    state = SimilarityState(view="map")
    assert step(state, 3.0) == state


def test_another_word_starts_anew() -> None:
    state = step(SimilarityState(), 2.0)
    assert LESSON.edited(state, Context(), second="car").terms == 0.0
    assert LESSON.edited(state, Context(), count=4).terms == 2.0


# --- neighbours ------------------------------------------------------------------------------------------------------

NEIGHBOURS = [
    ("glove", "cat", "dog 0.92, rabbit 0.85, monkey 0.81, rat 0.79, cats 0.79, pet 0.78, snake 0.78, dogs 0.78"),
    ("glove", "seven", "five 0.99, nine 0.99, six 0.99, eight 0.99, four 0.98, three 0.98, two 0.95, ten 0.90"),
    ("glove", "bank", "banks 0.87, securities 0.80, banking 0.80, investment 0.78, exchange 0.78, financial 0.77"),
    ("minilm", "cat", "cats 0.82, kitten 0.56, kitty 0.54, dog 0.42, pets 0.41, dogs 0.40, pet 0.38, ##cat 0.38"),
    ("minilm", "seven", "7 0.70, six 0.60, nine 0.58, five 0.57, seventh 0.55, eight 0.55, ##7 0.51, four 0.47"),
    ("smollm2", " cat", "␣Cat 0.73, Cat 0.69, cat 0.64, ␣cats 0.63, ␣dog 0.58, ␣pet 0.47, ␣Dog 0.47, Dog 0.46"),
    ("smollm2", " king", "␣King 0.82, King 0.72, ␣kings 0.70, ␣queen 0.62, ␣Queen 0.61, ␣emperor 0.59"),
]


@pytest.mark.parametrize(("table", "typed", "listing"), NEIGHBOURS)
def test_neighbours_are_the_published_tables_own(table: str, typed: str, listing: str) -> None:
    seen = shown(table, view="neighbours", first=typed, count=len(listing.split(", ")))
    assert seen.alt.partition("best first: ")[2].rstrip(".") == listing
    bars = mark(seen, "bars")
    assert isinstance(bars, Bars)
    assert [f"{mark(seen, f'name_{i}').text} {label}" for i, label in enumerate(bars.labels)] == listing.split(", ")


def test_the_display_filter_is_told() -> None:
    seen = shown("minilm", view="neighbours")
    assert "53 rows of the display filter" in seen.notice
    table = shipped.table("minilm")
    found = facts.neighbours_job(table, 4937, 20, "cosine", lambda share: None, lambda: False)
    assert not table.hidden_rows & set(found.rows)
    assert 4937 not in found.rows


@pytest.mark.parametrize("metric", ["cosine", "dot", "distance"])
def test_best_comes_first(metric: str) -> None:
    scores = mark(shown("glove", view="neighbours", metric=metric), "bars").height
    ordered = sorted(scores, reverse=metric != "distance")
    assert list(scores) == ordered


def test_a_search_that_is_not_done_yet_says_so() -> None:
    context = Context(Shared(table="minilm"), ask=lambda job: None)
    seen = frame(SimilarityState(view="neighbours"), context)
    assert seen.computing
    assert "bars" not in keys(seen)
    assert act(SimilarityState(view="neighbours"), Pick("bars", (0,)), context) == SimilarityState(view="neighbours")
    small = frame(SimilarityState(view="neighbours"), Context(Shared(table="lesson_animals"), ask=lambda job: None))
    assert not small.computing


# --- matrix and map --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["cosine", "dot", "distance"])
@pytest.mark.parametrize("order", ["typed", "clustered"])
def test_the_matrix_equals_the_encodings(metric: str, order: str) -> None:
    table = shipped.table("glove")
    seen = shown("glove", view="matrix", words=MIXED, metric=metric, order=order)
    found = mark(seen, "matrix")
    assert sorted(found.row_labels) == sorted(MIXED)
    assert found.row_labels == found.column_labels
    rows = np.array([table.row(table.find(name)) for name in found.row_names], dtype=float)  # type: ignore[arg-type]
    compare = {"cosine": mathematics.cosine, "dot": mathematics.dot, "distance": mathematics.euclidean}[metric]
    n = len(MIXED)
    np.testing.assert_allclose(found.source.block(slice(0, n), slice(0, n)), compare(rows, rows), atol=1e-9)
    assert (found.row_labels == MIXED) == (order == "typed")


def test_clustering_brings_the_kinds_together() -> None:
    names = mark(shown("glove", view="matrix", words=MIXED, order="clustered"), "matrix").row_labels
    places = sorted(names.index(name) for name in FOOD)
    assert places[-1] - places[0] == len(FOOD) - 1


@pytest.mark.parametrize("order", ["typed", "clustered"])
@pytest.mark.parametrize(
    "words",
    [MIXED, KINDS, FORTY, ANIMALS, (*MIXED, "idea"), ("idea", "law", "river", "green", "seven", "quickly", "under")],
    ids=["mixed", "kinds", "forty", "one kind", "one more", "any"],
)
@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2"])
def test_blocks_are_promised_only_where_they_are(table: str, words: tuple[str, ...], order: str) -> None:
    seen = shown(table, view="matrix", words=words, order=order)
    kinds = {name: kind for kind, five in enumerate(zip(*[iter(FORTY)] * 5, strict=True)) for name in five}
    kinds = {name: FORTY.index(name) % 5 for name in kinds}
    found = [kinds.get(name.strip("␣"), -1) for name in mark(seen, "matrix").row_names]
    together = len([kind for kind, _ in itertools.groupby(found)]) == len(set(found)) > 1 and -1 not in found
    assert ("form blocks" in seen.title) == (together and order == "clustered")


@pytest.mark.parametrize("view", ["matrix", "neighbours", "map"])
def test_the_large_number_says_whose_it_is(view: str) -> None:
    seen = shown("glove", view=view, words=("bread", "cheese", "rice"), first="cat", second="dog")
    assert panel_of(seen, "measures").title == "“cat” and “dog”"


@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2"])
@pytest.mark.parametrize("whole", [False, True])
def test_lines_and_words_that_lose_their_nearest_agree(table: str, whole: bool) -> None:
    for words in (KINDS, FORTY):
        seen = shown(table, view="map", words=words, whole=whole)
        lost = int(readouts(seen)["lost_count"].value.split()[0])
        drawn = len(mark(seen, "lost").x) // 2 if lost else 0
        twice = re.search(r"(\d+) lines? counts? for both ends", panel_of(seen, "map_panel").caption)
        assert drawn + int(twice[1] if twice else 0) == lost


def test_the_map_is_the_principal_components() -> None:
    table = shipped.table("glove")
    seen = shown("glove", view="map", words=KINDS)
    rows = np.array([table.row(table.find(name)) for name in KINDS], dtype=float)  # type: ignore[arg-type]
    found = mathematics.pca(rows, 2)
    points = mark(seen, "points")
    assert isinstance(points, Points)
    np.testing.assert_allclose(np.column_stack([points.x, points.y]), found.points, atol=1e-9)
    assert readouts(seen)["share"].value == f"{100 * found.explained_variance_ratio.sum():.0f} %"
    parts = re.match(r".*: \((\S+) \+ (\S+)\) / (\S+) ([=≈]) (\d+) %", lines(seen)[0]).groups()  # type: ignore[union-attr]
    one, other, whole = map(number, parts[:3])
    assert round(100 * (one + other) / whole) == int(parts[4])


def test_dashes_join_the_neighbours_that_a_map_loses() -> None:
    table = shipped.table("glove")
    entries = tuple(word(table, name, True) for name in KINDS)
    found = flat.flat(table, entries, "cosine")
    cosines = mathematics.cosine(
        facts.rows_of(table, tuple(entry.row for entry in entries)),
        facts.rows_of(table, tuple(entry.row for entry in entries)),
    )  # type: ignore[misc]
    np.fill_diagonal(cosines, -2)
    assert found.nearest == tuple(cosines.argmax(axis=1))
    assert 0 < len(found.lost) < len(KINDS)
    for one, other in found.lost:
        apart = np.hypot(*(found.points - found.points[one]).T)
        assert (np.delete(apart, one) < apart[other]).sum() >= flat.NEAR_ON_A_MAP
    seen = shown("glove", view="map", words=KINDS)
    assert isinstance(mark(seen, "lost"), Curve)
    assert "lost" not in keys(shown("glove", view="map", words=KINDS, lost=False))


def test_three_words_lie_in_a_plane() -> None:
    seen = shown(view="map")
    assert readouts(seen)["share"].value == "100 %"
    assert readouts(seen)["lost_count"].value == "0 of 3"


@pytest.mark.parametrize("view", ["matrix", "map"])
def test_one_word_and_the_same_word_twice(view: str) -> None:
    for words in (("cat",), ("cat", "Cat", "cat")):
        seen = shown(view=view, words=words)
        assert seen.title
        assert "undefined" in readouts(seen).get("share", Readout("share", "undefined")).value


# --- words and rows --------------------------------------------------------------------------------------------------


def test_a_leading_space_is_another_row() -> None:
    table = shipped.table("smollm2")
    bare, marked = find(table, "cat"), find(table, " cat")
    assert table.tokens[bare] == "cat"  # type: ignore[index]
    assert table.tokens[marked] == "Ġcat"  # type: ignore[index]
    assert find(table, "cat", in_a_list=True) == marked
    assert find(table, "Ġcat") == marked
    assert "␣cat" in shown("smollm2", first="cat").notice


def test_minilm_reads_capitals_and_accents_as_its_tokeniser_does() -> None:
    table = shipped.table("minilm")
    marks_of = {"a": "ä", "e": "é", "i": "ï", "o": "ô", "u": "ù", "c": "ç", "n": "ñ"}
    checked = 0
    for row in range(2000, table.rows, 97):
        plain = table.tokens[row]
        typed = "".join(marks_of.get(letter, letter) for letter in plain).capitalize()
        tokens = tokenizer("minilm").tokens(typed)
        if plain.isalpha() and len(tokens) == 1 and not tokens[0].unknown:
            assert find(table, typed) == tokens[0].id == row
            checked += 1
    assert checked > 150
    assert find(table, "café") == 7668
    assert "missing_0" not in keys(shown("minilm", first="naïve", second="café"))
    assert find(shipped.table("glove"), "cafés") != find(shipped.table("glove"), "cafes"), "GloVe keeps its accents"


@pytest.mark.parametrize(
    ("table", "values", "said"),
    [
        ("glove", {"first": "CAT", "second": "Paris"}, "“CAT” as “cat”, “Paris” as “paris”"),
        ("minilm", {"first": "café"}, "“café” as “cafe”"),
        ("glove", {"view": "neighbours", "first": "Paris"}, "“Paris” as “paris”"),
        ("glove", {"view": "matrix", "words": ("Paris", "rome")}, "“Paris” as “paris”"),
        ("glove", {"view": "analogy", "a": "King"}, "“King” as “king”"),
        ("smollm2", {"view": "analogy", "a": "Paris", "b": "France", "c": "Italy"}, "“Paris” is the row “␣Paris”"),
    ],
)
def test_a_word_read_as_another_row_is_told(table: str, values: dict[str, Any], said: str) -> None:
    assert said in shown(table, **values).notice


@pytest.mark.parametrize("table", ["lesson_animals", "glove", "minilm"])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_told_of_words_read_as_typed(table: str, view: str) -> None:
    notice = shown(table, view=view).notice
    assert " as “" not in notice
    assert "space before" not in notice


@pytest.mark.parametrize("name", ["glove", "minilm", "smollm2", "lesson_random"])
def test_what_is_picked_can_be_typed(name: str) -> None:
    table = shipped.table(name)
    for row in range(0, table.rows, max(1, table.rows // 500)):
        assert find(table, typed_for(table, row)) == row, table.tokens[row]


def test_a_missing_word_is_said_to_be_missing() -> None:
    seen = shown("glove", second="photosinthesis")
    assert "photosinthesis" in seen.title
    cards = mark(seen, "second_offers")
    assert isinstance(cards, Cards)
    assert cards.cards[0].title == "photosynthesis"
    assert not seen.worked.lines
    state = SimilarityState(second="photosinthesis")
    context = Context(Shared(table="glove"))
    assert act(state, Pick("second_offers", (0,)), context).second == "photosynthesis"
    assert act(state, Pick("second_offers", (9,)), context) == state
    assert act(state, Pick("first_offers", (0,)), context).first == "cat"


def test_missing_words_of_a_list_are_named_and_left_out() -> None:
    seen = shown("glove", view="matrix", words=("cat", "dog", "qqqqzz"))
    assert mark(seen, "matrix").row_labels == ("cat", "dog")
    assert "qqqqzz" in seen.notice
    empty = shown("glove", view="map", words=("photosinthesis",))
    assert "photosinthesis" in empty.title
    state = SimilarityState(view="map", words=("photosinthesis",))
    assert act(state, Pick("words_offers", (0,)), Context(Shared(table="glove"))).words == ("photosynthesis",)
    assert shown("glove", view="map", words=()).title


class OwnTable(Context):
    """A context whose chosen table is one that was opened, not a shipped one."""

    def __init__(self, table: Table) -> None:
        super().__init__(Shared(table="glove"))
        self.__dict__["table"] = table


@pytest.mark.parametrize("view", VIEWS)
def test_a_row_of_zeros_has_no_cosine(view: str) -> None:
    tokens = ("cat", "dog", "car")
    numbers = np.array([[0.0] * 6, [1.0, 2, 3, 4, 5, 6], [0.5, 0, 0, 1e-3, 7, 1]])
    table = Table("own", "own", Vocabulary("own", "own", 3), tokens, numbers)
    seen = frame(SimilarityState(view=view), OwnTable(table))
    if view in ("pair", "matrix"):
        assert readouts(seen)["cosine"].value == "undefined"
        assert any("undefined" in line for line in lines(seen))
    for _, found in seen.marks():
        if isinstance(found, Matrix):
            assert is_finite(found.source.block(slice(*found.rows), slice(*found.columns)))
    if view == "matrix":
        assert mark(seen, "matrix").mask[0].all()
    if view == "neighbours":
        assert "bars" not in keys(seen)
    assert "own" in seen.alt


# --- what a person does ----------------------------------------------------------------------------------------------


def test_picking_a_cell_sets_the_pair() -> None:
    state, context = preset("glove_matrix")
    names = mark(frame(state, context), "matrix").row_names
    picked = act(state, Pick("matrix", (2, 7)), context)
    assert (picked.first, picked.second) == (names[2], names[7])
    assert readouts(frame(picked, context))["cosine"].value
    moved = act(picked, Key("matrix", "down"), context)
    assert (moved.first, moved.second) == (names[3], names[7])
    moved = act(moved, Key("matrix", "left"), context)
    assert moved.second == names[6]
    assert act(moved, Key("matrix", "end"), context).second == names[-1]
    assert act(state, Pick("matrix", (99, 0)), context) == state


def test_picking_a_neighbour_sets_the_second_word() -> None:
    state, context = preset("smollm2_neighbours")
    picked = act(state, Pick("bars", (1,)), context)
    assert (picked.first, picked.second) == (" cat", "Cat")
    assert mark(frame(picked, context), "bars").picked == 1
    assert act(picked, Key("bars", "down"), context).second == "cat"
    assert act(picked, Key("bars", "home"), context).second == " Cat"


def test_the_last_two_dots_picked_are_the_pair() -> None:
    state, context = preset("glove_map")
    state = act(state, Pick("points", (KINDS.index("bus"),)), context)
    state = act(state, Pick("points", (KINDS.index("soup"),)), context)
    assert (state.first, state.second) == ("bus", "soup")
    assert act(state, Pick("points", (KINDS.index("soup"),)), context) == state
    assert set(mark(frame(state, context), "points").picked) == {KINDS.index("bus"), KINDS.index("soup")}
    assert act(state, Key("points", "right"), context).second == "cake"


def test_at_most_six_controls() -> None:
    for view in VIEWS:
        names = LESSON.shown_controls(SimilarityState(view=view))
        assert 0 < len(names) <= (8 if view == "analogy" else 6), "an analogy has two more behind “more”"


def test_equal_states_use_the_same_arrays() -> None:
    """What is kept is not drawn again."""
    one, other = (shown("glove", view="matrix", words=MIXED) for _ in "ab")
    assert mark(one, "matrix").source.values is mark(other, "matrix").source.values


# --- anything goes ---------------------------------------------------------------------------------------------------

TYPED = st.one_of(st.sampled_from(["cat", " dog", "Ġcat", "##s", "", " ", "-0.0", "a,b", "<b>"]), st.text(max_size=70))


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    table=st.sampled_from(shipped.table_ids()),
    view=st.sampled_from(VIEWS),
    first=TYPED,
    second=TYPED,
    words=st.lists(TYPED, max_size=45),
    metric=st.sampled_from(["cosine", "dot", "distance"]),
    order=st.sampled_from(["typed", "clustered"]),
    terms=st.floats(-1, 10),
    a=TYPED,
    b=st.one_of(st.just("man"), TYPED),
    c=st.one_of(st.just("woman"), TYPED),
    notation=st.sampled_from(["sum", "sentence"]),
    method=st.sampled_from(["rows", "3CosAdd", "3CosMul"]),
    hoped=TYPED,
    whole=st.booleans(),
    low=TYPED,
    high=st.one_of(st.just("he"), TYPED),
    many=st.one_of(st.just("bank"), TYPED),
    one_sense=st.lists(TYPED, max_size=8),
)
def test_whatever_is_typed_gives_a_finite_frame(table: str, **values: Any) -> None:
    context = Context(Shared(table=table))
    state = LESSON.from_mapping(values, context)
    seen = frame(state, context)
    assert table_of(state, context).rows
    assert len(listed(context.table, state.words)[0]) <= 40
    assert all(len(line) <= 72 for line in lines(seen))
    assert seen.alt
    for _, found in seen.marks():
        for name in ("x", "y", "x0", "y0", "x1", "y1", "low", "high", "height"):
            assert is_finite(getattr(found, name, 0.0)), (found.key, name)
        if isinstance(found, Matrix):
            assert is_finite(found.source.block(slice(*found.rows), slice(*found.columns)))
