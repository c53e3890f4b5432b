"""The state of the tab Lookup: which page is open, and what each page has picked."""

from __future__ import annotations

from core.stage.params import Choice, Range, Text, Words, param
from core.values import dataclass

PAGES = ("lookup", "ids", "one_hot", "layer", "gradient", "scale", "size", "vocabularies")
VOCABULARIES = ("gpt2", "minilm", "smollm2", "glove", "table")
MOST_WORDS = 8  # of the list on the page one-hot
CHOSEN = "chosen"  # of the page table size: the model that is chosen for all tabs


def _models() -> tuple[str, ...]:
    from core.tables import models  # not with the window

    return (CHOSEN, *models.model_ids())


@dataclass(frozen=True, slots=True)
class LookupState:
    """The picked token, the window, and how far the animation is. ``token_of`` is the ID that the picked card had
    when the state was last made legal: from it ``scene.settle`` knows what was changed, the ID or the sentence."""

    # Lookup, and the picked token of all pages
    token_id: int = param(2, Range(0, 99_999, soft=(0, 3)), role="what")
    ids: str = param("table", Choice(("table", "gpt2")))
    cells: str = param("numbers", Choice(("numbers", "colours")))
    progress: float = param(0.0, Range(0.0, 1.0), clock=True)
    token: int = param(2, Range(-1, 1_999), hidden=True)  # the picked card; -1: picked by its ID
    token_of: int = param(2, Range(0, 99_999), hidden=True)
    last_id: int = param(3, Range(0, 999_999), hidden=True)  # of the table: the slider's end, kept by ``check``
    rowless: bool = param(False, hidden=True)  # the picked card has no row, so no ID: kept by ``settle``
    first_row: int = param(-1, Range(-1, 999_999), hidden=True)  # where the window was scrolled to …
    scrolled_at: int = param(-1, Range(-1, 999_999), hidden=True)  # … while this row was picked; else it is centred
    first_column: int = param(0, Range(0, 99_999), hidden=True)
    # all pages
    page: str = param("lookup", Choice(PAGES), hidden=True)
    vocabulary: str = param("gpt2", Choice(VOCABULARIES))
    beats: int = param(3, Range(0, 2_000), hidden=True)  # seconds of this page's animation, kept by ``check``
    # IDs
    number_as: str = param("mean", Choice(("mean", "neighbours", "merges")))
    first: int = param(0, Range(0, 1_999), hidden=True)  # the two cards of the mean
    second: int = param(2, Range(0, 1_999), hidden=True)
    kin: str = param("dog", Text(40))
    part: int = param(1, Range(0, 199), hidden=True)  # the word that is merged
    # one-hot
    words: tuple[str, ...] = param(("cat", "dog", "car"), Words(MOST_WORDS, 40))
    measure: str = param("cosine", Choice(("cosine", "dot", "distance")))
    pair_row: int = param(0, Range(0, MOST_WORDS - 1), hidden=True)
    pair_column: int = param(1, Range(0, MOST_WORDS - 1), hidden=True)
    # linear layer
    priced: str = param("model", Choice(("model", "table")))
    # gradients
    loss: str = param("pull", Choice(("pull", "sum")))
    rate: float = param(0.1, Range(0.01, 1.0, scale="log"))
    learned_id: int = param(-1, Range(-1, 999_999), hidden=True)  # whose arithmetic is written; -1: the commonest
    learned_column: int = param(0, Range(0, 3), hidden=True)
    # √d
    d_model: int = param(512, Range(2, 16_384, soft=(64, 8_192), scale="log", step=2))
    initial: str = param("root", Choice(("root", "small", "typed")))
    spread: float = param(0.1, Range(0.001, 2.0, scale="log"))
    # table size
    sort: str = param("numbers", Choice(("numbers", "share", "listed")))
    model_picked: str = param(CHOSEN, Choice(_models), hidden=True)
    first_model: int = param(-1, Range(-1, 200), hidden=True)  # where the list was scrolled to; -1: around the picked
    # vocabularies
    form: str = param("cat", Text(40))
