"""What kind of table of cells a text is: separator, quotes, decimal comma, header, and which column is what.

TSV has no quoting: a lone quotation mark is a token. CSV has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.tables.readers.lines import DECIMAL_COMMA, NOT_FINITE, NUMBER, Sample
from core.values import dataclass

LABELS = (
    "label", "word", "token", "name", "text", "term", "labels", "words", "tokens", "names", "string", "key", "item",
    "entry", "wort", "mot", "palabra", "parola", "palavra", "woord", "ord", "slowo", "слово", "title",
)  # fmt: skip
"""What people call the column of words, most telling first."""

_INDEX = ("", "index", "id", "unnamed: 0", "#", "row", "nr", "no")
_COUNTS = ("count", "counts", "freq", "frequency", "rank")


@dataclass(frozen=True, slots=True)
class Dialect:
    """``label`` and ``numbers`` are columns (from 0); ``names`` the header's cells, () where there is none.

    ``skip`` lines stand before the header (a spreadsheet's "sep=;"). ``left_out``: columns that are neither.
    """

    delimiter: bytes
    width: int
    label: int | None
    numbers: tuple[int, ...]
    names: tuple[str, ...] = ()
    skip: int = 0
    quoting: bool = False
    decimal_comma: bool = False
    left_out: tuple[int, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether every line is [label] numbers in this order, so that blocks can be parsed at once."""
        first = 0 if self.label is None else 1
        in_order = self.label in (None, 0) and self.numbers == tuple(range(first, self.width))
        return in_order and not self.decimal_comma

    def column(self, index: int) -> str:
        """A column as a message names it, counted from 1."""
        name = self.names[index] if index < len(self.names) else ""
        return f"{index + 1} ({name[:30]})" if name else str(index + 1)


class OpenQuote(Exception):
    """A quotation mark at ``at`` that isn't closed (``closed`` None) or is closed before other text."""

    def __init__(self, at: int, closed: int | None = None) -> None:
        super().__init__(at, closed)
        self.at = at
        self.closed = closed


def split(record: bytes, delimiter: bytes, quoting: bool) -> list[bytes]:
    """The cells of a record. Raises OpenQuote. Quotation marks count only where a cell begins with one."""
    if not quoting or b'"' not in record:
        return record.split(delimiter)
    cells: list[bytes] = []
    at = 0
    while True:
        if record[at : at + 1] == b'"':
            end = at + 1
            while (end := record.find(b'"', end)) >= 0 and record[end + 1 : end + 2] == b'"':
                end += 2
            if end < 0:
                raise OpenQuote(at)
            cells.append(record[at + 1 : end].replace(b'""', b'"'))
            after = end + 1
            if after < len(record) and record[after : after + 1] != delimiter:
                raise OpenQuote(at, after)
        else:
            after = record.find(delimiter, at)
            after = len(record) if after < 0 else after
            cells.append(record[at:after])
        if after >= len(record):
            return cells
        at = after + 1


def number(cell: bytes, comma: bool) -> bytes | None:
    """The cell as a plain decimal number ("0,5" too where ``comma``) or as "nan"; None where it is neither."""
    cell = cell.strip(b" \t")
    if comma and DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(b",", b".")
    return cell if NUMBER.fullmatch(cell) or NOT_FINITE.fullmatch(cell) else None


def find_dialect(sample: Sample) -> Dialect | None:
    """The dialect in which most of the first lines are cells of numbers, or None where there is none."""
    lines = list(sample.lines)
    skip = 0
    given = b""
    if lines and lines[0].strip(b'"').lower().startswith(b"sep=") and len(lines[0].strip(b'"')) == 5:
        given, skip = lines[0].strip(b'"')[4:], 1
    lines = lines[skip:]
    for delimiter in (given,) if given else (b"\t", b";", b",", b"|"):
        quoting = delimiter != b"\t"
        found = _columns(_records(lines, delimiter, quoting), delimiter, skip, quoting)
        if found is not None:
            return found
    cells = [line.strip(b" \t") for line in lines if line.strip(b" \t")]
    body = cells[1:] or cells
    if cells and all(number(cell, comma=False) for cell in body):
        names = () if number(cells[0], comma=False) else (_text(cells[0]),)
        return Dialect(b"\t", 1, None, (0,), names, skip)
    return None


def _records(lines: Iterable[bytes], delimiter: bytes, quoting: bool) -> list[list[bytes]]:
    records: list[list[bytes]] = []
    kept = b""
    for line in lines:
        record = kept + b"\n" + line if kept else line
        if not record.strip(b" \t"):
            continue
        try:
            records.append(split(record, delimiter, quoting))
            kept = b""
        except OpenQuote as error:
            kept = record if error.closed is None else b""
    return records


def _columns(records: list[list[bytes]], delimiter: bytes, skip: int, quoting: bool) -> Dialect | None:
    first, body = (records[0], records[1:]) if len(records) > 1 else ([], records)
    widths = Counter(map(len, body))
    width = max(widths, key=lambda found: widths[found], default=1)
    if width < 2 or widths[width] * 5 < len(body) * 3:
        return None
    rows = [record for record in body if len(record) == width]
    comma = delimiter != b"," and _uses_comma(rows)
    numeric = [column for column in range(width) if _is_numeric([row[column] for row in rows], comma)]
    if not numeric or len(numeric) * 2 < width:
        return None
    names = _names(first, width, numeric, rows, comma)
    lower = [name.strip().lower() for name in names]
    label = _label(lower, width, numeric, rows)
    numbers = [column for column in numeric if column != label and not _is_index(column, label, lower, rows)]
    left_out = [column for column in range(width) if column != label and column not in numbers]
    if not numbers:
        return None
    return Dialect(
        delimiter, width, label, tuple(numbers), tuple(names), skip, quoting, comma, tuple(left_out)
    )  # fmt: skip


def _uses_comma(rows: Sequence[Sequence[bytes]]) -> bool:
    commas = dots = 0
    for row in rows:
        for cell in row:
            stripped = cell.strip(b" \t")
            commas += DECIMAL_COMMA.fullmatch(stripped) is not None
            dots += b"." in stripped and NUMBER.fullmatch(stripped) is not None
    return commas > dots


def _is_numeric(cells: Sequence[bytes], comma: bool) -> bool:
    """Most cells are numbers, and hardly any anything but empty."""
    numbers = sum(number(cell, comma) is not None for cell in cells)
    empty = sum(not cell.strip(b" \t") for cell in cells)
    return numbers * 2 >= len(cells) and (numbers + empty) * 5 >= len(cells) * 4


def _names(
    first: Sequence[bytes], width: int, numeric: Sequence[int], rows: Sequence[Sequence[bytes]], comma: bool
) -> list[str]:
    """The first record as names of the columns, [] where it is a row."""
    cells = [b"", *first] if len(first) == width - 1 else list(first)  # R leaves the name of the first column out
    if len(cells) != width:
        return []
    above = [cells[column].strip(b" \t") for column in numeric]
    named = sum(bool(cell) and number(cell, comma) is None for cell in above)
    # pandas names columns 0, 1, 2 …, and its index not at all.
    labels = [column for column in range(width) if column not in numeric]
    ordinals = [b"%d" % at for at in range(len(above))]
    counted = above == ordinals and bool(labels) and _text(cells[labels[0]]).strip().lower() in ("", *LABELS, *_INDEX)
    return [_text(cell) for cell in cells] if named * 2 >= len(above) or counted else []


def _label(names: Sequence[str], width: int, numeric: Sequence[int], rows: Sequence[Sequence[bytes]]) -> int | None:
    by_name = [names.index(label) for label in LABELS if label in names]
    worded = [column for column in range(width) if column not in numeric]
    for column in by_name:
        if column in worded:
            return column
    if by_name:
        return by_name[0]
    for column in worded:
        if sum(bool(row[column]) for row in rows) * 2 >= len(rows):
            return column
    return None


def _is_index(column: int, label: int | None, names: Sequence[str], rows: Sequence[Sequence[bytes]]) -> bool:
    """Whether a column only numbers the rows, or counts how often a word was seen."""
    cells = [row[column].strip() for row in rows]
    if not all(cell.isdigit() and len(cell) < 19 for cell in cells):
        return False
    if names and names[column] in _COUNTS and label is not None:
        return True
    values = [int(cell) for cell in cells]
    in_order = len(values) > 1 and all(b == a + 1 for a, b in pairwise(values))
    named = names[column] in _INDEX if names else label is not None and column < label
    return in_order and named and column == 0


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace")
