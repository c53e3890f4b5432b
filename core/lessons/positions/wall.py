"""The wall: a learned table has no row for the next token, and what a model says then; and what the rows cost.

Source: the lesson's 1,500 tokens on 1,024 rows; models.json for the sizes.
"""

from __future__ import annotations

import textwrap

import numpy as np

from core.encodings import learned
from core.lessons.positions.pages import Page, even_ticks, head_panel, said
from core.lessons.positions.state import PositionsState
from core.stage.frame import (
    Axis,
    Cell,
    Code,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Panel,
    Rect,
    Region,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, percent
from core.tables import models, shipped
from core.tables.models import Model

SHOWN = "gpt-2-small-124m"  # the lesson's example


def tables() -> tuple[tuple[Model, int], ...]:
    """The models with learned positions and the rows of their tables, the shortest first."""
    found = [
        (model, model.max_position)
        for model in models.models()
        if model.scheme == "learned_absolute" and isinstance(model.max_position, int)
    ]
    return tuple(sorted(found, key=lambda entry: (entry[1], entry[0].d_model)))


def refusal(tokens: int) -> str:
    """What MiniLM's own table answers to a text of so many tokens; empty where it has the rows."""
    try:
        learned.rows(shipped.minilm_positions(), tokens)
    except ValueError as error:
        return str(error)
    return ""


def frame(state: PositionsState, context: Context) -> Frame:
    """Texts against tables, the model's answer, and the parameters that rows cost."""
    ends = {model.id: rows for model, rows in tables()}[SHOWN]
    over = state.tokens > ends
    refusing = [model.name for model, rows in tables() if state.tokens > rows]
    fewer = max((rows for _, rows in tables() if state.tokens > rows), default=0)
    title = "wall" if over else "wall_some" if refusing else "wall_fits"
    fields = {"tokens": count(state.tokens), "rows": count(ends), "last": count(ends - 1)}
    names = ", ".join(refusing) or said("wall.nobody")
    if state.tokens == 1:
        title += "_1"  # it fits everywhere
    return Frame(
        said(f"title.{title}", fewer=count(fewer), **fields),
        said("subtitle.wall"),
        (_lanes(state), _answer(state, ends), _cost()),
        Worked(_lines(state, ends)),
        said("alt.wall", refusing=names, **fields),
    )


def _lanes(state: PositionsState) -> Panel:
    listed = tables()
    end = 1.08 * max(state.tokens, 1200)
    marks: list[Mark] = []
    for lane, (model, rows) in enumerate(listed):
        top, bottom = lane + 0.46, lane + 0.8
        marks.append(Region(f"rows.{lane}", np.array([0.0, float(rows)]), np.full(2, top), np.full(2, bottom), "where"))
        name = said("wall.lane", model=_short(model), rows=count(rows))
        marks.append(Label(f"model.{lane}", 0.0, lane + 0.25, name, "label", "text", "left", bold=True))
        if state.tokens > rows:
            beyond = np.array([float(rows), float(state.tokens)])
            marks.append(Region(f"beyond.{lane}", beyond, np.full(2, top), np.full(2, bottom), "warn", hatched=True))
            refused = said("wall.refused", first=count(rows), last=count(state.tokens - 1))
            marks.append(Label(f"refused.{lane}", end, lane + 0.25, refused, "label", "warn", "right", bold=True))
        else:
            marks.append(Label(f"fits.{lane}", end, lane + 0.25, said("wall.fits"), "label", "text", "right"))
    lane = len(listed)
    top, bottom = lane + 0.46, lane + 0.8
    marks.append(Region("rows.free", np.array([0.0, end]), np.full(2, top), np.full(2, bottom), "text"))
    marks.append(Label("model.free", 0.0, lane + 0.25, said("wall.free"), "label", "text", "left", bold=True))
    marks.append(Label("on", 1.008 * end, lane + 0.63, "→", "label", "text", "left", bold=True))
    here = float(state.tokens)
    bars = np.array([[place + 0.45, place + 0.86] for place in range(lane + 1)]).ravel()
    breaks = tuple(range(2, len(bars), 2))  # the names stay free
    marks.append(Curve("text", np.full(len(bars), here), bars, "text", "bold", "solid", breaks))
    return head_panel(
        state,
        Cell(0, 0, 12, 6),
        tuple(marks),
        caption=said("wall.caption", tokens=count(state.tokens)),
        x=Axis(0.0, 1.04 * end, even_ticks(0.0, end, 6), said("wall.axis")),
        y=Axis(0.0, lane + 1.0),
        invert_y=True,
        border="warn" if any(state.tokens > rows for _, rows in listed) else None,
    )


def _answer(state: PositionsState, ends: int) -> Panel:
    """PyTorch's lookup, as GPT-2's code does it."""
    row = state.tokens - 1
    asked = [said("wall.code_table", rows=ends)]
    asked.append(said("wall.code_row", row=min(row, ends - 1)))
    asked.append(said("wall.code_there"))
    if row >= ends:
        asked += [said("wall.code_row", row=ends), said("wall.code_error")]
    return Panel(
        "wall_answer",
        Cell(0, 6, 6, 6),
        (Code("code", tuple(asked), Rect(0.0, 0.0, 1.0, 1.0), (len(asked) - 1,) if row >= ends else (), "warn"),),
        title=said("wall.answer"),
        caption=said("wall.code_caption"),
        invert_y=True,
        border="warn" if row >= ends else None,
    )


def _cost() -> Panel:
    body = []
    for model, rows in tables():
        numbers = rows * model.d_model
        share = percent(numbers / model.parameters, 1) if isinstance(model.parameters, int) else ""
        body.append((_short(model), f"{count(rows)} × {count(model.d_model)}", count(numbers), share))
    head = tuple(said(f"wall.head_{name}") for name in ("model", "size", "numbers", "share"))
    return Panel(
        "wall_cost",
        Cell(6, 6, 6, 6),
        (
            Table(
                "cost",
                (head, *body),
                Rect(0.0, 0.0, 1.0, 0.86),
                widths=(0.95, 1.45, 1.1, 0.8),
                align=("left", "right", "right", "right"),
            ),
        ),
        title=said("wall.cost"),
        caption=said("wall.cost_caption"),
        invert_y=True,
    )


def _short(model: Model) -> str:
    """A model's name without what stands in brackets, and without its size."""
    name = model.name.split(" (")[0]
    return "MiniLM" if "MiniLM" in name else name.split("-base")[0]


def _lines(state: PositionsState, ends: int) -> tuple[Line, ...]:
    tokens = state.tokens
    needs = said("worked.needs", tokens=count(tokens), last=count(tokens - 1))
    if tokens > ends:
        wall = Term(
            said("worked.gpt2_wall", rows=count(ends), last=count(ends - 1), missing=count(tokens - ends)),
            "warn",
            bold=True,
        )
    else:
        wall = Term(said("worked.gpt2_fits", rows=count(ends), last=count(ends - 1)))
    lines = [line(Term(needs, "where")), line(wall)]
    model = models.model(SHOWN)
    lines.append(
        line(
            Term(
                said(
                    "worked.cost_of", rows=count(ends), columns=count(model.d_model), count=count(ends * model.d_model)
                )
            )
        )
    )
    answer = refusal(tokens)
    if answer:
        wrapped = textwrap.wrap(said("worked.minilm_says") + " " + answer, Worked.COLUMNS)
        lines += [line(Term(part, "muted")) for part in wrapped]
    return tuple(lines)


PAGE = Page(frame, ("tokens", "learned_show"))
