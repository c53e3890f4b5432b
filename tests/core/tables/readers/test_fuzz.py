"""Damaged files: a table or a sentence, soon, and nothing else."""

from __future__ import annotations

import contextlib
import json
import random
import time
from pathlib import Path

import numpy as np
import pytest

from core.tables.messages import TableError
from core.tables.readers import open_table

FILES = Path(__file__).parents[3] / "cases" / "files"
EXPECTED = json.loads((FILES / "expected.json").read_text(encoding="utf-8"))
VARIANTS = 4
SPLINTERS = [b"nan", b"1e999", b"-", b"\xff\xfe", b"\x00" * 16, b"\n", b"\r", b"\t", b" ", b'"', b",", b"9" * 25]
SPLINTERS += [b"\xc2\x85", b"e", b".", b"{", b"]", b"-1", b"\x1f\x8b", b"PK\x03\x04"]


def damaged(data: bytes, chance: random.Random) -> bytes:
    """``data`` cut off, with bytes changed, put in, or left out."""
    way = chance.randrange(4)
    at = chance.randrange(len(data) + 1)
    if way == 0:
        return data[:at]
    if way == 1:
        bent = bytearray(data)
        for _ in range(chance.choice([1, 2, 8]) if bent else 0):
            bent[chance.randrange(len(bent))] = chance.randrange(256)
        return bytes(bent)
    if way == 2:
        return data[:at] + chance.choice(SPLINTERS) + data[at:]
    return data[:at] + data[at + chance.randrange(1, 30) :]


@pytest.mark.parametrize("case", sorted(EXPECTED))
def test_damage_gives_a_table_or_a_sentence(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(case)
    folder = tmp_path / "files"
    folder.mkdir()
    elsewhere = tmp_path / "here"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    picked = FILES / case
    for name in EXPECTED[case].get("companions", []):
        data = (picked.parent / name).read_bytes()
        (folder / name).write_bytes(damaged(data, chance) if chance.random() < 0.3 else data)
    for _ in range(VARIANTS):
        path = folder / picked.name
        path.write_bytes(damaged(picked.read_bytes(), chance))
        start = time.perf_counter()
        with contextlib.suppress(TableError):
            table = open_table(path)
            assert np.isfinite(table.vectors).all()
            assert len(table.tokens) == len(table)
        assert time.perf_counter() - start < 5
    assert list(elsewhere.iterdir()) == []
