"""RoPE: the query and the key turn with their position, and their score sees only the gap.

Source: Su et al. 2021, "RoFormer". Positions count from 0; angles are radians, counter-clockwise.
"""

from __future__ import annotations

import math

from core.lessons.rope import arithmetic, panels
from core.lessons.rope.scene import frequencies, pairs_shown, radians
from core.lessons.rope.state import RopeState, check, follow, scene_of, settle, step, summed
from core.stage.frame import Drag, Event, Frame, Key, Pick
from core.stage.lesson import Context, Lesson, Preset
from core.stage.numbers import count, number
from core.stage.params import replace
from core.stage.text import text


def act(state: RopeState, event: Event, context: Context) -> RopeState:
    if isinstance(event, Pick) and event.key == "pairs" and len(event.index) == 1:
        shown = pairs_shown(state.head_dim // 2, state.pair)
        return replace(state, pair=shown[event.index[0]]) if 0 <= event.index[0] < len(shown) else state
    if isinstance(event, Key) and event.key == "pairs":
        pairs = state.head_dim // 2
        goals = {"left": state.pair - 1, "right": state.pair + 1, "home": 0, "end": pairs - 1}
        return replace(state, pair=min(max(goals.get(event.name, state.pair), 0), pairs - 1))
    if isinstance(event, Drag) and event.key in ("q_hand", "k_hand") and (event.x or event.y):
        # The hand is dragged, the position stays: what turns is the vector as it was before the rotation.
        name = "query" if event.key == "q_hand" else "key"
        scene = scene_of(state)
        position = scene.m if name == "query" else scene.n
        angle = math.atan2(event.y, event.x) - position * scene.theta
        length = round(math.hypot(*getattr(state, name)), 2) or 1.0
        vector = tuple(round(length * part(angle), 3) + 0.0 for part in (math.cos, math.sin))
        return replace(state, **{name: vector})
    return state


def frame(state: RopeState, context: Context) -> Frame:
    scene = scene_of(state)
    shown = (
        panels.dial_panel(state, scene),
        panels.head_panel(state, scene) if summed(state) else panels.score_panel(scene),
        panels.curve_panel(state, scene),
        panels.pairs_panel(state, scene),
    )
    first, second = panels.dimensions(state)
    alt = text(
        "rope.alt",
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
        alt += " " + text("rope.alt_head", score=number(float(total)))
    return Frame(text("rope.title"), text("rope.subtitle"), shown, arithmetic.worked(scene, state), alt)


def ranges(state: RopeState) -> dict[str, tuple[float, float]]:
    return {"pair": (0, state.head_dim // 2 - 1)}


LESSON = Lesson(
    id="rope",
    state=RopeState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("near", {"query_position": 3, "key_position": 1}),
        Preset("far", {"query_position": 503, "key_position": 501}),
        Preset("farthest", {"query_position": 1_000_000, "key_position": 999_998}),
        Preset("slow_pair", {"pair": 3}),
        Preset("own_vectors", {"query": (1.2, 0.5), "key": (0.6, -0.8)}),
        Preset("whole_head", {"head_dim": 128, "curve": "head"}),
        Preset("llama3", {"head_dim": 128, "base": 500_000.0, "pair": 63, "query_position": 8191, "key_position": 0}),
    ),
)
