"""One cell of each station up to the first block, on the blackboard."""

from __future__ import annotations

import math

import numpy as np

from core.encodings import sinusoidal
from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import BASE, HEAD_DIM, HEADS, WIDTH, Run
from core.lessons.pipeline.state import PipelineState
from core.lessons.pipeline.wording import DECIMALS, added, cell, cut, enough, fitted, quoted, result, said
from core.stage.frame import Line, Term, line
from core.stage.numbers import MINUS, count, number, short, shown
from core.tables import shipped

# --- before there are vectors ----------------------------------------------------------------------------------------


def words(station: str, run: Run, typed: str) -> list[Line]:
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


def lookup(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
    piece, value = run.read.known[token], float(run.arrays["lookup"][token, column])
    lines = [line(said("work.lookup", word=word, id=piece.id or 0, column=column), result(state, value, column))]
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


def scale(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
    row, value = float(run.arrays["lookup"][token, column]), float(run.arrays["scale"][token, column])
    root = math.sqrt(WIDTH[run.path])
    places = enough(lambda decimals: shown(row, DECIMALS) * shown(root, decimals - 1), value)
    written = f"{number(row, DECIMALS)} × {number(root, places - 1)} = "
    return [
        line(said("work.cell", word=word, column=column), written, result(state, value, column)),
        line(said("work.root", d=WIDTH[run.path], root=number(root, 3), about=number(root, 1))),
        line(Term(said("work.scale_why"), "muted")),
    ]


def position(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
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
                Term(added(at, places), "where"),
                added(kind, places),
                " = ",
                result(state, value, column),
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
            Term(added(at, places), "where"),
            " = ",
            result(state, value, column),
        ),
        line(
            said("work.wave", wave=wave, place=count(place), pair=2 * pair, d=WIDTH[run.path]),
            Term(f"{wave} {short(angle, 6)} = {number(_wave(place, column), places)}", "where"),
        ),
        line(Term(said("work.wave_note"), "muted")),
    ]


def _wave(place: int, column: int) -> float:
    return float(sinusoidal.table([place], WIDTH["sinusoidal"], BASE, columns=[column])[0, 0])


def norm(state: PipelineState, run: Run) -> list[Line]:
    token, column, word = cell(state, run)
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
                result(state, value, column),
            ),
            line(said("work.rms", root=number(root, places), eps=short(layer.eps, 6))),
            line(Term(said("work.rms_note"), "muted")),
        ]
    if run.path == "alibi":
        weight, bias, eps = 1.0, 0.0, 1e-5
    else:
        own = shipped.minilm_layernorm()
        weight, bias, eps = float(own.weight[column]), float(own.bias[column]), own.eps
    mean = float(before.mean())
    deviation = math.sqrt(float(before.var()) + eps)

    def rounded(d: int) -> float:
        return (shown(x, d) - shown(mean, d)) / shown(deviation, d) * shown(weight, d) + shown(bias, d)

    places = enough(rounded, value)
    off = f"({number(mean, places)})" if shown(mean, places) < 0 else number(mean, places)
    centred = f"({number(x, places)} {MINUS} {off}) / {number(deviation, places)}"
    after = f" × {number(weight, places)}{added(bias, places)}" if run.path == "learned" else ""
    return [
        line(said("work.cell_short", word=word, column=column), centred, after, " = ", result(state, value, column)),
        line(
            said("work.norm", d=WIDTH[run.path], mean=number(mean, places), deviation=number(deviation, places)),
        ),
        line(Term(said(f"work.norm_note_{run.path}"), "muted")),
        *([line(Term(said("work.norm_measured"), "muted"))] if run.path == "learned" else []),
    ]


def block(state: PipelineState, run: Run) -> list[Line]:
    heads, head_dim, d = HEADS[run.path], HEAD_DIM[run.path], WIDTH[run.path]
    token, column, word = cell(state, run)
    value = float(run.arrays["block"][token, column])
    return [
        line(said("work.cell", word=word, column=column), result(state, value, column), said("work.block_as_is")),
        line(said("work.heads", heads=heads, head_dim=head_dim, d=d)),
        line(Term(said(f"work.block_note_{run.path}"), "muted")),
    ]
