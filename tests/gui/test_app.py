"""The app as a whole: begins, goes wrong politely, ends with 0."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.stage.frame import Frame
from core.stage.lesson import Context
from core.stage.session import Session
from gui.app import Watch, begin
from gui.desk import Desk
from gui.window import Window
from tests.gui.window_helpers import IDS, LESSONS, FakeState

Open = Callable[..., Window]
ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui import app

real = app.Window.open

def open(window):
    real(window)
    window.commands.do_next_tab()
    window.commands.do_play()
    QTimer.singleShot(200, window.close)

app.Window.open = open
code = app.run(fresh={fresh})
assert QApplication.instance() is not None
sys.exit(code)
"""


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    import os

    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "VOLVELLE_STATE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


def test_it_opens_plays_closes_and_opens_again(tmp_path: Path) -> None:
    for fresh in (True, False):
        done = run(SCRIPT.format(fresh=fresh), tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "state.json").exists()
    assert (tmp_path / "window.json").exists()
    assert not (tmp_path / "volvelle.log").exists()


def test_a_mistake_is_one_sentence_and_the_window_stays(open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    watch = Watch(window, tmp_path / "log" / "volvelle.log")
    try:
        raise ValueError("secret detail")
    except ValueError as error:
        watch.report(type(error), error, error.__traceback__)
    assert window.isVisible()
    assert "ValueError" in window.status.sentence
    assert "secret" not in window.status.sentence
    assert "Traceback" not in window.status.sentence
    assert "secret detail" in watch.log.read_text(encoding="utf-8")


def test_a_state_that_cannot_be_drawn_gives_way_to_a_fresh_one(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = LESSONS["fake"]

    def frame(state: FakeState, context: Context) -> Frame:
        if state.position == 13:
            raise ZeroDivisionError("an unlucky number")
        return real.frame(state, context)

    monkeypatch.setitem(LESSONS, "fake", dataclasses.replace(real, frame=frame))
    session = Session("fake", states={"fake": FakeState(position=13)})
    window = Window(Desk(session, ids=IDS, lessons=LESSONS.__getitem__))
    watch = Watch(window, tmp_path / "volvelle.log")
    begin(window, watch)
    assert window.page is not None
    assert window.page.state.position == 3
    assert "unlucky" in watch.log.read_text(encoding="utf-8")
    window.close()
    window.deleteLater()


def test_the_log_does_not_grow_without_end(open_window: Open, tmp_path: Path) -> None:
    watch = Watch(open_window(), tmp_path / "volvelle.log")
    watch.log.write_text("x" * 1_200_000)
    watch.write("a line\n")
    assert watch.log.stat().st_size < 100


@pytest.mark.parametrize("pattern", [r"\.connect\(\s*lambda", r"\.connect\(\s*(functools\.)?partial", r"\bprint\("])
def test_what_the_code_never_does(pattern: str) -> None:
    for path in sorted((ROOT / "gui").rglob("*.py")):
        if path.name in ("cli.py", "__main__.py", "snapshot.py"):
            continue
        assert not re.search(pattern, path.read_text(encoding="utf-8")), path.name


def test_timers_are_made_in_one_place() -> None:
    users = [path.name for path in sorted((ROOT / "gui").rglob("*.py")) if re.search(r"QTimer\b", path.read_text())]
    assert users == ["ticker.py"]
