"""Searching a large table against numpy, gensim and scikit-learn on the same numbers, in one run."""

from __future__ import annotations

import numpy as np

from core.encodings.similarity import nearest, pca, row_norms
from tests.bench.stopwatch import milliseconds

ROWS = 400_000


def neighbours() -> None:
    """The ten nearest of 400,000 × 300 float32 rows, with kept norms."""
    table = np.random.default_rng(0).standard_normal((ROWS, 300), dtype=np.float32)
    norms = row_norms(table)
    query = table[7].copy()
    ours = milliseconds(lambda: nearest(table, query, 10, norms=norms), runs=9, warm=2)
    bare = milliseconds(lambda: table @ query, runs=9, warm=2)
    print(
        f"nearest in {ROWS:,} × 300: {ours:.1f} ms, table @ query {bare:.1f} ms, ratio {ours / bare:.2f} (at most 1.3)"
    )
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        print("gensim is not installed: uv run --group bench python -m tests.bench.search")
        return
    model = KeyedVectors(300, count=ROWS)
    model.add_vectors([str(row) for row in range(ROWS)], table)
    model.fill_norms()
    theirs = milliseconds(lambda: model.most_similar(positive=["7"], topn=10), runs=9, warm=2)
    print(f"nearest: {ours:.1f} ms, gensim's most_similar {theirs:.1f} ms, ratio {ours / theirs:.2f} (at most 1)")


def components() -> None:
    """Two principal components of 400,000 × 50."""
    generator = np.random.default_rng(1)
    table = generator.standard_normal((ROWS, 50)).astype(np.float32) * np.linspace(3, 0.2, 50, dtype=np.float32)
    ours = milliseconds(lambda: pca(table, 2), runs=5, warm=1)
    try:
        from sklearn.decomposition import PCA
    except ImportError:
        print(f"PCA of {ROWS:,} × 50: {ours:.0f} ms; scikit-learn is not installed")
        return
    theirs = milliseconds(lambda: PCA(2).fit_transform(table), runs=5, warm=1)
    print(f"PCA of {ROWS:,} × 50: {ours:.0f} ms, scikit-learn {theirs:.0f} ms, ratio {ours / theirs:.2f} (at most 1)")


def main() -> None:
    neighbours()
    components()


if __name__ == "__main__":
    main()
