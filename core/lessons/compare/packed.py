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


@dataclass(frozen=True, eq=False)
class Ways:
    """The four combinations: weights (n, n), the share that crosses a join, and how far outputs are from alone."""

    weights: tuple[Array, ...]  # as printed: see ``printed``
    across: tuple[Array, ...]  # (n,) per query
    apart: tuple[float, ...]
    restarting: tuple[float, float]  # what restarting changes in any output: plain, block


@lru_cache(maxsize=32)
def ways(scheme: str, packed: content.Packed, d: int) -> Ways:
    x = packed.words.rows(d, len(packed.names))
    document = packing.document_index(packed.lengths)
    other = document[:, np.newaxis] != document[np.newaxis, :]
    separate = alone(scheme, x, x, x, packed.lengths)
    places = decimals(len(packed.names))
    found = [
        attend(scheme, x, x, x, packed.lengths, positions == "restarted", mask == "block")
        for positions, mask in COMBINATIONS
    ]

    def differ(a: int, b: int) -> float:
        return float(np.abs(found[a].output - found[b].output).max())

    weights = tuple(printed(each.weights, places) for each in found)
    return Ways(
        weights,
        tuple(np.asarray((each * other).sum(1)) for each in weights),
        tuple(float(np.abs(each.output - separate).max()) for each in found),
        (differ(0, 1), differ(2, 3)),
    )


def decimals(tokens: int) -> int:
    """Of each weight; the arithmetic has the same ones as the cells."""
    return 3 if tokens <= PRECISE or tokens > NUMBERED else 2


def printed(weights: Array, places: int) -> Array:
    """(n, n) the weights rounded so that each row as it is printed still makes 1: of each row those are rounded up
    that lose most by rounding down."""
    unit = 10**places
    units = np.floor(weights * unit + 1e-9)
    for row, lost in zip(units, weights * unit - units, strict=True):
        row[np.argsort(-lost, kind="stable")[: round(unit - float(row.sum()))]] += 1.0
    return np.asarray(units / unit)


def frame(state: CompareState) -> Frame:
    packed = content.packed(state.documents, state.boundary)
    found = ways(state.scheme, packed, state.d)
    at = combination(state)
    share = leak(packed, found.across[at])
    block = state.attention == "block"
    several = len(packed.lengths) > 1
    open_ = "boundary" if state.boundary else state.positions
    title = said("title.packed." + ("one" if not several else "block" if block else open_), share=percent(share))
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


def leak(packed: content.Packed, across: Array) -> float:
    """The mean share of weight that the tokens of later documents give to earlier ones; 0 for a single document."""
    later = across[packed.lengths[0] :]
    return float(later.mean()) if len(later) else 0.0


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
        to_boundary = float(found.weights[at][packed.lengths[0] :, packed.boundaries[0]].mean())
        rest = count(_percents(share) - _percents(to_boundary)) + " %"
        detail = said("packed.to_boundary", share=percent(to_boundary), rest=rest)
    else:
        detail = said("packed.sees." + ("nothing" if share < SAME else "something"))
    readout = Readout(
        "share", percent(share), said("packed.share"), "what" if share < SAME else "warn", detail=detail
    )  # fmt: skip
    return Panel("share_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def _percents(share: float) -> float:
    return shown(100 * share, 0)


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
    """One query's weights: the sum over its own document and over the others, which make 1 together."""
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
            lines.append(line(start, Term(said("work.packed.hidden"), "muted")))
            continue
        lights = tuple(("weights", (asking, int(column))) for column in np.flatnonzero(part))
        end = Term(number(float(values.sum()), places), role, lights, bold=True)  # type: ignore[arg-type]
        lines.append(line(start, f"{_listed(values, places)} = " if len(values) > 1 else "", end))
    later = found.across[at][packed.lengths[0] :]
    if len(later):
        mean = f"({_listed(later, places)}) / {len(later)} = " if len(later) > 1 else ""
        share = leak(packed, found.across[at])
        end = Term(percent(share), "what" if share < SAME else "warn", bold=True)
        lines.append(line(said("work.packed.mean"), mean, end))
    while len(lines) % Worked.PAGE:
        lines.append(line(""))
    lines += [
        line(said("work.packed.apart"), Term(_difference(found.apart[at]), "where", bold=True)),
        line(said("work.packed.restart_plain"), _difference(found.restarting[0])),
        line(said("work.packed.restart_block"), Term(_difference(found.restarting[1]), "where", bold=True)),
    ]
    lines += [line(Term(text(f"compare.work.packed.{fact}"), "muted")) for fact in ("boundary", "mask", "restart")]
    return Worked(tuple(lines))


def _listed(values: Array, places: int) -> str:
    """``0.1 + 0.2 + 0.3``, of many the first and the last."""
    written = [number(value, places) for value in values]
    return " + ".join(written) if len(written) <= 6 else f"{' + '.join(written[:4])} + … + {written[-1]}"
