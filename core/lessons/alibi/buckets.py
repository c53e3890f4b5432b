"""T5's neighbour of ALiBi: distances fall into buckets, and each bucket's bias is learned.

Source: Raffel et al. 2020, section 2.1, and its code, _relative_position_bucket.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.encodings import t5
from core.lessons.alibi.pages import Page, head_panel, said, sign
from core.lessons.alibi.state import AlibiState
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Curve,
    Drag,
    Event,
    Frame,
    Handle,
    Key,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Pick,
    Readout,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, shown
from core.stage.params import replace

SMALL = 6  # tokens of the matrix of buckets


@lru_cache(maxsize=16)
def found(both: bool, n_buckets: int, farthest: int) -> tuple[Array, Array]:
    """Relative positions key − query that are drawn, and the bucket of each."""
    reach = math.ceil(1.2 * farthest)
    relative = np.arange(-reach, (reach if both else reach // 3) + 1)
    return relative, t5.buckets(relative, both, n_buckets, farthest)


def bucket_of(state: AlibiState, relative: int) -> int:
    return int(t5.buckets(relative, state.both_ways, state.n_buckets, state.max_distance))


def per_side(state: AlibiState) -> int:
    return state.n_buckets // 2 if state.both_ways else state.n_buckets


def mates(state: AlibiState) -> tuple[int, int | None]:
    """The smallest and largest distance with the gap's bucket; None: all from there on."""
    bucket, distance = bucket_of(state, state.gap), abs(state.gap)
    if not state.both_ways and state.gap > 0:
        return 0, 0
    side = 1 if state.gap > 0 else -1
    distances = np.arange(0 if side < 0 else 1, state.max_distance + 2)
    same = distances[t5.buckets(side * distances, state.both_ways, state.n_buckets, state.max_distance) == bucket]
    first = int(same[0]) if len(same) else distance
    return first, None if bucket % per_side(state) == per_side(state) - 1 else int(same[-1])


def _steps(relative: Array, bucket: Array) -> tuple[Array, Array, tuple[int, ...]]:
    """One level stroke per bucket: x, y and where a stroke begins."""
    edges = np.flatnonzero(np.diff(bucket)) + 1
    starts, stops = np.r_[0, edges], np.r_[edges, len(bucket)]
    x = np.column_stack([relative[starts] - 0.5, relative[stops - 1] + 0.5]).ravel()
    y = np.repeat(bucket[starts], 2).astype(float)
    return x, y, tuple(range(2, len(x), 2))


def _curve(state: AlibiState) -> Panel:
    relative, bucket = found(state.both_ways, state.n_buckets, state.max_distance)
    side, exact, n = per_side(state), per_side(state) // 2, state.n_buckets
    last = -int(relative[(relative <= 0) & (bucket == side - 1)].max())
    x, y, breaks = _steps(relative, bucket)
    # Half a distance more than is drawn at either end, and room for the stroke.
    low, high = float(relative[0]) - 0.5, float(relative[-1]) + 0.5
    edge = 0.012 * (high - low)
    low, high = low - edge, high + edge
    bottom, top = -0.06 * n, 1.12 * n
    gap = min(max(float(state.gap), low), high)
    at = float(bucket_of(state, state.gap))
    near = np.array([-exact + 0.5, (exact if state.both_ways else 1) - 0.5])
    marks: list[Mark] = [
        Region("exact", near, np.zeros(2), np.full(2, top), "control", hatched=True),
        Curve("buckets", x, y, "where", "hand", breaks=breaks),
        Curve("gap_line", np.array([gap, gap]), np.array([0.0, at]), "where", "line", "dash"),
        Handle("gap", gap, at, "where", said("param.gap")),
        Label("before", low + 0.02 * (high - low), 0.12 * n, said("t5.before"), "label", "text", "left"),
    ]
    after = said("t5.after" if state.both_ways else "t5.hidden")
    marks.append(
        Label(
            "after", high - 0.02 * (high - low), (0.12 if state.both_ways else 0.2) * n, after, "label", "text", "right"
        )
    )
    places = {-state.max_distance, 0, *({state.max_distance} if state.both_ways else ())}
    ticks = tuple((float(place), count(place)) for place in sorted(places))
    levels = sorted({0, exact, side, side + exact, n - 1} if state.both_ways else {0, exact, n - 1})
    return head_panel(
        state,
        Cell(0, 0, 7, 8),
        tuple(marks),
        caption=said("t5.caption", exact=exact, last=count(last)),
        x=Axis(low, high, ticks),
        y=Axis(bottom, top, tuple((float(level), count(level)) for level in levels)),
    )


def _matrix(state: AlibiState) -> Panel:
    place = np.arange(SMALL)
    values = t5.buckets(place - place[:, np.newaxis], state.both_ways, state.n_buckets, state.max_distance)
    labels = tuple(map(str, range(SMALL)))
    outlines: tuple[Outline, ...] = ()
    if abs(state.gap) < SMALL:
        row = SMALL - 1 if state.gap <= 0 else 0
        outlines = (Outline(row, row + state.gap, 1, 1, "where"),)
    matrix = Matrix(
        "table",
        ArraySource(values.astype(float)),
        (0, SMALL),
        (0, SMALL),
        (0.0, float(state.n_buckets)),
        colours="none",
        decimals=0,
        row_labels=labels,
        column_labels=labels,
        outlines=outlines,
    )
    return Panel(
        "table_panel",
        Cell(0, 8, 12, 4),  # as high as the stage: its numbers need the room
        (matrix,),
        title=said("t5.table"),
        x=Axis(0.0, float(SMALL)),
        y=Axis(0.0, float(SMALL)),
        invert_y=True,
    )


def _readouts(state: AlibiState) -> tuple[Panel, Panel]:
    first, last = mates(state)
    if not state.both_ways and state.gap > 0:
        who = said("t5.future")
    elif last is None:
        who = said("t5.from", first=count(first))
    else:
        who = (
            said("t5.alone", first=count(first))
            if first == last
            else said("t5.to", first=count(first), last=count(last))
        )
    bucket = Readout(
        "bucket", count(bucket_of(state, state.gap)), said("t5.bucket", gap=count(state.gap)), "where", detail=who
    )
    cost = Readout("learned", count(state.n_buckets), said("t5.learned"), "what", detail=said("t5.alibi"))
    return (
        Panel("bucket_panel", Cell(7, 0, 5, 4), readouts=(bucket,)),
        Panel("learned_panel", Cell(7, 4, 5, 4), readouts=(cost,)),
    )


def _over(near: float, far: float, places: int) -> float:
    return shown(near, places) / shown(far, places) if shown(far, places) else 0.0


def _worked(state: AlibiState) -> Worked:
    n, side = state.n_buckets, per_side(state)
    exact, distance, farthest = side // 2, abs(state.gap), state.max_distance
    bucket = bucket_of(state, state.gap)
    after = state.gap > 0
    lights: tuple[tuple[str, tuple[int, ...]], ...] = (("gap", ()),)
    result = Term(count(bucket), "where", lights, bold=True)
    first = said("t5.work_both", n=n, side=side) if state.both_ways else said("t5.work_causal", n=n)
    lines: list[Line] = [line(first, said("t5.work_exact", exact=exact))]
    if after and not state.both_ways:
        return Worked((*lines, line(said("t5.work_future"), result), line(Term(said("t5.work_learned"), "muted"))))
    offset = f"{side} + " if after else ""
    if distance < exact:
        lines.append(line(said("t5.work_near", distance=distance, exact=exact)))
        whole = f"{offset}{distance} = " if after else ""
        lines.append(line(said("t5.work_bucket"), whole, result))
    else:
        steps = side - exact
        near, far = math.log(distance / exact), math.log(farthest / exact)
        ratio = near / far * steps
        # The floor may land exactly on a whole number, where a logarithm falls short: the bucket says which.
        inside = bucket - (side if after else 0) - exact
        # As many decimals as give the printed steps; a large ratio would need more than are worth reading.
        places = next((d for d in range(3, 7) if sign(_over(near, far, d) * steps, ratio) == "="), 4)
        top, bottom = number(near, places), number(far, places)
        equal = sign(_over(near, far, places) * steps, ratio)
        logs = f"{said('t5.work_log')}ln({count(distance)}/{exact}) / ln({count(farthest)}/{exact}) × {steps}"
        value = f"≈ {top} / {bottom} × {steps} {equal} {number(ratio)}"
        whole_line = f"{logs} {value}"
        lines += [line(whole_line)] if len(whole_line) <= Worked.COLUMNS else [line(logs), line(value)]
        cap = said("t5.work_most", most=steps - 1) if ratio >= steps - 1e-9 else ""
        whole = "" if cap else said("t5.work_whole")
        lines.append(line(said("t5.work_bucket"), f"{offset}{exact} + {inside} = ", result, cap or whole))
    lines.append(line(Term(said("t5.work_sign", minus=MINUS), "muted")))
    if state.both_ways:
        lines.append(line(Term(said("t5.work_empty", bucket=side), "muted")))
    lines.append(line(Term(said("t5.work_learned"), "muted")))
    return Worked(tuple(lines))


def frame(state: AlibiState, context: Context) -> Frame:
    bucket = bucket_of(state, state.gap)
    kind = "both" if state.both_ways else "causal"
    fields = {"n": state.n_buckets, "farthest": count(state.max_distance), "exact": per_side(state) // 2}
    alt = said("t5.alt", gap=count(state.gap), bucket=bucket, **fields)
    panels = (_curve(state), *_readouts(state), _matrix(state))
    return Frame(said("t5.title", **fields), said(f"t5.subtitle_{kind}"), panels, _worked(state), alt)


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    if isinstance(event, Drag) and event.key == "gap":
        return replace(state, gap=event.x)
    if isinstance(event, Pick) and event.key == "table" and len(event.index) == 2:
        return replace(state, gap=event.index[1] - event.index[0])
    if isinstance(event, Key) and event.key == "table":
        return replace(state, gap=state.gap + {"left": -1, "right": 1, "up": 1, "down": -1}.get(event.name, 0))
    return state


PAGE = Page(frame, ("gap", "both_ways", "n_buckets", "max_distance"), act)
