"""Table size: vocabulary × d for every published model, in numbers, in bytes, and as a share of the model."""

from __future__ import annotations

import numpy as np

from core.lessons.lookup.pages import Page, cut, head_panel, noted, said
from core.lessons.lookup.state import CHOSEN, LookupState
from core.stage import params
from core.stage.frame import (
    Axis,
    Bars,
    Cell,
    Event,
    Frame,
    Key,
    Line,
    Panel,
    Pick,
    Readout,
    Rect,
    Scroll,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import MINUS, count, memory, percent, size
from core.tables import models
from core.tables.models import UNKNOWN, Model

SHOWN = 8  # models on the stage
BYTES = (("float32", 4), ("bfloat16", 2), ("int8", 1))


def frame(state: LookupState, context: Context) -> Frame:
    """The list as bars, and the picked model in full."""
    entry = _picked(state, context)
    numbers, share = _numbers(entry), _share(entry)
    key = "size.title" if share is not None else "size.title_unknown"
    return Frame(
        title=said(key, model=entry.name, numbers=size(numbers), share=percent(share or 0.0, _places(share))),
        subtitle=said("size.subtitle"),
        panels=(_list_panel(state, context, entry), _numbers_panel(entry), _bytes_panel(entry), _output_panel(entry)),
        worked=Worked(_worked(entry)),
        alt=said("size.alt", model=entry.name, rows=count(entry.vocab_size), dim=count(entry.d_model),
                 numbers=count(numbers), bytes=memory(4 * numbers), output=_output(entry)),
    )  # fmt: skip


def controls(state: LookupState) -> tuple[str, ...]:
    return ("sort",)


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A bar is picked, the list is scrolled, arrow keys go to the next model."""
    if event.key != "sizes":
        return state
    listed = _listed(state)
    here = next(place for place, entry in enumerate(listed) if entry.id == _picked(state, context).id)
    first = _first(state, here, len(listed))
    match event:
        case Pick(index=(int(place), *_)) if 0 <= place < min(SHOWN, len(listed)):
            return params.replace(state, model_picked=listed[first + place].id, first_model=first)
        case Scroll(rows=rows) if rows:
            moved = min(max(first + rows, 0), max(len(listed) - SHOWN, 0))
            return params.replace(state, first_model=moved)
        case Key(name=name):
            last = len(listed) - 1
            target = {"up": here - 1, "down": here + 1, "home": 0, "end": last}.get(name, here)
            target = min(max(target, 0), last)
            if target == here:
                return state
            moved = min(max(first, target - SHOWN + 1), target)
            return params.replace(state, model_picked=listed[target].id, first_model=moved)
    return state


# --- the list --------------------------------------------------------------------------------------------------------


def _picked(state: LookupState, context: Context) -> Model:
    return context.model if state.model_picked == CHOSEN else models.model(state.model_picked)


def _numbers(entry: Model) -> int:
    return entry.vocab_size * entry.d_model


def _share(entry: Model) -> float | None:
    """Of the model's parameters, the table counted once."""
    return None if entry.parameters is UNKNOWN else _numbers(entry) / entry.parameters


def _places(share: float | None) -> int:
    return 0 if share is None or share >= 0.1 else 1


def _listed(state: LookupState) -> list[Model]:
    """All models, the largest first, or as the file has them; what is not known comes last."""
    listed = list(models.models())
    if state.sort == "numbers":
        listed.sort(key=lambda entry: -_numbers(entry))
    elif state.sort == "share":
        listed.sort(key=lambda entry: -(_share(entry) or 0.0))
    return listed


def _first(state: LookupState, here: int, length: int) -> int:
    last = max(length - SHOWN, 0)
    return min(state.first_model if state.first_model >= 0 else max(here - SHOWN // 2, 0), last)


def _list_panel(state: LookupState, context: Context, picked: Model) -> Panel:
    listed = _listed(state)
    here = next(place for place, entry in enumerate(listed) if entry.id == picked.id)
    first = _first(state, here, len(listed))
    shown = listed[first : first + SHOWN]
    if state.sort == "share":
        values = [_share(entry) or 0.0 for entry in shown]
        labels = [
            said("size.unknown") if _share(entry) is None else percent(_share(entry) or 0.0, 1) for entry in shown
        ]
    else:
        values = [float(_numbers(entry)) for entry in shown]
        labels = [
            said("size.product", rows=count(entry.vocab_size), dim=count(entry.d_model), numbers=size(_numbers(entry)))
            for entry in shown
        ]
    most = max(values) or 1.0
    places = np.arange(len(shown)) + 0.5
    bars = Bars("sizes", places, np.array(values) / most, "what", 0.62, labels=tuple(labels), horizontal=True,
                picked=next((place for place, entry in enumerate(shown) if entry.id == picked.id), -1),
                scrolls=True)  # fmt: skip
    note = said("size.listed", first=first + 1, last=first + len(shown), models=len(listed))
    ticks = tuple((float(place), cut(entry.name, 30)) for place, entry in zip(places, shown, strict=True))
    return head_panel(state, Cell(0, 0, 8, 12), (bars,), note=note, caption=said("size.scale"), x=Axis(0.0, 1.0),
                      y=Axis(0.0, float(len(shown)), ticks), invert_y=True)  # fmt: skip


# --- the picked model ------------------------------------------------------------------------------------------------


def _numbers_panel(entry: Model) -> Panel:
    share = _share(entry)
    readouts = [Readout("numbers", count(_numbers(entry)), said("size.numbers"), "what")]
    if share is not None and entry.parameters is not UNKNOWN:
        of = said("size.of", parameters=count(entry.parameters))
        readouts.append(Readout("share", percent(share, _places(share)), of, "text", "title"))
    else:
        readouts.append(Readout("share", said("size.unknown"), said("size.of_unknown"), "muted", "heading"))
    return Panel("numbers_panel", Cell(8, 0, 4, 4), readouts=tuple(readouts))


def _bytes_panel(entry: Model) -> Panel:
    rows = [(said("size.type"), said("size.each"), said("size.memory"))]
    rows += [(said(f"size.{name}"), count(width), memory(_numbers(entry) * width)) for name, width in BYTES]
    table = Table("bytes", tuple(rows), Rect(0.0, 0.0, 10.0, 4.0), (3.4, 2.0, 3.0), align=("left", "right", "right"))
    return Panel("bytes_panel", Cell(8, 4, 4, 4), (table,), x=Axis(0.0, 10.0), y=Axis(0.0, 4.0), invert_y=True)


def _output(entry: Model) -> str:
    """What the model does with its table at the output: tied, a matrix of its own, none, not known."""
    tied = entry.tied_embeddings
    return {True: "tied", False: "own", None: "none"}.get(tied, "unknown") if tied is not UNKNOWN else "unknown"


def _output_panel(entry: Model) -> Panel:
    kind = _output(entry)
    numbers = size(_numbers(entry))
    readout = Readout("output", said(f"size.output_{kind}"), said("size.output"), "text", "title")
    why = said(f"size.output_{kind}_why", numbers=numbers)
    return Panel("output_panel", Cell(8, 8, 4, 4), readouts=(readout,), caption=why)


def _worked(entry: Model) -> tuple[Line, ...]:
    numbers = _numbers(entry)
    product = f"{count(entry.vocab_size)} × {count(entry.d_model)} = "
    lines = [
        noted(said("size.worked_numbers"), product, Term(count(numbers), "what", bold=True)),
        line(f"{count(numbers)} × 4 bytes = {count(4 * numbers)} bytes ≈ ", Term(memory(4 * numbers), bold=True)),
    ]
    if entry.parameters is UNKNOWN:
        return tuple(lines)
    share = numbers / entry.parameters
    written = percent(share, _places(share))
    lines.append(line(f"{count(numbers)} / {count(entry.parameters)} ≈ ", Term(written, bold=True)))
    if entry.tied_embeddings is False:
        both = 2 * numbers / entry.parameters
        part = f"2 × {count(numbers)} / {count(entry.parameters)} ≈ {percent(both, _places(both))}"
        lines.append(noted(said("size.worked_own"), part))
    elif entry.tied_embeddings is True:
        rest = f"{count(entry.parameters)} {MINUS} {count(numbers)} = {count(entry.parameters - numbers)}"
        lines.append(noted(said("size.worked_rest"), rest))
    return tuple(lines)


PAGE = Page(frame, controls, act)
