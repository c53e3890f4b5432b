"""The training itself, as a job: a pure function of its plan, watched at as many moments as the plan has batches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from core.encodings import training
from core.encodings.checks import ArgumentError
from core.lessons.training.corpus import Corpus, ours, read
from core.stage.frame import Array
from core.values import dataclass

BATCH = 64  # pairs; fewer where a text has few words, for each pair's step is taken in full
SPREAD = 0.5  # words start between -0.5 and 0.5: wide enough that they keep their places until they learn better
PASSES = 3  # a long text is seen at least so often …
MOST_PAIRS = 1_500_000  # … as long as that is no more than this
SMOOTH = 20  # the loss is shown as the mean of so many batches
_KEPT = 6


@dataclass(frozen=True)
class Plan:
    """All that a run depends on. ``own_text`` None: our sentences."""

    own_text: str | None
    dim: int
    window: int
    negatives: int
    learning_rate: float
    batches: int
    seed: int


@dataclass(frozen=True, eq=False)
class Trained:
    """words and contexts (batches + 1, V, dim) float32, both tables at every moment; loss (batches + 1,), the mean of
    the batches just before; every: batches between two moments; problem: why there is no run."""

    corpus: Corpus
    words: Array
    contexts: Array
    loss: Array
    updates: tuple[training.Update, ...]
    pairs: int
    batch_size: int
    every: int
    problem: str = ""

    @property
    def moments(self) -> int:
        return len(self.words) - 1


def train(plan: Plan, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> Trained:
    """Read the text, make the pairs, learn. The last few runs are kept."""
    known = _runs.get(plan)
    if known is None:
        known = _runs[plan] = _train(plan, progress, cancelled)
        while len(_runs) > _KEPT:
            _runs.popitem(last=False)
    return known


_runs: OrderedDict[Plan, Trained] = OrderedDict()


def _train(plan: Plan, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> Trained:
    corpus = ours() if plan.own_text is None else read(plan.own_text, stop=cancelled)
    if corpus.problem:
        return _nothing(corpus, corpus.problem)
    spec = specification(plan, corpus)
    try:
        run = training.run(spec, progress, cancelled)
    except ArgumentError as error:
        if error.argument != "learning_rate":
            raise
        return _nothing(corpus, "runaway")
    return Trained(
        corpus,
        np.asarray(run.snapshots, np.float32),
        np.asarray(run.context_snapshots, np.float32),
        _smoothed(run.losses, spec.snapshot_every),
        run.updates,
        len(training.pairs(corpus.sentences, plan.window)),
        spec.batch_size,
        spec.snapshot_every,
    )


def specification(plan: Plan, corpus: Corpus) -> training.Specification:
    """The run that belongs to a plan."""
    batch_size = min(max(len(corpus.words) // 2, 1), BATCH)
    every = 1
    if plan.own_text is not None:
        pairs = len(training.pairs(corpus.sentences, plan.window))
        every = max(1, -(-min(PASSES * pairs, MOST_PAIRS) // (batch_size * plan.batches)))
    return training.Specification(
        sentences=corpus.sentences,
        vocab_size=len(corpus.words),
        dim=plan.dim,
        window=plan.window,
        negatives=plan.negatives,
        learning_rate=plan.learning_rate,
        batch_size=batch_size,
        snapshot_every=every,
        seed=plan.seed,
        updates=plan.batches * every,
        spread=SPREAD,
    )


def _smoothed(losses: Array, every: int) -> Array:
    """(moments + 1,) the mean of up to 20 steps before each moment; at the start the first batch's loss itself."""
    steps = losses.reshape(-1, every).mean(axis=1)
    sums = np.concatenate([[0.0], np.cumsum(steps)])
    ends = np.arange(1, len(sums))
    starts = np.maximum(ends - SMOOTH, 0)
    return np.concatenate([losses[:1], (sums[ends] - sums[starts]) / (ends - starts)])


def _nothing(corpus: Corpus, problem: str) -> Trained:
    none = np.zeros((1, 0, 0), np.float32)
    return Trained(corpus, none, none, np.zeros(1), (), 0, 0, 1, problem)
