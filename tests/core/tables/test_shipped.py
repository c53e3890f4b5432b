"""The shipped tables hold what the lessons and their makers published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.tables import shipped
from core.tables.messages import TableError
from core.tables.table import Table
from core.tables.vocabulary import TokenId


def neighbours(table: Table, word: str, k: int = 4, **more: object) -> list[str]:
    row = table.find(word)
    assert row is not None
    indices, _ = table.nearest(table.row(row), k, exclude=[row], **more)  # type: ignore[arg-type]
    return [table.tokens[index] for index in indices]


def cosine(table: Table, a: str, b: str) -> float:
    rows = [table.find(a), table.find(b)]
    one, other = (np.asarray(table.row(row), np.float64) for row in rows if row is not None)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_shapes_and_ids() -> None:
    assert {name: shipped.table(name).shape for name in shipped.table_ids()} == {
        "lesson_4x3": (4, 3),
        "lesson_animals": (3, 4),
        "lesson_random": (5, 4),
        "glove": (40_000, 50),
        "minilm": (30_522, 384),
        "smollm2": (8_679, 576),
    }
    for name in shipped.table_ids():
        table = shipped.table(name)
        assert table.id == name
        assert shipped.table(name) is table
        assert len({table.vocabulary, *(shipped.table(other).vocabulary for other in shipped.table_ids())}) == 6


def test_an_unknown_table_is_a_sentence() -> None:
    with pytest.raises(TableError, match=r"no table named gpt2; there are lesson_4x3, .*smollm2\."):
        shipped.table("gpt2")


def test_the_lessons_numbers_are_exact() -> None:
    assert shipped.table("lesson_4x3").row(2).tolist() == [0.5, 0.9, -0.2]
    assert shipped.table("lesson_random").row(1).tolist() == [-0.54, 0.36, 1.3, 0.95]
    animals = shipped.table("lesson_animals")
    assert round(cosine(animals, "cat", "dog"), 3) == 0.981
    assert round(cosine(animals, "cat", "car"), 3) == -0.179
    assert neighbours(animals, "cat", 2) == ["dog", "car"]


def test_opening_reads_no_numbers() -> None:
    for name in ("glove", "minilm", "smollm2"):
        table = shipped.table(name)
        assert table.values.dtype == np.int8
        assert isinstance(table.values.base, np.memmap) or isinstance(table.values.base.base, np.memmap)


@pytest.mark.parametrize(
    ("name", "word", "first"),
    [
        ("glove", "cat", ["dog", "rabbit", "monkey", "rat"]),
        ("glove", "seven", ["five", "nine", "six", "eight"]),
        ("minilm", "cat", ["cats", "kitten", "kitty", "dog"]),
        ("smollm2", "Ġcat", ["ĠCat", "Cat", "cat", "Ġcats"]),
    ],
)
def test_neighbours_are_the_published_ones(name: str, word: str, first: list[str]) -> None:
    assert sorted(neighbours(shipped.table(name), word)) == sorted(first)


@pytest.mark.parametrize("metric", ["cosine", "dot", "euclidean"])
@pytest.mark.parametrize("name", ["lesson_random", "glove", "minilm", "smollm2"])
def test_a_search_is_what_comparing_every_row_gives(name: str, metric: str) -> None:
    table = shipped.table(name)
    query = table.row(3)
    indices, scores = table.nearest(query, 5, metric=metric, exclude=[3])  # type: ignore[arg-type]
    whole = table.vectors.astype(np.float64)
    wanted = query.astype(np.float64)
    products = whole @ wanted
    all_scores = {
        "dot": products,
        "cosine": products / np.linalg.norm(whole, axis=1) / np.linalg.norm(wanted),
        "euclidean": np.linalg.norm(whole - wanted, axis=1),
    }[metric]
    order = [row for row in np.argsort(all_scores if metric == "euclidean" else -all_scores, kind="stable") if row != 3]
    left = [row for row in order if row not in table.hidden_rows][:5]
    assert indices.tolist() == left[: len(indices)]
    np.testing.assert_allclose(scores, all_scores[left], rtol=1e-9)


def test_hidden_rows_are_left_out_of_lists_but_not_of_the_table() -> None:
    table = shipped.table("minilm")
    assert len(table.hidden_rows) == 53
    hidden = min(table.hidden_rows)
    assert table.lookup(TokenId(table.vocabulary, hidden)).any()
    query = table.row(hidden)
    assert table.nearest(query, 1)[0][0] not in table.hidden_rows
    assert table.nearest(query, 1, hide_filtered=False)[0][0] == hidden


def test_a_query_of_another_width_is_a_sentence() -> None:
    with pytest.raises(TableError, match="query has 384 numbers; a row of the table GloVe, 40,000 words has 50"):
        shipped.table("glove").nearest(np.ones(384), 3)


def test_ids_are_kept_apart_from_rows() -> None:
    table = shipped.table("smollm2")
    row = table.find("Ġcat")
    assert row is not None
    assert table.id_of(row).id == 2644
    assert table.row_of(TokenId(table.vocabulary, 2644)) == row != 2644
    assert len({table.id_of(row).id for row in range(table.rows)}) == table.rows


def test_tokens_are_all_different() -> None:
    for name in shipped.table_ids():
        tokens = shipped.table(name).tokens
        assert len(set(tokens)) == len(tokens)


def test_minilms_positions_and_norm() -> None:
    positions = shipped.minilm_positions()
    assert positions.shape == (512, 384)
    norms = np.linalg.norm(positions, axis=1)
    assert norms[0] == pytest.approx(2.36, abs=0.005)
    assert np.median(norms[1:]) == pytest.approx(0.475, abs=0.005)
    assert shipped.minilm_token_types().shape == (2, 384)
    norm = shipped.minilm_layernorm()
    assert (norm.weight.shape, norm.bias.shape, norm.eps) == ((384,), (384,), 1e-12)
    for array in (positions, shipped.minilm_token_types(), norm.weight, norm.bias):
        assert array.dtype == np.float32
        assert not array.flags.writeable


def test_smollm2s_first_layer_sees_only_the_gap() -> None:
    layer = shipped.smollm2_layer0()
    assert (layer.attn_norm.shape, layer.q.shape, layer.k.shape) == ((576,), (576, 576), (192, 576))
    assert layer.q.shape[0] == layer.n_heads * layer.head_dim
    assert layer.k.shape[0] == layer.n_kv_heads * layer.head_dim
    table = shipped.table("smollm2")
    rows = np.stack([table.row(table.row_of(TokenId(table.vocabulary, number))) for number in (2644, 2643)])
    x = rows.astype(np.float64)
    x = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + layer.eps) * layer.attn_norm
    query, key = (x[1] @ layer.q.T)[:64], (x[0] @ layer.k.T)[:64]
    theta = layer.rope_theta ** (-np.arange(0, 64, 2) / 64)

    def turned(vector: np.ndarray, position: int) -> np.ndarray:
        return (vector[0::2] + 1j * vector[1::2]) * np.exp(1j * position * theta)

    near, far = ((turned(query, m) * turned(key, n).conj()).real.sum() for m, n in ((3, 1), (503, 501)))
    assert near == pytest.approx(far, abs=1e-9)


def test_a_damaged_file_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.npy"
    broken.write_bytes(b"\x93NUMPY\x01\x00nonsense")
    monkeypatch.setattr(shipped, "asset", lambda *_: broken)
    for read in (shipped._array, shipped._arrays):
        with pytest.raises(TableError, match=r"x/y that belongs to this program can't be read"):
            read("x", "y")
