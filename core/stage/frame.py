"""What a person sees, as data: a frame is panels of keyed marks, readouts, worked arithmetic and a sentence.

The marks are in :mod:`core.stage.marks`, what a person does to them in :mod:`core.stage.events`; a lesson finds all of
it here.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.stage.events import (
    Drag,
    Drop,
    Event,
    Key,
    Pick,
    Scroll,
)
from core.stage.marks import (
    Anchor,
    Array,
    ArraySource,
    Bars,
    Card,
    Cards,
    Code,
    Colours,
    Curve,
    Dash,
    Dials,
    Formula,
    Hand,
    Handle,
    Index,
    Label,
    Mark,
    Matrix,
    Outline,
    Points,
    Rect,
    Region,
    Source,
    Table,
    Vectors,
    Width,
    is_finite,
)
from core.stage.text import text
from core.stage.theme import Role, Size
from core.values import dataclass

__all__ = [
    "Anchor",
    "Array",
    "ArraySource",
    "Axis",
    "Bars",
    "Card",
    "Cards",
    "Cell",
    "Code",
    "Colours",
    "Curve",
    "Dash",
    "Dials",
    "Drag",
    "Drop",
    "Event",
    "Formula",
    "Frame",
    "Hand",
    "Handle",
    "Index",
    "Key",
    "Label",
    "Legend",
    "Line",
    "Mark",
    "Matrix",
    "Outline",
    "Panel",
    "Pick",
    "Points",
    "Readout",
    "Rect",
    "Region",
    "Scroll",
    "Segments",
    "Source",
    "Table",
    "Term",
    "Vectors",
    "Width",
    "Worked",
    "is_finite",
    "line",
]


@dataclass(frozen=True, slots=True)
class Axis:
    """The extent of a panel in one direction, with ticks where it is a scale."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A panel's place on the stage, which is 12 columns wide and 12 rows high."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Readout:
    """A number that matters, in words around it: ``score q · k`` above, ``−0.416`` large."""

    key: str
    value: str
    label: str = ""
    role: Role = "text"
    size: Size = "number"
    detail: str = ""  # beside or below, small


@dataclass(frozen=True, slots=True)
class Segments:
    """A choice parameter shown as buttons at a panel's head."""

    name: str  # the parameter
    options: tuple[tuple[str, str], ...]  # value, text
    value: str


@dataclass(frozen=True, slots=True)
class Legend:
    """What a colour scale means: a bar of its colours between the two texts of its ends."""

    colours: Colours
    low: str
    high: str
    part: tuple[float, float] = (0.0, 1.0)  # of the colours: (0, 0.5) is the negative half of a signed scale


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: a small title, readouts, marks on one pair of axes, a caption."""

    key: str
    cell: Cell
    marks: tuple[Mark, ...] = ()
    title: str = ""
    note: str = ""  # at the right of the title: what a colour scale means
    caption: str = ""
    x: Axis = Axis(0.0, 1.0)
    y: Axis = Axis(0.0, 1.0)
    equal: bool = False  # one unit of x is as long as one of y
    invert_y: bool = False
    readouts: tuple[Readout, ...] = ()
    choice: Segments | None = None
    border: Role | None = None  # "warn": wrong on purpose
    legend: Legend | None = None  # beside the note


@dataclass(frozen=True, slots=True)
class Term:
    """A piece of a line of arithmetic, tied to what it came from: (mark key, index) pairs, index () for the whole."""

    text: str
    role: Role = "text"
    lights: tuple[tuple[str, Index], ...] = ()
    bold: bool = False


Line = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """Arithmetic as a person does it on a blackboard. Three lines of 72 characters at a time are shown."""

    lines: tuple[Line, ...] = ()

    PAGE = 3
    COLUMNS = 72

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.lines) // self.PAGE))

    def page(self, number: int) -> tuple[Line, ...]:
        return self.lines[number * self.PAGE : (number + 1) * self.PAGE]


def line(*pieces: str | Term) -> Line:
    """A line from terms and plain texts."""
    return tuple(piece if isinstance(piece, Term) else Term(piece) for piece in pieces)


@dataclass(frozen=True, slots=True)
class Frame:
    """All that one state shows."""

    title: str  # a sentence that states the insight
    subtitle: str
    panels: tuple[Panel, ...]
    worked: Worked
    alt: str  # the picture in words, for a screen reader and as a caption of exports
    covers: frozenset[str] = frozenset()  # keys under a "?" tile
    computing: bool = False  # a job's answer is still missing
    notice: str = ""  # a sentence for the status line: what was left out, what is missing

    @property
    def spoken(self) -> str:
        """What a screen reader and an export say: nothing of what is still under a tile."""
        return text("common.covered") if self.covers else self.alt

    def marks(self) -> Iterator[tuple[Panel, Mark]]:
        for panel in self.panels:
            for mark in panel.marks:
                yield panel, mark
