"""Documents packed into one sequence: who sees across the join, and what it takes to keep them apart.

Source: Krell et al. 2021, "Efficient Sequence Packing without Cross-contamination".
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import packing
from core.encodings.attention import Attention, attention
from core.lessons.compare import content, schemes
from core.lessons.compare.state import COMBINATIONS, CompareState, combination
from core.lessons.compare.words import big_panel, clipped, name_of, said
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Cell,
    Frame,
    Legend,
    Line,
    Matrix,
    Outline,
    Panel,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number, percent, shown
from core.stage.text import text
from core.values import dataclass

SAME = 1e-9  # outputs that are told apart by less are the same
PRECISE = 8  # tokens whose weights have room for three decimals
NUMBERED = 12  # tokens whose weights have room for their numbers


def attend(
    scheme: str,
    q: Array,
    k: Array,
    v: Array,
    lengths: tuple[int, ...],
    restarted: bool,
    block: bool,
    pairing: str = "adjacent",
) -> Attention:
    """Causal attention over documents of these lengths, (n, d) each of q, k and v."""
    places = packing.restart_positions(lengths if restarted else [sum(lengths)]).astype(np.float64)
    mask = packing.block_mask(lengths if block else [sum(lengths)])
    scored = schemes.scores(scheme, q, k, places, places, pairing=pairing)
    return attention(scored, np.eye(len(q)), v, mask=mask, scale=1.0)


def alone(scheme: str, q: Array, k: Array, v: Array, lengths: tuple[int, ...], pairing: str = "adjacent") -> Array:
    """(n, d) the outputs that each document has in a sequence of its own."""
    ends = np.cumsum(lengths)
    parts = [slice(int(end - size), int(end)) for end, size in zip(ends, lengths, strict=True)]
    found = [
        attend(scheme, q[p], k[p], v[p], (size,), False, False, pairing).output
        for p, size in zip(parts, lengths, strict=True)
    ]
    return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class Farthest:
    """The number of an output that lies farthest from what it is in its document alone."""

    token: int
    number: int
    here: float
    alone: float


@dataclass(frozen=True, eq=False)
class Ways:
    """The four combinations: weights (n, n), the share that crosses a join, and how far outputs are from alone."""

    weights: tuple[Array, ...]
    across: tuple[Array, ...]  # (n,) per query
    apart: tuple[float, ...]
    farthest: tuple[Farthest, ...]
    restarting: tuple[float, float]  # what restarting changes in any output: plain, block


@lru_cache(maxsize=32)
def ways(scheme: str, packed: content.Packed, d: int) -> Ways:
    x = packed.words.rows(d, len(packed.names))
    document = packing.document_index(packed.lengths)
    other = document[:, np.newaxis] != document[np.newaxis, :]
    separate = alone(scheme, x, x, x, packed.lengths)
    found = [
        attend(scheme, x, x, x, packed.lengths, positions == "restarted", mask == "block")
        for positions, mask in COMBINATIONS
    ]

    def differ(a: int, b: int) -> float:
        return float(np.abs(found[a].output - found[b].output).max())

    def farthest(output: Array) -> Farthest:
        token, at = (int(i) for i in np.unravel_index(int(np.abs(output - separate).argmax()), output.shape))
        return Farthest(token, at, float(output[token, at]), float(separate[token, at]))

    return Ways(
        tuple(each.weights for each in found),
        tuple(np.asarray((each.weights * other).sum(1)) for each in found),
        tuple(float(np.abs(each.output - separate).max()) for each in found),
        tuple(farthest(each.output) for each in found),
        (differ(0, 1), differ(2, 3)),
    )


def decimals(tokens: int) -> int:
    """Of each weight; the arithmetic has the same ones as the cells."""
    return 3 if tokens <= PRECISE or tokens > NUMBERED else 2


def frame(state: CompareState) -> Frame:
    packed = content.packed(state.documents, state.boundary)
    found = ways(state.scheme, packed, state.d)
    at = combination(state)
    share = leak(packed, found.across[at])
    block = state.attention == "block"
    several = len(packed.lengths) > 1
    open_ = "boundary" if state.boundary else state.positions
    key = "one" if not several else "block" if block else open_
    title = said(f"title.packed.{key}", share=percent(share), later=later(packed))
    alt = said(
        "alt.packed",
        documents=count(len(packed.lengths)),
        tokens=count(len(packed.names)),
        name=name_of(state.scheme),
        positions=said(f"option.positions.{state.positions}"),
        attention=said(f"option.attention.{state.attention}"),
        share=percent(share),
        apart=_difference(found.apart[at]),
    )
    panels = (
        _weights_panel(state, packed, found, at),
        _share_panel(state, packed, found, at),
        _ways_panel(state, found, at),
    )
    notice = said("notice.left_out", tokens=content.MOST_PACKED) if packed.left_out else ""
    return Frame(title, said("subtitle.packed"), panels, _worked(state, packed, found, at), alt, notice=notice)


def later(packed: content.Packed) -> str:
    """Whose attention can cross a join."""
    return said("packed.second" if len(packed.lengths) == 2 else "packed.later")


def leak(packed: content.Packed, across: Array) -> float:
    """The mean share of weight that the tokens of later documents give to earlier ones; 0 for a single document."""
    crossing = across[packed.lengths[0] :]
    return float(crossing.mean()) if len(crossing) else 0.0


def labels(state: CompareState, packed: content.Packed) -> tuple[str, ...]:
    """Place, as the scheme counts it, and token."""
    places = packing.restart_positions(packed.lengths if state.positions == "restarted" else [len(packed.names)])
    return tuple(f"{count(place)} {clipped(name)}" for place, name in zip(places, packed.names, strict=True))


def _weights_panel(state: CompareState, packed: content.Packed, found: Ways, at: int) -> Panel:
    n = len(packed.names)
    mask = packing.block_mask(packed.lengths if state.attention == "block" else [n])
    starts = np.cumsum(packed.lengths) - packed.lengths
    outlines = [
        Outline(int(start), int(start), size, size, "what") for start, size in zip(starts, packed.lengths, strict=True)
    ]
    if state.attention == "plain":
        # Below the diagonal of documents: what a later one sees of all earlier ones.
        outlines += [
            Outline(int(start), 0, size, int(start), "warn")
            for start, size in zip(starts, packed.lengths, strict=True)
            if start
        ]
    outlines.append(Outline(state.asking, 0, 1, n, "query"))
    named = labels(state, packed)
    ends = [said("packed.caption_boundary")] if packed.boundaries else []
    across = said("packed.caption_across") if state.attention == "plain" and len(packed.lengths) > 1 else ""
    matrix = Matrix(
        "weights",
        ArraySource(found.weights[at]),
        rows=(0, n),
        columns=(0, n),
        levels=(-1.0, 1.0),
        colours="signed",  # its upper half: black numbers are readable on all of it
        decimals=decimals(n) if n <= NUMBERED else None,
        characters=7,
        row_labels=named,
        column_labels=tuple(clipped(name, 6) for name in packed.names),
        outlines=tuple(outlines),
        mask=~mask,
        hover=said("packed.hover"),
        row_names=named,
        column_names=named,
    )
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        (matrix,),
        Axis(0.0, float(n)),
        Axis(0.0, float(n)),
        invert_y=True,
        note=said("packed.note"),
        legend=Legend("signed", "0", "1", (0.5, 1.0)),
        caption=" ".join([said("packed.caption", d=state.d, across=across), *ends]),
    )


def _share_panel(state: CompareState, packed: content.Packed, found: Ways, at: int) -> Panel:
    share = leak(packed, found.across[at])
    if packed.boundaries and state.attention == "plain":
        document = packing.document_index(packed.lengths)
        ends = np.isin(np.arange(len(document)), packed.boundaries)
        crossing = ends[np.newaxis, :] & (document[:, np.newaxis] != document[np.newaxis, :])
        detail = said("packed.to_boundary", share=percent(leak(packed, (found.weights[at] * crossing).sum(1))))
    else:
        detail = said("packed.sees." + ("nothing" if share < SAME else "something"), later=later(packed))
    readout = Readout(
        "share", percent(share), said("packed.share"), "what" if share < SAME else "warn", detail=detail
    )  # fmt: skip
    return Panel("share_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def _ways_panel(state: CompareState, found: Ways, at: int) -> Panel:
    head = (said("packed.head.positions"), said("packed.head.mask"), said("packed.head.apart"))
    rows = [
        (
            said(f"option.positions.{positions}"),
            said(f"option.attention.{mask}"),
            _difference(found.apart[number_]),
        )
        for number_, (positions, mask) in enumerate(COMBINATIONS)
    ]
    table = Table(
        "ways",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        picked=at + 1,
        align=("left", "left", "right"),
    )
    same = found.restarting[1] < SAME
    caption = said(
        "packed.restart_same" if same else "packed.restart_changes",
        name=name_of(state.scheme),
        change=_difference(found.restarting[1]),
    )
    return Panel("ways_panel", Cell(4, 8, 8, 4), (table,), title=said("packed.ways"), caption=caption, invert_y=True)


def _difference(value: float) -> str:
    return number(0.0) if value < SAME else number(value)


def _worked(state: CompareState, packed: content.Packed, found: Ways, at: int) -> Worked:
    """One query's weights: the sum over its own document and over the others, "≈" where the printed ones add up to
    another last digit; then what outputs differ by."""
    asking = min(state.asking, len(packed.names) - 1)
    weights = found.weights[at][asking]
    document = packing.document_index(packed.lengths)
    own = document == document[asking]
    seen = packing.block_mask(packed.lengths if state.attention == "block" else [len(packed.names)])[asking]
    places = decimals(len(packed.names))
    lines: list[Line] = []
    for name, part, role in (("own", own & seen, "what"), ("other", ~own & seen, "warn")):
        start = said(f"work.packed.{name}", token=labels(state, packed)[asking])
        values = weights[part]
        if not len(values):
            nothing = "hidden" if len(packed.lengths) > 1 else "none"
            lines.append(line(start, Term(said(f"work.packed.{nothing}"), "muted")))
            continue
        lights = tuple(("weights", (asking, int(column))) for column in np.flatnonzero(part))
        total = float(values.sum())
        end = Term(number(total, places), role, lights, bold=True)  # type: ignore[arg-type]
        sign = equals(printed(values, places), total, places)
        lines.append(line(start, f"{_listed(values, places)} {sign} " if len(values) > 1 else "", end))
    crossing = found.across[at][packed.lengths[0] :]
    if len(crossing):
        share = leak(packed, found.across[at])
        sign = equals(100 * printed(crossing, places) / len(crossing), 100 * share, 0)
        mean = f"({_listed(crossing, places)}) / {len(crossing)} {sign} "
        if len(crossing) == 1:
            mean = f"{number(crossing[0], places)} {sign} "
        end = Term(percent(share), "what" if share < SAME else "warn", bold=True)
        lines.append(line(said("work.packed.mean", later=later(packed)), mean, end))
    while len(lines) % Worked.PAGE:
        lines.append(line(""))
    far = found.farthest[at]
    fields = {"token": labels(state, packed)[far.token], "number": count(far.number)}
    told = said("work.packed.apart", here=number(far.here), alone=number(far.alone), **fields)
    told += equals(abs(shown(far.here) - shown(far.alone)), found.apart[at], 3) + " "
    if found.apart[at] < SAME:
        told = said("work.packed.same")
    lines += [
        line(told, Term(_difference(found.apart[at]), "where", bold=True)),
        line(said("work.packed.restart_plain"), _difference(found.restarting[0])),
        line(said("work.packed.restart_block"), Term(_difference(found.restarting[1]), "where", bold=True)),
    ]
    lines += [line(Term(text(f"compare.work.packed.{fact}"), "muted")) for fact in ("boundary", "mask", "restart")]
    return Worked(tuple(lines))


def printed(values: Array, places: int) -> float:
    """The sum of the values as they are printed."""
    return float(sum(shown(value, places) for value in values))


def equals(written: float, true: float, places: int) -> str:
    """ "=" where the printed numbers give the printed result, else "≈"."""
    return "=" if number(written, places) == number(true, places) else "≈"


def _listed(values: Array, places: int) -> str:
    """``0.1 + 0.2 + 0.3``, of many the first and the last."""
    written = [number(value, places) for value in values]
    return " + ".join(written) if len(written) <= 6 else f"{' + '.join(written[:4])} + … + {written[-1]}"
