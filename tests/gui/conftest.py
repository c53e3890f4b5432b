"""Qt without a screen, with the bundled fonts."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest

from tests.gui.window_helpers import fake_words, open_window, store  # noqa: F401  (fixtures)


@pytest.fixture(scope="session", autouse=True)
def _fonts(qapp: object) -> None:
    import gui  # noqa: F401  (names the Qt binding for pyqtgraph)
    from gui.theming import load_fonts

    load_fonts()
