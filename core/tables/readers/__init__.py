"""Opens the tables of vectors that people own: one file per format, told apart by content and never by name.

===================  ==================================================================================================
``textvectors``      GloVe, word2vec text, fastText .vec: a word and d numbers a line
``separated``        CSV and TSV, also the Embedding Projector's tensors.tsv with metadata.tsv (``dialect``, ``labels``)
``word2vec``         word2vec's binary format
``arrays``           NumPy .npy and .npz, with a vocabulary beside them (``vocabularies``)
``checkpoint``       safetensors: the token table of a model, with tokenizer.json or vocab.json beside it
``packed``           gzip, bzip2, xz and zip archives of one file around text and word2vec files
``foreign``          what is none of these, and what to do with it
===================  ==================================================================================================

What all keep to: nothing is dropped, repaired or made up without a notice that names file, line and word; sizes are
checked against the file before anything is reserved; nothing is unpickled or evaluated; nothing outside the picked
file's folder is read, and nothing is written; no number that is not finite gets into a table.
"""

from __future__ import annotations

import codecs
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from core.tables.messages import Notice, TableError
from core.tables.readers import arrays, checkpoint, word2vec
from core.tables.readers.dialect import find_dialect
from core.tables.readers.foreign import explain, refuse_binary
from core.tables.readers.lines import fields, sample
from core.tables.readers.packed import kind_of, only_member, open_member, open_zip, unpack
from core.tables.readers.progress import ReadingCancelled, Watch
from core.tables.readers.separated import read_separated
from core.tables.readers.source import Recoded, Source, Stream, file_name, plain
from core.tables.readers.textvectors import COUNTS, find_layout, read_text
from core.tables.table import Table

__all__ = ["ReadingCancelled", "TableError", "open_table"]

_HEAD = 4096
_NOISE = ("file_unknown", "file_no_rows", "no_numbers", "zero_bytes", "line_too_long", "encoding_utf16")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def open_table(
    path: str | os.PathLike[str],
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Table:
    """The table in the file that a person picked; companions (labels, vocabulary) are looked for beside it.

    ``progress`` hears shares from 0 to 1; ``cancelled`` is asked every few milliseconds, and True raises
    ReadingCancelled. ``Table.notices`` say what a person should know of how the file was read. Raises TableError, whose
    text names the file and, where there is one, the line and the word. A thread that reads leaves the others room.
    """
    path = Path(path)
    name = file_name(path)
    watch = Watch(name, progress, cancelled)
    try:
        watch.at(0.0)
        source = Source.pick(path)
        with path.open("rb") as file:
            table = _read(source, file, watch)
        watch.at(1.0)
    except MemoryError:
        raise TableError("file_memory", file=name) from None
    except OSError as error:
        raise TableError("file_unreadable", file=name, reason=error.strerror or str(error)) from error
    return table


def _read(source: Source, file: BinaryIO, watch: Watch) -> Table:
    if not source.size:
        raise TableError("file_empty", file=source.name)
    head = file.read(_HEAD)
    file.seek(0)
    kind = kind_of(head)
    if kind == "zip":
        with open_zip(file, source) as archive:
            return _read_zip(source, archive, watch)
    if kind is not None:
        return _read_stream(*unpack(file, source, kind), watch, packed=True)
    refuse_binary(head, source)
    if head.startswith(arrays.MAGIC):
        return arrays.read_npy(source, file, watch)
    if checkpoint.looks_like(head, source.size):
        return checkpoint.read_checkpoint(source, file, watch)
    part = checkpoint.part_beside(source, head)
    if part is not None:
        with part.open("rb") as other:
            return checkpoint.read_checkpoint(Source.pick(part), other, watch)
    try:
        return _read_stream(source, plain(file, source.size), watch)
    except TableError as error:
        # Of noise only its name says what it was meant to be.
        if error.code in _NOISE and source.path.suffix.lower() == ".safetensors":
            return checkpoint.read_checkpoint(source, file, watch)
        raise


def _read_zip(source: Source, archive: zipfile.ZipFile, watch: Watch) -> Table:
    if arrays.is_npz(archive):
        return arrays.read_npz(source, archive, watch)
    inner, stream = open_member(archive, only_member(archive, source), source)
    return _read_stream(inner, stream, watch, packed=True)


def _read_stream(source: Source, stream: Stream, watch: Watch, packed: bool = False) -> Table:
    """A text or a binary word2vec file, as it is or out of a packed file."""
    head = stream.peek(_HEAD)
    if packed:
        refuse_binary(head, source)
        if kind_of(head) or head.startswith(arrays.MAGIC) or checkpoint.looks_like(head, source.size):
            raise TableError("packed_twice", file=source.name)
    if word2vec.looks_like(head):
        return word2vec.read_word2vec(source, stream, watch, packed)
    recoded = None
    encoding = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)
    if encoding is not None:
        stream.skip(4 if encoding.startswith("utf-32") else 2)
        recoded = Recoded(stream, encoding)
        stream = Stream(recoded, stream.share)
    elif head.startswith(codecs.BOM_UTF8):
        stream.skip(len(codecs.BOM_UTF8))
    table = _read_plain_text(source, stream, watch, packed or recoded is not None)
    if recoded is None:
        return table
    notice = Notice("encoding_damaged" if recoded.damaged else "encoding_read", {"file": source.name})
    return replace(table, notices=(notice, *table.notices))


def _read_plain_text(source: Source, stream: Stream, watch: Watch, size_unknown: bool) -> Table:
    first = sample(stream, source.name)
    text = b"\n".join(first.lines)[:65536]
    if not text.strip(b" \t\r\n"):
        raise TableError("file_no_rows", file=source.name)
    if not text.strip(b"\0 \t\r\n") or (text[:1] in (b"{", b"[") and not _has_numbers(first.lines[0])):
        raise explain(first.lines, 1, stream.peek(1 << 24), source)
    counts = COUNTS.fullmatch(first.lines[0])
    dialect = find_dialect(first)
    if dialect is not None and not (counts and dialect.delimiter not in first.lines[0]):
        return read_separated(source, stream, first, dialect, watch)
    layout = find_layout(first, source, size_unknown)
    return read_text(source, stream, first, layout, watch)


def _has_numbers(line: bytes) -> bool:
    return fields(line).numbers > 0
