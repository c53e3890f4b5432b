"""Packed files: gzip, bzip2 and xz are read through; a zip archive if it holds one file. Nothing is written to disk."""

from __future__ import annotations

import bz2
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

from core.tables.messages import TableError
from core.tables.readers.source import Source, Stream, counted, listed, quoted

_RATIO = 200
_HARMLESS = 32_000_000
"""More than _RATIO times the packed size, and more than this many bytes, is a bomb rather than a table."""

_PIECE = 1 << 16

ZIP_ERRORS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
    EOFError,
    LookupError,
    OverflowError,
    struct.error,
    zlib.error,
)
"""What zipfile raises for archives that are damaged, encrypted or strange."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's object with the manners of bz2's and lzma's."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def _xz() -> _Decompressor:
    return lzma.LZMADecompressor(memlimit=128_000_000)


_KINDS: dict[bytes, tuple[str, Callable[[], _Decompressor]]] = {
    b"\x1f\x8b": ("gzip", _Gzip),
    b"BZh": ("bzip2", bz2.BZ2Decompressor),
    b"\xfd7zXZ\x00": ("xz", _xz),
}


def kind_of(head: bytes) -> str | None:
    """ "gzip" | "bzip2" | "xz" | "zip" by the first bytes, else None."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    for magic, (kind, _) in _KINDS.items():
        # "BZh" could begin a word; the level digit and the block mark could not.
        if head.startswith(magic) and (kind != "bzip2" or head[4:10] in (b"1AY&SY", b"\x17rE8P\x90")):
            return kind
    return None


class _Unpacked:
    """The content of a packed file, never more of it in memory than was asked for."""

    def __init__(self, file: BinaryIO, name: str, magic: bytes) -> None:
        self._file = file
        self._name = name
        self._magic = magic
        self._kind, self._make = _KINDS[magic]
        self._inner = self._make()
        self._produced = 0
        self._ended = False

    def read(self, size: int, /) -> bytes:
        pieces: list[bytes] = []
        have = 0
        while have < size and not self._ended:
            if self._inner.eof:
                self._next_member()
                continue
            data = self._file.read(_PIECE) if self._inner.needs_input else b""
            starved = self._inner.needs_input and not data
            try:
                piece = self._inner.decompress(data, size - have)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, MemoryError) as error:
                raise TableError("packed_damaged", file=self._name, kind=self._kind, reason=error) from error
            if starved and not piece and not self._inner.eof:
                raise TableError("packed_ends_early", file=self._name, kind=self._kind)
            pieces.append(piece)
            have += len(piece)
            self._check_size(len(piece))
        return b"".join(pieces)

    def _check_size(self, more: int) -> None:
        self._produced += more
        if self._produced > max(_HARMLESS, _RATIO * self._file.tell()):
            raise TableError("packed_bomb", file=self._name, kind=self._kind, ratio=_RATIO)

    def _next_member(self) -> None:
        # Several packed pieces may follow each other; zero bytes fill up tapes.
        rest = self._inner.unused_data or self._file.read(_PIECE)
        if rest.startswith(self._magic[:1]):
            rest += self._file.read(len(self._magic))
            if rest.startswith(self._magic):
                self._inner = self._make()
                self._file.seek(-len(rest), 1)
                return
        while rest:
            if rest.strip(b"\0"):
                raise TableError("packed_damaged", file=self._name, kind=self._kind, reason="other bytes follow")
            rest = self._file.read(_PIECE)
        self._ended = True


def unpack(file: BinaryIO, source: Source, kind: str) -> tuple[Source, Stream]:
    """The content of a gzip, bzip2 or xz file, under a name that says so."""
    magic = next(magic for magic, (known, _) in _KINDS.items() if known == kind)
    file.seek(0)
    name = f"{source.name} (unpacked from {kind})"
    unpacked = _Unpacked(file, name, magic)
    return Source(source.path, name, source.size), Stream(unpacked, lambda: file.tell() / max(source.size, 1))


# --- zip --------------------------------------------------------------------------------------------------------------


def open_zip(file: BinaryIO, source: Source) -> zipfile.ZipFile:
    """The archive's list of contents. Raises TableError ("zip_damaged")."""
    try:
        return zipfile.ZipFile(file)
    except ZIP_ERRORS as error:
        raise TableError("zip_damaged", file=source.name, reason=error) from error


def members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files in it, without folders and what macOS adds."""
    return [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith("__MACOSX/") and member.filename[-9:] != ".DS_Store"
    ]


def open_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, source: Source) -> tuple[Source, Stream]:
    """One file of the archive. Raises TableError ("packed_bomb", "zip_damaged", "zip_method", "zip_locked")."""
    if member.flag_bits & 1:
        raise TableError("zip_locked", file=source.name, member=quoted(member.filename))
    if member.file_size > max(_HARMLESS, _RATIO * min(member.compress_size, source.size)):
        raise TableError("packed_bomb", file=source.name, kind="zip", ratio=_RATIO)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # zipfile unpacks the other methods in one go, however large they turn out.
        raise TableError("zip_method", file=source.name, member=quoted(member.filename), method=member.compress_type)
    name = f"{source.name} (its file {quoted(member.filename)})"
    try:
        reader = _Member(archive, member, name)
    except ZIP_ERRORS as error:
        raise TableError("zip_damaged", file=source.name, reason=error) from error
    inner = Source(source.path, name, member.file_size)
    return inner, Stream(reader, lambda: reader.done / max(member.file_size, 1))


class _Member:
    def __init__(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> None:
        self._reader = archive.open(member)
        self._name = name
        self.done = 0

    def read(self, size: int, /) -> bytes:
        try:
            piece = self._reader.read(size)
        except ZIP_ERRORS as error:
            raise TableError("zip_damaged", file=self._name, reason=error) from error
        self.done += len(piece)
        return piece


def only_member(archive: zipfile.ZipFile, source: Source) -> zipfile.ZipInfo:
    """The one file of an archive of one. Raises TableError, saying what is in the others."""
    files = members(archive)
    names = [member.filename for member in files]
    if any(name.rpartition("/")[2] == "data.pkl" for name in names):
        raise TableError("foreign_torch", file=source.name)
    if any(name.startswith(("xl/", "word/", "ppt/", "content.xml")) for name in names):
        raise TableError("foreign_office", file=source.name)
    if not files:
        raise TableError("zip_empty", file=source.name)
    if len(files) > 1:
        shown = listed([quoted(name) for name in names])
        raise TableError("zip_many", file=source.name, count=counted(len(files)), names=shown)
    return files[0]
