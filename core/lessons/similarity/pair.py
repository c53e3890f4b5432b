"""Two words: the plane through both rows with the true angle, and the rows with their products."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.similarity.arithmetic import Progress, progress, steps, worked
from core.lessons.similarity.facts import Pair
from core.lessons.similarity.state import METRICS, SimilarityState, clipped
from core.stage.frame import (
    Anchor,
    Array,
    ArraySource,
    Axis,
    Cell,
    Curve,
    Frame,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
    Readout,
    Rect,
    Region,
    Segments,
    Vectors,
)
from core.stage.numbers import count, number, short
from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.words import segments

_ARC = np.linspace(0.0, math.pi, 91)
_RING = (np.cos(_ARC), np.sin(_ARC))
_WEDGE = 0.36  # radius of the angle's wedge; the longer row has length 1


def frame(state: SimilarityState, pair: Pair, table: str, notice: str) -> Frame:
    at = progress(pair, state.terms)
    names = {"first": clipped(pair.first.shown), "second": clipped(pair.second.shown)}
    choice = segments("similarity", state, "view")
    panels = [plane(pair, at, Cell(0, 0, 9 if pair.others else 12, 6), choice)]
    panels += [_strips(pair)] if pair.others else []
    panels += [readouts(pair, at, Cell(0, 6, 4, 6)), _numbers(pair, at, Cell(4, 6, 8, 6))]
    alt = text("similarity.alt.undefined", table=table, **names)
    if not at.divided:
        alt = text("similarity.alt.adding", added=at.added, whole=steps(pair), table=table, **names)
    elif pair.defined:
        alt = text(
            "similarity.alt.pair",
            table=table,
            cosine=pair.written("cosine"),
            dot=pair.written("dot"),
            distance=pair.written("distance"),
            angle=pair.written("angle"),
            **names,
        )
    return Frame(
        title(pair) if at.divided else text("similarity.title.adding", **names),
        text("similarity.subtitle.pair"),
        tuple(panels),
        worked(pair, "cosine", at, True),
        alt,
        notice=notice,
    )


def title(pair: Pair) -> str:
    """What the cosine says of the two, in words."""
    names = {"first": clipped(pair.first.shown), "second": clipped(pair.second.shown)}
    if not pair.defined:
        kind = "undefined"
    elif pair.first.row == pair.second.row:
        kind = "itself"
    elif pair.cosine == 0.0:
        kind = "right"
    else:
        limits = ((0.9, "same"), (0.5, "similar"), (0.2, "little"), (-0.1, "nearly_right"), (-2.0, "away"))
        kind = next(name for least, name in limits if pair.cosine >= least)
    return text(f"similarity.title.{kind}", **names)


def readouts(pair: Pair, at: Progress | None, cell: Cell, metric: str = "cosine") -> Panel:
    """The three measures of a pair; ``metric`` is the large one. ``at``: while playing, what is not added up waits."""
    ready = at is None or at.divided
    found = []
    for name in (metric, *(other for other in METRICS if other != metric)):
        large = name == metric
        summed = ready or (name == "dot" and at is not None and at.added == steps(pair))
        role: Role = "warn" if name == "cosine" and not pair.defined else "what" if large else "text"
        detail = ""
        if name == "cosine" and pair.defined and ready:
            detail = text("similarity.readout.angle", angle=pair.written("angle"))
        value = pair.written(name) if summed else "…"
        size: Size = "number" if large else "title"
        found.append(Readout(name, value, text(f"similarity.readout.{name}"), role, size, detail))
    return Panel("measures", cell, readouts=tuple(found))


# --- the plane -------------------------------------------------------------------------------------------------------


def plane(pair: Pair, at: Progress, cell: Cell, choice: Segments | None = None) -> Panel:
    """The half circle through the longer row's tip; the first row lies along its diameter."""
    longest = max(*pair.lengths, 1e-300)
    one, other = (length / longest for length in pair.lengths)
    cosine, sine = (math.cos(pair.angle), math.sin(pair.angle)) if pair.defined else (0.0, 1.0)
    marks: list[Mark] = [
        Curve("ground", np.array([-1.0, 1.0]), np.zeros(2), "control", "thin"),
        Curve("ring", *_RING, "control", "thin"),
        _ticks(),
    ]
    if pair.defined:
        marks.append(_wedge(pair.angle))
        if at.divided:
            if 0 < other < 0.97:
                x, y = np.array([other * cosine, cosine]), np.array([other * sine, sine])
                marks.append(Curve("extension", x, y, "muted", "thin", "dot"))
            marks.append(Curve("drop", np.full(2, cosine), np.array([sine, 0.0]), "muted", "line", "dash"))
            marks.append(Curve("reach", np.array([0.0, cosine]), np.full(2, -0.1), "text", "bold"))
    if one > 0:
        marks.append(_arrow("first", one, 0.0, "what"))
    if other > 0:
        marks.append(_arrow("second", other * cosine, other * sine, "text"))
    names = tuple(clipped(entry.shown, 14 if choice else 8) for entry in (pair.first, pair.second))
    marks += _names(pair, cosine, sine, names, "heading" if choice else "label")
    # A long name at the line's end needs room beside the ring.
    longest_name = max(len(names[0]), len(names[1]) if cosine > 0.35 else 0)
    right = 1.15 + (0.07 if choice else 0.13) * longest_name
    if pair.defined:
        marks.append(_angle(pair))
        if at.divided:
            marks.append(_shadow(pair, cosine))
    return Panel(
        "plane",
        cell,
        tuple(marks),
        title="" if choice else text("similarity.panel.plane"),
        caption=text("similarity.caption.plane") if choice else "",
        x=Axis(-1.15, right),
        y=Axis(-0.3, 1.2),
        equal=True,
        choice=choice,
    )


def _arrow(key: str, x: float, y: float, role: str) -> Vectors:
    zero = np.zeros(1)
    return Vectors(key, zero, zero, np.array([x]), np.array([y]), "what" if role == "what" else "text", "bold")


def _ticks() -> Curve:
    """A stroke on the ring every 30 degrees."""
    angles = np.arange(0, 181, 30) * math.pi / 180
    x = np.column_stack([0.97 * np.cos(angles), 1.03 * np.cos(angles)]).ravel()
    y = np.column_stack([0.97 * np.sin(angles), 1.03 * np.sin(angles)]).ravel()
    return Curve("ring_ticks", x, y, "control", "thin", breaks=tuple(range(2, len(x), 2)))


def _wedge(angle: float) -> Region:
    """The sector from the first row's direction to the second's."""
    x = np.linspace(_WEDGE * min(math.cos(angle), 0.0), _WEDGE, 49)
    circle = np.sqrt(np.maximum(_WEDGE**2 - x**2, 0.0))
    low: Array = np.zeros(len(x))
    high: Array = circle
    # Where the second row's own line, x tan(angle), bounds the sector; at a right angle it lies on x = 0.
    if angle < math.pi / 2:
        high = np.minimum(circle, x * math.tan(angle))
    elif abs(angle - math.pi / 2) > 1e-9:
        low = np.where(x < 0.0, np.clip(x * math.tan(angle), 0.0, circle), 0.0)
    return Region("wedge", x, low, high, "muted")


def _names(pair: Pair, cosine: float, sine: float, names: tuple[str, ...], size: Size) -> list[Mark]:
    x, y = 1.06 * cosine, max(1.06 * sine, 0.06)
    role: Role = "text"
    side: Anchor = "bottom" if cosine > -0.6 else "bottom right"
    if pair.lengths[1] <= 0:
        x, y, role = 0.0, 0.12, "warn"
    elif cosine > 0.35:
        # Nearly parallel arrows: the second name stays clear of the first.
        y = max(y, 0.13)
        side = "bottom left" if y < 0.2 else "left"
    return [
        Label("first_name", 1.06, 0.0, names[0], size, "what", "left", bold=True),
        Label("second_name", x, y, names[1], size, role, side, bold=True),
    ]


def _angle(pair: Pair) -> Label:
    # Between the arrows where the dashed line leaves room, else on the far side of the second one.
    middle, radius = pair.angle / 2, 0.5
    if pair.angle < math.radians(75):
        middle = pair.angle + math.radians(18) + pair.angle / 8
    x, y = radius * math.cos(middle), radius * math.sin(middle)
    return Label("angle", x, y, pair.written("angle"), "label", "text", bold=True)


def _shadow(pair: Pair, cosine: float) -> Label:
    written = text("similarity.shadow", cosine=pair.written("cosine"))
    at = min(max(cosine / 2 if abs(cosine) > 0.3 else cosine, -1.0), 1.0)
    return Label("shadow", at, -0.13, written, "label", "text", "top", bold=True)


# --- the numbers -----------------------------------------------------------------------------------------------------


def _strips(pair: Pair) -> Panel:
    """Both rows whole, as colours; the columns that are written out are framed."""
    level = float(np.abs(pair.rows).max(initial=0.0)) or 1.0
    outlines = tuple(Outline(0, column, 2, 1, "text") for column in sorted(pair.terms)) if pair.dim <= 128 else ()
    names = (clipped(pair.first.shown, 12), clipped(pair.second.shown, 12))
    strip = Matrix(
        "strips",
        ArraySource(pair.rows),
        (0, 2),
        (0, pair.dim),
        (-level, level),
        decimals=None,
        row_labels=names,
        outlines=outlines,
        hover=text("similarity.hover.strip"),
        row_names=names,
    )
    return Panel(
        "strips_panel",
        Cell(9, 0, 3, 6),
        (strip,),
        title=text("similarity.panel.strips", count=pair.dim),
        note=text("similarity.note.signed", level=short(level, 2)),
        x=Axis(0.0, float(pair.dim)),
        y=Axis(0.0, 2.0),
        invert_y=True,
    )


def _numbers(pair: Pair, at: Progress, cell: Cell) -> Panel:
    """The factors that are written out, one column a term, and their products below; the others' sum at the end."""
    shown, extra = len(pair.terms), 1 if pair.others else 0
    wide = shown + extra
    rows = np.zeros((2, wide))
    rows[:, :shown] = pair.factors
    products = np.zeros((1, wide))
    products[0, :shown] = pair.products
    blank = np.zeros((2, wide), dtype=bool)
    labels = [count(column) for column in pair.terms]
    if extra:
        products[0, -1] = round(pair.rest, pair.product_places)
        blank[:, -1] = True
        labels.append(f"+{count(pair.others)}")
    waiting = np.zeros((1, wide), dtype=bool)
    waiting[0, at.added :] = True
    level = float(np.abs(rows).max()) or 1.0
    product_level = float(np.abs(products).max()) or 1.0
    lit = at.added - 1 if at.playing and not at.lengths else -1
    outlines = (Outline(0, lit, 2, 1, "what"),) if 0 <= lit < shown else ()
    names = (clipped(pair.first.shown, 12), clipped(pair.second.shown, 12))
    marks: list[Mark] = [
        Matrix(
            "rows",
            ArraySource(rows),
            (0, 2),
            (0, wide),
            (-level, level),
            place=Rect(0.0, 0.0, wide, 2.0),
            decimals=pair.places,
            row_labels=names,
            column_labels=tuple(labels),
            outlines=outlines,
            mask=blank if extra else None,
            mask_text="…",
            separate=True,
        ),
        Matrix(
            "products",
            ArraySource(products),
            (0, 1),
            (0, wide),
            (-product_level, product_level),
            place=Rect(0.0, 2.25, wide, 1.0),
            decimals=pair.product_places,
            row_labels=(text("similarity.product"),),
            outlines=(Outline(0, lit, 1, 1, "what"),) if lit >= 0 else (),
            mask=waiting if waiting.any() else None,
            separate=True,
        ),
    ]
    room = 0.0
    heading = text("similarity.panel.terms", shown=shown, more=pair.others)
    if not extra:
        heading = text("similarity.panel.all_terms")
        total = pair.written("dot")
        if at.added < steps(pair):
            total = number(float(pair.products[: at.added].sum()), pair.product_places)
        room = 0.07 * wide * (len(total) + 2)
        marks.append(Label("sum", wide + 0.12, 2.75, f"= {total}", "title", "what", "left", bold=True))
    return Panel(
        "numbers",
        cell,
        tuple(marks),
        title=heading,
        x=Axis(0.0, wide + room),
        y=Axis(0.0, 3.3),
        invert_y=True,
    )
