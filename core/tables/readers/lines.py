"""Blocks of whole lines. Only LF or CRLF end a line: U+0085, U+2028, form feeds and the like are parts of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.tables.messages import TableError
from core.tables.readers.progress import Watch
from core.tables.readers.source import Stream, counted
from core.values import dataclass

BLOCK = 1 << 17
"""Bytes parsed at a time: about a millisecond, and what it makes stays in the processor's cache."""

LONGEST_LINE = 2_000_000
"""Bytes; a row of 100,000 numbers has about half as many."""

NUMBER = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
"""A plain ASCII decimal number; float() would also take 1_5 and digits of other scripts."""

NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity|1\.#(?:qnan|snan|ind|inf)[0-9]*)(?:\(\w*\))?", re.IGNORECASE)
"""How programs write what is no finite number."""

DECIMAL_COMMA = re.compile(rb"[+-]?[0-9]*+,[0-9]++(?:[eE][+-]?[0-9]++)?")

_FIELD = re.compile(rb"[^ \t]+")


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, each ending in LF, of which the first is line ``line``. ``last``: the file ends here."""

    data: bytes
    line: int
    last: bool


@dataclass(frozen=True, slots=True)
class Sample:
    """The first lines of a text (without line ends); ``whole`` where that is all of it, ``cr`` where CR alone ends."""

    lines: tuple[bytes, ...]
    whole: bool
    cr: bool


def sample(stream: Stream, name: str, size: int = 1 << 16, most: int = 400) -> Sample:
    """Look ahead at the first lines. Raises TableError ("line_too_long") where there is no end to the first one."""
    head = stream.peek(size)
    if head and not head.strip(b"\0"):
        raise TableError("zero_bytes", file=name, line=1)
    while b"\n" not in head and b"\r" not in head and len(head) == size:
        if size > LONGEST_LINE:
            raise TableError("line_too_long", file=name, line=1, length=counted(LONGEST_LINE))
        size *= 2
        head = stream.peek(size)
    whole = len(head) < size
    # Old Macs ended lines with CR. Only where there is no LF at all is that what a CR may mean.
    cr = b"\n" not in head and b"\r" in head.rstrip(b"\r")
    if cr:
        head = head.replace(b"\r", b"\n")
    lines = head.replace(b"\r\n", b"\n").split(b"\n")
    if (not whole and len(lines) > 1) or (whole and lines[-1] in (b"", b"\r")):
        lines.pop()
    return Sample(tuple(lines[:most]), whole and len(lines) <= most, cr)


def blocks(stream: Stream, name: str, watch: Watch, cr: bool = False) -> Iterator[Block]:
    """The text in blocks of whole lines. Raises TableError ("line_too_long")."""
    line = 1
    kept: list[bytes] = []  # the beginning of a line whose end is yet to come
    ended = False
    while not ended:
        piece = stream.read(BLOCK)
        ended = not stream.peek(1)
        watch.at(stream.share())
        if cr:
            piece = piece.replace(b"\r", b"\n")
        cut = len(piece) if ended else piece.rfind(b"\n") + 1
        kept.append(piece[:cut])
        if cut:
            data = b"".join(kept)
            data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
            kept = [piece[cut:]]
            if ended and not data.endswith(b"\n"):
                data = data.removesuffix(b"\r") + b"\n"
            yield Block(data, line, ended)
            line += data.count(b"\n")
        else:
            kept.append(piece[cut:])
        if sum(map(len, kept)) > LONGEST_LINE:
            raise TableError("line_too_long", file=name, line=line, length=counted(LONGEST_LINE))


# --- fields -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fields:
    """A line cut at blanks and TABs: where each field stands, and how many at its end are numbers."""

    line: bytes
    spans: tuple[tuple[int, int], ...]
    numbers: int

    def __getitem__(self, index: int) -> bytes:
        start, end = self.spans[index]
        return self.line[start:end]

    def __len__(self) -> int:
        return len(self.spans)

    def word(self, dim: int) -> bytes | None:
        """What stands before the last ``dim`` fields, unchanged; None where nothing does.

        The blanks that part it from the numbers don't belong to it; where it is nothing but blanks, only one of them
        does the parting.
        """
        before = self.line[: self.spans[-dim][0]]
        if not before:
            return None
        return before.rstrip(b" \t") or before[:-1]

    def numbers_in(self, word_fields: int) -> int:
        """How many of the first ``word_fields`` fields are numbers."""
        return sum(is_number(self[index]) for index in range(word_fields))


def fields(line: bytes) -> Fields:
    """Cut ``line`` at runs of blanks and TABs. What is spelt like a number that is not finite counts as a number."""
    spans = tuple(match.span() for match in _FIELD.finditer(line))
    numbers = 0
    for start, end in reversed(spans):
        if not is_number(line[start:end]):
            break
        numbers += 1
    return Fields(line, spans, numbers)


def is_number(field: bytes) -> bool:
    """Whether ``field`` is meant as one number (also "nan")."""
    return NUMBER.fullmatch(field) is not None or NOT_FINITE.fullmatch(field) is not None
