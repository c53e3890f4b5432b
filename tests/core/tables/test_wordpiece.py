"""MiniLM's tokeniser against the tokenizers library over the same vocabulary file."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from core.tables import shipped
from core.tables.assets import asset
from core.tables.messages import TableError
from core.tables.tokenizers import minilm, tokenizer
from core.tables.vocabulary import MINILM
from core.tables.wordpiece import WordPieceTokenizer

Marked = list[tuple[int | None, int, int]]

PAGE = """The cat sat → [464, 3797, 3332]; it's 0.981 against −0.179, isn't it?
\t$$PE_{(pos,\\,2i)} = \\sin\\!\\left(\\frac{pos}{10000^{2i/d}}\\right)$$\r
She said “naïve CAFÉ”, İstanbul ΣΑΣ ſtraße ﬁne 日本語、한국어 हिन्दी — 👩‍👩‍👧 ½ × √512 ≈ 11.3!
unbelievably antidisestablishmentarianism
"""


@cache
def reference() -> BertWordPieceTokenizer:
    return BertWordPieceTokenizer(str(asset("tables", "minilm", "vocab.txt")), lowercase=True)


def theirs(text: str) -> Marked:
    encoded = reference().encode(text, add_special_tokens=False)
    return [(number, *place) for number, place in zip(encoded.ids, encoded.offsets, strict=True)]


def ours(text: str) -> Marked:
    return [(token.id, token.start, token.end) for token in minilm().tokens(text)]


def test_the_lessons_sentence() -> None:
    assert minilm().encode("The cat sat") == [1996, 4937, 2938]
    assert minilm().encode("The cat sat", special_tokens=True) == [101, 1996, 4937, 2938, 102]
    assert [token.shown for token in tokenizer("minilm").tokens("The cat sat")] == ["the", "cat", "sat"]


def test_equal_to_the_library_with_places() -> None:
    assert ours(PAGE) == theirs(PAGE)
    assert reference().encode(PAGE).ids == minilm().encode(PAGE, special_tokens=True)


def test_equal_on_random_everyday_text() -> None:
    chance = random.Random(5)
    pieces = [
        *(piece.removeprefix("##") for piece in shipped.table("minilm").tokens if not piece.startswith("[")),
        *" .,'-éÉ\n",
    ]
    for _ in range(2_000):
        text = "".join(chance.choices(pieces, k=6)) + chance.choice(" .X\t") + " ".join(chance.choices(pieces, k=4))
        assert ours(text) == theirs(text), ascii(text)


def test_equal_on_hostile_text() -> None:
    """The library's tables of character kinds are of Unicode 8; only characters that came later may differ."""
    chance = random.Random(6)
    differing = 0
    for _ in range(5_000):
        points = [chance.randrange(0x300 if chance.random() < 0.5 else 0x30000) for _ in range(12)]
        text = "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)
        if ours(text) != theirs(text):
            differing += 1
            guilty = [character for character in text if ours(f"a{character}b") != theirs(f"a{character}b")]
            assert guilty, ascii(text)
            assert min(guilty) >= "\u0600"
    assert differing < 100


@pytest.mark.parametrize("low", [0, 0x600, 0x2000, 0x3000, 0xF000])
def test_single_characters(low: int) -> None:
    known_later = 0
    for point in range(low, low + 0x600):
        text = f"a{chr(point)}b {chr(point)}"
        known_later += ours(text) != theirs(text)
    assert known_later == 0 if low != 0x600 else known_later < 80


def test_an_unknown_word_is_marked() -> None:
    (token,) = minilm().tokens("👩‍👩‍👧")
    assert (token.piece, token.id, token.unknown, token.start, token.end) == ("[UNK]", 100, True, 0, 5)
    (token,) = minilm().tokens("a" * 101)
    assert (token.unknown, token.end) == (True, 101)
    assert not any(token.unknown for token in minilm().tokens("the cat a"))


def test_special_tokens_typed_are_plain_text() -> None:
    assert 101 not in minilm().encode("[CLS] the [SEP]")


def test_back_to_text() -> None:
    assert minilm().decode(minilm().encode("The unbelievably naïve cat")) == "the unbelievably naive cat"
    with pytest.raises(TableError, match="there is no ID 30522"):
        minilm().decode([30_522])


def test_a_cased_vocabulary_keeps_capitals() -> None:
    pieces = ["[UNK]", "The", "the", "é"]
    vocabulary = type(MINILM)("cased", "Cased", 4, "wordpiece")
    cased = WordPieceTokenizer(vocabulary, pieces, {piece: row for row, piece in enumerate(pieces)}.get)
    assert cased.encode("The the THE é") == [1, 2, 0, 3]
    assert cased.encode("the", special_tokens=True) == [2]  # it has no [CLS]


def test_a_vocabulary_without_a_stand_in_misses() -> None:
    (token,) = WordPieceTokenizer(MINILM, ["the"], {"the": 0}.get).tokens("cat")
    assert (token.missing, token.unknown) == (True, True)


@given(st.text(st.characters(), max_size=40))
def test_nothing_typed_raises_and_places_lie_in_the_text(text: str) -> None:
    end = 0
    for token in minilm().tokens(text):
        assert end <= token.start or token.start == end - 1  # one letter may become several
        assert token.start < token.end <= len(text)
        end = token.end


def test_long_texts_do_not_hang() -> None:
    assert len(minilm().tokens("The cat sat on the mat. " * 42_000)) == 42_000 * 7  # 0.9 s
    assert len(minilm().tokens("a" * 200_000)) == 1
    assert len(minilm().tokens("!" * 100_000)) == 100_000
