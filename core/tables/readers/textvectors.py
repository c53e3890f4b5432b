"""Text vectors: GloVe, word2vec text, fastText .vec. A word, then d numbers, one row a line, perhaps counts on top.

The last d fields are the vector; whatever stands before them is the word, unchanged, also ". . ." or a no-break space.
"""

from __future__ import annotations

import re
from collections import Counter

from core.tables.messages import Notice, TableError
from core.tables.readers.decimals import parse_block
from core.tables.readers.foreign import explain
from core.tables.readers.lines import DECIMAL_COMMA, NOT_FINITE, Fields, Sample, blocks, fields
from core.tables.readers.progress import Watch
from core.tables.readers.rows import Blanks, Rows, make_table
from core.tables.readers.source import Source, Stream, counted, listed, quoted, quoted_line
from core.tables.table import Table
from core.values import dataclass

COUNTS = re.compile(rb"[ \t]*([+-]?[0-9]+)[ \t]+([+-]?[0-9]+)[ \t]*")
"""A first line of exactly two whole numbers, which may be the counts of rows and columns."""

_FEW_LINES = 8
_EXAMPLES = 5
_LARGEST = 3.4028235677973366e38
"""From here on a number is infinite in float32."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``dim`` numbers in a row; ``rows`` as the first line promises them, or None where there is no such line."""

    dim: int
    rows: int | None = None


def find_layout(sample: Sample, source: Source, packed: bool = False) -> Layout:
    """What the first lines say. Raises TableError where they are no rows of words and numbers."""
    lines = sample.lines
    counts = COUNTS.fullmatch(lines[0]) if lines else None
    body = lines[1:] if counts else lines
    dim = _common_dim(body)
    if counts is None:
        if not any(line.strip(b" \t\r") for line in lines):
            raise TableError("file_no_rows", file=source.name)
        if not dim:
            raise explain(lines, 1, b"\n".join(lines)[:65536], source)
        return Layout(dim)
    rows_text, dim_text = counts.groups()
    if not any(line.strip(b" \t\r") for line in body):
        raise TableError("only_counts", file=source.name, header=quoted(lines[0]))
    if dim == 1 and _are_data(sample, rows_text, dim_text):
        return Layout(1)
    shown = {"file": source.name, "header": quoted(lines[0].strip(b" \t"), 60)}
    if min(len(rows_text), len(dim_text)) < 1 or max(len(rows_text), len(dim_text)) > 18:
        raise TableError("counts_absurd", **shown)
    rows, stated = int(rows_text), int(dim_text)
    if rows < 1 or stated < 1:
        raise TableError("counts_absurd", **shown)
    if not dim:
        raise explain(body, 2, b"\n".join(body)[:65536], source)
    if dim != stated:
        number, example = next((at, cut) for at, cut in _cut(body, 2) if _dim_of(cut) == dim)
        raise TableError("counts_other_dim", line=number, found=_dim_of(example), stated=counted(stated), **shown)
    # A number takes at least two bytes, so the file can't hold what the counts promise.
    if not packed and rows * stated * 2 > source.size:
        raise TableError("counts_too_many", rows=counted(rows), dim=counted(stated), size=counted(source.size), **shown)
    return Layout(stated, rows)


def _cut(lines: tuple[bytes, ...], first: int) -> list[tuple[int, Fields]]:
    return [(at, fields(line)) for at, line in enumerate(lines, first) if line.strip(b" \t\r")]


def _dim_of(cut: Fields) -> int:
    return min(cut.numbers, len(cut) - 1)  # the first field is always a word, also "2019"


def _common_dim(lines: tuple[bytes, ...]) -> int:
    """The commonest count of numbers, 0 where it is none; the longer one of two equally common."""
    found = Counter(_dim_of(cut) for _, cut in _cut(lines, 1))
    return max(found, key=lambda dim: (found[dim], dim), default=0)


def _are_data(sample: Sample, rows: bytes, dim: bytes) -> bool:
    """Whether "2019 1" above rows of one number is a row itself: it is no count of what follows."""
    if dim.lstrip(b"+") != b"1":
        return True
    present = sum(1 for line in sample.lines[1:] if line.strip())
    return sample.whole and (len(rows) > 9 or abs(int(rows) - present) > max(2, present // 2))


class _Reader:
    def __init__(self, source: Source, layout: Layout) -> None:
        self._source = source
        self._layout = layout
        self._dim = layout.dim
        # So many numbers inside a word make two rows of it; "room 101, floor 3" is a word.
        self._joined = layout.dim if layout.dim > 2 else 8
        self.rows = Rows(source, layout.dim)
        self._blanks = Blanks()
        self._long = 0
        self._long_words: list[str] = []  # the first few
        self._messy = 0

    def take(self, data: bytes, line: int) -> None:
        """Whole lines, the first of which is ``line``: as a block if it is clean, else its halves, else its lines."""
        if self._messy < 64:
            parsed = parse_block(data, self._dim, b" \t", runs=True)
            if parsed is not None:
                self._messy = 0
                self._blanks.row()
                self.rows.add_block(*parsed, line)
                return
        few = data.count(b"\n") <= _FEW_LINES
        if self._messy < 64:
            self._messy += few  # where no part of a file is clean, it isn't tried for ever
        if few or self._messy >= 64:
            for number, text in enumerate(data[:-1].split(b"\n"), line):
                self._take_line(text, number)
            return
        cut = data.find(b"\n", len(data) // 2) + 1
        if cut == len(data):
            cut = data.rfind(b"\n", 0, len(data) // 2) + 1
        if not cut:
            cut = data.find(b"\n") + 1
        self.take(data[:cut], line)
        self.take(data[cut:], line + data.count(b"\n", 0, cut))

    def _take_line(self, text: bytes, line: int) -> None:
        if not text.strip(b" \t"):
            self._blanks.add(line)
            return
        if b"\0" in text and (text.count(b"\0") > 3 or not text.strip(b"\0")):
            raise TableError("zero_bytes", file=self._source.name, line=line)
        cut = fields(text)
        dim = self._dim
        if cut.numbers < dim:
            raise self._too_short(cut, line)
        word = cut.word(dim)
        if word is None:
            raise TableError("row_without_word", file=self._source.name, line=line, start=quoted_line(text))
        extra = len(cut) - dim
        if extra > 1 and cut.numbers > dim:
            if cut.numbers_in(extra) >= self._joined:
                raise TableError("line_end_lost", file=self._source.name, line=line, length=counted(len(text)))
            self._long += 1
            if len(self._long_words) < _EXAMPLES:
                self._long_words.append(f"{quoted(word)} (line {line}, {cut.numbers} numbers)")
        elif extra > 2 and cut.numbers_in(extra) >= self._joined:
            raise TableError("line_end_lost", file=self._source.name, line=line, length=counted(len(text)))
        values = [self._value(cut[at], word, line) for at in range(len(cut) - dim, len(cut))]
        self._blanks.row()
        self.rows.add(word, values, line)

    def _value(self, field: bytes, word: bytes, line: int) -> float:
        where = {"file": self._source.name, "line": line, "word": quoted(word), "field": quoted(field)}
        if NOT_FINITE.fullmatch(field):
            raise TableError("number_not_finite", **where)
        value = float(field)
        if abs(value) >= _LARGEST:
            raise TableError("number_too_large", **where)
        return value

    def _too_short(self, cut: Fields, line: int) -> TableError:
        name = self._source.name
        if not cut.numbers or DECIMAL_COMMA.fullmatch(cut[-1]):
            told = explain([cut.line], line, b"", self._source)
            if told.code != "no_numbers":
                return told
        where = {"file": name, "line": line, "found": cut.numbers, "expected": self._dim}
        if len(cut) > self._dim:
            # Enough fields, so one of them is spelt wrongly: the last that is no number.
            bad = cut[len(cut) - cut.numbers - 1]
            return TableError("row_bad_number", word=quoted(cut[0]), field=quoted(bad), **where)
        return TableError("row_too_short", start=quoted_line(cut.line), **where)

    def notices(self) -> list[Notice]:
        name, found = self._source.name, self.rows.notices()
        if self._layout.rows is not None and self._layout.rows != self._rows_read():
            counts = {"stated": counted(self._layout.rows), "found": counted(self._rows_read())}
            found.insert(0, Notice("counts_other_rows", {"file": name, **counts}))
        if self._long:
            found.append(
                Notice(
                    "rows_too_long",
                    {
                        "file": name,
                        "dim": self._dim,
                        "words": listed(self._long_words, more=self._long - len(self._long_words)),
                    },
                )
            )
        return found + self._blanks.notices(name)

    def _rows_read(self) -> int:
        return len(self.rows) + self.rows.left_out


def read_text(source: Source, stream: Stream, sample: Sample, layout: Layout, watch: Watch) -> Table:
    """The table in a text of words and numbers. Raises TableError with file, line and word."""
    reader = _Reader(source, layout)
    for block in blocks(stream, source.name, watch, cr=sample.cr):
        data, line = block.data, block.line
        if line == 1 and layout.rows is not None:
            data, line = data[data.find(b"\n") + 1 :], 2
        try:
            if data:
                reader.take(data, line)
        except TableError as error:
            at = error.fields.get("line")
            short = error.code in ("row_too_short", "row_bad_number")
            if short and block.last and at == line + data.count(b"\n") - 1:
                raise TableError("row_cut_off", **{"start": error.fields.get("word"), **error.fields}) from None
            raise
    notices = reader.notices()
    if sample.cr:
        notices.insert(0, Notice("line_ends_cr", {"file": source.name}))
    tokens = reader.rows.tokens
    if not tokens:
        raise TableError("file_no_rows", file=source.name)
    return make_table(source, tokens, reader.rows.values(watch), notices)
