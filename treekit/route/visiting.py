"""Node by node: the rows that reach each, and how its test divides them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treekit.compiling import SMALL
from treekit.route.refusing import refused
from treekit.route.rule import branches_of, stand_in_rows, surrogate_arrays
from treekit.table.record import Floats, Ints, Table
from treekit.tree import LEAF, NOWHERE, REFUSE, SPREAD, Tree


def visits(tree: Tree, table: Table) -> Iterator[tuple[int, Ints, Floats]]:
    """Each node with the rows of the table that reach it, in their order, and their weights."""
    waiting = {0: (np.arange(table.n_rows), table.weights)}
    for node in range(tree.n_nodes):
        rows, weights = waiting.pop(node)
        yield node, rows, weights
        if tree.kind[node] != LEAF:
            received = split_rows(tree, node, table, rows, weights)
            waiting.update(zip(tree.children(node), received, strict=True))


def split_rows(
    tree: Tree, node: int, table: Table, rows: Ints, weights: Floats
) -> list[tuple[Ints, Floats]]:
    """What each child of a node receives of these weighted rows, the unknown ones included.

    As in growth, spread rows are shared out by the known weight of these very rows.
    """
    branch = branches_at(tree, node, table, rows)
    n_children = int(tree.n_children[node])
    known = np.bincount(branch[branch >= 0], weights[branch >= 0], n_children)
    spread = (branch == NOWHERE) & (tree.unknown[node] == SPREAD)
    total = known.sum()
    received = []
    for child in range(n_children):
        here = branch == child
        shared = here | spread if known[child] > 0 else here
        share = np.where(spread, weights * (known[child] / total if total > 0 else 0.0), weights)
        received.append((rows[shared], share[shared]))
    return received


def branches_at(tree: Tree, node: int, table: Table, rows: Ints) -> Ints:
    """The branch that each of these rows takes; NOWHERE: its value is unknown, and no branch's."""
    branch = np.empty(len(rows), np.int64)
    test = int(tree.column[node]), int(tree.kind[node]), tree.test_operands(node)
    branches_of.bound(len(rows) > SMALL)(table.cells, rows, *test, branch)
    if tree.surrogates is not None:
        first, *arrays = surrogate_arrays(tree.surrogates)
        stand_in_rows.bound(len(rows) > SMALL)(
            table.cells, rows, first[node], first[node + 1], *arrays, branch
        )
    to = int(tree.unknown[node])
    lost = branch == NOWHERE
    if lost.any() and to == REFUSE:
        raise refused(table, int(rows[lost.argmax()]), tree, node)
    return np.where(lost, to, branch) if to >= 0 else branch
