"""ALiBi: every score falls with distance, in each head at its own rate. Seven pages, each a room of its own, loaded
when it is first shown.

Source: Press et al. 2021, "Train Short, Test Long". Heads count from 1, positions from 0.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.lessons.alibi.state import AlibiState, check, follow, last_key, n_shown, settle, step
from core.stage.frame import Event, Frame
from core.stage.lesson import Context, Lesson, Preset
from core.stage.motion import REST, blend

if TYPE_CHECKING:
    from core.lessons.alibi.pages import Page

ROOMS = {"rows": "key_rows", "weights": "from_score", "t5": "buckets"}  # of the others the page's own name
CAT = {"sentence": "The cat sat on the mat"}


@cache
def _page(name: str) -> Page:
    found: Page = import_module(f"core.lessons.alibi.{ROOMS.get(name, name)}").PAGE
    return found


def act(state: AlibiState, event: Event, context: Context) -> AlibiState:
    return _page(state.page).act(state, event, context)


def frame(state: AlibiState, context: Context) -> Frame:
    """The picture of a state's page; between two heads the one on its way to the other."""
    at, page = settle(state), _page(state.page)
    share = (at.travel - REST) / (1 - REST) if at.page != "t5" else 0.0  # blend eases it
    if share <= 0:
        return page.frame(at, context)
    on = dataclasses.replace(at, head=at.head + 1)
    return blend(page.frame(at, context), page.frame(on, context), share)


def controls(state: AlibiState) -> tuple[str, ...]:
    return _page(state.page).controls


def ranges(state: AlibiState) -> dict[str, tuple[float, float]]:
    last = n_shown(state) - 1
    return {"head": (1, state.n_heads), "query_position": (0, last), "key_position": (0, last_key(state, last))}


LESSON = Lesson(
    id="alibi",
    state=AlibiState,
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
        Preset("eight", {"n_heads": 8}),
        Preset("gentlest", {"head": 8}),
        Preset("twelve", {"n_heads": 12, "head": 9, "heads": "slopes"}),
        Preset("bloom", {"n_heads": 112, "head": 112, "heads": "slopes"}),
        Preset("seeded", {"head": 2, "content": "seeded"}),
        Preset("symmetric", {"head": 2, "symmetric": True, "query_position": 3, "key_position": 5}),
        Preset("window", {"head": 8, "n_tokens": 100_000, "query_position": 99_999, "key_position": 99_995}),
        Preset("ramps", {"page": "slopes", "head": 2}),
        Preset("ramps_twelve", {"page": "slopes", "n_heads": 12, "head": 9}),
        Preset("ramps_bloom", {"page": "slopes", "n_heads": 112, "head": 65}),
        Preset("ramps_sixteen", {"page": "slopes", "n_heads": 12, "head": 9, "max_exponent": 16}),
        Preset("rows_causal", {"page": "rows"}),
        Preset("rows_free", {"page": "rows", "masked": "none", "query_position": 0, "key_position": 7,
                             "content": "equal"}),
        Preset("score_weight", {"page": "weights", "head": 2, "query_position": 7, "key_position": 5}),
        Preset("score_glove", {"page": "weights", "head": 2, "scores": "glove", "query_position": 5,
                               "key_position": 1}, CAT),
        Preset("score_minilm", {"page": "weights", "head": 2, "scores": "minilm", "query_position": 5,
                                "key_position": 1}, CAT),
        Preset("longer", {"page": "reach", "head": 8}),
        Preset("longer_steep", {"page": "reach", "head": 3}),
        Preset("wrong_sign", {"page": "wrong", "fault": "sign"}),
        Preset("wrong_early", {"page": "wrong", "fault": "early"}),
        Preset("wrong_slope", {"page": "wrong", "fault": "slope_one"}),
        Preset("t5", {"page": "t5"}),
        Preset("t5_causal", {"page": "t5", "both_ways": False, "gap": -64}),
    ),
)  # fmt: skip
