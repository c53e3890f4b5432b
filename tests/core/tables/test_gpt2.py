"""GPT-2's tokeniser against tiktoken built from the same local file; no network."""

from __future__ import annotations

import random
import sys
from itertools import pairwise

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from core.tables.gpt2 import gpt2_ranks, merge, merge_steps
from core.tables.messages import TableError
from core.tables.pretokens import kinds, without_surrogates
from core.tables.tokenizers import gpt2, tokenizer

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
TIKTOKEN = tiktoken.Encoding(
    name="local gpt2",
    pat_str=PATTERN,
    mergeable_ranks=gpt2_ranks(),
    special_tokens={"<|endoftext|>": 50_256},
)
PAGE = """The cat sat → [464, 3797, 3332]; it's 0.981 against −0.179, isn't it?
\t$$PE_{(pos,\\,2i)} = \\sin\\!\\left(\\frac{pos}{10000^{2i/d}}\\right)$$\r\n
import numpy as np

def positional_encoding(n_positions, d):
    # "dog bites man"  vs.  'man bites dog'
    pos = np.arange(n_positions)[:, None]   \n\n    return np.where(i % 2 == 0, np.sin(a), np.cos(a)).round(2)
She said “naïve café”, they've said 日本語、한국어, Ελληνικά, 👩‍👩‍👧 and ½ × √512 ≈ 11.3!   """

# The characters where tokenisers differ: blanks, apostrophes, marks, digits of other scripts, controls.
AWKWARD = [
    *" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff\u180e",
    *"'’\"-.,!?()[]<|>_#$+^`~\\/&;:@", *"stmdrevlSTMDREVLabcXYZ", *"0123456789²½Ⅷ٣৩一二",
    *"éèüßñçİıſKÅ\u0301\u0308\u20e3日本語한국어العربيةहिन्दीไทย", *"👩👧🏽🇩🇪\u200d\ufe0f\ue000\U0010ffff\x00",
    "'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", " 's", "  ", "   ", " \n", "\n\n", "<|endoftext|>",
    "the", " cat",
]  # fmt: skip


def random_text(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.4:
        return "".join(chance.choices(AWKWARD, k=chance.randrange(1, 25)))
    if kind < 0.7:
        return "".join(chr(chance.randrange(0x20, 0x250)) for _ in range(chance.randrange(1, 25)))
    points = (chance.randrange(0x110000) for _ in range(chance.randrange(1, 15)))
    return "".join(chr(point) for point in points if not 0xD800 <= point < 0xE000)


def test_the_lessons_sentence() -> None:
    assert gpt2().encode("The cat sat") == [464, 3797, 3332]
    tokens = tokenizer("gpt2").tokens("The cat sat")
    assert [(token.piece, token.id, token.start, token.end) for token in tokens] == [
        ("The", 464, 0, 3), ("Ġcat", 3797, 3, 7), ("Ġsat", 3332, 7, 11)
    ]  # fmt: skip


def test_equal_to_tiktoken_on_20_000_random_texts() -> None:
    chance = random.Random(20_000)
    for _ in range(20_000):
        text = random_text(chance)
        assert gpt2().encode(text) == TIKTOKEN.encode_ordinary(text), ascii(text)


def test_equal_to_tiktoken_on_a_lesson_page() -> None:
    assert gpt2().encode(PAGE) == TIKTOKEN.encode_ordinary(PAGE)
    assert gpt2().decode(gpt2().encode(PAGE)) == PAGE


def test_every_character_is_of_the_kind_that_tiktoken_takes_it_for() -> None:
    text = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    ranks = {bytes([byte]): byte for byte in range(256)}
    as_new = sys.version_info < (3, 15)  # a newer Python knows letters that tiktoken doesn't
    for pattern, own in ((r"\p{L}", "Lstmdrevl"), (r"\p{N}", "N"), (r"\s", "S ")):
        cuts = tiktoken.Encoding("kind", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        theirs = set(cuts.decode(cuts.encode_ordinary(text)))
        ours = {character for character, kind in zip(text, kinds(text), strict=True) if kind in own}
        assert theirs <= ours
        assert ours == theirs or not as_new


def test_every_token_is_its_own_merge() -> None:
    ranks = gpt2_ranks()
    for raw, rank in list(ranks.items())[::7]:
        assert merge_steps(raw, ranks)[-1].pieces == (raw,)
        assert merge(raw, ranks) == (rank,)


def test_token_bytes_and_spellings() -> None:
    assert gpt2().piece(3797) == "Ġcat"
    assert gpt2().piece(50_256) == "<|endoftext|>"
    assert gpt2().raw(3797) == b" cat"
    assert gpt2().decode([464, 3797, 50_256]) == "The cat<|endoftext|>"
    with pytest.raises(TableError, match="there is no ID 50257"):
        gpt2().decode([50_257])
    with pytest.raises(TableError, match="there is no ID -1"):
        gpt2().raw(-1)


def test_typed_specials_are_plain_text() -> None:
    assert gpt2().encode("<|endoftext|>") == TIKTOKEN.encode_ordinary("<|endoftext|>")
    assert 50_256 not in gpt2().encode("<|endoftext|>")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat sat", ["The", " cat", " sat"]),
        ("we'll don'T", ["we", "'ll", " don", "'", "T"]),
        ("a  b", ["a", " ", " b"]),
        ("a \n b  ", ["a", " \n", " b", "  "]),
        ("3 minus 5.", ["3", " minus", " 5", "."]),
        ("a\x1cb", ["a", "\x1c", "b"]),
        ("", []),
    ],
)
def test_the_first_cut(text: str, words: list[str]) -> None:
    assert list(gpt2().words(text)) == words


def test_merges_step_by_step() -> None:
    steps = gpt2().merge_steps(" cat")
    assert [step.pieces for step in steps] == [
        (b" ", b"c", b"a", b"t"), (b" ", b"c", b"at"), (b" c", b"at"), (b" cat",)
    ]  # fmt: skip
    assert [step.rank for step in steps] == [None, 265, 269, 3797]
    assert [step.joined for step in steps] == [None, 2, 0, 0]


@given(st.text(st.characters(), max_size=40))
def test_the_steps_end_where_the_quick_way_ends(text: str) -> None:
    for word in gpt2().words(text):
        last = gpt2().merge_steps(word)[-1]
        assert [gpt2_ranks()[piece] for piece in last.pieces] == list(merge(word.encode(), gpt2_ranks()))


@given(st.text(st.sampled_from("aes ’é👩"), max_size=60))
def test_the_quick_way_on_repeats(text: str) -> None:
    assert gpt2().encode(text) == TIKTOKEN.encode_ordinary(text)


@given(st.text(st.characters(), max_size=40))
def test_any_text_gives_tokens_that_cover_it(text: str) -> None:
    tokens = gpt2().tokens(text)
    assert [token.id for token in tokens] == gpt2().encode(text) == TIKTOKEN.encode_ordinary(text)
    assert (tokens[0].start, tokens[-1].end) == (0, len(text)) if text else not tokens
    for token, following in pairwise(tokens):
        assert token.start < token.end
        assert following.start <= token.end <= following.end


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udc00b", "\ud83d\ude00", "\ude00\ud83d\ud83d", "\ud800\ud83d\ude00\udfff", "x\ud83d"]
)
def test_surrogates_are_read_as_tiktoken_reads_them(text: str) -> None:
    assert gpt2().encode(text) == TIKTOKEN.encode_ordinary(text)
    tokens = gpt2().tokens(text)
    assert (tokens[0].start, tokens[-1].end) == (0, len(text))


def test_surrogates_keep_their_places() -> None:
    assert without_surrogates("plain") == ("plain", None)
    assert without_surrogates("a\ud83d\ude00\ud800b") == ("a😀\ufffdb", [0, 1, 3, 4, 5])


@pytest.mark.parametrize(
    "text", ["a" * 200_000, " " * 200_000, "'" * 200_000, "é" * 100_000, "🙂" * 50_000, "ab" * 100_000]
)
def test_one_endless_word_does_not_hang(text: str) -> None:
    # 0.2 to 0.6 s each on a machine with two slow cores; anything quadratic would take hours.
    assert gpt2().encode(text) == TIKTOKEN.encode_ordinary(text)


def test_a_megabyte_does_not_hang() -> None:
    assert len(gpt2().tokens("The cat sat on the mat. " * 42_000)) == 42_000 * 7 + 1  # 0.8 s
