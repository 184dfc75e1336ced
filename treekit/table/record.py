"""The Table: typed columns, a target and weights, encoded once and never changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from treekit.table.ranking import Rankings, rankings

Kind = Literal["numeric", "ordinal", "nominal"]
Task = Literal["classification", "regression"]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

KINDS: tuple[Kind, ...] = ("numeric", "ordinal", "nominal")


@frozen
class Column:
    """A column's schema; `levels` are the values of an ordinal or nominal one, in order."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        return self.kind == "numeric"


@frozen
class Schema:
    """What a model must know of a table: its columns and its target."""

    columns: tuple[Column, ...]
    target: Column

    @property
    def task(self) -> Task:
        return "regression" if self.target.is_numeric else "classification"

    @property
    def classes(self) -> tuple[str, ...]:
        return self.target.levels


@frozen(eq=False)
class Ranked:
    """How the rankings of these very cells, with this target, can be had without sorting them."""

    cells: Floats
    target: Floats | None
    find: Callable[[], Rankings]


@frozen(eq=False)
class Table:
    """Immutable data: `cells[column, row]` is a number, or the index of a level; NaN is unknown.

    `target_values[row]` is a number (regression) or the index of a class. A table to predict has
    no target values. `weights` default to 1. `source` says where the data came from, for
    messages; `notes` are what a reader should be told (constant columns, levels never seen, ...).
    `origin` is the table that a fold's rows were taken from, for what is to be told of the whole;
    `ranked` gives the rankings where they can be had without sorting.
    """

    schema: Schema
    cells: Floats = field(repr=False)
    target_values: Floats | None = field(default=None, repr=False)
    given_weights: Floats | None = field(default=None, repr=False)
    source: str = ""
    notes: tuple[str, ...] = ()
    origin: Table | None = field(default=None, repr=False)
    ranked: Ranked | None = field(default=None, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.schema.columns

    @property
    def n_rows(self) -> int:
        return int(self.cells.shape[1])

    @property
    def n_columns(self) -> int:
        return int(self.cells.shape[0])

    @property
    def task(self) -> Task:
        return self.schema.task

    @property
    def y(self) -> Floats:
        """The target values, when they are known to be there."""
        if self.target_values is None:
            raise ValueError("this table has no target values")
        return self.target_values

    @cached_property
    def weights(self) -> Floats:
        return np.ones(self.n_rows) if self.given_weights is None else self.given_weights

    @cached_property
    def has_unknown(self) -> Bools:
        """Which columns hold an unknown value."""
        # The least of some numbers is unknown if one of them is.
        return np.asarray(np.isnan(self.cells.min(axis=1, initial=np.inf)))

    @cached_property
    def is_labelled(self) -> bool:
        """Is the target known of every row?"""
        values = self.target_values
        return values is not None and not np.isnan(values.min(initial=np.inf))

    @cached_property
    def rankings(self) -> Rankings:
        """Each numeric or ordinal column, ranked once for all that is grown on the table."""
        known = self.ranked
        if known is not None and known.cells is self.cells and known.target is self.target_values:
            return known.find()
        ordered = [i for i, column in enumerate(self.columns) if column.kind != "nominal"]
        return rankings(self.cells, ordered, self._classes, len(self.schema.classes))

    @property
    def _classes(self) -> Floats | None:
        """The class of each row, if the target is one and is known of all."""
        classes = self.is_labelled and self.task == "classification"
        return self.target_values if classes else None

    def distinct(self, column: int) -> Floats:
        """A numeric or ordinal column's known values in ascending order, each once."""
        if self.columns[column].kind == "nominal":
            raise ValueError(f"column {self.columns[column].name!r} has no order")
        return self.rankings.distinct(column)

    def ascending(self, column: int) -> Ints:
        """The rows whose value in a numeric or ordinal column is known, the least value first;
        rows of equal value in the order of the table.
        """
        return self.rankings.ascending(column)

    def take(self, rows: npt.NDArray[np.integer] | Bools) -> Table:
        """The same table with these rows only, in this order."""
        once = rows.dtype == bool
        which = np.flatnonzero(rows) if once else np.asarray(rows)
        cells = self.cells.take(which, axis=1)
        target = None if self.target_values is None else self.target_values[which]
        return Table(
            self.schema,
            cells,
            target,
            None if self.given_weights is None else self.given_weights[which],
            self.source,
            origin=self.origin,
            ranked=Ranked(cells, target, lambda: self.rankings.take(which, once)),
        )

    def reweighted(self, weights: Floats) -> Table:
        """The same rows with other weights."""
        return Table(
            self.schema,
            self.cells,
            self.target_values,
            weights,
            self.source,
            origin=self.origin,
            ranked=Ranked(self.cells, self.target_values, lambda: self.rankings),
        )

    def aiming_at(self, target: Column, values: Floats) -> Table:
        """The same rows with another target."""
        schema = Schema(self.columns, target)
        classes = None if target.is_numeric else values
        n_classes = len(target.levels)
        return Table(
            schema,
            self.cells,
            values,
            self.given_weights,
            self.source,
            ranked=Ranked(self.cells, values, lambda: self.rankings.aiming_at(classes, n_classes)),
        )
