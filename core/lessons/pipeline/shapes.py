"""The second page: a batch of sentences brought to one length, what padding costs, and the positions that it moves."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

import numpy as np

from core.encodings import packing
from core.lessons.pipeline import compute, strip, walk
from core.lessons.pipeline.state import IN_HEAD, PipelineState, name_of
from core.lessons.pipeline.wording import cut, fitted, quoted, said
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Card,
    Cards,
    Cell,
    Label,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count, memory, percent
from core.stage.words import segments
from core.values import dataclass

_SHAPE, _MASK = Cell(4, 8, 3, 4), Cell(7, 8, 5, 4)
_NAMES = 3.5  # left of the cards: the number of the sentence


@dataclass(frozen=True, eq=False)
class Batch:
    """``words[s]`` are the tokens of sentence s; ``mask`` (batch, tokens) is True at a token; ``positions`` as the
    model counts them, -1 where there is padding that is not counted."""

    words: tuple[tuple[str, ...], ...]
    mask: Array
    positions: Array

    @property
    def shape(self) -> tuple[int, int]:
        return self.mask.shape[0], self.mask.shape[1]

    @property
    def padded(self) -> int:
        return int((~self.mask).sum())

    @property
    def moved(self) -> tuple[str, int, int] | None:
        """The first word that moved farthest: where it stands, and where it stands in the sentence alone."""
        found = None
        for words, mask, places in zip(self.words, self.mask, self.positions, strict=True):
            own = 1 if words[0] == "[CLS]" else 0
            by = int(places[int(np.argmax(mask))])
            if by > 0 and (found is None or by > found[1] - found[2]):
                found = words[own], by + own, own
        return found


def batch(state: PipelineState, context: Context) -> Batch:
    """All sentences that have room."""
    typed = sentences(state, context)[: compute.MOST_SENTENCES]
    return _batch(compute.VOCABULARY[state.path], typed, state.padding, state.counted)


def sentences(state: PipelineState, context: Context) -> tuple[str, ...]:
    """The typed ones and the further ones."""
    return (*compute.parts(context.shared.sentence), *state.others)


@lru_cache(maxsize=64)
def _batch(vocabulary: str, typed: tuple[str, ...], padding: str, counted: str) -> Batch:
    read = [compute.sentence(vocabulary, entry).pieces for entry in typed]
    words = tuple(tuple(piece.shown for piece in pieces) for pieces in read if pieces)
    longest = max(map(len, words), default=0)
    mask = np.zeros((len(words), longest), dtype=bool)
    for row, entry in enumerate(words):
        mask[row, slice(longest - len(entry), None) if padding == "left" else slice(0, len(entry))] = True
    every = np.broadcast_to(np.arange(longest), mask.shape)
    positions = packing.positions_from_mask(mask) if counted == "mask" and mask.size else every
    return Batch(words, mask, positions)


def panels(state: PipelineState, found: Batch) -> tuple[Panel, ...]:
    sentences, tokens = found.shape
    shape = compute.shape(state.path, name_of(state), sentences, tokens)
    return (
        strip.panel(state, sentences, tokens, tokens),
        _cards_panel(state, found),
        dataclasses.replace(walk.shape_panel(state, shape, size=False), cell=_SHAPE),
        _mask_panel(found),
    )


def _cards_panel(state: PipelineState, found: Batch) -> Panel:
    sentences = found.shape[0]
    each = 100.0 / max(sentences, 1)
    pad = said(f"pad.{state.path}")
    marks: list[Mark] = []
    for row, (words, mask, places) in enumerate(zip(found.words, found.mask, found.positions, strict=True)):
        inner = iter(words)
        cards = []
        for there, place in zip(mask, places, strict=True):
            below = said("at", place=int(place)) if place >= 0 else "–"
            if there:
                cards.append(Card(cut(next(inner)), below, "text"))
            else:
                cards.append(Card(pad, below, faint=True, hover=said("hover.pad")))
        high = min(each - 4.0, 40.0)
        marks.append(Cards(f"sentence {row}", tuple(cards), Rect(_NAMES, row * each + (each - high) / 2, 100.0 - _NAMES,
                                                                 high), even=True))  # fmt: skip
        marks.append(Label(f"number {row}", 0.0, (row + 0.5) * each, str(row), "label", "muted", "left", bold=True))
    return Panel(
        "batch_panel",
        strip.BIG,
        tuple(marks),
        caption=said("caption.shapes"),
        choice=segments("pipeline", state, "path"),
        x=Axis(0.0, 100.0),
        y=Axis(0.0, 100.0),
        invert_y=True,
    )


@lru_cache(maxsize=32)
def _mask_source(found: Batch) -> ArraySource:
    return ArraySource(found.mask.astype(np.float64))


def _mask_panel(found: Batch) -> Panel:
    sentences, tokens = found.shape
    mark = Matrix(
        "mask",
        _mask_source(found),
        rows=(0, sentences),
        columns=(0, tokens),
        levels=(0.0, 2.0),
        colours="none",
        decimals=0,
        row_labels=tuple(map(str, range(sentences))),
        fills=tuple(Outline(int(row), int(column), role="muted") for row, column in np.argwhere(~found.mask)),
        separate=True,
    )
    return Panel(
        "mask_panel",
        _MASK,
        (mark,),
        title=said("mask_title"),
        x=Axis(0.0, float(tokens)),
        y=Axis(0.0, float(sentences)),
        invert_y=True,
    )


def case(state: PipelineState, found: Batch) -> str:
    """What padding does here: the key of the title."""
    if not found.padded:
        return "even"
    if found.moved is None:
        return f"{state.padding}_mask" if state.padding == "left" else "right"
    return "moved_input" if state.path in ("learned", "sinusoidal") else "moved_score"


def worked(state: PipelineState, found: Batch) -> Worked:
    """Numbers and memory of the station's array, and what the padding takes of it."""
    sentences, tokens = found.shape
    shape = compute.shape(state.path, name_of(state), sentences, tokens)
    numbers, padded, slots = int(np.prod(shape)), found.padded, sentences * tokens
    product = " × ".join(map(count, shape))
    bytes_ = "" if name_of(state) in strip.WORDS else said("work.bytes", bytes=memory(4.0 * numbers))
    of_q = said(f"work.q_{state.path}") if name_of(state) in IN_HEAD else ""
    lengths = ", ".join(str(len(entry)) for entry in found.words)
    lines = [
        line(f"{product} = ", Term(count(numbers), "what", bold=True), said("work.entries"), bytes_, of_q),
        line(said("work.lengths", lengths=lengths, longest=tokens, slots=slots, tokens=slots - padded)),
        line(said("work.padded", padded=padded, slots=slots, share=percent(padded / max(slots, 1)))),
    ]
    if found.moved is not None:  # what the title says comes first
        word, place, own = found.moved
        moved = said("work.moved", word=quoted(word), place=place, own=own, by=place - own)
        lines.insert(1, line(Term(moved, "where")))
    lines.append(line(Term(said(f"work.padding_{state.path}"), "muted")))
    return Worked(tuple(fitted(entry) for entry in lines))
