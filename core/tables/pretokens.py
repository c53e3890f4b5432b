"""GPT-2's first cut: a text into words, runs of digits, punctuation and blanks. Tokens never reach across these.

The published pattern is

    's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+

Python's own patterns know no \\p{L}, so every character is first replaced by one letter for its kind, and the
same pattern runs over the kinds: "L" a letter, "N" a numeral, "S" white space, "O" anything else. The space, the
apostrophe and the small letters of 's 't 're … stay themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Letters and numerals of Unicode 15 to 16, which tiktoken 0.14 knows and Python 3.11 (Unicode 14) doesn't.
_NEW_LETTERS = (
    "1C89-1C8A A7CB-A7CD A7DA-A7DC 105C0-105F3 10D4A-10D65 10D6F-10D85 10EC2-10EC4 1123F-11240 11380-11389 1138B 1138E "
    "11390-113B5 113B7 113D1 113D3 11BC0-11BE0 11F02 11F04-11F10 11F12-11F33 1342F 13441-13446 13460-143FA 16100-1611D "
    "16D40-16D6C 18CFF 1B132 1B155 1DF25-1DF2A 1E030-1E06D 1E4D0-1E4EB 1E5D0-1E5ED 1E5F0 2B739 2EBF0-2EE5D 31350-323AF"
)
_NEW_NUMERALS = (
    "10D40-10D49 116D0-116E3 11BF0-11BF9 11F50-11F59 16130-16139 16D70-16D79 1CCF0-1CCF9 1D2C0-1D2D3 1E4F0-1E4F9 "
    "1E5F1-1E5FA"
)
_WHITE_SPACE = frozenset([*range(0x09, 0x0E), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029])
_WHITE_SPACE |= {0x202F, 0x205F, 0x3000}  # Unicode's White_Space less the space; str.isspace also says yes to U+001C

_PATTERN = re.compile(r"'(?:[stmd]|re|ve|ll)| ?[Lstmdrevl]+| ?N+| ?[O']+|[ S]+(?![^ S])|[ S]+")


def _ranges(text: str) -> frozenset[int]:
    code_points: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        code_points.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(code_points)


class _Kinds(dict[int, str]):
    """Code point -> letter of its kind, for ``str.translate``; filled in as characters turn up."""

    new_letters = _ranges(_NEW_LETTERS)
    new_numerals = _ranges(_NEW_NUMERALS)

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        major = unicodedata.category(character)[0]
        if character in " 'stmdrevl":
            kind = character
        elif code_point in _WHITE_SPACE:
            kind = "S"
        elif major == "L" or code_point in self.new_letters:
            kind = "L"
        elif major == "N" or code_point in self.new_numerals:
            kind = "N"
        else:
            kind = "O"
        self[code_point] = kind
        return kind


_KINDS = _Kinds()


def kinds(text: str) -> str:
    """One letter of its kind for each character of ``text``."""
    return text.translate(_KINDS)


def pretokens(text: str, single_digits: bool = False) -> Iterator[tuple[int, int]]:
    """The spans (start, end) of GPT-2's first cut, in order; together they cover the whole text.

    ``single_digits``: every numeral stands alone and the text between them is cut by itself, as SmolLM2 does.
    """
    of_kind = kinds(text)
    if not single_digits:
        yield from (match.span() for match in _PATTERN.finditer(of_kind))
        return
    for part in re.finditer("N|[^N]+", of_kind):
        offset = part.start()
        for match in _PATTERN.finditer(part.group()):
            yield match.start() + offset, match.end() + offset


def without_surrogates(text: str) -> tuple[str, list[int] | None]:
    """``text`` as it can be written in UTF-8, and where each of its characters stood (None: nothing changed).

    Half a surrogate pair becomes U+FFFD and two halves their letter, as tiktoken does.
    """
    if text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text):
        return text, None
    clean: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(text):
        pair = text[at : at + 2]
        width = 1
        if len(pair) == 2 and "\ud800" <= pair[0] <= "\udbff" and "\udc00" <= pair[1] <= "\udfff":
            clean.append(pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le"))
            width = 2
        else:
            clean.append("\ufffd" if "\ud800" <= text[at] <= "\udfff" else text[at])
        places.append(at)
        at += width
    places.append(at)
    return "".join(clean), places
