"""What goes wrong or deserves a word, as data: a code and fields, with the English sentence as ``str()``.

Other languages look the code up in their own strings; the English sentence lives here, beside the code that
raises it, so that core says something sensible without any file. One dictionary, so that a code has one meaning.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

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
