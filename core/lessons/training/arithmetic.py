"""One pair's update on the blackboard. It goes on from the printed numbers, so that every line comes out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.lessons.training.scene import Scene, Step
from core.lessons.training.work import SMOOTH
from core.stage.frame import Line, Term, Worked
from core.stage.numbers import MINUS, bracketed, count, number, short, shown
from core.stage.text import text
from core.stage.theme import Role
from core.values import dataclass

NAME = 10  # letters of a word
PRODUCTS = 4  # decimals of a product of two shown factors
Lights = tuple[tuple[str, tuple[int, ...]], ...]


def worked(scene: Scene, step: Step) -> Worked:
    """First page: how far off the pair's guesses are. Then what that does to one number of the word, on a page of its
    own the cosines, then the rest."""
    column = int(np.argmax(np.abs(step.slope)))
    board = _Board(scene, step, column)
    lines = [board.guess(place) for place in range(len(step.others))]
    if scene.moment == 0:
        # No other loss can be added up by hand: here all of a batch's terms are the same.
        lines += _filled(lines)
        lines += [*board.loss(), *_first_loss(scene)]
        lines += _filled(lines)
        lines += _cosines(scene)
        lines += _filled(lines)
        lines += [(Term(text("training.worked.first_batch"), "muted"),), board.context()]
        return Worked((*lines, *_facts()))
    if not step.rows.any():
        lines += _filled(lines)
        lines += _cosines(scene)
        lines += [(Term(text("training.worked.still_zero"), "muted"),), board.context(), *board.loss()]
        return Worked((*lines, _mean_loss(scene), *_facts()))
    lines += [*board.slope(), board.update()]
    lines += _filled(lines)
    lines += [*_cosines(scene), *board.dot()]
    lines += [*board.loss(), (Term(text("training.worked.second_table"), "muted"),), board.context()]
    return Worked((*lines, _mean_loss(scene), *_facts()))


def _filled(lines: list[Line]) -> list[Line]:
    """Empty lines to the end of the page."""
    return [(Term(" "),)] * (-len(lines) % Worked.PAGE)


def _cosines(scene: Scene) -> list[Line]:
    """A page: what a cosine is, then both of the stage from the products and lengths of the rows as they are now."""
    lines: list[Line] = [(Term(text("training.worked.cosine"), "muted"),)]
    rows = scene.trained.words[scene.moment, list(scene.trio)].astype(np.float64)
    lengths = [shown(float(np.linalg.norm(row))) for row in rows]
    roles: tuple[tuple[int, Role], ...] = ((1, "what"), (2, "where"))
    for other, role in roles if scene.trio[1] != scene.trio[2] else roles[:1]:
        product = shown(float(rows[0] @ rows[other]))
        first, second = name_of(scene, scene.trio[0]), name_of(scene, scene.trio[other])
        quotient = f"{number(product)} / ({number(lengths[0])} × {number(lengths[other])})"
        written = product / max(lengths[0] * lengths[other], 1e-6)
        sign = "=" if number(written, 2) == number(scene.cosine(other), 2) else "≈"
        head = text("training.worked.cosine_of", first=first, second=second)
        result = Term(number(scene.cosine(other), 2), role, (), True)
        lines += _wrapped(head, [Term(f"{quotient} {sign} ")], (), [result])
    return lines


def _mean_loss(scene: Scene) -> Line:
    """Which pairs the loss of the stage is the mean of."""
    batches = min(scene.moment, SMOOTH) * scene.trained.every
    key = "mean_loss" if batches > 1 else "mean_loss_last"
    return (Term(text(f"training.worked.{key}", loss=number(scene.loss, 2), batches=count(batches)), "muted"),)


def _first_loss(scene: Scene) -> list[Line]:
    """The first batch's loss: pulls and pushes cost −ln 0.5 each while the neighbours' table is 0. A skipped push costs
    nothing, so that the mean can lie below the pair's own loss."""
    update, term, loss = scene.trained.updates[0], shown(math.log(2.0), PRODUCTS), scene.loss
    pulls, pushes = len(update.pairs), int(update.keep.sum())
    written = (pulls + pushes) * term / pulls
    sum_ = f"({count(pulls)} + {count(pushes)}) × {number(term, PRODUCTS)} / {count(pulls)}"
    sign = "=" if number(written, 2) == number(loss, 2) else "≈"
    terms = text("training.worked.terms", pulls=count(pulls), pushes=count(pushes),
                 skipped=count(update.keep.size - pushes))  # fmt: skip
    return [
        (Term(text("training.worked.mean_loss_first", loss=number(loss, 2), term=number(term, PRODUCTS)), "muted"),),
        (Term(f"{sum_} {sign} "), Term(number(loss, 2), "text", (), True), Term("   " + terms, "muted")),
    ]


def _facts() -> tuple[Line, ...]:
    return tuple((Term(text(f"training.worked.{fact}"), "muted"),) for fact in ("sigma", "thrown_away", "source"))


def name_of(scene: Scene, row: int) -> str:
    """A word short enough for its place."""
    word = scene.name(row)
    return word if len(word) <= NAME else word[: NAME - 1] + "…"


@dataclass(frozen=True)
class _Board:
    """One pair's update; ``column`` is the number of the centre's row that is worked out."""

    scene: Scene
    step: Step
    column: int

    @property
    def word(self) -> str:
        return name_of(self.scene, self.step.centre)

    @property
    def lights(self) -> Lights:
        """Where the centre stands on the map."""
        shown_rows = self.scene.shown
        return (("labels", (shown_rows.index(self.step.centre),)),) if self.step.centre in shown_rows else ()

    def other(self, place: int) -> str:
        return name_of(self.scene, self.step.others[place])

    def counted(self) -> list[int]:
        return [place for place, keep in enumerate(self.step.keep) if keep]

    def vector(self, column: int) -> float:
        return shown(self.step.vector[column])

    def row(self, place: int, column: int) -> float:
        return shown(self.step.rows[place, column])

    @cached_property
    def products(self) -> list[float]:
        """The dot products of the rows as they are shown, one for each word that is compared."""
        own = [self.vector(column) for column in range(len(self.step.vector))]
        return [
            shown(sum(_times(value, self.row(place, column)) for column, value in enumerate(own)))
            for place in range(len(self.step.others))
        ]

    def chance(self, place: int) -> float:
        return shown(1.0 / (1.0 + math.exp(-self.products[place])))

    @cached_property
    def guesses(self) -> list[str]:
        """``σ(0.412) = 0.602,`` for each word that is compared."""
        return [
            f"σ({number(product)}) {_relation(1.0 / (1.0 + math.exp(-product)), self.chance(place))} "
            f"{number(self.chance(place))},"
            for place, product in enumerate(self.products)
        ]

    def error(self, place: int) -> float:
        """σ minus what is wanted."""
        return shown(self.chance(place) - (place == 0))

    def slopes(self) -> list[float]:
        """Each error times the number of the row that it comes from."""
        return [_times(self.error(place), self.row(place, self.column)) for place in self.counted()]

    # --- lines -------------------------------------------------------------------------------------------------------

    def guess(self, place: int) -> Line:
        """``pull cat to sleeps:  σ(0.412) = 0.602,  error 0.602 − 1 = −0.398``."""
        wanted = 1 if place == 0 else 0
        role: Role = "what" if wanted else "where"
        head = text(f"training.worked.{'pull' if wanted else 'push'}", word=self.word, other=self.other(place))
        if not self.step.keep[place]:
            return (Term(head + " ", role), Term(text("training.worked.skipped"), "muted"))
        chance, guess = self.chance(place), self.guesses[place]
        error = f" {number(chance)} {MINUS} {wanted} = "
        if len(head) + len(guess) + len(error) + 16 <= Worked.COLUMNS:
            head += " " * max(1, 27 - len(head))
            # The errors stand below one another, also where an argument has a sign or another digit.
            guess = guess.ljust(max(len(self.guesses[kept]) for kept in self.counted()))
            error = f"  {text('training.worked.error')}{error}"
        else:
            head += " "
        return (
            Term(head, role, self.lights),
            Term(guess),
            Term(error),
            Term(number(self.error(place)), role, bold=True),
        )

    def slope(self) -> list[Line]:
        """The gradient at one number: each error times the number of the row that it comes from."""
        factors = [(self.error(place), self.row(place, self.column), place) for place in self.counted()]
        head = text("training.worked.slope", word=self.word, column=self.column)
        lines = _wrapped(
            head,
            [Term(bracketed(a) + bracketed(b), "what" if place == 0 else "where") for a, b, place in factors],
            self.lights,
        )
        products = self.slopes()
        result = shown(sum(products))
        end = [Term(f" {_relation(sum(products), result)} "), Term(number(result), bold=True)]
        return [*lines, *_wrapped("  = ", _summands(products), (), end, joined=False)]

    def update(self) -> Line:
        """The old number less the learning rate times the slope."""
        step, column = self.step, self.column
        old, slope, rate = self.vector(column), shown(sum(self.slopes())), shown(step.rate)
        new = shown(old - rate * slope)
        head = text("training.worked.new", word=self.word, column=column)
        line = f"{number(old)} {MINUS} {short(rate)} × {bracketed(slope)} {_relation(old - rate * slope, new)} "
        more = ""
        if step.more:
            key = "training.worked.more" if step.more > 1 else "training.worked.one_more"
            more = text(key, count=step.more, after=number(step.after[column]))
        pieces = [Term(head, "text", self.lights), Term(line), Term(number(new), "what", (), True)]
        if more and sum(len(piece.text) for piece in pieces) + len(more) <= Worked.COLUMNS:
            pieces.append(Term(more, "muted"))
        return tuple(pieces)

    def dot(self) -> list[Line]:
        """The product of the pair's two rows, number by number."""
        factors = [(self.vector(column), self.row(0, column)) for column in range(len(self.step.vector))]
        head = f"{self.word} · {self.other(0)} = "
        lines = _wrapped(head, [Term(bracketed(a) + bracketed(b)) for a, b in factors], self.lights)
        total = round(sum(_times(a, b) for a, b in factors), PRODUCTS) + 0.0
        product = self.products[0]
        end = (Term(f"  {_relation(total, product)} "), Term(number(product), bold=True))
        return [*lines, end]

    def loss(self) -> list[Line]:
        """−ln of the chance of every right answer."""
        chances = [self.chance(0), *(shown(1.0 - self.chance(place)) for place in self.counted()[1:])]
        # A chance that is shown as 0 has no logarithm to write down.
        total = -sum(math.log(chance) for chance in chances) if min(chances) > 0 else math.inf
        result = shown(total if math.isfinite(total) else self.step.loss)
        pieces = [Term(f"{MINUS}ln {number(chances[0])}"), *(Term(f"ln {number(chance)}") for chance in chances[1:])]
        end = [Term(f" {_relation(total, result)} "), Term(number(result), bold=True)]
        return _wrapped(text("training.worked.loss"), pieces, (), end, joint=f" {MINUS} ")

    def context(self) -> Line:
        """The neighbour's row of the second table moves by the same error times the centre's number."""
        column = self.column
        old, value, error, rate = self.row(0, column), self.vector(column), self.error(0), shown(self.step.rate)
        new = shown(old - rate * error * value)
        head = text("training.worked.context", word=self.other(0), column=column)
        line = f"{number(old)} {MINUS} {short(rate)} × {bracketed(error)}{bracketed(value)} "
        return (Term(head), Term(f"{line}{_relation(old - rate * error * value, new)} "), Term(number(new), bold=True))


# --- printed numbers -------------------------------------------------------------------------------------------------


def _relation(calculated: float, result: float) -> str:
    """ "=" where a person who rounds what the printed numbers give writes the printed result."""
    return "=" if abs(calculated - result) < 0.0005 + 1e-9 else "≈"


def _times(a: float, b: float) -> float:
    """The product of two shown factors, as it is shown."""
    return round(a * b, PRODUCTS) + 0.0


def _summands(values: list[float]) -> list[Term]:
    """``−0.2070``, `` + 0.0893``, `` − 0.0100``: signs included."""
    first = Term(number(values[0], PRODUCTS))
    rest = [Term(f" {MINUS if value < 0 else '+'} {number(abs(value), PRODUCTS)}") for value in values[1:]]
    return [first, *rest]


def _wrapped(
    head: str, pieces: list[Term], lights: Lights, end: Sequence[Term] = (), joint: str = " + ", joined: bool = True
) -> list[Line]:
    """head piece + piece + … end, continued on another line where it would pass the board's edge."""
    lines: list[list[Term]] = [[Term(head, "text", lights)]]
    used = len(head)
    groups = [[piece] for piece in pieces]
    groups[-1] += end
    for place, group in enumerate(groups):
        between = joint if place and joined else ""
        wide = len(between) + sum(len(piece.text) for piece in group)
        if used + wide > Worked.COLUMNS:
            lines.append([Term("   ")])
            used = 3
        if between:
            lines[-1].append(Term(between))
        lines[-1] += group
        used += wide
    return [tuple(line) for line in lines]
