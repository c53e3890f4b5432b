"""Qt without a screen, with the bundled fonts."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest


@pytest.fixture(scope="session", autouse=True)
def _fonts(qapp: object) -> None:
    import gui  # noqa: F401  (names the Qt binding for pyqtgraph)
    from gui.theming import load_fonts

    load_fonts()
