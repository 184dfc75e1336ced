"""What growth is given: the strategies of a recipe, and a table as they want it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from treekit.errors import DataError, Problem
from treekit.table.record import Ints, Kind, Table


class Parts(Protocol):
    """The strategies that growth needs; a recipe's `tree` has them."""

    @property
    def impurity(self) -> Any: ...
    @property
    def criterion(self) -> Any: ...
    @property
    def splitter(self) -> Mapping[Kind, Any]: ...
    @property
    def stop(self) -> tuple[Any, ...]: ...
    @property
    def missing(self) -> Any: ...
    @property
    def grower(self) -> Any: ...


def prepared(table: Table, parts: Parts) -> Table:
    """The rows that growth sees: those with weight, as the missing-value handler wants them."""
    if table.given_weights is not None and not table.weights.all():
        table = table.take(table.weights > 0)
    if hasattr(parts.missing, "prepare"):
        table = parts.missing.prepare(table)
    return table


def columns_by_splitter(table: Table, splitters: Mapping[Kind, Any]) -> list[tuple[Any, Ints]]:
    """Each splitter with the columns it serves, in the table's order."""
    groups: list[tuple[Any, list[int]]] = []
    for i, column in enumerate(table.columns):
        if column.kind not in splitters:
            raise DataError(
                Problem(
                    f"column {column.name!r} is {column.kind}, and the recipe has no splitter for"
                    f" {column.kind} columns",
                    table.source,
                    f"bind tree.splitter.{column.kind}, or leave the column out",
                )
            )
        splitter = splitters[column.kind]
        for known, columns in groups:
            if known == splitter:
                columns.append(i)
                break
        else:
            groups.append((splitter, [i]))
    if not groups:
        raise DataError(Problem("there is no column to ask about", table.source))
    return [(splitter, np.array(columns, np.int64)) for splitter, columns in groups]
