"""One tab: the only controller there is. An edit, an event or time makes a new state; the state's frame is drawn."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage import motion
from core.stage.frame import Drag, Frame, Pick, Scroll
from core.stage.lesson import Shared
from core.stage.params import from_mapping, specs, to_mapping, without_clock
from core.stage.session import Session
from core.stage.text import text
from gui import paint
from gui.controls import Words
from gui.desk import Desk
from gui.form import Form
from gui.player import Player
from gui.presets import PresetStrip
from gui.theming import Look
from gui.transport import Transport
from gui.view.stage import StageView
from gui.worked import WorkedView

PAUSE = 0.8  # seconds without an edit end a gesture
_CONTINUOUS = ("slider", "drag", "scroll", "typing")


class LessonPage(QWidget):
    """Title, stage, form, arithmetic, transport, presets of one lesson."""

    shown = Signal()  # a frame was drawn
    followed = Signal(str)  # a mark's link was picked
    _dirty = Signal()

    def __init__(self, lesson_id: str, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self.lesson = desk.lesson(lesson_id)
        self.look = Look()
        self._dressed = False
        self.frame: Frame | None = None  # of the present state
        self._drawn: Frame | None = None  # what the stage shows: between two frames while something moves
        self._from: Frame | None = None
        self._since = 0.0
        self._waiting = False
        self._at_once = True
        self._last_edit = -1e9
        self._preset = -1
        self._targets: dict[tuple[int, Shared], tuple[Any, Any]] = {}
        self._wants: tuple[Shared | None, list[Shared]] = (None, [])
        self.here = False  # between enter and leave
        self.uses_table = True  # the table that the bar shows plays a part in the frame
        self.player = Player(self.lesson, desk, self)
        self.bare = False  # presenting: no controls
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

        self.title = Words(self, size="title", bold=True)
        self.subtitle = Words(self, role="muted")
        self.stage = StageView(parent=self)
        self.form = Form(self.lesson, self)
        self.worked = WorkedView(self)
        self.transport = Transport(self.lesson.step is not None, self)
        self.strip = PresetStrip(tuple(text(f"{lesson_id}.preset.{preset.id}") for preset in self.lesson.presets), self)
        self.stage.happened.connect(self._on_event)
        self.stage.chosen.connect(self._on_chosen)
        self.form.edited.connect(self.edit)
        self.form.let_go.connect(self._on_let_go)
        self.form.said.connect(desk.say)
        self.worked.stepped.connect(self._on_stepped)
        self.transport.start.connect(self.player.to_start)
        self.transport.back.connect(self.player.step_back)
        self.transport.play.connect(self.player.toggle)
        self.transport.on.connect(self.player.step_on)
        self.transport.speed.connect(self.player.set_speed)
        self.player.turned.connect(self._on_turned)
        self.player.moved.connect(self.refresh)
        self.strip.wanted.connect(self.choose)
        self._dirty.connect(self._on_dirty, Qt.ConnectionType.QueuedConnection)

    # --- coming and going ----------------------------------------------------------------------------------------

    def enter(self) -> None:
        """The page is shown: from now on it follows the desk."""
        if self.here:
            return
        self.here = True
        self.desk.changed.connect(self.take)
        self.desk.worker.answered.connect(self._on_answered)
        self.desk.ticker.ticked.connect(self._on_tick)
        self.transport.show_speed(self.desk.preferences.speed)
        state = self.lesson.legal(self.desk.state(self.lesson.id), self.desk.context())
        self.desk.history.move(self.desk.session.with_state(self.lesson.id, state))
        self._at_once = True
        self._drawn = None
        self.take()
        self.refresh()

    def leave(self) -> None:
        """Another page is shown: nothing moves here any more."""
        if not self.here:
            return
        self.player.pause()
        self._still()
        self.worked.clear()
        self.here = False
        self.desk.changed.disconnect(self.take)
        self.desk.worker.answered.disconnect(self._on_answered)
        self.desk.ticker.ticked.disconnect(self._on_tick)

    # --- state in, frame out -------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.desk.state(self.lesson.id)

    @Slot()
    def take(self) -> None:
        """Show the desk's state in the form now, on the stage at the end of this turn of the event loop."""
        self.form.show_state(self.lesson.settled(self.state))
        if not self._waiting:
            self._waiting = True
            self._dirty.emit()

    @Slot()
    def _on_dirty(self) -> None:
        if self._waiting and self.here:
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Evaluate the frame and draw it, or begin to move towards it."""
        self._waiting = False
        worker = self.desk.worker
        worker.begin()
        context = self.desk.context()
        frame = self.lesson.frame(self.state, context)
        worker.end()
        self.uses_table = context.uses_table
        self.frame = frame
        self._tell(frame)
        calm = self._at_once or self.player.playing or self.desk.at_once or self.desk.preferences.calm
        self._at_once = False
        if not calm and self._drawn is not None and motion.moves(self._drawn, frame):
            self._from, self._since = self._drawn, self.desk.ticker.now()
            self.desk.ticker.hold("motion")
        else:
            self._still()
            self._draw(frame)
        if not self.player.playing:
            self._show_preset()
        self.shown.emit()

    def _tell(self, frame: Frame) -> None:
        again = False
        for label, words in ((self.title, frame.title), (self.subtitle, frame.subtitle)):
            if label.text() != words:
                label.setText(words)
                again = True
        if again:
            self.arrange()
        self.worked.show_worked(frame.worked, frame.covers)

    def _draw(self, frame: Frame) -> None:
        self._drawn = frame
        self.stage.draw(frame, lit=self.worked.lit)

    def _still(self) -> None:
        self._from = None
        self.desk.ticker.release("motion")

    @Slot()
    def _on_answered(self) -> None:
        self._at_once = True
        self.take()

    # --- edits ---------------------------------------------------------------------------------------------------

    @Slot(str, object, str)
    def edit(self, name: str, value: object, gesture: str = "") -> None:
        """Set a parameter: an entry of the undo list, one per gesture."""
        self.put(self.lesson.edited(self.state, self.desk.context(), **{name: value}), gesture)

    def put(self, state: Any, gesture: str = "") -> None:
        """Make a state the present one, made legal first."""
        state = self.lesson.legal(state, self.desk.context())
        self._record(self.desk.session.with_state(self.lesson.id, state), gesture)

    def _record(self, session: Session, gesture: str = "") -> None:
        now = self.desk.ticker.now()
        if now - self._last_edit > PAUSE:
            self.desk.end_gesture()
        self._last_edit = now
        self._at_once = gesture.split(" ")[0] in _CONTINUOUS
        self.desk.say("")
        self.player.record(session, gesture)

    @Slot()
    def _on_let_go(self) -> None:
        self.desk.end_gesture()

    @Slot(object)
    def _on_event(self, event: object) -> None:
        if isinstance(event, Pick) and (link := self._link(event)):
            self.followed.emit(link)
            return
        if self.lesson.act is None:
            return
        gesture = ""
        if isinstance(event, Drag):
            gesture = f"drag {event.key}"
        elif isinstance(event, Scroll):
            gesture = f"scroll {event.key}"
        self.put(self.lesson.act(self.state, event, self.desk.context()), gesture)

    def _link(self, event: Pick) -> str:
        marks = self.frame.marks() if self.frame is not None else ()
        return next((getattr(mark, "link", "") for _, mark in marks if mark.key == event.key), "")

    @Slot(object)
    def _on_chosen(self, chosen: tuple[str, str]) -> None:
        name, value = chosen
        self.edit(name, value)

    @Slot()
    def reset(self) -> None:
        """The state of a fresh start, with the shared choices as they are."""
        self.player.pause()
        self._preset = -1
        self.put(self.lesson.initial(self.desk.context()))

    # --- presets -------------------------------------------------------------------------------------------------

    def _wanted(self, number: int) -> Shared:
        """The shared choices of a preset: those that it does not name stay."""
        shared = self.desk.shared
        if self._wants[0] != shared:
            mine = to_mapping(shared)
            self._wants = shared, [from_mapping(Shared, {**mine, **preset.shared}) for preset in self.lesson.presets]
        return self._wants[1][number]

    def _state_of(self, number: int) -> tuple[Any, Any]:
        """The state that a preset leads to from here, and the same with its clock at rest."""
        shared = self._wanted(number)
        found = self._targets.get((number, shared))
        if found is None:
            if len(self._targets) > 100:
                self._targets.clear()  # a sentence was typed: each letter is another set of targets
            state = self.lesson.from_mapping(self.lesson.presets[number].values, self.desk.context(shared))
            found = self._targets[number, shared] = state, without_clock(state)
        return found

    def _target(self, number: int) -> Session:
        """The session that a preset leads to from here."""
        states = {**self.desk.session.states, self.lesson.id: self._state_of(number)[0]}
        return Session(self.lesson.id, self._wanted(number), states)

    @Slot(int)
    def choose(self, number: int) -> None:
        """Show a preset, by its number from 0."""
        if not 0 <= number < len(self.lesson.presets):
            return
        self.player.pause()
        self._preset = number
        self._record(self._target(number))
        self.desk.save()

    def _may_fit(self, number: int) -> bool:
        """Whether the values that the preset names are the present ones: its whole state may need a vocabulary read."""
        moved = {entry.name for entry in specs(self.lesson.state) if entry.clock}
        values = self.lesson.presets[number].values
        return all(name in moved or getattr(self.state, name) == value for name, value in values.items())

    def _show_preset(self) -> None:
        here, shared = without_clock(self.state), self.desk.shared
        # A preset with another table is not looked at: that would load the table.
        numbers = (number for number in range(len(self.lesson.presets)) if self._wanted(number) == shared)
        fits = [number for number in numbers if self._may_fit(number) and self._state_of(number)[1] == here]
        if not fits:
            self.strip.show_current(self._preset, True)
            return
        # Two presets may differ only in where their clock stands: the one that was chosen, else the one that is this.
        self._preset = min(fits, key=lambda n: (n != self._preset, self._state_of(n)[0] != self.state))
        self.strip.show_current(self._preset, False)

    # --- time ----------------------------------------------------------------------------------------------------

    @Slot(bool)
    def _on_turned(self, playing: bool) -> None:
        self.transport.show_playing(playing)
        if not playing:
            self._at_once = True
            self.take()  # what is not told while it plays: the preset
            self.desk.save()

    @Slot(float)
    def _on_tick(self, now: float) -> None:
        if self.player.playing:
            if self.frame is not None and self.frame.computing and self.desk.worker.busy:
                self.player.clock.forget()  # no time passes until there is something to play
            else:
                self.player.tick(now)
        elif self._from is not None and self.frame is not None:
            share = (now - self._since) / motion.SECONDS
            between = motion.blend(self._from, self.frame, share)
            if share >= 1.0:
                self._still()
            self._draw(between)

    @Slot()
    def _on_stepped(self) -> None:
        if self._drawn is not None:
            self._draw(self._drawn)

    # --- place and paint -----------------------------------------------------------------------------------------

    def set_look(self, look: Look) -> None:
        if look == self.look and self._dressed:
            return
        self.look, self._dressed = look, True
        for widget in (self.title, self.subtitle, self.form, self.worked, self.transport, self.strip):
            widget.set_look(look)
        self.stage.set_look(look)
        self.arrange()
        self.update()

    def set_bare(self, bare: bool) -> None:
        """Presenting: the stage takes the room of the controls."""
        self.bare = bare
        self.arrange()

    def content_left(self) -> int:
        return round(0.7 * paint.em(self.look))

    def arrange(self) -> None:
        """The one arrangement of all tabs, in units of the label's size."""
        unit = paint.em(self.look)
        left, right = self.content_left(), round((0.7 if self.bare else 1.0) * unit)
        gap = round(0.72 * unit)
        width = self.width() - left - right
        if width < 50:
            return
        y = round(0.62 * unit)
        high = self.title.fit(width, 2)
        self.title.setGeometry(left, y, width, high)
        y += high + round(0.12 * unit)
        high = self.subtitle.fit(width, 2)
        self.subtitle.setGeometry(left, y, width, high)
        y += high + round(0.6 * unit)

        for widget in (self.form, self.transport, self.strip):
            widget.setVisible(not self.bare)
        bottom = self.height() - (gap if self.bare else 0)
        if not self.bare:
            high = round(4.15 * unit)
            bottom -= high
            side = round(max(14.2 * unit, 0.255 * width))
            self.transport.setGeometry(left, bottom, side, high)
            self.strip.setGeometry(left + side + gap, bottom, width - side - gap, high)
            bottom -= gap
        some = not self.bare or (self.frame is not None and bool(self.frame.worked.lines))
        self.worked.setVisible(some)
        if some:
            high = self.worked.wanted_height()
            bottom -= high
            self.worked.setGeometry(left, bottom, width, high)
            bottom -= gap
        stage = width
        if not self.bare:
            side = round(max(11.6 * unit, 0.17 * width))
            stage -= side + gap
            self.form.setGeometry(left + stage + gap, y, side, bottom - y)
        self.stage.setGeometry(QRect(left, y, stage, max(bottom - y, 10)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        painter.fillRect(self.rect(), self.look.ground)
        painter.end()
