"""What is said of a row whose unknown value is refused."""

from __future__ import annotations

import numpy as np

from treekit.errors import DataError, Problem
from treekit.linear import asked_columns
from treekit.table.record import Table
from treekit.tree import Tree


def refused(table: Table, row: int, tree: Tree, node: int) -> DataError:
    """The error that names the row and the column."""
    asked = asked_columns(tree)
    columns = asked.column[asked.node == node]
    column = columns[np.isnan(table.cells[columns, row]).argmax()]
    name = table.columns[column].name
    return DataError(
        Problem(
            f"row {row + 1} (counted from 1) has no known value in column {name!r}, and the model"
            " was grown to refuse unknown values",
            table.source,
            "fill the value in, or grow the model with another `missing` strategy",
        )
    )
