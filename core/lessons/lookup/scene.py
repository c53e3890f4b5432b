"""What the tab Lookup shows of a table: the sentence's tokens, the picked row, and the window around it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import Array
from core.stage.lesson import Context
from core.stage.numbers import number, shown
from core.stage.text import text
from core.tables.spellings import suggestions
from core.tables.table import Table
from core.tables.tokens import visible
from core.tables.vocabulary import GPT2, TokenId
from core.values import dataclass

FEW_ROWS = 8  # a table of so few rows …
FEW_COLUMNS = 4  # … and numbers in a row is shown whole, and its arithmetic is written out in full
SHOWN = {"numbers": (5, 3), "colours": (16, 48)}  # rows and columns of the window on a large table …
FEWER = {"numbers": 4, "colours": 11}  # … and its rows below two rows of cards
LONGEST = 12  # letters of a token beside its row; the rest is cut with an ellipsis
ROOM = 35  # letters of a card's size that fit on a row of cards
SMALLER = 0.66  # a letter of a card's second line, in letters of the first
OFFERED = 4  # spellings offered for a word that has no row


@dataclass(frozen=True, slots=True)
class Item:
    """One card: a token as a person reads it, and its ID in the table's vocabulary (None: it has no row)."""

    text: str
    id: int | None
    piece: str = ""
    typed: str = ""
    unknown: bool = False  # the vocabulary's stand-in for what it can't spell
    start: int = 0  # its place in the sentence
    end: int = 0

    @property
    def below(self) -> str:
        """What stands under the token."""
        return text("lookup.no_row") if self.id is None else text("lookup.id", id=self.id)


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table as a matrix: only the asked block is expanded, as float64."""

    table: Table

    @property
    def shape(self) -> tuple[int, ...]:
        return self.table.shape

    def block(self, rows: slice, columns: slice) -> Array:
        return self.table.block(rows, columns).astype(np.float64)


@dataclass(frozen=True, slots=True)
class OneHotSource:
    """One row of zeros with a 1 at ``place``: as many entries as the table has rows, made where they are looked at."""

    size: int
    place: int

    @property
    def shape(self) -> tuple[int, ...]:
        return (1, self.size)

    def block(self, rows: slice, columns: slice) -> Array:
        entries = np.arange(*columns.indices(self.size)) == self.place
        return np.broadcast_to(entries.astype(np.float64), (len(range(*rows.indices(1))), len(entries)))


@dataclass(frozen=True, slots=True)
class Scene:
    """What a state means in a context. ``row`` is None where nothing is picked or the picked word has no row."""

    table: Table
    items: tuple[Item, ...]
    card: int  # the picked card, -1 for none
    row: int | None
    rows: tuple[int, int]
    columns: tuple[int, int]
    level: float
    decimals: int
    dense: bool  # colours without numbers
    room: float  # for cards, in letters
    card_rows: int  # the height of the cards' panel, in rows of the stage

    @property
    def item(self) -> Item | None:
        return self.items[self.card] if self.card >= 0 else None

    @property
    def small(self) -> bool:
        """The whole table is on the stage."""
        return self.table.rows <= FEW_ROWS and self.columns == (0, self.table.dim)

    @property
    def size(self) -> int:
        """The length of the one-hot row: all IDs of the vocabulary, also where only a part of the rows ships."""
        return self.table.vocabulary.size

    @property
    def row_in_window(self) -> bool:
        return self.row is not None and self.rows[0] <= self.row < self.rows[1]

    def id(self, row: int) -> int:
        return self.table.id_of(row).id

    def numbers(self, row: int) -> tuple[str, ...]:
        """The row's numbers in the window's columns, as the cells show them."""
        values = self.table.block(slice(row, row + 1), slice(*self.columns))[0]
        return tuple(number(value, self.decimals) for value in values)

    def name(self, row: int) -> str:
        """A row's token as it stands beside it: empty where the table has no words or a list leaves it out."""
        if nameless(self.table) or row in self.table.hidden_rows:
            return ""
        return short(visible(self.table.tokens[row], self.table.vocabulary.spelling))


def short(word: str) -> str:
    return word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"


def nameless(table: Table) -> bool:
    """The lesson's 4 × 3 table has IDs, but no words: a token there is its own number."""
    return table.rows <= FEW_ROWS and all(token == str(row) for row, token in enumerate(table.tokens))


def items(context: Context, vocabulary: str = "") -> tuple[Item, ...]:
    """The cards: the sentence's tokens in the chosen table's vocabulary, or in the named one. For a table without
    words, where none of the tokens has a row, its own rows."""
    sentence = context.shared.sentence
    tokens = context.tokens_in(vocabulary) if vocabulary else context.tokens
    table = None if vocabulary == GPT2.id else context.table_called(vocabulary) if vocabulary else context.table
    bare = table is not None and nameless(table)
    if table is not None and bare and all(token.missing for token in tokens):
        return tuple(Item("", row, token) for row, token in enumerate(table.tokens))
    return tuple(
        Item(
            "" if bare and not token.missing else token.shown,
            token.id,
            token.piece,
            sentence[token.start : token.end],
            token.unknown,
            token.start,
            token.end,
        )
        for token in tokens
    )


def nearest_id(table: Table, wanted: int) -> int:
    """The ID with a row that is closest to ``wanted``; of two the lower."""
    if table.ids is None:
        return min(max(wanted, 0), table.rows - 1)
    return int(table.ids[int(np.argmin(np.abs(table.ids.astype(np.int64) - wanted)))])


def settle(state: LookupState, context: Context) -> LookupState:
    """The state with the picked card and the ID in agreement, and both inside the table.

    A typed ID counts and picks the card that has it, if one does; otherwise the picked card counts, and its ID
    follows the sentence and the table.
    """
    table, cards = context.table, items(context)
    token = min(state.token, max(len(cards) - 1, 0))
    card = cards[token] if 0 <= token < len(cards) else None
    token_id = state.token_id
    if token_id != state.token_of:
        token_id = nearest_id(table, token_id)
        token = next((index for index, item in enumerate(cards) if item.id == token_id), -1)
    elif card is not None and card.id is not None:
        token_id = card.id
    else:
        token_id = nearest_id(table, token_id)
    rowless = 0 <= token < len(cards) and cards[token].id is None
    return params.replace(state, token=token, token_id=token_id, token_of=token_id, rowless=rowless)


def scene(state: LookupState, context: Context) -> Scene:
    """What to show. Expects a settled state."""
    table, cards = context.table, items(context)
    card = state.token if state.token < len(cards) else -1
    row: int | None = None
    if card >= 0:
        number_of_card = cards[card].id
        row = None if number_of_card is None else _row(table, number_of_card)
    elif state.token < 0:
        row = _row(table, nearest_id(table, state.token_id))
    level, decimals = _scale(table)
    dense = state.cells == "colours" and table.rows > FEW_ROWS
    kind = "colours" if dense else "numbers"
    most_rows, most_columns = SHOWN[kind]
    both = state.ids == "gpt2"
    long = sum(card_width(item.text, item.below) for item in cards) > ROOM
    if table.rows <= FEW_ROWS:
        most_rows, most_columns = FEW_ROWS, FEW_COLUMNS
    elif both or long:
        most_rows = FEWER[kind]
    room = 0.8 * ROOM if both else 1.8 * ROOM if long else ROOM
    card_rows = 6 if both or long else 4
    rows = min(table.rows, most_rows)
    columns = min(table.dim, most_columns)
    at = -1 if row is None else row
    scrolled = state.first_row >= 0 and state.scrolled_at == at
    first = state.first_row if scrolled else max(at, 0) - (rows - 1) // 2
    first = min(max(first, 0), table.rows - rows)
    left = min(state.first_column, table.dim - columns)
    return Scene(
        table, cards, card, row, (first, first + rows), (left, left + columns), level, decimals, dense, room, card_rows
    )


def card_window(scene: Scene) -> tuple[int, int]:
    """Which cards fit side by side, around the picked one: first and stop."""
    return fitting([card_width(item.text, item.below) for item in scene.items], scene.card, scene.room)


def fitting(widths: Sequence[float], at: int, room: float) -> tuple[int, int]:
    """How many of these fit side by side around the one ``at``: first and stop."""
    start = stop = min(max(at, 0), len(widths))
    used = 0.0
    while True:
        grown = False
        for side in (stop, start - 1):
            if 0 <= side < len(widths) and (used + widths[side] <= room or not used):
                used += widths[side]
                start, stop = min(start, side), max(stop, side + 1)
                grown = True
        if not grown:
            return start, stop


def card_width(word: str, below: str) -> float:
    """How much of ``ROOM`` a card takes."""
    return max(len(word), SMALLER * len(below)) + 2.5


def offers(scene: Scene) -> tuple[tuple[str, int], ...]:
    """What may have been meant by the picked word without a row: (token as shown, ID)."""
    item = scene.item
    if item is None or item.id is not None:
        return ()
    return offers_for(scene.table, item.piece)


@lru_cache(maxsize=256)
def offers_for(table: Table, piece: str) -> tuple[tuple[str, int], ...]:
    found = []
    for token in suggestions(table, piece, OFFERED):
        row = table.find(token)
        if row is not None:
            found.append((visible(token, table.vocabulary.spelling), table.id_of(row).id))
    return tuple(found)


def _row(table: Table, number_: int) -> int:
    return table.row_of(TokenId(table.vocabulary, number_))


@lru_cache(maxsize=32)
def _scale(table: Table) -> tuple[float, int]:
    """The colour scale's end and the decimals of the cells: one choice for a whole table, from a few hundred rows."""
    sample = table.block(slice(0, table.rows, max(1, table.rows // 256))).astype(np.float64)
    sizes = np.abs(sample[np.isfinite(sample)])
    if table.rows <= FEW_ROWS:
        level = float(sizes.max(initial=0.0))
        exact = [d for d in (1, 2) if all(abs(shown(value, d) - value) < 1e-6 for value in sizes[:64].tolist())]
        return level or 1.0, exact[0] if exact else 3
    level = float(np.quantile(sizes, 0.99)) if sizes.size else 1.0
    return level or 1.0, 2 if level >= 1.0 else 3
