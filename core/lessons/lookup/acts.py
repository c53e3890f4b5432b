"""What a person does on the page Lookup: cards, rows and spellings are picked, the window is scrolled."""

from __future__ import annotations

from core.lessons.lookup.scene import Scene, card_window, offers, scene, settle
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import Event, Key, Pick, Scroll
from core.stage.lesson import Context


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A card, a row or a spelling is picked; the window is scrolled; arrow keys go on to the next one."""
    state = settle(state, context)
    found = scene(state, context)
    match event:
        case Pick(key="cards", index=(int(place), *_)):
            return _with_card(state, place + card_window(found)[0], found)
        case Pick(key="near", index=(int(place), *_)):
            near = offers(found)
            return _with_id(state, near[place][1]) if 0 <= place < len(near) else state
        case Pick(key="E" | "picked", index=(int(row), *_)):
            return _with_row(state, row, found)
        case Pick(key="onehot", index=(_, int(row), *_)):
            return _with_row(state, row, found)
        case Scroll(key="E" | "picked", rows=rows, columns=columns):
            return _scrolled(state, found, found.rows[0] + rows, found.columns[0] + columns)
        case Key(key="cards", name=name):
            last = len(found.items) - 1
            step = {"left": found.card - 1, "right": found.card + 1, "home": 0, "end": last}.get(name)
            return state if step is None else _with_card(state, min(max(step, 0), last), found)
        case Key(key="E" | "picked", name=name):
            return _key(state, found, name)
    return state


def _with_card(state: LookupState, card: int, found: Scene) -> LookupState:
    if not 0 <= card < len(found.items):
        return state
    number = found.items[card].id
    chosen = state.token_id if number is None else number
    return params.replace(state, token=card, token_id=chosen, token_of=chosen, first_row=-1, scrolled_at=-1)


def _with_id(state: LookupState, number: int) -> LookupState:
    # The picked card is let go; settle finds the card that has the ID, if one does.
    return params.replace(state, token_id=number, token_of=number, token=-1, first_row=-1, scrolled_at=-1)


def _with_row(state: LookupState, row: int, found: Scene) -> LookupState:
    if not found.rows[0] <= row < found.rows[1]:
        return state
    number = found.id(row)
    card = next((index for index, item in enumerate(found.items) if item.id == number), -1)
    # The window stays where it is: the row was clicked in it.
    return params.replace(state, token_id=number, token_of=number, token=card, first_row=found.rows[0], scrolled_at=row)


def _scrolled(state: LookupState, found: Scene, row: int, column: int) -> LookupState:
    shown_rows, shown_columns = found.rows[1] - found.rows[0], found.columns[1] - found.columns[0]
    row = min(max(row, 0), found.table.rows - shown_rows)
    column = min(max(column, 0), found.table.dim - shown_columns)
    if (row, column) == (found.rows[0], found.columns[0]):
        return state
    if row == found.rows[0]:
        return params.replace(state, first_column=column)
    at = -1 if found.row is None else found.row
    return params.replace(state, first_row=row, scrolled_at=at, first_column=column)


def _key(state: LookupState, found: Scene, name: str) -> LookupState:
    last = found.table.rows - 1
    if name in ("left", "right"):
        step = 1 if name == "right" else -1
        return _scrolled(state, found, found.rows[0], found.columns[0] + step)
    row = {"up": -1, "down": 1}.get(name)
    target = {"home": 0, "end": last}.get(name) if row is None else (found.row if found.row is not None else -row) + row
    if target is None or not 0 <= target <= last:
        return state
    return _with_row_anywhere(state, target, found)


def _with_row_anywhere(state: LookupState, row: int, found: Scene) -> LookupState:
    number = found.id(row)
    card = next((index for index, item in enumerate(found.items) if item.id == number), -1)
    state = params.replace(state, token_id=number, token_of=number, token=card)
    if found.rows[0] <= row < found.rows[1]:
        return params.replace(state, first_row=found.rows[0], scrolled_at=row)
    return params.replace(state, first_row=-1, scrolled_at=-1)
