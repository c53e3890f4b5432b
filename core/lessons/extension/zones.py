"""How much slower a method makes each pair, and where its zones begin."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.extension import parts, rules
from core.lessons.extension.scene import Scene, plain
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import big_panel, method_name, running, said, subtitle, times, with_source, zone_name
from core.stage.frame import Array, Axis, Bars, Cell, Curve, Frame, Label, Mark, Panel, Points, Rect, Table, Worked
from core.stage.numbers import count, short

NAMED = 0.085
STEADY = 16  # times the trained length


def frame(state: ExtensionState, scene: Scene) -> Frame:
    panels = (
        _main_panel(state, scene),
        Panel("method_panel", Cell(0, 8, 4, 4), readouts=parts.method_readouts(scene)),
        parts.zones_panel(scene, Cell(4, 8, 4, 4)),
        _compared_panel(scene) if scene.method in ("yarn", "dynamic") else parts.waves_panel(scene, Cell(8, 8, 4, 4)),
    )
    lines = rules.rule_lines(scene)
    return Frame(_title(scene), subtitle(scene, scaled=True), panels, Worked(tuple(lines)), _alt(scene))


def _title(scene: Scene) -> str:
    last = scene.pairs - 1
    fields = {
        "name": method_name(scene.method),
        "s": short(scene.factor, 2),
        "last": last,
        "slow": times(float(scene.slowdown[last])),
    }
    if scene.method == "base" and not scene.slows:
        return said("title.base_same")
    if scene.method not in ("none", "base", "dynamic") and not scene.slows:
        return said("title.zones_nothing", **fields)
    runs = scene.runs()
    zones = [zone for zone, _, _ in runs]
    if scene.method in ("yarn", "llama3"):
        if zones == ["keep", "blend", "divide"]:
            return said("title.zones", kept=runs[0][2], divided=runs[2][1], **fields)
        if "divide" not in zones:
            return said("title.zones_undivided", **fields)
        if "keep" not in zones:
            return said("title.zones_unkept", first=times(float(scene.slowdown[0])), **fields)
    return said(f"title.zones_{scene.method}", **fields)


def _main_panel(state: ExtensionState, scene: Scene) -> Panel:
    pairs, last = scene.pairs, scene.pairs - 1
    x = np.arange(float(pairs))
    heights = np.log2(scene.slowdown)
    marks: list[Mark] = []
    curves = _others(scene)
    top = max(1.0, float(heights.max()), *(float(curve.y.max()) for curve in curves), _steady(scene))
    low = -0.04 * top
    marks.append(Bars("slow", x, np.maximum(heights, 0.0), "where", 0.8))
    # A pair that keeps its speed has no bar: the line along the tops shows it.
    steps = np.stack([x - 0.4, x + 0.4], axis=1).ravel()
    marks.append(Curve("slow_top", steps, np.repeat(np.maximum(heights, 0.0), 2), "where", "hand"))
    for curve in curves:  # a pale band below each, so that it is seen on bars and beside them
        marks += [Curve(f"{curve.key}_band", curve.x, curve.y, "line", "hand"), curve]
    if scene.method == "yarn" and scene.factor > 1:
        marks.append(_other_name(scene, curves[-1].y))
    borders = _borders(scene, top)
    marks += borders
    marks.append(
        Points("picked", np.array([float(scene.pair)]), heights[[scene.pair]].clip(0.0), "text", 1.1, "diamond")
    )
    runs = scene.runs()
    ticks = {0: said("pair", pair=0), last: str(last)}
    if len(runs) <= parts.ROWS and scene.method not in ("ntk", "dynamic"):
        ticks |= {first: str(first) for _, first, _ in runs[1:]}
    power = max(1, math.ceil(top / 6))
    caption = said(f"slow.caption_{_drawn(curves)}", base=short(scene.base), pair=scene.pair)
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(-0.6, pairs - 0.4, tuple((float(at), name) for at, name in sorted(ticks.items()))),
        Axis(
            low,
            (1.3 if len(borders) > 1 else 1.17 if borders else 1.08) * top,
            tuple((float(p), f"{count(2**p)}×") for p in range(0, math.floor(top + 1e-9) + 1, power)),
        ),
        caption=with_source(caption, scene.config),
    )


def _steady(scene: Scene) -> float:
    """For dynamic NTK, log2 of how much it slows at ``STEADY`` times the trained length: while the text grows up to
    there, the lines for comparison stand still."""
    return math.log2(scene.factor * (STEADY - 1) + 1) if scene.method == "dynamic" else 0.0


def _others(scene: Scene) -> list[Curve]:
    """For comparison: dividing all alike and the larger base; for YaRN the other way to blend."""
    x = np.arange(float(scene.pairs))
    d, s = scene.dims, scene.factor
    curves = []
    if scene.method in ("ntk", "dynamic", "yarn", "llama3"):
        curves.append(Curve("all_alike", x, np.full(len(x), math.log2(s)), "text", "line", "dashdot"))
    if scene.method in ("linear", "yarn", "llama3", "dynamic") and s > 1:
        raised = scene.reference / plain(d, scene.base * s ** (d / (d - 2)))
        curves.append(Curve("by_base", x, np.log2(raised), "text", "line", "dot"))
    if scene.method == "yarn":
        other = rules.both_ramps(scene)["turns" if scene.ramp == "pairs" else "pairs"]
        curves.append(Curve("other_ramp", x, np.log2(np.array(other)), "text", "line", "dash"))
    return curves


def _drawn(curves: list[Curve]) -> str:
    """Which lines the caption explains."""
    keys = {curve.key for curve in curves}
    return (
        "both" if {"all_alike", "by_base"} <= keys else "alike" if "all_alike" in keys else "base" if keys else "bars"
    )


def _other_name(scene: Scene, heights: Array) -> Label:
    """Beside the other way to blend, where it is half way up."""
    at = int(np.searchsorted(heights, 0.84 * float(heights[-1])))
    name = said("slow.paper" if scene.ramp == "pairs" else "slow.code")
    return Label(
        "other_name",
        at - 0.015 * scene.pairs - 0.8,
        float(heights[min(at, len(heights) - 1)]),
        name,
        "label",
        "text",
        "right",
        bold=True,
    )


def _borders(scene: Scene, top: float) -> list[Mark]:
    """The zones' borders, their names, and the wavelengths between them."""
    runs = scene.runs()
    if scene.method in ("none", "base", "linear") or len(runs) > parts.ROWS:
        return []
    marks: list[Mark] = []
    if scene.method in ("ntk", "dynamic"):
        middle = (scene.pairs - 1) / 2
        name = Label("zones_name", middle, 1.04 * top, said("slow.gradual"), "label", "text", "bottom", bold=True)
        return [name]
    for zone, first, last in runs:
        middle, share = (first + last) / 2, (last - first + 1) / scene.pairs
        if first:
            marks.append(
                Curve(f"border_{first}", np.full(2, first - 0.5), np.array([0.0, 1.06 * top]), "control", "line")
            )
        if share >= NAMED:
            name = Label(
                f"zone_name_{first}", middle, 1.17 * top, zone_name(scene, zone), "label", "text", "bottom", bold=True
            )
            marks.append(name)
        if share >= 2 * NAMED:
            wave = parts.waves(scene, first, last)
            marks.append(Label(f"zone_waves_{first}", middle, 1.08 * top, wave, "small", "muted", "bottom"))
    return marks


def _compared_panel(scene: Scene) -> Panel:
    """Where the published code and the paper differ: both, and who does which."""
    if scene.method == "yarn":
        both = rules.both_ramps(scene)
        head = (said("who.yarn"), said("who.pair", pair=scene.pair))
        rows = tuple((said(f"who.{name}"), f"{times(both[name][scene.pair])}×") for name in ("pairs", "turns"))
        picked, title = 1 if scene.ramp == "pairs" else 2, said("who.yarn_title")
        caption = ""
    else:
        head = (said("who.dynamic"), said("who.multiplier"))
        m = rules.multiplier(scene)
        rows = (
            (said("who.code"), running(m, 3 if m < 100 else 1)),
            (said("who.paper"), running(max(1.0, scene.target / scene.trained))),
        )
        picked, title, caption = 1, said("who.dynamic_title"), said("who.letters")
    table = Table("who", (head, *rows), Rect(0.0, 0.0, 1.0, 1.0), (0.7, 0.3), picked, align=("left", "right"))
    return Panel("who_panel", Cell(8, 8, 4, 4), (table,), title=title, caption=caption, invert_y=True)


def _alt(scene: Scene) -> str:
    parts_said = "; ".join(
        said(
            "alt.run", zone=zone_name(scene, zone), pairs=parts.span(first, last), waves=parts.waves(scene, first, last)
        )
        for zone, first, last in scene.runs()[: parts.ROWS]
    )
    return said(
        "alt.zones",
        method=said(f"option.method.{scene.method}"),
        pairs=scene.pairs,
        zones=parts_said,
        pair=scene.pair,
        slow=times(float(scene.slowdown[scene.pair])),
        target=count(scene.target),
    )
