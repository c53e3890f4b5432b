"""What is offered for a word that a table doesn't have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tables import shipped
from core.tables.spellings import _distances, forms, plain_word, suggestions
from core.tables.table import Table
from core.tables.vocabulary import Vocabulary, guess_spelling


def opened(*tokens: str, hidden: frozenset[int] = frozenset()) -> Table:
    vocabulary = Vocabulary("opened", "Opened", len(tokens), guess_spelling(tokens))
    return Table("opened", "Opened", vocabulary, tokens, np.ones((len(tokens), 2), np.float32), hidden_rows=hidden)


@pytest.mark.parametrize(
    ("table", "word", "first"),
    [
        ("glove", "positve", "positive"),
        ("glove", "photosynthsis", "photosynthesis"),
        ("glove", "teh", "the"),
        ("glove", "Paris", "paris"),
        ("minilm", "positve", "positive"),
        ("smollm2", "Ġpositve", "Ġpositive"),
        ("smollm2", "paris", "Paris"),
        ("lesson_random", "catt", "cat"),
    ],
)
def test_the_first_offer(table: str, word: str, first: str) -> None:
    assert suggestions(shipped.table(table), word)[0] == first


@pytest.mark.parametrize("word", ["", " ", "Ġ", "xzqqk", "👩‍👩‍👧", "\ud800", "a" * 100_000, "\x00"])
def test_nothing_near_gives_no_offer(word: str) -> None:
    for name in ("glove", "minilm", "smollm2"):
        assert suggestions(shipped.table(name), word) == ()


def test_forms() -> None:
    assert forms(opened("can", "Ġcan", "Can"), "can") == ("Ġcan", "Can")
    assert forms(opened("café", "x"), "cafe\u0301") == ("café",)
    assert forms(opened("cafe\u0301", "x"), "CAFÉ") == ("cafe\u0301",)
    assert forms(opened("▁the", "s"), "the") == ("▁the",)
    assert forms(opened("the", "##s", "s"), "s") == ("##s",)
    assert forms(shipped.table("smollm2"), "Ġcat") == ("cat", "Cat", "ĠCat", "CAT", "ĠCAT")


def test_nearest_first_then_alike_then_commoner() -> None:
    table = opened("bat", "cut", "cats", "cat", "coats", "a")
    assert suggestions(table, "caats", 9) == ("cats", "coats", "cat")
    assert suggestions(table, "cxt") == ("cut", "cat")
    assert suggestions(table, "xat") == ("bat", "cat")
    assert suggestions(table, "cta", 2) == ("cat",)
    assert suggestions(table, "cat", 1) == ("cut",)


def test_hidden_rows_are_not_offered() -> None:
    assert suggestions(opened("cat", "cut", hidden=frozenset({0})), "cxt") == ("cut",)
    assert forms(opened("cat", "Cat", hidden=frozenset({1})), "cat") == ()


def test_plain_words() -> None:
    assert plain_word("Ġcat", "bytes") == "cat"
    assert plain_word("▁cat", "sentencepiece") == "cat"
    assert plain_word("##cat", "wordpiece") == "cat"
    assert plain_word("Ġcat", "words") == "Ġcat"
    assert plain_word("日", "bytes") == "日"


def slow_distance(a: str, b: str) -> int:
    table = {(i, j): i + j for i in range(len(a) + 1) for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(a), len(b)]


short = st.text(st.sampled_from("abc"), min_size=1, max_size=7)


@given(short, st.lists(short, min_size=1, max_size=5))
def test_distances_of_many_at_once(typed: str, words: list[str]) -> None:
    codes = np.array(words, dtype="U32").view(np.uint32).reshape(len(words), 32).T
    lengths = np.array([len(word) for word in words])
    assert _distances(typed, codes, lengths).tolist() == [slow_distance(typed, word) for word in words]
