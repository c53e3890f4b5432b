"""The state of the Similarity tab, and which rows its words stand for."""

from __future__ import annotations

from unicodedata import category, normalize

from core.lessons.similarity.curated import MONEY, OCCUPATIONS, POLES, RIVER
from core.stage.lesson import Context, Shared
from core.stage.params import Choice, Range, Text, Words, param, spec
from core.stage.text import has_text, text
from core.stage.words import option
from core.tables.table import Table
from core.tables.tokens import spell_bytes, spelled_bytes, visible
from core.tables.vocabulary import SPACE_MARK
from core.values import dataclass

VIEWS = ("pair", "matrix", "neighbours", "analogy", "map", "axis", "bias", "bank")
METRICS = ("cosine", "dot", "distance")
METHODS = ("rows", "3CosAdd", "3CosMul")
NOTATIONS = ("sum", "sentence")
LISTS = ("matrix", "map", "analogy", "axis", "bias", "bank")  # views whose words are read as in a sentence
FIELDS = {  # the parameters of a view that name one word each: without their rows there is nothing to show
    "pair": ("first", "second"),
    "neighbours": ("first",),
    "analogy": ("a", "b", "c"),
    "axis": ("low", "high"),
    "bank": ("many",),
}
END = 7.0  # seconds of the arithmetic: at most five terms, the lengths, the division


@dataclass(frozen=True, slots=True)
class SimilarityState:
    """What the tab shows: one of eight views, most of them over the same words.

    An analogy asks for a − b + c (notation ``sum``), or "a is to b as c is to …", which is b − a + c (``sentence``).
    """

    view: str = param("pair", Choice(VIEWS))
    first: str = param("cat", Text(60), role="what")
    second: str = param("dog", Text(60), role="text")
    words: tuple[str, ...] = param(("cat", "dog", "car"), Words(40))
    metric: str = param("cosine", Choice(METRICS))
    order: str = param("typed", Choice(("typed", "clustered")))
    count: int = param(10, Range(3, 20))
    lost: bool = param(True)
    a: str = param("king", Text(60), role="what")
    b: str = param("man", Text(60), role="text")
    c: str = param("woman", Text(60), role="what")
    notation: str = param("sum", Choice(NOTATIONS))
    method: str = param("3CosAdd", Choice(METHODS))
    hoped: str = param("queen", Text(60))  # the answer that the class hopes for; empty: none
    whole: bool = param(False)  # the map is that of the whole table
    low: str = param("animal", Text(60), role="text")
    high: str = param("machine", Text(60), role="what")
    occupation: str = param("captain", Choice(OCCUPATIONS))
    many: str = param("bank", Text(60), role="what")
    one_sense: tuple[str, ...] = param(RIVER, Words(6))
    other_sense: tuple[str, ...] = param(MONEY, Words(6))
    terms: float = param(0.0, Range(0.0, END), clock=True)  # 0 and END: the whole arithmetic stands there


@dataclass(frozen=True, slots=True)
class Word:
    """A typed word and its row; ``row`` is None where the table has none, and then no vector is made up."""

    typed: str
    row: int | None
    shown: str  # as a class reads it: "␣cat"


def find(table: Table, typed: str, in_a_list: bool = False) -> int | None:
    """The row that ``typed`` names.

    Where rows differ by a leading space, a word is read as it was typed, then with the space, then without; in a list,
    whose entries have no space of their own, the row with the space comes first: words in a sentence have one.
    """
    for token in _spellings(table, typed, in_a_list):
        row = table.find(token)
        if row is not None:
            return row
    return None


def _spellings(table: Table, typed: str, in_a_list: bool) -> tuple[str, ...]:
    plain = typed.strip()
    if not plain:
        return ()
    vocabulary = table.vocabulary
    if vocabulary.spelling in SPACE_MARK:
        mark = SPACE_MARK[vocabulary.spelling]
        if typed.startswith(mark):
            return (typed,)
        bare = spell_bytes(plain.encode("utf-8", "replace")) if vocabulary.spelling == "bytes" else plain
        with_space_first = in_a_list or typed[0] == " "
        return (mark + bare, bare) if with_space_first else (bare, mark + bare)
    if vocabulary.spelling == "wordpiece" and vocabulary.fold_case:
        return (plain, plain.lower(), without_accents(plain).lower())
    return (plain, plain.lower()) if vocabulary.fold_case or vocabulary.spelling == "wordpiece" else (plain,)


def without_accents(typed: str) -> str:
    """As WordPiece reads a word before it looks it up."""
    return "".join(part for part in normalize("NFD", typed) if category(part) != "Mn")


def typed_for(table: Table, row: int) -> str:
    """What has to be typed for this row."""
    token = table.tokens[row]
    spelling = table.vocabulary.spelling
    if spelling == "bytes":
        raw = spelled_bytes(token)
        try:
            typed = token if raw is None else raw.decode("utf-8")
        except UnicodeDecodeError:
            typed = token
    else:
        typed = token.replace("▁", " ", 1) if spelling == "sentencepiece" else token
    typed = typed[:60]
    return typed if find(table, typed) == row else token[:60]


def word(table: Table, typed: str, in_a_list: bool = False) -> Word:
    """The typed word with its row."""
    row = find(table, typed, in_a_list)
    if row is None:
        return Word(typed, None, visible(typed))
    return Word(typed, row, visible(table.tokens[row], table.vocabulary.spelling))


def listed(table: Table, words: tuple[str, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """The words that have a row, each row once and in the order typed, and those that have none."""
    found: dict[int, Word] = {}
    missing: dict[str, Word] = {}
    for typed in words:
        entry = word(table, typed, in_a_list=True)
        if entry.row is None:
            missing.setdefault(typed, entry)
        else:
            found.setdefault(entry.row, entry)
    return tuple(found.values()), tuple(missing.values())


def asked_sum(state: SimilarityState) -> tuple[str, str, str]:
    """The three words of an analogy as plus, minus, plus, in either notation."""
    return (state.a, state.b, state.c) if state.notation == "sum" else (state.b, state.a, state.c)


def poles_of(state: SimilarityState) -> tuple[str, str]:
    """The two ends of the axis: those that the class names, or the bias page's own."""
    return POLES if state.view == "bias" else (state.low, state.high)


def table_of(state: SimilarityState, context: Context) -> Table:
    """The chosen table, or a stand-in where it is one of the lesson's few rows and lacks the words.

    The 4 × 3 table has IDs and no words: there it is cat, dog, car. Analogies, axes and senses need GloVe.
    """
    table = context.table
    if not table.id.startswith("lesson_"):
        return table
    needed = {
        "analogy": (state.a, state.b, state.c),
        "axis": poles_of(state),
        "bias": poles_of(state),
        "bank": (state.many,),
    }.get(state.view)
    if needed is not None:
        known = all(find(table, typed, in_a_list=True) is not None for typed in needed)
        return table if known else context.table_called("glove")
    if table.id != "lesson_4x3":
        return table
    if state.view in ("matrix", "map"):
        wanted: tuple[str, ...] = state.words
    else:
        wanted = (state.first,) if state.view == "neighbours" else (state.first, state.second)
    if any(find(table, typed, in_a_list=True) is not None for typed in wanted):
        return table
    return context.table_called("lesson_animals")


def table_name(table: Table) -> str:
    """The table as the picker calls it."""
    if has_text(f"shared.option.table.{table.id}"):
        return option("shared", spec(Shared, "table"), table.id)
    return table.title


def clipped(name: str, length: int = 18) -> str:
    """A name short enough for its place."""
    return name if len(name) <= length else name[: length - 1] + "…"


def spelling_notes(names: tuple[str, ...]) -> list[str]:
    """What the marks in these names as shown mean, where one has such a mark."""
    marks = (("␣", "similarity.caption.space"), ("##", "similarity.caption.piece"))
    return [text(key) for mark, key in marks if any(name.startswith(mark) for name in names)]


def reading_notes(table: Table, words: tuple[Word, ...]) -> list[str]:
    """That words are read as rows spelt otherwise than they were typed."""
    spelling = table.vocabulary.spelling
    spaced: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for entry in words:
        bare = visible(entry.typed.strip())
        if entry.row is None or entry.shown in (visible(entry.typed), bare, visible(entry.typed.strip(), spelling)):
            continue
        (spaced if entry.shown == "␣" + bare else others).append((bare, entry.shown))
    notes = []
    if spaced:
        typed, row = (clipped(name) for name in spaced[0])
        notes.append(text("similarity.notice.space_first", word=typed, row=row))
    if others:
        read = [text("similarity.read_as", word=clipped(typed), row=clipped(row)) for typed, row in others]
        said, more = ", ".join(read[:2]), len(read) - 2
        said = text("similarity.and_more", names=said, more=more) if more > 0 else said
        notes.append(text("similarity.notice.read_as", table=table_name(table), words=said))
    return notes


def list_of(names: tuple[str, ...], most: int = 5) -> str:
    """Names as a sentence lists them: the first few, and how many more."""
    quoted = ", ".join(text("similarity.quoted", word=clipped(name)) for name in names[:most])
    more = len(names) - most
    return quoted if more <= 0 else text("similarity.and_more", names=quoted, more=more)
