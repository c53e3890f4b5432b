"""A training run: what it keeps, that one update is what it says, and that its gradient is one."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from core.encodings import checks, training

SPEC = training.Specification(
    sentences=((0, 1, 2, 3), (4, 1, 2, 5), (0, 6, 7, 3), (5, 6, 4)) * 5,
    vocab_size=8,
    dim=5,
    negatives=3,
    batch_size=7,
    snapshot_every=1,
    seed=11,
    updates=60,
    spread=0.5,
)


def reference_pairs(sentences: tuple[tuple[int, ...], ...], window: int) -> list[list[int]]:
    """Word by word, as a person writes them down."""
    return [
        [sentence[i], sentence[j]]
        for sentence in sentences
        for i in range(len(sentence))
        for j in range(max(0, i - window), min(len(sentence), i + window + 1))
        if i != j
    ]


@pytest.mark.parametrize("window", [1, 2, 3, 9])
def test_pairs_are_those_of_a_person(window: int) -> None:
    rng = np.random.default_rng(window)
    sentences = tuple(tuple(rng.integers(0, 9, size).tolist()) for size in (0, 1, 2, 7, 3, 0, 12))
    assert training.pairs(sentences, window).tolist() == reference_pairs(sentences, window)
    assert training.pairs((), window).shape == training.pairs(((), (3,)), window).shape == (0, 2)


def test_an_update_leads_from_one_snapshot_to_the_next() -> None:
    run = training.run(SPEC)
    assert len(run.updates) == len(run.snapshots) - 1 == SPEC.updates
    for at in (0, 1, 17, 59):
        update, words, contexts = run.updates[at], run.snapshots[at].copy(), run.context_snapshots[at].copy()
        losses = []
        # Every pair of a batch sees the tables as they were before it.
        for (centre, near), drawn, keep in zip(update.pairs, update.drawn, update.keep, strict=True):
            others = [int(near), *drawn[keep].tolist()]
            got = training.pair_gradient(
                run.snapshots[at, centre], run.context_snapshots[at, near], run.context_snapshots[at, others[1:]]
            )
            words[centre] -= SPEC.learning_rate * got.centre
            for other, gradient in zip(others, [got.context, *got.negatives], strict=True):
                contexts[other] -= SPEC.learning_rate * gradient
            losses.append(got.loss)
        np.testing.assert_allclose(words, run.snapshots[at + 1], atol=1e-12)
        np.testing.assert_allclose(contexts, run.context_snapshots[at + 1], atol=1e-12)
        assert run.losses[at] == pytest.approx(np.mean(losses))


def test_the_gradient_of_a_whole_batch_by_finite_differences() -> None:
    run = training.run(SPEC)
    update, words, contexts = run.updates[30], run.snapshots[30], run.context_snapshots[30]

    def loss(words: np.ndarray, contexts: np.ndarray) -> float:
        total = 0.0
        for (centre, near), drawn, keep in zip(update.pairs, update.drawn, update.keep, strict=True):
            total += math.log1p(math.exp(-float(words[centre] @ contexts[near])))
            total += sum(math.log1p(math.exp(float(words[centre] @ contexts[row]))) for row in drawn[keep])
        return total

    step = 1e-6
    for table, moved in ((0, run.snapshots[31] - words), (1, run.context_snapshots[31] - contexts)):
        for place in ((0, 0), (3, 2), (5, 4), (7, 1)):
            slope = 0.0
            for sign in (1, -1):
                both = [words.copy(), contexts.copy()]
                both[table][place] += sign * step
                slope += sign * loss(*both) / (2 * step)
            assert -moved[place] / SPEC.learning_rate == pytest.approx(slope, abs=1e-6)


def test_the_start_is_even_between_its_ends_and_neighbours_start_at_zero() -> None:
    run = training.run(dataclasses.replace(SPEC, updates=1))
    assert not run.context_snapshots[0].any()
    assert np.abs(run.snapshots[0]).max() <= 0.5
    assert np.abs(run.snapshots[0]).max() > 0.35
    narrow = training.run(dataclasses.replace(SPEC, updates=1, spread=None))
    assert np.abs(narrow.snapshots[0]).max() <= 0.5 / SPEC.dim
    # Before the first update every guess is a coin toss.
    assert run.losses[0] == pytest.approx(math.log(2) * (1 + run.updates[0].keep.sum(axis=1).mean()))


def test_updates_end_a_run_in_the_middle_of_an_epoch_or_begin_another() -> None:
    per_epoch = -(-len(training.pairs(SPEC.sentences, SPEC.window)) // SPEC.batch_size)
    for updates in (1, per_epoch - 1, per_epoch, 2 * per_epoch + 3):
        run = training.run(dataclasses.replace(SPEC, updates=updates, snapshot_every=4))
        assert len(run.losses) == run.snapshot_batches[-1] == updates
        assert len(run.updates) == len(run.snapshot_batches) - 1
    seen = training.run(dataclasses.replace(SPEC, updates=per_epoch)).updates
    drawn = np.concatenate([update.pairs for update in seen])
    whole = training.pairs(SPEC.sentences, SPEC.window)
    assert sorted(drawn.tolist()) == sorted(whole.tolist()), "an epoch sees every pair once"


def test_negatives_follow_the_noise() -> None:
    run = training.run(dataclasses.replace(SPEC, updates=600, batch_size=20))
    drawn = np.concatenate([update.drawn.ravel() for update in run.updates])
    tokens = [word for sentence in SPEC.sentences for word in sentence]
    expected = training.noise(np.bincount(tokens, minlength=8))
    np.testing.assert_allclose(np.bincount(drawn, minlength=8) / len(drawn), expected, atol=0.01)


def test_steps_that_run_away_are_refused_and_never_a_nan() -> None:
    wild = dataclasses.replace(SPEC, learning_rate=50.0, batch_size=64, updates=400)
    with pytest.raises(checks.ArgumentError, match=r"learning_rate is 50.0: smaller steps"):
        training.run(wild)


@pytest.mark.parametrize(("field", "value"), [("updates", 0), ("updates", 2.5), ("spread", 0.0), ("spread", math.nan)])
def test_what_can_not_be_is_named(field: str, value: float) -> None:
    with pytest.raises(checks.ArgumentError, match=f"{field} is"):
        training.run(dataclasses.replace(SPEC, **{field: value}))


def test_cancelling_ends_a_run_at_the_next_update() -> None:
    asked = iter([False] * 5 + [True])
    heard: list[float] = []
    with pytest.raises(checks.Cancelled):
        training.run(SPEC, heard.append, lambda: next(asked))
    assert len(heard) == 5
