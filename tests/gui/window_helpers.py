"""A small lesson with every kind of parameter, and windows to put it in."""

from __future__ import annotations

import dataclasses
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pytest

from core.stage import text as texts
from core.stage.frame import (
    Axis,
    Cell,
    Drag,
    Event,
    Frame,
    Handle,
    Label,
    Panel,
    Pick,
    Points,
    Segments,
    Term,
    Worked,
    line,
)  # fmt: skip
from core.stage.jobs import Cancelled, Job
from core.stage.lesson import Context, Lesson, Preset
from core.stage.params import Choice, Range, Text, Vector, Words, param, replace
from core.stage.session import Session
from gui.desk import Desk
from gui.settings import Preferences, Store

END = 3.0


@dataclass(frozen=True, slots=True)
class FakeState:
    position: int = param(3, Range(0, 1_000_000, soft=(0, 64)), unit="tokens", role="query")
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    even: int = param(8, Range(2, 64, step=2))
    keep: bool = param(True, role="where")
    pairing: str = param("adjacent", Choice(("adjacent", "halves")))
    many: str = param("one", Choice(("one", "two", "three", "four", "five")))
    title: str = param("plain", Text(40))
    list: tuple[str, ...] = param(("cat", "dog"), Words())
    vector: tuple[float, ...] = param((1.0, -0.5), Vector())
    work: int = param(0, Range(0, 9), hidden=True)
    time: float = param(0.0, Range(0.0, END), clock=True)


def slow(amount: int, *, progress: Callable[[float], None], cancelled: Callable[[], bool]) -> int:
    """Takes as long as nobody stops it, in steps of 5 ms; 5 fails, 1 answers at once."""
    if amount == 5:
        raise ValueError("five is not allowed")
    if amount == 1:
        return 10
    for step in range(2000):
        if cancelled():
            raise Cancelled
        progress(step / 2000)
        time.sleep(0.005)
    return 0


def frame(state: FakeState, context: Context) -> Frame:
    answer = context.ask(Job(slow, (state.work,))) if state.work else 0
    x = state.position + state.time
    panel = Panel(
        "main",
        Cell(0, 0, 12, 12),
        (
            Points("dot", np.array([x % 64]), np.array([0.5]), role="query"),
            Handle("grip", float(state.position % 64), 0.2, name="grip"),
            Points("away", np.array([60.0]), np.array([0.9]), role="what", link="fake2?position=7"),
            Label("words", 32, 0.7, state.title),
        ),
        title="a panel",
        x=Axis(0, 64),
        y=Axis(0, 1),
        choice=Segments("pairing", (("adjacent", "adjacent"), ("halves", "halves")), state.pairing),
    )
    product = Term(f"{x:.2f}", "query", (("dot", (0,)),), bold=True)
    worked = Worked(
        (
            line("position = ", product),
            line(Term("3 × 4", "what", (("words", ()),)), " = 12"),
            line("plain words without a light"),
            line("second page: ", Term("x", "key", (("grip", ()),))),
        )
    )
    return Frame(
        f"The dot stands at {x:.1f}", "It moves while the clock runs.", (panel,), worked, f"A dot at {x:.1f}.",
        computing=answer is None,
    )  # fmt: skip


def act(state: FakeState, event: Event, context: Context) -> FakeState:
    if isinstance(event, Pick):
        return replace(state, position=state.position + 1)
    if isinstance(event, Drag):
        return replace(state, position=round(event.x))
    return state


def step(state: FakeState, seconds: float) -> FakeState:
    return dataclasses.replace(state, time=min(max(state.time + seconds, 0.0), END))


PRESETS = (
    Preset("start", {}),
    Preset("far", {"position": 503}),
    Preset("glove", {"position": 5}, {"table": "glove"}),
    *(Preset(f"more{number}", {"position": 20 + number}) for number in range(6)),
)


def make(lesson_id: str, moving: bool = True) -> Lesson:
    return Lesson(
        lesson_id, FakeState, frame, act, step if moving else None, beat=0.5, presets=PRESETS if moving else ()
    )


LESSONS = {"fake": make("fake"), "fake2": make("fake2"), "fake3": make("fake3", moving=False)}
IDS = tuple(LESSONS)


@pytest.fixture
def fake_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for lesson_id in IDS:
        known = texts._file("en", lesson_id)
        monkeypatch.setitem(texts._file("en", "tab"), f"tab.{lesson_id}", f"Fake tab {lesson_id[-1]}")
        for field in dataclasses.fields(FakeState):
            monkeypatch.setitem(known, f"{lesson_id}.param.{field.name}", f"{field.name} at work")
            monkeypatch.setitem(known, f"{lesson_id}.tip.{field.name}", f"What {field.name} <b>does</b>")
        for preset in PRESETS:
            monkeypatch.setitem(known, f"{lesson_id}.preset.{preset.id}", f"the preset {preset.id}")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state")


@pytest.fixture
def open_window(qapp: Any, qtbot: Any, store: Store, fake_words: None) -> Iterator[Callable[..., Any]]:
    """Make a window on the fake lessons, shown and active."""
    from gui.app import create_app
    from gui.window import Window

    create_app()
    made = []

    def build(
        session: Session | None = None, size: tuple[int, int] = (1280, 720), at_once: bool = False,
        preferences: Preferences | None = None, keep: Store | None = store, **more: Any,
    ) -> Window:  # fmt: skip
        more.setdefault("ids", IDS)
        more.setdefault("lessons", LESSONS.__getitem__)
        desk = Desk(session, store=keep, preferences=preferences, at_once=at_once, **more)
        window = Window(desk)
        made.append(window)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        window.open()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        settle(qapp)
        return window

    yield build
    for window in made:
        window.close()
        window.deleteLater()
    settle(qapp)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("volvelle")]


def settle(app: Any) -> None:
    """Let what is queued happen."""
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(4):
        app.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.processEvents()
