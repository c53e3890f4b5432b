"""Many words at once: every pair of a list as a matrix."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import numpy as np

from core.lessons.similarity.arithmetic import Lights, progress, worked
from core.lessons.similarity.curated import KIND_OF
from core.lessons.similarity.facts import Grid, Pair, decimals, shared_places
from core.lessons.similarity.pair import readouts
from core.lessons.similarity.state import SimilarityState, clipped, spelling_notes
from core.stage import frame as marks
from core.stage.frame import (
    ArraySource,
    Axis,
    Cell,
    Frame,
    Label,
    Legend,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Term,
    Worked,
)
from core.stage.numbers import number, percent, short
from core.stage.text import text
from core.stage.words import segments
from core.tables.table import Table

EXTREMES = 3  # pairs listed at each end


def lines_of(pair: Pair | None, metric: str, before: tuple[Line, ...] = ()) -> tuple[Line, ...]:
    return worked(pair, metric, progress(pair, 0.0), False, before).lines if pair is not None else before


def measures(pair: Pair | None, cell: Cell, metric: str, hint: str = "similarity.pick") -> Panel:
    """The picked pair's three measures, or how to pick one."""
    if pair is None:
        return Panel("measures", cell, (hint_label("measures_hint", text(hint)),))
    names = {"first": clipped(pair.first.shown, 14), "second": clipped(pair.second.shown, 14)}
    return dataclasses.replace(readouts(pair, None, cell, metric), title=text("similarity.panel.pair", **names))


def share_lines(kept: float, variance: tuple[float, float], total: float, lights: Lights = ()) -> tuple[Line, ...]:
    """The share of the spread that a map keeps: variance along its two axes over all variance."""
    if total <= 0:
        return ()
    places = 3 if total < 10 else 2
    one, other, whole = (number(value, places) for value in (*variance, total))
    values = [round(value, places) for value in (*variance, total)]
    calculated = 100 * (values[0] + values[1]) / values[2] if values[2] else math.nan
    relation = " = " if math.isfinite(calculated) and round(calculated) == round(100 * kept) else " ≈ "
    written = text("similarity.worked.share", one=one, other=other, whole=whole)
    return ((Term(written + relation), Term(percent(kept), "what", lights, True)),)


def hint_label(key: str, sentence: str) -> Label:
    return Label(key, 0.5, 0.5, sentence, "label", "muted")


def matrix_frame(state: SimilarityState, table: Table, grid: Grid, pair: Pair | None, name: str, notice: str) -> Frame:
    n = len(grid.words)
    names = tuple(clipped(word.shown, 12 if n <= 12 else 10) for word in grid.words)
    whole = tuple(word.shown for word in grid.words)
    values, metric = grid.values, state.metric
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    levels = (-1.0, 1.0) if metric == "cosine" else (0.0, largest) if metric == "distance" else (-largest, largest)
    exact = table.scales is None
    places = (decimals(table) if n <= 6 else 2) if metric == "cosine" or not exact else max(shared_places(values), 1)
    picked = _picked(grid, pair)
    # Of a pair's two cells the picked one is framed: among many words it has both its labels.
    outlines = (Outline(*picked, 1, 1, "text"),) if picked is not None else ()
    mark = Matrix(
        "matrix",
        ArraySource(values),
        (0, n),
        (0, n),
        levels,
        place=Rect(0.0, 0.0, n, n),
        colours="amount" if metric == "distance" else "signed",
        decimals=places,
        row_labels=names,
        column_labels=names,
        outlines=outlines,
        mask=grid.undefined if grid.undefined.any() else None,
        mask_text="–",
        hover=text("similarity.hover.matrix"),
        row_names=whole,
        column_names=whole,
    )
    low, high = (f"{short(level, 2)}" for level in levels)
    scale = Legend("amount" if metric == "distance" else "signed", low, high)
    main = Panel(
        "matrix_panel",
        Cell(0, 0, 12, 8),
        (mark,),
        caption=" · ".join(spelling_notes(whole)),
        legend=scale,
        x=Axis(0.0, float(n)),
        y=Axis(0.0, float(n)),
        invert_y=True,
        choice=segments("similarity", state, "view"),
    )
    near, far = _extremes(grid, metric)
    shown_places = decimals(table) if metric == "cosine" else 2
    alt = text(
        "similarity.alt.matrix",
        metric=text(f"similarity.metric.{metric}"),
        count=n,
        table=name,
        near=_spoken(grid, near, shown_places),
        far=_spoken(grid, far, shown_places),
    )
    title = "matrix_blocks" if state.order == "clustered" and in_blocks(grid) else "matrix" if n > 5 else "matrix_few"
    panels = (main, measures(pair, Cell(0, 8, 5, 4), metric), _list_panel(grid, near, far, shown_places))
    return Frame(
        text(f"similarity.title.{title}"),
        text(f"similarity.subtitle.matrix.{state.order}"),
        panels,
        Worked(lines_of(pair, metric)),
        alt,
        notice=notice,
    )


def in_blocks(grid: Grid) -> bool:
    """Whether the words are of kinds that the tab knows, two or more, and each kind stands together."""
    kinds = [KIND_OF.get(word.typed.strip().lower()) for word in grid.words]
    changes = sum(one != other for one, other in pairwise(kinds))
    return None not in kinds and 1 <= changes == len(set(kinds)) - 1


def _picked(grid: Grid, pair: Pair | None) -> tuple[int, int] | None:
    if pair is None:
        return None
    place = {word.row: index for index, word in enumerate(grid.words)}
    row, column = place.get(pair.first.row), place.get(pair.second.row)
    return None if row is None or column is None else (row, column)


def _extremes(grid: Grid, metric: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The pairs most alike and least alike, best first."""
    n = len(grid.words)
    sign = 1.0 if metric == "distance" else -1.0
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if not grid.undefined[i, j]]
    pairs.sort(key=lambda pair: (round(sign * float(grid.values[pair]), 9), pair))
    most = EXTREMES if len(pairs) >= 2 * EXTREMES else max(len(pairs) // 2, min(len(pairs), 1))
    return pairs[:most], pairs[::-1][:most] if len(pairs) > most else []


def _list_panel(grid: Grid, near: list[tuple[int, int]], far: list[tuple[int, int]], places: int) -> Panel:
    def entry(pair: tuple[int, int]) -> tuple[str, str]:
        one, other = (clipped(grid.words[index].shown, 12) for index in pair)
        return f"{one} · {other}", number(float(grid.values[pair]), places)

    shown: list[Mark] = []
    for key, pairs, top in (("most_alike", near, 0.0), ("least_alike", far, 0.53)):
        if pairs:
            rows = ((text(f"similarity.{key}"), ""), *(entry(pair) for pair in pairs))
            place = Rect(0.0, top, 1.0, 0.47 * len(rows) / (EXTREMES + 1))
            shown.append(marks.Table(key, rows, place, widths=(3.0, 1.2), align=("left", "right")))
    if not shown:
        shown.append(hint_label("list_hint", text("similarity.need_two")))
    return Panel("list_panel", Cell(5, 8, 7, 4), tuple(shown), invert_y=True)


def _spoken(grid: Grid, pairs: list[tuple[int, int]], places: int) -> str:
    if not pairs:
        return text("similarity.none")
    one, other = (clipped(grid.words[index].shown) for index in pairs[0])
    value = number(float(grid.values[pairs[0]]), places)
    return text("similarity.spoken", first=one, second=other, value=value)
