"""RoPE on the blackboard: both rotations, their product, and the same score from the gap alone."""

from __future__ import annotations

import math
from typing import Protocol

from core.lessons.rope.scene import Pair, Scene, written
from core.stage.frame import Line, Term, Worked, line
from core.stage.numbers import MINUS, bracketed, number, short, shown
from core.stage.text import text
from core.stage.theme import Role

SUM_DECIMALS = 4  # products of the shown factors keep one place more than the factors
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


def worked(scene: Scene, state: _Chosen) -> Worked:
    """First page: what the lesson does at the board. Then θ and the gap, then each rotation, then what stays."""
    lines = [
        _rotation(scene, "q", scene.query, scene.m, scene.turned_query, "query", _Q),
        _rotation(scene, "k", scene.key, scene.n, scene.turned_key, "key", _K),
        _product(scene),
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
    angle = f"{scene.place(scene.gap)} × {_theta_for(scene.theta, (scene.gap,))}"
    if abs(scene.offset) > 5e-4:
        angle += (" + " if scene.offset > 0 else f" {MINUS} ") + number(abs(scene.offset))
    lengths = "" if abs(scene.reach - 1) < 5e-4 else f"{number(scene.reach)} × "
    return f"{lengths}cos({angle}) = {number(scene.score)}"


def gap_line(scene: Scene) -> str:
    """The same with the positions still to be seen."""
    if not scene.reach:
        return text("rope.no_angle")
    m, n = scene.place(scene.m), scene.place(scene.n)
    start = f"gap: {m} {MINUS} {n} = {scene.place(scene.gap)},  "
    whole = start + gap_formula(scene)
    return whole if len(whole) <= Worked.COLUMNS else gap_formula(scene)


# --- lines -----------------------------------------------------------------------------------------------------------


def _rotation(
    scene: Scene,
    name: str,
    vector: Pair,
    position: float,
    turned: Pair,
    role: Role,
    lights: Lights,
) -> Line:
    """``rotate q by 3:  (cos 3, sin 3) = (−0.990,  0.141)``, with the angle worked out where θ isn't 1."""
    at = scene.place(position)
    result = f"({number(turned[0]):>6}, {number(turned[1]):>6})"
    theta = _theta_for(scene.theta, (scene.m, scene.n))
    angle = number(position * scene.theta, 4)
    plain = scene.theta == 1
    by = at if plain else f"{at} × {theta} = {angle}"
    start = text("rope.work_rotate", name=name, angle=by)
    if plain:  # both lines end alike
        widest = max(len(scene.place(scene.m)), len(scene.place(scene.n)))
        start = start.ljust(len(start) - len(at) + widest)
    if vector == (1.0, 0.0):
        written_angle = position if plain else shown(position * scene.theta, 4)
        exact = _same(turned, (math.cos(written_angle), math.sin(written_angle)))
        middle = f"  (cos {at}, sin {at})".ljust(2 * widest + 14) if plain and 2 * widest < 15 else "  (cos, sin)"
        choices: tuple[str, ...] = (
            f"{start}{middle} {_sign(exact)} {result}",
            text("rope.work_rotate", name=name, angle=f"{at}θ") + f"  (cos, sin) = {result}",
        )
    else:
        raw = f"({short(vector[0])}, {short(vector[1])})"
        short_start = text("rope.work_rotate", name=name, angle=at if plain else f"{at}θ")
        choices = (f"{start}  {raw} → {result}", f"{short_start}  {raw} → {result}", f"{short_start}  → {result}")
    written_line = next((choice for choice in choices if len(choice) <= Worked.COLUMNS), choices[-1])
    return line(Term(written_line, role, lights))


def _product(scene: Scene) -> Line:
    q, k = scene.turned_query, scene.turned_key
    products = [shown(shown(a) * shown(b), SUM_DECIMALS) for a, b in zip(q, k, strict=True)]
    exact = number(products[0] + products[1]) == number(scene.score)
    return line(
        "q·k = ",
        Term(bracketed(q[0]), "query", _Q),
        Term(bracketed(k[0]), "key", _K),
        " + ",
        Term(bracketed(q[1]), "query", _Q),
        Term(bracketed(k[1]), "key", _K),
        f" = {_sum(products[0], products[1])} {_sign(exact)} ",
        Term(number(scene.score), "where", (("score", ()),), bold=True),
    )


def _theta(scene: Scene, state: _Chosen) -> tuple[Line, Line]:
    """θ of this pair from the base, ``base^(−2i / head_dim)``, and how far one full turn is."""
    theta = written(scene.theta)
    power = f"{short(state.base)}^({MINUS}2 × {state.pair} / {state.head_dim})"
    turn = f"2π / {theta} = {written(2 * math.pi / scene.theta)}"  # both with the same four digits
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


def _theta_for(theta: float, positions: tuple[float, ...]) -> str:
    """θ with so many decimals that position times what is written gives the angle that is written."""
    least = max(4, 1 - math.floor(math.log10(theta)))
    digits = next(
        (
            decimals
            for decimals in range(least, 13)
            if all(number(place * shown(theta, decimals), 4) == number(place * theta, 4) for place in positions)
        ),
        13,
    )
    return short(theta, digits)


def _sum(first: float, second: float) -> str:
    """``−0.5346 + 0.1186``; a second part below zero is taken away."""
    second_sign = MINUS if shown(second, SUM_DECIMALS) < 0 else "+"
    return f"{number(first, SUM_DECIMALS)} {second_sign} {number(abs(second), SUM_DECIMALS)}"


def _same(first: Pair, second: Pair) -> bool:
    return all(number(a) == number(b) for a, b in zip(first, second, strict=True))


def _sign(exact: bool) -> str:
    """≈ where the full precision ends in another last digit than the shown numbers do."""
    return "=" if exact else "≈"
