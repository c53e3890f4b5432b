"""The house itself: floors, types, style, texts, versions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_floors() -> None:
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_style() -> None:
    run("ruff", "check", "--no-cache", ".")
    run("ruff", "format", "--check", "--no-cache", ".")


def test_types() -> None:
    run("mypy", "--no-incremental", "core")


def test_core_loads_no_qt() -> None:
    code = (
        "import sys, core.lessons as l; l.lessons();"
        "bad = [m for m in sys.modules if m.split('.')[0] in ('PySide6', 'pyqtgraph', 'shiboken6')];"
        "sys.exit(', '.join(bad) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "pattern", [r"\.connect\(\s*(lambda|partial|functools\.partial)", r"\bQThread\b", r"\bpickle\b"]
)
def test_what_the_gui_does_without(pattern: str) -> None:
    for path in (ROOT / "gui").rglob("*.py"):
        assert not re.search(pattern, path.read_text(encoding="utf-8")), path


def test_the_top_level_is_fixed() -> None:
    done = subprocess.run(
        ["git", "ls-tree", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:  # a checkout, not an unpacked archive
        allowed = {"pyproject.toml", "README.md", "gui", "core", "assets", "tests", "LICENSE", ".gitignore", ".ci"}
        assert set(done.stdout.split()) <= allowed


def test_texts_exist() -> None:
    """Every literal key that the code asks for is there."""
    from core.stage.text import has_text

    for path in [*(ROOT / "core").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]:
        for key in re.findall(r'\btext\(\s*"([a-z0-9_.-]+)"', path.read_text(encoding="utf-8")):
            assert has_text(key), f"{path.name}: {key}"
