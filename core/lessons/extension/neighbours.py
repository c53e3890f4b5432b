"""What an extension costs nearby: the angle between two neighbouring tokens, pair by pair."""

from __future__ import annotations

import math

import numpy as np

from core.lessons.extension.scene import Scene
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import (
    as_shown,
    big_panel,
    digits_of,
    equals,
    exactly,
    factor_text,
    method_name,
    said,
    small,
    subtitle,
    times,
    with_source,
)
from core.stage.frame import (
    Axis,
    Bars,
    Cell,
    Dials,
    Frame,
    Hand,
    Label,
    Line,
    Mark,
    Panel,
    Points,
    Readout,
    Rect,
    Term,
    Vectors,
    Worked,
    line,
)
from core.stage.numbers import count, number, percent, short, shown
from core.stage.theme import Role

LEAST = 0.6  # degrees from one token to the next: below, a bar could not be seen
SIDE = 0.21  # half a bar: the two of a pair stand side by side
WHOLE = 8  # places of the fractions' ruler


def frame(state: ExtensionState, scene: Scene) -> Frame:
    panels = (_main_panel(state, scene), _gauge_panel(scene), _dials_panel(scene), _fractions_panel(scene))
    return Frame(_title(scene), subtitle(scene), panels, Worked(tuple(_lines(scene))), _alt(scene))


def _slow(scene: Scene) -> float:
    return float(scene.slowdown[scene.pair])


def contrast(scene: Scene) -> tuple[float, float]:
    """How far the mean cosine falls from a token to its neighbour, before and after: 1 − mean cos θ."""
    before, after = (float(1 - np.cos(speeds).mean()) for speeds in (scene.reference, scene.after))
    return before, after


def share_places(share: float) -> int:
    """Decimals of a share in per cent: a small one has one, and one that only rounds to all of it too."""
    return 1 if share < 0.1 or (percent(share) == percent(1.0) and abs(share - 1) > 1e-9) else 0


def before_name(scene: Scene) -> str:
    """What it is compared with: training, or for a base that training had already, the first base."""
    return said("before_base", base=short(scene.base)) if scene.method == "base" else said("before")


def _title(scene: Scene) -> str:
    fast = float(scene.slowdown[0])
    before, after = contrast(scene)
    if scene.method == "none":
        return said("title.near_none")
    if scene.method == "base":
        return said("title.near_base" if scene.slows else "title.base_same")
    if fast > 1.001:
        return said("title.near_shrinks", name=method_name(scene.method), n=times(fast))
    return said(
        "title.near_kept", name=method_name(scene.method), share=percent(after / before, share_places(after / before))
    )


def _main_panel(state: ExtensionState, scene: Scene) -> Panel:
    before, after = np.degrees(scene.reference), np.degrees(scene.after)
    n = max(6, int((before >= LEAST).sum()))
    n = min(max(n, min(scene.pair + 1, 2 * n)), scene.pairs)
    x = np.arange(float(n))
    marks: list[Mark] = [
        Bars("apart_before", x - SIDE, before[:n], "control", 2 * SIDE),
        Bars("apart", x + SIDE, after[:n], "where", 2 * SIDE),
    ]
    if scene.pair < n:
        marks.append(Points("picked", np.array([scene.pair + SIDE]), after[[scene.pair]], "text", 1.1, "diamond"))
    looks: tuple[tuple[str, float, str, Role], ...] = (
        ("before", 54.0, before_name(scene), "control"),
        ("apart", 48.0, said("near.after"), "where"),
    )
    for key, y, name, role in looks:
        swatch = np.array([0.58 * n]), np.array([y])
        marks += [
            Points(f"{key}_look", *swatch, role, 1.5, "square"),
            Label(f"{key}_name", 0.61 * n, y, name, "label", "where" if role == "where" else "muted", "left"),
        ]
    caption = said(
        "near.caption" if n < scene.pairs else "near.caption_all",
        first=n,
        last=scene.pairs - 1,
        least=_rounded_up(float(before[n - 1])),
    )
    if scene.pair < n:
        caption += " " + said("near.picked", pair=scene.pair)
    ticks = ((0.0, said("pair", pair=0)), (float(n - 1), str(n - 1)))
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(-0.6, n - 0.4, ticks),
        Axis(0.0, 60.0, ((0.0, "0°"), (30.0, "30°"), (60.0, "60°"))),
        caption=with_source(caption, scene.config),
    )


def _rounded_up(degrees: float) -> str:
    """A bound for all that is less: one decimal, or one digit of it."""
    decimals = max(1, digits_of(degrees, 1))
    return number(math.ceil(degrees * 10**decimals) / 10**decimals, decimals)


def _gauge_panel(scene: Scene) -> Panel:
    before, after = contrast(scene)
    share = after / before
    readouts = (
        Readout("gap", short(1 / _slow(scene)), said("near.gap_label", pair=scene.pair), role="where"),
        Readout("gauge", percent(share, share_places(share)), said("near.gauge_label"), role="where"),
    )
    return Panel("gauge_panel", Cell(0, 8, 3, 4), readouts=readouts)


def _dials_panel(scene: Scene) -> Panel:
    """Two neighbouring tokens on the pair's dial, before and after."""
    angles = np.array([scene.reference[scene.pair], scene.after[scene.pair]])
    start = np.full(2, 0.35)
    dials = Dials(
        "dials",
        (Hand("first", start, "text"), Hand("second", start + angles, "where")),
        Rect(0.0, 0.0, 2.0, 1.0),
        columns=2,
        labels=tuple(
            said(f"near.dial_{when}", n=small(math.degrees(angle), 1))
            for when, angle in zip(("before", "after"), angles, strict=True)
        ),
        wedge=("first", "second"),
    )
    return Panel(
        "dials_panel",
        Cell(3, 8, 4, 4),
        (dials,),
        title=said("near.dials", pair=scene.pair),
        x=Axis(0.0, 2.0),
        y=Axis(0.0, 1.0),
    )


def _fractions_panel(scene: Scene) -> Panel:
    """Whole positions of training, and where this pair now puts the tokens 0, 1, 2 …"""
    ratio = float(scene.ratio[scene.pair])
    tokens = np.arange(WHOLE + 1.0)
    acts = tokens * ratio
    end = max(1.0, math.ceil(acts[-1] - 1e-9))
    fractions = np.abs(acts - np.round(acts)) > 1e-9
    marks: list[Mark] = [
        Vectors("falls", acts, np.full(len(acts), 0.86), acts, np.full(len(acts), 0.1), "where", "line"),
        Points("tokens", acts[~fractions], np.ones(int((~fractions).sum())), "where", 1.1),
        Points("whole", np.arange(end + 1), np.zeros(int(end) + 1), "text", 1.3, "ring"),
    ]
    if fractions.any():
        marks.append(Points("fractions", acts[fractions], np.ones(int(fractions.sum())), "where", 1.1, "square"))
    named = tokens if ratio * WHOLE > 0.6 * end else tokens[[-1]]
    marks += [
        Label(f"token_{at:g}", float(at * ratio), 1.2, count(at), "small", "where", "bottom", bold=True) for at in named
    ]
    key = "near.fractions" if fractions.any() else "near.all_whole"
    ticks = tuple((float(at), count(at)) for at in range(int(end) + 1))
    return Panel(
        "fractions_panel",
        Cell(7, 8, 5, 4),
        tuple(marks),
        title=said(key, first=short(ratio)),
        caption=said("near.fractions_caption") if fractions.any() else "",
        x=Axis(-0.03 * end, 1.03 * end, ticks),
        y=Axis(-0.45, 1.75, ((0.0, said("near.acts_as")), (1.0, said("near.tokens")))),
    )


def _lines(scene: Scene) -> list[Line]:
    i, slow = scene.pair, _slow(scene)
    before, after = math.degrees(float(scene.reference[i])), math.degrees(float(scene.after[i]))
    decimals = 1 if before >= 1 else max(3, digits_of(after, 3))
    written_slow = factor_text(slow, (1.0, 2))
    hand = shown(before, decimals) / as_shown(written_slow)
    now = f"{equals(hand, after, decimals)} {number(after, decimals)}°"
    quotient = f"1 / {written_slow} {exactly(1 / slow, 1 / as_shown(written_slow))} {short(1 / slow)}"
    mean_before, mean_after = contrast(scene)
    share = mean_after / mean_before
    by_hand = shown(mean_after, 5) / shown(mean_before, 5)
    places = share_places(share)
    return [
        line(said("work.near", pair=i, name=before_name(scene), before=number(before, decimals))),
        line(
            said("work.near_after"),
            Term(f"{number(before, decimals)}° / {written_slow} {now}", "where", (("apart", (i,)),), bold=True),
        ),
        line(
            said("work.gauge", pairs=scene.pairs),
            Term(
                f"{number(mean_after, 5)} / {number(mean_before, 5)} "
                f"{equals(100 * by_hand, 100 * share, places)} {percent(share, places)}",
                "where",
                (("gauge", ()),),
            ),
        ),
        line(said("work.gauge_what")),
        line(said("work.near_gap", pair=i, quotient=quotient)),
        line(Term(said("work.gauge_fast"), "muted")),
    ]


def _alt(scene: Scene) -> str:
    before, after = contrast(scene)
    return said(
        "alt.near",
        method=said(f"option.method.{scene.method}"),
        pair=scene.pair,
        before=small(math.degrees(float(scene.reference[scene.pair])), 1),
        after=small(math.degrees(float(scene.after[scene.pair])), 1),
        gap=short(1 / _slow(scene)),
        share=percent(after / before, share_places(after / before)),
        trained=count(scene.trained),
        target=count(scene.target),
    )
