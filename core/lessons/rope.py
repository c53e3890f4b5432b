"""RoPE: the query and the key turn with their position, and their score sees only the gap.

Source: Su et al. 2021, "RoFormer". Positions count from 0; angles are radians, counter-clockwise.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.encodings import rotary
from core.lessons import _rope_arithmetic as arithmetic
from core.lessons._rope_scene import FARTHEST, MOST_PAIRS, Scene, frequencies, radians, written
from core.stage.frame import (
    Array,
    Axis,
    Cell,
    Curve,
    Dials,
    Drag,
    Event,
    Frame,
    Hand,
    Key,
    Label,
    Mark,
    Panel,
    Pick,
    Points,
    Readout,
    Rect,
)
from core.stage.lesson import Context, Lesson, Preset
from core.stage.motion import ease
from core.stage.numbers import count, number, short
from core.stage.params import Choice, Range, Vector, param, replace
from core.stage.text import text
from core.stage.theme import Size
from core.stage.words import segments

SWEEP = 0.4  # the last part of each second in which the hands turn; before it they rest on a whole position
LONGEST_VECTOR = 4.0  # so that the arithmetic stays within its 72 columns
DIALS_AT_ONCE = 64  # more small dials could not be told apart from the last row


@dataclass(frozen=True, slots=True)
class RopeState:
    """Two tokens, the vectors of the picked pair of dimensions, and how far the clock has carried both tokens."""

    query_position: int = param(3, Range(0, FARTHEST, soft=(0, 64)), role="query")
    key_position: int = param(1, Range(0, FARTHEST, soft=(0, 64)), role="key")
    keep_gap: bool = param(True, role="where")
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    head_dim: int = param(16, Range(2, 2 * MOST_PAIRS, soft=(2, 128), step=2))
    pairing: str = param("adjacent", Choice(rotary.PAIRINGS))
    pair: int = param(0, Range(0, MOST_PAIRS - 1, soft=(0, 63)))
    query: tuple[float, ...] = param((1.0, 0.0), Vector(2, 2, -LONGEST_VECTOR, LONGEST_VECTOR), role="query")
    key: tuple[float, ...] = param((1.0, 0.0), Vector(2, 2, -LONGEST_VECTOR, LONGEST_VECTOR), role="key")
    curve: str = param("pair", Choice(("pair", "head")))
    travel: float = param(0.0, Range(-float(FARTHEST), float(FARTHEST)), unit="tokens", clock=True)


# --- states ----------------------------------------------------------------------------------------------------------


def _ends(state: RopeState) -> tuple[float, float]:
    """How far both tokens can travel back and on."""
    places = (state.query_position, state.key_position)
    return -float(min(places)), float(FARTHEST - max(places))


def check(state: RopeState, context: Context) -> RopeState:
    back, on = _ends(state)
    return dataclasses.replace(
        state,
        pair=min(state.pair, state.head_dim // 2 - 1),
        travel=min(max(state.travel, back), on),
    )


def step(state: RopeState, seconds: float) -> RopeState:
    """Both tokens move one position a second, to the ends of what a position can be."""
    back, on = _ends(state)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, back), on))


def settle(state: RopeState) -> RopeState:
    """The whole positions that the clock has moved become the tokens' positions."""
    whole = math.floor(state.travel)
    if not whole:
        return state
    return dataclasses.replace(
        state,
        query_position=state.query_position + whole,
        key_position=state.key_position + whole,
        travel=state.travel - whole,
    )


def follow(before: RopeState, after: RopeState) -> RopeState:
    """A control was moved: with the gap kept, the other token goes along. A token that was placed rests there."""
    moved_query = after.query_position - before.query_position
    moved_key = after.key_position - before.key_position
    if not (moved_query or moved_key):
        return after
    after = dataclasses.replace(after, travel=0.0)
    if not after.keep_gap or (moved_query and moved_key):
        return after
    places = (before.query_position, before.key_position)
    by = min(max(moved_query or moved_key, -min(places)), FARTHEST - max(places))
    return dataclasses.replace(after, query_position=places[0] + by, key_position=places[1] + by)


def act(state: RopeState, event: Event, context: Context) -> RopeState:
    if isinstance(event, Pick) and event.key == "pairs" and len(event.index) == 1:
        shown = _pairs_shown(state.head_dim // 2, state.pair)
        return replace(state, pair=shown[event.index[0]]) if 0 <= event.index[0] < len(shown) else state
    if isinstance(event, Key) and event.key == "pairs":
        pairs = state.head_dim // 2
        goals = {"left": state.pair - 1, "right": state.pair + 1, "home": 0, "end": pairs - 1}
        return replace(state, pair=min(max(goals.get(event.name, state.pair), 0), pairs - 1))
    if isinstance(event, Drag) and event.key in ("q_hand", "k_hand") and (event.x or event.y):
        # The hand is dragged, the position stays: what turns is the vector as it was before the rotation.
        name = "query" if event.key == "q_hand" else "key"
        scene = _scene(state)
        position = scene.m if name == "query" else scene.n
        angle = math.atan2(event.y, event.x) - position * scene.theta
        length = round(math.hypot(*getattr(state, name)), 2) or 1.0
        vector = tuple(round(length * part(angle), 3) + 0.0 for part in (math.cos, math.sin))
        return replace(state, **{name: vector})
    return state


# --- what is seen ----------------------------------------------------------------------------------------------------


def _scene(state: RopeState) -> Scene:
    whole = math.floor(state.travel)
    # A place between two tokens is rounded to what is written, so that the arithmetic starts from the same number.
    part = round(ease((state.travel - whole - (1 - SWEEP)) / SWEEP), 3)
    shift = whole + part
    return Scene(
        m=state.query_position + shift,
        n=state.key_position + shift,
        gap=state.query_position - state.key_position,
        theta=float(frequencies(state.head_dim, state.base)[state.pair]),
        query=(state.query[0], state.query[1]),
        key=(state.key[0], state.key[1]),
    )


def frame(state: RopeState, context: Context) -> Frame:
    scene = _scene(state)
    panels = (
        _dial_panel(state, scene),
        _score_panel(scene),
        _curve_panel(state, scene),
        _pairs_panel(state, scene),
    )
    first, second = _dimensions(state)
    alt = text(
        "rope.alt",
        pair=state.pair,
        first=first,
        second=second,
        theta=written(scene.theta),
        m=scene.place(scene.m),
        n=scene.place(scene.n),
        gap=count(scene.gap),
        between=radians(scene.between),
        score=number(scene.score),
        pairs=state.head_dim // 2,
    )
    return Frame(text("rope.title"), text("rope.subtitle"), panels, arithmetic.worked(scene, state), alt)


def _dimensions(state: RopeState) -> tuple[int, int]:
    """The entries of q and k that the picked pair joins."""
    if state.pairing == "adjacent":
        return 2 * state.pair, 2 * state.pair + 1
    return state.pair, state.pair + state.head_dim // 2


def _dial_panel(state: RopeState, scene: Scene) -> Panel:
    longest = max(scene.query_length, scene.key_length, 1e-9)
    dial = Dials(
        "dial",
        hands=(
            Hand("k_hand", np.array([scene.key_hand]), "key", np.array([0.86 * scene.key_length / longest])),
            Hand("q_hand", np.array([scene.query_hand]), "query", np.array([0.86 * scene.query_length / longest])),
        ),
        place=Rect(-1.0, -1.0, 2.0, 2.0),
        columns=1,
        wedge=("k_hand", "q_hand") if scene.wedge and scene.reach else None,
        ticks=24,
    )
    m, n = scene.place(scene.m), scene.place(scene.n)
    # Both names share the panel's width: long numbers are written smaller.
    long = len(m) + len(n) > 10
    size: Size = "label" if long else "heading"
    marks: list[Mark] = [
        dial,
        Label("q_name", -1.12, 1.17, text("rope.q_at", m=m), size, "query", "top left", bold=True),
        Label("k_name", 1.12, 1.17, text("rope.k_at", n=n), size, "key", "top right", bold=True),
    ]
    if scene.query_length and scene.key_length:
        # Inside the wedge where it is wide enough, else on the side where no hand stands.
        middle = scene.key_hand + scene.wedge / 2
        inside = abs(scene.wedge) >= 0.9
        away = (0.0 if inside else math.pi) + middle
        angle = radians(scene.between)
        if inside and len(angle) > 6:  # the caption tells the full turns
            angle = radians(scene.wedge)
        wide, high = (0.3 if len(angle) < 6 else 0.36, 0.3) if inside else (0.5, 0.26)
        x, y = wide * math.cos(away), high * math.sin(away)
        marks.append(Label("angle", x, y, text("rope.angle", angle=angle), "label", "where", bold=True))
    turns = int(abs(scene.between) // (2 * math.pi))
    if turns:
        rest = abs(scene.between) - 2 * math.pi * turns
        key = "rope.caption_turns" if turns > 1 else "rope.caption_turn"
        caption = text(key, angle=radians(abs(scene.between)), turns=count(turns), rest=radians(rest))
    else:
        first, second = _dimensions(state)
        caption = text("rope.caption", pair=state.pair, first=first, second=second, theta=written(scene.theta))
    return Panel(
        "dial_panel",
        Cell(0, 0, 12, 5),
        tuple(marks),
        caption=caption,
        x=Axis(-1.14, 1.14),
        y=Axis(-1.06, 1.2),
        equal=True,
    )


def _score_panel(scene: Scene) -> Panel:
    return Panel(
        "score_panel",
        Cell(0, 5, 3, 7),
        readouts=(
            Readout("score", number(scene.score), text("rope.score")),
            Readout(
                "gap",
                text("rope.gap", gap=count(scene.gap)),
                role="where",
                size="heading",
                detail=arithmetic.gap_formula(scene),
            ),
        ),
    )


def _curve_panel(state: RopeState, scene: Scene) -> Panel:
    head = state.curve == "head"
    low, high = _curve_window(scene, head)
    pair_key = -1 if head else state.pair
    x, y = _curve(state.head_dim, state.base, pair_key, scene.reach, scene.offset, low, high)
    reach = scene.reach * (state.head_dim // 2 if head else 1) or 1.0
    bottom = min(0.0, float(y.min())) if head else -reach
    tall = reach - bottom
    at = float(_score_at(state.head_dim, state.base, pair_key, scene.reach, scene.offset, np.array([scene.gap]))[0])
    name = text("rope.curve_gap", gap=count(scene.gap))
    if head:
        name = text("rope.curve_head", gap=count(scene.gap), score=number(at))
    left = scene.gap > low + 0.7 * (high - low)
    margin = 0.015 * (high - low)
    marks = (
        Curve("zero", np.array([low, high]), np.zeros(2), "control", "thin"),
        Curve("scores", x, y, "query", "bold"),
        Curve("present", np.full(2, float(scene.gap)), np.array([bottom, reach + 0.2 * tall]), "where", "line", "dash"),
        Points("here", np.array([float(scene.gap)]), np.array([at]), "where", size=1.6),
        Label(
            "here_name",
            scene.gap + (-margin if left else margin),
            reach + 0.3 * tall,
            name,
            "label",
            "where",
            "right" if left else "left",
            bold=True,
        ),
    )
    ends = tuple((end, count(end)) for end in (low, high))
    middle = ((0.0, "0"),) if low < 0 < high else ()
    levels = (0.0, reach) if head else (-reach, 0.0, reach)
    return Panel(
        "curve_panel",
        Cell(3, 5, 5, 7),
        marks,
        note=text("rope.curve_note"),
        choice=segments("rope", state, "curve"),
        x=Axis(low, high, ends[:1] + middle + ends[1:]),
        y=Axis(bottom - 0.06 * tall, reach + 0.46 * tall, tuple((v, short(v, 2)) for v in levels)),
    )


def _curve_window(scene: Scene, head: bool) -> tuple[float, float]:
    """The gaps shown: from 0 to a round number, or around the present gap where that would be too many turns."""
    least = 256 if head else 20
    size = abs(scene.gap)
    if size <= least:
        return (0.0, float(least)) if scene.gap >= 0 else (-float(least), float(least))
    power = 10.0 ** math.floor(math.log10(size))
    far = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= 1.05 * size or factor == 10)
    if not head and far * scene.theta > 20 * math.pi:
        return float(scene.gap - least // 2), float(scene.gap + least // 2)
    return (0.0, far) if scene.gap > 0 else (-far, 0.0)


def _score_at(head_dim: int, base: float, pair: int, reach: float, offset: float, gaps: Array) -> Array:
    """q·k over gaps (n,): of one pair, or summed over all pairs (-1), each with the same two vectors."""
    speeds = frequencies(head_dim, base)
    chosen = speeds if pair < 0 else speeds[pair : pair + 1]
    total: Array = reach * np.cos(np.multiply.outer(gaps, chosen) + offset).sum(axis=1)
    return total


@lru_cache(maxsize=32)
def _curve(
    head_dim: int, base: float, pair: int, reach: float, offset: float, low: float, high: float
) -> tuple[Array, Array]:
    x: Array = np.linspace(low, high, 481)
    return x, _score_at(head_dim, base, pair, reach, offset, x)


def _pairs_shown(pairs: int, picked: int) -> tuple[int, ...]:
    """Which pairs get a small dial: all, or evenly many of them and the picked one."""
    if pairs <= DIALS_AT_ONCE:
        return tuple(range(pairs))
    shown = np.linspace(0, pairs - 1, DIALS_AT_ONCE).round().astype(int)
    if picked not in shown:
        shown[np.abs(shown - picked).argmin()] = picked
    return tuple(int(pair) for pair in shown)


def _dial_columns(dials: int) -> int:
    """Into how many columns small dials are laid so that they are largest in a space seven times as wide as high."""
    return max(range(1, dials + 1), key=lambda columns: (min(7 / columns, 1 / -(-dials // columns)), -columns))


def _pairs_panel(state: RopeState, scene: Scene) -> Panel:
    pairs = state.head_dim // 2
    shown = _pairs_shown(pairs, state.pair)
    speeds = frequencies(state.head_dim, state.base)[list(shown)]
    columns = _dial_columns(len(shown))
    rows = -(-len(shown) // columns)
    dials = Dials(
        "pairs",
        hands=(
            Hand("pairs_q", scene.m * speeds + scene.query_angle, "query"),
            Hand("pairs_k", scene.n * speeds + scene.key_angle, "key"),
        ),
        place=Rect(0.0, 0.0, float(columns), float(rows)),
        columns=columns,
        picked=shown.index(state.pair) if pairs > 1 else -1,
    )
    key = "one_pair" if pairs == 1 else "all_pairs" if len(shown) == pairs else "some_pairs"
    return Panel(
        "pairs_panel",
        Cell(8, 5, 4, 7),
        (dials,),
        title=text(f"rope.{key}", pair=state.pair, pairs=pairs, shown=len(shown)),
        x=Axis(0.0, float(columns)),
        y=Axis(0.0, float(rows)),
        equal=True,
    )


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
