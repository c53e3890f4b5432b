"""Lookup's pages beyond the product: the lessons' numbers, arithmetic that comes out, what a person may do on each."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encodings.checks import Cancelled
from core.encodings.embedding import gradient, one_hot
from core.lessons.lookup import scale, timing
from core.lessons.lookup.lesson import LESSON
from core.lessons.lookup.pages import cut
from core.lessons.lookup.state import PAGES
from core.stage.frame import Bars, Cards, Frame, Key, Matrix, Pick, Readout, Scroll, Vectors
from core.stage.jobs import Job
from core.stage.lesson import Context, Shared
from core.stage.params import from_mapping
from core.tables import models, shipped, tokenizers
from core.tables.table import Table
from core.tables.tokenizers import tokenizer
from core.tables.tokens import visible
from core.tables.vocabulary import TokenId, Vocabulary, guess_spelling
from tests.core.printed import check_arithmetic, equations, evaluated, written

CAT = "The cat sat"
MAT = "the cat on the mat"
CASES = json.loads((Path(__file__).parents[2] / "cases/text_cases.json").read_text(encoding="utf-8"))


def context(sentence: str = CAT, table: str = "lesson_4x3", **shared: str) -> Context:
    return Context(from_mapping(Shared, {"sentence": sentence, "table": table, **shared}))


def show(where: Context, **values: Any) -> Frame:
    return LESSON.frame(LESSON.from_mapping(values, where), where)


def preset(preset_id: str, **values: Any) -> Frame:
    found = LESSON.preset(preset_id)
    return show(Context(from_mapping(Shared, found.shared)), **{**found.values, **values})


def mark(frame: Frame, key: str) -> Any:
    return {found.key: found for _, found in frame.marks()}[key]


def keys(frame: Frame) -> set[str]:
    return {found.key for _, found in frame.marks()}


def readout(frame: Frame, key: str) -> Readout:
    return {found.key: found for panel in frame.panels for found in panel.readouts}[key]


def titles(frame: Frame, key: str) -> list[str]:
    cards: Cards = mark(frame, key)
    return [card.title for card in cards.cards]


def subtitles(frame: Frame, key: str) -> list[str]:
    cards: Cards = mark(frame, key)
    return [card.subtitle for card in cards.cards]


def numbers(matrix: Matrix) -> Any:
    return np.asarray(matrix.source.block(slice(*matrix.rows), slice(*matrix.columns)))


def act(where: Context, values: dict[str, Any], *events: Any) -> Any:
    state = LESSON.from_mapping(values, where)
    for event in events:
        state = LESSON.legal(LESSON.act(state, event, where), where)  # type: ignore[misc]
    return state


# --- arithmetic ------------------------------------------------------------------------------------------------------


def test_the_checker_finds_a_fault() -> None:
    assert equations("a = (1 + 2) / 2 = 1.5   so") == [("a ", "=", " (1 + 2) / 2 "), (" (1 + 2) / 2 ", "=", " 1.5")]
    assert evaluated("√((1 − 0)² + (0 − 1)²)") == pytest.approx(math.sqrt(2))
    assert evaluated("two") is None


@pytest.mark.parametrize("found", LESSON.presets, ids=[found.id for found in LESSON.presets])
def test_every_presets_arithmetic_comes_out(found: Any) -> None:
    frame = preset(found.id)
    least = {"ids": 0, "vocabularies": 0, "lookup": 0}.get(found.values.get("page", "lookup"), 2)
    assert check_arithmetic(frame) >= least


@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2", "lesson_random", "lesson_animals"])
def test_arithmetic_on_any_table(table: str) -> None:
    where = context("the cat sat on the mat and the dog saw the car", table)
    for values in (
        {"page": "gradient", "rate": 0.37},
        {"page": "gradient", "loss": "sum", "rate": 0.015},
        {"page": "gradient", "rate": 0.0123, "learned_column": 2},
        {"page": "one_hot", "words": ("cat", "dog", "car"), "pair_row": 1, "pair_column": 1},
        {"page": "one_hot", "words": ("cat", "dog", "car"), "pair_row": 2, "pair_column": 0},
        {"page": "layer", "priced": "table"},
        {"page": "ids", "number_as": "neighbours", "vocabulary": "table", "second": 1},
    ):
        assert (
            check_arithmetic(show(where, **values)) >= (1 if values["page"] == "ids" else 2) or table == "lesson_random"
        )


@pytest.mark.parametrize("d", [2, 4, 64, 510, 512, 768, 4096, 16_384])
@pytest.mark.parametrize("initial", ["root", "small", "typed"])
def test_arithmetic_of_the_arrows(d: int, initial: str) -> None:
    assert check_arithmetic(show(context(), page="scale", d_model=d, initial=initial, spread=0.0721)) >= 3


def test_arithmetic_of_every_models_table() -> None:
    for entry in models.models():
        frame = show(context(), page="size", model_picked=entry.id)
        assert check_arithmetic(frame) >= 1
        assert written(frame)[0].startswith(f"{entry.vocab_size:,} × {entry.d_model:,} = ")


# --- IDs are addresses -----------------------------------------------------------------------------------------------


def test_the_mean_of_the_and_sat_is_euro() -> None:
    frame = preset("euro")
    assert subtitles(frame, "cards") == ["ID 464", "ID 3797", "ID 3332"]
    assert readout(frame, "mean value").value == "1898"
    assert "␣Euro" in readout(frame, "mean value").detail
    assert written(frame)[1] == "(464 + 3332) / 2 = 3796 / 2 = 1898"
    assert titles(frame, "street")[2] == "␣Euro"
    assert "1898" in mark(frame, "mean name").text
    at = {key: float(mark(frame, key).x[0]) for key in ("ends", "mean")}
    assert at["mean"] == pytest.approx(float(mark(frame, "ends").x.mean())), "drawn to scale"


def test_half_an_address_is_none() -> None:
    frame = preset("euro", first=0, second=1)
    assert readout(frame, "mean value").value == "2130.5"
    assert "between" in readout(frame, "mean value").detail
    assert not any(card.picked for card in mark(frame, "street").cards)


def test_cards_are_picked_for_the_mean() -> None:
    where = context()
    state = act(where, {"page": "ids"}, Pick("cards", (1,)))
    assert (state.first, state.second) == (2, 1)
    assert act(where, {"page": "ids"}, Pick("cards", (2,))) == LESSON.from_mapping({"page": "ids"}, where)
    assert act(where, {"page": "ids"}, Pick("cards", (77,))) == LESSON.from_mapping({"page": "ids"}, where)
    assert act(where, {"page": "ids"}, Key("cards", "home")).second == 0


@pytest.mark.parametrize("vocabulary", ["gpt2", "minilm", "smollm2", "glove", "table"])
@pytest.mark.parametrize("sentence", [CAT, "", "positve", "cat"])
def test_ids_of_any_sentence(vocabulary: str, sentence: str) -> None:
    for view in ("mean", "neighbours", "merges"):
        frame = show(context(sentence), page="ids", number_as=view, vocabulary=vocabulary)
        assert len(frame.alt) > 20


def test_next_door_is_no_kin() -> None:
    frame = preset("next_door")
    assert subtitles(frame, "street") == ["2642", "2643", "2644", "2645", "2646"]
    assert titles(frame, "street")[1:4] == ["␣sat", "␣cat", "␣feed"]
    assert mark(frame, "street").cards[4].faint, "its row does not ship"
    table = shipped.table("smollm2")

    def cosine(a: str, b: str) -> float:
        x, y = (np.asarray(table.row(table.find(token) or 0), dtype=float) for token in (a, b))
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    assert readout(frame, "door value").value == f"{cosine('Ġcat', 'Ġsat'):.3f}" == "0.170"
    assert readout(frame, "kin value").value == f"{cosine('Ġcat', 'Ġdog'):.3f}" == "0.583"
    assert "␣sat" in frame.title
    shown = {mark(frame, key).labels[0] for key in keys(frame) if key.startswith("bar ")}
    lines = [line for line in written(frame) if line.startswith("cosine(")]
    assert {line.rsplit(" ", 1)[1] for line in lines} == shown, "every bar is derived"
    assert written(frame)[0].startswith("cosine = dot product")
    assert [float(mark(frame, f"bar {key}").height[0]) for key in ("before", "kin")] == pytest.approx(
        [cosine("Ġcat", "Ġsat"), cosine("Ġcat", "Ġdog")]
    )


DOORS = [
    *(("minilm", word) for word in ("october", "2003", "communication", "defend", "of", "cat", "the", "two", "king")),
    *(("glove", word) for word in ("october", "england", "cat", "of", "paris", "nine")),
    *(("smollm2", word) for word in ("cat", "sat", "of", "house", "king", "two")),
]


def _cosine(table: Table, first: int, second: int) -> float:
    x, y = (np.asarray(table.row(row), dtype=float) for row in (first, second))
    return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


@pytest.mark.parametrize(("table", "word"), DOORS)
@pytest.mark.parametrize("kin", ["dog", "king", "may"])
def test_no_kin_is_said_only_where_the_rows_say_so(table: str, word: str, kin: str) -> None:
    where = context(f"the {word}", table)
    frame = show(where, page="ids", number_as="neighbours", vocabulary=table, second=1, kin=kin)
    bars = {key: float(mark(frame, key).height[0]) for key in keys(frame) if key.startswith("bar ")}
    doors = [bars[key] for key in ("bar before", "bar after") if key in bars]
    near = bool(doors) and bars["bar kin"] > max(doors)
    assert ("of its kind" in readout(frame, "kin value").label) == (near and bars["bar kin"] >= 0.3)
    if "no kin" in frame.title:
        assert near
        assert doors[0] < 0.3
    else:
        assert frame.title == "Next door in the list need not be next of kin"


@pytest.mark.parametrize(("table", "word"), DOORS)
def test_no_neighbours_in_meaning_is_said_only_where_the_rows_say_so(table: str, word: str) -> None:
    frame = show(context(f"the {word}", table), page="lookup", token=1)
    found, outline = shipped.table(table), mark(frame, "E").outlines[0].row
    beside = [row for row in (outline - 1, outline + 1) if 0 <= row < found.rows and row not in found.hidden_rows]
    unlike = all(_cosine(found, outline, row) < 0.3 for row in beside)
    assert ("no neighbours in meaning" in frame.subtitle) == unlike
    assert "only an address" in frame.subtitle or unlike


def test_a_dashed_card_is_explained() -> None:
    street = preset("next_door").panels[0]
    assert "dashed" in street.caption
    assert "dashed" not in preset("next_door", vocabulary="minilm").panels[0].caption


@pytest.mark.parametrize("table", ["smollm2", "minilm", "glove"])
@pytest.mark.parametrize("sentence", [CAT, "the review was positve", "unbelievably slower"])
def test_signs_in_tokens_are_explained_where_they_stand(table: str, sentence: str) -> None:
    """A leading space and a piece of a word, on every page that shows tokens of a vocabulary with such signs."""
    for values in (
        {"page": "lookup", "token": 1},
        {"page": "lookup", "token": 1, "ids": "gpt2"},
        *({"page": "ids", "vocabulary": name} for name in ("gpt2", "table")),
        *({"page": "ids", "number_as": "neighbours", "vocabulary": name, "second": 1} for name in ("gpt2", "table")),
        {"page": "layer", "token": 1},
        {"page": "one_hot"},
        {"page": "vocabularies", "vocabulary": "table"},
    ):
        frame = show(context(sentence, table), **values)
        shown = [label for _, found in frame.marks() for label in _labels(found)]
        said = " ".join([frame.subtitle, *(panel.caption + panel.note for panel in frame.panels)])
        if any("␣" in label for label in shown):
            assert "␣ is a leading space" in said, values
        if any(re.match(r"##\w", label) for label in shown):
            assert "## continues the word before" in said, values


def _labels(found: Any) -> list[str]:
    return [card.title for card in found.cards] if isinstance(found, Cards) else list(getattr(found, "row_labels", ()))


@pytest.mark.parametrize("found", LESSON.presets, ids=[found.id for found in LESSON.presets])
def test_an_id_is_written_one_way(found: Any) -> None:
    """An ID of the cards stands nowhere with a separator: it is an address."""
    frame = preset(found.id)
    ids = {
        label.removeprefix("ID ")
        for _, shown in frame.marks()
        if isinstance(shown, Cards)
        for label in (card.subtitle for card in shown.cards)
    }
    texts = [frame.title, frame.subtitle, frame.alt, frame.notice, *written(frame)]
    texts += [panel.caption for panel in frame.panels]
    texts += [readout.value + readout.label + readout.detail for panel in frame.panels for readout in panel.readouts]
    for number_ in ids:
        if number_.isdigit() and int(number_) > 999:
            assert not any(re.search(rf"(?<![\d,]){int(number_):,}(?![\d,])", text) for text in texts), number_


def test_gpt2_has_ids_and_no_rows_to_compare() -> None:
    frame = preset("next_door", vocabulary="gpt2")
    assert "3797" in subtitles(frame, "street")
    assert "does not come with" in mark(frame, "say none").text
    assert not any(isinstance(found, Bars) for _, found in frame.marks())


def test_a_kin_that_is_no_token_is_named() -> None:
    assert "qqqq" in preset("next_door", kin="qqqq").notice


# --- merges ----------------------------------------------------------------------------------------------------------


def test_cat_is_put_together_in_three_merges() -> None:
    pieces = [titles(preset("merges", progress=share), "pieces") for share in (0, 1 / 3, 2 / 3, 1)]
    assert pieces == [["␣", "c", "a", "t"], ["␣", "c", "at"], ["␣c", "at"], ["␣cat"]]
    first = preset("merges")
    assert mark(first, "pairs").rows[1][:2] == ("a + t", "265"), "the lowest rank is next"
    assert written(first)[1].endswith("265 < 269 < 6888")
    last = preset("merges", progress=1.0)
    assert subtitles(last, "pieces") == ["3797"]
    assert "3797" in written(last)[1]
    assert "after 3 merges" in last.title.lower()


def test_one_second_for_each_merge() -> None:
    where = context("unbelievably slower")
    state = LESSON.from_mapping({"page": "ids", "number_as": "merges", "part": 0}, where)
    assert state.beats == 8
    for made in range(1, 9):
        state = LESSON.step(state, LESSON.beat)  # type: ignore[misc]
        frame = LESSON.frame(state, where)
        assert readout(frame, "step").value == f"{made} of 8"
        assert sum(card.picked for card in mark(frame, "pieces").cards) == 1
    assert titles(LESSON.frame(state, where), "pieces") == ["un", "bel", "iev", "ably"]
    assert LESSON.step(state, 5.0) == state  # type: ignore[misc]


def test_another_word_is_taken_apart_from_its_beginning() -> None:
    where = context()
    state = act(where, {"page": "ids", "number_as": "merges", "progress": 1.0}, Pick("words", (0,)))
    assert (state.part, state.progress) == (0, 0.0)
    assert titles(LESSON.frame(state, where), "pieces") == ["T", "h", "e"]
    assert LESSON.edited(state, where, page="lookup").progress == 0.0


# --- one-hot ---------------------------------------------------------------------------------------------------------


def test_one_hot_knows_nothing() -> None:
    frame = preset("one_hot")
    assert (numbers(mark(frame, "plain")) == np.eye(3)).all()
    assert "50,257" in frame.subtitle
    assert "50,256" in frame.subtitle
    assert "dot product" in written(frame)[1], "what a cosine is, before the first one"
    assert "0.981" in written(frame)[2], "the number of the stage stands on the first three lines"
    assert "50,256" in written(frame)[3]
    assert "1.414" in written(frame)[4]
    learned = np.round(numbers(mark(frame, "learned")), 3)
    assert learned.tolist() == [[1, 0.981, -0.179], [0.981, 1, 0], [-0.179, 0, 1]]
    assert readout(frame, "plain value").value == "0"
    assert readout(frame, "learned value").value == "0.981"
    assert any("1.02 / (1.0247 × 1.0149) = 0.981" in line for line in written(frame))


def test_distance_is_root_two_for_every_two() -> None:
    frame = preset("one_hot", measure="distance")
    values = numbers(mark(frame, "plain"))
    assert np.allclose(values, math.sqrt(2) * (1 - np.eye(3)))
    assert readout(frame, "plain value").value == "1.414"
    assert "1.414" in written(frame)[0]
    assert written(frame)[1].endswith("√(1.0247² + 1.0149² − 2 × 1.02) = 0.200")
    rows = one_hot([3, 3797], 50_257)
    assert float(np.linalg.norm(rows[0] - rows[1])) == pytest.approx(math.sqrt(2))


def test_a_token_with_itself_gives_one() -> None:
    frame = preset("one_hot", pair_row=1, pair_column=1)
    assert readout(frame, "plain value").value == "1"
    assert "= 1   " in written(frame)[0]


def test_both_rows_in_their_full_length() -> None:
    matrix = mark(preset("one_hot"), "onehots")
    assert matrix.column_labels == ("0", "", "3290", "", "3797", "", "50256")
    assert numbers(matrix).sum(axis=1).tolist() == [1, 1]
    assert matrix.mask[:, [1, 3, 5]].all()
    assert matrix.row_labels == ("␣cat", "␣dog"), "GPT-2 has another ID for the word without its space"


@pytest.mark.parametrize("vocabulary", ["gpt2", "smollm2", "minilm", "glove"])
def test_one_hot_rows_are_called_as_their_ids_are(vocabulary: str) -> None:
    """Each row's name is the token of the ID at which its 1 stands."""
    words = ("cat", "dog", "car", "king", "river")
    for first, second in ((0, 1), (2, 3), (4, 0), (1, 1)):
        frame = show(context(table="glove"), page="one_hot", words=words, vocabulary=vocabulary, pair_row=first,
                     pair_column=second)  # fmt: skip
        matrix = mark(frame, "onehots")
        for row, name in enumerate(matrix.row_labels):
            at = int(matrix.column_labels[int(numbers(matrix)[row].argmax())])
            if vocabulary == "gpt2":
                assert name == visible(tokenizers.gpt2().piece(at), "bytes")
            else:
                table = shipped.table(vocabulary)
                token = table.tokens[table.row_of(TokenId(table.vocabulary, at))]
                assert name == visible(token, table.vocabulary.spelling)


@pytest.mark.parametrize("vocabulary", ["glove", "gpt2"])
def test_one_vocabulary_counts_throughout(vocabulary: str) -> None:
    frame = preset("one_hot_glove", vocabulary=vocabulary)
    assert "40,000" in frame.subtitle, "photosynthesis is no single token in GPT-2"
    assert "GloVe: 40,000" in next(panel for panel in frame.panels if panel.key == "rows_panel").title
    assert numbers(mark(frame, "onehots")).sum(axis=1).tolist() == [1, 1]
    assert "39,998" in written(frame)[0]
    assert ("not one token in GPT-2" in frame.subtitle) == (vocabulary == "gpt2")
    assert ("GloVe" in frame.notice) == (vocabulary == "gpt2")


def test_words_without_a_row_are_left_out_and_named() -> None:
    frame = show(context(table="glove"), page="one_hot", words=("cat", "positve", "dog"))
    assert mark(frame, "plain").row_labels == ("cat", "dog")
    assert "positive" in frame.notice
    frame = show(context(table="glove"), page="one_hot", words=("positve",))
    assert "plain" not in keys(frame)


def test_long_names_stand_in_full_where_they_have_room() -> None:
    assert mark(preset("one_hot_glove"), "plain").column_labels[-1] == "photosynthesis"
    words = ("photosynthesis", "electricity", "cat")
    frame = show(context(table="glove"), page="one_hot", words=words)
    assert mark(frame, "plain").column_labels[0] == "photosyn…"


@pytest.mark.parametrize("measure", ["cosine", "dot", "distance"])
@pytest.mark.parametrize("words", [("cat",), ("😀", "cat"), ("cat", "dog"), ("cat", "dog", "car")])
def test_unequal_is_said_only_of_unequal_matrices(words: tuple[str, ...], measure: str) -> None:
    for table in ("glove", "smollm2", "lesson_random"):
        frame = show(context(table=table), page="one_hot", words=words, measure=measure)
        if "plain" not in keys(frame):
            continue
        same = np.allclose(*(mark(frame, key).source.block(slice(None), slice(None)) for key in ("plain", "learned")))
        assert mark(frame, "against").text == ("=" if same else "≠")


def test_cells_are_picked() -> None:
    where = context()
    assert act(where, {"page": "one_hot"}, Pick("learned", (2, 0))).pair_row == 2
    state = act(where, {"page": "one_hot"}, Key("plain", "right"), Key("plain", "down"))
    assert (state.pair_row, state.pair_column) == (1, 2)
    assert act(where, {"page": "one_hot"}, Pick("plain", (9, 9))) == LESSON.from_mapping({"page": "one_hot"}, where)


# --- the linear layer ------------------------------------------------------------------------------------------------


def ticking() -> Callable[[], float]:
    """A clock that moves a second each time it is read."""
    now = [0.0]

    def read() -> float:
        now[0] += 1.0
        return now[0]

    return read


def test_both_ways_to_the_row_and_their_price() -> None:
    frame = preset("layer")
    assert (
        numbers(mark(frame, "result")).tolist() == numbers(mark(frame, "result index")).tolist() == [[0.5, 0.9, -0.2]]
    )
    entries, rows = numbers(mark(frame, "entries")), numbers(mark(frame, "E"))
    assert np.allclose(entries.T @ rows, numbers(mark(frame, "result")))
    assert readout(frame, "cost products").value == "38,597,376"
    assert readout(frame, "free products").value == "0"
    assert "not measured" in readout(frame, "cost products").detail
    assert "38,596,608" in written(frame)[1]


@pytest.mark.parametrize("table", ["glove", "minilm", "smollm2", "lesson_random", "lesson_4x3"])
@pytest.mark.parametrize("sentence", ["the zzzzqq", "", "positve", "the cat", "😀"])
def test_the_row_of_the_layer_is_that_of_its_control(table: str, sentence: str) -> None:
    where = context(sentence, table)
    for token in range(2):
        state = LESSON.from_mapping({"page": "layer", "token": token}, where)
        frame = LESSON.frame(state, where)
        assert f"one-hot({state.token_id})" in mark(frame, "multiply name").text
        picked = mark(show(where, page="layer", token=token), "entries")
        assert picked.row_labels[picked.fills[0].row] == f"ID {state.token_id}"
        cards = where.tokens
        lost = bool(cards) and cards[min(token, len(cards) - 1)].missing and table != "lesson_4x3"
        assert (f"Shown is the row of ID {state.token_id}." in frame.notice) == lost
        if lost:
            assert f"“{cards[min(token, len(cards) - 1)].shown}” is not in" in frame.notice


@pytest.mark.parametrize("table", shipped.table_ids())
def test_a_table_that_ships_in_part_is_priced_whole(table: str) -> None:
    frame = show(context(table=table), page="layer", priced="table")
    size = shipped.table(table).vocabulary.size
    onehot = show(context(table=table), page="lookup", token=1)
    assert readout(frame, "cost products").value == f"{size * shipped.table(table).dim:,}"
    assert f"{size - 1:,} ×" in written(frame)[1]
    if "zeros" in onehot.title:
        assert onehot.title.startswith(f"{size - 1:,} zeros"), "the one-hot row is as long"


def test_a_table_that_ships_in_part_is_measured_by_a_stand_in_of_its_whole_size() -> None:
    asked: list[Job] = []
    shared = from_mapping(Shared, {"table": "smollm2"})
    show(Context(shared, asked.append, ticking()), page="layer", priced="table")
    assert [job.arguments[1:] for job in asked] == [(49_152, 576, "")]


@pytest.mark.parametrize("priced", ["model", "table"])
@pytest.mark.parametrize("table", ["lesson_4x3", "minilm", "smollm2"])
def test_the_title_says_whose_row_it_prices(table: str, priced: str) -> None:
    """The row on the stage may be another's: the multiplications are those of the named table."""
    frame = show(context(table=table), page="layer", priced=priced)
    panel = next(panel for panel in frame.panels if panel.key == "cost")
    name, rows, dim = re.match(r"(.*): ([\d,]+) × ([\d,]+)", panel.title).groups()  # type: ignore[union-attr]
    products = int(rows.replace(",", "")) * int(dim.replace(",", ""))
    assert frame.title == f"One row of {name}: {products:,} multiplications, or none"


def test_the_price_of_the_chosen_table() -> None:
    frame = preset("layer_table")
    assert readout(frame, "cost products").value == f"{30_522 * 384:,}"


def test_the_multiplications_are_counted_while_it_plays() -> None:
    values = [readout(preset("layer", progress=share), "cost products").value for share in (0.25, 0.5, 1.0)]
    assert values == ["9,649,344", "19,298,688", "38,597,376"]
    frame = preset("layer", progress=0.3)
    assert "result" not in keys(frame)
    assert "result index" in keys(frame)
    assert mark(frame, "E").plain.sum() == 2 * 3


def test_rows_have_their_ids_at_one_side_and_their_words_at_the_other() -> None:
    frame = preset("layer_table")
    assert mark(frame, "entries").row_labels[1:3] == ("ID 4936", "ID 4937")
    assert mark(frame, "E index").row_labels[1:3] == ("1915", "cat"), "a token that looks like an ID"


def test_times_come_from_a_job_with_a_clock_that_is_handed_in() -> None:
    asked: list[Job] = []

    def ask(job: Job) -> Any:
        asked.append(job)
        return timing.Timing(0.0142, 0.39e-6, True)

    shared = from_mapping(Shared, {"sentence": CAT})
    frame = show(Context(shared, ask, ticking()), page="layer")
    assert [job.arguments[1:] for job in asked] == [(50_257, 768, "")]
    assert readout(frame, "cost products").detail == "14.2 ms on this machine"
    assert readout(frame, "free products").detail == "0.39 µs on this machine"
    assert written(frame)[0].endswith("multiplications in 14.2 ms")
    assert "the same numbers" in frame.notice
    waiting = show(Context(shared, lambda job: None, ticking()), page="layer")
    assert waiting.computing
    assert readout(waiting, "cost products").detail.startswith("measuring")


def test_a_table_too_large_to_be_made_is_not_measured() -> None:
    shared = from_mapping(Shared, {"model": "gemma-3-27b"})
    frame = show(Context(shared, lambda job: pytest.fail("asked"), ticking()), page="layer")
    assert readout(frame, "cost products").value == "1,409,286,144"
    assert "too large" in frame.notice


@pytest.mark.parametrize("table", ["", "lesson_4x3", "glove"])
def test_the_measure_gives_the_same_row_both_ways(table: str) -> None:
    rows, dim = shipped.table(table).shape if table else (5_000, 16)
    shares: list[float] = []
    found = timing.measure(ticking(), rows, dim, table, progress=shares.append, cancelled=lambda: False)
    assert found == timing.Timing(1.0, 1.0 / timing.READS, True)
    assert shares[-1] == 1.0
    with pytest.raises(Cancelled):
        timing.measure(ticking(), rows, dim, table, progress=shares.append, cancelled=lambda: True)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0142, "14.2 ms"), (0.39e-6, "0.39 µs"), (0.25, "250 ms"), (2.0, "2.0 s"), (12e-6, "12.0 µs")],
)
def test_a_time_for_a_person(seconds: float, said: str) -> None:
    assert timing.duration(seconds) == said


def test_rows_are_picked_in_either_table() -> None:
    where = context()
    assert act(where, {"page": "layer"}, Pick("E index", (0, 1))).token_id == 0
    assert act(where, {"page": "layer"}, Key("E", "down")).token_id == 3
    assert act(where, {"page": "layer"}, Pick("E", (9, 1))) == LESSON.from_mapping({"page": "layer"}, where)


# --- gradients -------------------------------------------------------------------------------------------------------


def test_each_occurrence_adds_and_other_rows_stay() -> None:
    frame = preset("gradient")
    table = shipped.table("lesson_random").values
    ids = [0, 1, 3, 0, 4]
    slope = gradient(ids, table[ids] - 1.0, 5)
    assert np.allclose(numbers(mark(frame, "gradient")), slope)
    assert np.allclose(numbers(mark(frame, "after")), table - 0.1 * slope)
    assert numbers(mark(frame, "gradient"))[2].tolist() == [0, 0, 0, 0], "sat is not in the sentence"
    assert numbers(mark(frame, "after"))[2].tolist() == table[2].tolist(), "exactly"
    assert written(frame)[0].startswith("“the”[0] gradient = (0.13 − 1) + (0.13 − 1) = −1.74")
    assert written(frame)[1] == "“the”[0] after = 0.13 − 0.1 × (−1.74) = 0.13 + 0.174 = 0.304"
    assert readout(frame, "idle").value == "1"
    assert "the" in frame.subtitle


def test_the_sum_as_a_loss_counts_occurrences() -> None:
    frame = preset("gradient_counts")
    assert numbers(mark(frame, "gradient"))[:, 0].tolist() == [2, 1, 0, 1, 1]


@pytest.mark.parametrize("values", [{}, {"loss": "sum"}, {"progress": 0.5}, {"rate": 0.37}], ids=str)
def test_the_loss_is_added_up_row_by_row(values: dict[str, Any]) -> None:
    frame = preset("gradient", **values)
    before, after = written(frame)[3:]
    assert "2 ×" in before, "the row that is looked up twice counts twice"
    assert [line.rsplit(" ", 1)[1] for line in (before, after)] == readout(frame, "loss").value.split(" → ")
    assert check_arithmetic(frame) >= 4


@pytest.mark.parametrize("sentence", ["the cat", "cat", "cat cat", MAT])
@pytest.mark.parametrize("loss", ["pull", "sum"])
def test_one_occurrence_is_called_one(sentence: str, loss: str) -> None:
    frame = show(context(sentence, "glove"), page="gradient", loss=loss)
    said = " ".join([frame.alt, *written(frame)])
    assert not re.search(r"\b1 occurrences", said)
    assert not re.search(r"= (\S+) = \1( |$)", said), said


def test_the_loss_falls() -> None:
    before, after = (float(part) for part in readout(preset("gradient"), "loss").value.split(" → "))
    assert after < before


def test_occurrences_are_added_one_after_the_other() -> None:
    assert LESSON.from_mapping({"page": "gradient"}, context(MAT, "lesson_random")).beats == 5
    counts = [numbers(mark(preset("gradient_counts", progress=p), "gradient"))[:, 0].tolist() for p in (0.1, 0.5, 0.7)]
    assert counts == [[1, 0, 0, 0, 0], [1, 1, 0, 1, 0], [2, 1, 0, 1, 0]]
    assert [card.picked for card in mark(preset("gradient", progress=0.7), "cards").cards].index(True) == 3


def test_only_the_sentences_rows_of_a_large_table_change() -> None:
    frame = show(context("the cat sat on the mat", "minilm"), page="gradient")
    assert "5 of 30,522" in frame.title
    assert readout(frame, "idle").value == "30,517"
    slopes = numbers(mark(frame, "gradient"))
    assert (slopes == 0).all(axis=1).sum() == 2, "two rows that nobody looked up are shown"


def test_a_picked_row_and_number_are_written_out() -> None:
    where = context(MAT, "lesson_random")
    state = act(where, {"page": "gradient"}, Pick("after", (2, 1)))
    assert written(LESSON.frame(state, where))[0].startswith("“sat”: not in the sentence")
    state = act(where, {"page": "gradient"}, Pick("cards", (1,)), Key("before", "right"))
    assert written(LESSON.frame(state, where))[0].startswith("“cat”[1] gradient = (0.36 − 1) = −0.64")
    outlines = [mark(LESSON.frame(state, where), key).outlines for key in ("before", "gradient", "after")]
    assert [[(o.row, o.column, o.rows, o.columns) for o in found] for found in outlines] == [[(1, 1, 1, 1)]] * 3


def test_a_table_without_words_lends_another() -> None:
    frame = show(context(), page="gradient")
    assert "3 of 5" in frame.title
    assert "4 × 3" in frame.notice
    assert "before" not in keys(show(context("qqqq"), page="gradient"))


# --- √d --------------------------------------------------------------------------------------------------------------


def test_root_512() -> None:
    frame = preset("root_d")
    assert readout(frame, "root").value == "22.627"
    assert mark(frame, "plain token length").text == "1"
    assert mark(frame, "scaled token length").text == "22.627"
    assert mark(frame, "plain position length").text == mark(frame, "scaled position length").text == "16"
    assert written(frame)[2].startswith("position  √(512 / 2) = √256 = 16")


@pytest.mark.parametrize("values", [{}, {"d_model": 768, "initial": "small"}, {"initial": "typed", "spread": 1.0}])
def test_arrows_are_drawn_to_scale(values: dict[str, Any]) -> None:
    frame = show(context(), page="scale", **values)

    def length(key: str) -> float:
        arrow: Vectors = mark(frame, key)
        return float(arrow.x1[0] - arrow.x0[0])

    d = values.get("d_model", 512)
    spread = {"small": 0.02, "typed": 1.0}.get(values.get("initial", ""), d**-0.5)
    unit = length("plain position") / math.sqrt(d / 2)
    assert length("scaled position") == pytest.approx(length("plain position"))
    assert length("plain token") == pytest.approx(unit * spread * math.sqrt(d))
    assert length("scaled token") == pytest.approx(unit * spread * d)
    assert max(length("scaled token"), length("plain position")) <= 100


@pytest.mark.parametrize("initial", ["root", "small", "typed"])
@pytest.mark.parametrize("d", [2, 512, 768, 4096])
def test_ratio_and_angles_are_worked_out(d: int, initial: str) -> None:
    frame = preset("root_d", d_model=d, initial=initial)
    assert check_arithmetic(frame) >= 2
    ratio, without, with_factor = written(frame)[3:]
    times = re.search(r"is ([\d.,]+) times", frame.title)
    assert (times is None) == frame.title.endswith("about equally long")
    assert ratio.endswith(" " + (times[1] if times else "1"))
    assert times is None or times[1] != "1"
    for row, key in ((without, "plain angle"), (with_factor, "scaled angle")):
        assert row.rsplit(" ", 1)[1] in mark(frame, key).text


@pytest.mark.parametrize("d", [2, 4, 16, 512, 768, 4096])
@pytest.mark.parametrize("spread", [0.02, 0.1, 0.5, 0.7, 0.707, 1.0])
def test_about_is_not_said_of_exact_lengths(d: int, spread: float) -> None:
    frame = show(context(), page="scale", d_model=d, initial="typed", spread=spread)
    line = next(line for line in written(frame) if line.startswith("token"))
    sign, length = re.match(r"token +[\d.]+ × √[\d,]+ (=|≈) ([\d.,]+)", line).groups()  # type: ignore[union-attr]
    exact = abs(spread * math.sqrt(d) - float(length.replace(",", ""))) < 1e-9
    assert sign == ("=" if exact else "≈")


@pytest.mark.parametrize(("initial", "said"), [("root", "neither drowns"), ("small", "0.02"), ("typed", "0.3")])
def test_the_subtitle_speaks_of_the_chosen_spread(initial: str, said: str) -> None:
    assert said in show(context(), page="scale", initial=initial, spread=0.3).subtitle


def test_who_multiplies() -> None:
    yes, no, unknown = scale.who()
    assert yes == ("Transformer", "Gemma")
    assert {"GPT-2", "BERT", "Code Llama", "Llama", "Mistral", "Qwen3"} <= set(no)
    # The lessons' facts.json: "GPT-2, BERT, OPT, BLOOM, MPT, GPT-NeoX, Llama, Mistral and Qwen do not".
    assert {"BLOOM", "MPT", "GPT-NeoX"} <= set(no)
    assert {"T5", "GPT-J"} <= set(unknown), "of these no file says it"
    stated = [entry for entry in models.models() if entry.embeddings_times_sqrt_d is not models.UNKNOWN]
    assert not {scale.family(entry.name) for entry in stated} & set(scale.DONT), "the file's own statement counts"
    assert not set(no) & set(unknown)
    assert not set(yes) & set(no)


# --- table size ------------------------------------------------------------------------------------------------------


def test_gpt2s_table_in_numbers_bytes_and_share() -> None:
    frame = preset("size")
    assert readout(frame, "numbers").value == "38,597,376"
    assert readout(frame, "share").value == "31 %"
    assert [row[2] for row in mark(frame, "bytes").rows[1:]] == ["154 MB", "77.2 MB", "38.6 MB"]
    assert readout(frame, "output").value == "tied"
    assert "31 %" in frame.title


def test_llama_3_has_a_second_matrix() -> None:
    frame = preset("size_large")
    assert readout(frame, "numbers").value == "525,336,576"
    assert readout(frame, "output").value == "its own matrix"
    assert any(line.startswith("2 × 525,336,576 / 8,030,261,248 ≈ 13 %") for line in written(frame))


def test_every_model_is_in_the_list_and_can_be_picked() -> None:
    where = context()
    state = LESSON.from_mapping({"page": "size"}, where)
    state = LESSON.act(state, Key("sizes", "home"), where)  # type: ignore[misc]
    seen = []
    for _ in models.models():
        seen.append(LESSON.frame(state, where).title.split(":")[0])
        state = LESSON.act(state, Key("sizes", "down"), where)  # type: ignore[misc]
    assert sorted(seen) == sorted(entry.name for entry in models.models())
    sizes = [int(entry.vocab_size * entry.d_model) for name in seen for entry in models.models() if entry.name == name]
    assert sizes == sorted(sizes, reverse=True)


def test_the_list_scrolls_and_bars_are_picked() -> None:
    where = context()
    state = act(where, {"page": "size"}, Scroll("sizes", -100, 0))
    bars: Bars = mark(LESSON.frame(state, where), "sizes")
    assert bars.picked == -1, "GPT-2's is not among the largest"
    assert float(bars.height.max()) == 1.0
    state = act(where, {"page": "size"}, Scroll("sizes", -100, 0), Pick("sizes", (0,)))
    assert state.model_picked == "bloom-176b"
    assert "8.0 million" not in LESSON.frame(state, where).title
    assert "3.6 billion" in LESSON.frame(state, where).title


def test_what_is_not_stated_is_said() -> None:
    frame = show(context(), page="size", model_picked="transformer-base-2017")
    assert readout(frame, "share").value == "not stated"
    assert show(context(), page="size", sort="share").title


# --- vocabularies ----------------------------------------------------------------------------------------------------


def test_one_sentence_in_four_vocabularies() -> None:
    frame = preset("four_vocabularies")
    found = {key: [int(text.split()[1]) for text in subtitles(frame, key)] for key in ("gpt2", "minilm", "smollm2")}
    assert found == {"gpt2": [464, 3797, 3332], "minilm": [1996, 4937, 2938], "smollm2": [504, 2644, 2643]}
    assert titles(frame, "glove") == ["the", "cat", "sat"]


def test_a_space_and_a_capital_are_rows_of_their_own() -> None:
    frame = preset("four_vocabularies")
    forms = dict(zip(titles(frame, "forms"), subtitles(frame, "forms"), strict=True))
    assert forms["␣cat"] == "2644"
    assert forms["cat"] == "9786"
    assert forms["␣Cat"] == "9497"
    gpt2 = preset("four_vocabularies", vocabulary="gpt2")
    forms = dict(zip(titles(gpt2, "forms"), subtitles(gpt2, "forms"), strict=True))
    assert (forms["␣cat"], forms["cat"]) == ("3797", "9246")


def test_a_missing_word_is_offered_spellings() -> None:
    frame = preset("unknown_word")
    assert titles(frame, "offers")[0] == "positive"
    assert [card.faint for card in mark(frame, "glove").cards] == [False, False, False, True]
    assert "positive" in frame.notice


@pytest.mark.parametrize("vocabulary", ["glove", "smollm2", "minilm"])
@pytest.mark.parametrize("typed", ["positve", "elefant", "mispelled wrods", "photosyntesis", "hte"])
def test_the_status_line_names_the_spellings_that_are_shown(typed: str, vocabulary: str) -> None:
    frame = show(context(f"the {typed}"), page="vocabularies", vocabulary=vocabulary)
    if "offers" in keys(frame):
        named = frame.notice.split("Near it: ")[1].removesuffix(".").split(", ")
        assert [cut(name, 14) for name in named] == titles(frame, "offers")
    else:
        assert "Near it" not in frame.notice


@pytest.mark.parametrize("vocabulary", ["gpt2", "glove", "smollm2", "minilm", "table"])
@pytest.mark.parametrize("word", ["cat", "positive", "the", "photosynthesis", "mat", "Paris", "1915", "able"])
def test_one_form_is_not_called_several(word: str, vocabulary: str) -> None:
    for table in ("lesson_random", "smollm2"):
        frame = show(context(table=table), page="vocabularies", vocabulary=vocabulary, form=word)
        if "forms" not in keys(frame):
            continue
        count = len(titles(frame, "forms"))
        title = next(panel.title for panel in frame.panels if panel.key == "forms_panel")
        assert ("each form" in title) == (count > 1)
        assert ("one form" in title) == (count == 1)
        said = any("with or without a capital" in line for line in written(frame))
        assert not (said and (count > 1 or vocabulary in ("gpt2", "smollm2")))
        # Below, four forms are listed: "…" where there are more.
        assert written(frame)[0].endswith("…") == (count > 4) or len(written(frame)[0]) > 60


def test_cosines_of_the_forms_are_worked_out_where_they_are_shown() -> None:
    frame = preset("four_vocabularies")
    values = [mark(frame, f"value {place}").text for place in range(3)]
    assert [line.rsplit(" ", 1)[1] for line in written(frame)[3:]] == values
    assert not any("cosine" in line for line in written(preset("unknown_word", vocabulary="smollm2")))


def test_a_card_gives_its_word() -> None:
    where = context()
    assert act(where, {"page": "vocabularies"}, Pick("gpt2", (2,))).form == "sat"
    assert act(where, {"page": "vocabularies"}, Pick("minilm", (0,))).form == "the"
    assert act(where, {"page": "vocabularies"}, Pick("gpt2", (9,))).form == "cat"


# --- typed sentences, as they are shown ------------------------------------------------------------------------------


def typed(case: dict[str, Any]) -> Context:
    """A context whose chosen table is the case's vocabulary."""
    words, text = case["vocab"], case["text"]
    if isinstance(text, dict):
        text = text["repeat"][0] * text["repeat"][1]
    vocabulary = Vocabulary(case["id"], case["id"], len(words), guess_spelling(words))
    table = Table(case["id"], case["id"], vocabulary, words, np.eye(len(words), dtype=np.float32))
    where = context(text)
    object.__setattr__(where, "shared", Shared(text, "lesson_4x3"))
    where.__dict__["table"] = table
    where.__dict__["tokens"] = tokenizer(table).tokens(text)
    return where


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_was_typed_is_shown(case: dict[str, Any]) -> None:
    where, expect = typed(case), case["expect"]
    frame = show(where, token=0)
    if expect.get("message"):
        assert "Type a sentence" in frame.subtitle
        return
    cards = mark(frame, "cards").cards
    faint = [card.title for card in cards if card.faint]
    there = [card.title.replace("␣", "Ġ") for card in cards if not card.faint]
    if "count" in expect:
        assert len(cards) < 20
        assert f"of {expect['count']}" in frame.panels[0].note
        return
    assert there == expect.get("found", expect.get("tokens", there))
    assert faint == expect.get("unknown", faint)
    if expect.get("literal"):
        assert "<b>cat</b>" in faint
    for word in faint:
        at = next(place for place, card in enumerate(cards) if card.title == word)
        picked = show(where, token=at)
        assert "result" not in keys(picked), "no vector is made up"
        assert not set(expect.get("offer", ())) - set(titles(picked, "near") if "near" in keys(picked) else [])


@pytest.mark.parametrize("case", [case for case in CASES if "also" in case["expect"]], ids=lambda case: case["id"])
def test_both_rows_of_a_word_are_shown(case: dict[str, Any]) -> None:
    frame = show(typed(case), page="vocabularies", vocabulary="table", form=case["text"])
    forms = [title.replace("␣", "Ġ") for title in titles(frame, "forms")]
    assert set(forms) == {*case["expect"]["found"], *case["expect"]["also"]}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("case", CASES[:-1], ids=[case["id"] for case in CASES[:-1]])
def test_every_page_takes_any_table_and_sentence(case: dict[str, Any], page: str) -> None:
    frame = show(typed(case), page=page, vocabulary="table", number_as="neighbours")
    assert len(frame.alt) > 20
    assert frame.panels[0].choice is not None
    assert frame.panels[0].choice.value == page
