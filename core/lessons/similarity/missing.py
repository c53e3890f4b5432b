"""A word without a row: it is said to be missing, and spellings that have a row are offered."""

from __future__ import annotations

from core.lessons.similarity.asked import offers_for
from core.lessons.similarity.state import SimilarityState, Word, clipped, list_of, table_name
from core.stage.frame import Card, Cards, Cell, Frame, Label, Mark, Panel, Rect, Worked
from core.stage.lesson import Context
from core.stage.text import text
from core.stage.words import segments
from core.tables.table import Table
from core.tables.tokens import visible


def missing_frame(
    state: SimilarityState, context: Context, table: Table, missing: tuple[tuple[str, Word], ...], notes: list[str]
) -> Frame:
    """``missing``: each parameter that names a word without a row (first, second or words), and that word."""
    marks: list[Mark] = []
    computing = False
    name = table_name(table)
    high = 1.0 / max(len(missing), 1)
    for place, (field, entry) in enumerate(missing):
        top = place * high
        said = text("similarity.missing.empty")
        if entry.typed.strip():
            said = text("similarity.missing.word", word=clipped(entry.shown, 24))
        marks.append(Label(f"missing_{place}", 0.05, top + 0.2 * high, said, "title", anchor="left", bold=True))
        offers = offers_for(table, entry, context)
        computing = computing or offers is None
        hint = "common.computing" if offers is None else "similarity.missing.offer"
        if offers is not None and not offers:
            hint = "similarity.missing.nothing"
        marks.append(Label(f"offer_{place}", 0.05, top + 0.4 * high, text(hint), "label", "muted", "left"))
        if offers:
            cards = tuple(Card(visible(token, table.vocabulary.spelling), role="what") for token in offers)
            marks.append(Cards(f"{field}_offers", cards, Rect(0.05, top + 0.5 * high, 0.9, 0.34 * high)))
    if not missing:
        marks.append(Label("missing_0", 0.05, 0.3, text("similarity.missing.empty_list"), "title", anchor="left"))
    words = list_of(tuple(entry.shown for _, entry in missing if entry.typed.strip()))
    panel = Panel(
        "missing_panel",
        Cell(0, 0, 12, 12),
        tuple(marks),
        caption=text("similarity.missing.caption", table=name),
        invert_y=True,
        choice=segments("similarity", state, "view"),
    )
    return Frame(
        text("similarity.title.missing", words=words, table=name) if words else text("similarity.title.empty"),
        text("similarity.subtitle.missing"),
        (panel,),
        Worked(),
        text("similarity.alt.missing", words=words or text("similarity.none"), table=name),
        computing=computing,
        notice=" ".join(notes),
    )
