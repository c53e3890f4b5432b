"""ALiBi: no position vectors at all; scores simply fall with distance, at another rate in every head.

Source: Press et al. 2021, "Train Short, Test Long", section 3.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats, flag, integer, number, real, refuse, row, shape_error, size

# Beyond this, float64 doesn't tell neighbouring positions apart.
_FAR = 2**52


def slopes(n_heads: int, max_exponent: float = 8) -> Floats:
    """(n_heads,) the slope of each head, in score per token.

    For a power of two P: 2**(-max_exponent * k / P), k = 1 … P. Other counts take the list of the next lower power and
    then every other slope of the next higher one, so the list isn't sorted. `max_exponent` > 0.
    Source: Press et al. 2021, section 3, and its code, get_slopes.
    """
    heads = size("n_heads", n_heads)
    exponent = number("max_exponent", max_exponent, above=0)
    lower = 1 << (heads.bit_length() - 1)
    first = np.exp2(-exponent * np.arange(1, lower + 1) / lower)
    rest = np.exp2(-exponent * np.arange(1, 2 * (heads - lower), 2) / (2 * lower))
    return np.concatenate([first, rest])


def bias(
    slopes: npt.ArrayLike,
    n_queries: int,
    n_keys: int,
    symmetric: bool = False,
    query_start: int | None = None,
    key_start: int = 0,
) -> Floats:
    """(n_heads, n_queries, n_keys) what is added to the scaled scores: -slope * (query position - key position).

    Causal: 0 where the key comes later (hiding those is the mask's work, see `attention`). `symmetric`: -slope *
    distance on both sides. `query_start` and `key_start`, in tokens, place the window; without `query_start` the
    queries are the newest of the keys, and more queries than keys are refused.
    The result is a read-only view: an entry depends on the difference of its positions alone, so memory grows with
    n_queries + n_keys, not with their product.
    """
    rates = real("slopes", row("slopes", slopes), ndim=1)
    if not len(rates):
        raise shape_error("slopes", rates, "one slope per head, (n_heads,), is needed")
    queries = size("n_queries", n_queries)
    keys = size("n_keys", n_keys)
    first_key = integer("key_start", key_start, -_FAR, _FAR)
    if query_start is None:
        if queries > keys:
            allowed = f"the queries are the newest of the {keys} keys unless query_start says where they stand"
            raise refuse("n_queries", queries, allowed)
        first_query = first_key + keys - queries
    else:
        first_query = integer("query_start", query_start, -_FAR, _FAR)
    # One line per head, over all differences key - query that occur; each row of the window starts one entry earlier.
    oldest = first_key - (first_query + queries - 1)
    distance = -(np.arange(queries + keys - 1, dtype=np.float64) + oldest)
    distance = np.abs(distance) if flag("symmetric", symmetric) else np.maximum(distance, 0.0)
    with np.errstate(over="ignore"):
        # Adding 0 turns -0 into 0.
        line = np.multiply.outer(-rates, distance) + 0.0
    if not np.isfinite(line).all():
        raise refuse("slopes", rates, "slopes whose products with the distances are finite are needed")
    per_head, per_key = line.strides
    return np.lib.stride_tricks.as_strided(
        line[:, queries - 1 :],
        shape=(len(rates), queries, keys),
        strides=(per_head, -per_key, per_key),
        writeable=False,
    )
