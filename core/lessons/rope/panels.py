"""What RoPE's stage shows: the dial, the score, the score against the gap, and the hands of all pairs."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.lessons.rope import arithmetic, configs
from core.lessons.rope.scene import Scene, frequencies, pairs_shown, radians
from core.lessons.rope.state import RopeState
from core.stage.frame import (
    Array,
    Axis,
    Cell,
    Curve,
    Dials,
    Hand,
    Label,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
)
from core.stage.numbers import MINUS, count, number, short
from core.stage.text import text
from core.stage.theme import Size
from core.stage.words import segments

CAPTION = 72  # characters that fit in one line below the dial
LETTER = 0.066  # about as wide as one is on the dial, of its radius


def dimensions(state: RopeState) -> tuple[int, int]:
    """The entries of q and k that the picked pair joins."""
    start = configs.first_turned(state.config)
    if state.pairing == "adjacent":
        return start + 2 * state.pair, start + 2 * state.pair + 1
    return start + state.pair, start + state.pair + state.head_dim // 2


def dial_marks(state: RopeState, scene: Scene) -> list[Mark]:
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
    # Both names share the panel's width: long numbers are written smaller, whether or not both tokens move just now.
    long = len(count(math.floor(scene.m))) + len(count(math.floor(scene.n))) > 2
    size: Size = "label" if long else "heading"
    marks: list[Mark] = [
        dial,
        Label(
            "q_name",
            -1.47,
            1.13,
            text("rope.q_at", m=m),
            size,
            "query",
            "top left",
            bold=True,
        ),
        Label("k_name", 1.47, 1.13, text("rope.k_at", n=n), size, "key", "top right", bold=True),
    ]
    if scene.query_length and scene.key_length:
        marks.append(_angle_label(scene))
    return marks


def _angle_label(scene: Scene) -> Label:
    """Inside the wedge where it is wide enough, else beside the hands, ahead of them: it goes round with them."""
    middle = scene.key_hand + scene.wedge / 2
    angle = radians(scene.between)
    if abs(scene.wedge) >= 0.9:
        if len(angle) > 6:  # the caption tells the full turns
            angle = radians(scene.wedge)
        wide = 0.3 if len(angle) < 6 else 0.36
        # A long one in a wide wedge stands further in, clear of the arc.
        high = 0.24 if len(angle) >= 5 and abs(scene.wedge) >= 2 else 0.3
        x, y = wide * math.cos(middle), high * math.sin(middle)
        return Label("angle", x, y, text("rope.angle", angle=angle), "label", "where", bold=True)
    # Away from the hand ahead by half of what is written, and by the arrow's length where it is as far from the middle.
    name = text("rope.angle", angle=angle)
    hand = middle + abs(scene.wedge) / 2
    along, across = math.cos(hand), math.sin(hand)
    away = LETTER / 2 * len(name) * abs(across) + 0.07 * abs(along) + 0.1 + 0.15 * abs(along)
    x, y = 0.25 * along**3 - away * across, 0.25 * along**2 * across + away * along
    return Label("angle", x, y, name, "label", "where", bold=True)


def dial_caption(state: RopeState, scene: Scene) -> str:
    first, second = dimensions(state)
    parts = [text("rope.caption", pair=state.pair, first=first, second=second, theta=scene.theta_text)]
    if scene.reach and abs(scene.offset) > 5e-4:
        gap = f"{scene.place(scene.gap)} × {scene.theta_text}"
        start = number(scene.offset).replace(MINUS, f"{MINUS} ") if scene.offset < 0 else f"+ {number(scene.offset)}"
        parts.append(text("rope.caption_start", angle=radians(scene.between), gap=gap, start=start))
    if not arithmetic.lengths(scene) and not abs(scene.offset) > 5e-4:
        kept = text("rope.caption_kept", q=number(scene.query_length), k=number(scene.key_length))
        # Another θ may be written with more digits while both tokens move: its caption would change its lines.
        if scene.theta == 1 and len(parts[0]) + len(kept) + 2 <= CAPTION:
            parts[0] += f"; {kept}"
        else:
            parts.append(kept)
    if arithmetic.lengths(scene) and scene.reach:
        lengths = f"{short(scene.query_length)} × {short(scene.key_length)}"
        parts.append(text("rope.caption_lengths", lengths=lengths, reach=short(scene.reach)))
    turns = int(abs(scene.between) // (2 * math.pi))
    if turns:
        rest = abs(scene.between) - 2 * math.pi * turns
        key = "rope.caption_turns" if turns > 1 else "rope.caption_turn"
        parts[:1] = [text(key, angle=radians(abs(scene.between)), turns=count(turns), rest=radians(rest))]
    return "\n".join(parts)


def head_panel(state: RopeState, scene: Scene, part: bool) -> Panel:
    """The score of the whole head, or of the ``part`` of it that turns, and what the pair on the large dial adds."""
    pairs = state.head_dim // 2
    total = float(arithmetic.pair_shares(scene, frequencies(state.head_dim, state.base)).sum())
    return Panel(
        "score_panel",
        Cell(0, 6, 3, 6),
        readouts=(
            Readout("score", number(total), text("rope.score_part" if part else "rope.score_head", pairs=pairs)),
            Readout(
                "gap",
                text("rope.gap", gap=count(scene.gap)),
                role="where",
                size="heading",
                detail=text("rope.pair_alone", pair=state.pair, formula=arithmetic.gap_formula(scene)),
            ),
        ),
    )


def score_panel(state: RopeState, scene: Scene) -> Panel:
    """The score of the pair on the large dial; a head of one pair has no other."""
    label = text("rope.score_pair", pair=state.pair) if state.head_dim > 2 else text("rope.score")
    return Panel(
        "score_panel",
        Cell(0, 6, 3, 6),
        readouts=(
            Readout("score", scene.score_text, label),
            Readout(
                "gap",
                text("rope.gap", gap=count(scene.gap)),
                role="where",
                size="heading",
                detail=arithmetic.gap_formula(scene),
            ),
        ),
    )


def curve_panel(state: RopeState, scene: Scene) -> Panel:
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
    # Over the whole head a small gap lies close to the curve's beginning: the line stays above it.
    foot = at if head else bottom
    left = scene.gap > low + 0.7 * (high - low)
    margin = 0.015 * (high - low)
    zero = (Curve("zero", np.array([low, high]), np.zeros(2), "control", "thin"),) if bottom < 0 else ()
    marks = (
        *zero,
        Curve("scores", x, y, "query", "bold"),
        Curve("present", np.full(2, float(scene.gap)), np.array([reach + 0.2 * tall, foot]), "where", "line", "dash"),
        Points("here", np.array([float(scene.gap)]), np.array([at]), "where", size=1.2 if head else 1.6),
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
        Cell(3, 6, 9 - pairs_rows(state), 6),
        marks,
        note=text("rope.curve_note"),
        choice=segments("rope", state, "curve"),
        x=Axis(low, high, ends[:1] + middle + ends[1:]),
        y=Axis(bottom - 0.06 * tall, reach + 0.46 * tall, tuple((v, short(v, 2)) for v in levels)),
    )


def _curve_window(scene: Scene, head: bool) -> tuple[float, float]:
    """The gaps shown: from 0 to a round number, or around the present gap where that would be too many turns."""
    least = 128 if head else 20
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


def _dial_columns(dials: int) -> int:
    """Into how many columns small dials are laid so that they are largest in a space seven times as wide as high."""
    return max(range(1, dials + 1), key=lambda columns: (min(7 / columns, 1 / -(-dials // columns)), -columns))


def pairs_rows(state: RopeState) -> int:
    """How many of the stage's rows the small dials take: one row of dials leaves more to the curve."""
    shown = len(pairs_shown(state.head_dim // 2, state.pair))
    return 3 if _dial_columns(shown) >= shown else 4


def pairs_panel(state: RopeState, scene: Scene) -> Panel:
    pairs = state.head_dim // 2
    shown = pairs_shown(pairs, state.pair)
    speeds = frequencies(state.head_dim, state.base)[list(shown)]
    columns, high = _dial_columns(len(shown)), pairs_rows(state)
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
        Cell(12 - high, 6, high, 6),
        (dials,),
        title=text(f"rope.{key}", pair=state.pair, pairs=pairs, shown=len(shown)),
        x=Axis(0.0, float(columns)),
        y=Axis(0.0, float(rows)),
        equal=True,
    )
