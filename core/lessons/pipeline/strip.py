"""The strip of stations, which stands above every page: cards with arrows, the part inside the layers marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import LAYER_FROM, STATIONS
from core.lessons.pipeline.state import ACTS, PipelineState
from core.lessons.pipeline.wording import said
from core.stage.frame import Axis, Card, Cards, Cell, Curve, Label, Mark, Panel, Rect
from core.stage.theme import Role
from core.stage.words import segments

STRIP = Cell(0, 0, 4, 12)
BIG = Cell(4, 0, 8, 8)
UPPER = Cell(4, 8, 4, 4)
LOWER = Cell(8, 8, 4, 4)
WIDE = 100.0
WORDS = ("text", "tokens", "ids")  # stations before there are vectors
_CARDS, _LINE, _NAMES = 6.1, 6.85, 8.45  # the cards' lower end, the line below them, the names below that
_HIGH = 9.5


def station_name(path: str, station: str) -> str:
    """What the card says."""
    return said(f"station.{station}_{path}" if station == "position" else f"station.{station}")


def panel(state: PipelineState, batch: int, tokens: int, rows: int, shapes: Mapping[str, str] | None = None) -> Panel:
    """Cards of the path's stations, each with its array's shape; a bold line runs below the present one. ``rows``: how
    many of the tokens have a row in the table; ``shapes``: others than this path's own, by station."""
    stations = STATIONS[state.path]
    part = WIDE / len(stations)
    cards = tuple(
        Card(
            station_name(state.path, name),
            _times(compute.shape(state.path, name, batch, tokens if name in WORDS else rows))
            if shapes is None
            else shapes.get(name, said("strip.skipped")),
            "where" if state.page == "where" and name == ACTS[state.path] else "text",
            picked=at == state.station,
            hover=said(f"hover.{name}_{state.path}" if name == "norm" else f"hover.{name}"),
        )
        for at, name in enumerate(stations)
    )
    marks: list[Mark] = [Cards("strip", cards, Rect(0.0, 0.0, WIDE, _CARDS), even=True)]
    marks.append(_arrows(len(stations), _CARDS / 2))
    inside = LAYER_FROM[state.path] * part
    for key, low, high, role in (("input", 0.0, inside, "muted"), ("layer", inside, WIDE, "where")):
        ends = np.array([low + 0.4, high - 0.4])
        marks.append(Curve(f"{key} line", ends, np.full(2, _LINE), "control" if key == "input" else "where", "line"))
        name = said("strip.layer_short" if high - low < 1.5 * part else f"strip.{key}")
        marks.append(Label(f"{key} name", (low + high) / 2, _NAMES, name, "small", role))  # type: ignore[arg-type]
    here = np.array([state.station * part + 0.4, (state.station + 1) * part - 0.4])
    present: Role = "where" if state.page == "where" else "what"  # as the card
    marks.append(Curve("present", here, np.full(2, _LINE), present, "hand"))
    return Panel(
        "strip_panel",
        STRIP,
        tuple(marks),
        choice=segments("pipeline", state, "page"),
        x=Axis(0.0, WIDE),
        y=Axis(0.0, _HIGH),
        invert_y=True,
    )


def _arrows(cards: int, y: float) -> Curve:
    """A chevron in each gap between two cards."""
    at = np.arange(1, cards)[:, np.newaxis] * (WIDE / cards)
    x = (at + np.array([-0.22, 0.12, -0.22])).ravel()
    heights = np.tile(y + np.array([-0.65, 0.0, 0.65]), cards - 1)
    return Curve("arrows", x, heights, "text", "bold", breaks=tuple(range(3, 3 * (cards - 1), 3)))


def _times(shape: tuple[int, ...]) -> str:
    """``1×5×384``, short enough for a card."""
    return "×".join(map(str, shape))


def shape_text(shape: tuple[int, ...]) -> str:
    """``(1, 5, 384)`` as numpy writes it."""
    return f"({shape[0]},)" if len(shape) == 1 else "(" + ", ".join(map(str, shape)) + ")"
