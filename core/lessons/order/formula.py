"""The page of the formula: each symbol stands for a place on the stage, and the sum over j is added term by term."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.lessons.order.parts import (
    REST,
    Lights,
    big_panel,
    caption_of,
    decimals_for,
    fitting,
    gap_lines,
    level,
    muted,
    name_of,
    quoted,
    rounded,
    row,
    said,
    shortest,
    sign_for,
    sign_panel,
)
from core.lessons.order.scene import AT_THE_INPUT, Run, Scene
from core.lessons.order.state import OrderState
from core.lessons.order.symbols import symbols
from core.lessons.order.vectors import HEAD, Sentence
from core.stage.frame import (
    ArraySource,
    Axis,
    Formula,
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
from core.stage.numbers import MINUS, number

GUTTER = 17.0  # for the tokens' names
WEIGHT = 15.0  # the column of weights
VALUES = 42.0  # where the columns of the values begin


def panels(state: OrderState, read: Sentence, scene: Scene) -> tuple[Panel, ...]:
    return _big(state, read, scene), sign_panel(state, scene), _scores(state, scene)


def _picked(state: OrderState) -> tuple[int, str]:
    """The picked symbol's number and name, (-1, "") where none is."""
    known = symbols(state.scheme, state.causal)
    if 0 <= state.symbol < len(known) and known[state.symbol].name:
        return state.symbol, known[state.symbol].name
    return -1, ""


def _big(state: OrderState, read: Sentence, scene: Scene) -> Panel:
    """Formula, then a row for each j: its weight and its value; below the running term and the sum so far."""
    run, n, i, j = scene.typed, scene.n, state.token, state.key_token
    known = symbols(state.scheme, state.causal)
    number_, name = _picked(state)
    formula = Formula(
        "formula",
        " ".join(symbol.latex for symbol in known),
        50.0,
        9.5,
        "title",
        spoken=said("formula_spoken"),
        parts=tuple(symbol.latex for symbol in known),
        roles=tuple(symbol.role for symbol in known),
        picked=number_,
    )
    rows = n + 2
    top, pitch = 29.0, min(13.0, 70.5 / (rows + 0.4))
    values_wide = 100.0 - VALUES
    later = np.repeat(np.arange(n)[:, np.newaxis] > j, HEAD, axis=1)
    hidden = np.repeat(~run.allowed[i][:, np.newaxis], HEAD, axis=1)
    end = level(run.v, run.output)
    term = run.weights[i, j] * run.v[j]
    total = (run.weights[i, : j + 1, np.newaxis] * run.v[: j + 1]).sum(axis=0)
    terms, all_added = _added(run, i, j)
    names = tuple(name_of(scene, token, 9) for token in range(n))
    lit = {"softmax": "softmax", "v": "v", "W": "v", "sum": "sum", "out": "sum"}.get(name, "")
    if name == "place" and state.scheme in AT_THE_INPUT:
        lit = "v"
    marks: list[Mark] = [
        formula,
        Label("weights_head", GUTTER + WEIGHT / 2, top - 4.2, said("head_weight"), "small", "muted"),
        Label("values_head", VALUES + values_wide / 2, top - 4.2, said("head_value"), "small", "what"),
        Matrix(
            "weights",
            ArraySource(run.weights[i][:, np.newaxis]),
            (0, n),
            (0, 1),
            (0.0, 1.0),
            Rect(GUTTER, top, WEIGHT, pitch * n),
            "amount",
            _weight_places(run, i),
            row_labels=names,
            outlines=_frames(j, 1, n, lit == "softmax"),
            plain=later[:, :1],
            mask=hidden[:, :1] if hidden.any() else None,
            mask_text="0",
            hover=said("hover_weight_row"),
            row_names=names,
        ),
        Label("times", (GUTTER + WEIGHT + VALUES) / 2, top + pitch * n / 2, "×", "heading"),
        Matrix(
            "v",
            ArraySource(run.v),
            (0, n),
            (0, HEAD),
            (-end, end),
            Rect(VALUES, top, values_wide, pitch * n),
            decimals=decimals_for(run.v),
            characters=6,
            outlines=_frames(j, HEAD, n, lit == "v"),
            plain=later,
            mask=hidden if hidden.any() else None,
            hover=said("hover_value"),
            row_names=names,
        ),
        Label("term_name", VALUES - 2.0, top + pitch * (n + 0.7), said("term", token=quoted(scene, j, 9)), "small",
              "muted", "right"),
        Matrix("term", ArraySource(term[np.newaxis]), (0, 1), (0, HEAD), (-end, end),
               Rect(VALUES, top + pitch * (n + 0.2), values_wide, pitch), decimals=3, characters=7),
        Label("sum_name", VALUES - 2.0, top + pitch * (n + 1.8),
              said("sum_all" if all_added else "sum_1" if terms == 1 else "sum_some", terms=terms), "small", "text",
              "right", bold=True),
        Matrix("sum", ArraySource(total[np.newaxis] + 0.0), (0, 1), (0, HEAD), (-end, end),
               Rect(VALUES, top + pitch * (n + 1.3), values_wide, pitch), decimals=3, characters=7,
               outlines=(Outline(0, 0, 1, HEAD, "where" if lit == "sum" else "what"),)),
    ]  # fmt: skip
    told = said(f"symbol.{_told(state, name) if name == 'sum' else name}") if name and name != "place" else ""
    if name == "place":
        told = said(f"scheme.{state.scheme}")
    return big_panel(state, marks, told or caption_of(read, said("caption_formula")))


@lru_cache(maxsize=64)
def _weight_places(run: Run, i: int) -> int:
    """Of the printed weights of i: as few as bring out all its terms, at least three; three where none do."""
    seen, places = run.allowed[i], decimals_for(run.v)
    values = run.v[seen].round(places)
    for decimals in (3, 4, 5):
        made = rounded(run.weights[i, seen], decimals)[:, np.newaxis] * values
        terms = run.weights[i, seen][:, np.newaxis] * run.v[seen]
        if all(sign_for(a, b, 3) == "=" for a, b in zip(made.ravel(), terms.ravel(), strict=True)):
            return decimals
    return 3


def _frames(j: int, columns: int, n: int, whole: bool) -> tuple[Outline, ...]:
    """Around the row whose term is added, or around all of what the picked symbol stands for."""
    return (Outline(0, 0, n, columns, "where"),) if whole else (Outline(j, 0, 1, columns, "key"),)


def _scores(state: OrderState, scene: Scene) -> Panel:
    """The query above, the keys below, the score of each beside it."""
    run, n, i, j = scene.typed, scene.n, state.token, state.key_token
    _, name = _picked(state)
    # A position at the input is in q, k and v; else it is in the scores alone.
    at_input = name == "place" and state.scheme in AT_THE_INPUT
    end = level(run.q, run.k)
    allowed = run.allowed[i][:, np.newaxis]
    decimals = decimals_for(run.q, run.k)
    sign, places = _score_sign(run, i, decimals)
    scores = np.where(allowed, run.scores[i][:, np.newaxis], 0.0)
    names = tuple(name_of(scene, token, 8) for token in range(n))
    pitch = min(14.5, 71.0 / (n + 1.9))
    keys = 14.0 + 1.9 * pitch
    turned = said("turned") if state.scheme == "rope" else ""
    marks: list[Mark] = [
        Label("query_name", 0.0, 4.0, said("query_of", token=quoted(scene, i, 9)) + turned, "small", "query", "left",
              bold=True),
        Matrix("q", ArraySource(run.q[i : i + 1]), (0, 1), (0, HEAD), (-end, end), Rect(17.0, 9.0, 63.0, pitch),
               decimals=decimals,
               outlines=(Outline(0, 0, 1, HEAD, "where" if name == "q" or at_input else "query"),)),
        Label("keys_name", 17.0, keys - 4.5, said("keys") + turned, "small", "key", "left", bold=True),
        Label("scores_name", 100.0, keys - 4.5, said("head_score" if state.scheme != "alibi" else "head_biased"),
              "small", "text", "right", bold=True),
        Matrix("k", ArraySource(run.k), (0, n), (0, HEAD), (-end, end), Rect(17.0, keys, 63.0, pitch * n),
               decimals=decimals, row_labels=names, outlines=_frames(j, HEAD, n, name == "k" or at_input),
               hover=said("hover_key"), row_names=names),
        Matrix("scores", ArraySource(scores), (0, n), (0, 1), (-level(scores), level(scores)),
               Rect(83.0, keys, 17.0, pitch * n), decimals=places, characters=6,
               mask=None if allowed.all() else ~allowed,
               mask_text=MINUS + "∞", outlines=_frames(j, 1, n, name in ("root", "place") and not at_input)),
    ]  # fmt: skip
    axis = Axis(0.0, 100.0)
    return Panel(
        "scores_panel",
        REST,
        tuple(marks),
        caption=said(
            f"caption_scores_{state.scheme}" if state.scheme in ("rope", "alibi") else "caption_scores",
            sign=sign,
        ),
        x=axis,
        y=axis,
        invert_y=True,
    )


def _score_sign(run: Run, i: int, decimals: int) -> tuple[str, int]:
    """Whether every score comes out with the numbers of q and k that are printed, and with how many places."""
    made = np.round(run.k, decimals) @ np.round(run.q[i], decimals) / 2.0
    if run.bias is not None:
        made = made + run.bias[i]
    seen = run.allowed[i]
    for places in (3, 2):
        if all(sign_for(a, b, places) == "=" for a, b in zip(made[seen], run.scores[i][seen], strict=True)):
            return "=", places
    return "≈", 3


# --- arithmetic ------------------------------------------------------------------------------------------------------


def worked(state: OrderState, scene: Scene) -> Worked:
    """The formula in words, the term that is added now, the sum so far; then each symbol with what it stands for."""
    i, j = state.token, state.key_token
    lights = _places(state, scene)
    known = symbols(state.scheme, state.causal)

    def of(name: str) -> Lights:
        return lights.get(name, ()) + tuple(
            ("formula", (at,)) for at, symbol in enumerate(known) if symbol.name == name
        )

    whole = [Term(symbol.plain, symbol.role, of(symbol.name) if symbol.name else ()) for symbol in known]
    room = Worked.COLUMNS - sum(len(term.text) for term in whole)
    # The long formulas leave no room for the token's name: the subtitle has it.
    named = said("line_i", i=i, token=quoted(scene, i, 10))
    top = fitting([*whole, Term(named if len(named) <= room else said("line_i_alone", i=i), "muted")])
    lines = [top, _term(scene, i, j), _so_far(scene, i, j)]
    for symbol in dict.fromkeys(entry.name for entry in known if entry.name):
        role = next(entry.role for entry in known if entry.name == symbol)
        written = said(f"line.{_told(state, symbol)}")
        lines.append(fitting([Term(written, role, of(symbol))]))
    lines += [muted("fact.no_place" if state.scheme == "none" and not state.causal else "fact.place_now")]
    lines += [_other_way(scene, i), *gap_lines(scene, i)]
    return Worked(tuple(lines))


def _told(state: OrderState, symbol: str) -> str:
    """The symbol's key in the texts: a scheme's symbol is its own, and a mask ends the sum."""
    key = f"place_{state.scheme}" if symbol == "place" else symbol
    return f"{key}_causal" if state.causal and key in ("sum", "place_alibi") else key


def _added(run: Run, i: int, j: int) -> tuple[int, bool]:
    """How many terms the sum has up to token j, and whether these are all: a hidden token has no term."""
    seen = run.allowed[i]
    added = int(seen[: j + 1].sum())
    return added, added == int(seen.sum())


def _places(state: OrderState, scene: Scene) -> dict[str, Lights]:
    """What each symbol lights beside itself."""
    return {
        "out": (("sum", ()),),
        "sum": (("weights", ()), ("v", ())),
        "softmax": (("weights", ()),),
        "q": (("q", ()),),
        "k": (("k", ()),),
        "root": (("scores", ()),),
        "v": (("v", ()),),
        "W": (("v", ()),),
        "place": (("scores", ()),) if state.scheme in ("rope", "alibi") else (("q", ()), ("k", ()), ("v", ())),
    }


def _term(scene: Scene, i: int, j: int) -> Line:
    run = scene.typed
    lights: Lights = (("weights", (j,)), ("v", (j,)), ("term", ()))
    start = said("line_term", j=j).ljust(8)
    if not run.allowed[i, j]:
        return fitting([Term(said("line_hidden", j=j, i=i), "warn", lights)])
    of_weight = _weight_places(run, i)
    factor = number(run.weights[i, j], of_weight)
    product, places = run.weights[i, j] * run.v[j], decimals_for(run.v)

    def written(decimals: int) -> str:
        made = rounded(run.weights[i : i + 1, j], of_weight)[0] * rounded(run.v[j], places)
        exact = all(sign_for(a, b, decimals) == "=" for a, b in zip(made, product, strict=True))
        return f"{factor} × {row(run.v[j], places)} {'=' if exact else '≈'} {row(product, decimals)}"

    return fitting([start, Term(shortest(written, 3, 2, 1, room=Worked.COLUMNS - len(start)), "key", lights)])


def _so_far(scene: Scene, i: int, j: int) -> Line:
    run = scene.typed
    parts = run.weights[i, : j + 1, np.newaxis] * run.v[: j + 1]
    total = parts.sum(axis=0)
    exact = all(
        sign_for(float(rounded(parts[:, entry], 3).sum()), float(total[entry]), 3) == "=" for entry in range(HEAD)
    )
    terms, last = _added(run, i, j)
    some = "line_sum_1" if terms == 1 else "line_so_far"
    start = said(("line_only" if terms == 1 else "line_all") if last else some, terms=terms)
    written = f"{start} {'=' if exact else '≈'} {row(total, 3)}"
    return fitting([Term(written, "what", (("sum", ()),), bold=last)])


def _other_way(scene: Scene, token: int) -> Line:
    """The other order adds the same terms, or others."""
    same = scene.same[token]
    out = scene.moved.output[scene.moved.where[token]]
    written = said("line_other_same" if same else "line_other", numbers=row(out, 3))
    return fitting([Term(written, "text" if same else "warn", (("sum", ()),), bold=True)])


def alt(state: OrderState, scene: Scene) -> str:
    run, i, j = scene.typed, state.token, state.key_token
    total = (run.weights[i, : j + 1, np.newaxis] * run.v[: j + 1]).sum(axis=0)
    return said(
        "alt_formula",
        token=quoted(scene, i),
        term=quoted(scene, j),
        weight=number(run.weights[i, j]),
        terms=_added(run, i, j)[0],
        n=int(run.allowed[i].sum()),
        numbers=", ".join(number(value) for value in total),
    )
