"""The tables that ship with the program, by id. Nothing is read before someone asks, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.tables.assets import asset
from core.tables.messages import TableError
from core.tables.table import Float32, Table, read_only
from core.tables.vocabulary import GLOVE, MINILM, SMOLLM2, Vocabulary
from core.values import dataclass


def table(table_id: str) -> Table:
    """The shipped table of that id (see ``table_ids``), read on first use. Raises TableError ("table_unknown")."""
    make = _TABLES.get(table_id)
    if make is None:
        raise TableError("table_unknown", name=table_id, known=", ".join(_TABLES))
    return make()


def table_ids() -> tuple[str, ...]:
    """The ids of the shipped tables, the lessons' own first."""
    return tuple(_TABLES)


# --- the lessons' own tables ---------------------------------------------------------------------------------------


@cache
def _lesson_4x3() -> Table:
    # The lesson gives this table no words, only the IDs 0 to 3.
    numbers = [[0.1, -0.3, 0.8], [0.4, 0.2, -0.6], [0.5, 0.9, -0.2], [-0.7, 0.1, 0.3]]
    return _lesson("lesson_4x3", "Lesson: E, 4 × 3", ("0", "1", "2", "3"), numbers)


@cache
def _lesson_animals() -> Table:
    numbers = [[0.8, 0.6, 0.1, -0.2], [0.7, 0.7, 0.2, -0.1], [-0.5, 0.3, 0.9, 0.4]]
    return _lesson("lesson_animals", "Lesson: cat, dog, car", ("cat", "dog", "car"), numbers)


@cache
def _lesson_random() -> Table:
    numbers = np.random.default_rng(0).normal(size=(5, 4)).round(2)
    return _lesson("lesson_random", "Lesson: random 5 × 4, seed 0", ("the", "cat", "sat", "on", "mat"), numbers)


def _lesson(table_id: str, title: str, tokens: tuple[str, ...], numbers: npt.ArrayLike) -> Table:
    # float64, because the lesson's arithmetic is done with its printed numbers.
    vocabulary = Vocabulary(table_id, title, len(tokens), fold_case=True)
    return Table(table_id, title, vocabulary, tokens, np.array(numbers, dtype=np.float64))


# --- tables of real models -----------------------------------------------------------------------------------------


@cache
def _glove() -> Table:
    """GloVe 6B, 50 numbers: its 40,000 commonest words of letters a to z. Row number = rank."""
    return Table(
        "glove",
        "GloVe, 40,000 words",
        GLOVE,
        _lines("tables", "glove", "words.txt"),
        _array("tables", "glove", "vectors_q8.npy"),
        scales=_array("tables", "glove", "scale_f32.npy"),
    )


@cache
def _minilm() -> Table:
    """The token table of all-MiniLM-L6-v2, 384 numbers, whole: row number = ID. The filter hides rows from lists."""
    shown = json.loads(asset("tables", "filter", "display_filter.json").read_text(encoding="utf-8"))
    return Table(
        "minilm",
        "MiniLM, all 30,522 tokens",
        MINILM,
        _lines("tables", "minilm", "vocab.txt"),
        _array("tables", "minilm", "word_q8.npy"),
        scales=_array("tables", "minilm", "word_scale_f32.npy"),
        hidden_rows=frozenset(shown["minilm_rows"]),
    )


@cache
def _smollm2() -> Table:
    """8,679 rows of SmolLM2-135M's token table, 576 numbers, bit for bit as published (int8 in blocks of 32)."""
    listed = json.loads(asset("tables", "smollm2", "tokens.json").read_text(encoding="utf-8"))
    return Table(
        "smollm2",
        "SmolLM2, 8,679 of 49,152 tokens",
        SMOLLM2,
        tuple(listed["tokens"]),
        _array("tables", "smollm2", "rows_q8.npy"),
        scales=_array("tables", "smollm2", "block_scale_f16.npy"),
        ids=np.array(listed["ids"], dtype=np.int32),
    )


_TABLES: dict[str, Callable[[], Table]] = {
    "lesson_4x3": _lesson_4x3,
    "lesson_animals": _lesson_animals,
    "lesson_random": _lesson_random,
    "glove": _glove,
    "minilm": _minilm,
    "smollm2": _smollm2,
}


# --- what MiniLM and SmolLM2 do with their rows --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """What ``core.encodings.attention.layer_norm`` needs beside the vectors: weight and bias (dim,), eps."""

    weight: Float32
    bias: Float32
    eps: float


@dataclass(frozen=True, eq=False)
class FirstLayer:
    """How SmolLM2's first layer makes queries and keys from rows of its table.

    x = rms_norm(rows, attn_norm, eps); queries = x @ q.T, n_heads of head_dim; keys = x @ k.T, n_kv_heads of
    head_dim (query head h reads key head h // 3); then RoPE with rope_theta on pairs (2i, 2i + 1).
    ``attn_norm`` (576,), ``q`` (576, 576), ``k`` (192, 576), float32. The weights were published in 4 bits, so last
    digits differ from the original model's.
    """

    attn_norm: Float32
    q: Float32
    k: Float32
    eps: float = 1e-5
    n_heads: int = 9
    n_kv_heads: int = 3
    head_dim: int = 64
    rope_theta: float = 100_000.0
    pairing: Literal["adjacent"] = "adjacent"


@cache
def minilm_positions() -> Float32:
    """MiniLM's learned position table, (512, 384) float32; stored as float16, error at most 7.5e-5."""
    return read_only(_array("tables", "minilm", "position_f16.npy").astype(np.float32))


@cache
def minilm_token_types() -> Float32:
    """MiniLM's two segment rows, (2, 384) float32; row 0 is added to every token of a single sentence."""
    return _arrays("tables", "minilm", "input_layer_f32.npz")["token_type"]


@cache
def minilm_layernorm() -> LayerNorm:
    """The norm over token + position + token type: MiniLM's input is layer_norm(sum, weight, bias, eps)."""
    arrays = _arrays("tables", "minilm", "input_layer_f32.npz")
    return LayerNorm(arrays["layernorm_weight"], arrays["layernorm_bias"], 1e-12)


@cache
def smollm2_layer0() -> FirstLayer:
    """SmolLM2-135M's first layer, up to its rotated queries and keys."""
    arrays = _arrays("tables", "smollm2", "layer0_qk_f16.npz")
    return FirstLayer(arrays["attn_norm"], arrays["q"], arrays["k"])


# --- reading -------------------------------------------------------------------------------------------------------


def _lines(*parts: str) -> tuple[str, ...]:
    # Only LF ends a line: str.splitlines would also break at U+0085 or U+2028, which are tokens.
    return tuple(asset(*parts).read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def _array(*parts: str) -> npt.NDArray[Any]:
    try:
        return read_only(np.load(asset(*parts), mmap_mode="r", allow_pickle=False))
    except (ValueError, EOFError, OSError) as error:
        raise TableError("asset_damaged", name="/".join(parts), reason=error) from error


def _arrays(*parts: str) -> dict[str, Float32]:
    try:
        with np.load(asset(*parts), allow_pickle=False) as archive:
            return {name: read_only(archive[name].astype(np.float32)) for name in archive.files}
    except (ValueError, EOFError, OSError) as error:
        raise TableError("asset_damaged", name="/".join(parts), reason=error) from error
