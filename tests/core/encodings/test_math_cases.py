"""Every entry of tests/cases/math_cases.json: small inputs that other projects got wrong, with exact answers."""

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
)
from core.encodings.checks import ArgumentError

Input = dict[str, Any]
ENTRIES = json.loads((Path(__file__).parents[2] / "cases" / "math_cases.json").read_text(encoding="utf-8"))

LAYOUTS = {"interleaved": "interleaved", "halves": "concatenated"}
PAIRINGS = {"interleaved": "adjacent", "halves": "halves"}


def sinusoid(i: Input) -> Any:
    return sinusoidal.table(i["pos"], i["d"], i["base"], LAYOUTS[i.get("layout", "interleaved")])


def rotated(i: Input) -> Any:
    speeds = rotary.frequencies(len(i["x"]), i["base"], i.get("rotary"))
    return rotary.rotate(i["x"], i["m"], speeds, PAIRINGS[i["layout"]])


def positions(i: Input) -> Any:
    if "mask" in i:
        return [None if p == -1 else p for p in packing.positions_from_mask(i["mask"]).tolist()]
    if "lengths" in i:
        return packing.restart_positions(i["lengths"])
    return packing.restart_positions([i["new"]], offset=i["cached"])


def yarn_frequencies(i: Input) -> Any:
    made = extension.yarn(i["d"], i["base"], i["s"], i["L0"], i["beta_fast"], i["beta_slow"])
    low = made.zones.count("keep") - 1
    return {"low": low, "high": made.zones.index("divide"), "freqs": made.frequencies[i["index"]]}


def llama3_frequencies(i: Input) -> Any:
    return extension.llama3(i["d"], i["base"], i["factor"], i["L0"], i["low"], i["high"]).frequencies[i["index"]]


def alibi_matrix(i: Input) -> Any:
    got = alibi.bias(i["slope"], i["L"], i["L"], symmetric=not i["causal"])[0].tolist()
    assert all(math.copysign(1, got[n][n]) == 1 for n in range(i["L"])), "the diagonal is 0, not -0"
    if i["causal"]:
        may = packing.block_mask([i["L"]])
        got = [[x if may[r, c] else "masked" for c, x in enumerate(row)] for r, row in enumerate(got)]
    return got


def interpolated_angle(i: Input) -> Any:
    return i["pos"] * extension.linear(i["d"], i["base"], i["s"]).frequencies[i["i"]]


def cosine(i: Input) -> Any:
    got = similarity.cosine(i["a"], i["b"]).item()
    assert not abs(got) > 1
    return "undefined" if math.isnan(got) else got


def dynamic_bases(i: Input) -> Any:
    return [extension.dynamic_ntk(i["d"], i["base"], i["s"], i["L0"], length).base for length in i["lengths"]]


TOPICS: dict[str, Callable[[Input], Any]] = {
    "sinusoidal": sinusoid,
    "rope-rotate": rotated,
    "rope-partial": rotated,
    "rope-dot": lambda i: rotary.scores(i["q"], i["k"], i["m"], i["n"], [i["theta"]]).item(),
    "round-position": lambda i: precision.round_to(i["pos"], i["dtype"]),
    "rope-wavelength": lambda i: 2 * math.pi / rotary.frequencies(i["d"], i["base"])[i["i"]],
    "ntk-base": lambda i: extension.ntk_aware(i["d"], i["base"], i["s"]).base,
    "dynamic-ntk-base": lambda i: extension.dynamic_ntk(i["d"], i["base"], i["s"], i["L0"], i["L"]).base,
    "sequence": dynamic_bases,
    "yarn-attention-factor": lambda i: extension.yarn(64, 10_000, i["s"], 2048).attention_factor,
    "yarn-freqs": yarn_frequencies,
    "pi-angle": interpolated_angle,
    "llama3-freqs": llama3_frequencies,
    "alibi-slopes": lambda i: alibi.slopes(i["heads"]),
    "alibi-matrix": alibi_matrix,
    "alibi-fp16": lambda i: precision.round_to(-i["slope"] * np.array(i["distance"]), i["dtype"]),
    "positions": positions,
    "cosine": cosine,
    "scale": lambda i: embedding.scale_by_sqrt_d(np.ones(i["d_model"]))[0],
    "accept": lambda i: learned.rows(np.zeros((i["table"], 2)), 1, offset=i["pos"]),
}

# What is refused: the call, and words that the message must hold.
REFUSALS: dict[str, tuple[Callable[[Input], Any], Callable[[Input], list[str]]]] = {
    "sinusoidal": (lambda i: sinusoidal.table([0], i["d"]), lambda i: ["d_model", "0"]),
    "rope": (
        lambda i: rotary.frequencies(i.get("d", 64), i.get("base", 10_000)),
        lambda i: ["head_dim", "65", "pairs", "even"] if "d" in i else ["base", "0"],
    ),
    "yarn": (lambda i: extension.yarn(i["d"], i["base"], i["s"], i["L0"]), lambda i: ["base", "1"]),
    "learned": (
        lambda i: learned.rows(np.zeros((i["table"], 2)), 1, offset=i["pos"]),
        lambda i: [str(i["table"]), str(i["pos"]), "position 1023"],
    ),
    "heads": (lambda i: attention.split_heads(i["d_model"], i["heads"]), lambda i: ["128", "3", "2", "4"]),
}


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_math_case(entry: dict[str, Any]) -> None:
    given, want = entry["input"], entry["expect"]
    if want == "refuse":
        call, words = REFUSALS[given.get("what", "heads")]
        with pytest.raises(ArgumentError) as refused:
            call(given)
        assert all(word in str(refused.value) for word in words(given)), str(refused.value)
    elif want == "no stretch possible":
        with pytest.raises(ValueError, match=r"head_dim is 2: .*no stretch possible"):
            TOPICS[entry["topic"]](given)
    elif want == "accept":
        assert len(TOPICS["accept"](given)) == 1
    else:
        same(TOPICS[entry["topic"]](given), want, entry["tol"])


def same(got: Any, want: Any, tol: float) -> None:
    if isinstance(want, dict):
        assert got.keys() == want.keys()
        for key in want:
            same(got[key], want[key], tol)
    elif isinstance(want, list):
        assert len(got) == len(want)
        for one, other in zip(got, want, strict=True):
            same(one, other, tol)
    elif isinstance(want, int | float):
        assert abs(got - want) <= tol
    else:
        assert got == want


def test_one_length_after_another_leaves_no_trace() -> None:
    """dyn-ntk-reset: the third is the first, bit for bit."""
    first, _, third = (extension.dynamic_ntk(128, 10_000, 2, 2048, n).frequencies for n in (512, 8192, 512))
    assert first.tobytes() == third.tobytes()
