"""Tables made from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treekit import Column, Schema, Table

Matrix = NDArray[np.float64]


def continuous(n_rows: int, n_columns: int = 20, seed: int = 0) -> tuple[Matrix, Matrix]:
    """D1: normal columns, two classes by a noisy linear score."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, n_columns))
    score = x @ rng.normal(size=n_columns) + 2 * rng.normal(size=n_rows)
    return x, (score > 0).astype(np.float64)


def as_table(x: Matrix, y: Matrix) -> Table:
    """The same numbers as treekit holds them."""
    columns = tuple(Column(f"x{i}", "numeric") for i in range(x.shape[1]))
    return Table(
        Schema(columns, Column("y", "nominal", ("no", "yes"))), np.ascontiguousarray(x.T), y
    )
