"""From score to weight: q·k / √d, then the bias as it is, then softmax; and what each head can still see.

Source: Press et al. 2021, section 3: the bias is added after the scaling and is itself not scaled.
"""

from __future__ import annotations

import math

import numpy as np

from core.encodings import alibi
from core.encodings.attention import attention
from core.lessons.alibi import content
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
    ratio,
    ratio_decimals,
    said,
    sign,
    signed,
    token_labels,
    turn_heads,
    typed,
)
from core.lessons.alibi.state import TABLES, AlibiState, n_shown, rates, settle, slope_of
from core.lessons.alibi.weights import (
    HEAD_DIM,
    Row,
    exponent_places,
    power_sign,
    row_from,
    slope_decimals,
    slope_text,
    without_line,
)
from core.lessons.alibi.weights import content as drawn
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Event,
    Frame,
    Key,
    Label,
    Legend,
    Line,
    Matrix,
    Outline,
    Panel,
    Pick,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, number, shown
from core.stage.text import text
from core.values import dataclass

PARTS = ("score", "bias", "sum")


@dataclass(frozen=True, eq=False)
class Said:
    """The tokens, and of the picked query q·k (n,) and q·k / √d (n,) with every key; words that have no row."""

    names: tuple[str, ...]
    raw: Array
    scores: Array
    width: int
    notice: str = ""

    @property
    def n(self) -> int:
        return len(self.scores)


def _said(state: AlibiState, context: Context) -> Said | None:
    """None where no token of the sentence has a row."""
    if state.scores not in TABLES:
        scores = drawn(state.scores, state.query_position, n_shown(state))
        return Said(typed(context), scores * math.sqrt(HEAD_DIM), scores, HEAD_DIM, cut(state))
    found = content.found(state.scores, context)
    notices = []
    if found.missing:
        notices.append(said("weights.missing", words=", ".join(found.missing[:6])))
    if found.left_out:
        notices.append(said("weights.left_out", n=content.MOST_TOKENS))
    if not found.names:
        return None
    raw, scores = content.products(state.scores, found.rows, state.query_position)
    return Said(found.names, raw, scores, content.width(state.scores), " ".join(notices))


def _parts(state: AlibiState, this: Said, row: Row, top: float) -> Panel:
    n, key, keys = this.n, state.key_position, len(row.scores)
    bias = np.zeros(n)
    bias[:keys] = row.bias
    values = np.array([this.scores, bias, this.scores + bias])
    shares = np.zeros((1, n))
    shares[0, :keys] = row.weights
    hidden = np.arange(n) >= keys
    deep = max(1.0, float(np.abs(values[:, :keys]).max()))
    names = (said("weights.row_score", d=this.width), said("weights.row_bias"), said("weights.row_sum"))
    parts = Matrix(
        "parts",
        ArraySource(values),
        (0, 3),
        (0, n),
        (-deep, deep),
        Rect(0.0, 0.0, float(n), 3.0),
        decimals=3,
        characters=6,
        row_labels=names,
        row_role="text",
        column_labels=token_labels(this.names, n),
        outlines=(Outline(0, key, 3, 1, "key"),),
        mask=np.broadcast_to(hidden, (3, n)) if hidden.any() else None,
        mask_text=said("weights.hidden"),
    )
    weights = Matrix(
        "shares",
        ArraySource(shares),
        (0, 1),
        (0, n),
        (0.0, top),  # the colours of all heads' shares
        Rect(0.0, 3.35, float(n), 1.0),
        colours="amount",
        decimals=3,
        characters=6,
        row_labels=(said("weights.row_weight"),),
        row_role="text",
        outlines=(Outline(0, key, 1, 1, "where"),),
        mask=hidden[np.newaxis] if hidden.any() else None,
        mask_text="0",
    )
    return head_panel(
        state,
        Cell(0, 0, 7, 12),
        (parts, weights),
        note=said("weights.asks", name=token_labels(this.names, n)[state.query_position]),
        x=Axis(0.0, float(n)),
        y=Axis(0.0, 4.35),
        invert_y=True,
    )


def every_head(slopes: tuple[float, ...], scores: Array, query: int, symmetric: bool) -> Array:
    """(heads, keys) the weights of one query in every head."""
    bias = alibi.bias(slopes, 1, len(scores), symmetric, query_start=query)
    one = np.ones((1, 1)), scores[:, np.newaxis], np.zeros((len(scores), 1))
    return attention(*one, bias=bias, scale=1.0).weights[:, 0]


def _shares(state: AlibiState, this: Said, keys: int) -> Array:
    """(heads, n) the weights of the picked query in every head, 0 for keys that it can't see."""
    values = np.zeros((state.n_heads, this.n))
    values[:, :keys] = every_head(rates(state), this.scores[:keys], state.query_position, state.symmetric)
    return values


def _heads(state: AlibiState, values: Array, keys: int) -> Panel:
    heads, n = values.shape
    top = float(values.max())
    hidden = np.broadcast_to(np.arange(n) >= keys, (heads, n))
    matrix = Matrix(
        "sees",
        ArraySource(values),
        (0, heads),
        (0, n),
        (0.0, top),
        colours="amount",
        decimals=None,
        row_labels=head_labels(heads, state.head),
        column_labels=tuple(map(str, range(n))),
        outlines=(Outline(state.head - 1, 0, 1, n, "where"),),
        mask=hidden if hidden.any() else None,
        hover=said("weights.hover"),
    )
    return Panel(
        "heads_panel",
        Cell(7, 6, 5, 6),
        (matrix,),
        title=said("weights.sees"),
        legend=Legend("amount", "0", number(top, 2)),
        x=Axis(0.0, float(n)),
        y=Axis(0.0, float(heads)),
        invert_y=True,
    )


def _worked(state: AlibiState, this: Said, row: Row) -> Worked:
    i, j, slope = state.query_position, state.key_position, slope_of(state)
    m = slope_decimals(slope)
    raw, score, bias = float(this.raw[j]), float(this.scores[j]), float(row.bias[j])
    root = math.sqrt(this.width)
    whole = root == round(root)
    divisor = str(round(root)) if whole else number(root)
    equal = sign(shown(raw, 2) / (root if whole else shown(root)), score)
    between = f"|{i} {MINUS} {j}|" if state.symmetric else f"({i} {MINUS} {j})"
    total = score + bias
    power, every, weight = float(np.exp(total)), row.total, float(row.weights[j])
    parts, exact, came_to = ratio(power, every, weight)
    decimals = ratio_decimals(parts)
    places = exponent_places(total, decimals, max(3, digits(slope)))
    equals = power_sign(total, places, decimals)
    written = shown(score) + shown(bias, places)
    lines: list[Line] = [
        line(
            said("weights.work_score"),
            Term(
                f"q·k / √{this.width} = {number(raw, 2)} / {divisor} {equal} {number(score)}",
                "text",
                (("parts", (0, j)),),
            ),
        ),
        line(
            said("weights.work_sum"),
            f"{number(score)} {MINUS} {m} × {between} ",
            f"{sign(shown(score) - float(m) * abs(i - j), total, places)} ",
            f"{number(score)} {signed(bias, places)} {sign(written, total, places)} ",
            Term(number(total, places), "where", (("parts", (2, j)), ("parts", (1, j)))),
        ),
        line(
            said("weights.work_weight"),
            f"e^({number(total, places)}) / {said('weights.sum')} {equals} {parts} {exact} ",
            Term(came_to, "where", (("shares", (0, j)),), bold=True),
        ),
    ]
    lines += [
        *_sum_lines(row),
        without_line(score, this.scores[: len(row.plain)], float(row.plain[j]), _texts(row, j)[1]),
    ]
    lines += [line(Term(said("weights.work_order"), "muted")), line(Term(said("weights.work_soft"), "muted"))]
    if state.scores == "minilm":
        lines.append(line(Term(said("weights.work_minilm", factor=round(content.MINILM_SCALE)), "muted")))
    return Worked(tuple(lines))


def _sum_lines(row: Row) -> list[Line]:
    """The sum below a weight, over several lines where it is long: each begins with what the one before came to."""
    lines, total = [line(said("weights.work_every"))], number(row.total)
    terms, so_far = [number(row.exponentials[0])], shown(row.exponentials[0])
    for value in row.exponentials[1:]:
        if len(" + ".join([*terms, number(value)])) + len(total) + 3 > Worked.COLUMNS:
            lines.append(line(f"{' + '.join(terms)} = {number(so_far)}"))
            terms = [number(so_far)]
        terms.append(number(value))
        so_far += shown(value)
    return [*lines, line(f"{' + '.join(terms)} {sign(so_far, row.total)} {total}")]


def frame(state: AlibiState, context: Context) -> Frame:
    this = _said(state, context)
    if this is None:
        return _empty(state)
    slope, query, key = slope_of(state), state.query_position, state.key_position
    keys = this.n if state.symmetric else query + 1
    row = row_from(this.scores[:keys], query, state.symmetric, slope)
    pair = Pair(("without", "with"), (text("alibi.without_bias"), text("alibi.with_bias")), ("control", "where"))
    bars = pair_panel(
        "bars_panel", Cell(7, 0, 5, 6), (row.plain, row.weights), pair, this.n, key, title=_bars_title(row, key)
    )
    alt = said(
        "weights.alt",
        head=state.head,
        slope=slope_text(slope),
        i=query,
        j=key,
        score=number(this.scores[key]),
        bias=number(row.bias[key]),
        weight=number(row.weights[key]),
        plain=number(row.plain[key]),
    )
    title = said("weights.title", head=state.head, slope=slope_text(slope))
    shares = _shares(state, this, keys)
    panels = (_parts(state, this, row, float(shares.max())), bars, _heads(state, shares, keys))
    factor = round(content.MINILM_SCALE)
    subtitle = said(f"weights.subtitle_{state.scores}", d=this.width, factor=factor)
    return Frame(title, subtitle, panels, _worked(state, this, row), alt, notice=this.notice)


def _bars_title(row: Row, key: int) -> str:
    weight, plain = _texts(row, key)
    return said("weights.bars", j=key, weight=weight, plain=plain)


def _texts(row: Row, key: int) -> tuple[str, str]:
    """The picked key's weight with and without the bias."""
    return number(row.weights[key]), number(row.plain[key])


def _empty(state: AlibiState) -> Frame:
    words = said("weights.empty", table=said(f"weights.table_{state.scores}"))
    label = Label("empty", 0.5, 0.5, words, "heading")
    panel = head_panel(state, Cell(0, 0, 12, 12), (label,))
    return Frame(said("weights.empty_title"), said("subtitle"), (panel,), Worked(), words)


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    at, this = settle(state), _said(state, context)
    if this is None:
        return state
    if isinstance(event, Pick) and event.key == "sees" and len(event.index) == 2:
        chosen = choose_head(at, event.index[0] + 1)
        return pick_cell(chosen, Pick("shares", event.index), (), ("shares",), this.n)
    if isinstance(event, Key) and event.key == "sees":
        return turn_heads(at, event)
    moved = pick_cell(at, event, (), ("parts", "shares", "with", "without"), this.n)
    return state if moved == at else moved


CONTROLS = ("head", "scores", "query_position", "key_position", "symmetric", "n_heads", "n_tokens")
PAGE = Page(frame, CONTROLS, act)
