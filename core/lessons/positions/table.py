"""The pages that show the table itself: the ideas that fail, the sinusoidal table with its dials, waves or shift
matrix, the learned table with the lengths of its rows."""

from __future__ import annotations

import numpy as np

from core.lessons.positions import dials, lengths, naive, panels, shift, waves, worked
from core.lessons.positions.lamps import Lamp, asked, lamps_of
from core.lessons.positions.pages import angle_text, divisor, period, said
from core.lessons.positions.rows import learned_lengths, rows_of, shift_error, word
from core.lessons.positions.state import (
    WORD,
    PositionsState,
    at,
    columns,
    exists,
    frequency,
    limit,
    page,
    pairs,
    roomy,
    rows,
    shifts,
    width,
)
from core.stage.frame import Cell, Frame, Line, Panel, Term, Worked, line
from core.stage.lesson import Context
from core.stage.numbers import count, number, short

BESIDE = {
    "dials": (dials.dials_panel, 8),
    "waves": (waves.waves_panel, 7),
    "shift": (shift.shift_panel, 6),
    "lengths": (lengths.lengths_panel, 7),
    "binary": (naive.flips_panel, 7),
    "raw_index": (naive.dot_panel, 7),
    "fraction": (naive.rulers_panel, 7),
}
LANES_ALONE = 4  # so many waves take the place of the lamps


def frame(state: PositionsState, context: Context) -> Frame:
    """The table with one row picked, what stands beside it, and the four lamps."""
    needs = asked(state, context)
    return Frame(
        _title(state),
        _subtitle(state),
        _panels(state, needs),
        Worked(_lines(state)),
        _alt(state, needs),
        computing=not needs,
    )


def _panels(state: PositionsState, needs: tuple[Lamp, ...]) -> tuple[Panel, ...]:
    beside, wide = BESIDE[page(state)]
    if state.scheme == "raw_index" and at(state) >= 100_000:
        wide = 6  # products of twelve digits
    main = panels.table_panel(state, Cell(0, 0, 12, wide))
    if page(state) == "waves" and len(waves.waves(state)) >= LANES_ALONE:
        return (main, beside(state, Cell(0, wide, 12, 12 - wide)))
    lamps = panels.lamps_panel(state, Cell(7, wide, 5, 12 - wide), needs)
    return (main, beside(state, Cell(0, wide, 7, 12 - wide)), lamps)


def _lines(state: PositionsState) -> tuple[Line, ...]:
    return _column_lines(state) + _scheme_lines(state)


def _column_lines(state: PositionsState) -> tuple[Line, ...]:
    """The number in the picked row and column, where a column is picked."""
    here, column = at(state), state.column
    if column < 0 or not exists(state):
        return ()
    start = said("worked.stands", row=count(here), column=count(column)) + " "
    if state.scheme == "sinusoidal":
        half, angle = "cos" if column % 2 else "sin", f"{count(here)} / {divisor(state, column // 2, here)}"
        start += said(f"worked.{half}", angle=angle) + " = "
    lights = ((panels.key_of(state, column), (here, column)),)
    return (line(start, Term(panels.cell_text(state, here, column), "where", lights, bold=True)),)


def _scheme_lines(state: PositionsState) -> tuple[Line, ...]:
    if state.scheme == "sinusoidal":
        return worked.shifted_lines(state) if shifts(state) else worked.plain_lines(state)
    own = {"learned": lengths.learned_lines, "binary": naive.binary_lines, "fraction": naive.fraction_lines}
    return own.get(state.scheme, naive.raw_lines)(state)


def _title(state: PositionsState) -> str:
    if not exists(state):
        return said(f"title.{state.scheme}_end", row=count(at(state)), last=count(limit(state) - 1))
    if state.scheme != "sinusoidal":
        if state.scheme == "learned" and at(state) in (lengths.SEAM - 1, lengths.SEAM):
            return said("title.seam", row=lengths.SEAM - 1)
        return said(f"title.{state.scheme}")
    if state.show == "waves":
        return said("title.waves")
    if state.show == "shift":
        return said("title.shift", offset=number(state.offset, 0)) if state.offset else said("title.stay")
    hands = state.d_model // 2
    amount = said(f"count.{hands}") if hands <= 12 else count(hands)
    unique = lamps_of(state)[1]
    name = ("unique" if unique.verdict == "yes" else "alike") + ("_1" if hands == 1 else "")
    return said("title." + name, count=amount, distance=count(dict(unique.numbers).get("distance", 0.0)))


def _subtitle(state: PositionsState) -> str:
    if state.scheme == "learned":
        return said("subtitle.learned", rows=count(limit(state)), columns=count(width(state)))
    own = state.scheme == "sinusoidal" and state.show != "dials"
    return said("subtitle." + (state.show if own else state.scheme))


def _alt(state: PositionsState, lamps: tuple[Lamp, ...]) -> str:
    """The picture in words, with its numbers."""
    here = at(state)
    first, stop = rows(state)
    left, right = columns(state)
    named = {
        "scheme": said(f"option.scheme.{state.scheme}"),
        "first": count(first),
        "last": count(stop - 1),
        "row": count(here),
    }
    if not exists(state):
        sentences = [said("alt.missing", end=count(limit(state) - 1), **named)]
    else:
        listed = panels.numbers_of(state, here)
        sentences = [said("alt.table", columns=right - left, width=count(width(state)), numbers=listed, **named)]
    if shifts(state) and state.scheme == "sinusoidal":
        error = number(shift_error(state.d_model, state.base, here, state.offset), 6)
        offset = number(state.offset, 0)
        other = count(here + state.offset)
        sentences.append(said("alt.shift", row=count(here), other=other, offset=offset, error=error))
    sentences.append(_beside(state, here))
    needs = "; ".join(f"{panels.lamp_text(lamp)} ({said('lamps.said.' + lamp.verdict)})" for lamp in lamps)
    sentences.append(said("alt.lamps", needs=needs) if needs else "")
    return " ".join(entry for entry in sentences if entry)


def _beside(state: PositionsState, here: int) -> str:
    if state.scheme == "learned":
        all_lengths = learned_lengths()
        seam = number(float(all_lengths[lengths.SEAM]))
        most = number(float(all_lengths[1:].max()))
        return said("alt.lengths", first=number(float(all_lengths[0])), most=most, seam=seam, row=lengths.SEAM)
    if state.scheme == "binary":
        return naive.flips_text("alt.flips", here)
    if state.scheme == "fraction":
        return said("alt.rulers")
    if state.scheme == "raw_index":
        value = float(rows_of(state).at(np.array([here]), np.array([WORD]))[0, 0])
        return said("alt.dot", value=short(value), word=short(float(np.abs(word("cat")).max())))
    if state.show == "dials":
        angles = ", ".join(angle_text(here * frequency(state, pair)) for pair in pairs(state))
        return said("alt.dials", count=count(len(pairs(state))), row=count(here), angles=angles)
    if state.show == "waves":
        drawn = waves.waves(state)
        periods = ", ".join(period(2 * np.pi / frequency(state, pair)) for pair in drawn)
        return said("alt.waves", pairs=", ".join(map(count, drawn)), periods=periods)
    return ""


def controls(state: PositionsState) -> tuple[str, ...]:
    """What can be set: the first six are seen at once."""
    cells = ("numbers",) if roomy(state) or page(state) == "shift" else ()
    if state.scheme == "sinusoidal":
        if state.show == "waves":
            return ("position", "drawn", "d_model", "base", "show", "span", "offset", "pair", "window", *cells)
        return ("position", "offset", "d_model", "base", "show", *cells, "window", "pair")
    own = {"raw_index": ("offset",), "fraction": ("length",), "learned": ("learned_show",)}.get(state.scheme, ())
    return ("position", *own, *cells, "window")
