"""Compare: one sentence under every position scheme; the table; what adding mixes; documents in one sequence.

Source: the lesson's comparison of position schemes and its section on packed documents. Positions count from 0.
"""

from __future__ import annotations

from core.lessons.compare import content, distance, maps, overview, packed, terms
from core.lessons.compare.schemes import SCHEMES
from core.lessons.compare.state import (
    COMBINATIONS,
    WINDOW,
    CompareState,
    check,
    follow,
    length,
    looking_at,
    settle,
    step,
    window,
)
from core.lessons.compare.words import empty, missing_notice, said
from core.stage.frame import Drag, Event, Frame, Key, Pick, Scroll
from core.stage.lesson import Context, Lesson, Preset
from core.stage.params import replace

SENTENCE_PAGES = ("maps", "distance", "terms")
TERM_MAPS = tuple(f"term_{name}" for name in (*terms.TERMS, "sum", "rope"))


def frame(state: CompareState, context: Context) -> Frame:
    at = settle(state)
    if at.page in SENTENCE_PAGES:
        words = content.sentence(at.vectors, context)
        n = length(at, context)
        if not n:
            return empty(at, said("empty.sentence"), missing_notice(words))
        page = {"maps": maps.frame, "distance": distance.frame, "terms": terms.frame}[at.page]
        return page(at, words, n)
    if at.page == "packed":
        if not content.packed(at.documents, at.boundary).names:
            return empty(at, said("empty.documents"))
        return packed.frame(at)
    return overview.frame(at)


def act(state: CompareState, event: Event, context: Context) -> CompareState:
    at = settle(state)
    moved = _act(at, event, length(at, context))
    return state if moved is None else replace(moved, travel=0.0)


def _act(state: CompareState, event: Event, n: int) -> CompareState | None:
    scheme = next((s for s in SCHEMES if event.key in (f"map_{s}", f"curve_{s}", f"dots_{s}", f"name_{s}")), "")
    is_map = event.key.startswith("map_") or event.key in TERM_MAPS
    if isinstance(event, Pick) and event.index:
        if is_map and len(event.index) == 2 and all(0 <= place < n for place in event.index):
            return looking_at(replace(state, scheme=scheme or state.scheme), n, *event.index)
        if scheme and not is_map:
            return replace(state, scheme=scheme)
        if event.key == "schemes" and 1 <= event.index[0] <= len(SCHEMES):
            return replace(state, scheme=SCHEMES[event.index[0] - 1])
        if event.key == "ways" and 1 <= event.index[0] <= len(COMBINATIONS):
            return _combined(state, event.index[0] - 1)
        if event.key == "weights":
            return replace(state, asking=event.index[0])
    if isinstance(event, Drag) and event.key == "here":
        return replace(state, distance=min(max(round(event.x), 0), state.span))
    if isinstance(event, Scroll) and is_map and n:
        first, _ = window(state, n)
        by = event.rows or event.columns
        start = min(max(first + by, 0), max(n - WINDOW, 0))
        query, key = (min(max(at, start), min(start + WINDOW, n) - 1) for at in (state.query, state.key))
        return replace(state, start=start, query=query, key=key)
    if isinstance(event, Key):
        return _key(state, event, is_map, n)
    return None


def _key(state: CompareState, event: Key, is_map: bool, n: int) -> CompareState | None:
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(event.name, (0, 0))
    if is_map and n:
        return looking_at(state, n, state.query + down, state.key + right)
    if event.key == "schemes" and down:
        return replace(state, scheme=SCHEMES[min(max(SCHEMES.index(state.scheme) + down, 0), len(SCHEMES) - 1)])
    if event.key == "ways" and down:
        at = COMBINATIONS.index((state.positions, state.attention)) + down
        return _combined(state, min(max(at, 0), len(COMBINATIONS) - 1))
    if event.key == "weights" and down:
        return replace(state, asking=state.asking + down)
    return None


def _combined(state: CompareState, number: int) -> CompareState:
    positions, attention = COMBINATIONS[number]
    return replace(state, positions=positions, attention=attention)


def controls(state: CompareState) -> tuple[str, ...]:
    """What belongs to the page, the first six at once."""
    if state.page == "maps":
        return ("shift", "extra", "trained", "scheme", "vectors", "d", "head")
    if state.page == "distance":
        return ("distance", "span", "shift", "scheme", "vectors", "head", "d", "trained")
    if state.page == "table":
        return ("scheme", "d_model", "max_len", "n_heads", "base", "list_from")
    if state.page == "terms":
        return ("shift", "extra", "added", "vectors", "d", "trained")
    return ("documents", "positions", "attention", "boundary", "scheme", "d")


def ranges(state: CompareState) -> dict[str, tuple[float, float]]:
    return {"distance": (0, state.span)}


_MAT = {"sentence": "The cat sat on the mat"}

_SAME = {"page": "distance", "query": 2, "key": 2}

LESSON = Lesson(
    id="compare",
    state=CompareState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("start", {"scheme": "rope"}),
        Preset("moved", {"scheme": "sinusoidal", "shift": 1000, "query": 2, "key": 2}),
        Preset("million", {"scheme": "rope", "shift": 1_000_000}),
        Preset("wall", {"scheme": "learned", "trained": 8, "extra": 6, "query": 8, "key": 4}, _MAT),
        Preset("glove", {"scheme": "alibi", "vectors": "glove", "query": 5, "key": 1}, _MAT),
        Preset("distance", _SAME),
        Preset(
            "distance_t5",
            {"page": "distance", "query": 2, "key": 2, "scheme": "t5", "span": 128, "distance": 100, "head": 8},
        ),
        Preset("table", {"page": "table", "scheme": "learned"}),
        Preset("table_llama", {"page": "table", "d_model": 4096, "n_heads": 32, "max_len": 4096}),
        Preset("by_hand", {"page": "terms", "d": 4}),
        Preset("terms", {"page": "terms", "shift": 1000}, _MAT),
        Preset("terms_learned", {"page": "terms", "added": "learned", "shift": 100}, _MAT),
        Preset("packed", {"page": "packed"}),
        Preset("packed_block", {"page": "packed", "attention": "block"}),
        Preset("packed_boundary", {"page": "packed", "boundary": True}),
    ),
)
