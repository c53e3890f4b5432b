"""What stands beside the ideas that fail, and their arithmetic: drowned words, steps that shrink, digits that flip."""

from __future__ import annotations

import math

import numpy as np

from core.encodings import naive
from core.lessons.positions.pages import said, small
from core.lessons.positions.rows import word
from core.lessons.positions.state import BITS, WORD, PositionsState, at, columns, exists, limit, rows
from core.stage.frame import (
    Axis,
    Bars,
    Cell,
    Curve,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Rect,
    Region,
    Table,
    Term,
    Vectors,
    Worked,
    line,
)
from core.stage.numbers import count, number, short

Lights = tuple[tuple[str, tuple[int, ...]], ...]
DOTTED = 65  # longer texts are a line instead of dots
DROWNS = 10.0  # times the words' product: from here on a position drowns them
LONG = 2_000  # tokens: from here on three decimals say little


def _t(key: str, **fields: object) -> str:
    return said(f"worked.{key}", **fields)


# --- raw index: a word drowns ----------------------------------------------------------------------------------------


def dot_panel(state: PositionsState, cell: Cell) -> Panel:
    """The dot product of "cat" here and "dog" there, number by number."""
    here, other = at(state), at(state) + state.offset
    cat, dog = word("cat"), word("dog")
    body = [
        ("", count(column), short(a), short(b), number(a * b, 2), "")
        for column, (a, b) in enumerate(zip(cat, dog, strict=True))
    ]
    body.append(("", said("table.index"), count(here), count(other), count(float(here) * other), ""))
    words = (said("dot.word", word="cat"), said("dot.word", word="dog"))
    head = ("", said("dot.number"), *words, said("dot.product"), "")
    return Panel(
        "dot_panel",
        cell,
        (
            Table(
                "dot",
                (head, *body),
                Rect(0.0, 0.0, 1.0, 1.0),
                widths=(0.05, 1.15, 0.85, 0.85, 1.4 if here < 100_000 else 2.2, 0.05),
                picked=len(body),
                picked_role="where",
                align=("left", "left", "right", "right", "right", "left"),
            ),
        ),
        title=said("dot.title", row=count(here), other=count(other)),
        caption=said("dot.caption" if float(here) * other >= DROWNS * float(cat @ dog) else "dot.caption_near"),
        invert_y=True,
    )


def raw_lines(state: PositionsState) -> tuple[Line, ...]:
    """The dot product of "cat" here and "dog" there, position included."""
    here, other = at(state), at(state) + state.offset
    products = [round(float(a * b), 4) for a, b in zip(word("cat"), word("dog"), strict=True)]
    words = round(sum(products), 4)
    place = float(here) * float(other)
    total = words + place
    names = (_t("word_dot"), _t("place_dot", row=count(here), other=count(other)), _t("sum"))
    ends = (
        " + ".join(short(value, 4) for value in products) + f" = {short(words)}",
        count(place),
        f"{short(words)} + {count(place)} = {short(total)}",
    )
    wide = max(map(len, names))
    if wide + max(map(len, ends)) + 3 > Worked.COLUMNS:
        wide = 0
    heads = [f"{name.ljust(wide)} = " for name in names]
    share = _t("share", share=_small_share(words / total))
    each: Lights = tuple(("dot", (row,)) for row in range(1, WORD + 1))
    return (
        line(heads[0], Term(ends[0], "what", each)),
        line(heads[1], Term(ends[1], "where", (("index", (here, WORD)), ("dot", (WORD + 1,))), bold=True)),
        line(heads[2], Term(ends[2], bold=True)),
        line(Term(share, "muted")),
    )


def _small_share(share: float) -> str:
    """A share of 1 as per cent, with two digits that count."""
    percent = 100.0 * share
    decimals = 0 if percent >= 10 else min(12, 1 - math.floor(math.log10(percent)))
    return short(percent, decimals) + " %"


# --- fraction: a step depends on the text ----------------------------------------------------------------------------


def _texts(state: PositionsState) -> tuple[int, int]:
    """The length of the text and twice it; two back needs three tokens."""
    shorter = max(limit(state), 3)
    return shorter, 2 * shorter


def rulers_panel(state: PositionsState, cell: Cell) -> Panel:
    """Two texts as rulers from 0 to 1: "two back" is an arrow of another length on each."""
    marks: list[Mark] = []
    for lane, length in enumerate(_texts(state)):
        y, last = lane + 0.72, length - 1
        here = min(max(at(state), 2), last)
        now, then = here / last, (here - 2) / last
        if length <= DOTTED:
            places = naive.fraction(np.arange(length), length)[:, 0]
            marks.append(Points(f"ruler.{lane}", places, np.full(length, y), "where", 0.7))
        else:
            marks.append(Region(f"ruler.{lane}", np.array([0.0, 1.0]), np.full(2, y - 0.03), np.full(2, y + 0.03)))
        marks.append(Curve(f"line.{lane}", np.array([0.0, 1.0]), np.full(2, y), "control", "thin"))
        back = y - 0.2
        ends = np.array([now]), np.array([back]), np.array([then]), np.array([back])
        marks.append(Vectors(f"back.{lane}", *ends, "text"))
        if length < LONG:
            fields = {"length": count(length), "value": number(2 / last), "row": count(here), "back": count(here - 2)}
            said_so = said("rulers.two", **fields)
        else:
            said_so = said("rulers.two_long", length=count(length), value=small(2 / last))
        marks.append(Label(f"two.{lane}", 0.0, lane + 0.25, said_so, "small", "text", "left", bold=True))
    return Panel(
        "rulers_panel",
        cell,
        tuple(marks),
        title=said("rulers.title"),
        caption=said("rulers.caption"),
        x=Axis(-0.02, 1.02, ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))),
        y=Axis(0.0, 2.0),
        invert_y=True,
    )


def fraction_lines(state: PositionsState) -> tuple[Line, ...]:
    here, length = at(state), limit(state)
    steps = max(length - 1, 1)
    if not exists(state):
        first = line(Term(_t("outside", row=count(here), length=count(length), last=count(length - 1)), "warn"))
    else:
        value = float(naive.fraction([here], length)[0, 0])
        written = _t("fraction", row=count(here), length=count(length), steps=count(steps), value=number(value))
        first = line(Term(written, "where", (("index", (here, WORD)),)))
    two = [
        line(
            Term(
                _t(
                    "fraction_two",
                    length=count(size),
                    steps=count(size - 1),
                    value=number(2 / (size - 1)) if size < LONG else small(2 / (size - 1)),
                ),
                lights=((f"two.{lane}", ()),),
            )
        )
        for lane, size in enumerate(_texts(state))
    ]
    return (first, *two)


# --- binary: digits that flip ----------------------------------------------------------------------------------------


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
        caption=flips_text("bars.flips_caption", here),
        x=Axis(first - 0.8, stop - 0.2, ticks, said("bars.flips_axis")),
        y=Axis(0.0, 1.1 * max(4.0, float(flips.max())), ((0.0, "0"), (2.0, "2"), (4.0, "4"))),
    )


def binary_lines(state: PositionsState) -> tuple[Line, ...]:
    here = at(state)
    digits = naive.binary([here], BITS)[0].astype(int)
    powers = [count(2**bit) for bit in range(BITS) if digits[bit]]
    total = _t("binary", row=count(here), sum=" + ".join(powers) or "0")
    if len(total) > Worked.COLUMNS:
        total = _t("binary", row=count(here), sum=" + ".join([*powers[:2], "…", *powers[-2:]]))
    lights: Lights = (("table", (here,)),)
    return (
        line(Term(total, "where")),
        line(Term(_t("binary_digits", digits=" ".join(map(str, digits[: columns(state)[1]]))), lights=lights)),
        line(Term(flips_text("worked.binary_flip", here), "muted")),
    )


def flips_text(key: str, position: int) -> str:
    """How many digits change to the next position, in the words of a text that has a form for one digit."""
    flips = flipped(position)
    return said(key + ("_1" if flips == 1 else ""), row=count(position), other=count(position + 1), count=flips)


def flipped(position: int) -> int:
    """How many binary digits change from a position to the next."""
    return (position ^ (position + 1)).bit_length()
