"""The picked position on dials: each pair of columns is a hand."""

from __future__ import annotations

import numpy as np

from core.lessons.positions.pages import said
from core.lessons.positions.state import PositionsState, at, frequency, pairs, reading
from core.stage.frame import Axis, Cell, Dials, Hand, Panel, Rect
from core.stage.numbers import count

DIALS_WIDE = 1.7  # the dials' panel, in units of its height
DIALS_RAISED = 0.05  # their centres stand above the middle of their cells, because of the names below


def dial_places(count: int) -> tuple[int, list[tuple[float, float]]]:
    """Dials side by side, and the centre of each in the panel, DIALS_WIDE × 1."""
    across = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}.get(count, 4)
    down = -(-count // across)
    wide, high = DIALS_WIDE / across, 1.0 / down
    centres = [
        ((dial % across + 0.5) * wide, 1.0 - (dial // across + 0.5) * high + DIALS_RAISED) for dial in range(count)
    ]
    return across, centres


def dials_panel(state: PositionsState, cell: Cell) -> Panel:
    """The picked position as the angles of hands: across is the cosine, up the sine."""
    shown = pairs(state)
    speeds = np.array([frequency(state, pair) for pair in shown])
    angles = reading(state) * speeds
    hands = [Hand("hand", angles, "where")]
    if state.offset:
        turn = np.fmod(state.offset * speeds, 2 * np.pi)
        hands.append(Hand("shifted", angles + turn, "text", np.full(len(shown), 0.6)))
    everything = state.d_model // 2
    name = "title" if everything == len(shown) else "title_some"
    title = said(
        "dials.title_1" if everything == 1 else f"dials.{name}",
        row=count(at(state)),
        count=in_words(len(shown)),
        all=count(everything),
    )
    caption = said("dials.caption")
    if state.offset:
        caption = said("dials.caption_shift", other=count(at(state) + state.offset))
    return Panel(
        "dials_panel",
        cell,
        (
            Dials(
                "dials",
                tuple(hands),
                Rect(0.0, 0.0, DIALS_WIDE, 1.0),
                dial_places(len(shown))[0],
                dial_names(shown),
                wedge=("hand", "shifted") if state.offset else None,
                picked=shown.index(state.pair) if state.pair in shown else -1,
            ),
        ),
        title=title,
        caption=caption,
        x=Axis(0.0, DIALS_WIDE),
        equal=len(shown) <= 2,  # large ones, whose hands can be dragged
    )


def dial_names(shown: tuple[int, ...]) -> tuple[str, ...]:
    """``pair 0``, and only the numbers after it where the dials are small."""
    few = len(shown) <= 4
    return tuple(said("dials.label", pair=count(pair)) if few or pair == shown[0] else count(pair) for pair in shown)


def in_words(amount: int) -> str:
    """A small number in words."""
    return said(f"count.{amount}").lower() if amount <= 12 else count(amount)
