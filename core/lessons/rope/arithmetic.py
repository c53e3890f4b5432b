"""RoPE on the blackboard: both rotations, their product, and the same score from the gap alone."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from core.lessons.rope.scene import Pair, Scene, frequencies, pairs_shown, written
from core.stage.frame import Array, Line, Term, Worked, line
from core.stage.numbers import MINUS, bracketed, count, number, short, shown
from core.stage.text import text
from core.stage.theme import Role

SUM_DECIMALS = 4  # products of the shown factors keep one place more than the factors
MOST_DECIMALS = 5  # of a turned vector's entries
HEAD_TERMS, HEAD_COLUMNS = 5, 70  # of a sum over all pairs: so many where not all fit into so many columns
Lights = tuple[tuple[str, tuple[int, ...]], ...]
_Q: Lights = (("q_hand", ()),)
_K: Lights = (("k_hand", ()),)
_HERE: Lights = (("gap", ()), ("here", ()))


class _Chosen(Protocol):
    @property
    def base(self) -> float: ...
    @property
    def head_dim(self) -> int: ...
    @property
    def pair(self) -> int: ...
    @property
    def curve(self) -> str: ...


def worked(scene: Scene, state: _Chosen) -> Worked:
    """First page: what the lesson does at the board, for the pair or the whole head. Then θ and the gap, then each
    rotation, then what stays."""
    whole = state.curve == "head" and state.head_dim > 2
    alone = state.pair if whole else None
    places = decimals_of(scene, alone)
    lines = [
        *(_head(scene, state) if whole else ()),
        *_rotations(scene, places),
        _product(scene, places, alone),
        line(Term(gap_line(scene), "where", _HERE)),
        *_theta(scene, state),
    ]
    if scene.query != (1.0, 0.0):
        lines += _turn_in_full("q", scene.query, scene.m * scene.theta, scene.turned_query, "query", _Q)
    if scene.key != (1.0, 0.0):
        lines += _turn_in_full("k", scene.key, scene.n * scene.theta, scene.turned_key, "key", _K)
    lines += [
        _length("q", scene.query_length, scene.turned_query, "query", _Q),
        _length("k", scene.key_length, scene.turned_key, "key", _K),
        line(Term(text("rope.work_values"), "muted")),
        *(line(Term(text(f"rope.work_{fact}"), "muted")) for fact in ("gap_only", "drift", "drift_measured")),
    ]
    return Worked(tuple(lines))


def gap_formula(scene: Scene) -> str:
    """The score from the gap alone: ``cos(2 × 1) = −0.416``."""
    if not scene.reach:
        return text("rope.no_angle")
    angle = scene.gap * float(scene.theta_text.replace(",", "")) + _shown_offset(scene)
    by_hand = _shown_reach(scene) * math.cos(angle)
    sign = _sign(number(by_hand, scene.score_decimals) == scene.score_text)
    return f"{_cosine(scene, scene.theta_text)} {sign} {scene.score_text}"


def _cosine(scene: Scene, theta: str) -> str:
    """``cos(2 × 1)``; with vectors of other lengths and directions ``1.3 × cos(2 × 1 + 1.322)``."""
    angle = f"{scene.place(scene.gap)} × {theta}"
    offset = _shown_offset(scene)
    if offset:
        angle += (" + " if offset > 0 else f" {MINUS} ") + number(abs(offset))
    return f"{lengths(scene)}cos({angle})"


def _shown_offset(scene: Scene) -> float:
    """The angle before any turn as it is written; 0 where it is too small to be."""
    return shown(scene.offset) if abs(scene.offset) > 5e-4 else 0.0


def _shown_reach(scene: Scene) -> float:
    """The product of the two lengths as it is written, 1 where it is left out."""
    return shown(scene.reach) if lengths(scene) else 1.0


def lengths(scene: Scene) -> str:
    """The product of the two lengths as a factor, or nothing where it is 1."""
    return "" if abs(scene.reach - 1) < 5e-4 else f"{short(scene.reach)} × "


def gap_line(scene: Scene) -> str:
    """The same with the positions still to be seen."""
    if not scene.reach:
        return text("rope.no_angle")
    m, n = scene.place(scene.m), scene.place(scene.n)
    start = f"gap: {m} {MINUS} {n} = {scene.place(scene.gap)},  "
    whole = start + gap_formula(scene)
    return whole if len(whole) <= Worked.COLUMNS else gap_formula(scene)


# --- lines -----------------------------------------------------------------------------------------------------------


def _head(scene: Scene, state: _Chosen) -> list[Line]:
    """The whole head: every pair adds its cosine."""
    shares = pair_shares(scene, frequencies(state.head_dim, state.base))
    pairs, total = len(shares), number(float(shares.sum()))
    terms = [number(float(share)) for share in shares]
    most = pairs if sum(map(len, terms)) + 3 * pairs <= HEAD_COLUMNS else HEAD_TERMS
    share = _cosine(scene, "θ") if scene.reach else number(0)
    full = text("rope.work_head", pairs=pairs, share=share)
    dials = pairs_shown(pairs, state.pair)
    pieces: list[str | Term] = []
    for pair, term in enumerate(terms[:most]):
        sign, size = (MINUS, term[1:]) if term.startswith(MINUS) else ("+", term)
        pieces.append(f" {sign} " if pair else sign.replace("+", ""))
        # Its small dial, where it has one.
        lights: Lights = (("pairs", (dials.index(pair),)),) if pair in dials else ()
        pieces.append(Term(size, "query", lights))
    sign = _sign(number(sum(shown(float(value)) for value in shares)) == total)
    if most < pairs:
        pieces.append(text("rope.work_head_rest", rest=pairs - most))
        sign = "="
    return [
        line(full if len(full) <= Worked.COLUMNS else text("rope.work_head_short", share=share)),
        line(*pieces),
        line(text("rope.work_head_sum", pairs=pairs, sign=sign), Term(total, "where", (("score", ()),), bold=True)),
    ]


def _rotations(scene: Scene, places: int) -> tuple[Line, Line]:
    """``rotate q by 3:  (cos 3, sin 3) = (−0.990,  0.141)``, the same for k, both in the fullest form that fits."""
    both = [
        _forms(scene, name, vector, position, turned, places)
        for name, vector, position, turned in (
            ("q", scene.query, scene.m, scene.turned_query),
            ("k", scene.key, scene.n, scene.turned_key),
        )
    ]
    if (scene.query == (1.0, 0.0)) is (scene.key == (1.0, 0.0)):
        forms = list(zip(*both, strict=True))
        chosen = next((form for form in forms if max(map(len, form)) <= Worked.COLUMNS), forms[-1])
    else:
        chosen = tuple(next((form for form in forms if len(form) <= Worked.COLUMNS), forms[-1]) for forms in both)
    return line(Term(chosen[0], "query", _Q)), line(Term(chosen[1], "key", _K))


def _forms(scene: Scene, name: str, vector: Pair, position: float, turned: Pair, places: int) -> tuple[str, ...]:
    """One rotation, the fullest form first."""
    at = scene.place(position)
    wide = places + 3
    result = f"({number(turned[0], places):>{wide}}, {number(turned[1], places):>{wide}})"
    plain = scene.theta == 1
    by = at if plain else f"{at} × {scene.theta_text} = {number(position * scene.theta, 4)}"
    rotate = text("rope.work_rotate", name=name, angle=by)
    if vector != (1.0, 0.0):
        raw = f"({short(vector[0])}, {short(vector[1])})"
        brief = text("rope.work_rotate", name=name, angle=at if plain else f"{at}θ")
        return f"{rotate}  {raw} → {result}", f"{brief}  {raw} → {result}", f"{brief}  → {result}"
    written_angle = position if plain else shown(position * scene.theta, 4)
    exact = all(
        number(a, places) == number(b, places)
        for a, b in zip(turned, (math.cos(written_angle), math.sin(written_angle)), strict=True)
    )
    sign = _sign(exact)
    if plain:
        # Both lines end alike, whatever their positions' lengths.
        widest = max(len(scene.place(scene.m)), len(scene.place(scene.n)))
        rotate = rotate.ljust(len(rotate) - len(at) + widest)
        entries = f"(cos {at}, sin {at})".ljust(2 * widest + 12)
        named = text("rope.work_rotate", name=name, angle=f"φ = {at}").ljust(len(rotate) + 4)
        return f"{rotate}  {entries} {sign} {result}", f"{named}  (cos φ, sin φ) {sign} {result}"
    named = text("rope.work_rotate", name=name, angle=f"φ = {by}")
    return (
        f"{named}  (cos φ, sin φ) {sign} {result}",
        f"{named} (cos φ, sin φ) {sign} {result}",
        f"{name}: φ = {by}:  (cos φ, sin φ) {sign} {result}",
        f"{name}: φ = {by}: (cos, sin) {sign} {result}",
        f"{name}: φ = {by}: {result}",
    )


def decimals_of(scene: Scene, alone: int | None) -> int:
    """Of the turned vectors' entries: as many as it takes that their shown products add up to the shown score, as far
    as the line has room. The same while both tokens move between two positions."""
    resting = scene.resting
    for places in range(scene.score_decimals, MOST_DECIMALS + 1):
        if _fits(resting, places, alone) and _adds_up(resting, _products(resting, places)):
            # Between two positions there may be one sign more.
            return next((fewer for fewer in range(places, 3, -1) if _fits(scene, fewer, alone)), 3)
    return scene.score_decimals if _fits(scene, scene.score_decimals, alone) else 3


def _fits(scene: Scene, places: int, alone: int | None) -> bool:
    return sum(len(term.text) for term in _product(scene, places, alone)) <= Worked.COLUMNS


def _products(scene: Scene, places: int) -> tuple[float, float]:
    q, k = scene.turned_query, scene.turned_key
    first, second = (shown(shown(a, places) * shown(b, places), places + 1) for a, b in zip(q, k, strict=True))
    return first, second


def _adds_up(scene: Scene, products: tuple[float, float]) -> bool:
    return number(sum(products), scene.score_decimals) == scene.score_text


def _product(scene: Scene, places: int, alone: int | None) -> Line:
    """The pair's score. ``alone``: the pair's number where the score on the stage is the whole head's; there the pair's
    own stands beside the gap."""
    q, k = scene.turned_query, scene.turned_key
    products = _products(scene, places)
    return line(
        "q·k = " if alone is None else text("rope.work_pair", pair=alone),
        Term(bracketed(q[0], places), "query", _Q),
        Term(bracketed(k[0], places), "key", _K),
        " + ",
        Term(bracketed(q[1], places), "query", _Q),
        Term(bracketed(k[1], places), "key", _K),
        f" = {_sum(*products, places + 1)} {_sign(_adds_up(scene, products))} ",
        Term(scene.score_text, "where", (("score" if alone is None else "gap", ()),), bold=True),
    )


def _theta(scene: Scene, state: _Chosen) -> tuple[Line, Line]:
    """θ of this pair from the base, ``base^(−2i / head_dim)``, and how far one full turn is."""
    theta = scene.theta_text
    power = f"{short(state.base)}^({MINUS}2 × {state.pair} / {state.head_dim})"
    length = 2 * math.pi / scene.theta
    places = 0 if length >= 10_000 else _places(written(length))  # a long one is whole, as on the page of models
    shown_length = count(length) if length >= 10_000 else written(length)
    sign = _sign(number(2 * math.pi / float(theta.replace(",", "")), places) == number(length, places))
    turn = f"2π / {theta} {sign} {shown_length}"
    full = text("rope.work_theta", pair=state.pair, power=power, theta=theta)
    return (
        line(full if len(full) <= Worked.COLUMNS else f"θ = {power} = {theta}"),
        line(text("rope.work_turn", turn=turn)),
    )


def _turn_in_full(name: str, vector: Pair, angle: float, turned: Pair, role: Role, lights: Lights) -> list[Line]:
    """The rotation matrix times the vector, entry by entry, with the shown cosine and sine."""
    x, y = vector
    cosine, sine = shown(math.cos(angle)), shown(math.sin(angle))
    first = (shown(shown(x) * cosine, SUM_DECIMALS), -shown(shown(y) * sine, SUM_DECIMALS))
    second = (shown(shown(x) * sine, SUM_DECIMALS), shown(shown(y) * cosine, SUM_DECIMALS))
    written_angle = number(angle, 4 if angle != int(angle) else 0)
    lines = [f"{name}: cos {written_angle} = {number(cosine)},  sin {written_angle} = {number(sine)}"]
    for entry, factors, parts, result in (
        ("x", f"{bracketed(x)}{bracketed(cosine)} {MINUS} {bracketed(y)}{bracketed(sine)}", first, turned[0]),
        ("y", f"{bracketed(x)}{bracketed(sine)} + {bracketed(y)}{bracketed(cosine)}", second, turned[1]),
    ):
        exact = number(parts[0] + parts[1]) == number(result)
        lines.append(f"{name} {entry}: {factors} = {_sum(*parts)} {_sign(exact)} {number(result)}")
    return [line(Term(entry, role, lights)) for entry in lines]


def _length(name: str, before: float, turned: Pair, role: Role, lights: Lights) -> Line:
    x, y = shown(turned[0]), shown(turned[1])
    after = math.hypot(x, y)
    root = f"√({number(abs(x))}² + {number(abs(y))}²)"
    exact = number(after) == number(before)
    length = number(before)
    written_line = text("rope.work_length", name=name, before=length, root=root, sign=_sign(exact), after=length)
    return line(Term(written_line, role, lights))


# --- numbers ---------------------------------------------------------------------------------------------------------


def pair_shares(scene: Scene, speeds: Array) -> Array:
    """What each pair adds to the score of a head that holds the same two vectors in all pairs, (pairs,)."""
    shares: Array = scene.reach * np.cos(scene.gap * speeds + scene.offset)
    return shares


def _sum(first: float, second: float, places: int = SUM_DECIMALS) -> str:
    """``−0.5346 + 0.1186``; a second part below zero is taken away."""
    second_sign = MINUS if shown(second, places) < 0 else "+"
    return f"{number(first, places)} {second_sign} {number(abs(second), places)}"


def _places(written_number: str) -> int:
    """The decimals of a number as it stands there."""
    return len(written_number.partition(".")[2])


def _sign(exact: bool) -> str:
    """≈ where the full precision ends in another last digit than the shown numbers do."""
    return "=" if exact else "≈"
