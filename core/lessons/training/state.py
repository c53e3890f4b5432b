"""The state of the Training tab: what a run depends on, the words that are watched, and where the clock stands."""

from __future__ import annotations

import dataclasses

from core.lessons.training.work import Plan
from core.stage.lesson import Context
from core.stage.params import Choice, Range, Text, Words, param
from core.values import dataclass

MOST_BATCHES = 1000
LONGEST_TEXT = 1_000_000
PACE = 20.0  # batches a second


@dataclass(frozen=True, slots=True)
class TrainingState:
    """``batch`` counts the snapshots of a run: single batches of our sentences, several of a long pasted text."""

    source: str = param("ours", Choice(("ours", "own")))
    own_text: str = param("", Text(LONGEST_TEXT))
    first: str = param("cat", Text(60), role="what")
    second: str = param("dog", Text(60), role="what")
    third: str = param("car", Text(60), role="where")
    seed: int = param(31, Range(0, 999, soft=(0, 60)))
    learning_rate: float = param(0.1, Range(0.01, 0.2, step=0.01))
    dim: int = param(8, Range(2, 16))
    window: int = param(2, Range(1, 5))
    negatives: int = param(2, Range(1, 5))
    batches: int = param(600, Range(100, MOST_BATCHES, step=100))
    words: tuple[str, ...] = param((), Words(40))
    batch: float = param(0.0, Range(0.0, float(MOST_BATCHES)), clock=True)


def plan_of(state: TrainingState) -> Plan:
    """What the run depends on."""
    return Plan(
        own_text=state.own_text if state.source == "own" else None,
        dim=state.dim,
        window=state.window,
        negatives=state.negatives,
        learning_rate=state.learning_rate,
        batches=state.batches,
        seed=state.seed,
    )


def check(state: TrainingState, context: Context) -> TrainingState:
    if state.batch <= state.batches:
        return state
    return dataclasses.replace(state, batch=float(state.batches))


def step(state: TrainingState, seconds: float) -> TrainingState:
    """Twenty batches a second, from the first to the last."""
    there = min(max(state.batch + PACE * seconds, 0.0), float(state.batches))
    return dataclasses.replace(state, batch=there)


def controls(state: TrainingState) -> tuple[str, ...]:
    run = ("first", "second", "third", "seed", "learning_rate", "dim", "window", "negatives", "batches", "words")
    return ("own_text", *run) if state.source == "own" else run
