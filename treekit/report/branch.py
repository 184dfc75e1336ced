"""What a branch of a test stands for, and its words."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from attrs import frozen

from treekit.table.record import Column
from treekit.tree import CUTS

FEWEST_DIGITS = 6
EXACT_DIGITS = 10
SAME = 1e-14
QUOTED_FOR = frozenset('",:{}')


@frozen
class Branch:
    """The values that take a branch: numbers `low < value <= high`, or levels.

    `ordered` levels are a run of an ordinal column's, and are told by where the run ends.
    A branch of `unknown` is one that no known value takes.
    """

    low: float = -math.inf
    high: float = math.inf
    levels: tuple[int, ...] | None = None
    ordered: bool = False
    unknown: bool = False


def branches(
    kind: int, column: Column, operands: Sequence[float], n_children: int, unknown: int
) -> list[Branch]:
    """The branches of one test, in the order of the children."""
    found: list[Branch]
    if kind == CUTS:
        ends = [-math.inf, *operands, math.inf]
        found = [Branch(low, high) for low, high in pairwise(ends)]
        if not column.is_numeric:
            found = [Branch(levels=_run(b, len(column.levels)), ordered=True) for b in found]
    else:
        taking: list[list[int]] = [[] for _ in range(n_children)]
        for level, branch in enumerate(operands):
            if branch >= 0:
                taking[int(branch)].append(level)
        found = [Branch(levels=tuple(levels)) for levels in taking]
        if unknown >= 0 and not found[unknown].levels:
            found[unknown] = Branch(unknown=True)
    # Children beyond the last cut: where unknown values go by themselves.
    found += [Branch(unknown=True)] * (n_children - len(found))
    return found


def _run(branch: Branch, n_levels: int) -> tuple[int, ...]:
    first = 0 if branch.low == -math.inf else max(0, math.floor(branch.low) + 1)
    last = n_levels - 1 if branch.high == math.inf else min(n_levels - 1, math.floor(branch.high))
    return tuple(range(first, last + 1))


def condition(column: Column, branch: Branch, digits: int = FEWEST_DIGITS) -> str:
    """The branch as a condition on its column: `humidity <= 75`, `outlook = sunny`."""
    return _said(column, branch, digits, name(column.name))


def edge(column: Column, branch: Branch, digits: int = FEWEST_DIGITS) -> str:
    """The branch without its column, where that stands elsewhere: `<= 75`, `sunny`."""
    levels = branch.levels
    if levels and not branch.ordered:
        return ", ".join(name(column.levels[level]) for level in levels)
    if branch.unknown:
        return "unknown"
    return _said(column, branch, digits, "").strip()


def _said(column: Column, branch: Branch, digits: int, subject: str) -> str:
    if branch.unknown:
        return f"{subject} is unknown"
    if branch.levels is None:
        low, high = number(branch.low, digits), number(branch.high, digits)
        return _between(subject, branch.low > -math.inf, low, branch.high < math.inf, high)
    words = [name(column.levels[level]) for level in branch.levels]
    if branch.ordered and words:
        first, last = branch.levels[0], branch.levels[-1]
        if len(words) > 1 or first == 0 or last == len(column.levels) - 1:
            below = name(column.levels[first - 1]) if first else ""
            open_above = last == len(column.levels) - 1
            return _between(subject, first > 0, below, not open_above, words[-1])
    if len(words) == 1:
        return f"{subject} = {words[0]}"
    return f"{subject} in {{{', '.join(words)}}}"


def _between(subject: str, is_low: bool, low: str, is_high: bool, high: str) -> str:
    if is_low and is_high:
        return f"{low} < {subject} <= {high}" if subject else f"> {low}, <= {high}"
    if is_low:
        return f"{subject} > {low}"
    return f"{subject} <= {high}" if is_high else f"{subject} is known"


def number(value: float, digits: int = FEWEST_DIGITS) -> str:
    """A number for people: as it is where ten digits are enough, else rounded to `digits`.

    The digits before the point, and one after it, are always kept: a cut half-way between two
    whole numbers must not seem to lie on one of them.
    """
    if not math.isfinite(value):
        return str(value)
    value += 0.0
    whole = f"{value:.{EXACT_DIGITS}g}"
    if digits <= EXACT_DIGITS and abs(float(whole) - value) <= SAME * abs(value):
        return whole
    if abs(value) < 1e15:
        digits = max(digits, len(str(int(abs(value)))) + 1)
    return f"{value:.{digits}g}"


def digits_apart(cuts: Sequence[float]) -> int:
    """The fewest digits, but not fewer than six, that tell a column's cuts apart."""
    distinct = set(cuts)
    for digits in (FEWEST_DIGITS, 9, 12, 15):
        if len({number(cut, digits) for cut in distinct}) == len(distinct):
            return digits
    return 17


@lru_cache(4096)
def name(text: str) -> str:
    """A name or level in a line of text, quoted where it would blur with what is around it."""
    plain = text.isprintable() and text == text.strip() and text and not QUOTED_FOR & set(text)
    if plain:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in quoted)
