"""Every number on the way from a text to the first block, for four ways to tell a position.

learned: MiniLM's input layer with its own weights (rows of 8 bits). sinusoidal: the original Transformer's sizes, rows
drawn with a seed. rope: SmolLM2's own rows and first layer. alibi: rows and weights drawn with a seed.
Source: Devlin et al. 2018; Vaswani et al. 2017, sections 3.4 and 3.5; Su et al. 2021; Press et al. 2021.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.encodings import alibi, attention, embedding, learned, rotary, sinusoidal
from core.stage.frame import Array
from core.tables import shipped, tokenizers
from core.tables.table import Table
from core.tables.tokens import Token
from core.tables.vocabulary import TokenId
from core.values import dataclass

PATHS = ("learned", "sinusoidal", "rope", "alibi")
STATIONS: dict[str, tuple[str, ...]] = {
    "learned": ("text", "tokens", "ids", "lookup", "position", "norm", "block"),
    "sinusoidal": ("text", "tokens", "ids", "lookup", "scale", "position", "block"),
    "rope": ("text", "tokens", "ids", "lookup", "norm", "qk", "turn", "score"),
    "alibi": ("text", "tokens", "ids", "lookup", "norm", "qk", "score", "bias"),
}
LAYER_FROM = {"learned": 6, "sinusoidal": 6, "rope": 4, "alibi": 4}  # the first station inside the first layer
VOCABULARY = {"learned": "minilm", "sinusoidal": "gpt2", "rope": "smollm2", "alibi": "gpt2"}
WIDTH = {"learned": 384, "sinusoidal": 512, "rope": 576, "alibi": 512}
HEADS = {"learned": 12, "sinusoidal": 8, "rope": 9, "alibi": 8}
KEY_HEADS = {"learned": 12, "sinusoidal": 8, "rope": 3, "alibi": 8}  # SmolLM2's query heads share them by threes
HEAD_DIM = {"learned": 32, "sinusoidal": 64, "rope": 64, "alibi": 64}
LAYERS = {"learned": 6, "sinusoidal": 6, "rope": 30, "alibi": 70}
MOST = 8  # tokens of a sentence, MiniLM's [CLS] and [SEP] among them
MOST_STATIONS = max(map(len, STATIONS.values()))
LAST_ROW = 511  # of MiniLM's position table
MOST_SENTENCES = 4
BASE = 10_000.0  # of the sinusoidal table
_SEED = 2017


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of the sentence at its place. ``id`` is None where the table that ships has no row for it; ``end`` is
    where it ends in the typed sentence, 0 for [CLS] and [SEP], which were not typed."""

    shown: str
    id: int | None
    place: int
    end: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in one vocabulary, and how many tokens were too many."""

    pieces: tuple[Piece, ...]
    too_many: int = 0

    @property
    def known(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.id is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(piece.shown for piece in self.pieces if piece.id is None))


@lru_cache(maxsize=128)
def sentence(vocabulary: str, typed: str) -> Sentence:
    """The first tokens of a text; MiniLM's stand between [CLS] and [SEP]."""
    tokens: tuple[Token, ...]
    if vocabulary == "minilm":
        whole = tokenizers.minilm().tokens(typed, True)
        inner = whole[1:-1]
        if not inner:
            return Sentence(())
        kept = inner[: MOST - 2]
        tokens, too_many = (whole[0], *kept, whole[-1]), len(inner) - len(kept)
    else:
        whole = tokenizers.tokenizer(vocabulary).tokens(typed)
        tokens, too_many = whole[:MOST], max(0, len(whole) - MOST)
    ends = [token.end if token.end > token.start else 0 for token in tokens]
    pieces = (Piece(token.shown, token.id, at, ends[at]) for at, token in enumerate(tokens))
    return Sentence(tuple(pieces), too_many)


def parts(typed: str) -> tuple[str, ...]:
    """The sentences of a batch as they were typed: a bar stands between them."""
    found = tuple(part.strip() for part in typed.split("|"))
    return tuple(part for part in found if part)


@dataclass(frozen=True, eq=False)
class Run:
    """One sentence on one path. ``arrays`` by station: (n, d) rows; for ``qk`` and ``turn`` (2, n, 64), q over k; for
    ``score`` and ``bias`` (n, n), the scores that the softmax sees. ``positions`` (n,), ``head`` from 1."""

    path: str
    read: Sentence
    positions: tuple[int, ...]
    head: int
    arrays: dict[str, Array]
    position_rows: Array | None = None  # (n, d): what is added at the input
    cosines: Array | None = None  # (n, 32) of the angles, for RoPE
    sines: Array | None = None
    weights: Array | None = None  # (n, n) after the softmax

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(piece.shown for piece in self.read.known)

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(piece.id for piece in self.read.known if piece.id is not None)

    @property
    def n(self) -> int:
        return len(self.read.known)

    @property
    def slope(self) -> float:
        return float(alibi.slopes(HEADS["alibi"])[self.head - 1])


def table_of(path: str) -> Table | None:
    """The table that ships for this path, or None where rows are drawn."""
    return shipped.table(VOCABULARY[path]) if path in ("learned", "rope") else None


@lru_cache(maxsize=64)
def run(path: str, typed: str, first: int, head: int) -> Run:
    """The walk of a sentence whose first token stands at position ``first``."""
    read = sentence(VOCABULARY[path], typed)
    positions = tuple(first + piece.place for piece in read.known)
    if not positions:
        return Run(path, read, (), head, {})
    walk = {"learned": _learned, "sinusoidal": _sinusoidal, "rope": _rope, "alibi": _alibi}[path]
    found = walk(read, positions, head)
    for array in found.arrays.values():
        array.flags.writeable = False
    return found


def _rows(path: str, read: Sentence) -> Array:
    table = table_of(path)
    if table is None:
        return np.stack([drawn_row(piece.id or 0, WIDTH[path]) for piece in read.known])
    rows = [table.lookup(_id_of(table, piece)) for piece in read.known]
    return np.stack(rows).astype(np.float64)


def _id_of(table: Table, piece: Piece) -> TokenId:
    return TokenId(table.vocabulary, piece.id if piece.id is not None else 0)


@lru_cache(maxsize=256)
def drawn_row(token_id: int, d: int) -> Array:
    """(d,) numbers of spread d^-0.5, three decimals, with the token's ID as the seed."""
    drawn: Array = np.random.default_rng([_SEED, token_id]).normal(0.0, d**-0.5, d).round(3) + 0.0
    return drawn


def stored(path: str, piece: Piece, column: int) -> tuple[int, float] | None:
    """The 8-bit number and the scale that a shipped row is made from; None for a drawn row."""
    table = table_of(path)
    if table is None or table.scales is None:
        return None
    row = table.row_of(_id_of(table, piece))
    scales = table.scales[row]
    scale = scales if scales.ndim == 0 else scales[column // (table.dim // len(scales))]
    return int(table.values[row, column]), float(scale)


def _learned(read: Sentence, positions: tuple[int, ...], head: int) -> Run:
    rows = _rows("learned", read)
    places = learned.rows(shipped.minilm_positions(), len(positions), positions[0])
    added = rows + places + shipped.minilm_token_types()[0]
    norm = shipped.minilm_layernorm()
    normed = attention.layer_norm(added, norm.weight, norm.bias, norm.eps)
    arrays = {"lookup": rows, "position": added, "norm": normed, "block": normed}
    return Run("learned", read, positions, head, arrays, places)


def _sinusoidal(read: Sentence, positions: tuple[int, ...], head: int) -> Run:
    rows = _rows("sinusoidal", read)
    scaled = embedding.scale_by_sqrt_d(rows)
    places = sinusoidal.table(positions, WIDTH["sinusoidal"], BASE)
    added = scaled + places
    arrays = {"lookup": rows, "scale": scaled, "position": added, "block": added}
    return Run("sinusoidal", read, positions, head, arrays, places)


def _masked(scores: Array) -> tuple[Array, Array]:
    """Scores with 0 above the diagonal (hidden on the stage), and the causal softmax."""
    n = len(scores)
    may = np.tril(np.ones((n, n), dtype=bool))
    high = np.where(may, scores, -np.inf).max(axis=1, keepdims=True)
    power = np.where(may, np.exp(np.minimum(scores - high, 0.0)), 0.0)
    return np.where(may, scores, 0.0), power / power.sum(axis=1, keepdims=True)


def _rope(read: Sentence, positions: tuple[int, ...], head: int) -> Run:
    layer = shipped.smollm2_layer0()
    rows = _rows("rope", read)
    normed = attention.rms_norm(rows, layer.attn_norm, layer.eps)
    d, group = layer.head_dim, (head - 1) * layer.n_kv_heads // layer.n_heads
    q = normed @ head_weights("rope", head)[0].T
    k = normed @ layer.k[group * d : (group + 1) * d].astype(np.float64).T
    speeds = rotary.frequencies(d, layer.rope_theta)
    turned = [rotary.rotate(part, positions, speeds, layer.pairing) for part in (q, k)]
    angles = np.outer(positions, speeds)
    score, weights = _masked(turned[0] @ turned[1].T / np.sqrt(d))
    arrays = {"lookup": rows, "norm": normed, "qk": np.stack([q, k]), "turn": np.stack(turned), "score": score}
    return Run("rope", read, positions, head, arrays, None, np.cos(angles), np.sin(angles), weights)


def _alibi(read: Sentence, positions: tuple[int, ...], head: int) -> Run:
    rows = _rows("alibi", read)
    normed = attention.layer_norm(rows)
    w_q, w_k = head_weights("alibi", head)
    q, k = normed @ w_q.T, normed @ w_k.T
    plain = q @ k.T / np.sqrt(HEAD_DIM["alibi"])
    gaps = np.subtract.outer(positions, positions)
    slope = alibi.slopes(HEADS["alibi"])[head - 1]
    score, _ = _masked(plain)
    biased, weights = _masked(plain - slope * np.maximum(gaps, 0))
    arrays = {"lookup": rows, "norm": normed, "qk": np.stack([q, k]), "score": score, "bias": biased}
    return Run("alibi", read, positions, head, arrays, None, weights=weights)


@lru_cache(maxsize=32)
def head_weights(path: str, head: int) -> tuple[Array, Array]:
    """(64, d) of the query and of the key in this head, head from 1; ALiBi's are drawn with the head as the seed."""
    if path == "rope":
        layer = shipped.smollm2_layer0()
        d, group = layer.head_dim, (head - 1) * layer.n_kv_heads // layer.n_heads
        return (
            layer.q[(head - 1) * d : head * d].astype(np.float64),
            layer.k[group * d : (group + 1) * d].astype(np.float64),
        )
    d = WIDTH["alibi"]
    drawn = np.random.default_rng([_SEED, head]).normal(0.0, d**-0.5, (2, HEAD_DIM["alibi"], d)).round(3) + 0.0
    return drawn[0], drawn[1]


def shape(path: str, station: str, batch: int, tokens: int) -> tuple[int, ...]:
    """What the station's array measures for a batch of sentences, padded to one length."""
    heads, head_dim = HEADS[path], HEAD_DIM[path]
    if station == "text":
        return (batch,)
    if station in ("tokens", "ids"):
        return batch, tokens
    if station in ("qk", "turn"):
        return batch, heads, tokens, head_dim
    if station in ("score", "bias"):
        return batch, heads, tokens, tokens
    return batch, tokens, WIDTH[path]
