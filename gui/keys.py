"""Every key of the window, once: shortcuts, the menu and the page of help are made from it."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from core.stage.text import text
from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """An action's name (the text ``window.key.<name>``; the window's method ``do_<name>``) and its keys."""

    name: str
    keys: tuple[str, ...]
    group: str
    repeats: bool = False


KEYS: tuple[Key, ...] = (
    Key("next_tab", ("PgDown",), "tabs", repeats=True),
    Key("previous_tab", ("PgUp",), "tabs", repeats=True),
    *(Key(f"tab_{number}", (f"Ctrl+{number}",), "tabs") for number in range(1, 10)),
    Key("go_back", ("Alt+Left",), "tabs"),
    Key("play", ("Space",), "stage"),
    Key("undo", ("Ctrl+Z",), "stage", repeats=True),
    Key("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "stage", repeats=True),
    Key("reset", ("Ctrl+R",), "stage"),
    *(Key(f"preset_{number}", (f"Alt+{number}",), "stage") for number in range(1, 10)),
    Key("present", ("F5",), "show"),
    Key("blank", ("B", "."), "show"),
    Key("leave", ("Esc",), "show"),
    Key("full_screen", ("F11",), "show"),
    Key("zoom_in", ("Ctrl++", "Ctrl+="), "show", repeats=True),
    Key("zoom_out", ("Ctrl+-",), "show", repeats=True),
    Key("zoom_reset", ("Ctrl+0",), "show"),
    Key("copy_picture", ("Ctrl+C",), "files"),
    Key("save_picture", ("Ctrl+S",), "files"),
    Key("copy_link", ("Ctrl+L",), "files"),
    Key("open_session", ("Ctrl+O",), "files"),
    Key("save_session", ("Ctrl+Shift+S",), "files"),
    Key("help", ("F1",), "files"),
    Key("quit", ("Ctrl+Q",), "files"),
)
GROUPS = ("tabs", "stage", "show", "files")

# What the menu offers, with "" for a line between.
MENU: tuple[str, ...] = (
    "open_session", "save_session", "copy_link", "",
    "copy_picture", "save_picture", "",
    "undo", "redo", "reset", "",
    "calm", "full_screen", "",
    "help", "about", "quit",
)  # fmt: skip

# Keys that widgets handle themselves: for the page of help.
WITHIN: tuple[tuple[str, str], ...] = (
    ("Tab", "focus"), ("Enter", "press"), ("Left / Right", "arrows"), ("Home / End", "ends"), ("Del", "forget"),
)  # fmt: skip


def named(name: str) -> str:
    """What an action is called."""
    stem, _, number = name.rpartition("_")
    if number.isdigit():
        return text(f"window.key.{stem}", number=number)
    return text(f"window.key.{name}")


def shown(keys: tuple[str, ...]) -> str:
    """The keys as they are written on the keyboard."""
    return text("window.key.or").join(
        QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys
    )


def help_lines() -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings with (keys, what they do); numbered ones in one line."""
    pages = []
    for group in GROUPS:
        lines = []
        for key in KEYS:
            stem, _, number = key.name.rpartition("_")
            if key.group != group or (number.isdigit() and number != "1"):
                continue
            if number == "1":
                lines.append((shown(key.keys) + " … 9", text(f"window.key.{stem}_all")))
            else:
                lines.append((shown(key.keys), named(key.name)))
        pages.append((text(f"window.keys.{group}"), lines))
    pages.append((text("window.keys.within"), [(keys, text(f"window.within.{name}")) for keys, name in WITHIN]))
    return pages
