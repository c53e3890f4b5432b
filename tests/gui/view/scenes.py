"""Frames like those of the lessons, made by hand: what the view is tested and looked at with."""

from __future__ import annotations

import numpy as np

from core.stage.frame import (
    ArraySource,
    Axis,
    Bars,
    Card,
    Cards,
    Cell,
    Code,
    Curve,
    Dials,
    Formula,
    Frame,
    Hand,
    Handle,
    Label,
    Matrix,
    Outline,
    Panel,
    Points,
    Readout,
    Rect,
    Region,
    Segments,
    Table,
    Vectors,
    Worked,
)


def frame(*panels: Panel, covers: frozenset[str] = frozenset()) -> Frame:
    return Frame("A title", "A subtitle", panels, Worked(), "In words", covers)


def rope(query: float = 3.0, key: float = 1.0) -> Frame:
    theta = 10_000.0 ** (-np.arange(8) / 8)
    x = np.linspace(0, 20, 400)
    gap = query - key
    dial = Panel(
        "dial",
        Cell(0, 0, 12, 5),
        (
            Dials(
                "dials",
                (Hand("q", np.array([query]), "query"), Hand("k", np.array([key]), "key")),
                Rect(-1, -1, 2, 2),
                1,
                wedge=("q", "k"),
                ticks=24,
            ),
            Label("ql", -1.0, 1.16, "q at m = 3", "heading", "query", "top left", bold=True),
            Label("kl", 1.0, 1.16, "k at n = 1", "heading", "key", "top right", bold=True),
            Label(
                "wl",
                0.28 * np.cos((query + key) / 2),
                0.28 * np.sin((query + key) / 2),
                "2 rad",
                "label",
                "where",
                bold=True,
            ),
        ),
        caption="one pair of dimensions, θ = 1 rad per position",
        x=Axis(-1.02, 1.02),
        y=Axis(-1.02, 1.16),
        equal=True,
    )
    score = Panel(
        "score",
        Cell(0, 5, 3, 7),
        readouts=(
            Readout("score", "−0.416", "score  q · k"),
            Readout("gap", "gap  m − n = 2", role="where", size="heading", detail="cos(2 × 1) = −0.416"),
        ),
    )
    curve = Panel(
        "curve",
        Cell(3, 5, 5, 7),
        (
            Curve("zero", np.array([0.0, 20.0]), np.array([0.0, 0.0]), "control", "thin"),
            Curve("score_curve", x, np.cos(x), "query"),
            Curve("gap_line", np.array([gap, gap]), np.array([-1.1, 1.1]), "where", "line", "dash"),
            Points("gap_dot", np.array([gap]), np.cos([gap]), "where", 1.6),
            Label("gap_label", gap + 0.4, 1.1, "gap 2", "label", "where", "left", bold=True),
        ),
        title="score against gap",
        x=Axis(0, 20, ((0, "0"), (20, "20"))),
        y=Axis(-1.15, 1.15),
    )
    pairs = Panel(
        "pairs",
        Cell(8, 5, 4, 7),
        (
            Dials(
                "all",
                (Hand("all_q", query * theta, "query"), Hand("all_k", key * theta, "key")),
                Rect(0, 0, 8, 1),
                8,
            ),
        ),
        title="all 8 pairs: fast hands on the left, slow on the right",
        x=Axis(0, 8),
    )
    return frame(dial, score, curve, pairs)


def sinusoid(rows: int, d: int = 16) -> np.ndarray:
    angles = np.arange(rows)[:, None] / 10_000 ** (2 * np.arange(d // 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(rows, d)


def positions(position: int = 6, decimals: int | None = None) -> Frame:
    table = sinusoid(16)
    matrix = Panel(
        "matrix",
        Cell(0, 0, 12, 7),
        (
            Matrix(
                "table",
                ArraySource(table),
                (0, 16),
                (0, 16),
                (-1, 1),
                decimals=decimals,
                row_labels=tuple(str(i) for i in range(16)),
                column_labels=tuple(str(i // 2) for i in range(16)),
                outlines=(Outline(position, 0, 1, 16, "where"),),
                hover="position {row}, dimension {column}: {value}",
                scrolls=True,
            ),
        ),
        note="−1 blue   0   olive +1",
        caption="row 6 of 1,000,000 · scroll or type a position",
        x=Axis(0, 16),
        y=Axis(0, 16),
        invert_y=True,
        choice=Segments(
            "scheme",
            (("raw", "raw index"), ("binary", "binary"), ("sinusoidal", "sinusoidal"), ("learned", "learned")),
            "sinusoidal",
        ),
    )
    dials = Panel(
        "dials_panel",
        Cell(0, 7, 7, 5),
        (
            Dials(
                "clock",
                (Hand("hands", position / 10_000 ** (np.arange(8) / 8), "where"),),
                Rect(0, 0, 4, 2),
                4,
            ),
        ),
        title="position 6 on eight dials",
        caption="look-alike beyond ±3: position 50",
        x=Axis(0, 4),
        y=Axis(0, 2),
        invert_y=True,
    )
    facts = Panel(
        "facts",
        Cell(7, 7, 5, 5),
        (
            Table(
                "needs",
                (
                    ("what a good scheme needs", ""),
                    ("bounded: all in [−1, 1]", "✓"),
                    ("unique: no two rows equal", "✓"),
                    ("relative: shift = one matrix", "✓"),
                    ("past training: defined, degrades", "✗"),
                ),
                Rect(0, 0, 1, 1),
                widths=(6, 1),
            ),
        ),
    )
    return frame(matrix, dials, facts)


def lookup(picked: int = 2) -> Frame:
    table = np.array([[0.1, -0.3, 0.8], [0.4, 0.2, -0.6], [0.5, 0.9, -0.2], [-0.7, 0.1, 0.3]])
    plain = np.ones((4, 3), bool)
    plain[picked] = False
    one_hot = np.zeros((1, 4))
    one_hot[0, picked] = 1
    cards = Panel(
        "cards_panel",
        Cell(0, 0, 3, 12),
        (
            Cards(
                "cards",
                tuple(Card(f"ID {i}", f"row {i}", picked=i == picked) for i in range(4)),
                Rect(0, 0, 0.7, 1),
                draggable=True,
            ),
            Label("facts", 0.73, 0.5, "4 tokens, d = 3\n12 numbers in E", "label", "muted", "left"),
        ),
    )
    product = Panel(
        "product",
        Cell(3, 0, 9, 12),
        (
            Label("one_hot_title", 0, 0.4, "one-hot(2)", "heading", "muted", "left", bold=True),
            Matrix(
                "one_hot",
                ArraySource(one_hot),
                (0, 1),
                (0, 4),
                (0, 1),
                Rect(0, 2.6, 2.8, 0.9),
                "none",
                0,
                fills=(Outline(0, picked),),
                plain=one_hot == 0,
                separate=True,
            ),
            Label("times", 3.05, 3.05, "×", "title", "muted", bold=True),
            Label("E", 3.4, 0.4, "E   4 × 3", "heading", "muted", "left", bold=True),
            Matrix(
                "E_table",
                ArraySource(table),
                (0, 4),
                (0, 3),
                (-1, 1),
                Rect(3.4, 0.9, 4.1, 4.2),
                decimals=1,
                plain=plain,
                outlines=(Outline(picked, 0, 1, 3),),
                separate=True,
            ),
            Label("equals", 8.2, 3.05, "=", "title", "muted", bold=True),
            Label("row", 8.7, 0.4, "row 2, exactly", "heading", "muted", "left", bold=True),
            Matrix(
                "answer",
                ArraySource(table[picked : picked + 1]),
                (0, 1),
                (0, 3),
                (-1, 1),
                Rect(8.7, 2.6, 3.1, 0.95),
                decimals=1,
                outlines=(Outline(0, 0, 1, 3),),
                separate=True,
            ),
        ),
        x=Axis(0, 12),
        y=Axis(0, 5.3),
        invert_y=True,
    )
    return frame(cards, product)


def zoo() -> Frame:
    """One of every mark that the three above don't have."""
    rng = np.random.default_rng(1)
    names = ("<s>", "<unk>", "&amp;", "cat", "dog", "king", "queen", "man", "woman", "the")
    x = np.linspace(0, 10, 50)
    points = Panel(
        "points_panel",
        Cell(0, 0, 6, 4),
        (
            Points("cloud", rng.normal(size=10), rng.normal(size=10), "what", labels=names, picked=(3,), hover=names),
            Points("rings", np.array([1.5, -1.5]), np.array([-1.5, -1.5]), "where", shape="ring"),
            Points("crosses", np.array([0.0]), np.array([-1.7]), "key", shape="cross"),
        ),
        title="near means alike <b>&amp;",
        x=Axis(-2, 2),
        y=Axis(-2, 2),
    )
    vectors = Panel(
        "vectors_panel",
        Cell(0, 4, 6, 4),
        (
            Vectors(
                "arrows",
                np.zeros(3),
                np.zeros(3),
                np.array([1, 0.6, -0.8]),
                np.array([0.5, 1, 0.3]),
                labels=("a", "b", "c"),
            ),
            Handle("grip", 0.3, -0.5, "query", "the grip", 0.1),
        ),
        title="three arrows",
        x=Axis(-1.2, 1.2),
        y=Axis(-1, 1.2),
        equal=True,
    )
    series = Panel(
        "series",
        Cell(0, 8, 6, 4),
        (
            Region("band", x, np.sin(x) - 0.3, np.sin(x) + 0.3, hatched=True),
            Curve("one", x, np.sin(x), "text", name="one"),
            Curve("two", x, np.sin(x) * 0.9 - 0.05, "muted", dash="dash", name="two"),
            Curve("three", x, np.cos(x), "what", "thin", "dot", name="three"),
        ),
        title="several series",
        x=Axis(0, 10, ((0, "0"), (5, "5"), (10, "10")), "position"),
        y=Axis(-1.4, 1.4, ((-1, "−1"), (0, "0"), (1, "1")), "score"),
    )
    bars = Panel(
        "bars_panel",
        Cell(6, 0, 6, 3),
        (
            Bars(
                "bars",
                np.arange(4.0),
                np.array([0.9, 0.7, 0.4, 0.2]),
                labels=("0.90", "0.70", "0.40", "0.20"),
                picked=1,
                horizontal=True,
            ),
        ),
        title="attention weights",
        x=Axis(0, 1),
        y=Axis(-0.5, 3.5, tuple((float(i), name) for i, name in enumerate(("<s>", "the", "cat", "sat")))),
        invert_y=True,
        border="warn",
    )
    causal = np.triu(np.ones((6, 6), bool), 1)
    tiles = Panel(
        "tiles_panel",
        Cell(6, 3, 6, 3),
        (
            Matrix(
                "heads",
                ArraySource(
                    np.stack([-np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0))) * 2.0**-h for h in range(4)])
                ),
                (0, 6),
                (0, 6),
                (-5, 5),
                tiles=tuple(f"head {h}" for h in range(4)),
                tile_columns=2,
                picked_tile=1,
                decimals=None,
                mask=causal,
            ),
        ),
        title="four heads",
        x=Axis(0, 6),
        y=Axis(0, 6),
        invert_y=True,
    )
    masked = Panel(
        "mask_panel",
        Cell(6, 6, 6, 3),
        (
            Matrix(
                "causal",
                ArraySource(np.tril(rng.random((5, 5)))),
                (0, 5),
                (0, 5),
                (0, 1),
                colours="amount",
                mask=np.triu(np.ones((5, 5), bool), 1),
                mask_text="−∞",
                row_labels=("<s>", "The", "cat", "sat", "on"),
                column_labels=("<s>", "The", "cat", "sat", "antidisestablish"),
            ),
        ),
        title="who may look at whom",
        x=Axis(0, 5),
        y=Axis(0, 5),
        invert_y=True,
    )
    words = Panel(
        "words",
        Cell(6, 9, 6, 3),
        (
            Formula("formula", r"q_m^\top k_n = \cos((m-n)\theta)", 0.5, 0.85, "heading", spoken="q m times k n"),
            Code("code", ("x = E[ids]", "x = x + P[:n]", "y = block(x)"), Rect(0, 0, 1, 0.55), lit=(1,)),
        ),
        title="in code",
        readouts=(Readout("loss", "0.693", "loss"),),
    )
    return frame(points, vectors, series, bars, tiles, masked, words, covers=frozenset({"loss"}))


ALL = {"rope": rope, "positions": positions, "lookup": lookup, "zoo": zoo}
