"""The map pair × position: seen in training, seen only as a fraction, never seen."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from core.lessons.extension import mapped, parts
from core.lessons.extension.configs import FARTHEST
from core.lessons.extension.mapped import FRACTION, NEVER, SEEN, whole_share
from core.lessons.extension.scene import TURN, Scene
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import (
    as_shown,
    big_panel,
    divisor_text,
    equals,
    factor_text,
    method_name,
    place,
    said,
    subtitle,
    times,
    with_source,
)
from core.stage.frame import (
    Array,
    Axis,
    Cell,
    Curve,
    Frame,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Points,
    Readout,
    Rect,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number, percent, short
from core.stage.theme import Role
from core.values import dataclass

BINS = 320  # columns of the whole map
CLOSE_ROWS, CLOSE_COLUMNS = 4, 4
NEAR_ZERO = 0.15  # of the text: so near to one another two names would touch


@dataclass(frozen=True, slots=True)
class ActsAs:
    """As which position of training each position turns each pair, (pairs, positions): made for what is asked for.
    Column c stands for position c × stride; the last columns of a coarse map end with the text."""

    ratios: tuple[float, ...]
    positions: int
    stride: float = 1.0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.ratios), self.positions

    def block(self, rows: slice, columns: slice) -> Array:
        ratios = np.array(self.ratios)[rows]
        first, last, step = columns.indices(self.positions)
        found: Array = np.multiply.outer(ratios, np.arange(first, last, step) * self.stride)
        return found


def classes(acts: Array, rows: tuple[Array, Array], trained: int, whole: Array) -> Array:
    """SEEN, FRACTION or NEVER for positions of training ``acts`` (pairs, n). ``rows``: frequencies of training and
    which pairs have gone full circle; ``whole``: (pairs, n) bool, whether it is a whole position."""
    before, full = rows
    arc = trained * before
    angle = np.remainder(acts * before[:, np.newaxis], TURN)
    outside = ~full[:, np.newaxis] & (angle >= arc[:, np.newaxis] * (1 - 1e-12)) & (acts >= trained * (1 - 1e-12))
    found: Array = np.where(outside, NEVER, np.where(whole, SEEN, FRACTION))
    return found


def frame(state: ExtensionState, scene: Scene) -> Frame:
    overview = _overview(scene)
    panels = (
        _map_panel(state, scene, overview),
        _share_panel(scene, overview),
        _close_panel(scene),
        parts.ruler_panel(scene, Cell(8, 7, 4, 5)),
    )
    return Frame(
        _title(scene, overview), subtitle(scene), panels, Worked(tuple(_lines(scene, overview))), _alt(scene, overview)
    )


def _overview(scene: Scene) -> Array:
    """The class of each pair in each part of the text, by its middle; a pair that is slowed at all has fractions."""
    return _classes(scene.ratio.tobytes(), scene.before.tobytes(), scene.trained, scene.target)


@lru_cache(maxsize=16)
def _classes(ratios: bytes, before: bytes, trained: int, target: int) -> Array:
    ratio, speeds = np.frombuffer(ratios), np.frombuffer(before)
    middles = (np.arange(BINS) + 0.5) * (target / BINS)
    acts = np.multiply.outer(ratio, middles)
    whole = np.broadcast_to(np.abs(ratio - np.round(ratio))[:, np.newaxis] < 1e-12, acts.shape)
    found = classes(acts, (speeds, trained * speeds >= TURN), trained, whole)
    found.flags.writeable = False
    return found


def _map_panel(state: ExtensionState, scene: Scene, overview: Array) -> Panel:
    pairs, stride = scene.pairs, scene.target / BINS
    fills, (hatch_x, hatch_y) = mapped.looks(
        np.ascontiguousarray(overview, dtype=np.int64).tobytes(), overview.shape, scene.ratio.tobytes()
    )
    named = said("map.from", n="0")  # looked up once: there are many columns, anew for each length
    matrix = Matrix(
        "map",
        ActsAs(tuple(scene.ratio.tolist()), BINS, stride),
        rows=(0, pairs),
        columns=(0, BINS),
        levels=(0.0, float(scene.target)),
        place=Rect(0.0, 0.0, float(scene.target), float(pairs)),
        colours="none",
        decimals=None,
        fills=fills,
        hover=said("map.hover"),
        column_names=tuple(named.replace("0", count(math.floor(at * stride))) for at in range(BINS)),
    )
    marks: list[Mark] = [matrix]
    if len(hatch_x):
        strokes = tuple(range(2, len(hatch_x), 2))
        marks.append(Curve("map_never", hatch_x * stride, hatch_y, "warn", "line", breaks=strokes))
    if scene.target > scene.trained:
        edge = np.full(2, float(scene.trained)), np.array([0.0, float(pairs)])
        marks += [Curve("map_limit_band", *edge, "line", "hand"), Curve("map_limit", *edge, "text", "line", "dash")]
    near = scene.trained < NEAR_ZERO * scene.target  # there one name says both ends of what was trained
    ticks = [(float(scene.target), count(scene.target))]
    if near:
        ticks.append((float(scene.trained), said("map.trained", n=count(scene.trained))))
    else:
        ticks.append((0.0, said("map.position", n=0)))
    if not near and scene.trained < 0.92 * scene.target:
        ticks.append((float(scene.trained), count(scene.trained)))
    here = np.array([float(scene.position)]), np.array([scene.pair + 0.5])
    marks += [Points("map_here_rim", *here, "line", 2.0, "diamond"), Points("map_here", *here, "where", 1.2, "diamond")]
    first = pairs - int((~scene.round).sum())
    rows = {0: said("pair", pair=0), pairs - 1: str(pairs - 1)}
    rows |= {first: str(first)} if 0.05 * pairs < first < 0.95 * pairs else {}
    along = Axis(0.0, float(scene.target), tuple(ticks))
    looks: tuple[tuple[str, Role, str], ...] = (
        (said("map.seen"), "what", "solid"),
        (said("map.as_fraction"), "control", "solid"),
        (said("map.never"), "warn", "hatched"),
    )
    marks += parts.legend("looks", along, -0.06 * pairs, 0.022 * pairs, looks)
    return big_panel(
        state,
        Cell(0, 0, 12, 7),
        marks,
        along,
        Axis(-0.12 * pairs, float(pairs), tuple((at + 0.5, name) for at, name in sorted(rows.items()))),
        invert_y=True,
        caption=with_source(
            said("map.caption_stripes" if mapped.striped(scene.ratio) else "map.caption"), scene.config
        ),
    )


def shares(scene: Scene, overview: Array) -> tuple[float, float, float]:
    """Of all pairs and positions: seen, seen only as a fraction, never seen. Inside the range a pair that is slowed
    p / q times still meets every so many whole positions."""
    never = (overview == NEVER).mean(axis=1)
    whole = np.array([whole_share(ratio) for ratio in scene.ratio.tolist()])
    seen = (1 - never) * whole
    return float(seen.mean()), float((1 - never - seen).mean()), float(never.mean())


def _share_panel(scene: Scene, overview: Array) -> Panel:
    seen, fraction, never = shares(scene, overview)
    readouts = (
        Readout("never", percent(never), said("map.never"), role="warn" if never else "text", size="title"),
        Readout("fraction", percent(fraction), said("map.fraction"), size="title"),
        Readout("seen", percent(seen), said("map.seen"), role="what" if seen else "text", size="title"),
    )
    return Panel("share_panel", Cell(0, 7, 3, 5), readouts=readouts)


def window(scene: Scene) -> tuple[int, int]:
    """First pair and first position of the close look."""
    row = min(max(scene.pair - CLOSE_ROWS // 2, 0), max(scene.pairs - CLOSE_ROWS, 0))
    column = min(max(scene.position - CLOSE_COLUMNS // 2, 0), max(scene.target - CLOSE_COLUMNS, 0))
    return row, column


def _close_panel(scene: Scene) -> Panel:
    row, column = window(scene)
    rows, columns = min(CLOSE_ROWS, scene.pairs), CLOSE_COLUMNS
    source = ActsAs(tuple(scene.ratio.tolist()), max(FARTHEST, scene.target))
    acts = source.block(slice(row, row + rows), slice(column, column + columns))
    at = slice(row, row + rows)
    whole = np.abs(acts - np.round(acts)) < 1e-9
    kinds = classes(acts, (scene.before[at], scene.round[at]), scene.trained, whole)
    looks: tuple[tuple[int, Role], ...] = ((NEVER, "warn"), (SEEN, "what"))  # as in the map; fractions stay plain
    fills = tuple(
        Outline(row + r, column + c, role=role) for kind, role in looks for r, c in np.argwhere(kinds == kind).tolist()
    )
    matrix = Matrix(
        "close",
        source,
        rows=(row, row + rows),
        columns=(column, column + columns),
        levels=(0.0, float(FARTHEST)),
        colours="none",
        decimals=0 if whole.all() else 2 if acts.max() < 1e5 else 1,
        row_labels=tuple(str(pair) for pair in range(row, row + rows)),
        column_labels=tuple(count(position) for position in range(column, column + columns)),
        fills=fills,
        outlines=(Outline(scene.pair, scene.position, role="where"),),
        hover=said("map.hover_close"),
        scrolls=True,
    )
    return Panel(
        "close_panel",
        Cell(3, 7, 5, 5),
        (matrix,),
        title=said("map.close"),
        x=Axis(0.0, float(columns)),
        y=Axis(0.0, float(rows)),
        invert_y=True,
    )


def _title(scene: Scene, overview: Array) -> str:
    _, fraction, never = shares(scene, overview)
    if scene.assumed:
        return said("title.map_if", trained=count(scene.trained), share=percent(never))
    if never and scene.method == "none":
        return said("title.map_none", trained=count(scene.trained), n=scene.n_new, pairs=scene.pairs)
    if never:
        return said("title.map_left", name=method_name(scene.method), share=percent(never))
    if fraction:
        return said("title.map_fraction", share=percent(fraction))
    return said("title.map_seen")


def _lines(scene: Scene, overview: Array) -> list[Line]:
    i = scene.pair
    slow = float(scene.before[i] / scene.after[i])
    acts = scene.acts_as
    written_slow = divisor_text(slow, scene.position)
    sign = "=" if place(scene.position / as_shown(written_slow)) == place(acts) else "≈"
    moved = count(scene.position) if slow == 1 else f"{count(scene.position)} / {written_slow} {sign} {place(acts)}"
    whole = np.full((1, 1), abs(acts - round(acts)) < 1e-9)
    kind = int(classes(np.array([[acts]]), (scene.before[[i]], scene.round[[i]]), scene.trained, whole)[0, 0])
    verdict = said(f"map.kind.{kind}" if not (scene.round[i] and acts >= scene.trained) else f"map.kind_round.{kind}")
    arc = scene.trained * float(scene.before[i])
    decimals = 3 if arc < 100 else 1
    theta = factor_text(float(scene.before[i]), (float(scene.trained), decimals))
    hand = scene.trained * as_shown(theta)
    turn = said("work.map_round") if scene.round[i] else said("work.map_part")
    return [
        line(
            said("work.map_acts", pair=i),
            Term(moved, "warn" if kind == NEVER else "where", (("close", (i, scene.position)),), bold=True),
        ),
        line(said("work.map_kind", verdict=verdict)),
        line(
            said(
                "work.map_arc",
                arc=f"{count(scene.trained)} × {theta} {equals(hand, arc, decimals)} {number(arc, decimals)}",
                turn=turn,
            )
        ),
        line(Term(said("work.map_fraction"), "muted")),
        line(Term(said("work.map_pairs"), "muted")),
        line(Term(said("work.map_parts", bins=BINS, n=short(scene.target / BINS, 1)), "muted")),
    ]


def _alt(scene: Scene, overview: Array) -> str:
    seen, fraction, never = shares(scene, overview)
    return said(
        "alt.map",
        method=said(f"option.method.{scene.method}"),
        pairs=scene.pairs,
        trained=count(scene.trained),
        target=count(scene.target),
        seen=percent(seen),
        fraction=percent(fraction),
        never=percent(never),
        pair=scene.pair,
        position=count(scene.position),
        acts=place(scene.acts_as),
        slow=times(float(scene.slowdown[scene.pair])),
    )
