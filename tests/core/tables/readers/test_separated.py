"""CSV and TSV: which column is what, quoting, and tensors with their labels."""

from __future__ import annotations

import numpy as np
import pytest

from core.tables.table import Table

CSV = b"the,0.1,0.2\ncat,0.3,-0.4\ndog,1e-3,5\n"
VALUES = [[0.1, 0.2], [0.3, -0.4], [0.001, 5]]


def said(table: Table) -> str:
    return " | ".join(map(str, table.notices))


def check(table: Table, tokens: str = "the cat dog") -> None:
    assert list(table.tokens) == tokens.split(" ")
    np.testing.assert_allclose(table.vectors, VALUES, rtol=1e-6)


@pytest.mark.parametrize("separator", [b",", b";", b"|", b"\t"])
@pytest.mark.parametrize("header", [b"", b"word,x,y\n", b"Token,0,1\n", b",0,1\n", b'"word","x","y"\n'])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_separators_headers_and_line_ends(opened, separator: bytes, header: bytes, end: bytes) -> None:
    if separator == b"\t":
        header = header.replace(b'"', b"")
    check(opened((header + CSV).replace(b",", separator).replace(b"\n", end), "a.csv"))


def test_sep_line_bom_decimal_commas(opened) -> None:
    data = b"\xef\xbb\xbfsep=;\r\nWort;x;y\r\nthe;0,1;0,2\r\ncat;0,3;-0,4\r\ndog;0,001;5\r\n"
    table = opened(data, "a.csv")
    check(table)
    assert "decimal comma" in said(table)
    assert "line 2" in said(table)


@pytest.mark.parametrize(
    ("data", "left_out"),
    [
        (b",word,x,y\n0,the,.1,.2\n1,cat,.3,-.4\n2,dog,.001,5\n", "1"),
        (b"id,word,x,y\n7,the,.1,.2\n8,cat,.3,-.4\n9,dog,.001,5\n", "1 (id)"),
        (b"0,the,.1,.2\n1,cat,.3,-.4\n2,dog,.001,5\n", "1"),
        (b"word,pos,x,y\nthe,DET,.1,.2\ncat,NOUN,.3,-.4\ndog,NOUN,.001,5\n", "2 (pos)"),
        (b"word,count,x,y\nthe,90,.1,.2\ncat,20,.3,-.4\ndog,10,.001,5\n", "2 (count)"),
        (b"x,y,word,z\n.1,.2,the,a\n.3,-.4,cat,b\n.001,5,dog,c\n", "4 (z)"),
    ],
)
def test_columns_that_are_neither_word_nor_vector_are_left_out_with_a_notice(
    opened, data: bytes, left_out: str
) -> None:
    table = opened(data, "a.csv")
    check(table)
    assert left_out in said(table)


def test_words_are_text_whatever_they_look_like(opened) -> None:
    words = ["null", "NA", "nan", "None", "TRUE", "1e5", "00123", "N/A", "#", "'"]
    table = opened(b"word,a\n" + b"".join(b"%s,%d\n" % (w.encode(), at) for at, w in enumerate(words)), "a.csv")
    assert list(table.tokens) == words


def test_quoted_words(opened) -> None:
    data = b'word,a,b\n",",1,2\n"""",3,4\n"two\nlines",5,6\nit\'s,7,8\na"b,9,10\n" x ",11,12\n'
    table = opened(data, "a.csv")
    assert list(table.tokens) == [",", '"', "two\nlines", "it's", 'a"b', " x "]
    np.testing.assert_array_equal(table.vectors[-1], [11, 12])


def test_repeated_words_after_a_quoted_line_break_name_true_lines(opened) -> None:
    table = opened(b'word,a\n"two\nlines",1\nthe,2\ncat,3\nthe,4\n', "a.csv")
    assert "“the” (line 6, first in line 4)" in said(table)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b"dog,1", "row_ragged", ["line 4", "2", "3"]),
        (b"dog,1,2,3", "row_ragged", ["line 4", "4", "3"]),
        (b"dog,,2", "cell_empty", ["line 4", "column 2 (x)", "dog"]),
        (b"dog,1, ", "cell_empty", ["line 4", "column 3 (y)"]),
        (b"dog,1,1_5", "cell_bad_number", ["line 4", "1_5", "dog"]),
        (b"dog,1,nan", "number_not_finite", ["line 4", "dog", "nan"]),
        (b"dog,1,1e39", "number_too_large", ["line 4", "1e39"]),
        (b'"dog,1,2', "quote_open", ["line 4", '"']),
        (b'"dog"s,1,2', "quote_closed_early", ["line 4"]),
    ],
)
def test_a_record_that_is_no_row_is_named(refused, line: bytes, code: str, words: list[str]) -> None:
    error = refused(b"word,x,y\nthe,1,2\ncat,3,4\n" + line + b"\ncar,5,6\nmat,7,8\n", "a.csv")
    assert error.code == code
    assert all(word in str(error) for word in words), str(error)


def test_a_quotation_without_end_is_found_in_bounded_time(refused) -> None:
    rows = b"".join(b'w%d,1,2,""\n' % at for at in range(50_000))
    error = refused(b"word,x,y,z\nthe,1,2,3\ncat,1,2,3\n" + b'"' + rows, "a.csv")
    assert error.code in ("quote_open", "quote_closed_early", "cell_bad_number", "row_ragged")


def test_numbers_alone_need_words(refused) -> None:
    assert "column" in str(refused(b"a,b,c\n.1,.2,.3\n.4,.5,.6\n", "a.csv"))


# --- tensors.tsv and its labels ---------------------------------------------------------------------------------------

TENSORS = b"0.1\t0.2\n0.3\t-0.4\n1e-3\t5\n"


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("tensors.tsv", "metadata.tsv"), b"the\ncat\ndog\n"),
        (("vectors.tsv", "metadata.tsv"), b"the\ncat\ndog"),
        (("x_vecs.tsv", "x_meta.tsv"), b"\xef\xbb\xbfthe\r\ncat\r\ndog\r\n"),
        (("tensors.tsv", "metadata.tsv"), b"the\ncat\ndog\n\n\n"),
        (("tensors.tsv", "metadata.tsv"), b"word\tn\nthe\t1\ncat\t2\ndog\t3\n"),
        (("tensors.tsv", "metadata.tsv"), b"id\tlabel\n0\tthe\n1\tcat\n2\tdog\n"),
        (("tensors.tsv", "metadata.tsv"), b"the\t1\ncat\t2\ndog\t3\n"),
        (("tensors.tsv", "metadata.tsv"), b"title of words\nthe\ncat\ndog\n"),
        (("tensors.tsv", "metadata.tsv"), b"word\nthe\ncat\ndog\n"),
        (("tensors.tsv", "metadata.tsv"), b"the\t1\ncat\ndog\t3\t4\n"),
    ],
)
def test_labels_find_their_rows(opened, names: tuple[str, str], labels: bytes) -> None:
    check(opened(TENSORS, names[0], {names[1]: labels}))


def test_labels_stay_as_they_are_and_may_repeat(opened) -> None:
    table = opened(TENSORS * 3, "tensors.tsv", {"metadata.tsv": b'"\n\n001\nNaN\n x\n\x0c\nU\xe9\n"\n1e5\n'})
    assert list(table.tokens) == ['"', "", "001", "NaN", " x", "\x0c", "U�", '"', "1e5"]
    assert "line 7" in said(table)
    assert '“"”' in said(table)


@pytest.mark.parametrize("labels", [b"the\ncat\n", b"a\nb\nc\nd\ne\n", b"\n\n\n\nx"])
def test_other_counts_of_labels_are_refused_with_both(refused, labels: bytes) -> None:
    error = refused(TENSORS, "tensors.tsv", {"metadata.tsv": labels})
    assert error.code == "pair_counts"
    assert "tensors.tsv holds 3 vectors" in str(error)
    assert f"metadata.tsv has {len(labels.removesuffix(bytes([10])).split(bytes([10])))} lines" in str(error)


def test_tensors_without_labels_are_numbered_with_a_notice(opened) -> None:
    table = opened(TENSORS, "tensors.tsv")
    check(table, "0 1 2")
    assert "numbers" in said(table)


def test_one_column_and_other_separators(opened) -> None:
    labels = {"metadata.tsv": b"the\ncat\ndog\n"}
    assert opened(b"0\n1\n2\n", "tensors.tsv", labels).vectors.tolist() == [[0], [1], [2]]
    table = opened(TENSORS.replace(b"\t", b","), "tensors.tsv", labels)
    check(table)
    assert "comma" in said(table)


def test_an_empty_cell_is_no_zero(refused) -> None:
    error = refused(b"0.1\t0.2\t1\n0.3\t\t2\n1\t5\t3\n", "tensors.tsv", {"metadata.tsv": b"the\ncat\ndog\n"})
    assert "line 2, column 2" in str(error)


def test_a_large_table_reads_the_same_in_blocks(opened) -> None:
    rng = np.random.default_rng(7)
    values = rng.normal(size=(20_000, 6)).astype(np.float32)
    lines = ["word\t" + "\t".join(f"d{at}" for at in range(6))]
    lines += [f"New York {row}\t" + "\t".join(map(str, values[row].tolist())) for row in range(len(values))]
    for separator in ("\t", ","):
        table = opened("\n".join(lines).replace("\t", separator).encode(), "big.tsv")
        np.testing.assert_array_equal(table.vectors, values)
        assert table.tokens[-1] == "New York 19999"
