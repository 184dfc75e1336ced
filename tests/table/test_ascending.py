"""The rows of a table in the order of a column."""

from __future__ import annotations

import numpy as np
import pytest

from treekit.table.record import Column, Schema, Table

COLUMNS = (Column("x", "numeric"), Column("size", "ordinal", ("s", "m", "l")))


def table(rows: int) -> Table:
    rng = np.random.default_rng(1)
    cells = np.stack([np.round(rng.normal(size=rows), 2), rng.integers(0, 3, rows)])
    cells[rng.random(cells.shape) < 0.1] = np.nan
    y = rng.integers(0, 2, rows).astype(float)
    return Table(Schema(COLUMNS, Column("y", "nominal", ("no", "yes"))), cells, y)


@pytest.mark.parametrize("taken", [False, True])
def test_equal_rows_stay_in_their_order_and_unknown_ones_are_left_out(taken: bool) -> None:
    some = table(500)
    if taken:
        some = some.take(np.arange(0, 500, 3))
    for column, values in enumerate(some.cells):
        order = np.argsort(values, kind="stable")
        known = order[~np.isnan(values[order])]
        np.testing.assert_array_equal(some.ascending(column), known)
