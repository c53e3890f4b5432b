"""The file a person picked, as bytes that are read once, from front to back, and never by guess."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

from core.tables.messages import TableError
from core.tables.tokens import visible
from core.values import dataclass


class Reads(Protocol):
    """Anything that gives its bytes piece by piece; an empty answer is the end."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Source:
    """A picked file: ``name`` as a message shows it, ``size`` in bytes."""

    path: Path
    name: str
    size: int

    @staticmethod
    def pick(path: Path) -> Source:
        """Raises TableError ("file_missing", "file_folder", "file_special")."""
        name = file_name(path)
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError):
            raise TableError("file_missing", file=name) from None
        if stat.S_ISDIR(status.st_mode):
            raise TableError("file_folder", file=name)
        if not stat.S_ISREG(status.st_mode):
            # A pipe or a device might never end.
            raise TableError("file_special", file=name)
        return Source(path, name, status.st_size)

    def beside(self, *names: str) -> Path | None:
        """The first of ``names`` that lies in the same folder, or None. Links that lead elsewhere are not followed.

        "Same folder" is also where the picked file itself really lies: model caches keep links to one common folder.
        """
        folders = {self.path.parent.resolve(), self.path.resolve().parent}
        for name in names:
            path = self.path.parent / name
            try:
                if path.is_file() and path.resolve().parent in folders and path != self.path:
                    return path
            except OSError:
                continue  # a name that is too long, for example
        return None


def file_name(path: Path) -> str:
    """The last part of ``path`` as text, whatever bytes it is made of."""
    return os.fsencode(path.name or str(path)).decode("utf-8", "replace")


class Stream:
    """Bytes from front to back with a look ahead. ``share`` says how much of the file is behind us."""

    def __init__(self, source: Reads, share: Callable[[], float]) -> None:
        self._source = source
        self._ahead = b""
        self.share = share

    def peek(self, size: int) -> bytes:
        """The next ``size`` bytes (fewer at the end) without moving on."""
        pieces = [self._ahead]
        have = len(self._ahead)
        while have < size and (piece := self._source.read(max(size - have, 1 << 16))):
            pieces.append(piece)
            have += len(piece)
        self._ahead = b"".join(pieces)
        return self._ahead[:size]

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; b"" at the end."""
        piece, self._ahead = self._ahead[:size], self._ahead[size:]
        return piece if len(piece) == size else piece + self._source.read(size - len(piece))

    def skip(self, size: int) -> None:
        """Move ``size`` bytes on; they have been looked at before."""
        self._ahead = self._ahead[size:]


def plain(file: BinaryIO, size: int) -> Stream:
    """A file that is read as it is."""
    return Stream(file, lambda: file.tell() / max(size, 1))


class Recoded:
    """UTF-16 or UTF-32 read as UTF-8. ``damaged`` once something was no letter (it is U+FFFD then)."""

    def __init__(self, source: Reads, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ended = False
        self.damaged = False

    def read(self, size: int, /) -> bytes:
        while not self._ended:
            piece = self._source.read(size)
            self._ended = not piece
            text = self._decoder.decode(piece, final=self._ended)
            if text:
                self.damaged = self.damaged or "\ufffd" in text
                return text.encode("utf-8", "replace")
        return b""


# --- how messages quote -----------------------------------------------------------------------------------------------


def quoted(piece: str | bytes, longest: int = 40) -> str:
    """A word or the start of a line as a message shows it: in quotation marks, every character visible, cut if long."""
    text = piece[: 4 * longest].decode("utf-8", "replace") if isinstance(piece, bytes) else piece
    cut = len(text) > longest or (isinstance(piece, bytes) and len(piece) > 4 * longest)
    return f"“{visible(text[:longest]) if text else ''}{'…' if cut else ''}”"


def quoted_line(line: bytes) -> str:
    """The start of a line: as ``quoted``, with a plain blank for a TAB and nothing of the lines that follow."""
    return quoted(line.split(b"\n", 1)[0].replace(b"\t", b" ").strip(b" "))


def counted(number: int) -> str:
    """A whole number with thousands separators from 10,000 on."""
    return f"{number:,}" if abs(number) >= 10_000 else str(number)


def listed(items: list[str], most: int = 5, more: int = 0) -> str:
    """The first ``most`` of ``items`` and how many more there are (``more`` that aren't among the items)."""
    more += max(len(items) - most, 0)
    return ", ".join(items[:most]) + (f" and {counted(more)} more" if more > 0 else "")
