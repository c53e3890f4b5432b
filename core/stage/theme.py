"""Colours by meaning, and sizes for the last row: the one place that knows what a role looks like.

Sizes are shares of the window's height. The projector's are for a lecture hall; day and night are desk sizes.
"""

from __future__ import annotations

from typing import Literal

from core.values import dataclass

Role = Literal["what", "where", "query", "key", "warn", "text", "muted", "control", "line"]
Size = Literal["number", "title", "heading", "label", "small"]
Profile = Literal["projector", "day", "night"]

PROFILES: tuple[Profile, ...] = ("projector", "day", "night")
TEXT_ROLES: tuple[Role, ...] = ("what", "where", "query", "key", "warn", "text", "muted")

_LIGHT = {
    "what": "#00529F",
    "where": "#903600",
    "query": "#5B2A9D",
    "key": "#005F38",
    "warn": "#9B0045",
    "text": "#14181F",
    "muted": "#4A5361",
    "control": "#818D9F",
    "line": "#C9CED6",
}
_DARK = {
    "what": "#6CB6FF",
    "where": "#FFB266",
    "query": "#C6A5FF",
    "key": "#6FD8A8",
    "warn": "#FF8A8A",
    "text": "#F2F5F9",
    "muted": "#B4BDC9",
    "control": "#6B7A90",
    "line": "#39424F",
}


@dataclass(frozen=True, slots=True)
class Theme:
    """A profile: what each role and size means in it."""

    profile: Profile
    ground: str
    panel: str
    dark: bool
    scale: float  # of every size, against the projector's

    def colour(self, role: Role) -> str:
        """The role's colour as ``#RRGGBB``."""
        return (_DARK if self.dark else _LIGHT)[role]

    def pixels(self, size: Size, height: float, zoom: float = 1.0) -> float:
        """The font's pixel size in a window of this height."""
        return max(max(SIZES[size], LEAST) * self.scale * height * zoom, FLOOR)

    def least(self, height: float, zoom: float = 1.0) -> float:
        """The smallest pixel size that a text may be shrunk to."""
        return max(LEAST * self.scale * height * zoom, FLOOR - 1.0)

    def stroke(self, width: str, height: float, zoom: float = 1.0) -> float:
        """A line's width in pixels."""
        return max(1.0, STROKES[width] * self.scale * height * zoom)


# Shares of the window's height in the projector profile (visual language: number ≥ 6 %, title ≥ 3.5 %, label ≥ 2.1 %,
# nothing under 1.6 %; lines ≥ 0.3 %, hands ≥ 0.7 %).
SIZES: dict[str, float] = {"number": 0.062, "title": 0.0355, "heading": 0.026, "label": 0.0215, "small": 0.0165}
STROKES: dict[str, float] = {"thin": 0.0015, "line": 0.0032, "bold": 0.0045, "hand": 0.0075}
LEAST = 0.016
FLOOR = 10.0  # pixels: no text is made smaller, however low the window (one that has to shrink may lose one more)

THEMES: dict[str, Theme] = {
    "projector": Theme("projector", "#FFFFFF", "#F2F4F7", False, 1.0),
    "day": Theme("day", "#FFFFFF", "#F2F4F7", False, 0.75),
    "night": Theme("night", "#10141A", "#1A2029", True, 0.75),
}


def contrast(first: str, second: str) -> float:
    """WCAG 2.2 contrast ratio of two colours ``#RRGGBB``, 1 to 21."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = []
    for start in (1, 3, 5):
        channel = int(colour[start : start + 2], 16) / 255
        parts.append(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
