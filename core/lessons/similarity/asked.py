"""What the Similarity tab asks of a table for one state: at once where that is quick, else as a job."""

from __future__ import annotations

from core.lessons.similarity import facts
from core.lessons.similarity.facts import Grid, Nearest, Pair, compared
from core.lessons.similarity.state import SimilarityState, Word, word
from core.stage.jobs import Job
from core.stage.lesson import Context
from core.tables.table import Table


def known_pair(state: SimilarityState, table: Table) -> Pair | None:
    """The picked pair, where the table has both words."""
    in_a_list = state.view in ("matrix", "map")
    one, other = word(table, state.first, in_a_list), word(table, state.second, in_a_list)
    return None if one.row is None or other.row is None else compared(table, one, other)


def grid_of(state: SimilarityState, table: Table, found: tuple[Word, ...]) -> Grid:
    return facts.grid(table, found, state.metric, state.order == "clustered")


def near_of(state: SimilarityState, table: Table, asked: Word, context: Context) -> Nearest | None:
    """The neighbours; None while a job looks for them."""
    job = Job(facts.neighbours_job, (table, asked.row, state.count, state.metric))
    found: Nearest | None = context.ask(job) if facts.is_large(table) else job.run()
    return found


def offers_for(table: Table, entry: Word, context: Context) -> tuple[str, ...] | None:
    """Tokens that may have been meant; None while a job looks for them."""
    if not entry.typed.strip():
        return tuple(table.tokens[: min(3, table.rows)]) if table.rows <= 10 else ()
    job = Job(facts.spellings_job, (table, entry.typed))
    found: tuple[str, ...] | None = context.ask(job) if facts.is_large(table) else job.run()
    return found
