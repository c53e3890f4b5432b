"""What is on stage as a picture: title, stage and arithmetic, drawn by the same widgets as on the screen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from core.stage.session import Session
from core.stage.text import text
from core.stage.theme import THEMES
from gui.desk import Desk
from gui.page import LessonPage
from gui.theming import Look, palette


class Canvas:
    """A page beside the window, arranged as for presenting. Close it when the picture is made."""

    def __init__(
        self, session: Session, profile: str = "projector", size: tuple[int, int] = (1920, 1080), zoom: float = 1.0,
        like: Desk | None = None,
    ) -> None:  # fmt: skip
        """``like``: a desk with other lessons than the app's own."""
        more = {"ids": like.ids, "lessons": like.lesson} if like is not None else {}
        self.desk = Desk(session, at_once=True, **more)  # type: ignore[arg-type]
        look = Look(THEMES[profile], float(size[1]), zoom)  # type: ignore[index]
        self.page = LessonPage(session.tab, self.desk)
        self.page.setPalette(palette(look))
        self.page.bare = True
        self.page.resize(*size)
        self.page.set_look(look)
        self.page.enter()
        self.page.arrange()

    def pixmap(self) -> QPixmap:
        return self.page.grab()

    def svg(self, path: Path) -> None:
        """Raises OSError where the file can't be written."""
        from PySide6.QtSvg import QSvgGenerator

        with path.open("wb"):
            pass  # Qt would only print that it can't
        self.page.grab()  # lays everything out
        made = QSvgGenerator()
        made.setFileName(str(path))
        size = self.page.size()
        made.setSize(size)
        made.setViewBox(QRect(QPoint(0, 0), QSize(size)))
        made.setTitle(self.page.title.text())
        if self.page.frame is not None:
            made.setDescription(self.page.frame.spoken)
        painter = QPainter(made)
        # All four arguments: without the region PySide6 6.11 crashes.
        self.page.render(painter, QPoint(0, 0), QRegion(), QWidget.RenderFlag.DrawChildren)
        painter.end()

    def save(self, path: Path) -> None:
        """As PNG or SVG, by the name's ending. Raises OSError."""
        if path.suffix.lower() == ".svg":
            self.svg(path)
        elif not self.pixmap().save(str(path), "PNG"):
            with path.open("wb"):
                pass
            raise OSError(text("window.file_unknown"))

    def close(self) -> None:
        self.page.leave()
        self.desk.close()
        self.page.deleteLater()
        self.desk.deleteLater()


def canvas_of(page: LessonPage) -> Canvas:
    """A canvas with what the page shows, in the window's colours and sizes."""
    desk, window = page.desk, page.window()
    size = (window.width(), window.height())
    return Canvas(desk.session, desk.preferences.profile, size, page.look.zoom, desk)


def pixmap_of(page: LessonPage) -> QPixmap:
    canvas = canvas_of(page)
    try:
        return canvas.pixmap()
    finally:
        canvas.close()


def save(page: LessonPage, path: Path) -> None:
    """Raises OSError where the file can't be written."""
    canvas = canvas_of(page)
    try:
        canvas.save(path)
    finally:
        canvas.close()
