"""Between any two presets the stage can be drawn, at every share of the way."""

from __future__ import annotations

from typing import Any

import pytest

from core import lessons
from core.stage import motion
from core.stage.session import Session
from tests.gui.window_helpers import settle

STRIDES = (1, 3)  # of the way from preset to preset: neighbours in the list, and others


@pytest.mark.parametrize("lesson_id", lessons.IDS)
def test_what_lies_between_two_presets_can_be_drawn(qapp: Any, open_window: Any, lesson_id: str) -> None:
    window = open_window(
        Session(lesson_id), size=(1024, 768), at_once=True, keep=None, ids=lessons.IDS, lessons=lessons.lesson
    )
    page = window.page
    frames = []
    for number in range(len(page.lesson.presets)):
        page.choose(number)
        settle(qapp)
        frames.append(page.frame)
    for stride in STRIDES:
        for old, new in zip(frames, frames[stride:] + frames[:stride], strict=True):
            page.stage.draw(old)
            if not motion.moves(old, new):
                continue
            for share in (0.1, 0.6):
                page.stage.draw(motion.blend(old, new, share))
                settle(qapp)  # what a mark's drawing raises fails the test
