"""How this lesson's arithmetic is written: printed factors that give the printed result.

Factors are written with as many decimals as that takes, four at the least.
"""

from __future__ import annotations

from collections.abc import Callable

from core.lessons.pipeline.compute import Run
from core.lessons.pipeline.state import PipelineState, column_of
from core.stage.frame import Line, Term, Worked
from core.stage.numbers import MINUS, number
from core.stage.text import text

DECIMALS = 3  # of an array's cells
LEAST, MOST_PLACES = 4, 9  # decimals of a factor


def said(key: str, **fields: object) -> str:
    """A text of this lesson."""
    return text(f"pipeline.{key}", **fields)


def cut(word: str, most: int = 12) -> str:
    return word if len(word) <= most else word[: most - 1] + "…"


def quoted(word: str, most: int = 12) -> str:
    return said("quoted", word=cut(word, most))


def unlit(shown_lines: Worked) -> Worked:
    """The same arithmetic on a page that does not show the array."""
    lines = tuple(tuple(Term(term.text, term.role, (), term.bold) for term in entry) for entry in shown_lines.lines)
    return Worked(lines)


def wrapped(entry: Line) -> tuple[Line, ...]:
    """The line, in two where it is too long for one: a result is never cut off."""
    room = Worked.COLUMNS
    for at, term in enumerate(entry):
        room -= len(term.text)
        if room < 0 and at:
            return entry[:at], (Term("    "), *entry[at:])
    return (entry,)


def fitted(entry: Line) -> Line:
    """A line of at most 72 columns."""
    room, kept = Worked.COLUMNS, []
    for term in entry:
        if len(term.text) > room:
            kept.append(Term(cut(term.text, room), term.role, term.lights, term.bold) if room else term)
            break
        kept.append(term)
        room -= len(term.text)
    return tuple(term for term in kept if term.text)


def lit(key: str, row: int, column: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return ((key, (row, column)),)


def enough(make: Callable[[int], float], true: float, decimals: int = DECIMALS) -> int:
    """The fewest decimals for which the arithmetic with rounded numbers gives what the cell shows."""
    for places in range(LEAST, MOST_PLACES):
        if number(make(places), decimals) == number(true, decimals):
            return places
    return MOST_PLACES


def added(value: float, decimals: int) -> str:
    """`` + 0.034`` or `` + (−0.034)``: what is added stays a sum, whatever its sign."""
    written = number(value, decimals)
    return f" + ({written})" if written.startswith(MINUS) else f" + {written}"


def result(state: PipelineState, value: float, column: int, key: str = "array") -> Term:
    return Term(number(value, DECIMALS), "what", lit(key, state.token, column), bold=True)


def cell(state: PipelineState, run: Run) -> tuple[int, int, str]:
    return state.token, column_of(state, run), quoted(run.words[state.token])
