"""The rule for one row and one test, and for many rows and one test."""

from __future__ import annotations

from typing import Any

from treekit.compiling import kernel
from treekit.tree import LEVELS, LINEAR, NOWHERE, TERM, Surrogates, no_surrogates


@kernel
def value_asked(cells, row, column, kind, operands, start, stop):  # type: ignore[no-untyped-def]
    """The value of a row that a test asks for: a column's, or a sum of several columns'."""
    if kind != LINEAR:
        return cells[column, row]
    total = 0.0
    for term in range(start + 1, stop, TERM):
        total += operands[term + 1] * cells[int(operands[term]), row]
    return total


@kernel
def known_branch(kind, operands, start, stop, value):  # type: ignore[no-untyped-def]
    """The branch that a known value takes, NOWHERE if its level was never taught."""
    if kind == LEVELS:
        return int(operands[start + int(value)])
    last = start + 1 if kind == LINEAR else stop
    branch = 0
    while start + branch < last and value > operands[start + branch]:
        branch += 1
    return branch


@kernel
def branch_of(kind, operands, start, stop, value):  # type: ignore[no-untyped-def]
    """The branch that a value takes, NOWHERE if it is unknown or its level was never taught."""
    if value != value:
        return NOWHERE
    return known_branch(kind, operands, start, stop, value)


@kernel
def branches_of(cells, rows, column, kind, operands, out):  # type: ignore[no-untyped-def]
    """The branch of many rows by one test."""
    stop = operands.shape[0]
    for i in range(rows.shape[0]):
        value = value_asked(cells, rows[i], column, kind, operands, 0, stop)
        out[i] = branch_of(kind, operands, 0, stop, value)


@kernel
def stand_in(  # type: ignore[no-untyped-def]
    cells, row, begin, end, column, kind, start, operands, flipped
):
    """The branch that the first surrogate with a known value sends a row to; NOWHERE: none."""
    for s in range(begin, end):
        branch = branch_of(kind[s], operands, start[s], start[s + 1], cells[column[s], row])
        if branch != NOWHERE:
            return 1 - branch if flipped[s] else branch
    return NOWHERE


@kernel
def stand_in_rows(  # type: ignore[no-untyped-def]
    cells, rows, begin, end, column, kind, start, operands, flipped, branch
):
    """`stand_in` for the rows whose `branch` is NOWHERE yet."""
    for i in range(rows.shape[0]):
        if branch[i] == NOWHERE:
            branch[i] = stand_in(cells, rows[i], begin, end, column, kind, start, operands, flipped)


def surrogate_arrays(surrogates: Surrogates) -> tuple[Any, ...]:
    """What `stand_in` needs; nothing if they are not asked."""
    s = surrogates if surrogates.asked else no_surrogates(len(surrogates.first) - 1)
    return s.first, s.column, s.kind, s.start, s.operands, s.flipped
