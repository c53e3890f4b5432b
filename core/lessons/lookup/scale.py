"""√d: the arrows of a token and of its position, drawn to scale, with and without the factor; and who multiplies."""

from __future__ import annotations

import math
import re
from functools import cache

import numpy as np

from core.lessons.lookup.pages import WIDE, Page, equals, head_panel, noted, rounded, said
from core.lessons.lookup.state import LookupState
from core.stage.frame import Axis, Cell, Frame, Label, Line, Mark, Panel, Readout, Term, Vectors, Worked, line
from core.stage.lesson import Context
from core.stage.numbers import number, short
from core.stage.theme import Role
from core.tables import models
from core.tables.models import UNKNOWN, Model, Unknown

SMALL = 0.02  # the spread that GPT-2 and BERT start from
# Families that models.json leaves open and of which the lessons' facts.json says (under "scaled by sqrt(d_model)", from
# the code of transformers 5.24.0) that they don't multiply.
DONT = ("BLOOM", "MPT", "GPT-NeoX")
LETTERS = 68  # of the list of models on a line
LEFT = 12.0  # where the arrows begin, of WIDE …
VALUE = 10.0  # … and what is kept free for the length at the longest one's tip


def frame(state: LookupState, context: Context) -> Frame:
    """Two drawings on one scale, the factor, and the list of models."""
    d = state.d_model
    root, token, position = math.sqrt(d), _spread(state) * math.sqrt(d), math.sqrt(d / 2)
    longer, times = _ratio(token, position)
    which = "equal" if times == "1" else "position" if longer else "token"
    return Frame(
        title=said(f"scale.title_{which}", times=times),
        subtitle=_subtitle(state),
        panels=(_arrows_panel(state, token, position), _root_panel(d, root), _models_panel()),
        worked=Worked(_worked(state, root, token, position)),
        alt=said("scale.alt", d=number(d, 0), token=_length(token), position=_length(position), root=short(root),
                 scaled=_length(token * root)),
    )  # fmt: skip


def controls(state: LookupState) -> tuple[str, ...]:
    return ("d_model", "initial", "spread") if state.initial == "typed" else ("d_model", "initial")


def _spread(state: LookupState) -> float:
    """The standard deviation that the table's numbers start from."""
    return {"root": 1.0 / math.sqrt(state.d_model), "small": SMALL}.get(state.initial, state.spread)


def _subtitle(state: LookupState) -> str:
    """What the original Transformer does; before it the spread that is chosen here, where it is another."""
    if state.initial == "root":
        return said("scale.subtitle")
    return said("scale.subtitle_spread", spread=short(_spread(state), 4))


def _ratio(token: float, position: float) -> tuple[bool, str]:
    """Whether the position is the longer one, and how many times as long."""
    longer = position >= token
    return longer, short(position / token if longer else token / position, 1)


def _angle(position: float, token: float) -> str:
    """Whole degrees between the token and its sum with a position at right angles to it."""
    return number(math.degrees(math.atan2(position, token)), 0)


def _length(value: float) -> str:
    return short(value, 3)


# --- the picture -----------------------------------------------------------------------------------------------------


def _arrows_panel(state: LookupState, token: float, position: float) -> Panel:
    """Token and position as arrows, without and with the factor: four lengths on one scale."""
    root = math.sqrt(state.d_model)
    unit = (WIDE - LEFT - VALUE) / max(token * root, position, token)
    heads = (said("scale.without"), said("scale.with", root=short(root)))
    marks: list[Mark] = []
    for key, y, length, head in zip(("plain", "scaled"), (0.5, 4.7), (token, token * root), heads, strict=True):
        turn = _angle(position, length)
        marks.append(Label(f"{key} head", 0.0, y + 0.5, head, "heading", "text", "left", bold=True))
        marks.append(Label(f"{key} angle", WIDE, y + 0.5, said("scale.angle", angle=turn), "label", "muted", "right"))
        arrows: tuple[tuple[str, float, Role], ...] = (("token", length, "what"), ("position", position, "where"))
        for place, (name, size, role) in enumerate(arrows):
            at = y + 1.75 + 1.2 * place
            tip = LEFT + unit * size
            marks.append(Label(f"{key} {name} name", 0.0, at, said(f"scale.{name}"), "label", role, "left", bold=True))
            marks.append(_arrow(f"{key} {name}", tip, at, role))
            marks.append(Label(f"{key} {name} length", tip + 0.8, at, _length(size), "label", role, "left", bold=True))
    return head_panel(
        state,
        Cell(0, 0, 7, 12),
        tuple(marks),
        caption=said("scale.caption"),
        x=Axis(0.0, WIDE),
        y=Axis(0.0, 8.5),
        invert_y=True,
    )


def _arrow(key: str, tip: float, y: float, role: Role) -> Vectors:
    return Vectors(key, np.array([LEFT]), np.array([y]), np.array([tip]), np.array([y]), role, "hand")


def _root_panel(d: int, root: float) -> Panel:
    readout = Readout(
        "root", short(root), said("scale.root", d=number(d, 0)), "what", "number", said("scale.root_detail")
    )
    return Panel("root_panel", Cell(7, 0, 5, 3), readouts=(readout,))


def _models_panel() -> Panel:
    """Three lists: who multiplies, who doesn't, of whom no stored file says it."""
    marks: list[Mark] = []
    y = 0.5
    roles: tuple[Role, ...] = ("what", "text", "muted")
    for key, names, role in zip(("yes", "no", "unknown"), who(), roles, strict=True):
        lines = _lines(", ".join(names))
        middle = y + 0.5 * (len(lines) - 1)
        marks.append(Label(f"who {key}", 0.0, middle, said(f"scale.who_{key}"), "label", role, "left", bold=True))
        marks.append(Label(f"{key} names", 17.0, middle, "\n".join(lines), "label", role, "left"))
        y += len(lines) + 0.2
    return Panel("who", Cell(7, 3, 5, 9), tuple(marks), title=said("scale.who"), x=Axis(0.0, 100.0), y=Axis(0.0, y),
                 invert_y=True)  # fmt: skip


@cache
def who() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Families of models that multiply by √d, that don't, and of which it is not known."""

    def families(wanted: bool | Unknown) -> tuple[str, ...]:
        return tuple(dict.fromkeys(family(entry.name) for entry in models.models() if _multiplies(entry) is wanted))

    return families(True), families(False), families(UNKNOWN)


def _multiplies(entry: Model) -> bool | Unknown:
    stated = entry.embeddings_times_sqrt_d
    return False if stated is UNKNOWN and family(entry.name) in DONT else stated


def family(name: str) -> str:
    """A model's name without its size and version: "Llama 3.1 8B" is Llama, "GPT-J-6B" is GPT-J."""
    kept: list[str] = []
    for word in name.replace(",", "").split():
        if kept and re.match(r"[\d(]|uncased|mini", word):
            break
        kept.append(re.sub(r"-(\d+[Bb]|small|base)$", "", word))
    return " ".join(kept)


def _lines(written: str) -> list[str]:
    lines, rest = [], written
    while len(rest) > LETTERS:
        cut = rest.rfind(", ", 0, LETTERS) + 1 or LETTERS
        lines.append(rest[:cut])
        rest = rest[cut:].lstrip()
    return [*lines, rest]


# --- in words --------------------------------------------------------------------------------------------------------


def _worked(state: LookupState, root: float, token: float, position: float) -> tuple[Line, ...]:
    d = number(state.d_model, 0)
    exact = math.isqrt(state.d_model) ** 2 == state.d_model
    if state.initial == "root":
        times = Term(short(root), "what", bold=True)
        length = line(f"token     1/√{d} × √{d} = 1      1 × √{d} {'=' if exact else '≈'} ", times)
    else:
        spread, whole = short(_spread(state), 4), _spread(state) * state.d_model
        sign = equals(round(_spread(state), 4) * state.d_model, whole, 3)
        equal = "=" if exact and abs(rounded(_spread(state), 4) * root - rounded(token, 3)) < 1e-9 else "≈"
        length = line(
            f"token     {spread} × √{d} {equal} {_length(token)}   {spread} × {d} {sign} ",
            Term(_length(whole), "what", bold=True),
        )
    half = state.d_model // 2
    turns = [
        line(f"{said(f'scale.worked_{key}'):<14} arctan({_length(position)} / {_length(length_)}) ≈ ",
             Term(_angle(position, length_) + "°", bold=True))
        for key, length_ in (("without", token), ("with", token * root))
    ]  # fmt: skip
    sign = "=" if math.isqrt(half) ** 2 == half else "≈"
    return (
        line(f"factor    √{d} {'=' if exact else '≈'} ", Term(short(root), bold=True)),
        noted(said("scale.worked_spread"), *length),
        noted(
            said("scale.worked_position"),
            f"position  √({d} / 2) = √{number(half, 0)} {sign} ",
            Term(_length(position), "where", bold=True),
        ),
        _ratio_line(state, token, position),
        *turns,
    )


def _ratio_line(state: LookupState, token: float, position: float) -> Line:
    """The title's ratio. √d cancels where the spread is a number, so the spread alone decides it."""
    longer, times = _ratio(token, position)
    if state.initial == "root":
        over = f"{_length(position)} / 1" if longer else f"1 / {_length(position)}"
    else:
        spread = short(_spread(state), 4)
        over = f"√(1 / 2) / {spread}" if longer else f"{spread} / √(1 / 2)"
    ratio = position / token if longer else token / position
    sign = "=" if abs(ratio - rounded(ratio, 1)) < 1e-9 else "≈"
    return line(f"{said('scale.worked_ratio'):<14} {over} {sign} ", Term(times, bold=True))


PAGE = Page(frame, controls)
