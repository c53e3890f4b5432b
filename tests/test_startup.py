"""Start-up: what is wrong is said in one sentence, with exit code 3, before Qt can abort."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.lessons import IDS, lesson
from gui import cli, startup


@pytest.mark.parametrize(
    ("python", "pyside", "fine"),
    [
        ((3, 11), "6.11.3", True),
        ((3, 11), "6.10.3", True),
        ((3, 11), "6.12.0", False),
        ((3, 12), "6.12.0", True),
        ((3, 13), "6.12.1", True),
        ((3, 12), "6.11.0", False),
        ((3, 11), "6.11.1", False),
        ((3, 13), "6.9.1", False),
    ],
)
def test_bad_pairs_are_named(python: tuple[int, int], pyside: str, fine: bool) -> None:
    if fine:
        startup.check_pair(python, pyside)
    else:
        with pytest.raises(startup.CannotStart, match=pyside) as caught:
            startup.check_pair(python, pyside)
        assert f"{python[0]}.{python[1]}" in str(caught.value)
        assert "pip install" in str(caught.value)


def test_missing_libraries_are_named_with_the_command() -> None:
    def load(name: str) -> object:
        if name in {"libEGL.so.1", "libxcb-cursor.so.0"}:
            raise OSError(name)
        return object()

    startup.check_libraries(False, lambda name: object())
    with pytest.raises(startup.CannotStart) as caught:
        startup.check_libraries(True, load)
    assert str(caught.value).endswith("apt-get install -y libegl1 libxcb-cursor0")
    with pytest.raises(startup.CannotStart) as caught:
        startup.check_libraries(False, load)
    assert "libxcb-cursor" not in str(caught.value)


@pytest.mark.parametrize(
    ("environment", "x", "wayland", "found"),
    [
        ({}, True, True, ""),
        ({"DISPLAY": ":0"}, True, False, "xcb"),
        ({"DISPLAY": ":0"}, False, False, ""),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, True, False, ""),
        ({"WAYLAND_DISPLAY": "wayland-0"}, False, True, "wayland"),
        ({"WAYLAND_DISPLAY": "gone-0", "DISPLAY": ":0"}, True, False, "xcb"),
        ({"WAYLAND_DISPLAY": "gone-0"}, False, False, ""),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "QT_QPA_PLATFORM": "xcb"}, True, True, "xcb"),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "wayland"}, True, False, ""),
        ({"QT_QPA_PLATFORM": "vnc:port=5900"}, False, False, "system"),
    ],
)
def test_a_display_is_one_that_answers(environment: dict[str, str], x: bool, wayland: bool, found: str) -> None:
    assert startup.display_of(environment, "linux", lambda: x, lambda _: wayland) == found
    assert startup.display_of(environment, "win32") == "system"


def test_a_wayland_display_is_a_socket_that_listens(tmp_path: Path) -> None:
    there = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert not startup.display_of(there, "linux")
    (tmp_path / "wayland-0").touch()
    assert not startup.display_of(there, "linux")
    (tmp_path / "wayland-0").unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "wayland-0"))
        listener.listen()
        assert startup.display_of(there, "linux") == "wayland"


def test_a_platform_that_qt_would_abort_on_is_named() -> None:
    with pytest.raises(startup.CannotStart, match="nonsense"):
        startup.display_of({"QT_QPA_PLATFORM": "nonsense"}, "linux")


@pytest.mark.parametrize("written", ["1920", "axb", "1920x", "10x10", "99999x10", "-5x800", "1e3x900", "²x²"])
def test_sizes_that_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="--size"):
        startup.parse_size(written)


def test_sizes() -> None:
    assert startup.parse_size("1920x1080") == (1920, 1080)
    assert startup.parse_size("1280×720") == (1280, 720)


def volvelle(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    clean.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-m", "gui", *arguments],
        cwd=cwd,
        env={**clean, "VOLVELLE_STATE_DIR": str(cwd / "state"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing?x=1"], 2, "There is no tab"),
        (["absent.json"], 2, "absent.json"),
        (["render", "rope?preset=nope", "-o", "x.png"], 2, "presets are"),
        (["render", "rope", "-o", "x.bmp"], 2, ".png and .svg"),
        (["render", "rope", "-o", "x.png", "--size", "5x5"], 2, "--size"),
        (["render", "rope"], 2, "-o"),
        (["--profile", "neon"], 2, "projector"),
    ],
)
def test_mistakes_are_sentences(
    arguments: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(startup, "prepare", lambda window: True)
    try:
        found = cli.run(arguments)
    except SystemExit as stop:  # argparse
        found = stop.code
    error = capfd.readouterr().err
    assert found == code
    assert said in error
    assert "Traceback" not in error


def test_a_bad_pair_ends_with_3(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(startup, "installed_pyside", lambda: "6.11.0")
    assert cli.run([]) == startup.EXIT_CANNOT_START
    assert cli.run(["render", "rope", "-o", "x.png"]) == startup.EXIT_CANNOT_START
    assert capfd.readouterr().err.count("6.11.0") == 2


def test_without_a_display_pictures_are_written(tmp_path: Path) -> None:
    done = volvelle(cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "volvelle-tour" in done.stderr
    pictures = sorted((tmp_path / "volvelle-tour").iterdir())
    assert [picture.name for picture in pictures] == [f"{n:02}-{name}.png" for n, name in enumerate(IDS, start=1)]
    assert all(picture.stat().st_size > 20_000 for picture in pictures)


def test_render(tmp_path: Path) -> None:
    link = "rope?query_position=503&key_position=501"
    for name, start in (("out.png", b"\x89PNG"), ("out.svg", b"<?xml")):
        done = volvelle("render", link, "-o", name, "--profile", "night", "--size", "1280x720", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert (tmp_path / name).read_bytes().startswith(start)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split()[0] for line in lines if not line.startswith((" ", "#"))]
    assert heads == list(IDS)
    written = "\n".join(lines)
    assert "query_position: 0 to 1,000,000; default 3" in written
    for preset in lesson("rope").presets:
        assert preset.id in written
