"""The contract of a lesson, and what the app hands to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.stage.frame import Event, Frame
from core.stage.jobs import Job, run_now
from core.stage.params import Choice, Text, from_mapping, param, replace, specs
from core.tables import shipped, tokenizers
from core.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.tables.models import Model
    from core.tables.table import Table
    from core.tables.tokens import Token


def _model_ids() -> tuple[str, ...]:
    from core.tables import models

    return models.model_ids()


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tabs have in common. A parameter state like any other: it travels in links, undo and sessions."""

    sentence: str = param("The cat sat", Text(400))
    table: str = param("lesson_4x3", Choice(shipped.table_ids()))
    model: str = param("gpt-2-small-124m", Choice(_model_ids))


class Context:
    """The shared things by name, for one evaluation of a lesson. Large data is loaded when it is asked for."""

    def __init__(
        self,
        shared: Shared | None = None,
        ask: Callable[[Job], Any] = run_now,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """``clock`` gives seconds, for jobs that measure this machine; None where nothing may depend on it (tests,
        exports): what would be measured is then shown as not measured."""
        self.shared = shared if shared is not None else Shared()
        self.clock = clock
        self.uses_table = False  # whether the lesson has asked for the chosen table
        self._ask = ask

    def ask(self, job: Job) -> Any:
        """The job's answer, or None while it is being computed; the page draws again when it is there."""
        return self._ask(job)

    @cached_property
    def table(self) -> Table:
        """The chosen table."""
        self.uses_table = True
        return shipped.table(self.shared.table)

    def table_called(self, table_id: str) -> Table:
        return shipped.table(table_id)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The sentence in the chosen table's vocabulary."""
        self.uses_table = True
        return self.tokens_in(self.shared.table)

    def tokens_in(self, vocabulary_id: str, sentence: str | None = None) -> tuple[Token, ...]:
        """The sentence in a vocabulary: a table's id, or ``gpt2``."""
        sentence = self.shared.sentence if sentence is None else sentence
        return tokenizers.tokenizer(vocabulary_id).tokens(sentence)

    @cached_property
    def model(self) -> Model:
        """The chosen model's configuration."""
        from core.tables import models  # read with the first lesson that asks

        return models.model(self.shared.model)


@dataclass(frozen=True, slots=True)
class Preset:
    """A classroom state with a name: the text ``<lesson>.preset.<id>``."""

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)
    shared: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """One tab: a frozen state and pure functions over it.

    ``step`` is closed form in seconds, also backwards: ``step(step(s, a), b) == step(s, a + b)`` up to rounding, and it
    stops at its ends (a step that changes nothing ends playing). ``beat`` is what one press of step moves. ``controls``
    names, for a state, the parameters to show, the first six at once. ``settle`` folds what the clock has moved into
    the parameters, without changing the picture: controls show and edit the settled state. ``follow`` gets the states
    before and after a person moved a control, and moves what goes along with it. ``ranges`` gives the sliders' ends for
    a state, by parameter, where they depend on it (a head of so many); all others are the parameters' own.
    """

    id: str
    state: type
    frame: Callable[[Any, Context], Frame]
    act: Callable[[Any, Event, Context], Any] | None = None
    step: Callable[[Any, float], Any] | None = None
    beat: float = 1.0
    check: Callable[[Any, Context], Any] | None = None
    presets: tuple[Preset, ...] = ()
    controls: Callable[[Any], tuple[str, ...]] | None = None
    settle: Callable[[Any], Any] | None = None
    follow: Callable[[Any, Any], Any] | None = None
    ranges: Callable[[Any], Mapping[str, tuple[float, float]]] | None = None

    def initial(self, context: Context | None = None) -> Any:
        """The state of a fresh start."""
        return self.legal(self.state(), context or Context())

    def legal(self, state: Any, context: Context) -> Any:
        """The state with what spans several fields repaired."""
        return self.check(state, context) if self.check is not None else state

    def from_mapping(self, values: Mapping[Any, Any], context: Context) -> Any:
        return self.legal(from_mapping(self.state, values), context)

    def settled(self, state: Any) -> Any:
        """The state as its controls show it: positions that the clock has moved are parameters again."""
        return self.settle(state) if self.settle is not None else state

    def edited(self, state: Any, context: Context, **values: object) -> Any:
        """The legal state after a person set some parameters."""
        before = self.settled(state)
        after = replace(before, **values)
        return self.legal(self.follow(before, after) if self.follow is not None else after, context)

    def shown_controls(self, state: Any) -> tuple[str, ...]:
        if self.controls is not None:
            return self.controls(state)
        return tuple(entry.name for entry in specs(self.state) if not (entry.clock or entry.hidden))

    def slider_ends(self, state: Any) -> Mapping[str, tuple[float, float]]:
        """The ends of those sliders that the state decides."""
        return self.ranges(state) if self.ranges is not None else {}

    def preset(self, preset_id: str) -> Preset:
        """Raises KeyError where there is no such preset."""
        for preset in self.presets:
            if preset.id == preset_id:
                return preset
        raise KeyError(preset_id)
