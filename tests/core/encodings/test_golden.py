"""Every value of tests/golden, computed by other people's code, at the tolerance that its file names."""

from __future__ import annotations

import json
import math
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
    packing,
    precision,
    rotary,
    similarity,
    sinusoidal,
    t5,
)
from core.tables import shipped

GOLDEN = Path(__file__).parents[2] / "golden"
Case = dict[str, Any]

# Cases that no function of ours can serve, each with the reason.
UNSERVED = {
    "sinusoidal_odd_d:refuse_odd_d": "the references' own errors for odd widths; here odd widths work (sin-odd)",
}

CASES = {
    f"{path.stem}:{case['id']}": case
    for path in sorted(GOLDEN.glob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
}
HANDLERS: dict[str, Callable[[Case, Case, Case], None]] = {}


def serves(
    *names: str,
) -> Callable[[Callable[[Case, Case, Case], None]], Callable[[Case, Case, Case], None]]:
    """Marks what checks a file (`file`) or one case of it (`file:id`)."""

    def register(handler: Callable[[Case, Case, Case], None]) -> Callable[[Case, Case, Case], None]:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


def close(got: Any, want: Any, atol: float = 0.0, rtol: float = 0.0) -> None:
    got, want = np.asarray(got, dtype=np.float64), np.asarray(want, dtype=np.float64)
    assert got.shape == want.shape
    with np.errstate(invalid="ignore"):
        off = ~((np.abs(got - want) <= atol + rtol * np.abs(want)) | (got == want))
    assert not off.any(), f"{int(off.sum())} differ, the first: {got[off][:3]} for {want[off][:3]}"


def within(tol: Case) -> Callable[[Any, Any], None]:
    return lambda got, want: close(got, want, tol["atol"], tol["rtol"])


@pytest.mark.parametrize("name", sorted(set(CASES) - set(UNSERVED)))
def test_golden_values(name: str) -> None:
    handler = HANDLERS.get(name) or HANDLERS.get(name.split(":")[0])
    assert handler is not None, f"nothing checks {name}"
    case = CASES[name]
    handler(case["params"], case["values"], case["tol"])


def test_the_unserved_exist_and_are_few() -> None:
    assert set(UNSERVED) <= set(CASES)
    assert all(UNSERVED.values())
    assert len(UNSERVED) <= 12


# ── sinusoids ────────────────────────────────────────────────────────────────────────────────────────────────────────


@serves("sinusoidal_interleaved")
def sinusoidal_interleaved(p: Case, v: Case, tol: Case) -> None:
    layout = "concatenated" if p["layout"].startswith("concat") else "interleaved"
    within(tol)(sinusoidal.table(p["positions"], p["d"], p.get("base", 10_000), layout), v["pe"])


@serves("sinusoidal_concat_t2t")
def tensor2tensor(p: Case, v: Case, tol: Case) -> None:
    if "padding_idx" in p:
        # fairseq's table is this one with a row of zeros for padding.
        got = sinusoidal.table(np.arange(p["num_embeddings"]), p["d"], layout="tensor2tensor")
        got[p["padding_idx"]] = 0
        within(tol)(got, v["weights"])
    else:
        within(tol)(sinusoidal.table(p["positions"], p["d"], p["base"], "tensor2tensor"), v["pe"])


@serves("sinusoidal_odd_d")
def odd_widths(p: Case, v: Case, tol: Case) -> None:
    rule = p["rule"]
    if rule.startswith("computed for d+1"):
        got = sinusoidal.table(p["positions"], p["d"] + 1, columns=range(p["d"]))
    elif rule.startswith("floor(d/2) timescales"):
        got = sinusoidal.table(p["positions"], p["d"], layout="tensor2tensor")
    elif "columns regrouped" in rule:
        got = sinusoidal.table(p["positions"], p["d"], layout="concatenated")
    else:
        got = sinusoidal.table(p["positions"], p["d"])
    within(tol)(got, v["pe"])


# ── rotary positions ─────────────────────────────────────────────────────────────────────────────────────────────────


@serves("rope_inv_freq")
def inv_freq(p: Case, v: Case, tol: Case) -> None:
    within(tol)(rotary.frequencies(p["head_dim"], p["base"]), v["inv_freq"])


@serves("rope_rotate")
def rotations(p: Case, v: Case, tol: Case) -> None:
    speeds = rotary.frequencies(p["head_dim"], p["base"])
    order = rotary.pairing_permutation(p["head_dim"])
    if isinstance(p["perm_interleaved_to_half"], list):
        assert order.tolist() == p["perm_interleaved_to_half"]
    for x in ("q", "k"):
        adjacent = rotary.rotate(v[x], p["positions"], speeds)
        within(tol)(adjacent, v[f"{x}_interleaved"])
        within(tol)(rotary.rotate(v[x], p["positions"], speeds, "halves"), v[f"{x}_half_split"])
        permuted = rotary.rotate(np.array(v[x])[:, order], p["positions"], speeds, "halves")
        assert (permuted == adjacent[:, order]).all()


@serves("rope_scores")
def rotary_scores(p: Case, v: Case, tol: Case) -> None:
    speeds = [1.0] if p["head_dim"] == 2 else rotary.frequencies(p["head_dim"], p["base"])
    for pairing, key in (("halves", "score_half_split"), ("adjacent", "score_interleaved")):
        got = [rotary.scores(p["q"], p["k"], m, n, speeds, pairing).item() for m, n in p["pairs_m_n"]]
        within(tol)(got, v.get(key, v.get("score")))
    if "cos_m_minus_n" in v:
        within(tol)(got, v["cos_m_minus_n"])
        within(tol)(rotary.rotate(p["q"], 3, speeds), v["rotated_q_at_3"])
        within(tol)(rotary.rotate(p["k"], 1, speeds), v["rotated_k_at_1"])


@serves("rope_partial")
def partial(p: Case, v: Case, tol: Case) -> None:
    rotary_dim = int(p["head_dim"] * p["partial_rotary_factor"])
    if "q" not in v:
        within(tol)(rotary.frequencies(p["head_dim"], p["base"], rotary_dim, proportional=True), v["inv_freq"])
        return
    assert rotary_dim == p["rotary_dim"]
    speeds = rotary.frequencies(p["head_dim"], p["base"], rotary_dim)
    within(tol)(speeds, v["inv_freq"])
    within(tol)(rotary.rotate(v["q"], p["positions"], speeds), v["q_interleaved"])
    within(tol)(rotary.rotate(v["q"], p["positions"], speeds, "halves"), v["q_half_split"])


# ── longer context ───────────────────────────────────────────────────────────────────────────────────────────────────


@serves("rope_linear_pi")
def linear(p: Case, v: Case, tol: Case) -> None:
    made = extension.linear(p["head_dim"], p["base"], p["factor"])
    within(tol)(made.frequencies, v["inv_freq"])
    got = rotary.rotate(v["q"], p["positions"], made.frequencies, "halves")
    within(tol)(got, v["q_rotated_half_split"])
    plain = rotary.frequencies(p["head_dim"], p["base"])
    unscaled = rotary.rotate(v["q"], p["equals_unscaled_positions"], plain, "halves")
    within(tol)(unscaled, v["q_rotated_at_unscaled_position"])
    assert (got == unscaled).all()


@serves("rope_ntk_aware")
def ntk_aware(p: Case, v: Case, tol: Case) -> None:
    made = extension.ntk_aware(p["head_dim"], p["base"], p["alpha"])
    within(tol)(made.base, v["new_base"])
    within(tol)(made.frequencies, v["inv_freq"])
    ratio = rotary.frequencies(p["head_dim"], p["base"]) / made.frequencies
    within(tol)(ratio[0], v["ratio_unscaled_over_scaled_first"])
    within(tol)(ratio[-1], v["ratio_unscaled_over_scaled_last"])


@serves("rope_dynamic_ntk")
def dynamic_ntk(p: Case, v: Case, tol: Case) -> None:
    width, original = p["head_dim"], p["original_max_position"]

    def at(length: int) -> extension.Extension:
        return extension.dynamic_ntk(width, p["base"], p["factor"], original, length)

    if "calls_with_seq_len" in p:
        # The references' memory, written out; ours has none.
        remembered, never_reset, hf, jquesnelle = original, original, [], []
        for length in p["calls_with_seq_len"]:
            if length > remembered:
                remembered = length
            elif length < original:
                remembered = original
            never_reset = max(never_reset, length)
            hf.append(at(remembered).frequencies[-1])
            jquesnelle.append(at(never_reset).frequencies[-1])
        within(tol)(hf, v["hf_last_inv_freq_after_each_call"])
        within(tol)(jquesnelle, v["jquesnelle_last_inv_freq_after_each_call"])
        return
    for row in v["by_seq_len"]:
        made = at(row["seq_len"])
        within(tol)(made.base, row["effective_base"])
        shown = slice(None) if row["full"] else [0, 1, width // 4, width // 2 - 1]
        within(tol)(made.frequencies[shown], row["inv_freq"])


@serves("rope_yarn")
def yarn(p: Case, v: Case, tol: Case) -> None:
    names = ("beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim")
    made = extension.yarn(
        p["head_dim"], p["base"], p["factor"], p["original_max_position"], **{n: p[n] for n in names if n in p}
    )
    within(tol)(made.attention_factor, v["attention_factor"])
    within(tol)(made.frequencies, v["inv_freq"])
    ramp = np.array(v["ramp_interpolation_share"])
    assert made.zones == tuple("keep" if r == 0 else "divide" if r == 1 else "blend" for r in ramp)
    plain = rotary.frequencies(p["head_dim"], p["base"])
    close(made.frequencies, plain * (1 - ramp) + plain / p["factor"] * ramp, rtol=1e-12)
    if "positions" in p:
        # Cosines and sines with the factor: what becomes of the vector (1, 0) of each pair.
        pairs = len(made.frequencies)
        ones = np.tile(np.repeat([1.0, 0.0], pairs), (len(p["positions"]), 1))
        got = rotary.rotate(ones, p["positions"], made.frequencies, "halves", made.attention_factor)
        close(got[:, :pairs], v["cos_first_half"], tol["cos_sin_atol"])
        close(got[:, pairs:], v["sin_first_half"], tol["cos_sin_atol"])


@serves("rope_yarn:get_mscale_table")
def mscale(p: Case, v: Case, tol: Case) -> None:
    got = np.array([extension.yarn(64, 10_000, s, 4096).attention_factor for s in p["scale"]])
    within(tol)(got, v["attention_factor"])
    within(tol)(got**2, v["logit_multiplier_is_square"])


@serves("rope_llama3")
def llama3(p: Case, v: Case, tol: Case) -> None:
    made = extension.llama3(
        p["head_dim"],
        p["base"],
        p["factor"],
        p["original_max_position"],
        p["low_freq_factor"],
        p["high_freq_factor"],
    )
    within(tol)(made.frequencies, v["inv_freq"])
    within(tol)(rotary.frequencies(p["head_dim"], p["base"]) / made.frequencies, v["ratio_unscaled_over_scaled"])
    assert {zone: made.zones.count(zone) for zone in ("keep", "blend", "divide")} == v["zone_counts"]


@serves("rope_longrope")
def longrope(p: Case, v: Case, tol: Case) -> None:
    for row in v["by_seq_len"]:
        made = extension.longrope(
            p["head_dim"],
            p["base"],
            p["short_factor"],
            p["long_factor"],
            p["original_max_position"],
            p["max_position"],
            length=row["seq_len"] or 1,
            factor=p.get("factor"),
        )
        within(tol)(made.frequencies, row["inv_freq"])
        within(tol)(made.attention_factor, v["attention_factor"])


# ── ALiBi and T5 ─────────────────────────────────────────────────────────────────────────────────────────────────────


@serves("alibi_slopes")
def alibi_slopes(p: Case, v: Case, tol: Case) -> None:
    if "slopes" in v:
        got = alibi.slopes(p["n_heads"], p["max_exponent"])
        within(tol)(got, v["slopes"])
        within(tol)(got, v[f"keras_hub_alibi_bias_max_{p['max_exponent']}"])
        return
    assert sorted(map(int, v["slopes_by_n_heads"])) == sorted(p["n_heads"])
    for n, want in v["slopes_by_n_heads"].items():
        within(tol)(alibi.slopes(int(n), p["max_exponent"]), want)


@serves("alibi_bias")
def alibi_bias(p: Case, v: Case, tol: Case) -> None:
    heads, length = p["n_heads"], p["T"]
    rates = alibi.slopes(heads)
    causal = alibi.bias(rates, length, length)
    symmetric = alibi.bias(rates, length, length, symmetric=True)
    within(tol)(causal, v["causal_matrix"])
    within(tol)(symmetric, v["symmetric_matrix"])
    # Key-only rows add slope * key (Press, BLOOM) or slope * (key - last) (MPT): the newest query's row, shifted.
    newest = alibi.bias(rates, 1, length)[:, 0]
    within(tol)(newest - newest[:, :1], v["key_only_row_press_bloom"])
    close(newest, v["key_only_row_mpt"], tol["atol"], tol["key_only_row_mpt_rtol"])
    # Scores as they are: times the identity, scale 1.
    keys = np.eye(length)
    lower = np.tril(np.ones((length, length), dtype=bool))
    for added in (causal, np.array(v["key_only_row_press_bloom"])[:, np.newaxis]):
        got = attention.attention(p["scores"], keys, keys, added, lower, scale=1)
        within(tol)(got.weights, v["softmax_causal"])
    got = attention.attention(p["scores"], keys, keys, symmetric, scale=1)
    within(tol)(got.weights, v["softmax_symmetric_unmasked"])


@serves("alibi_bias:bloom_left_padding")
def bloom_left_padding(p: Case, v: Case, tol: Case) -> None:
    # BLOOM adds slope * (position among the real tokens), and 0 for padding.
    positions = np.maximum(packing.positions_from_mask(p["attention_mask"]), 0)
    got = alibi.slopes(p["n_heads"])[:, np.newaxis] * positions[:, np.newaxis]
    within(tol)(got, v["alibi_shape_batch_heads_key"])


@serves("t5_buckets")
def t5_buckets(p: Case, v: Case, tol: Case) -> None:
    assert tol["exact"]
    relative = np.arange(p["relative_position_from"], p["relative_position_to"] + 1)
    both = t5.buckets(relative, True, p["num_buckets"], p["max_distance"])
    causal = t5.buckets(relative, False, p["num_buckets"], p["max_distance"])
    assert both.tolist() == v["bidirectional"]
    assert causal.tolist() == v["causal"]


@serves("t5_buckets:matrix_T6_bidirectional")
def t5_matrix(p: Case, v: Case, tol: Case) -> None:
    places = np.arange(p["T"])
    relative = places[np.newaxis, :] - places[:, np.newaxis]
    got = t5.buckets(relative, p["bidirectional"], p["num_buckets"], p["max_distance"])
    assert got.tolist() == v["bucket_matrix_rows_query"]


# ── attention, packing, similarity ───────────────────────────────────────────────────────────────────────────────────


@serves("attention_permutation")
def attention_permutation(p: Case, v: Case, tol: Case) -> None:
    x, (wq, wk, wv) = np.array(p["X"]), (np.array(p[name]) for name in ("Wq", "Wk", "Wv"))
    lower = np.tril(np.ones((len(x), len(x)), dtype=bool))
    for tokens, suffix in ((x, ""), (x[p["permutation"]], "_permuted_input")):
        free = attention.attention(tokens @ wq, tokens @ wk, tokens @ wv)
        causal = attention.attention(tokens @ wq, tokens @ wk, tokens @ wv, mask=lower)
        within(tol)(free.output, v["out" + suffix])
        within(tol)(causal.output, v["causal_out" + suffix])
        if not suffix:
            within(tol)(free.weights, v["weights"])
            within(tol)(causal.weights, v["causal_weights"])


@serves("packed_documents")
def packed_documents(p: Case, v: Case, tol: Case) -> None:
    lengths = p["doc_lengths"]
    total = sum(lengths)
    restarted, document = packing.restart_positions(lengths), packing.document_index(lengths)
    continuous = packing.restart_positions([total])
    blocks, plain = packing.block_mask(lengths), packing.block_mask([total])
    assert restarted.tolist() == v["positions_reset"]
    assert continuous.tolist() == v["positions_continuous"]
    assert document.tolist() == v["doc_index"]
    assert np.searchsorted(document, range(len(lengths) + 1)).tolist() == v["cu_seqlens"]
    assert blocks.astype(int).tolist() == v["mask_block_causal_1_is_attend"]
    speeds = rotary.frequencies(p["head_dim"], p["base"])
    q, k, values = (np.array(p[name]) for name in "qkv")

    def output(positions: Any, mask: Any, rows: Any = slice(None)) -> Any:
        turned = [rotary.rotate(x[rows], positions, speeds, "halves") for x in (q, k)]
        return attention.attention(*turned, values[rows], mask=mask).output

    within(tol)(output(continuous, plain), v["out_continuous_plain_causal"])
    within(tol)(output(continuous, blocks), v["out_continuous_block_causal"])
    within(tol)(output(restarted, blocks), v["out_reset_block_causal"])
    within(tol)(output(restarted, plain), v["out_reset_plain_causal"])
    alone = [
        output(packing.restart_positions([n]), packing.block_mask([n]), document == i) for i, n in enumerate(lengths)
    ]
    within(tol)(np.concatenate(alone), v["out_each_document_alone"])


@serves("similarity")
def similarities(p: Case, v: Case, tol: Case) -> None:
    x = p["vectors"]
    within(tol)(similarity.dot(x, x), v["dot"])
    within(tol)(similarity.cosine(x, x), v["cosine"])
    within(tol)(similarity.euclidean(x, x), v["euclidean"])
    within(tol)(similarity.row_norms(np.array(x, dtype=np.float64)), v["norm"])


@serves("similarity:one_hot_matmul_lesson")
def one_hot_lesson(p: Case, v: Case, tol: Case) -> None:
    table = np.array(p["E"])
    within(tol)((embedding.one_hot(p["id"], len(table)) @ table)[0], v["matmul"])
    within(tol)(embedding.lookup(table, [p["id"]])[0], v["lookup"])


@serves("similarity:sqrt_d_scale")
def sqrt_d_scale(p: Case, v: Case, tol: Case) -> None:
    for d, want in zip(p["d_model"], v["scale"], strict=True):
        within(tol)(embedding.scale_by_sqrt_d(np.ones(d)), np.full(d, want))


@serves("neighbours_pca:table_200x16_seed111")
def neighbours_pca(p: Case, v: Case, tol: Case) -> None:
    table = np.array(p["table"])
    for metric, queries in v["nearest"].items():
        for query in queries:
            row = query["query"]
            indices, scores = similarity.nearest(table, table[row], p["k"], metric, exclude=[row])
            assert indices.tolist() == query["neighbours"]
            if "distance" in query:
                within(tol)(1 - scores if metric == "cosine" else scores, query["distance"])
    pca, want = similarity.pca(table, table.shape[1]), v["pca"]
    within(tol)(pca.mean, want["mean"])
    within(tol)(pca.explained_variance, want["explained_variance_all"])
    within(tol)(pca.explained_variance_ratio, want["explained_variance_ratio_all"])
    within(tol)(np.sqrt(pca.explained_variance * (len(table) - 1)), want["singular_values_all"])
    few = similarity.pca(table, p["pca_components"])
    signs = np.sign((few.components * want["components"]).sum(axis=1))
    within(tol)(few.components * signs[:, np.newaxis], want["components"])
    close(few.points[:12] * signs, want["projection_first_12_rows"], tol["atol"])
    words = [f"w{i}" for i in range(len(table))]
    for query in v["gensim"]:
        _analogies(table, words, query, "most_similar_3cosadd", "most_similar_cosmul_3cosmul", tol["gensim_score_atol"])


@serves("neighbours_pca:analogy_capitals")
def analogy_capitals(p: Case, v: Case, tol: Case) -> None:
    table, names = np.array(p["vectors"]), p["names"]
    for query in v["queries"]:
        _analogies(table, names, query, "top5_3cosadd", "top5_3cosmul", tol["score_atol"])
        # The other way, with raw vectors and the query words kept, is a plain neighbour search.
        plus, minus = ([names.index(w) for w in query[side]] for side in ("positive", "negative"))
        raw = table[plus].sum(axis=0) - table[minus].sum(axis=0)
        indices, scores = similarity.nearest(table, raw, 5)
        _same_answers(
            names, indices, scores, query["top5_raw_unnormalised_vector_with_query_words_kept"], tol["score_atol"]
        )


def _analogies(table: Any, words: list[str], query: Case, added: str, multiplied: str, atol: float) -> None:
    plus, minus = ([words.index(w) for w in query[side]] for side in ("positive", "negative"))
    for method, key in (("3CosAdd", added), ("3CosMul", multiplied)):
        indices, scores = similarity.analogy(table, plus, minus, len(query[key]), method)
        _same_answers(words, indices, scores, query[key], atol)


def _same_answers(words: list[str], indices: Any, scores: Any, want: list[Any], atol: float) -> None:
    assert [words[i] for i in indices] == [word for word, _ in want]
    close(scores, [score for _, score in want], atol)


@serves("similarity_tables")
def shipped_tables(p: Case, v: Case, tol: Case) -> None:
    """Neighbours, analogies and principal components of the tables that ship, as gensim and scikit-learn see them."""
    table = shipped.table(p["table"])
    if p["kind"] == "pca":
        chosen = slice(None) if p["rows"] is None else p["rows"]
        found = similarity.pca(table.vectors[chosen], 2)
        within(tol)(found.explained_variance_ratio, v["ratio"])
        within(tol)(found.explained_variance, v["variance"])
        if "points" in v:
            signs = np.sign((found.points * v["points"]).sum(axis=0))
            within(tol)(found.points * signs, v["points"])
        return
    k = len(v["rows"])
    if p["kind"] in ("cosine", "euclidean"):
        query = table.vectors[p["row"]]
        rows, scores = similarity.nearest(table.vectors, query, k, p["kind"], exclude=[p["row"]], norms=table.norms)
    else:
        plus, minus = p["positive"], p["negative"]
        rows, scores = similarity.analogy(table.vectors, plus, minus, k, p["kind"], norms=table.norms)
    assert rows.tolist() == v["rows"]
    within(tol)(scores, v["scores"])


# ── the lesson's program, number formats, a real model's first layer ─────────────────────────────────────────────────


@serves("lesson_code:run_verbatim")
def lesson_program(p: Case, v: Case, tol: Case) -> None:
    before = np.random.default_rng(0).normal(size=(len(p["vocab"]), p["d_model"]))
    within(tol)(before, v["embedding_table_before_rounding"])
    table = before.round(2)
    within(tol)(table, v["embedding_table"])
    ids = [p["vocab"][token] for token in p["tokens"]]
    assert ids == v["ids"]
    tokens = embedding.lookup(table, ids)
    within(tol)(tokens, v["token_vecs"])
    positions = sinusoidal.table(np.arange(len(ids)), p["d_model"])
    within(tol)(positions, v["pos_vecs_without_the_round2"])
    within(tol)(positions.round(2), v["pos_vecs"])
    x = tokens + positions.round(2)
    within(tol)(x, v["x_unrounded_sum"])
    within(tol)(x.round(2), v["x_round2"])
    said = (
        f"embedding of 'cat': {table[p['vocab']['cat']]}\nposition 1 vector : {positions.round(2)[1]}\n"
        f"input to the model ({len(ids)} tokens x {p['d_model']} numbers):\n{x.round(2)}\n"
    )
    assert said == v["stdout"]


@serves("lesson_code")
def lesson_positions(p: Case, v: Case, tol: Case) -> None:
    got = sinusoidal.table(np.arange(p["n_positions"]), p["d"])
    within(tol)(got, v["unrounded_mpmath60"])
    within(tol)(got.round(2), v["rounded_2"])


@serves("float_precision:positions_in_half_types")
def half_types(p: Case, v: Case, tol: Case) -> None:
    assert tol["exact"]
    for name in precision.FORMATS:
        want = [float(x) for x in v[name]]
        assert precision.round_to(p["positions"], name).tolist() == want
        first = v["first_integer_not_exact"][name]
        assert precision.round_to([first - 1, first], name).tolist() != [first - 1, first]
        assert precision.round_to(first - 1, name) == first - 1


@serves("float_precision:exact_cos_sin_hd64_base10000")
def exact_angles(p: Case, v: Case, tol: Case) -> None:
    for row in v["rows"]:
        got = sinusoidal.table(row["position"], p["head_dim"], p["base"], "concatenated")[0]
        within(tol)(got, row["sin"] + row["cos"])


def _float32_angles(width: int, base: float, position: float) -> Any:
    """Angles as a float32 program gets them: every step rounded."""
    exponents = precision.round_to(np.arange(0, width, 2) / width, "float32")
    speeds = precision.round_to(1 / precision.round_to(base**exponents, "float32"), "float32")
    return precision.round_to(position * speeds, "float32"), speeds


@serves("float_precision:cos_sin_error_hd128_base10000", "float_precision:cos_sin_error_hd128_base500000")
def float32_errors(p: Case, v: Case, tol: Case) -> None:
    """Informational, without a tolerance of its own; our rounding reproduces the measurements to a thousandth."""
    assert tol["informational"]
    exact = rotary.frequencies(p["head_dim"], p["base"])
    for row in v["rows"]:
        position = row["position"]
        angles, speeds = _float32_angles(p["head_dim"], p["base"], position)
        errors = np.abs(angles - position * exact)
        assert int(errors.argmax()) == row["at_pair"]
        close(errors.max(), row["float32_angle_error_rad_max"], rtol=1e-3)
        got = np.abs(position * speeds - position * exact).max()
        close(got, row["float32_inv_freq_then_float64_product_angle_error_max"], rtol=1e-3)
        off = np.exp(1j * angles) - np.exp(1j * position * exact)
        got = np.maximum(np.abs(off.real), np.abs(off.imag))
        # The reference rounds the cosines too: half a step of float32.
        close(got.max(), row["float32_cos_sin_error_max"], atol=6e-8, rtol=1e-2)


@serves("float_precision:float32_score_drift_same_gap")
def float32_drift(p: Case, v: Case, tol: Case) -> None:
    """Informational; the reference's sums are float32 themselves, which hides differences below 2e-5."""
    assert tol["informational"]
    rng = np.random.default_rng(131)
    q, k = rng.normal(size=p["head_dim"]), rng.normal(size=p["head_dim"])

    def score(base: float, position: int) -> float:
        angles = [_float32_angles(p["head_dim"], base, place)[0] for place in (position + p["gap"], position)]
        # One position of 1 turn, at "speeds" that are the rounded angles.
        turned = [rotary.rotate(x, 1, a, "halves") for x, a in zip((q, k), angles, strict=True)]
        return similarity.dot(*turned).item()

    for row in v["rows"]:
        exact = rotary.scores(q, k, p["gap"], 0, rotary.frequencies(p["head_dim"], row["base"]), "halves").item()
        close(exact, row["score_gap2_at_0"], atol=2e-6)
        for position, drift in row["drift"].items():
            close(abs(score(row["base"], int(position)) - exact), drift, atol=2e-5, rtol=1e-2)


@serves("minilm_input_layer")
def minilm_input_layer(p: Case, v: Case, tol: Case) -> None:
    """With the rows of the shipped tables that the sentence needs, in minilm_rows.npz."""
    with np.load(GOLDEN / "minilm_rows.npz", allow_pickle=False) as stored:
        rows = dict(stored)
    assert rows["ids"].tolist() == p["ids"]
    tokens = rows["word_q8"] * rows["word_scale_f32"][:, np.newaxis].astype(np.float64)
    positions = learned.rows(rows["position_f16"], len(p["positions"]))
    close(tokens[:, :8], v["token_rows_first8"], tol["token_rows_first8"]["atol"])
    close(positions[:, :8], v["position_rows_first8"], tol["position_rows_first8"]["atol"])
    weight, bias = rows["layernorm_weight"], rows["layernorm_bias"]
    got = attention.layer_norm(tokens + positions + rows["token_type"], weight, bias, p["eps"])
    close(got, v["layer_norm_output"], tol["atol"])
    cosines = np.diag(similarity.cosine(got, v["layer_norm_output"]))
    assert (cosines >= tol["cosine_min"]).all()
    exact = p["exact_row"]
    assert p["tokens"][exact["index"]] == exact["token"]
    got = attention.layer_norm(exact["sum_before_layer_norm"], weight, bias, p["eps"])
    close(got, v["layer_norm_output"][exact["index"]], tol["exact_row"]["atol"])


def test_close_means_the_documented_rule() -> None:
    close([math.inf, 1.0], [math.inf, 1.0])
    with pytest.raises(AssertionError):
        close([1.0], [1.1], atol=0.05)
    with pytest.raises(AssertionError):
        close([math.nan], [1.0], atol=10)
