"""The few marks that every tab is drawn with, so that everything looks like one hand drew it.

Lengths are in the panel's own coordinates; text sizes are names that the theme turns into shares of the window's
height; a mark names a colour role, never a colour. Arrays are float64, finite and never changed after they were put
into a mark (the same array object twice is not drawn again).
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.stage.theme import Role, Size
from core.values import dataclass

Array = NDArray[Any]
Dash = Literal["solid", "dash", "dot", "dashdot"]
Width = Literal["thin", "line", "bold", "hand"]
Anchor = Literal["center", "left", "right", "top", "bottom", "top left", "top right", "bottom left", "bottom right"]
Colours = Literal["signed", "amount", "angle", "none"]
Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rect:
    """A place in panel coordinates: the corner with the smallest x and y, and the extent."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Curve:
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


@dataclass(frozen=True, slots=True)
class Points:
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


@dataclass(frozen=True, slots=True)
class Vectors:
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


@dataclass(frozen=True, slots=True)
class Outline:
    """A frame around cells of a matrix, in its own row and column numbers."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    role: Role = "what"


@dataclass(frozen=True, slots=True)
class Matrix:
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


@dataclass(frozen=True, slots=True)
class Card:
    """One token: its text as typed and a line below."""

    title: str
    subtitle: str = ""
    role: Role = "text"
    picked: bool = False
    faint: bool = False  # a token without a row
    hover: str = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """A row of token cards, laid out from left to right in ``place``, wrapped where needed."""

    key: str
    cards: tuple[Card, ...]
    place: Rect
    draggable: bool = False
    even: bool = False  # one row over the whole place, card i in the i-th part of it: columns can stand below them
    link: str = ""  # followed when a card is picked: a row of them is a button


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand on each of several dials. Angles in radians, counter-clockwise from 3 o'clock."""

    key: str
    angles: Array  # (dials,)
    role: Role = "where"
    lengths: Array | None = None  # share of the radius, default 0.85


@dataclass(frozen=True, slots=True)
class Dials:
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


@dataclass(frozen=True, slots=True)
class Bars:
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


@dataclass(frozen=True, slots=True)
class Region:
    """The band between two curves over x."""

    key: str
    x: Array
    low: Array
    high: Array
    role: Role = "where"
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Label:
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


@dataclass(frozen=True, slots=True)
class Handle:
    """A round grip that can be dragged, by mouse and by arrow keys. It reports where it was dragged to; the lesson
    says where it stands."""

    key: str
    x: float
    y: float
    role: Role = "query"
    name: str = ""  # accessible name
    step: float = 1.0  # what an arrow key moves, in panel coordinates


@dataclass(frozen=True, slots=True)
class Formula:
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


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text in ``place``; the first row is the head."""

    key: str
    rows: tuple[tuple[str, ...], ...]
    place: Rect
    widths: tuple[float, ...] = ()  # relative
    picked: int = -1  # row number
    roles: tuple[Role, ...] = ()  # per column
    mono: bool = False
    align: tuple[Literal["left", "right", "center"], ...] = ()
    picked_role: Role = "text"


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code, some of them lit."""

    key: str
    lines: tuple[str, ...]
    place: Rect
    lit: tuple[int, ...] = ()
    role: Role = "where"  # of the lit lines
    output: bool = False  # what a program prints: it is not copied along with the program


Mark = Curve | Points | Vectors | Matrix | Cards | Dials | Bars | Region | Label | Handle | Formula | Table | Code


def is_finite(value: object) -> bool:
    """Whether an array or number has no NaN and no infinity."""
    return bool(np.isfinite(np.asarray(value, dtype=float)).all())
