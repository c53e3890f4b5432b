"""The score maps: one text, seven schemes, one scale; and what moves when the whole text moves."""

from __future__ import annotations

import numpy as np

from core.lessons.compare import arithmetic, tiles
from core.lessons.compare.content import Words
from core.lessons.compare.schemes import (
    ABSOLUTE,
    EXACT,
    SCHEMES,
    Change,
    Scores,
    bucket,
    largest_change,
    level,
    new_angles,
    refusal,
)
from core.lessons.compare.state import CompareState, window
from core.lessons.compare.words import (
    about,
    big_panel,
    change_text,
    changed,
    clipped,
    column_names,
    counted_from,
    missing_notice,
    name_of,
    places,
    said,
    score_or_refused,
    score_text,
    tokens,
)
from core.stage.frame import (
    Axis,
    Cell,
    Frame,
    Line,
    Mark,
    Panel,
    Readout,
    Rect,
    Table,
    Term,
    Worked,
    line,
)
from core.stage.numbers import count, number
from core.stage.text import text
from core.values import dataclass

LETTERS = 18  # for which there is room above a map
PLACES = {scheme: (at % 4, at // 4) for at, scheme in enumerate(SCHEMES)}  # column, row; the eighth holds the scale


@dataclass(frozen=True)
class Seen:
    """What the page computes: the seven maps, and how far each has changed."""

    words: Words
    n: int
    window: tuple[int, int]
    maps: dict[str, Scores]
    most: dict[str, Change | None]
    changes: dict[str, float | None]  # of the printed scores
    level: float


def seen(state: CompareState, words: Words, n: int) -> Seen:
    maps = {s: Scores(s, words, n, state.shift, state.d, state.trained, state.head) for s in SCHEMES}
    shown = window(state, n)
    most = {s: largest_change(maps[s], shown) for s in SCHEMES}
    changes = {s: None if found is None else changed(found.before, found.after) for s, found in most.items()}
    return Seen(words, n, shown, maps, most, changes, level(words, n, state.d))


def pair_of(state: CompareState, words: Words, n: int) -> arithmetic.Pair:
    """The picked cell's query and key."""
    x = words.rows(state.d, n)
    lights = ((f"map_{state.scheme}", (state.query, state.key)),)
    query, key = state.query + state.shift, state.key + state.shift
    return arithmetic.Pair(x[state.query], x[state.key], query, key, state.trained, state.head, lights)


def frame(state: CompareState, words: Words, n: int) -> Frame:
    found = seen(state, words, n)
    panels = (_maps_panel(state, found), _change_panel(state, found), _table_panel(state, found))
    return Frame(
        title=_title(state, found),
        subtitle=said("subtitle.maps"),
        panels=panels,
        worked=_worked(state, found),
        alt=_alt(state, found),
        notice=missing_notice(words) or _refusal_notice(state, n),
    )


def _refusal_notice(state: CompareState, n: int) -> str:
    """What the learned table answers, after the same in this page's words."""
    answer = refusal(n, state.shift, state.trained) if state.scheme == "learned" else ""
    if not answer:
        return ""
    fields = {"n": count(n), "shift": count(state.shift), "last": count(state.shift + n - 1)}
    return said("notice.refusal" + ("_1" if n == 1 else ""), answer=answer, **fields)


def _title(state: CompareState, found: Seen) -> str:
    change = found.changes[state.scheme]
    end = state.shift + found.n > state.trained
    if state.scheme == "learned" and end:
        asked = max(state.query, state.key) + state.shift  # the picked cell's place, where it is one of those refused
        row = asked if asked >= state.trained else state.shift + found.n - 1
        return said("title.wall", last=count(state.trained - 1), row=count(row))
    if not state.shift:
        return said("title.long" if end else "title.start", n=count(found.n), trained=count(state.trained))
    key = "changes" if change is None or change >= EXACT else "still" if _still(state, found) else "hardly"
    if state.scheme == "none":
        key = "still_none"
    return said(f"title.{key}", name=name_of(state.scheme), places=places(state.shift), change=change_text(change))


def _still(state: CompareState, found: Seen) -> bool:
    """Whether no score in view has moved; a change may be too small to be printed and still be one."""
    most = found.most[state.scheme]
    return most is not None and abs(most.after - most.before) < EXACT


# --- panels ----------------------------------------------------------------------------------------------------------


def _maps_panel(state: CompareState, found: Seen) -> Panel:
    marks: list[Mark] = []
    names = found.words.repeated(found.n)[slice(*found.window)]
    for scheme in SCHEMES:
        marks += tiles.map_marks(
            f"map_{scheme}",
            name_of(scheme),
            found.maps[scheme],
            PLACES[scheme],
            found.level,
            (state.query, state.key),
            tokens(names, state.shift, found.window[0]),
            found.window,
            scheme == state.scheme,
            found.maps[scheme].hidden(found.window),
            columns=column_names(names, LETTERS),
        )
    marks += tiles.scale_marks(found.level, 3.0, 1.0, _beyond(found))
    first, stop = found.window
    caption = said("maps.caption" if column_names(names, LETTERS) else "maps.caption_bare")
    if stop - first < found.n:
        caption = said("maps.caption_window", first=count(first), last=count(stop - 1), n=count(found.n))
    return big_panel(
        state,
        Cell(0, 0, 12, 8),
        marks,
        Axis(0.0, 4.0 - (1 - tiles.WIDE)),
        Axis(0.0, 2.0 - (1 - tiles.HIGH - tiles.TOP)),
        invert_y=True,
        caption=f"{caption}{counted_from(state.shift)} {about(found.words, state)} {said('about.drawn')}",
    )


def _beyond(found: Seen) -> tuple[bool, bool]:
    """Whether drawn scores lie below or above the scale, which has one colour for all of them."""
    whole = slice(*found.window)
    drawn = [source for source in found.maps.values() if not tiles.off(source, found.window, found.level)]
    blocks = [source.block(whole, whole) for source in drawn]
    low, high = min(float(block.min()) for block in blocks), max(float(block.max()) for block in blocks)
    return low < -found.level, high > found.level


def _change_panel(state: CompareState, found: Seen) -> Panel:
    change = found.changes[state.scheme]
    score = pair_of(state, found.words, found.n).score(state.scheme)
    warns = change is None or (not state.shift and score is None)
    most = found.most[state.scheme]
    label = said("maps.change" if state.shift else "maps.score", name=name_of(state.scheme))
    new, of = new_angles(state.d, state.trained)
    key = "maps.detail." + verdict(state, state.scheme, found.n)[0]
    key += "_1" if of == 1 and key.endswith("rope") else ""
    detail = said(key, trained=count(state.trained), new=new, of=of)
    if state.shift and most is not None and change is not None and change >= EXACT:
        names = found.words.repeated(found.n)
        asks = said("terms.table", query=clipped(names[most.query]), asked=clipped(names[most.key]))
        detail = said("maps.most", asks=asks, before=score_text(most.before), after=score_text(most.after))
    readout = Readout(
        "change",
        change_text(change) if state.shift else score_or_refused(score),
        label,
        role="warn" if warns else "where",
        size="heading" if warns else "number",
        detail=detail,
    )
    return Panel("change_panel", Cell(0, 8, 4, 4), readouts=(readout,))


def _table_panel(state: CompareState, found: Seen) -> Panel:
    """What moved; as long as nothing has, the picked cell's score under every scheme."""
    number_head = said("maps.head.change" if state.shift else "maps.head.score")
    head = (said("maps.head.scheme"), number_head, said("maps.head.trained"))
    pair = pair_of(state, found.words, found.n)
    scores = {s: pair.score(s) for s in SCHEMES}
    new, of = new_angles(state.d, state.trained)
    rows = tuple(
        (
            name_of(s),
            change_text(found.changes[s]) if state.shift else score_or_refused(scores[s], brief=True),
            said("maps.verdict." + verdict(state, s, found.n)[1], new=new, of=of),
        )
        for s in SCHEMES
    )
    table = Table(
        "schemes",
        (head, *rows),
        Rect(0.0, 0.0, 1.0, 1.0),
        picked=SCHEMES.index(state.scheme) + 1,
        align=("left", "right", "left"),
    )
    names = found.words.repeated(found.n)
    asks = said("terms.table", query=clipped(names[state.query]), asked=clipped(names[state.key]))
    title = said("maps.table", shift=count(state.shift)) if state.shift else asks
    return Panel("table_panel", Cell(4, 8, 8, 4), (table,), title=title, caption=said("maps.legend"), invert_y=True)


def verdict(state: CompareState, scheme: str, n: int) -> tuple[str, str]:
    """Whether a model that was trained on texts of ``trained`` tokens has met the whole text: a sentence's key and a
    short one's.

    Absolute schemes count places, so moving brings new ones; relative ones count gaps, and only a longer text has new
    gaps. T5's far gaps share their bucket with near ones; RoPE's turn those pairs to new angles that have not turned
    once in training."""
    if scheme == "none":
        return ("none", "none")
    if scheme in ABSOLUTE:
        return (scheme, scheme) if state.shift + n > state.trained else ("places_seen", "seen")
    if n <= state.trained:
        return ("gaps_seen", "seen")
    if scheme == "t5":
        met, now = (set(bucket(np.arange(1 - far, far)).tolist()) for far in (state.trained, n))
        return ("t5_new", "t5_new") if now - met else ("t5_same", "t5_same")
    if scheme == "rope" and not new_angles(state.d, state.trained)[0]:
        return ("rope_wrapped", "rope_wrapped")
    return (scheme, scheme)


# --- words -----------------------------------------------------------------------------------------------------------


def _worked(state: CompareState, found: Seen) -> Worked:
    pair = pair_of(state, found.words, found.n)
    names = found.words.repeated(found.n)
    lines: list[Line] = [
        line(
            said(
                "work.head",
                query=clipped(names[state.query]),
                i=count(pair.query),
                asked=clipped(names[state.key]),
                j=count(pair.key),
                name=name_of(state.scheme),
            )
        ),
    ]
    scored = arithmetic.score_lines(state.scheme, pair)
    if state.shift:  # the change first, which is the page's number
        refused = pair.score(state.scheme) is None
        lines += scored if refused else [arithmetic.moved_line(state.scheme, pair, state.shift)]
        lines += _most_line(state, found)
        scored = [] if refused else scored
        while len(lines) % Worked.PAGE:
            lines.append(line(""))
    lines += scored
    while len(lines) % Worked.PAGE:
        lines.append(line(""))
    lines += [line(Term(text(f"compare.work.fact.{state.scheme}"), "muted"))]
    if state.scheme in ("t5", "learned", "rope", "alibi"):
        lines += [line(Term(text(f"compare.work.stand_in.{state.scheme}", d=state.d), "muted"))]
    return Worked(tuple(lines))


def _most_line(state: CompareState, found: Seen) -> list[Line]:
    """The largest change in view, with the names of its cell where there is room; none where all is refused."""
    most, change = found.most[state.scheme], found.changes[state.scheme]
    if most is None or change is None:
        return []
    end = Term(change_text(change), "where", bold=True)
    if _still(state, found):
        return [line(said("work.still", count=count((found.window[1] - found.window[0]) ** 2)), end)]
    names = found.words.repeated(found.n)
    asks = said("terms.table", query=clipped(names[most.query]), asked=clipped(names[most.key]))
    scores = {"before": score_text(most.before), "after": score_text(most.after)}
    told = said("work.most", asks=asks, **scores)
    if len(told + end.text) > Worked.COLUMNS:
        told = said("work.most_short", **scores)
    return [line(told, end)]


def _alt(state: CompareState, found: Seen) -> str:
    listed = "; ".join(f"{name_of(s)} {change_text(found.changes[s])}" for s in SCHEMES)
    score = pair_of(state, found.words, found.n).score(state.scheme)
    return said(
        "alt.maps",
        n=count(found.n),
        shift=count(state.shift),
        changes=listed,
        name=name_of(state.scheme),
        query=count(state.query + state.shift),
        asked=count(state.key + state.shift),
        score=score_or_refused(score),
        top=number(found.level, 0),
    )
