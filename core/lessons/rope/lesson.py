"""RoPE: the query and the key turn with their position, and their score sees only the gap.

Source: Su et al. 2021, "RoFormer". Positions count from 0; angles are radians, counter-clockwise.
"""

from __future__ import annotations

import dataclasses
import math

from core.lessons.rope import configs, dial, gap, head, layers, layouts, published, wrong
from core.lessons.rope.scene import pairs_shown
from core.lessons.rope.state import RopeState, check, follow, rotary_dims, scene_of, settle, step
from core.stage.frame import Drag, Event, Frame, Key, Pick, Term
from core.stage.lesson import Context, Lesson, Preset
from core.stage.params import replace

_FRAMES = {
    "dial": dial.frame,
    "head": head.frame,
    "gap": gap.frame,
    "layouts": layouts.frame,
    "wrong": wrong.frame,
    "layers": layers.frame,
    "models": published.frame,
}


def act(state: RopeState, event: Event, context: Context) -> RopeState:
    pairs = rotary_dims(state) // 2
    if isinstance(event, Pick) and event.index:
        at = event.index[0]
        if event.key == "pairs" and len(event.index) == 1:
            shown = pairs_shown(pairs, state.pair)
            return replace(state, pair=shown[at]) if 0 <= at < len(shown) else state
        if event.key in ("head", "waves") and 0 <= at < pairs:
            return replace(state, pair=at)
        if event.key in ("adjacent", "halves") and len(event.index) == 2 and 0 <= event.index[1] < state.entries:
            return replace(state, pair=layouts.pair_at(state, event.key, event.index[1]))
        if event.key == "further":
            return dial.further(state)
        if event.key == "show_right":
            return wrong.toggled(state)
        if event.key == "models":
            ids = published.listed(state.config)
            return _choose(state, context, ids[at - 1]) if 1 <= at <= len(ids) else state
    if isinstance(event, Key):
        return _key(state, event, context, pairs)
    if isinstance(event, Drag) and event.key in ("token_q", "token_k"):
        return dial.dragged(state, event.key, event.x)
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


def _key(state: RopeState, event: Key, context: Context, pairs: int) -> RopeState:
    if event.key in ("pairs", "head", "waves"):
        row = head.columns_of(pairs) if event.key == "head" else 0
        goals = {
            "left": state.pair - 1,
            "right": state.pair + 1,
            "up": state.pair - row,
            "down": state.pair + row,
            "home": 0,
            "end": pairs - 1,
        }
        return replace(state, pair=min(max(goals.get(event.name, state.pair), 0), pairs - 1))
    along = {"up": -1, "down": 1}.get(event.name, 0)
    if event.key == "models" and along:
        ids = published.listed(state.config)
        goal = (ids.index(state.config) if state.config in ids else -1) + along
        return _choose(state, context, ids[min(max(goal, 0), len(ids) - 1)])
    return state


def _choose(state: RopeState, context: Context, config: str) -> RopeState:
    return check(follow(state, replace(state, config=config)), context)


def frame(state: RopeState, context: Context) -> Frame:
    return _only_there(_FRAMES[state.page](state))


def _only_there(made: Frame) -> Frame:
    """Arithmetic that several pages share: what it came from lights up where the page shows it."""
    keys = {mark.key for _, mark in made.marks()} | {readout.key for panel in made.panels for readout in panel.readouts}
    keys |= {hand.key for _, mark in made.marks() for hand in getattr(mark, "hands", ())}
    if all(key in keys for line in made.worked.lines for term in line for key, _ in term.lights):
        return made

    def term(entry: Term) -> Term:
        return dataclasses.replace(entry, lights=tuple(light for light in entry.lights if light[0] in keys))

    lines = tuple(tuple(term(entry) for entry in line) for line in made.worked.lines)
    return dataclasses.replace(made, worked=dataclasses.replace(made.worked, lines=lines))


def controls(state: RopeState) -> tuple[str, ...]:
    """What belongs to the page, the first six at once."""
    places = ("query_position", "key_position", "keep_gap")
    if state.page == "dial":
        return (*places, "base", "head_dim", "pairing", "pair", "query", "key", "curve", "untouched", "config")
    if state.page == "head":
        return ("config", "head_dim", "base", "untouched", "trained", "pair", *places)
    if state.page == "gap":
        own = {
            "equal": ("span", "head_dim", "base", "keep_gap"),
            "random": ("span", "seed", "draws", "keep_gap", "head_dim", "base"),
            "words": ("query_word", "key_word", "attention_head", "span", "keep_gap"),
        }[state.vectors]
        return ("vectors", *own[:3], *places[:2], *own[3:])
    if state.page == "layouts":
        return ("entries", "pair", "seed", *places, "base")
    if state.page == "wrong":
        if state.mistake == "d_model":
            return ("mistake", "beside", "n_heads", "head_dim", "base", "span", *places[:2])
        return ("mistake", "beside", *places, "seed", "entries", "base")
    if state.page == "layers":
        return ("layers", "leave_out", *places)
    return ("config", "base", "head_dim", "untouched", "trained")


def ranges(state: RopeState) -> dict[str, tuple[float, float]]:
    pairs = state.entries // 2 if state.page == "layouts" else rotary_dims(state) // 2
    return {"pair": (0, pairs - 1), "untouched": (0, max(state.head_dim - 2, 1))}


_FAR = {"query_position": 503, "key_position": 501}

LESSON = Lesson(
    id="rope",
    state=RopeState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("near", {"query_position": 3, "key_position": 1}),
        Preset("far", _FAR),
        Preset("farthest", {"query_position": 1_000_000, "key_position": 999_998}),
        Preset("slow_pair", {"pair": 3}),
        Preset("own_vectors", {"query": (1.2, 0.5), "key": (0.6, -0.8)}),
        Preset("whole_head", {"head_dim": 128, "curve": "head"}),
        Preset("llama3", {"head_dim": 128, "base": 500_000.0, "pair": 63, "query_position": 8191, "key_position": 0}),
        Preset("head_64", {"page": "head", "head_dim": 128, "trained": 4096, "pair": 46}),
        Preset("head_128", {"page": "head", "head_dim": 256, "trained": 8192, "pair": 100}),
        Preset(
            "gpt_j", {"page": "head", **configs.owned("gpt-j-6b"), "config": "gpt-j-6b", "trained": 2048, "pair": 21}
        ),
        Preset(
            "neox",
            {"page": "head", **configs.owned("gpt-neox-20b"), "config": "gpt-neox-20b", "trained": 2048, "pair": 8},
        ),
        Preset(
            "deepseek", {"page": "head", **configs.owned("deepseek-v3-671b"), "config": "deepseek-v3-671b", "pair": 23}
        ),
        Preset("equal", {"page": "gap", "head_dim": 128}),
        Preset("random", {"page": "gap", "vectors": "random", "head_dim": 128}),
        Preset("words", {"page": "gap", "vectors": "words", "span": 64}),
        Preset("words_far", {"page": "gap", "vectors": "words", "span": 64, **_FAR}),
        Preset("layouts", {"page": "layouts", "pair": 1}),
        Preset("wrong_values", {"page": "wrong"}),
        Preset("wrong_layouts", {"page": "wrong", "mistake": "layouts"}),
        Preset("wrong_sign", {"page": "wrong", "mistake": "sign"}),
        Preset("wrong_d_model", {"page": "wrong", "mistake": "d_model", "head_dim": 64, "beside": True}),
        Preset("layers", {"page": "layers"}),
        Preset("layers_left_out", {"page": "layers", "layers": 8, "leave_out": 4}),
        Preset("models", {"page": "models", **configs.owned("llama-3-8b"), "config": "llama-3-8b", "trained": 8192}),
    ),
)
