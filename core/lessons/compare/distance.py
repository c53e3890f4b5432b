"""Score against distance: one query, one key that moves away from it, every scheme on one axis."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.lessons.compare import arithmetic, ends, schemes
from core.lessons.compare.content import Words
from core.lessons.compare.ends import Curves
from core.lessons.compare.schemes import SCHEMES
from core.lessons.compare.state import CompareState
from core.lessons.compare.words import (
    about,
    big_panel,
    clipped,
    missing_notice,
    name_of,
    said,
    score_text,
)
from core.stage.frame import (
    Array,
    Axis,
    Cell,
    Curve,
    Dash,
    Frame,
    Handle,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number
from core.stage.text import text
from core.stage.theme import Role

DASHES: dict[str, Dash] = {
    "none": "dot",
    "raw_index": "dashdot",
    "sinusoidal": "solid",
    "learned": "dash",
    "t5": "dashdot",
    "rope": "solid",
    "alibi": "dash",
}
SHAPES = {
    "none": "cross",
    "raw_index": "diamond",
    "sinusoidal": "disc",
    "learned": "square",
    "t5": "ring",
    "rope": "diamond",
    "alibi": "disc",
}
STEEP = ("raw_index", "alibi")
MARKERS = 6  # on each curve


@lru_cache(maxsize=32)
def curves(
    words: Words, n: int, query: int, key: int, d: int, span: int, shift: int, trained: int, head: int, chosen: str
) -> Curves:
    """The query stands at ``shift + span``, so that every key up to ``span`` before it has a place."""
    x = words.rows(d, n)
    place = np.array([float(shift + span)])
    keys = place - np.arange(span + 1)
    repeated = np.repeat(x[key][np.newaxis], span + 1, axis=0)
    found: dict[str, Array | None] = {}
    for scheme in SCHEMES:
        gone = schemes.refused(scheme, place, trained)[0]
        found[scheme] = (
            None if gone else schemes.scores(scheme, x[query][np.newaxis], repeated, place, keys, trained, head)[0]
        )
    there = {scheme: values for scheme, values in found.items() if values is not None}
    level = [values for scheme, values in there.items() if scheme not in STEEP]
    low, high = min(float(v.min()) for v in level), max(float(v.max()) for v in level)
    # A steep line may take as much room again; the chosen one is shown whole.
    if "alibi" in there:
        low = min(low, max(float(there["alibi"].min()), 2 * low - high))
    if chosen in there:
        low, high = min(low, float(there[chosen].min())), max(high, float(there[chosen].max()))
    margin = 0.08 * (high - low) + 0.2
    return Curves(found, low - margin, high + margin)


def seen(state: CompareState, words: Words, n: int) -> Curves:
    return curves(
        words,
        n,
        state.query,
        state.key,
        state.d,
        state.span,
        state.shift,
        state.trained,
        state.head,
        state.scheme,
    )


def pair_of(state: CompareState, words: Words, n: int, distance: int) -> arithmetic.Pair:
    x = words.rows(state.d, n)
    place = state.shift + state.span
    walled = state.scheme == "learned" and place >= state.trained
    lights = (("gone" if walled else "here", ()),)
    return arithmetic.Pair(
        x[state.query], x[state.key], place, place - distance, state.trained, state.head, lights
    )  # fmt: skip


def frame(state: CompareState, words: Words, n: int) -> Frame:
    found = seen(state, words, n)
    panels = (
        _curves_panel(state, words, n, found),
        _score_panel(state, found),
        _table_panel(state, found),
    )
    name = name_of(state.scheme)
    values = found.of[state.scheme]
    distance = count(state.distance)
    alt = said(
        "alt.distance",
        name=name,
        span=count(state.span),
        place=count(state.shift + state.span),
        distance=distance,
        score=said("refused") if values is None else score_text(float(values[state.distance])),
        first=said("refused") if values is None else score_text(float(values[0])),
        plain=score_text(float(found.of["none"][0]) if found.of["none"] is not None else 0.0),
    )
    title = said(f"title.distance.{'refused' if values is None else state.scheme}", last=count(state.trained - 1))
    return Frame(title, said("subtitle.distance"), panels, _worked(state, words, n), alt, notice=missing_notice(words))


def _curves_panel(state: CompareState, words: Words, n: int, found: Curves) -> Panel:
    span = state.span
    marks: list[Mark] = []
    for order, scheme in enumerate(sorted(SCHEMES, key=lambda s: s == state.scheme)):
        values = found.of[scheme]
        if values is None:
            continue
        chosen = scheme == state.scheme
        role: Role = "where" if chosen else "muted"
        x, line_ = ends.on_axis(values, found.low, found.high)
        if not len(x):
            continue
        marks.append(
            Curve(f"curve_{scheme}", x, line_, role, "bold" if chosen else "thin", DASHES[scheme])
        )  # fmt: skip
        # Markers of the schemes stand at other distances, so that they do not cover one another.
        at = np.unique([*np.round((np.arange(MARKERS) + (order + 1) / 8) * span / MARKERS).astype(int), span])
        at = at[(at == span) | (at < span * (1 - 0.5 / MARKERS))]
        at = at[(at <= span) & (values[np.minimum(at, span)] > found.low) & (values[np.minimum(at, span)] < found.high)]
        marks.append(
            Points(f"dots_{scheme}", at.astype(float), values[at], role, 0.8 if chosen else 0.65, SHAPES[scheme])  # type: ignore[arg-type]
        )
    marks += ends.names(found, state.scheme, state.span)
    values = found.of[state.scheme]
    here = float(state.distance)
    if values is not None:
        y = float(np.clip(values[state.distance], found.low, found.high))
        marks.append(Curve("at", np.array([here, here]), np.array([found.low, found.high]), "where", "thin", "dash"))
        marks.append(Handle("here", here, y, "where", said("distance.handle")))
    else:
        marks.append(
            Label("gone", span / 2, found.high, said("distance.no_row", row=count(state.shift + span)), "label", "warn",
                  "top", bold=True)
        )  # fmt: skip
    names = words.repeated(n)
    caption = said(
        "distance.caption",
        query=clipped(names[state.query]),
        asked=clipped(names[state.key]),
        place=count(state.shift + span),
    )
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, ends.LEADER[1] * span, _ticks(span), said("distance.axis")),
        Axis(found.low, found.high, _levels(found.low, found.high), ""),
        note=said("distance.note_off" if any(ends.leaves(found, scheme) for scheme in SCHEMES) else "distance.note"),
        caption=f"{caption} {about(words, state)} {said('about.drawn')}",
    )


def _ticks(span: int) -> tuple[tuple[float, str], ...]:
    step = next(s for s in (1, 2, 4, 5, 8, 10, 16, 20, 25, 50, 100, 200, 250) if span / s <= 8)
    return tuple((float(at), count(at)) for at in range(0, span + 1, step))


def _levels(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Round numbers, seven at most."""
    power = 10.0 ** np.floor(np.log10((high - low) / 7))
    step = float(next(part * power for part in (1, 2, 5, 10) if (high - low) / (part * power) <= 7))
    places = range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)
    return tuple(
        (at * step, score_text(at * step, brief=True) if step >= 1e6 else number(at * step, 1 if step < 1 else 0))
        for at in places
    )


def _score_panel(state: CompareState, found: Curves) -> Panel:
    values = found.of[state.scheme]
    if values is None:
        readout = Readout("score", said("refused"), name_of(state.scheme), "warn", "heading",
                          detail=said("maps.detail.learned", trained=count(state.trained)))  # fmt: skip
    else:
        readout = Readout(
            "score",
            score_text(float(values[state.distance])),
            said("distance.score", name=name_of(state.scheme), distance=count(state.distance)),
            "where",
            detail=said("distance.first", score=score_text(float(values[0]))),
        )
    return Panel("score_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def _table_panel(state: CompareState, found: Curves) -> Panel:
    head = (said("maps.head.scheme"), said("distance.head.at", distance=0),
            said("distance.head.at", distance=count(state.distance)), said("distance.head.of"))  # fmt: skip
    rows = []
    for scheme in SCHEMES:
        values = found.of[scheme]
        cells = (
            (said("refused"), "")
            if values is None
            else (score_text(float(values[0]), brief=True), score_text(float(values[state.distance]), brief=True))
        )
        rows.append((name_of(scheme), *cells, said(f"distance.sees.{scheme}")))
    table = Table(
        "schemes",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        picked=SCHEMES.index(state.scheme) + 1,
        align=("left", "right", "right", "left"),
    )
    return Panel("table_panel", Cell(4, 8, 8, 4), (table,), title=said("distance.table"), invert_y=True)


def _worked(state: CompareState, words: Words, n: int) -> Worked:
    pair = pair_of(state, words, n, state.distance)
    place = state.shift + state.span
    lines: list[Line] = [
        line(said("work.at_distance", name=name_of(state.scheme), i=count(place), j=count(place - state.distance))),
        *arithmetic.score_lines(state.scheme, pair),
    ]
    while len(lines) % Worked.PAGE:
        lines.append(line(""))
    first = pair_of(state, words, n, 0)
    lines.append(line(said("work.at_none", i=count(place))))
    lines += arithmetic.score_lines(state.scheme, first)
    while len(lines) % Worked.PAGE:
        lines.append(line(""))
    lines.append(line(Term(text(f"compare.work.fact.{state.scheme}"), "muted")))
    if state.scheme in ("t5", "learned", "rope", "alibi"):
        lines.append(line(Term(text(f"compare.work.stand_in.{state.scheme}", d=state.d), "muted")))
    return Worked(tuple(lines))
