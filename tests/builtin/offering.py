"""What a splitter offers to the root of a table, and tables made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from treekit import Column, Ints, Offers, Schema, Step, Table
from treekit.engine import grow
from treekit.testing.hosting import hosting


class _Keeper:
    """Keeps the steps of growth."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def looked(self, step: Step) -> None:
        self.steps.append(step)

    def finished(self, opened: Ints) -> None:
        """Nothing is left to keep."""


def all_offers(table: Table, splitter: Any, seed: int = 0, **parts: Any) -> list[Offers]:
    """The offers of every column to the nodes of each level of a tree.

    Other strategies are the plainest, or `parts`.
    """
    keeper = _Keeper()
    host = attrs.evolve(hosting(table.task, "splitter", splitter), stop=())
    whole = attrs.evolve(host, **parts)
    grow(table, whole, np.random.default_rng(seed), keeper)
    return [step.offers for step in keeper.steps]


def root_offers(table: Table, splitter: Any, seed: int = 0, **parts: Any) -> Offers:
    """The offers of every column to the root."""
    return all_offers(table, splitter, seed, **parts)[0]


def cuts_of(offers: Offers, column: int = 0) -> list[float]:
    """The cuts of a column's test at the root."""
    tests = offers.tests[column]
    return [float(cut) for cut in tests.operands[0, : tests.n_branches[0] - 1]]


def groups_of(offers: Offers, column: int = 0) -> list[int]:
    """The branch of each level in a column's test at the root."""
    return [int(branch) for branch in offers.tests[column].operands[0]]


def table_of(
    column: Column,
    values: Sequence[float],
    y: Sequence[float],
    weights: Sequence[float] | None = None,
    classes: str = "",
) -> Table:
    """A table of one column; with `classes`, one letter for each class, else of a number."""
    target = Column("y", "nominal", tuple(classes)) if classes else Column("y", "numeric")
    given = None if weights is None else np.array(weights, dtype=np.float64)
    return Table(
        Schema((column,), target),
        np.array([values], dtype=np.float64),
        np.array(y, dtype=np.float64),
        given,
        "a table made by hand",
    )
