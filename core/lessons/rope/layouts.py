"""The layouts page: which entries make a pair, in both ways that models are written, and how one maps to the other."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import rotary
from core.lessons.rope import configs
from core.lessons.rope.scene import frequencies
from core.lessons.rope.state import RopeState, settle
from core.lessons.rope.words import big_panel, said, sum_text
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number
from core.stage.theme import Role

TOP, BOTTOM, HIGH = 1.5, 4.5, 0.9  # of the two rows of cells


@lru_cache(maxsize=64)
def drawn(entries: int, seed: int) -> tuple[Array, Array]:
    """q and k, (entries,) each, one decimal, as they lie in memory for the adjacent layout."""
    q, k = np.random.default_rng([seed, entries]).uniform(-1.0, 1.0, (2, entries)).round(1) + 0.0
    return q, k


@lru_cache(maxsize=64)
def shares(entries: int, seed: int, base: float, m: int, n: int) -> tuple[Array, Array, Array]:
    """What each pair of turned entries adds to q·k, (pairs,): both adjacent; both permuted and in halves; k read in
    halves although it lies in memory for the adjacent layout."""
    q, k = drawn(entries, seed)
    theta, order = frequencies(entries, base), rotary.pairing_permutation(entries)
    turned_q = rotary.rotate(q, [m], theta)
    both = turned_q * rotary.rotate(k, [n], theta)
    moved = rotary.rotate(q[order], [m], theta, "halves") * rotary.rotate(k[order], [n], theta, "halves")
    mixed = turned_q * rotary.rotate(k, [n], theta, "halves")
    half = entries // 2
    return both[0::2] + both[1::2], moved[:half] + moved[half:], mixed[0::2] + mixed[1::2]


def pair_of(state: RopeState) -> int:
    """The picked pair, as far as the shown vector has pairs."""
    return min(state.pair, state.entries // 2 - 1)


def pair_at(state: RopeState, layout: str, column: int) -> int:
    """The pair that this cell belongs to."""
    return column // 2 if layout == "adjacent" else column % (state.entries // 2)


def frame(state: RopeState) -> Frame:
    state = settle(state)
    adjacent, halves, mixed = shares(state.entries, state.seed, state.base, state.query_position, state.key_position)
    one, other = float(adjacent.sum()), float(mixed.sum())
    panels = (_big(state), _scores(state, one, other), _families())
    return Frame(
        said("layouts.title"),
        said("layouts.subtitle"),
        panels,
        Worked(tuple(_lines(state, adjacent, halves, mixed))),
        said(
            "layouts.alt",
            entries=state.entries,
            order=order_text(state.entries),
            m=count(state.query_position),
            n=count(state.key_position),
            same=number(one),
            mixed=number(other),
        ),
    )


def order_text(entries: int) -> str:
    return " ".join(str(int(at)) for at in rotary.pairing_permutation(entries))


def _big(state: RopeState) -> Panel:
    d, pair = state.entries, pair_of(state)
    q, _ = drawn(d, state.seed)
    order = rotary.pairing_permutation(d)
    half = d // 2
    rows = (
        ("adjacent", TOP, q, np.arange(d), (2 * pair, 2 * pair + 1)),
        ("halves", BOTTOM, q[order], order, (pair, pair + half)),
    )
    marks: list[Mark] = []
    # Each entry goes down to its new place.
    where = np.argsort(order)
    x = np.ravel(np.column_stack([np.arange(d) + 0.5, where + 0.5]))
    y = np.tile([TOP + HIGH + 0.1, BOTTOM - 0.85], d)
    marks.append(Curve("ways", x, y, "control", "line", breaks=tuple(range(2, 2 * d, 2))))
    mine = [2 * pair, 2 * pair + 1]
    x = np.ravel(np.column_stack([np.array(mine) + 0.5, where[mine] + 0.5]))
    marks.append(Curve("way", x, y[:4], "where", "hand", breaks=(2,)))
    for key, top, values, names, picked in rows:
        marks.append(
            Matrix(
                key,
                ArraySource(values[np.newaxis]),
                rows=(0, 1),
                columns=(0, d),
                levels=(-1.0, 1.0),
                place=Rect(0.0, top, float(d), HIGH),
                decimals=1,
                column_labels=tuple(str(int(name)) for name in names),
                outlines=tuple(Outline(0, at) for at in picked),
                separate=True,
                hover=said("layouts.hover"),
            )
        )
    marks += [
        Label("adjacent_name", 0.0, 0.75, said("layouts.adjacent"), "label", "text", "bottom left", bold=True),
        Label("halves_name", 0.0, 6.55, said("layouts.halves"), "label", "text", "top left", bold=True),
        *_brackets(d, pair),
    ]
    return big_panel(
        state,
        Cell(0, 0, 8, 8),
        marks,
        Axis(-0.1, d + 0.1),
        Axis(0.0, 7.2),
        invert_y=True,
        caption=said("layouts.caption", pair=pair),
    )


def _brackets(d: int, picked: int) -> list[Mark]:
    """Below the halves: which two entries turn together; the picked pair's is the strong one."""
    foot, half = BOTTOM + HIGH + 0.1, d // 2
    marks: list[Mark] = []
    for pair in range(half):
        deep = foot + 0.2 + 0.6 * (pair + 1) / half
        x = np.array([pair, pair, pair + half, pair + half]) + 0.5
        mine = pair == picked
        y = np.array([foot, deep, deep, foot])
        marks.append(Curve(f"halves_{pair}", x, y, "where" if mine else "control", "bold" if mine else "thin"))
    return marks


def _scores(state: RopeState, same: float, mixed: float) -> Panel:
    still = "" if state.key_position else said("layouts.still")  # why both are the same there
    return Panel(
        "score_panel",
        Cell(0, 8, 8, 4),
        readouts=(
            Readout("same", number(same), said("layouts.same")),
            Readout("mixed", number(mixed), said("layouts.mixed"), role="warn", detail=still),
        ),
    )


def _families() -> Panel:
    """Who is written in which layout, a row each."""
    names = ("adjacent", "halves", "both")
    rows = [
        (said(f"layouts.row.{name}"), ", ".join(found)) for name, found in zip(names, configs.layouts(), strict=True)
    ]
    table = Table(
        "families",
        ((said("layouts.head.layout"), said("layouts.head.families")), *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        widths=(0.3, 0.7),
        align=("left", "left"),
    )
    return Panel("families_panel", Cell(8, 0, 4, 12), (table,), invert_y=True)


def _lines(state: RopeState, adjacent: Array, halves: Array, mixed: Array) -> list[Line]:
    lines: list[Line] = []
    for name, parts, key in (("work_same", adjacent, "same"), ("work_mixed", mixed, "mixed")):
        true = float(parts.sum())
        whole = sum_text(parts, true)
        if len(whole) > 52:
            half = len(parts) // 2
            two = [float(parts[:half].sum()), float(parts[half:].sum())]
            whole = sum_text(two, true)
        role: Role = "warn" if key == "mixed" else "where"
        lines.append(line(said(f"layouts.{name}"), whole, Term(number(true), role, ((key, ()),), bold=True)))
    lines.append(line(said("layouts.work_order"), Term(order_text(state.entries), "text", (("halves", ()),))))
    moved = number(float(halves.sum()))
    lines.append(line(said("layouts.work_moved", score=moved)))
    lines.append(line(Term(said("layouts.work_weights"), "muted")))
    lines.append(line(Term(said("layouts.work_paper"), "muted")))
    return lines
