"""One step of gradient descent in numbers: which rows a sentence looks up, what a toy loss asks of them, and the rows
after it."""

from __future__ import annotations

import numpy as np

from core.encodings.embedding import gradient
from core.lessons.lookup.pages import cut, rounded
from core.lessons.lookup.scene import Item, nameless
from core.lessons.lookup.state import LookupState
from core.stage.frame import Array
from core.stage.lesson import Context
from core.tables import tokenizers
from core.tables.table import Table
from core.tables.tokens import visible
from core.tables.vocabulary import TokenId
from core.values import dataclass

LESSON_TABLE = "lesson_random"  # where the chosen table has no words
ROWS = 6  # on the stage
IDLE = 2  # of them at least, where there are so many, rows of tokens that are not in the sentence
COLUMNS = 4  # of the lessons' tables …
FEWER = 3  # … and of those with more decimals
TARGET = 1.0  # to which the toy loss pulls every number that was looked up
PLACES = 3


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the occurrences (rows of the table, in the sentence's order), the rows on the stage, and the numbers
    of their columns before, the gradient after so many occurrences, and after."""

    table: Table
    items: tuple[Item, ...]
    occurrences: tuple[int, ...]  # a row of the table each
    at: tuple[int, ...]  # the card of each occurrence
    done: int  # occurrences that have been added
    rows: tuple[int, ...]
    before: Array
    gradient: Array
    after: Array
    loss: tuple[float, float]
    row_losses: tuple[tuple[tuple[int, float], ...], ...]  # before and after: each used row, and its loss once

    def name(self, row: int) -> str:
        if row in self.table.hidden_rows:
            return ""
        return cut(visible(self.table.tokens[row], self.table.vocabulary.spelling), 10)

    def times(self, row: int) -> int:
        return self.occurrences[: self.done].count(row)

    @property
    def places(self) -> int:
        """Decimals of the numbers before the step: two in the lessons' tables."""
        return 2 if self.table.values.dtype == np.float64 else PLACES


def sentence_items(context: Context) -> tuple[Table, tuple[Item, ...]]:
    """The table, and the sentence's cards in it."""
    table = context.table_called(LESSON_TABLE) if nameless(context.table) else context.table
    tokens = (
        tokenizers.tokenizer(table).tokens(context.shared.sentence) if table is not context.table else context.tokens
    )
    return table, tuple(Item(token.shown, token.id, token.piece, start=token.start, end=token.end) for token in tokens)


def step_of(state: LookupState, context: Context) -> Step:
    table, items = sentence_items(context)
    at = tuple(place for place, item in enumerate(items) if item.id is not None)
    occurrences = tuple(table.row_of(TokenId(table.vocabulary, items[place].id or 0)) for place in at)
    done = len(occurrences)
    if 0.0 < state.progress < 1.0:
        done = min(int(state.progress * done + 1e-6) + 1, done)
    rows = _rows(state, table, occurrences)
    columns = min(table.dim, COLUMNS if table.values.dtype == np.float64 else FEWER)
    before = np.array([table.row(row)[:columns] for row in rows], dtype=np.float64).reshape(-1, columns)
    used = list(dict.fromkeys(occurrences))
    whole = np.array([table.row(row) for row in used], dtype=np.float64).reshape(-1, table.dim)
    places = [used.index(row) for row in occurrences]
    pulls = _pulls(state, whole[places]) if occurrences else np.zeros((0, table.dim))
    total = gradient(places[:done], pulls[:done], len(used)) if done else np.zeros_like(whole)
    moved = whole - rate_of(state) * total
    shown = np.array([total[used.index(row)][:columns] if row in used else np.zeros(columns) for row in rows]).reshape(
        -1, columns
    )
    loss = (_loss(state, whole[places]), _loss(state, moved[places])) if occurrences else (0.0, 0.0)
    each = tuple(
        tuple((row, _loss(state, at)) for row, at in zip(used, numbers, strict=True)) for numbers in (whole, moved)
    )
    return Step(table, items, occurrences, at, done, rows, before, shown, before - rate_of(state) * shown, loss, each)


def rate_of(state: LookupState) -> float:
    """The learning rate as it is written: the step is taken with it."""
    return rounded(state.rate, 3)


def _pulls(state: LookupState, looked_up: Array) -> Array:
    """The loss's gradient at each looked-up vector."""
    return looked_up - TARGET if state.loss == "pull" else np.ones_like(looked_up)


def _loss(state: LookupState, looked_up: Array) -> float:
    if state.loss == "pull":
        return 0.5 * float(((looked_up - TARGET) ** 2).sum())
    return float(looked_up.sum())


def _rows(state: LookupState, table: Table, occurrences: tuple[int, ...]) -> tuple[int, ...]:
    """The rows on the stage, in the table's order: all of a small table, else some used and some that are not."""
    if table.rows <= ROWS:
        return tuple(range(table.rows))
    used = list(dict.fromkeys(occurrences))
    chosen = [row for row in used if table.id_of(row).id == state.learned_id]
    shown = list(dict.fromkeys([*chosen, *used]))[: ROWS - IDLE]
    # Its neighbours in the list are as good as any other rows that nobody looked up.
    start = shown[0] if shown else 0
    idle = (row % table.rows for row in range(start + 1, start + table.rows) if row % table.rows not in used)
    while len(shown) < ROWS and (row := next(idle, None)) is not None:
        shown.append(row)
    return tuple(sorted(shown))


def picked_of(state: LookupState, step: Step) -> tuple[int, int]:
    """The row whose arithmetic is written: the one picked, else one that occurs most often."""
    column = min(state.learned_column, step.before.shape[1] - 1)
    for row in step.rows:
        if step.table.id_of(row).id == state.learned_id:
            return row, column
    most = max(step.rows, key=lambda row: (step.occurrences.count(row), -row))
    return most, column
