"""The state of the tab Order: how the cards are laid, the scheme, what is picked, and what the clock walks over."""

from __future__ import annotations

import dataclasses

from core.lessons.order.scene import SCHEMES, Order, Scene, scene
from core.lessons.order.vectors import HEAD, MOST, ORIGINS, Sentence, sentence
from core.stage.lesson import Context
from core.stage.motion import beats
from core.stage.params import Choice, Range, Words, param
from core.values import dataclass

PAGES = ("arrange", "weights", "formula", "projections")
ARRANGEMENTS = ("swapped", "mirror", "rotated", "typed", "own")
DIMENSIONS = 384  # of the longest token vector


@dataclass(frozen=True, slots=True)
class OrderState:
    """``order[p]`` is the token at place p of the second sentence, as a text; ``check`` makes it a permutation of the
    tokens that there are, from ``arrangement``. ``travel`` is how far the clock has walked, in tokens or columns."""

    arrangement: str = param("swapped", Choice(ARRANGEMENTS))
    token: int = param(1, Range(0, MOST - 1), role="query")
    key_token: int = param(0, Range(0, MOST - 1), role="key")
    column: int = param(0, Range(0, HEAD - 1), role="what")
    causal: bool = param(False)
    vectors: str = param("lesson", Choice(ORIGINS))
    seed: int = param(24, Range(0, 9_999, soft=(0, 40)))
    scheme: str = param("none", Choice(SCHEMES), hidden=True)
    page: str = param("arrange", Choice(PAGES), hidden=True)
    symbol: int = param(-1, Range(-1, 13), hidden=True)  # the formula's picked piece; with RoPE there are 14
    first: int = param(0, Range(0, DIMENSIONS), hidden=True)  # of a long vector's numbers that are in view
    order: tuple[str, ...] = param((), Words(MOST, 2), hidden=True)
    travel: float = param(0.0, Range(-float(MOST), float(MOST)), clock=True)


def arranged(name: str, n: int) -> Order:
    """The order of n tokens that has this name: the first and the last change places, backwards, the first goes to the
    end, as typed."""
    tokens = tuple(range(n))
    if name == "mirror":
        return tokens[::-1]
    if name == "rotated":
        return tokens[1:] + tokens[:1]
    if name == "swapped" and n > 1:
        return (tokens[-1], *tokens[1:-1], tokens[0])
    return tokens


def order_of(state: OrderState) -> Order:
    """The order as numbers; only of a checked state."""
    return tuple(map(int, state.order))


def as_words(order: Order) -> tuple[str, ...]:
    return tuple(map(str, order))


def check(state: OrderState, context: Context) -> OrderState:
    """The order is one of the tokens that there are, and named by what it is; what is picked exists."""
    n = len(sentence(state.vectors, context).words)
    names = set(as_words(tuple(range(n))))
    if len(state.order) != n or set(state.order) != names:
        order = arranged("swapped" if state.arrangement == "own" else state.arrangement, n)
    else:
        order = order_of(state)
    arrangement = state.arrangement
    if arrangement == "own" or arranged(arrangement, n) != order:
        arrangement = next((name for name in ARRANGEMENTS[:-1] if arranged(name, n) == order), "own")
    state = dataclasses.replace(
        state,
        order=as_words(order),
        arrangement=arrangement,
        token=min(state.token, max(n - 1, 0)),
        key_token=min(state.key_token, max(n - 1, 0)),
    )
    low, high = _ends(state)
    return dataclasses.replace(state, travel=min(max(state.travel, low), high))


def follow(before: OrderState, after: OrderState) -> OrderState:
    """A named arrangement lays the cards; what was picked by hand rests there."""
    if after.arrangement not in (before.arrangement, "own"):
        after = dataclasses.replace(after, order=as_words(arranged(after.arrangement, len(after.order))))
    name = walked(after)
    if getattr(after, name) != getattr(before, name) or after.page != before.page:
        after = dataclasses.replace(after, travel=0.0)
    return after


def walked(state: OrderState) -> str:
    """The parameter over which playing walks: the token, the terms of its sum, or the numbers of q, k and v."""
    return {"arrange": "token", "projections": "column"}.get(state.page, "key_token")


def _ends(state: OrderState) -> tuple[float, float]:
    here = getattr(state, walked(state))
    last = HEAD - 1 if state.page == "projections" else max(len(state.order) - 1, 0)
    return -float(here), float(max(last - here, 0))


def step(state: OrderState, seconds: float) -> OrderState:
    """One token, term or number a second."""
    low, high = _ends(state)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, low), high))


def settle(state: OrderState) -> OrderState:
    """The whole steps that the clock has walked are the parameter."""
    whole, part = beats(state.travel)
    if not whole:
        return state
    name = walked(state)
    return dataclasses.replace(state, travel=part, **{name: getattr(state, name) + whole})


def found(state: OrderState, context: Context) -> tuple[Sentence, Scene | None]:
    """The sentence, and its attention in both orders where there is a token at all."""
    read = sentence(state.vectors, context)
    if not read.words:
        return read, None
    return read, scene(state.vectors, read.words, state.scheme, state.causal, state.seed, order_of(state))
