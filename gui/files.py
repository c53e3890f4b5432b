"""What leaves the window and comes back: links, pictures, session files. Every failure is a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from core.stage import session as sessions
from core.stage import words
from core.stage.frame import Code
from core.stage.params import spec
from core.stage.session import SessionError, to_link
from core.stage.text import text
from gui import picture

if TYPE_CHECKING:
    from gui.window import Window


def copy_link(window: Window) -> None:
    """The present tab as a link, in the clipboard. A long text stays out of it, which is said."""
    desk = window.desk
    state = desk.state(window.tab)
    link = to_link(window.tab, state, desk.shared)
    QGuiApplication.clipboard().setText(link)
    shown = link if len(link) <= 90 else link[:89] + "…"
    long = [words.label(window.tab, spec(type(state), name)) for name in sessions.left_out_of_link(state)]
    left_out = [text("window.left_out_of_link", name=name) for name in long]
    desk.say(" ".join([text("window.copied_link", link=shown), *left_out]))


def copy_picture(window: Window) -> None:
    """What is on stage, in the clipboard: code as text for an editor, anything else as a picture.

    Not both at once: a QMimeData made in Python that is still in the clipboard crashes PySide6 6.11 when it ends.
    """
    page = window.page
    if page is None or page.frame is None:
        return
    code = ["\n".join(mark.lines) for _, mark in page.frame.marks() if isinstance(mark, Code) and not mark.output]
    if code:
        QGuiApplication.clipboard().setText("\n\n".join(code) + "\n")
    else:
        QGuiApplication.clipboard().setPixmap(picture.pixmap_of(page))
    window.desk.say(text("window.copied_code" if code else "window.copied_picture"))


def save_picture(window: Window) -> None:
    """What is on stage, as PNG or SVG."""
    if window.page is None:
        return
    path = _ask(window, "picture", text("window.dialog.pictures"), f"{window.tab}.png")
    if path is None:
        return
    if path.suffix.lower() not in (".png", ".svg"):
        path = path.with_name(path.name + ".png")
    try:
        picture.save(window.page, path)
    except OSError as error:
        window.desk.say(text("window.file_trouble", file=str(path), why=error.strerror or str(error)))
    else:
        window.desk.say(text("window.saved_picture", file=str(path)))


def open_session(window: Window) -> None:
    """Another session, as one entry of the undo list."""
    title, kinds = text("window.dialog.open"), text("window.dialog.sessions")
    name, _ = QFileDialog.getOpenFileName(window, title, "", kinds)
    if not name:
        return
    try:
        notices: list[str] = []
        session = sessions.load(Path(name), window.desk.lesson, window.desk.ids, notices)
    except SessionError as error:
        window.desk.say(str(error))
        return
    if window.page is not None:
        window.page.player.pause()
    window.desk.record(session)
    window.desk.say(" ".join((text("window.opened_session", file=Path(name).name), *notices)))


def save_session(window: Window) -> None:
    """The state of every tab, as a file."""
    path = _ask(window, "save", text("window.dialog.sessions"), "volvelle.json")
    if path is None:
        return
    if not path.suffix:
        path = path.with_suffix(".json")
    try:
        sessions.save(window.desk.session, path)
    except OSError as error:
        window.desk.say(text("window.file_trouble", file=str(path), why=error.strerror or str(error)))
    else:
        window.desk.say(text("window.saved_session", file=str(path)))


def _ask(window: Window, title: str, kinds: str, name: str) -> Path | None:
    found, _ = QFileDialog.getSaveFileName(window, text(f"window.dialog.{title}"), name, kinds)
    return Path(found) if found else None
