"""Position tables: sinusoidal rows as the hands of a clock, learned rows and their end, and the ideas that fail.

Source: the lessons' sections on order, sinusoidal encoding and learned positions; Vaswani et al. 2017, section 3.5.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.lessons.positions import table
from core.lessons.positions.acts import act, check, follow, ranges, settle, step
from core.lessons.positions.state import BITS, LAST, PositionsState, page
from core.stage.frame import Frame
from core.stage.lesson import Context, Lesson, Preset

if TYPE_CHECKING:
    from core.lessons.positions.pages import Page

# Pages in rooms of their own, loaded when they are first shown; all others show the table.
ROOMS = {
    "identity": "identity",
    "fingerprint": "fingerprint",
    "similarity": "alike",
    "layouts": "layouts",
    "precision": "precision",
    "picture": "picture",
    "cosine": "cosine",
    "wall": "wall",
}


@cache
def _room(name: str) -> Page:
    found: Page = import_module(f"core.lessons.positions.{ROOMS[name]}").PAGE
    return found


def frame(state: PositionsState, context: Context) -> Frame:
    """The picture of a state's page."""
    name = page(state)
    return _room(name).frame(state, context) if name in ROOMS else table.frame(state, context)


def controls(state: PositionsState) -> tuple[str, ...]:
    """What can be set on a state's page."""
    name = page(state)
    return _room(name).controls if name in ROOMS else table.controls(state)


PRESETS = (
    Preset("lesson"),
    Preset("raw_index", {"scheme": "raw_index", "position": 4000, "offset": 2}),
    Preset("fraction", {"scheme": "fraction", "position": 6, "length": 16}),
    Preset("binary", {"scheme": "binary", "position": 7}),
    Preset("hands", {"d_model": 16, "position": 6}),
    Preset("periods", {"show": "waves", "position": 6, "span": 64}),
    Preset("chosen", {"show": "waves", "position": 6, "span": 64, "d_model": 16, "drawn": ("0", "1", "2", "4", "7")}),
    Preset("identity", {"show": "identity", "position": 6, "offset": 2}),
    Preset("shift", {"show": "shift", "position": 6, "offset": 3}),
    Preset("lookalike", {"show": "fingerprint", "position": 6, "hands": 2}),
    Preset("fingerprint", {"show": "fingerprint", "position": 6, "d_model": 16, "hands": 1}),
    Preset("rounding", {"show": "fingerprint", "position": 5, "hands": 2, "round_to": "2"}),
    Preset("similarity", {"show": "similarity", "position": 6, "offset": 3, "d_model": 16}),
    Preset("layouts", {"show": "layouts", "position": 3, "d_model": 8, "layout": "tensor2tensor", "pair": 1}),
    Preset("picture", {"d_model": 128, "position": 20, "window": 64, "numbers": False}),
    Preset("million", {"d_model": 16, "position": LAST - 10, "top": LAST - 15}),
    Preset("precision", {"show": "precision", "position": 100_000, "offset": 2, "d_model": 128, "pair": 1}),
    Preset("precision_end", {"show": "precision", "position": LAST, "offset": -2, "d_model": 128, "pair": 1}),
    Preset("learned", {"scheme": "learned", "position": 6}),
    Preset("seam", {"scheme": "learned", "position": 128, "top": 120}),
    Preset("circle", {"scheme": "learned", "learned_show": "picture", "position": 200}),
    Preset("cosine", {"scheme": "learned", "learned_show": "cosine", "position": 200, "offset": 6}),
    Preset("learned_end", {"scheme": "learned", "position": 512, "top": 504}),
    Preset("wall", {"scheme": "learned", "learned_show": "wall", "tokens": 1500}),
)

LESSON = Lesson(
    "positions",
    PositionsState,
    frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    presets=PRESETS,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
)

__all__ = ["BITS", "LESSON", "PositionsState"]
