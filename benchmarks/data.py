"""Tables made from a seed."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from treekit import Column, Schema, Table

Matrix = NDArray[np.float64]


@frozen(eq=False)
class Data:
    """The same rows as each program holds them; laying them out is not timed."""

    table: Table

    @property
    def y(self) -> Matrix:
        return self.table.y

    @property
    def n_classes(self) -> int:
        """0 where the target is a number."""
        return len(self.table.schema.classes)

    @cached_property
    def rows(self) -> NDArray[np.float32]:
        """[row, column] in single precision, as scikit-learn and others want them."""
        return np.ascontiguousarray(self.table.cells.T, np.float32)

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """Each row's class by its number."""
        return self.y.astype(np.int64)

    @property
    def target(self) -> NDArray[np.int64] | Matrix:
        """Classes by their numbers, or the numbers themselves."""
        return self.codes if self.n_classes else self.y

    def fresh(self) -> Table:
        """The table with nothing remembered of it, so that encoding is part of the work."""
        return Table(self.table.schema, self.table.cells, self.table.target_values)

    def halves(self) -> tuple[Data, Data]:
        """Rows to learn from, and as many to be asked."""
        half = self.table.n_rows // 2
        return self.first(half), self._take(slice(half, None))

    def first(self, n_rows: int) -> Data:
        return self._take(slice(0, n_rows))

    def _take(self, rows: slice) -> Data:
        y = self.table.target_values
        cells = np.ascontiguousarray(self.table.cells[:, rows])
        return Data(Table(self.table.schema, cells, None if y is None else y[rows]))


def normal(n_rows: int, n_columns: int, seed: int) -> tuple[Matrix, Matrix]:
    """Normal columns and a noisy linear score of them.

    The values are whole in single precision: programs that keep no more see the same data.
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, n_columns)).astype(np.float32).astype(np.float64)
    return x, x @ rng.normal(size=n_columns) + 2 * rng.normal(size=n_rows)


def continuous(n_rows: int, n_columns: int = 20, seed: int = 0) -> tuple[Matrix, Matrix]:
    """D1 and D2: normal columns, two classes by a noisy linear score."""
    x, score = normal(n_rows, n_columns, seed)
    return x, (score > 0).astype(np.float64)


def as_table(x: Matrix, y: Matrix, n_classes: int = 2) -> Table:
    """Numbers as treekit holds them; of 0 classes the target is a number."""
    columns = tuple(Column(f"x{i}", "numeric") for i in range(x.shape[1]))
    names = ("no", "yes") if n_classes == 2 else tuple(f"class {k}" for k in range(n_classes))
    target = Column("y", "nominal", names) if n_classes else Column("y", "numeric")
    return Table(Schema(columns, target), np.ascontiguousarray(x.T), y)


def two_classes(n_rows: int, n_columns: int = 20, seed: int = 0) -> Data:
    """D1 and D2."""
    return Data(as_table(*continuous(n_rows, n_columns, seed)))


def numbers(n_rows: int, seed: int = 0) -> Data:
    """D5: 20 normal columns, the noisy score itself."""
    return Data(as_table(*normal(n_rows, 20, seed), n_classes=0))


def few_valued(n_rows: int, seed: int = 0) -> Data:
    """D3: 10 columns of 250 to 6,000 distinct values, 44 of two; 7 classes by a noisy score."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, 54))
    score = x @ rng.normal(size=54) + 4 * rng.normal(size=n_rows)
    for column, values in enumerate(np.linspace(250, 6000, 10).astype(int)):
        x[:, column] = ranked_in(x[:, column], values)
    x[:, 10:] = x[:, 10:] > rng.normal(size=44)
    return Data(as_table(x, ranked_in(score, 7), n_classes=7))


def nominal(n_rows: int, seed: int = 0) -> Data:
    """D4: 20 columns of 2 to 8 levels, 5 % unknown; two classes by a noisy sum of level effects."""
    return _mixed(n_rows, 0, 20, 0.05, seed)


def mixed(n_rows: int, seed: int = 0) -> Data:
    """D6: 10 normal columns and 10 of 2 to 8 levels, 10 % unknown; two classes as in D4."""
    return _mixed(n_rows, 10, 10, 0.1, seed)


def _mixed(n_rows: int, n_numeric: int, n_nominal: int, unknown: float, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    cells, score = np.empty((n_numeric + n_nominal, n_rows)), 2 * rng.normal(size=n_rows)
    columns = []
    for i, values in enumerate(cells):
        if i < n_numeric:
            values[:] = rng.normal(size=n_rows)
            score += rng.normal() * values
            columns.append(Column(f"x{i}", "numeric"))
        else:
            n_levels = 2 + i % 7
            values[:] = rng.integers(0, n_levels, n_rows)
            score += rng.normal(size=n_levels)[values.astype(int)]
            columns.append(Column(f"x{i}", "nominal", tuple(f"v{k}" for k in range(n_levels))))
    cells[rng.random(cells.shape) < unknown] = np.nan
    schema = Schema(tuple(columns), Column("y", "nominal", ("no", "yes")))
    return Data(Table(schema, cells, (score > np.median(score)).astype(np.float64)))


def ranked_in(values: Matrix, parts: int) -> Matrix:
    """Whole numbers from 0: in which of so many equally large parts each value lies."""
    order = values.argsort(kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.arange(len(values)) * parts // len(values)
    return ranks
