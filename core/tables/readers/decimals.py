"""Many decimal numbers at once: a block of lines becomes a matrix in some forty passes of numpy over it.

numpy leaves the interpreter lock during its passes, so a window stays live while a thread reads; and a block of 128 KB
takes about a millisecond. Only blocks in which every line is exactly as it should be are answered; for all others the
answer is None, and their reader goes through them line by line and finds the words for what is wrong.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.intp]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]
Float64: TypeAlias = npt.NDArray[np.float64]

_FRONT = 24
"""Bytes put before a block, so that 24 digits can be read backwards from any place in it."""

_MOST_DIGITS = 24
_TEN = np.array([float(f"1e{power}") for power in range(291)])
_LF, _PLUS, _MINUS, _DOT, _E, _ZERO = 10, 43, 45, 46, 101, np.uint8(48)


def parse_block(
    data: bytes, dim: int, separators: bytes, labelled: bool = True, runs: bool = False
) -> tuple[list[str], npt.NDArray[np.float32]] | None:
    """Lines of ``dim`` plain decimal numbers, after a word where ``labelled``: (words, (lines, dim) float32).

    ``data`` ends in LF. ``separators`` are the bytes between fields; with ``runs`` several count as one and those at a
    line's end as none. None where a line has another shape, a word is no UTF-8, holds a zero byte or is empty, or a
    number is not finite in float32. Numbers are right to the last digit of float32.
    """
    if b"\0" in data or (not labelled and dim < 1):
        return None
    padded = np.empty(_FRONT + len(data), np.uint8)
    padded[:_FRONT] = _ZERO
    text = padded[_FRONT:]
    text[:] = np.frombuffer(data, np.uint8)
    edges = _edges(text, separators, dim + labelled, runs)
    if edges is None:
        return None
    ends, after = edges  # of every field: where it ends, and where the next one starts
    starts = np.empty_like(ends)
    starts.ravel()[0] = 0
    starts.ravel()[1:] = after.ravel()[:-1]
    words = [""] * len(ends)
    if labelled:
        found = _cut_out_words(text, starts[:, 0], ends[:, 0])
        if found is None:
            return None
        words = found
        starts, ends = starts[:, 1:], ends[:, 1:]
    with np.errstate(over="ignore", under="ignore"):
        numbers = _numbers(padded, text, starts.ravel(), ends.ravel())
        if numbers is None:
            return None
        values = numbers.astype(np.float32).reshape(-1, dim)
    return (words, values) if np.isfinite(values).all() else None


def _edges(text: Bytes, separators: bytes, fields: int, runs: bool) -> tuple[Ints, Ints] | None:
    """Where each field ends and where the next one starts, (lines, fields) both; None where lines differ."""
    between = text == _LF
    lines = int(np.count_nonzero(between))
    for separator in separators:
        between |= text == separator
    if between[0]:
        return None
    ends: Ints = np.flatnonzero(between)
    after: Ints = ends + 1
    if runs and (between[1:] & between[:-1]).any():
        ends = np.flatnonzero(between[1:] & ~between[:-1]) + 1
        after = np.append(np.flatnonzero(between[:-1] & ~between[1:]), len(text) - 1) + 1
    if len(ends) != lines * fields:
        return None
    ends, after = ends.reshape(lines, fields), after.reshape(lines, fields)
    if (text[after[:, -1] - 1] != _LF).any():
        return None
    return ends, after  # as many ends of lines as there are LF: no other field can end in one


def _cut_out_words(text: Bytes, starts: Ints, ends: Ints) -> list[str] | None:
    """The words between ``starts`` and ``ends``; their bytes in ``text`` become zero, so that only numbers are left."""
    lengths = ends - starts + 1  # with the byte after each, which becomes the LF between them
    stops = np.cumsum(lengths)
    places = np.arange(stops[-1])
    places += np.repeat(starts - stops + lengths, lengths)
    letters = text[places]
    letters[stops - 1] = _LF
    text[places] = 0
    if (lengths < 2).any():
        return None
    try:
        return letters[:-1].tobytes().decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return None


def _numbers(padded: Bytes, text: Bytes, starts: Ints, ends: Ints) -> Float64 | None:
    """The value of each field: [sign] digits [. digits] [e [sign] digits]; None unless all of them are that."""
    window: Words = np.ndarray((len(padded) - 7,), np.dtype("<u8"), padded, strides=(1,))
    first = text[starts]
    negative = first == _MINUS
    starts = starts + (negative | (first == _PLUS))
    mantissa_ends = ends
    powers: Ints = np.zeros(len(ends), np.intp)
    digits = 0
    marks = np.flatnonzero((text | np.uint8(32)) == _E)
    if len(marks):
        of = _fields_of(marks, starts, ends)
        if of is None:
            return None
        mantissa_ends = ends.copy()
        mantissa_ends[of] = marks
        sign = text[marks + 1]
        begin = marks + 1 + ((sign == _MINUS) | (sign == _PLUS))
        lengths = ends[of] - begin
        if (lengths < 1).any() or (lengths > 3).any():
            return None
        digits = int(lengths.sum())
        exponents = _eight(window, ends[of], lengths).astype(np.intp)
        powers[of] = np.where(sign == _MINUS, -exponents, exponents)
    dots = np.flatnonzero(text == _DOT)
    if len(dots) == len(ends) and ((dots >= starts) & (dots < mantissa_ends)).all():
        whole_ends = dots
    else:
        of = _fields_of(dots, starts, mantissa_ends)
        if of is None:
            return None
        whole_ends = mantissa_ends.copy()
        whole_ends[of] = dots
    whole = whole_ends - starts
    parts = np.maximum(mantissa_ends - whole_ends - 1, 0)
    if (whole < 0).any() or (whole + parts < 1).any() or max(whole.max(), parts.max()) > _MOST_DIGITS:
        return None
    # Whatever stands where a digit should be (a second dot, a sign, a letter) makes this sum too small.
    if np.count_nonzero((text - _ZERO) < 10) != digits + int(whole.sum()) + int(parts.sum()):
        return None
    powers = np.clip(powers - parts, -290, 290)  # in float32 that far out it is 0 or infinite
    values = _digits(window, whole_ends, whole)
    values *= _TEN[parts]
    values += _digits(window, mantissa_ends, parts)
    # One rounding for up to 15 digits and powers up to 22, as powers of ten up to there are exact.
    if len(marks):
        values *= _TEN[np.maximum(powers, 0)]
    values /= _TEN[np.maximum(-powers, 0)]
    np.negative(values, out=values, where=negative)
    return values


def _fields_of(places: Ints, starts: Ints, ends: Ints) -> Ints | None:
    """The field around each of ``places``; None where one lies in no field, or two in the same."""
    of = np.searchsorted(ends, places, side="right")
    if len(of) and (of[-1] >= len(ends) or (places < starts[of]).any() or (of[1:] == of[:-1]).any()):
        return None
    return of


def _digits(window: Words, ends: Ints, lengths: Ints) -> Float64:
    """The whole numbers of ``lengths`` (up to 24) digits that end before ``ends``."""
    values = _eight(window, ends, np.minimum(lengths, 8)).astype(np.float64)
    longest = int(lengths.max())
    for done, scale in ((8, 1e8), (16, 1e16)):
        if longest > done:
            values += _eight(window, ends - done, np.clip(lengths - done, 0, 8)).astype(np.float64) * scale
    return values


def _eight(window: Words, ends: Ints, lengths: Ints) -> Words:
    """Up to eight digits before each of ``ends``, all eight worked out at once inside one 64-bit word.

    Neighbouring digits are joined to numbers of two, then four, then eight (D. Lemire, "Number parsing at a gigabyte
    per second", 2021).
    """
    word = window[ends + (_FRONT - 8)]
    shift = (8 - lengths).astype(np.uint64) << np.uint64(3)
    word >>= shift  # what stands before the digits goes
    word <<= shift
    word &= np.uint64(0x0F0F0F0F0F0F0F0F)  # "0" is 0x30
    for factor, step, mask in (
        (2561, 8, 0x00FF00FF00FF00FF),
        (6553601, 16, 0x0000FFFF0000FFFF),
        (42949672960001, 32, 0xFFFFFFFF),
    ):
        word *= np.uint64(factor)
        word >>= np.uint64(step)
        word &= np.uint64(mask)
    return word
