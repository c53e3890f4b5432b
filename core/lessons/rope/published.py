"""The models page: base, head dimension, rotary part and lengths of published models, and their slowest wavelengths."""

from __future__ import annotations

import math

from core.lessons.rope import configs
from core.lessons.rope.scene import frequencies
from core.lessons.rope.state import RopeState, rotary_dims
from core.lessons.rope.words import big_panel, said, share_text, turn_text, wave
from core.stage.frame import Axis, Cell, Frame, Label, Line, Mark, Panel, Readout, Rect, Table, Term, Worked, line
from core.stage.numbers import MINUS, count, short
from core.tables.models import Model, Source, Unknown, model

LISTED = (
    "gpt-j-6b",
    "gpt-neox-20b",
    "llama-2-7b",
    "code-llama-7b",
    "llama-3-8b",
    "llama-3-1-8b",
    "smollm2-135m-instruct",
    "gemma-3-27b",
    "qwen2-5-7b-instruct-1m",
    "deepseek-v3-671b",
    "gpt-oss-120b",
)
SOURCES = 2
WIDE = 62  # characters of a source's line


def listed(config: str) -> tuple[str, ...]:
    """The models of the table; a chosen one that isn't among them takes the last row."""
    return LISTED if config == configs.OWN or config in LISTED else (*LISTED[:-1], config)


def slowest(found: Model) -> float | None:
    """The slowest pair's wavelength in tokens, as the model was first trained; None where a number is unknown."""
    turned = configs.rotary_dims(found)
    if turned is None or isinstance(found.rope_theta, Unknown):
        return None
    return 2 * math.pi / float(frequencies(turned, found.rope_theta)[-1])


def unknown() -> str:
    return said("models.unknown")


def _count(value: int | None) -> str:
    return unknown() if value is None else count(value)


def row(found: Model) -> tuple[str, ...]:
    length, turned = slowest(found), configs.rotary_dims(found)
    part = unknown() if turned is None else said("head.of", full=turned, pairs=found.head_dim)
    return (
        found.name,
        unknown() if isinstance(found.rope_theta, Unknown) else short(found.rope_theta),
        part,
        unknown() if length is None else wave(length),
        _count(configs.trained(found)),
        _count(configs.declared(found)),
    )


def frame(state: RopeState) -> Frame:
    ids = listed(state.config)
    rows = tuple(row(model(entry)) for entry in ids)
    head = tuple(said(f"models.head.{name}") for name in ("model", "base", "turned", "wave", "trained", "declared"))
    picked = ids.index(state.config) + 1 if state.config in ids else -1
    table = Table(
        "models",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        widths=(0.27, 0.13, 0.15, 0.18, 0.13, 0.14),
        align=("left", "right", "right", "right", "right", "right"),
        picked=picked,
    )
    one = Axis(0.0, 1.0)
    big = big_panel(state, Cell(0, 0, 9, 12), (table,), one, one, invert_y=True, caption=said("models.caption"))
    length = 2 * math.pi / float(frequencies(rotary_dims(state), state.base)[-1])
    alt = said("models.alt", rows=len(ids), name=_name(state), wave=wave(length), table="; ".join(map(" ".join, rows)))
    panels = (big, _source(state), _numbers(state, length))
    return Frame(said("models.title"), said("models.subtitle"), panels, Worked(tuple(_lines(state, length))), alt)


def _name(state: RopeState) -> str:
    return said("option.config.own") if state.config == configs.OWN else model(state.config).name


def _source(state: RopeState) -> Panel:
    """The files that the numbers were read in."""
    if state.config == configs.OWN:
        lines = [said("models.pick")]
    else:
        source = model(state.config).source
        lines = [_where(entry) for entry in source[:SOURCES]]
        if len(source) > SOURCES:
            lines[-1] = said("models.more", n=len(source) - SOURCES + 1)
    marks: tuple[Mark, ...] = tuple(
        Label(f"source_{at}", 0.0, at + 0.5, entry, "small", "text", "left") for at, entry in enumerate(lines)
    )
    title = said("models.read", name=_name(state))
    y = Axis(0.0, float(SOURCES))
    return Panel("source_panel", Cell(9, 0, 3, 7), marks, title=title, y=y, invert_y=True)


def _where(entry: Source) -> str:
    where = entry.repo if not isinstance(entry.repo, Unknown) else entry.package
    path = "" if isinstance(entry.path, Unknown) else entry.path
    commit = "" if isinstance(entry.commit, Unknown) else f" @ {entry.commit[:7]}"
    room = WIDE - len(str(where)) - len(commit) - 3
    if len(path) > room:
        path = "…" + path[len(path) - room + 1 :]
    return f"{where} · {path}{commit}"


def _numbers(state: RopeState, length: float) -> Panel:
    return Panel(
        "numbers",
        Cell(9, 7, 3, 5),
        readouts=(
            Readout("slowest", said("tokens", n=wave(length)), said("models.slowest"), role="where", size="title"),
        ),
    )


def _lines(state: RopeState, length: float) -> list[Line]:
    turned = rotary_dims(state)
    power = f"{short(state.base)}^({MINUS}{turned - 2}/{turned})"
    theta, quotient = turn_text(2 * math.pi / length)
    lines = [
        line(said("models.work_theta"), f"{power} = {theta}"),
        line(said("head.work_wave"), Term(quotient, "where", (("slowest", ()),), bold=True), said("head.work_tokens")),
    ]
    known = None if state.config == configs.OWN else configs.trained(model(state.config))
    if state.config != configs.OWN and known is None:
        lines.append(line(said("models.work_unknown", name=_name(state))))
    else:
        share = share_text(state.trained, length, 3)
        lines.append(line(said("models.work_turns"), share, said("models.work_of_turn")))
    notes = ("work_base", "work_scaled", "work_declared")
    return lines + [line(Term(said(f"models.{note}"), "muted")) for note in notes]
