"""GPT-2's tokeniser: byte-pair merging by rank, written out because the merges are what a class should see.

A word becomes its UTF-8 bytes. Of all neighbouring pairs that the vocabulary knows, the one learned first (the lowest
rank, then the leftmost) is joined, again and again, until no known pair is left. A token's ID is the rank at which it
was learned: that is all the order of IDs means.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import pairwise

from core.tables.assets import asset
from core.tables.messages import TableError
from core.tables.pretokens import pretokens, without_surrogates
from core.tables.tokens import Token, spell_bytes
from core.tables.vocabulary import GPT2, TokenId, Vocabulary
from core.values import dataclass

Ranks = Mapping[bytes, int]

_REMEMBERED = 50_000
"""Words (of at most 64 characters) whose merging is kept; a text of more different words begins anew."""


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One state of a word being merged.

    ``pieces`` the word's pieces, bytes each; ``joined`` the index of the piece that this step made, and ``rank`` its
    rank, which is the ID of that piece (both None in the first state: single bytes).
    """

    pieces: tuple[bytes, ...]
    joined: int | None = None
    rank: int | None = None


def merge_steps(word: bytes, ranks: Ranks) -> tuple[MergeStep, ...]:
    """Every merge of ``word``, from its single bytes to its tokens. For a page, not for a book: n² in its length."""
    pieces = [word[at : at + 1] for at in range(len(word))]
    steps = [MergeStep(tuple(pieces))]
    while True:
        known = [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(pieces)) if a + b in ranks]
        if not known:
            return tuple(steps)
        rank, at = min(known)
        pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
        steps.append(MergeStep(tuple(pieces), at, rank))


def merge(word: bytes, ranks: Ranks) -> tuple[int, ...]:
    """The IDs that ``merge_steps`` ends with, in n log n: neighbours are linked and the known pairs lie in a heap."""
    whole = ranks.get(word)
    if whole is not None:
        return (whole,)
    size = len(word)
    end = list(range(1, size + 1))  # of the piece that starts here; 0 where no piece starts any more
    before = list(range(-1, size))  # start of the piece before
    heap = [(ranks[pair], at, at + 2) for at in range(size - 1) if (pair := word[at : at + 2]) in ranks]
    heapify(heap)

    def offer(start: int, stop: int) -> None:
        rank = ranks.get(word[start:stop])
        if rank is not None:
            heappush(heap, (rank, start, stop))

    while heap:
        _, start, stop = heappop(heap)
        middle = end[start]
        if not middle or middle >= size or end[middle] != stop:
            continue  # one of the two has been joined with another since
        end[start], end[middle] = stop, 0
        if stop < size:
            before[stop] = start
            offer(start, end[stop])
        if before[start] >= 0:
            offer(before[start], stop)
    return tuple(ranks[word[start:stop]] for start, stop in enumerate(end) if stop)


class Gpt2Tokenizer:
    """Text to GPT-2's IDs and back. Equal to tiktoken's "gpt2" without special tokens.

    "<|endoftext|>" in a typed text is plain text, because a class types what it likes.
    """

    vocabulary: Vocabulary = GPT2
    end_of_text = 50_256

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._raw = (*ranks, b"<|endoftext|>")  # ranks come in order
        self._seen: dict[str, tuple[int, ...]] = {}

    def _word(self, word: str) -> tuple[int, ...]:
        ids = self._seen.get(word)
        if ids is None:
            ids = merge(word.encode("utf-8"), self._ranks)
            if len(word) <= 64:
                if len(self._seen) >= _REMEMBERED:
                    self._seen.clear()
                self._seen[word] = ids
        return ids

    def encode(self, text: str) -> list[int]:
        """The IDs of ``text``. Lone surrogates count as U+FFFD; nothing that can be typed raises."""
        text, _ = without_surrogates(text)
        return [number for start, end in pretokens(text) for number in self._word(text[start:end])]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ``ids``; bytes that make no letter become U+FFFD. Raises TableError ("id_outside")."""
        return b"".join(self.raw(number) for number in ids).decode("utf-8", "replace")

    def raw(self, number: int) -> bytes:
        """The bytes that the token ``number`` stands for. Raises TableError ("id_outside")."""
        return self._raw[TokenId(self.vocabulary, number).id]

    def piece(self, number: int) -> str:
        """The token ``number`` as the vocabulary spells it, for example "Ġcat". Raises TableError ("id_outside")."""
        raw = self.raw(number)
        return raw.decode() if number == self.end_of_text else spell_bytes(raw)

    def tokens(self, text: str) -> tuple[Token, ...]:
        """The tokens of ``text`` with their places in it; those that share a letter's bytes share its place."""
        clean, places = without_surrogates(text)
        found: list[Token] = []
        for start, end in pretokens(clean):
            word = clean[start:end]
            starts, ends = _letter_of_byte(word, start)
            at = 0
            for number in self._word(word):
                raw = self._raw[number]
                first, last = starts[at], ends[at + len(raw) - 1]
                at += len(raw)
                if places is not None:
                    first, last = places[first], places[last]
                found.append(Token(spell_bytes(raw), number, first, last, self.vocabulary))
        return tuple(found)

    def words(self, text: str) -> tuple[str, ...]:
        """The words of the first cut, which tokens never reach across: "The cat" gives "The", " cat"."""
        clean, _ = without_surrogates(text)
        return tuple(clean[start:end] for start, end in pretokens(clean))

    def merge_steps(self, word: str) -> tuple[MergeStep, ...]:
        """How one of ``words`` is put together, merge by merge; the last step holds its tokens."""
        clean, _ = without_surrogates(word)
        return merge_steps(clean.encode("utf-8"), self._ranks)


def _letter_of_byte(word: str, offset: int) -> tuple[list[int] | range, list[int] | range]:
    """For each UTF-8 byte of ``word`` the start and the end of its letter, counted in characters from ``offset``."""
    if word.isascii():
        return range(offset, offset + len(word)), range(offset + 1, offset + len(word) + 1)
    starts = [at for at, letter in enumerate(word, offset) for _ in letter.encode("utf-8")]
    return starts, [at + 1 for at in starts]


@cache
def gpt2_ranks() -> dict[bytes, int]:
    """GPT-2's 50,256 tokens -> rank = ID, in order (tiktoken's file r50k_base)."""
    path = asset("tables", "gpt2", "r50k_base.tiktoken")
    try:
        lines = path.read_bytes().split(b"\n")
        ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)}
    except (ValueError, binascii.Error) as error:
        raise TableError("asset_damaged", name=path.name, reason=error) from error
    if list(ranks.values()) != list(range(GPT2.size - 1)):
        raise TableError("asset_damaged", name=path.name, reason="its ranks are not 0 to 50,255 in order")
    return ranks
