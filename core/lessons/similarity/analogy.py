"""Analogies: what lies nearest to a − b + c, with the words of the question shown and struck out."""

from __future__ import annotations

import numpy as np

from core.lessons.similarity.analogy_worked import PLACES, Question, analogy_worked, name_of, rows_asked
from core.lessons.similarity.facts import Floats, rows_of
from core.lessons.similarity.lists import hint_label
from core.lessons.similarity.neighbours import HIGH
from core.lessons.similarity.solved import Solved, parts
from core.lessons.similarity.state import SimilarityState, Word, clipped, find, spelling_notes
from core.stage import frame as marks
from core.stage.frame import (
    Anchor,
    Axis,
    Bars,
    Cell,
    Curve,
    Frame,
    Label,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
    Region,
    Vectors,
    Worked,
)
from core.stage.numbers import count, number
from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.words import segments
from core.tables.table import Table


def analogy_frame(
    state: SimilarityState, table: Table, asked: Question, solved: Solved | None, hoped: Word, name: str, notice: str
) -> Frame:
    """``solved`` is None while the table is searched."""
    words = {key: clipped(entry.shown, 14) for key, entry in zip(("plus", "minus", "other"), asked, strict=True)}
    subtitle = text(f"similarity.subtitle.analogy.{state.method}", **words)
    choice = segments("similarity", state, "view")
    if solved is None or not solved.rows:
        sentence = text("similarity.searching" if solved is None else "similarity.cancelled")
        panel = Panel("bars_panel", Cell(0, 0, 12, 12), (hint_label("bars_hint", sentence),), choice=choice)
        title = text("similarity.title.analogy_asked", **words)
        alt = text("similarity.alt.analogy_asked", table=name, **words)
        return Frame(title, subtitle, (panel,), Worked(), alt, computing=solved is None, notice=notice)
    picked = picked_answer(state, table, solved)
    best = name_of(table, solved.rows[0])
    wrong = solved.rank is not None and solved.rank > 1
    key = "similarity.title.analogy_failed" if wrong else "similarity.title.analogy"
    answers = ", ".join(
        text("similarity.spoken_score", word=name_of(table, row), value=number(score, PLACES))
        for row, score in zip(solved.rows, solved.scores, strict=True)
    )
    dropped = ", ".join(name_of(table, row) for row, _ in solved.dropped) or text("similarity.none")
    main = _bars_panel(state, table, solved, picked, hoped if wrong else None)
    row = solved.rows[picked]
    panels = (
        main,
        _answer_panel(state, table, words, row, solved.scores[picked]),
        _plane_panel(state, table, asked, row, words),
        _methods_panel(state, table, solved),
    )
    return Frame(
        text(key, best=best, hoped=clipped(hoped.shown, 14), **words),
        subtitle,
        panels,
        analogy_worked(state, table, asked, solved, picked, hoped if wrong else None),
        text("similarity.alt.analogy", table=name, answers=answers, dropped=dropped, **words),
        notice=notice,
    )


def picked_answer(state: SimilarityState, table: Table, solved: Solved) -> int:
    """Which answer is looked at: the second word where it is one of them, else the best."""
    for row in (find(table, state.second), find(table, state.second, in_a_list=True)):
        if row in solved.rows:
            return solved.rows.index(row)
    return 0


# --- pictures --------------------------------------------------------------------------------------------------------


def _bars_panel(state: SimilarityState, table: Table, solved: Solved, picked: int, hoped: Word | None) -> Panel:
    """Answers as bars; the question's own words stand among them, hatched and struck out."""
    entries = [(score, rank, row) for rank, (row, score) in enumerate(zip(solved.rows, solved.scores, strict=True))]
    entries += [(score, -1, row) for row, score in solved.dropped]
    entries.sort(key=lambda entry: (-entry[0], entry[1]))
    slots = {rank: slot for slot, (_, rank, _) in enumerate(entries) if rank >= 0}
    ranks = np.array([slots[rank] for rank in range(len(solved.rows))], dtype=np.float64)
    scores = np.array(solved.scores)
    high = max(1.0, *(score for score, _, _ in entries))
    low = min(0.0, float(scores.min()), solved.hoped_score if hoped is not None else 0.0)
    n: float = len(entries) + (1.5 if hoped is not None else 0.0)
    labels = tuple(number(score, PLACES) for score in solved.scores)
    shown: list[Mark] = [Bars("bars", ranks, scores, "what", width=HIGH, labels=labels, picked=picked, horizontal=True)]
    size: Size = "label" if n <= 14 else "small"
    longest = max(len(name_of(table, row)) for _, _, row in entries)
    room = (0.06 + 0.034 * max(longest, len(hoped.shown) if hoped is not None else 0)) * (high - low)
    at = low - 0.015 * (high - low)
    for slot, (score, rank, row) in enumerate(entries):
        chosen = rank == picked
        role: Role = "what" if chosen else "muted" if rank < 0 else "text"
        shown.append(Label(f"name_{slot}", at, slot, name_of(table, row), size, role, "right", bold=chosen))
        if rank < 0:
            shown += _struck(slot, score, high - low)
    if hoped is not None:
        last = n - 1.0
        height = np.array([solved.hoped_score])
        shown.append(Bars("hoped", np.array([last]), height, "warn", width=HIGH, horizontal=True))
        says = text("similarity.hoped", score=number(solved.hoped_score, PLACES), rank=count(solved.rank or 0))
        end = max(solved.hoped_score, 0.0) + 0.015 * (high - low)
        shown.append(Label("says_hoped", end, last, says, size, "warn", "left", mono=True))
        shown.append(Label("name_hoped", at, last, clipped(hoped.shown, 14), size, "warn", "right", bold=True))
    names = [name_of(table, row) for _, _, row in entries]
    told = [text("similarity.caption.dropped")] if solved.dropped else []
    told += [text("similarity.caption.hoped")] if hoped is not None else []
    marked = spelling_notes(tuple(names))
    # A row without a space may answer although the question has the row with it.
    struck = {name for name, (_, rank, _) in zip(names, entries, strict=True) if rank < 0}
    twins = [name for name in names if "␣" + name in struck and name not in struck]
    marked += [text("similarity.caption.twin", word=name) for name in twins[:1]]
    notes = [" · ".join(part) for part in (told, marked) if part]
    return Panel(
        "bars_panel",
        Cell(0, 0, 12, 7),
        tuple(shown),
        caption="\n".join(notes),
        x=Axis(low - room, low + (high - low) * 1.24),
        y=Axis(-0.6, n - 0.4),
        invert_y=True,
        choice=segments("similarity", state, "view"),
    )


def _struck(slot: int, score: float, span: float) -> list[Mark]:
    """A word of the question: a hatched bar, a line through it, and what it is."""
    end = max(score, 0.02 * span)
    low, high = np.full(2, slot - HIGH / 2), np.full(2, slot + HIGH / 2)
    return [
        Region(f"dropped_{slot}", np.array([0.0, end]), low, high, "muted", hatched=True),
        Curve(f"strike_{slot}", np.array([0.0, end]), np.full(2, float(slot)), "text", "line"),
        Label(f"why_{slot}", end + 0.015 * span, slot, text("similarity.query_word"), "small", "muted", "left"),
    ]


def _answer_panel(state: SimilarityState, table: Table, words: dict[str, str], row: int, score: float) -> Panel:
    notation = "product" if state.notation == "sum" and state.method == "3CosMul" else state.notation
    asked = text(f"similarity.question.{notation}", **words)
    name = name_of(table, row, 12)
    size: Size = "number" if len(name) <= 8 else "title"
    written = number(score, PLACES)
    readouts = (
        Readout("answer", name, asked, "what", size),
        Readout("score", written, text("similarity.methods.score"), "text", "title"),
    )
    return Panel("answer_panel", Cell(0, 7, 3, 5), readouts=readouts)


def _methods_panel(state: SimilarityState, table: Table, solved: Solved) -> Panel:
    head = (text("similarity.methods.way"), text("similarity.methods.answer"), text("similarity.methods.score"))
    rows = [
        (text(f"similarity.methods.{method}"), name_of(table, row, 12), number(score, PLACES))
        for method, row, score in solved.bests
    ]
    names = [method for method, _, _ in solved.bests]
    picked = 1 + names.index(state.method) if state.method in names else -1
    table_mark = marks.Table(
        "methods",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        widths=(2.3, 1.4, 0.9),
        picked=picked,
        picked_role="what",
        align=("left", "left", "right"),
    )
    return Panel("methods_panel", Cell(8, 7, 4, 5), (table_mark,), invert_y=True)


def _plane_panel(state: SimilarityState, table: Table, asked: Question, row: int, words: dict[str, str]) -> Panel:
    """The plane through the three rows, on which a − b + c closes a parallelogram; the answer as its shadow."""
    one, minus, other = parts(table, rows_asked(asked), state.method)
    answer = rows_of(table, (row,))[0]
    if state.method != "rows":
        answer = answer / (float(np.sqrt(answer @ answer)) or 1.0)
    across, up = _plane(one - minus, other - minus)
    places = np.array([[(point - minus) @ across, (point - minus) @ up] for point in (one, minus, other, answer)])
    goal = places[0] + places[2]
    x, y = np.vstack([places[:3], goal]).T  # plus, minus, other and where the same step leads from other
    edges = np.array([0.0, x[2], x[3], x[0]]), np.array([0.0, y[2], y[3], y[0]])
    shown: list[Mark] = [
        Curve("side", *edges, "control", "thin", "dash", breaks=(2,)),
        Vectors("step", x[[1, 2]], y[[1, 2]], x[[0, 3]], y[[0, 3]], "where"),
        # The answer lies below the corners: it is the larger dot.
        Points("reached", places[3:, 0], places[3:, 1], "what", size=1.4),
        Points("corners", x[:3], y[:3], "text"),
        Points("goal", x[3:], y[3:], "where", size=1.3, shape="ring"),
    ]
    sides: tuple[tuple[str, int, Anchor], ...] = (("plus", 0, "left"), ("minus", 1, "right"), ("other", 2, "right"))
    for key, corner, side in sides:
        off = (0.03 if side == "left" else -0.03) * float(x.max() - x.min())
        shown.append(Label(f"corner_{key}", float(x[corner]) + off, float(y[corner]), words[key], "small", anchor=side))
    every = np.vstack([places, goal])
    low, high = every.min(axis=0), every.max(axis=0)
    span = np.maximum(high - low, 1e-9 + 0.3 * float((high - low).max()))
    middle = (low + high) / 2
    scale = 1.9 * span[0], 1.5 * span[1]
    name = name_of(table, row)
    beside = _clear(places[3] / scale, [point / scale for point in (*places[:3], goal)], len(name))
    at = places[3] + np.array(_OFFSETS[beside]) * scale
    shown.append(Label("reached_name", float(at[0]), float(at[1]), name, "label", "what", beside, bold=True))
    return Panel(
        "plane_panel",
        Cell(3, 7, 5, 5),
        tuple(shown),
        title=text("similarity.panel.parallelogram", minus=words["minus"], plus=words["plus"]),
        caption=text(f"similarity.caption.{'product_plane' if state.method == '3CosMul' else 'flat_answer'}"),
        x=Axis(float(middle[0] - 0.95 * span[0]), float(middle[0] + 0.95 * span[0])),
        y=Axis(float(middle[1] - 0.75 * span[1]), float(middle[1] + 0.75 * span[1])),
        equal=True,
    )


# Where a label stands beside its dot, in shares of the panel.
_OFFSETS: dict[Anchor, tuple[float, float]] = {
    "left": (0.03, 0.0), "right": (-0.03, 0.0), "top": (0.0, -0.07), "bottom": (0.0, 0.07),
    "top left": (0.02, -0.05), "top right": (-0.02, -0.05), "bottom left": (0.02, 0.05), "bottom right": (-0.02, 0.05),
}  # fmt: skip


def _clear(dot: Floats, corners: list[Floats], letters: int) -> Anchor:
    """The side of a dot on which its label covers least of the parallelogram; all in shares of the panel.

    A line between dot and label counts as covered: the label would seem to belong to something else.
    """
    one, minus, other, goal = corners
    edges = [(minus, one), (other, goal), (minus, other), (one, goal)]
    line = np.concatenate([a + np.linspace(0, 1, 60)[:, None] * (b - a) for a, b in edges])
    wide, high = 0.024 * letters, 0.15

    def covered(side: Anchor) -> int:
        x, y = dot + np.array(_OFFSETS[side])
        left = x if "left" in side else x - wide if "right" in side else x - wide / 2
        low = y - high if "top" in side else y if "bottom" in side else y - high / 2
        right, top = left + wide, low + high
        if "top" in side or "bottom" in side:
            low, top = min(low, dot[1]), max(top, dot[1])
        inside = (line >= [left - 0.01, low]) & (line <= [right + 0.01, top])
        return int(inside.all(axis=1).sum())

    return min(_OFFSETS, key=covered)


def _plane(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Two directions at right angles in the plane of both vectors; zero where they are too few."""
    length = float(np.sqrt(one @ one))
    across = one / length if length > 1e-12 else np.zeros_like(one)
    rest = other - (other @ across) * across
    length = float(np.sqrt(rest @ rest))
    return across, rest / length if length > 1e-12 else np.zeros_like(one)
