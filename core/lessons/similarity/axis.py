"""An axis through two words: every other word is placed by how much nearer it lies to one pole than to the other."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from textwrap import wrap

import numpy as np

from core.encodings import similarity
from core.lessons.similarity.arithmetic import Light, progress
from core.lessons.similarity.facts import Floats, Pair, compared, decimals, rows_of
from core.lessons.similarity.lists import hint_label
from core.lessons.similarity.plane import plane
from core.lessons.similarity.state import SimilarityState, Word, clipped, spelling_notes, word
from core.stage.frame import Axis, Cell, Curve, Frame, Label, Line, Mark, Panel, Points, Readout, Segments, Term, Worked
from core.stage.numbers import MINUS, number, shown
from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.words import segments
from core.tables.table import Table
from core.values import dataclass

LANES = 20  # labels above one another; more words begin at the bottom again
EXACT = 3  # places of the numbers that the arithmetic goes on from
LETTERS = 32  # of a line in the small panel


@dataclass(frozen=True, eq=False)
class Leaning:
    """Words in the order of their place between two poles."""

    words: tuple[Word, ...]  # lowest value first
    values: Floats  # (n,) cosine with the high pole minus cosine with the low one
    cosines: Floats  # (n, 2) with the low and the high pole
    poles: float  # cosine of the poles with each other


@lru_cache(maxsize=32)
def leaning(table: Table, low: Word, high: Word, words: tuple[Word, ...]) -> Leaning | None:
    """Every row at length 1 projected onto high − low, also at length 1; None where a pole is a row of zeros.

    Words whose row is all zeros have no direction and are left out.
    """
    assert low.row is not None
    assert high.row is not None
    ends = rows_of(table, (low.row, high.row))
    between = float(similarity.cosine(ends[0], ends[1])[0, 0])
    if np.isnan(between):
        return None
    cosines = similarity.cosine(rows_of(table, tuple(entry.row for entry in words if entry.row is not None)), ends)
    known = [not bool(np.isnan(pair).any()) for pair in cosines]
    words = tuple(entry for entry, good in zip(words, known, strict=True) if good)
    cosines = cosines[known]
    values = cosines[:, 1] - cosines[:, 0]
    order = np.argsort(values.round(12), kind="stable")
    return Leaning(tuple(words[index] for index in order), values[order], cosines[order], between)


def axis_frame(
    state: SimilarityState, table: Table, low: Word, high: Word, words: tuple[Word, ...], name: str, notice: str
) -> Frame:
    bias = state.view == "bias"
    ends = {"low": clipped(low.shown, 12), "high": clipped(high.shown, 12)}
    found = leaning(table, low, high, words) if words and low.row != high.row else None
    choice = segments("similarity", state, "view")
    subtitle = text("similarity.subtitle.bias" if bias else "similarity.subtitle.axis", **ends)
    if found is None or not found.words:
        same = low.row == high.row
        sentence = text("similarity.same_pole" if same else "similarity.no_words", **ends)
        panel = Panel("axis_panel", Cell(0, 0, 12, 12), (hint_label("axis_hint", sentence),), choice=choice)
        alt = text("similarity.alt.no_axis", table=name, **ends)
        return Frame(text("similarity.title.no_axis", **ends), subtitle, (panel,), Worked(), alt, notice=notice)
    picked = picked_place(state, table, found)
    places = decimals(table)
    first, last = (clipped(found.words[index].shown, 14) for index in (0, -1))
    listed = ", ".join(
        text("similarity.spoken_score", word=clipped(entry.shown), value=number(value, places, plus=True))
        for entry, value in zip(found.words, found.values.tolist(), strict=True)
    )
    title = text("similarity.title.bias" if bias else "similarity.title.axis", first=first, last=last, **ends)
    if bias and found.values[0] * found.values[-1] > 0:
        side, farthest = (ends["low"], first) if found.values[0] < 0 else (ends["high"], last)
        title = text("similarity.title.bias_one_side", side=side, first=farthest)
        subtitle = text("similarity.subtitle.bias_one_side", **ends)
    between = compared(table, low, high)
    panels = [
        _axis_panel(state, found, picked, ends, places, choice),
        _readouts(found, picked, ends, places, Cell(0, 8, 7 if bias else 5, 4)),
    ]
    if bias:
        sentence = "\n".join(wrap(text("similarity.panel.bias"), LETTERS))
        meaning = Label("meaning", 0.0, 0.5, sentence, "label", anchor="left")
        panels.append(Panel("meaning_panel", Cell(7, 8, 5, 4), (meaning,)))
    else:
        poles = plane(between, progress(between, 0.0), Cell(5, 8, 7, 4))
        panels.append(dataclasses.replace(poles, title=text("similarity.panel.poles")))
    return Frame(
        title,
        subtitle,
        tuple(panels),
        _worked(table, found, picked, (low, high), places, None if bias else between),
        text("similarity.alt.bias" if bias else "similarity.alt.axis", table=name, words=listed, **ends),
        notice=notice,
    )


def picked_place(state: SimilarityState, table: Table, found: Leaning) -> int:
    """Which word is looked at: the chosen one where it stands on the axis, else the one that leans most."""
    wanted = word(table, state.occupation if state.view == "bias" else state.second, in_a_list=True).row
    for place, entry in enumerate(found.words):
        if entry.row == wanted:
            return place
    return int(np.abs(found.values).argmax())


def _axis_panel(
    state: SimilarityState, found: Leaning, picked: int, ends: dict[str, str], places: int, choice: Segments
) -> Panel:
    n = len(found.words)
    x = found.values
    lanes = min(n, LANES)
    y = np.arange(n, dtype=np.float64) % lanes
    reach = max(float(np.abs(x).max()), 0.05)
    stems = np.column_stack([np.zeros(n), x]).ravel()
    marks: list[Mark] = [
        Curve("zero", np.zeros(2), np.array([-0.7, lanes + 0.35]), "control", "thin"),
        Curve("stems", stems, np.repeat(y, 2), "line", "line", breaks=tuple(range(2, 2 * n, 2))),
        Curve("stem", np.array([0.0, float(x[picked])]), np.full(2, y[picked]), "what", "bold"),
        Points("points", x, y, "what", size=1.1, picked=(picked,), hover=_hover(found, ends, places)),
    ]
    size: Size = "label" if lanes <= 14 else "small"
    for place, entry in enumerate(found.words):
        right = x[place] >= 0
        role: Role = "what" if place == picked else "text"
        away = (0.055 if place == picked else 0.03) * reach
        at = float(x[place]) + (away if right else -away)
        label = Label(
            f"name_{place}", at, float(y[place]), clipped(entry.shown, 14), size, role, "left" if right else "right",
            bold=place == picked,
        )  # fmt: skip
        marks.append(label)
    top = lanes + 0.55
    low, high = (text(f"similarity.pole.{side}", **ends) for side in ("low", "high"))
    marks.append(Label("low_pole", -1.55 * reach, top, low, "heading", anchor="left", bold=True))
    marks.append(Label("high_pole", 1.55 * reach, top, high, "heading", anchor="right", bold=True))
    step = next(step for step in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if reach / step <= 3.5)
    ticks = tuple((k * step, number(k * step, 2, plus=True)) for k in range(-3, 4) if abs(k * step) <= 1.3 * reach)
    return Panel(
        "axis_panel",
        Cell(0, 0, 12, 8),
        tuple(marks),
        caption=" · ".join(spelling_notes(tuple(entry.shown for entry in found.words))),
        x=Axis(-1.55 * reach, 1.55 * reach, ticks),
        y=Axis(-0.8, lanes + 1.1),
        choice=choice,
    )


def _hover(found: Leaning, ends: dict[str, str], places: int) -> tuple[str, ...]:
    return tuple(
        text("similarity.hover.axis", word=entry.shown, value=number(value, places, plus=True), **ends)
        for entry, value in zip(found.words, found.values.tolist(), strict=True)
    )


def _readouts(found: Leaning, picked: int, ends: dict[str, str], places: int, cell: Cell) -> Panel:
    name = clipped(found.words[picked].shown, 16)
    low, high = (number(float(value), EXACT) for value in found.cosines[picked])
    value = number(float(found.values[picked]), places, plus=True)
    readouts = (
        Readout("to_high", high, text("similarity.readout.with_pole", pole=ends["high"]), "text", "title"),
        Readout("to_low", low, text("similarity.readout.with_pole", pole=ends["low"]), "text", "title"),
        Readout("leaning", value, text("similarity.readout.leans", word=name), "what", "number"),
    )
    return Panel("measures", cell, readouts=readouts)


def _worked(
    table: Table, found: Leaning, picked: int, poles: tuple[Word, Word], places: int, between: Pair | None
) -> Worked:
    """Both cosines from their dot products and lengths, then the difference; ``between``: the poles, on the stage."""
    entry = found.words[picked]
    assert entry.row is not None
    lines: list[Line] = []
    cosines = []
    for pole, cosine in zip(poles[::-1], found.cosines[picked][::-1].tolist(), strict=True):
        light = ("to_high" if pole is poles[1] else "to_low", ())
        lines.append(_cosine(table, entry, pole, number(cosine, EXACT), light))
        cosines.append(shown(cosine, EXACT))
    value = float(found.values[picked])
    difference = number(cosines[0] - cosines[1], EXACT, plus=True)
    low = f"({number(cosines[1], EXACT)})" if cosines[1] < 0 else number(cosines[1], EXACT)
    written = f"{text('similarity.worked.place')} = {number(cosines[0], EXACT)} {MINUS} {low} = {difference}"
    result = number(value, places, plus=True)
    lights = (("leaning", ()), ("points", (picked,)))
    if result == difference:
        lines.append((Term(written[: -len(difference)]), Term(result, "what", lights, True)))
    else:
        relation = " = " if float(cosines[0] - cosines[1]) == float(shown(value, places)) else " ≈ "
        lines.append((Term(written + relation), Term(result, "what", lights, True)))
    if between is not None:
        lines.append(_cosine(table, *poles, between.written("cosine"), ("shadow", ())))
    return Worked(tuple(lines))


def _cosine(table: Table, word: Word, pole: Word, result: str, light: Light) -> Line:
    """A cosine from the dot product and both lengths; ``result`` as the stage prints it."""
    assert word.row is not None
    assert pole.row is not None
    own, other = rows_of(table, (word.row, pole.row))
    dot = shown(float(own @ other), EXACT)
    lengths = [shown(float(np.sqrt(row @ row)), EXACT) for row in (own, other)]
    product, places = lengths[0] * lengths[1], len(result.partition(".")[2])
    relation = " = " if product and number(dot / product, places) == result else " ≈ "
    start = text("similarity.worked.with_pole", word=clipped(word.shown, 12), pole=clipped(pole.shown, 12))
    written = f"{start} = {number(dot, EXACT)} / ({number(lengths[0], EXACT)} × {number(lengths[1], EXACT)})"
    return (Term(written + relation), Term(result, "text", (light,)))
