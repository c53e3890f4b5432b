"""How vectors come to mean something: skip-gram with negative sampling, small enough to watch.

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases …", section 2.2. A pair of a centre word
and a word near it is pulled together, drawn words are pushed away; frequent words are neither thinned out nor the
window shortened at random, so that a class can follow every pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from core.encodings.checks import (
    MOST,
    ArgumentError,
    Bools,
    Cancelled,
    Floats,
    Ints,
    integer,
    number,
    read_only,
    real,
    refuse,
    shape_error,
    size,
    whole,
)

# Mean loss of one pair, per word that it is compared with, beyond which a run has no way back.
_RUNAWAY = 30.0


@dataclass(frozen=True, slots=True)
class Specification:
    """All that a run depends on. Two equal specifications give the same run, number by number.

    sentences: token IDs, 0 … vocab_size - 1; window: neighbours on each side; negatives: drawn words per pair;
    batch_size: pairs per update; snapshot_every: updates between two snapshots; updates: how many in all, None for as
    many as the epochs have; spread: word vectors start between -spread and spread, None for word2vec's 0.5 / dim.
    """

    sentences: tuple[tuple[int, ...], ...]
    vocab_size: int
    dim: int = 8
    window: int = 2
    negatives: int = 5
    learning_rate: float = 0.1
    epochs: int = 20
    batch_size: int = 16
    snapshot_every: int = 10
    seed: int = 0
    updates: int | None = None
    spread: float | None = None


@dataclass(frozen=True, eq=False)
class Update:
    """One batch: pairs (b, 2) of centre and neighbour, the words drawn against each (b, m), and which of those count
    (b, m): a drawn word that is the pair's own neighbour is skipped."""

    pairs: Ints
    drawn: Ints
    keep: Bools


@dataclass(frozen=True, eq=False)
class Run:
    """losses (n_batches,), the mean over each batch's pairs before its update; snapshots (s, vocab_size, dim), the
    word vectors after snapshot_batches (s,) updates (0 is the start, the end is always there); context_vectors
    (vocab_size, dim), the second table at the end, and context_snapshots, it at every snapshot; updates, the batch that
    each snapshot but the last was about to see. All read-only."""

    losses: Floats
    snapshots: Floats
    snapshot_batches: Ints
    context_vectors: Floats
    context_snapshots: Floats
    updates: tuple[Update, ...]


@dataclass(frozen=True, eq=False)
class PairGradient:
    """The loss of one pair and its gradient at the centre (d,), the context (d,) and each negative (m, d)."""

    loss: float
    centre: Floats
    context: Floats
    negatives: Floats


def pairs(sentences: tuple[tuple[int, ...], ...], window: int) -> Ints:
    """(n, 2) every (centre, neighbour) with at most `window` tokens from one to the other, in reading order."""
    reach = size("window", window)
    tokens, lengths = _token_ids(sentences)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    centres, neighbours = [], []
    for away in range(1, min(reach, int(lengths.max(initial=1)) - 1) + 1):
        first = np.flatnonzero(sentence[away:] == sentence[:-away])
        centres += [first, first + away]
        neighbours += [first + away, first]
    if not centres:
        return np.zeros((0, 2), dtype=np.int64)
    one, other = np.concatenate(centres), np.concatenate(neighbours)
    order = np.lexsort((other, one))
    return np.stack([tokens[one[order]], tokens[other[order]]], axis=1)


def noise(counts: npt.ArrayLike) -> Floats:
    """(vocab_size,) the chance that a word is drawn as a negative: its count to the power 3/4, all summing to 1."""
    occurrences = real("counts", counts, ndim=1)
    if (occurrences < 0).any() or not occurrences.any():
        raise refuse("counts", counts, "numbers of 0 or more, one of them above 0, are needed")
    weights = occurrences**0.75
    chances: Floats = weights / weights.sum()
    return chances


def pair_gradient(centre: npt.ArrayLike, context: npt.ArrayLike, negatives: npt.ArrayLike) -> PairGradient:
    """-ln σ(centre · context) - Σ ln σ(-centre · negative) for vectors (d,), (d,) and (m, d), and its gradients."""
    one, near = real("centre", centre, ndim=1), real("context", context, ndim=1)
    drawn = real("negatives", negatives, ndim=2)
    if near.shape != one.shape or drawn.shape[1:] != one.shape:
        raise shape_error("context", near, f"vectors as long as the centre, {len(one)}, are needed")
    others = np.concatenate([near[np.newaxis], drawn])[np.newaxis]
    losses, at_centre, at_others = _gradients(one[np.newaxis], others, np.ones((1, len(others[0])), dtype=np.bool_))
    return PairGradient(float(losses[0]), at_centre[0], at_others[0, 0], at_others[0, 1:])


def update(
    words: npt.ArrayLike, contexts: npt.ArrayLike, pair: tuple[int, int], negatives: npt.ArrayLike, learning_rate: float
) -> tuple[Floats, Floats, float]:
    """(words, contexts, loss): both tables (vocab_size, d), as fresh arrays, after one step for one pair of IDs.

    The step is learning_rate times the gradient, downhill; `negatives` (m,) are IDs. The loss is the one before it.
    """
    new_words, new_contexts = real("words", words, ndim=2).copy(), real("contexts", contexts, ndim=2).copy()
    if new_words.shape != new_contexts.shape:
        raise shape_error("contexts", new_contexts, f"the shape of words, {new_words.shape}, is needed")
    last = len(new_words) - 1
    both = whole("pair", pair, ndim=1, least=0, most=last)
    if len(both) != 2:
        raise shape_error("pair", both, "a centre and a context, (2,), are needed")
    drawn = whole("negatives", negatives, ndim=1, least=0, most=last)
    others = np.concatenate([both[1:2], drawn])[np.newaxis]
    keep = np.ones(others.shape, dtype=np.bool_)
    rate = number("learning_rate", learning_rate, above=0)
    losses = _step(new_words, new_contexts, both[:1], others, keep, rate)
    return new_words, new_contexts, float(losses[0])


def run(
    specification: Specification,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Run:
    """The whole training, a pure function of its specification: same seed, same run.

    `progress(share)` hears 0 … 1; when `cancelled()` says so, asked at every update, `Cancelled` is raised. Raises
    `ArgumentError` for a specification that can't be run, naming its field; a word alone in its sentence has no pair.
    Steps that are so large that the vectors grow without end are refused too, as `learning_rate`.
    """
    spec = specification
    everything, counts = _checked(spec)
    rng = np.random.default_rng(spec.seed)
    reach = 0.5 / spec.dim if spec.spread is None else spec.spread
    words = rng.uniform(-reach, reach, (spec.vocab_size, spec.dim))
    contexts = np.zeros_like(words)
    # Drawing by search in the summed chances is what `rng.choice` does, without its checks at every call.
    ladder = np.cumsum(noise(counts))
    per_epoch = -(-len(everything) // spec.batch_size)
    total = per_epoch * spec.epochs if spec.updates is None else spec.updates
    losses = np.empty(total)
    moments = -(-total // spec.snapshot_every) + 1
    snapshots = np.empty((moments, *words.shape))
    context_snapshots = np.empty_like(snapshots)
    snapshots[0], context_snapshots[0] = words, contexts
    kept, updates = [0], []
    for batch in range(total):
        if cancelled is not None and cancelled():
            raise Cancelled
        if batch % per_epoch == 0:
            shuffled = rng.permutation(everything)
            heights = rng.random((len(shuffled), spec.negatives)) * ladder[-1]
            drawn = np.minimum(np.searchsorted(ladder, heights, side="right"), spec.vocab_size - 1)
            others = np.concatenate([shuffled[:, 1:], drawn], axis=1)
            # A drawn word that is the pair's own context would push away what is being pulled; word2vec skips it too.
            keep = others != shuffled[:, 1:]
            keep[:, 0] = True
        start = batch % per_epoch * spec.batch_size
        now = slice(start, start + spec.batch_size)
        if batch % spec.snapshot_every == 0:
            updates.append(Update(*(read_only(part[now].copy()) for part in (shuffled, drawn, keep[:, 1:]))))
        each = _step(words, contexts, shuffled[now, 0], others[now], keep[now], spec.learning_rate)
        losses[batch] = each.sum() / len(each)
        if not losses[batch] < _RUNAWAY * (1 + spec.negatives):
            allowed = f"smaller steps are needed: after {batch} updates the vectors grow without end"
            raise refuse("learning_rate", spec.learning_rate, allowed)
        if (batch + 1) % spec.snapshot_every == 0 or batch + 1 == total:
            snapshots[len(kept)], context_snapshots[len(kept)] = words, contexts
            kept.append(batch + 1)
        if progress is not None:
            progress((batch + 1) / total)
    return Run(
        read_only(losses),
        read_only(snapshots),
        read_only(np.array(kept, dtype=np.int64)),
        read_only(contexts),
        read_only(context_snapshots),
        tuple(updates),
    )


def _step(
    words: Floats, contexts: Floats, centres: Ints, others: Ints, keep: npt.NDArray[np.bool_], rate: float
) -> Floats:
    """One update in place, for all pairs of a batch at once; the losses (b,) before it."""
    losses, at_centres, at_others = _gradients(words[centres], contexts[others], keep)
    # A word that occurs several times in a batch takes every one of its steps.
    _subtract_rows(words, centres, rate * at_centres)
    _subtract_rows(contexts, others, rate * at_others)
    return losses


def _subtract_rows(table: Floats, rows: Ints, steps: Floats) -> None:
    """``np.subtract.at(table, rows, steps)``, number by number: numpy is twice as fast along one axis."""
    cells = rows[..., np.newaxis] * table.shape[1] + np.arange(table.shape[1])
    np.subtract.at(table.reshape(-1), cells.reshape(-1), steps.reshape(-1))


def _gradients(centres: Floats, others: Floats, keep: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Losses (b,) and gradients for centres (b, d) and others (b, 1 + m, d), whose first is the true neighbour."""
    products = np.einsum("bd,bmd->bm", centres, others)
    signs = np.ones(products.shape[1])
    signs[0] = -1.0
    # -ln σ(x) = ln(1 + e^-x), and -ln σ(-x) for the drawn ones, without overflow.
    each = np.logaddexp(0.0, signs * products) * keep
    # The slope is σ(x) - 1 for the true neighbour and σ(x) for the others; and 1 - e^-loss is σ(-x) and σ(x).
    slopes = signs * -np.expm1(-each)
    losses = each.sum(axis=1)
    return losses, np.einsum("bm,bmd->bd", slopes, others), slopes[:, :, np.newaxis] * centres[:, np.newaxis, :]


def _checked(spec: Specification) -> tuple[Ints, Ints]:
    """Every field of the specification; the pairs, for they may be none, and how often each word occurs."""
    n_words = size("vocab_size", spec.vocab_size)
    for name in ("dim", "window", "negatives", "epochs", "batch_size", "snapshot_every"):
        size(name, getattr(spec, name))
    if spec.updates is not None:
        size("updates", spec.updates)
    integer("seed", spec.seed, least=0)
    number("learning_rate", spec.learning_rate, above=0)
    if spec.spread is not None:
        number("spread", spec.spread, above=0)
    tokens, _ = _token_ids(spec.sentences, n_words)
    found = pairs(spec.sentences, spec.window)
    if not len(found):
        raise refuse("sentences", spec.sentences, "at least one sentence of two words is needed")
    return found, np.bincount(tokens, minlength=n_words)


def _token_ids(sentences: tuple[tuple[int, ...], ...], n_words: int = MOST) -> tuple[Ints, Ints]:
    """All tokens in a row, and the sentences' lengths."""
    if not isinstance(sentences, tuple | list):
        raise refuse("sentences", sentences, "a tuple of sentences, each a tuple of token IDs, is needed")
    try:
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        return whole("sentences", list(chain.from_iterable(sentences)), ndim=1, least=0, most=n_words - 1), lengths
    except (ArgumentError, TypeError):
        # Something is wrong: look for the sentence to name.
        for place, sentence in enumerate(sentences):
            whole(f"sentences[{place}]", sentence, ndim=1, least=0, most=n_words - 1)
        raise
