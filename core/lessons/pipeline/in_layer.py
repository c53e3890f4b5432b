"""One cell of each station inside the first layer, on the blackboard."""

from __future__ import annotations

import numpy as np

from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import Run
from core.lessons.pipeline.state import PipelineState
from core.lessons.pipeline.wording import DECIMALS, LEAST, MOST_PLACES, cell, enough, lit, quoted, result, said
from core.stage.frame import Array, Line, Term, Worked, line
from core.stage.numbers import MINUS, bracketed, count, number, short, shown

_SHOWN_TERMS = 3  # of a long sum


def _sum(start: str, left: Array, right: Array, end: str) -> str:
    """The largest products of a long sum, as many as fit into the line with ``end``, and how many more there are."""
    largest = np.argsort(-np.abs(left * right), kind="stable")
    for terms in range(_SHOWN_TERMS, 0, -1):
        pairs = [f"{bracketed(left[at], 2)}{bracketed(right[at], 2)}" for at in largest[:terms]]
        written = start + " + ".join(pairs) + said("work.more", more=len(left) - terms)
        if len(written + end) <= Worked.COLUMNS:
            break
    return written


def qk(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
    lines = []
    weights = compute.head_weights(run.path, run.head)
    x = run.arrays["norm"][token]
    for name, key, matrix, role, values in zip(
        ("q", "k"), ("array", "array_k"), weights, ("query", "key"), run.arrays["qk"], strict=True
    ):
        value = float(values[token, column])
        written = _sum(f"{name}[{column}] = ", x, matrix[column], number(value, DECIMALS))
        lines.append(
            line(
                written,
                Term(number(value, DECIMALS), role, lit(key, token, column), bold=True),  # type: ignore[arg-type]
            )
        )
    lines.append(line(Term(said(f"work.qk_note_{run.path}", word=word), "muted")))
    return lines


def turn(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
    assert run.cosines is not None
    assert run.sines is not None
    pair, odd = column // 2, column % 2
    sign = 1 if odd else -1
    cosine, sine = float(run.cosines[token, pair]), float(run.sines[token, pair])
    lines = []
    made: list[tuple[tuple[float, float], tuple[float, float], float]] = []
    for before, after in zip(run.arrays["qk"], run.arrays["turn"], strict=True):
        a, b = (float(before[token, 2 * pair + at]) for at in (0, 1))
        # (x cos − y sin, x sin + y cos), as the rotation is written.
        first, second = ((a, sine), (b, cosine)) if odd else ((a, cosine), (b, sine))
        made.append((first, second, float(after[token, column])))

    def gives(d: int) -> bool:
        """Whether both sums come out with so many decimals."""
        sums = (shown(x[0], d) * shown(x[1], d) + sign * shown(y[0], d) * shown(y[1], d) for x, y, _ in made)
        return all(number(a, DECIMALS) == number(entry[2], DECIMALS) for a, entry in zip(sums, made, strict=True))

    places = next((d for d in range(LEAST, MOST_PLACES) if gives(d)), MOST_PLACES)
    for name, key, role, (first, second, value) in zip(
        ("q", "k"), ("array", "array_k"), ("query", "key"), made, strict=True
    ):
        products = [f"{bracketed(x, places)}{bracketed(y, places)}" for x, y in (first, second)]
        written = f" {'+' if odd else MINUS} ".join(products)
        lines.append(
            line(
                f"{name}[{column}] = {written} = ",
                Term(number(value, DECIMALS), role, lit(key, token, column), bold=True),  # type: ignore[arg-type]
            )
        )
    place = run.positions[token]
    theta = 100_000.0 ** (-2 * pair / 64)
    lines.append(
        line(
            Term(said("work.angle", pair=pair, place=count(place), theta=short(theta, 6)), "where"),
            f"cos {number(cosine, places)}, sin {number(sine, places)}",
        )
    )
    lines.append(line(Term(said("work.turn_note", word=word), "muted")))
    return lines


def score(state: PipelineState, run: Run) -> list[Line]:
    token, key = state.token, min(state.key_token, state.token)
    q, k = run.arrays["turn" if run.path == "rope" else "qk"]
    value = float(run.arrays["score"][token, key])
    dot = float(q[token] @ k[key])
    asks = said("work.asks", query=quoted(run.words[token]), other=quoted(run.words[key]))
    places = enough(lambda d: shown(dot, d - 1) / 8, value)
    lines = [
        line(asks, f"{number(dot, places - 1)} / √64 = {number(dot, places - 1)} / 8 = ", result(state, value, key)),
        line(_sum("q·k = ", q[token], k[key], number(dot, DECIMALS)), number(dot, DECIMALS)),
    ]
    if run.path == "rope":
        gap = run.positions[token] - run.positions[key]
        where = said("work.gap", m=count(run.positions[token]), n=count(run.positions[key]), gap=count(gap))
        lines.append(line(Term(where, "where")))
        if run.weights is not None:
            lines += [_weight_line(state, run, token, key), line(Term(said("work.weight_note"), "muted"))]
    else:
        lines.append(line(Term(said("work.score_note_alibi"), "muted")))
    return lines


def bias(state: PipelineState, run: Run) -> list[Line]:
    token, key = state.token, min(state.key_token, state.token)
    plain, value = float(run.arrays["score"][token, key]), float(run.arrays["bias"][token, key])
    gap = run.positions[token] - run.positions[key]
    bias = -run.slope * gap
    slope = short(run.slope, 8)
    places = enough(lambda d: shown(plain, d - 1) - run.slope * gap, value)
    asks = said("work.asks", query=quoted(run.words[token]), other=quoted(run.words[key]))
    heads = compute.HEADS["alibi"]
    why = said("work.bias", gap=count(gap), slope=slope, bias=short(bias, 8), head=run.head, heads=heads)
    return [
        line(
            asks,
            Term(number(plain, places - 1)),
            Term(f" {MINUS} {slope} × {count(gap)}", "where"),
            " = ",
            result(state, value, key),
        ),
        line(Term(why, "where")),
        _weight_line(state, run, token, key),
        line(Term(said("work.bias_score", score=number(plain, places - 1)), "muted")),
        line(Term(said("work.weight_note"), "muted")),
        line(Term(said("work.bias_note"), "muted")),
    ]


def _weight_line(state: PipelineState, run: Run, token: int, key: int) -> Line:
    """The softmax of the picked row, where the printed powers give the printed weight."""
    assert run.weights is not None
    scores = run.arrays["bias" if run.path == "alibi" else "score"][token, : token + 1]
    high = float(scores.max())
    powers = np.exp(scores - high)
    weight = float(run.weights[token, key])
    places = enough(lambda d: shown(powers[key], d) / sum(shown(power, d) for power in powers), weight)
    total = sum(shown(power, places) for power in powers)
    return line(
        said(
            "work.weight",
            score=number(float(scores[key]), DECIMALS),
            high=number(high, DECIMALS) if high >= 0 else bracketed(high, DECIMALS),
        ),
        f"{number(float(powers[key]), places)} / {number(total, places)} = ",
        Term(number(weight, DECIMALS), "what", bold=True),
    )
