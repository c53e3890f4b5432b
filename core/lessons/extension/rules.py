"""The methods on the blackboard: each rule with the numbers of the stage.

Sources: Chen et al. 2023 (position interpolation); bloc97 2023 and Peng et al. 2023 (NTK-aware, dynamic NTK, YaRN) with
the public code of both; Dubey et al. 2024 (Llama 3); Ding et al. 2024 (LongRoPE).
"""

from __future__ import annotations

import math

from core.encodings import extension
from core.lessons.extension import configs
from core.lessons.extension.scene import TURN, Scene, betas, known, limits, longest, ramp_ends, truncates
from core.lessons.extension.words import (
    as_shown,
    digits_of,
    divisor_text,
    equals,
    exactly,
    factor_text,
    place,
    running,
    said,
    small,
    times,
    written,
)
from core.stage.frame import Line, Term, Worked, line
from core.stage.numbers import MINUS, count, number, short, shown
from core.stage.theme import Role
from core.tables.models import Unknown

Lights = tuple[tuple[str, tuple[int, ...]], ...]


def angle_lines(scene: Scene, lights: Lights) -> list[Line]:
    """One pair: θ, the angle met in training and the angle at the target length."""
    i = scene.pair
    theta, turn = float(scene.before[i]), float(scene.after[i])
    slow = float(scene.before[i] / scene.after[i])
    base = scene.new_base if scene.method == "base" else scene.base
    trained, reached = scene.trained * theta, scene.target * turn
    decimals = max(3 if trained < 100 else 1, digits_of(trained, 2))
    degrees, most = small(math.degrees(trained), 1), decimals + 3
    places = len(degrees.partition(".")[2])
    while number(math.degrees(shown(trained, decimals)), places) != degrees and decimals < most:
        decimals += 1  # the degrees follow from the radians that stand there
    far = max(decimals, digits_of(reached, 2))
    written_theta = factor_text(theta, (scene.trained, decimals), (_doubled(scene) / slow, far))
    met = said("work.round", turns=short(trained / TURN, 1)) if scene.round[i] else said("work.part", degrees=degrees)
    divided = "" if slow == 1 else f" / {factor_text(slow, (1.0, 2))}"
    by_hand = scene.target * as_shown(written_theta) / (as_shown(divided[3:]) if divided else 1)
    result = f"{equals(by_hand, reached, far)} {number(reached, far)} rad"
    state = "new" if scene.new[i] else "again" if scene.round[i] else "inside"
    power = f"{short(base)}^({MINUS}{2 * i} / {scene.dims})"
    met_line = (
        f"{said('work.trained')} {count(scene.trained)} × {written_theta} = {number(trained, decimals)} rad, {met}"
    )
    start = f"{said('work.reached')} {count(scene.target)} × {written_theta}{divided}"
    role: Role = "warn" if state == "new" else "where"
    return [
        line(said("work.theta", pair=i, power=power, theta=written_theta)),
        line(Term(met_line, "text", lights)),
        line(Term(f"{start} {result}, {said(f'work.state.{state}')}", role, lights)),
    ]


def _doubled(scene: Scene) -> float:
    """The trained length doubled until it holds the text: θ keeps its digits while the text grows by one doubling."""
    return scene.trained * math.pow(2.0, max(0, math.ceil(math.log2(scene.target / scene.trained))))


def position_lines(scene: Scene) -> list[Line]:
    """As which position a position acts."""
    p, slow = scene.position, float(scene.before[scene.pair] / scene.after[scene.pair])
    past = scene.acts_as >= scene.trained
    known = "round" if scene.round[scene.pair] else "past"
    if slow == 1:
        key = f"work.unmoved_{known}" if past else "work.unmoved"
        return [line(said(key, pair=scene.pair, position=count(p), trained=count(scene.trained)))]
    shown_slow = divisor_text(slow, p)
    sign = "=" if place(p / as_shown(shown_slow)) == place(scene.acts_as) else "≈"
    moved = f"{count(p)} / {shown_slow} {sign} {place(scene.acts_as)}"
    key = f"work.acts_{known}" if past else "work.acts"
    lines = [
        line(Term(said(key, pair=scene.pair, moved=moved, trained=count(scene.trained)), "where", (("acts", ()),)))
    ]
    near = f"1 / {shown_slow} {exactly(1 / slow)} {short(1 / slow)}"
    lines.append(line(said("work.fraction", near=near)))
    lines.append(line(Term(said("work.not_the_same"), "muted")))
    return lines


def rule_lines(scene: Scene) -> list[Line]:
    """The method's rule."""
    return {
        "none": _none,
        "linear": _linear,
        "ntk": _ntk,
        "dynamic": _dynamic,
        "yarn": _yarn,
        "llama3": _llama3,
        "longrope": _longrope,
        "base": _base,
    }[scene.method](scene) + _local(scene)


def _local(scene: Scene) -> list[Line]:
    """A model with a second base: which layers these numbers are of."""
    found = configs.entry(scene.config)
    if found is None or isinstance(found.rope_theta_local, Unknown) or not isinstance(found.sliding_window, int):
        return []
    base, window = short(found.rope_theta_local), count(found.sliding_window)
    return [line(Term(said("work.local", base=base, window=window), "muted"))]


def _none(scene: Scene) -> list[Line]:
    first = scene.pairs - int((~scene.round).sum())
    if first == scene.pairs:
        return [line(said("work.none_round", n=scene.pairs, trained=count(scene.trained)))]
    wave = written(float(scene.wavelengths[first]))
    return [
        line(said("work.none_first", pair=first, wave=wave, sign=">", trained=count(scene.trained))),
        line(said("work.none_slow", n=scene.pairs - first, pairs=scene.pairs, first=first, minus=MINUS)),
        line(Term(said("work.none_fast"), "muted")),
    ]


def _linear(scene: Scene) -> list[Line]:
    if not scene.slows:
        return [line(said("work.linear_one"))]
    s = short(scene.factor)
    inverse = 1 / scene.factor
    sign = exactly(inverse)
    return [
        line(said("work.linear", s=s)),
        line(said("work.linear_gap", s=s, gap=f"1 / {s} {sign} {short(inverse)}")),
        line(Term(said("work.linear_tune"), "muted")),
    ]


def _raised(scene: Scene, multiplier: float) -> Line:
    d = scene.dims
    value = scene.base * multiplier ** (d / (d - 2))
    hand = scene.base * as_shown(running(multiplier)) ** (d / (d - 2))
    return line(
        f"{said('work.base')} {short(scene.base)} × {running(multiplier)}^({d} / {d - 2}) {equals(hand, value, 0)} ",
        Term(count(value), "where", (("method" if scene.method == "ntk" else "raised", ()),), bold=True),
    )


def _ntk(scene: Scene) -> list[Line]:
    d, s = scene.dims, short(scene.factor)
    return [
        _raised(scene, scene.factor),
        line(said("work.ntk_pairs", s=s, exponent=f"2i / {d - 2}", last=scene.pairs - 1)),
        line(Term(said("work.ntk_use"), "muted")),
    ]


def multiplier(scene: Scene) -> float:
    """What dynamic NTK's code multiplies the base by, before the power."""
    if scene.target <= scene.trained:
        return 1.0
    return scene.factor * scene.target / scene.trained - (scene.factor - 1)


def _dynamic(scene: Scene) -> list[Line]:
    if scene.target <= scene.trained:
        return [line(said("work.dynamic_short", trained=count(scene.trained)))]
    s, stretch = short(scene.factor), scene.target / scene.trained
    m = multiplier(scene)
    product, less = shown(scene.factor * stretch), shown(scene.factor - 1)
    fraction = f"{s} × {count(scene.target)} / {count(scene.trained)} {MINUS} "
    long, brief = (f"({s} {MINUS} 1) = {running(product)} {MINUS} {short(less)}", short(less))
    sign = equals(product - less, m)
    start = f"{said('work.code')} {fraction}"
    middle = long if len(f"{start}{long} {sign} {running(m)}") <= Worked.COLUMNS else brief
    quotient = f"{count(scene.target)} / {count(scene.trained)} {exactly(stretch)} {running(stretch)}"
    return [
        line(f"{start}{middle} {sign} ", Term(running(m), "where", (("method", ()),), bold=True)),
        _raised(scene, m),
        line(Term(said("work.dynamic_paper", quotient=quotient), "muted")),
        line(Term(said("work.dynamic_cache"), "muted")),
    ]


def attention_lines(scene: Scene) -> list[Line]:
    """The attention factor and its square on q·k."""
    square = _square(scene.attention)
    if scene.method == "longrope":
        s = scene.stretch
        top, below = math.log(s), math.log(scene.trained)
        if s <= 1:
            return []
        by_hand = math.sqrt(1 + shown(top) / shown(below))
        end = longest(scene.config, scene.trained, scene.target)
        return [
            line(said("work.stretch", quotient=f"{count(end)} / {count(scene.trained)} {exactly(s)} {short(s)}")),
            line(
                f"{said('work.attention')} √(1 + ln {short(s)} / ln {count(scene.trained)}) = "
                f"√(1 + {number(top)} / {number(below)}) {equals(by_hand, scene.attention)} {number(scene.attention)}"
            ),
            square,
        ]
    how = configs.scaling(scene.config)
    one, other = (known(how.mscale), known(how.mscale_all_dim)) if how is not None else (None, None)
    if one and other:
        above, below_it = (f"{short(0.1 * scale)} × ln {short(scene.factor)} + 1" for scale in (one, other))
        return [
            line(f"{said('work.attention')} ({above}) / ({below_it}) = {number(scene.attention)}"),
            _square(scene.softmax, f"({below_it})² = "),
        ]
    log = math.log(scene.factor)
    by_hand = 0.1 * shown(log) + 1
    return [
        line(
            f"{said('work.attention')} 0.1 × ln {short(scene.factor)} + 1 = 0.1 × {number(log)} + 1 "
            f"{equals(by_hand, scene.attention)} {number(scene.attention)}"
        ),
        square,
    ]


def _square(factor: float, start: str = "") -> Line:
    """A factor's square on q·k, with the digits from which it comes out as it is written."""
    decimals = next((d for d in range(3, 7) if number(shown(factor, d) ** 2) == number(factor**2)), 6)
    return line(
        f"{said('work.square')} {start}{number(factor, decimals)}² = ",
        Term(number(factor**2), "where", (("square", ()),), bold=True),
    )


def _yarn(scene: Scene) -> list[Line]:
    lines = attention_lines(scene)
    if scene.ramp == "turns":
        fast, slow = betas(scene.config)
        return [*lines, line(said("work.turns_rule", fast=short(fast), slow=short(slow))), _who(scene)]
    low, high = ramp_ends(scene)
    for name, turns, end, rounded in zip(
        ("low", "high"), betas(scene.config), (low, high), (math.floor(low), math.ceil(high)), strict=True
    ):
        divisor = "2π" if turns == 1 else f"(2π × {short(turns)})"
        formula = f"{scene.pairs} × ln({count(scene.trained)} / {divisor}) / ln {short(scene.base)}"
        kept = f" → {rounded}" if truncates(scene.config) else ""
        lines.append(line(f"{said('work.' + name)} {formula} = {number(end, 2)}{kept}"))
    keep, divide = (short(turns) for turns in betas(scene.config))
    key = "work.code_rule" if truncates(scene.config) else "work.code_rule_exact"
    return [*lines, line(Term(said(key, fast=keep, slow=divide), "muted")), _who(scene)]


def _who(scene: Scene) -> Line:
    code, paper = (both_ramps(scene)[name][scene.pair] for name in ("pairs", "turns"))
    return line(Term(said("work.ramps", pair=scene.pair, code=times(code), paper=times(paper)), "muted"))


def both_ramps(scene: Scene) -> dict[str, list[float]]:
    """How many times slower each pair turns when YaRN blends over pair numbers (code), and over turns (paper)."""
    fast, slow = betas(scene.config)
    code = extension.yarn(
        scene.dims, scene.base, scene.factor, scene.trained, fast, slow, truncate=truncates(scene.config)
    )
    text = extension.llama3(scene.dims, scene.base, scene.factor, scene.trained, slow, fast)
    return {
        "pairs": (scene.reference / code.frequencies).tolist(),
        "turns": (scene.reference / text.frequencies).tolist(),
    }


def _llama3(scene: Scene) -> list[Line]:
    low, high = limits(scene.config)
    turns = float(scene.turns_trained[scene.pair])
    zone = scene.made.zones[scene.pair]
    wave = written(float(scene.wavelengths[scene.pair]))
    counted = f"{count(scene.trained)} / {wave} {equals(scene.trained / as_shown(wave), turns)} {number(turns)}"
    rule = {"high": short(high), "low": short(low), "trained": count(scene.trained), "s": short(scene.factor)}
    lines = [
        line(said("work.llama3", **rule)),
        line(said("work.llama3_turns", pair=scene.pair, turns=counted, zone=said(f"zone.{zone}"))),
    ]
    if zone == "blend":
        share = (turns - low) / (high - low)
        hand = (shown(turns) - low) / (high - low)
        start = f"({number(turns)} {MINUS} {short(low)}) / ({short(high)} {MINUS} {short(low)})"
        lines.append(line(said("work.llama3_share", share=f"{start} {equals(hand, share)} {number(share)}")))
    else:
        lines.append(line(Term(said("work.llama3_note"), "muted")))
    return lines


def _longrope(scene: Scene) -> list[Line]:
    _, _, owner = configs.searched(scene.config)
    found = configs.entry(owner)
    divisors = scene.slowdown
    lines = [
        line(
            said(
                "work.longrope",
                n=scene.pairs,
                low=short(float(divisors.min()), 2),
                high=short(float(divisors.max()), 2),
            )
        ),
        line(
            said(
                "work.longrope_lists" if scene.target > scene.trained else "work.longrope_short",
                trained=count(scene.trained),
            )
        ),
        line(Term(said("work.longrope_owner", name=found.name if found is not None else owner), "muted")),
    ]
    return attention_lines(scene) + lines  # first what the page's numbers come from


def _base(scene: Scene) -> list[Line]:
    last, d = scene.pairs - 1, scene.dims
    quotient, power = scene.new_base / scene.base, 2 * last / d
    slow = quotient**power
    bases = f"({short(scene.new_base)} / {short(scene.base)})"
    sign = "=" if times(as_shown(written(quotient)) ** as_shown(short(power, 6))) == times(slow) else "≈"
    return [
        line(said("work.base_first", new=short(scene.new_base), old=short(scene.base))),
        line(
            f"{said('work.base_last', pair=last)} {bases}^({2 * last} / {d}) {sign} ",
            Term(times(slow), "where", (("method", ()),), bold=True),
        ),
        line(Term(said("work.base_model" if scene.config != configs.OWN else "work.base_note"), "muted")),
    ]
