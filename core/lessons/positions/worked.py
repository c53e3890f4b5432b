"""The arithmetic under the position tables: a person gets the numbers on the stage with what is printed here."""

from __future__ import annotations

import math

import numpy as np

from core.encodings import naive
from core.lessons.positions.rows import (
    TRAINED,
    learned_lengths,
    learned_refusal,
    rows_of,
    shift_error,
    word,
)
from core.lessons.positions.state import (
    BITS,
    WORD,
    PositionsState,
    at,
    exists,
    frequency,
    limit,
    pairs,
    shifts,
    shown_size,
    width,
)
from core.stage.frame import Line, Term, Worked, line
from core.stage.numbers import bracketed, count, number, short, shown
from core.stage.text import text
from core.stage.theme import Role
from core.tables import models

Lights = tuple[tuple[str, tuple[int, ...]], ...]


def worked(state: PositionsState) -> Worked:
    """Three lines at a time for the chosen scheme."""
    if state.scheme == "sinusoidal":
        return Worked(_shifted(state) if shifts(state) else _plain(state))
    if state.scheme == "learned":
        return Worked(_learned(state))
    if state.scheme == "binary":
        return Worked(_binary(state))
    return Worked(_fraction(state) if state.scheme == "fraction" else _raw(state))


def _t(key: str, **fields: object) -> str:
    return text(f"positions.worked.{key}", **fields)


# --- sinusoidal ------------------------------------------------------------------------------------------------------


def _plain(state: PositionsState) -> tuple[Line, ...]:
    lines = _pair_lines(state)
    law = line(_t("law", row=count(at(state))) + "   ", Term(_t("law_note"), "muted"))
    return (*lines[:2], law, *lines[2:])


def _pair_lines(state: PositionsState) -> list[Line]:
    """One line for each pair on the dials, the picked one first where it is not among the first two."""
    listed = list(pairs(state))
    if state.pair not in listed[:2]:
        listed = [state.pair, *(pair for pair in listed if pair != state.pair)]
    here = at(state)
    cells = []
    for pair in listed:
        turned = here * frequency(state, pair)
        angle = f"{count(here)} / {divisor(state, pair, here)}"
        cells.append((pair, angle, number(math.sin(turned)), number(math.cos(turned))))
    return [*_aligned(state, cells[:2]), *_aligned(state, cells[2:])]  # each page below itself


def _aligned(state: PositionsState, cells: list[tuple[int, str, str, str]]) -> list[Line]:
    """Equals signs below one another; where a line would be too long, the angle within one turn instead."""
    if not cells:
        return []
    wide = max(len(_t("sin", angle=angle)) for _, angle, _, _ in cells)
    label = max(len(_t("pair", pair=pair)) for pair, *_ in cells)
    fits = label + 2 * (wide + len(" = −0.000")) + 5 <= Worked.COLUMNS
    lines: list[Line] = []
    for pair, angle, sine, cosine in cells:
        role: Role = "where" if pair == state.pair else "text"
        lights = tuple(_cell_lights(state, pair, half) for half in (0, 1))
        hand = _hand_lights(state, pair)
        if fits:
            left = f"{_t('sin', angle=angle).ljust(wide)} = {sine:>6}   "
            right = f"{_t('cos', angle=angle).ljust(wide)} = {cosine:>6}"
            name = Term(_t("pair", pair=pair).ljust(label) + "  ", role, hand)
            lines.append((name, Term(left, role, lights[0]), Term(right, role, lights[1])))
        else:
            turned = _t("turned", angle=angle, turn=angle_text(at(state) * frequency(state, pair)))
            lines.append(
                (
                    Term(_t("pair", pair=pair) + " ", role, hand),
                    Term(turned + " ", role),
                    Term(_t("sine", value=sine) + " ", role, lights[0]),
                    Term(_t("cosine", value=cosine), role, lights[1]),
                )
            )
    return lines


def _cell_lights(state: PositionsState, pair: int, half: int) -> Lights:
    return (("table", (at(state), 2 * pair + half)),)


def _hand_lights(state: PositionsState, pair: int) -> Lights:
    shown_pairs = pairs(state)
    if state.show != "dials" or pair not in shown_pairs:
        return ()
    return (("hand", (shown_pairs.index(pair),)),)


def divisor(state: PositionsState, pair: int, position: int) -> str:
    """base^(2i/d) with as many digits as the shown sine and cosine of this position need."""
    exact = 1.0 / frequency(state, pair)
    for decimals in range(3, 11):
        rounded = round(exact, decimals)
        if _same_reading(position / rounded, position / exact):
            return short(rounded, decimals)
    return short(exact, 10)


def angle_text(angle: float) -> str:
    """An angle within one turn, with as many digits as its shown sine and cosine need."""
    turned = angle % (2.0 * math.pi)
    for decimals in range(3, 7):
        if _same_reading(round(turned, decimals), turned):
            return short(turned, decimals)
    return short(turned, 7)


def _same_reading(a: float, b: float) -> bool:
    return shown(math.sin(a)) == shown(math.sin(b)) and shown(math.cos(a)) == shown(math.cos(b))


def _shifted(state: PositionsState) -> tuple[Line, ...]:
    """sin(p + k) and cos(p + k) from row p and the k alone, then the whole row at once."""
    here, other = at(state), at(state) + state.offset
    speed, pair = frequency(state, state.pair), state.pair
    size = abs(state.offset)
    a, b = (count(here), count(size)) if pair == 0 else (angle_text(here * speed), angle_text(size * speed))
    sine, cosine = shown(math.sin(here * speed)), shown(math.cos(here * speed))
    turn_sine, turn_cosine = shown(math.sin(size * speed)), shown(math.cos(size * speed))
    plus, minus = (" + ", " − ") if state.offset > 0 else (" − ", " + ")
    matrix = state.show == "shift" and 2 * pair < shown_size(state)
    lines: list[Line] = []
    for half, factors, sign, value in (
        ("sin", (sine, turn_cosine, cosine, turn_sine), plus, math.sin(other * speed)),
        ("cos", (cosine, turn_cosine, sine, turn_sine), minus, math.cos(other * speed)),
    ):
        law = _t(f"{half}_law", a=a, b=b, plus=plus.strip(), minus=minus.strip())
        if len(law) > Worked.COLUMNS:
            law = _t(f"{half}_law", a="a", b="b", plus=plus.strip(), minus=minus.strip()) + _t("letters", a=a, b=b)
        column = 2 * pair + (half == "cos")
        lines.append(line(Term(law, "where")))
        lines.append(_product(factors, sign, value, (here, pair, half), matrix))
        lines.append(
            line(
                _t("stands", row=count(other), column=column) + " ",
                Term(number(value), "where", (("table", (other, column)),), bold=True),
            )
        )
    error = shift_error(state.d_model, state.base, here, state.offset)
    check = _t("check", other=count(other), offset=number(state.offset, 0), row=count(here))
    everywhere = _t("check_all", count=count(state.d_model))
    lines.append(line(check, Term(number(error, 9), bold=True), everywhere))
    return (*lines, *_pair_lines(state))


def _product(
    factors: tuple[float, float, float, float], sign: str, value: float, where: tuple[int, int, str], matrix: bool
) -> Line:
    """``= (a)(b) + (c)(d) = 0.2762 + 0.1354 = 0.412`` from the factors as they are shown."""
    here, pair, half = where
    first, second = round(factors[0] * factors[1], 4), round(factors[2] * factors[3], 4)
    total = round(first + second if sign == " + " else first - second, 6)
    equal = "=" if shown(total) == shown(value) else "≈"
    own, cross = (2 * pair, 2 * pair + 1) if half == "sin" else (2 * pair + 1, 2 * pair)
    turned = sign if second >= 0 else {" + ": " − ", " − ": " + "}[sign]
    return line(
        "= ",
        Term(bracketed(factors[0]), "where", (("table", (here, own)),)),
        Term(bracketed(factors[1]), lights=(("matrix", (own, own)),) if matrix else ()),
        sign,
        Term(bracketed(factors[2]), "where", (("table", (here, cross)),)),
        Term(bracketed(factors[3]), lights=(("matrix", (own, cross)),) if matrix else ()),
        f" = {number(first, 4)}{turned}{number(abs(second), 4)} {equal} ",
        Term(number(value), "where", bold=True),
    )


# --- the others ------------------------------------------------------------------------------------------------------


def _learned(state: PositionsState) -> tuple[Line, ...]:
    here, last = at(state), limit(state) - 1
    gpt2 = next(entry.max_position for entry in models.models() if entry.id.startswith("gpt-2"))
    ends = gpt2 if isinstance(gpt2, int) else 1024
    example = line(Term(_t("gpt2", tokens=count(1500), needs=count(1499), last=count(ends - 1)), "muted"))
    cost = line(_t("cost", rows=count(last + 1), columns=width(state), count=count((last + 1) * width(state))))
    if learned_refusal(here):
        return (
            line(Term(_t("refused", row=count(here), needs=count(here + 1)), "warn", bold=True)),
            line(_t("refused_why", rows=count(last + 1), last=count(last))),
            example,
            cost,
        )
    start = rows_of(state).at(np.array([here]), np.arange(4))[0]
    listed = ", ".join(number(value) for value in start)
    lights: Lights = tuple(("table", (here, column)) for column in range(4))
    length = number(float(learned_lengths()[here]))
    return (
        line(Term(_t("row_start", row=count(here), numbers=listed, count=width(state)), "where", lights)),
        line(Term(_t("row_length", value=length), lights=(("lengths.picked", ()),))),
        cost,
        line(_t("sized", row=count(TRAINED))),
        example,
    )


def _raw(state: PositionsState) -> tuple[Line, ...]:
    """The dot product of "cat" here and "dog" there, position included."""
    here, other = at(state), at(state) + state.offset
    products = [round(float(a * b), 4) for a, b in zip(word("cat"), word("dog"), strict=True)]
    words = round(sum(products), 4)
    place = float(here) * float(other)
    total = words + place
    names = (_t("word_dot"), _t("place_dot", row=count(here), other=count(other)), _t("sum"))
    ends = (
        " + ".join(short(value, 4) for value in products) + f" = {short(words)}",
        count(place),
        f"{short(words)} + {count(place)} = {short(total)}",
    )
    wide = max(map(len, names))
    if wide + max(map(len, ends)) + 3 > Worked.COLUMNS:
        wide = 0
    heads = [f"{name.ljust(wide)} = " for name in names]
    share = _t("share", share=_small_share(words / total))
    return (
        line(heads[0], Term(ends[0], "what")),
        line(heads[1], Term(ends[1], "where", (("table", (here, WORD)),), bold=True)),
        line(heads[2], Term(ends[2], bold=True)),
        line(Term(share, "muted")),
    )


def _small_share(share: float) -> str:
    """A share of 1 as per cent, with two digits that count."""
    percent = 100.0 * share
    decimals = 0 if percent >= 10 else min(12, 1 - math.floor(math.log10(percent)))
    return short(percent, decimals) + " %"


def _fraction(state: PositionsState) -> tuple[Line, ...]:
    here, length = at(state), limit(state)
    steps = max(length - 1, 1)
    if not exists(state):
        first = line(Term(_t("outside", row=count(here), length=count(length), last=count(length - 1)), "warn"))
    else:
        value = float(naive.fraction([here], length)[0, 0])
        said = _t("fraction", row=count(here), length=count(length), steps=count(steps), value=number(value))
        first = line(Term(said, "where", (("table", (here, WORD)),)))
    two = [
        line(_t("fraction_two", length=count(size), steps=count(size - 1), value=number(2 / (size - 1))))
        for size in (max(length, 2), 2 * max(length, 2))
    ]
    return (first, *two)


def _binary(state: PositionsState) -> tuple[Line, ...]:
    here = at(state)
    digits = naive.binary([here], BITS)[0].astype(int)
    powers = [count(2**bit) for bit in range(BITS) if digits[bit]]
    total = _t("binary", row=count(here), sum=" + ".join(powers) or "0")
    if len(total) > Worked.COLUMNS:
        total = _t("binary", row=count(here), sum=" + ".join([*powers[:2], "…", *powers[-2:]]))
    lights: Lights = (("table", (here, 0)),)
    flips = flipped(here)
    return (
        line(Term(total, "where")),
        line(Term(_t("binary_digits", digits=" ".join(map(str, digits))), lights=lights)),
        line(Term(_t("binary_flip", other=count(here + 1), count=flips), "muted")),
    )


def flipped(position: int) -> int:
    """How many binary digits change from a position to the next."""
    return (position ^ (position + 1)).bit_length()
