"""CSV and TSV: tables of cells, with the words in one of the columns or, for tensors.tsv, in a file beside it."""

from __future__ import annotations

import re
from pathlib import Path

from core.tables.messages import Notice, TableError
from core.tables.readers import labels
from core.tables.readers.decimals import parse_block
from core.tables.readers.dialect import Dialect, OpenQuote, number, split
from core.tables.readers.lines import NOT_FINITE, Sample, blocks
from core.tables.readers.progress import Watch
from core.tables.readers.rows import Blanks, Rows, make_table
from core.tables.readers.source import Source, Stream, listed, quoted, quoted_line
from core.tables.table import Table

_LARGEST = 3.4028235677973366e38
_LONGEST_QUOTE = 200_000
_MOST_QUOTED_LINES = 100
"""Bytes and lines between two quotation marks; beyond, the second one is missing."""

_SEPARATORS = {b"\t": "TAB", b",": "comma", b";": "semicolon", b"|": "vertical bar"}


class _Reader:
    def __init__(self, source: Source, dialect: Dialect) -> None:
        self._name = source.name
        self._dialect = dialect
        self.rows = Rows(source, len(dialect.numbers), keep_repeats=dialect.label is None)
        self._kept = b""  # a record whose quotation goes on
        self._kept_line = 0
        self._blanks = Blanks()
        self._header = bool(dialect.names)
        self._messy = 0

    def take(self, data: bytes, line: int) -> None:
        """Whole lines, the first of which is ``line``."""
        dialect = self._dialect
        while data and (self._header or line <= dialect.skip):
            text, _, data = data.partition(b"\n")
            self._take_line(text, line)
            line += 1
        if not data:
            return
        clean = dialect.plain and not self._kept and not (dialect.quoting and b'"' in data)
        if clean and self._messy < 64:
            parsed = parse_block(data, len(dialect.numbers), dialect.delimiter, dialect.label is not None)
            if parsed is not None:
                self._messy = 0
                self._blanks.row()
                self.rows.add_block(*parsed, line)
                return
        if data.count(b"\n") > 64 and self._messy < 64:
            cut = data.find(b"\n", len(data) // 2) + 1
            if cut < len(data):
                self.take(data[:cut], line)
                self.take(data[cut:], line + data.count(b"\n", 0, cut))
                return
        self._messy += 1
        for at, text in enumerate(data[:-1].split(b"\n"), line):
            self._take_line(text, at)

    def _take_line(self, text: bytes, line: int) -> None:
        if line <= self._dialect.skip:
            return
        record = self._kept + b"\n" + text if self._kept else text
        start = self._kept_line if self._kept else line
        if not record.strip(b" \t"):
            self._blanks.add(line)
            return
        try:
            cells = split(record, self._dialect.delimiter, self._dialect.quoting)
        except OpenQuote as error:
            if error.closed is None:
                self._keep(record, start)
                return
            at = start + record.count(b"\n", 0, error.at)
            after = quoted(record[error.closed : error.closed + 20])
            raise TableError("quote_closed_early", file=self._name, line=at, rest=after) from None
        self._kept = b""
        if self._header:
            self._header = False
        else:
            self._take_cells(cells, start, record)

    def _keep(self, record: bytes, line: int) -> None:
        self._kept, self._kept_line = record, line
        if len(record) > _LONGEST_QUOTE or record.count(b"\n") > _MOST_QUOTED_LINES:
            self.finish()

    def finish(self) -> None:
        """The file has ended. Raises TableError ("quote_open") where a quotation has not."""
        if self._kept:
            at = 0
            try:
                split(self._kept, self._dialect.delimiter, quoting=True)
            except OpenQuote as error:
                at = error.at
            line = self._kept_line + self._kept.count(b"\n", 0, at)
            raise TableError("quote_open", file=self._name, line=line, start=quoted(self._kept[at:].split(b"\n")[0]))

    def _take_cells(self, cells: list[bytes], line: int, record: bytes) -> None:
        dialect = self._dialect
        if len(cells) != dialect.width:
            where = {"file": self._name, "line": line, "start": quoted_line(record)}
            raise TableError("row_ragged", found=len(cells), expected=dialect.width, **where)
        word = b"" if dialect.label is None else cells[dialect.label]
        values = []
        for column in dialect.numbers:
            cell = cells[column]
            where = {"file": self._name, "line": line, "column": dialect.column(column), "start": quoted_line(record)}
            text = number(cell, dialect.decimal_comma)
            if text is None:
                if not cell.strip(b" \t"):
                    raise TableError("cell_empty", **where)
                raise TableError("cell_bad_number", field=quoted(cell), **where)
            value = float("nan") if NOT_FINITE.fullmatch(text) else float(text)
            if not abs(value) < _LARGEST:
                code = "number_not_finite" if value != value else "number_too_large"
                shown = quoted(word if dialect.label is not None else record)
                raise TableError(code, file=self._name, line=line, word=shown, field=quoted(cell))
            values.append(value)
        self._blanks.row()
        self.rows.add(word, values, line)

    def notices(self) -> list[Notice]:
        """What was assumed, left out or passed over."""
        dialect, name = self._dialect, self._name
        found = []
        if dialect.names:
            fields = {"file": name, "line": dialect.skip + 1, "names": quoted(", ".join(dialect.names[:6]))}
            found.append(Notice("columns_named", fields))
        if dialect.left_out:
            columns = listed([dialect.column(column) for column in dialect.left_out])
            found.append(Notice("columns_left_out", {"file": name, "columns": columns}))
        if dialect.decimal_comma:
            found.append(Notice("commas_read", {"file": name}))
        found += self.rows.notices()
        return found + self._blanks.notices(name)


def read_separated(source: Source, stream: Stream, sample: Sample, dialect: Dialect, watch: Watch) -> Table:
    """The table in a CSV or TSV file. Raises TableError with file, line and column."""
    beside = _labels_beside(source) if dialect.label is None else None
    if dialect.label is None and beside is None and dialect.delimiter != b"\t":
        raise TableError("no_word_column", file=source.name, names=quoted(", ".join(dialect.names) or "none"))
    reader = _Reader(source, dialect)
    for block in blocks(stream, source.name, watch, cr=sample.cr):
        reader.take(block.data, block.line)
    reader.finish()
    rows = len(reader.rows)
    if not rows:
        raise TableError("file_no_rows", file=source.name)
    notices = reader.notices()
    if sample.cr:
        notices.insert(0, Notice("line_ends_cr", {"file": source.name}))
    tokens = reader.rows.tokens
    if dialect.label is None:
        words = labels.pair(source, beside, rows) if beside else labels.numbered(source, rows)
        tokens = words.tokens
        notices += words.notices
        if beside:
            notices += labels.repeats(tokens, beside.name)
    separator = _SEPARATORS.get(dialect.delimiter)
    if separator and dialect.delimiter != b"\t" and source.path.suffix.lower() != ".csv":
        notices.append(Notice("separator_other", {"file": source.name, "separator": separator}))
    return make_table(source, tokens, reader.rows.values(watch), notices)


_NUMBERS_FILE = re.compile(r"tensors?|vectors?|vecs?|embeddings?|weights", re.IGNORECASE)


def _labels_beside(source: Source) -> Path | None:
    """The file of labels that belongs to a file of numbers: metadata.tsv to tensors.tsv, x_meta.tsv to x_vecs.tsv."""
    name, stem = source.path.name, source.path.stem
    candidates = [
        _NUMBERS_FILE.sub(other, name, count=1)
        for other in ("metadata", "meta", "labels", "words")
        if _NUMBERS_FILE.search(name)
    ]
    candidates += [f"{stem}{part}" for part in (".metadata.tsv", "_metadata.tsv", ".vocab.txt", ".labels.txt")]
    return source.beside(*candidates, "metadata.tsv", "meta.tsv", "labels.tsv", "labels.txt", "vocab.txt")
