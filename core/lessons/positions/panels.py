"""The window on the position table, and the four lamps that say what its scheme is good for."""

from __future__ import annotations

import numpy as np

from core.lessons.positions.rows import TRAINED, Lamp, lamps_of, rows_of
from core.lessons.positions.state import (
    LAST,
    WORD,
    PositionsState,
    at,
    columns,
    exists,
    frequency,
    limit,
    rows,
    shifts,
)
from core.stage.frame import (
    Axis,
    Cell,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
)
from core.stage.numbers import count, number, percent, short
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments

DECIMALS = 3
LEARNED_LEVEL = 0.1  # 99.9 % of MiniLM's numbers lie within
PAIR_HEADS = 16
HEAD = 0.9  # rows of 16 that the pairs' numbers take above the cells
SMALL_MATRIX = 8


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"positions.{key}", **fields)


# --- the table -------------------------------------------------------------------------------------------------------


def table_panel(state: PositionsState, cell: Cell) -> Panel:
    """The window on the million rows."""
    first, stop = rows(state)
    left, right = columns(state)
    here = at(state)
    tall, wide = stop - first, right - left
    missing = max(first, limit(state))
    mask = None
    marks: list[Mark] = []
    if missing < stop:
        mask = np.zeros((tall, wide), dtype=bool)
        mask[missing - first :] = True
    outlines = [Outline(here, left, 1, wide, "where")]
    if shifts(state) and first <= here + state.offset < stop:
        outlines.append(Outline(here + state.offset, left, 1, wide, "text"))
    level, places, note = _look(state)
    heads = _heads(state, left, right)
    high = 0.0 if heads else HEAD * tall / 16
    if high:
        marks += _pair_heads(left, right, high)
    marks.append(
        Matrix(
            "table",
            rows_of(state),
            (first, stop),
            (left, right),
            (-level, level),
            decimals=places if state.numbers else None,
            row_labels=tuple(count(row) for row in range(first, stop)),
            column_labels=heads,
            outlines=tuple(outlines),
            mask=mask,
            hover=said("table.hover"),
            scrolls=True,
        )
    )
    if missing < stop:
        named = max(here, missing)
        middle = named - first + 0.5
        refusal = said("table.missing", row=count(named))
        marks.append(Label("missing", wide / 2, middle, refusal, "heading", "warn", bold=True))
    return Panel(
        "main",
        cell,
        tuple(marks),
        note=note,
        caption=_caption(state),
        x=Axis(0.0, 1.006 * wide),  # room for the outline
        y=Axis(-high, float(tall)),
        invert_y=True,
        choice=segments("positions", state, "scheme"),
        border=None if exists(state) else "warn",
    )


def _look(state: PositionsState) -> tuple[float, int, str]:
    """The level of the strongest colour, decimals, and what the colours mean."""
    level = LEARNED_LEVEL if state.scheme == "learned" else 1.0
    note = "" if state.scheme == "binary" else said("table.key_signed", level=short(level))
    return level, decimals(state), note


def decimals(state: PositionsState) -> int:
    """Places of the numbers in the table."""
    return {"binary": 0, "raw_index": 1}.get(state.scheme, DECIMALS)


def _caption(state: PositionsState) -> str:
    here = at(state)
    if state.scheme == "learned":
        return said("table.caption_learned", row=count(here), last=count(limit(state) - 1))
    if state.scheme == "fraction":
        return said("table.caption_text", row=count(here), length=count(limit(state)), last=count(limit(state) - 1))
    if shifts(state):
        other, offset = count(here + state.offset), number(state.offset, 0, plus=True)
        return said("table.caption_shift", row=count(here), other=other, offset=offset)
    return said("table.caption", row=count(here), last=count(LAST))


def _heads(state: PositionsState, left: int, right: int) -> tuple[str, ...]:
    """What stands above the columns: the formula where there is room, else the number of the pair or column."""
    shown = range(left, right)
    if state.scheme in ("raw_index", "fraction"):
        return (*(said("table.word", number=column) for column in range(WORD)), said("table.index"))
    if state.scheme != "sinusoidal":
        return tuple(count(column) for column in shown)
    return tuple(_wave_name(state, column) for column in shown) if state.d_model <= SMALL_MATRIX else ()


def _pair_heads(left: int, right: int, high: float) -> list[Mark]:
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
        marks.append(Label(f"head.{pair}", x, -0.5 * high, name, "small", "muted", "left" if at_left else "center"))
    return marks


def _wave_name(state: PositionsState, column: int) -> str:
    divisor = 1.0 / frequency(state, column // 2)
    angle = "p" if column < 2 else f"p/{short(divisor, 2) if divisor < 100 else count(divisor)}"
    return said("table.cos" if column % 2 else "table.sin", angle=angle)


# --- what a good scheme needs ----------------------------------------------------------------------------------------

SIGNS = {"yes": "✓", "partly": "~\u2009", "no": "✗"}  # equally wide


def lamps_panel(state: PositionsState, cell: Cell) -> Panel:
    """Four needs, each computed from the scheme's own numbers."""
    marks: list[Mark] = []
    for place, lamp in enumerate(lamps_of(state)):
        role: Role = "warn" if lamp.verdict == "no" else "muted" if lamp.verdict == "partly" else "text"
        sign = SIGNS[lamp.verdict]
        marks.append(Label(f"lamp.{lamp.need}", 0.0, place + 0.5, f"{sign} {lamp_text(lamp)}", "label", role, "left"))
    return Panel(
        "lamps_panel",
        cell,
        tuple(marks),
        title=said("lamps.title"),
        caption=said("lamps.caption", last=count(TRAINED - 1)),
        y=Axis(0.0, 4.0),
        invert_y=True,
    )


def lamp_text(lamp: Lamp) -> str:
    """``bounded: all in [−1, 1]``."""
    fields = {}
    for name, value in lamp.numbers:
        fields[name] = percent(value) if name == "share" else count(value) if abs(value) >= 10 else short(value, 2)
    return said(f"lamps.{lamp.need}.{lamp.how}", **fields)
