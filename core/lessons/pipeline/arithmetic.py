"""One cell of a station's array on the blackboard: its printed factors give the printed result.

Factors are written with as many decimals as that takes, four at the least.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from core.encodings import sinusoidal
from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import BASE, HEAD_DIM, HEADS, WIDTH, Run
from core.lessons.pipeline.state import PipelineState, column_of, name_of
from core.stage.frame import Array, Line, Term, Worked, line
from core.stage.numbers import MINUS, bracketed, count, number, short, shown
from core.stage.text import text
from core.tables import shipped

DECIMALS = 3  # of an array's cells
_LEAST, _MOST = 4, 9
_SHOWN_TERMS = 3  # of a long sum


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"pipeline.{key}", **fields)


def cut(word: str, most: int = 12) -> str:
    return word if len(word) <= most else word[: most - 1] + "…"


def quoted(word: str, most: int = 12) -> str:
    return said("quoted", word=cut(word, most))


def unlit(shown_lines: Worked) -> Worked:
    """The same arithmetic on a page that does not show the array."""
    lines = tuple(tuple(Term(term.text, term.role, (), term.bold) for term in entry) for entry in shown_lines.lines)
    return Worked(lines)


def worked(state: PipelineState, run: Run, typed: str) -> Worked:
    """The picked cell of the present station."""
    station = name_of(state)
    if station in ("text", "tokens", "ids") or not run.n:
        return Worked(tuple(_words(station, run, typed)))
    return Worked(tuple(fitted(part) for entry in _MAKERS[station](state, run) for part in _wrapped(entry)))


def _wrapped(entry: Line) -> tuple[Line, ...]:
    """The line, in two where it is too long for one: a result is never cut off."""
    room = Worked.COLUMNS
    for at, term in enumerate(entry):
        room -= len(term.text)
        if room < 0 and at:
            return entry[:at], (Term("    "), *entry[at:])
    return (entry,)


def fitted(entry: Line) -> Line:
    """A line of at most 72 columns."""
    room, kept = Worked.COLUMNS, []
    for term in entry:
        if len(term.text) > room:
            kept.append(Term(cut(term.text, room), term.role, term.lights, term.bold) if room else term)
            break
        kept.append(term)
        room -= len(term.text)
    return tuple(term for term in kept if term.text)


def _lit(key: str, row: int, column: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return ((key, (row, column)),)


def enough(make: Callable[[int], float], true: float, decimals: int = DECIMALS) -> int:
    """The fewest decimals for which the arithmetic with rounded numbers gives what the cell shows."""
    for places in range(_LEAST, _MOST):
        if number(make(places), decimals) == number(true, decimals):
            return places
    return _MOST


def plus(value: float, decimals: int) -> str:
    """`` + 0.034`` or `` − 0.034``."""
    written = number(value, decimals)
    return f" {MINUS} {written[1:]}" if written.startswith(MINUS) else f" + {written}"


def _result(state: PipelineState, value: float, column: int, key: str = "array") -> Term:
    return Term(number(value, DECIMALS), "what", _lit(key, state.token, column), bold=True)


# --- before there are vectors ----------------------------------------------------------------------------------------


def _words(station: str, run: Run, typed: str) -> list[Line]:
    gpt2 = compute.sentence("gpt2", typed)
    lines = []
    if station == "text":
        lines.append(line(said("work.text", text=quoted(typed, 30), count=count(len(typed)))))
        lines.append(line(Term(said("work.text_bytes", count=count(len(typed.encode("utf-8")))), "muted")))
    elif station == "tokens":
        pieces = " | ".join(cut(piece.shown) for piece in gpt2.pieces)
        lines.append(line(said("work.tokens", pieces=pieces, count=len(gpt2.pieces))))
        lines.append(line(Term(said("work.tokens_space"), "muted")))
    else:
        ids = ", ".join(str(piece.id) for piece in gpt2.pieces)
        lines.append(line(said("work.ids_gpt2"), Term(f"[{ids}]", "what", bold=True)))
        if run.path in ("learned", "rope"):
            own = ", ".join("–" if piece.id is None else str(piece.id) for piece in run.read.pieces)
            lines.append(line(said(f"work.ids_{run.path}"), Term(f"[{own}]", "what", bold=True)))
        lines.append(line(Term(said(f"work.ids_note_{run.path}"), "muted")))
    return [fitted(entry) for entry in lines]


# --- one cell of each station ----------------------------------------------------------------------------------------


def _cell(state: PipelineState, run: Run) -> tuple[int, int, str]:
    return state.token, column_of(state, run), quoted(run.words[state.token])


def _lookup(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    piece, value = run.read.known[token], float(run.arrays["lookup"][token, column])
    lines = [line(said("work.lookup", word=word, id=piece.id or 0, column=column), _result(state, value, column))]
    found = compute.stored(run.path, piece, column)
    if found is None:
        lines.append(line(Term(said("work.lookup_drawn", d=WIDTH[run.path], id=piece.id or 0), "muted")))
        lines.append(line(Term(said("work.lookup_spread", d=WIDTH[run.path]), "muted")))
        return lines
    level, scale = found
    places = max(6, enough(lambda decimals: level * shown(scale, decimals), value))
    lines.append(
        line(said("work.lookup_stored", level=number(level, 0), scale=number(scale, places)), number(value, DECIMALS))
    )
    lines.append(line(Term(said(f"work.lookup_note_{run.path}"), "muted")))
    return lines


def _scale(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    row, value = float(run.arrays["lookup"][token, column]), float(run.arrays["scale"][token, column])
    root = math.sqrt(WIDTH[run.path])
    places = enough(lambda decimals: shown(row, DECIMALS) * shown(root, decimals - 1), value)
    written = f"{number(row, DECIMALS)} × {number(root, places - 1)} = "
    return [
        line(said("work.cell", word=word, column=column), written, _result(state, value, column)),
        line(said("work.root", d=WIDTH[run.path], root=number(root, 3))),
        line(Term(said("work.scale_why"), "muted")),
    ]


def _position(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    assert run.position_rows is not None
    value, place = float(run.arrays["position"][token, column]), run.positions[token]
    at = float(run.position_rows[token, column])
    if run.path == "learned":
        row, kind = float(run.arrays["lookup"][token, column]), float(shipped.minilm_token_types()[0, column])
        places = enough(lambda decimals: sum(shown(part, decimals) for part in (row, at, kind)), value)
        return [
            line(
                said("work.cell", word=word, column=column),
                Term(number(row, places), "what"),
                Term(plus(at, places), "where"),
                plus(kind, places),
                " = ",
                _result(state, value, column),
            ),
            line(Term(said("work.sum_parts", place=count(place)), "muted")),
            line(Term(said("work.no_scale"), "muted")),
        ]
    row = float(run.arrays["scale"][token, column])
    places = enough(lambda decimals: shown(row, decimals) + shown(at, decimals), value)
    pair = column // 2
    wave = "sin" if column % 2 == 0 else "cos"
    angle = float(place / BASE ** (2 * pair / WIDTH[run.path]))
    return [
        line(
            said("work.cell", word=word, column=column),
            Term(number(row, places), "what"),
            Term(plus(at, places), "where"),
            " = ",
            _result(state, value, column),
        ),
        line(
            said("work.wave", wave=wave, place=count(place), pair=2 * pair, d=WIDTH[run.path]),
            Term(f"{wave} {short(angle, 6)} = {number(_wave(place, column), places)}", "where"),
        ),
        line(Term(said("work.wave_note"), "muted")),
    ]


def _wave(place: int, column: int) -> float:
    return float(sinusoidal.table([place], WIDTH["sinusoidal"], BASE, columns=[column])[0, 0])


def _norm(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    before = run.arrays["position" if run.path == "learned" else "lookup"][token]
    value, x = float(run.arrays["norm"][token, column]), float(before[column])
    if run.path == "rope":
        layer = shipped.smollm2_layer0()
        root = math.sqrt(float(np.mean(before**2)) + layer.eps)
        weight = float(layer.attn_norm[column])
        places = enough(lambda d: shown(x, d) / shown(root, d) * shown(weight, d), value)
        return [
            line(
                said("work.cell", word=word, column=column),
                f"{number(x, places)} / {number(root, places)} × {number(weight, places)} = ",
                _result(state, value, column),
            ),
            line(said("work.rms", root=number(root, places), eps=short(layer.eps, 6))),
            line(Term(said("work.rms_note"), "muted")),
        ]
    if run.path == "alibi":
        weight, bias, eps = 1.0, 0.0, 1e-5
    else:
        norm = shipped.minilm_layernorm()
        weight, bias, eps = float(norm.weight[column]), float(norm.bias[column]), norm.eps
    mean = float(before.mean())
    deviation = math.sqrt(float(before.var()) + eps)

    def rounded(d: int) -> float:
        return (shown(x, d) - shown(mean, d)) / shown(deviation, d) * shown(weight, d) + shown(bias, d)

    places = enough(rounded, value)
    centred = f"({number(x, places)}{plus(-mean, places)}) / {number(deviation, places)}"
    after = f" × {number(weight, places)}{plus(bias, places)}" if run.path == "learned" else ""
    return [
        line(said("work.cell_short", word=word, column=column), centred, after, " = ", _result(state, value, column)),
        line(
            said("work.norm", d=WIDTH[run.path], mean=number(mean, places), deviation=number(deviation, places)),
        ),
        line(Term(said(f"work.norm_note_{run.path}"), "muted")),
    ]


def _block(state: PipelineState, run: Run) -> list[Line]:
    heads, head_dim, d = HEADS[run.path], HEAD_DIM[run.path], WIDTH[run.path]
    token, column, word = _cell(state, run)
    value = float(run.arrays["block"][token, column])
    return [
        line(said("work.cell", word=word, column=column), _result(state, value, column), said("work.block_as_is")),
        line(said("work.heads", heads=heads, head_dim=head_dim, d=d)),
        line(Term(said(f"work.block_note_{run.path}"), "muted")),
    ]


def _sum(left: Array, right: Array, true: float) -> tuple[str, str]:
    """The first products of a long sum, and how many follow."""
    pairs = [f"{bracketed(a, 2)}{bracketed(b, 2)}" for a, b in zip(left, right, strict=True)][:_SHOWN_TERMS]
    return " + ".join(pairs), said("work.more", more=len(left) - _SHOWN_TERMS, total=number(true, DECIMALS))


def _qk(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    lines = []
    weights = compute.head_weights(run.path, run.head)
    x = run.arrays["norm"][token]
    for name, key, matrix, role, values in zip(
        ("q", "k"), ("array", "array_k"), weights, ("query", "key"), run.arrays["qk"], strict=True
    ):
        value = float(values[token, column])
        head, rest = _sum(x[:_SHOWN_TERMS], matrix[column, :_SHOWN_TERMS], value)
        rest = said("work.more", more=WIDTH[run.path] - _SHOWN_TERMS, total="")
        lines.append(
            line(
                f"{name}[{column}] = {head}{rest}",
                Term(number(value, DECIMALS), role, _lit(key, token, column), bold=True),  # type: ignore[arg-type]
            )
        )
    lines.append(line(Term(said(f"work.qk_note_{run.path}", word=word), "muted")))
    return lines


def _turn(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = _cell(state, run)
    assert run.cosines is not None
    assert run.sines is not None
    pair, odd = column // 2, column % 2
    cosine, sine = float(run.cosines[token, pair]), float(run.sines[token, pair])
    lines = []
    for name, key, role, before, after in zip(
        ("q", "k"), ("array", "array_k"), ("query", "key"), run.arrays["qk"], run.arrays["turn"], strict=True
    ):
        a, b = (float(before[token, 2 * pair + at]) for at in (0, 1))
        value = float(after[token, column])
        first, second = ((b, cosine), (a, sine)) if odd else ((a, cosine), (-b, sine))

        def rounded(d: int, first: Sequence[float] = first, second: Sequence[float] = second) -> float:
            return shown(first[0], d) * shown(first[1], d) + shown(second[0], d) * shown(second[1], d)

        places = enough(rounded, value)
        written = " + ".join(f"{bracketed(x, places)}{bracketed(y, places)}" for x, y in (first, second))
        lines.append(
            line(
                f"{name}[{column}] = {written} = ",
                Term(number(value, DECIMALS), role, _lit(key, token, column), bold=True),  # type: ignore[arg-type]
            )
        )
    place = run.positions[token]
    theta = 100_000.0 ** (-2 * pair / 64)
    lines.append(
        line(
            Term(said("work.angle", pair=pair, place=count(place), theta=short(theta, 6)), "where"),
            f"cos {number(cosine, 4)}, sin {number(sine, 4)}",
        )
    )
    lines.append(line(Term(said("work.turn_note", word=word), "muted")))
    return lines


def _score(state: PipelineState, run: Run) -> list[Line]:
    token, key = state.token, min(state.key_token, state.token)
    q, k = run.arrays["turn" if run.path == "rope" else "qk"]
    value = float(run.arrays["score"][token, key])
    dot = float(q[token] @ k[key])
    head, rest = _sum(q[token], k[key], dot)
    asks = said("work.asks", query=quoted(run.words[token]), other=quoted(run.words[key]))
    places = enough(lambda d: shown(dot, d - 1) / 8, value)
    lines = [
        line(asks, f"{number(dot, places - 1)} / √64 = {number(dot, places - 1)} / 8 = ", _result(state, value, key)),
        line(f"q·k = {head}", rest),
    ]
    if run.path == "rope":
        gap = run.positions[token] - run.positions[key]
        where = said("work.gap", m=count(run.positions[token]), n=count(run.positions[key]), gap=count(gap))
        lines.append(line(Term(where, "where")))
        if run.weights is not None:
            lines.append(_weight_line(state, run, token, key))
    else:
        lines.append(line(Term(said("work.score_note_alibi"), "muted")))
    return lines


def _bias(state: PipelineState, run: Run) -> list[Line]:
    token, key = state.token, min(state.key_token, state.token)
    plain, value = float(run.arrays["score"][token, key]), float(run.arrays["bias"][token, key])
    gap = run.positions[token] - run.positions[key]
    bias = -run.slope * gap
    slope = short(run.slope, 8)
    places = enough(lambda d: shown(plain, d - 1) - run.slope * gap, value)
    asks = said("work.asks", query=quoted(run.words[token]), other=quoted(run.words[key]))
    return [
        line(
            asks,
            Term(number(plain, places - 1)),
            Term(f" {MINUS} {slope} × {count(gap)}", "where"),
            " = ",
            _result(state, value, key),
        ),
        line(Term(said("work.bias", gap=count(gap), slope=slope, bias=short(bias, 8), head=run.head), "where")),
        _weight_line(state, run, token, key),
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
        said("work.weight", score=number(float(scores[key]), DECIMALS), high=number(high, DECIMALS)),
        f"{number(float(powers[key]), places)} / {number(total, places)} = ",
        Term(number(weight, DECIMALS), "what", bold=True),
    )


_MAKERS: dict[str, Callable[[PipelineState, Run], list[Line]]] = {
    "lookup": _lookup,
    "scale": _scale,
    "position": _position,
    "norm": _norm,
    "block": _block,
    "qk": _qk,
    "turn": _turn,
    "score": _score,
    "bias": _bias,
}
