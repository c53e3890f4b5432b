"""The window: bar, rail, one page, status line. Which page that is follows the session; sizes follow the height."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from core.stage import session as sessions
from core.stage.numbers import percent
from core.stage.params import replace
from core.stage.session import Session, SessionError
from core.stage.text import text
from core.stage.theme import THEMES, Theme
from gui import paint
from gui.commands import Commands
from gui.desk import Desk
from gui.presenter import Presenter
from gui.rail import Rail
from gui.settings import LEAST_SIZE, LEAST_ZOOM, MOST_ZOOM, visible_place
from gui.status import StatusLine
from gui.theming import Look, palette
from gui.topbar import TopBar

if TYPE_CHECKING:
    from gui.page import LessonPage

NARROW = 1280  # below this width the rail shows numbers only


def largest_zoom(theme: Theme) -> float:
    """Beyond it the bars would leave the stage too little: the projector's sizes are large as they are."""
    return round(1.2 / theme.scale, 2)


class Window(QWidget):
    """Shows a desk. ``open`` builds the page of the present tab: the window itself comes up before it."""

    turned = Signal(str)  # another tab is shown

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        desk.setParent(self)
        self.look = Look(THEMES[desk.preferences.profile])  # type: ignore[index]
        self.pages: dict[str, LessonPage] = {}
        self.page: LessonPage | None = None
        self._back: list[str] = []
        self.setWindowTitle(text("window.name"))
        self.setMinimumSize(*LEAST_SIZE)
        names = tuple(text(f"tab.{name}") for name in desk.ids)
        self.bar = TopBar(self)
        self.rail = Rail(names, self)
        self.status = StatusLine(self)
        self.presenter = Presenter(self)
        self.presenter.changed.connect(self.arrange)
        self.commands = Commands(self)

        self.bar.edited.connect(self._on_shared)
        self.bar.profile.connect(self.set_profile)
        self.bar.present.connect(self.presenter.toggle)
        self.bar.menu.connect(self.commands.open_menu)
        self.rail.chosen.connect(self._on_rail)
        self.status.cancelled.connect(desk.worker.cancel)
        self.status.retried.connect(desk.worker.retry)
        self.status.grown.connect(self._on_status)
        desk.changed.connect(self._on_changed)
        desk.said.connect(self.status.say)
        desk.adjusted.connect(self._on_adjusted)
        desk.worker.progressed.connect(self._on_progress)
        QGuiApplication.instance().screenRemoved.connect(self._on_screen_removed)  # type: ignore[union-attr]
        self.bar.show_shared(desk.shared)
        self.apply_look()

    # --- tabs ----------------------------------------------------------------------------------------------------

    @property
    def tab(self) -> str:
        return self.desk.session.tab

    def open(self) -> None:
        """Build what the session shows: called once the window is on the screen."""
        self.show_tab(self.tab)
        if self.page is not None:
            self.page.setFocus()  # keys go to the stage, not into the sentence

    def show_tab(self, lesson_id: str) -> None:
        """Show a tab; its page is made on the first visit."""
        if self.page is not None and self.page.lesson.id == lesson_id:
            return
        page = self.pages.get(lesson_id)
        if page is None:
            from gui.page import LessonPage  # pyqtgraph is loaded here, behind the open window

            page = self.pages[lesson_id] = LessonPage(lesson_id, self.desk, self)
            page.shown.connect(self._on_shown)
            page.followed.connect(self.follow)
        if self.page is not None:
            self.page.leave()
            self.desk.save()
        if self.desk.session.tab != lesson_id:
            session = self.desk.session
            self.desk.history.move(Session(lesson_id, session.shared, session.states))
        old, self.page = self.page, page
        self.status.say("")
        self.rail.show_chosen(self.desk.ids.index(lesson_id))
        page.lower()
        page.show()  # beneath the old one: what is drawn next is arranged once, in the size that it has on the screen
        self.arrange()
        try:
            page.enter()
        finally:  # a tab that can't be drawn must not leave the one before standing in its place
            if old is not None:
                held = old.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
                old.hide()
                if held:
                    page.setFocus()
        self.bar.show_shared(self.desk.shared)
        self.turned.emit(lesson_id)

    def drop_page(self) -> None:
        """Forget the page that is shown: it could not be drawn."""
        if self.page is not None:
            self.page.leave()
            self.page.hide()
            self.pages.pop(self.page.lesson.id, None)
            self.page.deleteLater()
            self.page = None

    def turn(self, by: int) -> None:
        """Show the next tab or the one before; there is nothing beyond the ends."""
        there = self.desk.ids.index(self.tab) + by
        if 0 <= there < len(self.desk.ids):
            self.show_tab(self.desk.ids[there])

    @Slot(int)
    def _on_rail(self, index: int) -> None:
        self.show_tab(self.desk.ids[index])

    @Slot(str)
    def follow(self, link: str) -> None:
        """Go where a mark or a person points; the way back is Alt+Left, and undo."""
        try:
            name, state, shared, notices = sessions.from_link(link, self.desk.lesson, self.desk.ids)
        except SessionError as error:
            self.desk.say(str(error))
            return
        self._back.append(self.tab)
        self.desk.record(Session(name, shared, {**self.desk.session.states, name: state}))
        self.desk.say(" ".join(notices))

    def go_back(self) -> None:
        """The tab from which a link was followed."""
        if self._back:
            self.show_tab(self._back.pop())
        else:
            self.desk.say(text("window.no_way_back"))

    @Slot()
    def _on_changed(self) -> None:
        if self.page is not None and self.tab != self.page.lesson.id:
            self.show_tab(self.tab)
        self.bar.show_shared(self.desk.shared)

    @Slot(str, object, str)
    def _on_shared(self, name: str, value: object, gesture: str) -> None:
        session = self.desk.session
        shared = replace(session.shared, **{name: value})
        if shared == session.shared:
            return
        states = dict(session.states)
        if self.page is not None:
            lesson = self.page.lesson
            states[lesson.id] = lesson.legal(self.desk.state(lesson.id), self.desk.context(shared))
        self.desk.say("")
        self.desk.record(Session(session.tab, shared, states), gesture)

    # --- what the page says --------------------------------------------------------------------------------------

    @Slot()
    def _on_shown(self) -> None:
        page, worker = self.page, self.desk.worker
        if page is None or page.frame is None or self.sender() is not page:
            return
        self.bar.show_used(page.uses_table)
        notice = page.frame.notice or (text("window.job.computing") if page.frame.computing and worker.busy else "")
        self.status.note(worker.refusal or notice)
        self.status.show_work(0.0 if worker.busy else None, bool(worker.refusal))

    @Slot(float)
    def _on_progress(self, share: float) -> None:
        if self.desk.worker.busy:
            self.status.show_work(share)

    # --- look ----------------------------------------------------------------------------------------------------

    @Slot(str)
    def set_profile(self, profile: str) -> None:
        self.desk.prefer(profile=profile)

    def set_zoom(self, zoom: float) -> None:
        most = min(MOST_ZOOM, largest_zoom(THEMES[self.desk.preferences.profile]))  # type: ignore[index]
        zoom = round(min(max(zoom, LEAST_ZOOM), most), 2)
        self.desk.prefer(zoom=zoom)
        self.desk.say(text("window.zoomed", percent=percent(zoom)))

    @Slot()
    def _on_adjusted(self) -> None:
        self.apply_look()
        self.desk.save()

    def apply_look(self) -> None:
        """Colours and sizes for the present profile, height and zoom."""
        preferences = self.desk.preferences
        theme = THEMES[preferences.profile]  # type: ignore[index]
        look = Look(theme, float(self.height()), min(preferences.zoom, largest_zoom(theme)))
        self.bar.show_profile(preferences.profile)
        if look != self.bar.look:
            self.look = look
            if QApplication.palette() != palette(look):
                QApplication.setPalette(palette(look))  # lists that open, tool tips and dialogs follow
            for widget in (self.bar, self.rail, self.status):
                widget.set_look(look)
            self.commands.menu.setFont(look.font("label"))
            QToolTip.setFont(look.font("small"))
        self.arrange()
        self.update()

    @Slot()
    def arrange(self) -> None:
        """Bar above, rail at the left, status line below, the page in between."""
        width, height = self.width(), self.height()
        bare = self.presenter.presenting
        unit = paint.em(self.look)
        self.bar.setVisible(not bare)
        self.rail.setVisible(not bare)
        top = 0 if bare else self.bar.wanted_height()
        self.rail.set_narrow(width < NARROW)
        left = 0
        if not bare:
            least = round(3.0 * unit) if width < NARROW else round(max(0.125 * width, 8.0 * unit))
            left = max(least, self.rail.wanted_width(round(0.17 * width)))
        low = self._status_height()
        self.status.setVisible(low > 0)
        self.status.setGeometry(0, height - low, width, low)
        self.bar.setGeometry(0, 0, width, top)
        self.rail.setGeometry(0, top, left, height - top - low)
        self.rail.arrange()
        page = self.page
        if page is not None:
            page.bare = bare
            page.set_look(self.look)
            page.setGeometry(QRect(left, top, width - left, height - top - low))
            page.set_bare(bare)
            self.bar.arrange(left + page.content_left())
        else:
            self.bar.arrange(left + round(0.7 * unit))
        self.presenter.fit()

    def _status_height(self) -> int:
        """In pixels; nothing while presenting, as long as there is nothing to say."""
        if self.presenter.presenting and not self.status.sentence and self.status.share is None:
            return 0
        return self.status.wanted_height(self.width())

    @Slot()
    def _on_status(self) -> None:
        if self._status_height() != (0 if self.status.isHidden() else self.status.height()):
            self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.apply_look()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.look.ground)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()  # a click beside the fields hands over what was typed

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.desk.end_gesture()

    # --- place on the screen, and the end ------------------------------------------------------------------------

    def restore_place(self) -> None:
        """Stand where the window stood, if a screen still shows that place."""
        self.setGeometry(visible_place(self.desk.preferences.place))
        if self.desk.preferences.maximized:
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)

    @Slot(object)
    def _on_screen_removed(self, screen: object) -> None:
        place = self.geometry()
        there = visible_place((place.x(), place.y(), place.width(), place.height()))
        if there != place:
            self.setGeometry(there)

    def closeEvent(self, event: QCloseEvent) -> None:
        if (typing := self.focusWidget()) is not None:
            typing.clearFocus()  # hands over what was typed
        if self.page is not None:
            self.page.leave()
        place = self.normalGeometry()
        self.desk.preferences = dataclasses.replace(
            self.desk.preferences,
            place=(place.x(), place.y(), place.width(), place.height()),
            maximized=bool(self.isMaximized()),
        )
        self.desk.save()
        self.desk.close()
        event.accept()
