"""Leaf models: answers that depend on the row, as data.

A saved model holds what a node answers by, so that it is used without the strategy that found it.
"""

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
from treekit.table.record import Floats, Ints, Table

LeafModels = Additive


def leaf_answers(models: LeafModels, table: Table, rows: Ints, nodes: Ints) -> Floats:
    """[ends, A]: what each of these rows is answered at the node that stands beside it."""
    return sums_for(models, table, rows, nodes)


__all__ = [
    "LARGEST",
    "LINKS",
    "MOST_POWERS",
    "POWERS",
    "Additive",
    "LeafModels",
    "Link",
    "Term",
    "additive",
    "leaf_answers",
]
