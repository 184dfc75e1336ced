"""The rows of a node as statistics, case by case, and what becomes of them under a test."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from treekit.explain.record import Part, Test
from treekit.linear import linear_of, sum_column
from treekit.provided import Search
from treekit.table.record import Bools, Floats, Ints, Schema, Table
from treekit.tree import CUTS, LINEAR, NOWHERE, Tree

FEW_ROWS = 10  # a node of no more names its rows


@frozen(eq=False)
class NodeCases:
    """The rows that reached a node: `stats[i]` are the statistics of row `rows[i]` alone.

    centre  what was taken from the target before it was summed (regression)
    named   whether rows are so few, and numbered as the user's table is, that they are named
    """

    table: Table
    impurity: Any
    rows: Ints
    stats: Floats
    centre: float
    named: bool

    @staticmethod
    def of(search: Search, impurity: Any, whole: int) -> NodeCases:
        """Those of a search of one node; `whole` is how many rows the user's table has."""
        rows, weights = search.cases_of(0)
        table = search.table
        stats = np.zeros((len(rows), search.nodes.stats.shape[1]))
        stats[:, 0] = weights
        centre = 0.0
        if table.schema.target.is_numeric:
            y, total = table.y[rows], search.nodes.stats[0]
            # Growth sums the target less some centre, which is what its sum lacks.
            centre = float((weights @ y - total[1]) / total[0])
            stats[:, 1] = weights * (y - centre)
            stats[:, 2] = stats[:, 1] * (y - centre)
        else:
            stats[np.arange(len(rows)), 1 + table.y[rows].astype(np.int64)] = weights
        named = len(rows) <= FEW_ROWS and table.n_rows == whole
        return NodeCases(table, impurity, rows, stats, centre, named)

    def values(self, column: int) -> Floats:
        return np.asarray(self.table.cells[column, self.rows])

    def part(self, which: Bools) -> Part:
        """Some of the cases."""
        stats = self.stats[which].sum(axis=0)
        return self.counted(stats, int(which.sum()), self.measured(stats[None])[0], which)

    def measured(self, stats: Floats) -> list[float | None]:
        """The impurity of each of these statistics; None where the recipe has no measure."""
        if self.impurity is None:
            return [None] * len(stats)
        return list(impurities(self.impurity, stats).tolist())

    def counted(self, stats: Floats, rows: int, impurity: float | None, which: Bools) -> Part:
        """Some of the cases, whose statistics are known already."""
        named = tuple(np.sort(self.rows[which]).tolist()) if self.named else None
        return part_of(stats, rows, self.centre, self.classes, impurity, named)

    @property
    def classes(self) -> bool:
        return not self.table.schema.target.is_numeric


def part_of(
    stats: Floats,
    rows: int,
    centre: float,
    classes: bool,
    impurity: float | None = None,
    which: tuple[int, ...] | None = None,
) -> Part:
    """Rows with these statistics."""
    weight = float(stats[0])
    if classes:
        return Part(rows, weight, tuple(stats[1:].tolist()), None, None, impurity, which)
    mean = variance = None
    if weight > 0:
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(stats[1] / weight + centre)
            variance = float(max(stats[2] / weight - (stats[1] / weight) ** 2, 0.0))
    return Part(rows, weight, (), mean, variance, impurity, which)


def impurities(impurity: Any, stats: Floats) -> Floats:
    """[...]: the impurity of statistics [..., S]."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(impurity.impurity(stats), dtype=np.float64)


def branch_numbers(kind: int, operands: Floats, values: Floats) -> Ints:
    """The branch that each value takes, as `route.branch_of` has it; NOWHERE: none."""
    known = ~np.isnan(values)
    if kind == CUTS:
        branch = np.searchsorted(operands, values, side="left")
    else:
        branch = operands[np.where(known, values, 0.0).astype(np.int64)].astype(np.int64)
    return np.where(known, branch, NOWHERE)


def test_at(tree: Tree, node: int, schema: Schema) -> Test:
    """The test of an inner node."""
    column, kind = schema.columns[int(tree.column[node])], int(tree.kind[node])
    operands = tuple(tree.test_operands(node).tolist())
    if kind == LINEAR:
        test = linear_of(tree.test_operands(node))
        column, kind, operands = sum_column(test, schema.columns), CUTS, (test.threshold,)
    return Test(column, kind, operands, int(tree.n_children[node]), int(tree.unknown[node]))


def reason_at(tree: Tree, node: int) -> str:
    """Why growth stopped at a node; empty where it did not, or the tree does not tell."""
    index = int(tree.reason[node])
    return tree.reasons[index] if 0 <= index < len(tree.reasons) else ""
