"""Key-only rows: BLOOM builds m × j once per head, the same for every query. After a causal softmax that is ALiBi.

Source: Press et al.'s code and BLOOM's build_alibi_tensor add m·j, (heads, 1, keys); a row's constant m·i cancels.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import alibi
from core.encodings.attention import attention
from core.lessons.alibi.pages import (
    Page,
    Pair,
    choose_head,
    cut,
    digits,
    head_labels,
    head_panel,
    pair_panel,
    pick_cell,
    said,
    sign,
    signed,
    token_labels,
    turn_heads,
    typed,
)
from core.lessons.alibi.state import AlibiState, n_shown, rates, settle, slope_of
from core.lessons.alibi.weights import content, slope_decimals
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Event,
    Frame,
    Key,
    Legend,
    Line,
    Matrix,
    Outline,
    Panel,
    Pick,
    Readout,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, shown

ALIKE = 1e-12
NUMBERED = 8  # heads whose rows have room for numbers on a projector; of more the colours need their scale


@lru_cache(maxsize=32)
def both(kind: str, n: int, slope: float, causal: bool) -> tuple[Array, Array]:
    """(n, n) weights with the distance's bias and with the key-only row."""
    scores = np.array([content(kind, query, n) for query in range(n)])
    q, v = np.eye(n), np.zeros((n, 1))
    mask = np.tril(np.ones((n, n), dtype=bool)) if causal else None
    distance = alibi.bias([slope], n, n, symmetric=not causal)[0]
    key_only = np.broadcast_to(slope * np.arange(n), (n, n))
    found = [attention(q, scores.T, v, bias=bias, mask=mask, scale=1.0).weights for bias in (distance, key_only)]
    return found[0], found[1]


@lru_cache(maxsize=8)
def _hidden(n: int) -> Array:
    return np.arange(n) > np.arange(n)[:, np.newaxis]


def _rows_panel(state: AlibiState, n: int) -> Panel:
    slopes = np.array(rates(state))
    values = np.multiply.outer(slopes, np.arange(n, dtype=float))
    scale = Legend("signed", "0", number(float(values.max())), (0.5, 1.0)) if state.n_heads > NUMBERED else None
    matrix = Matrix(
        "key_only",
        ArraySource(values),
        (0, state.n_heads),
        (0, n),
        levels=(-float(values.max()), float(values.max())),
        decimals=3 if float(values.max()) < 10 else 2,
        row_labels=head_labels(state.n_heads, state.head),
        column_labels=tuple(map(str, range(n))),
        column_role="key",
        outlines=(
            Outline(state.head - 1, 0, 1, n, "key"),  # as its bars
            Outline(state.head - 1, state.key_position, 1, 1, "key"),
        ),
        hover=said("rows.hover"),
    )
    return head_panel(
        state,
        Cell(0, 0, 8, 6),
        (matrix,),
        legend=scale,
        caption=said("rows.caption", n_heads=state.n_heads, n=n),
        x=Axis(0.0, float(n)),
        y=Axis(0.0, float(state.n_heads)),
        invert_y=True,
    )


def _distance_panel(state: AlibiState, n: int, context: Context) -> Panel:
    causal, slope = state.masked == "causal", slope_of(state)
    values = alibi.bias([slope], n, n, symmetric=not causal)[0]
    deep = max(slope * (n - 1), 1e-9)
    matrix = Matrix(
        "distance",
        ArraySource(values),
        (0, n),
        (0, n),
        levels=(-deep, deep),
        decimals=1 if slope in (0.5, 1.0) else 2,
        row_labels=token_labels(typed(context), n),
        column_labels=tuple(map(str, range(n))),
        column_role="key",
        outlines=(
            Outline(state.query_position, 0, 1, n, "query"),
            Outline(state.query_position, state.key_position, 1, 1, "key"),
        ),
        mask=_hidden(n) if causal else None,
        mask_text=MINUS + "∞",
    )
    form = "rows.distance" if causal else "rows.symmetric"
    return Panel(
        "distance_panel",
        Cell(0, 6, 8, 6),
        (matrix,),
        title=said(form, head=state.head),
        x=Axis(0.0, float(n)),
        y=Axis(0.0, float(n)),
        invert_y=True,
    )


def _worked(state: AlibiState, pair: tuple[Array, Array]) -> Worked:
    i, j, slope, causal = state.query_position, state.key_position, slope_of(state), state.masked == "causal"
    m = slope_decimals(slope)
    used = float(m)
    places = digits(slope)
    key_only, distance = slope * j, -slope * abs(i - j)
    between = f"({i} {MINUS} {j})" if causal else f"|{i} {MINUS} {j}|"
    lines: list[Line] = [
        line(
            said("rows.work_key"),
            f"{m} × {j} {sign(used * j, key_only, places)} ",
            Term(number(key_only, places), "key", (("key_only", (state.head - 1, j)),)),
        ),
        line(
            said("rows.work_distance"),
            f"{MINUS}{m} × {between} {sign(-used * abs(i - j), distance, places)} ",
            Term(number(distance, places), "where", (("distance", (i, j)),)),
        ),
    ]
    gap = key_only - distance
    same = causal or i == n_shown(state) - 1  # nothing lies behind the last query: for it the row is m × i apart
    written = shown(key_only, places) - shown(distance, places)
    back = number(key_only, places)
    lines.append(
        line(
            said("rows.work_gap"),
            f"{back} {signed(-distance, places)} {sign(written, gap, places)} {number(gap, places)}",
            said("rows.work_same") if same else said("rows.work_differs"),
        )
    )
    a, b = (float(weights[i, j]) for weights in pair)
    facts = ("cancel", "constant") if causal else ("cancel", "last") if same else ("free", "padding")
    lines += [line(said(f"rows.work_{fact}")) for fact in facts]
    off = shown(b) - shown(a)
    lines.append(
        line(
            said("rows.work_weight", j=j),
            Term(number(b), "key", (("by_key", (j,)),)),
            f" {signed(-shown(a))} {sign(off, b - a)} ",
            Term(number(b - a), "text", bold=True),
        )
    )
    return Worked(tuple(lines))


def frame(state: AlibiState, context: Context) -> Frame:
    n, causal, slope = n_shown(state), state.masked == "causal", slope_of(state)
    pair = both(state.content, n, slope, causal)
    apart = np.abs(pair[0] - pair[1])
    worst = int(np.argmax(apart.max(axis=1)))
    most = float(apart.max())
    query = state.query_position
    keys = query + 1 if causal else n
    words = Pair(("by_distance", "by_key"), (said("rows.by_distance"), said("rows.by_key")), ("where", "key"))
    bars = pair_panel(
        "bars_panel",
        Cell(8, 0, 4, 6),
        (pair[0][query, :keys], pair[1][query, :keys]),
        words,
        n,
        state.key_position,
        title=said("rows.bars", i=query),
    )
    alike = most < ALIKE
    # Of cells that are equally far apart the picked one is named.
    row, column = worst, int(np.argmax(apart[worst]))
    if most - float(apart[query, state.key_position]) < ALIKE:
        row, column = query, state.key_position
    far = number(most, digits(most))
    readout = Readout(
        "most",
        far,
        said("rows.most"),
        "text" if alike else "warn",
        detail=said("rows.alike") if alike else said("rows.apart", row=row, column=column),
    )
    shown_panels = (
        _rows_panel(state, n),
        _distance_panel(state, n, context),
        bars,
        Panel("most_panel", Cell(8, 6, 4, 6), readouts=(readout,), border=None if alike else "warn"),
    )
    kind = "causal" if causal else "free"
    told = "last" if not causal and query == n - 1 else kind
    alt = said(f"rows.alt_{told}", head=state.head, i=query, most=far, n=count(n))
    title = said(f"rows.title_{kind}" if causal or not alike else "rows.title_causal", most=far)
    subtitle = said(f"rows.subtitle_{kind}")
    return Frame(title, subtitle, shown_panels, _worked(state, pair), alt, notice=cut(state))


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    at = settle(state)
    if isinstance(event, Pick) and event.key == "key_only" and len(event.index) == 2:
        chosen = choose_head(at, event.index[0] + 1)
        return pick_cell(chosen, Pick("by_key", event.index[1:]), (), ("by_key",), n_shown(at))
    if isinstance(event, Key) and event.key == "key_only":
        return turn_heads(at, event)
    moved = pick_cell(at, event, ("distance",), ("by_key", "by_distance"), n_shown(at))
    return state if moved == at else moved


PAGE = Page(frame, ("head", "n_heads", "masked", "content", "query_position", "key_position"), act)
