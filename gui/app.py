"""Starts and ends the app: one chain of references from here to the last mark."""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QObject, QSocketNotifier, Qt, QtMsgType, Slot, qInstallMessageHandler
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from core.lessons import IDS, lesson
from core.stage.lesson import Shared
from core.stage.params import replace, to_mapping
from core.stage.session import Session
from core.stage.text import text
from core.stage.theme import PROFILES
from gui.desk import Desk
from gui.settings import Store
from gui.theming import load_fonts
from gui.window import Window

LARGEST_LOG = 1_000_000  # bytes; then it begins anew


def create_app(arguments: Sequence[str] = ("volvelle",)) -> QApplication:
    """The application in the one style that all palettes are made for, with the bundled fonts."""
    app = QApplication.instance() or QApplication(list(arguments))
    assert isinstance(app, QApplication)
    app.setApplicationName("volvelle")
    app.setStyle("Fusion")
    load_fonts()
    app.setWindowIcon(icon())
    return app


def icon() -> QIcon:
    """A disc with two hands."""
    pixmap = QPixmap(128, 128)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor("#FFFFFF"))
    painter.setPen(QPen(QColor("#14181F"), 8))
    painter.drawEllipse(8, 8, 112, 112)
    for colour, x, y in (("#5B2A9D", 26, 58), ("#005F38", 86, 30)):
        painter.setPen(QPen(QColor(colour), 12, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(64, 64, x, y)
    painter.end()
    return QIcon(pixmap)


class Watch(QObject):
    """Sees to it that no traceback reaches a person and nothing is lost when the app is left."""

    def __init__(self, window: Window, log: Path) -> None:
        super().__init__(window)
        self.window, self.log = window, log
        self._reporting = False
        self._signals: tuple[int, int] | None = None
        self._heard_before: dict[int, Any] = {}

    def install(self) -> None:
        sys.excepthook = self.report
        if os.name == "posix":
            self._hear_signals()
        qInstallMessageHandler(self.note)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.applicationStateChanged.connect(self.on_state)
        app.aboutToQuit.connect(self.on_quit)

    def remove(self) -> None:
        sys.excepthook = sys.__excepthook__
        qInstallMessageHandler(None)
        if self._signals is not None:
            signal.set_wakeup_fd(-1)
            for number, handler in self._heard_before.items():
                signal.signal(number, handler)
            self._heard.setEnabled(False)
            for end in self._signals:
                os.close(end)
            self._signals = None

    def _hear_signals(self) -> None:
        """Ctrl+C and a polite end from outside close the window. Qt's loop has to be woken for Python to hear them."""
        self._signals = reading, writing = os.pipe()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing)
        for number in (signal.SIGINT, signal.SIGTERM):
            self._heard_before[number] = signal.signal(number, lambda *_: self.window.close())
        self._heard = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._heard.activated.connect(self._on_signal)

    @Slot()
    def _on_signal(self) -> None:
        if self._signals is not None:
            os.read(self._signals[0], 64)  # by now Python has called the handler

    def report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """One sentence on the status line; the traceback goes into the log."""
        if issubclass(kind, KeyboardInterrupt):
            self.window.close()
            return
        if self._reporting:
            return
        self._reporting = True
        import traceback

        try:
            self.write("".join(traceback.format_exception(kind, error, trace)))
            self.window.status.say(text("window.trouble", what=kind.__name__, file=str(self.log)))
        finally:
            self._reporting = False

    def note(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        self.write(f"{kind.name}: {message}\n")

    def write(self, words: str) -> None:
        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.log.exists() and self.log.stat().st_size > LARGEST_LOG
            with self.log.open("w" if fresh else "a", encoding="utf-8") as file:
                file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {words}")
        except OSError:
            return  # nowhere to write: the sentence has to do

    @Slot(Qt.ApplicationState)
    def on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationInactive:
            self.window.desk.save()

    @Slot()
    def on_quit(self) -> None:
        self.window.desk.save()


def prepare(
    session: Session | None = None, *, fresh: bool = False, profile: str | None = None, store: Store | None = None
) -> tuple[Desk, str]:
    """The desk with what was kept and what was asked for; and a sentence where something could not be restored."""
    store = store if store is not None else Store()
    kept, sentence = (None, "") if fresh else store.load(lesson, IDS)
    if session is not None and kept is not None:
        # A link speaks of what differs from the defaults; the rest is as it was left.
        fresh_start = to_mapping(Shared())
        named = {name: value for name, value in to_mapping(session.shared).items() if value != fresh_start[name]}
        session = Session(session.tab, replace(kept.shared, **named), {**kept.states, **session.states})
    desk = Desk(session if session is not None else kept, store=store, preferences=store.preferences())
    if profile in PROFILES:
        desk.prefer(profile=profile)
    return desk, sentence


def begin(window: Window, watch: Watch) -> None:
    """Show the session; where its state brings a mistake to light, the tab's fresh state; else the bare window."""
    desk = window.desk
    for session in (desk.session, Session(desk.session.tab, desk.shared), Session(desk.ids[0])):
        try:
            desk.history.move(session)
            window.open()
        except Exception as error:
            watch.report(type(error), error, error.__traceback__)
            window.drop_page()
        else:
            return


def run(
    session: Session | None = None,
    *,
    notices: Sequence[str] = (),
    fresh: bool = False,
    profile: str | None = None,
    present: bool = False,
) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    app = create_app()
    desk, sentence = prepare(session, fresh=fresh, profile=profile)
    window = Window(desk)
    watch = Watch(window, desk.store.log_file if desk.store is not None else Path("volvelle.log"))
    watch.install()
    window.restore_place()
    window.show()
    app.processEvents()  # the window is on the screen; now what takes time
    begin(window, watch)
    gc.enable()
    gc.freeze()
    if present:
        window.presenter.enter()
    if said := " ".join(part for part in (sentence, *notices) if part):
        desk.say(said)
    code = int(app.exec())
    watch.remove()
    window.close()
    return code
