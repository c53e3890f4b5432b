"""Text vectors: what a word may be, what a header is, and the sentences for lines that are no rows."""

from __future__ import annotations

import numpy as np
import pytest

from core.tables.table import Table


def said(table: Table) -> str:
    return " | ".join(map(str, table.notices))


def rows(*words: bytes, dim: int = 3) -> bytes:
    """Row r is r, r + 0.1, r + 0.2 …"""
    lines = [word + b"".join(b" %.2f" % (at + column / 10) for column in range(dim)) for at, word in enumerate(words)]
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize(
    "word",
    [
        *(
            "2019",
            "-1.5",
            "nan",
            ". . .",
            "at name@domain.com",
            "\xa0",
            "a\u2009b",
            "\u3000",
            "\x85",
            "x\u2028",
            "\x0b",
        ),
        *("\x0c", "\x1c", " ", "\t", "a\tb", " cat", "<s>", "\\n", '"', ",", "a,b", "\u00e9", "e\u0301", "#", "%s"),
        *("\U0001f469\u200d\U0001f467", "{file}", "\r", "|", ";"),
    ],
)
def test_a_word_is_kept_as_it_stands(opened, word: str) -> None:
    table = opened(rows(b"the", word.encode(), b"dog", b"car"))
    assert list(table.tokens) == ["the", word, "dog", "car"]
    assert table.find(word) == 1
    np.testing.assert_allclose(table.vectors[1], [1.0, 1.1, 1.2])


def test_an_empty_word_keeps_its_row(opened) -> None:
    assert opened(b"the 1 2\n 3 4\ncat 5 6\n").tokens == ["the", "", "cat"]


def test_words_apart_only_by_case_or_code_points_are_different(opened) -> None:
    table = opened(rows("\u00e9".encode(), "e\u0301".encode(), b"Paris", b"paris"))
    assert len(table) == 4
    assert not table.notices


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b" \n", b"\t \r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("header", [b"", b"3 3\n"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_marks_and_headers_change_nothing(
    opened, ends: bytes, mark: bytes, header: bytes, last: bool
) -> None:
    data = mark + header + rows(b"the", b"cat", b"dog")
    data = data.replace(b"\n", ends)
    table = opened(data if last else data.removesuffix(ends))
    assert list(table.tokens) == ["the", "cat", "dog"]
    assert not table.notices
    assert table.values.dtype == np.float32


def test_old_mac_line_ends_are_read_with_a_notice(opened) -> None:
    table = opened(rows(b"the", b"cat").replace(b"\n", b"\r"))
    assert list(table.tokens) == ["the", "cat"]
    assert "CR" in said(table)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_marked_wide_encodings_are_read_with_a_notice(opened, encoding: str) -> None:
    text = rows(b"the", "naïve".encode()).decode()
    data = text.encode(encoding)
    table = opened(b"\xfe\xff" + data if encoding == "utf-16-be" else data)
    assert list(table.tokens) == ["the", "naïve"]
    assert "UTF-16" in said(table)


def test_unmarked_utf16_is_named(refused) -> None:
    assert refused(rows(b"the", b"cat").decode().encode("utf-16-be")).code == "encoding_utf16"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (b"-3 3", "counts_absurd"),
        (b"3 0", "counts_absurd"),
        (b"9" * 5000 + b" 3", "counts_absurd"),
        (b"3 " + b"9" * 5000, "counts_absurd"),
        (b"3 4", "counts_other_dim"),
        (b"3 2", "counts_other_dim"),
        (b"1000000000000 3", "counts_too_many"),
    ],
)
def test_headers_that_lie_are_refused_at_once(refused, header: bytes, code: str) -> None:
    error = refused(header + b"\n" + rows(b"the", b"cat", b"dog"))
    assert error.code == code
    assert "header" in str(error)


def test_a_header_may_miscount_rows_with_a_notice(opened) -> None:
    data = rows(b"the", b"cat", b"dog")
    assert "5 rows, but it holds 3" in said(opened(b"5 3\n" + data))
    assert "2 rows, but it holds 3" in said(opened(b"2 3\n" + data))


def test_rows_of_one_number_are_no_header(opened) -> None:
    assert opened(b"2019 1\n2020 2\n2021 3\n").tokens == ["2019", "2020", "2021"]
    assert opened(b"3 1\na 1\nb 2\nc 3\n").tokens == ["a", "b", "c"]
    assert opened(b"1984 1 0.5\ncat 2 3\n").tokens == ["1984", "cat"]


def test_of_repeated_words_the_first_counts_and_both_lines_are_named(opened) -> None:
    table = opened(rows(b"the", b"cat", b"dog", b"cat", b"the", b"cat"))
    assert list(table.tokens) == ["the", "cat", "dog"]
    assert table.vectors[1][0] == 1
    assert "“cat” (line 4, first in line 2), “the” (line 5, first in line 1)" in said(table)
    assert "Rows left out: 3" in said(table)


def test_words_that_become_equal_by_replacement_stay_two_rows(opened) -> None:
    table = opened(rows(b"the", b"caf\xe9", b"caf\xe8", "caf\ufffd".encode(), b"caf\xe9"))
    assert list(table.tokens) == ["the", "caf\ufffd", "caf\ufffd", "caf\ufffd"]
    assert "line 2, 3, 5" in said(table)
    assert "“caf�” (line 5, first in line 2)" in said(table)


def test_repeats_and_torn_words_are_found_across_blocks(opened) -> None:
    words = [b"w%d" % at for at in range(20_000)]
    table = opened(rows(*words, b"w7", b"w\xff", b"w19999"))
    assert len(table) == 20_001
    assert "“w7” (line 20001, first in line 8)" in said(table)
    assert "line 20002" in said(table)
    np.testing.assert_allclose(table.vectors[12_345], [12_345, 12_345.1, 12_345.2])


def test_one_bad_line_among_many_is_named(refused) -> None:
    words = [b"w%d" % at for at in range(20_000)]
    lines = rows(*words).split(b"\n")
    lines[15_000] = b"w15000 1 x 3"
    error = refused(b"\n".join(lines))
    assert (error.code, error.fields["line"]) == ("row_bad_number", 15_001)
    assert "w15000" in str(error)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b"dog 1 2", "row_too_short", ["line 3", "2", "3", "dog"]),
        (b"dog", "row_too_short", ["line 3", "0"]),
        (b"dog 1 1_5 3", "row_bad_number", ["line 3", "1_5"]),
        (b"dog 1 2 0x1p3", "row_bad_number", ["line 3", "0x1p3"]),
        ("dog 1 2 ٣".encode(), "row_bad_number", ["line 3"]),
        (b"dog 1 nan 3", "number_not_finite", ["line 3", "dog", "nan"]),
        (b"dog 1 2 -Infinity", "number_not_finite", ["line 3", "dog", "finite"]),
        (b"dog 1 2 -1.#IND", "number_not_finite", ["line 3", "dog"]),
        (b"dog 1 1e39 3", "number_too_large", ["line 3", "1e39"]),
        (b"dog 1 1e400 3", "number_too_large", ["line 3", "1e400"]),
        (b"dog 0,1 0,2 0,3", "decimal_comma", ["line 3", "0,1", "comma"]),
        (b"dog 1:0.5 7:0.25", "foreign_sparse", ["line 3", "sparse"]),
        (b"=======", "foreign_conflict", ["line 3"]),
        (b">>>>>>> branch", "foreign_conflict", ["line 3", "branch"]),
        (b"\0" * 30, "zero_bytes", ["line 3", "zero"]),
        (b"1 2 3", "row_without_word", ["line 3"]),
        (b"a 1 2 3 b 4 5 6", "line_end_lost", ["line 3", "single line"]),
    ],
)
def test_a_line_that_is_no_row_is_named(refused, line: bytes, code: str, words: list[str]) -> None:
    data = rows(b"the", b"cat") + line + b"\n" + rows(b"car", b"king", b"mat")
    error = refused(data)
    assert error.code == code
    assert all(word in str(error) for word in words), str(error)


def test_a_short_last_line_is_a_broken_download(refused) -> None:
    for end in (b"", b"\n"):
        error = refused(rows(b"the", b"cat", b"dog") + b"king 1 0." + end)
        assert error.code == "row_cut_off"
        assert "line 4" in str(error)
        assert "incomplete" in str(error)


def test_a_row_with_a_number_too_many_is_told(opened) -> None:
    table = opened(rows(b"the", b"cat", b"room 101", b"dog"))
    assert table.tokens[2] == "room 101"
    assert "“room 101” (line 3, 4 numbers)" in said(table)


def test_blank_lines_between_rows_are_told_and_those_at_the_end_are_not(opened) -> None:
    assert not opened(rows(b"the", b"cat") + b"\n \n\n").notices
    assert "2" in said(opened(rows(b"the") + b"\n" + rows(b"cat", b"dog")))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b"\xef\xbb\xbf", "file_no_rows"),
        (b"\n\n \r\n", "file_no_rows"),
        (b"3 3\n", "only_counts"),
        (b"\0" * 5000, "zero_bytes"),
        (b"<!DOCTYPE html>\n<html><body>404</body></html>\n", "foreign_page"),
        (b"<?xml version='1.0'?>\n<Error><Code>AccessDenied</Code></Error>", "foreign_page"),
        (b'{"error": "not found"}', "foreign_json"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 7\n", "foreign_lfs"),
        (b"cbuiltins\nopen\n(Vx\nVw\ntR.", "foreign_pickle"),
        (b"the quick brown fox\njumps over\n", "no_numbers"),
        (b"\x80\x04\x95\x10\0\0\0", "foreign_pickle"),
        (b"GGUF\x03\0\0\0\0\0\0\0" + bytes(range(256)), "foreign_kind"),
    ],
)
def test_what_is_no_table_is_called_by_its_name(refused, data: bytes, code: str) -> None:
    assert refused(data, "vectors.vec").code == code


def test_words_that_look_like_other_files_are_words(opened) -> None:
    table = opened(rows(b"<html>", b"{", b"GGUF", b"version", b"PAR1", b"BZh"))
    assert len(table) == 6


def test_a_file_without_line_ends_is_told_as_one_line(refused) -> None:
    words = [b"w%d" % at for at in range(500)]
    error = refused(rows(*words).replace(b"\n", b" "))
    assert error.code == "line_end_lost"
    assert "single line" in str(error)


def test_a_line_without_end_is_refused_in_bounded_memory(refused) -> None:
    error = refused(b"the 1 2 3\n" + b"a" * 9_000_000 + b" 1 2 3\n")
    assert error.code == "line_too_long"
    assert error.fields["line"] == 2


def test_padded_columns_are_read(opened) -> None:
    table = opened(b"2 3\nthe  0.10 -0.20  0.30\ncat -0.10  0.20 -0.30\n")
    assert list(table.tokens) == ["the", "cat"]
    np.testing.assert_allclose(table.vectors, [[0.1, -0.2, 0.3], [-0.1, 0.2, -0.3]])


def test_marks_of_a_leading_space_give_the_spelling(opened) -> None:
    assert opened(rows("Ġcat".encode(), "Ġsat".encode())).vocabulary.spelling == "bytes"
    assert opened(rows(b"play", b"##ing")).vocabulary.spelling == "wordpiece"
    assert opened(rows(b"cat", b"sat")).vocabulary.spelling == "words"
