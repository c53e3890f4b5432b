"""How a role and a size look in a window of some height: colours, fonts and pens for whoever paints."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontDatabase, QPainter, QPalette, QPen, QPixmap

from core.stage.theme import THEMES, Role, Size, Theme
from core.tables.assets import asset
from core.values import dataclass

TEXT_FAMILY = "Inter"
MONO_FAMILY = "JetBrains Mono"

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_DASHES = {"dash": [4.0, 2.6], "dot": [0.1, 2.2], "dashdot": [4.0, 2.2, 0.1, 2.2]}


@cache
def load_fonts() -> tuple[str, ...]:
    """Register the bundled fonts; returns the families. Needs a QGuiApplication."""
    families: list[str] = []
    for path in sorted(asset("fonts").glob("*.ttf")):
        number = QFontDatabase.addApplicationFont(str(path))
        families += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return tuple(dict.fromkeys(families))


@dataclass(frozen=True, slots=True)
class Look:
    """A theme in a window ``height`` pixels high, at a zoom. All sizes are in pixels."""

    theme: Theme = THEMES["projector"]
    height: float = 1080.0
    zoom: float = 1.0

    def colour(self, role: Role) -> QColor:
        """The role's colour."""
        return _colour(self.theme.colour(role))

    @property
    def ground(self) -> QColor:
        """Behind everything, and inside dials and cells without a colour."""
        return _colour(self.theme.ground)

    @property
    def panel(self) -> QColor:
        """Of a panel."""
        return _colour(self.theme.panel)

    def soft(self, role: Role, alpha: float = 0.15) -> QColor:
        """The role's colour, see-through: for what lies behind text and lines."""
        colour = QColor(self.colour(role))
        colour.setAlphaF(alpha)
        return colour

    def font(self, size: Size, bold: bool = False, mono: bool = False) -> QFont:
        """Inter with figures of equal width, or JetBrains Mono. Half bold up to labels, bold from titles on."""
        weight = QFont.Weight.Normal
        if bold:
            heavy = mono or size in ("title", "number")
            weight = QFont.Weight.Bold if heavy else QFont.Weight.DemiBold
        return font(self.pixels(size), weight, mono)

    def pixels(self, size: Size) -> float:
        """The font's pixel size."""
        return self.theme.pixels(size, self.height, self.zoom)

    @property
    def least(self) -> float:
        """The smallest font in pixels that the last row can read."""
        return self.theme.least(self.height, self.zoom)

    def stroke(self, width: str) -> float:
        """A line's width."""
        return self.theme.stroke(width, self.height, self.zoom)

    def share(self, percent: float) -> float:
        """A length as per cent of the window's height, in the profile's scale and zoom."""
        return percent / 100.0 * self.height * self.theme.scale * self.zoom

    def pen(self, role: Role, width: str = "line", dash: str = "solid") -> QPen:
        """A pen with round ends."""
        return _pen(self.colour(role).rgba(), self.stroke(width), dash)


@lru_cache(maxsize=256)
def font(pixels: float, weight: QFont.Weight = QFont.Weight.Normal, mono: bool = False) -> QFont:
    """A font of this pixel size: unhinted, so that it grows evenly, with figures of equal width."""
    made = QFont(MONO_FAMILY if mono else TEXT_FAMILY)
    made.setStyleHint(QFont.StyleHint.Monospace if mono else QFont.StyleHint.SansSerif)
    made.setPixelSize(max(1, round(pixels)))
    made.setWeight(weight)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if not mono:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def at_pixels(base: QFont, pixels: float) -> QFont:
    """The same font in another size."""
    return font(float(max(1, round(pixels))), QFont.Weight(base.weight()), base.family() == MONO_FAMILY)


def hyphened(words: str, font: QFont) -> str:
    """The same words with the true hyphen in them: the typed one is as wide as a figure where figures are."""
    if "-" not in words or font.family() != TEXT_FAMILY:
        return words
    return _HYPHEN.sub("\u2010", words)


@cache
def _colour(name: str) -> QColor:
    return QColor(name)


@lru_cache(maxsize=512)
def _pen(rgba: int, width: float, dash: str) -> QPen:
    pen = QPen(QColor.fromRgba(rgba), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash in _DASHES:
        pen.setDashPattern(_DASHES[dash])
        if dash == "dash":
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


@lru_cache(maxsize=64)
def hatch(rgba: int, pitch: float, width: float, ground: int = 0) -> QBrush:
    """Diagonal lines as a brush: tells apart without colour. ``ground``: what lies between them, as 0xAARRGGBB."""
    side = max(4, round(pitch))
    tile = QPixmap(side, side)
    tile.fill(QColor.fromRgba(ground))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(rgba), width))
    for shift in (-side, 0, side):
        painter.drawLine(shift - 1, side + 1, shift + side + 1, -1)
    painter.end()
    return QBrush(tile)


@lru_cache(maxsize=16)
def palette(look: Look) -> QPalette:
    """The widgets' colours for the Fusion style."""
    made = QPalette()
    role = QPalette.ColorRole
    text, muted, control = look.colour("text"), look.colour("muted"), look.colour("control")
    made.setColor(role.Window, look.ground)
    made.setColor(role.WindowText, text)
    made.setColor(role.Base, look.ground)
    made.setColor(role.AlternateBase, look.panel)
    made.setColor(role.Text, text)
    made.setColor(role.PlaceholderText, muted)
    made.setColor(role.Button, look.panel)
    made.setColor(role.ButtonText, text)
    made.setColor(role.BrightText, look.colour("warn"))
    made.setColor(role.ToolTipBase, look.ground)
    made.setColor(role.ToolTipText, text)
    made.setColor(role.Link, look.colour("what"))
    made.setColor(role.LinkVisited, look.colour("query"))
    made.setColor(role.Highlight, text)
    made.setColor(role.HighlightedText, look.ground)
    made.setColor(role.Accent, text)
    made.setColor(role.Light, look.ground)
    made.setColor(role.Midlight, look.panel)
    made.setColor(role.Mid, control)
    made.setColor(role.Dark, control)
    made.setColor(role.Shadow, look.colour("line"))
    off = QPalette.ColorGroup.Disabled
    for name in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(off, name, control)
    made.setColor(off, role.Highlight, look.colour("line"))
    return made
