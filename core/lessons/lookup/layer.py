"""Lookup is a linear layer: the sum of all rows, each times its entry of the one-hot row, is the row that indexing
reads; what both cost, counted and measured on this machine."""

from __future__ import annotations

import numpy as np

from core.lessons.lookup.lookup_page import missing_notice
from core.lessons.lookup.pages import WIDE, Page, head_panel, note, noted, said, signs
from core.lessons.lookup.scene import Scene, TableSource, scene, settle
from core.lessons.lookup.state import LookupState
from core.lessons.lookup.timing import MOST, Timing, duration, measure
from core.lessons.lookup.worked import table_name
from core.stage import params
from core.stage.frame import (
    ArraySource,
    Axis,
    Cell,
    Event,
    Frame,
    Key,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Pick,
    Readout,
    Rect,
    Term,
    Worked,
)
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.stage.numbers import count
from core.stage.theme import Role
from core.tables import shipped
from core.tables.vocabulary import TokenId
from core.values import dataclass

ROWS = 5  # of a large table on the stage …
COLUMNS = 4  # … and numbers of each, where they have few decimals …
FEWER = 3  # … or more


@dataclass(frozen=True, slots=True)
class Price:
    """What is priced: its name, its rows and the numbers in each."""

    name: str
    rows: int
    dim: int

    @property
    def products(self) -> int:
        return self.rows * self.dim


def frame(state: LookupState, context: Context) -> Frame:
    """Both ways to the row side by side, and below each what it costs."""
    state = settle(state, context)
    found = scene(state, context)
    price = _price(state, context)
    timing, waiting = _timing(state, context, price)
    row = _row(state, found)
    shares = _done(state, price)
    return Frame(
        title=said("layer.title", name=price.name, products=count(price.products)),
        subtitle=said("layer.subtitle"),
        panels=(
            _ways_panel(state, found, row),
            _cost_panel(state, price, timing, waiting, shares),
            _free_panel(price, timing, waiting),
        ),
        worked=Worked(_worked(price, timing)),
        alt=said("layer.alt", id=found.id(row), table=table_name(found.table), name=price.name,
                 rows=count(price.rows), dim=count(price.dim), products=count(price.products)),
        computing=waiting,
        notice=_notice(found, row, timing, price, context),
    )  # fmt: skip


def _row(state: LookupState, found: Scene) -> int:
    """The picked row; where the picked word has none or there is no word, that of the ID which the control shows."""
    if found.row is not None:
        return found.row
    return found.table.row_of(TokenId(found.table.vocabulary, state.token_id))


def controls(state: LookupState) -> tuple[str, ...]:
    return ("token_id", "priced")


def beats(state: LookupState, context: Context) -> int:
    """One second for each row of the window that is multiplied."""
    return min(context.table.rows, ROWS)


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A row of either table is picked; arrow keys go to the next."""
    state = settle(state, context)
    found = scene(state, context)
    row = _row(state, found)
    if isinstance(event, Pick) and event.key in ("E", "entries", "E index") and event.index:
        target = event.index[0]
    elif isinstance(event, Key) and event.key in ("E", "entries", "E index"):
        last = found.table.rows - 1
        target = {"up": row - 1, "down": row + 1, "home": 0, "end": last}.get(event.name, row)
    else:
        return state
    first, stop = _window(found, row)
    if not (first <= target < stop or (isinstance(event, Key) and 0 <= target < found.table.rows)):
        return state
    chosen = found.id(target)
    card = next((at for at, item in enumerate(found.items) if item.id == chosen), -1)
    return params.replace(state, token_id=chosen, token_of=chosen, token=card, progress=0.0)


# --- what it costs ---------------------------------------------------------------------------------------------------


def _price(state: LookupState, context: Context) -> Price:
    if state.priced == "table":
        # The whole table: one that comes in part is multiplied by a one-hot row as long as its vocabulary.
        return Price(table_name(context.table), context.table.vocabulary.size, context.table.dim)
    model = context.model
    return Price(model.name, model.vocab_size, model.d_model)


def _timing(state: LookupState, context: Context, price: Price) -> tuple[Timing | None, bool]:
    """The measured times, and whether they are still being measured."""
    whole = state.priced == "table" and context.table.rows == price.rows
    if context.clock is None or (not whole and price.products > MOST):
        return None, False
    table_id = context.table.id if whole else ""
    if table_id and table_id not in shipped.table_ids():
        return None, False
    found: Timing | None = context.ask(Job(measure, (context.clock, price.rows, price.dim, table_id)))
    return found, found is None


def _done(state: LookupState, price: Price) -> int:
    """Multiplications that the animation has come to."""
    share = state.progress if 0.0 < state.progress < 1.0 else 1.0
    return round(share * price.products)


# --- the picture -----------------------------------------------------------------------------------------------------


def _window(found: Scene, row: int) -> tuple[int, int]:
    rows = min(found.table.rows, ROWS)
    first = min(max(row - (rows - 1) // 2, 0), found.table.rows - rows)
    return first, first + rows


def _ways_panel(state: LookupState, found: Scene, row: int) -> Panel:
    """At the left every row times its entry, added up; at the right one row read."""
    first, stop = _window(found, row)
    n, columns = stop - first, min(found.table.dim, COLUMNS if found.decimals < 3 else FEWER)
    high = min(1.32, 6.9 / n)
    more = (first > 0, stop < found.table.rows)
    top, left, right, wide = 2.1 if more[0] else 1.5, 20.5, 70.0, 27.0
    decimals, level = found.decimals, (-found.level, found.level)
    seen = n if not 0.0 < state.progress < 1.0 else int(state.progress * n + 1e-6) + 1
    names = _names(found, first, stop)
    ids = tuple(said("id", id=found.id(index)) for index in range(first, stop))
    waiting = np.zeros((n, columns), dtype=bool)
    waiting[seen:] = True
    unread = np.ones((n, columns), dtype=bool)
    unread[row - first] = False
    source, at = TableSource(found.table), (0, columns)
    entries = (np.arange(first, stop) == row).astype(np.float64)[:, None]
    bottom = top + high * n + (1.2 if more[1] else 0.75)
    outline = (Outline(row, 0, 1, columns),)
    hover, row_names = said("hover"), tuple(str(found.id(index)) for index in range(first, stop))
    common = {"decimals": decimals, "separate": True, "hover": hover}
    marks: list[Mark] = [
        note("multiply name", 0.0, 0.5, said("layer.multiply", id=found.id(row)), bold=True),
        note("index name", 54.0, 0.5, said("layer.index", id=found.id(row)), bold=True),
        Matrix("entries", ArraySource(entries), (0, n), (0, 1), (-1.0, 1.0), Rect(11.0, top, 5.0, high * n), "none", 0,
               row_labels=ids, plain=entries == 0.0, fills=(Outline(row - first, 0),), separate=True),
        Label("times", 18.3, top + high * n / 2, "×", "title", "text", bold=True),
        Matrix("E", source, (first, stop), at, level, Rect(left, top, wide, high * n), plain=waiting,
               row_names=row_names, outlines=outline if seen == n else (), **common),  # type: ignore[arg-type]
        Matrix("E index", source, (first, stop), at, level, Rect(right, top, wide, high * n), plain=unread,
               row_labels=names, outlines=outline, row_names=row_names, **common),  # type: ignore[arg-type]
        Label("sum", left - 0.8, bottom + high / 2, said("layer.sum"), "label", "muted", "right", bold=True),
        Label("read", right - 0.8, bottom + high / 2, said("layer.read"), "label", "muted", "right", bold=True),
    ]  # fmt: skip
    if seen == n:
        marks.append(_result(found, "result", row, columns, Rect(left, bottom, wide, high), common))
    marks.append(_result(found, "result index", row, columns, Rect(right, bottom, wide, high), common))
    for there, key, y in zip(more, ("above", "below"), (top - 0.5, bottom - 0.6), strict=True):
        if there:
            marks += [Label(f"{key} {x}", x, y, "⋮", "heading", "muted", bold=True)
                      for x in (13.5, left + wide / 2, right + wide / 2)]  # fmt: skip
    if columns < found.table.dim:
        for key, x in (("more", left + wide + 1.2), ("more index", right + wide + 1.2)):
            marks.append(Label(key, x, top + high * n / 2, "⋯", "heading", "muted"))
    return head_panel(state, Cell(0, 0, 8, 12), tuple(marks), caption=signs(names, found.table.vocabulary.spelling),
                      x=Axis(0.0, WIDE), y=Axis(0.0, bottom + high + 0.1), invert_y=True)  # fmt: skip


def _result(found: Scene, key: str, row: int, columns: int, place: Rect, common: dict[str, object]) -> Matrix:
    return Matrix(key, TableSource(found.table), (row, row + 1), (0, columns), (-found.level, found.level), place,
                  outlines=(Outline(row, 0, 1, columns),), row_names=(str(found.id(row)),), **common)  # type: ignore[arg-type] # fmt: skip


def _names(found: Scene, first: int, stop: int) -> tuple[str, ...]:
    """The rows by their words; by their IDs where there are none."""
    return tuple(found.name(row) or said("id", id=found.id(row)) for row in range(first, stop))


def _cost_panel(state: LookupState, price: Price, timing: Timing | None, waiting: bool, done: int) -> Panel:
    value = count(done)
    shape = said("layer.shape", name=price.name, rows=count(price.rows), dim=count(price.dim))
    return _price_panel(
        "cost", Cell(8, 0, 4, 6), shape, value, None if timing is None else timing.product, waiting, "warn"
    )


def _free_panel(price: Price, timing: Timing | None, waiting: bool) -> Panel:
    shape = said("layer.shape", name=price.name, rows=count(price.rows), dim=count(price.dim))
    return _price_panel("free", Cell(8, 6, 4, 6), shape, "0", None if timing is None else timing.index, waiting, "what")


def _price_panel(
    key: str, cell: Cell, shape: str, value: str, seconds: float | None, waiting: bool, role: Role
) -> Panel:
    measured = said("layer.measuring" if waiting else "layer.unmeasured")
    if seconds is not None:
        measured = said("layer.time", time=duration(seconds))
    readout = Readout(f"{key} products", value, said("layer.products"), role, detail=measured)
    return Panel(key, cell, readouts=(readout,), title=shape)


def _worked(price: Price, timing: Timing | None) -> tuple[Line, ...]:
    rows, dim = count(price.rows), count(price.dim)
    products, copied = said("layer.products"), said("layer.copied", dim=dim)
    if timing is not None:
        products = said("layer.products_timed", time=duration(timing.product))
        copied = said("layer.copied_timed", dim=dim, time=duration(timing.index))
    wasted = (price.rows - 1) * price.dim
    return (
        noted(products, f"multiply  {rows} × {dim} = ", Term(count(price.products), "warn", bold=True)),
        noted(said("layer.wasted"), f"by zero   {count(price.rows - 1)} × {dim} = {count(wasted)}"),
        noted(copied, "index     ", Term("0", "what", bold=True)),
    )


def _notice(found: Scene, row: int, timing: Timing | None, price: Price, context: Context) -> str:
    if found.item is not None and found.row is None:
        return f"{missing_notice(found)} {said('layer.other_row', id=found.id(row))}"
    if timing is not None:
        return said("layer.same" if timing.same else "layer.close")
    if context.clock is not None and price.products > MOST:
        return said("layer.too_large", name=price.name)
    return ""


PAGE = Page(frame, controls, act, beats)
