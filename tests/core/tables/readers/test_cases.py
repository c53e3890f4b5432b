"""Every case file: what must load loads right, what must not is refused in words that help."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.tables.messages import TableError
from core.tables.readers import open_table
from core.tables.table import Table

FILES = Path(__file__).parents[3] / "cases" / "files"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FILES / "expected.json").read_text(encoding="utf-8"))
CASES = sorted(path for path in EXPECTED if not path.startswith("session/"))


def _missing(text: str, words: list[str | list[str]]) -> list[list[str]]:
    choices = [word if isinstance(word, list) else [word] for word in words]
    return [choice for choice in choices if not any(word.lower() in text.lower() for word in choice)]


def _complaints(expected: dict[str, Any], answer: Table | TableError) -> list[str]:
    if isinstance(answer, TableError):
        if expected["ok"]:
            return [f"refused: {answer}"]
        return [f"message lacks {words}: {answer}" for words in _missing(str(answer), expected.get("must_say", []))]
    if not expected["ok"]:
        return [f"loaded: {answer!r}"]
    found = []
    if expected.get("n") not in (None, len(answer)) or expected.get("dim") not in (None, answer.dim):
        found.append(f"{answer.shape} instead of {expected.get('n')} x {expected.get('dim')}")
    for token, allowed in zip(answer.tokens, expected.get("tokens_sample") or [], strict=False):
        if allowed is not None and token not in (allowed if isinstance(allowed, list) else [allowed]):
            found.append(f"token {token!r} instead of {allowed!r}")
    for row in expected.get("rows") or []:
        got = answer.vectors[row["index"]][: len(row["values"])]
        if not np.allclose(got, row["values"], rtol=1e-5, atol=1e-5):
            found.append(f"row {row['index']} is {got}")
        if row.get("token", "?") != "?" and answer.tokens[row["index"]] != row["token"]:
            found.append(f"row {row['index']} belongs to {answer.tokens[row['index']]!r}")
    said = " | ".join(map(str, answer.notices))
    return found + [f"no notice has {words}: {said}" for words in _missing(said, expected.get("must_warn") or [])]


@pytest.mark.parametrize("case", CASES)
def test_case(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = EXPECTED[case]
    monkeypatch.chdir(tmp_path)  # where a payload would leave its marker
    if bounded := "max_mem_mb" in expected:
        tracemalloc.start()
    start = time.perf_counter()
    answer: Table | TableError
    try:
        answer = open_table(FILES / case)
    except TableError as error:
        answer = error
    seconds = time.perf_counter() - start
    if bounded:
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        assert peak < expected["max_mem_mb"]
    assert seconds < expected.get("max_seconds", 25)
    assert list(tmp_path.iterdir()) == []
    if isinstance(answer, Table):
        assert len(answer.tokens) == len(answer.vectors)
        assert np.isfinite(answer.vectors).all()
    complaints = _complaints(expected, answer)
    others = expected.get("alt") or []
    for other in others if isinstance(others, list) else [others]:
        complaints = complaints and _complaints(other, answer)
    assert not complaints


def test_every_refusal_and_notice_names_its_file_and_fills_its_fields() -> None:
    for case in CASES:
        names = [Path(case).name, *EXPECTED[case].get("companions", [])]
        try:
            told = [str(notice) for notice in open_table(FILES / case).notices]
        except TableError as error:
            told = [str(error)]
        for sentence in told:
            assert any(name in sentence for name in names), sentence
            assert "None" not in sentence
