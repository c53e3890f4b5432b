"""A fingerprint of hands, added one by one until no other position reads alike: the nearest look-alike is searched for
among a million rows, not written down.

Source: the lesson's clock of several dials; the second lesson's program, which rounds its rows to two decimals.
"""

from __future__ import annotations

import numpy as np

from core.lessons.positions.dials import DIALS_WIDE, dial_names, dial_places, in_words
from core.lessons.positions.lamps import RESOLUTION
from core.lessons.positions.pages import Page, head_panel, said, small, waiting, wave_name
from core.lessons.positions.search import NEAR, LookAlike, search_job
from core.lessons.positions.state import (
    LAST,
    PositionsState,
    at,
    frequency,
    hands_most,
    hands_on,
)
from core.lessons.positions.twins import alike, decimals_of, lines, places_of, values_of
from core.stage.frame import (
    ArraySource,
    Axis,
    Cell,
    Dials,
    Frame,
    Hand,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Table,
    Worked,
)
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.stage.numbers import count, number

Found = tuple[LookAlike, ...]


def frame(state: PositionsState, context: Context) -> Frame:
    """The two rows number by number, the hands of both, and the nearest look-alike for every number of hands."""
    job = Job(search_job, (at(state), state.d_model, state.base, hands_most(state), decimals_of(state)))
    found: Found = context.ask(job) or ()
    return Frame(
        _title(state, found),
        _subtitle(state),
        (_rows(state, found), _dials(state, found), _list(state, found)),
        Worked(lines(state, _now(state, found))),
        _alt(state, found),
        computing=not found,
    )


def _now(state: PositionsState, found: Found) -> LookAlike | None:
    """The look-alike of as many hands as are on."""
    return found[hands_on(state) - 1] if found else None


def _title(state: PositionsState, found: Found) -> str:
    twin = _now(state, found)
    hands = hands_on(state)
    many = "" if hands > 1 else "_1"
    if twin is None:
        return said("title.searching", row=count(at(state)))
    fields = {"hands": said(f"count.{hands}"), "row": count(at(state)), "other": count(twin.row)}
    if not alike(state, twin.gap):
        return said("title.fingerprint" + many, **fields)
    if state.round_to != "full":
        return said(
            "title.rounded_1" if state.round_to == "1" else "title.rounded",
            digits=in_words(int(state.round_to)),
            **fields,
        )
    return said("title.twin" + many, **fields)


def _subtitle(state: PositionsState) -> str:
    if state.round_to != "full":
        return said("subtitle.rounding")
    return said("subtitle.fingerprint", near=NEAR, last=count(LAST), gap=number(RESOLUTION))


# --- the two rows ----------------------------------------------------------------------------------------------------


def _rows(state: PositionsState, found: Found) -> Panel:
    """The numbers of both rows below one another and how far they are apart, as far as hands are on."""
    most, on, here = 2 * hands_most(state), 2 * hands_on(state), at(state)
    tall = float(max(most, 6))
    twin = _now(state, found)
    own = np.zeros((most, 1))
    own[:on, 0] = values_of(state, here, on // 2)
    mask = np.arange(most)[:, None] >= on
    places = places_of(state, twin)
    worst = _worst(state, twin)
    columns = [("pairs", own, said("fingerprint.row", row=count(here)), "signed")]
    marks: list[Mark] = []
    if twin is None:
        marks.append(waiting("waiting", 2.4, tall / 2))
    else:
        other = np.zeros((most, 1))
        other[:on, 0] = values_of(state, twin.row, on // 2)
        columns.append(("twins", other, said("fingerprint.row", row=count(twin.row)), "signed"))
        columns.append(("apart", np.abs(own - other), said("fingerprint.apart"), "none"))
    high = tall / most
    for place, (key, values, name, colours) in enumerate(columns):
        marks.append(
            Matrix(
                key,
                ArraySource(values),
                (0, most),
                (0, 1),
                (-1.0, 1.0),
                place=Rect(1.08 * place, 0.0, 1.0, most * high),
                colours=colours,  # type: ignore[arg-type]
                decimals=places,
                row_labels=tuple(wave_name(state, row) for row in range(most)) if place == 0 else (),
                column_labels=(name,),
                column_role="where" if place == 0 else "text",
                mask=mask,
                hover="{value}",
                outlines=(Outline(worst, 0, 1, 1, "text"),) if key == "apart" and worst is not None else (),
            )
        )
    return head_panel(
        state,
        Cell(0, 0, 12, 7),
        tuple(marks),
        note=said("table.key_signed", level="1"),
        caption=_caption(state, twin),
        x=Axis(0.0, 3.17),
        y=Axis(0.0, tall),
        invert_y=True,
        border="warn" if twin is not None and alike(state, twin.gap) else None,
    )


def _worst(state: PositionsState, twin: LookAlike | None) -> int | None:
    """The number in which the two rows are farthest apart; None where they do not differ, or none is found yet."""
    if twin is None or twin.gap == 0.0:
        return None
    on = hands_on(state)
    return int(np.abs(values_of(state, at(state), on) - values_of(state, twin.row, on)).argmax())


def _caption(state: PositionsState, twin: LookAlike | None) -> str:
    if twin is None:
        return said("fingerprint.searching", last=count(LAST))
    part = hands_on(state) < hands_most(state)
    if state.round_to != "full":
        name = "fingerprint.equal" if twin.gap == 0.0 else "fingerprint.differ"
        hatched = said("fingerprint.hatched") if part else ""
        return said(name, gap=small(twin.gap), digits=state.round_to) + hatched
    name = "fingerprint.nearest_part" if part else "fingerprint.nearest"  # a shorter one, which has room for more
    return said(name, gap=small(twin.gap), row=count(twin.row)) + (said("fingerprint.hatched") if part else "")


# --- beside it -------------------------------------------------------------------------------------------------------


def _dials(state: PositionsState, found: Found) -> Panel:
    """The hands that are on; the look-alike's are shorter."""
    most, on = hands_most(state), hands_on(state)
    speeds = np.array([frequency(state, pair) for pair in range(most)])
    lengths = np.where(np.arange(most) < on, 0.85, 0.0)
    hands = [Hand("own", np.fmod(at(state) * speeds, 2 * np.pi), "where", lengths)]
    twin = _now(state, found)
    if twin is not None:
        hands.append(Hand("twin", np.fmod(twin.row * speeds, 2 * np.pi), "text", 0.65 * lengths))
    shown, worst = tuple(range(most)), _worst(state, twin)
    caption = said("fingerprint.short", row=count(twin.row)) if twin is not None else said("dials.caption")
    return Panel(
        "fingerprint_dials",
        Cell(0, 7, _dials_rows(state), 5),
        (
            Dials(
                "reading",
                tuple(hands),
                Rect(0.0, 0.0, DIALS_WIDE, 1.0),
                dial_places(most)[0],
                dial_names(shown),
                picked=-1 if worst is None else worst // 2,  # the pair of the framed number
                faint=tuple(range(on, most)),
            ),
        ),
        title=said("fingerprint.dials" if on > 1 else "fingerprint.dials_1", row=count(at(state)), hands=in_words(on)),
        caption=caption,
        x=Axis(0.0, DIALS_WIDE),
        equal=most <= 2,
    )


def _dials_rows(state: PositionsState) -> int:
    """The height of the dials' panel, in rows of the stage: a long list below needs the more."""
    return 6 if hands_most(state) <= 4 else 5


def _list(state: PositionsState, found: Found) -> Panel:
    """The nearest look-alike for every number of hands."""
    top = _dials_rows(state)
    cell = Cell(top, 7, 12 - top, 5)
    if not found:
        return Panel("fingerprint_list", cell, (waiting("list.waiting", 0.5, 0.5),), title=said("fingerprint.list"))
    body = tuple(
        (
            count(hands),
            count(twin.row),
            "",
            small(twin.gap),
            said("fingerprint.alike") if alike(state, twin.gap) else said("fingerprint.unique"),
        )
        for hands, twin in enumerate(found, 1)
    )
    head = tuple(said(f"fingerprint.head_{name}") if name else "" for name in ("hands", "row", "", "gap", "verdict"))
    return Panel(
        "fingerprint_list",
        cell,
        (
            Table(
                "list",
                (head, *body),
                Rect(0.0, 0.0, 1.0, 1.0),
                widths=(0.75, 1.25, 0.15, 1.2, 1.2),
                picked=hands_on(state),
                picked_role="where",
                align=("right", "right", "left", "left", "left"),  # all begin with "0.": the points below one another
            ),
        ),
        title=said("fingerprint.list"),
        invert_y=True,
    )


# --- words -----------------------------------------------------------------------------------------------------------


def _alt(state: PositionsState, found: Found) -> str:
    twin = _now(state, found)
    if twin is None:
        return said("alt.searching", row=count(at(state)), last=count(LAST))
    each = "; ".join(f"{hands}: {count(entry.row)} ({small(entry.gap)})" for hands, entry in enumerate(found, 1))
    return said(
        "alt.fingerprint",
        row=count(at(state)),
        hands=count(hands_on(state)),
        other=count(twin.row),
        gap=small(twin.gap),
        each=each,
    )


PAGE = Page(frame, ("position", "hands", "round_to", "d_model", "base", "show"))
