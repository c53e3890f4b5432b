"""The dial page: one pair on a large dial, both tokens on the line of the text, the value that does not turn."""

from __future__ import annotations

import numpy as np

from core.lessons.rope import arithmetic, panels
from core.lessons.rope.scene import FARTHEST, Scene, frequencies, radians
from core.lessons.rope.state import RopeState, follow, rotary_dims, scene_of, settle, summed, turning
from core.lessons.rope.words import big_panel, said
from core.stage.frame import (
    Axis,
    Card,
    Cards,
    Cell,
    Curve,
    Dials,
    Frame,
    Hand,
    Handle,
    Label,
    Mark,
    Panel,
    Rect,
)
from core.stage.numbers import count, number
from core.stage.params import replace

LEFT, WIDE, LOW = -1.3, 2.6, -1.19  # the line of the text, in the dial's coordinates
JUMP = 500
_V_ANGLE = 0.6  # any direction: v has no part in the score


def frame(state: RopeState) -> Frame:
    scene = scene_of(state)
    part = rotary_dims(state) < state.head_dim
    state = turning(state)
    shown = (
        _big(state, scene),
        panels.head_panel(state, scene, part) if summed(state) else panels.score_panel(state, scene),
        panels.curve_panel(state, scene),
        panels.pairs_panel(state, scene),
    )
    first, second = panels.dimensions(state)
    alt = said(
        "alt" if scene.reach else "alt_no_angle",
        pair=state.pair,
        first=first,
        second=second,
        theta=scene.theta_text,
        m=scene.place(scene.m),
        n=scene.place(scene.n),
        gap=count(scene.gap),
        between=radians(scene.between),
        score=scene.score_text,
        pairs=state.head_dim // 2,
    )
    if summed(state):
        total = arithmetic.pair_shares(scene, frequencies(state.head_dim, state.base)).sum()
        alt += " " + said("alt_part" if part else "alt_head", score=number(float(total)))
    return Frame(said("title"), said("subtitle"), shown, arithmetic.worked(scene, state), alt)


def _big(state: RopeState, scene: Scene) -> Panel:
    v = Dials(
        "v_dial",
        (Hand("v_hand", np.array([_V_ANGLE]), "what"),),
        Rect(0.95, -1.08, 0.42, 0.42),
        columns=1,
    )
    by = _room(settle(state))
    marks: list[Mark] = [
        *panels.dial_marks(state, scene),
        v,
        Label("v_name", 1.16, -0.55, said("v_stays"), "small", "what", bold=True),
        *_text_line(scene),
    ]
    if by:  # at the last position there is nothing further on
        card = Card(said("further", by=by), role="where", hover=said("further_hover", by=by))
        marks.append(Cards("further", (card,), Rect(-1.42, -1.06, 0.66, 0.24)))
    return big_panel(
        state,
        Cell(0, 0, 12, 6),
        marks,
        Axis(-1.48, 1.48),
        Axis(-1.38, 1.14),
        caption=panels.dial_caption(state, scene),
        equal=True,
    )


def window(scene: Scene) -> tuple[int, int]:
    """First position and extent of the part of the text that the line shows: both tokens stand in it, and it moves on
    by half of its extent, so that it stands still while a token is dragged inside. It never ends past the last
    position."""
    size = abs(scene.gap)
    extent = next(e for e in (20 * 5**i * 2**j for i in range(10) for j in (0, 1)) if e >= 2 * size)
    extent = min(extent, FARTHEST)
    half = extent // 2
    start = int(min(scene.m, scene.n)) // half * half
    return min(start, FARTHEST - extent), extent


def _text_line(scene: Scene) -> list[Mark]:
    start, extent = window(scene)

    def at(position: float) -> float:
        return LEFT + WIDE * (position - start) / extent

    ticks = [start + extent // 2, start + extent]
    many = np.linspace(LEFT, LEFT + WIDE, 21)
    x, y = np.repeat(many, 2), np.tile([LOW - 0.03, LOW + 0.03], 21)
    marks: list[Mark] = [
        Curve("text_ticks", x, y, "control", "thin", breaks=tuple(range(2, 42, 2))),
        Curve("text_line", np.array([LEFT, LEFT + WIDE]), np.full(2, LOW), "control", "line"),
        Curve("text_gap", np.array([at(scene.n), at(scene.m)]), np.full(2, LOW), "where", "hand"),
    ]
    for number_of, tick in enumerate(ticks):
        marks.append(Label(f"text_tick_{number_of}", at(tick), LOW - 0.07, count(tick), "small", "muted", "top"))
    # What stands on the line is said at its beginning; a long number goes on to the right.
    first = said("text_start", n=count(start))
    marks.append(Label("text_start", LEFT - 0.17, LOW - 0.07, first, "small", "muted", "top left"))
    for key, position, role, name in (
        ("token_k", scene.n, "key", said("param.key_position")),
        ("token_q", scene.m, "query", said("param.query_position")),
    ):
        marks.append(Handle(key, at(position), LOW, role, name, WIDE / extent))  # type: ignore[arg-type]
    return marks


def dragged(state: RopeState, key: str, x: float) -> RopeState:
    """A token was dragged along the line of the text to ``x``."""
    start, extent = window(scene_of(state))
    at = settle(state)
    position = round(start + (x - LEFT) / WIDE * extent)
    position = min(max(position, start, 0), start + extent)
    name = "query_position" if key == "token_q" else "key_position"
    return follow(at, replace(at, **{name: position}))


def further(state: RopeState) -> RopeState:
    """Both tokens 500 positions further on, or as far as there are positions."""
    at = settle(state)
    by = _room(at)
    return replace(at, query_position=at.query_position + by, key_position=at.key_position + by)


def _room(state: RopeState) -> int:
    """How much further both tokens go at one press, in tokens."""
    return min(JUMP, FARTHEST - max(state.query_position, state.key_position))
