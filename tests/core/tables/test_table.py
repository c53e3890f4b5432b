"""Tables: kept as stored, expanded on use, indexed by their own IDs only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tables.messages import TableError
from core.tables.table import Table
from core.tables.vocabulary import GLOVE, GPT2, TokenId, Vocabulary, guess_spelling

RNG = np.random.default_rng(7)
VALUES = RNG.integers(-127, 128, size=(40, 12)).astype(np.int8)
ROW_SCALES = RNG.uniform(0.01, 0.02, 40).astype(np.float32)
BLOCK_SCALES = RNG.uniform(0.01, 0.02, (40, 3)).astype(np.float16)
WORDS = tuple(f"word{row}" for row in range(40))


def a_table(values: object = VALUES, scales: object = None, **more: object) -> Table:
    vocabulary = Vocabulary("test", "Test", 40)
    return Table("test", "Test", vocabulary, WORDS, np.asarray(values), scales=scales, **more)  # type: ignore[arg-type]


def expanded(scales: np.ndarray | None) -> np.ndarray:
    if scales is None:
        return VALUES.astype(np.float32)
    if scales.ndim == 1:
        return VALUES.astype(np.float32) * scales[:, None]
    return (VALUES.astype(np.float32).reshape(40, 3, 4) * scales.astype(np.float32)[:, :, None]).reshape(40, 12)


slices = st.builds(
    slice,
    st.none() | st.integers(-45, 45),
    st.none() | st.integers(-45, 45),
    st.none() | st.integers(-5, 5).filter(bool),
)


@pytest.mark.parametrize("scales", [None, ROW_SCALES, BLOCK_SCALES], ids=["plain", "rows", "blocks"])
@given(rows=slices, columns=slices)
def test_a_block_is_that_part_of_the_whole(scales: np.ndarray | None, rows: slice, columns: slice) -> None:
    block = a_table(scales=scales).block(rows, columns)
    assert block.dtype == np.float32
    np.testing.assert_array_equal(block, expanded(scales)[rows, columns])


@pytest.mark.parametrize("scales", [None, ROW_SCALES, BLOCK_SCALES], ids=["plain", "rows", "blocks"])
def test_vectors_rows_and_norms_agree(scales: np.ndarray | None) -> None:
    table = a_table(scales=scales)
    np.testing.assert_array_equal(table.vectors, expanded(scales))
    np.testing.assert_array_equal(table.row(39), expanded(scales)[39])
    np.testing.assert_allclose(table.norms, np.linalg.norm(expanded(scales).astype(np.float64), axis=1), rtol=1e-7)
    assert table.vectors is table.vectors
    assert table.norms is table.norms


def test_types_of_numbers() -> None:
    assert a_table(VALUES.astype(np.float16)).vectors.dtype == np.float32
    exact = a_table(VALUES / 10)
    assert exact.vectors.dtype == exact.row(3).dtype == exact.norms.dtype == np.float64
    assert exact.row(3)[0] == VALUES[3, 0] / 10
    assert np.shares_memory(a_table(single := VALUES.astype(np.float32)).vectors, single)


def test_everything_given_out_is_read_only() -> None:
    for table in (a_table(), a_table(VALUES.astype(np.float32)), a_table(scales=ROW_SCALES)):
        for array in (table.values, table.vectors, table.norms, table.row(0), table.block(slice(3), slice(2))):
            with pytest.raises(ValueError, match="read-only"):
                array[..., 0] = 1
    assert VALUES.flags.writeable  # the caller's own array stays the caller's


def test_sizes() -> None:
    table = a_table()
    assert (table.rows, table.dim, table.shape, len(table)) == (40, 12, (40, 12), 40)
    assert table.size_in_numbers == 480
    assert table.size_in_bytes == {"float32": 1920, "float16": 960, "int8": 640}
    assert repr(table) == "<Table test: 40 × 12 int8>"


@pytest.mark.parametrize("row", [-1, 40, 10**9])
def test_there_is_no_row_outside(row: int) -> None:
    with pytest.raises(TableError, match=rf"rows 0 to 39; there is no row {row}"):
        a_table().row(row)


def test_parts_that_do_not_belong_together() -> None:
    with pytest.raises(TableError, match="40 rows but 39 tokens"):
        Table("t", "T", Vocabulary("t", "T", 40), WORDS[:39], VALUES)
    with pytest.raises(TableError, match="shape 12"):
        a_table(VALUES[0])
    for scales in (ROW_SCALES[:39], np.ones((40, 5)), np.ones((40, 0)), np.ones(())):
        with pytest.raises(TableError, match="scales of Test"):
            a_table(scales=scales)


def test_find_takes_the_first_of_equal_tokens() -> None:
    table = Table("t", "T", Vocabulary("t", "T", 3), ("a", "b", "a"), VALUES[:3])
    assert (table.find("a"), table.find("b"), table.find("A"), table.find("")) == (0, 1, None, None)


def test_an_id_of_another_vocabulary_is_refused_by_name() -> None:
    with pytest.raises(TableError) as caught:
        a_table().row_of(TokenId(GPT2, 3797))
    assert "3797" in str(caught.value)
    assert "GPT-2" in str(caught.value)
    assert "numbered by Test" in str(caught.value)
    with pytest.raises(TableError):
        a_table().lookup(TokenId(GLOVE, 3))


def test_ids_of_a_table_in_part() -> None:
    ids = np.arange(40) * 10
    vocabulary = Vocabulary("big", "Big", 400)
    table = Table("t", "T", vocabulary, WORDS, VALUES, ids=ids)
    assert table.row_of(TokenId(vocabulary, 30)) == 3
    assert table.id_of(3) == TokenId(vocabulary, 30)
    np.testing.assert_array_equal(table.lookup(TokenId(vocabulary, 30)), VALUES[3])
    with pytest.raises(TableError, match="ID 31 exists in the vocabulary Big, but the table T holds no row"):
        table.row_of(TokenId(vocabulary, 31))


@pytest.mark.parametrize("number", [-1, 50_257])
def test_a_vocabulary_has_no_such_id(number: int) -> None:
    with pytest.raises(TableError, match=r"from 0 to 50256; there is no ID"):
        TokenId(GPT2, number)


def test_spellings_are_guessed_by_share() -> None:
    assert guess_spelling(["the", "Ġcat", "Ġsat"]) == "bytes"
    assert guess_spelling(["▁the", "s"]) == "sentencepiece"
    assert guess_spelling(["the", "##s"]) == "wordpiece"
    assert guess_spelling(["Ġgantija", *WORDS]) == "words"
    assert guess_spelling([]) == "words"
