"""Rotary positions: queries and keys turn, pair by pair, and a score sees only the difference of the turns.

Source: Su et al. 2021, "RoFormer", section 3.2 and 3.4.2 (pairs 2i, 2i + 1); GPT-NeoX for the pairs i, i + r/2;
Wang et al. 2021 (GPT-J) for rotating only a part. Turning is counter-clockwise.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.encodings.angles import angles, powers
from core.encodings.checks import Floats, Ints, choice, even, flag, number, real, refuse, shape_error
from core.encodings.checks import positions as checked_positions

PAIRINGS = ("adjacent", "halves")

# Rows turned at once in the halves pairing: their buffer stays in the processor's cache (measured: 64 to 512 are even).
_BLOCK = 128


def frequencies(
    head_dim: int, base: float = 10_000.0, rotary_dim: int | None = None, proportional: bool = False
) -> Floats:
    """(rotary_dim // 2,) radians per token, fastest pair first: base**(-2i / rotary_dim).

    `head_dim` and `rotary_dim` (default: all of it) are even; pair i has the wavelength 2π / frequency tokens.
    `proportional` keeps head_dim in the exponent and gives (head_dim // 2,) frequencies with zeros after the rotary
    part (transformers' rope type "proportional"). Raises `ArgumentError` for odd dimensions or base <= 0.
    """
    width = even("head_dim", head_dim)
    turning = number("base", base, above=0)
    rotary = width if rotary_dim is None else even("rotary_dim", rotary_dim)
    if rotary > width:
        raise refuse("rotary_dim", rotary, f"no more than head_dim, which is {width}, can be rotated")
    if not flag("proportional", proportional):
        return powers(turning, np.arange(0, rotary, 2) / rotary)
    speeds = np.zeros(width // 2)
    speeds[: rotary // 2] = powers(turning, np.arange(0, rotary, 2) / width)
    return speeds


def rotate(
    x: npt.ArrayLike,
    positions: npt.ArrayLike,
    frequencies: npt.ArrayLike,
    pairing: str = "adjacent",
    attention_factor: float = 1.0,
) -> Floats:
    """x (..., n, d) with each pair of row p turned by positions[p] * frequency, as a fresh array of the same shape.

    `positions`: (n,) finite, whole or not. `frequencies`: (r/2,) radians per token, with r <= d. `pairing`: adjacent
    joins entries 2i and 2i + 1, halves joins i and i + r/2. `attention_factor` multiplies what is rotated (YaRN);
    entries from r on are touched by neither. A single vector (d,) goes with a single position.
    Raises `ArgumentError` when shapes, positions or names don't fit.
    """
    vectors = real("x", x, least_ndim=1)
    places = checked_positions("positions", positions)
    speeds = _speeds(frequencies)
    kind = choice("pairing", pairing, PAIRINGS)
    factor = number("attention_factor", attention_factor, above=0)
    rotary, width = 2 * len(speeds), vectors.shape[-1]
    if rotary > width:
        raise shape_error("x", vectors, f"{len(speeds)} frequencies turn {rotary} entries of each vector")
    n_rows = vectors.shape[-2] if vectors.ndim > 1 else 1
    if len(places) != n_rows:
        raise shape_error("positions", places, f"one position for each of the {n_rows} rows of x is needed")
    turn = angles(places, speeds)
    hands = np.empty(turn.shape, dtype=np.complex128)
    np.multiply(np.cos(turn), factor, out=hands.real)
    np.multiply(np.sin(turn), factor, out=hands.imag)
    # A pair is one complex number and its turn one product: a single pass over memory.
    lead = math.prod(vectors.shape[:-2])
    flat = np.ascontiguousarray(vectors).reshape(lead, n_rows, width)
    result = np.empty_like(flat)
    result[..., rotary:] = flat[..., rotary:]
    with np.errstate(over="ignore", invalid="ignore"):
        if kind == "adjacent":
            source, target = flat[..., :rotary].view(np.complex128), result[..., :rotary].view(np.complex128)
            np.multiply(source, hands, out=target)
        else:
            _turn_halves(flat, hands, result)
    return result.reshape(vectors.shape)


def scores(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    query_positions: npt.ArrayLike,
    key_positions: npt.ArrayLike,
    frequencies: npt.ArrayLike,
    pairing: str = "adjacent",
    attention_factor: float = 1.0,
) -> Floats:
    """(m, n) rotated q (m, d) times rotated k (n, d), without 1/sqrt(d); one vector counts as one row.

    The factor acts on both sides, so scores grow by its square. Leading axes (heads) are kept: (..., m, n).
    """
    queries, keys = real("q", q, least_ndim=1), real("k", k, least_ndim=1)
    queries, keys = np.atleast_2d(queries), np.atleast_2d(keys)
    if queries.shape[-1] != keys.shape[-1]:
        raise shape_error("k", keys, f"vectors as long as those of q, {queries.shape[-1]}, are needed")
    if queries.shape[:-2] != keys.shape[:-2]:
        raise shape_error("k", keys, f"the same leading axes as q, {queries.shape[:-2]}, are needed")
    query_places = checked_positions("query_positions", query_positions)
    key_places = checked_positions("key_positions", key_positions)
    for name, places, vectors in (
        ("query_positions", query_places, queries),
        ("key_positions", key_places, keys),
    ):
        if len(places) != vectors.shape[-2]:
            raise shape_error(name, places, f"one position for each of the {vectors.shape[-2]} vectors is needed")
    turned_queries = rotate(queries, query_places, frequencies, pairing, attention_factor)
    turned_keys = rotate(keys, key_places, frequencies, pairing, attention_factor)
    with np.errstate(over="ignore", invalid="ignore"):
        result: Floats = turned_queries @ np.swapaxes(turned_keys, -1, -2)
    return result


def pairing_permutation(head_dim: int, rotary_dim: int | None = None) -> Ints:
    """(head_dim,) evens, then odds, then what isn't rotated: rotate(x[perm], halves) == rotate(x, adjacent)[perm].

    Weights trained for one pairing give the same scores under the other once query and key columns are so permuted.
    """
    width = even("head_dim", head_dim)
    rotary = width if rotary_dim is None else even("rotary_dim", rotary_dim)
    if rotary > width:
        raise refuse("rotary_dim", rotary, f"no more than head_dim, which is {width}, can be rotated")
    order = np.arange(width, dtype=np.int64)
    return np.concatenate([order[:rotary:2], order[1:rotary:2], order[rotary:]])


def _speeds(frequencies: npt.ArrayLike) -> Floats:
    speeds = real("frequencies", frequencies, ndim=1)
    if not len(speeds):
        raise shape_error("frequencies", speeds, "at least one frequency, (r/2,), is needed")
    return speeds


def _turn_halves(flat: Floats, hands: npt.NDArray[np.complex128], result: Floats) -> None:
    """The halves pairing, block by block: gathered into complex numbers, turned, scattered."""
    pairs = hands.shape[1]
    buffer = np.empty((min(_BLOCK, flat.shape[1]), pairs), dtype=np.complex128)
    for start in range(0, flat.shape[1], _BLOCK):
        turn = hands[start : start + _BLOCK]
        gathered = buffer[: len(turn)]
        for rows, target in zip(flat[:, start : start + _BLOCK], result[:, start : start + _BLOCK], strict=True):
            gathered.real = rows[:, :pairs]
            gathered.imag = rows[:, pairs : 2 * pairs]
            np.multiply(gathered, turn, out=gathered)
            target[:, :pairs] = gathered.real
            target[:, pairs : 2 * pairs] = gathered.imag
