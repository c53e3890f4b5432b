"""Bad arguments: a sentence that names the argument, what it was and what is allowed; never numpy's own words."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encodings import (
    alibi,
    attention,
    embedding,
    extension,
    learned,
    naive,
    packing,
    precision,
    rotary,
    similarity,
    sinusoidal,
    t5,
    training,
)
from core.encodings.checks import ArgumentError

TABLE = np.arange(12.0).reshape(4, 3) + 1
PAIR = np.ones((2, 4))
NAN, INF = float("nan"), float("inf")

REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: embedding.one_hot([0, -1], 3), r"ids\[1\] is -1: .*vocab_size 3.* 0 to 2"),
    (lambda: embedding.one_hot([3], 3), r"ids\[0\] is 3: .*vocab_size 3.* 0 to 2"),
    (lambda: embedding.one_hot([1.0], 3), r"ids is \[1.0\]: .*whole numbers"),
    (lambda: embedding.one_hot([True], 3), r"ids is \[True\]: .*whole numbers"),
    (lambda: embedding.one_hot([1], True), r"vocab_size is True: a whole number"),
    (lambda: embedding.one_hot([1], 0), r"vocab_size is 0: .* from 1 to"),
    (lambda: embedding.one_hot([[1]], 3), r"ids is an array of shape \(1, 1\): .*1 axis"),
    (lambda: embedding.lookup(TABLE, [4]), r"ids\[0\] is 4: .* 4.* 0 to 3"),
    (lambda: embedding.lookup(TABLE, [0, -1]), r"ids\[1\] is -1"),
    (lambda: embedding.lookup(TABLE[0], [0]), r"table is an array of shape \(3,\): .*\(vocab_size, d\)"),
    (lambda: embedding.gradient([0, 1], TABLE, 4), r"output_gradient is an array of shape \(4, 3\): .*2 ids"),
    (lambda: embedding.scale_by_sqrt_d([[1, NAN]]), r"vectors\[0, 1\] is nan: finite"),
    (lambda: embedding.scale_by_sqrt_d([[1], [1, 2]]), r"vectors is \[\[1\], \[1, 2\]\]: .*one length"),
    (lambda: similarity.dot([1, 2], [1, 2, 3]), r"b is an array of shape \(1, 3\): .* 2, "),
    (lambda: similarity.cosine([1, INF], [1, 2]), r"a\[1\] is inf: finite"),
    (lambda: similarity.euclidean(np.ones((2, 2, 2)), [1, 2]), r"a is an array of shape \(2, 2, 2\)"),
    (lambda: similarity.nearest(TABLE, [1, 2], 1), r"query is an array of shape \(2,\): .*3"),
    (lambda: similarity.nearest(TABLE, [1, NAN, 2], 1), r"query\[1\] is nan: finite"),
    (lambda: similarity.nearest(TABLE, [0, 0, 0], 1), r"query is all zeros: .*cosine"),
    (lambda: similarity.nearest(TABLE, [1, 2, 3], 0), r"k is 0: .*1 or more"),
    (lambda: similarity.nearest(TABLE, [1, 2, 3], 1, "manhattan"), r"metric is 'manhattan': one of cosine, dot, eu"),
    (lambda: similarity.nearest(TABLE, [1, 2, 3], 1, exclude=[4]), r"exclude\[0\] is 4: .*0 to 3"),
    (lambda: similarity.nearest(TABLE, [1, 2, 3], 1, norms=[1]), r"norms is an array of shape \(1,\): .*4 rows"),
    (lambda: similarity.nearest(TABLE * [1, NAN, 1], [1, 2, 3], 1), r"table\[0\] is \[1.0, nan, 3.0\]: .*finite"),
    (lambda: similarity.nearest(TABLE[:0], [1, 2, 3], 1), r"table is an array of shape \(0, 3\): at least one row"),
    (lambda: similarity.analogy(TABLE, [], [], 1), r"positive is \[\]: at least one"),
    (lambda: similarity.analogy(TABLE, [1], [1], 1), r"negative is \[1\]: .*cancel"),
    (lambda: similarity.analogy(TABLE, [1], [9], 1), r"negative\[0\] is 9: .*0 to 3"),
    (lambda: similarity.analogy(TABLE * [[1], [0], [1], [1]], [0], [2, 1], 1), r"negative\[1\] is 1: .*zeros"),
    (lambda: similarity.analogy(TABLE, [1], [2], 1, "2Cos"), r"method is '2Cos': one of 3CosAdd, 3CosMul"),
    (lambda: similarity.pca(TABLE, 4), r"n_components is 4: .*1 to 3"),
    (lambda: similarity.pca(TABLE * [1, 1, NAN], 1), r"table\[0, 2\] is nan: finite"),
    (lambda: similarity.pca(TABLE[:0], 1), r"table is an array of shape \(0, 3\)"),
    (lambda: similarity.procrustes(TABLE, TABLE[:2]), r"points is an array of shape \(4, 3\): .*\(2, 3\)"),
    (lambda: similarity.procrustes(TABLE, TABLE, scale=1), r"scale is 1: True or False"),
    (lambda: similarity.cluster_order(TABLE), r"matrix is an array of shape \(4, 3\): as many rows as columns"),
    (lambda: similarity.cluster_order([[INF]]), r"matrix\[0, 0\] is inf: finite"),
    (lambda: attention.attention(PAIR, TABLE, TABLE), r"k is an array of shape \(4, 3\): .*q, 4"),
    (lambda: attention.attention(PAIR, PAIR, TABLE), r"v is an array of shape \(4, 3\): .*2 keys"),
    (lambda: attention.attention(PAIR, PAIR, PAIR, mask=np.ones((3, 2))), r"mask is .*True or 1"),
    (lambda: attention.attention(PAIR, PAIR, PAIR, mask=[[2, 0]]), r"mask\[0, 0\] is 2: True or 1"),
    (
        lambda: attention.attention(PAIR, PAIR, PAIR, mask=[[1, 0, 1]]),
        r"mask is an array of shape \(1, 3\): .*\(2, 2\)",
    ),
    (lambda: attention.attention(PAIR, PAIR, PAIR, bias=[[NAN]]), r"bias is \[\[nan\]\]: finite"),
    (lambda: attention.attention(PAIR, PAIR, PAIR, bias=np.ones((3, 3))), r"bias is an array of shape \(3, 3\)"),
    (lambda: attention.attention(PAIR, PAIR, PAIR, scale=NAN), r"scale is nan: a finite number"),
    (lambda: attention.attention(PAIR * 1e200, PAIR * 1e200, PAIR), r"q is an array of shape \(2, 4\): .*too large"),
    (lambda: attention.attention([1, 2], PAIR, PAIR), r"q is an array of shape \(2,\): .*2 axes"),
    (lambda: attention.split_heads(128, 0), r"n_heads is 0: .*1 to"),
    (lambda: attention.split_heads(128.0, 2), r"d_model is 128.0: a whole number"),
    (lambda: attention.layer_norm(PAIR, weight=[1, 2]), r"weight is an array of shape \(2,\): .*4"),
    (lambda: attention.layer_norm(PAIR, eps=0), r"eps is 0: .*above 0"),
    (lambda: attention.rms_norm(np.ones((2, 0))), r"x is an array of shape \(2, 0\)"),
    (lambda: naive.raw_index([0, NAN]), r"positions\[1\] is nan"),
    (lambda: naive.fraction([0, 5], 5), r"positions is 5.0: .*length 5.* 0 to 4"),
    (lambda: naive.fraction([0], 0), r"length is 0"),
    (lambda: naive.binary([8], 3), r"positions\[0\] is 8: with n_bits 3, .*0 to 7"),
    (lambda: naive.binary([0.5], 3), r"positions is \[0.5\]: .*whole"),
    (lambda: sinusoidal.table([0, NAN], 4), r"positions\[1\] is nan: finite"),
    (lambda: sinusoidal.table([-INF], 4), r"positions\[0\] is -inf: finite"),
    (lambda: sinusoidal.table([True], 4), r"positions is \[True\]: an array of numbers"),
    (lambda: sinusoidal.table([10**400], 4), r"positions is .*finite"),
    (lambda: sinusoidal.table([[1]], 4), r"positions is an array of shape \(1, 1\)"),
    (lambda: sinusoidal.table([0], 0), r"d_model is 0: .*1 to"),
    (lambda: sinusoidal.table([0], True), r"d_model is True"),
    (lambda: sinusoidal.table([0], 4, 0), r"base is 0: .*above 0"),
    (lambda: sinusoidal.table([0], 4, -1), r"base is -1: .*above 0"),
    (lambda: sinusoidal.table([0], 4, NAN), r"base is nan"),
    (lambda: sinusoidal.table([0], 4, "10000"), r"base is '10000'"),
    (
        lambda: sinusoidal.table([0], 4, layout="halves"),
        r"layout is 'halves': one of interleaved, concatenated, tensor2",
    ),
    (lambda: sinusoidal.table([0], 4, columns=[4]), r"columns\[0\] is 4: with d_model 4, .*0 to 3"),
    (lambda: sinusoidal.table([0], 4, columns=[-1]), r"columns\[0\] is -1"),
    (lambda: sinusoidal.shift_matrix(1, 5), r"d_model is 5: .*pairs need an even one, such as 4 or 6"),
    (lambda: sinusoidal.shift_matrix(NAN, 4), r"k is nan"),
    (lambda: learned.rows(TABLE, 5), r"length is 5: with offset 0 .*position 4.* 4 rows .*position 3"),
    (lambda: learned.rows(TABLE, 1, -1), r"offset is -1: .*0 or more"),
    (lambda: learned.rows(TABLE, 1.0), r"length is 1.0: a whole"),
    (lambda: rotary.frequencies(65), r"head_dim is 65: .*pairs need an even one, such as 64 or 66"),
    (lambda: rotary.frequencies(0), r"head_dim is 0"),
    (lambda: rotary.frequencies(64, 0), r"base is 0: .*above 0"),
    (lambda: rotary.frequencies(64, rotary_dim=3), r"rotary_dim is 3: .*even one, such as 2 or 4"),
    (lambda: rotary.frequencies(64, rotary_dim=66), r"rotary_dim is 66: .*head_dim, which is 64"),
    (lambda: rotary.rotate(PAIR, [0, NAN], [1]), r"positions\[1\] is nan"),
    (lambda: rotary.rotate(PAIR, [0], [1]), r"positions is an array of shape \(1,\): .*2 rows of x"),
    (lambda: rotary.rotate(PAIR, [0, 1], [1, 1, 1]), r"x is an array of shape \(2, 4\): 3 frequencies turn 6"),
    (lambda: rotary.rotate(PAIR, [0, 1], []), r"frequencies is an array of shape \(0,\)"),
    (lambda: rotary.rotate(PAIR, [0, 1], [1], "pairs"), r"pairing is 'pairs': one of adjacent, halves"),
    (lambda: rotary.rotate(PAIR, [0, 1], [1], attention_factor=0), r"attention_factor is 0: .*above 0"),
    (lambda: rotary.rotate(PAIR * INF, [0, 1], [1]), r"x\[0, 0\] is inf"),
    (lambda: rotary.scores(PAIR, TABLE, [0, 1], [0], [1]), r"k is an array of shape \(4, 3\): .*q, 4"),
    (lambda: rotary.scores(PAIR, PAIR, [0, 1], [0], [1]), r"key_positions is an array of shape \(1,\): .*2"),
    (lambda: rotary.scores(PAIR, PAIR, [0, NAN], [0, 1], [1]), r"query_positions\[1\] is nan"),
    (lambda: rotary.pairing_permutation(5), r"head_dim is 5: .*even"),
    (lambda: extension.none(5, 100), r"head_dim is 5: .*even"),
    (lambda: extension.linear(64, 10_000, 0), r"factor is 0: .*above 0"),
    (lambda: extension.linear(64, 10_000, 1e-320), r"factor is 1e-320"),
    (lambda: extension.ntk_aware(2, 10_000, 4), r"head_dim is 2: .*no stretch possible; 4 or more"),
    (lambda: extension.ntk_aware(64, 10_000, -1), r"factor is -1: .*above 0"),
    (lambda: extension.ntk_aware(4, 10_000, 1e300), r"factor is 1e\+300: .*base"),
    (lambda: extension.dynamic_ntk(2, 10_000, 4, 10, 5), r"head_dim is 2: .*no stretch possible"),
    (lambda: extension.dynamic_ntk(64, 10_000, 4, 0, 5), r"original_length is 0: .*above 0"),
    (lambda: extension.dynamic_ntk(64, 10_000, 4, 10, NAN), r"length is nan"),
    (lambda: extension.yarn(64, 1, 4, 2048), r"base is 1: .*above 1.*logarithm"),
    (lambda: extension.yarn(64, 10_000, 4, 2048, 1, 32), r"beta_fast is 1.0: .*beta_slow, which is 32"),
    (lambda: extension.yarn(64, 10_000, 4, 2048, truncate=1), r"truncate is 1: True or False"),
    (lambda: extension.yarn(64, 10_000, 4, 2048, attention_factor=NAN), r"attention_factor is nan"),
    (lambda: extension.llama3(64, 10_000, 4, 2048, 4, 1), r"high_freq_factor is 1.0: .*low_freq_factor, which is 4"),
    (lambda: extension.longrope(8, 10_000, [1] * 3, [1] * 4, 10, 20), r"short_factor is .*\(3,\): .*4 pairs"),
    (lambda: extension.longrope(8, 10_000, [1] * 4, [1, 1, 0, 1], 10, 20), r"long_factor is 0.0: .*above 0"),
    (lambda: extension.longrope(8, 10_000, [1] * 4, [1] * 4, 1, 20), r"original_length is 1: .*above 1"),
    (lambda: alibi.slopes(0), r"n_heads is 0: .*1 to"),
    (lambda: alibi.slopes(8, 0), r"max_exponent is 0: .*above 0"),
    (lambda: alibi.bias([NAN], 2, 2), r"slopes\[0\] is nan"),
    (lambda: alibi.bias([], 2, 2), r"slopes is an array of shape \(0,\)"),
    (lambda: alibi.bias([1], 3, 2), r"n_queries is 3: .*newest of the 2 keys"),
    (lambda: alibi.bias([1], 2, 2, query_start=1.5), r"query_start is 1.5: a whole"),
    (lambda: t5.buckets([0.5], True), r"relative_position is \[0.5\]: whole"),
    (lambda: t5.buckets([1], True, 33), r"n_buckets is 33: .*even"),
    (lambda: t5.buckets([1], True, 2), r"n_buckets is 2: .*4 to"),
    (lambda: t5.buckets([1], False, 32, 16), r"max_distance is 16: more than 16"),
    (lambda: t5.buckets([1], 1), r"bidirectional is 1: True or False"),
    (lambda: packing.restart_positions([1, -1]), r"lengths\[1\] is -1: .* 0 to"),
    (lambda: packing.restart_positions([1], -1), r"offset is -1"),
    (lambda: packing.document_index([1.5]), r"lengths is \[1.5\]: whole"),
    (lambda: packing.block_mask([2], causal=0), r"causal is 0: True or False"),
    (lambda: packing.positions_from_mask([0, 2]), r"mask\[1\] is 2: True or 1"),
    (lambda: packing.positions_from_mask(1), r"mask is an array of shape \(\): .*\(n,\)"),
    (lambda: precision.round_to(1, "float8"), r"format is 'float8': one of bfloat16, float16, float32"),
    (lambda: training.run(training.Specification(((0, 3),), 3)), r"sentences\[0\]\[1\] is 3: .*0 to 2"),
    (lambda: training.run(training.Specification(((0, 1),), 2, dim=0)), r"dim is 0: .*1 to"),
    (lambda: training.run(training.Specification(((0, 1),), 2, learning_rate=0)), r"learning_rate is 0"),
    (lambda: training.update(TABLE, TABLE, (0, 9), [1], 0.1), r"pair\[1\] is 9: .*0 to 3"),
    (lambda: training.pair_gradient([1, 2], [1], [[1, 2]]), r"context is an array of shape \(1,\): .*2"),
    (lambda: training.noise([1, -1]), r"counts is \[1, -1\]: .*0 or more"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED, ids=[sentence[:40] for _, sentence in REFUSED])
def test_the_sentence_names_argument_value_and_what_is_allowed(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{sentence}"):
        call()


# Calls that work, as a start for putting nonsense in each place.
WORKING: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (embedding.one_hot, {"ids": [0, 1], "vocab_size": 3}),
    (embedding.lookup, {"table": TABLE, "ids": [0, 1]}),
    (embedding.scale_by_sqrt_d, {"vectors": TABLE}),
    (embedding.gradient, {"ids": [0], "output_gradient": TABLE[:1], "vocab_size": 3}),
    (similarity.dot, {"a": TABLE, "b": TABLE}),
    (similarity.cosine, {"a": TABLE, "b": TABLE}),
    (similarity.euclidean, {"a": TABLE, "b": TABLE}),
    (
        similarity.nearest,
        {"table": TABLE, "query": [1, 2, 3], "k": 2, "metric": "dot", "exclude": [1], "norms": [1, 2, 3, 4]},
    ),
    (
        similarity.analogy,
        {"table": TABLE, "positive": [0], "negative": [1], "k": 2, "method": "3CosMul", "norms": None},
    ),
    (similarity.pca, {"table": TABLE, "n_components": 2}),
    (similarity.procrustes, {"points": TABLE, "reference": TABLE, "translate": True, "scale": True, "reflect": False}),
    (similarity.cluster_order, {"matrix": np.eye(3), "distances": False}),
    (attention.attention, {"q": PAIR, "k": PAIR, "v": PAIR, "bias": None, "mask": None, "scale": None}),
    (attention.split_heads, {"d_model": 8, "n_heads": 2}),
    (attention.layer_norm, {"x": TABLE, "weight": 1.0, "bias": 0.0, "eps": 1e-5}),
    (attention.rms_norm, {"x": TABLE, "weight": 1.0, "eps": 1e-5}),
    (naive.raw_index, {"positions": [0, 1]}),
    (naive.fraction, {"positions": [0, 1], "length": 3}),
    (naive.binary, {"positions": [0, 1], "n_bits": 3}),
    (sinusoidal.table, {"positions": [0, 1], "d_model": 4, "base": 100, "layout": "interleaved", "columns": [0]}),
    (sinusoidal.shift_matrix, {"k": 1, "d_model": 4, "base": 100}),
    (learned.rows, {"table": TABLE, "length": 2, "offset": 1}),
    (rotary.frequencies, {"head_dim": 8, "base": 100, "rotary_dim": 4, "proportional": True}),
    (
        rotary.rotate,
        {"x": PAIR, "positions": [0, 1], "frequencies": [1], "pairing": "halves", "attention_factor": 1.0},
    ),
    (
        rotary.scores,
        {"q": PAIR, "k": PAIR, "query_positions": [0, 1], "key_positions": [0, 1], "frequencies": [1]},
    ),
    (rotary.pairing_permutation, {"head_dim": 8, "rotary_dim": 4}),
    (extension.none, {"head_dim": 8, "base": 100}),
    (extension.linear, {"head_dim": 8, "base": 100, "factor": 2}),
    (extension.ntk_aware, {"head_dim": 8, "base": 100, "factor": 2}),
    (extension.dynamic_ntk, {"head_dim": 8, "base": 100, "factor": 2, "original_length": 10, "length": 20}),
    (
        extension.yarn,
        {
            "head_dim": 8,
            "base": 100,
            "factor": 2,
            "original_length": 100,
            "beta_fast": 32,
            "beta_slow": 1,
            "truncate": True,
            "attention_factor": None,
            "mscale": 1,
            "mscale_all_dim": 1,
        },
    ),
    (
        extension.llama3,
        {
            "head_dim": 8,
            "base": 100,
            "factor": 2,
            "original_length": 100,
            "low_freq_factor": 1,
            "high_freq_factor": 4,
        },
    ),
    (
        extension.longrope,
        {
            "head_dim": 8,
            "base": 100,
            "short_factor": [1] * 4,
            "long_factor": [2] * 4,
            "original_length": 10,
            "max_length": 20,
            "length": 15,
            "factor": None,
            "attention_factor": None,
        },
    ),
    (alibi.slopes, {"n_heads": 4, "max_exponent": 8}),
    (
        alibi.bias,
        {"slopes": [1], "n_queries": 2, "n_keys": 3, "symmetric": True, "query_start": None, "key_start": 0},
    ),
    (t5.buckets, {"relative_position": [1], "bidirectional": True, "n_buckets": 32, "max_distance": 128}),
    (packing.restart_positions, {"lengths": [1, 2], "offset": 0}),
    (packing.document_index, {"lengths": [1, 2]}),
    (packing.block_mask, {"lengths": [1, 2], "causal": True}),
    (packing.positions_from_mask, {"mask": [0, 1], "offset": 0}),
    (precision.round_to, {"x": [1], "format": "float16"}),
    (training.pairs, {"sentences": ((0, 1),), "window": 1}),
    (training.noise, {"counts": [1, 2]}),
    (training.pair_gradient, {"centre": [1, 2], "context": [1, 2], "negatives": [[1, 2]]}),
    (
        training.update,
        {"words": TABLE, "contexts": TABLE, "pair": (0, 1), "negatives": [2], "learning_rate": 0.1},
    ),
]

NONSENSE: list[Any] = [
    None,
    "abc",
    True,
    NAN,
    INF,
    -INF,
    -1,
    0,
    1,
    3,
    1.5,
    1e-320,
    1e300,
    -1e308,
    10**25,
    10**400,
    1 + 2j,
    [],
    [[]],
    [1, [2]],
    [NAN],
    [1e308, -1e308],
    [True],
    ["a"],
    [None],
    {},
    {1},
    object(),
    np.zeros((2, 2)),
    np.ones((2, 2, 2)),
    np.zeros((0, 3)),
    np.int8(-3),
    np.datetime64("2020-01-01"),
]


def _places() -> list[Any]:
    return [
        pytest.param(f, given, name, id=f"{f.__module__.split('.')[-1]}.{f.__name__}.{name}")
        for f, given in WORKING
        for name in given
    ]


@pytest.mark.parametrize(("function", "given", "name"), _places())
def test_nonsense_is_refused_in_words_or_works(function: Callable[..., Any], given: dict[str, Any], name: str) -> None:
    function(**given)
    kept = {key: np.array(value) for key, value in given.items() if isinstance(value, np.ndarray)}
    for nonsense in NONSENSE:
        try:
            result = function(**{**given, name: nonsense})
        except ArgumentError:
            continue
        values = vars(result).values() if hasattr(result, "__dict__") else [result]
        for value in values:
            if isinstance(value, np.ndarray) and function not in (precision.round_to, similarity.dot):
                assert not np.isnan(value.astype(float)).any() or function is similarity.cosine, (name, nonsense)
    for key, value in kept.items():
        np.testing.assert_array_equal(given[key], value)


def test_every_public_function_is_tried() -> None:
    tried = {function for function, _ in WORKING} | {training.run, similarity.row_norms}
    modules = (
        embedding,
        similarity,
        attention,
        naive,
        sinusoidal,
        learned,
        rotary,
        extension,
        alibi,
        t5,
        packing,
        precision,
        training,
    )
    for module in modules:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            public = not name.startswith("_") and function.__module__.startswith("core.encodings")
            own = function.__module__ == module.__name__ or module is similarity
            helper = function.__module__.split(".")[-1] in ("checks", "angles", "norms")
            if public and own and not helper:
                assert function in tried, name
                assert function.__doc__, name


def test_encodings_import_numpy_and_the_standard_library_alone() -> None:
    folder = Path(inspect.getfile(embedding)).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                allowed = name.startswith("core.encodings") or name.split(".")[0] in {"numpy", *sys.stdlib_module_names}
                assert allowed, f"{path.name} imports {name}"
