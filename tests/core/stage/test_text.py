"""Texts by key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.stage import text as texts
from core.tables.assets import asset


@pytest.fixture
def pseudo() -> Iterator[None]:
    texts.set_language("pseudo")
    yield
    texts.set_language("en")


def test_texts_have_fields() -> None:
    assert "rope" in texts.text("error.link_lesson", found="x", known="rope")
    with pytest.raises(KeyError):
        texts.text("no.such.text")
    with pytest.raises(KeyError):
        texts.text("error.link_lesson", found="x")
    assert texts.has_text("common.on")
    assert not texts.has_text("common")


@pytest.mark.usefixtures("pseudo")
def test_pseudo_translation_is_longer_and_keeps_the_fields() -> None:
    written = texts.text("error.link_lesson", found="x", known="rope")
    assert written.startswith("[")
    assert written.endswith("]")
    assert "rope" in written
    assert len(written) > 1.3 * len("There is no tab “x”. The tabs are: rope.")


def test_every_file_is_well_formed() -> None:
    for path in sorted(asset("strings", "en").glob("*.toml")):
        with path.open("rb") as file:
            tomllib.load(file)
        written = path.read_text(encoding="utf-8")
        assert "TODO" not in written, path.name


def test_no_key_is_written_twice() -> None:
    files = [Path(path).stem for path in asset("strings", "en").glob("*.toml")]
    assert len(files) == len(set(files))
