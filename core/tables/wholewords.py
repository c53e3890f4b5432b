"""Tokenisers for tables that come without one: what is typed is looked up whole, and what is missing stays missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

from core.tables.pretokens import pretokens, without_surrogates
from core.tables.tokens import Token, spell_bytes
from core.tables.vocabulary import TokenId, Vocabulary

# What people write against a word. Signs such as < & # @ stay with it: "<b>cat</b>" is one thing that was typed.
_BEFORE = "([{\"'“‘«¿¡"
_AFTER = ".,;:!?…)]}\"'”’»。，、！？"
_WORD = re.compile(r"\S+")
_MOST_CUT = 32
"""Signs cut off at each end of a word; a longer row of them stays in one piece, which keeps the work linear."""


class WordTable(Protocol):
    """What a whole-word tokeniser needs of a table (``core.tables.table.Table`` has it)."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def find(self, token: str) -> int | None: ...

    def id_of(self, row: int) -> TokenId: ...


class WholeWordTokenizer:
    """Words between blanks, as a table of plain words has them (GloVe, the lessons' tables, most opened files).

    A word is looked up as typed. Where its vocabulary is in small letters by its makers' own rule
    (``vocabulary.fold_case``: GloVe 6B and the lessons, whose "The" is row "the"), capitals are read as small
    letters; in any other table "Paris" is missing even if "paris" is there, and ``suggestions`` offers that.
    Quotation marks, brackets and the end of a sentence are cut off where the word is not in the table with them.
    """

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._find = _id_finder(table)

    @property
    def vocabulary(self) -> Vocabulary:
        return self._table.vocabulary

    def tokens(self, text: str) -> tuple[Token, ...]:
        """One token for each word or cut-off sign; the missing ones have no ID."""
        return tuple(self._tokens(text))

    def _tokens(self, text: str) -> Iterator[Token]:
        for match in _WORD.finditer(text):
            first, last = match.span()
            if not self._lacks(text, first, last):
                yield self._token(text, first, last)
                continue
            start, end = first, last
            while last - end < _MOST_CUT and end > start and text[end - 1] in _AFTER and self._lacks(text, start, end):
                end -= 1
            while (
                start - first < _MOST_CUT and start < end and text[start] in _BEFORE and self._lacks(text, start, end)
            ):
                start += 1
            yield from (self._token(text, at, at + 1) for at in range(first, start))
            if start < end:
                yield self._token(text, start, end)
            yield from (self._token(text, at, at + 1) for at in range(end, last))

    def _lacks(self, text: str, start: int, end: int) -> bool:
        return self._find(self._spelled(text[start:end])) is None

    def _spelled(self, word: str) -> str:
        return word.lower() if self.vocabulary.fold_case else word

    def _token(self, text: str, start: int, end: int) -> Token:
        piece = self._spelled(text[start:end])
        return Token(piece, self._find(piece), start, end, self.vocabulary)


class WholePieceTokenizer:
    """GPT-2's first cut, each word looked up whole with its leading space ("Ġcat"): for byte-level tables in part.

    The real tokeniser would go on to cut what isn't one token; without its merges and all its rows that would be made
    up, so here the word is missing. ``single_digits``: numerals stand alone, as in SmolLM2.
    """

    def __init__(self, table: WordTable, single_digits: bool = False) -> None:
        self._table = table
        self._single_digits = single_digits
        self._find = _id_finder(table)

    @property
    def vocabulary(self) -> Vocabulary:
        return self._table.vocabulary

    def tokens(self, text: str) -> tuple[Token, ...]:
        """One token for each word, run of digits, signs or blanks; the missing ones have no ID."""
        clean, places = without_surrogates(text)
        found: list[Token] = []
        for start, end in pretokens(clean, self._single_digits):
            piece = spell_bytes(clean[start:end].encode("utf-8"))
            first, last = (start, end) if places is None else (places[start], places[end])
            found.append(Token(piece, self._find(piece), first, last, self.vocabulary))
        return tuple(found)


class MarkedWordTokenizer:
    """Words between blanks, looked up with the mark of a leading space first ("▁cat"), then without it."""

    def __init__(self, table: WordTable, mark: str = "▁") -> None:
        self._table = table
        self._mark = mark
        self._find = _id_finder(table)

    @property
    def vocabulary(self) -> Vocabulary:
        return self._table.vocabulary

    def tokens(self, text: str) -> tuple[Token, ...]:
        """One token for each word; the missing ones have no ID."""
        found: list[Token] = []
        for match in _WORD.finditer(text):
            piece = self._mark + match.group()
            number = self._find(piece)
            if number is None and (plain := self._find(match.group())) is not None:
                piece, number = match.group(), plain
            found.append(Token(piece, number, *match.span(), self.vocabulary))
        return tuple(found)


def _id_finder(table: WordTable) -> Callable[[str], int | None]:
    """Piece -> ID or None."""

    def find(piece: str) -> int | None:
        row = table.find(piece)
        return None if row is None else table.id_of(row).id

    return find
