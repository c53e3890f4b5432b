"""The gap page: the score of a whole head against the gap, for three kinds of vectors."""

from __future__ import annotations

import itertools
import math

import numpy as np

from core.lessons.rope import vectors
from core.lessons.rope.dial import JUMP
from core.lessons.rope.scene import FARTHEST
from core.lessons.rope.state import RopeState, rotary_dims, settle
from core.lessons.rope.vectors import Products
from core.lessons.rope.words import big_panel, round_down, said, sum_text
from core.stage.frame import (
    Array,
    Axis,
    Bars,
    Cell,
    Curve,
    Frame,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
    Region,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count, number, short
from core.tables import shipped

FEW = 4  # pairs whose shares are written one by one
GROUPS = 4  # else the shares of so many parts of the head


def frame(state: RopeState) -> Frame:
    state = settle(state)
    found = products_of(state)
    if found is None:
        return _missing(state)
    gap = state.query_position - state.key_position
    parts = found.parts(gap)
    score = float(parts.sum())
    panels = (_big(state, found, gap, score), _score(state, gap, score), _pairs(state, parts), _places(state))
    return Frame(
        said(f"gap.title.{state.vectors}"),
        _subtitle(state),
        panels,
        Worked(tuple(_lines(state, parts, score, gap))),
        said(
            "gap.alt",
            vectors=said(f"option.vectors.{state.vectors}"),
            span=count(state.span),
            gap=count(gap),
            m=count(state.query_position),
            n=count(state.key_position),
            score=number(score),
        ),
    )


def _subtitle(state: RopeState) -> str:
    if state.vectors == "words":
        q, k = vectors.shown_word(state.query_word), vectors.shown_word(state.key_word)
        return said("gap.subtitle.words", q=q, k=k, head=state.attention_head)
    return said(f"gap.subtitle.{state.vectors}")


def products_of(state: RopeState) -> Products | None:
    """None where a word has no row in the table."""
    if state.vectors == "words":
        return vectors.word_products(state.query_word, state.key_word, state.attention_head)
    if state.vectors == "random":
        return vectors.drawn(rotary_dims(state), state.base, state.seed)
    return vectors.equal(rotary_dims(state), state.base)


def _curve(state: RopeState, found: Products, x: Array) -> Array:
    key = (id(found), state.span)
    if key not in _CURVES:
        if len(_CURVES) > 32:
            _CURVES.clear()
        _CURVES[key] = (found, found.curve(x))
    return _CURVES[key][1]


# The products are kept beside their curve, so that no other can take their place in memory.
_CURVES: dict[tuple[int, int], tuple[Products, Array]] = {}


def _big(state: RopeState, found: Products, gap: int, score: float) -> Panel:
    x = vectors.gaps(state.span)
    y = _curve(state, found, x)
    low, high = min(float(y.min()), 0.0), max(float(y.max()), 0.0)
    marks: list[Mark] = []
    if state.vectors == "random":
        bottom, top = vectors.band(rotary_dims(state), state.base, state.seed, state.draws, state.span)
        low, high = min(low, float(bottom.min())), max(high, float(top.max()))
        marks.append(Region("band", x, bottom, top, "where"))
    tall = max(high - low, 1e-6)
    marks += [
        Curve("zero", np.array([0.0, float(state.span)]), np.zeros(2), "control", "thin"),
        Curve("scores", x, y, "query", "bold"),
    ]
    if 0 <= gap <= state.span:
        left = gap > 0.7 * state.span
        margin = (-0.015 if left else 0.015) * state.span
        name = said("curve_head", gap=count(gap), score=number(score))
        marks += [
            Curve("present", np.full(2, float(gap)), np.array([high + 0.1 * tall, score]), "where", "line", "dash"),
            Points("here", np.array([float(gap)]), np.array([score]), "where", 1.6),
            Label(
                "here_name",
                gap + margin,
                high + 0.13 * tall,
                name,
                "label",
                "where",
                "right" if left else "left",
                bold=True,
            ),
        ]
    ends = ((0.0, "0"), (state.span / 2, count(state.span / 2)), (float(state.span), count(state.span)))
    levels = sorted({0.0, round_down(high), -round_down(-low)})
    levels = [v for v in levels if v == 0 or abs(v) > 0.12 * tall]
    outside = "" if 0 <= gap <= state.span else said("gap.outside", gap=count(gap), span=count(state.span))
    caption = said(f"gap.caption.{state.vectors}", draws=state.draws)
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, float(state.span), ends, said("gap.x")),
        Axis(low - 0.06 * tall, high + 0.22 * tall, tuple((v, short(v, 2)) for v in levels)),
        caption=f"{caption} {outside}".strip(),
    )


def _score(state: RopeState, gap: int, score: float) -> Panel:
    return Panel(
        "score_panel",
        Cell(0, 8, 4, 4),
        readouts=(
            Readout("score", number(score), said("gap.score")),
            Readout("gap", said("gap", gap=count(gap)), role="where", size="heading"),
        ),
    )


def _pairs(state: RopeState, parts: Array) -> Panel:
    last = max(len(parts) - 1, 1)
    size = max(float(np.abs(parts).max()), 1e-9)
    return Panel(
        "share_panel",
        Cell(4, 8, 4, 4),
        (
            Curve("share_zero", np.array([-0.5, last + 0.5]), np.zeros(2), "control", "thin"),
            Bars("shares", np.arange(len(parts), dtype=float), parts, "query"),
        ),
        title=said("gap.shares"),
        x=Axis(-0.7, last + 0.7, ((0.0, said("head.pair", pair=0)), (float(last), str(last)))),
        y=Axis(min(0.0, 1.1 * float(parts.min())) - 0.05 * size, max(0.0, 1.1 * float(parts.max())) + 0.05 * size),
    )


def _vectors(state: RopeState) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """q and k themselves, and the base, to turn them at their own positions."""
    if state.vectors == "words":
        both = vectors.first_layer(state.query_word, state.key_word, state.attention_head)
        assert both is not None
        return tuple(both[0].tolist()), tuple(both[1].tolist()), shipped.smollm2_layer0().rope_theta
    turned = rotary_dims(state)
    if state.vectors == "random":
        q, k = vectors.draw(turned, state.seed, 1)
        return tuple(q[0].tolist()), tuple(k[0].tolist()), state.base
    one = (math.sqrt(2 / turned), 0.0) * (turned // 2)
    return one, one, state.base


def places_of(state: RopeState) -> list[tuple[int, int]]:
    """Both tokens where they are, 500 further, and as far on as positions go."""
    m, n = state.query_position, state.key_position
    found = [(m + by, n + by) for by in (0, JUMP, 100_000)]
    return [pair for pair in found if max(pair) <= FARTHEST]


def _places(state: RopeState) -> Panel:
    q, k, base = _vectors(state)
    rows = [(said("gap.head.at"), said("gap.head.wide"), said("gap.head.small"))]
    for m, n in places_of(state):
        wide, small = vectors.turned_scores(q, k, base, m, n)
        rows.append((count(m), number(wide, 4), number(small, 4)))
    table = Table(
        "places",
        tuple(rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        widths=(0.36, 0.32, 0.32),
        align=("left", "right", "right"),
    )
    return Panel("places_panel", Cell(8, 8, 4, 4), (table,), title=said("gap.places"), invert_y=True)


def groups(parts: Array) -> list[tuple[int, int]]:
    """Runs of pairs (first, last) whose shares are added up first: single pairs where there are few."""
    if len(parts) <= FEW:
        return [(at, at) for at in range(len(parts))]
    edges = np.linspace(0, len(parts), GROUPS + 1).round().astype(int).tolist()
    return [(a, b - 1) for a, b in itertools.pairwise(edges) if b > a]


def _lines(state: RopeState, parts: Array, score: float, gap: int) -> list[Line]:
    runs = groups(parts)
    sums = np.array([parts[a : b + 1].sum() for a, b in runs])
    names = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    lines: list[Line] = [
        line(
            said("gap.work_gap"),
            Term(
                f"{count(state.query_position)} {MINUS} {count(state.key_position)} = {count(gap)}",
                "where",
                (("gap", ()),),
            ),
        ),
        line(said("gap.work_groups", pairs=names)),
        line(
            "q·k = ",
            Term(sum_text(sums, score), "query", (("shares", ()),)),
            Term(number(score), "where", (("score", ()),), bold=True),
        ),
    ]
    lines.append(line(Term(said(f"gap.work.{state.vectors}"), "muted")))
    if state.vectors == "words":
        lines.append(line(Term(said("gap.work_layer"), "muted")))
        lines.append(line(Term(said("gap.work_weights"), "muted")))
    else:
        lines.append(line(Term(said("gap.work_not"), "muted")))
    lines.append(line(Term(said("gap.work_drift"), "muted")))
    return lines


def _missing(state: RopeState) -> Frame:
    """A word without a row: it is said which, and what can be typed in its place."""
    lost = [word for word in (state.query_word, state.key_word) if vectors.row_of(word) is None]
    found = dict.fromkeys(f"“{word.strip()[:16]}”" if word.strip() else said("gap.empty") for word in lost)
    names = said("gap.and").join(found)
    marks = (
        Label("missing", 0.04, 0.3, said("gap.missing", words=names), "title", "text", "left", bold=True),
        Label("missing_hint", 0.04, 0.48, said("gap.missing_hint"), "label", "muted", "left"),
    )
    panel = big_panel(state, Cell(0, 0, 12, 12), marks, Axis(0.0, 1.0), Axis(0.0, 1.0), invert_y=True)
    return Frame(
        said("gap.title.missing"),
        said("gap.missing_hint"),
        (panel,),
        Worked(),
        said("gap.missing", words=names) + ". " + said("gap.missing_hint"),
    )
