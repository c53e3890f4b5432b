"""Files that are something else: what they are, and what to do instead. Told by content, never by name."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from core.tables.messages import TableError
from core.tables.readers.lines import DECIMAL_COMMA, fields
from core.tables.readers.source import Source, quoted, quoted_line
from core.tables.readers.tensornames import best_name

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xba\x16\x4f\x2f", "foreign_fasttext"),
    (b"\x89HDF\r\n\x1a\n", "foreign_hdf5"),
)
_NAMED: tuple[tuple[bytes, str], ...] = (
    (b"GGUF", "a GGUF model"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
)
_TORCH_MAGIC = b"\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19"
_LFS = b"version https://git-lfs.github.com/spec/"
_OLD_PICKLE = re.compile(rb"c[\w.]+\n[\w.]+\n|\((?:dp|lp|i[\w.]+\n)|ccopy_reg\n|\((?:lp|dp)?[0-9]+\n")
_PAGE = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|error|script|!--)", re.IGNORECASE)
_CONFLICT = re.compile(rb"(?:<{7}|={7}|>{7})(?: |$)")
_SPARSE = re.compile(rb"[0-9]+:[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")


def refuse_binary(head: bytes, source: Source) -> None:
    """Raise where the first bytes are those of something that is no table of vectors. ``head`` up to some KB."""
    if head.startswith(_LFS):
        raise TableError("foreign_lfs", file=source.name)
    if len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5:
        raise TableError("foreign_torch" if _TORCH_MAGIC in head[:32] else "foreign_pickle", file=source.name)
    for magic, code in _MAGIC:
        if head.startswith(magic):
            raise TableError(code, file=source.name)
    if is_tar(head):
        raise TableError("foreign_tar", file=source.name)
    if not looks_like_text(head):
        for magic, kind in _NAMED:
            if head.startswith(magic):
                raise TableError("foreign_kind", file=source.name, kind=kind)


def is_tar(head: bytes) -> bool:
    """Whether ``head`` begins with the header of a tar archive, whose sum of bytes it holds itself."""
    if len(head) < 512 or not head[0]:
        return False
    try:
        stated = int(head[148:156].strip(b"\0 ") or b"-1", 8)
    except ValueError:
        return False
    return stated == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def looks_like_text(head: bytes) -> bool:
    """Whether ``head`` holds hardly any control characters and, cut letters aside, hardly anything but UTF-8."""
    if not head:
        return True
    controls = len(head) - len(head.translate(None, bytes([*range(9), 11, *range(14, 32), 127])))
    strange = head.decode("utf-8", "replace").count("\ufffd")
    return controls * 20 <= len(head) and strange * 4 <= len(head)


def utf16_without_mark(head: bytes) -> bool:
    """Whether every other byte is zero, as in Latin text of two bytes a letter."""
    half = len(head) // 2
    if half < 8:
        return False
    even, odd = head[: 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    return max(even, odd) * 10 >= half * 6 and min(even, odd) * 20 <= half


def explain(lines: Sequence[bytes], first: int, head: bytes, source: Source) -> TableError:
    """Why ``lines`` (of which the first is line ``first``) are no vectors, as far as it can be told."""
    name = source.name
    text = head.lstrip()
    if head.startswith(_LFS):
        return TableError("foreign_lfs", file=name)
    if _PAGE.match(head):
        return TableError("foreign_page", file=name)
    if head and not head.strip(b"\0"):
        return TableError("zero_bytes", file=name, line=first)
    if utf16_without_mark(head):
        return TableError("encoding_utf16", file=name)
    if _OLD_PICKLE.match(head) and head.rstrip().endswith(b"."):
        return TableError("foreign_pickle", file=name)
    if not looks_like_text(head):
        return TableError("file_unknown", file=name)
    if text[:1] in (b"{", b"["):
        return explain_json(text, source)
    for number, line in enumerate(lines, first):
        if _CONFLICT.match(line):
            return TableError("foreign_conflict", file=name, line=number, start=quoted_line(line))
        if not (cut := fields(line)):
            continue
        last = cut[-1]
        if _SPARSE.fullmatch(last):
            return TableError("foreign_sparse", file=name, line=number, field=quoted(cut[1 if len(cut) > 1 else 0]))
        if DECIMAL_COMMA.fullmatch(last) and len(cut) > 1:
            return TableError("decimal_comma", file=name, line=number, field=quoted(cut[1]))
    number, line = next(((at, line) for at, line in enumerate(lines, first) if line.strip()), (first, b""))
    return TableError("no_numbers", file=name, line=number, start=quoted_line(line))


def explain_json(text: bytes, source: Source) -> TableError:
    """What a JSON file that was picked as a table is, and which file to pick instead."""
    try:
        document = json.loads(text[:50_000_000])
    except (ValueError, RecursionError):
        return TableError("foreign_json", file=source.name)
    weights = document.get("weight_map") if isinstance(document, dict) else None
    if not isinstance(weights, dict):
        return TableError("foreign_json", file=source.name)
    names = [name for name, part in weights.items() if isinstance(part, str)]
    if not names:
        return TableError("index_empty", file=source.name)
    best = best_name(names)
    part = weights[best]
    return TableError("index_only", file=source.name, part=quoted(part, 80), tensor=quoted(best, 80))
