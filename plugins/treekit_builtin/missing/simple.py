"""Unknown values count for nothing in a score, and go where a plain rule says."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import (
    REFUSE,
    SPREAD,
    STAY,
    Column,
    DataError,
    Floats,
    Int32s,
    Ints,
    Problem,
    Table,
    heaviest_branch,
)


@frozen
class Refuse:
    """No unknown value is accepted, in training or in a query (Quinlan 1986: ID3 knows none)."""

    def check(self, table: Table) -> None:
        problems = [
            Problem(
                f"column {column.name!r} has {count:,} unknown value{'s' if count > 1 else ''}"
                f" (first in row {first + 1:,}, counted from 1), and this recipe refuses them",
                table.source,
                "fill them in, leave the column out, or --set tree.missing=fractional",
            )
            for column, count, first in _gaps(table)
        ]
        if problems:
            raise DataError(*problems)

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return np.full(n, REFUSE, np.int32)


@frozen
class Fractional:
    """A case goes down every branch, by its share of the known weight (Quinlan 1993, 3.2).

    A score counts by the share of cases whose value is known.
    """

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return np.full(n, SPREAD, np.int32)


@frozen
class MajorityBranch:
    """Unknown values go to the heaviest branch, the first of equals (Breiman et al. 1984, 5.3).

    A score counts by the share of cases whose value is known (Breiman et al. 1984, 5.3).
    """

    to_heaviest: ClassVar[bool] = True

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return heaviest_branch(owner, weight, n)


@frozen
class StopAtNode:
    """A row whose value is unknown goes no further, and the node answers it (Quinlan 1989).

    A score counts by the share of cases whose value is known.
    """

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return np.full(n, STAY, np.int32)


@frozen
class DropRows:
    """Only rows without an unknown value are learned from (Quinlan 1989, section 2: ignored).

    In a query an unknown value goes to the heaviest branch.
    """

    def check(self, table: Table) -> None:
        if table.n_rows and np.isnan(table.cells).any(axis=0).all():
            raise DataError(
                Problem(
                    "every row has an unknown value, so that dropping these leaves none",
                    table.source,
                    "leave out the columns that are mostly unknown, or --set"
                    " tree.missing=fractional",
                )
            )

    def prepare(self, table: Table) -> Table:
        if not table.has_unknown.any():
            return table
        return table.take(np.flatnonzero(~np.isnan(table.cells).any(axis=0)))

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return heaviest_branch(owner, weight, n)


def _gaps(table: Table) -> list[tuple[Column, int, int]]:
    """Each column with unknown values, how many, and the first row that has one."""
    found = []
    for column, values, gappy in zip(table.columns, table.cells, table.has_unknown, strict=True):
        if gappy:
            unknown = np.isnan(values)
            found.append((column, int(unknown.sum()), int(unknown.argmax())))
    return found
