"""A stage of the size that a Full HD window leaves it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def stage(qapp: Any) -> Iterator[Any]:
    from PySide6.QtCore import QCoreApplication, QEvent

    from gui.theming import Look
    from gui.view.stage import StageView

    view = StageView(Look())
    view.resize(1340, 590)
    view.show()
    yield view
    view.hide()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def shown(stage: Any, qapp: Any) -> Callable[..., Any]:
    """Draws panels; gives the first panel's plot."""
    import scenes

    def draw(*panels: Any, lit: Any = (), covers: frozenset[str] = frozenset()) -> Any:
        stage.draw(scenes.frame(*panels, covers=covers), lit)
        qapp.processEvents()
        return stage.panel_view(panels[0].key).plot

    return draw
