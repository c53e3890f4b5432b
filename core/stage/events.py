"""What a person does on the stage: the view reports it, the lesson's ``act`` answers with a state."""

from __future__ import annotations

from core.stage.marks import Index
from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """A click on a mark, or Enter on the focused one; index as (row, column), (card,), (tile,), (dial,) …"""

    key: str
    index: Index = ()


@dataclass(frozen=True, slots=True)
class Drag:
    """A handle or a hand was dragged to this point, in panel coordinates."""

    key: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drop:
    """A card was dropped at another place."""

    key: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Scroll:
    """The wheel, or a drag of a window: by whole rows and columns."""

    key: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Key:
    """An arrow key, Home, End on a focused mark: ``left right up down home end``."""

    key: str
    name: str


Event = Pick | Drag | Drop | Scroll | Key
