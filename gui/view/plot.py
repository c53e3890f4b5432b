"""One panel's marks on one pair of axes: keeps their items by key, and turns the pointer and the keys into events."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QCursor, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from core.stage.frame import Matrix, Panel, Pick, Scroll
from gui.theming import Look
from gui.view.axes import AxesItem
from gui.view.item import Lit, Mapping, MarkItem
from gui.view.lines import CurveItem, spread
from gui.view.marks import ITEMS
from gui.view.segments import BY_KEY
from gui.view.texts import LabelItem, settle
from gui.view.words import tip

SLOP = 4.0  # pixels that a click may wander
SPARE = 24  # hidden items that are kept
_KEYS = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Home: "home",
    Qt.Key.Key_End: "end",
}


class Plot(pg.GraphicsView):  # type: ignore[misc]
    """The picture inside a panel. Not a PlotWidget: its axes, menus and buttons take three times as long to make, and
    a lesson uses none of them."""

    happened = Signal(object)
    focused = Signal(bool)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, useOpenGL=False, background=look.panel)
        self.look = look
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.panel: Panel | None = None
        self.items_by_key: dict[str, MarkItem] = {}
        self.axes = AxesItem(look)
        self.scene().addItem(self.axes)
        self.mapping = Mapping(QRectF(), 0.0, 1.0, 0.0, -1.0)
        self.slack = round(look.share(0.55))  # between the widget's edges and the picture, for strokes and dots
        self._signature: Any = None
        self._press: QPointF | None = None
        self._grip: tuple[MarkItem, Any] | None = None
        self._touched = ""
        self._wheel = [0, 0]

    # --- drawing

    def show_panel(self, panel: Panel, lit: Lit, covers: frozenset[str]) -> bool:
        """Draw the panel's marks; only what changed is touched. False where nothing was."""
        new_axes = self.panel is None or (panel.x, panel.y, panel.equal, panel.invert_y) != (
            self.panel.x,
            self.panel.y,
            self.panel.equal,
            self.panel.invert_y,
        )
        self.panel = panel
        changed: list[MarkItem] = []
        for depth, mark in enumerate(panel.marks):
            item = self.items_by_key.get(mark.key)
            if item is None or type(item) is not ITEMS[type(mark)]:
                if item is not None:
                    self.scene().removeItem(item)
                item = self.items_by_key[mark.key] = ITEMS[type(mark)](self.look)
                self.scene().addItem(item)
            back = not item.isVisible()
            if back:
                item.setVisible(True)
            if item.set_mark(mark) or back:
                changed.append(item)
            item.set_lit(lit)
            item.set_covered(mark.key in covers)
            height = 10.0 + depth + 1000.0 * item.LAYER
            if item.zValue() != height:
                item.setZValue(height)
        gone = self.items_by_key.keys() - {mark.key for mark in panel.marks}
        for key in gone:
            self.items_by_key[key].setVisible(False)
        while len(gone) > SPARE:
            self.scene().removeItem(self.items_by_key.pop(gone.pop()))
        if new_axes:
            self.axes.show_axes(panel)
        if new_axes or changed:
            self._arrange(changed)
        self._choose_focus()
        return bool(new_axes or changed)

    def visible_items(self) -> list[MarkItem]:
        """Items from the back to the front."""
        found = [item for item in self.items_by_key.values() if item.isVisible()]
        return sorted(found, key=MarkItem.zValue)

    def cut_texts(self) -> list[str]:
        """Texts that did not fit even in the smallest size."""
        return [text for item in [self.axes, *self.visible_items()] for text in item.cut]

    def _arrange(self, changed: list[MarkItem]) -> None:
        panel = self.panel
        canvas = QRectF(self.viewport().rect())
        slack = self.slack
        bounds = canvas.adjusted(slack, slack, -slack, -slack)
        if panel is None or bounds.width() < 4 or bounds.height() < 4:
            return
        items = self.visible_items()
        signature = (
            bounds.width(),
            bounds.height(),
            panel.x,
            panel.y,
            panel.equal,
            panel.invert_y,
            tuple(item.signature() for item in items),
        )
        if signature != self._signature:
            self._signature = signature
            mapping = self._solve(panel, bounds, items)
            if mapping != self.mapping or self.axes.canvas != canvas or self.axes.stale:
                self.mapping = mapping
                self.axes.set_place(mapping, bounds, canvas)
                changed = items
        for item in changed:
            item.set_place(self.mapping, bounds, canvas)
        curves = [item for item in items if isinstance(item, CurveItem) and item.mark.name]
        if len(curves) > 1:
            spread(curves, bounds)
        labels = [item for item in items if isinstance(item, LabelItem)]
        if len(labels) > 1 and any(isinstance(item, LabelItem) for item in changed):
            for label in labels:
                if label not in changed:
                    label.set_place(self.mapping, bounds, canvas)
            settle(labels)
        lines = [item.boundingRect() for item in items if isinstance(item, CurveItem)]
        for label in labels:
            label.set_on_lines(any(map(label.boundingRect().intersects, lines)))

    def _solve(self, panel: Panel, bounds: QRectF, items: list[MarkItem]) -> Mapping:
        """The mapping that leaves room for what stands outside the axes: labels of rows, ticks, names at ends."""
        margins = [0.0, 0.0, 0.0, 0.0]
        mapping = self._map(panel, bounds, margins)
        for _ in range(3):
            wanted = [item.overhang(mapping) for item in [self.axes, *items]]
            margins = [max(column) for column in zip(*wanted, strict=True)]
            # However much the labels ask for, the picture keeps a good third of each direction.
            for a, b, size in ((0, 2, bounds.width()), (1, 3, bounds.height())):
                both = margins[a] + margins[b]
                if both > 0.62 * size:
                    margins[a] *= 0.62 * size / both
                    margins[b] *= 0.62 * size / both
            mapping = self._map(panel, bounds, margins)
        return mapping

    def _map(self, panel: Panel, bounds: QRectF, margins: list[float]) -> Mapping:
        left, top, right, bottom = margins
        area = bounds.adjusted(left, top, -right, -bottom)
        wide = (panel.x.high - panel.x.low) or 1.0
        high = (panel.y.high - panel.y.low) or 1.0
        sx, sy = area.width() / wide, area.height() / high
        if panel.equal:
            sx = sy = min(sx, sy)
            centre = area.center()
            area = QRectF(centre.x() - sx * wide / 2, centre.y() - sy * high / 2, sx * wide, sy * high)
        x0 = area.left() - sx * panel.x.low
        if panel.invert_y:
            return Mapping(area, x0, sx, area.top() - sy * panel.y.low, sy)
        return Mapping(area, x0, sx, area.bottom() + sy * panel.y.low, -sy)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None and getattr(self, "panel", None) is not None:
            self._arrange([])

    # --- pointer

    def _item_at(self, at: QPointF) -> tuple[MarkItem, Any] | None:
        """What is picked there: a label or a curve only where nothing else lies below it."""
        items = [item for item in reversed(self.visible_items()) if not item.covered]
        items.sort(key=_is_decoration)
        for item in items:
            index = item.hit(at)
            if index is not None:
                return item, index
        return None

    def _grip_at(self, at: QPointF) -> tuple[MarkItem, Any] | None:
        for item in reversed(self.visible_items()):
            if not item.covered:
                grip = item.grip(at)
                if grip is not None:
                    return item, grip
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._press = event.position()
        self._grip = self._grip_at(self._press)
        if self._grip is not None:
            self._touched = self._grip[0].mark.key
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._press is None:
            self._show_cursor(at)
            return
        if self._grip is not None:
            item, grip = self._grip
            moved = at - self._press
            if max(abs(moved.x()), abs(moved.y())) >= SLOP or item.property("dragging"):
                item.setProperty("dragging", True)
                self._send(item.dragged(grip, at))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._press is None:
            event.ignore()
            return
        at, start, held = event.position(), self._press, self._grip
        self._press = self._grip = None
        if held is not None and held[0].property("dragging"):
            held[0].setProperty("dragging", False)
            self._send(held[0].dropped(held[1], at))
        else:
            moved = at - start
            found = self._item_at(at)
            if found is not None and max(abs(moved.x()), abs(moved.y())) <= SLOP:
                item, index = found
                self._touched = item.mark.key
                self._send(Pick(item.pick_key(index), tuple(int(number) for number in index)))
        self._show_cursor(at)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        item = next((i for i in self.visible_items() if getattr(i.mark, "scrolls", False) and not i.covered), None)
        if item is None:
            event.ignore()
            return
        delta = event.angleDelta()
        sideways = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._wheel[0] += delta.x() + (delta.y() if sideways else 0)
        self._wheel[1] += 0 if sideways else delta.y()
        notches = [int(value / 120) for value in self._wheel]
        self._wheel = [value - 120 * notch for value, notch in zip(self._wheel, notches, strict=True)]
        if any(notches):
            stride = [1, 1]
            if isinstance(item.mark, Matrix):
                stride = [max(1, (b - a) // 8) for a, b in (item.mark.columns, item.mark.rows)]
            self._send(Scroll(item.mark.key, -notches[1] * stride[1], -notches[0] * stride[0]))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip:
            at = QPointF(event.pos())  # type: ignore[attr-defined]
            said = self.hover_text(at)
            if said:
                QToolTip.showText(event.globalPos(), tip(said, self.look), self.viewport())  # type: ignore[attr-defined]
            else:
                QToolTip.hideText()
            return True
        return bool(super().viewportEvent(event))

    def hover_text(self, at: QPointF) -> str:
        """What hovering there says, as plain text."""
        for item in reversed(self.visible_items()):
            if not item.covered:
                said = item.hover(at)
                if said:
                    return said
        return ""

    def _show_cursor(self, at: QPointF) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self._grip_at(at) is not None:
            shape = Qt.CursorShape.OpenHandCursor
        else:
            found = self._item_at(at)
            if found is not None and found[0].INTERACTIVE > 1:
                shape = Qt.CursorShape.PointingHandCursor
        if self.viewport().cursor().shape() is not shape:
            self.viewport().setCursor(QCursor(shape))

    # --- keys

    def main_item(self) -> MarkItem | None:
        """The mark that this panel's keys go to."""
        able = [item for item in self.visible_items() if item.INTERACTIVE and not item.covered]
        touched = next((item for item in able if item.mark.key == self._touched), None)
        return touched or max(able, key=_interest, default=None)

    def _choose_focus(self) -> None:
        able = self.main_item() is not None
        policy = Qt.FocusPolicy.StrongFocus if able else Qt.FocusPolicy.NoFocus
        if self.focusPolicy() is not policy:
            self.setFocusPolicy(policy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.main_item()
        name = _KEYS.get(Qt.Key(event.key()))
        if item is None or (name is None and event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            event.ignore()
            return
        self._send(item.key(name or "enter", bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)))
        event.accept()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.focused.emit(event.reason() in BY_KEY)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.focused.emit(False)

    def _send(self, event: Any) -> None:
        if event is not None:
            self.happened.emit(event)


def _interest(item: MarkItem) -> tuple[int, float]:
    return item.INTERACTIVE, -item.zValue()


def _is_decoration(item: MarkItem) -> bool:
    return item.INTERACTIVE == 0
