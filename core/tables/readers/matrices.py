"""Numbers straight from a file into a matrix: only after the file has been found long enough, and none but finite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.tables.messages import TableError
from core.tables.readers.progress import Watch
from core.tables.readers.source import Reads, Source, counted, quoted

_PIECE = 1 << 22


def read_array(source: Source, stream: Reads, dtype: np.dtype[Any], count: int, watch: Watch) -> npt.NDArray[Any]:
    """``count`` numbers of ``dtype``, (count,). Raises TableError ("file_ends_early").

    ``count`` must have been checked against the size of the file.
    """
    numbers = np.empty(count, dtype)
    memory = numbers.view(np.uint8).data
    at = 0
    while at < len(memory):
        piece = stream.read(min(_PIECE, len(memory) - at))
        if not piece:
            raise TableError("file_ends_early", file=source.name, missing=counted(len(memory) - at))
        memory[at : at + len(piece)] = piece
        at += len(piece)
        watch.at(at / len(memory))
    return numbers


def as_table_values(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same numbers in a type that a table keeps: float32, float64, float16 or int8, rows together in memory."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f":
        wanted = np.dtype(f"f{min(size, 8)}")
    elif kind == "i" and size == 1:
        wanted = np.dtype(np.int8)
    else:
        # Whole numbers up to 65,535 are exact in float32; wider ones are kept in float64.
        wanted = np.dtype(np.float32 if kind == "b" or size <= 2 else np.float64)
    return np.ascontiguousarray(values, dtype=wanted)


def check_finite(
    source: Source, values: npt.NDArray[Any], tokens: Sequence[str], watch: Watch, first_row: int = 1
) -> None:
    """Raises TableError ("row_not_finite") with the first row that holds NaN or an infinity, counted from 1."""
    if values.dtype.kind != "f":
        return
    step = max(1, _PIECE // max(values[:1].nbytes, 1))
    for start in range(0, len(values), step):
        watch.at(1.0)
        part = values[start : start + step]
        finite = np.isfinite(part)
        if not finite.all():
            row, column = (int(place) for place in np.argwhere(~finite)[0])
            raise TableError(
                "row_not_finite",
                file=source.name,
                row=first_row + start + row,
                column=column + 1,
                word=quoted(tokens[start + row]),
                field=str(part[row, column]),
            )
