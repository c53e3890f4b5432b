"""The page of scores and weights: all pairs of tokens, in both orders, and the picked token's row as bars."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.order.parts import (
    LOW,
    MIDDLE,
    Lights,
    below,
    big_panel,
    caption_of,
    cut,
    decimals_for,
    fitting,
    gap_lines,
    level,
    muted,
    name_of,
    products,
    quoted,
    rounded,
    said,
    scheme_name,
    shortest,
    sign_for,
    sign_panel,
    sum_of,
    words_panel,
)
from core.lessons.order.scene import SLOPE, Run, Scene
from core.lessons.order.state import OrderState
from core.lessons.order.vectors import HEAD, Sentence
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Bars,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Term,
    Worked,
)
from core.stage.numbers import MINUS, bracketed, number, percent, shown

LEFT, RIGHT, ACROSS = 11.5, 63.0, 37.0  # of the two columns of matrices, in hundredths of the panel
TOP, BOTTOM, HIGH = 11.0, 62.5, 37.5
MASKED = MINUS + "∞"


def panels(state: OrderState, read: Sentence, scene: Scene) -> tuple[Panel, ...]:
    return (_big(state, read, scene), sign_panel(state, scene), _bars(state, scene), _words(state))


def _big(state: OrderState, read: Sentence, scene: Scene) -> Panel:
    seen = [run.scores[run.allowed] for run in (scene.typed, scene.moved)]
    end = level(*seen)
    marks: list[Mark] = []
    for run, name, x in ((scene.typed, "typed", LEFT), (scene.moved, "moved", RIGHT)):
        marks += _matrix(state, scene, run, f"{name}_scores", run.scores, Rect(x, TOP, ACROSS, HIGH), end)
        marks += _matrix(state, scene, run, f"{name}_weights", run.weights, Rect(x, BOTTOM, ACROSS, HIGH), 0.0)
    return big_panel(state, marks, caption_of(read, said("caption_matrices")))


def _matrix(state: OrderState, scene: Scene, run: Run, key: str, values: Array, place: Rect, end: float) -> list[Mark]:
    """Scores (``end`` > 0) or weights. Row: who asks, column: who is asked."""
    n = scene.n
    scores = end > 0
    i, j = run.where[state.token], run.where[state.key_token]
    names = tuple(name_of(scene, token, 7 if n <= 6 else 5) for token in run.order)
    whole = tuple(scene.words[token].shown for token in run.order)
    shown_values = np.where(run.allowed, values, 0.0)
    matrix = Matrix(
        key,
        ArraySource(shown_values),
        rows=(0, n),
        columns=(0, n),
        levels=(-end, end) if scores else (0.0, 1.0),
        place=place,
        colours="signed" if scores else "amount",
        decimals=(3 if n <= 3 else 2 if n <= 4 else 1) if scores else 2,
        characters=7 if scores and n <= 3 else 5,
        row_labels=names,
        column_labels=names,
        outlines=(Outline(i, 0, 1, n, "query"), Outline(i, j, 1, 1, "key")),
        mask=None if run.allowed.all() else ~run.allowed,
        mask_text=MASKED if scores else "0",
        hover=said("hover_score" if scores else "hover_weight"),
        row_names=whole,
        column_names=whole,
    )
    name = said("scores_of" if scores else "weights_of", order=said(key.partition("_")[0]))
    return [
        Label(f"{key}_name", place.x, place.y - 7.6, name, "small", "text", "left", bold=True),
        matrix,
    ]


def _bars(state: OrderState, scene: Scene) -> Panel:
    """The picked token's weights on each token, in both orders, in the order that was typed."""
    token = state.token
    typed = scene.typed.weights[token]
    moved = scene.moved.weights[scene.moved.where[token]][list(scene.moved.where)]
    x = np.arange(scene.n, dtype=float)
    top = max(0.1, math.ceil(10 * float(max(typed.max(), moved.max())) - 1e-9) / 10)
    low, high = -0.6, scene.n - 0.4
    few = scene.n <= 6
    # Of many tokens every other one is named: it has the room of two.
    all_named = scene.n <= 8
    room = 8 if few else 5 if all_named else 7
    ticks = tuple((float(j), name_of(scene, j, room)) for j in range(scene.n) if all_named or j % 2 == 0)
    marks = (
        Bars("bars_typed", x - 0.2, typed, "control", 0.38),
        Bars("bars_moved", x + 0.2, moved, "query", 0.38),
        Label("bars_typed_name", low, 1.2 * top, said("typed"), "small", "muted", "left"),
        Label("bars_moved_name", high, 1.2 * top, said("moved"), "small", "query", "right", bold=True),
    )
    return Panel(
        "bars_panel",
        MIDDLE,
        marks,
        title=said("bars_title", token=quoted(scene, token)),
        x=Axis(low, high, ticks),
        y=Axis(0.0, 1.34 * top, ((0.0, "0"), (top, number(top, 1)))),
    )


def _words(state: OrderState) -> Panel:
    """What the scheme does, and what the mask does."""
    scheme = (
        "scheme_words",
        said("scheme_is", scheme=scheme_name(state)),
        said(f"scheme.{state.scheme}"),
        False,
    )
    mask = (
        "mask_words",
        said("mask.yes" if state.causal else "mask.no"),
        said("mask.means_yes" if state.causal else "mask.means_no"),
        state.causal,
    )
    return words_panel("words_panel", LOW, (scheme, mask))


# --- arithmetic ------------------------------------------------------------------------------------------------------


def worked(state: OrderState, scene: Scene) -> Worked:
    """The picked pair from score to weight, then the same pair in the other order."""
    lines = [
        *pair_lines(state, scene, scene.typed, "typed"),
        _both(state, scene),
        *pair_lines(state, scene, scene.moved, "moved")[1:],
    ]
    lines += [*_powers(state, scene), *gap_lines(scene, state.token)]
    moves = "shuffled" if scene.equivariant else "mask_stays" if state.causal else "not_shuffled"
    facts = (moves, "softmax_row", "mask")
    return Worked((*lines, *(muted(f"fact.{fact}") for fact in facts)))


def pair_lines(state: OrderState, scene: Scene, run: Run, name: str) -> list[Line]:
    """Three lines for the picked pair: products, score, weight."""
    i, j = run.where[state.token], run.where[state.key_token]
    cell: Lights = ((f"{name}_scores", (i, j)),)
    weight_cell: Lights = ((f"{name}_weights", (i, j)),)
    if not run.allowed[i, j]:
        asks, asked = quoted(scene, state.token), quoted(scene, state.key_token)
        return [
            fitting([Term(said("work_hidden", asks=asks, asked=asked, order=said(name)), "warn", cell)]),
            fitting([said(f"work_places_{name}", i=i, j=j)]),
            fitting([Term(said("work_zero"), "key", weight_cell)]),
        ]
    q, k, score = run.q[i], run.k[j], float(run.scores[i, j])
    # Three decimals where two are not all, as far as the line has room for them.
    fit = [
        places
        for places in (decimals_for(q, k), 2)
        if min(len(_dot(q, k, (i, j), places, most)) for most in (HEAD, 0)) <= Worked.COLUMNS
    ]
    decimals = fit[0] if fit else 2
    parts = rounded(rounded(q, decimals) * rounded(k, decimals), 4)
    total = float(parts.sum())
    whole = shortest(lambda most: _dot(q, k, (i, j), decimals, most), HEAD, 0, 3, 2, 1)
    added = f" {MINUS} {number(SLOPE, 1)} × {abs(i - j)}" if run.bias is not None else ""
    bias = 0.0 if run.bias is None else float(run.bias[i, j])
    halved = f" / √{HEAD}{added} {sign_for(total / 2 + bias, score, 3)} "
    start = said("work_score_moved") if name == "moved" else f"= {sum_of(parts, 4)} = {number(total, 4)},  q·k"
    if name == "moved":
        start += number(total, 4)
    elif len(start + halved) + len(number(score)) > Worked.COLUMNS:
        start = said("work_score") + number(total, 4)
    return [
        fitting([Term(whole, "query", cell)]),
        fitting([start + halved, Term(number(score), "where", cell)]),
        _softmax(run, i, j, name, score),
    ]


def _dot(q: Array, k: Array, places: tuple[int, int], decimals: int, most: int) -> str:
    """``q₁·k₀ = …``: of which positions."""
    i, j = places
    return f"q{below(i)}·k{below(j)} = " + products(q, k, (decimals, decimals), most)


def _powers(state: OrderState, scene: Scene) -> list[Line]:
    """The picked token's row: e to the power of each score, as many in a line as there is room for."""
    run, i = scene.typed, state.token
    lines: list[list[str | Term]] = [[said("work_powers", asks=quoted(scene, i))]]
    for j in range(scene.n):
        if not run.allowed[i, j]:
            continue
        score = float(run.scores[i, j])
        sign = sign_for(math.exp(shown(score)), math.exp(score), 3)
        written = f"{name_of(scene, j, 8)}:  e^{bracketed(score)} {sign} {number(math.exp(score))}"
        used = sum(len(piece.text if isinstance(piece, Term) else piece) for piece in lines[-1])
        if len(lines) == 1 or used + len(written) + 3 > Worked.COLUMNS:
            lines.append([])
        elif lines[-1]:
            lines[-1].append("   ")
        lines[-1].append(Term(written, "text", (("typed_scores", (i, j)),)))
    return [fitting(pieces) for pieces in lines]


def _softmax(run: Run, i: int, j: int, name: str, score: float) -> Line:
    """``weight = e^(−0.617) / (0.540 + 0.966 + 0.119) = 0.540 / 1.625 = 0.332``"""
    exponentials = np.exp(run.scores[i][run.allowed[i]])
    power, total, weight = math.exp(score), float(exponentials.sum()), float(run.weights[i, j])
    share = sign_for(shown(power) / max(shown(total), 1e-3), weight, 3)
    added = number(float(rounded(exponentials, 3).sum())) == number(total)
    same = "=" if added and number(math.exp(shown(score))) == number(power) else "≈"
    tail = f" {same} {number(power)} / {number(total)} {share} "
    start = f"{said('work_weight')} = e^{bracketed(score)} / "
    summed = f"({sum_of(exponentials, 3)})"
    if len(start + summed + tail) + 5 > Worked.COLUMNS:
        summed = said("work_sum")
    row_cells: Lights = tuple((f"{name}_weights", (i, column)) for column in range(len(run.order)))
    weight_cell: Lights = ((f"{name}_weights", (i, j)),)
    return fitting([Term(start + summed + tail, "text", row_cells), Term(number(weight), "key", weight_cell, True)])


def _both(state: OrderState, scene: Scene) -> Line:
    """The pair's weight in both orders."""
    places = [(run, run.where[state.token], run.where[state.key_token]) for run in (scene.typed, scene.moved)]
    first, second = (float(run.weights[i, j]) for run, i, j in places)
    same = abs(first - second) <= 1e-12
    pair = (cut(scene.words[state.token].shown, 10), cut(scene.words[state.key_token].shown, 10))
    key = "work_pair_same" if same else "work_pair_other"
    decimals = next((d for d in range(3, 13) if number(first, d) != number(second, d)), 12) if not same else 3
    written = said(key, asks=pair[0], asked=pair[1], a=number(first, decimals), b=number(second, decimals))
    lights = tuple((f"{name}_weights", (i, j)) for name, (_, i, j) in zip(("typed", "moved"), places, strict=True))
    return fitting([Term(written, "text" if same else "warn", lights, bold=True)])


def alt(state: OrderState, scene: Scene) -> str:
    run = scene.typed
    weights = ", ".join(f"{name_of(scene, j)} {percent(float(run.weights[state.token, j]))}" for j in range(scene.n))
    moved = scene.moved.weights[scene.moved.where[state.token]]
    others = ", ".join(f"{name_of(scene, j)} {percent(float(moved[scene.moved.where[j]]))}" for j in range(scene.n))
    return said("alt_matrices", token=quoted(scene, state.token), weights=weights, others=others, n=scene.n)
