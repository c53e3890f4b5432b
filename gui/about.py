"""Two pages of plain text: where everything comes from, and the keys."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from core.stage.text import text
from core.tables.assets import asset
from core.tables.messages import TableError
from gui import keys, paint
from gui.controls import Push, Words
from gui.theming import Look, palette

RULE = "─" * 40


class TextDialog(QDialog):
    """A title, a text that can be scrolled, a button."""

    def __init__(
        self, title: str, words: str, look: Look, parent: QWidget | None = None, *, mono: bool = False
    ) -> None:
        super().__init__(parent)
        self.look = look
        self.setWindowTitle(title)
        self.setPalette(palette(look))
        self.title = Words(self, size="heading", bold=True)
        self.title.setText(title)
        self.title.set_look(look)
        self.words = QPlainTextEdit(self)
        self.words.setReadOnly(True)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.words.setPlainText(words)
        font = QFont(look.font("label", mono=mono))
        font.setFeature(QFont.Tag("calt"), 0)  # "Ctrl++" is no ligature
        self.words.setFont(font)
        self.words.document().setDocumentMargin(0.6 * paint.em(look))
        self.words.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        colours = palette(look)
        colours.setColor(QPalette.ColorRole.Base, look.panel)
        self.words.setPalette(colours)
        self.words.setAccessibleName(title)
        self.close_button = Push(self)
        self.close_button.setText(text("window.keys.close"))
        self.close_button.set_look(look)
        self.close_button.clicked.connect(self.accept)
        widest = max((paint.width_of(line, self.words.font()) for line in words.splitlines()), default=0.0)
        unit = paint.em(look)
        room = parent.size() if parent is not None else QSize(1280, 720)
        width = min(max(widest + 5 * unit, 24 * unit), 46 * unit, 0.92 * room.width())
        self.resize(round(width), round(0.86 * room.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        unit = round(paint.em(self.look))
        hint = self.close_button.sizeHint()
        high = self.title.heightForWidth(self.width() - 2 * unit)
        self.title.setGeometry(unit, unit // 2, self.width() - 2 * unit, high)
        top = unit + high
        low = self.height() - hint.height() - unit // 2
        self.words.setGeometry(unit, top, self.width() - 2 * unit, low - top - unit // 2)
        self.close_button.setGeometry(self.width() - unit - hint.width(), low, hint.width(), hint.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F1):
            self.accept()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.look.ground)
        painter.end()


def show_help(window: QWidget) -> TextDialog:
    """The page of keys."""
    return _show(TextDialog(text("window.keys.title"), help_text(), window.look, window, mono=True))  # type: ignore[attr-defined]


def show_about(window: QWidget) -> TextDialog:
    """The page of licences and credits."""
    store = window.desk.store  # type: ignore[attr-defined]
    folder = str(store.folder) if store is not None else "-"
    return _show(TextDialog(text("about.title"), about_text(folder), window.look, window))  # type: ignore[attr-defined]


def _show(dialog: TextDialog) -> TextDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    dialog.words.setFocus()
    return dialog


def help_text() -> str:
    """All keys, in two columns."""
    pages = keys.help_lines()
    column = max(len(shown) for _, lines in pages for shown, _ in lines) + 3
    blocks = []
    for heading, lines in pages:
        blocks.append("\n".join([heading, *(f"  {shown:<{column}}{words}" for shown, words in lines)]))
    return "\n\n".join(blocks)


def about_text(folder: str = "-") -> str:
    """What the program is, its licence, every file's origin, and all licences in full."""
    blocks = [
        text("about.what", version=_version("volvelle")),
        text("about.offline", folder=folder),
        f"{text('about.code')}\n{text('about.code_licence')}",
        f"{text('about.built_with')}\n" + text(
            "about.built", python=".".join(str(part) for part in sys.version_info[:3]),
            pyside=_version("PySide6_Essentials"), pyqtgraph=_version("pyqtgraph"), numpy=_version("numpy"),
        ),
        f"{text('about.data')}\n" + "\n".join(credit_lines()),
        text("about.licences"),
    ]  # fmt: skip
    blocks += [f"{RULE}\n{name}\n{RULE}\n\n{words.strip()}" for name, words in licences()]
    return "\n\n".join(blocks)


def credit_lines() -> list[str]:
    """One line per shipped file, read from the table in ``assets/README.md``."""
    try:
        words = asset("README.md").read_text(encoding="utf-8")
    except (TableError, OSError) as error:
        return [text("about.unreadable", why=str(error))]
    lines = []
    for row in words.splitlines():
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        if len(cells) == 5 and cells[1].isdigit() and not cells[0].startswith("licences/"):
            name, _, _, licence, origin = cells
            licence = text("about.own_licence") if licence == "-" else licence
            lines.append("• " + text("about.file", file=name, origin=origin, licence=licence))
    return lines


def licences() -> list[tuple[str, str]]:
    """Every licence that ships: the program's own first."""
    own = _own_licence()
    found = [("Volvelle: MIT", own)] if own else []
    paths = sorted(asset("licences").glob("*.txt"))
    return found + [(path.stem, path.read_text(encoding="utf-8", errors="replace")) for path in paths]


def _own_licence() -> str:
    beside = Path(__file__).resolve().parent.parent / "LICENSE"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        return metadata.distribution("volvelle").read_text("licenses/LICENSE") or ""
    except metadata.PackageNotFoundError:
        return ""


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
