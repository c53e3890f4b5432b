"""What adding mixes: (x + p)·(y + r) is four terms, two of which hold content and position at once. What rotating
keeps apart: a score that only the gap enters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.lessons.compare import arithmetic, maps, tiles
from core.lessons.compare.content import Words
from core.lessons.compare.schemes import Product, Scores, position_rows, rounded_up
from core.lessons.compare.state import CompareState, window
from core.lessons.compare.words import (
    about,
    big_panel,
    change_text,
    changed,
    clipped,
    column_names,
    counted_from,
    missing_notice,
    name_of,
    places,
    said,
    score_or_refused,
    score_text,
    tokens,
    told,
)
from core.stage.frame import (
    Axis,
    Cell,
    Frame,
    Label,
    Legend,
    Line,
    Mark,
    Panel,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count, number, shown
from core.values import dataclass

TERMS = ("content", "content_position", "position_content", "position")
LETTERS = 25  # for which there is room above a map
WRITTEN = ("x·y", "x·r", "p·y", "p·r")
SIDES = ((True, True), (True, False), (False, True), (False, False))
MIXED = (1, 2)


@dataclass(frozen=True)
class Seen:
    """The four terms and their sum, where the sentence stands; ``hidden`` where the learned table has no row."""

    words: Words
    n: int
    window: tuple[int, int]
    parts: tuple[Product, ...]
    total: Scores
    cell: tuple[int, int]

    @property
    def hidden(self) -> NDArray[np.bool_] | None:
        return self.total.hidden(self.window)

    @property
    def gone(self) -> bool:
        """Whether the picked cell has no score."""
        hidden, first = self.hidden, self.window[0]
        return hidden is not None and bool(hidden[self.cell[0] - first, self.cell[1] - first])


def seen(state: CompareState, words: Words, n: int, shift: int) -> Seen:
    parts = tuple(Product(state.added, sides, words, n, shift, state.d, state.trained) for sides in SIDES)
    total = Scores(state.added, words, n, shift, state.d, state.trained)
    return Seen(words, n, window(state, n), parts, total, (state.query, state.key))


def frame(state: CompareState, words: Words, n: int) -> Frame:
    here, start = seen(state, words, n, state.shift), seen(state, words, n, 0)
    panels = (_maps_panel(state, here, start), _mixed_panel(state, here, start), _table_panel(state, here, start))
    if here.gone:
        title, numbers = said("title.terms_wall", last=count(state.trained - 1)), said("refused")
    else:
        moved = "terms_learned" if state.added == "learned" else "terms_moved"
        title = said(f"title.{moved if state.shift else 'terms'}", places=places(state.shift))
        named = zip(TERMS, here.parts, strict=True)
        numbers = ", ".join(f"{said('terms.name.' + name)} {number(part.at(*here.cell))}" for name, part in named)
    alt = said(
        "alt.terms",
        added=name_of(state.added),
        shift=count(state.shift),
        terms=numbers,
        query=count(state.query + state.shift),
        asked=count(state.key + state.shift),
        n=count(n),
    )
    return Frame(title, said("subtitle.terms"), panels, _worked(state, here), alt, notice=missing_notice(words))


def scales(state: CompareState, here: Seen, start: Seen) -> tuple[float, float]:
    """The ends of two colour scales: of what holds the tokens alone and of the sums; and, finer, of the three terms
    with places, as they are where the sentence stands."""

    def most(seen_: Seen, sources: Sequence[Product | Scores]) -> float:
        whole = slice(*seen_.window)
        return max(float(np.abs(source.block(whole, whole)).max()) for source in sources)

    rope = Scores("rope", here.words, here.n, 0, state.d, state.trained)
    sums = max(most(start, (start.parts[0], start.total, rope)), most(here, (here.total,)))
    return rounded_up(sums), rounded_up(most(here, here.parts[1:]))


def _maps_panel(state: CompareState, here: Seen, start: Seen) -> Panel:
    top, fine = scales(state, here, start)
    marks: list[Mark] = []
    fields = ((0, 0), (1, 0), (0, 1), (1, 1))
    for at, (name, part, place) in enumerate(zip(TERMS, here.parts, fields, strict=True)):
        title = f"{said('terms.name.' + name)}  {WRITTEN[at]}"
        marks += _map(f"term_{name}", title, part, here, place, fine if at else top, at in MIXED)
    rope = Scores("rope", here.words, here.n, state.shift, state.d, state.trained)
    marks += _map("term_sum", said("terms.sum"), here.total, here, (2, 0), top, False)
    marks += _map("term_rope", said("terms.rope"), rope, here, (2, 1), top, False)
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, 3.0 - (1 - tiles.WIDE)),
        Axis(0.0, 2.0 - (1 - tiles.HIGH - tiles.TOP)),
        invert_y=True,
        note=said("terms.scale" if top == fine else "terms.scales", top=number(top, 0), fine=number(fine, 0)),
        legend=Legend("signed", MINUS, "+"),
        caption=f"{said('terms.caption')}{counted_from(state.shift)} {about(here.words, state)}"
        + (" " + said("about.learned") if state.added == "learned" else ""),
    )


def _map(
    key: str, title: str, source: Product | Scores, here: Seen, place: tuple[int, int], top: float, mixed: bool
) -> list[Mark]:
    """The terms of content alone know no wall."""
    free = source.scheme == "rope" if isinstance(source, Scores) else all(source.content)
    hidden = None if free else here.hidden
    names = here.words.repeated(here.n)[slice(*here.window)]
    labels, columns = tokens(names, source.shift, here.window[0]), column_names(names, LETTERS)
    name, *others = tiles.map_marks(
        key, title, source, place, top, here.cell, labels, here.window, False, hidden, 2, columns
    )
    assert isinstance(name, Label)
    return [replace(name, role="where" if mixed else "text", bold=mixed), *others]


def _mixed_panel(state: CompareState, here: Seen, start: Seen) -> Panel:
    """How far the mixed term of the picked pair has moved that moved further: that is what a moved sentence changes.
    All of it as the table beside it prints it."""
    if not state.shift and not here.gone:
        both = [told(here.parts[at].at(*here.cell)) for at in MIXED]
        written = said("terms.share_detail", sum=arithmetic.spelled(both, 3))
        readout = Readout("mixed", number(sum(both)), said("terms.share"), "where", detail=written)
        return Panel("mixed_panel", Cell(0, 8, 4, 4), readouts=(readout,))
    if here.gone:
        detail = said("maps.detail.learned", trained=count(state.trained))
        readout = Readout("mixed", said("refused"), said("terms.share"), "warn", "heading", detail=detail)
    else:
        change, at, before, after = mixed_change(here, start)
        detail = said("terms.mixed_detail", before=score_text(before), after=score_text(after))
        label = said("terms.mixed", term=WRITTEN[at])
        readout = Readout("mixed", change_text(change), label, "where", detail=detail)
    return Panel("mixed_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def mixed_change(here: Seen, start: Seen) -> tuple[float, int, float, float]:
    """Of x·r and p·y of the picked pair the one that has changed more: by how much, which, from where to where."""
    found = []
    for at in MIXED:
        before, after = start.parts[at].at(*here.cell), here.parts[at].at(*here.cell)
        found.append((changed(before, after), at, before, after))
    return max(found, key=lambda each: each[0])


def _table_panel(state: CompareState, here: Seen, start: Seen) -> Panel:
    """The picked cell's terms: what each knows; and once the sentence has moved, which of them noticed."""
    names = here.words.repeated(here.n)
    pair = maps.pair_of(state, here.words, here.n)
    labels = (*WRITTEN, said("terms.row_sum"), name_of("rope"))
    after = _values(here, pair)
    rows: list[tuple[str, ...]]
    head: tuple[str, ...]
    if state.shift:
        before = _values(start, pair.moved(-state.shift))
        head = ("term", "at_0", "at", "change")
        rows = [_row(name, *both) for name, *both in zip(labels, before, after, strict=True)]
    else:
        head = ("term", "value", "knows")
        knows = ("content", "content_position", "position_content", "position", "sum", "rope")
        rows = [
            (name, score_or_refused(value), said(f"terms.knows.{known}"))
            for name, value, known in zip(labels, after, knows, strict=True)
        ]
    table = Table(
        "terms",
        (tuple(said(f"terms.head.{name}", shift=count(state.shift)) for name in head), *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        align=("left", "right", "right" if state.shift else "left", "right"),
    )
    return Panel(
        "terms_panel",
        Cell(4, 8, 8, 4),
        (table,),
        title=said("terms.table", query=clipped(names[state.query]), asked=clipped(names[state.key])),
        caption=said(f"terms.kept.{state.added}"),
        invert_y=True,
    )


def _values(found: Seen, pair: arithmetic.Pair) -> list[float | None]:
    """The picked cell's four terms, their sum and RoPE's score; None where there is no row to add."""
    free, *others = (part.at(*found.cell) for part in found.parts)
    walled = [*others, found.total.at(*found.cell)]
    return [free, *([None] * len(walled) if found.gone else walled), pair.score("rope")]


def _row(name: str, before: float | None, after: float | None) -> tuple[str, ...]:
    change = "" if before is None or after is None else change_text(changed(before, after))
    return name, score_or_refused(before), score_or_refused(after), change


def _worked(state: CompareState, here: Seen) -> Worked:
    pair = maps.pair_of(state, here.words, here.n)
    if here.gone:
        return Worked(tuple(arithmetic.score_lines(state.added, replace(pair, lights=(("term_sum", here.cell),)))))
    values = [part.at(*here.cell) for part in here.parts]
    total = here.total.at(*here.cell)
    decimals, exact = arithmetic.added(values, total)
    pieces: list[str | Term] = []
    for at, value in enumerate(values):
        minus = shown(value, decimals) < 0
        sign = (f" {MINUS} " if minus else " + ") if at else MINUS if minus else ""
        lights = ((f"term_{TERMS[at]}", here.cell),)
        pieces += [sign, Term(number(abs(value), decimals), "where" if at in MIXED else "text", lights)]
    lines: list[Line] = [
        line(said("work.terms.rule", d=state.d)),
        line(*pieces, " = " if exact else " ≈ ", Term(number(total), "text", (("term_sum", here.cell),), bold=True)),
        line(
            said("work.terms.rope", gap=number(state.query - state.key, 0)),
            Term(score_text(pair.score("rope") or 0.0), "text", (("term_rope", here.cell),), bold=True),
        ),
    ]
    p, r = position_rows(state.added, np.array([float(pair.query), float(pair.key)]), state.d, state.trained)
    for written, a, b in zip(WRITTEN, (pair.x, pair.x, p, p), (pair.y, r, pair.y, r), strict=True):
        lines += arithmetic.product_lines(written, a, b)
    lines += [line(Term(said(f"work.terms.{fact}"), "muted")) for fact in ("mixed", "learned", "rotate")]
    return Worked(tuple(lines))
