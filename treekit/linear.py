"""Tests of several columns at once (LINEAR): a cut of their sum, each times a coefficient.

The operands of such a test are its threshold, then for each column three numbers: which it is, its
coefficient, and its spread. The column that weighs most, by |coefficient| x spread, comes first,
and is the `column` of the node.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from treekit.table.record import Column, Floats, Ints
from treekit.tree import LEAF, LINEAR, TERM, Tree, ranges


@frozen(eq=False)
class Linear:
    """A LINEAR test: a sum of coefficients x columns <= threshold goes to branch 0.

    spreads  the standard deviation of each column among the rows that the test was found on:
             what a coefficient is worth
    """

    threshold: float
    columns: Ints
    coefficients: Floats
    spreads: Floats

    @property
    def operands(self) -> Floats:
        """As a Tree keeps them."""
        terms = np.column_stack([self.columns, self.coefficients, self.spreads])
        return np.concatenate([[self.threshold], terms.ravel()])


def linear_of(operands: Floats) -> Linear:
    """The test that these operands keep."""
    columns, coefficients, spreads = operands[1:].reshape(-1, TERM).T
    return Linear(float(operands[0]), columns.astype(np.int64), coefficients, spreads)


def sum_column(test: Linear, columns: Sequence[Column]) -> Column:
    """The sum that a test cuts, as a numeric column named by its formula: `x + 0.25*y`.

    An ordinal column counts by the place of its level.
    """
    words = ""
    for number, coefficient in zip(test.columns, test.coefficients, strict=True):
        column = columns[number]
        factor = column.name if column.is_numeric else f"place of {column.name}"
        size = "" if abs(coefficient) == 1.0 else f"{abs(coefficient):.6g}*"
        words += f" {'-' if coefficient < 0 else '+'} {size}{factor}"
    first = "-" if words.startswith(" -") else ""
    return Column(first + words[3:], "numeric")


@frozen(eq=False)
class Asked:
    """Columns that nodes ask about: one entry for each node and column of its test.

    share  how much of the node's test the column is: 1 where it is alone, else by its
           |coefficient| x spread
    """

    node: Ints
    column: Ints
    share: Floats


def asked_columns(tree: Tree) -> Asked:
    """Every column that each of a tree's tests asks about."""
    alone = np.flatnonzero((tree.kind != LEAF) & (tree.kind != LINEAR))
    combining = np.flatnonzero(tree.kind == LINEAR)
    count = np.diff(tree.start)[combining] // TERM
    at = ranges(tree.start[combining] + 1, TERM * count)[::TERM]
    worth = np.abs(tree.operands[at + 1]) * tree.operands[at + 2]
    of = np.repeat(np.arange(len(combining)), count)
    total = np.bincount(of, worth, len(combining))[of]
    # Where nothing weighs anything, all weigh the same.
    even = 1.0 / np.repeat(count, count)
    share = np.divide(worth, total, out=even, where=total > 0.0)
    return Asked(
        np.concatenate([alone, combining[of]]),
        np.concatenate([tree.column[alone], tree.operands[at].astype(np.int64)]),
        np.concatenate([np.ones(len(alone)), share]),
    )
