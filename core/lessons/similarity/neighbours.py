"""The nearest rows of a whole table, best first, and which of them a flat map would lose."""

from __future__ import annotations

import numpy as np

from core.lessons.similarity.facts import Nearest, Pair, decimals
from core.lessons.similarity.flat import Around, around
from core.lessons.similarity.lists import hint_label, lines_of, measures, share_lines
from core.lessons.similarity.state import SimilarityState, Word, clipped, spelling_notes
from core.stage.frame import Array, Axis, Bars, Cell, Curve, Frame, Label, Mark, Panel, Points, Segments, Worked
from core.stage.numbers import count, number, percent
from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.words import segments
from core.tables.table import Table

HIGH = 0.66  # of a bar, in ranks


def neighbours_frame(
    state: SimilarityState,
    table: Table,
    word: Word,
    near: Nearest | None,
    pair: Pair | None,
    names: tuple[str, ...],
    name: str,
    notice: str,
) -> Frame:
    """``names``: the neighbours as they are shown, best first; ``near`` is None while they are being searched."""
    metric = state.metric
    shown = clipped(word.shown)
    subtitle = text(f"similarity.subtitle.neighbours.{metric}")
    if near is None or not near.rows:
        cells = (Cell(0, 0, 12, 8), Cell(0, 8, 12, 4))
        sentence = text("similarity.searching" if near is None else "similarity.nothing_near")
        bars = Panel("bars_panel", cells[0], (hint_label("bars_hint", sentence),), choice=_choice(state))
        panels = (bars, measures(pair, cells[1], metric))
        if near is None:
            title = text("similarity.title.searching", word=shown)
            alt = text("similarity.alt.searching", word=shown, rows=count(table.rows), table=name)
            return Frame(title, subtitle, panels, Worked(), alt, computing=True, notice=notice)
        title = text("similarity.title.no_neighbours", word=shown)
        alt = text("similarity.alt.no_neighbours", word=shown, table=name)
        return Frame(title, subtitle, panels, Worked(lines_of(pair, metric)), alt, notice=notice)
    assert word.row is not None
    flat = around(table, word.row, near.rows)
    lost = flat.lost if state.lost else ()
    picked = near.rows.index(pair.second.row) if pair is not None and pair.second.row in near.rows else -1
    places = decimals(table) if metric == "cosine" else 2
    listed = ", ".join(
        text("similarity.spoken_score", word=clipped(entry), value=number(float(score), places))
        for entry, score in zip(names, near.scores, strict=True)
    )
    measure = text(f"similarity.metric.{metric}")
    return Frame(
        text("similarity.title.neighbours", word=shown, names=", ".join(clipped(entry, 14) for entry in names[:3])),
        subtitle,
        (
            _bars_panel(state, near, lost, picked, names, places),
            measures(pair, Cell(0, 8, 5, 4), metric),
            _flat_panel(flat, lost, picked, (shown, *names)),
        ),
        Worked(lines_of(pair, metric) + share_lines(sum(flat.shares), flat.variance, flat.total)),
        text("similarity.alt.neighbours", word=shown, table=name, metric=measure, names=listed),
        notice=notice,
    )


def _choice(state: SimilarityState) -> Segments:
    return segments("similarity", state, "view")


def _bars_panel(
    state: SimilarityState, near: Nearest, lost: tuple[int, ...], picked: int, names: tuple[str, ...], places: int
) -> Panel:
    n = len(near.rows)
    low = min(0.0, float(near.scores.min()))
    high = max(float(near.scores.max()), near.average or 0.0, 0.0)
    high = 1.0 if state.metric == "cosine" else high or 1.0
    ranks = np.arange(n, dtype=np.float64)
    labels = tuple(number(float(score), places) for score in near.scores)
    shown: list[Mark] = [
        Bars("bars", ranks, near.scores, "what", width=HIGH, labels=labels, picked=picked, horizontal=True)
    ]
    notes = spelling_notes(names)
    if near.average is not None:
        low = min(low, near.average)
        shown.insert(0, Curve("average", np.full(2, near.average), np.array([-0.6, n - 0.4]), "muted", "line", "dot"))
        notes.insert(0, text("similarity.caption.average", value=number(near.average, places)))
    caption = [" · ".join(notes)] if notes else []
    if lost:
        shown.append(boxes("lost_bars", ranks[list(lost)], np.asarray(near.scores)[list(lost)], high - low))
        caption.append(text("similarity.caption.lost_bars"))
    # The names stand left of the bars, in the panel's own coordinates.
    room = (0.05 + 0.021 * max(len(clipped(entry, 16)) for entry in names)) * (high - low)
    size: Size = "label" if n <= 14 else "small"
    for rank, entry in enumerate(names):
        role: Role = "what" if rank == picked else "text"
        at = low - 0.015 * (high - low)
        shown.append(Label(f"name_{rank}", at, rank, clipped(entry, 16), size, role, "right", bold=rank == picked))
    return Panel(
        "bars_panel",
        Cell(0, 0, 12, 8),
        tuple(shown),
        caption="\n".join(caption),
        x=Axis(low - room, low + (high - low) * 1.1),
        y=Axis(-0.6, n - 0.4),
        invert_y=True,
        choice=_choice(state),
    )


def boxes(key: str, ranks: Array, ends: Array, span: float) -> Curve:
    """Dashed frames around some of the bars."""
    x, y = [], []
    for rank, end in zip(ranks.tolist(), ends.tolist(), strict=True):
        left, right = sorted((0.0, end))
        left -= 0.006 * span
        right -= 0.003 * span  # the number behind the bar stays clear of the frame
        top, bottom = rank - 0.5 * HIGH - 0.08, rank + 0.5 * HIGH + 0.08
        x += [left, right, right, left, left]
        y += [top, top, bottom, bottom, top]
    breaks = tuple(range(5, len(x), 5))
    return Curve(key, np.array(x), np.array(y), "text", "line", "dash", breaks=breaks)


def _flat_panel(flat: Around, lost: tuple[int, ...], picked: int, names: tuple[str, ...]) -> Panel:
    """The same rows on a flat map of their own, the asked word at its middle."""
    points = flat.points - flat.points[0]
    x, y = points[:, 0], points[:, 1]
    shown: list[Mark] = []
    if lost:
        ends = np.array([[0, 1 + rank] for rank in lost]).ravel()
        shown.append(Curve("lost", x[ends], y[ends], "control", "line", "dash", breaks=tuple(range(2, len(ends), 2))))
    labels = tuple(clipped(entry, 12) for entry in names)
    marked = (0, 1 + picked) if picked >= 0 else (0,)
    shown.append(Points("around", x, y, "what", labels=labels, picked=marked))
    low, top = points.min(axis=0), points.max(axis=0)
    span = np.maximum(top - low, 1e-9 + 0.3 * float((top - low).max()))
    middle = (low + top) / 2
    return Panel(
        "around_panel",
        Cell(5, 8, 7, 4),
        tuple(shown),
        title=text("similarity.panel.around", share=percent(sum(flat.shares))),
        x=Axis(float(middle[0] - 0.62 * span[0]), float(middle[0] + 0.72 * span[0])),
        y=Axis(float(middle[1] - 0.66 * span[1]), float(middle[1] + 0.62 * span[1])),
        equal=True,
    )
