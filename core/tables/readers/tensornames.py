"""Which tensor of a checkpoint is the table of tokens, as far as its name says."""

from __future__ import annotations

import re
from collections.abc import Iterable

TABLE_NAMES = tuple(
    re.compile(rf"(^|\.)({pattern})(\.weight)?$")
    for pattern in (
        r"wte|word_embeddings|embed_tokens|tok_embeddings|embed_in|word_embedding|token_embedding(_table)?",
        r"token_embeddings?|tok_emb|shared|embeddings\.word|wordEmbeddings|lookup_table",
        r"embeddings?|embed|emb|vectors",
    )
)
_OTHER_TABLES = re.compile(r"pos|wpe|type|segment|lm_head|output|head|norm|attn|attention|mlp|rel", re.IGNORECASE)


def best_name(names: Iterable[str]) -> str:
    """The name that is most likely that of the token table."""
    return min(names, key=lambda name: (rank(name), len(name), name))


def rank(name: str) -> int:
    """0 for the surest name; ``len(TABLE_NAMES)`` and beyond for names that say nothing, or another table."""
    for place, pattern in enumerate(TABLE_NAMES):
        if pattern.search(name):
            return place
    return len(TABLE_NAMES) + (1 if _OTHER_TABLES.search(name) else 0)
