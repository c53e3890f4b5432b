"""Where each station is taught: the tab that it opens, with what is picked here."""

from __future__ import annotations

from urllib.parse import quote

from core.lessons.pipeline import compute
from core.lessons.pipeline.compute import BASE, HEADS, VOCABULARY, WIDTH, Run
from core.lessons.pipeline.state import PipelineState, column_of, name_of
from core.stage.lesson import Shared
from core.stage.numbers import shown
from core.tables import shipped, tokenizers

_ORDERS_MOST, _COMPARES_MOST = 12, 32  # tokens that these tabs have on their stage
_SPACE, _SHOWN_SPACE = "Ġ", "␣"  # how SmolLM2's vocabulary writes the space before a word, and how the stage does
_LONGEST = 4.0  # of the two numbers of a pair in the tab RoPE


def target(state: PipelineState, run: Run, shared: Shared) -> tuple[str, str]:
    """(tab's id, link) of the station. The sentence goes along, and the path's own table where one ships."""
    tab, values = _values(state, run, shared)
    pairs = [("sentence", shared.sentence), ("model", shared.model), ("table", _table(state, shared))]
    pairs += [(name, str(value)) for name, value in values.items()]
    return tab, tab + "?" + "&".join(f"{name}={quote(value, safe=',')}" for name, value in pairs)


def _table(state: PipelineState, shared: Shared) -> str:
    table = VOCABULARY[state.path]
    return table if table != "gpt2" else shared.table


def _letter(run: Run, token: int, shared: Shared) -> int:
    """Where the token's last letter stands in the whole typed text; −1 for [CLS] and [SEP], which were not typed."""
    end = run.read.known[token].end if token < run.n else 0
    return shared.sentence.find(compute.parts(shared.sentence)[0]) + end - 1 if end else -1


def _there(run: Run, token: int, vocabulary: str, shared: Shared, most: int = 2_000) -> int | None:
    """The number of the same token in another tab, which may cut the text in its own way; None where it has none."""
    letter = _letter(run, token, shared)
    cut = tokenizers.tokenizer(vocabulary).tokens(shared.sentence)[:most] if letter >= 0 else ()
    return next((at for at, found in enumerate(cut) if found.start <= letter < found.end), None)


def _word(run: Run, token: int, shared: Shared) -> int | None:
    """The number of the word that the token is a piece of, blanks not counted."""
    letter, start, at = _letter(run, token, shared), 0, 0
    for word in tokenizers.gpt2().words(shared.sentence) if letter >= 0 else ():
        start += len(word)
        if letter < start:
            return at if word.strip() else None
        at += bool(word.strip())
    return None


def _given(**values: object) -> dict[str, object]:
    """Those that there are."""
    return {name: value for name, value in values.items() if value is not None}


def _values(state: PipelineState, run: Run, shared: Shared) -> tuple[str, dict[str, object]]:
    station, path = name_of(state), state.path
    n = max(run.n, 1)
    token, key = min(state.token, n - 1), min(state.key_token, n - 1)
    place = run.positions[token] if run.positions else state.first
    key_place = run.positions[key] if run.positions else state.first
    if station in ("text", "tokens"):
        return "lookup", {"page": "ids", "number_as": "merges", **_given(part=_word(run, token, shared))}
    if station == "ids":
        card = _there(run, token, VOCABULARY[path], shared)
        # Two cards are compared there: the picked one, and the first of the others.
        two = {} if card is None else {"first": int(card == 0), "second": card}
        return "lookup", {"page": "ids", "vocabulary": VOCABULARY[path], **two}
    if station == "lookup":
        return "lookup", _lookup(run, token, path, shared)
    if station == "scale":
        return "lookup", {"page": "scale", "d_model": WIDTH[path]}
    if station == "position":
        scheme = "learned" if path == "learned" else "sinusoidal"
        own = {"d_model": WIDTH[path], "base": BASE, "pair": column_of(state, run) // 2} if path != "learned" else {}
        return "positions", {"scheme": scheme, "position": place, **own}
    if station == "norm" and path == "learned":
        query = _there(run, token, _table(state, shared), shared, _COMPARES_MOST)
        return "compare", {"page": "terms", "added": "learned", **_given(query=query)}
    if station in ("block", "norm", "qk"):
        page = "formula" if station == "block" else "projections"
        known = _given(token=_there(run, token, "lesson_animals", shared, _ORDERS_MOST))
        return "order", {"page": page, "scheme": path, **known}
    if station == "turn" or path == "rope":
        return "rope", _rope(state, run, token, key)
    if station == "score":
        table = _table(state, shared)
        cell = (_there(run, at, table, shared, _COMPARES_MOST) for at in (token, key))
        query, asked = cell
        return "compare", {"page": "maps", "scheme": "alibi", "head": run.head, **_given(query=query, key=asked)}
    last = run.positions[-1] if run.positions else 1
    return "alibi", {
        "n_heads": HEADS["alibi"],
        "head": run.head,
        "n_tokens": max(last + 1, 2),
        "query_position": place,
        "key_position": key_place,
    }


def _lookup(run: Run, token: int, path: str, shared: Shared) -> dict[str, object]:
    if not run.ids:
        return {}
    if path not in ("learned", "rope"):  # GPT-2's rows do not ship: its IDs stand above those of the chosen table
        return {"ids": "gpt2", **_given(token=_there(run, token, shared.table, shared))}
    card = _there(run, token, VOCABULARY[path], shared)
    return {"token": card} if card is not None else {"token_id": run.ids[token]}


def _rope(state: PipelineState, run: Run, token: int, key: int) -> dict[str, object]:
    """The score of the whole head where the tab has these two tokens, else one pair of it; where q and k of a token
    turn, its own pair of both."""
    if not run.positions:
        return {"base": 100_000.0, "head_dim": 64}
    score = name_of(state) == "score"
    key = key if score else token
    values: dict[str, object] = {"query_position": run.positions[token], "key_position": run.positions[key]}
    words = [run.words[at].strip(_SHOWN_SPACE) for at in (token, key)]
    found = [_row(word) for word in words]
    if score and found == [run.ids[token], run.ids[key]]:
        both = {"query_word": words[0], "key_word": words[1], "attention_head": run.head}
        return {"page": "gap", "vectors": "words", **values, **both}
    q, k = run.arrays["qk"][0, token], run.arrays["qk"][1, key]
    # Of a score that pair which adds most to the unturned one.
    pair = int(abs((q * k).reshape(-1, 2).sum(axis=1)).argmax()) if score else column_of(state, run) // 2
    at = slice(2 * pair, 2 * pair + 2)
    drawn = {name: vector[at].tolist() for name, vector in (("query", q), ("key", k))}
    for name, numbers in drawn.items():
        while max(map(abs, numbers)) > _LONGEST:  # longer than the tab draws: its direction is kept
            numbers = [number / 2 for number in numbers]
        values[name] = ",".join(str(shown(number)) for number in numbers)
    return {**values, "base": 100_000.0, "head_dim": 64, "pair": pair}


def _row(word: str) -> int | None:
    """The ID of the token that the tab RoPE takes for a word: with a space before it where there is such a one."""
    table = shipped.table("smollm2")
    found = table.find(_SPACE + word) if word else None
    row = found if found is not None else table.find(word)
    return None if row is None else table.id_of(row).id
