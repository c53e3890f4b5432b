"""Sinusoids, rotations, biases, masks and formats: what must hold for any input."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encodings import alibi, attention, extension, learned, packing, precision, rotary, sinusoidal, t5

STEADY = settings(derandomize=True, deadline=None, max_examples=60)
SEEDS = st.integers(0, 2**32 - 1)
PLACES = st.one_of(st.integers(-100_000, 100_000), st.floats(-1e5, 1e5, allow_nan=False))
BASES = st.floats(1.0, 1e7)
PAIRINGS = st.sampled_from(rotary.PAIRINGS)


@STEADY
@given(st.lists(PLACES, max_size=5), st.integers(1, 17), BASES, st.sampled_from(sinusoidal.LAYOUTS), st.data())
def test_columns_are_those_of_the_whole_table(places: Any, d: int, base: float, layout: str, data: Any) -> None:
    whole = sinusoidal.table(places, d, base, layout)
    assert whole.shape == (len(places), d)
    assert (np.abs(whole) <= 1).all()
    columns = data.draw(st.lists(st.integers(0, d - 1), max_size=6))
    assert (sinusoidal.table(places, d, base, layout, columns) == whole[:, columns]).all()


@STEADY
@given(st.lists(PLACES, min_size=1, max_size=5), st.integers(1, 17), BASES)
def test_concatenated_is_a_regrouping(places: Any, d: int, base: float) -> None:
    interleaved = sinusoidal.table(places, d, base)
    order = [*range(0, d, 2), *range(1, d, 2)]
    assert (sinusoidal.table(places, d, base, "concatenated") == interleaved[:, order]).all()


def test_tensor2tensor_of_small_widths() -> None:
    p = np.array([0.0, 1, 5])
    assert (sinusoidal.table(p, 1, layout="tensor2tensor") == 0).all()
    np.testing.assert_array_equal(sinusoidal.table(p, 3, layout="tensor2tensor")[:, 0], np.sin(p))
    assert (sinusoidal.table(p, 3, layout="tensor2tensor")[:, 2] == 0).all()
    slowest = sinusoidal.table(2 * math.pi * 10_000, 8, layout="tensor2tensor")[0, [3, 7]]
    np.testing.assert_allclose(slowest, [0, 1], atol=1e-9)


@STEADY
@given(st.integers(-5000, 5000), st.integers(-5000, 5000), st.integers(1, 8), BASES)
def test_shift_matrices_compose_and_move_rows(a: int, b: int, pairs: int, base: float) -> None:
    d = 2 * pairs
    one, other = sinusoidal.shift_matrix(a, d, base), sinusoidal.shift_matrix(b, d, base)
    np.testing.assert_allclose(one @ other, sinusoidal.shift_matrix(a + b, d, base), atol=1e-11)
    places = np.array([0, 3, 700])
    moved = sinusoidal.table(places, d, base) @ one.T
    np.testing.assert_allclose(moved, sinusoidal.table(places + a, d, base), atol=1e-11)


@STEADY
@given(SEEDS, st.integers(1, 8), st.integers(0, 5), PAIRINGS, st.lists(PLACES, min_size=1, max_size=4))
def test_rotations_keep_length_and_what_is_not_rotary(
    seed: int, pairs: int, rest: int, pairing: str, places: Any
) -> None:
    x = np.random.default_rng(seed).normal(size=(2, 3, len(places), 2 * pairs + rest))
    speeds = rotary.frequencies(2 * pairs)
    got = rotary.rotate(x, places, speeds, pairing)
    np.testing.assert_allclose(np.linalg.norm(got, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-13)
    assert (got[..., 2 * pairs :] == x[..., 2 * pairs :]).all()
    warmer = rotary.rotate(x, places, speeds, pairing, attention_factor=1.5)
    np.testing.assert_allclose(warmer[..., : 2 * pairs], 1.5 * got[..., : 2 * pairs], atol=1e-13)
    assert (warmer[..., 2 * pairs :] == x[..., 2 * pairs :]).all()
    still = rotary.rotate(x, np.zeros(len(places)), speeds, pairing)
    assert (still == x).all()
    assert not np.shares_memory(still, x)


@STEADY
@given(SEEDS, st.integers(1, 8), PAIRINGS, st.integers(0, 1000), st.integers(0, 1000), st.integers(-900, 100_000))
def test_scores_depend_on_the_gap_alone(seed: int, pairs: int, pairing: str, m: int, n: int, shift: int) -> None:
    q, k = np.random.default_rng(seed).normal(size=(2, 2 * pairs))
    speeds = rotary.frequencies(2 * pairs)
    here = rotary.scores(q, k, m, n, speeds, pairing)
    np.testing.assert_allclose(here, rotary.scores(q, k, m + shift, n + shift, speeds, pairing), atol=1e-8)
    np.testing.assert_allclose(rotary.scores(q, k, m, n, speeds, pairing, 1.2), here * 1.44, atol=1e-9)


@STEADY
@given(SEEDS, st.integers(1, 8), st.integers(0, 8), st.lists(PLACES, min_size=1, max_size=300))
def test_pairings_differ_by_a_permutation_exactly(seed: int, pairs: int, more: int, places: Any) -> None:
    d, rotary_dim = 2 * (pairs + more), 2 * pairs
    x = np.random.default_rng(seed).normal(size=(len(places), d))
    speeds = rotary.frequencies(d, rotary_dim=rotary_dim)
    order = rotary.pairing_permutation(d, rotary_dim)
    halves = rotary.rotate(x[:, order], places, speeds, "halves")
    assert (halves == rotary.rotate(x, places, speeds)[:, order]).all()


def test_rotation_turns_left_and_accepts_any_memory() -> None:
    np.testing.assert_allclose(rotary.rotate([1, 0], math.pi / 2, [1.0]), [0, 1], atol=1e-15)
    x = np.random.default_rng(0).normal(size=(6, 5, 4)).transpose(2, 1, 0)
    for pairing in rotary.PAIRINGS:
        plain = rotary.rotate(np.ascontiguousarray(x), range(5), [1.0, 0.1], pairing)
        assert (rotary.rotate(x, range(5), [1.0, 0.1], pairing) == plain).all()
        assert rotary.rotate(np.ones((3, 0, 4)), [], [1.0], pairing).shape == (3, 0, 4)
        assert rotary.rotate(np.ones((0, 2, 4)), [1, 2], [1.0], pairing).shape == (0, 2, 4)
        assert rotary.rotate(np.float32([[1, 2]]), [3], [1.0], pairing).dtype == np.float64


def test_proportional_frequencies() -> None:
    got = rotary.frequencies(16, 10_000, 8, proportional=True)
    assert (got[:4] == rotary.frequencies(16)[:4]).all()
    assert (got[4:] == 0).all()


# ── longer context ───────────────────────────────────────────────────────────────────────────────────────────────────


def everything(head_dim: int, base: float, factor: float) -> list[extension.Extension]:
    pairs = head_dim // 2
    return [
        extension.none(head_dim, base),
        extension.linear(head_dim, base, factor),
        extension.ntk_aware(head_dim, base, factor),
        extension.dynamic_ntk(head_dim, base, factor, 4096, 9000),
        extension.yarn(head_dim, base, factor, 4096),
        extension.yarn(head_dim, base, factor, 4096, truncate=False),
        extension.llama3(head_dim, base, factor, 4096),
        extension.longrope(head_dim, base, [1.0] * pairs, np.linspace(1, factor, pairs), 4096, 4096 * factor, 5000),
    ]


@STEADY
@given(st.integers(2, 40), st.floats(2, 1e7), st.floats(1, 64))
def test_zones_say_what_becomes_of_each_pair(pairs: int, base: float, factor: float) -> None:
    plain = rotary.frequencies(2 * pairs, base)
    for made in everything(2 * pairs, base, factor):
        assert len(made.zones) == len(made.frequencies) == pairs
        assert not made.frequencies.flags.writeable
        assert made.attention_factor >= 1
        slowed = plain / made.frequencies
        for zone, ratio in zip(made.zones, slowed, strict=True):
            assert zone in ("keep", "blend", "divide")
            assert zone != "keep" or ratio == pytest.approx(1)
            if made.base == base or zone == "keep":
                assert zone != "divide" or ratio == pytest.approx(factor)
                assert 1 - 1e-12 <= ratio <= factor * (1 + 1e-12)
    assert plain[-1] / extension.ntk_aware(2 * pairs, base, factor).frequencies[-1] == pytest.approx(factor)


def test_attention_factors() -> None:
    assert extension.yarn(64, 10_000, 4, 4096, attention_factor=2).attention_factor == 2
    assert extension.yarn(64, 10_000, 0.5, 4096).attention_factor == 1
    grown = [0.1 * scale * math.log(40) + 1 for scale in (0.7, 1.3)]
    got = extension.yarn(64, 10_000, 40, 4096, mscale=0.7, mscale_all_dim=1.3).attention_factor
    assert got == pytest.approx(grown[0] / grown[1])
    for halfway in ({"mscale": 0.7}, {"mscale_all_dim": 0.7}, {"mscale": 0.7, "mscale_all_dim": 0}):
        assert extension.yarn(64, 10_000, 40, 4096, **halfway).attention_factor == 0.1 * math.log(40) + 1
    short, long = [1.0, 2.0], [2.0, 8.0]
    assert extension.longrope(4, 10_000, short, long, 100, 100).attention_factor == 1
    assert extension.longrope(4, 10_000, short, long, 100, 100, factor=4, attention_factor=3).attention_factor == 3
    assert extension.longrope(4, 10_000, short, long, 100, 800, length=101).zones == ("blend", "divide")
    assert extension.longrope(4, 10_000, short, long, 100, 800, length=100).zones == ("keep", "blend")


def test_llama3_zones_meet_where_the_limits_are_equal() -> None:
    made = extension.llama3(8, 10_000, 8, 2 * math.pi * 10, 1, 1)
    assert made.zones == ("keep", "keep", "divide", "divide")


# ── ALiBi, T5 ────────────────────────────────────────────────────────────────────────────────────────────────────────


@STEADY
@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 9),
    st.booleans(),
    st.one_of(st.none(), st.integers(-20, 20)),
    st.integers(-20, 20),
)
def test_alibi_view_is_the_plain_formula(
    heads: int, queries: int, keys: int, symmetric: bool, query_start: int | None, key_start: int
) -> None:
    if query_start is None:
        queries = min(queries, keys)
    rates = alibi.slopes(heads)
    got = alibi.bias(rates, queries, keys, symmetric, query_start, key_start)
    first = key_start + keys - queries if query_start is None else query_start
    gap = (first + np.arange(queries))[:, np.newaxis] - (key_start + np.arange(keys))
    distance = np.abs(gap) if symmetric else np.maximum(gap, 0)
    want = -rates[:, np.newaxis, np.newaxis] * distance
    assert (got == want).all()
    assert not np.signbit(got[got == 0]).any()
    assert not got.flags.writeable


def test_alibi_memory_grows_with_length() -> None:
    got = alibi.bias(alibi.slopes(112), 4096, 4096)
    assert got.shape == (112, 4096, 4096)
    row, query, key = got.strides
    assert query == -key
    assert 112 * row <= 16 * 2**20
    whole: Any = got
    while whole.base is not None:
        whole = whole.base
    assert whole.nbytes == 112 * 8191 * 8
    assert got[111, 4095, 0] == -4095 * alibi.slopes(112)[111]


def test_alibi_slopes_of_many_heads() -> None:
    for heads in range(1, 200):
        got = alibi.slopes(heads)
        lower = 2 ** int(math.log2(heads))
        assert len(got) == len(set(got.tolist())) == heads
        np.testing.assert_allclose(got[:lower], 2.0 ** (-8 * np.arange(1, lower + 1) / lower))
        np.testing.assert_allclose(got[lower:], alibi.slopes(2 * lower)[::2][: heads - lower])


@STEADY
@given(st.integers(2, 40), st.integers(0, 400), st.booleans())
def test_t5_buckets_follow_the_logarithm(half: int, more: int, bidirectional: bool) -> None:
    n_buckets = 2 * half
    per_side = half if bidirectional else n_buckets
    exact = per_side // 2
    farthest = exact + 1 + more
    n = np.arange(0, 2 * farthest)
    got = t5.buckets(-n, bidirectional, n_buckets, farthest)
    assert (np.diff(got) >= 0).all()
    assert got[0] == 0
    assert got[-1] == per_side - 1
    # Away from the boundaries, where rounding decides nothing, it is the formula.
    value = np.log(np.maximum(n, 1) / exact) / math.log(farthest / exact) * (per_side - exact)
    clear = (n >= exact) & (np.abs(value - np.rint(value)) > 1e-9)
    assert (got[clear] == np.minimum(exact + np.floor(value[clear]), per_side - 1)).all()
    ahead = t5.buckets(n[1:], bidirectional, n_buckets, farthest)
    assert (ahead == (got[1:] + half if bidirectional else 0)).all()


def test_t5_boundaries_and_far_ends() -> None:
    assert t5.buckets([-16, -31, -32, -63, -64, -127, -128], False).tolist() == [16, 21, 21, 26, 26, 31, 31]
    assert t5.buckets([[-(2**63), 2**63 - 1]], True).tolist() == [[15, 31]]
    assert t5.buckets(3, True).shape == ()


# ── attention ────────────────────────────────────────────────────────────────────────────────────────────────────────


@STEADY
@given(SEEDS, st.integers(1, 7))
def test_attention_is_equivariant(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(3, n, 4))
    order = rng.permutation(n)
    plain = attention.attention(q, k, v)
    shuffled = attention.attention(q[order], k[order], v[order])
    np.testing.assert_allclose(shuffled.output, plain.output[order], atol=1e-12)
    np.testing.assert_allclose(plain.weights.sum(axis=-1), 1)
    rows = rng.random((n, n)) < 0.5
    masked = attention.attention(q, k, v, mask=rows)
    assert (masked.weights[~rows] == 0).all()
    np.testing.assert_allclose(masked.weights.sum(axis=-1), rows.any(axis=-1))
    assert (masked.scores == plain.scores).all()


def test_a_row_that_may_see_nothing_gets_zeros() -> None:
    q = np.ones((2, 2))
    got = attention.attention(q, q, q, mask=[[1, 0], [0, 0]])
    assert got.weights.tolist() == [[1, 0], [0, 0]]
    assert got.output.tolist() == [[1, 1], [0, 0]]
    hidden = attention.attention(q, q, q, bias=[[0, -np.inf], [-np.inf, -np.inf]])
    assert hidden.weights.tolist() == got.weights.tolist()
    none = attention.attention(q, np.ones((0, 2)), np.ones((0, 3)))
    assert none.output.tolist() == [[0, 0, 0], [0, 0, 0]]


def test_attention_broadcasts_and_stays_stable() -> None:
    rng = np.random.default_rng(1)
    q, k, v = rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(3, 6, 5)), rng.normal(size=(6, 7))
    bias, mask = rng.normal(size=(3, 1, 6)), np.ones((2, 1, 1, 6), dtype=bool)
    got = attention.attention(q, k, v, bias, mask, scale=0.5)
    assert got.output.shape == (2, 3, 4, 7)
    one = attention.attention(q[1, 2], k[2], v, bias[2], scale=0.5)
    np.testing.assert_allclose(got.output[1, 2], one.output)
    huge = attention.attention([[1e150, 0]], [[1e150, 0], [0, 1]], [[1.0], [2.0]])
    assert huge.weights.tolist() == [[1, 0]]
    per_head = attention.attention(q[0, 0], k[0], v, bias=np.zeros((9, 4, 6)))
    assert per_head.weights.shape == (9, 4, 6)


@STEADY
@given(SEEDS, st.integers(2, 9), st.sampled_from([1e-3, 1.0, 1e200]))
def test_norms_give_unit_spread(seed: int, d: int, size: float) -> None:
    x = np.random.default_rng(seed).normal(size=(3, d)) * size
    layer = attention.layer_norm(x, eps=1e-12)
    np.testing.assert_allclose(layer.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(layer.std(axis=-1), 1, rtol=1e-3)
    rms = attention.rms_norm(x, weight=np.full(d, 2.0), eps=1e-12)
    np.testing.assert_allclose(np.sqrt((rms**2).mean(axis=-1)), 2, rtol=1e-3)
    np.testing.assert_allclose(attention.layer_norm(np.full((2, d), 7.0), bias=3.0), 3)
    assert (attention.rms_norm(np.zeros(d)) == 0).all()


def test_norms_are_their_formulae() -> None:
    x = np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(attention.layer_norm(x), (x - 3) / np.sqrt(14 / 3 + 1e-5), rtol=1e-15)
    np.testing.assert_allclose(attention.rms_norm(x), x / np.sqrt(41 / 3 + 1e-5), rtol=1e-15)


def test_split_heads() -> None:
    assert attention.split_heads(128, 4) == 32
    with pytest.raises(ValueError, match=r"n_heads is 3: it doesn't divide d_model, which is 128; 2 and 4 do"):
        attention.split_heads(128, 3)
    with pytest.raises(ValueError, match=r"n_heads is 9: .* 7; 7 does"):
        attention.split_heads(7, 9)


# ── packing, learned rows, formats ───────────────────────────────────────────────────────────────────────────────────


@STEADY
@given(st.lists(st.integers(0, 5), max_size=5), st.integers(0, 4))
def test_packing_agrees_with_texts_alone(lengths: list[int], offset: int) -> None:
    got = packing.restart_positions(lengths, offset)
    assert got.tolist() == [offset + p for n in lengths for p in range(n)]
    document = packing.document_index(lengths)
    assert document.tolist() == [i for i, n in enumerate(lengths) for _ in range(n)]
    same = packing.block_mask(lengths, causal=False)
    assert (same == same.T).all()
    assert (packing.block_mask(lengths) == (same & np.tril(np.ones_like(same)))).all()


def test_positions_from_masks_of_both_shapes() -> None:
    assert packing.positions_from_mask([0, 0, 1, 1]).tolist() == [-1, -1, 0, 1]
    assert packing.positions_from_mask([[False, True], [True, False]], offset=2).tolist() == [[-1, 2], [2, -1]]
    assert packing.positions_from_mask([]).tolist() == []


def test_learned_rows() -> None:
    table = np.arange(12.0).reshape(6, 2).astype(np.float32)
    got = learned.rows(table, 2, 4)
    assert got.tolist() == [[8, 9], [10, 11]]
    assert not np.shares_memory(got, table)
    assert learned.rows(table, 0, 6).shape == (0, 2)
    with pytest.raises(
        ValueError, match=r"length is 3: with offset 4 it reaches position 6, and .* ends at position 5"
    ):
        learned.rows(table, 3, 4)


@settings(STEADY, max_examples=300)
@given(st.lists(st.floats(width=32), min_size=1, max_size=20))
def test_bfloat16_is_that_of_ml_dtypes(values: list[float]) -> None:
    single = np.array(values, dtype=np.float32)
    with np.errstate(all="ignore"):
        want = single.astype(ml_dtypes.bfloat16).astype(np.float64)
    np.testing.assert_array_equal(precision.round_to(single, "bfloat16"), want)


@settings(STEADY, max_examples=300)
@given(st.floats(), st.sampled_from(precision.FORMATS))
def test_rounding_twice_changes_nothing(value: float, name: str) -> None:
    once = precision.round_to(value, name)
    assert once.dtype == np.float64
    np.testing.assert_array_equal(precision.round_to(once, name), once)
    assert math.isnan(value) or np.signbit(once) == np.signbit(value)


def test_bfloat16_rounds_once_and_overflows_quietly() -> None:
    # Halfway between two bfloat16 values plus a little: through float32 the little would be lost first.
    assert precision.round_to(1 + 2**-8 + 2**-40, "bfloat16") == 1 + 2**-7
    assert precision.round_to(1 + 2**-8, "bfloat16") == 1
    got = precision.round_to([3.39e38, -3.4e38, 1e300, np.inf, 2.0**-134, 2.0**-133], "bfloat16")
    assert got.tolist() == [pytest.approx(3.39e38, rel=0.01), -np.inf, np.inf, np.inf, 0, 2.0**-133]
    assert precision.round_to([70_000, -1e300], "float16").tolist() == [np.inf, -np.inf]


def test_far_positions_stay_finite() -> None:
    assert (np.abs(sinusoidal.table([1e300, -1e300, 10**30], 6)) <= 1).all()
    assert np.isfinite(rotary.rotate(np.ones((1, 4)), [1e300], rotary.frequencies(4))).all()
    with pytest.raises(ValueError, match=r"positions is 1e\+300: its angle is too large"):
        sinusoidal.table(1e300, 4, base=1e-30)
