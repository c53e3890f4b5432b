"""What the app remembers: the session (``state.json``) and how the window stood (``window.json``), in one folder.

Both are written beside their place and moved there. Whatever a file holds, what comes out is legal.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, QStandardPaths
from PySide6.QtGui import QGuiApplication

from core.stage import session as sessions
from core.stage.clock import SPEEDS
from core.stage.session import Session, SessionError
from core.stage.text import text
from core.stage.theme import PROFILES
from core.values import dataclass

LEAST_ZOOM, MOST_ZOOM = 0.6, 1.6
LARGEST = 100_000  # bytes of window.json
LEAST_SIZE = (640, 480)


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a person likes the window."""

    profile: str = "projector"
    zoom: float = 1.0
    speed: float = 1.0
    calm: bool = False  # reduced motion
    place: tuple[int, int, int, int] | None = None  # x, y, width, height
    maximized: bool = False

    @classmethod
    def read(cls, values: object) -> Preferences:
        """Total: what is not understood stays at its default."""
        found = values if isinstance(values, dict) else {}
        made = cls()
        if found.get("profile") in PROFILES:
            made = replace(made, profile=found["profile"])
        zoom = found.get("zoom")
        if _is_number(zoom):
            made = replace(made, zoom=min(max(float(zoom), LEAST_ZOOM), MOST_ZOOM))
        if found.get("speed") in SPEEDS and _is_number(found["speed"]):
            made = replace(made, speed=float(found["speed"]))
        for name in ("calm", "maximized"):
            if isinstance(found.get(name), bool):
                made = replace(made, **{name: found[name]})
        place = found.get("place")
        if (
            isinstance(place, list)
            and len(place) == 4
            and all(isinstance(entry, int) and not isinstance(entry, bool) and abs(entry) < 100_000 for entry in place)
            and place[2] > 0
            and place[3] > 0
        ):
            made = replace(made, place=(place[0], place[1], place[2], place[3]))
        return made


class Store:
    """The folder. Nothing is read or written before it is asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else state_folder()
        self._saved: Session | None = None
        self._told: Preferences | None = None

    @property
    def state_file(self) -> Path:
        return self.folder / "state.json"

    @property
    def window_file(self) -> Path:
        return self.folder / "window.json"

    @property
    def log_file(self) -> Path:
        return self.folder / "volvelle.log"

    def load(self, lessons: Any, ids: tuple[str, ...]) -> tuple[Session | None, str]:
        """The session of the last time, or None; and a sentence where its file was damaged and set aside."""
        if not self.state_file.exists():
            return None, ""
        try:
            notices: list[str] = []
            found = sessions.load(self.state_file, lessons, ids, notices)
            if notices:
                notices.append(self._copied_aside())
            return found, " ".join(notices)
        except SessionError as error:
            try:
                aside = sessions.set_aside(self.state_file)
            except OSError:
                return None, str(error)
            return None, text("window.state_damaged", why=_reason(error), file=str(aside))

    def _copied_aside(self) -> str:
        """What of the file can't be used would be written over: a copy of it stays."""
        try:
            return text("window.state_copied", file=str(sessions.set_aside(self.state_file, copy=True)))
        except OSError:
            return ""

    def save(self, session: Session) -> str:
        """Write the session where it differs from what was written last; a sentence where that failed."""
        if session == self._saved:
            return ""
        try:
            sessions.save(session, self.state_file)
        except OSError as error:
            return text("window.state_unsaved", folder=str(self.folder), why=error.strerror or str(error))
        self._saved = session
        return ""

    def preferences(self) -> Preferences:
        try:
            if self.window_file.stat().st_size > LARGEST:
                return Preferences()
            return Preferences.read(json.loads(self.window_file.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return Preferences()

    def save_preferences(self, preferences: Preferences) -> None:
        """Write them; where that fails nothing is lost but a habit."""
        if preferences == self._told:
            return
        part = self.window_file.with_suffix(".part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(asdict(preferences), indent=1), encoding="utf-8")
            os.replace(part, self.window_file)
        except OSError:
            return
        self._told = preferences


def state_folder() -> Path:
    """``VOLVELLE_STATE_DIR``, or where the system keeps what programs remember."""
    if chosen := os.environ.get("VOLVELLE_STATE_DIR"):
        return Path(chosen)
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))


def visible_place(place: tuple[int, int, int, int] | None, screens: list[QRect] | None = None) -> QRect:
    """Where the window can stand: its old place where a screen still shows it, else on the first screen."""
    if screens is None:
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    first = screens[0] if screens else QRect(0, 0, 1280, 720)
    if place is None:
        width, height = round(first.width() * 0.9), round(first.height() * 0.9)
    else:
        wanted = QRect(*place)
        for screen in screens:
            wanted.setSize(wanted.size().boundedTo(screen.size()))
            common = screen.intersected(wanted)
            # Its head has to be in reach, and more than half of it visible.
            if (
                common.width() * common.height() > wanted.width() * wanted.height() / 2
                and wanted.top() >= screen.top() - 1
                and wanted.width() >= LEAST_SIZE[0]
                and wanted.height() >= LEAST_SIZE[1]
            ):
                return wanted
        width = min(max(wanted.width(), LEAST_SIZE[0]), first.width())
        height = min(max(wanted.height(), LEAST_SIZE[1]), first.height())
    return QRect(first.x() + (first.width() - width) // 2, first.y() + (first.height() - height) // 2, width, height)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e9 < value < 1e9


def _reason(error: SessionError) -> str:
    return str(error.fields.get("why", error))
