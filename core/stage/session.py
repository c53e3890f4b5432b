"""A session: the shared choices and the state of every tab, as a file and as links.

Files and links can hold anything; sessions never do: every value is made legal while it is read, and what could not be
understood is told in a sentence.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from core.stage.lesson import Context, Lesson, Shared
from core.stage.params import from_mapping, specs, to_mapping, value_to_text
from core.stage.text import text
from core.values import dataclass

VERSION = 1
LARGEST_FILE = 8_000_000  # bytes; a session is a few thousand
LONGEST_IN_LINK = 2_000  # characters: a longer text stays out of links, only files hold it


class SessionError(ValueError):
    """A session or a link that could not be read; its text is for a person."""

    def __init__(self, code: str, **fields: object) -> None:
        super().__init__(text(f"error.{code}", **fields))
        self.code, self.fields = code, fields


@dataclass(frozen=True)
class Session:
    """Where the app stands. ``states`` holds a state for every lesson that was visited."""

    tab: str = "lookup"
    shared: Shared = dataclasses.field(default_factory=Shared)
    states: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def with_state(self, lesson_id: str, state: Any) -> Session:
        return dataclasses.replace(self, states={**self.states, lesson_id: state})


def to_json(session: Session) -> str:
    """The session as a file holds it."""
    document = {
        "volvelle": VERSION,
        "tab": session.tab,
        "shared": to_mapping(session.shared),
        "states": {name: to_mapping(state) for name, state in session.states.items()},
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)


def from_json(
    document: str, lessons: Callable[[str], Lesson], ids: Iterable[str], notices: list[str] | None = None
) -> Session:
    """A legal session from a file's text. Raises SessionError where it is no session at all.

    ``notices`` gets a sentence for each value that was not legal, and for what was passed over; the rest still opens.
    """
    notices = [] if notices is None else notices
    try:
        values = json.loads(document)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "its nesting"
        raise SessionError("session_not_json", where=where) from None
    if not isinstance(values, dict) or "volvelle" not in values:
        raise SessionError("session_foreign")
    version = values["volvelle"]
    if isinstance(version, bool) or not isinstance(version, int) or version > VERSION:
        raise SessionError("session_newer", found=repr(version)[:40], known=VERSION)
    known = tuple(ids)
    shared = from_mapping(Shared, _mapping(values.get("shared")))
    notices += _changes("shared", shared, values.get("shared", {}))
    context = Context(shared)
    states = {}
    for name, given in _mapping(values.get("states")).items():
        if name in known:
            states[name] = lessons(name).from_mapping(_mapping(given), context)
            notices += _changes(name, states[name], given)
        else:
            notices.append(text("error.session_tab", found=str(name)[:60], known=", ".join(known)))
    tab = values.get("tab")
    return Session(tab if isinstance(tab, str) and tab in known else known[0], shared, states)


def save(session: Session, path: Path) -> None:
    """Write the whole file beside its place and move it there: a crash in between loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(to_json(session))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Path, lessons: Callable[[str], Lesson], ids: Iterable[str], notices: list[str] | None = None) -> Session:
    """Read a session file; ``notices`` as in :func:`from_json`. Raises SessionError with a sentence that names it."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SessionError("session_foreign")
        found: list[str] = []
        session = from_json(path.read_text(encoding="utf-8"), lessons, ids, found)
        if notices is not None:
            notices += [f"{path.name}: {sentence}" for sentence in found]
        return session
    except UnicodeDecodeError as error:
        why = text("error.session_not_text", byte=error.start)
        raise SessionError("session_file", file=path.name, why=why) from None
    except OSError as error:
        raise SessionError("session_file", file=path.name, why=error.strerror or str(error)) from None
    except SessionError as error:
        raise SessionError("session_file", file=path.name, why=str(error)) from None


def set_aside(path: Path, *, copy: bool = False) -> Path:
    """Move (or copy) a damaged file out of the way without overwriting an earlier one; returns where it lies now."""
    for number in range(1, 1000):
        target = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not target.exists():
            break
    if copy:
        shutil.copyfile(path, target)
    else:
        os.replace(path, target)
    return target


def left_out_of_link(state: Any) -> tuple[str, ...]:
    """The names of the parameters that are too long for a link."""
    return tuple(name for name, value in to_mapping(state).items() if _too_long(value))


def _too_long(value: object) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_IN_LINK


def to_link(lesson_id: str, state: Any, shared: Shared) -> str:
    """``rope?query_position=503&key_position=501``: what differs from the defaults, but for long texts."""
    pairs = []
    for part in (shared, state):
        defaults = {entry.name: entry.default for entry in specs(type(part))}
        for name, default in defaults.items():
            value = getattr(part, name)
            if value != default and not _too_long(value):
                pairs.append(f"{name}={quote(value_to_text(value), safe=',')}")
    return lesson_id + ("?" + "&".join(pairs) if pairs else "")


def from_link(link: str, lessons: Callable[[str], Lesson], ids: Iterable[str]) -> tuple[str, Any, Shared, list[str]]:
    """Lesson id, legal state, shared choices, and sentences on what was passed over or changed.

    A link may also name a preset: ``rope?preset=lesson``; further values are set on top of it. Raises SessionError
    where there is no such lesson or preset.
    """
    known = tuple(ids)
    name, _, query = link.strip().removeprefix("volvelle:").lstrip("/").partition("?")
    if name not in known:
        raise SessionError("link_lesson", found=name[:60], known=", ".join(known))
    lesson = lessons(name)
    pairs = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=200)) if query.count("&") < 200 else {}
    values: dict[str, Any] = {}
    shared_values: dict[str, Any] = {}
    notices: list[str] = []
    if "preset" in pairs:
        wanted = pairs.pop("preset")
        try:
            preset = lesson.preset(wanted)
        except KeyError:
            presets = ", ".join(entry.id for entry in lesson.presets)
            raise SessionError("link_preset", lesson=name, found=wanted[:60], known=presets) from None
        values.update(preset.values)
        shared_values.update(preset.shared)
    own = {entry.name for entry in specs(lesson.state)}
    common = {entry.name for entry in specs(Shared)}
    for key, value in pairs.items():
        if key in own:
            values[key] = value
        elif key in common:
            shared_values[key] = value
        else:
            names = ", ".join(sorted(own | common))
            notices.append(text("error.link_parameter", lesson=name, found=key[:60], known=names))
    shared = from_mapping(Shared, shared_values)
    state = lesson.from_mapping(values, Context(shared))
    for part, given in ((state, values), (shared, shared_values)):
        for key in given.keys() & pairs.keys():
            used = value_to_text(getattr(part, key))
            if not _same(pairs[key], used):
                notices.append(text("error.link_value", name=key, found=pairs[key][:60], used=used[:60]))
    return name, state, shared, notices


def _changes(owner: str, part: Any, given: object) -> list[str]:
    """A sentence for every given value that is not the one used, and for every name that means nothing."""
    if not isinstance(given, dict):
        return [text("error.session_value", owner=owner, name="", found=_short(given), used="{}")]
    used = to_mapping(part)
    found = []
    for name, value in given.items():
        if name not in used:
            found.append(text("error.session_parameter", owner=owner, name=str(name)[:60]))
        elif value != used[name] or isinstance(value, bool) != isinstance(used[name], bool):
            found.append(
                text("error.session_value", owner=owner, name=name, found=_short(value), used=_short(used[name]))
            )
    return found


def _short(value: object) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 60 else written[:59] + "…"


def _same(given: str, used: str) -> bool:
    if given.strip().lower() == used.strip().lower():
        return True
    if given.count(",") == used.count(",") > 0:
        return all(map(_same, given.split(","), used.split(",")))
    try:
        return float(given) == float(used)
    except ValueError:
        meaning = {"true": {"1", "yes", "on"}, "false": {"0", "no", "off"}}
        return given.strip().lower() in meaning.get(used, ())


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
