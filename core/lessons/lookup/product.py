"""The big picture of Lookup: one-hot × E = row, at rest and on its way; or the table beside what is missing."""

from __future__ import annotations

import dataclasses

import numpy as np

from core.lessons.lookup.pages import address, between, signs
from core.lessons.lookup.places import HIGH, WIDE, Motion, Places, motion, places
from core.lessons.lookup.scene import OneHotSource, Scene, TableSource, nameless, offers
from core.lessons.lookup.state import LookupState
from core.lessons.lookup.worked import columns_text
from core.stage.frame import Axis, Card, Cards, Cell, Label, Mark, Matrix, Outline, Panel, Rect
from core.stage.numbers import count
from core.stage.text import text
from core.stage.theme import Role

HEADING = 1.32  # a letter's width in a heading


def big_panel(state: LookupState, scene: Scene) -> Panel:
    """The product itself; without a picked row, the table beside a sentence that says what is missing."""
    marks = _product(state, scene) if scene.row is not None else _without_row(scene)
    tall = scene.card_rows
    return Panel(
        key="big",
        cell=Cell(tall, 0, 12 - tall, 12),
        marks=marks,
        caption="" if scene.small else _window_text(scene),
        x=Axis(0.0, WIDE),
        y=Axis(0.0, HIGH),
        invert_y=True,
    )


def _product(state: LookupState, scene: Scene) -> tuple[Mark, ...]:
    assert scene.row is not None
    row = scene.row
    now = motion(state.progress)
    labels = _row_labels(scene)
    at = places(scene, labels)
    number = scene.id(row)
    seen = scene.row_in_window
    middle, level = at.onehot.y + at.onehot.height / 2, at.result.y + at.result.height / 2
    onehot = _onehot(scene, at, now)
    marks: list[Mark] = [
        _heading("onehot head", at.onehot.x, at.head, text("lookup.onehot", id=number)),
        _table_heading(scene, at),
        _heading("result head", at.result.x, at.head, text("lookup.exactly", id=number)),
        Label("times", at.times, middle, "×", "title", "text", bold=True),
        onehot,
        dataclasses.replace(_matrix(scene, at, labels, now), opacity=now.others),
    ]
    key, down = ("lookup.onehot_note", 1.9) if scene.small else ("lookup.onehot_note_two", 3.0)
    if scene.card_rows >= 6:  # a lower panel: its units are smaller
        down *= 1.5
    under, note = at.onehot.y + at.onehot.height + down, text(key, zeros=count(scene.size - 1))
    marks.append(Label("onehot note", at.onehot.x, under, note, "small", "muted", "left"))
    marks += _dots(scene, at, middle, level, now)
    if now.moving and seen:
        marks += _picked(scene, at, onehot, now)
    result = _result(scene, at, now, row)
    if now.slide in (0.0, 1.0) or not _covers(result, at.equals):
        marks.append(Label("equals", at.equals, level, "=", "title", "text", bold=True))
    return (*marks, result)


def _covers(matrix: Matrix, x: float) -> bool:
    """Whether the matrix stands where a sign at ``x`` would be written across it."""
    place = matrix.place
    return place is not None and place.x - 1.5 < x < place.x + place.width + 1.5


def _onehot(scene: Scene, at: Places, now: Motion) -> Matrix:
    """The one-hot row: the entries that belong to the rows on the stage."""
    assert scene.row is not None
    first, stop = scene.rows
    zeros = np.arange(first, stop)[None, :] != scene.row
    return Matrix(
        "onehot",
        OneHotSource(scene.table.rows, scene.row),
        (0, 1),
        scene.rows,
        (-1.0, 1.0),
        at.onehot,
        "none",
        None if scene.dense else 0,
        plain=None if now.bright else zeros,
        fills=(Outline(0, scene.row),) if scene.row_in_window else (),
        opacity=now.others,
        separate=scene.small,
    )


def _matrix(scene: Scene, at: Places, labels: tuple[str, ...], now: Motion) -> Matrix:
    rows, columns = scene.rows[1] - scene.rows[0], scene.columns[1] - scene.columns[0]
    plain = None
    if not (now.bright or scene.dense):
        plain = np.ones((rows, columns), dtype=bool)
        if scene.row_in_window and scene.row is not None:
            plain[scene.row - scene.rows[0]] = False
    outlines: tuple[Outline, ...] = ()
    if scene.row_in_window and scene.row is not None:
        outlines = (Outline(scene.row, scene.columns[0], 1, columns),)
    wide = columns < scene.table.dim and not scene.dense
    return Matrix(
        "E",
        TableSource(scene.table),
        scene.rows,
        scene.columns,
        (-scene.level, scene.level),
        at.table,
        "signed",
        None if scene.dense else scene.decimals,
        row_labels=labels,
        column_labels=tuple(count(column) for column in range(*scene.columns)) if wide else (),
        outlines=outlines,
        plain=plain,
        separate=scene.small,
        hover=text("lookup.hover"),
        row_names=tuple(str(scene.id(row)) for row in range(*scene.rows)),
        scrolls=not scene.small,
    )


def _picked(scene: Scene, at: Places, onehot: Matrix, now: Motion) -> list[Mark]:
    """While the rest fades: the 1 and the row that it picks, in full strength."""
    assert scene.row is not None
    n = scene.rows[1] - scene.rows[0]
    wide, high = at.onehot.width / n, at.table.height / n
    place = scene.row - scene.rows[0]
    one = dataclasses.replace(
        onehot,
        key="one",
        columns=(scene.row, scene.row + 1),
        place=Rect(at.onehot.x + wide * place, at.onehot.y, wide, at.onehot.height),
        plain=None,
        opacity=1.0,
    )
    row = _row(scene, "picked", Rect(at.table.x, at.table.y + high * place, at.table.width, high))
    return [one, row]


def _result(scene: Scene, at: Places, now: Motion, row: int) -> Matrix:
    """The product, on its way from the row's place in E to the right."""
    if now.slide >= 1.0:
        return dataclasses.replace(_row(scene, "result", at.result), opacity=now.result)
    n = scene.rows[1] - scene.rows[0]
    high = at.table.height / n
    place = min(max(row - scene.rows[0], 0), n - 1)  # of a row that was scrolled away: the window's edge
    start = (at.table.x, at.table.y + high * place, at.table.width, high)
    end = dataclasses.astuple(at.result)
    between = Rect(*(a + (b - a) * now.slide for a, b in zip(start, end, strict=True)))
    return _row(scene, "result", between)


def _row(scene: Scene, key: str, place: Rect) -> Matrix:
    """The picked row alone."""
    assert scene.row is not None
    columns = scene.columns[1] - scene.columns[0]
    return Matrix(
        key,
        TableSource(scene.table),
        (scene.row, scene.row + 1),
        scene.columns,
        (-scene.level, scene.level),
        place,
        "signed",
        None if scene.dense else scene.decimals,
        outlines=(Outline(scene.row, scene.columns[0], 1, columns),),
        separate=scene.small,
        hover=text("lookup.hover"),
        row_names=(str(scene.id(scene.row)),),
    )


def _row_labels(scene: Scene) -> tuple[str, ...]:
    if nameless(scene.table):
        return ()
    return tuple(f"{scene.name(row)}  {scene.id(row)}".lstrip() for row in range(*scene.rows))


def _heading(key: str, x: float, y: float, written: str) -> Label:
    return Label(key, x, y, written, "label", "muted", "left", bold=True)


def _table_heading(scene: Scene, at: Places) -> Label:
    """Above E, and further to the left where it would run into the next one."""
    written = _matrix_name(scene)
    return _heading("E head", min(at.table.x, at.result.x - 1.5 - HEADING * len(written)), at.head, written)


def _matrix_name(scene: Scene) -> str:
    sizes = {"rows": count(scene.size), "dim": count(scene.table.dim)}
    if scene.size != scene.table.rows:
        return text("lookup.matrix_part", shipped=count(scene.table.rows), **sizes)
    return text("lookup.matrix", **sizes)


def _dots(scene: Scene, at: Places, middle: float, level: float, now: Motion) -> list[Mark]:
    """Dots where a row or the one-hot goes on beyond the window."""
    dots: list[Mark] = []

    def dot(key: str, x: float, y: float = level) -> None:
        dots.append(Label(key, x, y, "⋯", "heading", "muted"))

    if scene.rows[0] > 0:
        dot("onehot before", at.onehot.x - 1.4, middle)
    if scene.rows[1] < scene.table.rows:
        dot("onehot after", at.onehot.x + at.onehot.width + 1.4, middle)
    if now.moving:
        return dots  # the row's own would lie in its way
    if scene.columns[1] < scene.table.dim:
        dot("E after", at.table.x + at.table.width + 1.6)
        dot("result after", at.result.x + at.result.width + 1.6)
    if scene.columns[0] > 0:
        dot("result before", at.result.x - 1.6)
    return dots


def _window_text(scene: Scene) -> str:
    first, stop = scene.rows
    if scene.size == scene.table.rows:
        window = text("lookup.window", first=address(first), last=address(stop - 1), rows=count(scene.table.rows))
    else:  # rows and IDs part where only some rows ship: the labels are IDs
        ids = {"first": address(scene.id(first)), "last": address(scene.id(stop - 1)), "end": address(scene.size - 1)}
        window = text("lookup.window_ids", **ids)
    parts = [window, columns_text(scene)]
    if scene.size != scene.table.rows:
        parts.append(text("lookup.part"))
    names = (*_row_labels(scene), *(item.text for item in scene.items))
    parts.append(signs(names, scene.table.vocabulary.spelling))
    return between(parts)


# --- nothing to look up ----------------------------------------------------------------------------------------------


def _without_row(scene: Scene) -> tuple[Mark, ...]:
    item = scene.item
    missing = item is not None
    labels = _row_labels(scene)
    at = places(scene, labels)
    table = dataclasses.replace(at.table, x=WIDE - at.table.width - 2.0)
    key = "missing" if missing else "empty"
    word = "" if item is None else item.text if len(item.text) <= 20 else item.text[:19] + "…"
    role: Role = "warn" if missing else "text"
    marks: list[Mark] = [
        Label("say", 0.0, 9.0, text(f"lookup.{key}_first", word=word), "heading", role, "left", bold=True),
        Label("say more", 0.0, 12.5, text(f"lookup.{key}_second"), "label", "muted", "left"),
        Label("E head", table.x + table.width, at.head, _matrix_name(scene), "label", "muted", "right", bold=True),
        _matrix(scene, dataclasses.replace(at, table=table), labels, Motion()),
    ]
    near = offers(scene)
    if near:
        cards = tuple(Card(found, text("lookup.id", id=number)) for found, number in near)
        marks.append(Label("near head", 0.0, 17.5, text("lookup.near"), "label", "text", "left"))
        marks.append(Cards("near", cards, Rect(0.0, 19.2, 46.0, 8.0)))
    return tuple(marks)
