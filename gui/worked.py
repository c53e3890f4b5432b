"""The arithmetic under the stage: three lines at a time, whose terms can be stepped through."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.frame import Index, Term, Worked
from core.stage.text import text
from gui import paint
from gui.controls import Push, Ringed, Words
from gui.theming import Look

Light = tuple[str, Index]
PITCH = 1.75  # lines, in units of their font


class WorkedView(Ringed, QWidget):
    """Draws lines of terms. ``lit`` names what the current term lights up on the stage."""

    stepped = Signal()  # another term is the current one

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = Look()
        self.worked = Worked()
        self.page = 0
        self.current = -1  # among the terms that can be stepped to, over all pages
        self.covered = frozenset[str]()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.note = Words(self, role="muted")
        self.note.setWordWrap(False)
        self.note.setText(text("window.worked.name"))
        self.step = Push(self, style="line", role="muted")
        self.step.setText(text("window.worked.step"))
        self.step.sign = "right"
        self.step.setToolTip(paint.tip(text("window.worked.tip")))
        self.step.clicked.connect(self.forward)
        self.turn = Push(self, style="line", role="muted")
        self.turn.sign = "down"
        self.turn.setToolTip(paint.tip(text("window.worked.turn")))
        self.turn.clicked.connect(self.next_page)

    def set_look(self, look: Look) -> None:
        self.look = look
        for widget in (self.note, self.step, self.turn):
            widget.set_look(look)
        self.arrange()
        self.update()

    def show_worked(self, worked: Worked, covered: frozenset[str] = frozenset()) -> None:
        if worked == self.worked and covered == self.covered:
            return
        same_shape = [len(line) for line in worked.lines] == [len(line) for line in self.worked.lines]
        pages = self.worked.pages
        self.worked, self.covered = worked, covered
        if not same_shape:
            self.current = -1
            self.page = 0
        self.setAccessibleName(text("window.worked.name"))
        self.setAccessibleDescription(self.spoken())
        if worked.pages != pages or not same_shape:
            self.arrange()
        self.update()

    def spoken(self) -> str:
        """All lines, for a screen reader."""
        return "; ".join("".join(self._words(term) for term in line) for line in self.worked.lines)

    @property
    def lit(self) -> frozenset[Light]:
        """What the current term came from."""
        if self.current < 0:
            return frozenset()
        stops = list(self._stops())
        line, number = stops[self.current]
        return frozenset(self.worked.lines[line][number].lights)

    # --- stepping ------------------------------------------------------------------------------------------------

    def _stops(self) -> Iterator[tuple[int, int]]:
        """(line, term) of what can be stepped to: the terms that light something; where none does, all with words."""
        tied = any(term.lights for line in self.worked.lines for term in line)
        for row, line in enumerate(self.worked.lines):
            for number, term in enumerate(line):
                if term.lights or (not tied and term.text.strip()):
                    yield row, number

    @Slot()
    def forward(self) -> None:
        self._go(1)

    @Slot()
    def back(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        stops = list(self._stops())
        if not stops:
            return
        # One place beyond the last term nothing is lit: the way out, and the way round.
        here = self.current if self.current >= 0 else (-1 if by > 0 else len(stops))
        there = here + by
        self.current = there if 0 <= there < len(stops) else -1
        if self.current >= 0:
            self.page = stops[self.current][0] // Worked.PAGE
        elif by > 0:
            self.page = 0
        self._tell()

    def clear(self) -> None:
        """No term is the current one."""
        if self.current >= 0:
            self.current = -1
            self._tell()

    @Slot()
    def next_page(self) -> None:
        self.page = (self.page + 1) % self.worked.pages
        self.current = -1
        self._tell()

    def _tell(self) -> None:
        if self.current >= 0:
            line, number = list(self._stops())[self.current]
            self.setAccessibleDescription(self._words(self.worked.lines[line][number]))
        else:
            self.setAccessibleDescription(self.spoken())
        self._name_turn()
        self.update()
        self.stepped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Right:
            self.forward()
        elif key == Qt.Key.Key_Left:
            self.back()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.worked.pages > 1:
            self.page = (self.page + (1 if key == Qt.Key.Key_Down else -1)) % self.worked.pages
            self.current = -1
            self._tell()
        elif key == Qt.Key.Key_Escape and self.current >= 0:
            self.clear()
        else:
            event.ignore()

    # --- place and paint -----------------------------------------------------------------------------------------

    def wanted_height(self) -> int:
        return round(Worked.PAGE * PITCH * paint.em(self.look) + 1.15 * paint.em(self.look))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()

    def arrange(self) -> None:
        """The sign-posts at the right: in one line where 72 columns leave room, else one below the other."""
        unit = paint.em(self.look)
        pad = round(0.9 * unit)
        some = len(list(self._stops())) > 1  # a single sentence has no terms
        several = self.worked.pages > 1
        self.note.setVisible(some)
        self.step.setVisible(some)
        self.turn.setVisible(several)
        self._name_turn()
        column = paint.width_of("0", self.look.font("label", mono=True))
        free = self.width() - 2 * pad - column * Worked.COLUMNS - 0.5 * unit
        name, step = text("window.worked.name"), text("window.worked.step")
        self.note.setText(name)
        self.step.setText(step)
        self.step.setAccessibleName(step)
        right = self.width() - pad + round(paint.ring_room(self.look))
        between = round(0.35 * unit)
        top = round(0.45 * unit)
        below = False
        if self.note.natural_width() + between + self.step.sizeHint().width() > free:
            # Not beside each other: one below the other, else the sign alone carries what the tip says.
            below = self.step.sizeHint().width() <= free and not several
            if not below:
                self.step.setText("")
        note, hint = self.note.natural_width(), self.step.sizeHint()
        if below:
            self.note.setGeometry(right - note - round(paint.ring_room(self.look)), top, note, hint.height())
            self.step.setGeometry(right - hint.width(), top + hint.height(), hint.width(), hint.height())
        else:
            self.note.setVisible(some and note + between + hint.width() <= free)
            self.note.setGeometry(right - hint.width() - between - note, top, note, hint.height())
            self.step.setGeometry(right - hint.width(), top, hint.width(), hint.height())
        bottom = self.step.geometry().bottom()
        hint = self.turn.sizeHint()
        self.turn.setGeometry(
            right - hint.width(), max(bottom, self.height() - top - hint.height()), hint.width(), hint.height()
        )

    def _name_turn(self) -> None:
        self.turn.setText(f"{self.page + 1} / {self.worked.pages}")
        self.turn.setAccessibleName(text("window.worked.page", page=self.page + 1, pages=self.worked.pages))

    def _words(self, term: Term) -> str:
        if self.covered and any(key in self.covered for key, _ in term.lights):
            return "?"
        return term.text

    def font_share(self) -> float:
        """How much smaller than usual the lines are set: one that is wider than its place is never cut or covered."""
        unit = paint.em(self.look)
        font = self.look.font("label", mono=True)
        pad, pitch = 0.9 * unit, PITCH * unit
        top = (self.height() - pitch * Worked.PAGE) / 2
        beside = [widget.geometry() for widget in (self.note, self.step, self.turn) if not widget.isHidden()]
        share = 1.0
        for row, line in enumerate(self.worked.page(self.page)):
            wide = sum(paint.width_of(self._words(term), font) for term in line)
            place = range(round(top + row * pitch), round(top + (row + 1) * pitch))
            right = min((box.left() for box in beside if box.top() < place.stop and box.bottom() >= place.start),
                        default=round(self.width() - pad))  # fmt: skip
            if wide > 0:
                share = min(share, (right - 0.3 * unit - pad) / wide)
        return share

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.start(self)
        look, unit = self.look, paint.em(self.look)
        paint.panel(painter, QRectF(self.rect()), look)
        pad = 0.9 * unit
        share = self.font_share()
        stops = list(self._stops()) if self.current >= 0 else []
        now = stops[self.current] if self.current >= 0 else (-1, -1)
        pitch = PITCH * unit
        lines = self.worked.page(self.page)
        y = (self.height() - pitch * Worked.PAGE) / 2
        for row, line in enumerate(lines):
            x = pad
            for number, term in enumerate(line):
                font = look.font("label", term.bold, mono=True)
                if share < 1.0:
                    font = QFont(font)
                    font.setPixelSize(max(6, int(font.pixelSize() * share)))
                metrics = QFontMetricsF(font)
                shown = self._words(term)
                width = metrics.horizontalAdvance(shown)
                place = QRectF(x, y, width, pitch)
                if (self.page * Worked.PAGE + row, number) == now:
                    lead = metrics.horizontalAdvance(shown) - metrics.horizontalAdvance(shown.lstrip())
                    tail = metrics.horizontalAdvance(shown.rstrip())
                    frame = QRectF(x + lead - 0.18 * unit, y + 0.12 * pitch, tail - lead + 0.36 * unit, 0.78 * pitch)
                    paint.box(painter, frame, look, look.ground, look.colour(term.role), look.stroke("line"))
                align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                paint.write(painter, place, shown, font, look.colour(term.role), align)
                x += width
            y += pitch
        if not lines:
            area = QRectF(pad, 0, self.width() - 2 * pad, self.height())
            painter.setFont(look.font("label"))
            painter.setPen(look.colour("muted"))
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(area, flags, text("window.worked.none"))
        if self.property("ringed"):
            paint.ring(painter, self, look)
        painter.end()
