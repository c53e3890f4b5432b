"""Dot product, cosine and distance as a person does them on a blackboard, with the printed numbers."""

from __future__ import annotations

import math

from core.lessons.similarity.facts import Pair
from core.lessons.similarity.state import END, clipped
from core.stage.frame import Index, Line, Term, Worked
from core.stage.numbers import MINUS, bracketed, number, short
from core.stage.text import text
from core.stage.theme import Role
from core.values import dataclass

NAME = 14  # letters of a word in the arithmetic
Light = tuple[str, Index]
Lights = tuple[Light, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far playing has come: products added (of ``whole``), then the lengths, then the division."""

    added: int
    lengths: bool
    divided: bool
    playing: bool

    def current(self, index: int) -> bool:
        """Whether this product is the one just added."""
        return self.playing and index == self.added - 1 and not self.lengths


def progress(two: Pair, seconds: float) -> Progress:
    """One product a second, there from the second's start. At 0 and at the end everything stands there."""
    whole = steps(two)
    if seconds <= 0.0 or seconds >= min(whole + 2, END):
        return Progress(whole, True, True, False)
    done = math.ceil(seconds)
    return Progress(min(done, whole), done > whole, done > whole + 1, True)


def steps(two: Pair) -> int:
    """The products written out, and one for all others together."""
    return len(two.terms) + (1 if two.others else 0)


def worked(two: Pair, metric: str, at: Progress, cells: bool, before: tuple[Line, ...] = ()) -> Worked:
    """First page: the large number's own line and what it is made of; the rest follows.

    ``cells``: the stage shows the numbers in matrices "rows" and "products", so that the terms light them: the products
    come first. ``before``: lines that stand above.
    """
    products, sums = _products(two, at, cells), _sums(two, at, cells)
    lengths = [_length(two, which, cells) for which in (0, 1)] if at.lengths else []
    cosine = [_cosine(two, cells, bool(before))] if at.divided else []
    distance = [_distance(two)] if at.divided else []
    angle = [_angle(two)] if at.divided and two.defined else []
    if len(before) > 1:  # such a page shows neither the distance nor the angle
        return Worked(_on_pages([*before, *cosine], lengths, [*products, *sums]))
    if before:
        return Worked(_on_pages([*before, *cosine, *distance], [*lengths, *angle], [*products, *sums]))
    if metric == "distance":
        return Worked(_on_pages([*lengths, *distance], [*products, *sums], [*cosine, *angle]))
    if len(products) == 1:
        return Worked((*products, *sums, *cosine, *lengths, *distance, *angle))
    if cells or metric == "dot":  # the first page is full: lengths and cosine share the second
        return Worked(_on_pages([*products, *sums], [*lengths, *cosine], [*distance, *angle]))
    return Worked(_on_pages([*cosine, *lengths], [*products, *sums], [*distance, *angle]))


def _on_pages(*groups: list[Line]) -> tuple[Line, ...]:
    """What belongs together starts a page of its own where it would not end on the one begun."""
    lines: list[Line] = []
    for group in groups:
        used = len(lines) % Worked.PAGE
        if used and used + len(group) > Worked.PAGE:
            lines += [(Term(" "),)] * (Worked.PAGE - used)
        lines += group
    return tuple(lines)


# --- lines -----------------------------------------------------------------------------------------------------------


def _name(two: Pair, which: int) -> str:
    return clipped((two.first, two.second)[which].shown, NAME)


def _products(two: Pair, at: Progress, cells: bool) -> list[Line]:
    prefix = f"{_name(two, 0)} · {_name(two, 1)} = "
    factors = two.factors
    pieces = []
    for index in range(len(two.terms)):
        written = "".join(bracketed(float(factor), two.places) for factor in factors[:, index])
        role: Role = "text" if index < at.added else "muted"
        pieces.append(Term(written, role, _cell(index, cells), at.current(index)))
    if two.others:
        rest = text("similarity.worked.more", more=two.others)
        role = "text" if at.added > len(two.terms) else "muted"
        pieces.append(Term(rest, role, _cell(len(two.terms), cells), at.current(len(two.terms))))
    return _wrapped(prefix, pieces, _indent(two))


def _indent(two: Pair) -> int:
    """Where the lines below the first one begin: below its "=", or at a short step where their sum is too long."""
    aligned = len(_name(two, 0)) + len(_name(two, 1)) + 4
    ready = Progress(steps(two), True, True, False)
    return aligned if aligned + sum(len(term.text) for term in _sum(two, ready, False)) <= Worked.COLUMNS else 4


def _wrapped(prefix: str, pieces: list[Term], indent: int) -> list[Line]:
    """prefix piece + piece + …, continued on another line where it would pass the board's edge."""
    lines: list[list[Term]] = [[Term(prefix)]]
    used = len(prefix)
    for place, piece in enumerate(pieces):
        joint = " + " if place else ""
        if place and used + len(joint) + len(piece.text) > Worked.COLUMNS:
            joint = " " * indent + "+ "
            lines.append([])
            used = 0
        if joint:
            lines[-1].append(Term(joint))
        lines[-1].append(piece)
        used += len(joint) + len(piece.text)
    return [tuple(line) for line in lines]


def _sums(two: Pair, at: Progress, cells: bool) -> list[Line]:
    return [(Term(" " * _indent(two)), *_sum(two, at, cells))]


def _sum(two: Pair, at: Progress, cells: bool) -> list[Term]:
    places = two.product_places
    terms: list[Term] = []
    total = 0.0
    for index in range(min(at.added, len(two.terms))):
        value = float(two.products[index])
        total += value
        _add(terms, value, number(abs(value), places), "", _cell(index, cells), at.current(index))
    if two.others and at.added > len(two.terms):
        value = two.shown_rest
        total += value
        end = " " + text("similarity.worked.others", more=two.others)
        index = len(two.terms)
        _add(terms, value, number(abs(value), places), end, _cell(index, cells), at.current(index))
    if at.added < steps(two):
        so_far = Term(" " + text("similarity.worked.so_far"))
        result = [Term(" = "), Term(number(total, places), "what", bold=True), so_far]
    else:
        shown = two.written("sum")
        relation = " = " if _same(total, two.dot, shown) else " ≈ "
        places_of_sum: Lights = (("dot", ()), ("sum", ())) if cells and not two.others else (("dot", ()),)
        result = [Term(relation), Term(shown, "what", places_of_sum, True)]
    if at.added == 1 and steps(two) > 1:
        terms, result = terms[:1], result[-1:]
    return [Term("= "), *terms, *result]


def _add(terms: list[Term], value: float, written: str, end: str, lights: Lights, bold: bool) -> None:
    minus = value < 0
    if terms:
        terms.append(Term(f" {MINUS} " if minus else " + "))
    terms.append(Term((MINUS if minus and not terms else "") + written + end, "text", lights, bold))


def _cosine(two: Pair, cells: bool, named: bool) -> Line:
    """``named``: with both words, where nothing near the line says which they are and there is room."""
    if not two.defined:
        return (Term(text("similarity.worked.undefined"), "warn", (("cosine", ()),)),)
    dot, one, other = two.written("sum"), two.written_length(0), two.written_length(1)
    product = _value(one) * _value(other)
    result = two.written("cosine")
    relation = " = " if product and _same(_value(dot) / product, two.cosine, result) else " ≈ "
    start = text("similarity.worked.with_pole", word=_name(two, 0), pole=_name(two, 1)) if named else ""
    if not named or len(f"{start} = {dot} / ({one} × {other}){relation}{result}") > Worked.COLUMNS:
        start = text("similarity.worked.cosine")
    return (
        Term(start + " = "),
        Term(dot, "text", (("dot", ()),)),
        Term(" / ("),
        Term(one, "text", (("first", ()),) if cells else ()),
        Term(" × "),
        Term(other, "text", (("second", ()),) if cells else ()),
        Term(")" + relation),
        Term(result, "what", (("cosine", ()),), True),
    )


def _length(two: Pair, which: int, cells: bool) -> Line:
    result = two.written_length(which)
    tries = [two.written_square(which, places) for places in (3, 4, 5)]
    square = next((tried for tried in tries if _same(math.sqrt(_value(tried)), two.lengths[which], result)), tries[0])
    lights: Lights = ((("first", "second")[which], ()),) if cells else ()
    if two.exact and not two.others:
        places = two.product_places
        parts = " + ".join(number(float(value) ** 2, places) for value in two.factors[which])
        parts = f"√({parts})"
    else:
        parts = text("similarity.worked.squares", count=two.dim)
    relation = " = " if _same(math.sqrt(_value(square)), two.lengths[which], result) else " ≈ "
    start = f"|{_name(two, which)}| = "
    line = start + parts + " = √" + square + relation + result
    if len(line) > Worked.COLUMNS:
        line = start + "√" + square + relation + result
    return (Term(line, "text", lights),)


def _distance(two: Pair) -> Line:
    """With as few places, at least three, as bring out the printed distance; with three where none do."""
    result = two.written("distance")
    tries = [_root(two, places, result) for places in (3, 4, 5)]
    good = [tried for tried in tries if tried.endswith("= ") and len(tried + result) <= Worked.COLUMNS]
    written = good[0] if good else tries[0]
    return (Term(written), Term(result, "what", (("distance", ()),), True))


def _root(two: Pair, places: int, result: str) -> str:
    one, other = two.written_square(0, places), two.written_square(1, places)
    dot = two.written("sum") if two.exact else number(two.dot, places)
    square = max(_value(one) + _value(other) - 2 * _value(dot), 0.0)
    middle = short(square, 4) if two.exact else number(square, places)
    relation = "=" if _same(math.sqrt(_value(middle)), two.distance, result) else "≈"
    dot = f"({dot})" if dot.startswith(MINUS) else dot
    return text("similarity.worked.distance") + f" = √({one} + {other} {MINUS} 2 × {dot}) = √{middle} {relation} "


def _angle(two: Pair) -> Line:
    """The printed cosine has too few places for it: from the numbers that the cosine came from, with more places where
    these do not bring the angle out."""
    result = two.written("angle")
    tries = [(two.written("sum"), two.written_length(0), two.written_length(1))]
    if not two.exact:
        one, other = two.lengths
        tries += [(number(two.dot, n), number(one, n), number(other, n)) for n in (4, 5)]
    written = [_arccos(*tried, result) for tried in tries]
    line = next((tried for tried in written if tried.endswith("= ")), written[0])
    return (Term(line), Term(result, "what", (("cosine", ()),), True))  # the angle stands below the cosine


def _arccos(dot: str, one: str, other: str, result: str) -> str:
    product = _value(one) * _value(other)
    cosine = min(max(_value(dot) / product, -1.0), 1.0) if product else 1.0
    relation = "=" if number(math.degrees(math.acos(cosine)), 1) + "°" == result else "≈"
    return f"{text('similarity.worked.angle')} = arccos({dot} / ({one} × {other})) {relation} "


# --- printed numbers -------------------------------------------------------------------------------------------------


def _cell(index: int, cells: bool) -> Lights:
    return (("rows", (0, index)), ("rows", (1, index)), ("products", (0, index))) if cells else ()


def _value(written: str) -> float:
    """The number that a person reads."""
    return float(written.replace(MINUS, "-").replace(",", ""))


def _same(calculated: float, true: float, written: str) -> bool:
    """Whether calculating with the printed numbers gives the printed result."""
    places = len(written.partition(".")[2])
    # A result just between two printed numbers may be read either way: that is not "equal".
    return math.isfinite(true) and abs(calculated - _value(written)) < 0.5 * 10.0**-places - 1e-9
