"""word2vec's binary format, and packed files around it and around text."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import numpy as np
import pytest

from core.tables.messages import TableError
from core.tables.table import Table

WORDS = ["</s>", "New_York", "é", "猫", "10"]
VALUES = np.random.default_rng(3).normal(size=(5, 7)).astype("<f4")


def binary(words: list[bytes], values: np.ndarray, header: bytes = b"", newline: bytes = b"\n") -> bytes:
    body = b"".join(word + b" " + row.tobytes() + newline for word, row in zip(words, values, strict=True))
    return (header or b"%d %d\n" % values.shape) + body


def said(table: Table) -> str:
    return " | ".join(map(str, table.notices))


GOOD = binary([word.encode() for word in WORDS], VALUES)


@pytest.mark.parametrize("newline", [b"\n", b""])
@pytest.mark.parametrize("zeros", [False, True])
def test_both_ways_of_writing_rows(opened, newline: bytes, zeros: bool) -> None:
    values = VALUES * (not zeros)
    table = opened(binary([word.encode() for word in WORDS], values, newline=newline), "v.bin")
    assert list(table.tokens) == WORDS
    np.testing.assert_array_equal(table.vectors, values)
    assert not table.notices


def test_many_rows_reach_across_blocks(opened) -> None:
    values = np.random.default_rng(4).normal(size=(30_000, 5)).astype("<f4")
    words = [b"w%d" % at for at in range(30_000)]
    table = opened(binary(words, values), "v.bin")
    np.testing.assert_array_equal(table.vectors, values)
    assert table.tokens[29_999] == "w29999"


def test_repeated_and_torn_words_are_told(opened) -> None:
    table = opened(binary([b"of", b"sky", b"of", b"caf\xc3", b"x"], VALUES), "v.bin")
    assert list(table.tokens) == ["of", "sky", "caf�", "x"]
    assert "“of” (row 3, first in row 1)" in said(table)
    assert "row 4" in said(table)


def test_rows_beyond_the_header_are_read_and_other_bytes_told(opened) -> None:
    more = opened(b"3 7\n" + GOOD.partition(b"\n")[2], "v.bin")
    assert len(more) == 5
    assert "promises 3 rows, but it holds 5" in said(more)
    assert "9 extra bytes" in said(opened(GOOD + b"rubbish \1", "v.bin"))


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (GOOD[:-10], "row_incomplete", ["row 5 of 5", "19 of 28"]),
        (GOOD[:-31], "row_incomplete", ["row 5 of 5", "0 of 28"]),
        (b"-3 7\n" + GOOD.partition(b"\n")[2], "counts_absurd", ["header", "-3"]),
        (b"1000000000000 7\n" + GOOD.partition(b"\n")[2], "counts_too_many", ["1,000,000,000,000"]),
        (b"5 1000000000000\n" + GOOD.partition(b"\n")[2], "counts_too_many", ["header"]),
        (b"5 8\n" + GOOD.partition(b"\n")[2], "word_no_text", ["row", "header"]),
        (b"5 6\n" + GOOD.partition(b"\n")[2], "word_no_text", ["row 2", "header"]),
        (b"9 7\n" + GOOD.partition(b"\n")[2] + bytes(500), "zero_row", ["row 6 of 9", "zero"]),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0" + bytes(200), "foreign_fasttext", ["fastText"]),
    ],
)
def test_what_is_wrong_is_named(refused, data: bytes, code: str, words: list[str]) -> None:
    error = refused(data, "v.bin")
    assert error.code == code
    assert all(word in str(error) for word in words), str(error)


def test_numbers_that_are_not_finite_are_refused(refused) -> None:
    values = VALUES.copy()
    values[2, 4] = np.inf
    error = refused(binary([word.encode() for word in WORDS], values), "v.bin")
    assert (error.fields["row"], error.fields["column"]) == (3, 5)
    assert "é" in str(error)


# --- packed -----------------------------------------------------------------------------------------------------------

TEXT = b"".join(b"w%d %.3f -0.5\n" % (at, at / 7) for at in range(5000))


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


PACKED = {
    "gz": gzip.compress,
    "gz in two": lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]) + bytes(64),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zip": lambda data: zipped({"inner.txt": data, "__MACOSX/inner.txt": b"x"}),
    "stored zip": lambda data: zipped({"folder/inner.txt": data}, zipfile.ZIP_STORED),
}


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("content", [TEXT, GOOD], ids=["text", "binary"])
def test_packed_files_are_read_through(opened, kind: str, content: bytes) -> None:
    table = opened(PACKED[kind](content), "any.name")
    np.testing.assert_array_equal(table.vectors, opened(content, "plain").vectors)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
def test_damaged_and_cut_ones_are_refused(refused, kind: str) -> None:
    whole = PACKED[kind](TEXT)
    for data in (whole[: len(whole) // 2], whole[:-6], whole[: len(whole) // 2] + b"XX" + whole[len(whole) // 2 + 2 :]):
        assert refused(data, "v." + kind).code.startswith(("packed", "zip"))


BOMBS = {
    # Packed pieces may follow each other, which makes bombs that are quickly made.
    "gz": lambda megabyte: gzip.compress(megabyte) * 48,
    "bz2": lambda megabyte: bz2.compress(megabyte) * 48,
    "xz": lambda megabyte: lzma.compress(megabyte, preset=0) * 48,
    "zip": lambda megabyte: zipped({"a.txt": megabyte * 48}),
}


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("content", [bytes(12), b"aaaaaaaaaaaa", b"the 0.1 0.2\n"], ids=["zeros", "letters", "rows"])
def test_bombs_are_not_unpacked(refused, kind: str, content: bytes) -> None:
    error = refused(BOMBS[kind](content * 85_000), "bomb.packed")
    assert error.code in ("packed_bomb", "zero_bytes", "line_too_long")


def test_archives_of_more_than_one_thing_are_left_to_the_person(refused) -> None:
    error = refused(zipped({"glove.50d.txt": TEXT, "glove.100d.txt": TEXT}), "glove.zip")
    assert "glove.50d.txt" in str(error)
    assert "zip" in str(error)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("x.bin")
        entry.size = len(GOOD)
        archive.addfile(entry, io.BytesIO(GOOD))
    assert refused(buffer.getvalue(), "x.tar").code == "foreign_tar"
    assert refused(gzip.compress(buffer.getvalue()), "x.tar.gz").code == "foreign_tar"
    assert refused(gzip.compress(gzip.compress(TEXT)), "x.gz.gz").code == "packed_twice"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"archive/data.pkl": b"\x80\x02}.", "archive/version": b"3"}, "foreign_torch"),
        ({"xl/workbook.xml": b"<x/>", "[Content_Types].xml": b"<x/>"}, "foreign_office"),
        ({}, "zip_empty"),
    ],
)
def test_archives_that_are_something_else(refused, files: dict[str, bytes], code: str) -> None:
    assert refused(zipped(files), "model.bin").code == code


def test_other_methods_and_outside_names_do_nothing(refused, opened, tmp_path) -> None:
    assert refused(zipped({"a.txt": TEXT}, zipfile.ZIP_BZIP2), "a.zip").code == "zip_method"
    assert len(opened(zipped({"../../outside.txt": TEXT}), "in.zip")) == 5000
    assert not (tmp_path.parent.parent / "outside.txt").exists()


def test_errors_of_packed_files_name_line_and_file(refused) -> None:
    error: TableError = refused(gzip.compress(b"the 1 2\ncat 3 nan\n"), "v.txt.gz")
    assert "v.txt.gz (unpacked from gzip), line 2" in str(error)
