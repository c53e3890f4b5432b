"""The layers page: a position added once at the input, against q and k turned in every layer."""

from __future__ import annotations

import numpy as np

from core.lessons.rope.scene import Scene
from core.lessons.rope.state import RopeState, scene_of
from core.lessons.rope.words import big_panel, said
from core.stage.frame import (
    Axis,
    Cell,
    Curve,
    Dials,
    Frame,
    Hand,
    Label,
    Line,
    Mark,
    Panel,
    Readout,
    Rect,
    Table,
    Term,
    Vectors,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count
from core.stage.theme import Size

LEFT, RIGHT, WIDE = 0.4, 5.4, 4.2  # of the two stacks
HIGH = 0.72  # of a layer, of 1


def turning_layers(state: RopeState) -> list[bool]:
    """For each layer, from the input on, whether q and k are turned in it: every n-th one may leave it out."""
    return [not state.leave_out or (layer + 1) % state.leave_out != 0 for layer in range(state.layers)]


def frame(state: RopeState) -> Frame:
    scene = scene_of(state)
    turns = turning_layers(state)
    n = sum(turns)
    part = {"n": n, "layers": state.layers}
    return Frame(
        said("layers.title") if n == state.layers else said("layers.title_some", **part),
        said("layers.subtitle"),
        (_big(state, scene, turns), _numbers(n), _table()),
        Worked(tuple(_lines(state, n))),
        said("layers.alt", layers=state.layers, n=n, m=scene.place(scene.m), k=scene.place(scene.n)),
    )


def _box(key: str, x: float, y: float, role: str, high: float = HIGH) -> Curve:
    xs = np.array([x, x + WIDE, x + WIDE, x])
    ys = np.array([y, y, y + high, y + high])
    return Curve(key, xs, ys, role, "line", closed=True)  # type: ignore[arg-type]


def _big(state: RopeState, scene: Scene, turns: list[bool]) -> Panel:
    n = state.layers
    middle = WIDE / 2
    size: Size = "label" if n <= 6 else "small"  # a taller one reaches its frame
    marks: list[Mark] = []
    for side, x in (("once", LEFT), ("rope", RIGHT)):
        role = "where" if side == "once" else "control"
        marks += [
            Label(
                f"{side}_name",
                x + middle,
                n + 1.35,
                said("layers.rope_some", n=sum(turns), layers=n)
                if side == "rope" and not all(turns)
                else said(f"layers.{side}"),
                "label",
                "text",
                "center",
                bold=True,
            ),
            _box(f"{side}_input", x, 0.0, role),
            Label(f"{side}_token", x + 0.2, HIGH / 2, said("layers.token"), size, "what", "left", bold=True),
            Vectors(
                f"{side}_ways",
                np.full(n, x + middle),
                np.arange(n) + HIGH,
                np.full(n, x + middle),
                np.arange(n) + 1.0,
                "control",
                "line",
            ),
        ]
        for layer in range(n):
            base = layer + 1.0
            turned = side == "rope" and turns[layer]
            marks += [
                _box(f"{side}_layer_{layer}", x, base, "where" if turned else "control"),
                Label(
                    f"{side}_text_{layer}",
                    x + 0.2,
                    base + HIGH / 2,
                    said("layers.layer", n=layer + 1),
                    size,
                    "text",
                    "left",
                ),
            ]
            if side == "rope" and not turned:
                marks.append(
                    Label(
                        f"rope_none_{layer}",
                        x + WIDE - 0.2,
                        base + HIGH / 2,
                        said("layers.none"),
                        "small",
                        "muted",
                        "right",
                    )
                )
    marks.append(
        Label("once_plus", LEFT + WIDE - 0.2, HIGH / 2, said("layers.plus"), size, "where", "right", bold=True)
    )
    marks += _dials(scene, turns)
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, 10.0),
        Axis(-0.1, n + 1.7),
        caption=said("layers.caption", pair=state.pair),
    )


def _dials(scene: Scene, turns: list[bool]) -> list[Mark]:
    """In each layer that turns q and k: its own small dial, all at the same angle."""
    marks: list[Mark] = []
    for layer, turned in enumerate(turns):
        if not turned:
            continue
        hands = (
            Hand(f"layer_k_{layer}", np.array([scene.key_hand]), "key"),
            Hand(f"layer_q_{layer}", np.array([scene.query_hand]), "query"),
        )
        place = Rect(RIGHT + WIDE / 2 - 0.4, layer + 1.03, 0.8, HIGH - 0.06)
        marks.append(Dials(f"layer_{layer}", hands, place, 1))
        x = RIGHT + WIDE - 0.2
        marks.append(
            Label(f"layer_turn_{layer}", x, layer + 1 + HIGH / 2, said("layers.turn"), "small", "where", "right")
        )
    return marks


def _numbers(turned: int) -> Panel:
    return Panel(
        "numbers",
        Cell(0, 8, 5, 4),
        readouts=(
            Readout("times_once", said("layers.times", n=1), said("layers.times_once"), role="where", size="title"),
            Readout(
                "times_rope",
                said("layers.times", n=turned),
                said("layers.times_rope"),
                role="where",
                size="title",
            ),
        ),
    )


def _table() -> Panel:
    rows = [("", said("layers.head.once"), said("layers.head.rope"))]
    rows += [
        (said(f"layers.row.{name}"), said(f"layers.once_is.{name}"), said(f"layers.rope_is.{name}"))
        for name in ("where", "what", "values", "sees")
    ]
    table = Table(
        "sides", tuple(rows), Rect(0.0, 0.0, 1.0, 1.0), widths=(0.34, 0.32, 0.34), align=("left", "left", "left")
    )
    return Panel("table_panel", Cell(5, 8, 7, 4), (table,), invert_y=True)


def _lines(state: RopeState, turned: int) -> list[Line]:
    left = state.layers - turned
    lines = [line(said("layers.work_once"), Term("1", "where", (("times_once", ()),), bold=True))]
    if left:
        lines.append(line(said("layers.work_left"), f"{state.layers} {MINUS} {left} = {turned}"))
    lines.append(
        line(
            said("layers.work_rope"),
            Term(f"{turned} × 2 = {count(2 * turned)}", "where", (("times_rope", ()),), bold=True),
        )
    )
    notes = ("work_same", "work_last", "work_some")
    return lines + [line(Term(said(f"layers.{note}"), "muted")) for note in notes]
