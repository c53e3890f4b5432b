"""The head page: every pair of a head as a dial, fast to slow, and which have gone full circle in training."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.rope import configs
from core.lessons.rope.scene import Scene, frequencies
from core.lessons.rope.state import RopeState, rotary_dims, scene_of
from core.lessons.rope.words import TURN, big_panel, said, share_text, turn_text, wave
from core.stage.frame import (
    Anchor,
    Array,
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
    Points,
    Readout,
    Rect,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count, short
from core.tables.models import model


def frame(state: RopeState) -> Frame:
    scene = scene_of(state)
    speeds = frequencies(rotary_dims(state), state.base)
    waves = TURN / speeds
    full = full_circle(waves, state.trained)
    panels = (_big(state, scene, speeds, full), _numbers(state, waves, full), _curve(state, waves), _entries(state))
    title = (
        said("head.title_all", pairs=len(speeds), trained=count(state.trained))
        if full == len(speeds)
        else said("head.title", full=full, pairs=len(speeds), trained=count(state.trained))
    )
    alt = said(
        "head.alt",
        pairs=len(speeds),
        first=wave(waves[0]),
        last=wave(waves[-1]),
        full=full,
        trained=count(state.trained),
        pair=state.pair,
        wave=wave(waves[state.pair]),
        untouched=state.untouched,
        head_dim=state.head_dim,
    )
    return Frame(title, said("head.subtitle"), panels, Worked(tuple(_lines(state, waves, full))), alt)


def full_circle(waves: Array, trained: int) -> int:
    """How many pairs have turned once or more within the trained length; they are the first ones."""
    return int((waves <= trained).sum())


def columns_of(pairs: int) -> int:
    """The dials fill a space about 1.7 times as wide as high."""
    return max(range(1, pairs + 1), key=lambda n: (min(1.7 / n, 1 / (-(-pairs // n) * _cell_height(pairs))), -n))


def _cell_height(pairs: int) -> float:
    """A dial with its wavelength below is higher than wide."""
    return 1.42 if pairs <= 32 else 1.0


def _big(state: RopeState, scene: Scene, speeds: Array, full: int) -> Panel:
    pairs = len(speeds)
    columns = columns_of(pairs)
    rows = -(-pairs // columns)
    high = _cell_height(pairs)
    waves = TURN / speeds
    labels = tuple(wave(value) for value in waves) if pairs <= 32 else ()
    marks: list[Mark] = []
    for row in range(rows):
        last = min(full - row * columns, columns)
        if last > 0:
            top = (rows - row) * high
            x = np.array([0.0, float(last)])
            marks.append(Region(f"full_{row}", x, np.full(2, top - high + 0.02), np.full(2, top - 0.02), "where"))
    if not labels:
        marks += [
            Label(f"row_{row}", -0.12, (rows - row - 0.5) * high, wave(waves[row * columns]), "small", "muted", "right")
            for row in range(rows)
        ]
    hands = (
        Hand("head_k", scene.n * speeds + scene.key_angle, "key"),
        Hand("head_q", scene.m * speeds + scene.query_angle, "query"),
    )
    place = Rect(0.0, 0.0, float(columns), rows * high)
    marks.append(Dials("head", hands, place, columns, labels=labels, picked=state.pair))
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0 if labels else -0.11 * columns, float(columns)),
        Axis(0.0, rows * high),
        equal=True,
        caption=_caption(state, scene, bool(labels)),
    )


def _caption(state: RopeState, scene: Scene, each: bool) -> str:
    """Where the hands stand, and what the numbers and the ground mean; in two lines, so that the picture stays where it
    is while the positions in the first grow longer and shorter."""
    place = {"m": scene.place(scene.m), "n": scene.place(scene.n), "pair": state.pair}
    first = said("head.caption" if each else "head.caption_rows", **place)
    second = said("head.ground_assumed" if assumed(state) else "head.ground", trained=count(state.trained))
    return f"{first}\n{second}"


def assumed(state: RopeState) -> bool:
    """Whether a chosen model's entry tells no length of training."""
    return state.config != configs.OWN and configs.trained(model(state.config)) is None


def _numbers(state: RopeState, waves: Array, full: int) -> Panel:
    return Panel(
        "numbers",
        Cell(0, 8, 4, 4),
        readouts=(
            Readout(
                "full",
                said("head.of", full=full, pairs=len(waves)),
                said("head.full", trained=count(state.trained)),
                role="where",
                size="title",
            ),
            Readout(
                "wave",
                said("tokens", n=wave(waves[state.pair])),
                said("head.wave", pair=state.pair),
                size="title",
            ),
        ),
    )


def _curve(state: RopeState, waves: Array) -> Panel:
    """Wavelengths over the pairs: a straight line on this scale, each pair slower than the one before by one factor."""
    logs = np.log10(waves)
    last = max(len(waves) - 1, 1)
    limit = math.log10(state.trained)
    top = max(float(logs.max()), limit, 1.5)
    high = 1.25 * top
    ticks = tuple((float(p), count(10**p)) for p in range(0, math.floor(high) + 1, 1 if top < 2.5 else 2))
    # The limit's name stands where the rising points are not: above its left end, or below its right one.
    early = limit < 0.5 * top
    marks: list[Mark] = [
        Curve("limit", np.array([0.0, float(last)]), np.full(2, limit), "text", "line", "dash"),
        Points("waves", np.arange(len(waves), dtype=float), logs, "where", 0.7, picked=(state.pair,)),
        Label(
            "limit_name",
            float(last) if early else 0.0,
            limit - 0.04 * high if early else limit + 0.04 * high,
            said("tokens", n=count(state.trained)),
            "small",
            "text",
            "top right" if early else "bottom left",
        ),
    ]
    return Panel(
        "wave_panel",
        Cell(4, 8, 5, 4),
        tuple(marks),
        title=said("head.waves"),
        x=Axis(-0.03 * last, 1.03 * last, ((0.0, said("head.pair", pair=0)), (float(last), str(last)))),
        y=Axis(-0.03 * high, high, ticks),
    )


def _entries(state: RopeState) -> Panel:
    """A head's entries: those that turn, and those that stay as they are."""
    turned, whole = float(rotary_dims(state)), float(state.head_dim)
    start = float(configs.first_turned(state.config))
    last = start > 0
    edge = min(0.01 * whole, turned / 2)
    # Each part's name stands at its own end of the bar.
    mine: tuple[float, Anchor] = (0.0, "bottom left")
    other: tuple[float, Anchor] = (whole, "bottom right")
    if last:
        mine, other = other, mine
    marks: list[Mark] = [
        Region("turned", np.array([start, start + turned]), np.zeros(2), np.ones(2), "query"),
        Curve("turned_edge", np.array([start + edge, start + turned - edge]), np.zeros(2), "query", "hand"),
        Label("turned_name", mine[0], 1.15, said("head.turned", n=int(turned)), "label", "query", mine[1], bold=True),
    ]
    if turned < whole:
        rest = np.array([0.0, start]) if last else np.array([turned, whole])
        marks += [
            Region("kept", rest, np.zeros(2), np.ones(2), "control", hatched=True),
            Label("kept_name", other[0], 1.15, said("head.kept", n=state.untouched), "label", "muted", other[1]),
        ]
    return Panel(
        "entries_panel",
        Cell(9, 8, 3, 4),
        tuple(marks),
        title=said("head.entries", n=state.head_dim),
        x=Axis(0.0, whole),
        y=Axis(-0.15, 2.1),
    )


def _lines(state: RopeState, waves: Array, full: int) -> list[Line]:
    turned, length = rotary_dims(state), float(waves[state.pair])
    power = f"{short(state.base)}^({MINUS}2 × {state.pair} / {turned})"
    theta, quotient = turn_text(TURN / length)
    ends = "head.work_full" if length <= state.trained else "head.work_part"
    turns = said("head.work_turns_assumed", trained=count(state.trained)) if assumed(state) else said("head.work_turns")
    lines = [
        line(said("head.work_theta", pair=state.pair), Term(f"{power} = {theta}", "text", (("head", (state.pair,)),))),
        line(said("head.work_wave"), Term(quotient, "where", (("wave", ()),), bold=True), said("head.work_tokens")),
        line(turns, share_text(state.trained, length, 2), said(ends)),
    ]
    if state.untouched:
        rest = f"{state.head_dim} {MINUS} {turned} = {state.untouched}"
        lines.append(line(said("head.work_kept"), Term(rest, "muted", (("turned", ()),))))
    if 0 < full < len(waves):
        last, first = wave(waves[full - 1]), wave(waves[full])
        border = said(
            "head.work_border", pair=full - 1, last=last, trained=count(state.trained), next=full, first=first
        )
        lines.append(line(border))
    lines.append(line(Term(said("head.work_all"), "muted")))
    lines.append(line(Term(said("head.work_partial"), "muted")))
    return lines
