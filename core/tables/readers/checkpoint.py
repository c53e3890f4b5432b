"""safetensors: the token table of a model, picked by name out of all its tensors, with the tokens of its tokeniser.

The format (huggingface/safetensors, README): 8 bytes with the header's length, a JSON header that gives each tensor its
type, shape and place, then the numbers. Written out here, as numpy lacks bfloat16 and every statement of the header
has to be held against the file before anything is reserved.
"""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from core.tables.messages import Notice, TableError
from core.tables.readers.matrices import as_table_values, check_finite, read_array
from core.tables.readers.progress import Watch
from core.tables.readers.rows import make_table
from core.tables.readers.source import Source, counted, listed, quoted
from core.tables.readers.tensornames import TABLE_NAMES, best_name, rank
from core.tables.readers.vocabularies import name_rows
from core.tables.table import Table
from core.values import dataclass

_LONGEST_HEADER = 100_000_000
_TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1",
}  # fmt: skip
_SIZES = {**{name: np.dtype(code).itemsize for name, code in _TYPES.items()}, "BOOL": 1, "C64": 8}


@dataclass(frozen=True, slots=True)
class _Tensor:
    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def looks_like(head: bytes, size: int) -> bool:
    """Whether a file of ``size`` bytes begins as safetensors does: a length that fits, then JSON."""
    return head[8:9] == b"{" and (head[0] != 0x7B or 8 < int.from_bytes(head[:8], "little") <= size)


def read_checkpoint(source: Source, file: BinaryIO, watch: Watch) -> Table:
    """The token table of a safetensors file. Raises TableError that names the tensor."""
    file.seek(0)
    stated, tensors = _read_header(source, file)
    data_size = source.size - 8 - stated
    _check_places(source, tensors, data_size)
    tensor, others = _choose(source, tensors)
    if tensor.dtype not in _TYPES:
        raise TableError("tensor_type", file=source.name, tensor=quoted(tensor.name, 80), dtype=quoted(tensor.dtype))
    if not prod(tensor.shape):
        raise TableError("file_no_rows", file=source.name)
    file.seek(8 + stated + tensor.begin)
    values = _read(source, file, tensor, watch)
    named = name_rows(source, tensor.shape, strict=False, watch=watch)
    check_finite(source, values, named.tokens, watch)
    notices = list(named.notices)
    after = data_size - max(entry.end for entry in tensors)
    if after > 0:
        notices.append(Notice("bytes_after", {"file": source.name, "count": counted(after)}))
    if others:
        shown = listed([f"{quoted(other.name, 80)} ({_times(other.shape)})" for other in others])
        fields = {"file": source.name, "tensor": quoted(tensor.name, 80), "others": shown}
        notices.insert(0, Notice("tensor_chosen", fields))
    return make_table(
        source,
        named.tokens,
        as_table_values(values),
        notices,
        named.spelling,
        named.vocabulary,
        named.hidden,
        named.fold_case,
    )


def _read_header(source: Source, file: BinaryIO) -> tuple[int, list[_Tensor]]:
    name = source.name
    start = file.read(8)
    stated = int.from_bytes(start, "little")
    if len(start) < 8 or stated > source.size - 8:
        raise TableError("tensors_header_long", file=name, length=counted(stated), size=counted(source.size))
    if stated > _LONGEST_HEADER:
        raise TableError("tensors_header", file=name, reason=f"it is {counted(stated)} bytes long")
    try:
        document = json.loads(file.read(stated).decode("utf-8"), object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise TableError("tensors_header", file=name, reason=f"it is no JSON: {str(error)[:120]}") from None
    if not isinstance(document, dict):
        raise TableError("tensors_header", file=name, reason="it is no JSON object")
    entries = [(key, value) for key, value in document.items() if key != "__metadata__"]
    if not entries:
        raise TableError("tensors_header", file=name, reason="it names no tensor")
    return stated, [_tensor(source, key, value) for key, value in entries]


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _tensor(source: Source, name: str, entry: Any) -> _Tensor:
    entry = entry if isinstance(entry, dict) else {}
    dtype, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    lengths = isinstance(shape, list) and all(_whole(length) for length in shape)
    if not isinstance(dtype, str) or not lengths or not isinstance(offsets, list) or len(offsets) != 2:
        raise _bad(source, name, "type, shape or place are missing or no numbers")
    begin, end = offsets
    if not _whole(begin) or not _whole(end) or begin > end:
        raise _bad(source, name, f"it lies from byte {begin!s:.20} to byte {end!s:.20}")
    assert isinstance(shape, list)
    return _Tensor(name, dtype, tuple(shape), begin, end)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _bad(source: Source, name: str, reason: str) -> TableError:
    return TableError("tensor_place", file=source.name, tensor=quoted(name, 80), reason=reason)


def _check_places(source: Source, tensors: list[_Tensor], size: int) -> None:
    """Every tensor as long as its shape needs, none over another, none beyond the end."""
    before: _Tensor | None = None
    for tensor in sorted(tensors, key=lambda tensor: (tensor.begin, tensor.end)):
        width = _SIZES.get(tensor.dtype)
        needed = None if width is None else width * prod(tensor.shape)
        if needed is not None and needed != tensor.end - tensor.begin:
            shape, length = _times(tensor.shape), counted(tensor.end - tensor.begin)
            raise _bad(source, tensor.name, f"its shape {shape} needs {counted(needed)} bytes, its place has {length}")
        if before is not None and tensor.begin < before.end and tensor.end > tensor.begin:
            raise _bad(source, tensor.name, f"it overlaps {quoted(before.name, 80)}")
        if tensor.end > size:
            missing = counted(tensor.end - size)
            raise TableError("tensor_cut", file=source.name, tensor=quoted(tensor.name, 80), missing=missing)
        before = tensor if before is None or tensor.end > before.end else before


def _choose(source: Source, tensors: list[_Tensor]) -> tuple[_Tensor, list[_Tensor]]:
    """The token table and the other matrices. Raises TableError where there is none, or no telling."""
    matrices = [tensor for tensor in tensors if len(tensor.shape) == 2 and tensor.dtype not in ("BOOL", "C64")]
    if not matrices:
        held = listed([f"{quoted(tensor.name, 80)} ({_times(tensor.shape)})" for tensor in tensors])
        raise TableError("tensors_no_matrix", file=source.name, tensors=held)
    name = best_name(tensor.name for tensor in matrices)
    best = [tensor for tensor in matrices if rank(tensor.name) == rank(name)]
    if len(best) > 1 and rank(name) >= len(TABLE_NAMES) - 1:
        # No name says it: the table of tokens is the one with the most rows.
        most = max(tensor.shape[0] for tensor in best)
        if sum(tensor.shape[0] == most for tensor in best) > 1:
            held = listed([f"{quoted(tensor.name, 80)} ({_times(tensor.shape)})" for tensor in best])
            raise TableError("tensors_unclear", file=source.name, tensors=held)
        name = next(tensor.name for tensor in best if tensor.shape[0] == most)
    chosen = next(tensor for tensor in matrices if tensor.name == name)
    return chosen, [tensor for tensor in matrices if tensor is not chosen]


def _read(source: Source, file: BinaryIO, tensor: _Tensor, watch: Watch) -> npt.NDArray[Any]:
    rows, columns = tensor.shape
    values = read_array(source, file, np.dtype(_TYPES[tensor.dtype]), rows * columns, watch)
    if tensor.dtype == "BF16":
        # bfloat16 is the upper half of a float32: widening is exact.
        wide = values.astype(np.uint32)
        wide <<= np.uint32(16)
        values = wide.view(np.float32)
    return values.reshape(rows, columns)


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(counted(length) for length in shape) or "a single number"


def part_beside(source: Source, head: bytes) -> Path | None:
    """Where ``head`` is the index of a model in several parts: the part with the table, if it lies beside it."""
    if not head.lstrip().startswith(b"{") or b'"weight_map"' not in head:
        return None
    try:
        weights = json.loads(source.path.read_bytes())["weight_map"]
        part = weights[best_name(weights)]
    except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
        return None
    if not isinstance(part, str) or Path(part).name != part or "\\" in part or "\0" in part:
        return None
    return source.beside(part)
