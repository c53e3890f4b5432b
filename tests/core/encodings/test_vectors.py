"""Embedding, similarity, search, projections, clusters and training: what must hold for any input."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.encodings import checks, embedding, naive, similarity, training

STEADY = settings(derandomize=True, deadline=None, max_examples=60)
SEEDS = st.integers(0, 2**32 - 1)
MILD = st.floats(-1e3, 1e3, allow_nan=False)
WILD = st.floats(-1e200, 1e200, allow_nan=False)


def table_of(numbers: st.SearchStrategy[float], rows: int = 12, columns: int = 6) -> st.SearchStrategy[Any]:
    shape = st.tuples(st.integers(1, rows), st.integers(1, columns))
    return shape.flatmap(lambda s: hnp.arrays(np.float64, s, elements=numbers))


@STEADY
@given(table_of(MILD), st.data())
def test_lookup_is_the_one_hot_product(table: Any, data: Any) -> None:
    ids = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=8))
    looked_up = embedding.lookup(table, ids)
    assert (looked_up == embedding.one_hot(ids, len(table)) @ table).all()
    assert not np.shares_memory(looked_up, table)
    upstream = np.arange(float(len(ids) * table.shape[1])).reshape(len(ids), table.shape[1])
    gradient = embedding.gradient(ids, upstream, len(table))
    np.testing.assert_allclose(gradient, embedding.one_hot(ids, len(table)).T @ upstream)


def test_lookup_reads_small_types_exactly() -> None:
    table = np.array([[1.5, -2.25], [3.0, 4.0]])
    for dtype in (np.float32, np.float16):
        got = embedding.lookup(table.astype(dtype), 1)
        assert got.dtype == np.float64
        assert got.tolist() == [[3.0, 4.0]]


def test_gradient_is_that_of_a_loss() -> None:
    rng = np.random.default_rng(1)
    table, target, ids = rng.normal(size=(4, 3)), rng.normal(size=(3, 3)), [2, 0, 2]

    def loss(t: Any) -> float:
        return float(((embedding.lookup(t, ids) - target) ** 2).sum())

    got = embedding.gradient(ids, 2 * (embedding.lookup(table, ids) - target), 4)
    for place in np.ndindex(*table.shape):
        step = np.zeros_like(table)
        step[place] = 1e-6
        assert abs((loss(table + step) - loss(table - step)) / 2e-6 - got[place]) < 1e-6


@STEADY
@given(table_of(WILD), table_of(WILD))
def test_cosine_stays_within_one(a: Any, b: Any) -> None:
    columns = min(a.shape[1], b.shape[1])
    a, b = a[:, :columns], b[:, :columns]
    cosines = similarity.cosine(a, b)
    zero = ~a.any(axis=1)[:, np.newaxis] | ~b.any(axis=1)
    assert (np.isnan(cosines) == zero).all()
    assert (np.abs(cosines[~zero]) <= 1).all()
    own = np.diag(similarity.cosine(a, a))[a.any(axis=1)]
    np.testing.assert_allclose(own, 1, rtol=1e-15)
    assert not np.isnan(similarity.dot(a, b)).any()
    assert not np.isnan(similarity.euclidean(a, b)).any()


def test_extreme_rows_keep_their_direction() -> None:
    huge, tiny, plain = [3e200, 4e200], [3e-200, 4e-200], [3.0, 4.0]
    np.testing.assert_allclose(similarity.cosine([huge, tiny, plain], [4, 3]), 0.96)
    np.testing.assert_allclose(similarity.cosine([5e-324, 5e-324], [1, 1]), 1)
    assert similarity.euclidean(huge, [0, 0]).item() == pytest.approx(5e200)
    assert similarity.euclidean(tiny, [[0, 0], [1, 0]])[0, 0] == pytest.approx(5e-200)
    assert similarity.dot(huge, [[1e200, 0], [-1e200, 0]]).tolist() == [[np.inf, -np.inf]]


def test_one_vector_counts_as_one_row() -> None:
    for compare in (similarity.dot, similarity.cosine, similarity.euclidean):
        assert compare([1, 2], [3, 4]).shape == (1, 1)
        assert compare([1, 2], [[3, 4], [5, 6], [7, 8]]).shape == (1, 3)


def test_euclidean_sees_near_neighbours_and_large_arrays() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(700, 9)) + 1e6, rng.normal(size=(900, 9))
    got = similarity.euclidean(a, b)
    for i, j in ((0, 0), (699, 899), (350, 17)):
        assert got[i, j] == pytest.approx(np.linalg.norm(a[i] - b[j]), rel=1e-14)
    assert similarity.euclidean(a[0], a[0] + 1e-9).item() == pytest.approx(np.linalg.norm((a[0] + 1e-9) - a[0]))
    assert (np.diag(similarity.euclidean(a, a)) == 0).all()


def brute(table: Any, query: Any, k: int, metric: str, exclude: Any) -> tuple[Any, Any]:
    exact = table.astype(np.float64)
    if metric == "cosine":
        scores = (exact * query).sum(axis=1) / np.maximum(np.linalg.norm(exact, axis=1), 1e-300) / np.linalg.norm(query)
    elif metric == "dot":
        scores = (exact * query).sum(axis=1)
    else:
        scores = np.linalg.norm(exact - query, axis=1)
    left = [i for i in range(len(table)) if exact[i].any() and i not in exclude]
    sign = 1 if metric == "euclidean" else -1
    order = sorted(left, key=lambda i: (sign * round(scores[i], 12), i))[:k]
    return np.array(order, dtype=int), scores[order]


@STEADY
@given(
    SEEDS,
    st.integers(1, 300),
    st.integers(1, 9),
    st.integers(1, 40),
    st.sampled_from(["cosine", "dot", "euclidean"]),
    st.sampled_from([np.float32, np.float64]),
)
def test_nearest_is_what_comparing_all_rows_gives(seed: int, n: int, d: int, k: int, metric: str, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    # Small whole numbers: equal rows, parallel rows and zero rows happen often.
    table = rng.integers(-2, 3, (n, d)).astype(dtype)
    query = rng.integers(-2, 3, d).astype(float)
    query[0] += 0.5
    exclude = rng.integers(0, n, 3).tolist()
    indices, scores = similarity.nearest(table, query, k, metric, exclude)
    want, values = brute(table, query, k, metric, exclude)
    assert indices.tolist() == want.tolist()
    np.testing.assert_allclose(scores, values, atol=1e-12)
    kept = similarity.row_norms(table)
    again, _ = similarity.nearest(table, query, k, metric, set(exclude), kept)
    assert again.tolist() == want.tolist()


def test_a_float32_table_is_ranked_as_exactly_as_float64() -> None:
    rng = np.random.default_rng(3)
    # Rows that differ by less than float32 arithmetic can tell.
    table = (100 + rng.normal(size=(2000, 50)) * 1e-3).astype(np.float32)
    for metric in ("cosine", "dot", "euclidean"):
        got = similarity.nearest(table, table[7], 20, metric, [7])
        want = similarity.nearest(table.astype(np.float64), table[7], 20, metric, [7])
        assert got[0].tolist() == want[0].tolist()
        np.testing.assert_array_equal(got[1], want[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1e-300, 1e-40, 1e-20, 1e20, 1e38, 1e300])
@pytest.mark.parametrize("metric", ["cosine", "dot", "euclidean"])
def test_nearest_at_the_ends_of_the_range(dtype: Any, size: float, metric: str) -> None:
    with np.errstate(all="ignore"):
        table = (np.array([[1, 2], [2, 1], [-1, -2], [0, 0], [1, 2]]) * size).astype(dtype)
    if not np.isfinite(table).all() or not table.any():
        table = np.array([[1, 2], [2, 1], [-1, -2], [0, 0], [1, 2]], dtype=dtype)
    indices, scores = similarity.nearest(table, [1e-200, 2e-200], 9, metric)
    if metric == "cosine":
        assert indices.tolist() == [0, 4, 1, 2]
        # 1e-40 has five digits left in float32.
        np.testing.assert_allclose(scores, [1, 1, 0.8, -1], rtol=1e-5)
    assert set(indices.tolist()) == {0, 1, 2, 4}
    assert np.isfinite(scores).all()


def test_a_query_may_pass_all_rows() -> None:
    indices, scores = similarity.nearest(np.eye(3), [1, 2, 3], 10)
    assert indices.tolist() == [2, 1, 0]
    assert len(scores) == 3
    nothing, none = similarity.nearest(np.eye(2), [1, 0], 3, exclude=[0, 1])
    assert nothing.shape == none.shape == (0,)


def test_zero_queries() -> None:
    table = np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="query is all zeros"):
        similarity.nearest(table, [0, 0], 1)
    assert similarity.nearest(table, [0, 0], 5, "dot")[0].tolist() == [0, 2]
    indices, scores = similarity.nearest(table, [0, 0], 5, "euclidean")
    assert indices.tolist() == [2, 0]
    assert scores.tolist() == [1, 5]


@STEADY
@given(SEEDS, st.sampled_from(["3CosAdd", "3CosMul"]), st.sampled_from([np.float32, np.float64]))
def test_analogy_is_the_formula(seed: int, method: str, dtype: Any) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(60, 5)).astype(dtype)
    table[4] = 0
    plus, minus = [1, 2], [3]
    unit = table.astype(np.float64)
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-300)
    if method == "3CosAdd":
        mean = (unit[1] + unit[2] - unit[3]) / 3
        scores = unit @ mean / np.linalg.norm(mean)
    else:
        shifted = (1 + unit @ unit.T) / 2
        scores = shifted[:, 1] * shifted[:, 2] / (shifted[:, 3] + 1e-6)
    scores[[1, 2, 3, 4]] = -np.inf
    order = np.argsort(-scores, kind="stable")[:7]
    indices, got = similarity.analogy(table, plus, minus, 7, method)
    assert indices.tolist() == order.tolist()
    np.testing.assert_allclose(got, scores[order], rtol=1e-9)


@STEADY
@given(table_of(MILD, rows=20), st.integers(1, 6))
def test_pca_components_are_orthonormal_and_rebuild_the_rows(table: Any, k: int) -> None:
    k = min(k, table.shape[1])
    got = similarity.pca(table, k)
    assert got.components.shape == (k, table.shape[1])
    assert got.points.shape == (len(table), k)
    np.testing.assert_allclose(got.components @ got.components.T, np.eye(k), atol=1e-12)
    everything = similarity.pca(table, table.shape[1])
    rebuilt = everything.points @ everything.components + everything.mean
    np.testing.assert_allclose(rebuilt, table, atol=1e-9)
    assert (got.explained_variance_ratio >= 0).all()
    assert everything.explained_variance_ratio.sum() == pytest.approx(
        1 if np.ptp(table, axis=0).any() else 0, abs=1e-12
    )
    for component in got.components:
        size = np.abs(component)
        assert component[np.flatnonzero(size > size.max() - 1e-8)].max() > 0


@pytest.mark.parametrize(
    "table",
    [np.ones((1, 3)), np.ones((5, 3)), np.zeros((2, 3)), np.ones((50, 3))],
)
def test_pca_without_variance(table: Any) -> None:
    got = similarity.pca(table, 3)
    assert got.explained_variance.tolist() == [0, 0, 0]
    assert got.explained_variance_ratio.tolist() == [0, 0, 0]
    assert (got.points == 0).all()
    np.testing.assert_allclose(got.components @ got.components.T, np.eye(3), atol=1e-15)


def test_pca_of_extreme_numbers_and_of_float32() -> None:
    rng = np.random.default_rng(5)
    table = rng.normal(size=(40, 4))
    want = similarity.pca(table, 2)
    for size in (1e-200, 1e200):
        got = similarity.pca(table * size, 2)
        np.testing.assert_allclose(got.components, want.components, atol=1e-12)
        np.testing.assert_allclose(got.points / size, want.points, atol=1e-12)
        np.testing.assert_allclose(got.explained_variance_ratio, want.explained_variance_ratio, atol=1e-12)
    np.testing.assert_allclose(similarity.pca(table.astype(np.float32), 2).points, want.points, atol=1e-5)


@pytest.mark.parametrize("away", [0.0, 1.0, 1000.0])
def test_pca_of_a_large_float32_table_agrees_with_float64(away: float) -> None:
    rng = np.random.default_rng(7)
    table = (rng.standard_normal((101_000, 6)) * [3, 2, 1, 0.5, 0.3, 0.2] + away).astype(np.float32)
    shares: list[float] = []
    quick, exact = similarity.pca(table, 2, shares.append), similarity.pca(table.astype(np.float64), 2)
    np.testing.assert_allclose(quick.points, exact.points, atol=2e-5)
    np.testing.assert_allclose(quick.components, exact.components, atol=2e-6)
    np.testing.assert_allclose(quick.explained_variance_ratio, exact.explained_variance_ratio, atol=1e-6)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    table[100_500, 3] = np.nan
    with pytest.raises(ValueError, match=r"100500"):
        similarity.pca(table, 2)


def test_pca_of_a_tall_table_agrees_with_the_singular_values() -> None:
    table = np.random.default_rng(6).normal(size=(20_000, 5)) * [5, 4, 3, 2, 1] + 100
    heard: list[float] = []
    got = similarity.pca(table, 5, progress=heard.append)
    singular = np.linalg.svd(table - table.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(got.explained_variance, singular**2 / (len(table) - 1), rtol=1e-12)
    assert heard == sorted(heard)
    assert heard[-1] == 1
    with pytest.raises(checks.Cancelled):
        similarity.pca(table, 5, cancelled=lambda: True)


@STEADY
@given(SEEDS, st.booleans(), st.booleans(), st.booleans())
def test_procrustes_undoes_what_was_done(seed: int, translate: bool, scale: bool, reflect: bool) -> None:
    rng = np.random.default_rng(seed)
    reference = rng.normal(size=(9, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    if not reflect and np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    moved = reference @ turn * (3.0 if scale else 1.0) + (rng.normal(size=3) if translate else 0)
    got = similarity.procrustes(moved, reference, translate, scale, reflect)
    np.testing.assert_allclose(got.points, reference, atol=1e-12)
    np.testing.assert_allclose(got.rotation @ got.rotation.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(got.scale * moved @ got.rotation + got.translation, got.points, atol=1e-12)
    assert got.scale == pytest.approx(1 / 3 if scale else 1)


def test_procrustes_without_mirror_and_of_one_point() -> None:
    square = np.array([[0.0, 0], [1, 0], [0, 2]])
    mirrored = square * [1, -1]
    assert np.linalg.det(similarity.procrustes(mirrored, square, reflect=False).rotation) == pytest.approx(1)
    np.testing.assert_allclose(similarity.procrustes(mirrored, square).points, square, atol=1e-12)
    np.testing.assert_allclose(similarity.procrustes([[1.0, 1]], [[3.0, 5]], scale=True).points, [[3, 5]])
    np.testing.assert_allclose(similarity.procrustes(square * 1e200, square, scale=True).points, square, atol=1e-12)


@STEADY
@given(SEEDS, st.integers(0, 14))
def test_cluster_order_is_a_steady_permutation(seed: int, n: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(n, 3))
    matrix = similarity.cosine(vectors, vectors) if n else np.zeros((0, 0))
    order = similarity.cluster_order(matrix)
    assert sorted(order.tolist()) == list(range(n))
    assert order.tolist() == similarity.cluster_order(matrix).tolist()
    assert order.tolist() == similarity.cluster_order(1 - matrix, distances=True).tolist()


def test_cluster_order_brings_clusters_together() -> None:
    centre = np.array([0, 9, 0, 9, 40, 0, 40, 9])
    vectors = (centre + np.linspace(0, 0.5, 8))[:, np.newaxis]
    order = similarity.cluster_order(similarity.euclidean(vectors, vectors), distances=True)
    assert centre[order].tolist() == [0, 0, 0, 9, 9, 9, 40, 40]
    undefined = np.array([[1, np.nan, 0.9], [np.nan, np.nan, np.nan], [0.9, np.nan, 1]])
    assert similarity.cluster_order(undefined).tolist() in ([0, 2, 1], [1, 2, 0], [1, 0, 2])
    assert similarity.cluster_order(np.ones((4, 4))).tolist() == [0, 1, 2, 3]


def test_naive_positions() -> None:
    assert naive.raw_index([0, 4000]).tolist() == [[0], [4000]]
    assert naive.fraction([0, 1, 4], 5).tolist() == [[0], [0.25], [1]]
    assert naive.fraction(0, 1).tolist() == [[0]]
    assert naive.binary([7, 8], 4).tolist() == [[1, 1, 1, 0], [0, 0, 0, 1]]
    bits = naive.binary(np.arange(64), 6)
    assert (bits @ 2 ** np.arange(6) == np.arange(64)).all()
    for column in range(6):
        assert np.abs(np.diff(bits[:, column])).sum() == 63 // 2**column


# ── training ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TOY = training.Specification(
    sentences=((0, 1, 2, 3), (4, 1, 2, 5), (0, 6, 7, 3)) * 4,
    vocab_size=8,
    dim=4,
    epochs=6,
    snapshot_every=7,
    seed=3,
)


@STEADY
@given(SEEDS, st.integers(1, 5), st.integers(0, 4))
def test_pair_gradient_is_that_of_its_loss(seed: int, d: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=d), rng.normal(size=d), rng.normal(size=(m, d))]
    got = training.pair_gradient(*parts)
    for part, gradient in zip(range(3), (got.centre, got.context, got.negatives), strict=True):
        for place in np.ndindex(*parts[part].shape):
            up, down = copy.deepcopy(parts), copy.deepcopy(parts)
            up[part][place] += 1e-6
            down[part][place] -= 1e-6
            slope = (training.pair_gradient(*up).loss - training.pair_gradient(*down).loss) / 2e-6
            assert abs(slope - gradient[place]) < 1e-7


def test_update_of_one_pair_goes_downhill() -> None:
    rng = np.random.default_rng(4)
    words, contexts = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    kept = words.copy(), contexts.copy()
    new_words, new_contexts, loss = training.update(words, contexts, (1, 2), [3, 4, 4], 0.05)
    gradient = training.pair_gradient(words[1], contexts[2], contexts[[3, 4, 4]])
    assert loss == gradient.loss
    np.testing.assert_allclose(new_words[1], words[1] - 0.05 * gradient.centre)
    np.testing.assert_allclose(new_contexts[2], contexts[2] - 0.05 * gradient.context)
    np.testing.assert_allclose(new_contexts[4], contexts[4] - 0.05 * gradient.negatives[1:].sum(axis=0))
    assert (words == kept[0]).all()
    assert (contexts == kept[1]).all()
    assert training.pair_gradient(new_words[1], new_contexts[2], new_contexts[[3, 4, 4]]).loss < loss


def test_a_run_is_a_function_of_its_specification() -> None:
    heard: list[float] = []
    one, other = training.run(TOY, progress=heard.append), training.run(TOY)
    for name in ("losses", "snapshots", "snapshot_batches", "context_vectors"):
        assert (getattr(one, name) == getattr(other, name)).all()
        assert not getattr(one, name).flags.writeable
    assert heard[-1] == 1
    assert len(one.losses) == one.snapshot_batches[-1] == len(heard)
    assert one.snapshots.shape == (len(one.snapshot_batches), 8, 4)
    assert one.snapshot_batches[:3].tolist() == [0, 7, 14]
    assert one.losses[-5:].mean() < one.losses[:5].mean()
    assert (training.run(dataclasses.replace(TOY, seed=4)).losses != one.losses).any()
    with pytest.raises(checks.Cancelled):
        training.run(TOY, cancelled=lambda: True)


def test_words_of_like_contexts_come_together() -> None:
    # 0 and 1 stand between the same neighbours, 2 and 3 between others.
    sentences = ((4, 0, 5), (4, 1, 5), (6, 2, 7), (6, 3, 7)) * 8
    spec = training.Specification(sentences, 8, epochs=60, learning_rate=0.2, snapshot_every=1000, seed=1)
    vectors = training.run(spec).snapshots[-1]
    cosines = similarity.cosine(vectors, vectors)
    assert cosines[0, 1] > 0.9 > 0.5 > cosines[0, 2]
    assert cosines[2, 3] > 0.9


def test_pairs_and_noise() -> None:
    assert training.pairs(((0, 1, 2), (3,)), 1).tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    chances = training.noise([16, 1, 0])
    np.testing.assert_allclose(chances, [8 / 9, 1 / 9, 0])


def test_errors_carry_fields_and_travel_between_processes() -> None:
    with pytest.raises(checks.ArgumentError) as caught:
        embedding.one_hot([0, 7], 3)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.argument, error.value) == ("ids[1]", "7")
    assert str(error) == "ids[1] is 7: with vocab_size 3, whole numbers from 0 to 2 are needed"


def test_a_specification_of_words_that_never_meet_is_refused_quietly() -> None:
    with pytest.raises(ValueError, match="sentences is"):
        training.run(training.Specification(((0,), (1,)), 2))
