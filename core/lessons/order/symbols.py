"""The formula of attention in pieces, with what each scheme of positions adds to it."""

from __future__ import annotations

from core.stage.numbers import MINUS
from core.stage.theme import Role
from core.values import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """A piece of the formula: what it is called in the texts ("" for a sign that stands for nothing), how it is
    typeset, its colour, and how a line of arithmetic writes it."""

    name: str
    latex: str
    role: Role = "text"
    plain: str = ""


def symbols(scheme: str, causal: bool) -> tuple[Symbol, ...]:
    """The formula's pieces. What a scheme adds is orange: it alone knows a place."""
    bias_latex, bias_plain = (
        (r"\,{-}\,m\,(i-j)", f" {MINUS} m(i{MINUS}j)") if causal else (r"\,{-}\,m\,|i-j|", f" {MINUS} m|i{MINUS}j|")
    )
    inputs = {"raw_index": (r"\,[x_j, j]", "[x(j), j]"), "sinusoidal": (r"\,(x_j + p_j)", "(x(j) + p(j))")}
    inputs["learned"] = inputs["sinusoidal"]
    q, k = Symbol("q", r"q_i", "query", "q(i)"), Symbol("k", r"k_j", "key", "k(j)")
    dot = Symbol("", r"\cdot", plain="·")
    if scheme == "rope":
        inner = [Symbol("place", r"R_i", "where", "R(i) "), q, dot, Symbol("place", r"R_j", "where", "R(j) "), k]
    else:
        inner = [q, dot, k]
    bias = [Symbol("place", bias_latex, "where", bias_plain)] if scheme == "alibi" else []
    if scheme in inputs:
        tail = [Symbol("place", inputs[scheme][0], "where", inputs[scheme][1]), Symbol("W", r"W_v", "what", " W_v")]
    else:
        tail = [Symbol("v", r"v_j", "what", "v(j)")]
    return (
        Symbol("out", r"\mathrm{out}_i", "what", "out(i)"),
        Symbol("", r"\,{=}\,", plain=" = "),
        Symbol("sum", r"\sum_{j \leq i}" if causal else r"\sum_{j}", "where" if causal else "text",
               "Σ(j≤i)" if causal else "Σ(j)"),
        Symbol("softmax", r"\mathrm{softmax}_j", plain=" softmax"),
        Symbol("", "(", plain="("),
        *inner,
        Symbol("", "/", plain=" / "),
        Symbol("root", r"\sqrt{d}", plain="√d"),
        *bias,
        Symbol("", ")", plain=") "),
        *tail,
    )  # fmt: skip
