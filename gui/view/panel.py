"""One panel: a rounded sheet with a title, readouts, buttons of a choice, the picture and a caption."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from core.stage.frame import Panel
from core.stage.theme import Role
from gui.theming import Look
from gui.view import legend, words
from gui.view.item import Lit
from gui.view.plot import Plot
from gui.view.readouts import Readouts
from gui.view.segments import SegmentBar

_Text = tuple[QRectF, str, QFont, Role, Qt.AlignmentFlag]
_UNDER = 0.75  # per cent of the height, below a line of text: the plot's own margin would lie over its descenders


class PanelView(QWidget):
    """Draws a panel. Its texts are painted as they are typed; nothing in them is markup."""

    happened = Signal(object)
    chosen = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.panel: Panel | None = None
        self.lit: Lit = {}
        self.covers: frozenset[str] = frozenset()
        self.plot: Plot | None = None
        self.segments: SegmentBar | None = None
        self.readouts = Readouts(look)
        self.ring = False
        self.cut: list[str] = []
        self._texts: list[_Text] = []
        self._legend: QRectF | None = None
        self.repaints = 0  # counted for the tests: an unchanged panel paints nothing

    # --- data

    def show_panel(self, panel: Panel, lit: Lit, covers: frozenset[str]) -> None:
        """Draw the panel; what did not change is left alone."""
        old, self.panel = self.panel, panel
        covers = covers & _keys(panel)
        if old is None or _frame_of(old) != _frame_of(panel) or covers != self.covers:
            self.covers = covers
            self._show_parts(panel)
            self._lay_out()
            self.update()
        if self.plot is not None and panel.marks:
            self.plot.show_panel(panel, lit, covers)

    def name_plot(self, title: str) -> None:
        """``title`` of the whole frame: the name of a picture that has none of its own."""
        panel = self.panel
        if self.plot is not None and panel is not None:
            name = panel.title or panel.caption or title
            if self.plot.accessibleName() != name:
                self.plot.setAccessibleName(name)

    def _show_parts(self, panel: Panel) -> None:
        covered = panel.key in self.covers
        if panel.marks and self.plot is None:
            self.plot = Plot(self.look, self)
            self.plot.happened.connect(self.happened)
            self.plot.focused.connect(self._show_ring)
        if self.plot is not None:
            self.plot.setVisible(bool(panel.marks) and not covered)
        if panel.choice is not None and self.segments is None:
            self.segments = SegmentBar(self.look, self)
            self.segments.chosen.connect(self.chosen)
        if self.segments is not None:
            self.segments.setVisible(panel.choice is not None and not covered)
            if panel.choice is not None:
                self.segments.show_choice(panel.choice)
        self.setAccessibleName(panel.title)

    # --- places

    def _lay_out(self) -> None:
        panel, look = self.panel, self.look
        if panel is None or self.width() < 8 or self.height() < 8:
            return
        self.cut, self._texts, self._legend = [], [], None
        side, edge = look.share(1.9), look.share(1.5)
        inner = QRectF(self.rect()).adjusted(side, edge, -side, -edge)
        top = self._lay_head(panel, inner)
        bottom = self._lay_caption(panel, inner, top)
        gap = look.share(0.8)
        middle = QRectF(inner.left(), top, inner.width(), max(0.0, bottom - top))
        if panel.readouts:
            used = self.readouts.lay_out(panel.readouts, middle, filling=not panel.marks)
            self.cut += self.readouts.cut
            middle.setTop(min(middle.bottom(), middle.top() + used + gap))
        else:
            self.readouts.clear()
        if self.plot is not None:
            slack = self.plot.slack
            self.plot.setGeometry(middle.toRect().adjusted(-slack, -slack, slack, slack))

    def _lay_head(self, panel: Panel, inner: QRectF) -> float:
        look = self.look
        title_font, note_font = look.font("label", bold=True), look.font("small")
        gap, top = look.share(1.4), inner.top()
        note_wide = self._note_width(panel)
        segments = self.segments if panel.choice is not None else None
        if panel.title:
            beside = note_wide and segments is None and note_wide < inner.width() * 0.5
            room = inner.width() - (note_wide + gap if beside else 0.0)
            if words.width(title_font, panel.title) > room and beside:
                beside, room = False, inner.width()
            # Another line is better than small letters; and a title is never cut.
            for most, least in ((2, 0.84 * title_font.pixelSize()), (3, 0.84 * title_font.pixelSize()), (6, 0.0)):
                font, lines = words.paragraph(panel.title, title_font, room, most, max(least, look.least))
                if " ".join(lines) == panel.title:
                    break
            high = words.height(font)
            for line in lines:
                self._texts.append((QRectF(inner.left(), top, room, high), line, font, "muted", words.LEFT))
                top += high
            self.cut += [panel.title] if " ".join(lines) != panel.title else []
            if beside:
                self._place_note(panel, QRectF(inner.right() - note_wide, inner.top(), note_wide, high))
                note_wide = 0.0
            top += look.share(_UNDER)
        if segments is not None:
            wanted = segments.wanted(int(inner.width()))
            beside = note_wide > 0 and wanted.width() + gap + note_wide <= inner.width()
            wide = min(wanted.width(), int(inner.width()))
            segments.setGeometry(round(inner.left()), round(top), wide, wanted.height())
            if beside:
                self._place_note(panel, QRectF(inner.right() - note_wide, top, note_wide, wanted.height()))
                note_wide = 0.0
            top += wanted.height() + look.share(0.8)
        if 0 < note_wide <= inner.width():
            high = words.height(note_font)
            self._place_note(panel, QRectF(inner.left(), top, note_wide, high))
            top += high + look.share(_UNDER)
        elif note_wide > 0:
            font, lines = words.paragraph(panel.note, note_font, inner.width(), 2, look.least)
            for line in lines:
                rect = QRectF(inner.left(), top, inner.width(), words.height(font))
                self._texts.append((rect, line, font, "muted", words.LEFT))
                top += words.height(font)
            self.cut += [panel.note] if " ".join(lines) != panel.note else []
            if panel.legend is not None:
                high = words.height(note_font)
                self._legend = QRectF(inner.left(), top, inner.width(), high)
                top += high
            top += look.share(_UNDER)
        return top

    def _note_width(self, panel: Panel) -> float:
        """Of note and legend, one beside the other."""
        wide = words.width(self.look.font("small"), panel.note) if panel.note else 0.0
        if panel.legend is not None:
            wide += legend.width(panel.legend, self.look) + (self.look.share(1.4) if panel.note else 0.0)
        return wide

    def _place_note(self, panel: Panel, box: QRectF) -> None:
        font = self.look.font("small")
        self._texts.append((QRectF(box), panel.note, font, "muted", words.LEFT))
        if panel.legend is not None:
            before = words.width(font, panel.note) + self.look.share(1.4) if panel.note else 0.0
            self._legend = box.adjusted(before, 0, 0, 0)

    def _lay_caption(self, panel: Panel, inner: QRectF, top: float) -> float:
        if not panel.caption:
            return inner.bottom()
        font, lines = words.paragraph(panel.caption, self.look.font("small"), inner.width(), 4, self.look.least)
        self.cut += [panel.caption] if " ".join(lines) != panel.caption.replace("\n", " ") else []
        high = words.height(font)
        start = inner.bottom() - high * len(lines) + self.look.share(0.3)
        for number, line in enumerate(lines):
            rect = QRectF(inner.left(), start + number * high, inner.width(), high)
            self._texts.append((rect, line, font, "muted", words.LEFT))
        return max(top, start - self.look.share(0.8))

    def focusable(self) -> list[QWidget]:
        """What Tab can reach, in order."""
        buttons: list[QWidget] = list(self.segments.buttons) if self.segments is not None else []
        return [*buttons, self.plot] if self.plot is not None else buttons

    def cut_texts(self) -> list[str]:
        """Texts that had to be elided anywhere in this panel."""
        found = list(self.cut)
        if self.plot is not None and self.plot.isVisibleTo(self):
            found += self.plot.cut_texts()
        if self.segments is not None and self.segments.isVisibleTo(self):
            found += self.segments.cut_texts()
        return found

    # --- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        self.repaints += 1
        panel, look = self.panel, self.look
        if panel is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius, rect = look.share(1.1), QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.panel)
        painter.drawRoundedRect(rect, radius, radius)
        if panel.border is not None:
            self._draw_border(painter, look.colour(panel.border), max(2.0, look.share(0.3)), radius)
        if self.ring:
            self._draw_border(painter, look.colour("text"), max(2.0, look.share(0.22)), radius)
        if panel.key in self.covers:
            side = look.share(1.9)
            words.cover(painter, rect.adjusted(side, side, -side, -side), look)
            painter.end()
            return
        for box, text, font, role, align in self._texts:
            words.write(painter, box, text, font, look.colour(role), align)
        if self._legend is not None and panel.legend is not None:
            legend.draw(painter, self._legend, panel.legend, look)
        self.readouts.draw(painter, self.covers)
        painter.end()

    def _draw_border(self, painter: QPainter, colour: Any, wide: float, radius: float) -> None:
        painter.setPen(QPen(colour, wide))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        half = wide / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), radius - half, radius - half)

    @Slot(bool)
    def _show_ring(self, on: bool) -> None:
        if on != self.ring:
            self.ring = on
            self.update()


def _frame_of(panel: Panel) -> tuple[Any, ...]:
    """What a panel shows around its marks."""
    texts = panel.title, panel.note, panel.legend, panel.caption, panel.readouts
    return *texts, panel.choice, panel.border, bool(panel.marks)


def _keys(panel: Panel) -> frozenset[str]:
    keys = {panel.key, *(mark.key for mark in panel.marks), *(readout.key for readout in panel.readouts)}
    return frozenset(keys)
