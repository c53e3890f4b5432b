"""What a tokeniser hands on: tokens that know where they stood in the typed text, and how a token is shown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol

from core.tables.vocabulary import Spelling, TokenId, Vocabulary
from core.values import dataclass

_SPACE = "␣"
_DOTTED_CIRCLE = "◌"
_JOINERS = "\u200c\u200d"
_TORN = re.compile("([\udc80-\udcff]+)")  # how surrogateescape decodes bytes that are no whole letter


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a typed text.

    ``piece``  the token as its vocabulary spells it: "the", "Ġcat", "##ing"; for a missing one what was looked for.
    ``id``     its number in ``vocabulary``, or None: there is no such token, and no vector is invented for it.
    ``start``, ``end``  the characters of the typed text it stands for. Tokens that hold part of one letter's bytes
    share that letter's place (see ``letters``).
    ``unknown``  the vocabulary's own stand-in ("[UNK]") took its place: there is a row, but it says nothing of it.
    """

    piece: str
    id: int | None
    start: int
    end: int
    vocabulary: Vocabulary
    unknown: bool = False

    @property
    def missing(self) -> bool:
        """Whether the vocabulary (or the part of it that is shipped) has no such token."""
        return self.id is None

    @property
    def token_id(self) -> TokenId | None:
        """The number with its vocabulary, as tables take it; None for a missing token."""
        return None if self.id is None else TokenId(self.vocabulary, self.id)

    @property
    def shown(self) -> str:
        """The token as a person reads it: the space mark as ␣, control characters as U+0085."""
        return visible(self.piece, self.vocabulary.spelling)


class Tokenizer(Protocol):
    """Cuts a text into tokens of one vocabulary. Never raises, whatever is typed; an empty text gives no tokens."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def tokens(self, text: str) -> tuple[Token, ...]: ...


def letters(tokens: Sequence[Token], text: str = "") -> tuple[tuple[Token, ...], ...]:
    """Neighbouring tokens grouped so that no letter is torn: byte tokens that share a character stand together.

    With the typed ``text``, what a reader takes for one sign stays together too: a letter with its accents, a family
    emoji with its joiners.
    """
    groups: list[list[Token]] = []
    end = 0
    for token in tokens:
        if groups and (token.start < end or _goes_on(text, token.start)):
            groups[-1].append(token)
        else:
            groups.append([token])
        end = max(end, token.end)
    return tuple(tuple(group) for group in groups)


def _goes_on(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    here = text[at]
    return (
        here == "\u200d"
        or text[at - 1] == "\u200d"
        or "\U0001f3fb" <= here <= "\U0001f3ff"  # skin tones
        or unicodedata.category(here) in ("Mn", "Me")
    )


# --- how a token is shown ------------------------------------------------------------------------------------------


def visible(token: str, spelling: Spelling = "words") -> str:
    """``token`` so that a class sees all of it, as plain text: ␣ for a space at its edge, U+0085 for what has no shape.

    ``spelling`` says how its vocabulary writes tokens down: "Ġcat" in "bytes" and "▁cat" in "sentencepiece" are shown
    "␣cat"; bytes that are no whole letter
    are shown as 0xF0 0x9F; "##ing" stays. An empty token is shown “”.
    """
    if spelling == "bytes":
        raw = spelled_bytes(token)
        if raw is not None:
            parts = _TORN.split(raw.decode("utf-8", "surrogateescape"))
            return " ".join([_torn(part) if _TORN.match(part) else _visible(part) for part in parts if part]) or "“”"
    elif spelling == "sentencepiece":
        return _visible(token.replace("▁", " "))
    return _visible(token)


def _torn(part: str) -> str:
    return " ".join(f"0x{byte:02X}" for byte in part.encode("utf-8", "surrogateescape"))


def _visible(text: str) -> str:
    if not text:
        return "“”"
    inner_start = len(text) - len(text.lstrip(" "))
    inner_end = len(text.rstrip(" "))
    if inner_end == 0:
        return _SPACE * len(text)
    shown = [_SPACE] * inner_start
    for at in range(inner_start, inner_end):
        shown.append(_visible_character(text[at], alone=at == inner_start, last=at == inner_end - 1))
    shown.append(_SPACE * (len(text) - inner_end))
    return "".join(shown)


def _visible_character(character: str, *, alone: bool, last: bool) -> str:
    if character == " " or character.isprintable():
        # An accent without its letter would sit on whatever stands before it on the screen.
        return _DOTTED_CIRCLE + character if alone and unicodedata.combining(character) else character
    if character in _JOINERS and not alone and not last:
        return character  # inside a family emoji or a Persian word it shapes what is seen
    return f"U+{ord(character):04X}"


# --- the letters of byte-level BPE ---------------------------------------------------------------------------------


def _byte_letters() -> tuple[str, ...]:
    """Byte -> the letter GPT-2 writes for it: itself where it prints, else the next letter from U+0100 on."""
    printed = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    others = iter(range(256, 512))
    return tuple(chr(byte if byte in printed else next(others)) for byte in range(256))


BYTE_LETTERS = _byte_letters()
_BYTE_OF = {letter: byte for byte, letter in enumerate(BYTE_LETTERS)}


def spell_bytes(raw: bytes) -> str:
    """``raw`` in the letters of byte-level BPE: b" cat" is "Ġcat"."""
    return "".join([BYTE_LETTERS[byte] for byte in raw])


def spelled_bytes(piece: str) -> bytes | None:
    """The bytes that ``piece`` spells, or None where a letter of it stands for no byte."""
    try:
        return bytes([_BYTE_OF[letter] for letter in piece])
    except KeyError:
        return None
