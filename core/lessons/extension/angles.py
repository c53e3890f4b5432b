"""The one picture: how far round each pair comes, against how far it came in training."""

from __future__ import annotations

import numpy as np

from core.lessons.extension import parts, rules
from core.lessons.extension.scene import Scene
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import (
    big_panel,
    method_name,
    place,
    said,
    subtitle,
    turns_text,
    with_source,
    zone_name,
)
from core.stage.frame import Array, Axis, Bars, Cell, Curve, Frame, Label, Mark, Panel, Points, Readout, Region, Worked
from core.stage.numbers import count, short
from core.stage.theme import Role

WIDE = 0.8
NAMED = 0.05  # share of the pairs from which on a zone has room for its name
DASHES = {"keep": "solid", "blend": "dot", "divide": "dash"}


def frame(state: ExtensionState, scene: Scene) -> Frame:
    panels = (
        _main_panel(state, scene),
        _count_panel(scene),
        parts.zones_panel(scene, Cell(4, 8, 4, 4)),
        parts.ruler_panel(scene, Cell(8, 8, 4, 4)),
    )
    lights = (("seen", (scene.pair,)),)
    lines = rules.angle_lines(scene, lights) + rules.position_lines(scene)
    while len(lines) % Worked.PAGE:
        lines.append(())
    lines += rules.rule_lines(scene)
    return Frame(title(scene), subtitle(scene), panels, Worked(tuple(lines)), alt(scene))


def title(scene: Scene) -> str:
    n, pairs, trained = scene.n_new, scene.pairs, count(scene.trained)
    if scene.target <= scene.trained:
        return said("title.assumed" if scene.assumed else "title.short", trained=trained)
    if scene.method == "none" and not scene.assumed:
        return said("title.none" if n else "title.none_round", n=n, pairs=pairs, trained=trained)
    if scene.method == "base" and not scene.assumed:
        if not scene.slows:
            return said("title.base_same")
        return said("title.base_new" if n else "title.base", n=n, pairs=pairs)
    if scene.assumed:
        return said("title.if_new" if n else "title.if_inside", n=n, pairs=pairs, trained=trained)
    name = method_name(scene.method)
    if n:
        return said("title.left", name=name, n=n, pairs=pairs, target=count(scene.target))
    if scene.method == "linear":
        return said("title.linear", position=count(scene.position), acts=place(scene.acts_as))
    return said("title.inside", name=name, pairs=pairs)


def _main_panel(state: ExtensionState, scene: Scene) -> Panel:
    pairs = scene.pairs
    x = np.arange(float(pairs))
    trained, reached = np.minimum(scene.turns_trained, 1.0), np.minimum(scene.turns_reached, 1.0)
    high = np.maximum(reached, trained)
    high = np.where(scene.new, high, trained)
    edges = (x[:, np.newaxis] + np.array([-1, -1, 1, 1]) * WIDE / 2).ravel()
    high4 = np.stack([trained, high, high, trained], axis=1).ravel()
    # A fifth point goes on to the next bar's height, so that all edges are upright or level.
    after = np.append(trained[1:], trained[-1])
    edges5 = (x[:, np.newaxis] + np.array([-1, -1, 1, 1, 1]) * WIDE / 2).ravel()
    low5 = np.stack([trained, trained, trained, trained, after], axis=1).ravel()
    high5 = np.stack([trained, high, high, trained, after], axis=1).ravel()
    marks: list[Mark] = [
        Bars("seen", x, np.minimum(reached, trained), "where", WIDE),
        Region("new", edges5, low5, high5, "warn", hatched=True),
        *_edges(scene, edges, high4),
        _stair("limit", trained, "text", "line", "solid"),
    ]
    if scene.method != "none":
        marks.append(
            _stair("plain", np.minimum(scene.target * scene.reference / (2 * np.pi), 1.0), "muted", "line", "dot")
        )
    marks += _names(scene)
    zones = _zones(scene)
    marks += zones
    top = trained[scene.pair] if not scene.new[scene.pair] else high[scene.pair]
    marks.append(Points("picked", np.array([float(scene.pair)]), np.array([top]), "text", 1.1, "diamond"))
    last = pairs - 1
    first = pairs - int((~scene.round).sum())
    ticks = {0: said("pair", pair=0), last: str(last)}
    ticks |= {first: str(first)} if 0 < first < last else {}
    if len(scene.runs()) <= parts.ROWS and scene.method not in ("ntk", "dynamic"):  # theirs begin beside the ends
        ticks |= {pair: str(pair) for _, pair, _ in scene.runs()}
    ticks[0] = said("pair", pair=0)
    along = Axis(-0.6, pairs - 0.4, tuple((float(at), name) for at, name in sorted(ticks.items())))
    looks: list[tuple[str, Role, str]] = [
        (said("angles.met"), "where", "solid"),
        (said("angles.new"), "warn", "hatched"),
    ]
    if scene.method != "none":
        plain = said("before_base", base=short(scene.base)) if scene.method == "base" else said("angles.plain")
        looks.append((plain, "muted", "line dot"))
    marks += parts.legend("looks", along, 1.28, 0.025, tuple(looks))
    caption = said("angles.caption", target=count(scene.target), pair=scene.pair)
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        along,
        Axis(-0.2 if zones else -0.03, 1.34, ((0.0, "0"), (0.5, said("half_turn")), (1.0, said("one_turn")))),
        caption=with_source(caption, scene.config),
    )


def _edges(scene: Scene, edges: Array, high: Array) -> list[Mark]:
    """The outline of what is new: hatching alone would be faint from the last row."""
    new = np.repeat(scene.new, 4)
    if not scene.n_new:
        return []
    return [Curve("new_edge", edges[new], high[new], "warn", "line", breaks=tuple(range(4, 4 * scene.n_new, 4)))]


def _stair(key: str, heights: Array, role: str, width: str, dash: str) -> Curve:
    x = np.arange(float(len(heights)))
    steps = np.stack([x - 0.5, x + 0.5], axis=1).ravel()
    return Curve(key, steps, np.repeat(heights, 2), role, width, dash)  # type: ignore[arg-type]


def _names(scene: Scene) -> list[Mark]:
    """What the two parts of the picture mean, above them."""
    marks: list[Mark] = []
    first, last = scene.pairs - int((~scene.round).sum()), scene.pairs - 1
    if first > 0.3 * scene.pairs:
        marks.append(Label("round_name", -0.5, 1.03, said("angles.round"), "label", "muted", "bottom left"))
    if not scene.n_new and first <= last:
        marks.append(
            Label(
                "inside_name",
                last + 0.5,
                1.03,
                said("angles.inside_if" if scene.assumed else "angles.inside"),
                "label",
                "text",
                "bottom right",
                bold=True,
            )
        )
    return marks


def _zones(scene: Scene) -> list[Mark]:
    """Below the bars: what the method does to each pair."""
    runs = scene.runs()
    if scene.method in ("none", "base") or len(runs) > parts.ROWS:
        return []
    marks: list[Mark] = []
    for zone, first, last in runs:
        marks.append(
            Curve(f"zone_{first}", np.array([first - 0.3, last + 0.3]), np.full(2, -0.06), "text", "bold", DASHES[zone])  # type: ignore[arg-type]
        )
        if (last - first + 1) >= NAMED * scene.pairs:
            marks.append(
                Label(f"zone_name_{first}", (first + last) / 2, -0.09, zone_name(scene, zone), "small", "text", "top")
            )
    return marks


def _count_panel(scene: Scene) -> Panel:
    reach = count(int(scene.covered)) if np.isfinite(scene.covered) else ""
    detail = said("angles.reach", n=reach) if reach else said("angles.reach_all")
    if scene.assumed:
        detail = said("angles.if", trained=count(scene.trained))
    readout = Readout(
        "count",
        said("angles.count", n=scene.n_new, pairs=scene.pairs),
        said("angles.count_label"),
        role="warn" if scene.n_new else "muted" if scene.assumed else "text",
        detail=detail,
    )
    return Panel("count_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def alt(scene: Scene) -> str:
    i = scene.pair
    return said(
        "alt.angles",
        pairs=scene.pairs,
        method=said(f"option.method.{scene.method}"),
        trained=count(scene.trained),
        target=count(scene.target),
        n=scene.n_new,
        round=int(scene.round.sum()),
        pair=i,
        met=turns_text(float(scene.turns_trained[i])),
        reached=turns_text(float(scene.turns_reached[i])),
        position=count(scene.position),
        acts=place(scene.acts_as),
        slow=short(float(scene.slowdown[i]), 2),
    )
