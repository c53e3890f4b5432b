"""How the score of an analogy's answer comes about, from the printed numbers."""

from __future__ import annotations

import math

import numpy as np

from core.encodings import similarity
from core.lessons.similarity.arithmetic import Lights
from core.lessons.similarity.facts import Floats, rows_of
from core.lessons.similarity.solved import Rows, Solved, parts
from core.lessons.similarity.state import SimilarityState, Word, clipped
from core.stage.frame import Line, Term, Worked
from core.stage.numbers import MINUS, number, shown
from core.stage.text import text
from core.tables.table import Table
from core.tables.tokens import visible

Question = tuple[Word, Word, Word]  # plus, minus, plus
PLACES = 2  # of a score: int8 rows keep two places
EXACT = 3  # of the numbers that the arithmetic goes on from


def name_of(table: Table, row: int, length: int = 14) -> str:
    """The row's token as it is shown."""
    return clipped(visible(table.tokens[row], table.vocabulary.spelling), length)


def rows_asked(asked: Question) -> Rows:
    """The rows of the three words, which all have one."""
    one, minus, other = (entry.row for entry in asked)
    assert one is not None
    assert minus is not None
    assert other is not None
    return one, minus, other


def analogy_worked(
    state: SimilarityState, table: Table, asked: Question, solved: Solved, picked: int, hoped: Word | None
) -> Worked:
    """Three lines for each score on the stage: the picked answer's, the hoped-for one's, those of the other ways."""
    answer, score = solved.rows[picked], solved.scores[picked]
    lights: Lights = (("bars", ()), ("score", ()))
    lines = list(_scored(state.method, table, asked, answer, score, lights))
    if hoped is not None and hoped.row is not None:
        lines += _scored(state.method, table, asked, hoped.row, solved.hoped_score, (("hoped", ()),))
    for method, best, value in solved.bests:
        if method != state.method or picked:
            lines += _scored(method, table, asked, best, value, (("methods", ()),))
    return Worked(tuple(lines))


def _scored(
    method: str, table: Table, asked: Question, row: int, score: float, lights: Lights
) -> tuple[Line, Line, Line]:
    """What the answer has in common with each word, the sum or quotient, the score."""
    rows = rows_asked(asked)
    answer = rows_of(table, (row,))
    name = name_of(table, row, 12)
    one, minus, other = (clipped(entry.shown, 10) for entry in asked)
    compare = similarity.dot if method == "rows" else similarity.cosine
    values = [shown(float(value), EXACT) for value in compare(rows_of(table, rows), answer)[:, 0]]
    if method == "3CosMul":
        heading = text("similarity.worked.cosines", word=name, plus=one, minus=minus, other=other)
        return ((Term(heading),), *_quotient(values, score, lights))
    heading = f"{name} · ({one} {MINUS} {minus} + {other})"
    if method == "3CosAdd":
        heading = text("similarity.worked.unit") + ": " + heading
    total = shown(values[0] - values[1] + values[2], EXACT)
    sums = f"= {number(values[0], EXACT)} {MINUS} {_inside(values[1])} + {_inside(values[2])} = {number(total, EXACT)}"
    goal = parts(table, rows, method) * np.array([[1.0], [-1.0], [1.0]])
    lengths = [_length(goal.sum(axis=0))]
    if method == "rows":
        lengths.append(_length(answer[0]))
    below = " × ".join(number(length, EXACT) for length in lengths)
    below = f"({below})" if len(lengths) > 1 else below
    product = math.prod(lengths)
    calculated = total / product if product else math.nan
    last = _result(f"{number(total, EXACT)} / {below}", calculated, score, lights)
    note = text(f"similarity.worked.lengths.{len(lengths)}")
    if sum(len(term.text) for term in last) + len(note) <= Worked.COLUMNS:
        last = (*last, Term(note, "muted"))
    return (Term(heading),), (Term(sums),), last


def _quotient(cosines: list[float], score: float, lights: Lights) -> tuple[Line, Line]:
    """3CosMul: every cosine shifted to 0 … 1, then the positives' product over the negative."""
    halves = [shown((1 + value) / 2, EXACT) for value in cosines]
    pairs = zip(cosines, halves, strict=True)
    pieces = ", ".join(f"(1 + {_inside(value)})/2 = {number(half, EXACT)}" for value, half in pairs)
    one, minus, other = (number(half, EXACT) for half in halves)
    calculated = halves[0] * halves[2] / halves[1] if halves[1] else math.nan
    return (Term(pieces),), _result(f"({one} × {other}) / {minus}", calculated, score, lights)


def _inside(value: float) -> str:
    """A number inside a sum: a negative one in brackets."""
    return f"({number(value, EXACT)})" if value < 0 else number(value, EXACT)


def _length(row: Floats) -> float:
    return shown(float(np.sqrt(row @ row)), EXACT)


def _result(written: str, calculated: float, score: float, lights: Lights) -> Line:
    result = number(score, PLACES)
    relation = " = " if math.isfinite(calculated) and number(calculated, PLACES) == result else " ≈ "
    start = text("similarity.worked.score") + " = "
    return (Term(start + written + relation), Term(result, "what", lights, True))
