"""What the Similarity tab asks of a table for one state: at once where that is quick, else as a job."""

from __future__ import annotations

import math

from core.lessons.similarity import facts
from core.lessons.similarity.cloud import Cloud, cloud_job
from core.lessons.similarity.facts import Grid, Nearest, Pair, compared
from core.lessons.similarity.solved import Solved, solve_job
from core.lessons.similarity.state import LISTS, SimilarityState, Word, asked_sum, listed, word
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.tables.table import Table


def known_pair(state: SimilarityState, table: Table) -> Pair | None:
    """The picked pair, where the table has both words."""
    in_a_list = state.view in LISTS
    one, other = word(table, state.first, in_a_list), word(table, state.second, in_a_list)
    return None if one.row is None or other.row is None else compared(table, one, other)


def grid_of(state: SimilarityState, table: Table, found: tuple[Word, ...]) -> Grid:
    return facts.grid(table, found, state.metric, state.order == "clustered")


def near_of(state: SimilarityState, table: Table, asked: Word, context: Context) -> Nearest | None:
    """The neighbours; None while a job looks for them."""
    job = Job(facts.neighbours_job, (table, asked.row, state.count, state.metric))
    found: Nearest | None = context.ask(job) if facts.is_large(table) else job.run()
    return found


def usual_of(table: Table, metric: str, context: Context) -> tuple[float | None, bool]:
    """What two rows of the table have in common on average (None: not known), and whether a job is at it."""
    if table.rows < facts.SAMPLED:
        return None, False
    found: float | None = context.ask(Job(facts.average_job, (table, metric)))
    return (None if found is None or math.isnan(found) else found), found is None


def placed(table: Table, words: tuple[str, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...], int]:
    """The words that a picture shows, those without a row, and how many the display filter leaves out."""
    found, missing = listed(table, words)
    shown = tuple(entry for entry in found if entry.row not in table.hidden_rows)
    return shown, missing, len(found) - len(shown)


def cloud_of(table: Table, context: Context) -> Cloud | None:
    """All of the table, seen flat; None while a job projects it."""
    job = Job(cloud_job, (table,))
    found: Cloud | None = context.ask(job) if facts.is_large(table) else job.run()
    return found


def question(state: SimilarityState, table: Table) -> tuple[Word, Word, Word]:
    """The three words of the analogy as plus, minus, plus."""
    one, minus, other = (word(table, typed, in_a_list=True) for typed in asked_sum(state))
    return one, minus, other


def solved_of(state: SimilarityState, table: Table, context: Context) -> Solved | None:
    """What completes the analogy; None while a job looks for it. All three words have rows."""
    asked = tuple(entry.row for entry in question(state, table))
    hoped = word(table, state.hoped, in_a_list=True).row if state.hoped.strip() else None
    job = Job(solve_job, (table, asked, state.count, state.method, hoped))
    found: Solved | None = context.ask(job) if facts.is_large(table) else job.run()
    return found


def offers_for(table: Table, entry: Word, context: Context) -> tuple[str, ...] | None:
    """Tokens that may have been meant; None while a job looks for them."""
    if not entry.typed.strip():
        return tuple(table.tokens[: min(3, table.rows)]) if table.rows <= 10 else ()
    job = Job(facts.spellings_job, (table, entry.typed))
    found: tuple[str, ...] | None = context.ask(job) if facts.is_large(table) else job.run()
    return found
