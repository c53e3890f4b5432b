"""What a person does on the stage: the view reports it, the lesson's ``act`` answers with a state."""

from __future__ import annotations

from dataclasses import dataclass

from core.stage.marks import Index
from core.stage.value import Value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pick(Value):
    """A click on a mark, or Enter on the focused one; index as (row, column), (card,), (tile,), (dial,) …"""

    key: str
    index: Index = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Drag(Value):
    """A handle or a hand was dragged to this point, in panel coordinates."""

    key: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Drop(Value):
    """A card was dropped at another place."""

    key: str
    source: int
    target: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scroll(Value):
    """The wheel, or a drag of a window: by whole rows and columns."""

    key: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Key(Value):
    """An arrow key, Home, End on a focused mark: ``left right up down home end``."""

    key: str
    name: str


Event = Pick | Drag | Drop | Scroll | Key
