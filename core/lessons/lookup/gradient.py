"""A step of gradient descent on a toy loss: only the rows of the sentence's tokens change, and each occurrence adds."""

from __future__ import annotations

import numpy as np

from core.lessons.lookup.gradient_step import PLACES, TARGET, Step, picked_of, rate_of, sentence_items, step_of
from core.lessons.lookup.pages import (
    WIDE,
    Page,
    card,
    cut,
    equals,
    factor,
    head_panel,
    note,
    noted,
    panel,
    quoted,
    rounded,
    said,
    signed_legend,
)
from core.lessons.lookup.scene import card_width, fitting
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import (
    ArraySource,
    Axis,
    Cards,
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
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, number, short

CARD_ROOM = 35.0  # letters of the cards' row


def frame(state: LookupState, context: Context) -> Frame:
    """The table before, the gradient, the table after."""
    step = step_of(state, context)
    if not step.occurrences:
        return _nothing(state, step)
    row, column = picked_of(state, step)
    used = len(set(step.occurrences))
    twice = next((entry for entry in step.occurrences if step.occurrences.count(entry) > 1), None)
    subtitle = said("gradient.subtitle") if twice is None else said("gradient.subtitle_twice", word=step.name(twice))
    return Frame(
        title=said("gradient.title", used=count(used), rows=count(step.table.rows)),
        subtitle=subtitle,
        panels=(
            _tables_panel(state, step, row, column),
            _cards_panel(state, step),
            _loss_panel(state, step, used),
        ),
        worked=Worked(_worked(state, step, row, column)),
        alt=said("gradient.alt", used=count(used), rows=count(step.table.rows), rate=short(rate_of(state)),
                 word=step.name(row) or count(row), times=_times(step.times(row)),
                 before=number(float(step.before[step.rows.index(row), column]), step.places),
                 after=number(float(step.after[step.rows.index(row), column]), PLACES)),
        notice=_notice(step, context),
    )  # fmt: skip


def controls(state: LookupState) -> tuple[str, ...]:
    return ("loss", "rate")


def beats(state: LookupState, context: Context) -> int:
    """One second for each occurrence that is added."""
    return len([item for item in sentence_items(context)[1] if item.id is not None])


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """A row of the stage or a card of the sentence is picked: its arithmetic is written out."""
    step = step_of(state, context)
    if not step.occurrences:
        return state
    row, column = picked_of(state, step)
    keys = ("before", "gradient", "after")
    match event:
        case Pick(key=key, index=(int(place), int(across), *_)) if key in keys:
            if 0 <= place < len(step.rows) and 0 <= across < step.before.shape[1]:
                return _with(state, step, step.rows[place], across)
        case Pick(key="cards", index=(int(place), *_)):
            at = place + _cards(state, step)[1]
            if 0 <= at < len(step.items) and at in step.at:
                return _with(state, step, step.occurrences[step.at.index(at)], column)
        case Key(key=key, name=name) if key in keys:
            place = step.rows.index(row)
            down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(name, (0, 0))
            place = min(max(place + down, 0), len(step.rows) - 1)
            return _with(state, step, step.rows[place], min(max(column + right, 0), step.before.shape[1] - 1))
    return state


def _with(state: LookupState, step: Step, row: int, column: int) -> LookupState:
    chosen = step.table.id_of(row).id
    return params.replace(state, learned_id=chosen, learned_column=column)


# --- the picture -----------------------------------------------------------------------------------------------------


def _tables_panel(state: LookupState, step: Step, picked: int, column: int) -> Panel:
    n, columns = step.before.shape
    cell_high = min(1.62, 8.2 / n)
    top, high = 1.5, cell_high * n
    used = np.array([step.times(row) > 0 for row in step.rows])
    still = np.broadcast_to(~used[:, None], step.before.shape)
    outlines = (Outline(step.rows.index(picked), column),)
    level = max(float(np.abs(np.stack([step.before, step.after])).max(initial=0.0)), 1e-6)
    slope = max(float(np.abs(step.gradient).max(initial=0.0)), 1e-6)
    names = tuple(_row_name(step, row) for row in step.rows)
    xs, wides = (6.6, 36.6, 66.6), (27.2, 27.2, 32.5)
    # A gradient's size says nothing of the numbers': it has a scale of its own.
    parts = (
        ("before", step.before, level, step.places, said("gradient.before")),
        ("gradient", step.gradient, slope, step.places, said("gradient.gradient")),
        ("after", step.after, level, PLACES, said("gradient.after")),
    )
    marks: list[Mark] = []
    for x, wide, (key, values, limit, places, head) in zip(xs, wides, parts, strict=True):
        marks.append(Label(f"{key} name", x + wide / 2, 0.5, head, "label", "muted", bold=True))
        marks.append(
            Matrix(
                key,
                ArraySource(values),
                (0, n),
                (0, columns),
                (-limit, limit),
                Rect(x, top, wide, high),
                "signed",
                places,
                characters=places + 3,
                row_labels=names if key == "before" else (),
                outlines=outlines,
                plain=still,
                hover=said("gradient.hover"),
                row_names=names,
            )
        )
    # The heads read as one equation: the tables need the width between them for their numbers.
    for place, key, written in ((1, "rate", f"− {short(rate_of(state))} ×"), (2, "equals", "=")):
        x = (xs[place - 1] + wides[place - 1] + xs[place]) / 2
        marks.append(Label(key, x, 0.5, written, "label", "text", bold=True))
    return head_panel(
        state,
        Cell(0, 0, 8, 12),
        tuple(marks),
        legend=signed_legend(),
        x=Axis(0.0, WIDE),
        y=Axis(0.0, top + 8.3),
        invert_y=True,
    )


def _row_name(step: Step, row: int) -> str:
    return step.name(row) or count(row)


def _cards(state: LookupState, step: Step) -> tuple[Cards, int]:
    """The sentence's cards; the one whose gradient was added last is picked while it plays."""
    at = step.at[step.done - 1] if step.done else 0
    playing = 0.0 < state.progress < 1.0
    widths = [card_width(item.text, item.below) for item in step.items]
    start, stop = fitting(widths, at if playing else 0, CARD_ROOM)
    cards = tuple(card(step.items[place], playing and place == at) for place in range(start, stop))
    return Cards("cards", cards, Rect(0.0, 0.0, WIDE, 4.0)), start


def _cards_panel(state: LookupState, step: Step) -> Panel:
    title = said("gradient.added", done=step.done, all=len(step.occurrences))
    return panel("cards_panel", Cell(8, 0, 4, 7), (_cards(state, step)[0],), WIDE, 4.0, title=title)


def _loss_panel(state: LookupState, step: Step, used: int) -> Panel:
    before, after = (number(value, 2) for value in step.loss)
    idle = step.table.rows - used
    readouts = (
        Readout("idle", count(idle), said("gradient.idle"), "text", "number", said("gradient.idle_detail")),
        Readout(
            "loss", f"{before} → {after}", said("gradient.loss"), "what", "title", said(f"gradient.loss_{state.loss}")
        ),
    )
    return Panel("loss_panel", Cell(8, 7, 4, 5), readouts=readouts)


# --- in words --------------------------------------------------------------------------------------------------------


def _worked(state: LookupState, step: Step, row: int, column: int) -> tuple[Line, ...]:
    place = step.rows.index(row)
    old, times = rounded(float(step.before[place, column]), step.places), step.times(row)
    lights = tuple((key, (place, column)) for key in ("before", "gradient", "after"))
    name = quoted(_row_name(step, row), 6)
    cell = f"{name}[{column}]"
    written = number(old, step.places)
    if not times:
        zero = Term("0", "what", lights[1:2], bold=True)
        same = line(
            f"{cell} after  = {written} − {short(rate_of(state))} × 0 = ", Term(written, "what", lights[2:], bold=True)
        )
        return (line(f"{name}: {said('gradient.not_there')}   gradient = ", zero), same)
    places = step.places if state.loss == "pull" else 0
    one = rounded(old - TARGET, places) if state.loss == "pull" else 1.0
    each = f"({written} − 1)" if state.loss == "pull" else "1"
    total = rounded(float(step.gradient[place, column]), places)
    some = " + ".join([each] * times) if times <= 2 else f"{times} × {each}"
    sum_ = "" if some == number(total, places) else f"{some} {equals(one * times, total, places)} "
    change = rate_of(state) * total
    new = float(step.after[place, column])
    whole = "=" if abs(rounded(change, 4) - change) < 1e-9 else "≈"
    sign = "=" if abs(old - rounded(change, 4) - rounded(new, PLACES)) < 1e-9 else "≈"
    plus = "+" if change < 0 else "−"
    return (
        noted(
            _times(times),
            f"{cell} gradient = {sum_}",
            Term(number(total, places), "what", lights[1:2], bold=True),
        ),
        line(
            f"{cell} after = {written} − {short(rate_of(state))} × {factor(total, places)} {whole} {written} {plus} "
            f"{short(abs(change), 4)} {sign} ",
            Term(number(new, PLACES), "what", lights[2:], bold=True),
        ),
        line(Term(_others(step), "muted")),
        *_loss_lines(step),
    )


def _times(times: int) -> str:
    return said("gradient.once" if times == 1 else "gradient.times", times=times)


def _loss_lines(step: Step) -> tuple[Line, ...]:
    """The loss as the sum of what each row gives, times its occurrences; nothing where that is too long a line."""
    lines = []
    for key, parts, total in zip(("before", "after"), step.row_losses, step.loss, strict=True):
        terms = [(step.occurrences.count(row), rounded(part, PLACES)) for row, part in parts]
        sum_ = sum(times * part for times, part in terms)
        written = " + ".join(f"{times} × {factor(part, PLACES)}" if times > 1 else factor(part, PLACES)
                             for times, part in terms)  # fmt: skip
        start = f"{said(f'gradient.loss_{key}')} = {written} {equals(sum_, total, 2)} "
        if len(start) + len(number(total, 2)) > Worked.COLUMNS:
            return ()
        lines.append(line(start, Term(number(total, 2), "what", bold=True)))
    return tuple(lines)


def _others(step: Step) -> str:
    idle = step.table.rows - len(set(step.occurrences))
    return said("gradient.others" if idle > 1 else f"gradient.others_{idle}", rows=count(idle))


def _notice(step: Step, context: Context) -> str:
    missing = [item.text for item in step.items if item.id is None]
    if step.table is not context.table:
        return said("gradient.notice_table")
    if missing:
        return said("notice_missing", words=", ".join(map(cut, missing[:3])), table=step.table.title)
    return ""


def _nothing(state: LookupState, step: Step) -> Frame:
    say = note("say", 0.0, 5.0, said("gradient.nothing"), "text", bold=True)
    big = head_panel(state, Cell(0, 0, 12, 12), (say,), x=Axis(0.0, WIDE), y=Axis(0.0, 12.0), invert_y=True)
    return Frame(
        said("gradient.title_nothing"), said("gradient.subtitle"), (big,), Worked(), said("gradient.alt_nothing")
    )


PAGE = Page(frame, controls, act, beats)
