"""What the stage shows where there is no run: it is under way, or nothing can be learnt from the text."""

from __future__ import annotations

import numpy as np

from core.lessons.training.corpus import Corpus
from core.lessons.training.panels import COSINES, LOSS, MAP, NUMBERS
from core.lessons.training.state import TrainingState
from core.stage.frame import Axis, Cell, Curve, Frame, Label, Panel, Readout, Term, Worked
from core.stage.numbers import count
from core.stage.text import text
from core.stage.theme import Role
from core.stage.words import segments


def computing_frame(state: TrainingState) -> Frame:
    sentences = (text("training.computing"), text("training.computing_more"))
    panels = _panels(state, sentences)
    title = text("training.title.under_way")
    return Frame(title, text("training.subtitle.run"), panels, Worked(), text("training.alt.computing"), computing=True)


def problem_frame(state: TrainingState, corpus: Corpus, problem: str) -> Frame:
    """A sentence that says what is missing, and one that says what mends it."""
    found = count(corpus.total)
    what = text(f"training.problem.{problem}", count=found)
    mend = text(f"training.mend.{problem}")
    empty = problem == "empty"
    panel = _map_panel(state, Cell(0, 0, 12, 12), (what, mend), "text" if empty else "warn")
    title = text("training.title.own_empty" if empty else "training.title.no_run")
    alt = text("training.alt.problem", problem=what, mend=mend)
    waiting = Worked(((Term(text("training.worked.waiting"), "muted"),),))
    return Frame(title, text("training.subtitle.own"), (panel,), waiting, alt)


def _map_panel(state: TrainingState, cell: Cell, sentences: tuple[str, str], role: Role) -> Panel:
    return Panel(
        "map_panel",
        cell,
        (
            Label("said", 0.0, 0.08, sentences[0], "heading", role, bold=True),
            Label("mend", 0.0, -0.08, sentences[1], "label", "muted"),
        ),
        choice=segments("training", state, "source"),
        x=Axis(-1.0, 1.0),
        y=Axis(-1.0, 1.0),
    )


def _panels(state: TrainingState, sentences: tuple[str, str]) -> tuple[Panel, ...]:
    """The panels of a run, empty, so that nothing jumps when it is there."""
    scale = Axis(0.0, float(state.batches), ((0.0, text("training.batch_0")),))
    number = Readout("cosine", "…", text("training.readout.no_cosine"), "muted")
    return (
        _map_panel(state, MAP, sentences, "muted"),
        Panel("numbers_panel", NUMBERS, readouts=(number,)),
        Panel(
            "loss_panel",
            LOSS,
            (Curve("loss_base", np.array([0.0, float(state.batches)]), np.zeros(2), "control", "thin"),),
            title=text("training.panel.no_loss"),
            x=scale,
            y=Axis(0.0, 1.0),
        ),
        Panel(
            "cosine_panel",
            COSINES,
            (Curve("cosine_base", np.array([0.0, float(state.batches)]), np.zeros(2), "control", "thin"),),
            title=text("training.panel.no_cosines"),
            x=scale,
            y=Axis(-1.0, 1.0),
        ),
    )
