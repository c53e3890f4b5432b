"""NumPy files: .npy, and .npz with one matrix in it. Read by hand, so that nothing in them is ever run.

The format: numpy.lib.format (NEP 1). An array of objects is a pickle and stays shut.
"""

from __future__ import annotations

import re
import zipfile
from math import prod
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from core.tables.messages import Notice, TableError
from core.tables.readers.labels import numbered, repeats
from core.tables.readers.matrices import as_table_values, check_finite, read_array
from core.tables.readers.packed import members, open_member
from core.tables.readers.progress import Watch
from core.tables.readers.rows import make_table
from core.tables.readers.source import Source, Stream, counted, listed, plain, quoted
from core.tables.readers.vocabularies import Named, find, name_rows
from core.tables.table import Table
from core.values import dataclass

MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000
_DESCR = re.compile(r"[<>|=]?[a-zA-Z][0-9]*")
_KEYS = {
    "descr": re.compile(r"""['"]descr['"]\s*:\s*['"]([^'"]*)['"]"""),
    "fortran_order": re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)"""),
    "shape": re.compile(r"""['"]shape['"]\s*:\s*\(([-+0-9,\sL]*)\)"""),
}
_REST = re.compile(r"\{[,\s]*\}\s*")
"""What is left of a header once its three entries are taken out; anything more is none of ours."""


@dataclass(frozen=True, slots=True)
class Header:
    """``length`` of the header in bytes; ``shape`` as written; ``fortran``: column after column."""

    length: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool

    @property
    def count(self) -> int:
        """How many numbers it promises."""
        return prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes of numbers that it promises."""
        return self.count * self.dtype.itemsize


def read_header(source: Source, stream: Stream) -> Header:
    """The header of an npy file, which ``stream`` then stands behind. Raises TableError."""
    name = source.name
    head = stream.peek(12)
    wide = head[6:7] in (b"\x02", b"\x03")
    start = 12 if wide else 10
    if len(head) < start or head[6:7] not in (b"\x01", b"\x02", b"\x03"):
        raise TableError("npy_header", file=name, reason="its beginning is cut or of an unknown version")
    length = int.from_bytes(head[8:start], "little")
    if length > min(_LONGEST_HEADER, source.size):
        raise TableError("npy_header", file=name, reason=f"it states a length of {counted(length)} bytes")
    text = stream.peek(start + length)[start:].decode("latin-1")
    if len(text) < length:
        raise TableError("npy_header", file=name, reason="the file ends inside it")
    if re.search(r"""['"]descr['"]\s*:\s*\[""", text):
        raise TableError("npy_type", file=name, dtype="a record of several fields")
    found = {}
    for key, pattern in _KEYS.items():
        matches = pattern.findall(text)
        if len(matches) != 1:
            raise TableError("npy_header", file=name, reason=f"its entry “{key}” can't be read")
        found[key] = matches[0]
        text = pattern.sub("", text)
    if not _REST.fullmatch(text):
        raise TableError("npy_header", file=name, reason="it holds more than type, order and shape")
    stream.skip(start + length)
    shape = _shape(name, found["shape"])
    return Header(start + length, _dtype(name, found["descr"]), shape, found["fortran_order"] == "True")


def _shape(name: str, text: str) -> tuple[int, ...]:
    parts = [part.strip().rstrip("L") for part in text.split(",")]
    if parts[-1] == "":
        parts.pop()
    if not all(re.fullmatch(r"[+-]?[0-9]{1,18}", part) for part in parts):
        raise TableError("npy_header", file=name, reason=f"its shape ({text[:60]}) can't be read")
    shape = tuple(int(part) for part in parts)
    if any(length < 0 for length in shape):
        raise TableError("npy_header", file=name, reason=f"its shape ({text.strip()}) is negative")
    return shape


def _dtype(name: str, descr: str) -> np.dtype[Any]:
    try:
        dtype = np.dtype(descr) if _DESCR.fullmatch(descr) else None
    except (TypeError, ValueError):
        dtype = None
    if dtype is None or dtype.itemsize == 0:
        raise TableError("npy_type", file=name, dtype=quoted(descr))
    return dtype


def _check_numbers(source: Source, header: Header) -> None:
    if header.dtype.kind == "O":
        raise TableError("npy_objects", file=source.name)
    if header.dtype.kind not in "fiub":
        raise TableError("npy_type", file=source.name, dtype=f"{header.dtype.str} ({_said(header.dtype)})")


def _said(dtype: np.dtype[Any]) -> str:
    return {"c": "complex numbers", "U": "text", "S": "text", "M": "dates", "m": "durations"}.get(
        dtype.kind, "raw bytes"
    )


def _read(source: Source, stream: Stream, header: Header, present: int, watch: Watch) -> npt.NDArray[Any]:
    """The array behind its header, ``present`` bytes long. Raises TableError ("npy_short")."""
    if header.size > present:
        raise TableError(
            "npy_short",
            file=source.name,
            shape=_times(header.shape),
            needed=counted(header.size),
            present=counted(present),
        )
    numbers = read_array(source, stream, header.dtype, header.count, watch)
    return numbers.reshape(header.shape, order="F" if header.fortran else "C")


def _times(shape: tuple[int, ...]) -> str:
    return "() of a single number" if not shape else " × ".join(counted(length) for length in shape)


def read_npy(source: Source, file: BinaryIO, watch: Watch) -> Table:
    """The matrix of an .npy file, with the words of the vocabulary beside it."""
    file.seek(0)
    stream = plain(file, source.size)
    header = read_header(source, stream)
    _check_numbers(source, header)
    _check_shape(source, header.shape)
    present = source.size - header.length
    notices: list[Notice] = []
    if present > header.size:
        notices.append(Notice("bytes_after", {"file": source.name, "count": counted(present - header.size)}))
    values = _read(source, stream, header, present, watch)
    named = name_rows(source, header.shape, strict=True, watch=watch)
    return _table(source, values, named, notices, watch)


def _check_shape(source: Source, shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise TableError("npy_shape", file=source.name, shape=_times(shape), dimensions=len(shape))
    if not prod(shape):
        raise TableError("file_no_rows", file=source.name)


def _table(source: Source, values: npt.NDArray[Any], named: Named, notices: list[Notice], watch: Watch) -> Table:
    check_finite(source, values, named.tokens, watch)
    return make_table(
        source,
        named.tokens,
        as_table_values(values),
        [*notices, *named.notices],
        named.spelling,
        named.vocabulary,
        named.hidden,
        named.fold_case,
    )


# --- npz --------------------------------------------------------------------------------------------------------------


def is_npz(archive: zipfile.ZipFile) -> bool:
    """Whether all files in the archive are .npy."""
    files = members(archive)
    return bool(files) and all(member.filename.endswith(".npy") for member in files)


def read_npz(source: Source, archive: zipfile.ZipFile, watch: Watch) -> Table:
    """The one matrix of an .npz file. Its words: a list of texts in the archive, else the vocabulary beside it."""
    matrices: list[tuple[zipfile.ZipInfo, Header]] = []
    lists: list[tuple[zipfile.ZipInfo, Header]] = []
    refused: TableError | None = None
    alone: tuple[Source, Header] | None = None
    for member in members(archive):
        inner, stream = open_member(archive, member, source)
        try:
            header = read_header(inner, stream)
        except TableError as error:
            refused = refused or error
            continue
        if header.size > member.file_size - header.length:
            needed, present = counted(header.size), counted(max(0, member.file_size - header.length))
            raise TableError("npy_short", file=inner.name, shape=_times(header.shape), needed=needed, present=present)
        if len(members(archive)) == 1 or header.dtype.kind == "O":
            alone = inner, header
        if len(header.shape) == 2 and header.dtype.kind in "fiub" and header.count:
            matrices.append((member, header))
        elif len(header.shape) == 1 and header.dtype.kind in "US" and header.shape[0]:
            lists.append((member, header))
    if len(matrices) > 1:
        floats = [entry for entry in matrices if entry[1].dtype.kind == "f"]
        matrices = floats if len(floats) == 1 else matrices
    if len(matrices) != 1:
        if not matrices and refused is not None:
            raise refused
        if alone is not None:
            _check_numbers(*alone)
            _check_shape(alone[0], alone[1].shape)
        held = listed([quoted(member.filename) for member in members(archive)])
        raise TableError("npz_matrices", file=source.name, count=len(matrices), names=held)
    member, header = matrices[0]
    inner, stream = open_member(archive, member, source)
    read_header(inner, stream)
    values = _read(inner, stream, header, member.file_size - header.length, watch)
    fitting = [entry for entry in lists if entry[1].shape[0] == len(values)]
    if len(fitting) == 1:
        named = _named_in(source, archive, *fitting[0], watch)
    elif find(source) is None:
        words = numbered(source, len(values))
        named = Named(words.tokens, words.notices)
    else:
        named = name_rows(source, header.shape, strict=True, watch=watch)
    return _table(source, values, named, [], watch)


def _named_in(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo, header: Header, watch: Watch) -> Named:
    inner, stream = open_member(archive, member, source)
    read_header(inner, stream)
    texts = _read(inner, stream, header, member.file_size - header.length, watch)
    try:
        tokens = [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in texts.tolist()]
        tokens = [token.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for token in tokens]
    except ValueError:
        raise TableError("npy_type", file=inner.name, dtype=header.dtype.str) from None
    return Named(tokens, repeats(tokens, inner.name))
