"""Who numbers the tokens. An ID without its vocabulary means nothing, so here the two never part.

Three vocabularies ship, and " cat" is 3797 in one, 4937 in the next and 2644 in the third. ``TokenId`` carries the
vocabulary with the number; a table accepts only its own (``Table.row_of``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.tables.messages import TableError
from core.values import dataclass

Spelling = Literal["words", "bytes", "sentencepiece", "wordpiece"]
"""How a vocabulary writes its tokens down.

words: as they are · bytes: byte-level BPE, every byte a letter, "Ġ" a space (GPT-2, SmolLM2) ·
sentencepiece: "▁" a space · wordpiece: "##" continues the word before
"""

SPACE_MARK: dict[Spelling, str] = {"bytes": "Ġ", "sentencepiece": "▁"}
"""The sign that stands for a leading space, in the spellings that have one."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The identity of a numbering of tokens: two are the same where id, size and spelling agree.

    ``size`` counts the numbers in use (IDs run from 0 to size - 1), also where a table ships only part of the rows.
    ``fold_case``: its makers wrote everything in small letters, so a typed capital is read as the small letter.
    """

    id: str
    title: str
    size: int
    spelling: Spelling = "words"
    fold_case: bool = False


@dataclass(frozen=True, slots=True)
class TokenId:
    """A number together with the vocabulary that gave it. Raises TableError ("id_outside") where it has no such ID."""

    vocabulary: Vocabulary
    id: int

    def __post_init__(self) -> None:
        if not 0 <= self.id < self.vocabulary.size:
            raise TableError("id_outside", id=self.id, vocabulary=self.vocabulary.title, last=self.vocabulary.size - 1)

    def __str__(self) -> str:
        return f"{self.vocabulary.title} {self.id}"


GPT2 = Vocabulary("gpt2", "GPT-2", 50_257, "bytes")
MINILM = Vocabulary("minilm", "MiniLM (BERT WordPiece)", 30_522, "wordpiece", fold_case=True)
SMOLLM2 = Vocabulary("smollm2", "SmolLM2", 49_152, "bytes")
GLOVE = Vocabulary("glove", "GloVe", 40_000, fold_case=True)


def guess_spelling(tokens: Sequence[str]) -> Spelling:
    """How ``tokens`` are most likely spelt: by the share (1 in 20) that carries a mark. Reads every token once.

    A share, because "Ġgantija" is a word and "##" a Markdown heading.
    """
    counts: dict[Spelling, int] = {"bytes": 0, "sentencepiece": 0, "wordpiece": 0}
    for token in tokens:
        if token.startswith("Ġ"):
            counts["bytes"] += 1
        elif token.startswith("▁"):
            counts["sentencepiece"] += 1
        elif token.startswith("##"):
            counts["wordpiece"] += 1
    best = max(counts, key=lambda spelling: counts[spelling])
    return best if counts[best] * 20 >= max(len(tokens), 1) else "words"
