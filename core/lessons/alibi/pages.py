"""What ALiBi's pages share: a page as data, its buttons, bars in pairs, arithmetic that says "≈" where it must."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from core.lessons.alibi.panels import round_up
from core.lessons.alibi.state import AlibiState, n_shown, picked
from core.stage.frame import Array, Axis, Bars, Cell, Event, Frame, Key, Mark, Panel, Pick, Points
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, short, shown
from core.stage.params import replace
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments
from core.values import dataclass

LONGEST = 8  # letters of a token above a column


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its picture, its controls and what a person may do on it."""

    frame: Callable[[AlibiState, Context], Frame]
    controls: tuple[str, ...]
    act: Callable[[AlibiState, Event, Context], AlibiState]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two series of bars side by side: mark key, words and role of each."""

    keys: tuple[str, str]
    names: tuple[str, str]
    roles: tuple[Role, Role]


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"alibi.{key}", **fields)


def cut(state: AlibiState) -> str:
    """Says so where a page shows fewer tokens than the text has."""
    n = n_shown(state)
    return said("cut", n=n, all=count(state.n_tokens)) if n < state.n_tokens else ""


def head_panel(state: AlibiState, cell: Cell, marks: tuple[Mark, ...], **more: Any) -> Panel:
    """The page's main panel, with the buttons for the pages."""
    return Panel("main", cell, marks, choice=segments("alibi", state, "page"), **more)


def pair_panel(key: str, cell: Cell, series: tuple[Array, Array], pair: Pair, n: int, at: int, **more: Any) -> Panel:
    """Two series of shares (n_keys,) over n keys, the key ``at`` picked in the second."""
    first, second = series
    x = np.arange(len(first), dtype=float)
    top = round_up(float(max(first.max(), second.max())))
    low, high = -0.6, n - 0.4
    marks: list[Mark] = [
        Bars(pair.keys[0], x - 0.2, first, pair.roles[0], 0.38),
        Bars(pair.keys[1], x + 0.2, second, pair.roles[1], 0.38, picked=at),
    ]
    for place, (name, role) in enumerate(zip(pair.names, pair.roles, strict=True)):
        left = np.array([low + (0.02 + 0.5 * place) * (high - low)])
        spot = left, np.array([1.24 * top])
        marks.append(Points(f"{pair.keys[place]}_name", *spot, role, 1.2, "square", labels=(name,)))
    ticks = tuple((float(j), count(j)) for j in sorted({0, n - 1, at}))
    y = Axis(0.0, 1.42 * top, ((0.0, "0"), (top, short(top, 6))))
    return Panel(key, cell, tuple(marks), x=Axis(low, high, ticks), y=y, **more)


def token_labels(names: tuple[str, ...], n: int, longest: int = LONGEST) -> tuple[str, ...]:
    """A position and, where the sentence reaches so far, its token."""
    tokens = [name if len(name) <= longest else name[: longest - 1] + "…" for name in names[:n]]
    return tuple(f"{j} {tokens[j]}".rstrip() if j < len(tokens) else str(j) for j in range(n))


def typed(context: Context) -> tuple[str, ...]:
    """The sentence's tokens as they were typed."""
    whole = context.shared.sentence
    words = ((whole[token.start : token.end].strip(), token.shown) for token in context.tokens)
    return tuple(word if word and word.isprintable() else shown for word, shown in words)


def head_labels(n_heads: int, named: int = 1) -> tuple[str, ...]:
    """``head 1``, ``2``, ``3`` …; ``named``: a second head that has the word, for the first may have no room."""
    return tuple(said("rows.head", head=head) if head in (1, named) else str(head) for head in range(1, n_heads + 1))


def sign(written: float, true: float, decimals: int = 3) -> str:
    """ "=" where the arithmetic with printed numbers gives the printed result, else "≈"."""
    return "=" if number(written, decimals) == number(true, decimals) else "≈"


def ratio(power: float, total: float, weight: float, least: int = 3) -> tuple[str, str, str]:
    """``0.0498 / 1.581``, "=" or "≈", and the share that it comes to: as many decimals as the weight needs for two
    digits, and in the ratio up to six where fewer would not give it."""
    depth = max(least, digits(weight) if weight > 1e-7 else least)
    for places in range(depth, max(depth, 6) + 1):
        exact = sign(shown(power, places) / max(shown(total, places), 1e-9), weight, depth)
        if exact == "=":
            return f"{number(power, places)} / {number(total, places)}", exact, number(weight, depth)
    return f"{number(power, depth)} / {number(total, depth)}", "≈", number(weight, depth)


def ratio_decimals(ratio: str) -> int:
    """With how many decimals a ratio's numbers are printed."""
    return len(ratio.partition(" / ")[0].partition(".")[2])


def signed(value: float, decimals: int = 3) -> str:
    """A summand that follows another: ``− 1.500``, ``+ 0.250``."""
    return f"{MINUS} {number(-value, decimals)}" if round(value, decimals) < 0 else f"+ {number(value, decimals)}"


def digits(value: float, decimals: int = 3) -> int:
    """Decimals that leave two digits of a small positive value, at least ``decimals``, at most 8."""
    if value <= 1e-12:
        return decimals
    return min(8, max(decimals, 1 - math.floor(math.log10(value))))


def choose_head(state: AlibiState, head: int) -> AlibiState:
    return replace(state, head=head, travel=0.0) if 1 <= head <= state.n_heads else state


def turn_heads(state: AlibiState, event: Key) -> AlibiState:
    """Arrow keys go from head to head."""
    goals = {"left": state.head - 1, "right": state.head + 1, "home": 1, "end": state.n_heads}
    goals |= {"up": state.head - 1, "down": state.head + 1}
    return choose_head(state, min(max(goals.get(event.name, state.head), 1), state.n_heads))


def pick_cell(state: AlibiState, event: Event, squares: tuple[str, ...], rows: tuple[str, ...], n: int) -> AlibiState:
    """``squares``: matrices of queries by keys; ``rows``: marks with one place per key of the picked query."""
    if isinstance(event, Pick) and event.index:
        if event.key in squares and len(event.index) == 2:
            return picked(state, *event.index, n)
        if event.key in rows:
            return picked(state, state.query_position, event.index[-1], n)
    if isinstance(event, Key) and event.key in (*squares, *rows):
        by = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(event.name, (0, 0))
        query = state.query_position + (by[0] if event.key in squares else 0)
        return picked(state, query, min(state.key_position + by[1], max(query, state.key_position)), n)
    return state
