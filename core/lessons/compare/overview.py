"""The comparison as a table: what can be computed is computed for the chosen sizes, users are read from the models."""

from __future__ import annotations

from functools import cache

import numpy as np

from core.encodings import alibi, t5
from core.encodings.attention import split_heads
from core.encodings.checks import ArgumentError
from core.lessons.compare.schemes import BUCKETS, FARTHEST, SCHEMES, new_angles
from core.lessons.compare.state import CompareState
from core.lessons.compare.words import big_panel, name_of, said
from core.stage.frame import Axis, Cell, Frame, Label, Line, Panel, Readout, Rect, Table, Term, Worked, line
from core.stage.numbers import MINUS, count, number, short, size
from core.stage.text import text
from core.tables import models
from core.tables.models import UNKNOWN, Model
from core.values import dataclass

FILED = {  # what models.json calls a scheme
    "sinusoidal": "sinusoidal",
    "learned": "learned_absolute",
    "t5": "relative_bias_buckets",
    "rope": "rope",
    "alibi": "alibi",
}
# Named first:
KNOWN = ("gpt-2-small-124m", "bert-base-uncased", "llama-2-7b", "llama-3-8b", "mistral-7b-v0-1", "qwen3-8b")
LISTED = 3  # models at once
ROOM = 22  # letters of the users' cell


@dataclass(frozen=True, slots=True)
class Sizes:
    """What follows from the chosen sizes for each scheme."""

    parameters: int
    beyond: str


def head_dim(state: CompareState) -> int | None:
    """None where the heads do not divide the model's width, or into an odd one that RoPE could not pair."""
    try:
        width = split_heads(state.d_model, state.n_heads)
    except ArgumentError:
        return None
    return width if width % 2 == 0 else None


def parameters(state: CompareState, scheme: str) -> int:
    """Learned numbers that a scheme adds to a model: a row per position, or a number per bucket and head (which T5's
    layers share)."""
    if scheme == "learned":
        return state.max_len * state.d_model
    return BUCKETS * state.n_heads if scheme == "t5" else 0


def new_pairs(state: CompareState) -> tuple[int, int] | None:
    """See ``new_angles``; None where RoPE finds no pairs."""
    width = head_dim(state)
    if width is None:
        return None
    return new_angles(width, state.max_len, state.base)


def beyond(state: CompareState, scheme: str) -> str:
    """What a scheme says past the trained length."""
    row = count(state.max_len)
    if scheme == "rope":
        pairs = new_pairs(state)
        if pairs is None:
            return said("table.beyond.rope_odd")
        if not pairs[0]:
            return said("table.beyond.rope_wrapped")
        return said("table.beyond.rope" + ("_1" if pairs[1] == 1 else ""), new=pairs[0], of=pairs[1])
    if scheme == "t5":
        first = int(np.argmax(t5.buckets(-np.arange(1, FARTHEST + 1), True, BUCKETS, FARTHEST) == BUCKETS // 2 - 1)) + 1
        return said("table.beyond.t5", first=first)
    if scheme == "alibi":
        return said("table.beyond.alibi", bias=_bias(state))
    return said(f"table.beyond.{scheme}", row=row)


def _bias(state: CompareState) -> str:
    """Of the gentlest head, at the first distance that training did not hold."""
    return number(-float(alibi.slopes(state.n_heads).min()) * state.max_len, 1)


@cache
def users(scheme: str) -> tuple[Model, ...]:
    """The models of the file with this scheme, the best known first."""
    found = [model for model in models.models() if model.scheme == FILED.get(scheme)]
    return tuple(sorted(found, key=lambda model: KNOWN.index(model.id) if model.id in KNOWN else len(KNOWN)))


def users_text(scheme: str) -> str:
    """As many names as there is room for, and how many more there are."""
    found = users(scheme)
    if not found:
        return said("table.nobody")
    names: list[str] = []
    for model in found:
        family = model.name.split(" ")[0]
        if family in names:
            continue
        if len(", ".join([*names, family])) > ROOM:
            break
        names.append(family)
    listed = ", ".join(names)
    whole = {model.name.split(" ")[0] for model in found} == set(names)
    return listed if whole else said("table.among", names=listed, count=count(len(found)))


def frame(state: CompareState) -> Frame:
    panels = (_table_panel(state), _models_panel(state), _number_panel(state))
    rows = table_rows(state)
    told = ". ".join(f"{row[0]}: " + ", ".join(row[1:]) for row in rows[1:])
    amount = parameters(state, state.scheme)
    title = said(
        f"title.table.{state.scheme}",
        rows=count(state.max_len),
        width=count(state.d_model),
        total=size(amount),
        heads=count(state.n_heads),
        buckets=BUCKETS,
    )
    alt = said("alt.table", rows=told, name=name_of(state.scheme), total=count(amount))
    return Frame(title, said("subtitle.table"), panels, _worked(state), alt)


def table_rows(state: CompareState) -> tuple[tuple[str, ...], ...]:
    """The head and a row for each scheme."""
    head = tuple(said(f"table.head.{name}") for name in ("scheme", "added", "applied", "encodes", "beyond", "users"))
    rows = [
        (
            name_of(scheme),
            _amount(parameters(state, scheme)),
            said(f"table.applied.{scheme}"),
            said(f"table.encodes.{scheme}"),
            beyond(state, scheme),
            users_text(scheme),
        )
        for scheme in SCHEMES
    ]
    return (head, *rows)


def _amount(numbers: int) -> str:
    return size(numbers) if numbers >= 10_000_000 else count(numbers)


def _table_panel(state: CompareState) -> Panel:
    table = Table(
        "schemes",
        table_rows(state),
        Rect(0.0, 0.0, 1.0, 1.0),
        picked=SCHEMES.index(state.scheme) + 1,
        align=("left", "right", "left", "left", "left", "left"),
    )
    sizes = said(
        "table.sizes", width=count(state.d_model), rows=count(state.max_len), heads=count(state.n_heads)
    )  # fmt: skip
    return big_panel(
        state, Cell(0, 0, 8, 12), (table,), Axis(0.0, 1.0), Axis(0.0, 1.0), invert_y=True, note=sizes
    )  # fmt: skip


def _models_panel(state: CompareState) -> Panel:
    """Who uses the picked scheme, with what the file states; what it does not state stays unknown."""
    found = users(state.scheme)
    first = min(state.list_from, max(len(found) - LISTED + 1, 1)) - 1
    shown = found[first : first + LISTED]
    head = tuple(said(f"table.model.{name}") for name in ("name", "width", "heads", "longest"))
    rows = [
        (model.name, count(model.d_model), count(model.n_heads), longest(model))
        for model in shown
    ]  # fmt: skip
    title = said("table.models", name=name_of(state.scheme), count=count(len(found)))
    if len(found) > LISTED:
        title = said(
            "table.models_of", name=name_of(state.scheme), first=first + 1, last=first + len(shown), count=len(found)
        )
    if not rows:
        label = Label("nobody", 0.5, 0.5, said(f"table.no_models.{state.scheme}"), "label", "muted")
        return Panel("models_panel", Cell(8, 0, 4, 8), (label,), title=title)
    table = Table(
        "models",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        align=("left", "right", "right", "right"),
    )
    return Panel("models_panel", Cell(8, 0, 4, 8), (table,), title=title, invert_y=True)


def longest(model: Model) -> str:
    """The positions that a model was built for, else the length it was trained on."""
    for value in (model.max_position, model.trained_length):
        if isinstance(value, int):
            return count(value)
    return said("table.no_limit") if model.max_position is None else str(UNKNOWN)


def _number_panel(state: CompareState) -> Panel:
    amount = parameters(state, state.scheme)
    readout = Readout(
        "amount",
        _amount(amount),
        said("table.amount", name=name_of(state.scheme)),
        "where",
        detail=said(f"table.detail.{state.scheme}"),
    )
    return Panel("number_panel", Cell(8, 8, 4, 4), readouts=(readout,))


def _worked(state: CompareState) -> Worked:
    """The picked row's numbers, computed."""
    lights = (("schemes", (SCHEMES.index(state.scheme) + 1, 1)),)
    past = (("schemes", (SCHEMES.index(state.scheme) + 1, 4)),)
    amount = Term(count(parameters(state, state.scheme)), "where", lights, bold=True)
    rows, width, heads = count(state.max_len), count(state.d_model), count(state.n_heads)
    lines: list[Line] = []
    if state.scheme == "learned":
        lines = [
            line(said("work.table.learned", rows=rows, width=width), amount),
            line(Term(said("work.table.learned_end", last=count(state.max_len - 1), row=rows), "warn", past)),
        ]
    elif state.scheme == "t5":
        lines = [line(said("work.table.t5", buckets=BUCKETS, heads=heads), amount), line(said("work.table.t5_shared"))]
    else:
        lines = [line(said("work.table.zero", name=name_of(state.scheme)), amount)]
    if state.scheme == "rope":
        pairs, half = new_pairs(state), head_dim(state)
        if pairs is None or half is None:
            lines.append(line(Term(said("work.table.odd", width=width, heads=heads), "warn")))
        else:
            one = "_1" if pairs[1] == 1 else ""
            lines.append(line(said("work.table.head_dim" + one, width=width, heads=heads, d=half, pairs=pairs[1])))
            told = said("work.table.turns" + one, length=rows, new=pairs[0], of=pairs[1], base=short(state.base))
            lines.append(line(Term(told, "where", past)))
    elif state.scheme == "alibi":
        slopes = alibi.slopes(state.n_heads)
        gentle = float(slopes.min())
        product = float(short(gentle, 6)) * state.max_len
        sign = "=" if number(-product, 1) == _bias(state) else "≈"
        lines.append(line(said("work.table.alibi", head=int(slopes.argmin()) + 1, heads=heads)))
        lines.append(line(Term(f"{MINUS}{short(gentle, 6)} × {rows} {sign} {_bias(state)}", "where", past)))
    lines.append(line(Term(text(f"compare.work.fact.{state.scheme}"), "muted")))
    return Worked(tuple(lines))
