"""Collects rows while a file is read: words, numbers, what came twice, and on which line everything stood."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.tables.messages import Notice, TableError
from core.tables.readers.progress import Watch
from core.tables.readers.source import Source, counted, file_name, listed, quoted
from core.tables.table import Float32, Table
from core.tables.vocabulary import Spelling, Vocabulary, guess_spelling

_PENDING = 256
_EXAMPLES = 5


class Rows:
    """Rows of ``dim`` numbers in the order of the file. Of equal words the first counts, unless ``keep_repeats``.

    ``unit`` is what messages count: "line" or "row".
    """

    def __init__(self, source: Source, dim: int, keep_repeats: bool = False, unit: str = "line") -> None:
        self._source = source
        self._dim = dim
        self._keep = keep_repeats
        self._unit = unit
        self._blocks: list[Float32] = []
        self.tokens: list[str] = []
        self._seen: set[str] = set()
        self._torn: set[bytes] = set()
        self._starts: list[tuple[int, int]] = []  # (row, line): from this row on, lines go up by one
        self._pending: list[tuple[bytes, str | None, Sequence[float], int]] = []
        self._repeated: list[tuple[str, int]] = []  # the first few
        self.left_out = 0  # rows that repeat a word
        self._undecodable: list[int] = []

    def __len__(self) -> int:
        return len(self.tokens) + len(self._pending)

    def add_block(self, tokens: list[str], values: Float32, line: int) -> None:
        """Rows of consecutive lines, the first of which is ``line``."""
        self._flush()
        if self._keep:
            self._append(tokens, values, line)
            return
        fresh = set(tokens)
        if len(fresh) == len(tokens) and fresh.isdisjoint(self._seen):
            self._seen |= fresh
            self._append(tokens, values, line)
            return
        start = 0  # of the rows since the last one that was left out
        for at, token in enumerate(tokens):
            if token not in self._seen:
                self._seen.add(token)
                continue
            self._repeat(token, line + at)
            self._append(tokens[start:at], values[start:at], line + start)
            start = at + 1
        self._append(tokens[start:], values[start:], line + start)

    def add(self, word: bytes, values: Sequence[float], line: int) -> None:
        """One row; a word that is no UTF-8 keeps its row, with the bytes that can't be read shown as U+FFFD."""
        try:
            token = word.decode("utf-8")
        except UnicodeDecodeError:
            token = None
        self._pending.append((word, token, values, line))
        if len(self._pending) >= _PENDING:
            self._flush()

    def _flush(self) -> None:
        pending, self._pending = self._pending, []
        run: list[tuple[str, Sequence[float], int]] = []
        for word, token, values, line in pending:
            if token is None:
                self._undecodable.append(line)
                if word in self._torn and not self._keep:
                    self._repeat(word.decode("utf-8", "replace"), line)
                    continue
                self._torn.add(word)
                token = word.decode("utf-8", "replace")
            elif not self._keep:
                if token in self._seen:
                    self._repeat(token, line)
                    continue
                self._seen.add(token)
            if run and line != run[-1][2] + 1:
                self._append_run(run)
                run = []
            run.append((token, values, line))
        if run:
            self._append_run(run)

    def _repeat(self, token: str, line: int) -> None:
        self.left_out += 1
        if len(self._repeated) < _EXAMPLES:
            self._repeated.append((token, line))

    def _append_run(self, run: list[tuple[str, Sequence[float], int]]) -> None:
        values = np.array([row[1] for row in run], dtype=np.float32).reshape(len(run), self._dim)
        self._append([row[0] for row in run], values, run[0][2])

    def _append(self, tokens: list[str], values: Float32, line: int) -> None:
        if not tokens:
            return
        if not self._starts or self.line_of(len(self.tokens)) != line:
            self._starts.append((len(self.tokens), line))
        self.tokens += tokens
        self._blocks.append(values)

    def line_of(self, row: int) -> int:
        """The line on which ``row`` stands."""
        first, line = self._starts[bisect_right(self._starts, row, key=lambda start: start[0]) - 1]
        return line + row - first

    def values(self, watch: Watch) -> Float32:
        """All numbers, (rows, dim); the blocks they came in are given up as they are copied."""
        self._flush()
        whole = np.empty((len(self.tokens), self._dim), np.float32)
        at = 0
        self._blocks.reverse()
        while self._blocks:
            block = self._blocks.pop()
            whole[at : at + len(block)] = block
            at += len(block)
            watch.at(1.0)
        return whole

    def notices(self) -> list[Notice]:
        """What was left out and what could not be read."""
        self._flush()
        name, found = self._source.name, []
        if self._repeated:
            examples = [
                f"{quoted(token)} ({self._unit} {line}, first in {self._unit} {self.line_of(self.tokens.index(token))})"
                for token, line in self._repeated
            ]
            shown = listed(examples, more=self.left_out - len(examples))
            fields = {"file": name, "words": shown, "count": counted(self.left_out)}
            found.append(Notice("words_repeated", fields))
        if self._undecodable:
            found.append(undecodable(name, self._undecodable, self._unit))
        return found


class Blanks:
    """Remembers blank lines between rows; those at the end of a file are nothing to speak of."""

    def __init__(self) -> None:
        self._lines: list[int] = []
        self._count = 0
        self._waiting = 0

    def add(self, line: int) -> None:
        """A blank line."""
        self._waiting += 1
        if len(self._lines) < _EXAMPLES:
            self._lines.append(line)

    def row(self) -> None:
        """A row, so that the blank lines so far stand between rows."""
        self._count += self._waiting
        self._waiting = 0

    def notices(self, name: str) -> list[Notice]:
        """What to say of them."""
        if not self._count:
            return []
        shown = [str(line) for line in self._lines[: self._count]]
        lines = listed(shown, more=self._count - len(shown))
        return [Notice("lines_blank", {"file": name, "lines": lines})]


def undecodable(name: str, places: list[int], unit: str = "line") -> Notice:
    """The words on these lines (or in these rows) are not valid UTF-8."""
    return Notice("words_undecodable", {"file": name, "unit": unit, "lines": listed([str(line) for line in places])})


def make_table(
    source: Source,
    tokens: Sequence[str],
    values: npt.NDArray[Any],
    notices: Sequence[Notice],
    spelling: Spelling | None = None,
    vocabulary: Vocabulary | None = None,
    hidden: frozenset[int] = frozenset(),
    fold_case: bool = False,
) -> Table:
    """The table of an opened file; its name is its title. Raises TableError ("file_no_rows")."""
    if not len(tokens) or not values.size:
        raise TableError("file_no_rows", file=source.name)
    title = file_name(source.path)
    identity = f"file:{title}"
    if vocabulary is None:
        if spelling is None:
            spelling = guess_spelling(tokens[:: max(1, len(tokens) // 10_000)])
        vocabulary = Vocabulary(identity, title, len(tokens), spelling, fold_case)
    return Table(identity, title, vocabulary, tokens, values, hidden_rows=hidden, notices=tuple(notices))
