"""One score map as marks, and the colour bar that all maps of a page share."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.lessons.compare.schemes import Product, Scores
from core.lessons.compare.words import said, score_text
from core.stage.frame import Array, ArraySource, Label, Mark, Matrix, Outline, Rect
from core.stage.numbers import MINUS, count, number

WIDE, HIGH, TOP = 0.955, 0.71, 0.24  # of a map in its field of one by one, and where it begins
NAME = 0.09  # where its name stands
ROUND = 100.0  # scores of more digits are not written into cells


def map_marks(
    key: str,
    title: str,
    source: Scores | Product,
    place: tuple[int, int],
    top: float,
    cell: tuple[int, int],
    labels: tuple[str, ...],
    shown: tuple[int, int],
    chosen: bool,
    hidden: Array | None,
    decimals: int = 1,
    columns: tuple[str, ...] = (),
) -> list[Mark]:
    """One map with its name above; a sentence across it where nothing of it exists, or all is off the scale."""
    x, y = float(place[0]), float(place[1])
    gone = hidden is not None and bool(hidden.all())
    beyond = off(source, shown, top) if hidden is None else ""
    if beyond:
        hidden = np.ones((shown[1] - shown[0],) * 2, dtype=bool)
    marks: list[Mark] = [
        Label(
            f"{key}_name", x, y + (NAME if columns else TOP - NAME), title,
            "label" if chosen else "small", "where" if chosen else "muted",
            "left", bold=chosen,
        ),
        Matrix(
            key,
            source,
            rows=shown,
            columns=shown,
            levels=(-top, top),
            place=Rect(x, y + TOP, WIDE, HIGH),
            decimals=_decimals(source, decimals),
            characters=decimals + 3,
            row_labels=labels if not place[0] else (),
            column_labels=columns,
            outlines=() if gone or beyond else (Outline(*cell, role="where"),),
            mask=hidden,
            picked_tile=0 if chosen else -1,
            hover=said("maps.hover", name=title) if not beyond else beyond.replace("\n", " "),
            row_names=labels,
            column_names=labels,
            scrolls=shown[1] - shown[0] < source.n,
        ),
    ]  # fmt: skip
    if gone:
        row = count(max(source.shift + shown[0], source.trained))
        marks.append(Label(f"{key}_gone", x + WIDE / 2, y + TOP + HIGH / 2, said("maps.no_row", row=row), "label",
                           "warn", bold=True))  # fmt: skip
    if beyond:
        marks.append(Label(f"{key}_off", x + WIDE / 2, y + TOP + HIGH / 2, beyond, "small", bold=True))
    return marks


def off(source: Scores | Product, shown: tuple[int, int], top: float) -> str:
    """The sentence across a raw index's map of which no cell is on the scale that all maps share."""
    if not isinstance(source, Scores) or source.scheme != "raw_index":
        return ""
    values = source.block(slice(*shown), slice(*shown))
    return "" if values.min() <= top else said("maps.off", low=score_text(float(values.min())))


def _decimals(source: Scores | Product, decimals: int) -> int | None:
    """Numbers of many digits have no room in a cell."""
    if not isinstance(source, Scores) or source.scheme != "raw_index":
        return decimals
    last = source.shift + source.n - 1
    largest = last * last / (source.d + 1) ** 0.5
    return decimals if largest < ROUND else 0 if largest < 100 * ROUND else None


def scale_marks(top: float, x: float, y: float, beyond: tuple[bool, bool] = (False, False)) -> list[Mark]:
    """The colour bar that all maps share; ≤ and ≥ where scores lie beyond its ends."""
    low, high = ("≤ " if beyond[0] else ""), ("≥ " if beyond[1] else "")
    left, wide, middle = x + 0.04, WIDE - 0.08, y + TOP + 0.4 * HIGH
    bar = ArraySource(_ramp(top))
    return [
        Label("scale_name", x + WIDE / 2, middle - 0.13, said("maps.scale"), "small", "muted", "bottom"),
        Matrix(
            "scale", bar, (0, 1), (0, bar.shape[1]), (-top, top), Rect(left, middle - 0.1, wide, 0.14), decimals=None
        ),
        Label("scale_low", left, middle + 0.06, f"{low}{MINUS}{number(top, 0)}", "small", "text", "top left"),
        Label("scale_zero", left + wide / 2, middle + 0.06, "0", "small", "text", "top"),
        Label("scale_high", left + wide, middle + 0.06, f"{high}+{number(top, 0)}", "small", "text", "top right"),
    ]


@lru_cache(maxsize=32)
def _ramp(top: float) -> Array:
    """The same array for the same scale: what does not change is not drawn again."""
    return np.linspace(-top, top, 61)[np.newaxis, :]
