"""Scaled dot-product attention and the two normalisations that stand around it.

Source: Vaswani et al. 2017, section 3.2.1; Ba et al. 2016, "Layer Normalization"; Zhang and Sennrich 2019, "RMSNorm".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.encodings.checks import Floats, number, real, refuse, shape_error, size
from core.encodings.checks import mask as checked_mask
from core.encodings.norms import exponent


@dataclass(frozen=True, eq=False)
class Attention:
    """output (..., m, dv); weights (..., m, n), rows that sum to 1; scores (..., m, n), before the mask."""

    output: Floats
    weights: Floats
    scores: Floats


def attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    bias: npt.ArrayLike | None = None,
    mask: npt.ArrayLike | None = None,
    scale: float | None = None,
) -> Attention:
    """softmax(scale * q kᵀ + bias, where the mask allows) v, for q (..., m, d), k (..., n, d), v (..., n, dv).

    `scale` defaults to 1/sqrt(d). `bias` (finite, or -inf for "never") and `mask` (True or 1 = may attend) broadcast to
    (..., m, n), as do the leading axes of q, k and v. Scores are taken before the mask. A query that may attend to
    nothing gets weights and an output of zeros. Raises `ArgumentError` for shapes that don't fit.
    """
    queries, keys, values = (real(name, x, least_ndim=2) for name, x in (("q", q), ("k", k), ("v", v)))
    d, n_keys = queries.shape[-1], keys.shape[-2]
    if d == 0 or keys.shape[-1] != d:
        raise shape_error("k", keys, f"vectors as long as those of q, {d} and at least 1, are needed")
    if values.shape[-2] != n_keys:
        raise shape_error("v", values, f"one value for each of the {n_keys} keys is needed")
    factor = 1 / math.sqrt(d) if scale is None else number("scale", scale)
    cells = (queries.shape[-2], n_keys)
    lead = _broadcast("k", keys, queries.shape[:-2], keys.shape[:-2])
    _broadcast("v", values, lead, values.shape[:-2])
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Floats = (queries @ np.swapaxes(keys, -1, -2)) * factor
    if bias is not None:
        added = real("bias", bias, finite=False)
        _cells("bias", added, (*lead, *cells))
        if np.isnan(added).any() or np.isposinf(added).any():
            raise refuse("bias", added, "finite numbers, or minus infinity, are needed")
        scores = scores + added
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise shape_error("q", queries, "its products with k are too large for float64")
    if mask is None:
        allowed = scores
    else:
        may = checked_mask("mask", mask)
        shape = _cells("mask", may, scores.shape)
        scores = np.broadcast_to(scores, shape)
        allowed = np.where(may, scores, -np.inf)
    weights = _softmax(allowed)
    # Small weights times huge values may pass the end of float64 in the sum; that is the honest answer.
    with np.errstate(over="ignore", invalid="ignore"):
        output: Floats = weights @ values
    return Attention(output, weights, scores)


def split_heads(d_model: int, n_heads: int) -> int:
    """head_dim = d_model / n_heads. Raises `ArgumentError`, naming both and what fits, where it isn't whole."""
    width = size("d_model", d_model)
    heads = size("n_heads", n_heads)
    if width % heads:
        below = next(n for n in range(min(heads, width), 0, -1) if width % n == 0)
        above = next((n for n in range(heads + 1, width + 1) if width % n == 0), width)
        fits = f"{below} and {above} do" if below != above else f"{below} does"
        raise refuse("n_heads", heads, f"it doesn't divide d_model, which is {width}; {fits}")
    return width // heads


def layer_norm(x: npt.ArrayLike, weight: npt.ArrayLike = 1.0, bias: npt.ArrayLike = 0.0, eps: float = 1e-5) -> Floats:
    """(x - mean) / sqrt(variance + eps) * weight + bias over the last axis of x (..., d); population variance.

    `weight` and `bias`: one number or (d,). `eps` > 0 (PyTorch 1e-5, BERT 1e-12).
    """
    vectors, gain, shift = _normalised("x", x, "weight", weight, "bias", bias)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return _unit_variance(vectors, number("eps", eps, above=0), centred=True) * gain + shift


def rms_norm(x: npt.ArrayLike, weight: npt.ArrayLike = 1.0, eps: float = 1e-5) -> Floats:
    """x / sqrt(mean(x²) + eps) * weight over the last axis of x (..., d). `weight`: one number or (d,). `eps` > 0."""
    vectors, gain, _ = _normalised("x", x, "weight", weight, "bias", 0.0)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return _unit_variance(vectors, number("eps", eps, above=0), centred=False) * gain


def _softmax(scores: Floats) -> Floats:
    """Stable softmax over the last axis; a row of minus infinities becomes zeros."""
    highest = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(over="ignore", under="ignore"):
        weights: Floats = np.exp(scores - np.where(np.isneginf(highest), 0.0, highest))
    total = np.sum(weights, axis=-1, keepdims=True)
    weights /= np.where(total == 0, 1.0, total)
    return weights


def _broadcast(argument: str, array: Floats, one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(one, other)
    except ValueError:
        raise shape_error(argument, array, f"leading axes that broadcast with {one} are needed") from None


def _cells(argument: str, array: npt.NDArray[np.generic], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The common shape of `array` and the scores; it may add leading axes (heads), never queries or keys."""
    try:
        common = np.broadcast_shapes(array.shape, shape)
    except ValueError:
        common = ()
    if common[-2:] != shape[-2:]:
        raise shape_error(argument, array, f"a shape that broadcasts to that of the scores, {shape}, is needed")
    return common


def _normalised(
    name: str, x: npt.ArrayLike, gain_name: str, gain: npt.ArrayLike, shift_name: str, shift: npt.ArrayLike
) -> tuple[Floats, Floats, Floats]:
    vectors = real(name, x, least_ndim=1)
    if vectors.shape[-1] == 0:
        raise shape_error(name, vectors, "vectors with at least one number, (..., d), are needed")
    sides = []
    for argument, value in ((gain_name, gain), (shift_name, shift)):
        array = real(argument, value)
        if array.shape not in ((), (1,), vectors.shape[-1:]):
            raise shape_error(argument, array, f"one number, or {vectors.shape[-1]} of them, are needed")
        sides.append(array)
    return vectors, sides[0], sides[1]


def _unit_variance(vectors: Floats, eps: float, centred: bool) -> Floats:
    # Squares of huge numbers pass the end of float64, so those are scaled by a power of two first, and eps with them.
    power = max(exponent(vectors) - 400, 0)
    scaled = np.ldexp(vectors, -power)
    if centred:
        scaled = scaled - scaled.mean(axis=-1, keepdims=True)
    spread = np.mean(scaled * scaled, axis=-1, keepdims=True)
    result: Floats = scaled / np.sqrt(np.maximum(spread + math.ldexp(eps, -2 * power), np.finfo(np.float64).tiny))
    return result
