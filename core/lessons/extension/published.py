"""Published models: what their entries tell of base, lengths, factor and method, and where that was read."""

from __future__ import annotations

from core.lessons.extension import configs
from core.lessons.extension.scene import Scene
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import big_panel, method_name, said
from core.stage.frame import Axis, Cell, Frame, Label, Line, Mark, Panel, Readout, Rect, Table, Term, Worked, line
from core.stage.numbers import count, short
from core.tables.models import UNKNOWN, Model, RopeScaling, Source, Unknown, model

SOURCES = 2  # lines: more would touch one another


def listed(config: str) -> tuple[str, ...]:
    """The models of the table; a chosen one that isn't among them takes the last row."""
    if config == configs.OWN or config in configs.TABLE:
        return configs.TABLE
    return (*configs.TABLE[:-1], config)


def frame(state: ExtensionState, scene: Scene) -> Frame:
    ids = listed(state.config)
    picked = configs.entry(state.config)
    if picked is None:
        below, lines, alt = _own_panels(scene), _own_lines(scene), said("alt.models_own", rows=len(ids))
    else:
        lines, alt = _lines(picked, scene), _alt(picked, len(ids))
        page = len(lines) // Worked.PAGE + 1
        below, lines = (
            (_source_panel(picked, page), _covers_panel(picked)),
            [*lines, *(entry for source in picked.source for entry in _whole_source(source))],
        )
    panels = (_table_panel(state, ids), *below)
    return Frame(said("title.models"), said("subtitle.models"), panels, Worked(tuple(lines)), alt)


def _own_panels(scene: Scene) -> tuple[Panel, Panel]:
    """No model is chosen: nothing of one is shown."""
    hint = Readout("pick", said("models.pick"), said("models.own"), size="heading", role="muted")
    stretch = f"{short(scene.target / scene.trained, 1)}×"
    own = Readout("stretch", stretch, said("models.own_stretch"), role="where", size="title")
    return (
        Panel("source_panel", Cell(9, 0, 3, 7), readouts=(hint,)),
        Panel("covers_panel", Cell(9, 7, 3, 5), readouts=(own,)),
    )


def _own_lines(scene: Scene) -> list[Line]:
    quotient = scene.target / scene.trained
    sign = "=" if abs(quotient - round(quotient, 2)) < 1e-9 else "≈"
    written = f"{count(scene.target)} / {count(scene.trained)} {sign} {short(quotient, 2)}"
    return [
        line(said("work.models_own", quotient=written)),
        line(Term(said("work.models_declared"), "muted")),
    ]


def method_text(found: Model) -> str:
    how = found.rope_scaling
    if isinstance(how, RopeScaling):
        return method_name(how.type)
    return unknown() if isinstance(how, Unknown) else said("models.not_scaled")


def unknown() -> str:
    return said("models.unknown")


def _length(value: int | None) -> str:
    return unknown() if value is None else count(value)


def factor_text(found: Model) -> str:
    how = found.rope_scaling
    if how is None:
        return said("models.no_factor")
    if isinstance(how, Unknown):
        return unknown()
    if how.factor is UNKNOWN:
        return said("models.lists") if how.type == "longrope" else unknown()
    return short(float(how.factor))


def row(found: Model) -> tuple[str, ...]:
    base = unknown() if isinstance(found.rope_theta, Unknown) else short(found.rope_theta)
    return (
        found.name,
        base,
        _length(configs.stated(found)),
        _length(configs.declared(found)),
        factor_text(found),
        method_text(found),
        said("models.files", n=len(found.source)),
    )


def _table_panel(state: ExtensionState, ids: tuple[str, ...]) -> Panel:
    head = tuple(
        said(f"models.head.{name}") for name in ("model", "base", "before", "declared", "factor", "method", "source")
    )
    table = Table(
        "models",
        (head, *(row(model(entry)) for entry in ids)),
        Rect(0.0, 0.0, 1.0, 1.0),
        align=("left", "right", "right", "right", "right", "left", "right"),
        picked=ids.index(state.config) + 1 if state.config in ids else -1,
    )
    one = Axis(0.0, 1.0)
    return big_panel(state, Cell(0, 0, 9, 12), (table,), one, one, invert_y=True, caption=said("models.caption"))


def _source_panel(found: Model, page: int) -> Panel:
    """The files that the numbers were read in; ``page`` of the lines below begins with their whole paths."""
    lines = [_source(entry) for entry in found.source[:SOURCES]]
    if len(found.source) > SOURCES:
        lines[-1] = said("models.more", n=len(found.source) - SOURCES + 1, page=page)
    marks: tuple[Mark, ...] = tuple(
        Label(f"source_{at}", 0.0, at + 0.5, entry, "label", "text", "left") for at, entry in enumerate(lines)
    )
    return Panel(
        "source_panel",
        Cell(9, 0, 3, 7),
        marks,
        title=said("models.read", name=found.name),
        x=Axis(0.0, 1.0),
        y=Axis(0.0, float(SOURCES)),
        invert_y=True,
    )


def _parts(entry: Source) -> tuple[str, str, str]:
    """Where, the path there, and the state of it."""
    where = entry.repo if not isinstance(entry.repo, Unknown) else entry.package
    path = "" if isinstance(entry.path, Unknown) else entry.path
    commit = "" if isinstance(entry.commit, Unknown) else f" @ {entry.commit[:7]}"
    return str(where), path, commit


def _source(entry: Source) -> str:
    """Shortly: of the path only the file's name."""
    where, path, _ = _parts(entry)
    return f"{where} · {path.rpartition('/')[2]}"


def _whole_source(entry: Source) -> list[Line]:
    """On one line of arithmetic, or where it is too long on two."""
    where, path, commit = _parts(entry)
    whole = f"{where} · {path}{commit}"
    return [line(whole)] if len(whole) <= Worked.COLUMNS else [line(f"{where}{commit}"), line(f"  {path}")]


def _covers_panel(found: Model) -> Panel:
    """What the entry's numbers say together."""
    before, declared, how = configs.stated(found), configs.declared(found), found.rope_scaling
    stretch = f"{short(declared / before, 1)}×" if before and declared else unknown()
    readouts = [
        Readout(
            "stretch", stretch, said("models.stretch"), role="where" if before and declared else "muted", size="title"
        )
    ]
    if isinstance(how, RopeScaling) and not isinstance(how.factor, Unknown):
        covers = count(before * float(how.factor)) if before else unknown()
        factor = said("models.covers", n=short(float(how.factor)))
        readouts.append(Readout("covers", covers, factor, role="text" if before else "muted", size="title"))
    return Panel("covers_panel", Cell(9, 7, 3, 5), readouts=tuple(readouts))


def _lines(found: Model, scene: Scene) -> list[Line]:
    before, declared, how = configs.stated(found), configs.declared(found), found.rope_scaling
    lines: list[Line] = []
    if before and declared:
        quotient = declared / before
        sign = "=" if abs(quotient - round(quotient, 2)) < 1e-9 else "≈"
        lines.append(
            line(
                said("work.models_stretch", quotient=f"{count(declared)} / {count(before)} {sign} {short(quotient, 2)}")
            )
        )
        if isinstance(how, RopeScaling) and not isinstance(how.factor, Unknown):
            f = float(how.factor)
            lines.append(
                line(said("work.models_covers", product=f"{count(before)} × {short(f)} = {count(before * f)}"))
            )
            lines.append(line(Term(said("work.models_all" if before * f >= declared else "work.models_rest"), "muted")))
    else:
        lines.append(line(said("work.models_unknown", name=found.name)))
        if isinstance(how, RopeScaling) and not isinstance(how.factor, Unknown) and declared:
            f = float(how.factor)
            lines.append(
                line(said("work.models_least", quotient=f"{count(declared)} / {short(f)} = {count(declared / f)}"))
            )
        lines.append(line(Term(said("work.models_never", trained=count(scene.trained)), "muted")))
    lines.append(line(Term(said("work.models_declared"), "muted")))
    while len(lines) % Worked.PAGE:
        lines.append(())
    return lines


def _alt(found: Model, rows: int) -> str:
    cells = row(found)
    return said(
        "alt.models",
        rows=rows,
        name=cells[0],
        base=cells[1],
        before=cells[2],
        declared=cells[3],
        factor=cells[4],
        method=cells[5],
        sources=len(found.source),
    )
