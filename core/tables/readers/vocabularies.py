"""The vocabulary that lies beside a matrix of numbers: tokenizer.json, vocab.json, vocab.txt.

In the first two every token has its ID, which is its row; rows without a token and tokens without a row are usual (some
models pad their table, some add tokens later), IDs that are given twice or are no whole numbers are not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.tables.gpt2 import gpt2_ranks
from core.tables.messages import Notice, TableError
from core.tables.readers import labels
from core.tables.readers.foreign import refuse_binary
from core.tables.readers.progress import Watch
from core.tables.readers.source import Source, counted, file_name, listed, quoted
from core.tables.tokens import spell_bytes
from core.tables.vocabulary import GPT2, Spelling, Vocabulary
from core.values import dataclass

_LARGEST = 200_000_000
_FAR_BEYOND = 10_000
"""IDs this far beyond the last row (or at twice its number) belong to another table."""


@dataclass(frozen=True, slots=True)
class Named:
    """A token for each row. ``hidden``: rows that have none of their own. ``vocabulary``: one that is known by name."""

    tokens: list[str]
    notices: list[Notice]
    spelling: Spelling | None = None
    fold_case: bool = False
    hidden: frozenset[int] = frozenset()
    vocabulary: Vocabulary | None = None


def find(source: Source) -> Path | None:
    """The vocabulary that belongs to the picked file: one of its own name first, else that of its folder."""
    stem = source.path.stem
    own = [f"{stem}.{kind}" for kind in ("vocab.txt", "vocab.json", "tokenizer.json", "words.txt", "tokens.txt")]
    common = ("tokenizer.json", "vocab.json", "vocab.txt", "words.txt", "tokens.txt", "labels.txt", "metadata.tsv")
    return source.beside(*own, f"{stem}.metadata.tsv", *common)


def name_rows(source: Source, shape: tuple[int, ...], strict: bool, watch: Watch) -> Named:
    """Tokens for the rows of a matrix of shape (rows, columns).

    Where ``strict``, a list of words must have exactly one for each row. Raises TableError with both counts and both
    names where they don't belong together.
    """
    rows, columns = shape
    path = find(source)
    if path is None:
        words = labels.numbered(source, rows)
        return Named(words.tokens, words.notices)
    name = file_name(path)
    watch.at(1.0)
    if path.suffix == ".json":
        return _from_json(source, path, rows, watch)
    words = labels.pair(source, path, rows) if path.suffix == ".tsv" else labels.word_list(source, path)
    watch.at(1.0)
    tokens = words.tokens
    while len(tokens) > rows and not tokens[-1]:
        tokens.pop()  # more blank lines at the end than rows
    if len(tokens) == rows:
        return Named(tokens, words.notices + labels.repeats(tokens, name), fold_case=_small_letters(tokens))
    counts = {"file": source.name, "words": name, "rows": counted(rows), "found": counted(len(tokens))}
    if len(tokens) == columns:
        raise TableError("words_turned", columns=counted(columns), **counts)
    if strict or len(tokens) > rows or len(tokens) * 2 < rows:
        raise TableError("words_count", **counts)
    return _fill(dict(enumerate(tokens)), rows, name, words.notices)


def _small_letters(tokens: list[str]) -> bool:
    """Whether this is an uncased WordPiece vocabulary, whose tokeniser reads capitals as small letters."""
    if not any(token.startswith("##") for token in tokens):
        return False
    return not any(token != token.lower() for token in tokens if token[:1] != "[")


# --- JSON -------------------------------------------------------------------------------------------------------------


def _from_json(source: Source, path: Path, rows: int, watch: Watch) -> Named:
    name = file_name(path)
    document = _load(path)
    watch.at(1.0)
    spelling: Spelling | None = None
    fold_case = False
    pairs: list[tuple[str, Any]]
    if isinstance(document, dict) and isinstance(document.get("model"), dict):
        pairs = _pairs(document["model"].get("vocab"), name)
        pairs += _added(document.get("added_tokens"))
        spelling, fold_case = _manners(document)
    else:
        pairs = _pairs(document, name)
    ids: dict[int, str] = {}
    lost: list[str] = []
    for token, number in pairs:
        shown = {"file": source.name, "vocabulary": name, "token": quoted(token), "id": quoted(str(number)[:60])}
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise TableError("id_no_number", **shown)
        if ids.get(number, token) != token:
            raise TableError("id_twice", other=quoted(ids[number]), **shown)
        if number >= rows:
            if number >= 2 * rows and number >= rows + _FAR_BEYOND:
                raise TableError("id_far_beyond", rows=counted(rows), **shown)
            lost.append(token)
        else:
            ids[number] = token
    watch.at(1.0)
    if not ids:
        raise TableError("vocabulary_empty", file=source.name, vocabulary=name)
    notices = []
    if lost:
        tokens = listed([quoted(token) for token in lost])
        fields = {"file": name, "count": counted(len(lost)), "tokens": tokens, "rows": counted(rows)}
        notices.append(Notice("tokens_without_row", fields))
    named = _fill(ids, rows, name, notices)
    known = GPT2 if _is_gpt2(named.tokens) else None
    return Named(named.tokens, named.notices, spelling, fold_case, named.hidden, known)


def _load(path: Path) -> Any:
    source = Source.pick(path)
    if source.size > _LARGEST:
        raise TableError("list_too_large", file=source.name, size=counted(source.size))
    data = path.read_bytes()
    refuse_binary(data[:4096], source)
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except _Doubled as error:
        raise TableError("vocabulary_doubled", file=source.name, token=quoted(str(error))) from None
    except (ValueError, RecursionError) as error:
        raise TableError("json_damaged", file=source.name, reason=str(error)[:120]) from None


class _Doubled(Exception):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # json would keep the last one without a word.
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Doubled(key)
            seen.add(key)
    return found


def _pairs(vocab: Any, name: str) -> list[tuple[str, Any]]:
    """(token, ID) of a map token -> ID, a list of tokens, or a list of [token, score] (Unigram)."""
    if isinstance(vocab, dict):
        return list(vocab.items())
    if isinstance(vocab, list):
        tokens = [entry[0] if isinstance(entry, list) and entry else entry for entry in vocab]
        if all(isinstance(token, str) for token in tokens):
            return [(token, number) for number, token in enumerate(tokens)]
    raise TableError("vocabulary_unreadable", file=name)


def _added(entries: Any) -> list[tuple[str, Any]]:
    return [
        (entry["content"], entry.get("id"))
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("content"), str)
    ]


def _manners(document: dict[str, Any]) -> tuple[Spelling | None, bool]:
    """How a tokenizer.json spells its tokens, and whether it reads capitals as small letters."""
    model = document["model"]
    parts = json.dumps([document.get(part) for part in ("pre_tokenizer", "decoder")])
    normalizer = document.get("normalizer")
    fold = isinstance(normalizer, dict) and normalizer.get("lowercase") is True
    if model.get("type") == "WordPiece":
        return "wordpiece", fold
    if "ByteLevel" in parts:
        return "bytes", False
    if model.get("type") == "Unigram" or "Metaspace" in parts or model.get("byte_fallback") is True:
        return "sentencepiece", False
    return None, False


def _fill(ids: dict[int, str], rows: int, name: str, notices: list[Notice]) -> Named:
    tokens = [ids.get(row, f"[row {row}: no token]") for row in range(rows)]
    bare = [row for row in range(rows) if row not in ids] if len(ids) < rows else []
    if bare:
        shown = listed([str(row) for row in bare])
        fields = {"file": name, "count": counted(len(bare)), "rows": counted(rows), "which": shown}
        notices = [*notices, Notice("rows_without_token", fields)]
    return Named(tokens, notices, fold_case=_small_letters(tokens), hidden=frozenset(bare))


def _is_gpt2(tokens: list[str]) -> bool:
    if len(tokens) != GPT2.size or tokens[-1] != "<|endoftext|>":
        return False
    return all(token == spell_bytes(raw) for token, raw in zip(tokens, gpt2_ranks(), strict=False))
