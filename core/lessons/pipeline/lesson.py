"""The whole path: a sentence from its letters to the first block, for four ways to tell a position.

Sources are named in ``compute``. Positions, columns and layers count from 0, heads from 1.
"""

from __future__ import annotations

import dataclasses

from core.lessons.pipeline import arithmetic, code, compute, program, shapes, strip, walk, where, wording
from core.lessons.pipeline.compute import LAST_ROW, MOST, PATHS, STATIONS, Run
from core.lessons.pipeline.state import (
    IN_HEAD,
    SQUARE,
    PipelineState,
    check,
    column_of,
    follow,
    name_of,
    run_of,
    settle,
    step,
    width_of,
)
from core.lessons.pipeline.wording import DECIMALS, cut, quoted, said
from core.stage.frame import Axis, Cell, Curve, Event, Frame, Key, Label, Panel, Pick, Scroll, Term, Worked, line
from core.stage.lesson import Context, Lesson, Preset
from core.stage.motion import REST, blend
from core.stage.numbers import count, number
from core.stage.params import replace

# --- what a person does ----------------------------------------------------------------------------------------------

_ALONG = {"left": -1, "right": 1}
_DOWN = {"up": -1, "down": 1}


def act(state: PipelineState, event: Event, context: Context) -> PipelineState:
    state = settle(state)
    key = event.key
    if isinstance(event, Pick) and event.index:
        return _picked(state, key, event.index, context)
    if isinstance(event, Key):
        return _keyed(state, key, event.name, context)
    if isinstance(event, Scroll) and key in ("array", "array_k") and name_of(state) not in SQUARE:
        last = max(0, width_of(state, run_of(state, context)) - 1)
        return replace(state, window=min(max(state.window + event.columns, 0), last))
    return state


def _at(state: PipelineState, station: int) -> PipelineState:
    last = len(STATIONS[state.path]) - 1
    return replace(state, station=min(max(station, 0), last), travel=0.0)


def _picked(state: PipelineState, key: str, index: tuple[int, ...], context: Context) -> PipelineState:
    if key == "strip":
        return _at(state, index[0])
    if key in ("code", "program"):
        return _at(state, code.station_of(state, run_of(state, context), _typed(context), index[0]))
    if key.startswith("where ") and key[6:] in PATHS:
        return follow(state, replace(state, path=key[6:]))
    if key in ("array", "array_k") and len(index) == 2:
        return _cell(state, index[0], index[1])
    return state


def _cell(state: PipelineState, row: int, column: int) -> PipelineState:
    if row < 0 or column < 0:
        return state
    if name_of(state) in SQUARE:
        return replace(state, token=row, key_token=column) if column <= row else state
    return follow(state, replace(state, token=row, column=column))


def _keyed(state: PipelineState, key: str, name: str, context: Context) -> PipelineState:
    if key == "strip":
        goals = {"home": 0, "end": len(STATIONS[state.path]) - 1}
        return _at(state, goals.get(name, state.station + _ALONG.get(name, 0)))
    if key in ("array", "array_k"):
        run = run_of(state, context)
        square = name_of(state) in SQUARE
        column = state.key_token if square else column_of(state, run)
        column = min(max(column + _ALONG.get(name, 0), 0), width_of(state, run) - 1)
        return _cell(state, max(state.token + _DOWN.get(name, 0), 0), column)
    return state


# --- the picture -----------------------------------------------------------------------------------------------------


def frame(state: PipelineState, context: Context) -> Frame:
    """The present station; while the clock is between two, the mark below the strip slides."""
    at = check(settle(state), context)
    share = (at.travel - REST) / (1 - REST)  # blend eases it
    here = _frame(at, context)
    if share <= 0 or at.station + 1 >= len(STATIONS[at.path]):
        return here
    # Only the strip moves: what is read stays until the next station is reached.
    return blend(here, dataclasses.replace(here, panels=_slid(here, at)), share)


def _slid(here: Frame, state: PipelineState) -> tuple[Panel, ...]:
    """The panels with the strip's mark below the next station."""
    part = strip.WIDE / len(STATIONS[state.path])
    panels = []
    for panel in here.panels:
        marks = tuple(
            dataclasses.replace(mark, x=mark.x + part) if isinstance(mark, Curve) and mark.key == "present" else mark
            for mark in panel.marks
        )
        panels.append(dataclasses.replace(panel, marks=marks) if panel.key == "strip_panel" else panel)
    return tuple(panels)


def _typed(context: Context) -> str:
    found = compute.parts(context.shared.sentence)
    return found[0] if found else ""


def _frame(state: PipelineState, context: Context) -> Frame:
    typed = _typed(context)
    run = run_of(state, context)
    if not typed:
        return _empty(state)
    tokens = max(len(run.read.pieces), 1)
    if state.page == "where":
        panels, worked = where.panels(state, tokens, max(run.n, 1)), where.worked(state)
        title = said("title.where")
        subtitle, alt = said("subtitle.where"), said("alt.where")
    elif state.page == "shapes":
        found = shapes.batch(state, context)
        if not found.words:
            return _empty(state)
        panels, worked = shapes.panels(state, found), shapes.worked(state, found)
        word, place, own = found.moved or ("", 0, 0)
        title = said(f"title.{shapes.case(state, found)}", word=quoted(word), place=place, own=own)
        subtitle = said("subtitle.shapes")
        alt = _shapes_alt(state, found)
    elif state.page == "code":
        walked = walk.panels(state, run, typed, context)
        panels = code.panels(state, run, typed, walked[2:], tokens)
        title = said(f"title.{state.code}" if state.code == "program" else f"title.code_{state.path}")
        heads = compute.HEADS[state.path]
        subtitle = (
            said("subtitle.program") if state.code == "program" else said(f"subtitle.code_{state.path}", heads=heads)
        )
        if state.code != "program" and state.form == "torch":
            subtitle += " " + said("subtitle.torch")
        worked = _program_worked() if state.code == "program" else wording.unlit(arithmetic.worked(state, run, typed))
        alt = _code_alt(state, run, typed)
    else:
        panels, worked = walk.panels(state, run, typed, context), arithmetic.worked(state, run, typed)
        title, subtitle = _title(state, run), _subtitle(state, run)
        alt = _walk_alt(state, run, typed)
    return Frame(title, subtitle, panels, worked, alt, notice=_notice(state, run, context))


def _empty(state: PipelineState) -> Frame:
    mark = Label("empty", 50.0, 46.0, said("empty_do"), "heading")
    panel = Panel("empty_panel", Cell(4, 0, 8, 12), (mark,), x=Axis(0.0, 100.0), y=Axis(0.0, 100.0))
    facts = Worked((line(said("where.fact1")), line(said("where.fact2"))))
    return Frame(
        said("title.empty"), said("subtitle.empty"), (strip.panel(state, 1, 1, 1), panel), facts, said("alt.empty")
    )


def _title(state: PipelineState, run: Run) -> str:
    station = name_of(state)
    if station not in strip.WORDS and not run.n:
        return said("title.no_rows")
    if station in ("tokens", "ids") and run.read.missing:
        return said("title.missing", word=quoted(run.read.missing[0]))
    own = f"title.{station}_{state.path}"
    shared = station in ("text", "tokens", "ids", "scale", "qk", "turn", "bias")
    word = run.words[state.token] if run.n else ""
    place = run.positions[state.token] if run.n else 0
    return said(f"title.{station}" if shared else own, word=quoted(word), place=count(place))


def _subtitle(state: PipelineState, run: Run) -> str:
    return said(f"subtitle.{state.path}")


def _notice(state: PipelineState, run: Run, context: Context) -> str:
    """All that is not on the stage as it was typed: of the first sentence, on the page of the batch of every one."""
    found, many = [], shapes.sentences(state, context)
    reads = [run.read]
    if state.page == "shapes":
        reads = [compute.sentence(compute.VOCABULARY[state.path], one) for one in many[: compute.MOST_SENTENCES]]
    missing = tuple(dict.fromkeys(word for read in reads for word in read.missing))
    if missing:
        words = ", ".join(quoted(word) for word in missing[:4]) + (" …" if len(missing) > 4 else "")
        found.append(said("missing_batch" if state.page == "shapes" else "missing", words=words))
    cut_off = [read.too_many for read in reads if read.too_many]
    if state.page == "shapes" and cut_off:
        found.append(said("too_many_each", most=MOST, count=sum(cut_off)))
    elif cut_off:
        found.append(said("too_many", most=MOST, count=cut_off[0]))
    if state.page == "shapes" and len(many) > compute.MOST_SENTENCES:
        found.append(said("too_many_sentences", most=compute.MOST_SENTENCES, count=len(many) - compute.MOST_SENTENCES))
    if state.page != "shapes" and len(compute.parts(context.shared.sentence)) > 1:
        found.append(said("first_of_many"))
    return " ".join(found)


def _walk_alt(state: PipelineState, run: Run, typed: str) -> str:
    station = name_of(state)
    stations = ", ".join(strip.station_name(state.path, name) for name in STATIONS[state.path])
    start = said("alt.walk", sentence=cut(typed, 60), stations=stations,
                 station=strip.station_name(state.path, station), number=state.station + 1,
                 shape=strip.shape_text(compute.shape(state.path, station, 1, walk.tokens_at(state, run))))  # fmt: skip
    if station in strip.WORDS or not run.n:
        pieces = compute.sentence("gpt2", typed).pieces
        return start + " " + said("alt.ids", ids=", ".join(f"{cut(p.shown)} {p.id}" for p in pieces))
    array = run.arrays[station]
    square = station in SQUARE
    column = min(state.key_token, state.token) if square else column_of(state, run)
    value = float((array if array.ndim == 2 else array[0])[state.token, column])
    name = run.words[column] if square else count(column)
    key = "alt.score" if square else "alt.query" if station in IN_HEAD else "alt.cell"
    return start + " " + said(key, word=quoted(run.words[state.token]), name=name, value=number(value, DECIMALS))


def _shapes_alt(state: PipelineState, found: shapes.Batch) -> str:
    rows = []
    for words, mask, places in zip(found.words, found.mask, found.positions, strict=True):
        inner = iter(words)
        rows.append(" ".join(f"{cut(next(inner))} {place}" if there else said("alt.pad")
                             for there, place in zip(mask, places, strict=True)))  # fmt: skip
    shape = compute.shape(state.path, name_of(state), *found.shape)
    return said("alt.shapes", count=len(rows), rows="; ".join(rows), shape=strip.shape_text(shape))


def _code_alt(state: PipelineState, run: Run, typed: str) -> str:
    """The whole code: whoever exports the caption can copy it."""
    if state.code == "program":
        return said("alt.program") + "\n" + "\n".join((*program.LINES, "", *program.PRINTED))
    return said("alt.code") + "\n" + "\n".join(entry for _, entry in code.lines(state.path, state.form, run, typed))


def _program_worked() -> Worked:
    return Worked(
        (
            line(said("work.program_cat"), Term("0.36 + 0.54 = 0.90", "what", bold=True)),
            line(Term(said("work.program_round"), "muted")),
            line(Term(said("work.program_far"), "muted")),
        )
    )


def controls(state: PipelineState) -> tuple[str, ...]:
    """What can be set on the page at this station."""
    if state.page == "where":
        return ("path",)
    if state.page == "shapes":
        return ("padding", "counted", "others")
    station = name_of(state)
    cell: tuple[str, ...] = ("path",) if station == "text" else ("path", "token")
    if station not in strip.WORDS:
        cell = ("token", "key_token") if station in SQUARE else ("token", "column")
        cell += ("head",) if station in (*SQUARE, *IN_HEAD) else ()
        cell += ("first",)
    if state.page == "code":
        return ("code",) if state.code == "program" else ("code", "form", *cell)
    return cell


def ranges(state: PipelineState) -> dict[str, tuple[float, float]]:
    last = LAST_ROW + 1 - MOST if state.path == "learned" else 600
    return {"head": (1, min(9, compute.HEADS[state.path])), "first": (0, last)}


CAT = {"sentence": "The cat sat"}
MAT = {"sentence": "the cat sat on the mat"}

LESSON = Lesson(
    id="pipeline",
    state=PipelineState,
    frame=frame,
    act=act,
    step=step,
    beat=1.0,
    check=check,
    controls=controls,
    settle=settle,
    follow=follow,
    ranges=ranges,
    presets=(
        Preset("learned", {"path": "learned", "token": 2}, CAT),
        Preset("ids", {"path": "learned", "station": 2}, CAT),
        Preset("sum", {"path": "learned", "station": 4, "token": 2}, CAT),
        Preset("norm", {"path": "learned", "station": 5, "token": 2}, MAT),
        Preset("root_d", {"path": "sinusoidal", "station": 4, "token": 1}, CAT),
        Preset("sinusoidal", {"path": "sinusoidal", "station": 5, "token": 1}, CAT),
        Preset("rope", {"path": "rope", "station": 6, "token": 2}, CAT),
        Preset("rope_near", {"path": "rope", "station": 7, "token": 2, "first": 1}, CAT),
        Preset("rope_far", {"path": "rope", "station": 7, "token": 2, "first": 501}, CAT),
        Preset("alibi", {"path": "alibi", "station": 7, "token": 2}, CAT),
        Preset("missing", {"path": "rope", "station": 2}, {"sentence": "The axolotl sat"}),
        Preset("batch", {"page": "shapes", "station": 4}, CAT),
        Preset("left", {"page": "shapes", "station": 4, "padding": "left"}, CAT),
        Preset("left_moved", {"page": "shapes", "station": 4, "padding": "left", "counted": "all"}, CAT),
        Preset("left_rope", {"page": "shapes", "path": "rope", "station": 6, "padding": "left", "counted": "all"}, CAT),
        Preset("code", {"page": "code", "station": 4, "token": 2}, CAT),
        Preset("code_rope", {"page": "code", "path": "rope", "station": 6, "token": 2}, CAT),
        Preset("torch", {"page": "code", "form": "torch", "station": 5, "token": 2}, CAT),
        Preset("program", {"page": "code", "path": "sinusoidal", "code": "program", "station": 5}, CAT),
        Preset("where", {"page": "where", "station": 4}, CAT),
        Preset("where_rope", {"page": "where", "path": "rope", "station": 6}, CAT),
    ),
)
