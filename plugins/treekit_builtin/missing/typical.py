"""A typical value stands for an unknown one."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import in_

from treekit import (
    DataError,
    Floats,
    Int32s,
    Ints,
    Problem,
    Search,
    Table,
    heaviest_branch,
)

Within = Literal["table", "node", "class"]


@frozen
class Typical:
    """The mean, or the most common level, stands for an unknown value (Quinlan 1989, section 2).

    Mingers 1989. Scores count the unknown rows with it.

    within  whose mean or most common level: of the whole "table"; of each "node"; or of the rows of
            the same "class" in each node (Kononenko, Bratko and Roskar 1984). The node's own is
            taken where no row of the class has a known value, and in a query, whose class is not
            known
    """

    within: Within = field(default="table", validator=in_(("table", "node", "class")))

    def check(self, table: Table) -> None:
        if self.within == "class" and table.task == "regression":
            raise DataError(
                Problem(
                    f"the target {table.schema.target.name!r} is a number, so that no row has a"
                    " class whose typical value could be taken",
                    table.source,
                    '--set tree.missing.within=node (or "table")',
                )
            )

    def prepare(self, table: Table) -> Table:
        """With "table" the unknown values are filled in once for all."""
        if self.within != "table" or not table.has_unknown.any():
            return table
        cells = table.cells.copy()
        for column in np.flatnonzero(table.has_unknown):
            cells[column, np.isnan(cells[column])] = typical_value(table, int(column))
        return evolve(table, cells=cells)

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        """Where no value was known at all, the heaviest branch."""
        return heaviest_branch(owner, weight, n)

    def typical(self, search: Search, column: int) -> Floats:
        if self.within == "table":
            return np.full((len(search.nodes), 1), typical_value(search.table, column))
        found = search.typical(column, by_class=self.within == "class")
        return np.where(np.isnan(found), found[:, :1], found)


def typical_value(table: Table, column: int) -> float:
    """The weighted mean of a numeric column, or the heaviest level of another; NaN: all unknown.

    To fill it in changes neither, so a filled table has the same.
    """
    values = table.cells[column]
    known = ~np.isnan(values)
    if not known.any():
        return float("nan")
    if table.columns[column].is_numeric:
        mean = np.average(values[known], weights=table.weights[known])
        # Rounding must not make a new value of a column that has only one.
        return float(np.clip(mean, values[known].min(), values[known].max()))
    return float(np.bincount(values[known].astype(np.int64), table.weights[known]).argmax())
