"""The first page: the array of the present station, its shape, the picked number, and the way to the station's tab."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.lessons.pipeline import compute, links, strip
from core.lessons.pipeline.compute import Run
from core.lessons.pipeline.state import IN_HEAD, SQUARE, PipelineState, column_of, name_of, width_of, window_of
from core.lessons.pipeline.wording import DECIMALS, cut, quoted, said
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Card,
    Cards,
    Cell,
    Label,
    Legend,
    Mark,
    Matrix,
    Outline,
    Panel,
    Readout,
    Rect,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, number, short
from core.stage.words import segments

MOST_ROWS = 4  # of q and of k
MOST_WHOLE = 5  # of one table with a row for each token
MOST_IDS = 4  # beside the button
_LEAST_CARDS = 4  # that a row of cards has room for
_ROOM = 7  # characters: six-character numbers keep off their cells' edges
_MORE = 0.4  # columns' room for "of 384"


def panels(state: PipelineState, run: Run, typed: str, context: Context) -> tuple[Panel, ...]:
    return (
        strip.panel(state, 1, max(len(run.read.pieces), 1), max(run.n, 1)),
        big_panel(state, run, typed, strip.BIG),
        shape_panel(state, compute.shape(state.path, name_of(state), 1, tokens_at(state, run))),
        _here_panel(state, run, context),
    )


def tokens_at(state: PipelineState, run: Run) -> int:
    """How many tokens the station's array holds: from the lookup on, those with a row."""
    return max(len(run.read.pieces) if name_of(state) in strip.WORDS else run.n, 1)


def big_panel(state: PipelineState, run: Run, typed: str, cell: Cell, caption: bool = True) -> Panel:
    """The array of the present station."""
    station = name_of(state)
    choice = segments("pipeline", state, "path")
    if station in strip.WORDS or not run.n:
        marks = _cards(state, station, run, typed)
        note = said("caption.no_rows") if not run.n and station not in strip.WORDS else ""
        return Panel("array_panel", cell, marks, caption=note or said(f"caption.{station}"), choice=choice,
                     x=Axis(0.0, 100.0), y=Axis(0.0, 100.0), invert_y=True)  # fmt: skip
    marks, width, high = _array(state, run)
    level = levels(run.arrays[station])
    ends = short(level, 4)
    return Panel(
        "array_panel",
        cell,
        marks,
        caption=_caption(state, run) if caption else "",
        choice=choice,
        legend=Legend("signed", MINUS + ends, ends),
        x=Axis(0.0, width),
        y=Axis(0.0, high),
        invert_y=True,
    )


# MiniLM's 8-bit rows after LayerNorm against the float32 original's, rounded up; a test measures them.
DEGREES, ERROR = 1.81, 0.025


def _caption(state: PipelineState, run: Run) -> str:
    station = name_of(state)
    own = f"{station}_{state.path}" if station in ("lookup", "position", "norm", "block", "score") else station
    found = said(f"caption.{own}", head=run.head, heads=compute.HEADS[run.path], degrees=short(DEGREES),
                 error=short(ERROR))  # fmt: skip
    if any("␣" in word for word in run.words):
        found += said("caption.space")
    if state.first:
        found += said("caption.first")
    low, end = rows_shown(state, run.n)
    return found if end - low == run.n else said("rows_of", low=low, high=end - 1, count=run.n) + found


def levels(array: Array) -> float:
    """Where the colours end: a number with one digit that most cells lie below."""
    most = 2.5 * float(np.sqrt(np.mean(np.square(array)))) or 1.0
    power = 10.0 ** np.floor(np.log10(most))
    return float(np.ceil(most / power - 1e-9) * power)


@lru_cache(maxsize=64)
def _source(array_id: int, run: Run, station: str, part: int) -> ArraySource:
    """Kept, so that the same array is not drawn again."""
    array = run.arrays[station]
    return ArraySource(array if array.ndim == 2 else array[part])


def _array(state: PipelineState, run: Run) -> tuple[tuple[Mark, ...], float, float]:
    """The window on the array, and the extent of its panel in cells."""
    station, n = name_of(state), run.n
    array = run.arrays[station]
    start, stop = window_of(state, run)
    level = levels(array)
    width = width_of(state, run)
    seen = stop - start
    names = tuple(f"{count(place)} {cut(word, 9)}" for place, word in zip(run.positions, run.words, strict=True))
    square = station in SQUARE
    columns = names if square else tuple(map(str, range(start, stop)))
    picked = min(state.key_token, state.token) if square else column_of(state, run)
    hidden = np.triu(np.ones((n, n), dtype=bool), 1) if square else None
    marks: list[Mark] = []
    pair = station in IN_HEAD
    top = 0.0
    low, end = rows_shown(state, n)
    names = names[low:end]
    for part, key in enumerate(("array", "array_k") if pair else ("array",)):
        labels = tuple(f"{'qk'[part]} {name}" for name in names) if pair else names
        outlines = [Outline(state.token, start, 1, seen, "key" if part else "query")]
        if station == "turn" and start <= picked // 2 * 2 and picked // 2 * 2 + 2 <= stop:
            outlines.append(Outline(state.token, picked // 2 * 2, 1, 2, "where"))
        if start <= picked < stop:
            outlines.append(Outline(state.token, picked, 1, 1, "key" if square else "what"))
        marks.append(
            Matrix(
                key,
                _source(id(array), run, station, part),
                rows=(low, end),
                columns=(start, stop),
                levels=(-level, level),
                place=Rect(0.0, top, float(seen), float(end - low)),
                decimals=DECIMALS,
                characters=0 if square else _ROOM,
                row_labels=labels,
                column_labels=columns if not part else (),
                row_role=("query", "key")[part] if pair else "muted",
                outlines=tuple(outlines),
                mask=hidden if hidden is not None and hidden.any() else None,
                mask_text=MINUS + "∞",
                hover=said("hover_score" if square else "hover_cell"),
                row_names=run.words,
                column_names=run.words if square else (),
                scrolls=not square and seen < width,
            )
        )
        top += end - low + 0.35
    high = top - 0.35
    wide = float(seen)
    if not square and width > seen:
        marks.append(Label("of all", seen + _MORE, high / 2, said("of_all", width=count(width)), "small", "muted"))
        wide += 2 * _MORE
    return tuple(marks), wide, high


def rows_shown(state: PipelineState, n: int) -> tuple[int, int]:
    """First and last + 1 of the rows in view: those around the picked token, with room for their numbers."""
    station = name_of(state)
    most = n if station in SQUARE else MOST_ROWS if station in IN_HEAD else MOST_WHOLE
    low = min(max(state.token - most // 2, 0), max(n - most, 0))
    return low, min(low + most, n)


def _cards(state: PipelineState, station: str, run: Run, typed: str) -> tuple[Mark, ...]:
    """Before there are vectors: the text, its tokens, their IDs, in GPT-2's vocabulary and in the path's own."""
    if station == "text":
        return (
            Label("typed", 50.0, 44.0, quoted(typed, 48), "title", "text", bold=True),
            Label("characters", 50.0, 66.0, said("characters", count=count(len(typed))), "label", "muted"),
        )
    own = run.path in ("learned", "rope")
    here = run.read.known[state.token] if run.n else None  # the picked token
    rows = [("gpt2", compute.sentence("gpt2", typed).pieces)] + ([(run.path, run.read.pieces)] if own else [])
    marks: list[Mark] = []
    each = 100.0 / len(rows)
    for at, (name, pieces) in enumerate(rows):
        marks.append(Label(f"vocabulary {name}", 0.0, at * each + 7.0, said(f"vocabulary.{name}"), "label", "muted",
                           "left", bold=True))  # fmt: skip
        cards = []
        for piece in pieces:
            known = "–" if piece.id is None else str(piece.id)
            title, below = (known, cut(piece.shown)) if station == "ids" else (cut(piece.shown), known)
            cards.append(Card(title, below, "text", piece is here, faint=piece.id is None,
                              hover=said("hover.missing") if piece.id is None else ""))  # fmt: skip
        if cards:
            # Cards of one width in both rows; a few of them do not fill the row.
            wide = 100.0 * len(cards) / max(_LEAST_CARDS, *(len(entry) for _, entry in rows))
            place = Rect(0.0, at * each + 13.0, wide, min(each - 16.0, 46.0))
            marks.append(Cards(f"cards {name}", tuple(cards), place, even=True))
    return tuple(marks)


def shape_panel(state: PipelineState, shape: tuple[int, ...], size: bool = True) -> Panel:
    """The shape as numpy writes it, and what its numbers count; with ``size``, how many numbers they are."""
    numbers = int(np.prod(shape))
    own = state.path if state.page == "walk" and name_of(state) in ("tokens", "ids") else ""
    label = said("shape_in", model=said(f"model.{own}")) if own else said("shape")
    names = said(f"axes.{name_of(state) if len(shape) != 3 else 'rows'}")
    return Panel(
        "shape_panel",
        strip.UPPER,
        readouts=(Readout("shape", strip.shape_text(shape), label, "what", "number", names),),
        caption=_numbers(state, numbers) if size and name_of(state) not in strip.WORDS else "",
    )


def _numbers(state: PipelineState, numbers: int) -> str:
    """How many numbers the array holds; inside a head those of q, and those of k."""
    if name_of(state) not in IN_HEAD:
        return said("numbers", count=count(numbers))
    keys = numbers * compute.KEY_HEADS[state.path] // compute.HEADS[state.path]
    return said(f"numbers_{state.path}", count=count(numbers), keys=count(keys))


def _here_panel(state: PipelineState, run: Run, context: Context) -> Panel:
    """The picked number, and the tab that teaches this station."""
    station = name_of(state)
    tab, link = links.target(state, run, context.shared)
    readouts: tuple[Readout, ...]
    if station in strip.WORDS or not run.n:
        typed = compute.parts(context.shared.sentence)[0]
        pieces = compute.sentence("gpt2", typed).pieces
        told = station if run.n else "ids"
        if told == "ids" and len(pieces) > MOST_IDS:
            told = "tokens"  # the cards beside it have all IDs
        value = {
            "text": count(len(typed)),
            "tokens": said("in_gpt2.many", count=len(pieces)),
            "ids": ", ".join(str(piece.id) for piece in pieces),
        }[told]
        readouts = (Readout("here", value, said(f"in_gpt2.{told}"), "what", "title"),)
    else:
        array = run.arrays[station]
        square = station in SQUARE
        column = min(state.key_token, state.token) if square else column_of(state, run)
        value_ = float((array if array.ndim == 2 else array[0])[state.token, column])
        word = quoted(run.words[state.token], 10)
        key = "asks" if square else "number_of_q" if station in IN_HEAD else "number_of"
        other = quoted(run.words[column], 10) if square else ""
        readouts = (Readout("here", number(value_, DECIMALS), said(key, word=word, column=column, other=other), "what",
                            "title"),)  # fmt: skip
    button = Cards(
        "open",
        (Card(said("open", tab=said(f"tab_name.{tab}")), role="what", hover=said("open_hover")),),
        Rect(0.0, 0.0, 1.0, 1.0),
        even=True,
        link=link,
    )
    return Panel("here_panel", strip.LOWER, (button,), readouts=readouts, x=Axis(0.0, 1.0), y=Axis(0.0, 1.0))
