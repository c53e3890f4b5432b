"""Where each station is taught: the tab that it opens, with what is picked here."""

from __future__ import annotations

from urllib.parse import quote

from core.lessons.pipeline.compute import BASE, HEADS, VOCABULARY, WIDTH, Run
from core.lessons.pipeline.state import PipelineState, column_of, name_of
from core.stage.lesson import Shared


def target(state: PipelineState, run: Run, shared: Shared) -> tuple[str, str]:
    """(tab's id, link) of the station. The sentence goes along, and the path's own table where one ships."""
    tab, values = _values(state, run)
    pairs = [("sentence", shared.sentence), ("model", shared.model)]
    table = VOCABULARY[state.path]
    pairs.append(("table", table if table != "gpt2" else shared.table))
    pairs += [(name, str(value)) for name, value in values.items()]
    return tab, tab + "?" + "&".join(f"{name}={quote(value, safe=',')}" for name, value in pairs)


def _values(state: PipelineState, run: Run) -> tuple[str, dict[str, object]]:
    station, path = name_of(state), state.path
    n = max(run.n, 1)
    token = min(state.token, n - 1)
    place = run.positions[token] if run.positions else state.first
    key_place = run.positions[min(state.key_token, n - 1)] if run.positions else state.first
    if station in ("text", "tokens"):
        return "lookup", {"page": "ids", "number_as": "merges"}
    if station == "ids":
        return "lookup", {"page": "ids"}
    if station == "lookup":
        if path not in ("learned", "rope") or not run.ids:
            return "lookup", {}
        card = run.read.known[token].place - (path == "learned")  # the tab knows no [CLS] and no [SEP]
        inside = 0 <= card < n - 2 if path == "learned" else True
        return "lookup", {"token": card} if inside else {"token_id": run.ids[token]}
    if station == "scale":
        return "lookup", {"page": "scale", "d_model": WIDTH[path]}
    if station == "position":
        scheme = "learned" if path == "learned" else "sinusoidal"
        own = {"d_model": WIDTH[path], "base": BASE, "pair": column_of(state, run) // 2} if path != "learned" else {}
        return "positions", {"scheme": scheme, "position": place, **own}
    if station == "norm" and path == "learned":
        return "compare", {"page": "terms", "added": "learned"}
    if station == "block":
        return "order", {"page": "formula", "scheme": "learned" if path == "learned" else "sinusoidal"}
    if station in ("norm", "qk"):
        return "order", {"page": "projections", "scheme": path}
    if station == "turn" or path == "rope":
        values = {"query_position": place, "key_position": key_place, "base": 100_000.0, "head_dim": 64}
        pair = {"curve": "head"} if station == "score" else {"pair": column_of(state, run) // 2}
        return "rope", {**values, **pair}
    if station == "score":
        return "compare", {"page": "maps", "scheme": "alibi"}
    last = run.positions[-1] if run.positions else 1
    return "alibi", {
        "n_heads": HEADS["alibi"],
        "head": run.head,
        "n_tokens": max(last + 1, 2),
        "query_position": place,
        "key_position": key_place,
    }
