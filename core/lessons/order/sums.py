"""The arithmetic of the first page: both sums, one of their numbers in full, and the values that they use."""

from __future__ import annotations

import numpy as np

from core.lessons.order.parts import (
    below,
    decimals_for,
    fitting,
    gap_sum,
    muted,
    name_of,
    quoted,
    rounded,
    row,
    said,
    shortest,
    sign_for,
    widest,
)
from core.lessons.order.scene import AT_THE_INPUT, SAME, Run, Scene
from core.lessons.order.state import OrderState
from core.lessons.order.vectors import HEAD
from core.stage.frame import Line, Term, Worked, line
from core.stage.numbers import bracketed, number

MOST_TERMS = 6  # more than a line ever has room for


def worked(state: OrderState, scene: Scene) -> Worked:
    """The sum of the picked token in both orders; one of its numbers in full; what to keep."""
    token, same = state.token, scene.same[state.token]
    here, there = scene.typed, scene.moved
    at = there.where[token]
    entry = widest(scene, token)[0] if not same else 0
    lines = [*_sums(state, scene), _result(state, scene, entry)]
    full = _in_full(scene, here, token, entry, "typed"), _in_full(scene, there, at, entry, "moved")
    if max(map(len, full)) == 1:
        lines += [fitting([said("work_entry", entry=entry)]), *full[0], *full[1]]
    else:
        for part in full:
            lines += [*([fitting([said("work_entry", entry=entry)])] if len(part) == 2 else []), *part]
    lines += _values(state, scene)
    if any(_plain(lines[0]).endswith(said("work_rest", count=rest)) for rest in range(1, scene.n)):
        lines.append(muted("work_named_moved" if same else "work_named_largest", token=quoted(scene, token)))
    facts = ["equivariant", "invariant", _pooled(state, scene), "mask", "mask_learns", "mirror"]
    return Worked((*lines, *(muted(f"fact.{fact}") for fact in facts)))


def _pooled(state: OrderState, scene: Scene) -> str:
    """The fact about the mean of all outputs: whether it is the same in both orders."""
    if state.scheme == "none" and not state.causal:
        return "pooled"
    gap = np.abs(scene.typed.output.mean(axis=0) - scene.moved.output.mean(axis=0)).max()
    return "pooled_same" if gap <= SAME else "pooled_other"


def _plain(written: Line) -> str:
    return "".join(term.text for term in written)


def _value_name(state: OrderState, scene: Scene, token: int, place: int) -> str:
    """``v(dog)``; ``v₀(dog)`` where the position is in the value: then it differs between both orders."""
    return f"v{below(place) if state.scheme in AT_THE_INPUT else ''}({name_of(scene, token, 8)})"


def _sums(state: OrderState, scene: Scene) -> list[Line]:
    """``as typed:   0.273·v(dog) + 0.682·v(bites)`` and the other order. Where not all terms have room, both lines show
    the same tokens, so that the terms can be matched: the picked one, then where the sums are equal those that changed
    places, for their order is the news, else those of the largest weights."""
    token = state.token
    both = [(scene.typed, token, "typed"), (scene.moved, scene.moved.where[token], "moved")]
    weights = np.max([run.weights[place][list(run.where)] for run, place, _ in both], axis=0)
    words = [word.shown for word in scene.words]
    told = {at for at in range(scene.n) if scene.same[token] and (at == token or scene.moved.where[at] != at)}
    # Each word once before any of them twice, and none that is hidden.
    falling = sorted(
        range(scene.n),
        key=lambda at: (not weights[at], at != token, words.index(words[at]) != at, at not in told, -weights[at]),
    )
    for most in range(min(scene.n, MOST_TERMS), 0, -1):
        found = [_terms(state, scene, run, place, name, set(falling[:most])) for run, place, name in both]
        if all(sum(_long(piece) for piece in pieces) <= Worked.COLUMNS for pieces in found):
            break
    return [fitting(pieces) for pieces in found]


def _long(piece: str | Term) -> int:
    return len(piece.text if isinstance(piece, Term) else piece)


def _terms(state: OrderState, scene: Scene, run: Run, place: int, name: str, kept: set[int]) -> list[str | Term]:
    """The terms of these tokens, as far as the place may see them, and how many others there are."""
    pieces: list[str | Term] = [said(f"work_{name}").ljust(12)]
    seen = [j for j in range(scene.n) if run.allowed[place, j]]
    for j in (j for j in seen if run.order[j] in kept):
        token = run.order[j]
        if len(pieces) > 1:
            pieces.append(" + ")
        written = f"{number(run.weights[place, j])}·{_value_name(state, scene, token, j)}"
        lights = ((name, (j,)), *((f"{name}_out", (entry, j)) for entry in range(HEAD)))
        pieces.append(Term(written, "what" if token == run.order[place] else "text", lights))
    rest = sum(run.order[j] not in kept for j in seen)
    if rest:
        pieces.append((" + " if len(pieces) > 1 else "") + said("work_rest", count=rest))
    return pieces


def _values(state: OrderState, scene: Scene) -> list[Line]:
    """The values v that the sums use; both orders have their own where the position is in them."""
    own = state.scheme in AT_THE_INPUT
    lines: list[list[str | Term]] = []
    for run, name in ((scene.typed, "typed"), (scene.moved, "moved")) if own else ((scene.typed, "typed"),):
        decimals, start = decimals_for(run.v), said(f"work_{name}").ljust(12) if own else ""
        lines.append([start])
        told = dict.fromkeys(
            f"{_value_name(state, scene, token, place)} = {row(run.v[place], decimals)}"
            for place, token in enumerate(run.order)
        )
        for written in told:
            used = sum(map(_long, lines[-1]))
            if len(lines[-1]) > 1 and (scene.n <= 3 or used + 3 + len(written) > Worked.COLUMNS):
                lines.append([" " * len(start)])
            elif len(lines[-1]) > 1:
                lines[-1].append("   ")
            lines[-1].append(Term(written, "what"))
    return [fitting(pieces) for pieces in lines]


def _result(state: OrderState, scene: Scene, entry: int) -> Line:
    here = scene.typed.output[state.token]
    there = scene.moved.output[scene.moved.where[state.token]]
    lights = tuple(
        (f"{name}_out", (number_, run.where[state.token]))
        for name, run in (("typed", scene.typed), ("moved", scene.moved))
        for number_ in range(HEAD)
    )
    if scene.same[state.token]:
        written = shortest(lambda decimals: said("work_same", numbers=row(here, decimals)), 3, 2, 1)
        return line(Term(written, "what", lights, bold=True))
    decimals = next((d for d in range(3, 13) if number(here[entry], d) != number(there[entry], d)), 12)
    written = said("work_other", entry=entry, a=number(here[entry], decimals), b=number(there[entry], decimals))
    written += said("work_apart", gap=gap_sum(scene, state.token))
    return fitting([Term(written, "warn", lights, bold=True)])


def _in_full(scene: Scene, run: Run, place: int, entry: int, name: str) -> list[Line]:
    """One number of the output: all weights times numbers of the values, with the printed factors."""
    seen = [j for j in range(scene.n) if run.allowed[place, j]]
    weights, values = run.weights[place, seen], run.v[seen, entry]
    decimals = decimals_for(run.v)
    written = float((rounded(weights, 3) * rounded(values, decimals)).sum())
    result = float(run.output[place, entry])
    tail = f" {sign_for(written, result, 3)} {number(result)}"
    lines: list[list[str | Term]] = [[said(f"work_{name}").ljust(12)]]
    for at, j in enumerate(seen):
        product = bracketed(weights[at]) + bracketed(values[at], decimals)
        more = " +" if at < len(seen) - 1 else tail
        gap = 1 if len(lines[-1]) > 1 else 0
        if gap and sum(map(_long, lines[-1])) + gap + len(product) + len(more) > Worked.COLUMNS:
            lines.append([" " * 12])
            gap = 0
        lines[-1] += [" " * gap, Term(product, "what", ((f"{name}_out", (entry, j)),)), more]
    return [fitting(pieces) for pieces in lines]
