"""A word list seen flat: principal component analysis, and what the flat picture loses."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.similarity.cloud import Cloud
from core.lessons.similarity.facts import Pair
from core.lessons.similarity.flat import Flat
from core.lessons.similarity.lists import hint_label, lines_of, measures, share_lines
from core.lessons.similarity.state import SimilarityState, Word, clipped, spelling_notes
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Curve,
    Frame,
    Legend,
    Mark,
    Matrix,
    Panel,
    Points,
    Readout,
    Rect,
    Worked,
)
from core.stage.numbers import count, number, percent
from core.stage.text import text
from core.stage.words import segments
from core.tables.table import Table

DARK = 0.4  # of the scale's length: left out at its dark end


def computing_frame(state: SimilarityState, table: Table, name: str, notice: str) -> Frame:
    """While a job projects the whole table."""
    hint = hint_label("map_hint", text("similarity.projecting", rows=count(table.rows), dim=table.dim))
    panel = Panel("map_panel", Cell(0, 0, 12, 12), (hint,), choice=segments("similarity", state, "view"))
    return Frame(
        text("similarity.title.projecting"),
        text("similarity.subtitle.whole", rows=count(table.rows), dim=table.dim),
        (panel,),
        Worked(),
        text("similarity.alt.projecting", rows=count(table.rows), table=name),
        computing=True,
        notice=notice,
    )


def map_frame(
    state: SimilarityState,
    table: Table,
    words: tuple[Word, ...],
    flat: Flat,
    pair: Pair | None,
    name: str,
    notice: str,
    cloud: Cloud | None = None,
) -> Frame:
    """The words on their own map, or with ``cloud`` on that of the whole table."""
    kept = sum(flat.shares)
    names = tuple(clipped(word.shown, 14) for word in words)
    share = percent(kept) if flat.total > 0 else number(math.nan)
    lost = len(flat.lost)
    known = sum(1 for other in flat.nearest if other >= 0)
    of = text("similarity.readout.of", dim=table.dim)
    readout = Readout("share", share, of, "what", "number")
    counted = Readout(
        "lost_count",
        text("similarity.readout.lost_value", lost=lost, known=known),
        text("similarity.readout.lost"),
        "text",
        "title",
    )
    metric = state.metric
    side = [Panel("share_panel", Cell(0, 8, 6, 4), readouts=(readout, counted))]
    side.append(measures(pair, Cell(6, 8, 6, 4), metric, "similarity.pick_two"))
    title = "similarity.title.map_exact" if flat.total > 0 and kept > 0.9995 else "similarity.title.map"
    alt = text(
        "similarity.alt.map",
        count=len(words),
        table=name,
        share=share,
        lost=lost,
        known=known,
        names=", ".join(names),
    )
    subtitle = text("similarity.subtitle.map", dim=table.dim)
    if cloud is not None:
        subtitle = text("similarity.subtitle.whole", rows=count(table.rows), dim=table.dim)
        drawn = count(table.rows - len(table.hidden_rows))
        title = "similarity.title.map_exact" if title.endswith("exact") else "similarity.title.whole"
        alt = text("similarity.alt.whole", rows=drawn) + " " + alt
    return Frame(
        text(title, share=share) if flat.total > 0 else text("similarity.title.map_point"),
        subtitle,
        (_map_panel(state, words, names, flat, pair, cloud), *side),
        Worked(lines_of(pair, metric, share_lines(kept, flat.variance, flat.total, (("share", ()),)))),
        alt,
        notice=notice,
    )


def _map_panel(
    state: SimilarityState,
    words: tuple[Word, ...],
    names: tuple[str, ...],
    flat: Flat,
    pair: Pair | None,
    cloud: Cloud | None,
) -> Panel:
    x, y = flat.points[:, 0], (flat.points[:, 1] if cloud is None else -flat.points[:, 1])
    place = {word.row: index for index, word in enumerate(words)}
    picked = tuple(
        dict.fromkeys(place[word.row] for word in ((pair.first, pair.second) if pair else ()) if word.row in place)
    )
    shown: list[Mark] = [_density(cloud)] if cloud is not None else []
    if state.lost and flat.lost:
        ends = np.array(sorted({tuple(sorted(two)) for two in flat.lost})).ravel()
        breaks = tuple(range(2, len(ends), 2))
        shown.append(Curve("lost", x[ends], y[ends], "text" if cloud else "control", "line", "dash", breaks=breaks))
    if len(picked) == 2:
        both = list(picked)
        shown.append(Curve("joined", x[both], y[both], "text", "line"))
    hover = tuple(
        text("similarity.hover.point", word=word.shown, other=words[other].shown) if other >= 0 else word.shown
        for word, other in zip(words, flat.nearest, strict=True)
    )
    shown.append(Points("points", x, y, "what", size=1.1, labels=names, picked=picked, hover=hover))
    # One place more than their sum is written with: two whole numbers may come to one less or one more.
    one, other = (percent(value, 1) for value in flat.shares)
    first = [text("similarity.caption.map", first=one, second=other)]
    if cloud is not None and cloud.outside:
        first.append(text("similarity.caption.outside", count=count(cloud.outside)))
    first += spelling_notes(names)
    second = []
    if state.lost and flat.lost:
        second.append(text("similarity.caption.map_lost"))
        doubled = sum((other, one) in flat.lost for one, other in flat.lost) // 2
        if doubled:  # as many words as ends, but fewer lines
            key = "one" if doubled == 1 else "more"
            second.append(text(f"similarity.caption.map_both.{key}", lines=doubled))
    if len(picked) == 2:
        (second if len(second) == 1 else first).append(text("similarity.caption.joined"))
    caption = "\n".join(" · ".join(part) for part in (first, second) if part)
    if cloud is not None:
        return _whole_panel(state, cloud, shown, caption, x, -y)
    reach = [max(float(np.abs(values).max(initial=0.0)), 1e-9) for values in (x, y)]
    # A list on one line still gets a picture with a height.
    high = max(reach[1], 0.25 * reach[0])
    wide = max(reach[0], 0.25 * reach[1])
    return Panel(
        "map_panel",
        Cell(0, 0, 12, 8),
        tuple(shown),
        caption=caption,
        x=Axis(-1.15 * wide, 1.25 * wide),
        y=Axis(-1.15 * high, 1.15 * high),
        equal=True,
        choice=segments("similarity", state, "view"),
    )


def _density(cloud: Cloud) -> Matrix:
    """How many rows lie in each cell, on a scale of powers of ten; cells without any have no colour."""
    rows, columns = cloud.counts.shape
    most = max(float(cloud.levels.max()), 0.3)
    top = -(cloud.bottom + rows * cloud.side)  # the panel's y points down, as in every panel with cells
    return Matrix(
        "density",
        ArraySource(cloud.levels),
        (0, rows),
        (0, columns),
        (-DARK * most, most),  # the darkest third of the scale would drown the words
        place=Rect(cloud.left, top, columns * cloud.side, rows * cloud.side),
        colours="amount",
        decimals=None,
        plain=cloud.empty,
        opacity=0.6,
    )


def _legend(cloud: Cloud) -> Legend:
    high = text("similarity.note.density", count=count(float(cloud.counts.max())))
    return Legend("amount", count(1), high, (DARK / (1 + DARK), 1.0))


def _whole_panel(state: SimilarityState, cloud: Cloud, shown: list[Mark], caption: str, x: Array, y: Array) -> Panel:
    rows, columns = cloud.counts.shape
    right, top = cloud.left + columns * cloud.side, cloud.bottom + rows * cloud.side
    wide, high = (float(value.max(initial=-1e300)) for value in (x, y))
    low_x, low_y = (float(value.min(initial=1e300)) for value in (x, y))
    return Panel(
        "map_panel",
        Cell(0, 0, 12, 8),
        tuple(shown),
        caption=caption,
        legend=_legend(cloud),
        x=Axis(min(cloud.left, low_x - cloud.side), max(right, wide + cloud.side)),
        y=Axis(-max(top, high + cloud.side), -min(cloud.bottom, low_y - cloud.side)),
        equal=True,
        invert_y=True,
        choice=segments("similarity", state, "view"),
    )
