"""What a person can ask of the window by key or menu: one action and one method each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from core.stage.text import text
from gui import keys

if TYPE_CHECKING:
    from gui.page import LessonPage
    from gui.window import Window

ZOOM_STEP = 0.1


class Commands(QObject):
    """The actions by name, and the menu. While the screen is blank, every one of them only brings it back."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.window = window
        self.actions: dict[str, QAction] = {}
        for key in keys.KEYS:
            action = self._add(key.name)
            action.setShortcuts(list(key.keys))
            action.setAutoRepeat(key.repeats)
        self._add("about")
        self._add("calm").setCheckable(True)
        self.menu = QMenu(window)
        for name in keys.MENU:
            if name:
                self.menu.addAction(self.actions[name])
            else:
                self.menu.addSeparator()

    def _add(self, name: str) -> QAction:
        action = self.actions[name] = QAction(keys.named(name), self)
        action.setProperty("name", name)
        action.triggered.connect(self._on_action)
        self.window.addAction(action)
        return action

    @property
    def page(self) -> LessonPage | None:
        return self.window.page

    @Slot()
    def open_menu(self) -> None:
        """Below its button, at the window's right edge."""
        self.actions["calm"].setChecked(self.window.desk.preferences.calm)
        bar = self.window.bar
        corner = bar.mapToGlobal(QPoint(bar.more.geometry().right(), bar.height()))
        self.menu.popup(corner - QPoint(self.menu.sizeHint().width(), 0))

    @Slot()
    def _on_action(self) -> None:
        self.run(str(self.sender().property("name")))

    def run(self, name: str) -> None:
        """Do what the action of this name does."""
        if self.window.presenter.blank and name != "quit":
            self.window.presenter.lift()
            return
        stem, _, number = name.rpartition("_")
        if number.isdigit():
            getattr(self, f"do_{stem}")(int(number))
        else:
            getattr(self, f"do_{name}")()

    # --- tabs ----------------------------------------------------------------------------------------------------

    def do_next_tab(self) -> None:
        self.window.turn(1)

    def do_previous_tab(self) -> None:
        self.window.turn(-1)

    def do_tab(self, number: int) -> None:
        ids = self.window.desk.ids
        if number <= len(ids):
            self.window.show_tab(ids[number - 1])

    def do_go_back(self) -> None:
        self.window.go_back()

    # --- stage ---------------------------------------------------------------------------------------------------

    def do_play(self) -> None:
        if self.page is not None:
            self.page.player.toggle()

    def do_preset(self, number: int) -> None:
        if self.page is not None:
            self.page.choose(number - 1)

    def do_reset(self) -> None:
        if self.page is not None:
            self.page.reset()

    def do_undo(self) -> None:
        self._pause()
        desk = self.window.desk
        there = bool(desk.history.before)
        desk.say("" if there else text("window.nothing_undo"))
        if there:
            desk.undo()

    def do_redo(self) -> None:
        self._pause()
        desk = self.window.desk
        there = bool(desk.history.after)
        desk.say("" if there else text("window.nothing_redo"))
        if there:
            desk.redo()

    def _pause(self) -> None:
        if self.page is not None:
            self.page.player.pause()

    # --- showing -------------------------------------------------------------------------------------------------

    def do_present(self) -> None:
        self.window.presenter.toggle()

    def do_blank(self) -> None:
        self.window.presenter.drop()

    def do_leave(self) -> None:
        if not self.window.presenter.escape() and self.page is not None:
            self.page.worked.clear()

    def do_full_screen(self) -> None:
        self.window.presenter.full_screen()

    def do_zoom_in(self) -> None:
        self.window.set_zoom(self.window.desk.preferences.zoom + ZOOM_STEP)

    def do_zoom_out(self) -> None:
        self.window.set_zoom(self.window.desk.preferences.zoom - ZOOM_STEP)

    def do_zoom_reset(self) -> None:
        self.window.set_zoom(1.0)

    def do_calm(self) -> None:
        desk = self.window.desk
        desk.prefer(calm=not desk.preferences.calm)
        desk.say(text("window.calm_on" if desk.preferences.calm else "window.calm_off"))

    # --- files and help: loaded when they are wanted -------------------------------------------------------------

    def do_copy_link(self) -> None:
        from gui import files

        files.copy_link(self.window)

    def do_copy_picture(self) -> None:
        from gui import files

        files.copy_picture(self.window)

    def do_save_picture(self) -> None:
        from gui import files

        files.save_picture(self.window)

    def do_open_session(self) -> None:
        from gui import files

        files.open_session(self.window)

    def do_save_session(self) -> None:
        from gui import files

        files.save_session(self.window)

    def do_help(self) -> None:
        from gui import about

        about.show_help(self.window)

    def do_about(self) -> None:
        from gui import about

        about.show_about(self.window)

    def do_quit(self) -> None:
        self.window.close()
