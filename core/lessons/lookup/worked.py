"""Lookup in numbers and words: the product written out as on a blackboard, and the picture as a sentence.

The numbers are those in the cells. A small table is multiplied out in full; of a large one a zero term, the term that
counts and the result are written, and the zeros in between are counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.lessons.lookup.scene import Scene, offers
from core.stage.frame import Index, Term, Worked, line
from core.stage.numbers import count
from core.stage.text import has_text, text
from core.tables.table import Table

WRITTEN = 3  # numbers of a long row that are written out


def worked(scene: Scene) -> Worked:
    """0 × [row 0] + … + 1 × [row 2] + … = [row 2], at most 72 characters a line."""
    if scene.row is None:
        item = scene.item
        if item is None:
            return Worked()
        return Worked((line(Term(text("lookup.worked_missing", word=_cut(item.text)), "muted")),))
    return _whole(scene, scene.row) if scene.small else _excerpt(scene, scene.row)


def alt(scene: Scene) -> str:
    """The picture in words, with its numbers."""
    cards = ", ".join(_card(scene, index) for index in range(min(len(scene.items), 12)))
    cards = text("lookup.alt_cards", cards=cards) if cards else text("lookup.alt_no_cards")
    table = {"rows": count(scene.size), "dim": count(scene.table.dim), "table": table_name(scene.table)}
    if scene.row is not None:
        values = ", ".join(scene.numbers(scene.row)[:WRITTEN])
        if not scene.small:
            first = scene.columns[0]
            values = text("lookup.alt_excerpt", numbers=values, columns=_columns(scene, first + WRITTEN))
        row = row_name(scene, scene.row)
        return " ".join((text("lookup.alt", row=row, id=scene.id(scene.row), numbers=values, **table), cards))
    if scene.item is not None:
        near = ", ".join(f"{word} ({number})" for word, number in offers(scene))
        near = text("lookup.alt_near", words=near) if near else ""
        return " ".join((text("lookup.alt_missing", word=scene.item.text, **table), cards, near)).strip()
    return " ".join((text("lookup.alt_empty", **table), cards))


def table_name(table: Table) -> str:
    """The table as a sentence calls it."""
    key = f"lookup.table.{table.id}"
    return text(key) if has_text(key) else table.title


def row_name(scene: Scene, row: int) -> str:
    """``cat (ID 4937)``, or the ID alone where the table has no words."""
    name = scene.name(row)
    return text("lookup.row_named", word=name, id=scene.id(row)) if name else text("lookup.id", id=scene.id(row))


def columns_text(scene: Scene) -> str:
    """Which of a row's numbers the window shows, counted from 0."""
    return _columns(scene, scene.columns[1])


def _columns(scene: Scene, stop: int) -> str:
    last = min(stop, scene.columns[1]) - 1
    return text("lookup.columns", first=count(scene.columns[0]), last=count(last), dim=count(scene.table.dim))


def _card(scene: Scene, index: int) -> str:
    item = scene.items[index]
    if item.id is None:
        return text("lookup.alt_card_missing", word=item.text)
    return text("lookup.row_named", word=item.text, id=item.id) if item.text else text("lookup.id", id=item.id)


# --- the product -----------------------------------------------------------------------------------------------------


def _whole(scene: Scene, picked: int) -> Worked:
    cells = [scene.numbers(row) for row in range(scene.table.rows)]
    width = max(len(entry) for row in cells for entry in row)
    terms = [_term(scene, row, int(row == picked), _vector(numbers, width)) for row, numbers in enumerate(cells)]
    fit = max(1, (Worked.COLUMNS + 1) // (len(terms[0].text) + 3))
    each = math.ceil(len(terms) / math.ceil(len(terms) / fit))  # as many on every line, except perhaps the last
    lines: list[list[Term]] = []
    for row, term in enumerate(terms):
        if row % each == 0:
            lines.append([Term("  " if row == 0 else "+ ", "muted"), term])
        else:
            lines[-1] += [Term(" + ", "muted"), term]
    result = _result(scene, picked, _vector(cells[picked], width))
    close = [Term(" "), *result]
    if len(lines) % Worked.PAGE == 0 and _width([*lines[-1], *close]) <= Worked.COLUMNS:
        lines[-1] += close  # rather than alone on the next page
    else:
        lines.append(result)
    for note in (text("lookup.worked_so", id=scene.id(picked)), text("lookup.worked_so_short", id=scene.id(picked))):
        comment = Term("   " + note, "muted")
        if _width([*lines[-1], comment]) <= Worked.COLUMNS:
            lines[-1].append(comment)
            break
    return Worked(tuple(tuple(entry) for entry in lines))


def _excerpt(scene: Scene, picked: int) -> Worked:
    """A zero term whose row is on the stage, the zeros that are left, the term that counts, the result."""
    zeros = scene.size - 1
    shown = next((row for row in (picked - 1, picked + 1) if scene.rows[0] <= row < scene.rows[1]), None)
    first: list[Term] = [Term("  ")]
    numbers = _ends(scene, scene.numbers(picked))
    width = max(len(entry) for entry in numbers)
    if shown is not None:
        zeros -= 1
        beside = _ends(scene, scene.numbers(shown))
        width = max(width, *(len(entry) for entry in beside))
        first += [_term(scene, shown, 0, _vector(beside, width)), Term(" + ", "muted")]
        first.append(Term(text("lookup.worked_more_zeros", zeros=count(zeros)), "muted"))
    else:
        first.append(Term(text("lookup.worked_all_zeros", zeros=count(zeros)), "muted"))
    second = [Term("+ ", "muted"), _term(scene, picked, 1, _vector(numbers, width))]
    rest = scene.table.dim - scene.columns[0] - min(len(range(*scene.columns)), WRITTEN)
    if rest:
        second.append(Term("   " + text("lookup.worked_more_numbers", numbers=count(rest)), "muted"))
    third = _result(scene, picked, _vector(numbers, width))
    comment = Term("   " + text("lookup.worked_exactly", row=row_name(scene, picked)), "muted")
    if _width([*third, comment]) <= Worked.COLUMNS:
        third.append(comment)
    return Worked((tuple(first), tuple(second), tuple(third)))


def _term(scene: Scene, row: int, factor: int, vector: str) -> Term:
    lights: list[tuple[str, Index]] = []
    if scene.rows[0] <= row < scene.rows[1]:
        lights = [("onehot", (0, row)), *_cells("E", row, scene)]
    return Term(f"{factor} × {vector}", "what" if factor else "muted", tuple(lights), bold=bool(factor))


def _result(scene: Scene, row: int, vector: str) -> list[Term]:
    return [Term("= "), Term(vector, "text", tuple(_cells("result", row, scene)), bold=True)]


def _cells(key: str, row: int, scene: Scene) -> list[tuple[str, Index]]:
    return [(key, (row, column)) for column in range(*scene.columns)]


def _vector(numbers: Sequence[str], width: int = 0) -> str:
    """``[ 0.5  0.9 −0.2 ]``: signs under signs."""
    width = max(width, *(len(entry) for entry in numbers if entry != "…"))
    return "[" + " ".join(entry if entry == "…" else entry.rjust(width) for entry in numbers) + " ]"


def _ends(scene: Scene, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """The first few numbers of the window, with dots where the row goes on."""
    few = numbers[:WRITTEN]
    before = ("…",) if scene.columns[0] > 0 else ()
    after = ("…",) if scene.columns[0] + len(few) < scene.table.dim else ()
    return (*before, *few, *after)


def _width(terms: Sequence[Term]) -> int:
    return sum(len(term.text) for term in terms)


def _cut(word: str) -> str:
    return word if len(word) <= 24 else word[:23] + "…"
