"""Printed arithmetic, calculated again: every equation of a line with the numbers that stand there."""

from __future__ import annotations

import math
import re

from core.stage.frame import Frame

_MATH = r"[\d.,+\-*/()√²σλ× −%]+"
_SIGMA = {"σ": lambda x: 1.0 / (1.0 + math.exp(-x)), "λ": math.log, "math": math}


def written(frame: Frame) -> list[str]:
    return ["".join(term.text for term in line) for line in frame.worked.lines]


def evaluated(side: str) -> float | None:
    """What a side of an equation comes to; None where it is words."""
    side = side.strip()
    if not side or not re.fullmatch(_MATH, side) or not re.search(r"\d", side):
        return None
    code = side.replace(",", "").replace("−", "-").replace("×", "*").replace("²", "**2").replace(")(", ")*(")
    code = re.sub(r"√([\d.]+)", r"math.sqrt(\1)", code).replace("√(", "math.sqrt(")
    code = re.sub(r"([\d.]+) %", r"(\1/100)", code)
    return float(eval(code, dict(_SIGMA)))


def equations(line: str) -> list[tuple[str, str, str]]:
    """(left, sign, right) of all equations in a line; comments stand after three spaces."""
    parts = [re.split(r"(=|≈)", part) for part in re.split(r" {2,}", line)]
    return [(part[at - 1], part[at], part[at + 1]) for part in parts for at in range(1, len(part) - 1, 2)]


def places(side: str) -> int:
    digits = re.search(r"\.(\d+)", side)
    return len(digits.group(1)) if digits else 0


def check_arithmetic(frame: Frame) -> int:
    """Each equation comes out with the numbers that are printed; returns how many there were."""
    return check_lines(written(frame), near=5.0)


def check_whole(frame: Frame) -> int:
    """As ``check_arithmetic``, also where an equation runs over several lines, has words before it, a σ or a logarithm,
    or leaves a sum of others to one number; "≈" is off by one in the last place at most."""
    joined = re.sub(r"\n {2,}(?=[+=−(l])", " ", "\n".join(line for line in written(frame) if line.strip()))
    joined = re.sub(r"ln ([\d.]+)", r"λ(\1)", joined)
    joined = re.sub(r" \(\d+ more\)", "", joined)
    found = []
    for line in joined.split("\n"):
        for part in re.split(r", +| {2,}", line):
            cut = re.split(r"(=|≈)", part)
            start = re.search(rf"(?:^|(?<=[ :])){_MATH}$", cut[0])
            named = start is None or cut[0][: start.start()].rstrip().endswith("·")  # a row may be called 2
            cut[0] = "" if named or start is None else start.group()
            found.append("".join(cut))
    return check_lines(found, near=1.0)


def check_lines(lines: list[str], near: float) -> int:
    checked = 0
    for line in lines:
        for left, sign, right in equations(line):
            right = re.split(r"(?<=[\d%)]) (?=[a-z])", right.strip())[0]
            a, b = evaluated(left), evaluated(right)
            if a is None or b is None:
                continue
            checked += 1
            decimals = places(right) + (2 if "%" in right else 0)
            terms = len(re.findall(r"\d+\.\d+", right)) or 1
            if sign == "≈":
                assert abs(a - b) <= near * 10.0**-decimals, line
            elif terms == 1:
                assert abs(a - b) <= 0.5 * 10.0**-decimals + 1e-9, line
            else:
                assert abs(a - b) <= 0.5 * terms * 10.0**-decimals, line
    return checked
