"""Longer context: what a model meets beyond its trained length, and what each published method does about it.

Sources: Su et al. 2021 (RoFormer), Chen et al. 2023, Peng et al. 2023, Dubey et al. 2024, Ding et al. 2024, and the
published configurations in ``assets/models.json``.
"""

from __future__ import annotations

import dataclasses

from core.lessons.extension import advice, angles, configs, curves, neighbours, published, seen, zones
from core.lessons.extension.scene import scene_of
from core.lessons.extension.state import ExtensionState, check, follow, ranges, settle, step
from core.stage.frame import Drag, Event, Frame, Key, Pick, Scroll, Term
from core.stage.lesson import Context, Lesson, Preset
from core.stage.params import replace

_FRAMES = {
    "angles": angles.frame,
    "zones": zones.frame,
    "neighbours": neighbours.frame,
    "scores": curves.frame,
    "map": seen.frame,
    "models": published.frame,
    "advice": advice.frame,
}
_BY_PAIR = ("seen", "slow", "apart", "apart_before")


def frame(state: ExtensionState, context: Context) -> Frame:
    at = settle(state)
    return _only_there(_FRAMES[at.page](at, scene_of(at)))


def _only_there(made: Frame) -> Frame:
    """A rule is written on several pages: what it came from lights up where the page shows it."""
    keys = {mark.key for _, mark in made.marks()} | {readout.key for panel in made.panels for readout in panel.readouts}

    def term(entry: Term) -> Term:
        lights = tuple(light for light in entry.lights if light[0] in keys)
        return entry if lights == entry.lights else dataclasses.replace(entry, lights=lights)

    lines = tuple(tuple(term(entry) for entry in line) for line in made.worked.lines)
    return dataclasses.replace(made, worked=dataclasses.replace(made.worked, lines=lines))


def act(state: ExtensionState, event: Event, context: Context) -> ExtensionState:
    at = settle(state)
    scene = scene_of(at)
    if isinstance(event, Pick) and event.index:
        if event.key in _BY_PAIR and 0 <= event.index[0] < scene.pairs:
            return replace(state, pair=event.index[0])
        if (
            event.key in ("map", "close")
            and len(event.index) == 2
            and 0 <= event.index[0] < scene.pairs
            and event.index[1] >= 0
        ):
            column = event.index[1]
            position = round((column + 0.5) * scene.target / seen.BINS) if event.key == "map" else column
            return replace(state, pair=event.index[0], position=min(position, scene.target - 1))
        if event.key == "models":
            ids = published.listed(at.config)
            return _choose(at, context, ids[event.index[0] - 1]) if 1 <= event.index[0] <= len(ids) else state
    if isinstance(event, Scroll) and event.key == "close":
        pair, position = scene.pair + event.rows, scene.position + event.columns
        return replace(state, pair=min(max(pair, 0), scene.pairs - 1), position=min(max(position, 0), scene.target - 1))
    if isinstance(event, Drag) and event.key == "depth":
        return replace(state, position=min(max(round(event.x), 0), scene.target - 1))
    if isinstance(event, Key):
        return _key(state, event, context)
    return state


def _key(state: ExtensionState, event: Key, context: Context) -> ExtensionState:
    at = settle(state)
    scene, last = scene_of(at), scene_of(at).pairs - 1
    along = {"left": -1, "right": 1}.get(event.name, 0)
    down = {"up": -1, "down": 1}.get(event.name, 0)
    if event.key in _BY_PAIR:
        goal = {"home": 0, "end": last}.get(event.name, scene.pair + along)
        return replace(state, pair=min(max(goal, 0), last))
    if event.key in ("map", "close"):
        stride = max(1, round(scene.target / seen.BINS)) if event.key == "map" else 1
        position = min(max(scene.position + along * stride, 0), scene.target - 1)
        return replace(state, pair=min(max(scene.pair + down, 0), last), position=position)
    if event.key == "models" and down:
        ids = published.listed(at.config)
        goal = (ids.index(at.config) if at.config in ids else -1) + down
        return _choose(at, context, ids[min(max(goal, 0), len(ids) - 1)])
    return state


def _choose(state: ExtensionState, context: Context, config: str) -> ExtensionState:
    return check(follow(state, replace(state, config=config)), context)


def controls(state: ExtensionState) -> tuple[str, ...]:
    """What belongs to the page and the method, the first six at once."""
    method = {
        "none": (),
        "base": ("new_base",),
        "longrope": (),
        "yarn": ("factor", "ramp"),
    }.get(state.method, ("factor",))
    head = ("base",) if state.method == "longrope" else ("rotary_dims", "base")
    fit = ("fit",) if "factor" in method else ()
    lengths = ("target", "trained", "method")
    if state.page == "angles":
        return (*lengths, *method[:1], "pair", "position", *method[1:], *fit, "config", *head)
    if state.page == "zones":
        return (*lengths, *method, "pair", *fit, "config", *head)
    if state.page == "neighbours":
        return ("method", *method[:1], "pair", "target", "trained", *method[1:], *fit, "config", *head)
    if state.page == "scores":
        return ("span", "gap", "method", *method[:1], "target", "trained", *method[1:], *fit, "config", *head)
    if state.page == "map":
        return ("position", "pair", *lengths, *method, *fit, "config", *head)
    if state.page == "models":
        return ("config", "trained", "target", "method", *method[:1], "base", *fit, "rotary_dims")
    return ("config", "position", "tests", *lengths, *method, *fit, *head)


def _model(config: str, **values: object) -> dict[str, object]:
    return {"config": config, **configs.assumed(config), **values}


LESSON = Lesson(
    id="extension",
    state=ExtensionState,
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
        Preset("past", {"method": "none"}),
        Preset("interpolation", {"method": "linear", "position": 12_000}),
        Preset("cost", {"page": "neighbours", "method": "linear", "pair": 0}),
        Preset("ntk", {"method": "ntk", "pair": 52}),
        Preset("dynamic", {"page": "zones", "method": "dynamic"}),
        Preset("yarn", {"page": "zones", "method": "yarn", "factor": 16.0, "target": 65_536, "pair": 38}),
        Preset("yarn_near", {"page": "neighbours", "method": "yarn", "pair": 0}),
        Preset("base", {"page": "zones", "method": "base"}),
        Preset("scores", {"page": "scores", "method": "linear", "gap": 40, "span": 256}),
        Preset("map", {"page": "map"}),
        Preset("map_fraction", {"page": "map", "method": "linear", "position": 12_001}),
        Preset("million", {"page": "map", "method": "yarn", "target": 1_000_000, "factor": 16.0, "position": 999_999}),
        Preset("models", {"page": "models"}),
        Preset("vicuna", _model("vicuna-7b-v1-5-16k")),
        Preset("code_llama", _model("code-llama-7b")),
        Preset("llama3", _model("llama-3-8b", position=8000)),
        Preset("llama3_1", _model("llama-3-1-8b", position=100_000)),
        Preset("deepseek", _model("deepseek-v3-671b", position=100_000, pair=31)),
        Preset("gpt_oss", _model("gpt-oss-120b", position=100_000, pair=31)),
        Preset("qwen", _model("qwen2-5-7b-instruct-1m", position=900_000)),
        Preset("gemma", _model("gemma-3-27b", position=100_000)),
        Preset("phi", _model("phi-3-mini-128k", page="zones", pair=47)),
        Preset("advice", _model("llama-3-1-8b", page="advice", position=12_000)),
    ),
)
