"""Small pictures that several pages of Longer context show: the zones as a table, one position on two rulers, the
wavelengths, and the number that a method is known by."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.extension.rules import multiplier
from core.lessons.extension.scene import Scene
from core.lessons.extension.words import place, running, said, times, tokens, zone_name
from core.stage.frame import Axis, Cell, Curve, Dash, Label, Mark, Panel, Points, Readout, Rect, Region, Table, Vectors
from core.stage.numbers import count, number, short
from core.stage.theme import Role

ROWS = 4  # of zones
SWATCH = 0.028  # of the picture's width
SWATCH_LETTERS = 6  # as many letters are as wide as a swatch and the space around it
APART = 0.4  # of the small picture's height: nearer ticks would touch


def legend(key: str, x: Axis, y: float, tall: float, entries: tuple[tuple[str, Role, str], ...]) -> list[Mark]:
    """What the looks in a picture mean, side by side at the height ``y``: (text, role, look) each, the look being
    "solid", "hatched" or a line's dash with "line " before it. ``tall``: half a swatch's height. Long texts get more
    of the width."""
    marks: list[Mark] = []
    wide = x.high - x.low
    letters = [len(name) + SWATCH_LETTERS for name, _, _ in entries]
    for at, (name, role, look) in enumerate(entries):
        left = x.low + wide * (0.01 + sum(letters[:at]) / sum(letters))
        right = left + SWATCH * wide * (1.6 if look.startswith("line ") else 1)
        here = np.array([left, right])
        if look.startswith("line "):
            dash: Dash = look.removeprefix("line ")  # type: ignore[assignment]
            marks.append(Curve(f"{key}_{at}", here, np.full(2, y), role, "bold", dash))
        elif look == "hatched":
            marks.append(Region(f"{key}_{at}", here, np.full(2, y - tall), np.full(2, y + tall), role, hatched=True))
            box = np.array([left, right, right, left]), np.array([y - tall, y - tall, y + tall, y + tall])
            marks.append(Curve(f"{key}_edge_{at}", *box, role, "line", closed=True))
        else:
            marks.append(Points(f"{key}_{at}", here.mean(keepdims=True), np.array([y]), role, 1.5, "square"))
        marks.append(Label(f"{key}_name_{at}", right + 0.012 * wide, y, name, "label", role_of_text(role), "left"))
    return marks


def role_of_text(role: Role) -> Role:
    """A grey that is meant for areas is too pale for letters."""
    return "text" if role in ("control", "line") else role


def zones_panel(scene: Scene, cell: Cell) -> Panel:
    """Which pairs the method keeps, blends, divides, and the wavelengths at the borders. Without a method: which have
    gone full circle."""
    if scene.method in ("none", "base"):
        fast = scene.pairs - int((~scene.round).sum())
        runs = [("round", 0, fast - 1), ("part", fast, scene.pairs - 1)]
        runs = [run for run in runs if run[1] <= run[2]]
    else:
        runs = list(scene.runs())
        if len(runs) > ROWS:
            runs = [*runs[: ROWS - 1], ("mixed", runs[ROWS - 1][1], runs[-1][2])]
    head = (said("zones.head.zone"), said("zones.head.pairs"), said("zones.head.waves"))
    rows = tuple((zone_name(scene, zone), span(first, last), border(scene, first, last)) for zone, first, last in runs)
    table = Table(
        "zones",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        align=("left", "right", "right"),
        picked=next(at + 1 for at, (_, first, last) in enumerate(runs) if first <= scene.pair <= last),
    )
    title = said("zones.title_none" if scene.method in ("none", "base") else "zones.title")
    return Panel("zones_panel", cell, (table,), title=title, invert_y=True)


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def border(scene: Scene, first: int, last: int) -> str:
    """A zone's border in tokens: its longest wavelength, of the slowest zone its shortest."""
    if last == scene.pairs - 1:
        return said("zones.from", n=tokens(float(scene.wavelengths[first])))
    return said("zones.to", n=tokens(float(scene.wavelengths[last])))


def waves(scene: Scene, first: int, last: int) -> str:
    low, high = (tokens(float(scene.wavelengths[pair])) for pair in (first, last))
    return low if first == last else f"{low} – {high}"


def ruler_panel(scene: Scene, cell: Cell) -> Panel:
    """One position among the target's, and as which position of training it turns the pair."""
    acts, target, trained = scene.acts_as, float(scene.target), float(scene.trained)
    longest = max(target, trained)
    known = bool(scene.round[scene.pair])
    outside = not known and acts >= trained
    end = min(max(trained, target * float(scene.ratio[scene.pair])), longest)
    role: Role = "warn" if outside else "where"
    marks: list[Mark] = [
        Curve("asked", np.array([0.0, target]), np.array([1.0, 1.0]), "where", "hand"),
        Curve("known", np.array([0.0, trained]), np.array([0.0, 0.0]), "text", "hand"),
        Vectors("acts", np.array([float(scene.position)]), np.array([0.93]), np.array([acts]), np.array([0.07]), role),
        Label("asked_at", float(scene.position), 1.22, count(scene.position), "small", "where", "bottom", bold=True),
        Label(
            "known_at",
            acts,
            -0.14,
            place(acts),
            "small",
            role,
            "top left" if acts < 0.1 * longest else "top",
            bold=True,
        ),
    ]
    if end > trained:
        past: Role = "muted" if known else "warn"
        marks.insert(
            0, Region("beyond", np.array([trained, end]), np.full(2, -0.08), np.full(2, 0.08), past, hatched=True)
        )
    key = "ruler.outside" if outside else "ruler.moved" if abs(acts - scene.position) > 1e-9 else "ruler.unmoved"
    ticks = {longest: count(longest)}
    if trained < 0.8 * longest:
        # Near the start one name says both ends of what was trained: two would touch.
        ticks[trained] = count(trained) if trained > 0.2 * longest else f"0–{count(trained)}"
    if trained > 0.2 * longest:
        ticks[0.0] = "0"
    return Panel(
        "ruler_panel",
        cell,
        tuple(marks),
        title=said(key, pair=scene.pair, position=count(scene.position), acts=place(acts)),
        x=Axis(0.0, longest, tuple(sorted(ticks.items()))),
        y=Axis(-1.5, 1.95, ((0.0, said("ruler.trained")), (1.0, said("ruler.target")))),
    )


def waves_panel(scene: Scene, cell: Cell) -> Panel:
    """How many tokens one full turn takes, before and after, against the trained length, which has a tick."""
    x = np.arange(float(scene.pairs))
    before, after = np.log10(2 * np.pi / scene.reference), np.log10(2 * np.pi / scene.after)
    level = math.log10(scene.trained)
    top = max(float(after.max()), float(before.max()), level)
    marks = (
        Curve("wave_limit", x[[0, -1]], np.array([level, level]), "text", "line", "dash"),
        Curve("waves_before", x, before, "muted", "line", "dot"),
        Curve("waves_after", x, after, "where", "bold"),
    )
    low, high = 0.6, top + 0.35
    first, last = float(before[0]), math.floor(high)  # the first pair takes as long with any base
    ticks = [(level, count(scene.trained))]
    ticks += [
        (at, name)
        for at, name in ((first, tokens(10**first)), (float(last), count(10**last)))
        if _apart(at, level, high - low)
    ]
    return Panel(
        "waves_panel",
        cell,
        marks,
        title=said("waves.title"),
        caption=said("waves.caption", base=short(scene.base)),
        x=Axis(0.0, float(scene.pairs - 1), ((0.0, said("pair", pair=0)), (scene.pairs - 1.0, str(scene.pairs - 1)))),
        y=Axis(low, high, tuple(sorted(ticks))),
    )


def _apart(at: float, level: float, tall: float) -> bool:
    return abs(at - level) >= APART * tall


def square_name(scene: Scene) -> str:
    """What multiplies q·k."""
    return said("method.square" if scene.softmax == 1 else "method.softmax")


def method_readouts(scene: Scene) -> tuple[Readout, ...]:
    """The number that the method is known by, and what else it changes."""
    last = scene.pairs - 1
    most = times(float(scene.slowdown[last]))
    slow = said("method.last", pair=last, n=most) if scene.slows else said("method.none_detail")
    if scene.method in ("yarn", "longrope"):
        return (
            Readout("method", number(scene.attention), said("method.attention"), role="where"),
            Readout("square", number(scene.on_scores), square_name(scene), role="where"),
        )
    if scene.method == "dynamic":
        m = multiplier(scene)
        return (
            Readout("method", running(m, 3 if m < 100 else 1), said("method.multiplier"), role="where"),
            Readout("raised", count(scene.made.base), said("method.base"), size="title"),
        )
    if scene.method == "ntk":
        return (Readout("method", count(scene.made.base), said("method.base"), role="where", detail=slow),)
    if scene.method == "base":
        slower = f"{times(float(scene.slowdown[last]))}×"
        return (
            Readout("method", slower, said("method.slower", pair=last), role="where"),
            Readout("first", "1×", said("method.slower", pair=0)),
        )
    if scene.method == "none":
        return (Readout("method", "1×", said("method.none"), detail=said("method.none_detail")),)
    return (Readout("method", f"{short(scene.factor, 2)}×", said("method.factor"), role="where", detail=slow),)
