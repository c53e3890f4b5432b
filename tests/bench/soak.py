"""3,000 frames of every tab: memory and references stand still."""

from __future__ import annotations

import gc
import sys

from core.lessons import IDS, lesson
from tests.bench.stopwatch import player, resident, window

FRAMES = 3000
SETTLED = 300


def soak(lesson_id: str, frames: int = FRAMES, settled: int = SETTLED) -> tuple[float, int]:
    """Megabytes and references to None gained after the first ``settled`` frames."""
    with window(lesson_id) as made:
        frame = player(made)
        for _ in range(settled):
            frame()
        gc.collect()
        memory, references = resident(), sys.getrefcount(None)
        for _ in range(frames - settled):
            frame()
        gc.collect()
        return resident() - memory, sys.getrefcount(None) - references


def main() -> None:
    for lesson_id in IDS:
        if lesson(lesson_id).step is None:
            continue
        memory, references = soak(lesson_id)
        gained = f"{memory:+.2f} MB (< 2) and {references:+d} references to None"
        print(f"{lesson_id}: {gained} in {FRAMES - SETTLED} frames")


if __name__ == "__main__":
    main()
