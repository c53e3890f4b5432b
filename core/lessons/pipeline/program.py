"""A whole program: three words, a seeded table, sinusoidal positions, and the input to the model.

It prints what the second lesson prints; here the positions are rounded only where they are printed, so that far
positions stay different.
"""

from __future__ import annotations

LINES = (
    "import numpy as np",
    'words = ["the", "cat", "sat", "on", "mat"]',
    "n, d, rng = 3, 4, np.random.default_rng(0)",
    "E = rng.normal(size=(5, d)).round(2)",
    "ids = [words.index(w) for w in words[:n]]",
    "i = np.arange(0, d, 2) / d",
    "a = np.arange(n)[:, None] / 10_000 ** i",
    "P = np.dstack([np.sin(a), np.cos(a)])",
    "P = P.reshape(n, d)",
    "x = E[ids] + P",
    "print(\"embedding of 'cat':\", E[1])",
    'print("position 1 vector :", P[1].round(2))',
    'size = f"({n} tokens x {d} numbers):"',
    'print("input to the model", size)',
    "print(x.round(2))",
)

# What it prints with numpy 1.26 and 2.x; a test runs it and compares.
PRINTED = (
    "embedding of 'cat': [-0.54  0.36  1.3   0.95]",
    "position 1 vector : [0.84 0.54 0.01 1.  ]",
    "input to the model (3 tokens x 4 numbers):",
    "[[ 0.13  0.87  0.64  1.1 ]",
    " [ 0.3   0.9   1.31  1.95]",
    " [ 0.21 -1.69 -0.6   1.04]]",
)

# Which lines do a station, by number from 0, and which printed ones show it.
LIT: dict[str, tuple[int, ...]] = {
    "text": (1,),
    "tokens": (1,),
    "ids": (4,),
    "lookup": (2, 3, 9),
    "scale": (),
    "position": (5, 6, 7, 8, 9),
    "norm": (),
    "block": (12, 13, 14),
}
SHOWN: dict[str, tuple[int, ...]] = {"lookup": (0,), "position": (1, 3, 4, 5), "block": (2, 3, 4, 5)}

# What the strip says of its arrays; it has no batch, and no scaling.
SHAPES = {"text": "3", "tokens": "3", "ids": "3", "lookup": "3×4", "position": "3×4", "block": "3×4"}
