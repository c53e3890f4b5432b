"""What goes wrong or deserves a word, as data: a code and fields, with the English sentence as ``str()``.

Other languages look the code up in their own strings; the English sentence lives here, beside the code that
raises it, so that core says something sensible without any file. One dictionary, so that a code has one meaning.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from core.values import dataclass

SENTENCES: dict[str, str] = {
    "asset_missing": "The file {name} that belongs to this program is missing; install the program again.",
    "asset_damaged": "The file {name} that belongs to this program can't be read ({reason}); "
    "install the program again.",
    "table_unknown": "There is no table named {name}; there are {known}.",
    "model_unknown": "There is no model named {name}; the list of models has names such as {known}.",
    "vocabulary_unknown": "There is no tokeniser named {name}; there are {known}.",
    "other_vocabulary": "The ID {id} belongs to the vocabulary {found}; the table {table} is numbered by {expected}. "
    "The same number means another token there.",
    "id_outside": "The vocabulary {vocabulary} numbers its tokens from 0 to {last}; there is no ID {id}.",
    "id_not_shipped": "The ID {id} exists in the vocabulary {vocabulary}, but the table {table} holds no row for it.",
    "row_outside": "The table {table} has the rows 0 to {last}; there is no row {row}.",
    "tokens_do_not_fit": "The table {table} has {rows} rows but {tokens} tokens.",
    "shape_not_table": "A table is rows by columns of numbers; {table} has the shape {shape}.",
    "scales_do_not_fit": "The scales of {table} have the shape {scales}; its numbers have the shape {shape}.",
    "query_does_not_fit": "The query has {found} numbers; a row of the table {table} has {dim}.",
    # --- readers ---
    "reading_cancelled": "Reading {file} was stopped.",
    "file_missing": "There is no file {file}.",
    "file_folder": "{file} is a folder; open one of the files in it.",
    "file_special": "{file} is no ordinary file and was not opened.",
    "file_unreadable": "{file} can't be read ({reason}).",
    "file_memory": "{file} needs more memory than there is.",
    "file_empty": "{file} is empty.",
    "file_no_rows": "{file} is empty: it holds no rows of numbers.",
    "file_unknown": "{file} is in no format that is known here: it is not text, and its first bytes are those of no "
    "known kind of file.",
    "file_ends_early": "{file} ends early: {missing} bytes are missing. The download looks incomplete.",
    "only_counts": "{file} holds no rows: there is nothing after its first line {header}.",
    "no_numbers": "{file} holds no vectors that can be recognised: line {line} should be a word and numbers, but is "
    "{start}.",
    "zero_bytes": "{file}: from line {line} on there are zero bytes (NUL) instead of text. The download looks "
    "incomplete.",
    "line_too_long": "{file}, line {line}: a single line of more than {length} characters. The line ends were "
    "probably lost.",
    "line_end_lost": "{file}, line {line}: a single line of {length} characters holds more than one row; line ends "
    "were lost.",
    "counts_absurd": "{file}, line 1: the header {header} can't be the counts of rows and of numbers in a row.",
    "counts_other_dim": "{file}: its header {header} promises {stated} numbers in a row, but line {line} has {found}.",
    "counts_too_many": "{file}: its header {header} promises {rows} rows of {dim} numbers, but the file is only "
    "{size} bytes long. Either the header is wrong or the download is incomplete.",
    "counts_other_rows": "{file}: its header promises {stated} rows, but it holds {found}; all of them were read.",
    "row_without_word": "{file}, line {line}: there are only numbers and no word before them ({start}).",
    "row_too_short": "{file}, line {line}: found {found} numbers at the end, expected {expected} ({start}).",
    "row_bad_number": "{file}, line {line}, word {word}: {field} is no plain decimal number; found {found} numbers at "
    "the end, expected {expected}.",
    "row_cut_off": "{file}, line {line}: found {found} numbers, expected {expected} ({start}). This is the last line: "
    "the download looks incomplete.",
    "row_ragged": "{file}, line {line}: found {found} cells, expected {expected} as in the other rows ({start}).",
    "rows_too_long": "{file}: some rows have more than {dim} numbers; the last {dim} were taken, and what stands "
    "before them is the word: {words}.",
    "lines_blank": "{file}: blank lines were passed over: {lines}.",
    "line_ends_cr": "{file}: its lines end with CR alone, as on old Macs; that was read as line ends.",
    "number_not_finite": "{file}, line {line}, word {word}: {field} is not a finite number (NaN or infinity).",
    "number_too_large": "{file}, line {line}, word {word}: {field} is too large for a 32-bit number, so it would not "
    "stay finite.",
    "row_not_finite": "{file}, row {row}, word {word}: number {column} is {field}, which is not a finite number (NaN "
    "or infinity).",
    "words_repeated": "{file}: words that come again were left out, as the first row of each counts: {words}. Rows "
    "left out: {count}.",
    "words_undecodable": "{file}: words that are not valid UTF-8, with � for what can't be read: {unit} {lines}.",
    "encoding_utf16": "{file} looks like UTF-16 text without its mark (every other byte is zero); save it in the "
    "encoding UTF-8.",
    "encoding_read": "{file}: its encoding is UTF-16 or UTF-32, by its mark; it was read as such.",
    "encoding_damaged": "{file}: its encoding is UTF-16 or UTF-32, by its mark; some letters in it are damaged and "
    "shown as �.",
    "decimal_comma": "{file}, line {line}: {field} has a decimal comma; save the file with decimal points.",
    "commas_read": "{file}: its numbers have decimal commas, and were read so.",
    "columns_named": "{file}: line {line} was read as the names of the columns: {names}.",
    "columns_left_out": "{file}: columns that hold neither the words nor numbers of the vectors were left out: "
    "{columns}.",
    "separator_other": "{file}: its cells are separated by the {separator}, and were read so.",
    "no_word_column": "{file}: there is no column of words (tokens), only numbers; columns: {names}.",
    "cell_empty": "{file}, line {line}, column {column}: the cell is empty; a number belongs there ({start}).",
    "cell_bad_number": "{file}, line {line}, column {column}: {field} is no plain decimal number ({start}).",
    "quote_open": '{file}, line {line}: a quotation mark (") is opened and never closed ({start}).',
    "quote_closed_early": '{file}, line {line}: after a closed quotation mark (") more text follows: {rest}.',
    "pair_counts": "{file} holds {rows} vectors, but {labels} has {found} lines; each vector needs one label.",
    "labels_header": "{file} has one line more than there are vectors; its first line {header} was read as the name "
    "of the column.",
    "labels_uneven": "{file}: lines with another number of columns than {columns}; their labels were taken all the "
    "same: line {lines}.",
    "labels_column": "{file}: the labels were taken from column {column} ({name}).",
    "labels_repeated": "{file}: labels that more than one row has; typing one finds its first row: {words}.",
    "rows_numbered": "There are no words in or beside {file}; its rows are called by their numbers, from 0.",
    "list_too_large": "{file} is {size} bytes long, which is too large for a list of words.",
    "list_counts": "{file}: every line ends with a count, which was left out.",
    "words_count": "{file} has {rows} rows, but {words} has {found} words; they don't belong together.",
    "words_turned": "{file} has the shape {rows} × {columns} and {words} has {found} words: it looks transposed, as "
    "rows should be words.",
    "json_damaged": "{file} can't be read as JSON ({reason}).",
    "vocabulary_doubled": "{file}: the token {token} is named twice.",
    "vocabulary_unreadable": "{file} holds no vocabulary that is known here: it should give each token its ID.",
    "vocabulary_empty": "{file}: no token of the vocabulary {vocabulary} has a row in it.",
    "id_no_number": "{file}: its vocabulary {vocabulary} gives the token {token} the ID {id}, which is no whole "
    "number from 0 on.",
    "id_twice": "{file}: its vocabulary {vocabulary} gives the ID {id} to {other} and to {token}.",
    "id_far_beyond": "{file} has {rows} rows, but its vocabulary {vocabulary} gives the token {token} the ID {id}; "
    "they don't belong together.",
    "tokens_without_row": "{file}: tokens whose ID is beyond the {rows} rows of the table, so that there is no "
    "vector: {tokens} (number of them: {count}).",
    "rows_without_token": "{file}: of the {rows} rows of the table, {count} have no token: row {which}.",
    "bytes_after": "{file}: {count} extra bytes follow its last row, and were not read.",
    "npy_header": "{file}: its npy header can't be trusted: {reason}.",
    "npy_type": "{file} holds the type {dtype}; vectors need plain numbers.",
    "npy_objects": "{file} holds an array of Python objects (a pickle), which was not opened for your safety; save it "
    "as plain numbers.",
    "npy_shape": "{file} has the shape {shape} (dimensions: {dimensions}); a table has two: words by numbers.",
    "npy_short": "{file} ends early: for its shape {shape} its header promises {needed} bytes, {present} are present. "
    "The download looks incomplete.",
    "npz_matrices": "{file}: an npz archive with one matrix of numbers (words by numbers) is needed; it holds "
    "{count}, among {names}.",
    "tensors_header": "{file}: its safetensors header can't be trusted: {reason}.",
    "tensors_header_long": "{file} is no whole safetensors file: it states a header of {length} bytes and is {size} "
    "bytes long.",
    "tensors_no_matrix": "{file} holds no matrix, only {tensors}.",
    "tensors_unclear": "{file}: no name tells which of these tensors is the table of tokens: {tensors}.",
    "tensor_type": "{file}: the tensor {tensor} holds the type (dtype) {dtype}, which can't be read here.",
    "tensor_place": "{file}: the header is wrong about the tensor {tensor}: {reason}.",
    "tensor_cut": "{file} ends {missing} bytes before the end of its tensor {tensor}. The download looks incomplete.",
    "tensor_chosen": "{file}: the tensor {tensor} was taken as the table of tokens; there are also {others}.",
    "index_only": "{file} is the index of a model that lies in several parts; open {part}, which holds the table "
    "{tensor}.",
    "index_empty": "{file} is the index of a model, but names no part.",
    "row_incomplete": "{file}: row {row} of {rows} is incomplete, with {present} of {needed} bytes of numbers. The "
    "download looks incomplete.",
    "zero_row": "{file}: from row {row} of {rows} (byte {byte}) on there are only zero bytes. The download looks "
    "incomplete.",
    "word_no_text": "{file}: the word of row {row} of {rows} is no text (byte {byte}); the header's {dim} numbers in "
    "a row probably don't fit the data.",
    "words_no_text": "{file}: {count} of the first {rows} words are no UTF-8 text; either its header doesn't fit the "
    "data or its words are in another encoding.",
    "packed_damaged": "{file} is compressed with {kind} and damaged ({reason}).",
    "packed_ends_early": "{file} is compressed with {kind} and ends early. The download looks incomplete.",
    "packed_bomb": "{file} is compressed with {kind} to less than a {ratio}th of its size, as no table of vectors can "
    "be; it was not unpacked.",
    "packed_twice": "{file} holds a file of a kind that is not read out of a compressed one; unpack it and open what "
    "comes out.",
    "zip_damaged": "{file} is a zip archive that can't be read ({reason}).",
    "zip_locked": "{file}: its file {member} is locked with a password.",
    "zip_method": "{file} is a zip archive whose file {member} is compressed by a method ({method}) that is not read "
    "here; unpack it first.",
    "zip_many": "{file} is a zip archive of {count} files ({names}); unpack it and open one of them.",
    "zip_empty": "{file} is a zip archive without any file.",
    "foreign_fasttext": "{file} is a fastText model, not a table of vectors; open the .vec file that belongs to it.",
    "foreign_hdf5": "{file} is an HDF5 file, which is not opened here; export the vectors as word2vec text or npy.",
    "foreign_pickle": "{file} is a Python pickle, which could run anything and was not opened for your safety; export "
    "the vectors as word2vec text.",
    "foreign_torch": "{file} is a PyTorch file (a pickle), which could run anything and was not opened for your "
    "safety; take the safetensors file instead.",
    "foreign_office": "{file} is an office document; save the table as CSV.",
    "foreign_tar": "{file} is a tar archive; unpack it and open the file in it.",
    "foreign_kind": "{file} is {kind} and holds no vectors in a format that is read here.",
    "foreign_lfs": "{file} is a Git LFS pointer, which only says where the real file is; fetch that.",
    "foreign_page": "{file} is a web page (HTML or XML), not a table of vectors; the download went wrong.",
    "foreign_conflict": "{file}, line {line}: {start} is a mark of a version-control conflict; settle it first.",
    "foreign_sparse": "{file}, line {line}: {field} belongs to sparse vectors (index:value), which are not read here.",
    "foreign_json": "{file} is a JSON file, not a table of vectors; open the file of numbers that belongs to it.",
}
"""Code -> English sentence, with fields in braces. Whoever adds a code adds its sentence here."""


def sentence(code: str, fields: Mapping[str, object]) -> str:
    """The English sentence of ``code``. A code or field that is not known shows itself rather than raising."""
    template = SENTENCES.get(code)
    if template is None:
        return f"{code}: " + ", ".join(f"{name} {value}" for name, value in fields.items())
    return string.Formatter().vformat(template, (), _Named(fields))


class _Named(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@dataclass(frozen=True)
class Notice:
    """Something a person should know about a table that did load. ``str()`` is the English sentence."""

    code: str
    fields: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def __str__(self) -> str:
        return sentence(self.code, self.fields)


class TableError(Exception):
    """Something a person asked of a table, vocabulary or file that can't be done.

    ``code`` names the kind, ``fields`` what it is about; ``str()`` is the English sentence that a person reads.
    """

    def __init__(self, code: str, /, **fields: object) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields: Mapping[str, object] = MappingProxyType(dict(fields))

    def __str__(self) -> str:
        return sentence(self.code, self.fields)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, dict(self.fields))


def _rebuild(kind: type[TableError], code: str, fields: dict[str, object]) -> TableError:
    return kind(code, **fields)
