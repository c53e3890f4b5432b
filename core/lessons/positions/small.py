"""What stands beside the position table: hands, waves, the shift as one matrix, lengths, bars."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.positions.panels import DECIMALS, said
from core.lessons.positions.rows import learned_lengths, rows_of, shift_block, word
from core.lessons.positions.state import (
    BITS,
    DIALS_WIDE,
    WORD,
    PositionsState,
    at,
    dial_places,
    exists,
    frequency,
    pairs,
    reading,
    rows,
    shown_size,
)
from core.lessons.positions.worked import flipped
from core.stage.frame import (
    ArraySource,
    Axis,
    Bars,
    Cell,
    Curve,
    Dials,
    Hand,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
    Points,
    Rect,
    Region,
)
from core.stage.numbers import count, number, short
from core.stage.theme import Role

LANES = 3
CYCLES = 60  # more than that across a small panel is a band, not a line


# --- hands -----------------------------------------------------------------------------------------------------------


def dials_panel(state: PositionsState, cell: Cell) -> Panel:
    """The picked position as the angles of hands: across is the cosine, up the sine."""
    shown = pairs(state)
    speeds = np.array([frequency(state, pair) for pair in shown])
    angles = reading(state) * speeds
    hands = [Hand("hand", angles, "where")]
    if state.offset:
        turn = np.fmod(state.offset * speeds, 2 * np.pi)
        hands.append(Hand("shifted", angles + turn, "text", np.full(len(shown), 0.6)))
    everything = state.d_model // 2
    name = "title" if everything == len(shown) else "title_some"
    title = said(
        "dials.title_1" if everything == 1 else f"dials.{name}",
        row=count(at(state)),
        count=_word(len(shown)),
        all=count(everything),
    )
    caption = said("dials.caption")
    if state.offset:
        caption = said("dials.caption_shift", other=count(at(state) + state.offset))
    return Panel(
        "dials_panel",
        cell,
        (
            Dials(
                "dials",
                tuple(hands),
                Rect(0.0, 0.0, DIALS_WIDE, 1.0),
                dial_places(len(shown))[0],
                _dial_names(shown),
                wedge=("hand", "shifted") if state.offset else None,
                picked=shown.index(state.pair) if state.pair in shown else -1,
            ),
        ),
        title=title,
        caption=caption,
        x=Axis(0.0, DIALS_WIDE),
        equal=len(shown) <= 2,  # large ones, whose hands can be dragged
    )


def _dial_names(shown: tuple[int, ...]) -> tuple[str, ...]:
    """``pair 0``, and only the numbers after it where the dials are small."""
    few = len(shown) <= 4
    return tuple(said("dials.label", pair=count(pair)) if few or pair == shown[0] else count(pair) for pair in shown)


def _word(amount: int) -> str:
    """A small number in words."""
    return said(f"count.{amount}").lower() if amount <= 12 else count(amount)


# --- waves -----------------------------------------------------------------------------------------------------------


def waves_panel(state: PositionsState, cell: Cell) -> Panel:
    """The sines of a few pairs over the position, one below the other, with their periods."""
    here = reading(state)
    start = max(0.0, here - 0.75 * state.span)
    end = start + state.span
    shown = waves(state)
    lanes = np.arange(len(shown)) + 0.7
    ends_of_now = np.stack([lanes - 0.28, lanes + 0.28], axis=1).ravel()
    breaks = tuple(range(2, 2 * len(shown), 2))  # the names of the waves stay free
    marks: list[Mark] = [Curve("now", np.full(2 * len(shown), here), ends_of_now, "where", "thin", "dash", breaks)]
    for lane, pair in enumerate(shown):
        speed = frequency(state, pair)
        middle, high = float(lanes[lane]), 0.25
        cycles = state.span * speed / (2 * math.pi)
        if cycles > CYCLES:
            ends = np.array([start, end])
            marks.append(Region(f"wave.{pair}", ends, np.full(2, middle - high), np.full(2, middle + high)))
        else:
            x = np.linspace(start, end, min(max(64, int(16 * cycles) + 1), 1000))
            marks.append(Curve(f"wave.{pair}", x, middle - high * np.sin(x * speed), "where"))
        dot = np.array([middle - high * math.sin(here * speed)])
        marks.append(Points(f"dot.{pair}", np.array([here]), dot, "where", 1.4))
        label = said("waves.label", pair=count(pair), period=period(state, pair))
        marks.append(Label(f"name.{pair}", start, lane + 0.2, label, "small", "text", "left", bold=pair == state.pair))
    return Panel(
        "waves_panel",
        cell,
        tuple(marks),
        title=said("waves.title"),
        caption=said("waves.caption"),
        x=Axis(start, end, _ticks(start, end)),
        y=Axis(0.0, float(len(shown))),
        invert_y=True,
    )


def waves(state: PositionsState) -> tuple[int, ...]:
    """The pairs that are drawn as waves: the fastest, the slowest, one between or the picked one."""
    shown = pairs(state, LANES)
    if state.pair in shown or len(shown) < LANES:
        return shown
    return tuple(sorted((shown[0], state.pair, shown[-1])))


def period(state: PositionsState, pair: int) -> str:
    """Positions that one turn of a pair takes, as a lesson writes it: 6.28, 628.3, 62,832."""
    turn = 2 * math.pi / frequency(state, pair)
    return number(turn, 2 if turn < 100 else 1 if turn < 1000 else 0)


def _ticks(start: float, end: float) -> tuple[tuple[float, str], ...]:
    rough = (end - start) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(start / step)
    return tuple((place * step, count(place * step)) for place in range(first, math.floor(end / step) + 1))


# --- the shift as one matrix -----------------------------------------------------------------------------------------


def shift_panel(state: PositionsState, cell: Cell) -> Panel:
    """M(k) · row p = row p + k, with the cells' numbers."""
    matrix, shown = shift_block(state, shown_size(state))
    size = len(shown)
    here, other = at(state), at(state) + state.offset
    now, then = rows_of(state).at(np.array([here, other]), np.array(shown))
    gap, slim = 0.12 * size, max(1.0, 0.22 * size)
    places = DECIMALS if state.numbers else None
    apart = np.arange(size) // 2
    outline: tuple[Outline, ...] = ()
    if 2 * state.pair < size:
        outline = (Outline(2 * state.pair, 2 * state.pair, 2, 2, "where"),)
    blocks = (
        ("matrix", matrix, 0.0, float(size), said("shift.matrix", offset=_k(state))),
        ("now", now[:, None], size + gap, slim, said("shift.row", row=count(here))),
        ("then", then[:, None], size + 2 * gap + slim, slim, said("shift.row", row=count(other))),
    )
    marks: list[Mark] = []
    for key, values, x, wide, name in blocks:
        marks.append(
            Matrix(
                key,
                ArraySource(values),
                (0, size),
                (0, values.shape[1]),
                (-1.0, 1.0),
                place=Rect(x, 0.0, wide, float(size)),
                decimals=places,
                plain=(apart[:, None] != apart[None, :]) if key == "matrix" else None,
                outlines=outline if key == "matrix" else (),
                hover="{value}",
            )
        )
        role: Role = "text" if key == "matrix" else "where"
        marks.append(Label(f"{key}.name", x + wide / 2, -0.12 * size, name, "small", role, bold=True))
    for key, sign, x in (("times", "·", size + gap / 2), ("equals", "=", size + 1.5 * gap + slim)):
        marks.append(Label(key, x, size / 2, sign, "title", bold=True))
    everything = state.d_model // 2
    return Panel(
        "shift_panel",
        cell,
        tuple(marks),
        title=said(
            "shift.title" if 2 * everything == size else "shift.title_some",
            offset=_k(state),
            row=count(here),
            other=count(other),
            pairs=size // 2,
            all=count(everything),
        ),
        caption=said("shift.caption"),
        x=Axis(0.0, size + 2 * (gap + slim)),
        y=Axis(-0.22 * size, float(size)),
        invert_y=True,
    )


def _k(state: PositionsState) -> str:
    return number(state.offset, 0)


# --- learned and naive schemes ---------------------------------------------------------------------------------------


def lengths_panel(state: PositionsState, cell: Cell) -> Panel:
    """The length of every learned row, and the place where there are no rows any more."""
    lengths = learned_lengths()
    last = len(lengths) - 1
    high, end = 2.5, 1.4 * (last + 1)
    here = at(state)
    marks: list[Mark] = [
        Region("beyond", np.array([last + 1.0, end]), np.zeros(2), np.full(2, high), "warn", hatched=True),
        Curve("lengths", np.arange(last + 1.0), lengths, "where"),
    ]
    if here <= last:
        marks.append(Points("lengths.picked", np.array([float(here)]), lengths[here : here + 1], "where", 1.6))
    else:
        marks.append(
            Label("lengths.none", (last + end) / 2, high / 2, said("lengths.none"), "label", "warn", bold=True)
        )
    ticks = tuple((float(row), str(row)) for row in (0, 128, 256, 384, 512))
    return Panel(
        "lengths_panel",
        cell,
        tuple(marks),
        title=said("lengths.title"),
        caption=said("lengths.caption", last=last),
        x=Axis(0.0, end, ticks, said("lengths.axis")),
        y=Axis(0.0, high, ((0.0, "0"), (1.0, "1"), (2.0, "2"))),
    )


def bars_panel(state: PositionsState, cell: Cell) -> Panel:
    """The picked row as bars: next to the position the word's own numbers vanish, or don't."""
    here = at(state)
    values = rows_of(state).at(np.array([here]), np.arange(WORD + 1))[0]
    value = float(values[WORD])
    top = max(1.0, value)
    labels = tuple(short(entry) for entry in values)
    x = np.arange(WORD + 1.0)
    marks: tuple[Mark, ...] = (
        Bars("bars", x[:WORD], values[:WORD], "what", labels=labels[:WORD]),
        Bars("bars.position", x[WORD:], values[WORD:], "where"),
        Label("bars.value", float(WORD), value + 0.02 * top, labels[WORD], "label", "where", "bottom", bold=True),
    )
    caption = said("bars.caption", word=short(float(np.abs(word("cat")).max())), value=short(value))
    if not exists(state):
        refusal = said("table.missing", row=count(here))
        marks = (Label("bars.missing", WORD / 2, 0.5 * top, refusal, "label", "warn", bold=True),)
        caption = ""
    return Panel(
        "bars_panel",
        cell,
        marks,
        title=said("bars.title", row=count(here)),
        caption=caption,
        x=Axis(-0.6, WORD + 0.8, ((1.5, said("bars.word")), (float(WORD), said("table.index")))),
        y=Axis(-0.35 * top, 1.3 * top, ((0.0, "0"),)),
    )


def flips_panel(state: PositionsState, cell: Cell) -> Panel:
    """How many binary digits change from each row in view to the next."""
    first, stop = rows(state)
    here = at(state)
    flips = np.array([float(flipped(row)) for row in range(first, stop)])
    every = -(-(stop - first) // (8 if stop <= 10_000 else 3))
    ticks = tuple((float(row), count(row)) for row in range(first, stop, every))
    return Panel(
        "flips_panel",
        cell,
        (Bars("flips", np.arange(first, stop, dtype=float), flips, "where", picked=here - first),),
        title=said("bars.flips_title"),
        caption=said(
            "bars.flips_caption", row=count(here), other=count(here + 1), count=flipped(here), digits=count(BITS)
        ),
        x=Axis(first - 0.6, stop - 0.4, ticks),
        y=Axis(0.0, 1.15 * max(4.0, float(flips.max())), ((0.0, "0"), (2.0, "2"), (4.0, "4"))),
    )
