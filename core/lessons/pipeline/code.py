"""The third page: the same sentence as code, line for line beside the stations, and a whole program."""

from __future__ import annotations

from collections.abc import Sequence

from core.lessons.pipeline import program, strip
from core.lessons.pipeline.compute import STATIONS, WIDTH, Run
from core.lessons.pipeline.state import PipelineState, name_of
from core.lessons.pipeline.wording import said
from core.stage.frame import Axis, Cell, Code, Panel, Rect
from core.stage.words import segments

WIDEST = 56  # characters of a line
Steps = list[tuple[str, str]]  # (station, line)
Lines = tuple[tuple[str, str], ...]
_BLOCK = "q, k, v = [x @ W.T for W in (W_q, W_k, W_v)]"


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
    steps += named(torch, n, places, run)
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


def _norm(after: str) -> list[tuple[str, str]]:
    return [
        ("norm", "m = x.mean(-1, keepdims=True)"),
        ("norm", "v = x.var(-1, keepdims=True)"),
        ("norm", f"x = (x - m) / np.sqrt(v + {after}"),
    ]


def _learned(torch: bool, n: int, places: str, run: Run) -> Steps:
    first = run.positions[0] if run.positions else 0
    norm = [("norm", "x = F.layer_norm(x, (384,), w, b, eps=1e-12)")] if torch else _norm("1e-12) * w + b")
    return [("position", f"x = x + P[{first}:{first + n}] + S[0]"), *norm, ("block", _BLOCK)]


def _sinusoidal(torch: bool, n: int, places: str, run: Run) -> Steps:
    np_ = "torch" if torch else "np"
    return [
        ("scale", "x = x * 512 ** 0.5"),
        ("position", f"i = {np_}.arange(0, 512, 2) / 512"),
        ("position", f"a = {places}[:, None] / 10_000 ** i"),
        ("position", f"P = {np_}.stack([{np_}.sin(a), {np_}.cos(a)], -1)"),
        ("position", "x = x + P.reshape(-1, 512)"),
        ("block", _BLOCK),
    ]


def _rope(torch: bool, n: int, places: str, run: Run) -> Steps:
    np_ = "torch" if torch else "np"
    root = "x = x / ((x ** 2).mean(-1, keepdims=True) + 1e-5) ** 0.5"
    return [
        ("norm", "x = F.rms_norm(x, (576,), g, eps=1e-5)" if torch else f"{root} * g"),
        ("qk", "q, k = x @ W_q.T, x @ W_k.T".ljust(29) + said("code.one_head")),
        ("turn", f"i = {np_}.arange(0, 64, 2) / 64"),
        *([("turn", f"p = {places}")] if places.endswith("])") else []),
        ("turn", f"t = {np_}.exp(1j * {'p' if places.endswith('])') else places}[:, None] / 100_000 ** i)"),
        ("turn", "q = (q[..., ::2] + 1j * q[..., 1::2]) * t"),
        ("turn", "k = (k[..., ::2] + 1j * k[..., 1::2]) * t"),
        ("score", "s = (q @ k.conj().swapaxes(-1, -2)).real / 64 ** 0.5"),
        ("score", _hidden(torch, n)),
    ]


def _alibi(torch: bool, n: int, places: str, run: Run) -> Steps:
    return [
        *([("norm", "x = F.layer_norm(x, (512,))")] if torch else _norm("1e-5)")),
        ("qk", "q, k = x @ W_q.T, x @ W_k.T".ljust(29) + said("code.one_head")),
        ("score", "s = q @ k.swapaxes(-1, -2) / 64 ** 0.5"),
        ("bias", f"p = {places}"),
        ("bias", f"s = s - {_slope(run.head)} * (p[:, None] - p)"),
        ("bias", _hidden(torch, n)),
    ]


def _hidden(torch: bool, n: int) -> str:
    """The causal mask."""
    return (
        f"s = s.where(torch.ones({n}, {n}).tril() == 1, -torch.inf)"
        if torch
        else f"s = np.where(np.tri({n}), s, -np.inf)"
    )


def _slope(head: int) -> str:
    return f"2.0 ** -{head}"


def panels(state: PipelineState, run: Run, typed: str, side: tuple[Panel, ...], tokens: int) -> tuple[Panel, ...]:
    head = strip.panel(state, 1, tokens, max(run.n, 1), program.SHAPES if state.code == "program" else None)
    if state.code == "program":
        station = name_of(state)
        high = len(program.PRINTED) / len(program.LINES)  # lines as high as the program's
        marks = (
            Code("program", program.LINES, Rect(0.0, 0.0, 0.49, 1.0), program.LIT.get(station, ())),
            Code("printed", program.PRINTED, Rect(0.51, 0.0, 0.49, high), program.SHOWN.get(station, ()), output=True),
        )
        whole = Panel("program_panel", Cell(4, 0, 8, 12), marks, x=Axis(0.0, 1.0), y=Axis(0.0, 1.0), invert_y=True)
        return head, whole
    steps = lines(state.path, state.form, run, typed)
    lit = tuple(at for at, (station, _) in enumerate(steps) if station == name_of(state))
    code = Code("code", tuple(entry for _, entry in steps), Rect(0.0, 0.0, 1.0, 1.0), lit)
    main = Panel(
        "code_panel",
        strip.BIG,
        (code,),
        choice=segments("pipeline", state, "path"),
        x=Axis(0.0, 1.0),
        y=Axis(0.0, 1.0),
        invert_y=True,
    )
    return (head, main, *side)


def station_of(state: PipelineState, run: Run, typed: str, row: int) -> int:
    """The number of the station that a picked line belongs to; the present one where there is none."""
    if state.code == "program":
        found = [name for name, entries in program.LIT.items() if row in entries and name in STATIONS[state.path]]
    else:
        steps = lines(state.path, state.form, run, typed)
        found = [steps[row][0]] if 0 <= row < len(steps) else []
    return STATIONS[state.path].index(found[-1]) if found else state.station
