"""Training: skip-gram with negative sampling draws a map of words, batch by batch.

Source: Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality". Only the
embedding table and its second table of neighbours are learnt; there is no attention and no position here.
"""

from __future__ import annotations

import dataclasses

from core.lessons.training import panels
from core.lessons.training.arithmetic import worked
from core.lessons.training.corpus import kinds
from core.lessons.training.scene import Scene, scene_of, step_of
from core.lessons.training.state import TrainingState, check, controls, plan_of, step
from core.lessons.training.waiting import computing_frame, problem_frame
from core.lessons.training.work import Trained, train
from core.stage.frame import Drag, Event, Frame, Key, Pick
from core.stage.jobs import Job
from core.stage.lesson import Context, Lesson, Preset
from core.stage.numbers import count, number, percent
from core.stage.params import replace
from core.stage.text import text

_MOVES = {"left": -1, "right": 1, "up": -1, "down": 1}
_FEW_NUMBERS = 2  # per word: not enough for five kinds to get out of each other's way
_LARGE_STEP = 0.17  # learning rate from which on the last hundred batches move words half as far again as usual
_APART = 0.2  # by how much the first two words have to be more alike for the map to be called drawn


def trained_of(state: TrainingState, context: Context) -> Trained | None:
    """The run, or None while it is under way."""
    found: Trained | None = context.ask(Job(train, (plan_of(state),)))
    return found


# --- what a person does ----------------------------------------------------------------------------------------------


def act(state: TrainingState, event: Event, context: Context) -> TrainingState:
    if isinstance(event, Drag) and event.key == "scrub":
        return dataclasses.replace(state, batch=float(min(max(round(event.x), 0), state.batches)))
    if not isinstance(event, (Pick, Key)) or event.key not in ("labels", "words", *kinds()):
        return state
    trained = trained_of(state, context)
    if trained is None or trained.problem:
        return state
    scene = scene_of(state, trained)
    if isinstance(event, Pick):
        places = {"labels": list(range(len(scene.shown))), **panels.groups(scene, state.source == "ours")}
        marked = places.get(event.key, [])
        if len(event.index) != 1 or not 0 <= event.index[0] < len(marked):
            return state
        return _with_picked(state, scene, scene.shown[marked[event.index[0]]])
    here = scene.shown.index(scene.trio[1])
    last = len(scene.shown) - 1
    goals = {"home": 0, "end": last}
    there = goals.get(event.name, min(max(here + _MOVES.get(event.name, 0), 0), last))
    changed: TrainingState = replace(state, second=scene.name(scene.shown[there]))
    return changed


def _with_picked(state: TrainingState, scene: Scene, row: int) -> TrainingState:
    """The last two words that were picked are compared; the one before them is the third."""
    first, second, _ = scene.trio
    if row == second:
        return state
    names = [scene.name(entry) for entry in (second, row, first)]
    if row == first:
        names[2] = scene.names[2]
    changed: TrainingState = replace(state, first=names[0], second=names[1], third=names[2])
    return changed


# --- what is seen ----------------------------------------------------------------------------------------------------


def frame(state: TrainingState, context: Context) -> Frame:
    trained = trained_of(state, context)
    if trained is None:
        return computing_frame(state)
    if trained.problem:
        return problem_frame(state, trained.corpus, trained.problem)
    scene = scene_of(state, trained)
    update = step_of(scene, state.learning_rate)
    shown = (
        panels.map_panel(state, scene, update),
        panels.numbers_panel(scene),
        panels.loss_panel(scene),
        panels.cosine_panel(state, scene),
    )
    return Frame(
        text(f"training.title.{_title(state, scene)}"),
        text("training.subtitle.run" if scene.moment else "training.subtitle.start"),
        shown,
        worked(scene, update),
        _alt(scene),
        notice=_notice(state, scene),
    )


def _title(state: TrainingState, scene: Scene) -> str:
    """What this setting shows; of several unusual ones the one that tells most."""
    if scene.moment == 0:
        return "start"
    if scene.moment < scene.last:
        return "under_way"
    if state.source == "own":
        # What a pasted text draws nobody has looked at: its map may be noise.
        return "own_end"
    if state.dim <= _FEW_NUMBERS:
        return "few_numbers"
    if state.learning_rate >= _LARGE_STEP:
        return "large_steps"
    if scene.cosine(1) <= scene.cosine(2) + _APART:
        return "under_way"
    if state.window == 1:
        return "narrow"
    return "end" if state.seed == TrainingState().seed else "other_seed"


def _alt(scene: Scene) -> str:
    first, second, third = scene.names
    near = ", ".join(
        text("training.score", word=scene.name(row), value=number(score, 2)) for row, score in scene.neighbours
    )
    return text(
        "training.alt.run",
        count=len(scene.shown),
        batch=count(scene.batch),
        batches=count(scene.batches),
        loss=number(scene.loss, 2),
        first=first,
        second=second,
        third=third,
        value=number(scene.cosine(1), 2),
        other=number(scene.cosine(2), 2),
        near=near,
    )


def _notice(state: TrainingState, scene: Scene) -> str:
    """What was left out, and what stands for words that the text does not have."""
    corpus, notes = scene.corpus, []
    if scene.missing:
        typed = panels.listed([text("training.quoted", word=panels.clipped(word)) for word, _ in scene.missing])
        stand_ins = dict.fromkeys(word for _, word in scene.missing)
        used = panels.listed([text("training.quoted", word=panels.clipped(word)) for word in stand_ins])
        key = "missing_one" if len(scene.missing) == 1 else "missing_same" if len(stand_ins) == 1 else "missing"
        if len(stand_ins) == 3:
            key = "missing_all"
        first, near, far = (panels.clipped(word) for word in scene.names)
        notes.append(text(f"training.notice.{key}", typed=typed, used=used, first=first, near=near, far=far))
        if key != "missing_all":
            notes += _picked(state, scene)
    if scene.left_out:
        names = [text("training.quoted", word=panels.clipped(word)) for word in scene.left_out]
        notes.append(text("training.notice.missing_on_map", words=panels.listed(names)))
    if corpus.signs:
        signs = panels.listed([text("training.quoted", word=panels.clipped(word)) for word in corpus.signs])
        notes.append(text("training.notice.signs", signs=signs))
    if corpus.rare:
        kept = count(len(corpus.words))
        notes.append(text("training.notice.rare", distinct=count(corpus.distinct), kept=kept))
    if corpus.passed:
        names = [text("training.quoted", word=word) for word in corpus.passed]
        key = "training.notice.passed_one" if len(names) == 1 else "training.notice.passed"
        notes.append(text(key, words=panels.listed(names), share=percent(corpus.passed_share)))
    return " ".join(notes)


def _picked(state: TrainingState, scene: Scene) -> list[str]:
    """That stand-ins were chosen for what they are compared by: it would be no wonder that they differ."""
    _, second, third = scene.names
    near, far = (scene.corpus.place(word) is None for word in (state.second, state.third))
    if second == third or not (near or far):
        return []
    key = "picked" if near and far else "picked_near" if near else "picked_far"
    words = {"near": second, "far": third}
    return [text(f"training.notice.{key}", **{place: panels.clipped(word) for place, word in words.items()})]


LESSON = Lesson(
    id="training",
    state=TrainingState,
    frame=frame,
    act=act,
    step=step,
    beat=0.05,
    check=check,
    controls=controls,
    presets=(
        Preset("start", {}),
        Preset("middle", {"batch": 120.0}),
        Preset("end", {"batch": 600.0}),
        Preset("other_seed", {"seed": 52, "batch": 600.0}),
        Preset("narrow", {"window": 1, "batch": 600.0}),
        Preset("flat", {"dim": 2, "third": "boy", "batch": 600.0}),
        Preset("large_steps", {"learning_rate": 0.2, "batch": 600.0}),
        Preset("own_text", {"source": "own"}),
    ),
)
