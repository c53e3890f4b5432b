"""Names of rows and columns beside a matrix: all where there are few, then every nth and the picked ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from core.stage.theme import Role
from gui.theming import Look
from gui.view import words

FEW = 24  # labels that are all shown
_NICE = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 512, 1000, 1024, 2000, 2048, 5000, 10_000)


@dataclass(slots=True)
class RowLabels:
    """Boxes with texts, laid out."""

    texts: list[tuple[QRectF, str, QFont, Role | None, str]]  # box, shown, font, own role, whole
    align: Qt.AlignmentFlag
    role: Role = "muted"
    cut: list[str] = field(default_factory=list)

    def extent(self) -> QRectF:
        found = QRectF()
        for box, *_ in self.texts:
            found |= box
        return found

    def draw(self, painter: QPainter, look: Look) -> None:
        for box, text, font, role, _ in self.texts:
            words.write(painter, box, text, font, look.colour(role or self.role), self.align)

    def hover(self, at: QPointF) -> Iterator[str]:
        return (whole for box, text, _, _, whole in self.texts if text != whole and box.contains(at))


def stride(count: int, pitch: float, needed: float) -> int:
    """Every how many labels one is shown."""
    least = max(1.0, needed / max(pitch, 1e-6), 1.0 if count <= FEW else count / FEW)
    return next((step for step in _NICE if step >= least - 1e-9), max(1, count))


def row_labels(
    texts: tuple[str, ...], box: QRectF, first: int, picked: dict[int, Role], look: Look, bounds: QRectF
) -> RowLabels:
    """Left of the rows, flush right."""
    pitch = box.height() / len(texts)
    font, strong = look.font("small"), look.font("small", bold=True)
    line = words.cap(font) * 1.45
    gap = look.share(0.8)
    room = max(8.0, box.left() - gap - bounds.left())
    step = stride(len(texts), pitch, line)
    found = RowLabels([], words.RIGHT)
    for index, text in enumerate(texts):
        role = picked.get(index)
        near = any(0 < abs(index - other) * pitch < line for other in picked)
        if role is None and ((first + index) % step or near):
            continue
        base = strong if role else font
        used, shown = words.fit(text, base, room, look.least)
        if shown != text:
            found.cut.append(text)
        middle = box.top() + (index + 0.5) * pitch
        high = words.height(used)
        found.texts.append((QRectF(bounds.left(), middle - high / 2, room, high), shown, used, role, text))
    return found


def column_labels(
    texts: tuple[str, ...], box: QRectF, first: int, picked: dict[int, Role], look: Look, bounds: QRectF
) -> RowLabels:
    """Above the columns, centred."""
    pitch = box.width() / len(texts)
    font, strong = look.font("small"), look.font("small", bold=True)
    widest = max(words.width(font, text) for text in texts)
    pad = look.share(0.5)
    short = widest <= 4 * words.width(font, "0")
    # Numbers are left out where they touch, words where every second one then stands whole; else words are shrunk and
    # elided as long as three letters have room.
    smallest = widest * look.least / max(font.pixelSize(), 1) + pad
    thinned = short or pitch < 3 * look.least or pitch < smallest <= 2 * pitch
    step = stride(len(texts), pitch, widest + pad if thinned else 0.0)
    room = max(pitch * step - pad, 4.0)
    found = RowLabels([], words.CENTRE)
    high = words.height(font)
    top = box.top() - high - look.share(0.25)
    for index, text in enumerate(texts):
        role = picked.get(index)
        near = any(0 < abs(index - other) * pitch < widest + pad for other in picked) and step > 1
        if role is None and ((first + index) % step or near):
            continue
        used, shown = words.fit(text, strong if role else font, room, look.least)
        if shown != text:
            found.cut.append(text)
        wide = max(room, words.width(used, shown))
        middle = box.left() + (index + 0.5) * pitch
        found.texts.append((QRectF(middle - wide / 2, top, wide, high), shown, used, role, text))
    return found
