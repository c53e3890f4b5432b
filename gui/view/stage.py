"""The stage: draws a frame's panels on a grid of 12 by 12, and reports what a person does there."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.stage.frame import Cell, Frame, Index
from gui.theming import Look
from gui.view.item import Lit
from gui.view.panel import PanelView

GRID = 12
SPARE = 6  # hidden panels that are kept for when they come back


class StageView(QWidget):
    """Shows frames. ``happened`` carries a Pick, Drag, Drop, Scroll or Key; ``chosen`` a (parameter, value)."""

    happened = Signal(object)
    chosen = Signal(object)

    def __init__(self, look: Look | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look or Look()
        self.frame_shown: Frame | None = None
        self._lit: frozenset[tuple[str, Index]] = frozenset()
        self._panels: dict[str, PanelView] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, False)

    def set_look(self, look: Look) -> None:
        """Another profile, height or zoom: everything is drawn anew."""
        if look == self.look:
            return
        self.look = look
        frame, self.frame_shown = self.frame_shown, None
        for view in self._panels.values():
            view.hide()
            view.setParent(None)
            view.deleteLater()
        self._panels = {}
        if frame is not None:
            self.draw(frame, self._lit)

    def draw(self, frame: Frame, lit: Iterable[tuple[str, Index]] = frozenset()) -> None:
        """Show the frame, with the (mark key, index) pairs in ``lit`` highlighted."""
        self._lit = frozenset(lit)
        by_key = _by_key(self._lit)
        old, self.frame_shown = self.frame_shown, frame
        new_places = old is None or [(p.key, p.cell) for p in old.panels] != [(p.key, p.cell) for p in frame.panels]
        if new_places:
            self._place_panels(frame)
        for panel in frame.panels:
            self._panels[panel.key].show_panel(panel, by_key, frame.covers)
            self._panels[panel.key].name_plot(frame.title)
        if new_places:
            self._chain_focus()
        if old is None or old.spoken != frame.spoken:
            self.setAccessibleDescription(frame.spoken)

    def panel_view(self, key: str) -> PanelView:
        """The widget that shows this panel. Raises KeyError."""
        return self._panels[key]

    def shown_panels(self) -> list[PanelView]:
        """The widgets of the panels shown."""
        return [self._panels[panel.key] for panel in self.frame_shown.panels] if self.frame_shown else []

    def cut_texts(self) -> list[str]:
        """Every text that had to be elided: empty on a good stage."""
        return [text for view in self.shown_panels() for text in view.cut_texts()]

    def _place_panels(self, frame: Frame) -> None:
        keys = [panel.key for panel in frame.panels]
        for panel in frame.panels:
            view = self._panels.get(panel.key)
            if view is None:
                view = self._panels[panel.key] = PanelView(self.look, self)
                view.happened.connect(self.happened)
                view.chosen.connect(self.chosen)
            view.setGeometry(self._rect(panel.cell))
            view.show()
        gone = [key for key in self._panels if key not in keys]
        for key in gone:
            self._panels[key].hide()
        for key in gone[: max(0, len(gone) - SPARE)]:
            self._panels.pop(key).deleteLater()

    def _chain_focus(self) -> None:
        """Tab goes through the panels in the frame's order."""
        chain = [widget for view in self.shown_panels() for widget in view.focusable()]
        for first, second in itertools.pairwise(chain):
            QWidget.setTabOrder(first, second)

    def _rect(self, cell: Cell) -> QRect:
        """A panel's place: the gaps lie between cells, not around the stage."""
        gap = self.look.share(1.85) if self.look.theme.scale >= 1 else self.look.share(1.7)
        wide, high = (self.width() + gap) / GRID, (self.height() + gap) / GRID
        left, top = round(cell.column * wide), round(cell.row * high)
        right = round((cell.column + cell.columns) * wide - gap)
        bottom = round((cell.row + cell.rows) * high - gap)
        return QRect(left, top, max(1, right - left), max(1, bottom - top))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.frame_shown is not None:
            for panel in self.frame_shown.panels:
                self._panels[panel.key].setGeometry(self._rect(panel.cell))


def _by_key(lit: frozenset[tuple[str, Index]]) -> Lit:
    found: dict[str, set[Index]] = defaultdict(set)
    for key, index in lit:
        found[key].add(tuple(index))
    return {key: frozenset(indices) for key, indices in found.items()}
