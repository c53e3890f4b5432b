"""The score against the gap, original and extended: equal vectors, the mean of the pairs' cosines."""

from __future__ import annotations

import dataclasses
import math
from functools import lru_cache

import numpy as np

from core.lessons.extension import parts
from core.lessons.extension.neighbours import before_name
from core.lessons.extension.scene import Scene, cosines
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import big_panel, equals, method_name, place, said, subtitle, with_source
from core.stage.frame import (
    Array,
    Axis,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Readout,
    Region,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number, short, shown
from core.stage.theme import Role

POINTS = 480
NEAR = 16
LIFTED = 1.0005  # a factor on the scores from which on it is seen in three decimals
PARTS = 40  # of the whole text: so many means can still be told apart in a small picture


def frame(state: ExtensionState, scene: Scene) -> Frame:
    panels = (
        _curve_panel(state, scene, float(state.span)),
        _readout_panel(scene, state.gap),
        _small_panel(scene, "near", float(NEAR), Cell(4, 8, 4, 4)),
        _small_panel(scene, "far", float(scene.target), Cell(8, 8, 4, 4)),
    )
    return Frame(
        _title(scene),
        subtitle(scene, scaled=True),
        panels,
        Worked(tuple(_lines(scene, state.gap))),
        _alt(scene, state.span, state.gap),
    )


def _title(scene: Scene) -> str:
    if scene.method == "none":
        return said("title.scores_none")
    if scene.method == "base" and not scene.slows:
        return said("title.base_same")
    if scene.on_scores > LIFTED:
        key = "title.scores_factor" if scene.slows else "title.scores_lifted"
        return said(key, name=method_name(scene.method), n=number(scene.on_scores))
    if not scene.slows:
        return said("title.scores_same", name=method_name(scene.method))
    if scene.method == "linear":
        return said("title.scores_linear", s=short(scene.factor, 2))
    return said("title.scores", name=method_name(scene.method))


@lru_cache(maxsize=16)
def _sampled(speeds: bytes, end: float) -> tuple[Array, Array]:
    """The score at whole gaps, evenly many of them where there are too many."""
    gaps = np.unique(np.linspace(0.0, end, POINTS + 1).round())
    return gaps, cosines(np.frombuffer(speeds), gaps)


def _pair_of(scene: Scene, end: float) -> tuple[Array, Array, Array]:
    gaps, before = _sampled(scene.reference.tobytes(), end)
    _, after = _sampled(scene.after.tobytes(), end)
    return gaps, before, after * scene.on_scores if scene.on_scores != 1 else after


def _smoothed(curve: Curve) -> Curve:
    """Each point the mean of a part of the points."""
    pieces = [piece for piece in np.array_split(np.arange(len(curve.x)), PARTS) if len(piece)]
    x, y = (np.array([values[piece].mean() for piece in pieces]) for values in (curve.x, curve.y))
    return dataclasses.replace(curve, x=x, y=y)


def past_role(scene: Scene) -> Role:
    """Longer gaps than in training: a warning where their angles are new too."""
    return "warn" if scene.n_new else "muted"


def _marks(scene: Scene, end: float, prefix: str) -> tuple[list[Mark], float, float]:
    gaps, before, after = _pair_of(scene, end)
    low, high = float(min(before.min(), after.min(), 0.0)), float(max(after.max(), 1.0))
    marks: list[Mark] = []
    if end > scene.trained:
        start = float(scene.trained)
        bottom, top = np.full(2, low - 0.05), np.full(2, high + 0.05)
        marks.append(Region(f"{prefix}_past", np.array([start, end]), bottom, top, past_role(scene), hatched=True))
    if scene.method == "none":
        marks.append(Curve(f"{prefix}_before", gaps, before, "where", "bold"))
    else:
        marks.append(Curve(f"{prefix}_before", gaps, before, "muted", "line"))
        marks.append(Curve(f"{prefix}_after", gaps, after, "where", "bold"))
    return marks, low, high


def _curve_panel(state: ExtensionState, scene: Scene, end: float) -> Panel:
    marks, low, high = _marks(scene, end, "score")
    tall = high - low
    if scene.method != "none":
        looks: tuple[tuple[str, Role, str], ...] = (
            (method_name(scene.method), "where", "line solid"),
            (before_name(scene), "muted", "line solid"),
        )
        marks += parts.legend("looks", Axis(0.0, end), high + 0.14 * tall, 0.0, looks)
    if end > scene.trained:
        marks.append(
            Label(
                "past_name",
                end,
                high + 0.04 * tall,
                said("scores.past", n=count(scene.trained)),
                "label",
                past_role(scene),
                "top right",
                bold=True,
            )
        )
    marks += [_at(scene, state.gap)] if state.gap <= end else []
    ticks = [(0.0, said("scores.gap", n=0)), (end, count(end))]
    ticks += (
        [(float(scene.trained), count(scene.trained))]
        if 0.1 * end < scene.trained < 0.9 * end
        else [(end / 2, count(end / 2))]
    )
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, end, tuple(ticks)),
        Axis(low - 0.05 * tall, high + 0.2 * tall, ((0.0, "0"), (1.0, "1"))),
        caption=with_source(said("scores.caption", pairs=scene.pairs), scene.config),
    )


def score(scene: Scene, gap: float) -> tuple[float, float]:
    """Before, and after with what multiplies the scores."""
    at = np.array([float(gap)])
    return float(cosines(scene.reference, at)[0]), float(cosines(scene.after, at)[0]) * scene.on_scores


def _at(scene: Scene, gap: int) -> Mark:
    return Points("here", np.array([float(gap)]), np.array([score(scene, gap)[1]]), "where", 1.4)


def _small_panel(scene: Scene, name: str, end: float, cell: Cell) -> Panel:
    marks, low, high = _marks(scene, end, name)
    title = said(f"scores.{name}", n=count(end))
    if end > 4 * PARTS:
        marks = [_smoothed(mark) if isinstance(mark, Curve) else mark for mark in marks]
        drawn = [mark.y for mark in marks if isinstance(mark, Curve)]
        low, high = min(0.0, *(float(y.min()) for y in drawn)), max(float(y.max()) for y in drawn)
        title = said("scores.smoothed", n=count(end))
    tall = high - low
    bold = [mark for mark in marks if isinstance(mark, Curve)]
    if end < scene.trained:  # so close all curves are high up
        low = min(float(mark.y.min()) for mark in bold)
        tall = high - low
    ends = (high, low) if end < scene.trained else (1.0 if high > 0.95 else math.floor(10 * high) / 10, 0.0)
    ticks = tuple((value, short(value, 2)) for value in ends)
    marks = [
        mark if not isinstance(mark, Curve) or mark.width != "bold" else Curve(mark.key, mark.x, mark.y, mark.role)
        for mark in marks
    ]
    if end > scene.trained:
        past = said("scores.past_short", n=count(scene.trained))
        role = past_role(scene)
        marks.append(Label(f"{name}_past_name", end, high + 0.05 * tall, past, "small", role, "top right", bold=True))
    return Panel(
        f"{name}_panel",
        cell,
        tuple(marks),
        title=title,
        x=Axis(0.0, end, ((0.0, "0"), (end, count(end)))),
        y=Axis(low - 0.08 * tall, high + 0.08 * tall, ticks),
    )


def _readout_panel(scene: Scene, gap: int) -> Panel:
    before, after = score(scene, gap)
    first = Readout(
        "score",
        number(after),
        said("scores.label", n=count(gap)),
        role="where",
        detail=said("scores.was", name=before_name(scene), n=number(before)) if scene.method != "none" else "",
    )
    if scene.on_scores <= LIFTED:
        return Panel("score_panel", Cell(0, 8, 4, 4), readouts=(first,))
    square = Readout("square", f"× {number(scene.on_scores)}", parts.square_name(scene), size="heading")
    return Panel("score_panel", Cell(0, 8, 4, 4), readouts=(first, square))


def _lines(scene: Scene, gap: int) -> list[Line]:
    before, after = score(scene, gap)
    at = count(gap)
    lines = [line(said("work.mean", name=before_name(scene), pairs=scene.pairs, gap=at, score=number(before)))]
    if scene.method == "linear":
        acts = place(gap / scene.factor)
        sign = "=" if abs(gap / scene.factor - round(gap / scene.factor, 2)) < 1e-9 else "≈"
        shown_factor = short(scene.factor)
        lines.append(line(said("work.mean_linear", gap=at, s=shown_factor, sign=sign, acts=acts, score=number(after))))
    elif scene.method != "none":
        square = scene.on_scores
        plain_after = after / square
        if square > LIFTED:
            digits = next((d for d in (3, 4, 5) if number(shown(plain_after, d) * shown(square)) == number(after)), 3)
            hand = shown(plain_after, digits) * shown(square)
            written = f"{number(plain_after, digits)} × {number(square)} {equals(hand, after)} {number(after)}"
        else:
            written = number(after)
        lines.append(line(said("work.mean_after", gap=at), Term(written, "where", (("score", ()),), bold=True)))
    lines.append(line(Term(said("work.mean_equal"), "muted")))
    if scene.on_scores > LIFTED:
        key = "work.mean_top" if scene.softmax == 1 else "work.mean_top_softmax"
        lines.append(line(Term(said(key, n=number(scene.on_scores)), "muted")))
    lines.append(line(Term(said("work.mean_real"), "muted")))
    return lines


def _alt(scene: Scene, end: int, gap: int) -> str:
    before, after = score(scene, gap)
    return said(
        "alt.scores",
        method=said(f"option.method.{scene.method}"),
        pairs=scene.pairs,
        end=count(end),
        gap=count(gap),
        before=number(before),
        after=number(after),
        near=", ".join(f"{number(score(scene, near)[1], 2)}" for near in (0, 1, 2, 3)),
        trained=count(scene.trained),
        target=count(scene.target),
    )
