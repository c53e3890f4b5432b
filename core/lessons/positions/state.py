"""The state of the tab Position tables, and what it says: page, picked row, window on the million rows."""

from __future__ import annotations

from core.encodings.sinusoidal import LAYOUTS
from core.stage.motion import beats, sweep
from core.stage.params import Choice, Flag, Range, Words, param
from core.tables import shipped
from core.values import dataclass

SCHEMES = ("raw_index", "fraction", "binary", "sinusoidal", "learned")
SHOWS = ("dials", "waves", "shift", "identity", "fingerprint", "similarity", "layouts", "precision")
LEARNED_SHOWS = ("lengths", "picture", "cosine", "wall")
ROUNDINGS = ("full", "1", "2", "3", "4")
LAST = 1_000_000  # the last row of every table that has no end of its own
BITS = 20  # enough for LAST
WORD = 4  # numbers of a word's vector beside an appended position
DIALS = 8
WIDE = 32  # columns in view, as long as no more than 16 rows are
DIGITS = 8  # binary digits in view at least
ROOMY = (18, 10)  # more rows or columns in view leave no room for numbers in the cells
MOST_WAVES = 6
MOST_HANDS = 8  # of a fingerprint
MOST_TERMS = 16  # bars of a sum over pairs
PLACES = (100, 1_000, 10_000, 100_000, LAST)  # positions of the float precision's curves that can be picked


@dataclass(frozen=True, slots=True)
class PositionsState:
    """``travel`` is how far the clock has moved on from ``position``, in positions, ``growth`` how many hands it has
    added to ``hands``; rows from ``top`` and columns from ``left`` are in view as far as that shows the picked row.
    ``column`` is the picked column, -1 for none."""

    position: int = param(3, Range(0, LAST, soft=(0, 64)), role="where")
    offset: int = param(0, Range(-1000, 1000, soft=(0, 16)))
    d_model: int = param(4, Range(2, 4096, soft=(2, 64), step=2))
    base: float = param(10_000.0, Range(2.0, 1e8, scale="log"))
    show: str = param("dials", Choice(SHOWS))
    learned_show: str = param("lengths", Choice(LEARNED_SHOWS))
    pair: int = param(0, Range(0, 2047, soft=(0, 7)))
    hands: int = param(2, Range(1, MOST_HANDS))
    round_to: str = param("full", Choice(ROUNDINGS))
    layout: str = param("interleaved", Choice(LAYOUTS))
    drawn: tuple[str, ...] = param((), Words(MOST_WAVES, 4))
    tokens: int = param(1500, Range(1, 8192, soft=(1, 2048)), unit="tokens")
    numbers: bool = param(True, Flag())
    length: int = param(16, Range(1, LAST + 1, soft=(2, 64)), unit="tokens")
    span: int = param(64, Range(16, 2000, soft=(16, 1000), scale="log"))
    window: int = param(16, Range(8, 128, soft=(8, 64)))
    scheme: str = param("sinusoidal", Choice(SCHEMES), hidden=True)
    top: int = param(0, Range(0, LAST), hidden=True)
    left: int = param(0, Range(0, 4094), hidden=True)
    column: int = param(-1, Range(-1, 4095), hidden=True)
    travel: float = param(0.0, Range(-float(LAST), float(LAST)), clock=True)
    growth: float = param(0.0, Range(-float(MOST_HANDS), float(MOST_HANDS)), clock=True)


# --- what a state says -----------------------------------------------------------------------------------------------


def page(state: PositionsState) -> str:
    """What is shown: the scheme itself, or one of the pages of a scheme that has several."""
    if state.scheme == "sinusoidal":
        return state.show
    return state.learned_show if state.scheme == "learned" else state.scheme


def at(state: PositionsState) -> int:
    """The picked row: whole positions only, the next one when the hands have arrived there."""
    return min(max(state.position + beats(state.travel)[0], 0), LAST)


def reading(state: PositionsState) -> float:
    """Where the hands stand: at rest on a whole position, then sweeping to the next."""
    return at(state) + sweep(beats(state.travel)[1])


def width(state: PositionsState) -> int:
    """Columns of the scheme's table."""
    if state.scheme == "sinusoidal":
        return state.d_model
    if state.scheme == "learned":
        return int(shipped.minilm_positions().shape[1])
    return BITS if state.scheme == "binary" else WORD + 1


def limit(state: PositionsState) -> int:
    """Rows that exist: all, the trained ones, or those of the text."""
    if state.scheme == "learned":
        return len(shipped.minilm_positions())
    return min(state.length, LAST + 1) if state.scheme == "fraction" else LAST + 1


def exists(state: PositionsState) -> bool:
    return at(state) < limit(state)


def shifts(state: PositionsState) -> bool:
    """Whether two rows of the table are compared."""
    return state.offset != 0 and page(state) in ("dials", "waves", "shift", "raw_index")


def rows(state: PositionsState) -> tuple[int, int]:
    """The rows in view: from ``top``, moved so that the picked ones and a neighbour on each side are seen."""
    low, high = reach(state)
    here = at(state)
    top = min(max(state.top, here + high - state.window + 2), here + low - 1)
    top = min(max(top, 0), LAST + 1 - state.window)
    return top, top + state.window


def reach(state: PositionsState) -> tuple[int, int]:
    """How far up and down from the picked row the shifted one lies, where both fit into the window."""
    both = shifts(state) or page(state) in ("similarity", "cosine")
    if not both or abs(state.offset) > state.window - 3:
        return 0, 0
    return min(state.offset, 0), max(state.offset, 0)


def columns(state: PositionsState) -> tuple[int, int]:
    """The columns in view, whole pairs; of binary digits those that are in use."""
    if state.scheme == "binary":
        return 0, max(DIGITS, (rows(state)[1] - 1).bit_length())
    count = min(width(state), max(WIDE, 2 * state.window))
    left = min(state.left - state.left % 2, width(state) - count)
    return left, left + count


def pairs(state: PositionsState, most: int = DIALS) -> tuple[int, ...]:
    """The pairs on the dials: all where there is room, else from the fastest to the slowest in even steps."""
    last = state.d_model // 2 - 1
    count = min(last + 1, most)
    return tuple(round(last * place / max(count - 1, 1)) for place in range(count))


def shown_size(state: PositionsState) -> int:
    """How many rows and columns of the shift matrix are shown: all up to 8, else the first blocks."""
    return min(state.d_model, 8)


def frequency(state: PositionsState, pair: int) -> float:
    """Radians that a pair turns with each position."""
    return float(state.base ** (-2.0 * pair / state.d_model))


def roomy(state: PositionsState) -> bool:
    """Whether the table's cells have room for numbers. A learned row is a picture: its numbers are seen by pointing."""
    left, right = columns(state)
    return state.window <= ROOMY[0] and right - left <= ROOMY[1] and state.scheme != "learned"


def hands_most(state: PositionsState) -> int:
    """Hands that a fingerprint can have."""
    return min(state.d_model // 2, MOST_HANDS)


def hands_on(state: PositionsState) -> int:
    """Hands of the fingerprint, the fastest first."""
    return min(max(state.hands + beats(state.growth)[0], 1), hands_most(state))


def pair_of(state: PositionsState, column: int) -> int:
    """The pair that a column of the sinusoidal table belongs to."""
    if page(state) != "layouts" or state.layout == "interleaved":
        return column // 2
    return column % (state.d_model // 2)


def square(state: PositionsState) -> tuple[int, int]:
    """The positions of a matrix of positions against positions: as many as rows are in view, and no more than exist."""
    size = min(state.window, limit(state), 64)
    first = min(rows(state)[0], limit(state) - size)
    return first, first + size


def drawn_pairs(state: PositionsState) -> tuple[int, ...]:
    """The pairs that a person has typed to be drawn as waves; whatever is no pair of the table is passed over."""
    found = (int(word) for word in state.drawn if word.isascii() and word.isdigit())
    return tuple(sorted({pair for pair in found if pair < state.d_model // 2}))
