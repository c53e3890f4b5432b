"""How GPT-2's tokeniser puts a word together, merge by merge: the pair that was learned first is joined first."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from core.lessons.lookup.pages import WIDE, address, cut, head_panel, note, panel, said
from core.lessons.lookup.state import LookupState
from core.stage import params
from core.stage.frame import (
    Axis,
    Card,
    Cards,
    Cell,
    Event,
    Frame,
    Key,
    Line,
    Mark,
    Panel,
    Pick,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.lesson import Context
from core.stage.numbers import count
from core.tables import tokenizers
from core.tables.gpt2 import MergeStep, gpt2_ranks
from core.tables.tokens import spell_bytes, visible

LONGEST = 40  # bytes of a word that is merged on the stage
WORDS = 12  # of the sentence, as cards
PAIRS = 4  # candidate pairs written out
ROOM = Rect(0.0, 0.0, WIDE, 2.6)


def frame(state: LookupState, context: Context) -> Frame:
    """The picked word's pieces after as many merges as the clock has made."""
    words = words_of(context)
    part = _part(state, words)
    if not words:
        return _nothing(state)
    word = words[part]
    steps = steps_of(word)
    at = _at(state, steps)
    step = steps[at]
    pairs = known_pairs(step)
    done = at == len(steps) - 1
    title = said("merges.title_done", pieces=count(len(step.pieces))) if done else said("merges.title")
    if done and len(step.pieces) == 1:
        title = said("merges.title_one", merges=count(at))
    return Frame(
        title=title,
        subtitle=said("merges.subtitle"),
        panels=(
            _pieces_panel(state, words, part, step),
            _pairs_panel(pairs),
            _step_panel(steps, at),
        ),
        worked=Worked(_worked(step, pairs, done)),
        alt=said("merges.alt", word=shown(word.encode("utf-8", "replace")), step=at, steps=len(steps) - 1,
                 pieces=", ".join(f"{shown(piece)} ({rank})" for piece, rank in _ranked(step))),
        notice=said("merges.notice"),
    )  # fmt: skip


def act(state: LookupState, event: Event, context: Context) -> LookupState:
    """Another word of the sentence is taken apart."""
    words = words_of(context)
    part = _part(state, words)
    target = part
    if event.key != "words" or not words:
        return state
    if isinstance(event, Pick) and event.index:
        target = event.index[0] + _first(part)
    elif isinstance(event, Key):
        target = {"left": part - 1, "right": part + 1, "home": 0, "end": len(words) - 1}.get(event.name, part)
    if not 0 <= target < len(words):
        return state
    return params.replace(state, part=target, progress=0.0)


def beats(state: LookupState, context: Context) -> int:
    """One second for each merge."""
    words = words_of(context)
    return len(steps_of(words[_part(state, words)])) - 1 if words else 0


def words_of(context: Context) -> tuple[str, ...]:
    """The first cut, which merges never reach across; blanks alone are left out."""
    return tuple(word for word in tokenizers.gpt2().words(context.shared.sentence) if word.strip())


@lru_cache(maxsize=64)
def steps_of(word: str) -> tuple[MergeStep, ...]:
    raw = word.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    return tokenizers.gpt2().merge_steps(raw)


def known_pairs(step: MergeStep) -> list[tuple[int, bytes, bytes]]:
    """The neighbours that the vocabulary knows as one token: (rank, left, right), the first-learned first."""
    ranks = gpt2_ranks()
    found = {(ranks[a + b], a, b) for a, b in pairwise(step.pieces) if a + b in ranks}
    return sorted(found)


def shown(piece: bytes) -> str:
    return visible(spell_bytes(piece), "bytes")


def _part(state: LookupState, words: tuple[str, ...]) -> int:
    return min(state.part, max(len(words) - 1, 0))


def _first(part: int) -> int:
    """The first of the words that are cards."""
    return max(0, part - WORDS + 1)


def _at(state: LookupState, steps: tuple[MergeStep, ...]) -> int:
    return min(int(state.progress * (len(steps) - 1) + 1e-6), len(steps) - 1)


def _ranked(step: MergeStep) -> list[tuple[bytes, int]]:
    ranks = gpt2_ranks()
    return [(piece, ranks[piece]) for piece in step.pieces]


# --- the picture -----------------------------------------------------------------------------------------------------


def _pieces_panel(state: LookupState, words: tuple[str, ...], part: int, step: MergeStep) -> Panel:
    start = _first(part)
    cards = tuple(
        Card(cut(shown(word.encode("utf-8", "replace")), 14), role="what" if at == part else "text", picked=at == part)
        for at, word in enumerate(words[start : start + WORDS], start)
    )
    pieces = tuple(
        Card(shown(piece), address(rank), "what" if at == step.joined else "text",
             at == step.joined)
        for at, (piece, rank) in enumerate(_ranked(step))
    )  # fmt: skip
    marks: list[Mark] = [
        Cards("words", cards, Rect(0.0, 0.0, WIDE, 2.3)),
        note("pieces name", 0.0, 3.5, said("merges.pieces"), bold=True),
        Cards("pieces", pieces, Rect(0.0, 4.2, WIDE, 5.2)),
    ]
    return head_panel(state, Cell(0, 0, 7, 12), tuple(marks), x=Axis(0.0, WIDE), y=Axis(-0.3, 9.6), invert_y=True)


def _pairs_panel(pairs: list[tuple[int, bytes, bytes]]) -> Panel:
    """The neighbours that could be joined next, the one that will be at the top."""
    cell = Cell(7, 0, 5, 7)
    if not pairs:
        lines = [note("none", 0.0, 1.0, said("merges.no_pair"), "text", bold=True),
                 note("none more", 0.0, 2.1, said("merges.no_pair_more"))]  # fmt: skip
        return panel("pairs_panel", cell, lines, 10.0, 4.0, title=said("merges.pairs"))
    rows = [(said("merges.pair"), said("merges.rank_head"), "")]
    for place, (rank, left, right) in enumerate(pairs[:PAIRS]):
        then = said("merges.next") if place == 0 else ""
        rows.append((f"{shown(left)} + {shown(right)}", address(rank), then))
    if len(pairs) > PAIRS:
        rows[-1] = (said("merges.more", pairs=count(len(pairs) - PAIRS + 1)), "", "")
    table = Table("pairs", tuple(rows), Rect(0.0, 0.0, 10.0, 4.0), (4.0, 2.0, 3.0), 1,
                  align=("left", "right", "left"))  # fmt: skip
    return panel("pairs_panel", cell, (table,), 10.0, 4.0, title=said("merges.pairs"))


def _step_panel(steps: tuple[MergeStep, ...], at: int) -> Panel:
    step = steps[at]
    value = said("merges.step_of", step=at, steps=len(steps) - 1)
    detail = said("merges.start")
    if step.joined is not None and step.rank is not None:
        detail = said("merges.joined", piece=cut(shown(step.pieces[step.joined]), 12), rank=address(step.rank))
    return Panel("step_panel", Cell(7, 7, 5, 5),
                 readouts=(Readout("step", value, said("merges.step"), "what", "number", detail),))  # fmt: skip


def _worked(step: MergeStep, pairs: list[tuple[int, bytes, bytes]], done: bool) -> tuple[Line, ...]:
    pieces = " · ".join(shown(piece) for piece in step.pieces)
    first = line(Term(said("merges.now"), "muted"), "  " + cut(pieces, 54))
    if done:
        ids = ", ".join(address(rank) for _, rank in _ranked(step))
        return (first, line(Term(said("merges.ids"), "muted"), "  ", Term(cut(ids, 56), "what", bold=True)))
    listed = " < ".join(address(rank) for rank, _, _ in pairs[:6])
    rank, left, right = pairs[0]
    return (
        first,
        line(Term(said("merges.ranks"), "muted"), "  " + listed + (" < …" if len(pairs) > 6 else "")),
        line(
            Term(said("merges.join"), "muted"),
            f"  {shown(left)} + {shown(right)} = ",
            Term(shown(left + right), "what", bold=True),
            Term("   " + said("merges.rank", rank=address(rank)), "muted"),
        ),
    )


def _nothing(state: LookupState) -> Frame:
    say = note("say", 0.0, 5.0, said("no_cards"), "text", bold=True)
    big = head_panel(state, Cell(0, 0, 12, 12), (say,), x=Axis(0.0, WIDE), y=Axis(0.0, 12.0), invert_y=True)
    return Frame(said("merges.title"), said("merges.subtitle"), (big,), Worked(), said("merges.alt_nothing"))
