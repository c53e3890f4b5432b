"""What is checked before Qt is loaded: Qt itself would abort the process without a word that helps."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.stage.text import text

EXIT_CANNOT_START = 3

# Library file → the Debian package that holds it.
ALWAYS = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libX11.so.6": "libx11-6",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
}
WINDOW = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


SCREENLESS = ("offscreen", "minimal")
BARE = ("eglfs", "linuxfb", "minimalegl", "vkkhrdisplay", "vnc")  # no window system: Qt drives the device itself


class CannotStart(Exception):
    """Its text says what is wrong and what to do; the process ends with EXIT_CANNOT_START."""


def check_pair(python: tuple[int, int], pyside: str) -> None:
    """Refuse the releases of PySide6 that are known to break with this Python. Raises CannotStart."""
    parts = tuple(int(part) for part in pyside.split(".")[:3] if part.isdigit())
    bad = parts < (6, 10, 3) or parts in {(6, 11, 0), (6, 11, 1)} or (python < (3, 12) and parts >= (6, 12))
    if bad:
        wanted = ">=6.11.2,<6.12" if python < (3, 12) else ">=6.11.2,<6.13"
        raise CannotStart(text("startup.pair", pyside=pyside, python=f"{python[0]}.{python[1]}", wanted=wanted))


def installed_pyside() -> str:
    """The release of PySide6. Raises CannotStart where there is none."""
    try:
        import PySide6  # loads nothing of Qt yet
    except ImportError:
        raise CannotStart(text("startup.no_pyside")) from None
    return PySide6.__version__


def missing(libraries: Mapping[str, str], load: Callable[[str], object] = ctypes.CDLL) -> list[tuple[str, str]]:
    """Those of the libraries that can't be loaded, with the package of each."""
    absent = []
    for library, package in libraries.items():
        try:
            load(library)
        except OSError:
            absent.append((library, package))
    return absent


def check_libraries(window: bool, load: Callable[[str], object] = ctypes.CDLL) -> None:
    """On Linux: name what is missing and the one command that installs it. Raises CannotStart."""
    absent = missing({**ALWAYS, **(WINDOW if window else {})}, load)
    if absent:
        raise CannotStart(
            text(
                "startup.libraries",
                libraries=", ".join(library for library, _ in absent),
                packages=" ".join(dict.fromkeys(package for _, package in absent)),
            )
        )


def display_of(
    environment: Mapping[str, str],
    system: str,
    x_answers: Callable[[], bool] | None = None,
    wayland_answers: Callable[[Mapping[str, str]], bool] | None = None,
) -> str:
    """What a window can be opened with: ``wayland``, ``xcb`` (an X server), ``system`` where Qt knows best; "" where
    there is nothing. What ``QT_QPA_PLATFORM`` names is asked for alone. Raises CannotStart for a name unknown here."""
    if not system.startswith("linux"):
        return "system"
    asked = environment.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if asked in SCREENLESS:
        return ""
    if asked in BARE:
        return "system"
    if asked and asked not in ("xcb", "wayland", "wayland-egl"):
        raise CannotStart(text("startup.platform", found=asked[:40]))
    if asked != "xcb" and environment.get("WAYLAND_DISPLAY") and (wayland_answers or _wayland_answers)(environment):
        return "wayland"
    if not asked.startswith("wayland") and environment.get("DISPLAY") and (x_answers or _x_server_answers)():
        return "xcb"
    return ""


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    import socket

    path = Path(environment.get("XDG_RUNTIME_DIR", "/nonexistent")) / environment["WAYLAND_DISPLAY"]
    with socket.socket(socket.AF_UNIX) as wire:
        try:
            wire.connect(str(path))
        except OSError:
            return False
    return True


def _x_server_answers() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # the check of the libraries says what is missing
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    fails = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not fails


def prepare(window: bool) -> bool:
    """Check everything; returns whether there is a display for a window. Without one Qt draws into memory.

    Raises CannotStart with a sentence.
    """
    check_pair(sys.version_info[:2], installed_pyside())
    display = display_of(os.environ, sys.platform) if window else ""
    if sys.platform.startswith("linux"):
        check_libraries(display == "xcb")
        if display in ("", "xcb"):  # also where the environment names a Wayland display that is gone
            os.environ["QT_QPA_PLATFORM"] = display or "offscreen"
    return bool(display)


def parse_size(written: str) -> tuple[int, int]:
    """``1920x1080`` as two numbers. Raises ValueError with a sentence."""
    parts: Sequence[str] = written.lower().replace("×", "x").split("x")
    if len(parts) != 2 or not all(re.fullmatch(r"\s*[0-9]{1,5}\s*", part) for part in parts):
        raise ValueError(text("startup.size", found=written[:40]))
    width, height = int(parts[0]), int(parts[1])
    if not (640 <= width <= 7680 and 480 <= height <= 4320):
        raise ValueError(text("startup.size_range", found=f"{width}x{height}"))
    return width, height
