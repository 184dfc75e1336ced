"""Missing-value handlers: how unknown values count in a score, and where they go."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import (
    REFUSE,
    SPREAD,
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
    """No unknown value is accepted, in training or in a query."""

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

    def check(self, table: Table) -> None:
        """Any table will do."""

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return np.full(n, SPREAD, np.int32)


@frozen
class MajorityBranch:
    """Unknown values go to the heaviest branch, the first of equals.

    A score counts by the share of cases whose value is known (Breiman et al. 1984, 5.3).
    """

    def check(self, table: Table) -> None:
        """Any table will do."""

    def discount(self, known: Floats, total: Floats) -> Floats:
        return known / total

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
