"""300 frames of every tab that plays, after as many to settle: memory and references stand still."""

from __future__ import annotations

import pytest

from core.lessons import IDS, lesson
from tests.bench.soak import soak

PLAYING = [lesson_id for lesson_id in IDS if lesson(lesson_id).step is not None]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("lesson_id", PLAYING)
def test_playing_leaves_nothing_behind(lesson_id: str) -> None:
    megabytes, references = soak(lesson_id, frames=600, settled=300)
    assert megabytes < 2.0
    assert abs(references) < 40, "PySide6 loses or keeps references to None"
