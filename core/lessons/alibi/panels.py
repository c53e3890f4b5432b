"""What ALiBi's stage shows: the biases of one head, what they do to a row of weights, and all heads."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.encodings import alibi
from core.lessons.alibi import weights
from core.lessons.alibi.state import BARS, SPAN, AlibiState, rates, window_of
from core.lessons.alibi.weights import Row, half_distance, slope_text, weight_texts
from core.stage.frame import (
    Array,
    Axis,
    Bars,
    Cell,
    Curve,
    Label,
    Legend,
    Mark,
    Matrix,
    Outline,
    Panel,
    Points,
    Readout,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, short
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments
from core.values import dataclass

TITLED = 16  # small maps that have room for their head's number
DEEPEST = 8.0  # where a colour scale ends at the latest: e^−8 leaves 0.03 % of a weight


@dataclass(frozen=True, slots=True)
class BiasSource:
    """The bias of all pairs of positions, made for what is asked for. ``tiled``: (heads, n, n), else (n, n).
    ``left``: e^bias in its place, what is left of a weight at equal scores."""

    slopes: tuple[float, ...]
    n_tokens: int
    symmetric: bool
    tiled: bool
    left: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        one = (self.n_tokens, self.n_tokens)
        return (len(self.slopes), *one) if self.tiled else one

    def block(self, rows: slice, columns: slice) -> Array:
        (r0, r1, rs), (c0, c1, cs) = rows.indices(self.n_tokens), columns.indices(self.n_tokens)
        if r1 <= r0 or c1 <= c0:
            empty = np.zeros((len(self.slopes), len(range(r0, r1, rs)), len(range(c0, c1, cs))))
            return empty if self.tiled else empty[0]
        window = alibi.bias(self.slopes, r1 - r0, c1 - c0, self.symmetric, query_start=r0, key_start=c0)
        thinned = window[:, ::rs, ::cs]
        if self.left:
            thinned = np.exp(thinned)
        return thinned if self.tiled else thinned[0]


def bias_panel(state: AlibiState, slope: float, context: Context) -> Panel:
    row, column, size = window_of(state)
    query, key = state.query_position, state.key_position
    farthest = slope * max(row + size - 1 - column, column + size - 1 - row if state.symmetric else 0)
    # Each head's own scale, so that the gentlest shows its slope too; the small maps share one.
    deepest = min(DEEPEST, round_up(farthest)) if farthest else DEEPEST
    matrix = Matrix(
        "bias",
        BiasSource((slope,), state.n_tokens, state.symmetric, tiled=False),
        rows=(row, row + size),
        columns=(column, column + size),
        levels=(-deepest, deepest),
        decimals=_decimals(slope, farthest),
        row_labels=_row_labels(row, size, context),
        column_labels=tuple(count(j) for j in range(column, column + size)),
        outlines=(Outline(query, column, 1, size, "query"), Outline(query, key, 1, 1, "where")),
        mask=_mask(row - column, size, state.symmetric),
        mask_text=MINUS + "∞",
        hover=text("alibi.hover"),
        scrolls=size < state.n_tokens,
    )
    which = {"head": state.head, "n_heads": state.n_heads}
    caption = text("alibi.caption_symmetric" if state.symmetric else "alibi.caption", **which)
    if size < state.n_tokens:
        caption = text("alibi.caption_window", n=count(state.n_tokens), size=size, **which)
    elif 0 < len(context.tokens) < size:
        caption += "\n" + text("alibi.caption_beyond", last=len(context.tokens) - 1)
    return Panel(
        "bias_panel",
        Cell(0, 0, 12, 7),
        (matrix,),
        choice=segments("alibi", state, "page"),
        legend=Legend("signed", short(-deepest, 6), "0", (0.0, 0.5)),
        caption=caption,
        x=Axis(0.0, float(size)),
        y=Axis(0.0, float(size)),
        invert_y=True,
    )


def _row_labels(row: int, size: int, context: Context) -> tuple[str, ...]:
    """A query's position and, where the sentence reaches so far, its token as it was typed."""
    tokens = context.tokens[row : row + size]
    labels = []
    for at in range(size):
        token = ""
        if at < len(tokens):
            typed = context.shared.sentence[tokens[at].start : tokens[at].end].strip()
            token = typed if typed.isprintable() and typed else tokens[at].shown
        token = token if len(token) <= 10 else token[:9] + "…"
        labels.append(f"{count(row + at)} {token}".rstrip())
    return tuple(labels)


def _decimals(slope: float, farthest: float) -> int:
    """As many as tell two neighbouring cells apart, and fewer where the numbers are long."""
    exact = next((places for places in (0, 1, 2) if abs(slope - round(slope, places)) < 1e-12), 3)
    if slope < 0.001:
        return 4 if farthest < 1 else 3
    return min(exact, 3 if farthest < 10 else 2 if farthest < 100 else 1)


@lru_cache(maxsize=32)
def _mask(ahead: int, size: int, symmetric: bool) -> Array | None:
    """Causal: a query does not see the keys after it. ``ahead``: the window's first row less its first column; along
    the diagonal the same mask serves every window."""
    if symmetric:
        return None
    hidden = np.arange(size) > np.arange(ahead, ahead + size)[:, np.newaxis]
    return hidden if hidden.any() else None


def slope_panel(slope: float, cell: Cell) -> Panel:
    """A slope, and where a weight has halved and where 1 % is left."""
    half, percent = half_distance(slope), math.log(100) / slope
    return Panel(
        "slope_panel",
        cell,
        readouts=(
            Readout("slope", slope_text(slope), text("alibi.slope")),
            Readout(
                "half",
                text("alibi.half", tokens=number(half, 1)),
                text("alibi.halves"),
                role="where",
                size="heading",
                detail=text("alibi.percent", tokens=number(percent, 1)),
            ),
        ),
    )


def weights_panel(state: AlibiState, found: Row) -> Panel:
    query, key = state.query_position, state.key_position
    weight, without = weight_texts(found, key)
    n_keys = len(found.weights)
    bars = state.n_tokens <= BARS
    words = "alibi.weights_title" if bars else "alibi.weights_title_far"  # whose note says what the numbers are
    title = text(words, j=count(key), weight=weight, plain=without)
    if bars:
        first, last = 0, state.n_tokens - 1
        steepest = weights.row(state.content, query, state.n_tokens, state.symmetric, max(rates(state)))
        # One scale for all heads, so that they stay comparable; halved where only half of it would be used.
        highest = float(max(found.plain.max(), found.weights.max()))
        top = round_up(max(float(steepest.weights.max()), highest))
        while highest <= top / 2:
            top = round_up(top / 2)
    else:
        first = min(max(0, query - SPAN // 2), max(0, n_keys - SPAN)) if state.symmetric else max(0, n_keys - SPAN)
        last = min(first + SPAN, n_keys) - 1
        top = round_up(float(max(found.weights[first : last + 1].max(), found.plain[first : last + 1].max())))
    x = np.arange(first, min(last + 1, n_keys), dtype=float)
    plain, weighted = found.plain[first : last + 1], found.weights[first : last + 1]
    low, high = first - 0.6, last + 0.6
    marks: list[Mark]
    if bars:
        marks = [
            Bars("without", x - 0.2, plain, "control", 0.38),
            Bars("with", x + 0.2, weighted, "where", 0.38, picked=key - first if first <= key <= last else -1),
        ]
    else:
        marks = [
            Curve("without", x, plain, "muted", "line", "dash"),
            Curve("with", x, weighted, "where", "bold"),
        ]
        if first <= key <= last:
            at = slice(key - first, key - first + 1)
            marks.append(Points("picked_weight", x[at], weighted[at], "where", 1.4))
    marks += _names(low, high, 1.24 * top, bars)
    ticks = tuple((float(j), count(j)) for j in sorted({first, last, key} if bars else {first, last}))
    return Panel(
        "weights_panel",
        Cell(3, 7, 5 if state.heads == "maps" else 4, 5),
        tuple(marks),
        title=title,
        note="" if bars else text("alibi.weights_note", first=count(first), last=count(last)),
        x=Axis(low, high, ticks),
        y=Axis(0.0, 1.4 * top, ((0.0, "0"), (top, short(top, 6)))),
    )


def _names(low: float, high: float, y: float, bars: bool) -> list[Mark]:
    """Which is which, in the order of the bars: a swatch and a name each."""
    wide, marks = high - low, list[Mark]()
    for number_, (key, role, dash) in enumerate((("without", "control", "dash"), ("with", "where", "solid"))):
        name, left = text(f"alibi.{key}_bias"), low + (0.02 + 0.45 * number_) * wide
        if bars:
            at = np.array([left]), np.array([y])
            marks.append(Points(f"{key}_name", *at, role, 1.2, "square", labels=(name,)))  # type: ignore[arg-type]
        else:
            line_role: Role = "muted" if key == "without" else "where"
            ends = np.array([left, left + 0.07 * wide])
            marks.append(Curve(f"{key}_swatch", ends, np.full(2, y), line_role, "line", dash))  # type: ignore[arg-type]
            marks.append(Label(f"{key}_name", left + 0.09 * wide, y, name, "small", "text", "left"))
    return marks


def round_up(value: float) -> float:
    """The next number with one digit."""
    power = 10.0 ** math.floor(math.log10(max(value, 1e-12)))
    return power * math.ceil(value / power - 1e-9)


def _tile_columns(tiles: int) -> int:
    """Into how many columns small maps are laid so that they are largest in a space five times as wide as high."""
    return max(range(1, tiles + 1), key=lambda columns: (min(5 / columns, 1 / -(-tiles // columns)), -columns))


def maps_panel(state: AlibiState) -> Panel:
    titled = state.n_heads <= TITLED
    row, column, size = window_of(state)
    matrix = Matrix(
        "heads",
        BiasSource(rates(state), state.n_tokens, state.symmetric, tiled=True, left=True),
        rows=(row, row + size),
        columns=(column, column + size),
        levels=(0.0, 1.0),
        colours="amount",
        decimals=None,
        mask=_mask(row - column, size, state.symmetric),
        tiles=tuple(str(head) for head in range(1, state.n_heads + 1)) if titled else (),
        tile_columns=_tile_columns(state.n_heads),
        picked_tile=state.head - 1,
    )
    return Panel(
        "heads_panel",
        Cell(8, 7, 4, 5),
        (matrix,),
        choice=segments("alibi", state, "heads"),
        legend=Legend("amount", text("alibi.maps_low"), "1"),
        x=Axis(0.0, float(size)),
        y=Axis(0.0, float(size)),
        invert_y=True,
    )


def slopes_panel(state: AlibiState, cell: Cell, choice: str = "") -> Panel:
    """All slopes in the list's order, on a logarithmic scale; ``choice`` is the parameter of buttons at its head."""
    values = np.log2(np.array(rates(state)))
    n, exponent = state.n_heads, state.max_exponent
    lower = 1 << (n.bit_length() - 1)
    note = text("alibi.slopes_two", lower=lower, double=2 * lower)
    if n == lower:
        note = text("alibi.slopes_note", n=n, exponent=exponent)
    # The chosen head has its number; an end of a list so near to it that it would be read as its number has none.
    ends = {1, lower, n} if n - lower > n / 12 or n == lower else {1, n}
    ends = {state.head, *(end for end in ends if abs(end - state.head) > n / 8)}
    ticks = tuple(
        (float(head), text("alibi.slopes_head", head=head) if head == min(ends) else str(head)) for head in sorted(ends)
    )
    bottom = -1.075 * exponent
    halves = {-float(exponent), -float(exponent // 2)} if exponent > 1 else {-1.0}
    # The unnamed tick keeps the axis at the foot of the bars, also where the lowest level is close above it.
    scale = ((bottom, ""), *((power, f"1/{count(2**-power)}") for power in sorted(halves)), (0.0, "1"))
    return Panel(
        "heads_panel",
        cell,
        (Bars("slopes", np.arange(1.0, n + 1), values, "where", 0.7, base=bottom, picked=state.head - 1),),
        choice=segments("alibi", state, choice) if choice else None,
        title="" if choice else text("alibi.slopes_list"),
        note=note if choice else "",
        x=Axis(0.4, n + 0.6, ticks),
        y=Axis(bottom, 0.025 * exponent, scale),
    )
