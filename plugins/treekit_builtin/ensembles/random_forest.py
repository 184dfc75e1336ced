"""Random forests: bagging, and columns drawn at random in every node."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen, validators

from treekit import Forest, Grow, Table
from treekit_builtin.column_counts import ColumnCount, count_or_share, number_of

from .bags import COMBINE, Bags, Combine, Rows, check_combine, rows_or_share


@frozen
class RandomForest:
    """Bagging whose nodes choose from a few columns, drawn at random (Breiman 2001, section 4).

    Where none of the drawn columns has a test to offer, as many others are drawn.

    trees: how many.
    columns: from how many columns a node chooses: "all", "sqrt" or "log2" of their number (rounded
        down), a whole number, or a share.
    rows: what each tree learns from: a "bootstrap" sample, a share of the rows drawn without
        replacement, or "all", as `bagging` has them.
    combine: "average" the class shares, or the numbers; or let each tree "vote" for a class.
    """

    trees: int = field(default=100, validator=validators.ge(1), metadata={"example": 3})
    columns: ColumnCount = field(default="sqrt", validator=count_or_share)
    rows: Rows = field(default="bootstrap", validator=rows_or_share)
    combine: Combine = field(default="average", validator=validators.in_(COMBINE))

    def check(self, table: Table) -> None:
        check_combine(self.combine, table)

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        columns = None if self.columns == "all" else number_of(self.columns, table.n_columns)
        return Bags(self.trees, self.rows, self.combine).plant(table, grow, rng, columns)
