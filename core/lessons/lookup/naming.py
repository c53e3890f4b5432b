"""A vocabulary as the pages see it: how many IDs it has, what an ID is called, and whether it has a row of numbers."""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from core.lessons.lookup.scene import Item, items, nameless
from core.lessons.lookup.state import LookupState
from core.stage.lesson import Context
from core.stage.text import has_text, text
from core.tables import tokenizers
from core.tables.assets import asset
from core.tables.gpt2 import gpt2_ranks
from core.tables.messages import TableError
from core.tables.spellings import forms, plain_word
from core.tables.table import Floats, Table
from core.tables.tokens import Token, visible
from core.tables.vocabulary import GPT2, Spelling, TokenId
from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Naming:
    """One vocabulary; ``table`` is None for GPT-2, of which only the IDs ship."""

    id: str
    size: int
    table: Table | None

    @property
    def title(self) -> str:
        """As a sentence calls it."""
        key = f"lookup.table.{self.id}"
        return text(key) if has_text(key) or self.table is None else self.table.title

    def token(self, number: int) -> str | None:
        """The token of an ID as a person reads it; None where the vocabulary or its shipped part has none, an empty
        text for one that lists leave out."""
        if not 0 <= number < self.size:
            return None
        if self.table is None:
            return "" if number in _gpt2_hidden() else visible(tokenizers.gpt2().piece(number), GPT2.spelling)
        row = self.row(number)
        if row is None:
            return None
        hidden = nameless(self.table) or row in self.table.hidden_rows
        return "" if hidden else visible(self.table.tokens[row], self.table.vocabulary.spelling)

    def row(self, number: int) -> int | None:
        """The row of an ID in the table that ships."""
        if self.table is None or not 0 <= number < self.size:
            return None
        try:
            return self.table.row_of(TokenId(self.table.vocabulary, number))
        except TableError:
            return None

    def vector(self, number: int) -> Floats | None:
        row = self.row(number)
        return None if row is None or self.table is None else self.table.row(row)

    def id_of_word(self, word: str) -> int | None:
        """The ID of a word as it stands inside a sentence (with its leading space where the vocabulary has such);
        None where it is not a single token."""
        if not word.strip():
            return None
        found = self.tokens(" " + word.strip() if self.marks_space else word.strip())
        whole = len(found) == 1 and not found[0].unknown
        return found[0].id if whole else None

    def tokens(self, words: str) -> tuple[Token, ...]:
        tokenizer = tokenizers.gpt2() if self.table is None else tokenizers.tokenizer(self.table)
        return tokenizer.tokens(words)

    @property
    def spelling(self) -> Spelling:
        return GPT2.spelling if self.table is None else self.table.vocabulary.spelling

    @property
    def marks_space(self) -> bool:
        """Whether a leading space is part of a token."""
        return self.spelling in ("bytes", "sentencepiece")

    def dressed(self, word: str) -> tuple[tuple[str, int], ...]:
        """The tokens that are ``word`` with and without a leading space, small, with a capital, in capitals: each as
        it is shown, with its ID."""
        if not word.strip():
            return ()
        if self.table is not None:
            spelling = self.table.vocabulary.spelling
            plain = plain_word(word.strip(), spelling)
            own = [plain] if self.table.find(plain) is not None else []
            found = [*own, *(token for token in forms(self.table, plain) if token not in own)]
            rows = [self.table.find(token) for token in found]
            named = [
                (visible(token, spelling), self.table.id_of(row).id)
                for token, row in zip(found, rows, strict=True)
                if row is not None
            ]
            # As in a sentence first: with the leading space.
            order = list(dict.fromkeys(name.strip("␣") for name, _ in named))
            return tuple(sorted(named, key=lambda entry: (order.index(entry[0].strip("␣")), entry[0][:1] != "␣")))
        plain = word.strip()
        dressed = dict.fromkeys(
            before + form for form in (plain, plain.lower(), plain.capitalize(), plain.upper()) for before in (" ", "")
        )
        ranks = ((form, gpt2_ranks().get(form.encode("utf-8", "replace"))) for form in dressed)
        return tuple((visible(form), rank) for form, rank in ranks if rank is not None and rank not in _gpt2_hidden())


def naming(state: LookupState, context: Context) -> Naming:
    """The vocabulary that the state has chosen; ``table``: that of the table at the top."""
    return named(state.vocabulary, context)


def named(vocabulary: str, context: Context) -> Naming:
    if vocabulary == GPT2.id:
        return Naming(GPT2.id, GPT2.size, None)
    table = context.table if vocabulary == "table" else context.table_called(vocabulary)
    return Naming(table.id, table.vocabulary.size, table)


def cards_in(vocabulary: str, context: Context) -> tuple[Item, ...]:
    """The sentence's cards in a vocabulary."""
    return items(context, "" if vocabulary == "table" else vocabulary)


ALIKE = 0.3  # a cosine from which on two rows are no longer called unlike


@dataclass(frozen=True, slots=True)
class Cosine:
    """The parts of a cosine, as they are written: dot / (length × length) = value."""

    dot: float
    lengths: tuple[float, float]
    value: float


def cosine(a: Floats, b: Floats) -> Cosine | None:
    """None for a row of zeros, which has no direction."""
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    lengths = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    if 0.0 in lengths:
        return None
    dot = float(x @ y)
    return Cosine(dot, lengths, min(max(dot / (lengths[0] * lengths[1]), -1.0), 1.0))


@cache
def _gpt2_hidden() -> frozenset[int]:
    """IDs whose tokens a classroom's lists leave out."""
    shown = json.loads(asset("tables", "filter", "display_filter.json").read_text(encoding="utf-8"))
    return frozenset(shown["gpt2_rows"])
