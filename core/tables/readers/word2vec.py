"""word2vec's binary format: counts, then for every row a word, a blank, d float32 and, by some writers, an LF."""

from __future__ import annotations

import codecs
import re

import numpy as np

from core.tables.messages import Notice, TableError
from core.tables.readers.lines import fields
from core.tables.readers.progress import Watch
from core.tables.readers.rows import Rows, make_table
from core.tables.readers.source import Source, Stream, counted, quoted
from core.tables.table import Table

_COUNTS = re.compile(rb"[ \t]*([+-]?[0-9]{1,18})[ \t]+([+-]?[0-9]{1,18})[ \t]*\r?\n")
_LONGEST_WORD = 20_000
_PIECE = 1 << 17
_CONTROLS = bytes([*range(9), *range(10, 32), 127])


def looks_like(head: bytes) -> bool:
    """Whether ``head`` is a line of two whole numbers with something behind it that is no text."""
    counts = _COUNTS.match(head)
    if counts is None:
        return False
    line, found, _ = head[counts.end() :].partition(b"\n")
    if found and fields(line).numbers:
        return False  # the first row is a line of text
    rest = head[counts.end() :]
    return rest.translate(None, _CONTROLS) != rest.replace(b"\n", b"").replace(b"\r", b"") or not _is_utf8(rest)


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a letter may be cut at its end
    except UnicodeDecodeError:
        return False
    return True


def read_word2vec(source: Source, stream: Stream, watch: Watch, packed: bool = False) -> Table:
    """The table of a binary word2vec file. Raises TableError with the row, counted from 1, and its byte."""
    counts = _COUNTS.match(stream.peek(100))
    assert counts is not None
    rows, dim = int(counts[1]), int(counts[2])
    shown = {"file": source.name, "header": quoted(counts[0].strip(), 60)}
    if rows < 1 or dim < 1:
        raise TableError("counts_absurd", **shown)
    stream.skip(counts.end())
    # What is far beyond the file is a wrong header; a little beyond is a download that broke off, found out below.
    if not packed and (4 * dim > source.size or rows * (4 * dim + 2) > 100 * source.size):
        raise TableError("counts_too_many", rows=counted(rows), dim=counted(dim), size=counted(source.size), **shown)
    reader = _Reader(source, stream, rows, dim, counts.end())
    reader.run(watch)
    notices = reader.notices()
    return make_table(source, reader.rows.tokens, reader.rows.values(watch), notices)


class _Reader:
    def __init__(self, source: Source, stream: Stream, stated: int, dim: int, offset: int) -> None:
        self._source = source
        self._stream = stream
        self._stated = stated
        self._size = 4 * dim
        self._type = np.dtype((np.void, self._size))
        self.rows = Rows(source, dim, unit="row")
        self._buffer = b""
        self._offset = offset  # of the buffer in the file
        self._row = 0  # rows read
        self._newline: bool | None = None  # whether an LF follows each vector; None before the first
        self._torn = 0
        self._over = False  # what follows are no rows any more
        self._after = 0

    def run(self, watch: Watch) -> None:
        """Read everything. A block of rows at a time, so that other threads get their turn between."""
        ended = False
        while not ended:
            piece = self._stream.read(max(_PIECE, 2 * self._size))
            ended = not piece
            watch.at(self._stream.share())
            if self._over:
                self._after += len(piece)
                continue
            self._buffer += piece
            used = self._take_rows(ended)
            self._offset += used
            self._buffer = self._buffer[used:]

    def _take_rows(self, ended: bool) -> int:
        """All whole rows of the buffer; how many bytes they took."""
        words: list[bytes] = []
        places: list[int] = []
        first, at = self._row, 0
        while True:
            try:
                span = self._next_row(at, ended)
            except TableError:
                # Behind the rows that were promised anything may stand; before, nothing but rows.
                if self._row < self._stated:
                    raise
                self._over = True
                self._after = len(self._buffer) - at
                break
            if span is None:
                break
            start, blank = span
            words.append(self._buffer[start:blank])
            places.append(blank + 1)
            at = blank + 1 + self._size
            self._row += 1
            if self._newline is None:
                self._newline = self._buffer[at : at + 1] == b"\n"
        self._add(words, places, first)
        if ended and not self._over:
            self._finish(at)
        return at

    def _next_row(self, at: int, ended: bool) -> tuple[int, int] | None:
        """Where the word of the next row starts and ends; None where the buffer holds no whole row."""
        buffer = self._buffer
        start = at
        if self._newline and at < len(buffer):
            if buffer[at] != 10:
                raise self._misfit(at)
            start += 1
        blank = buffer.find(b" ", start, start + _LONGEST_WORD)
        word = buffer[start:blank] if blank >= 0 else buffer[start : start + _LONGEST_WORD]
        if (blank >= 0 and not word) or (blank < 0 and len(word) == _LONGEST_WORD):
            raise self._misfit(start, word)
        # One byte beyond the numbers is looked at, as it may be an LF.
        if blank < 0 or blank + 1 + self._size + (not ended) > len(buffer):
            return None
        if word.translate(None, _CONTROLS) != word:
            raise self._misfit(start, word)
        return start, blank

    def _add(self, words: list[bytes], places: list[int], first: int) -> None:
        if not words:
            return
        # Rows begin at any byte: a view with steps of one byte, out of which numpy copies the rows.
        count = len(self._buffer) - self._size + 1
        view: np.ndarray[tuple[int], np.dtype[np.void]] = np.ndarray((count,), self._type, self._buffer, strides=(1,))
        values = view[np.array(places)].view("<f4").reshape(len(words), -1).astype(np.float32, copy=False)
        self._check(values, words, first)
        try:
            tokens = b"\n".join(words).decode("utf-8").split("\n")
        except UnicodeDecodeError:
            for at, word in enumerate(words):
                self._torn += word.decode("utf-8", "replace").encode() != word
                self.rows.add(word, values[at].tolist(), first + at + 1)
            self._check_words()
            return
        self.rows.add_block(tokens, values, first + 1)
        self._check_words()

    def _check(self, values: np.ndarray[tuple[int, int], np.dtype[np.float32]], words: list[bytes], first: int) -> None:
        finite = np.isfinite(values)
        if finite.all():
            return
        row, column = (int(place) for place in np.argwhere(~finite)[0])
        raise TableError(
            "row_not_finite",
            file=self._source.name,
            row=first + row + 1,
            column=column + 1,
            word=quoted(words[row]),
            field=str(values[row, column]),
        )

    def _check_words(self) -> None:
        # Words cut at a letter are a few; where most are torn, they are not what was taken for them.
        if self._torn > 1 and self._torn * 5 > self._row * 3:
            raise TableError("words_no_text", file=self._source.name, count=self._torn, rows=self._row)

    def _misfit(self, at: int, word: bytes = b"") -> TableError:
        where = {"file": self._source.name, "row": self._row + 1, "rows": counted(self._stated)}
        if b"\0" * 8 in word[:100] or (word and not word.strip(b"\0")):
            return TableError("zero_row", byte=counted(self._offset + at), **where)
        return TableError("word_no_text", byte=counted(self._offset + at), dim=self._size // 4, **where)

    def _finish(self, at: int) -> None:
        """The file has ended; what is left of it begins at ``at`` of the buffer."""
        rest = self._buffer[at:].removeprefix(b"\n") if self._newline else self._buffer[at:]
        if self._row < self._stated:
            if rest and not rest.strip(b"\0"):
                raise self._misfit(at, rest)
            _, found, vector = rest.partition(b" ")
            raise TableError(
                "row_incomplete",
                file=self._source.name,
                row=self._row + 1,
                rows=counted(self._stated),
                present=len(vector) if found else 0,
                needed=self._size,
            )
        self._after = len(rest)

    def notices(self) -> list[Notice]:
        """What the counts did not say."""
        name = self._source.name
        found = []
        if self._row != self._stated:
            fields_ = {"file": name, "stated": counted(self._stated), "found": counted(self._row)}
            found.append(Notice("counts_other_rows", fields_))
        if self._after:
            found.append(Notice("bytes_after", {"file": name, "count": counted(self._after)}))
        return found + self.rows.notices()
