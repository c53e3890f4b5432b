"""T5's relative buckets: near distances one by one, far ones in logarithmic steps.

Source: Raffel et al. 2020, "Exploring the Limits of Transfer Learning …", section 2.1; _relative_position_bucket.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Ints, flag, integer, refuse, size, whole


def buckets(
    relative_position: npt.ArrayLike, bidirectional: bool, n_buckets: int = 32, max_distance: int = 128
) -> Ints:
    """The bucket of each relative position (key - query, whole numbers, any shape), 0 … n_buckets - 1.

    Bidirectional: half of the buckets (an even number) serve keys after the query. Causal: those fall into bucket 0.
    With N buckets per side and e = N // 2, distance n < e has its own bucket; from e on
    e + floor(ln(n/e) / ln(max_distance/e) * (N - e)), at most N - 1. Boundaries come from whole-number arithmetic, for
    the floor lands exactly on them (16, 32, 64 with the defaults), where a rounded logarithm may fall short.
    Raises `ArgumentError` for fewer than two buckets per side or max_distance <= e.
    """
    both = flag("bidirectional", bidirectional)
    total = integer("n_buckets", n_buckets, 4 if both else 2, 4096)
    if both and total % 2:
        raise refuse("n_buckets", total, "both directions share it, so an even number is needed")
    per_side = total // 2 if both else total
    exact = per_side // 2
    farthest = size("max_distance", max_distance)
    if farthest <= exact:
        raise refuse("max_distance", farthest, f"more than {exact}, up to which every distance has a bucket, is needed")
    relative = whole("relative_position", relative_position)
    # Clipping keeps -relative within 64 bits and changes no bucket.
    relative = np.clip(relative, -farthest, farthest)
    distance = np.abs(relative) if both else np.maximum(-relative, 0)
    thresholds = np.array(_thresholds(per_side, farthest), dtype=np.int64)
    bucket = np.where(distance < exact, distance, exact + np.searchsorted(thresholds, distance, side="right"))
    result: Ints = bucket + (per_side * (relative > 0) if both else 0)
    return result


@lru_cache(maxsize=64)
def _thresholds(per_side: int, farthest: int) -> tuple[int, ...]:
    """The smallest distance of each logarithmic bucket but the first: (n/e)**steps >= (max/e)**j, in whole numbers."""
    exact = per_side // 2
    steps = per_side - exact
    found = []
    for j in range(1, steps):
        goal = farthest**j * exact ** (steps - j)
        n = round(exact * (farthest / exact) ** (j / steps))
        while n**steps >= goal:
            n -= 1
        while n**steps < goal:
            n += 1
        found.append(n)
    return tuple(found)
