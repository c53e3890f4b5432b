"""Every shipped file is accounted for: where it comes from, its size, its sum, its licence."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from core.tables import assets as assets_module
from core.tables.assets import asset
from core.tables.messages import TableError

ASSETS = Path(__file__).parents[3] / "assets"
README = (ASSETS / "README.md").read_text(encoding="utf-8")
LISTED = {
    cells[0]: cells[1:]
    for line in README.splitlines()
    if line.startswith("| ") and len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 5
    and cells[0] not in ("file", "---")
}  # fmt: skip


def _shipped() -> list[str]:
    files = [
        path
        for top in ("corpus", "fonts", "licences", "tables")
        for path in (ASSETS / top).rglob("*")
        if path.is_file()
    ]
    return sorted(path.relative_to(ASSETS).as_posix() for path in [*files, ASSETS / "models.json"])


def test_every_file_is_listed_and_no_other() -> None:
    assert sorted(LISTED) == _shipped()


@pytest.mark.parametrize("name", sorted(LISTED))
def test_size_sum_and_licence_agree(name: str) -> None:
    size, total, licences, made_from = LISTED[name]
    content = (ASSETS / name).read_bytes()
    assert (len(content), hashlib.sha256(content).hexdigest()) == (int(size), total)
    assert made_from
    for licence in licences.split(", "):
        assert licence == "-" or (ASSETS / "licences" / licence).is_file()


def test_every_licence_is_used() -> None:
    used = {licence for cells in LISTED.values() for licence in cells[2].split(", ")}
    assert used - {"-"} == {path.name for path in (ASSETS / "licences").iterdir()}


def test_readme_holds_no_machine_path_or_address() -> None:
    assert not re.search(r"https?:|/(work|home|root|tmp|opt|usr)/|[A-Z]:\\", README)


def test_nothing_is_large_and_nothing_is_pickled() -> None:
    assert sum((ASSETS / name).stat().st_size for name in LISTED) < 26_000_000
    assert {Path(name).suffix for name in LISTED} <= {".npy", ".npz", ".json", ".txt", ".tiktoken", ".ttf"}


def test_a_missing_file_is_a_sentence() -> None:
    with pytest.raises(TableError, match=r"tables/none\.npy that belongs to this program is missing"):
        asset("tables", "none.npy")


@pytest.mark.parametrize("parts", [("..", "README.md"), ("tables", "..", "..", "LICENSE"), ("/etc/hostname",)])
def test_no_way_out_of_the_assets(parts: tuple[str, ...]) -> None:
    with pytest.raises(TableError):
        asset(*parts)


def test_a_wheel_carries_them_inside_core(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "core/assets/tables").mkdir(parents=True)
    (tmp_path / "core/assets/tables/x.npy").touch()
    monkeypatch.setattr(assets_module, "_CORE", tmp_path / "core")
    assets_module._roots.cache_clear()
    try:
        assert asset("tables", "x.npy") == tmp_path / "core/assets/tables/x.npy"
    finally:
        assets_module._roots.cache_clear()
