"""The text that vectors are learnt from: our own sentences, or one that the class pastes.

A word that is more than a twentieth of the text stands beside everything and tells nothing apart: it is passed over, as
word2vec thins out such words. A pasted text keeps its commonest words.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain

from core.stage.jobs import Cancelled
from core.tables.assets import asset
from core.values import dataclass

MOST_WORDS = 500  # of a pasted text: each is a row of the table
MOST_SHOWN = 30  # on the map
EVERYWHERE = 0.05  # share of the text from which on a word is passed over …
FEW_WORDS = 40  # … unless the text has hardly any other words
LONGEST_WORD = 40
# Longer words of English grammar: learnt like any other, but last to be put on the map.
_GRAMMAR = frozenset(
    """
    that this these those there their theirs them they then than with without from into onto upon over under about
    after again against along also although always among another anything around away back because been before
    behind being below between both came cannot come could does doing done down during each either else even ever
    every everything first found going good great have having here hers herself himself however into itself just
    know like little long look made make many more most much must myself never nothing once only other others ought
    ours ourselves perhaps quite rather really said same seem seemed shall should since some something still such take
    tell themselves thing things think though thought through thus till together took toward towards until very want
    well went were what when where whether which while whom whose will within would your yours yourself yourselves
    """.split()  # noqa: SIM905 - as a list it would take ninety lines
)

_ENDS = re.compile(r"[.!?…。！？｡؟।\n\r\v\f\x85\u2028\u2029]+")
_BETWEEN = re.compile(r"[\s,;:()\[\]{}<>\"“”„«»‹›/\\|—–_*#=+~^`@&、，；：「」（）]+")
_ALONE = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")  # scripts without spaces: each sign is a word


@dataclass(frozen=True, eq=False)
class Corpus:
    """words: the table's rows, commonest first; sentences: their IDs; problem: why nothing can be learnt from it."""

    words: tuple[str, ...] = ()
    sentences: tuple[tuple[int, ...], ...] = ()
    shown: tuple[int, ...] = ()  # the words that the map shows unless others are chosen
    total: int = 0  # words read, repetitions included
    distinct: int = 0
    passed: tuple[str, ...] = ()  # passed over: they stand everywhere
    passed_share: float = 0.0
    rare: int = 0  # distinct words beyond the commonest ones
    signs: tuple[str, ...] = ()  # digits and pictures that stood where a word might; no letter is in them
    problem: str = ""

    def place(self, word: str) -> int | None:
        """The row of a typed word."""
        return self._places.get(word.strip().lower())

    @property
    def _places(self) -> dict[str, int]:
        return _places(self.words)


@lru_cache(maxsize=8)
def _places(words: tuple[str, ...]) -> dict[str, int]:
    return {word: place for place, word in enumerate(words)}


@lru_cache(maxsize=1)
def kinds() -> dict[str, tuple[str, ...]]:
    """The nouns of our sentences by kind."""
    found = json.loads(asset("corpus", "kinds.json").read_text(encoding="utf-8"))
    return {kind: tuple(words) for kind, words in found.items()}


@lru_cache(maxsize=1)
def ours() -> Corpus:
    """Our own sentences."""
    lines = asset("corpus", "sentences.txt").read_text(encoding="utf-8")
    shown = tuple(word for words in kinds().values() for word in words[:5])
    return read(lines, shown)


def read(typed: str, shown: tuple[str, ...] = (), stop: object = None) -> Corpus:
    """A text as sentences of word IDs. ``stop()`` is asked now and then, and `Cancelled` raised where it says so."""
    if not typed.strip():
        return Corpus(problem="empty")
    sentences = []
    known: dict[str, str] = {}
    signs: list[str] = []
    for number, part in enumerate(_ENDS.split(unicodedata.normalize("NFC", typed).lower())):
        if number % 512 == 0 and callable(stop) and stop():
            raise Cancelled
        tokens = _BETWEEN.split(_ALONE.sub(r" \1 ", part))
        for token in tokens:
            if token not in known:
                known[token] = _word(token)
                if not known[token] and any(unicodedata.category(sign) in ("Nd", "Nl", "No", "So") for sign in token):
                    signs.append(token)
        words = [known[token] for token in tokens if known[token]]
        if words:
            sentences.append(words)
    counts = Counter(chain.from_iterable(sentences))
    total = sum(counts.values())
    if len(counts) < 2:
        return Corpus(total=total, distinct=len(counts), problem="one_word" if counts else "no_words")
    often = {word for word, n in counts.items() if n > EVERYWHERE * total} if len(counts) >= FEW_WORDS else set()
    ranked = sorted((word for word in counts if word not in often), key=lambda word: (-counts[word], word))
    kept = ranked[:MOST_WORDS]
    row = {word: place for place, word in enumerate(kept)}
    found = tuple(tuple(row[word] for word in words if word in row) for words in sentences)
    if all(len(ids) < 2 for ids in found):
        return Corpus(tuple(kept), found, (), total, len(counts), problem="no_pair")
    return Corpus(
        words=tuple(kept),
        sentences=found,
        shown=tuple(row[word] for word in shown if word in row) or _telling(kept),
        total=total,
        distinct=len(counts),
        passed=tuple(sorted(often, key=lambda word: (-counts[word], word))),
        passed_share=sum(counts[word] for word in often) / total,
        rare=len(ranked) - len(kept),
        signs=tuple(signs),
    )


def _telling(words: list[str]) -> tuple[int, ...]:
    """The commonest words; short ones and grammar are left out where there are enough others: they tell least."""
    long = [place for place, word in enumerate(words) if len(word) > 3 and word not in _GRAMMAR]
    return tuple((long if len(long) >= 12 else list(range(len(words))))[:MOST_SHOWN])


def _word(token: str) -> str:
    """The token without signs at its ends; empty where no letter is in it."""
    start, end = 0, len(token)
    while start < end and not _letter(token[start]):
        start += 1
    while end > start and not _letter(token[end - 1]):
        end -= 1
    return token[start:end] if 0 < end - start <= LONGEST_WORD else ""


def _letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM"
