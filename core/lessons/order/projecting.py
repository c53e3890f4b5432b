"""The page of the projections: the seeded W_q, W_k and W_v, and how a token's vector becomes its q, k and v."""

from __future__ import annotations

import numpy as np

from core.lessons.order import vectors
from core.lessons.order.parts import (
    REST,
    Lights,
    big_panel,
    caption_of,
    fitting,
    gap_lines,
    level,
    muted,
    name_of,
    products,
    quoted,
    rounded,
    row,
    said,
    shortest,
    sign_for,
    sign_panel,
)
from core.lessons.order.scene import ADDED, Scene
from core.lessons.order.state import OrderState
from core.lessons.order.vectors import HEAD, Sentence
from core.stage.frame import (
    Array,
    ArraySource,
    Axis,
    Label,
    Line,
    Mark,
    Matrix,
    Outline,
    Panel,
    Rect,
    Term,
    Worked,
)
from core.stage.numbers import count, number
from core.stage.theme import Role

NAMES: tuple[tuple[str, Role], ...] = (("q", "query"), ("k", "key"), ("v", "what"))
SHOWN = 8  # of a long vector's numbers at a time
FAR = 3.0  # where the colours of a long vector end: three times its root mean square
ACROSS, APART = 30.6, 32.2  # width of a matrix, and from one to the next


def window(state: OrderState, d_in: int) -> tuple[int, int]:
    """The numbers of x that are in view: the first ones, with an appended position the last ones, or scrolled."""
    shown = d_in if d_in <= HEAD + 1 else SHOWN
    away = min(state.first, d_in - shown)
    first = d_in - shown - away if state.scheme == "raw_index" else away
    return first, first + shown


def scrolled(state: OrderState, d_in: int, by: int) -> int:
    """What ``first`` of the state has to be for a window further on by so many numbers."""
    first, stop = window(state, d_in)
    last = d_in - (stop - first)
    first = min(max(first + by, 0), last)
    return last - first if state.scheme == "raw_index" else first


def _five(state: OrderState, d_in: int) -> tuple[int, int]:
    """Of those, five that a row of x has room for."""
    first, stop = window(state, d_in)
    return (max(first, stop - 5), stop) if state.scheme == "raw_index" else (first, min(stop, first + 5))


def panels(state: OrderState, read: Sentence, scene: Scene) -> tuple[Panel, ...]:
    return _big(state, read, scene), sign_panel(state, scene), _inputs(state, read, scene)


def _weights(state: OrderState, scene: Scene) -> Array:
    found: Array = vectors.projections(state.vectors, state.seed)[:, : scene.typed.x.shape[1]]
    return found


def decimals_of(state: OrderState) -> tuple[int, int]:
    """Decimals of x and of W."""
    return 3 if state.scheme == "sinusoidal" and state.vectors == "lesson" else 2, 1


def _big(state: OrderState, read: Sentence, scene: Scene) -> Panel:
    run, i, c = scene.typed, state.token, state.column
    w = _weights(state, scene)
    first, stop = window(state, w.shape[1])
    rows = stop - first
    turned = state.scheme == "rope"
    results: list[tuple[Array, str, Role]] = [
        (run.plain_q, "q", "query"),
        (run.plain_k, "k", "key"),
        (run.v, "v", "what"),
    ]
    if turned:
        results += [(run.q, "turned_q", "query"), (run.k, "turned_k", "key")]
    high = min(11.5, 45.0 / rows) * rows
    end, out = level(w), level(*(vector[i] for vector, _, _ in results))
    top = 12.0 + high + 12.0
    pitch = min(11.5, (101.0 - top) / len(results))
    marks: list[Mark] = [
        Label("vectors_name", 0.0, top - 4.4, said("vectors_of", token=quoted(scene, i)), "small", "text", "left",
              bold=True),
    ]  # fmt: skip
    for number_, (name, role) in enumerate(NAMES):
        x = 5.0 + number_ * APART
        labels = tuple(_row_name(state, at, w.shape[1]) for at in range(first, stop)) if number_ == 0 else ()
        marks += [
            Label(f"W_{name}_name", x, 3.4, said(f"matrix_{name}", rows=count(w.shape[1])), "label", role, "left",
                  bold=True),
            Matrix(f"W_{name}", ArraySource(w[number_]), (first, stop), (0, HEAD), (-end, end),
                   Rect(x, 12.0, ACROSS, high), decimals=decimals_of(state)[1], row_labels=labels,
                   column_labels=tuple(map(count, range(HEAD))),
                   outlines=(Outline(first, c, rows, 1, role),), hover=said("hover_weights"),
                   scrolls=rows < w.shape[1]),
        ]  # fmt: skip
    for number_, (vector, name, role) in enumerate(results):
        marks.append(
            Matrix(name, ArraySource(vector[i : i + 1]), (0, 1), (0, HEAD), (-out, out),
                   Rect(22.0, top + number_ * pitch, 78.0, 0.84 * pitch), outlines=(Outline(0, c, 1, 1, role),),
                   row_labels=(said(f"name_{name}"),), row_role=role, hover=said("hover_vector"))
        )  # fmt: skip
    caption = said("caption_weights", seed=state.seed) if rows == w.shape[1] else ""
    if not caption:
        caption = said("caption_window", seed=state.seed, rows=rows, all=count(w.shape[1]))
    return big_panel(state, marks, caption)


def _row_name(state: OrderState, at: int, d_in: int) -> str:
    """The number of x that this row of W is for; an appended position has its own name."""
    return said("place_row") if state.scheme == "raw_index" and at == d_in - 1 else count(at)


def _inputs(state: OrderState, read: Sentence, scene: Scene) -> Panel:
    """The vectors x of all tokens; where a position is added or appended, what the token alone would be."""
    run, n, i = scene.typed, scene.n, state.token
    d_in = run.x.shape[1]
    first, stop = _five(state, d_in)
    columns = stop - first
    end = level(run.x)
    if state.vectors != "lesson" and state.scheme != "raw_index":
        # One odd number of hundreds would leave all others without a colour.
        end = min(end, FAR)
    names = tuple(name_of(scene, token, 8) for token in range(n))
    heads = tuple(_row_name(state, at, d_in) for at in range(first, stop))
    added = state.scheme in ADDED and run.places is not None
    pitch = min(15.0, (80.0 if added else 92.0) / (n + (1 if added else 0)))
    x_decimals = min(decimals_of(state)[0], 2)
    marks: list[Mark] = [
        Matrix("x", ArraySource(run.x), (0, n), (first, stop), (-end, end),
               Rect(17.0, 8.0, 83.0, pitch * n), decimals=x_decimals, row_labels=names, column_labels=heads,
               outlines=(Outline(i, first, 1, columns, "what"),), hover=said("hover_x"), row_names=names,
               scrolls=columns < d_in),
    ]  # fmt: skip
    if added and run.places is not None:
        y = 8.0 + pitch * n + 11.0  # below the name
        marks += [
            Label("p_name", 17.0, y - 4.5, said("place_vector", place=i), "small", "where", "left", bold=True),
            Matrix("p", ArraySource(run.places), (i, i + 1), (first, stop), (-end, end),
                   Rect(17.0, y, 83.0, pitch), decimals=x_decimals, scrolls=columns < d_in),
        ]  # fmt: skip
    axis = Axis(0.0, 100.0)
    origin = said(f"origin_{state.vectors}")
    return Panel(
        "inputs_panel",
        REST,
        tuple(marks),
        title=said(f"inputs_title_{state.scheme}"),
        caption=caption_of(read, origin),
        x=axis,
        y=axis,
        invert_y=True,
    )


# --- arithmetic ------------------------------------------------------------------------------------------------------


def worked(state: OrderState, scene: Scene) -> Worked:
    """The picked number of q, k and v; what the scheme does to the vector; what to keep."""
    lines = [_entry(state, scene, index) for index in range(3)]
    if state.scheme in ADDED:
        lines += _addition(state, scene)
    elif state.scheme == "rope":
        lines += _rotation(state, scene)
    lines += gap_lines(scene, state.token)
    lines += [muted(f"fact.{fact}") for fact in ("same_weights", "what_they_do", f"input_{state.scheme}")]
    return Worked(tuple(lines))


def _entry(state: OrderState, scene: Scene, index: int) -> Line:
    """``q[0] = (0.7)(0.3) + (0.7)(−1.8) + … = −1.04``"""
    run, i, c = scene.typed, state.token, state.column
    name, role = NAMES[index]
    w = _weights(state, scene)[index]
    first, stop = window(state, w.shape[0])
    result = float((run.plain_q, run.plain_k, run.v)[index][i, c])
    d_x, d_w = _fewest(run.x[i], decimals_of(state)[0]), decimals_of(state)[1]
    written = float((rounded(run.x[i], d_x) * rounded(w[:, c], d_w)).sum())
    lights: Lights = (
        ("x", (i,)),
        *((f"W_{name}", (at, c)) for at in range(first, stop)),
        (name, (0, c)),
    )
    start = f"{name}[{c}] = "
    tail = f" {sign_for(written, result, 2)} {number(result, 2)}"
    room = Worked.COLUMNS - len(start) - len(tail)
    tries = [HEAD + 1, 0, *range(HEAD, 0, -1)] if len(w) <= HEAD + 1 else [*range(6, 0, -1)]
    last = state.scheme == "raw_index"  # the position's own term is always to be seen
    whole = shortest(lambda most: products(run.x[i], w[:, c], (d_x, d_w), most, last), *tries, room=room)
    return fitting([start, Term(whole, role, lights), tail])


def _fewest(values: Array, most: int) -> int:
    """One decimal where that is all that there is."""
    return 1 if np.abs(values - np.round(values, 1)).max() < 1e-9 else most


def _addition(state: OrderState, scene: Scene) -> list[Line]:
    """Three lines: the token's own vector, the position's, their sum (of long vectors the numbers in view)."""
    run, i = scene.typed, state.token
    assert run.places is not None
    first, stop = _five(state, run.x.shape[1])
    total, place = run.x[i, first:stop], run.places[i, first:stop]
    if state.vectors == "minilm" and state.scheme == "learned":
        return [
            fitting([Term(said("work_place", place=i) + row(place, 3), "where", (("p", ()),))]),
            fitting([Term(said("work_normed") + row(total, 3), "what", (("x", (i,)),))]),
            muted("fact.input_learned_minilm"),
        ]
    return [
        fitting([said("work_token", token=quoted(scene, i, 8)).ljust(20), row(total - place, 3)]),
        fitting([Term(said("work_place", place=i).ljust(20) + row(place, 3), "where", (("p", ()),))]),
        fitting([Term(said("work_x").ljust(20) + row(total, 3), "what", (("x", (i,)),))]),
    ]


def _rotation(state: OrderState, scene: Scene) -> list[Line]:
    """Three lines: the angles, and q and k before and after the turn."""
    run, i = scene.typed, state.token
    lines = [fitting([Term(said("work_angles", place=i, first=number(i, 2), second=number(0.01 * i, 2)), "where")])]
    for name, before, after, role in (("q", run.plain_q, run.q, "query"), ("k", run.plain_k, run.k, "key")):
        written = f"{name}: {row(before[i], 2)} → {row(after[i], 2)}"
        lines.append(fitting([Term(written, role, ((name, ()), (f"turned_{name}", ())))]))  # type: ignore[arg-type]
    return lines


def alt(state: OrderState, scene: Scene) -> str:
    run, i = scene.typed, state.token
    return said(
        "alt_weights",
        token=quoted(scene, i),
        d=count(run.x.shape[1]),
        seed=state.seed,
        q=", ".join(number(value, 2) for value in run.plain_q[i]),
        k=", ".join(number(value, 2) for value in run.plain_k[i]),
        v=", ".join(number(value, 2) for value in run.v[i]),
    )
