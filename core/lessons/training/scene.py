"""One moment of a run: every number that the stage and the arithmetic show."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.lessons.training.corpus import Corpus, kinds
from core.lessons.training.flat import Flat, cosines, flat, nearest
from core.lessons.training.state import TrainingState
from core.lessons.training.work import Trained
from core.stage.frame import Array
from core.stage.motion import beats
from core.values import dataclass

FEWEST_WORDS = 3  # typed words that make a map of their own


@dataclass(frozen=True)
class Scene:
    """``moment`` whole batches (or snapshots) have passed, ``part`` of the next one is drawn; ``trio``: the rows of the
    two words that are compared and of the third; ``missing``: typed words without a row, with what stands for them."""

    trained: Trained
    moment: int
    part: float
    shown: tuple[int, ...]
    trio: tuple[int, int, int]
    missing: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]  # of the typed list for the map

    @property
    def corpus(self) -> Corpus:
        return self.trained.corpus

    @property
    def last(self) -> int:
        return self.trained.moments

    @property
    def batch(self) -> int:
        """Updates made so far."""
        return self.moment * self.trained.every

    @property
    def batches(self) -> int:
        return self.last * self.trained.every

    @property
    def passes(self) -> float:
        """How often the text has been seen."""
        per_pass = -(-self.trained.pairs // self.trained.batch_size)
        return self.batch / per_pass

    def name(self, row: int) -> str:
        return self.corpus.words[row]

    @cached_property
    def names(self) -> tuple[str, str, str]:
        first, second, third = (self.name(row) for row in self.trio)
        return first, second, third

    @property
    def flat(self) -> Flat:
        return flat(self.trained, self.shown)

    @property
    def points(self) -> Array:
        """(n, 2) where the words of the map are now, also between two batches."""
        points = self.flat.points
        here: Array = points[self.moment]
        if not self.part or self.moment >= self.last:
            return here
        between: Array = here + (points[self.moment + 1] - here) * self.part
        return between

    def curve(self, other: int) -> Array:
        """(moments,) the cosine of the first word with the second (1) or the third (2)."""
        return cosines(self.trained, self.trio[0], self.trio[other])

    def cosine(self, other: int) -> float:
        return float(self.curve(other)[self.moment])

    @property
    def loss(self) -> float:
        return float(self.trained.loss[self.moment])

    @cached_property
    def neighbours(self) -> tuple[tuple[int, float], ...]:
        """The words of the map nearest to the first one."""
        return nearest(self.trained, self.trio[0], self.moment, self.shown)[:3]


def scene_of(state: TrainingState, trained: Trained) -> Scene:
    corpus = trained.corpus
    moment, part = beats(min(state.batch, float(trained.moments)))
    trio, missing = _trio(state, trained)
    typed = [(word, corpus.place(word)) for word in state.words]
    chosen = tuple(dict.fromkeys(row for _, row in typed if row is not None))
    shown = chosen if len(chosen) >= FEWEST_WORDS else corpus.shown
    shown = tuple(dict.fromkeys((*shown, *trio)))
    left_out = tuple(word for word, row in typed if row is None)
    return Scene(trained, moment, part, shown, trio, missing, left_out)


def _trio(state: TrainingState, trained: Trained) -> tuple[tuple[int, int, int], tuple[tuple[str, str], ...]]:
    """The rows of the three watched words. For one that has none stands another: the commonest word of the map for the
    first, its nearest at the end of the run for the second, its farthest for the third."""
    corpus = trained.corpus
    typed = (state.first, state.second, state.third)
    rows = [corpus.place(word) for word in typed]
    taken = {row for row in rows if row is not None}
    candidates = corpus.shown if len(set(corpus.shown) - taken) >= 3 else tuple(range(len(corpus.words)))
    first = rows[0]
    if first is None:
        first = rows[0] = next((row for row in candidates if row not in taken), candidates[0])
    order = [row for row, _ in nearest(trained, first, trained.moments, candidates)]
    if rows[1] is None:
        rows[1] = next((row for row in order if row not in {rows[0], rows[2]}), order[0])
    if rows[2] is None:
        rows[2] = next((row for row in reversed(order) if row not in {rows[0], rows[1]}), order[-1])
    missing = tuple(
        (word.strip(), corpus.words[row])
        for word, row in zip(typed, rows, strict=True)
        if row is not None and corpus.place(word) is None
    )
    _, second, third = (row for row in rows if row is not None)
    return (first, second, third), missing


def kind_of(word: str) -> str:
    """The kind of one of our nouns; empty for any other word."""
    return next((kind for kind, words in kinds().items() if word in words), "")


@dataclass(frozen=True)
class Step:
    """The update that one pair asks for, in float64: centre (d,), near and drawn rows of the second table (1 + m, d),
    which of them count (1 + m,), and the other pairs of the batch with this centre."""

    batch: int  # its number, from 1
    centre: int
    others: tuple[int, ...]
    keep: tuple[bool, ...]
    vector: Array
    rows: Array
    more: int
    rate: float
    after: Array  # (d,) the centre's row after the whole batch

    @cached_property
    def products(self) -> Array:
        """(1 + m,) dot products."""
        found: Array = self.rows @ self.vector
        return found

    @cached_property
    def chances(self) -> Array:
        """(1 + m,) σ of the products."""
        found: Array = np.exp(-np.logaddexp(0.0, -self.products))
        return found

    @cached_property
    def errors(self) -> Array:
        """(1 + m,) σ minus what is wanted: 1 for the neighbour, 0 for the drawn; 0 where it does not count."""
        wanted = np.zeros(len(self.others))
        wanted[0] = 1.0
        found: Array = np.where(self.keep, self.chances - wanted, 0.0)
        return found

    @cached_property
    def slope(self) -> Array:
        """(d,) the gradient at the centre."""
        found: Array = self.errors @ self.rows
        return found

    @property
    def loss(self) -> float:
        right = np.where(np.arange(len(self.others)) == 0, self.chances, 1.0 - self.chances)
        return float(-np.log(right[np.array(self.keep)]).sum())


def step_of(scene: Scene, rate: float) -> Step:
    """The pair of the next batch that is worked out: one of a watched word where there is one, else of another
    word of the map, with its rarest neighbour. After the last batch the last one stays."""
    trained = scene.trained
    index = min(scene.moment, scene.last - 1)
    update = trained.updates[index]
    centres = update.pairs[:, 0]
    wanted = (*scene.trio, *scene.shown, int(centres[0]))
    watched = next(row for row in wanted if (centres == row).any())
    pairs = np.flatnonzero(centres == watched)
    # Rows are in the order of frequency: the rarest neighbour says most about the word.
    pick = int(pairs[np.argmax(update.pairs[pairs, 1])])
    centre = int(centres[pick])
    others = (int(update.pairs[pick, 1]), *(int(row) for row in update.drawn[pick]))
    return Step(
        batch=index * trained.every + 1,
        centre=centre,
        others=others,
        keep=(True, *(bool(keep) for keep in update.keep[pick])),
        vector=trained.words[index, centre].astype(np.float64),
        rows=trained.contexts[index, list(others)].astype(np.float64),
        more=int((centres == centre).sum()) - 1,
        rate=rate,
        after=trained.words[index + 1, centre].astype(np.float64),
    )
