"""npy, npz and safetensors, with the vocabularies beside them."""

from __future__ import annotations

import io
import json
import struct
from typing import Any

import numpy as np
import pytest

from core.tables.gpt2 import gpt2_ranks
from core.tables.table import Table
from core.tables.tokens import spell_bytes
from core.tables.vocabulary import GPT2

VALUES = np.arange(12, dtype=np.float32).reshape(4, 3) / 8
WORDS = {"m.vocab.txt": b"the\ncat\n\ndog\n"}


def npy(array: np.ndarray, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), **options)
    return buffer.getvalue()


def said(table: Table) -> str:
    return " | ".join(map(str, table.notices))


@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8", ">f8", "<f2", "i1", "u1", "<i2", ">i4", "<i8", "<u8", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_plain_type_and_order_gives_the_same_numbers(opened, dtype: str, order: str, version) -> None:
    values = np.array([[1, 0, 1], [0, 1, 1], [0, 0, 0], [1, 1, 0]])
    array = np.asarray(values.astype(dtype), order=order)  # type: ignore[call-overload]
    table = opened(npy(array, version=version), "m.npy", WORDS)
    assert list(table.tokens) == ["the", "cat", "", "dog"]
    np.testing.assert_array_equal(table.vectors, values)
    assert table.values.dtype in (np.float32, np.float64, np.float16, np.int8)
    assert table.values.flags.c_contiguous


def test_vocabulary_files_of_other_kinds(opened) -> None:
    data = npy(VALUES)
    vocab = json.dumps({"dog": 3, "the": 0, "cat": 1}).encode()
    table = opened(data, "m.npy", {"vocab.json": vocab})
    assert [table.find(word) for word in ("the", "cat", "dog")] == [0, 1, 3]
    assert table.hidden_rows == {2}
    assert "row 2" in said(table)


def test_without_words_rows_are_numbered_with_a_notice(opened) -> None:
    table = opened(npy(VALUES), "m.npy")
    assert list(table.tokens) == ["0", "1", "2", "3"]
    assert "numbers" in said(table)


def header(text: str, body: bytes = bytes(48)) -> bytes:
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode("latin-1") + body


PLAIN = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (header(PLAIN % "(4, 3)", bytes(47)), "npy_short"),
        (header(PLAIN % "(1000000000000, 300)"), "npy_short"),
        (header(PLAIN % "(-4, -3)"), "npy_header"),
        (header(PLAIN % "(4, open('x','w'))"), "npy_header"),
        (header(PLAIN % "((((((4, 3))))))"), "npy_header"),
        (header(PLAIN % ("(" + "9" * 5000 + ", 3)")), "npy_header"),
        (header("{'descr': __import__('os'), 'fortran_order': False, 'shape': (4, 3), }"), "npy_header"),
        (header((PLAIN % "(4, 3)").replace("}", "'x': 1}")), "npy_header"),
        (header("(" * 5000), "npy_header"),
        (b"\x93NUMPY\2\0\xff\xff\xff\xff{}", "npy_header"),
        (b"\x93NUMPY\x09\0\x10\0{}", "npy_header"),
        (b"\x93NUMPY", "npy_header"),
        (header(PLAIN % "(12,)"), "npy_shape"),
        (header(PLAIN % "()"), "npy_shape"),
        (header(PLAIN % "(1, 4, 3)"), "npy_shape"),
        (header(PLAIN % "(0, 3)"), "file_no_rows"),
        (npy(np.array([[{}, 1]], dtype=object)), "npy_objects"),
        (npy(VALUES.astype("c8")), "npy_type"),
        (npy(np.array([["a", "b"]])), "npy_type"),
        (npy(np.zeros(4, dtype=[("a", "f4"), ("b", "f4")])), "npy_type"),
        (npy(np.zeros((2, 2), "M8[s]")), "npy_header"),
    ],
)
def test_headers_are_held_against_the_file(refused, data: bytes, code: str) -> None:
    assert refused(data, "m.npy", WORDS).code in (code, "npy_type" if code == "npy_header" else code)


def test_counts_of_words_must_fit(refused, opened) -> None:
    error = refused(npy(VALUES), "m.npy", {"m.vocab.txt": b"a\nb\nc\nd\ne\n"})
    assert error.code == "words_count"
    assert "4 rows" in str(error)
    assert "5 words" in str(error)
    assert refused(npy(VALUES), "m.npy", {"m.vocab.txt": b"a\nb\nc\n"}).code == "words_turned"
    assert len(opened(npy(VALUES), "m.npy", {"m.vocab.txt": b"a\nb\nc\nd\n\n\n"})) == 4
    counted = opened(npy(VALUES), "m.npy", {"m.vocab.txt": b"a 9\nb 8\nc 7\nd 6\n"})
    assert list(counted.tokens) == ["a", "b", "c", "d"]
    assert "count" in said(counted)


def test_numbers_that_are_not_finite_and_bytes_too_many(refused, opened) -> None:
    values = VALUES.copy()
    values[3, 1] = np.nan
    error = refused(npy(values), "m.npy", WORDS)
    assert (error.fields["row"], error.fields["column"], error.fields["word"]) == (4, 2, "“dog”")
    assert "5 extra bytes" in said(opened(npy(VALUES) + b"extra", "m.npy", WORDS))


def npz(compress: bool = True, **arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    (np.savez_compressed if compress else np.savez)(buffer, **arrays)
    return buffer.getvalue()


def test_npz_with_its_own_words_or_those_beside_it(opened, refused) -> None:
    words = np.array(["the", "cat", "sat", "dog"])
    for compress in (True, False):
        assert list(opened(npz(compress, vectors=VALUES, words=words), "m.npz").tokens) == list(words)
    assert opened(npz(E=VALUES), "m.npz", WORDS).tokens[3] == "dog"
    assert refused(npz(a=VALUES, b=VALUES), "m.npz").code == "npz_matrices"
    assert refused(npz(a=np.array([{}, 1], dtype=object)), "m.npz").code == "npy_objects"
    assert refused(npz(a=np.zeros(3)), "m.npz").code == "npy_shape"
    assert refused(npz(a=np.zeros((3000, 3000))), "m.npz").code == "packed_bomb"


# --- safetensors ------------------------------------------------------------------------------------------------------


def tensors(entries: dict[str, Any], data: bytes = b"", length: int | None = None) -> bytes:
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


NAME = "model.safetensors"
VOCAB = {"vocab.json": json.dumps({"The": 0, "Ġcat": 1, "can": 2, "Ġcan": 3}).encode()}
TABLE = {"wte.weight": entry("F32", [4, 3], 0, 48)}


@pytest.mark.parametrize(
    ("dtype", "code"), [("F32", "<f4"), ("F64", "<f8"), ("F16", "<f2"), ("I8", "i1"), ("I32", "<i4")]
)
def test_types_of_tensors(opened, dtype: str, code: str) -> None:
    values = np.arange(12).reshape(4, 3).astype(code)
    table = opened(tensors({"wte.weight": entry(dtype, [4, 3], 0, values.nbytes)}, values.tobytes()), NAME, VOCAB)
    np.testing.assert_array_equal(table.vectors, values)
    assert table.vocabulary.spelling == "bytes"


def test_bfloat16_is_widened_exactly(opened) -> None:
    values = np.array([[1.0, -2.5, 256.0]] * 4, np.float32)
    halves = (values.view(np.uint32) >> 16).astype("<u2")
    table = opened(tensors({"wte.weight": entry("BF16", [4, 3], 0, 24)}, halves.tobytes()), NAME, VOCAB)
    np.testing.assert_array_equal(table.vectors, values)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "wte.weight",
            "transformer.wte.weight",
            "model.embed_tokens.weight",
            "bert.embeddings.word_embeddings.weight",
        ),
        *("shared.weight", "gpt_neox.embed_in.weight", "tok_embeddings.weight", "embeddings", "embedding.weight"),
    ],
)
def test_the_table_of_tokens_is_known_by_its_name(opened, name: str) -> None:
    others = [
        "lm_head.weight",
        "a.position_embeddings.weight",
        "wpe.weight",
        "token_type_embeddings.weight",
        "h.0.weight",
    ]
    entries = {other: entry("F32", [4, 3], at * 48, at * 48 + 48) for at, other in enumerate([*others, name])}
    table = opened(tensors(entries, bytes(240) + VALUES.tobytes()), NAME, VOCAB)
    np.testing.assert_array_equal(table.vectors, VALUES)
    assert "lm_head.weight" in said(table)


@pytest.mark.parametrize(
    ("data", "code", "word"),
    [
        (tensors(TABLE, bytes(40)), "tensor_cut", "wte.weight"),
        (tensors({"wte.weight": entry("F32", [4, 3], 48, 0)}, bytes(48)), "tensor_place", "wte.weight"),
        (tensors({"wte.weight": entry("F32", [4, 3], -48, 0)}, bytes(48)), "tensor_place", "wte.weight"),
        (tensors({"wte.weight": entry("F32", [10**12, 3], 0, 48)}, bytes(48)), "tensor_place", "wte.weight"),
        (tensors({"wte.weight": entry("F32", [4, 3], 0, 10**9)}, bytes(48)), "tensor_place", "wte.weight"),
        (tensors({"wte.weight": entry("Q4_0", [4, 3], 0, 48)}, bytes(48)), "tensor_type", "Q4_0"),
        (tensors({"wte.weight": {"dtype": "F32"}}, bytes(48)), "tensor_place", "wte.weight"),
        (tensors({"wte.weight": entry("F32", [4, True], 0, 16)}, bytes(48)), "tensor_place", "wte.weight"),  # type: ignore[list-item]
        (tensors({**TABLE, "b": entry("F32", [4, 3], 24, 72)}, bytes(72)), "tensor_place", "overlaps"),
        (
            tensors({"a": entry("F32", [4, 3], 0, 48), "b": entry("F32", [4, 2], 48, 80)}, bytes(80)),
            "tensors_unclear",
            "a",
        ),
        (tensors({"b": entry("F32", [4], 0, 16)}, bytes(16)), "tensors_no_matrix", "b"),
        (tensors(TABLE, bytes(48), 2**63), "tensors_header_long", "header"),
        (tensors(TABLE, bytes(48), 10**6), "tensors_header_long", "header"),
        (struct.pack("<Q", 9) + b"[1, 2, 3]", "tensors_header", "header"),
        (struct.pack("<Q", 9) + b"{'a': bad", "tensors_header", "JSON"),
        (struct.pack("<Q", 10**5) + b'{"a":' + b"[" * 10**5, "tensors_header", "header"),
        (struct.pack("<Q", 2) + b"{}", "tensors_header", "no tensor"),
        (bytes(range(255, 0, -1)) * 4, "tensors_header_long", "header"),
    ],
)
def test_every_statement_of_the_header_is_checked(refused, data: bytes, code: str, word: str) -> None:
    error = refused(data, NAME, VOCAB)
    assert error.code == code
    assert word in str(error)


@pytest.mark.parametrize(
    ("vocab", "code", "word"),
    [
        ({"a": 0, "b": 3, "c": 3}, "id_twice", "“c”"),
        ({"a": 0, "b": 10**12}, "id_far_beyond", "“b”"),
        ({"a": 0, "b": -1}, "id_no_number", "“b”"),
        ({"a": 0, "b": 1.0}, "id_no_number", "“b”"),
        ({"a": 0, "b": True}, "id_no_number", "“b”"),
        ({"0": "a", "1": "b"}, "id_no_number", "“0”"),
        ([1, 2], "vocabulary_unreadable", "vocab.json"),
        ({"a": 7}, "vocabulary_empty", "vocab.json"),
    ],
)
def test_ids_that_make_no_sense_are_refused(refused, vocab: Any, code: str, word: str) -> None:
    error = refused(tensors(TABLE, VALUES.tobytes()), NAME, {"vocab.json": json.dumps(vocab).encode()})
    assert error.code == code
    assert word in str(error)
    doubled = refused(tensors(TABLE, VALUES.tobytes()), NAME, {"vocab.json": b'{"a": 0, "b": 1, "a": 2}'})
    assert doubled.code == "vocabulary_doubled"


def test_rows_and_tokens_without_each_other_are_told(opened) -> None:
    table = opened(tensors(TABLE, VALUES.tobytes()), NAME, {"vocab.json": b'{"a": 0, "b": 1, "extra": 5}'})
    assert len(table) == 4
    assert table.hidden_rows == {2, 3}
    assert "“extra”" in said(table)
    assert "2 have no token: row 2, 3" in said(table)


def test_tokenizer_json_in_its_kinds(opened) -> None:
    def table(**document: Any) -> Table:
        return opened(tensors(TABLE, VALUES.tobytes()), NAME, {"tokenizer.json": json.dumps(document).encode()})

    pieces = {"type": "WordPiece", "vocab": {"[UNK]": 0, "play": 1, "##ing": 2}}
    added = [{"id": 3, "content": "<mask>"}, {"id": 0, "content": "[UNK]"}]
    words = table(model=pieces, added_tokens=added, normalizer={"type": "BertNormalizer", "lowercase": True})
    assert list(words.tokens) == ["[UNK]", "play", "##ing", "<mask>"]
    assert (words.vocabulary.spelling, words.vocabulary.fold_case) == ("wordpiece", True)
    unigram = table(model={"type": "Unigram", "vocab": [["<s>", 0], ["▁a", -1], ["▁b", -2], ["c", -3]]})
    assert list(unigram.tokens) == ["<s>", "▁a", "▁b", "c"]
    assert unigram.vocabulary.spelling == "sentencepiece"


def test_gpt2_is_recognised_by_its_whole_vocabulary(opened) -> None:
    tokens = [spell_bytes(raw) for raw in gpt2_ranks()] + ["<|endoftext|>"]
    vocab = json.dumps({token: at for at, token in enumerate(tokens)}).encode()
    values = np.arange(len(tokens), dtype=np.float32)
    data = tensors({"wte.weight": entry("F32", [len(tokens), 1], 0, values.nbytes)}, values.tobytes())
    assert opened(data, NAME, {"vocab.json": vocab}).vocabulary == GPT2


def test_an_index_names_its_part_or_opens_it(opened, refused) -> None:
    index = {"weight_map": {"lm_head.weight": "two.safetensors", "model.embed_tokens.weight": "one.safetensors"}}
    name = "model.safetensors.index.json"
    assert "one.safetensors" in str(refused(json.dumps(index).encode(), name))
    data = tensors({"model.embed_tokens.weight": TABLE["wte.weight"]}, VALUES.tobytes())
    assert len(opened(json.dumps(index).encode(), name, {"one.safetensors": data})) == 4
    outside = {"weight_map": {"wte.weight": "../one.safetensors"}}
    assert refused(json.dumps(outside).encode(), name).code == "index_only"
