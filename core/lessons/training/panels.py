"""What Training's stage shows: the map, the numbers, the loss and the cosines up to the present batch."""

from __future__ import annotations

from typing import Literal

import numpy as np

from core.lessons.training.corpus import kinds
from core.lessons.training.flat import unit_rows
from core.lessons.training.scene import Scene, Step, kind_of
from core.lessons.training.state import TrainingState
from core.stage.frame import Array, Axis, Cell, Curve, Handle, Label, Mark, Panel, Points, Readout
from core.stage.numbers import count, number, percent, short
from core.stage.text import text
from core.stage.words import segments

MAP = Cell(0, 0, 12, 7)
NUMBERS = Cell(0, 7, 3, 5)
LOSS = Cell(3, 7, 4, 5)
COSINES = Cell(7, 7, 5, 5)
TRAIL = 60  # batches that a watched word's way is shown for
LOW = 0.6  # height of the map's panel as a share of its width
FEW = 12  # words that are all written out
CLOSE = 0.045  # of the panel's width: marks nearer to each other share a label
Shape = Literal["disc", "ring", "square", "diamond", "cross"]
SHAPES: dict[str, Shape] = {
    "animals": "disc",
    "vehicles": "square",
    "food": "diamond",
    "people": "ring",
    "places": "cross",
}


def clipped(word: str, length: int = 14) -> str:
    """A word short enough for its place."""
    return word if len(word) <= length else word[: length - 1] + "…"


def map_axes(reach: Array, legend: bool) -> tuple[Axis, Axis, float]:
    """The map's extent, which stays as it is for a whole run, and the height at which the legend stands."""
    wide, high = (float(value) for value in reach)
    # A map on one line still gets a picture with a height.
    wide, high = max(wide, 0.3 * high), max(high, 0.3 * wide)
    top = 1.1 * high + (0.2 * high if legend else 0.0)
    return Axis(-1.15 * wide, 1.25 * wide), Axis(-1.1 * high, top), 1.2 * high


# --- the map ---------------------------------------------------------------------------------------------------------


def map_panel(state: TrainingState, scene: Scene, step: Step) -> Panel:
    points = scene.points
    x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
    place = {row: index for index, row in enumerate(scene.shown)}
    trio = tuple(place[row] for row in scene.trio)
    ours = state.source == "ours"
    horizontal, vertical, legend = map_axes(scene.flat.reach, ours)
    # One mark carries all labels, so that none crosses another; its dots, which aren't drawn, keep them off the shapes.
    labels = Points(
        "labels",
        x,
        y,
        "what",
        size=1.5,
        shape="none",
        labels=_labels(scene, x / (horizontal.high - horizontal.low), y / (vertical.high - vertical.low), trio),
        picked=tuple(dict.fromkeys(trio)),
        hover=_hover(scene),
    )
    marks: list[Mark] = [*_trails(scene, trio), *_links(x, y, trio), *_shapes(scene, x, y, trio, ours)]
    if ours:
        marks += _legend(horizontal, legend)
    marks.append(labels)
    return Panel(
        "map_panel",
        MAP,
        tuple(marks),
        choice=segments("training", state, "source"),
        note=text("training.note.map", dim=state.dim, share=percent(float(scene.flat.shares[scene.moment]))),
        caption=_caption(scene, step),
        x=horizontal,
        y=vertical,
    )


def _trails(scene: Scene, trio: tuple[int, ...]) -> list[Mark]:
    """The way that each watched word has come."""
    start = max(0, scene.moment - TRAIL)
    if start == scene.moment:
        return []
    way = np.concatenate([scene.flat.points[start : scene.moment + 1, list(trio)], scene.points[None, list(trio)]])
    marks: list[Mark] = []
    for order, name in enumerate(("first", "second", "third")):
        line = way[:, order]
        marks.append(Curve(f"trail_{name}", line[:, 0].copy(), line[:, 1].copy(), "control", "thin"))
    return marks


def _links(x: Array, y: Array, trio: tuple[int, ...]) -> list[Mark]:
    """The compared words, joined; dashed to the third."""
    first, second, third = trio
    marks: list[Mark] = []
    if first != third:
        marks.append(Curve("link_third", x[[first, third]], y[[first, third]], "where", "line", "dash"))
    if first != second:
        marks.append(Curve("link", x[[first, second]], y[[first, second]], "what", "bold"))
    return marks


def _shapes(scene: Scene, x: Array, y: Array, trio: tuple[int, ...], ours: bool) -> list[Mark]:
    """A shape for each kind of our nouns; other words have a small dot."""
    marks: list[Mark] = []
    for key, group in groups(scene, ours).items():
        picked = tuple(group.index(index) for index in dict.fromkeys(trio) if index in group)
        size = 1.1 if key in SHAPES or not ours else 0.7
        marks.append(Points(key, x[group], y[group], "what", size, SHAPES.get(key, "disc"), picked=picked))
    return marks


def groups(scene: Scene, ours: bool) -> dict[str, list[int]]:
    """The places on the map by the key of the mark that draws them: the kinds of our nouns, and other words."""
    found: dict[str, list[int]] = {}
    for index, row in enumerate(scene.shown):
        found.setdefault((ours and kind_of(scene.name(row))) or "words", []).append(index)
    return found


def _legend(axis: Axis, y: float) -> list[Mark]:
    """The kinds' shapes with their names, in a row above the map."""
    marks: list[Mark] = []
    pitch = (axis.high - axis.low) / len(kinds())
    for index, kind in enumerate(kinds()):
        x = axis.low + (index + 0.12) * pitch
        here = np.array([x])
        marks.append(Points(f"legend_{kind}", here, np.array([y]), "what", 1.1, SHAPES[kind]))
        name = text(f"training.kind.{kind}")
        marks.append(Label(f"legend_{kind}_name", x + 0.1 * pitch, y, name, "small", "muted", "left"))
    return marks


def _labels(scene: Scene, x: Array, y: Array, trio: tuple[int, ...]) -> tuple[str, ...]:
    """The words that are written out. Where marks stand so close that a label could belong to any of them, only one of
    each kind has its label there, and none beside a watched word; x and y in shares of the panel."""
    away = np.hypot(x[:, None] - x[None, :], (y[:, None] - y[None, :]) * LOW)
    kinds_of = [kind_of(scene.name(row)) for row in scene.shown]
    named = list(range(len(scene.shown)) if len(scene.shown) <= FEW else dict.fromkeys(trio))
    # Words that stand alone come first: their labels are the clearest.
    np.fill_diagonal(away, np.inf)
    for index in np.argsort(-away.min(axis=1), kind="stable").tolist():
        if index in named or any(away[index, other] < CLOSE for other in trio):
            continue
        near = [other for other in named if away[index, other] < CLOSE and kinds_of[other] == kinds_of[index]]
        if not near:
            named.append(index)
    return tuple(clipped(scene.name(row)) if index in named else "" for index, row in enumerate(scene.shown))


def _hover(scene: Scene) -> tuple[str, ...]:
    """Each word's nearest neighbour on the map, now."""
    units = unit_rows(scene.trained.words[scene.moment, list(scene.shown)])
    scores = units @ units.T
    np.fill_diagonal(scores, -2.0)
    best = scores.argmax(axis=1)
    return tuple(
        text(
            "training.hover",
            word=scene.name(row),
            other=scene.name(scene.shown[other]),
            cosine=number(float(scores[place, other])),
        )
        for place, (row, other) in enumerate(zip(scene.shown, best.tolist(), strict=True))
    )


def _caption(scene: Scene, step: Step) -> str:
    """What the next batch does with one pair: pulled and pushed words by name."""
    drawn = dict.fromkeys(other for other, keep in zip(step.others[1:], step.keep[1:], strict=True) if keep)
    names = [text("training.quoted", word=clipped(scene.name(row))) for row in drawn]
    key = "training.caption." + ("last" if scene.moment >= scene.last else "pull") + ("" if names else "_alone")
    said = text(
        key,
        batch=count(step.batch),
        word=clipped(scene.name(step.centre)),
        near=clipped(scene.name(step.others[0])),
        drawn=listed(names) if names else "",
    )
    way = min(TRAIL, scene.moment) * scene.trained.every
    return said + text("training.caption.trails", batches=count(way)) if way > 1 else said


def listed(names: list[str], most: int = 3) -> str:
    """``“bus”, “road” and “egg”``, ``“bus”, “road” and 3 more``."""
    if len(names) == 1:
        return names[0]
    if len(names) > most:
        return text("training.and_more", names=", ".join(names[: most - 1]), more=len(names) - most + 1)
    return text("training.and", names=", ".join(names[:-1]), last=names[-1])


# --- the numbers -----------------------------------------------------------------------------------------------------


def numbers_panel(scene: Scene) -> Panel:
    first, second, third = (clipped(name, 12) for name in scene.names)
    return Panel(
        "numbers_panel",
        NUMBERS,
        readouts=(
            Readout(
                "cosine",
                number(scene.cosine(1), 2),
                text("training.readout.cosine", first=first, second=second),
                "what",
            ),
            Readout(
                "cosine_third",
                number(scene.cosine(2), 2),
                text("training.readout.cosine", first=first, second=third),
                "where",
                "title",
            ),
        ),
    )


def loss_panel(scene: Scene) -> Panel:
    """The loss so far, with the grip that moves through the training."""
    moment = scene.moment
    high = float(scene.trained.loss.max()) * 1.12
    x = np.arange(moment + 1, dtype=np.float64)
    here = scene.moment + scene.part
    y = scene.trained.loss[: moment + 1]
    marks: tuple[Mark, ...] = (
        Curve("loss", x, y, "text", "bold"),
        Curve("loss_now", np.array([here, here]), np.array([0.0, high]), "control", "thin", "dash"),
        Handle("scrub", here, scene.loss, "text", text("training.scrub")),
    )
    return Panel(
        "loss_panel",
        LOSS,
        marks,
        title=text("training.panel.loss", loss=number(scene.loss, 2)),
        note=text("training.note.loss", batch=count(scene.batch), batches=count(scene.batches)),
        x=_batches(scene),
        y=Axis(0.0, high, tuple((level, short(level)) for level in _levels(high))),
    )


def cosine_panel(state: TrainingState, scene: Scene) -> Panel:
    """Both cosines so far, with a dot and the word at their ends."""
    x = np.arange(scene.moment + 1, dtype=np.float64)
    here = scene.moment + scene.part
    names = [clipped(name, 10) for name in scene.names]
    # Dashed as the line between the two on the map.
    marks: tuple[Mark, ...] = (
        Curve("cosine_third_curve", x, scene.curve(2)[: scene.moment + 1], "where", "line", "dash", name=names[2]),
        Curve("cosine_curve", x, scene.curve(1)[: scene.moment + 1], "what", "bold", name=names[1]),
        *_heads(scene),
        Curve("cosine_now", np.array([here, here]), np.array([-1.0, 1.0]), "control", "thin", "dash"),
    )
    return Panel(
        "cosine_panel",
        COSINES,
        marks,
        title=text("training.panel.cosines", word=clipped(scene.names[0])),
        note=text("training.note.passes", window=state.window, passes=number(scene.passes, 1)),
        x=_batches(scene),
        y=Axis(-1.05, 1.05, tuple((level, short(level)) for level in (-1.0, 0.0, 1.0))),
    )


def _heads(scene: Scene) -> list[Mark]:
    """Where the curves have come to; their names stand beside it, and apart from each other."""
    x = np.array([float(scene.moment)])
    return [
        Points("cosine_third_head", x, np.array([scene.cosine(2)]), "where", 0.7),
        Points("cosine_head", x, np.array([scene.cosine(1)]), "what", 0.7),
    ]


def _batches(scene: Scene) -> Axis:
    """From the first batch to the last, whatever the moment; what was not yet played is empty."""
    middle = scene.last / 2
    ticks = tuple((at, count(at * scene.trained.every)) for at in (0.0, middle, float(scene.last)))
    # Room at the left, so that the grip at batch 0 hides no number of the scale.
    return Axis(-0.035 * scene.last, float(scene.last), ((0.0, text("training.batch_0")), *ticks[1:]))


def _levels(high: float) -> tuple[float, ...]:
    """Two or three round numbers of a scale from 0."""
    pitch = next(size for size in (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1e3) if high / size < 4)
    return tuple(pitch * step for step in range(int(high / pitch) + 1))
