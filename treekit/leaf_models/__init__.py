"""Leaf models: answers that depend on the row, as data.

A saved model holds what a node answers by, so that it is used without the strategy that found it.
There are two kinds: `Additive`, a sum over some of the columns, and `Neighbours`, training rows of
which the nearest answer.
"""

from __future__ import annotations

from treekit.leaf_models.additive import (
    LARGEST,
    LINKS,
    MOST_POWERS,
    POWERS,
    Additive,
    Link,
    Term,
    additive,
    sums_for,
)
from treekit.leaf_models.neighbours import Nearest, Neighbours, means_for, nearest, neighbours
from treekit.table.record import Floats, Ints, Table

LeafModels = Additive | Neighbours


def leaf_answers(models: LeafModels, table: Table, rows: Ints, nodes: Ints) -> Floats:
    """[ends, A]: what each of these rows is answered at the node that stands beside it."""
    if isinstance(models, Neighbours):
        return means_for(models, table, rows, nodes)
    return sums_for(models, table, rows, nodes)


__all__ = [
    "LARGEST",
    "LINKS",
    "MOST_POWERS",
    "POWERS",
    "Additive",
    "LeafModels",
    "Link",
    "Nearest",
    "Neighbours",
    "Term",
    "additive",
    "leaf_answers",
    "nearest",
    "neighbours",
]
