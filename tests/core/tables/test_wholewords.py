"""Tables without a tokeniser: words are looked up whole and what is missing stays missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tables import shipped
from core.tables.messages import TableError
from core.tables.table import Table
from core.tables.tokenizers import gpt2, minilm, tokenizer
from core.tables.tokens import Token
from core.tables.vocabulary import GPT2, Vocabulary, guess_spelling

LESSON_SENTENCE = "The cat sat"


def opened(*tokens: str) -> Table:
    vocabulary = Vocabulary("opened", "Opened", len(tokens), guess_spelling(tokens))
    return Table("opened", "Opened", vocabulary, tokens, np.ones((len(tokens), 2), np.float32))


def pieces(tokens: tuple[Token, ...]) -> list[tuple[str, int | None]]:
    return [(token.piece, token.id) for token in tokens]


def test_the_lessons_sentence_in_every_vocabulary() -> None:
    ids = {
        name: [token.id for token in tokenizer(name).tokens(LESSON_SENTENCE)] for name in ("gpt2", *shipped.table_ids())
    }
    assert ids == {
        "gpt2": [464, 3797, 3332],
        "minilm": [1996, 4937, 2938],
        "smollm2": [504, 2644, 2643],
        "glove": [0, 5128, 3029],
        "lesson_random": [0, 1, 2],
        "lesson_animals": [None, 0, None],
        "lesson_4x3": [None, None, None],
    }


def test_found_tokens_lead_to_their_rows() -> None:
    for name in ("minilm", "smollm2", "glove", "lesson_random"):
        table = shipped.table(name)
        for token in tokenizer(name).tokens(LESSON_SENTENCE):
            assert token.token_id is not None
            assert table.tokens[table.row_of(token.token_id)] == token.piece


def test_no_vocabulary_takes_the_numbers_of_another() -> None:
    made = [token.token_id for name in ("gpt2", *shipped.table_ids()) for token in tokenizer(name).tokens("the cat")]
    for name in shipped.table_ids():
        table = shipped.table(name)
        for token_id in filter(None, made):
            if token_id.vocabulary != table.vocabulary:
                with pytest.raises(TableError, match="belongs to the vocabulary"):
                    table.row_of(token_id)


def test_words_of_an_opened_table_are_taken_as_typed() -> None:
    table = opened("the", "cat", "don't", ".", "paris")
    assert pieces(tokenizer(table).tokens("the Paris don't. (cat)")) == [
        ("the", 0), ("Paris", None), ("don't", 2), (".", 3), ("(", None), ("cat", 1), (")", None)
    ]  # fmt: skip


def test_a_word_with_its_sign_goes_before_the_word_without() -> None:
    assert pieces(tokenizer(opened("etc.", "etc", ".", "'s")).tokens("etc. 's")) == [("etc.", 0), ("'s", 3)]


def test_a_spelled_table_wants_its_space() -> None:
    table = opened("The", "Ġcat", "Ġsat", "can", "Ġcan", ".")
    assert pieces(tokenizer(table).tokens("The cat. can't")) == [
        ("The", 0), ("Ġcat", 1), (".", 5), ("Ġcan", 4), ("'t", None)
    ]  # fmt: skip
    table = opened("▁the", "▁cat", "s")
    assert pieces(tokenizer(table).tokens("the cat s dog")) == [("▁the", 0), ("▁cat", 1), ("s", 2), ("▁dog", None)]


def test_smollm2_cuts_numerals_one_by_one() -> None:
    shown = [token.shown for token in tokenizer("smollm2").tokens("In 2019, cats")]
    assert shown == ["In", "␣", "2", "0", "1", "9", ",", "␣cats"]
    assert not tokenizer("smollm2").tokens("cat")[0].missing
    assert tokenizer("smollm2").tokens(" antidisestablishment")[0].missing


def test_every_shipped_smollm2_word_finds_itself() -> None:
    table = shipped.table("smollm2")
    words = [row for row in range(table.rows) if table.tokens[row].removeprefix("Ġ").isalpha() and row % 5 == 0]
    assert len(words) > 1500
    for row in words:
        (token,) = tokenizer("smollm2").tokens(table.tokens[row].replace("Ġ", " "))
        assert token.token_id == table.id_of(row)


def test_the_right_tokeniser_for_a_table() -> None:
    assert tokenizer("gpt2") is gpt2()
    assert tokenizer("minilm") is minilm() is tokenizer(shipped.table("minilm"))
    assert tokenizer("glove") is tokenizer("glove")
    wordpiece = opened("[UNK]", "the", "##s", "cat")
    assert pieces(tokenizer(wordpiece).tokens("cats dog")) == [("cat", 3), ("##s", 2), ("[UNK]", 0)]
    of_gpt2 = Table("x", "X", GPT2, [""] * 50_257, np.zeros((50_257, 1), np.float32))
    assert tokenizer(of_gpt2) is gpt2()
    with pytest.raises(TableError, match=r"no tokeniser named word2vec; there are gpt2, lesson_4x3"):
        tokenizer("word2vec")


@pytest.mark.parametrize("name", ["gpt2", *shipped.table_ids()])
@given(text=st.text(st.characters(), max_size=40))
def test_nothing_typed_raises(name: str, text: str) -> None:
    for token in tokenizer(name).tokens(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.shown


@pytest.mark.parametrize("name", shipped.table_ids())
@pytest.mark.parametrize(
    "text", ["a" * 200_000, "!" * 200_000, "(" * 200_000, " " * 200_000, "1" * 200_000, "cat. " * 40_000]
)
def test_long_texts_do_not_hang(name: str, text: str) -> None:
    tokenizer(name).tokens(text)  # at most 0.5 s each
