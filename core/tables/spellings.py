"""What a person may have meant by a word that a table does not have: other forms of it, then the nearest spellings."""

from __future__ import annotations

import unicodedata
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from core.tables.table import Table
from core.tables.tokens import spell_bytes, spelled_bytes
from core.tables.vocabulary import SPACE_MARK, Spelling

_LONGEST = 32
"""Letters compared; words that differ only beyond are the same spelling."""


def forms(table: Table, word: str) -> tuple[str, ...]:
    """The tokens of ``table`` that are ``word`` in another dress, itself not among them.

    With and without the leading space, in small letters, with a capital, in capitals, and with its accents put
    together or taken apart ("café" in one code point or two). Nothing is swapped unasked: these are offers.
    """
    spelling = table.vocabulary.spelling
    plain = plain_word(word, spelling)
    if not plain.strip():
        return ()
    dressed: dict[str, None] = {}
    for text in (plain, plain.lower(), plain.capitalize(), plain.upper()):
        for form in ("NFC", "NFD", "NFKC"):
            same = unicodedata.normalize(form, text)
            for token in _spelled(same, spelling):
                dressed[token] = None
    return tuple(token for token in dressed if token != word and _offered(table, token))


def suggestions(table: Table, word: str, n: int = 5) -> tuple[str, ...]:
    """At most ``n`` tokens of ``table`` to offer for ``word``: its other forms, then the nearest spellings.

    Near: an edit distance (insert, drop, change, or swap two neighbours) of at most 1 for up to four letters, 2 for
    up to eight, else 3, and less than the word is long; capitals don't count. Nearest first, then those that begin
    alike, then the commoner (lower row). Neither rows that the display filter hides nor WordPiece's continuations are
    offered. The answer depends on nothing else.
    """
    near: dict[str, None] = dict.fromkeys(forms(table, word))
    typed = plain_word(word, table.vocabulary.spelling).casefold()[:_LONGEST]
    if typed.strip() and len(near) < n:
        for row in _nearest_rows(table, typed, n + len(near) + 1 + len(table.hidden_rows)):
            token = table.tokens[row]
            if token != word and row not in table.hidden_rows:
                near[token] = None
    return tuple(near)[:n]


def plain_word(token: str, spelling: Spelling) -> str:
    """``token`` without the signs of its spelling: "Ġcat", "▁cat" and "##cat" give "cat"."""
    if spelling == "bytes":
        raw = spelled_bytes(token)
        return token if raw is None else raw.decode("utf-8", "replace").strip(" ")
    if spelling == "sentencepiece":
        return token.replace("▁", " ").strip(" ")
    return token.removeprefix("##") if spelling == "wordpiece" else token


def _spelled(text: str, spelling: Spelling) -> tuple[str, ...]:
    if spelling == "bytes":
        piece = spell_bytes(text.encode("utf-8", "surrogatepass"))
        return piece, SPACE_MARK[spelling] + piece
    if spelling == "sentencepiece":
        return text, SPACE_MARK[spelling] + text
    return (text, "##" + text) if spelling == "wordpiece" else (text,)


def _offered(table: Table, token: str) -> bool:
    row = table.find(token)
    return row is not None and row not in table.hidden_rows


# --- edit distance over a whole table at once ----------------------------------------------------------------------


class _Letters:
    """The plain words of a table as code points: ``codes`` (_LONGEST, rows), ``lengths`` (rows,)."""

    def __init__(self, table: Table) -> None:
        spelling = table.vocabulary.spelling
        words = [plain_word(token, spelling).casefold()[:_LONGEST] for token in table.tokens]
        if spelling == "wordpiece":
            words = ["" if token.startswith("##") else word for token, word in zip(table.tokens, words, strict=True)]
        # The block below fills up with zeros and so can't tell a closing U+0000; such a word is never near another.
        self.lengths = np.array([len(word) for word in words], dtype=np.int16)
        # NumPy's fixed-width text is a block of code points, filled up with zeros.
        block = np.array(words, dtype=f"U{_LONGEST}").view(np.uint32).reshape(len(words), _LONGEST)
        self.codes = np.ascontiguousarray(block.T)


_letters: WeakKeyDictionary[Table, _Letters] = WeakKeyDictionary()


def _nearest_rows(table: Table, typed: str, k: int) -> list[int]:
    known = _letters.get(table)
    if known is None:
        known = _letters[table] = _Letters(table)
    allowed = min(len(typed) - 1, 1 if len(typed) <= 4 else 2 if len(typed) <= 8 else 3)
    rows = np.flatnonzero((np.abs(known.lengths - len(typed)) <= allowed) & (known.lengths > 0))
    distances = _distances(typed, known.codes[:, rows], known.lengths[rows])
    near = np.flatnonzero(distances <= allowed)
    begins_otherwise = known.codes[0, rows[near]] != ord(typed[0])
    order = np.lexsort((rows[near], begins_otherwise, distances[near]))[:k]
    return [int(row) for row in rows[near[order]]]


def _distances(typed: str, codes: npt.NDArray[np.uint32], lengths: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """Optimal string alignment distance of ``typed`` to each column of ``codes``, all columns in step."""
    count = len(lengths)
    width = int(lengths.max(initial=0))
    start = np.arange(width + 1, dtype=np.int8)[:, None]
    above = np.repeat(start, count, axis=1)
    two_above = above
    for at, letter in enumerate(map(ord, typed), 1):
        here = np.empty_like(above)
        here[0] = at
        same = codes[:width] == letter
        swapped = codes[: width - 1] == letter if at > 1 else None
        for column in range(1, width + 1):
            best = np.minimum(above[column], here[column - 1])
            best += 1
            np.minimum(best, above[column - 1] + ~same[column - 1], out=best)
            if swapped is not None and column > 1:
                twisted = swapped[column - 2] & (codes[column - 1] == ord(typed[at - 2]))
                np.minimum(best, np.where(twisted, two_above[column - 2] + np.int8(1), best), out=best)
            here[column] = best
        two_above, above = above, here
    distances: npt.NDArray[np.int8] = above[lengths, np.arange(count)]
    return distances
