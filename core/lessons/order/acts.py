"""What a person does on the stage of Order: cards are dragged, tokens, pairs, symbols and numbers are picked."""

from __future__ import annotations

from core.lessons.order import projecting
from core.lessons.order.state import OrderState, as_words, order_of, settle
from core.lessons.order.symbols import symbols
from core.lessons.order.vectors import HEAD, width
from core.stage.frame import Drop, Event, Index, Key, Pick, Scroll
from core.stage.lesson import Context
from core.stage.params import replace

_ALONG = {"left": -1, "right": 1}
_DOWN = {"up": -1, "down": 1}


def act(state: OrderState, event: Event, context: Context) -> OrderState:
    state = settle(state)
    if isinstance(event, Drop) and event.key == "moved":
        return _dropped(state, event.source, event.target)
    if isinstance(event, Pick):
        return _picked(state, event.key, event.index)
    if isinstance(event, Key):
        return _keyed(state, event.key, event.name)
    if isinstance(event, Scroll) and event.key in ("W_q", "W_k", "W_v", "x", "p"):
        # W runs downwards, x to the right: both windows show the same numbers.
        return _scrolled(state, event.columns + event.rows if event.key in ("x", "p") else event.rows)
    return state


def _dropped(state: OrderState, source: int, target: int) -> OrderState:
    order = list(order_of(state))
    if not (0 <= source < len(order) and 0 <= target < len(order)):
        return state
    order.insert(target, order.pop(source))
    return replace(state, order=as_words(tuple(order)), arrangement="own")


def _scrolled(state: OrderState, by: int) -> OrderState:
    d_in = width(state.vectors) + (state.scheme == "raw_index")
    return replace(state, first=projecting.scrolled(state, d_in, by))


def _token(state: OrderState, token: int) -> OrderState:
    travel = 0.0 if state.page == "arrange" else state.travel
    return replace(state, token=token, travel=travel) if 0 <= token < len(state.order) else state


def _key_token(state: OrderState, token: int) -> OrderState:
    travel = 0.0 if state.page in ("weights", "formula") else state.travel
    return replace(state, key_token=token, travel=travel) if 0 <= token < len(state.order) else state


def _column(state: OrderState, column: int) -> OrderState:
    travel = 0.0 if state.page == "projections" else state.travel
    return replace(state, column=column, travel=travel) if 0 <= column < HEAD else state


def _at(state: OrderState, name: str, place: int) -> int:
    """The token at a place of one of the orders; -1 where there is none."""
    order = order_of(state)
    if not 0 <= place < len(order):
        return -1
    return order[place] if name == "moved" else place


def _picked(state: OrderState, key: str, index: Index) -> OrderState:
    name, _, what = key.partition("_")
    first, last = (index[0], index[-1]) if index else (-1, -1)
    if key in ("typed", "moved"):
        return _token(state, _at(state, key, first))
    if name in ("typed", "moved") and len(index) == 2:
        if what == "out":
            return _token(state, _at(state, name, last))
        if what in ("scores", "weights"):
            return _key_token(_token(state, _at(state, name, first)), _at(state, name, last))
    if key.startswith("strand ") and key[7:].isdecimal():
        return _token(state, int(key[7:]))
    if key == "formula":
        known = symbols(state.scheme, state.causal)
        named = 0 <= first < len(known) and bool(known[first].name)
        return replace(state, symbol=first if named and first != state.symbol else -1)
    if (key in ("weights", "v", "k", "scores") and state.page == "formula") or key in ("bars_typed", "bars_moved"):
        return _key_token(state, first)
    if key in ("W_q", "W_k", "W_v", "q", "k", "v", "turned_q", "turned_k") and state.page == "projections":
        return _column(state, last)
    return _token(state, first) if key == "x" else state


def _keyed(state: OrderState, key: str, name: str) -> OrderState:
    strip, _, what = key.partition("_")
    n = len(state.order)
    if strip in ("typed", "moved"):
        order = order_of(state) if strip == "moved" else tuple(range(n))
        goals = {"home": 0, "end": n - 1}
        if what in ("scores", "weights") and name in _ALONG:
            return _key_token(state, _at(state, strip, order.index(state.key_token) + _ALONG[name]))
        by = _DOWN.get(name) if what in ("scores", "weights") else _ALONG.get(name)
        goal = goals.get(name) if by is None else order.index(state.token) + by
        return state if goal is None else _token(state, _at(state, strip, goal))
    if key in ("weights", "v", "k", "scores") and state.page == "formula":
        return _key_token(state, state.key_token + _DOWN.get(name, 0))
    if key in ("W_q", "W_k", "W_v", "q", "k", "v"):
        state = _column(state, state.column + _ALONG.get(name, 0))
        return _scrolled(state, _DOWN.get(name, 0))
    if key == "x":
        return _scrolled(_token(state, state.token + _DOWN.get(name, 0)), _ALONG.get(name, 0))
    return state
