"""Where the parts of the product stand, and how they move."""

from __future__ import annotations

from core.lessons.lookup.scene import Scene
from core.stage.frame import Rect
from core.stage.motion import ease
from core.values import dataclass

WIDE = 100.0  # the panel's width in its own coordinates …
HIGH = 32.0  # … and its height
LARGE = 24.0  # the width of a large table's window, and of the row that slides out of it
LETTER = 1.1  # a letter's width beside a row, in these coordinates (in a window of 4 to 3)


@dataclass(frozen=True, slots=True)
class Motion:
    """How the animation stands: opacities from 0 to 1, and how far the row has slid."""

    others: float = 1.0  # the rows and zeros that are multiplied away
    result: float = 1.0
    slide: float = 1.0
    bright: bool = False  # all rows in colour: the whole product is looked at
    moving: bool = False


def motion(progress: float) -> Motion:
    """At 0 and at 1 the finished picture; between them first all of the product, then the zeros go, then the row
    slides out."""
    if progress <= 0.0 or progress >= 1.0:
        return Motion()
    beat, share = divmod(3.0 * progress, 1.0)
    share = ease(share)
    if beat == 0:
        return Motion(result=1.0 - share, bright=True, moving=True)
    if beat == 1:
        return Motion(others=1.0 - 0.85 * share, result=0.0, bright=True, moving=True)
    return Motion(others=0.15 + 0.85 * share * share, slide=share, moving=True)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts stand."""

    onehot: Rect
    times: float
    table: Rect
    equals: float
    result: Rect
    head: float  # the headings' y


def places(scene: Scene, labels: tuple[str, ...]) -> Places:
    """One-hot and E from left to right, around one middle line; the result beside the row that it is: level with the
    middle it could be read as the middle row."""
    rows, columns = scene.rows[1] - scene.rows[0], scene.columns[1] - scene.columns[0]
    top = 5.0 if scene.small else 6.4 if scene.card_rows < 6 else 7.6
    cell = min((HIGH - 0.4 - top) / rows, 6.4)
    top += (HIGH - 0.4 - top - cell * rows) / 2
    middle = top + cell * rows / 2
    longest = max((len(label) for label in labels), default=0)
    beside = LETTER * longest + 1.2 if longest else 0.0
    dots = 0.0 if scene.small else 2.6  # where the parts go on beyond the window
    wide = min(32.0, 11.0 * columns) if scene.small else LARGE
    result_wide = min(9.0 * columns, 31.0) if scene.small else LARGE
    onehot = (
        Rect(dots, middle - 2.6, min(5.2 * rows, 20.8), 5.2) if scene.small else Rect(dots, middle - 2.2, 11.0, 4.4)
    )
    high = 2.6 if scene.dense else cell
    level = middle
    if scene.row is not None and scene.row_in_window:
        level = top + cell * (scene.row - scene.rows[0] + 0.5)
    result = Rect(WIDE - dots - result_wide, level - high / 2, result_wide, high)
    # What is left is shared out on both sides of E.
    before, after = onehot.x + onehot.width + dots, result.x - dots
    room = after - before - beside - wide - dots
    table = Rect(before + room / 2 + beside, top, wide, cell * rows)
    return Places(onehot, before + room / 4, table, (table.x + wide + dots + after) / 2, result, 1.2)
