"""Typed sentences from tests/cases/text_cases.json: what is found, what is missing, what is offered.

Of the ten entries nothing is left out; what of them is for the screen to show (a hint for an empty field, markup drawn
literally in a widget, the end of learned positions after 20,000 words) is tested where it is drawn.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.tables.spellings import suggestions
from core.tables.table import Table
from core.tables.tokenizers import tokenizer
from core.tables.vocabulary import Vocabulary, guess_spelling

CASES = json.loads((Path(__file__).parents[2] / "cases/text_cases.json").read_text(encoding="utf-8"))
CHECKED = {"unknown", "offer", "found", "also", "tokens", "message", "literal", "max_seconds", "count"}


def test_all_expectations_are_known() -> None:
    assert len(CASES) == 10
    assert {key for case in CASES for key in case["expect"]} == CHECKED


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    words, expect, text = case["vocab"], case["expect"], case["text"]
    if isinstance(text, dict):
        text = text["repeat"][0] * text["repeat"][1]
    vocabulary = Vocabulary(case["id"], case["id"], len(words), guess_spelling(words))
    table = Table(case["id"], case["id"], vocabulary, words, np.eye(len(words), dtype=np.float32))
    tokens = tokenizer(table).tokens(text)
    found = [token.piece for token in tokens if not token.missing]
    unknown = [token.piece for token in tokens if token.missing]

    assert found == expect.get("found", expect.get("tokens", found))
    assert unknown == expect.get("unknown", unknown)
    assert [token.piece for token in tokens] == expect.get("tokens", [token.piece for token in tokens])
    assert len(tokens) == expect.get("count", len(tokens))
    for offer in expect.get("offer", ()):
        assert offer in suggestions(table, unknown[0])
    for other in expect.get("also", ()):
        assert other in suggestions(table, found[0])
    if expect.get("message"):
        assert tokens == ()
    if expect.get("literal"):
        assert "".join(text[token.start : token.end] for token in tokens) == "".join(text.split())
    assert all(token.id is None or words[token.id] == token.piece for token in tokens)
