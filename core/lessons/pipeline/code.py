"""The third page: the same sentence as code, line for line beside the stations, and a whole program."""

from __future__ import annotations

from collections.abc import Sequence

from core.lessons.pipeline import program, strip
from core.lessons.pipeline.arithmetic import said
from core.lessons.pipeline.compute import STATIONS, WIDTH, Run
from core.lessons.pipeline.state import PipelineState, name_of
from core.stage.frame import Axis, Cell, Code, Panel, Rect
from core.stage.words import segments

WIDEST = 62  # characters of a line
Lines = tuple[tuple[str, str], ...]  # (station, line)


def lines(path: str, form: str, run: Run, typed: str) -> Lines:
    """The lines of every station. They need E, P, S, w, b, g and the W of a head, as the stage's notes name them."""
    torch = form == "torch"
    np_, n, d = "torch" if torch else "np", run.n, WIDTH[path]
    words = [piece.shown for piece in run.read.known]
    steps: list[tuple[str, str]] = [("text", f"text = {_quoted(typed)}")]
    steps += [("tokens", entry) for entry in _listed("tokens = [", [_quoted(word) for word in words], "]")]
    make = f"ids = {'torch.tensor' if torch else 'np.array'}([["
    steps += [("ids", entry) for entry in _listed(make, [str(number) for number in run.ids], "]])")]
    look = "F.embedding(ids, E)" if torch else "E[ids]"
    steps.append(("lookup", f"x = {look}".ljust(28) + f"# (1, {n}, {d})"))
    first = run.positions[0] if run.positions else 0
    whole = run.positions == tuple(range(first, first + n))
    places = f"{np_}.arange({first}, {first + n})" if whole else f"{_array(np_)}({list(run.positions)})"
    named = {"learned": _learned, "sinusoidal": _sinusoidal, "rope": _rope, "alibi": _alibi}[path]
    steps += named(torch, n, first, places, run)
    return tuple(steps)


def _array(np_: str) -> str:
    return "torch.tensor" if np_ == "torch" else "np.array"


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def _listed(start: str, entries: Sequence[str], end: str) -> list[str]:
    """One line, or more where they are long."""
    found, present = [], start
    for at, entry in enumerate(entries):
        written = entry + (", " if at < len(entries) - 1 else "")
        if len(present) + len(written) > WIDEST and present.strip():
            found.append(present.rstrip())
            present = " " * 4
        present += written
    return [*found, present + end]


def _learned(torch: bool, n: int, first: int, places: str, run: Run) -> list[tuple[str, str]]:
    block = "q, k, v = [x @ W.T for W in (W_q, W_k, W_v)]"
    steps = [("position", f"x = x + P[{first}:{first + n}] + S[0]")]
    if torch:
        return [*steps, ("norm", "x = F.layer_norm(x, (384,), w, b, eps=1e-12)"), ("block", block)]
    return [
        *steps,
        ("norm", "mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)"),
        ("norm", "x = (x - mean) / np.sqrt(var + 1e-12) * w + b"),
        ("block", block),
    ]


def _sinusoidal(torch: bool, n: int, first: int, places: str, run: Run) -> list[tuple[str, str]]:
    waves = "torch.stack([a.sin(), a.cos()], -1)" if torch else "np.stack([np.sin(a), np.cos(a)], -1)"
    np_ = "torch" if torch else "np"
    return [
        ("scale", "x = x * 512 ** 0.5"),
        ("position", f"p = {places}[:, None]"),
        ("position", f"a = p / 10_000 ** ({np_}.arange(0, 512, 2) / 512)"),
        ("position", f"x = x + {waves}.reshape(-1, 512)"),
        ("block", "q, k, v = [x @ W.T for W in (W_q, W_k, W_v)]"),
    ]


def _rope(torch: bool, n: int, first: int, places: str, run: Run) -> list[tuple[str, str]]:
    steps = [("norm", "x = x / ((x ** 2).mean(-1, keepdims=True) + 1e-5) ** 0.5 * g")]
    if torch:
        steps = [("norm", "x = F.rms_norm(x, (576,), g, eps=1e-5)")]
    np_ = "torch" if torch else "np"
    low = f"{np_}.tril({np_}.ones({n}, {n}))" if torch else f"np.tri({n})"
    hidden = f"s.masked_fill({low} == 0, -torch.inf)" if torch else f"np.where({low}, s, -np.inf)"
    return [
        *steps,
        ("qk", "q, k = x @ W_q.T, x @ W_k.T".ljust(28) + said("code.one_head")),
        ("turn", f"p = {places}[:, None]"),
        ("turn", f"t = {np_}.exp(1j * p * 100_000 ** (-{np_}.arange(0, 64, 2) / 64))"),
        ("turn", "q, k = [(y[..., ::2] + 1j * y[..., 1::2]) * t for y in (q, k)]"),
        ("score", "s = (q @ k.conj().swapaxes(-1, -2)).real / 64 ** 0.5"),
        ("score", f"s = {hidden}"),
    ]


def _alibi(torch: bool, n: int, first: int, places: str, run: Run) -> list[tuple[str, str]]:
    if torch:
        norm = [("norm", "x = F.layer_norm(x, (512,))")]
        hidden = f"s = s.masked_fill(torch.ones({n}, {n}).tril() == 0, -torch.inf)"
    else:
        norm = [
            ("norm", "mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)"),
            ("norm", "x = (x - mean) / np.sqrt(var + 1e-5)"),
        ]
        hidden = f"s = np.where(np.tri({n}), s, -np.inf)"
    return [
        *norm,
        ("qk", "q, k = x @ W_q.T, x @ W_k.T".ljust(28) + said("code.one_head")),
        ("score", "s = q @ k.swapaxes(-1, -2) / 64 ** 0.5"),
        ("bias", f"p = {places}"),
        ("bias", f"s = s - {_slope(run.head)} * (p[:, None] - p)"),
        ("bias", hidden),
    ]


def _slope(head: int) -> str:
    return f"2.0 ** -{head}"


def panels(state: PipelineState, run: Run, typed: str, side: tuple[Panel, ...], tokens: int) -> tuple[Panel, ...]:
    head = strip.panel(state, 1, tokens, max(run.n, 1))
    if state.code == "program":
        station = name_of(state)
        return (
            head,
            _code_panel("program", Cell(4, 0, 8, 6), program.LINES, program.LIT.get(station, ())),
            _code_panel("printed", Cell(4, 6, 8, 6), program.PRINTED, program.SHOWN.get(station, ())),
        )
    steps = lines(state.path, state.form, run, typed)
    lit = tuple(at for at, (station, _) in enumerate(steps) if station == name_of(state))
    code = Code("code", tuple(entry for _, entry in steps), Rect(0.0, 0.0, 1.0, 1.0), lit)
    main = Panel(
        "code_panel",
        strip.BIG,
        (code,),
        caption=said(f"caption.code_{state.path}"),
        choice=segments("pipeline", state, "path"),
        x=Axis(0.0, 1.0),
        y=Axis(0.0, 1.0),
        invert_y=True,
    )
    return (head, main, *side)


def _code_panel(key: str, cell: Cell, written: tuple[str, ...], lit: tuple[int, ...]) -> Panel:
    code = Code(key, written, Rect(0.0, 0.0, 1.0, 1.0), lit)
    title = said(f"{key}_title")
    return Panel(f"{key}_panel", cell, (code,), title=title, x=Axis(0.0, 1.0), y=Axis(0.0, 1.0), invert_y=True)


def station_of(state: PipelineState, run: Run, typed: str, row: int) -> int:
    """The number of the station that a picked line belongs to; the present one where there is none."""
    if state.code == "program":
        found = [name for name, entries in program.LIT.items() if row in entries and name in STATIONS[state.path]]
    else:
        steps = lines(state.path, state.form, run, typed)
        found = [steps[row][0]] if 0 <= row < len(steps) else []
    return STATIONS[state.path].index(found[-1]) if found else state.station
