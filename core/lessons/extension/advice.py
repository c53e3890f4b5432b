"""Before one relies on a long context: how was it extended, and does retrieval work at the depth that is needed?"""

from __future__ import annotations

import numpy as np

from core.lessons.extension import configs, published
from core.lessons.extension.scene import Scene
from core.lessons.extension.state import ExtensionState
from core.lessons.extension.words import big_panel, equals, method_name, said
from core.stage.frame import (
    Axis,
    Cell,
    Curve,
    Frame,
    Handle,
    Label,
    Line,
    Mark,
    Panel,
    Readout,
    Rect,
    Region,
    Table,
    Term,
    Vectors,
    Worked,
    line,
)
from core.stage.numbers import MINUS, count, number, percent, short, shown, size

DEPTHS = 10
FAR = 0.6  # of the text: up to there the fact's name stands clear of the question's
RULE = 3.0  # of three: no miss in n tests leaves, with 95 % confidence, a rate below 3 / n


def frame(state: ExtensionState, scene: Scene) -> Frame:
    panels = (_main_panel(state, scene), _back_panel(scene), _plan_panel(state, scene), _bound_panel(state))
    return Frame(
        said("title.advice"), said("subtitle.advice"), panels, Worked(tuple(_lines(state, scene))), _alt(state, scene)
    )


def back(scene: Scene) -> int:
    """From a question at the end to the fact, in tokens."""
    return scene.target - 1 - scene.position


def _main_panel(state: ExtensionState, scene: Scene) -> Panel:
    target, trained = float(scene.target), float(min(scene.trained, scene.target))
    high, low = 0.30, 0.18  # of the text's bar
    marks: list[Mark] = [
        Region("known", np.array([0.0, trained]), np.full(2, low), np.full(2, high), "what"),
        Curve("known_line", np.array([0.0, trained]), np.full(2, low), "what", "hand"),
        Label(
            "known_name",
            0.0,
            high + 0.01,
            said("advice.known", n=count(scene.trained)),
            "small",
            "what",
            "top left",
            bold=True,
        ),
        Curve("needed", np.full(2, float(scene.position)), np.array([0.11, (low + high) / 2]), "where", "bold"),
        Label(
            "needed_name",
            float(scene.position),
            0.095,
            said("advice.fact", n=count(scene.position)),
            "label",
            "where",
            "bottom",
            bold=True,
        ),
        Handle(
            "depth",
            float(scene.position),
            (low + high) / 2,
            "where",
            said("param.position"),
            max(1.0, round(target / 100)),
        ),
    ]
    if back(scene):
        # The way that the number beside it counts: from the end of the text, where the question stands.
        y = np.array([0.145])
        marks.append(Vectors("way", np.array([target]), y, np.array([float(scene.position)]), y, "where", "line"))
    if scene.position < FAR * target:
        marks.append(Label("question_name", target, 0.095, said("advice.question"), "label", "text", "bottom right"))
    if target > trained:
        marks += [
            Region("unknown", np.array([trained, target]), np.full(2, low), np.full(2, high), "warn", hatched=True),
            Label("unknown_name", target, high + 0.01, said("advice.unknown"), "small", "warn", "top right", bold=True),
        ]
    marks.append(
        Table("checks", _checks(state, scene), Rect(0.0, 0.44, target, 0.56), (0.5, 0.5), align=("left", "left"))
    )
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, target),
        Axis(0.0, 1.0),
        invert_y=True,
        caption=said("advice.caption"),
    )


def _checks(state: ExtensionState, scene: Scene) -> tuple[tuple[str, ...], ...]:
    """Question and answer, of the chosen model's entry or of one's own numbers."""
    found = configs.entry(state.config)
    if found is None:
        how = method_name(state.method)
        how = how if state.method in ("none", "base") else said("advice.by", method=how, factor=short(scene.factor, 2))
        before, declared = said("advice.tokens", n=count(scene.trained)), said("advice.tokens", n=count(scene.target))
    else:
        how, factor = published.method_text(found), published.factor_text(found)
        how = said("advice.by", method=how, factor=factor) if factor[:1].isdigit() else how
        before, declared = (
            published.unknown() if length is None else said("advice.tokens", n=count(length))
            for length in (configs.stated(found), configs.declared(found))
        )
    return (
        (
            said("advice.head.ask"),
            said("advice.head.answer", name=found.name if found is not None else said("advice.own")),
        ),
        (said("advice.how"), how),
        (said("advice.before"), before),
        (said("advice.declared"), declared),
        (
            said("advice.outside"),
            said(
                "advice.pairs_if" if scene.assumed else "advice.pairs",
                n=scene.n_new,
                pairs=scene.pairs,
                trained=count(scene.trained),
            ),
        ),
        (said("advice.long"), published.unknown()),
        (said("advice.retrieval"), said("advice.test")),
    )


def _back_panel(scene: Scene) -> Panel:
    far = back(scene)
    share = far / scene.trained
    readout = Readout(
        "back",
        count(far),
        said("advice.back"),
        role="warn" if share >= 1 else "where",
        detail=said("advice.times", n=short(share, 1 if share >= 1 else 2)),
    )
    return Panel("back_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def _plan_panel(state: ExtensionState, scene: Scene) -> Panel:
    texts = DEPTHS * state.tests
    readout = Readout(
        "plan",
        size(texts * scene.target),
        said("advice.plan"),
        size="title",
        role="text",
        detail=said("advice.plan_detail", texts=count(texts), depths=DEPTHS, tests=count(state.tests)),
    )
    return Panel("plan_panel", Cell(4, 8, 4, 4), readouts=(readout,))


def _bound_panel(state: ExtensionState) -> Panel:
    readout = Readout(
        "bound",
        percent(RULE / state.tests, 1),
        said("advice.bound"),
        role="where",
        detail=said("advice.bound_detail", tests=count(state.tests)),
    )
    return Panel("bound_panel", Cell(8, 8, 4, 4), readouts=(readout,))


def _lines(state: ExtensionState, scene: Scene) -> list[Line]:
    far, texts = back(scene), DEPTHS * state.tests
    share = far / scene.trained
    tokens = texts * scene.target
    bound = RULE / state.tests
    return [
        line(
            said("work.back"),
            Term(f"{count(scene.target - 1)} {MINUS} {count(scene.position)} = {count(far)}", "where", (("back", ()),)),
            f", / {count(scene.trained)} {'=' if abs(share - shown(share, 2)) < 1e-9 else '≈'} {short(share, 2)}",
        ),
        line(
            said("work.plan"),
            Term(f"{DEPTHS} × {count(state.tests)} × {count(scene.target)} = {count(tokens)}", "text", (("plan", ()),)),
            said("work.plan_end"),
        ),
        line(
            said("work.bound", tests=count(state.tests)),
            Term(
                f"3 / {count(state.tests)} {equals(shown(bound, 3), bound, 6)} {percent(bound, 1)}",
                "where",
                (("bound", ()),),
                bold=True,
            ),
        ),
        line(Term(said("work.bound_why"), "muted")),
        line(Term(said("work.advice_box", n=number(DEPTHS, 0)), "muted")),
        line(Term(said("work.advice_tune"), "muted")),
    ]


def _alt(state: ExtensionState, scene: Scene) -> str:
    return said(
        "alt.advice",
        trained=count(min(scene.trained, scene.target)),
        target=count(scene.target),
        position=count(scene.position),
        back=count(back(scene)),
        share=short(back(scene) / scene.trained, 2),
        texts=count(DEPTHS * state.tests),
        size=size(DEPTHS * state.tests * scene.target),
        bound=percent(RULE / state.tests, 1),
        checks="; ".join(f"{question} {answer}" for question, answer in _checks(state, scene)[1:]),
    )
