"""RoPE at size: 128 pairs playing, the pair × position map far out, and ``rotate`` against the best plain numpy."""

from __future__ import annotations

import itertools
import statistics

import numpy as np

from core.encodings.rotary import frequencies, rotate
from tests.bench.stopwatch import application, milliseconds, player, times, window

HEADS, TOKENS, DIM = 32, 4096, 128


def all_pairs() -> None:
    """A frame with 128 pairs, while the hands turn."""
    with window("rope?head_dim=256&page=head") as made:
        found = sorted(times(player(made), runs=200))
    late = found[len(found) * 95 // 100]
    print(f"128 pairs playing: {statistics.median(found):.1f} ms a frame, 95 % below {late:.1f} ms (60 a second: 16.7)")


def far_map() -> None:
    """The map of pairs and positions redrawn for lengths up to a million, against one of 8,192."""
    costs = []
    for lengths in ((8_192, 8_000), (1_000_000, 999_000)):
        with window("extension?preset=map") as made:
            turns = itertools.cycle(lengths)

            def turn(made: object = made, turns: itertools.cycle[int] = turns) -> None:
                made.page.edit("target", next(turns))
                application().processEvents()

            costs.append(milliseconds(turn, runs=30))
    ratio = costs[1] / costs[0]
    print(f"pair × position map: {costs[1]:.1f} ms to 1,000,000, {costs[0]:.1f} ms to 8,192, {ratio:.2f} ×")


def rotation() -> None:
    """32 heads × 4,096 tokens × 128, adjacent pairs, float64."""
    x = np.random.default_rng(0).standard_normal((HEADS, TOKENS, DIM))
    positions, omega = np.arange(TOKENS), frequencies(DIM)

    def plain() -> np.ndarray:
        angles = positions[:, None] * omega
        cos, sin = np.cos(angles), np.sin(angles)
        out = np.empty_like(x)
        even, odd = x[..., 0::2], x[..., 1::2]
        np.multiply(even, cos, out=out[..., 0::2])
        out[..., 0::2] -= odd * sin
        np.multiply(even, sin, out=out[..., 1::2])
        out[..., 1::2] += odd * cos
        return out

    assert np.allclose(plain(), rotate(x, positions, omega))
    ours = milliseconds(lambda: rotate(x, positions, omega), runs=9, warm=2)
    theirs = milliseconds(plain, runs=9, warm=2)
    print(f"rotate: {ours:.0f} ms, plain numpy {theirs:.0f} ms, ratio {ours / theirs:.2f} (at most 1.5)")


def main() -> None:
    all_pairs()
    far_map()
    rotation()


if __name__ == "__main__":
    main()
