"""RoPE's state: how it is repaired, how the clock moves both tokens, and how one token follows the other."""

from __future__ import annotations

import dataclasses

from core.encodings import rotary
from core.lessons.rope import configs
from core.lessons.rope.scene import FARTHEST, MOST_PAIRS, Scene, frequencies
from core.stage.lesson import Context
from core.stage.motion import beats, sweep
from core.stage.params import Choice, Range, Text, Vector, param, replace
from core.values import dataclass

PAGES = ("dial", "head", "gap", "layouts", "wrong", "layers", "models")
VECTORS = ("equal", "random", "words")
MISTAKES = ("values", "layouts", "sign", "d_model")
STILL = ("layouts", "models")  # pages on which no token moves
LONGEST_SPAN = 65_536

LONGEST_VECTOR = 4.0  # so that the arithmetic stays within its 72 columns


@dataclass(frozen=True, slots=True)
class RopeState:
    """Two tokens, the vectors of the picked pair of dimensions, and how far the clock has carried both tokens."""

    query_position: int = param(3, Range(0, FARTHEST, soft=(0, 64)), role="query")
    key_position: int = param(1, Range(0, FARTHEST, soft=(0, 64)), role="key")
    keep_gap: bool = param(True, role="where")
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    head_dim: int = param(16, Range(2, 2 * MOST_PAIRS, soft=(2, 128), step=2))
    pairing: str = param("adjacent", Choice(rotary.PAIRINGS))
    pair: int = param(0, Range(0, MOST_PAIRS - 1, soft=(0, 63)))
    query: tuple[float, ...] = param((1.0, 0.0), Vector(2, 2, -LONGEST_VECTOR, LONGEST_VECTOR), role="query")
    key: tuple[float, ...] = param((1.0, 0.0), Vector(2, 2, -LONGEST_VECTOR, LONGEST_VECTOR), role="key")
    curve: str = param("pair", Choice(("pair", "head")))
    page: str = param("dial", Choice(PAGES), hidden=True)
    untouched: int = param(0, Range(0, 2 * MOST_PAIRS - 2, soft=(0, 192), step=2))
    trained: int = param(4096, Range(16, 2**20, soft=(128, 131_072), scale="log"), unit="tokens")
    config: str = param(configs.OWN, Choice(configs.names))
    vectors: str = param("equal", Choice(VECTORS))
    span: int = param(256, Range(16, LONGEST_SPAN, scale="log"), unit="tokens")
    seed: int = param(12, Range(0, 9999, soft=(0, 20)))
    draws: int = param(200, Range(20, 400))
    query_word: str = param("sat", Text(40), role="query")
    key_word: str = param("cat", Text(40), role="key")
    attention_head: int = param(1, Range(1, 9))
    entries: int = param(8, Range(4, 16, step=2))
    mistake: str = param("values", Choice(MISTAKES), role="warn")
    beside: bool = param(False)
    n_heads: int = param(4, Range(2, 32, soft=(2, 16)))
    layers: int = param(6, Range(2, 8))
    leave_out: int = param(0, Range(0, 8))
    travel: float = param(0.0, Range(-float(FARTHEST), float(FARTHEST)), unit="tokens", clock=True)


def rotary_dims(state: RopeState) -> int:
    """How many entries of a head turn; the others stay as they are."""
    return max(state.head_dim - state.untouched, 2)


def turning(state: RopeState) -> RopeState:
    """The state of the entries that turn, as a head of their own: their number stands in the exponent of θ."""
    return dataclasses.replace(state, head_dim=rotary_dims(state), untouched=0)


def summed(state: RopeState) -> bool:
    """Whether the score is that of the whole head: of more than one pair."""
    return state.curve == "head" and state.head_dim > 2


def _ends(state: RopeState) -> tuple[float, float]:
    """How far both tokens can travel back and on."""
    places = (state.query_position, state.key_position)
    return -float(min(places)), float(FARTHEST - max(places))


def check(state: RopeState, context: Context) -> RopeState:
    if state.config != configs.OWN:
        state = replace(state, **configs.owned(state.config))
    state = dataclasses.replace(state, untouched=min(state.untouched, state.head_dim - 2))
    back, on = _ends(state)
    return dataclasses.replace(
        state,
        pair=min(state.pair, rotary_dims(state) // 2 - 1),
        travel=min(max(state.travel, back), on),
    )


def step(state: RopeState, seconds: float) -> RopeState:
    """Both tokens move one position a second, to the ends of what a position can be."""
    if state.page in STILL:
        return state
    back, on = _ends(state)
    return dataclasses.replace(state, travel=min(max(state.travel + seconds, back), on))


def settle(state: RopeState) -> RopeState:
    """The whole positions that the clock has moved become the tokens' positions."""
    whole, part = beats(state.travel)
    if not whole:
        return state if state.travel >= 0.0 else dataclasses.replace(state, travel=part)
    return dataclasses.replace(
        state,
        query_position=state.query_position + whole,
        key_position=state.key_position + whole,
        travel=part,
    )


def follow(before: RopeState, after: RopeState) -> RopeState:
    """A control was moved: with the gap kept, the other token goes along. A token that was placed rests there. A chosen
    model brings its numbers; when a person moves one of these, all become one's own."""
    if after.config != before.config:
        return replace(after, **configs.assumed(after.config))
    if any(getattr(after, name) != getattr(before, name) for name in configs.owned(after.config)):
        after = dataclasses.replace(after, config=configs.OWN)
    moved_query = after.query_position - before.query_position
    moved_key = after.key_position - before.key_position
    if not (moved_query or moved_key):
        return after
    after = dataclasses.replace(after, travel=0.0)
    if not after.keep_gap or (moved_query and moved_key):
        return after
    places = (before.query_position, before.key_position)
    by = min(max(moved_query or moved_key, -min(places)), FARTHEST - max(places))
    return dataclasses.replace(after, query_position=places[0] + by, key_position=places[1] + by)


def scene_of(state: RopeState) -> Scene:
    """Every number of the picked pair, at the place to which the clock has carried both tokens."""
    whole, part = beats(state.travel)
    # A place between two tokens is rounded to what is written, so that the arithmetic starts from the same number.
    part = round(sweep(part), 3)
    shift = whole + part
    return Scene(
        m=state.query_position + shift,
        n=state.key_position + shift,
        gap=state.query_position - state.key_position,
        theta=float(frequencies(rotary_dims(state), state.base)[state.pair]),
        query=(state.query[0], state.query[1]),
        key=(state.key[0], state.key[1]),
    )
