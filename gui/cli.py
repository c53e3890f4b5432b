"""The command line: open the app, draw a link, list what there is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.lessons import IDS, lesson
from core.stage.lesson import Context
from core.stage.session import Session, SessionError, from_link, load
from core.stage.text import text
from core.stage.theme import PROFILES
from gui import startup

NOT_UNDERSTOOD = 2
TOUR = Path("volvelle-tour")
TOUR_SIZE = (1920, 1080)


def run(arguments: list[str]) -> int:
    """Do what the arguments say; every failure is one sentence on standard error."""
    try:
        if arguments[:1] == ["list"]:
            return _list(arguments[1:])
        if arguments[:1] == ["render"]:
            return _render(arguments[1:])
        return _open(arguments)
    except startup.CannotStart as error:
        return _say(str(error), startup.EXIT_CANNOT_START)
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6")) and ".so" not in str(error):
            return _say(text("startup.import", name=error.name or "Volvelle", why=error), startup.EXIT_CANNOT_START)
        packages = " ".join(dict.fromkeys(startup.ALWAYS.values()))
        return _say(text("startup.qt_import", why=error, packages=packages), startup.EXIT_CANNOT_START)
    except (SessionError, ValueError) as error:
        return _say(str(error), NOT_UNDERSTOOD)
    except BrokenPipeError:
        return 0


def session_from(target: str) -> tuple[Session, list[str]]:
    """What a link or a session file opens, with sentences on what was passed over. Raises SessionError."""
    if target.endswith(".json"):
        notices: list[str] = []
        return load(Path(target), lesson, IDS, notices), notices
    name, state, shared, notices = from_link(target, lesson, IDS)
    return Session(name, shared, {name: state}), notices


def _open(arguments: list[str]) -> int:
    given = _opening().parse_args(arguments)
    session, notices = session_from(given.target) if given.target else (None, [])
    display = startup.prepare(window=True)
    if not display:
        return _tour(given.profile or "projector", session)
    from gui import app

    return app.run(session, notices=notices, fresh=given.fresh, profile=given.profile, present=given.present)


def _render(arguments: list[str]) -> int:
    given = _rendering().parse_args(arguments)
    size = startup.parse_size(given.size)
    session, notices = session_from(given.link)
    for notice in notices:
        _say(notice, 0)
    startup.prepare(window=False)
    return _draw(session, Path(given.output), given.profile, size)


def _tour(profile: str, asked: Session | None) -> int:
    """Pictures of every tab; of what was asked for in its place."""
    _say(text("startup.no_display", folder=TOUR), 0)
    try:
        TOUR.mkdir(exist_ok=True)
    except OSError as error:
        return _say(text("startup.tour_failed", why=error.strerror or error), NOT_UNDERSTOOD)
    for number, lesson_id in enumerate(IDS, start=1):
        if asked is not None and lesson_id in asked.states:
            session = Session(lesson_id, asked.shared, asked.states)
        else:
            session = Session(lesson_id, states={lesson_id: lesson(lesson_id).initial(Context())})
        if code := _draw(session, TOUR / f"{number:02}-{lesson_id}.png", profile, TOUR_SIZE):
            return code
    print(text("startup.tour_done", count=len(IDS), folder=TOUR))
    return 0


def _draw(session: Session, path: Path, profile: str, size: tuple[int, int]) -> int:
    """Draw what the session shows, as when presenting, into a file."""
    if path.suffix.lower() not in {".png", ".svg"}:
        return _say(text("startup.output_kind", path=path), NOT_UNDERSTOOD)
    from gui.app import create_app
    from gui.picture import Canvas

    app = create_app()
    canvas = Canvas(session, profile, size)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        canvas.save(path)
    except OSError as error:
        return _say(text("startup.output", path=path, why=error.strerror or error), NOT_UNDERSTOOD)
    finally:
        canvas.close()
        app.processEvents()
    return 0


def _list(arguments: list[str]) -> int:
    argparse.ArgumentParser("volvelle list", description=text("startup.help.list")).parse_args(arguments)
    from gui.listing import listing

    for line in listing():
        print(line)
    return 0


def _opening() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "volvelle",
        description=text("startup.help.about"),
        epilog=text("startup.help.epilog"),
    )
    parser.add_argument("target", nargs="?", help=text("startup.help.target"), metavar="LINK | FILE")
    parser.add_argument("--fresh", action="store_true", help=text("startup.help.fresh"))
    parser.add_argument("--profile", choices=PROFILES, help=text("startup.help.profile"))
    parser.add_argument("--present", action="store_true", help=text("startup.help.present"))
    parser.add_argument("--version", action=_Version, nargs=0, help=text("startup.help.version"))
    return parser


def _rendering() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("volvelle render", description=text("startup.help.render"))
    parser.add_argument("link", help=text("startup.help.link"), metavar="LINK")
    parser.add_argument("-o", "--output", required=True, help=text("startup.help.output"), metavar="FILE")
    parser.add_argument("--profile", choices=PROFILES, default="projector", help=text("startup.help.profile"))
    parser.add_argument("--size", default="1920x1080", help=text("startup.help.size"), metavar="WxH")
    return parser


class _Version(argparse.Action):
    """Prints the version, which takes 20 ms to look up: not at every start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata

        try:
            version = metadata.version("volvelle")
        except metadata.PackageNotFoundError:
            version = "0"
        parser.exit(message=f"volvelle {version}\n")


def _say(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code
