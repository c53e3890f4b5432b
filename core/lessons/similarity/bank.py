"""One row, several senses: what an input table cannot tell, and what a search embedding would be."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

import numpy as np

from core.encodings import similarity
from core.lessons.similarity.arithmetic import Lights
from core.lessons.similarity.facts import Floats, Pair, compared, decimals, rows_of
from core.lessons.similarity.lists import hint_label, lines_of
from core.lessons.similarity.neighbours import HIGH
from core.lessons.similarity.state import SimilarityState, Word, clipped, spelling_notes, word
from core.stage.frame import (
    Axis,
    Bars,
    Card,
    Cards,
    Cell,
    Frame,
    Label,
    Line,
    Mark,
    Panel,
    Readout,
    Rect,
    Term,
    Vectors,
    Worked,
)
from core.stage.numbers import MINUS, count, number
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments
from core.tables.table import Table
from core.values import dataclass

Groups = tuple[tuple[Word, ...], tuple[Word, ...]]
KEYS = ("mean_one", "mean_other")


@dataclass(frozen=True, eq=False)
class Senses:
    """The cosines of two groups of words to one row, in the order typed; NaN where a row is all zeros."""

    values: tuple[Floats, Floats]

    def mean(self, which: int, places: int) -> float:
        """The mean of the cosines as the bars print them."""
        known = self.values[which][~np.isnan(self.values[which])].round(places)
        return float(known.mean()) if len(known) else float("nan")


@lru_cache(maxsize=32)
def senses(table: Table, many: Word, groups: Groups) -> Senses:
    """Both groups against the one row."""
    assert many.row is not None
    query = rows_of(table, (many.row,))
    one, other = (
        similarity.cosine(rows_of(table, tuple(entry.row for entry in group if entry.row is not None)), query)[:, 0]
        if group
        else np.zeros(0)
        for group in groups
    )
    return Senses((one, other))


def picked_word(state: SimilarityState, table: Table, groups: Groups) -> Word | None:
    """The second word where it is in a group, else the first of the first group."""
    wanted = word(table, state.second, in_a_list=True).row
    words = (*groups[0], *groups[1])
    return next((entry for entry in words if entry.row == wanted), words[0] if words else None)


def bank_frame(
    state: SimilarityState,
    table: Table,
    many: Word,
    groups: Groups,
    name: str,
    notice: str,
    usual: float | None,
    waits: bool,
) -> Frame:
    """``usual``: what two rows of the table have in common on average; ``waits``: a job still reckons it."""
    found = senses(table, many, groups)
    places = decimals(table)
    chosen = picked_word(state, table, groups)
    pair: Pair | None = compared(table, many, chosen) if chosen is not None else None
    shown = clipped(many.shown, 14)
    heads = tuple(clipped(group[0].shown, 12) if group else text("similarity.none") for group in groups)
    written = tuple(number(found.mean(which, places), places) for which in (0, 1))
    there = tuple(which for which in (0, 1) if groups[which])
    # Near is more than what any two rows of the table have in common.
    near = not waits and all(found.mean(which, places) > (usual or 0.0) for which in (0, 1))
    key = "similarity.title.bank" if near else "similarity.title.bank_far"
    title = text(key, word=shown, one=heads[0], other=heads[1])
    means_said = [text("similarity.spoken_mean", value=written[which], head=heads[which]) for which in there]
    said = text("similarity.spoken_both", one=means_said[0], other=means_said[-1]) if len(there) == 2 else ""
    said = said or (means_said[0] if means_said else text("similarity.none"))
    alt = text("similarity.alt.bank", word=shown, table=name, means=said)
    main = _bars_panel(state, groups, found, chosen, heads, places, usual)
    readouts = tuple(
        Readout(KEYS[which], written[which], text("similarity.readout.mean", head=heads[which]), "text", "number")
        for which in there
    )
    lines = (
        _mean_line(key, head, values, mean, places)
        for key, head, values, mean in zip(KEYS, heads, found.values, written, strict=True)
    )
    means = tuple(line for line in lines if line is not None)
    measured = Panel("measures", Cell(0, 8, 7, 4), readouts=readouts)
    if not there:
        measured = Panel("measures", Cell(0, 8, 7, 4), (hint_label("measures_hint", text("similarity.no_words")),))
    return Frame(
        title,
        text("similarity.subtitle.bank"),
        (main, measured, _diagram(table, many)),
        Worked(_lines(pair, chosen, groups, means)),
        alt,
        computing=waits,
        notice=notice,
    )


def _lines(pair: Pair | None, chosen: Word | None, groups: Groups, means: tuple[Line, ...]) -> tuple[Line, ...]:
    """Both means, then the cosine of the chosen word; its result lights the word's bar."""
    bar: Lights = ()
    for key, group in zip(("one_sense", "other_sense"), groups, strict=True):
        if chosen in group and not bar:
            bar = ((key, (group.index(chosen),)),)
    return tuple(
        line
        if line in means
        else tuple(dataclasses.replace(term, lights=bar if ("cosine", ()) in term.lights else ()) for term in line)
        for line in lines_of(pair, "cosine", means)
    )


def _mean_line(key: str, head: str, values: Floats, mean: str, places: int) -> Line | None:
    """``mean: river words = (0.41 + 0.55 + …) / 5 = 0.41``; None where there is nothing to add."""
    known = values[~np.isnan(values)].tolist()
    if not known:
        return None
    terms = number(known[0], places)
    for value in known[1:]:
        written = number(value, places)
        minus = written.startswith(MINUS)
        terms += f" {MINUS} {written[1:]}" if minus else f" + {written}"
    written = f"({terms}) / {count(len(known))} = "
    start = text("similarity.worked.mean", head=head)
    if len(start + written + mean) > Worked.COLUMNS:
        start = text("similarity.worked.plain_mean")
    return (Term(start + written), Term(mean, "text", ((key, ()),), True))


def _bars_panel(
    state: SimilarityState,
    groups: Groups,
    found: Senses,
    chosen: Word | None,
    heads: tuple[str, ...],
    places: int,
    usual: float | None,
) -> Panel:
    """The two groups side by side on one scale; ``usual``: what two rows of the table score on average."""
    values = [np.nan_to_num(group) for group in found.values]
    highest = max((float(group.max(initial=0.0)) for group in values), default=0.0) or 1.0
    lowest = min(0.0, *(float(group.min(initial=0.0)) for group in values))
    choice = segments("similarity", state, "view")
    most = max(len(group) for group in groups)
    if not most:
        hint = (hint_label("bars_hint", text("similarity.no_words")),)
        return Panel("bars_panel", Cell(0, 0, 7, 8), hint, choice=choice)
    longest = max(len(clipped(entry.shown, 12)) for group in groups for entry in group)
    span = highest - lowest
    room, end = (0.1 + 0.055 * longest) * span, 0.3 * span
    marks: list[Mark] = []
    for which, (group, heights) in enumerate(zip(groups, values, strict=True)):
        base = which * (room + span + end) - lowest
        key = ("one_sense", "other_sense")[which]
        if not group:
            continue
        head = text("similarity.sense", word=heads[which])
        marks.append(Label(f"{key}_head", base, -0.85, head, "label", "muted", "left", bold=True))
        picked = group.index(chosen) if chosen in group else -1
        known = found.values[which]
        labels = tuple(number(float(value), places) for value in known)
        ranks = np.arange(len(group), dtype=np.float64)
        marks.append(Bars(key, ranks, base + heights, "what", width=HIGH, base=base, labels=labels, horizontal=True))
        for rank, entry in enumerate(group):
            role: Role = "what" if rank == picked else "text"
            at = base + lowest - 0.03 * span
            marks.append(
                Label(f"{key}_{rank}", at, rank, clipped(entry.shown, 12), "label", role, "right", bold=rank == picked)
            )
    notes = [] if usual is None else [text("similarity.caption.usual", value=number(usual, places))]
    notes += spelling_notes(tuple(entry.shown for group in groups for entry in group))
    return Panel(
        "bars_panel",
        Cell(0, 0, 7, 8),
        tuple(marks),
        caption=" · ".join(notes),
        x=Axis(-room, room + 2 * span + 1.8 * end),
        y=Axis(-1.4, most - 0.4),
        invert_y=True,
        choice=choice,
    )


def _diagram(table: Table, many: Word) -> Panel:
    """Where a token vector comes from, and where a search embedding would: in words, because no encoder ships."""
    assert many.row is not None
    shown = clipped(many.shown, 12)
    ways = (
        ("token", ((shown, "token"), (text("similarity.diagram.row", row=count(many.row)), "row"))),
        ("search", (
            (text("similarity.diagram.text"), "text"),
            (text("similarity.diagram.rows"), "rows"),
            (text("similarity.diagram.layers"), "layers"),
            (text("similarity.diagram.vector"), "vector"),
        )),
    )  # fmt: skip
    marks: list[Mark] = []
    wide, pitch, left = 1.92, 2.36, 2.1
    for place, (way, steps) in enumerate(ways):
        middle = 0.5 + place
        role: Role = "what" if way == "token" else "muted"
        marks.append(
            Label(f"{way}_name", 0.0, middle, text(f"similarity.diagram.{way}_name"), "label", role, "left", bold=True)
        )
        for step, (title, _) in enumerate(steps):
            x = left + step * pitch
            card = Card(title, role=role, faint=way == "search")
            marks.append(Cards(f"{way}_{step}", (card,), Rect(x, middle - 0.4, wide, 0.8), even=True))
            if step:
                tail, head = np.array([x - pitch + wide + 0.08]), np.array([x - 0.08])
                level = np.array([middle])
                marks.append(Vectors(f"{way}_arrow_{step}", tail, level, head, level, "control", "line"))
        if way == "token":
            says = text("similarity.diagram.token_says")
            marks.append(Label("token_says", left + 2 * pitch + 0.05, middle, says, "label", "text", "left"))
    return Panel(
        "diagram_panel",
        Cell(7, 0, 5, 12),
        tuple(marks),
        caption=text("similarity.diagram.caption"),
        x=Axis(0.0, 11.2),
        y=Axis(0.0, 2.0),
        invert_y=True,
    )
