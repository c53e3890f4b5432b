"""The arithmetic under the sinusoidal tables: a person gets the numbers on the stage with what is printed here."""

from __future__ import annotations

import math

from core.lessons.positions.pages import angle_text, divisor, equals, said
from core.lessons.positions.rows import shift_error
from core.lessons.positions.state import PositionsState, at, frequency, page, pairs, shown_size
from core.stage.frame import Line, Term, Worked, line
from core.stage.numbers import bracketed, count, number, shown
from core.stage.theme import Role

Lights = tuple[tuple[str, tuple[int, ...]], ...]


def _t(key: str, **fields: object) -> str:
    return said(f"worked.{key}", **fields)


def plain_lines(state: PositionsState) -> tuple[Line, ...]:
    lines = pair_lines(state)
    law_text = _t("law", row=count(at(state)))
    note = "   " + _t("law_note")
    law = line(law_text, Term(note if len(law_text + note) <= Worked.COLUMNS else "", "muted"))
    return (*lines[:2], law, *lines[2:])


def pair_lines(state: PositionsState) -> list[Line]:
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
            lines.append(_turned(state, pair, (angle, sine, cosine), (role, hand, lights)))
    return lines


def _turned(
    state: PositionsState, pair: int, texts: tuple[str, str, str], looks: tuple[Role, Lights, tuple[Lights, ...]]
) -> Line:
    """``pair 1: 1,000,000 / 3.162278 = 2.209 + turns: sin 0.803, cos −0.596``"""
    (angle, sine, cosine), (role, hand, lights) = texts, looks
    exact = at(state) * frequency(state, pair)
    kind = "turned" if exact >= 2 * math.pi else "unturned"
    name, turn = _t("pair", pair=pair) + " ", angle_text(exact)
    ends = (_t("sine", value=sine) + " ", _t("cosine", value=cosine))
    room = Worked.COLUMNS - len(name) - len(ends[0]) - len(ends[1])
    middle = _t(kind, angle=angle, turn=turn)
    if len(middle) >= room:
        middle = _t(kind, angle=_t("angle"), turn=turn)
    return (
        Term(name, role, hand),
        Term(middle + " ", role),
        Term(ends[0], role, lights[0]),
        Term(ends[1], role, lights[1]),
    )


def _cell_lights(state: PositionsState, pair: int, half: int) -> Lights:
    if page(state) == "identity":
        return ()
    return (("table", (at(state), 2 * pair + half)),)


def _hand_lights(state: PositionsState, pair: int) -> Lights:
    shown_pairs = pairs(state)
    if page(state) != "dials" or pair not in shown_pairs:
        return ()
    return (("hand", (shown_pairs.index(pair),)),)


def shifted_lines(state: PositionsState) -> tuple[Line, ...]:
    """sin(p + k) and cos(p + k) from row p and the k alone, then the whole row at once."""
    here, other = at(state), at(state) + state.offset
    speed, pair = frequency(state, state.pair), state.pair
    size = abs(state.offset)
    a, b = (count(here), count(size)) if pair == 0 else (angle_text(here * speed), angle_text(size * speed))
    sine, cosine = shown(math.sin(here * speed)), shown(math.cos(here * speed))
    turn_sine, turn_cosine = shown(math.sin(size * speed)), shown(math.cos(size * speed))
    plus, minus = (" + ", " − ") if state.offset >= 0 else (" − ", " + ")
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
        lines.append(_product(state, half, factors, sign, value))
        lights: Lights = (("table", (other, column)),) if page(state) != "identity" else ()
        lines.append(
            line(_t("stands", row=count(other), column=column) + " ", Term(number(value), "where", lights, bold=True))
        )
    error = shift_error(state.d_model, state.base, here, state.offset)
    check = _t("check", other=count(other), offset=number(state.offset, 0), row=count(here))
    everywhere = _t("check_all", count=count(state.d_model))
    if len(check + number(error, 9) + everywhere) > Worked.COLUMNS:
        everywhere = _t("check_everywhere")
    lines.append(line(check, Term(number(error, 9), bold=True), everywhere))
    return (*lines, *pair_lines(state))


def _product(
    state: PositionsState, half: str, factors: tuple[float, float, float, float], sign: str, value: float
) -> Line:
    """``= (a)(b) + (c)(d) = 0.2762 + 0.1354 = 0.412`` from the factors as they are shown."""
    here, pair, shown_page = at(state), state.pair, page(state)
    first, second = round(factors[0] * factors[1], 4), round(factors[2] * factors[3], 4)
    total = round(first + second if sign == " + " else first - second, 6)
    own, cross = (2 * pair, 2 * pair + 1) if half == "sin" else (2 * pair + 1, 2 * pair)
    turned = sign if second >= 0 else {" + ": " − ", " − ": " + "}[sign]
    of_row: list[Lights] = [(), ()]
    of_matrix: list[Lights] = [(), ()]
    if shown_page == "identity":  # the bars of this half
        start = 0 if half == "sin" else 3
        of_row = [(("terms", (start,)),), (("terms", (start + 1,)),)]
    else:
        of_row = [(("table", (here, own)),), (("table", (here, cross)),)]
    if shown_page == "shift" and 2 * pair < shown_size(state):
        of_matrix = [(("matrix", (own, own)),), (("matrix", (own, cross)),)]
    return line(
        "= ",
        Term(bracketed(factors[0]), "where", of_row[0]),
        Term(bracketed(factors[1]), lights=of_matrix[0]),
        sign,
        Term(bracketed(factors[2]), "where", of_row[1]),
        Term(bracketed(factors[3]), lights=of_matrix[1]),
        f" = {number(first, 4)}{turned}{number(abs(second), 4)} {equals(total, value)} ",
        Term(number(value), "where", bold=True),
    )
