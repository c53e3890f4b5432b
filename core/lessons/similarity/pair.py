"""Two words: the plane through both rows with the true angle, and the rows with their products."""

from __future__ import annotations

import numpy as np

from core.lessons.similarity.arithmetic import Progress, progress, steps, worked
from core.lessons.similarity.facts import Pair
from core.lessons.similarity.plane import plane
from core.lessons.similarity.state import METRICS, SimilarityState, clipped
from core.stage.frame import (
    ArraySource,
    Axis,
    Cell,
    Frame,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
    Readout,
    Rect,
)
from core.stage.numbers import count, number, short
from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.words import segments


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


_KINDS = (  # of the titles, by the least cosine
    (0.9, "same"),
    (0.5, "similar"),
    (0.2, "little"),
    (-0.1, "nearly_right"),
    (-0.5, "apart"),
    (-2.0, "away"),
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
        kind = next(name for least, name in _KINDS if pair.cosine >= least)
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


# --- the numbers -----------------------------------------------------------------------------------------------------


def _strips(pair: Pair) -> Panel:
    """Both rows whole, as colours; the columns that are written out are framed."""
    level = float(np.abs(pair.rows).max(initial=0.0)) or 1.0
    outlines = tuple(Outline(0, column, 2, 1, "text") for column in sorted(pair.terms)) if pair.dim <= 128 else ()
    names = (clipped(pair.first.shown, 14), clipped(pair.second.shown, 14))
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
        products[0, -1] = pair.shown_rest
        blank[:, -1] = True
        labels.append(f"+{count(pair.others)}")
    waiting = np.zeros((1, wide), dtype=bool)
    waiting[0, at.added :] = True
    level = float(np.abs(rows).max()) or 1.0
    product_level = float(np.abs(products).max()) or 1.0
    lit = at.added - 1 if at.playing and not at.lengths else -1
    outlines = (Outline(0, lit, 2, 1, "what"),) if 0 <= lit < shown else ()
    names = (clipped(pair.first.shown, 14), clipped(pair.second.shown, 14))
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
        # A long sum is written smaller: its cells need room for as many digits.
        size: Size = "title" if len(total) <= 5 else "heading"
        room = (0.07 if size == "title" else 0.045) * wide * (len(total) + 2)
        marks.append(Label("sum", wide + 0.12, 2.75, f"= {total}", size, "what", "left", bold=True))
    return Panel(
        "numbers",
        cell,
        tuple(marks),
        title=heading,
        caption=text("similarity.caption.numbers"),
        x=Axis(0.0, wide + room),
        y=Axis(0.0, 3.3),
        invert_y=True,
    )
