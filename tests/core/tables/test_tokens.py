"""How tokens are shown and kept together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tables.tokenizers import gpt2
from core.tables.tokens import BYTE_LETTERS, Token, letters, spell_bytes, spelled_bytes, visible
from core.tables.vocabulary import GPT2, Spelling, TokenId


@pytest.mark.parametrize(
    ("token", "spelling", "shown"),
    [
        ("cat", "words", "cat"),
        ("", "words", "“”"),
        (" ", "words", "␣"),
        (" new york ", "words", "␣new york␣"),
        ("\u0085", "words", "U+0085"),
        (".\u2028", "words", ".U+2028"),
        ("\u00a0", "words", "U+00A0"),
        ("a\u2009b", "words", "aU+2009b"),
        ("\ufeffthe", "words", "U+FEFFthe"),
        ("\u202etac", "words", "U+202Etac"),
        ("\x00", "words", "U+0000"),
        ("\ud800", "words", "U+D800"),
        ("\u0301", "words", "◌\u0301"),
        ("cafe\u0301", "words", "cafe\u0301"),
        ("👩\u200d👩\u200d👧", "words", "👩\u200d👩\u200d👧"),
        ("\u200d", "words", "U+200D"),
        ("<b>bold</b>", "words", "<b>bold</b>"),
        ("&amp;", "words", "&amp;"),
        ("Ġcat", "bytes", "␣cat"),
        ("Ġ", "bytes", "␣"),
        ("ĉ", "bytes", "U+0009"),
        ("Ċ", "bytes", "U+000A"),
        ("Ã©", "bytes", "é"),
        ("ĠðŁĳ", "bytes", "␣ 0xF0 0x9F 0x91"),
        ("©", "bytes", "0xA9"),
        ("", "bytes", "“”"),
        ("<|endoftext|>", "bytes", "<|endoftext|>"),
        ("日", "bytes", "日"),
        ("Ġcat", "words", "Ġcat"),
        ("▁cat", "sentencepiece", "␣cat"),
        ("##ing", "wordpiece", "##ing"),
    ],
)
def test_what_a_person_sees(token: str, spelling: Spelling, shown: str) -> None:
    assert visible(token, spelling) == shown


@given(st.text(st.characters(), max_size=8))
def test_nothing_invisible_is_ever_shown(token: str) -> None:
    for spelling in ("words", "bytes", "sentencepiece", "wordpiece"):
        shown = visible(token, spelling)  # type: ignore[arg-type]
        assert shown.strip()
        assert all(character.isprintable() or character in "\u200c\u200d" for character in shown)


def test_the_letters_of_bytes() -> None:
    assert len(set(BYTE_LETTERS)) == 256
    assert spell_bytes(b" cat\n") == "ĠcatĊ"
    assert spelled_bytes("ĠcatĊ") == b" cat\n"
    assert spelled_bytes("日") is None
    assert spelled_bytes(spell_bytes(bytes(range(256)))) == bytes(range(256))


def test_a_token_knows_its_vocabulary() -> None:
    token = Token("Ġcat", 3797, 3, 7, GPT2)
    assert (token.token_id, token.missing, token.shown) == (TokenId(GPT2, 3797), False, "␣cat")
    missing = Token("Ġcatt", None, 3, 8, GPT2)
    assert (missing.token_id, missing.missing) == (None, True)


def test_bytes_of_one_letter_stand_together() -> None:
    text = "a 👩 b"
    groups = letters(gpt2().tokens(text))
    assert [text[group[0].start : group[-1].end] for group in groups] == ["a", " 👩", " b"]
    assert [len(group) for group in groups] == [1, 2, 1]


@pytest.mark.parametrize("sign", ["👩\u200d👩\u200d👧", "👍🏽", "e\u0301\u0302", "\u26a0\ufe0f"])
def test_one_sign_to_the_reader_stands_together(sign: str) -> None:
    text = f"1{sign}2"
    groups = letters(gpt2().tokens(text), text)
    assert [text[group[0].start : group[-1].end] for group in groups] == ["1", sign, "2"]


@given(st.text(st.characters(), max_size=30))
def test_groups_tile_the_text(text: str) -> None:
    for typed in ("", text):
        groups = letters(gpt2().tokens(text), typed)
        assert "".join(text[group[0].start : group[-1].end] for group in groups) == text
