"""BERT's tokeniser, as MiniLM uses it: small letters without accents, then the longest pieces that are in the table."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain

from core.tables.tokens import Token
from core.tables.vocabulary import TokenId, Vocabulary

_UNKNOWN = "[UNK]"
_LONGEST_WORD = 100
"""Characters; a longer word is [UNK] in the published tokeniser."""

_CJK = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip
"""Ideographs, which stand alone. BERT's own code says 2B820; the tokenisers in use say 2B920, and so does this."""


class WordPieceTokenizer:
    """WordPiece over a list of pieces ("##ing" goes on from the piece before; row number = ID).

    ``find`` gives a piece's ID or None. Special tokens such as "[CLS]" are plain text when typed.
    """

    def __init__(self, vocabulary: Vocabulary, pieces: Sequence[str], find: Callable[[str], int | None]) -> None:
        self.vocabulary = vocabulary
        self._pieces = pieces
        self._find = find
        self._longest = max(map(len, pieces), default=0)
        self._cut = lru_cache(maxsize=50_000)(self._cut_word)

    def encode(self, text: str, special_tokens: bool = False) -> list[int]:
        """The IDs of ``text``, with [CLS] and [SEP] around them if asked (and the vocabulary has them)."""
        return [token.id for token in self.tokens(text, special_tokens) if token.id is not None]

    def decode(self, ids: Iterable[int]) -> str:
        """The pieces of ``ids`` put together with spaces; accents and capitals don't return. Raises "id_outside"."""
        pieces = [self._pieces[TokenId(self.vocabulary, number).id] for number in ids]
        return " ".join(pieces).replace(" ##", "")

    def tokens(self, text: str, special_tokens: bool = False) -> tuple[Token, ...]:
        """The tokens of ``text`` with their places. A word that can't be put together is one token marked unknown."""
        found: list[Token] = []
        for word, places in _words(text, self.vocabulary.fold_case):
            pieces = self._cut(word)
            if pieces is None:
                unknown = self._find(_UNKNOWN)
                found.append(Token(_UNKNOWN, unknown, places[0], places[-1] + 1, self.vocabulary, unknown=True))
                continue
            at = 0
            for piece, number, width in pieces:
                found.append(Token(piece, number, places[at], places[at + width - 1] + 1, self.vocabulary))
                at += width
        if special_tokens:
            ends = self._special("[CLS]", 0), self._special("[SEP]", len(text))
            return tuple(token for token in chain(ends[:1], found, ends[1:]) if token is not None)
        return tuple(found)

    def _special(self, piece: str, at: int) -> Token | None:
        number = self._find(piece)
        return None if number is None else Token(piece, number, at, at, self.vocabulary)

    def _cut_word(self, word: str) -> tuple[tuple[str, int, int], ...] | None:
        """(piece, ID, characters of the word) for each piece, or None where the word can't be cut into pieces."""
        if len(word) > _LONGEST_WORD:
            return None
        pieces: list[tuple[str, int, int]] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = mark + word[start:end]
                number = self._find(piece)
                if number is not None:
                    pieces.append((piece, number, end - start))
                    start = end
                    break
            else:
                return None
        return tuple(pieces)


def _words(text: str, fold_case: bool) -> Iterable[tuple[str, list[int]]]:
    """The words of BERT's first cut, each with the place in ``text`` of every character of it."""
    word: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        kind, letters = _kind(character, fold_case)
        if kind == "drop":
            continue
        if kind != "letter" and word:
            yield "".join(word), places
            word, places = [], []
        if kind == "alone":
            yield letters, [place] * len(letters)
        elif kind == "letter":
            word.append(letters)
            places.extend([place] * len(letters))
    if word:
        yield "".join(word), places


@lru_cache(maxsize=4096)
def _kind(character: str, fold_case: bool) -> tuple[str, str]:
    """("space" | "drop" | "alone" | "letter", the characters that stand for it)"""
    if character in "\t\n\r" or unicodedata.category(character) in ("Zs", "Zl", "Zp"):
        return "space", ""
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return "drop", ""
    alone = any(first <= ord(character) <= last for first, last in _CJK)
    letters = character
    if fold_case:
        plain = [part for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn"]
        letters = "".join(part.lower() for part in plain)
        if not letters:
            return "drop", ""
    if alone or _is_punctuation(letters):
        return "alone", letters
    return "letter", letters


def _is_punctuation(letters: str) -> bool:
    # The signs + < $ ` ^ are no punctuation to Unicode, but they are to BERT.
    if len(letters) != 1:
        return False
    return (letters.isascii() and letters.isprintable() and not letters.isalnum() and letters != " ") or (
        unicodedata.category(letters).startswith("P")
    )
