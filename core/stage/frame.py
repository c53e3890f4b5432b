"""What a person sees, as data: a frame is panels of keyed marks, readouts, worked arithmetic and a sentence.

Lengths are in the panel's own coordinates, set by its axes; text sizes are names that the theme turns into shares of
the window's height; a mark names a colour role, never a colour. Arrays are float64, finite and never changed after
they were put into a mark (the same array object twice is not drawn again).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.stage.text import text
from core.stage.theme import Role, Size
from core.stage.value import Value

Array = NDArray[Any]
Dash = Literal["solid", "dash", "dot", "dashdot"]
Width = Literal["thin", "line", "bold", "hand"]
Anchor = Literal["center", "left", "right", "top", "bottom", "top left", "top right", "bottom left", "bottom right"]
Colours = Literal["signed", "amount", "angle", "none"]
Index = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rect(Value):
    """A place in panel coordinates: the corner with the smallest x and y, and the extent."""

    x: float
    y: float
    width: float
    height: float


# --- marks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curve(Value):
    """A line through points; a NaN is not allowed, ``breaks`` starts a new stroke at these point numbers."""

    key: str
    x: Array
    y: Array
    role: Role = "text"
    width: Width = "line"
    dash: Dash = "solid"
    breaks: tuple[int, ...] = ()
    name: str = ""  # written at the curve's end
    closed: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Points(Value):
    """Dots, with a label beside each where there is one (not drawn where it would cross another)."""

    key: str
    x: Array
    y: Array
    role: Role = "what"
    size: float = 1.0  # times the theme's dot
    shape: Literal["disc", "ring", "square", "diamond", "cross", "none"] = "disc"  # none: labels alone
    labels: tuple[str, ...] = ()
    picked: tuple[int, ...] = ()  # drawn larger, label always shown
    link: str = ""
    hover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Vectors(Value):
    """Arrows from (x0, y0) to (x1, y1)."""

    key: str
    x0: Array
    y0: Array
    x1: Array
    y1: Array
    role: Role = "what"
    width: Width = "bold"
    labels: tuple[str, ...] = ()  # at the tips


class Source(Protocol):
    """A pure source of numbers, asked only for what is shown. With a leading axis: small multiples."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def block(self, rows: slice, columns: slice) -> Array:
        """The values there, (…, rows, columns), finite. Slices have non-negative starts and may have steps."""


@dataclass(frozen=True, slots=True, eq=False)
class ArraySource:
    """Numbers that are there already."""

    values: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def block(self, rows: slice, columns: slice) -> Array:
        return self.values[..., rows, columns]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Outline(Value):
    """A frame around cells of a matrix, in its own row and column numbers."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    role: Role = "what"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matrix(Value):
    """A window on a source, drawn as cells in ``place``. Row 0 of the window is the topmost (panels with matrices
    have ``invert_y``). Numbers appear where there is room for ``decimals`` places."""

    key: str
    source: Source
    rows: tuple[int, int]  # start, stop
    columns: tuple[int, int]
    levels: tuple[float, float]
    place: Rect | None = None  # default: x 0 … columns, y 0 … rows
    colours: Colours = "signed"
    decimals: int | None = 2  # None: no numbers
    characters: int = 0  # numbers are no larger than so many would be: equal sizes in matrices side by side
    row_labels: tuple[str, ...] = ()  # one per row shown, left of the cells
    column_labels: tuple[str, ...] = ()  # one per column shown, above the cells
    row_role: Role = "muted"
    column_role: Role = "muted"
    outlines: tuple[Outline, ...] = ()
    plain: Array | None = None  # bool, window's shape: these cells have no colour and a muted number
    fills: tuple[Outline, ...] = ()  # cells filled with their role's colour, number in the ground colour
    mask: Array | None = None  # bool, window's shape: hatched cells that hold no number (masked, does not exist)
    mask_text: str = ""  # written in masked cells where there is room: "−∞"
    opacity: float = 1.0
    separate: bool = False  # single rounded cells with gaps, for a few large ones
    tiles: tuple[str, ...] = ()  # titles of the small multiples
    tile_columns: int = 0
    picked_tile: int = -1
    hover: str = ""  # "{row}", "{column}", "{value}" and "{tile}" are filled in
    row_names: tuple[str, ...] = ()  # what hover says for a row; default: its number
    column_names: tuple[str, ...] = ()
    scrolls: bool = False  # wheel and arrow keys ask for another window


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Card(Value):
    """One token: its text as typed and a line below."""

    title: str
    subtitle: str = ""
    role: Role = "text"
    picked: bool = False
    faint: bool = False  # a token without a row
    hover: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cards(Value):
    """A row of token cards, laid out from left to right in ``place``, wrapped where needed."""

    key: str
    cards: tuple[Card, ...]
    place: Rect
    draggable: bool = False
    even: bool = False  # one row over the whole place, card i in the i-th part of it: columns can stand below them
    link: str = ""  # followed when a card is picked: a row of them is a button


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hand(Value):
    """One hand on each of several dials. Angles in radians, counter-clockwise from 3 o'clock."""

    key: str
    angles: Array  # (dials,)
    role: Role = "where"
    lengths: Array | None = None  # share of the radius, default 0.85


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dials(Value):
    """Dials of equal size in a grid inside ``place``."""

    key: str
    hands: tuple[Hand, ...]
    place: Rect
    columns: int
    labels: tuple[str, ...] = ()  # below each dial
    wedge: tuple[str, str] | None = None  # the keys of the two hands between which a wedge is filled (role where)
    ticks: int = 0
    picked: int = -1
    faint: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bars(Value):
    """Bars from ``base`` to ``height``, centred on x."""

    key: str
    x: Array
    height: Array
    role: Role = "what"
    width: float = 0.8
    base: float = 0.0
    labels: tuple[str, ...] = ()  # at the bars' ends
    picked: int = -1
    horizontal: bool = False  # x is then the vertical position
    scrolls: bool = False  # the wheel asks for other bars


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Region(Value):
    """The band between two curves over x."""

    key: str
    x: Array
    low: Array
    high: Array
    role: Role = "where"
    hatched: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Label(Value):
    """A plain text at a point."""

    key: str
    x: float
    y: float
    text: str
    size: Size = "label"
    role: Role = "text"
    anchor: Anchor = "center"
    bold: bool = False
    mono: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Handle(Value):
    """A round grip that can be dragged, by mouse and by arrow keys. It reports where it was dragged to; the lesson
    says where it stands."""

    key: str
    x: float
    y: float
    role: Role = "query"
    name: str = ""  # accessible name
    step: float = 1.0  # what an arrow key moves, in panel coordinates


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula(Value):
    """A typeset formula (LaTeX)."""

    key: str
    latex: str
    x: float
    y: float
    size: Size = "title"
    role: Role = "text"
    anchor: Anchor = "center"
    spoken: str = ""
    parts: tuple[str, ...] = ()  # in place of ``latex``: pieces on one line, each lit and picked by its number
    roles: tuple[Role, ...] = ()  # of the pieces
    picked: int = -1  # the piece with a frame


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table(Value):
    """Cells of text in ``place``; the first row is the head."""

    key: str
    rows: tuple[tuple[str, ...], ...]
    place: Rect
    widths: tuple[float, ...] = ()  # relative
    picked: int = -1  # row number
    roles: tuple[Role, ...] = ()  # per column
    mono: bool = False
    align: tuple[Literal["left", "right", "center"], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Code(Value):
    """Lines of code, some of them lit."""

    key: str
    lines: tuple[str, ...]
    place: Rect
    lit: tuple[int, ...] = ()


Mark = Curve | Points | Vectors | Matrix | Cards | Dials | Bars | Region | Label | Handle | Formula | Table | Code


# --- panels and the frame --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Axis(Value):
    """The extent of a panel in one direction, with ticks where it is a scale."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cell(Value):
    """A panel's place on the stage, which is 12 columns wide and 12 rows high."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Readout(Value):
    """A number that matters, in words around it: ``score q · k`` above, ``−0.416`` large."""

    key: str
    value: str
    label: str = ""
    role: Role = "text"
    size: Size = "number"
    detail: str = ""  # beside or below, small


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Segments(Value):
    """A choice parameter shown as buttons at a panel's head."""

    name: str  # the parameter
    options: tuple[tuple[str, str], ...]  # value, text
    value: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Legend(Value):
    """What a colour scale means: a bar of its colours between the two texts of its ends."""

    colours: Colours
    low: str
    high: str
    part: tuple[float, float] = (0.0, 1.0)  # of the colours: (0, 0.5) is the negative half of a signed scale


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Panel(Value):
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Term(Value):
    """A piece of a line of arithmetic, tied to what it came from: (mark key, index) pairs, index () for the whole."""

    text: str
    role: Role = "text"
    lights: tuple[tuple[str, Index], ...] = ()
    bold: bool = False


Line = tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Worked(Value):
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Frame(Value):
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


# --- what a person does on the stage ---------------------------------------------------------------------------------


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


def is_finite(value: object) -> bool:
    """Whether an array or number has no NaN and no infinity."""
    return bool(np.isfinite(np.asarray(value, dtype=float)).all())
