"""Lookup: the lesson's numbers, arithmetic that comes out, windows that read only what they show."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings.embedding import lookup, one_hot
from core.lessons.lookup.lesson import LESSON, SECONDS
from core.lessons.lookup.places import motion
from core.lessons.lookup.scene import OneHotSource, TableSource, nearest_id
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import Cards, Frame, Key, Label, Mark, Matrix, Pick, Scroll
from core.stage.lesson import Context, Shared
from core.stage.params import from_mapping
from core.tables import shipped
from core.tables.table import Table as VectorTable

CAT = "The cat sat"


def context(table: str = "lesson_4x3", sentence: str = CAT, **shared: str) -> Context:
    return Context(from_mapping(Shared, {"table": table, "sentence": sentence, **shared}))


def show(table: str = "lesson_4x3", sentence: str = CAT, **values: Any) -> Frame:
    where = context(table, sentence)
    return LESSON.frame(LESSON.from_mapping(values, where), where)


def mark(frame: Frame, key: str) -> Any:
    return {found.key: found for _, found in frame.marks()}[key]


def marks(frame: Frame, kind: type[Mark]) -> list[Any]:
    return [found for _, found in frame.marks() if isinstance(found, kind)]


def numbers(matrix: Matrix) -> list[list[float]]:
    values = matrix.source.block(slice(*matrix.rows), slice(*matrix.columns))
    return np.asarray(values).tolist()  # type: ignore[no-any-return]


def written(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def vector(piece: str) -> list[float]:
    return [float(entry.replace("−", "-")) for entry in re.findall(r"−?\d+\.\d+", piece)]


def multiplied_out(frame: Frame) -> tuple[list[float], list[float]]:
    """The sum of the terms written, and the result written."""
    terms = [term.text for line in frame.worked.lines for term in line if "×" in term.text and "[" in term.text]
    total = sum(float(term.split("×")[0]) * np.array(vector(term.split("×")[1])) for term in terms)
    result = next(term.text for line in frame.worked.lines for term in line if term.text.startswith("["))
    return np.asarray(total).round(6).tolist(), vector(result)


# --- the lessons' numbers --------------------------------------------------------------------------------------------


def test_the_lesson_by_default() -> None:
    frame = LESSON.frame(LESSON.initial(), Context())
    assert numbers(mark(frame, "onehot")) == [[0, 0, 1, 0]]
    assert numbers(mark(frame, "E")) == [[0.1, -0.3, 0.8], [0.4, 0.2, -0.6], [0.5, 0.9, -0.2], [-0.7, 0.1, 0.3]]
    assert numbers(mark(frame, "result")) == [[0.5, 0.9, -0.2]]
    assert written(frame) == [
        "  0 × [ 0.1 −0.3  0.8 ] + 0 × [ 0.4  0.2 −0.6 ]",
        "+ 1 × [ 0.5  0.9 −0.2 ] + 0 × [−0.7  0.1  0.3 ]",
        "= [ 0.5  0.9 −0.2 ]   so code indexes row 2 and skips the zeros",
    ]
    assert [card.title for card in mark(frame, "cards").cards] == ["ID 0", "ID 1", "ID 2", "ID 3"]
    assert "0.5, 0.9, −0.2" in frame.alt


def test_seed_0() -> None:
    frame = show("lesson_random", token=1)
    assert numbers(mark(frame, "result")) == [[-0.54, 0.36, 1.30, 0.95]]
    assert any("= [−0.54  0.36  1.30  0.95 ]" in line for line in written(frame))


def test_three_vocabularies_have_three_numbers_for_the_same_words() -> None:
    frame = show("minilm", ids="gpt2", token=1)
    assert [card.subtitle for card in mark(frame, "gpt2").cards] == ["ID 464", "ID 3797", "ID 3332"]
    assert [card.subtitle for card in mark(frame, "cards").cards] == ["ID 1996", "ID 4937", "ID 2938"]
    assert "does not come with" in frame.notice
    frame = show("smollm2")
    assert [card.subtitle for card in mark(frame, "cards").cards] == ["ID 504", "ID 2644", "ID 2643"]


def test_cat_and_sat_are_next_door_in_smollm2() -> None:
    frame = show("smollm2", token=1)
    labels = mark(frame, "E").row_labels
    at = labels.index("␣cat  2644")
    assert labels[at - 1] == "␣sat  2643"
    assert "␣sat" in frame.subtitle
    assert "49,151 zeros" in frame.title, "the one-hot row is as long as the vocabulary, not as the part that ships"


def test_size_of_gpt2s_table() -> None:
    where = context(model="gpt-2-small-124m")
    frame = LESSON.frame(LESSON.initial(where), where)
    shape: Label = mark(frame, "shape")
    assert "50,257 × 768 = 38.6 million" in shape.text
    sizes = [mark(frame, f"{name} bytes").text for name in ("float32", "float16", "int8")]
    assert sizes == ["154 MB", "77.2 MB", "38.6 MB"]


def test_beside_other_tables_stands_their_own_size() -> None:
    shapes = {
        "minilm": "30,522 × 384 = 11.7 million",
        "glove": "40,000 × 50 = 2.0 million",
        "smollm2": "49,152 × 576 = 28.3 million",
        "lesson_random": "5 × 4 = 20",
    }
    for table, shape in shapes.items():
        frame = show(table)
        assert mark(frame, "shape").text == shape
        assert "GPT-2" not in mark(frame, "size head").text
    assert "for comparison" in mark(LESSON.frame(LESSON.initial(), Context()), "size head").text


@pytest.mark.parametrize(
    ("table", "last"), [("lesson_4x3", 3), ("lesson_random", 4), ("minilm", 30_521), ("smollm2", 49_129)]
)
def test_the_slider_reaches_every_id_of_the_table(table: str, last: int) -> None:
    state = LESSON.from_mapping({"token": 1}, context(table))
    assert LESSON.slider_ends(state) == {"token_id": (0.0, last)}
    found = shipped.table(table)
    assert max(found.id_of(row).id for row in range(found.rows)) == last


def test_a_legend_says_what_the_colours_mean() -> None:
    subtitle = show("minilm", token=1, cells="colours").subtitle
    assert "Blue" in subtitle
    assert "below 0" in subtitle


def test_the_matrix_is_as_high_as_the_one_hot_row_is_long() -> None:
    frame = show("smollm2", token=1)
    big = next(panel for panel in frame.panels if panel.key == "big")
    assert mark(frame, "E head").text == "E   49,152 × 576, 8,679 rows here", (
        "the table's size at the top is 8,679 × 576"
    )
    assert "IDs 2642 to 2647" in big.caption, "as the rows are labelled; 2646 is not shipped"
    assert "skipped" in big.caption


@pytest.mark.parametrize("table", shipped.table_ids())
def test_the_rows_that_are_here_are_counted_where_the_matrix_is_called_larger(table: str) -> None:
    found = shipped.table(table)
    head = mark(show(table, token=0), "E head").text
    assert f"{found.vocabulary.size:,} × {found.dim:,}" in head
    assert (f"{found.rows:,} rows here" in head) == (found.rows != found.vocabulary.size)


@pytest.mark.parametrize("table", shipped.table_ids())
def test_the_result_stands_beside_the_row_that_it_is(table: str) -> None:
    """Level with another row it would be read as that one."""
    for row in (0, 1, 2):
        chosen = shipped.table(table).id_of(row).id
        frame = show(table, token_id=chosen, token=-1)
        matrix, result = mark(frame, "E"), mark(frame, "result")
        n = matrix.rows[1] - matrix.rows[0]
        level = matrix.place.y + matrix.place.height * (row - matrix.rows[0] + 0.5) / n
        assert result.place.y + result.place.height / 2 == pytest.approx(level)
        assert mark(frame, "equals").y == pytest.approx(level)


def test_neighbours_are_named_where_their_names_stand() -> None:
    assert "“1915”" in show("minilm", token=1).subtitle
    assert "1915" not in show("minilm", token=1, cells="colours").subtitle


def test_a_word_without_a_row_has_no_id_to_set() -> None:
    where = context("glove", "the review was positve")
    lost, there = (LESSON.from_mapping({"token": token}, where) for token in (3, 1))
    assert "token_id" not in LESSON.shown_controls(lost)
    assert "token_id" in LESSON.shown_controls(there)


def test_size_of_llama_3() -> None:
    where = context(model="llama-3-8b")
    frame = LESSON.frame(LESSON.initial(where), where)
    assert "128,256 × 4,096 = 525.3 million" in mark(frame, "shape").text
    assert mark(frame, "float32 bytes").text == "2.1 GB"


# --- arithmetic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", shipped.table_ids())
def test_the_terms_multiply_out_to_the_result_that_is_shown(table: str) -> None:
    rows = range(shipped.table(table).rows) if table.startswith("lesson") else (0, 1, 866, 5_000)
    for row in rows:
        frame = show(table, token_id=shipped.table(table).id_of(row).id, token_of=99_999)
        total, result = multiplied_out(frame)
        assert total == result, (table, row)
        shown = numbers(mark(frame, "result"))[0][: len(result)]
        decimals = mark(frame, "result").decimals
        assert np.round(shown, decimals).tolist() == pytest.approx(result, abs=1e-9), (table, row)
        assert len(frame.worked.lines) <= 3


@pytest.mark.parametrize("table", ["lesson_4x3", "lesson_animals", "lesson_random"])
def test_one_hot_times_e_is_the_row(table: str) -> None:
    found = shipped.table(table)
    for row in range(found.rows):
        frame = show(table, token_id=row, token_of=99_999)
        onehot, matrix = np.array(numbers(mark(frame, "onehot"))), np.array(numbers(mark(frame, "E")))
        assert (onehot == one_hot([row], found.rows)).all()
        np.testing.assert_allclose(onehot @ matrix, numbers(mark(frame, "result")), atol=1e-12)
        np.testing.assert_allclose(numbers(mark(frame, "result")), lookup(found.values, [row]), atol=1e-4)


def test_long_rows_count_what_is_left_out() -> None:
    lines = written(show("minilm", token=1))
    assert "… and 30,520 more zeros" in lines[0]
    assert lines[1].endswith("… 381 more numbers")
    lines = written(show("minilm", token=1, first_column=382))
    assert "more numbers" not in lines[1]
    assert "[… " in lines[1]


def test_terms_light_up_the_cells_they_came_from() -> None:
    frame = LESSON.frame(LESSON.initial(), Context())
    term = next(term for line in frame.worked.lines for term in line if term.text.startswith("1 ×"))
    assert ("onehot", (0, 2)) in term.lights
    assert {("E", (2, column)) for column in range(3)} <= set(term.lights)


# --- windows ---------------------------------------------------------------------------------------------------------


def test_a_frame_reads_only_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    show("minilm", token=1)  # the colour scale is measured once
    read: list[tuple[int, int]] = []
    original = VectorTable.block

    def block(self: VectorTable, rows: slice, columns: slice = slice(None)) -> Any:
        part = original(self, rows, columns)
        read.append(part.shape)
        return part

    monkeypatch.setattr(VectorTable, "block", block)
    frame = show("minilm", token=1)
    matrix: Matrix = mark(frame, "E")
    matrix.source.block(slice(*matrix.rows), slice(*matrix.columns))
    assert max(rows for rows, _ in read) == matrix.rows[1] - matrix.rows[0]
    assert max(columns for _, columns in read) == matrix.columns[1] - matrix.columns[0]
    assert sum(rows * columns for rows, columns in read) < 60


def test_sources_answer_slices_with_steps() -> None:
    source = OneHotSource(10, 4)
    assert source.block(slice(0, 1), slice(0, 10, 2)).tolist() == [[0, 0, 1, 0, 0]]
    assert source.block(slice(0, 1), slice(5, 99)).shape == (1, 5)
    table = TableSource(shipped.table("minilm"))
    block = table.block(slice(10, 20, 5), slice(0, 384, 100))
    assert block.shape == (2, 4)
    assert block.dtype == np.float64
    assert TableSource(shipped.table("minilm")) == table


def test_the_window_scrolls_and_stops_at_its_ends() -> None:
    where = context("minilm")
    state = LESSON.from_mapping({"token": 1}, where)
    first = mark(LESSON.frame(state, where), "E").rows[0]
    state = LESSON.act(state, Scroll("E", 5, 2), where)
    matrix = mark(LESSON.frame(state, where), "E")
    assert (matrix.rows[0], matrix.columns[0]) == (first + 5, 2)
    state = LESSON.act(state, Scroll("E", 10**6, 10**6), where)
    matrix = mark(LESSON.frame(state, where), "E")
    assert (matrix.rows[1], matrix.columns[1]) == (30_522, 384)
    state = LESSON.act(state, Scroll("E", -(10**6), 0), where)
    assert mark(LESSON.frame(state, where), "E").rows[0] == 0
    assert LESSON.act(state, Scroll("E", -1, 0), where) == state


def test_another_token_brings_the_window_back() -> None:
    where = context("minilm")
    state = LESSON.act(LESSON.from_mapping({"token": 1}, where), Scroll("E", 1_000, 0), where)
    state = LESSON.act(state, Pick("cards", (2,)), where)
    first, stop = mark(LESSON.frame(state, where), "E").rows
    assert first <= 2938 < stop


def test_rows_that_lists_leave_out_have_no_label() -> None:
    table = shipped.table("minilm")
    hidden = min(table.hidden_rows)
    frame = show("minilm", token_id=hidden, token_of=0)
    matrix = mark(frame, "E")
    assert matrix.row_labels[hidden - matrix.rows[0]] == str(hidden)
    assert f"“{table.tokens[hidden]}”" not in frame.subtitle + frame.title


# --- picking ---------------------------------------------------------------------------------------------------------


def test_a_typed_id_counts_and_finds_its_card() -> None:
    where = context("minilm")
    state = LESSON.legal(params.replace(LESSON.initial(where), token_id=2938), where)
    assert (state.token, state.token_id) == (2, 2938)
    state = LESSON.legal(params.replace(state, token_id=12_000), where)
    assert (state.token, state.token_id) == (-1, 12_000)
    assert not any(card.picked for card in mark(LESSON.frame(state, where), "cards").cards)
    assert "princes" in LESSON.frame(state, where).alt


def test_a_picked_card_follows_the_sentence_and_the_table() -> None:
    state = LESSON.from_mapping({"token": 1}, context("minilm"))
    assert state.token_id == 4937
    assert LESSON.legal(state, context("smollm2")).token_id == 2644
    assert LESSON.legal(state, context("minilm", "The dog sat")).token_id == 3899


def test_an_id_is_moved_inside_the_table() -> None:
    assert LESSON.from_mapping({"token_id": 99_999}, context("lesson_4x3")).token_id == 3
    state = LESSON.from_mapping({"token_id": 2640}, context("smollm2"))
    assert state.token_id == 2642, "the nearest row that ships"
    assert nearest_id(shipped.table("smollm2"), 10**9) <= 49_151


def test_clicks_and_keys() -> None:
    where = context()
    state = LESSON.act(LESSON.initial(where), Pick("E", (3, 1)), where)
    assert (state.token_id, state.token) == (3, 3)
    state = LESSON.act(state, Pick("onehot", (0, 1)), where)
    assert state.token_id == 1
    state = LESSON.act(state, Key("E", "down"), where)
    assert state.token_id == 2
    state = LESSON.act(state, Key("cards", "home"), where)
    assert state.token_id == 0
    assert LESSON.act(state, Key("cards", "left"), where) == state
    assert LESSON.act(state, Key("E", "up"), where) == state
    assert LESSON.act(state, Pick("E", (77, 0)), where) == state


def test_a_long_sentence_shows_the_cards_around_the_picked_one() -> None:
    words = " ".join(["the cat sat on the mat"] * 10)
    frame = show("minilm", words, token=31)
    cards = mark(frame, "cards").cards
    assert len(cards) < 12
    assert [card.picked for card in cards].count(True) == 1
    where = context("minilm", words)
    state = LESSON.from_mapping({"token": 31}, where)
    shown = next(index for index, card in enumerate(cards) if card.picked)
    assert LESSON.act(state, Pick("cards", (shown,)), where).token == 31
    assert LESSON.act(state, Pick("cards", (shown + 1,)), where).token == 32


# --- what is missing is said -----------------------------------------------------------------------------------------


def test_a_missing_word_has_a_faint_card_and_no_vector() -> None:
    frame = show("glove", "the positve cat", token=1)
    cards: Cards = mark(frame, "cards")
    assert [card.faint for card in cards.cards] == [False, True, False]
    assert cards.cards[1].subtitle == "no row"
    assert cards.cards[1].hover == "not in this table"
    assert "positive" in frame.notice
    keys = {found.key for found in marks(frame, Matrix)}
    assert keys == {"E"}, "no one-hot row, no result"
    assert "[" not in "".join(written(frame))
    assert next(card.title for card in mark(frame, "near").cards) == "positive"


def test_a_near_spelling_can_be_taken() -> None:
    where = context("glove", "the positve cat")
    state = LESSON.from_mapping({"token": 1}, where)
    state = LESSON.legal(LESSON.act(state, Pick("near", (0,)), where), where)
    assert "positive" in LESSON.frame(state, where).alt
    assert LESSON.act(state, Pick("near", (9,)), where) == state


def test_missing_words_beside_a_picked_one_are_named() -> None:
    frame = show("lesson_animals", token=1)
    assert numbers(mark(frame, "result")) == [[0.8, 0.6, 0.1, -0.2]]
    assert "the, sat" in frame.notice


@pytest.mark.parametrize(
    ("table", "sentence", "token", "said"),
    [
        ("glove", "Paris", 0, "“Paris” is read as “paris”: GloVe does not tell"),
        ("glove", "the CAT sat", 0, "“CAT” is read as “cat”"),
        ("minilm", "Paris", 0, "“Paris” is read as “paris”: MiniLM does not tell"),
        ("minilm", "the café", 1, "“café” is read as “cafe”"),
        ("glove", "The cat sat", 0, "“The” is read as “the”"),
        ("glove", "The cat sat", 1, ""),
        ("glove", "the cat sat", 0, ""),
        ("minilm", "unbelievably", 1, ""),
        ("smollm2", "The Cat", 1, ""),
        ("lesson_4x3", "The Cat", 1, ""),
    ],
)
def test_what_is_read_otherwise_than_typed_is_said(table: str, sentence: str, token: int, said: str) -> None:
    notice = show(table, sentence, token=token).notice
    assert (said in notice) if said else ("is read as" not in notice)


def test_the_stand_in_for_unknown_words_is_named() -> None:
    frame = show("minilm", "the ☃ sat", token=0)
    assert "[UNK]" in frame.notice
    assert "☃" in frame.notice


@pytest.mark.parametrize("sentence", ["", "   "])
def test_an_empty_sentence_says_what_to_do(sentence: str) -> None:
    frame = show("glove", sentence)
    assert "Type a sentence" in frame.subtitle
    assert not marks(frame, Cards)
    assert mark(frame, "E").rows[0] == 0
    where = context("glove", sentence)
    state = LESSON.act(LESSON.from_mapping({}, where), Pick("E", (3, 0)), where)
    assert numbers(mark(LESSON.frame(LESSON.legal(state, where), where), "result"))


def test_the_lessons_table_shows_its_ids_for_any_sentence_without_words_of_it() -> None:
    assert len(mark(show("lesson_4x3", ""), "cards").cards) == 4
    frame = show("lesson_4x3", "2 0 x", token=0)
    assert [card.title for card in mark(frame, "cards").cards] == ["ID 2", "ID 0", "x"]


# --- time ------------------------------------------------------------------------------------------------------------


def test_three_beats() -> None:
    state = LESSON.initial()
    for share in (1 / 3, 2 / 3, 1.0):
        state = LESSON.step(state, LESSON.beat)
        assert state.progress == pytest.approx(share)
    assert LESSON.step(state, 5.0) == state
    assert LESSON.step(state, -SECONDS).progress == pytest.approx(0.0)


def test_the_animation_begins_and_ends_with_the_finished_picture() -> None:
    assert motion(0.0) == motion(1.0)
    assert motion(1 / 3).result == pytest.approx(0.0, abs=1e-9)
    assert motion(0.5).others < 0.6
    assert motion(2 / 3 + 1e-9).slide == pytest.approx(0.0, abs=1e-6)
    assert motion(1 - 1e-9).slide == pytest.approx(1.0, abs=1e-6)
    assert motion(1 - 1e-9).others == pytest.approx(1.0, abs=1e-6)


def test_the_row_slides_from_the_table_to_the_right() -> None:
    at_rest = show(progress=0.0)
    matrix, result = mark(at_rest, "E").place, mark(at_rest, "result").place
    places = [mark(show(progress=p), "result").place for p in np.linspace(0.667, 1.0, 8)]
    assert places[0].x == pytest.approx(matrix.x, abs=0.1)
    assert places[0].y == pytest.approx(matrix.y + matrix.height / 2, abs=0.1)
    assert all(a.x < b.x for a, b in itertools.pairwise(places))
    assert places[-1] == result
    assert mark(show(progress=0.66), "E").opacity < 0.3
    assert mark(show(progress=0.66), "picked").opacity == 1.0


def test_a_row_that_was_scrolled_away_slides_in_from_the_edge() -> None:
    frame = show("minilm", token=1, first_row=20_000, scrolled_at=4937, progress=0.7)
    assert "picked" not in {found.key for found in marks(frame, Matrix)}
    place, edge = mark(frame, "result").place, mark(frame, "E").place
    assert edge.y - 0.1 <= place.y <= edge.y + edge.height


# --- any state -------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    st.sampled_from(shipped.table_ids()),
    st.sampled_from([CAT, "", "qqqq zzzz", "cat", "🦜 <b> naïve ##ing"]),
    st.fixed_dictionaries(
        {},
        optional={
            "token_id": st.integers(-5, 10**6),
            "token_of": st.integers(-5, 10**6),
            "token": st.integers(-3, 3_000),
            "first_row": st.integers(-2, 10**6),
            "scrolled_at": st.integers(-2, 10**6),
            "first_column": st.integers(-2, 10**6),
            "progress": st.floats(-1, 2),
            "ids": st.sampled_from(["table", "gpt2"]),
            "cells": st.sampled_from(["numbers", "colours"]),
        },
    ),
)
def test_any_state_of_any_table_gives_a_frame_inside_its_panels(table: str, sentence: str, values: Any) -> None:
    frame = show(table, sentence, **values)
    for panel, found in frame.marks():
        place = getattr(found, "place", None)
        if place is not None:
            assert place.width > 0, found.key
            assert place.height > 0, found.key
            assert panel.x.low - 0.01 <= place.x <= place.x + place.width <= panel.x.high + 0.01, found.key
            assert panel.y.low - 0.01 <= place.y <= place.y + place.height <= panel.y.high + 0.01, found.key
    big = sorted(
        (found.place for found in marks(frame, Matrix) if found.key in {"onehot", "E", "result"}),
        key=lambda place: place.x,
    )
    if motion(from_mapping(LookupState, values).progress).slide == 1.0:
        for left, right in itertools.pairwise(big):
            assert left.x + left.width < right.x, "the parts stand side by side"


def test_presets_show_what_their_names_say() -> None:
    for preset in LESSON.presets:
        where = Context(from_mapping(Shared, preset.shared))
        state = LESSON.from_mapping(preset.values, where)
        frame = LESSON.frame(state, where)
        assert frame.title, preset.id
        assert len(frame.subtitle) < 120, preset.id
