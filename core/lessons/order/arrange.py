"""The first page: both orders as cards, each token's output below its card, and the strands between them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.lessons.order.parts import (
    DIFFERENT,
    EQUAL,
    LOW,
    MIDDLE,
    NO,
    WIDE,
    YES,
    big_panel,
    caption_of,
    cut,
    level,
    quoted,
    row,
    said,
    sign_panel,
    words_panel,
)
from core.lessons.order.scene import AT_THE_INPUT, Run, Scene
from core.lessons.order.state import OrderState
from core.lessons.order.sums import worked
from core.lessons.order.vectors import HEAD, Sentence
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Card,
    Cards,
    Curve,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Table,
)
from core.stage.numbers import number

__all__ = ["alt", "panels", "worked"]

GUTTER = 15.0  # left of the columns, for names
CARDS = (0.0, 15.0)  # top and height of the upper cards; the lower ones stand mirrored
OUTPUTS = (16.5, 25.5)
STRANDS = (43.0, 50.0)
SIGNS = 53.6  # the middle of the signs below the strands
DIGITS = 12


def panels(state: OrderState, read: Sentence, scene: Scene) -> tuple[Panel, ...]:
    return (
        _big(state, read, scene),
        sign_panel(state, scene),
        _digits(state, scene),
        _words(scene),
    )


# --- the picture -----------------------------------------------------------------------------------------------------


def _big(state: OrderState, read: Sentence, scene: Scene) -> Panel:
    marks: list[Mark] = []
    end = level(scene.typed.output, scene.moved.output)
    for name, run, below in (("typed", scene.typed, False), ("moved", scene.moved, True)):
        marks += _strip(state, scene, run, name, below, end)
    marks += _strands(state, scene)
    return big_panel(state, marks, caption_of(read, said("caption_cards")))


def _strip(state: OrderState, scene: Scene, run: Run, name: str, below: bool, end: float) -> list[Mark]:
    """Cards and the outputs that belong to them, one column each; the lower strip stands upside down."""

    def top(place: tuple[float, float]) -> float:
        return WIDE - place[0] - place[1] if below else place[0]

    cards = tuple(
        Card(
            cut(scene.words[token].shown, 16),
            str(place),
            "text",
            token == state.token,
            hover=_origin(scene, run, token, place),
        )
        for place, token in enumerate(run.order)
    )
    wide = WIDE - GUTTER
    n = scene.n
    outputs = Matrix(
        f"{name}_out",
        ArraySource(_columns(run)),
        rows=(0, HEAD),
        columns=(0, n),
        levels=(-end, end),
        place=Rect(GUTTER, top(OUTPUTS), wide, OUTPUTS[1]),
        decimals=_decimals(n),
        outlines=(Outline(0, run.where[state.token], HEAD, 1, "what"),),
        hover=said("hover_out"),
        column_names=tuple(scene.words[token].shown for token in run.order),
    )
    return [
        Cards(name, cards, Rect(GUTTER, top(CARDS), wide, CARDS[1]), draggable=below, even=True),
        Label(f"{name}_name", 0.0, top(CARDS) + CARDS[1] / 2, said(f"{name}_cards"), "small", "text", "left"),
        outputs,
        Label(f"{name}_outputs", 0.0, top(OUTPUTS) + OUTPUTS[1] / 2, said("outputs"), "small", "muted", "left"),
    ]


@lru_cache(maxsize=64)
def _columns(run: Run) -> Array:
    """(4, n): a token's output stands below its card."""
    return np.ascontiguousarray(run.output.T)


def _decimals(n: int) -> int:
    """As many as have room in n columns."""
    return 3 if n <= 6 else 2 if n <= 9 else 1


def _origin(scene: Scene, run: Run, token: int, place: int) -> str:
    word = scene.words[token]
    where = said(f"from.{word.table}" if word.table else "from.seeded")
    return said("hover_card", word=word.shown, place=place, origin=where, value=row(run.v[place], 2))


def _strands(state: OrderState, scene: Scene) -> list[Mark]:
    """A strand from each token's output to where it is found again, with the sign at its lower end."""
    part = (WIDE - GUTTER) / scene.n
    marks: list[Mark] = []
    names: list[Mark] = []
    for token in sorted(range(scene.n), key=lambda token: token == state.token):
        picked, same = token == state.token, scene.same[token]
        start, stop = (GUTTER + (place + 0.5) * part for place in (token, scene.moved.where[token]))
        share = _smooth()
        marks.append(
            Curve(
                f"strand {token}",
                start + (stop - start) * share,
                STRANDS[0] + (STRANDS[1] - STRANDS[0]) * np.linspace(0.0, 1.0, len(share)),
                "what" if picked else "control",
                "bold" if picked else "thin",
            )
        )
        sign = EQUAL if same else DIFFERENT
        names.append(Label(f"sign {token}", stop, SIGNS, sign, "heading", "text" if same else "warn", bold=True))
    return marks + names


@lru_cache(maxsize=1)
def _smooth() -> Array:
    t = np.linspace(0.0, 1.0, 25)
    share: Array = t * t * (3.0 - 2.0 * t)
    return share


def _digits(state: OrderState, scene: Scene) -> Panel:
    """The picked token's output in both orders, with all the digits that are compared."""
    here = scene.typed.output[state.token]
    there = scene.moved.output[scene.moved.where[state.token]]
    rows = [(said("typed"), "", said("moved"))]
    for a, b in zip(here, there, strict=True):
        rows.append((number(a, DIGITS), EQUAL if abs(a - b) <= 1e-12 else DIFFERENT, number(b, DIGITS)))
    table = Table(
        "digits",
        tuple(rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        widths=(10.0, 1.6, 10.0),
        roles=("what", "text" if scene.same[state.token] else "warn", "what"),
        mono=True,
        align=("right", "center", "right"),
    )
    return Panel(
        "digits_panel",
        MIDDLE,
        (table,),
        title=said("digits_title", token=quoted(scene, state.token)),
        caption=said("caption_digits_placed" if state.scheme in AT_THE_INPUT else "caption_digits"),
        x=Axis(0.0, 1.0),
        y=Axis(0.0, 1.0),
        invert_y=True,
    )


def _words(scene: Scene) -> Panel:
    entries = []
    for name, holds in (("equivariant", scene.equivariant), ("invariant", scene.invariant)):
        way = "yes" if holds else "no"
        statement = said(f"{name}.{way}", sign=YES if holds else NO)
        entries.append((name, statement, said(f"{name}.means_{way}"), name == "equivariant" and not holds))
    return words_panel("words_panel", LOW, entries)


def alt(state: OrderState, scene: Scene) -> str:
    """The picture in words, with its numbers."""
    token, same = state.token, scene.same[state.token]
    here, there = scene.typed.output[token], scene.moved.output[scene.moved.where[token]]
    listed = ", ".join(number(value) for value in here)
    if same:
        outputs = said("alt_same", numbers=listed)
    else:
        outputs = said("alt_other", numbers=listed, others=", ".join(number(value) for value in there))
    kept = sum(scene.same)
    return said("alt_arrange", token=quoted(scene, token), outputs=outputs, kept=kept, n=scene.n)
