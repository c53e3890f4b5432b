"""ALiBi: 112 small maps that follow a moving window, and what a long text costs against a short one."""

from __future__ import annotations

import dataclasses
import statistics
import time

from core.lessons.alibi.lesson import LESSON
from core.lessons.alibi.panels import BiasSource
from core.lessons.alibi.state import AlibiState
from core.stage.lesson import Context
from tests.bench.stopwatch import application, times, window

HEADS = 112
LONG, SHORT = 100_000, 64
ROUNDS = 30


def _state(n_tokens: int, query: int) -> AlibiState:
    values = {"n_heads": HEADS, "head": 100, "n_tokens": n_tokens, "query_position": query, "key_position": query - 1}
    return LESSON.from_mapping(values, Context())


def moving(n_tokens: int = LONG) -> float:
    """Milliseconds that 95 of 100 redraws stay below while the window moves, one row at a time."""
    app = application()
    with window(f"alibi?n_heads={HEADS}&head=100&n_tokens={n_tokens}") as made:
        page = made.page
        assert page is not None
        page.put(_state(n_tokens, n_tokens // 2))
        app.processEvents()
        state, steps = page.state, iter(range(1, 10 * ROUNDS))

        def move() -> None:
            by = next(steps)
            page.put(dataclasses.replace(state, scroll_rows=-by, scroll_columns=-by - by % 5))
            app.processEvents()

        found = sorted(times(move, runs=100))
    late = found[94]
    print(
        f"alibi: {HEADS} maps, window moved: {statistics.median(found):.1f} ms, 95 % below {late:.1f} ms (at most 16)"
    )
    return late


def _cost(n_tokens: int) -> float:
    """Milliseconds for a frame whose window has moved; the picked query, with all its keys, stays."""
    state, context = _state(n_tokens, n_tokens // 2), Context()
    LESSON.frame(state, context)
    start = time.perf_counter()
    for by in range(20):
        LESSON.frame(dataclasses.replace(state, scroll_rows=-by, scroll_columns=-by), context)
    return 50 * (time.perf_counter() - start)


def _block(n_tokens: int) -> float:
    source = BiasSource(tuple(2.0 ** (-8 * k / HEADS) for k in range(1, HEADS + 1)), n_tokens, False, tiled=True)
    first = n_tokens - 32
    start = time.perf_counter()
    for _ in range(50):
        source.block(slice(first, first + 32), slice(first, first + 32)).sum()
    return 20 * (time.perf_counter() - start)


def long_text() -> tuple[float, float]:
    """How many times as much 100,000 tokens cost as 64: the biases of a window, and the whole frame."""
    ratios = []
    for name, cost in (("biases of a window", _block), ("frame", _cost)):
        pairs = [(cost(LONG), cost(SHORT)) for _ in range(ROUNDS)]
        long, short = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratios.append(long / short)
        print(
            f"alibi: {name}, {LONG:,} tokens {long:.3f} ms, {SHORT} tokens {short:.3f} ms: {long / short:.2f} × (1.3)"
        )
    return ratios[0], ratios[1]


def main() -> None:
    moving()
    long_text()


if __name__ == "__main__":
    main()
