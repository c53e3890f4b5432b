"""A frame as a picture, without a window: for exports, tests, and for looking at one's work.

``python -m gui.view.snapshot "rope?query_position=3" -o rope.png --profile night --size 1280x720``
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QApplication, QWidget

from core.stage.frame import Frame, Index
from core.stage.theme import PROFILES, THEMES, Profile
from gui.theming import Look, load_fonts


def stage_image(
    frame: Frame,
    profile: Profile = "projector",
    size: tuple[int, int] = (1920, 1080),
    stage: tuple[int, int] | None = None,
    lit: Iterable[tuple[str, Index]] = frozenset(),
    zoom: float = 1.0,
) -> QImage:
    """The stage alone, with texts as large as in a window of ``size``. Needs a QApplication.

    ``stage`` is the stage's own size; by default what is left of the window beside rail, controls and arithmetic.
    """
    return stage_picture(frame, profile, size, stage, lit, zoom)[0]


def stage_picture(
    frame: Frame,
    profile: Profile = "projector",
    size: tuple[int, int] = (1920, 1080),
    stage: tuple[int, int] | None = None,
    lit: Iterable[tuple[str, Index]] = frozenset(),
    zoom: float = 1.0,
) -> tuple[QImage, list[str]]:
    """The same, and the texts that had to be elided."""
    from gui.view.stage import StageView

    load_fonts()
    wide, high = stage or (round(size[0] * 1340 / 1920), round(size[1] * 590 / 1080))
    look = Look(THEMES[profile], float(size[1]), zoom)
    view = StageView(look)
    view.resize(QSize(wide, high))
    view.draw(frame, frozenset(lit))
    image = QImage(wide, high, QImage.Format.Format_RGB32)
    image.fill(look.ground)
    # Not rendered from the screen: widgets that were never shown are laid out and painted straight into the picture.
    view.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    cut = view.cut_texts()
    view.deleteLater()
    return image, cut


def main(arguments: list[str] | None = None) -> int:
    """The command line: a link in, a PNG out."""
    parser = argparse.ArgumentParser(description="Draws the stage of a lesson's state into a picture.")
    parser.add_argument("link", help='a lesson with values: "rope?query_position=3" or "rope?preset=lesson"')
    parser.add_argument("-o", "--out", default="stage.png")
    parser.add_argument("--profile", choices=PROFILES, default="projector")
    parser.add_argument("--size", default="1920x1080", help="the window's size, from which text sizes follow")
    parser.add_argument("--stage", default="", help="the stage's own size, WxH")
    parser.add_argument("--lit", default="", help='what to light: "mark:0,1;mark:2"')
    parser.add_argument("--pseudo", action="store_true", help="with long pseudo-translated texts")
    options = parser.parse_args(arguments)
    from core import lessons
    from core.stage import text
    from core.stage.lesson import Context
    from core.stage.session import from_link

    if options.pseudo:
        text.set_language("pseudo")
    name, state, shared, notices = from_link(options.link, lessons.lesson, lessons.IDS)
    frame = lessons.lesson(name).frame(state, Context(shared))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(sys.argv[:1])
    image, cut = stage_picture(
        frame,
        options.profile,
        _pair(options.size),
        _pair(options.stage) if options.stage else None,
        [_lit(part) for part in options.lit.split(";") if part],
    )
    image.save(options.out)
    del app
    sys.stdout.write("\n".join([*notices, frame.title, frame.subtitle, frame.alt, options.out, ""]))
    sys.stdout.writelines(f"CUT: {words!r}\n" for words in cut)
    return 0


def _pair(size: str) -> tuple[int, int]:
    wide, _, high = size.lower().partition("x")
    return int(wide), int(high)


def _lit(part: str) -> tuple[str, Index]:
    key, _, index = part.partition(":")
    return key, tuple(int(number) for number in index.split(",") if number)


if __name__ == "__main__":
    raise SystemExit(main())
