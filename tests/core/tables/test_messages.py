"""Codes, fields and sentences."""

from __future__ import annotations

import pickle
import re
import string
from pathlib import Path

from core.tables.messages import SENTENCES, Notice, TableError

SOURCE = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[3] / "core/tables").rglob("*.py"))


def test_every_code_that_is_raised_has_its_sentence_and_every_sentence_is_raised() -> None:
    raised = set(re.findall(r"TableError\(\s*\"(\w+)\"", SOURCE))
    assert raised <= set(SENTENCES)
    assert {code for code in SENTENCES if f'"{code}"' not in SOURCE.replace(f'    "{code}": ', "")} == set()


def test_str_is_the_sentence_with_its_fields() -> None:
    error = TableError("row_outside", table="GloVe", row=-1, last=39_999)
    assert str(error) == "The table GloVe has the rows 0 to 39999; there is no row -1."
    assert (error.code, error.fields["row"]) == ("row_outside", -1)


def test_fields_that_look_like_templates_stay_as_they_are() -> None:
    assert "{row} {0.__class__}" in str(TableError("table_unknown", name="{row} {0.__class__}", known="x"))


def test_an_unknown_code_or_field_shows_itself() -> None:
    assert str(Notice("new_code", {"line": 3})) == "new_code: line 3"
    assert "{last}" in str(TableError("row_outside", table="x", row=1))


def test_errors_travel_between_processes() -> None:
    error = pickle.loads(pickle.dumps(TableError("table_unknown", name="x", known="y")))
    assert str(error) == str(TableError("table_unknown", name="x", known="y"))


def test_every_sentence_is_a_sentence_with_plain_fields() -> None:
    for template in SENTENCES.values():
        assert template.endswith(".")
        assert all(re.fullmatch(r"\w+", name) for _, name, _, _ in string.Formatter().parse(template) if name)
