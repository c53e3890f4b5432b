"""Position tables: sinusoidal rows as the hands of a clock, learned rows and their end, and the ideas that fail.

Source: the lessons' sections on order, sinusoidal encoding and learned positions; Vaswani et al. 2017, section 3.5.
"""

from __future__ import annotations

import numpy as np

from core.lessons.positions import panels, small
from core.lessons.positions.panels import said
from core.lessons.positions.rows import lamps_of, learned_lengths, rows_of, shift_error, word
from core.lessons.positions.state import (
    BITS,
    LAST,
    WORD,
    PositionsState,
    act,
    at,
    check,
    columns,
    exists,
    follow,
    frequency,
    limit,
    pairs,
    rows,
    settle,
    shifts,
    step,
    width,
)
from core.lessons.positions.worked import angle_text, flipped, worked
from core.stage.frame import Cell, Frame, Panel
from core.stage.lesson import Context, Lesson, Preset
from core.stage.numbers import count, number, short


def frame(state: PositionsState, context: Context) -> Frame:
    """The table with one row picked, what stands beside it, and the four lamps."""
    return Frame(
        title=_title(state),
        subtitle=_subtitle(state),
        panels=_panels(state),
        worked=worked(state),
        alt=_alt(state),
    )


def _panels(state: PositionsState) -> tuple[Panel, ...]:
    wide = 8
    if state.scheme == "sinusoidal":
        wide = {"dials": 8, "waves": 7, "shift": 7}[state.show]
        beside = {"dials": small.dials_panel, "waves": small.waves_panel, "shift": small.shift_panel}[state.show]
    elif state.scheme == "learned":
        beside = small.lengths_panel
    elif state.scheme == "binary":
        beside = small.flips_panel
    else:
        beside = small.bars_panel
    return (
        panels.table_panel(state, Cell(0, 0, 12, wide)),
        beside(state, Cell(0, wide, 7, 12 - wide)),
        panels.lamps_panel(state, Cell(7, wide, 5, 12 - wide)),
    )


def _title(state: PositionsState) -> str:
    if not exists(state):
        return said(f"title.{state.scheme}_end", row=count(at(state)), last=count(limit(state) - 1))
    if state.scheme != "sinusoidal":
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


def _alt(state: PositionsState) -> str:
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
        values = rows_of(state).at(np.array([here]), np.arange(left, min(right, left + 8)))[0]
        listed = ", ".join(number(value, panels.decimals(state)) for value in values)
        listed += ", …" if right - left > 8 else ""
        sentences = [said("alt.table", columns=right - left, width=count(width(state)), numbers=listed, **named)]
    if shifts(state) and state.scheme == "sinusoidal":
        error = number(shift_error(state.d_model, state.base, here, state.offset), 6)
        offset = number(state.offset, 0, plus=True)
        other = count(here + state.offset)
        sentences.append(said("alt.shift", row=count(here), other=other, offset=offset, error=error))
    sentences.append(_beside(state, here))
    needs = "; ".join(f"{panels.lamp_text(lamp)} ({said('lamps.said.' + lamp.verdict)})" for lamp in lamps_of(state))
    sentences.append(said("alt.lamps", needs=needs))
    return " ".join(entry for entry in sentences if entry)


def _beside(state: PositionsState, here: int) -> str:
    if state.scheme == "learned":
        lengths = learned_lengths()
        return said("alt.lengths", first=number(float(lengths[0])), most=number(float(lengths[1:].max())))
    if state.scheme == "binary":
        return said("alt.flips", row=count(here), other=count(here + 1), count=flipped(here))
    if state.scheme in ("raw_index", "fraction"):
        value = float(rows_of(state).at(np.array([here]), np.array([WORD]))[0, 0])
        return said("alt.bars", value=short(value), word=short(float(np.abs(word("cat")).max())))
    if state.show == "dials":
        angles = ", ".join(angle_text(here * frequency(state, pair)) for pair in pairs(state))
        return said("alt.dials", count=count(len(pairs(state))), row=count(here), angles=angles)
    if state.show == "waves":
        drawn = small.waves(state)
        periods = ", ".join(small.period(state, pair) for pair in drawn)
        return said("alt.waves", pairs=", ".join(map(count, drawn)), periods=periods)
    return ""


def controls(state: PositionsState) -> tuple[str, ...]:
    """What can be set for the chosen scheme."""
    if state.scheme == "sinusoidal":
        last = "span" if state.show == "waves" else "numbers"
        other = "numbers" if state.show == "waves" else "span"
        return ("position", "offset", "d_model", "base", "show", last, "window", other)
    own = {"raw_index": ("offset",), "fraction": ("length",)}.get(state.scheme, ())
    return ("position", *own, "numbers", "window")


PRESETS = (
    Preset("lesson"),
    Preset("hands", {"d_model": 16, "position": 6}),
    Preset("periods", {"show": "waves", "position": 6, "span": 64}),
    Preset("shift", {"show": "shift", "position": 6, "offset": 3}),
    Preset("picture", {"d_model": 128, "position": 20, "window": 64, "numbers": False}),
    Preset("million", {"d_model": 16, "position": LAST - 10, "top": LAST - 15}),
    Preset("learned", {"scheme": "learned", "position": 6}),
    Preset("learned_end", {"scheme": "learned", "position": 512, "top": 504}),
    Preset("raw_index", {"scheme": "raw_index", "position": 4000, "offset": 2}),
    Preset("fraction", {"scheme": "fraction", "position": 6, "length": 16}),
    Preset("binary", {"scheme": "binary", "position": 7}),
)

LESSON = Lesson(
    "positions",
    PositionsState,
    frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    presets=PRESETS,
    controls=controls,
    settle=settle,
    follow=follow,
)

__all__ = ["BITS", "LESSON", "PositionsState"]
