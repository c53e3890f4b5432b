"""The head of the page Lookup: the buttons for the pages, the token cards, and the size of a table."""

from __future__ import annotations

from core.lessons.lookup.pages import between, signs
from core.lessons.lookup.scene import Item, Scene, card_width, card_window, nameless
from core.lessons.lookup.state import LookupState
from core.lessons.lookup.worked import table_name
from core.stage.frame import Axis, Card, Cards, Cell, Label, Mark, Panel, Rect
from core.stage.lesson import Context
from core.stage.numbers import count, memory, size
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments
from core.tables.vocabulary import GPT2

BYTES = (("float32", 4), ("float16", 2), ("int8", 1))
CARDS_TO = 58.0  # the cards' right end …
LOW = 1.4  # the height that the four lines of the table's size take at most
SIZE_AT = 62.0  # … and where the table's size begins, of 100


# --- the sentence ----------------------------------------------------------------------------------------------------


def cards_panel(state: LookupState, scene: Scene, context: Context) -> Panel:
    """The tokens with their IDs in the table's vocabulary, below GPT-2's IDs where they are asked for."""
    both = state.ids == "gpt2"
    marks: list[Mark] = []
    left = 12.0 if both else 0.0
    top = 1.05 if both else 0.0
    start, stop = card_window(scene)
    if both:
        marks.append(Label("gpt2 name", 0.0, 0.5, text("lookup.gpt2"), "label", "text", "left", bold=True))
        marks.append(Label("own name", 0.0, 1.55, table_name(scene.table), "label", "what", "left", bold=True))
        above = _gpt2_cards(scene, context)
        if above:
            marks.append(Cards("gpt2", above, Rect(left, 0.0, CARDS_TO - left, 0.95)))
    if scene.items:
        cards = tuple(_card(scene, index) for index in range(start, stop))
        marks.append(Cards("cards", cards, Rect(left, top, CARDS_TO - left, 0.95)))
    else:
        marks.append(Label("no cards", left, top + 0.475, text("lookup.no_cards"), "label", "muted", "left"))
    marks += _size_marks(scene, context, 2.0 if both else 0.95, both)
    gpt2_names = [token.shown for token in context.tokens_in("gpt2")] if both else []
    some = stop - start < len(scene.items)
    return Panel(
        key="cards",
        cell=Cell(0, 0, scene.card_rows, 12),
        marks=tuple(marks),
        note=text("lookup.cards_some", first=start + 1, last=stop, tokens=len(scene.items)) if some else "",
        choice=segments("lookup", state, "page"),
        caption=between((text("lookup.gpt2_caption"), signs(gpt2_names, GPT2.spelling))) if both else "",
        x=Axis(0.0, 100.0),
        y=Axis(-0.06, 2.0 if both else 0.95),
        invert_y=True,
    )


def _gpt2_cards(scene: Scene, context: Context) -> tuple[Card, ...]:
    """GPT-2's tokens of what the cards below show; the part that the picked card stands for is framed."""
    start, stop = card_window(scene)
    shown, picked = scene.items[start:stop], scene.item
    tokens = context.tokens_in("gpt2")
    if shown and shown[-1].end:
        tokens = tuple(token for token in tokens if token.end > shown[0].start and token.start < shown[-1].end)
    cards: list[Card] = []
    room = scene.room
    for token in tokens:
        below = text("lookup.id", id=token.id)
        room -= card_width(token.shown, below)
        if room < 0 and cards:
            break
        same = picked is not None and token.start < picked.end and picked.start < token.end
        cards.append(Card(token.shown, below, "text", same))
    return tuple(cards)


def _card(scene: Scene, index: int) -> Card:
    item: Item = scene.items[index]
    picked = index == scene.card
    if item.id is None:
        return Card(item.text, item.below, "muted", picked, faint=True, hover=text("common.not_there"))
    if not item.text:
        return Card(item.below, text("lookup.row", id=item.id), _role(picked), picked)
    return Card(item.text, item.below, _role(picked), picked)


def _role(picked: bool) -> Role:
    return "what" if picked else "text"


# --- what a table weighs ---------------------------------------------------------------------------------------------


def _size_marks(scene: Scene, context: Context, high: float, both: bool) -> list[Mark]:
    """Vocabulary × d of the table on the stage, in numbers and in bytes, at the right of the cards. The lesson's table
    without words weighs nothing: beside it stands the chosen model's, for comparison."""
    rows, dim = scene.size, scene.table.dim
    name = text("lookup.size_own")
    if nameless(scene.table):
        rows, dim = context.model.vocab_size, context.model.d_model
        name = text("lookup.size_compare", model=context.model.name)
    elif both:  # beside another vocabulary's IDs
        name = text("lookup.size_named", table=table_name(scene.table))
    elif scene.size != scene.table.rows:
        name = text("lookup.size_whole", table=table_name(scene.table))
    numbers = rows * dim
    start, high = 0.5 * max(high - LOW, 0.0), min(high, LOW)  # its four lines stay together in a higher panel
    shape = text("lookup.size_shape", rows=count(rows), dim=count(dim), numbers=size(numbers))
    marks: list[Mark] = [
        Label("size head", SIZE_AT, start + 0.07 * high, name, "small", "muted", "left", bold=True),
        Label("shape", SIZE_AT, start + 0.34 * high, shape, "label", "text", "left"),
    ]
    for place, (name, width) in enumerate(BYTES):
        x = SIZE_AT + (100.0 - SIZE_AT) * place / len(BYTES)
        marks.append(
            Label(f"{name} bytes", x, start + 0.66 * high, memory(numbers * width), "label", "text", "left", bold=True)
        )
        marks.append(Label(f"{name} name", x, start + 0.94 * high, text(f"lookup.{name}"), "small", "muted", "left"))
    return marks
