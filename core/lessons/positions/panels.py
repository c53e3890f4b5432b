"""The window on the position table, and the four lamps that say what its scheme is good for."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.positions.lamps import TRAINED, Lamp
from core.lessons.positions.pages import head_panel, said, waiting, wave_name
from core.lessons.positions.rows import rows_of
from core.lessons.positions.state import (
    LAST,
    WORD,
    PositionsState,
    at,
    columns,
    exists,
    limit,
    page,
    roomy,
    rows,
    shifts,
    width,
)
from core.stage.frame import Anchor, Axis, Cell, Curve, Label, Mark, Matrix, Outline, Panel, Rect
from core.stage.numbers import count, number, percent, short
from core.stage.theme import Role

DECIMALS = 3
LEARNED_LEVEL = 0.1  # 99.9 % of MiniLM's numbers lie within
DENSE = 32  # rows, above which a frame would hide the row that it marks
PAIR_HEADS = 16
HEAD = 0.9  # rows of 16 that the pairs' numbers take above the cells
SMALL_MATRIX = 8


# --- the table -------------------------------------------------------------------------------------------------------


def table_panel(state: PositionsState, cell: Cell) -> Panel:
    """The window on the million rows."""
    first, stop = rows(state)
    left, right = columns(state)
    tall, wide = stop - first, right - left
    missing = max(first, limit(state))
    heads = _heads(state, left, right)
    high = 0.0 if heads else HEAD * tall / 16
    marks: list[Mark] = list(_matrices(state, heads, missing))
    if high:
        marks += _pair_heads(state, left, right, high)
    if tall > DENSE:
        marks += _between(state, wide)
    if missing < stop:
        named = max(at(state), missing)
        below = named - first + 2.0  # clear of the row's outline
        middle = below if below <= tall - 1.0 else max(named - first - 1.0, 0.5)
        marks.append(
            Label(
                "missing", wide / 2, middle, said("table.missing", row=count(limit(state))), "label", "warn", bold=True
            )
        )
    return head_panel(
        state,
        cell,
        tuple(marks),
        note=_note(state),
        caption=_caption(state),
        x=Axis(0.0, (1.03 if tall > DENSE else 1.006) * wide),  # room for the outline, or for the row's sign
        y=Axis(-high, float(tall)),
        invert_y=True,
        border=None if exists(state) else "warn",
    )


def _between(state: PositionsState, wide: int) -> list[Mark]:
    """A picked row of a dense table: a thin line above and below it, and a sign at its end."""
    first, stop = rows(state)
    named: list[tuple[int, Role]] = [(at(state), "where")]
    if shifts(state):
        named.append((at(state) + state.offset, "text"))
    marks: list[Mark] = []
    for row, role in named:
        if not first <= row < stop:
            continue
        top = float(row - first)
        sides = np.array([0.0, wide, 0.0, wide]), np.array([top, top, top + 1.0, top + 1.0])
        marks.append(Curve(f"row.{role}", *sides, role, "thin", breaks=(2,)))
        marks.append(Label(f"sign.{role}", 1.006 * wide, top + 0.5, "◂", "label", role, "left", bold=True))
    return marks


def _matrices(state: PositionsState, heads: tuple[str, ...], missing: int) -> list[Matrix]:
    """The cells; an appended position is a matrix of its own, since its numbers are of another kind."""
    first, stop = rows(state)
    left, right = columns(state)
    parts = [(left, right)]
    if state.scheme in ("raw_index", "fraction"):
        parts = [(0, WORD), (WORD, WORD + 1)]
    made = []
    for key, (start, end) in zip(("table", "index"), parts, strict=False):
        mask = None
        if missing < stop:
            mask = np.zeros((stop - first, end - start), dtype=bool)
            mask[missing - first :] = True
        level = LEARNED_LEVEL if state.scheme == "learned" else 1.0
        bare = state.scheme == "raw_index" and key == "index"
        made.append(
            Matrix(
                key,
                rows_of(state),
                (first, stop),
                (start, end),
                (-level, level),
                place=Rect(float(start - left), 0.0, float(end - start), float(stop - first))
                if len(parts) > 1
                else None,
                colours="none" if bare else "signed",
                decimals=_decimals(state, key) if state.numbers and roomy(state) else None,
                row_labels=tuple(count(row) for row in range(first, stop)) if key == "table" else (),
                column_labels=heads[start - left : end - left] if heads else (),
                outlines=_outlines(state, start, end),
                mask=mask,
                hover=said("table.hover"),
                scrolls=True,
            )
        )
    return made


def _outlines(state: PositionsState, start: int, end: int) -> tuple[Outline, ...]:
    here, (first, stop) = at(state), rows(state)
    if stop - first > DENSE:
        return ()  # ``_between`` marks the row
    outlines = [Outline(here, start, 1, end - start, "where")]
    if shifts(state) and first <= here + state.offset < stop:
        outlines.append(Outline(here + state.offset, start, 1, end - start, "text"))
    if start <= state.column < end:
        outlines.append(Outline(first, state.column, stop - first, 1, "text"))
    return tuple(outlines)


def _decimals(state: PositionsState, key: str) -> int:
    if state.scheme in ("raw_index", "fraction"):
        return 1 if key == "table" else 0 if state.scheme == "raw_index" else DECIMALS
    return 0 if state.scheme == "binary" else DECIMALS


def numbers_of(state: PositionsState, row: int, most: int = 8) -> str:
    """The row's numbers as the table shows them, the first few."""
    left, right = columns(state)
    shown = np.arange(left, min(right, left + most))
    values = rows_of(state).at(np.array([row]), shown)[0]
    places = [_decimals(state, key_of(state, int(column))) for column in shown]
    listed = ", ".join(number(value, decimals) for value, decimals in zip(values, places, strict=True))
    return listed + (", …" if right - left > most else "")


def key_of(state: PositionsState, column: int) -> str:
    """Which matrix a column stands in."""
    return "index" if state.scheme in ("raw_index", "fraction") and column == WORD else "table"


def cell_text(state: PositionsState, row: int, column: int) -> str:
    """A number as the table shows it."""
    value = rows_of(state).at(np.array([row]), np.array([column]))[0, 0]
    return number(float(value), _decimals(state, key_of(state, column)))


def _note(state: PositionsState) -> str:
    """What the colours mean."""
    if state.scheme == "binary":
        return said("table.key_binary")
    if state.scheme == "raw_index":
        return said("table.key_word")
    if state.scheme == "learned":
        return said("table.key_clipped", level=short(LEARNED_LEVEL))
    return said("table.key_signed", level=short(1.0))


def _caption(state: PositionsState) -> str:
    here, (left, right) = at(state), columns(state)
    seen = {"first": count(left), "stop": count(right - 1), "width": count(width(state))}
    if state.scheme == "learned":
        return said("table.caption_learned", row=count(here), last=count(limit(state) - 1), **seen)
    if state.scheme == "fraction":
        return said("table.caption_text", row=count(here), length=count(limit(state)), last=count(limit(state) - 1))
    if state.scheme == "binary":
        return said("table.caption_binary", row=count(here), last=count(LAST), shown=right - left, width=seen["width"])
    if shifts(state):
        other, offset = count(here + state.offset), number(state.offset, 0)
        return said("table.caption_shift", row=count(here), other=other, offset=offset)
    if right - left < width(state) and state.scheme == "sinusoidal":
        return said("table.caption_part", row=count(here), last=count(LAST), **seen)
    if page(state) == "dials" and right - left > 8:
        return said("table.caption_pairs", row=count(here), last=count(LAST))
    return said("table.caption", row=count(here), last=count(LAST))


def _heads(state: PositionsState, left: int, right: int) -> tuple[str, ...]:
    """What stands above the columns: the formula where there is room, else the number of the pair or column."""
    shown = range(left, right)
    if state.scheme in ("raw_index", "fraction"):
        return (*(said("table.word", number=column) for column in range(WORD)), said("table.index"))
    if state.scheme != "sinusoidal":
        return tuple(count(column) for column in shown)
    return tuple(wave_name(state, column) for column in shown) if state.d_model <= SMALL_MATRIX else ()


def _pair_heads(state: PositionsState, left: int, right: int, high: float) -> list[Mark]:
    """The pairs' numbers, each above the middle of its two columns."""
    first, last = left // 2, right // 2
    wide = last - first <= PAIR_HEADS and last <= 100  # room for one on each pair
    every = 1 if wide else next(step for step in (2, 4, 8, 16, 32, 64) if last - first <= PAIR_HEADS // 4 * step)
    shown = [pair for pair in range(first, last) if (pair - first) % every == 0]
    marks: list[Mark] = []
    for pair in shown:
        name = said("table.pair", pair=count(pair)) if pair == shown[0] else count(pair)
        at_left = pair == shown[0] and not wide
        x = 0.0 if at_left else 2.0 * (pair - first) + 1.0
        picked = pair == state.pair  # as on the dials
        role: Role = "where" if picked else "muted"
        side: Anchor = "left" if at_left else "center"
        marks.append(Label(f"head.{pair}", x, -0.5 * high, name, "small", role, side, bold=picked))
    return marks


# --- what a good scheme needs ----------------------------------------------------------------------------------------

SIGNS = {"yes": "✓", "partly": "~\u2009", "no": "✗"}  # equally wide


def lamps_panel(state: PositionsState, cell: Cell, lamps: tuple[Lamp, ...]) -> Panel:
    """Four needs, each computed from the scheme's own numbers."""
    marks: list[Mark] = []
    compared = count(limit(state) - 1)
    if not lamps:
        marks.append(waiting("lamps.waiting", 0.5, 2.0))
    for place, lamp in enumerate(lamps):
        role: Role = "warn" if lamp.verdict == "no" else "muted" if lamp.verdict == "partly" else "text"
        sign = SIGNS[lamp.verdict]
        marks.append(Label(f"lamp.{lamp.need}", 0.0, place + 0.5, f"{sign} {lamp_text(lamp)}", "label", role, "left"))
    return Panel(
        "lamps_panel",
        cell,
        tuple(marks),
        title=said("lamps.title"),
        caption=said(
            "lamps.caption_text" if state.scheme == "fraction" else "lamps.caption",
            compared=compared,
            length=count(TRAINED),
        ),
        y=Axis(0.0, 4.0),
        invert_y=True,
    )


def _outward(value: float, name: str) -> float:
    """A bound with two decimals that all numbers keep: the lower one rounded down, the upper one up."""
    down = math.floor if name == "low" else math.ceil
    return down(round(100.0 * value, 6)) / 100.0


def lamp_text(lamp: Lamp) -> str:
    """``bounded: all in [−1, 1]``."""
    fields = {}
    for name, exact in lamp.numbers:
        value = _outward(exact, name) if lamp.how in ("within", "part") else exact
        fields[name] = percent(value) if name == "share" else count(value) if abs(value) >= 10 else short(value, 2)
    return said(f"lamps.{lamp.need}.{lamp.how}", **fields)
