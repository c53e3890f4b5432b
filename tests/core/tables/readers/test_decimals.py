"""The parser of whole blocks: right to the last digit, or no answer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tables.readers.decimals import parse_block

PLAIN = st.one_of(
    st.floats(-1e6, 1e6).map(repr),
    st.floats(-10, 10, width=32).map(lambda value: f"{value:.4f}"),
    st.floats(-1e30, 1e30).map(lambda value: f"{value:.18e}"),
    st.floats(-1, 1).map(lambda value: f"{value:+.6g}"),
    st.integers(-(10**9), 10**9).map(str),
    st.sampled_from(["1", ".5", "5.", "-0", "+1E5", "1e-05", "-.5e+2", "12345678.25", "0.000012345678901234567"]),
)


@given(st.lists(st.tuples(PLAIN, PLAIN, PLAIN), min_size=1, max_size=30))
def test_numbers_are_what_python_reads(rows: list[tuple[str, str, str]]) -> None:
    data = "".join(f"w{at} {' '.join(row)}\n" for at, row in enumerate(rows)).encode()
    parsed = parse_block(data, 3, b" \t", runs=True)
    assert parsed is not None
    words, values = parsed
    assert words == [f"w{at}" for at in range(len(rows))]
    assert values.dtype == np.float32
    np.testing.assert_array_equal(values, np.array([[np.float32(float(text)) for text in row] for row in rows]))


@pytest.mark.parametrize(
    "field",
    [
        "1-5",
        "--1",
        "1.2.3",
        "e5",
        ".",
        "-",
        "1e",
        "1e+",
        "1_5",
        "nan",
        "inf",
        "0x1",
        "1e5.0",
        "٣",
        "1e400",
        "+-1",
        "1+",
    ],
)
def test_anything_else_gives_no_answer(field: str) -> None:
    assert parse_block(b"w 1 %s 2\n" % field.encode(), 3, b" ") is None
    assert parse_block(b"a 1 2 3\nw 1 2 %s\nb 4 5 6\n" % field.encode(), 3, b" ") is None


@pytest.mark.parametrize("field", ["1e5e5", "1e39", "0,5", "1\x0b", "", "1" * 30, "- 1", "1e5-", "E", "+.e1", "1..2"])
def test_nor_does_what_is_nearly_a_number(field: str) -> None:
    assert parse_block(b"w 1 %s 2\n" % field.encode(), 3, b" ") is None


@pytest.mark.parametrize(
    "line",
    [b" 1 2", b"  1 2", b"caf\xe9 1 2", b"a\0 1 2", b". . 1 2", b"a 1", b"a 1 2 3", b"", b" a 1 2", b"1 2"],
)
def test_lines_of_another_shape_give_no_answer(line: bytes) -> None:
    assert parse_block(b"the 1 2\n" + line + b"\ncat 3 4\n", 2, b" \t", runs=True) is None


def test_padding_and_blanks_at_the_end_are_only_separators() -> None:
    parsed = parse_block(b"the  1 -2 \ncat\t3   4\t\nU\xc2\xa0S -5  6\n", 2, b" \t", runs=True)
    assert parsed is not None
    assert parsed[0] == ["the", "cat", "U\xa0S"]
    assert parsed[1].tolist() == [[1, -2], [3, 4], [-5, 6]]


def test_labels_may_hold_what_does_not_separate_and_may_be_absent() -> None:
    parsed = parse_block(b"New York\t1\t2\n1.5e3\t3\t4\n", 2, b"\t")
    assert parsed is not None
    assert parsed[0] == ["New York", "1.5e3"]
    bare = parse_block(b"1,2\n3,4\n", 2, b",", labelled=False)
    assert bare is not None
    assert bare[0] == ["", ""]
    assert bare[1].tolist() == [[1, 2], [3, 4]]
