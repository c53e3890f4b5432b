"""The blackboard: the arithmetic of the picked cell at the present station."""

from __future__ import annotations

from collections.abc import Callable

from core.lessons.pipeline import at_input, in_layer
from core.lessons.pipeline.compute import Run
from core.lessons.pipeline.state import PipelineState, name_of
from core.lessons.pipeline.wording import fitted, wrapped
from core.stage.frame import Line, Worked


def worked(state: PipelineState, run: Run, typed: str) -> Worked:
    """The picked cell of the present station."""
    station = name_of(state)
    if station in ("text", "tokens", "ids") or not run.n:
        return Worked(tuple(at_input.words(station, run, typed)))
    return Worked(tuple(fitted(part) for entry in _MAKERS[station](state, run) for part in wrapped(entry)))


_MAKERS: dict[str, Callable[[PipelineState, Run], list[Line]]] = {
    "lookup": at_input.lookup,
    "scale": at_input.scale,
    "position": at_input.position,
    "norm": at_input.norm,
    "block": at_input.block,
    "qk": in_layer.qk,
    "turn": in_layer.turn,
    "score": in_layer.score,
    "bias": in_layer.bias,
}
