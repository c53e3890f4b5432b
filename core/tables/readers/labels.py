"""Lists of words that lie beside a file of numbers: metadata.tsv of the Embedding Projector, vocab.txt and the like.

A line is a label, byte for byte: not a number, not a quotation, not missing. A blank line is a blank label.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from pathlib import Path

from core.tables.messages import Notice, TableError
from core.tables.readers.dialect import LABELS
from core.tables.readers.foreign import refuse_binary
from core.tables.readers.rows import undecodable
from core.tables.readers.source import Source, counted, file_name, listed, quoted
from core.values import dataclass

_LARGEST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Words:
    """One token for each row, and what a person should know about them."""

    tokens: list[str]
    notices: list[Notice]


def read_lines(path: Path) -> list[bytes]:
    """The lines of a list (without BOM and line ends). Raises TableError where it is no text."""
    source = Source.pick(path)
    if source.size > _LARGEST:
        raise TableError("list_too_large", file=source.name, size=counted(source.size))
    data = path.read_bytes()
    refuse_binary(data[:4096], source)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    if not lines[-1].rstrip(b"\r"):
        lines.pop()
    return lines


def decode(lines: list[bytes], name: str, first: int = 1, cells: list[bytes] | None = None) -> Words:
    """The lines as tokens; what is no UTF-8 is shown as U+FFFD and told. ``first``: the number of the first line."""
    cells = lines if cells is None else cells
    try:
        text = b"\n".join(cells).decode("utf-8")
        return Words(text.split("\n") if cells else [], [])
    except UnicodeDecodeError:
        pass
    tokens = [cell.decode("utf-8", "replace") for cell in cells]
    bad = [at for at, (cell, token) in enumerate(zip(cells, tokens, strict=True), first) if token.encode() != cell]
    return Words(tokens, [undecodable(name, bad)])


def pair(source: Source, path: Path, rows: int) -> Words:
    """The labels of ``rows`` vectors, from a metadata file. Raises TableError ("pair_counts").

    Whether there is a header is decided by the count of lines, as the rule of the Embedding Projector (a header if
    and only if there are several columns) is one that hardly any file's maker knows.
    """
    name = file_name(path)
    lines = read_lines(path)
    found = len(lines)
    extra = found - rows
    names: list[str] = []
    blank = found - len(b"\n".join(lines).rstrip(b"\n").split(b"\n")) if lines else 0
    top = [cell.strip().lower() for cell in lines[0].decode("utf-8", "replace").split("\t")] if lines else []
    if extra == 1 and (not blank or any(cell in LABELS for cell in top)):
        names = top
    elif extra > 0 and blank >= extra:
        lines = lines[:rows]
    elif extra > 1 and blank == extra - 1:
        lines, names = lines[: rows + 1], top
    elif extra:
        raise TableError("pair_counts", file=source.name, labels=name, rows=counted(rows), found=counted(found))
    notices: list[Notice] = []
    first = 1
    if names:
        if len(names) == 1:
            notices.append(Notice("labels_header", {"file": name, "header": quoted(lines[0])}))
        lines, first = lines[1:], 2
    cells, more = _column(lines, names, name, first)
    words = decode(lines, name, first, cells)
    return Words(words.tokens, [*notices, *more, *words.notices])


def _column(lines: list[bytes], names: list[str], name: str, first: int) -> tuple[list[bytes], list[Notice]]:
    """The cells of the column of labels, and a word on lines with other columns."""
    if not any(b"\t" in line for line in lines):
        return lines, []
    rows = [line.split(b"\t") for line in lines]
    widths = Counter(map(len, rows))
    width = len(names) or max(widths, key=lambda found: widths[found])
    notices: list[Notice] = []
    uneven = [str(at) for at, row in enumerate(rows, first) if len(row) != width]
    if uneven:
        notices.append(Notice("labels_uneven", {"file": name, "columns": width, "lines": listed(uneven)}))
    column = next((names.index(label) for label in LABELS if label in names), 0)
    if not names and width > 1 and all(row[0] == b"%d" % at for at, row in enumerate(rows)):
        column = 1
    if column:
        fields = {"file": name, "column": column + 1, "name": quoted(names[column]) if names else "a text"}
        notices.append(Notice("labels_column", fields))
    return [row[column] if column < len(row) else b"" for row in rows], notices


def word_list(source: Source, path: Path) -> Words:
    """A vocab.txt: one word a line; "word count", as word2vec saves it, becomes the word, with a notice."""
    name = file_name(path)
    lines = read_lines(path)
    notices: list[Notice] = []
    counts = re.compile(rb"([^ \t]+)[ \t]([0-9]+)")
    if len(lines) > 1 and all(counts.fullmatch(line) for line in lines):
        lines = [re.split(rb"[ \t]", line)[0] for line in lines]
        notices.append(Notice("list_counts", {"file": name}))
    words = decode(lines, name)
    return Words(words.tokens, notices + words.notices)


def numbered(source: Source, rows: int) -> Words:
    """Where there are no words, rows are called by their number, and a notice says so."""
    return Words([str(row) for row in range(rows)], [Notice("rows_numbered", {"file": source.name})])


def repeats(tokens: list[str], name: str) -> list[Notice]:
    """A word on labels that come more than once where every row is kept."""
    if len(set(tokens)) == len(tokens):
        return []
    often = [token for token, count in Counter(tokens).items() if count > 1]
    shown = listed([quoted(token) for token in often])
    return [Notice("labels_repeated", {"file": name, "words": shown})]
