"""Colours and sizes: what the last row can read."""

from __future__ import annotations

import pytest

from core.stage.theme import LEAST, PROFILES, SIZES, STROKES, TEXT_ROLES, THEMES, contrast


@pytest.mark.parametrize("profile", PROFILES)
def test_contrast(profile: str) -> None:
    theme = THEMES[profile]
    for ground in (theme.ground, theme.panel):
        for role in TEXT_ROLES:
            assert contrast(theme.colour(role), ground) >= 7.0, (role, ground)
        assert contrast(theme.colour("control"), ground) >= 3.0, ground


def test_contrast_is_the_standards() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=1e-3)


def test_sizes() -> None:
    projector = THEMES["projector"]
    assert projector.pixels("number", 1080) >= 0.06 * 1080
    assert projector.pixels("title", 1080) >= 0.035 * 1080
    assert projector.pixels("label", 1080) >= 0.021 * 1080
    assert min(SIZES.values()) >= LEAST
    assert projector.stroke("line", 1080) >= 0.003 * 1080
    assert projector.stroke("hand", 1080) >= 0.007 * 1080
    for profile in ("day", "night"):
        assert 0.6 <= THEMES[profile].scale <= 0.75
    assert projector.pixels("label", 1080, zoom=2) == pytest.approx(2 * projector.pixels("label", 1080))
    assert set(STROKES) == {"thin", "line", "bold", "hand"}
