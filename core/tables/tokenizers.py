"""The tokeniser that belongs to a table or vocabulary, made on first use and kept.

The tokenisers themselves: ``gpt2`` (byte pairs by rank), ``wordpiece`` (MiniLM), ``wholewords`` (tables without one).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from core.tables import shipped
from core.tables.messages import TableError
from core.tables.vocabulary import GPT2, SMOLLM2

if TYPE_CHECKING:  # each is loaded with the first table that needs it
    from core.tables.gpt2 import Gpt2Tokenizer
    from core.tables.table import Table
    from core.tables.tokens import Tokenizer
    from core.tables.wordpiece import WordPieceTokenizer


@cache
def gpt2() -> Gpt2Tokenizer:
    """GPT-2's own tokeniser. It has IDs only: no table of GPT-2 ships."""
    from core.tables.gpt2 import Gpt2Tokenizer, gpt2_ranks

    return Gpt2Tokenizer(gpt2_ranks())


@cache
def minilm() -> WordPieceTokenizer:
    """MiniLM's own tokeniser, with [CLS] and [SEP] where asked for."""
    from core.tables.wordpiece import WordPieceTokenizer

    table = shipped.table("minilm")
    return WordPieceTokenizer(table.vocabulary, table.tokens, table.find)


def tokenizer(which: str | Table) -> Tokenizer:
    """The tokeniser of a shipped table or vocabulary by id ("gpt2", "minilm", "glove" …), or of any table.

    An opened table gets the one that its vocabulary's spelling asks for, which looks words up whole unless the
    vocabulary is GPT-2's or written in WordPiece. Raises TableError ("vocabulary_unknown").
    """
    return _by_id(which) if isinstance(which, str) else _of(which)


@cache
def _by_id(which: str) -> Tokenizer:
    if which == GPT2.id:
        return gpt2()
    if which not in shipped.table_ids():
        raise TableError("vocabulary_unknown", name=which, known=", ".join((GPT2.id, *shipped.table_ids())))
    return _of(shipped.table(which))


def _of(table: Table) -> Tokenizer:
    from core.tables.wholewords import MarkedWordTokenizer, WholePieceTokenizer, WholeWordTokenizer

    vocabulary = table.vocabulary
    if vocabulary == GPT2:
        return gpt2()
    match vocabulary.spelling:
        case "wordpiece":
            from core.tables.wordpiece import WordPieceTokenizer

            return minilm() if table.id == "minilm" else WordPieceTokenizer(vocabulary, table.tokens, table.find)
        case "bytes":
            return WholePieceTokenizer(table, single_digits=vocabulary == SMOLLM2)
        case "sentencepiece":
            return MarkedWordTokenizer(table)
        case "words":
            return WholeWordTokenizer(table)
