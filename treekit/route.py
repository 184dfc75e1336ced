"""Where does a row go? The one routing rule, for growth, pruning and prediction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from treekit.compiling import SMALL, kernel
from treekit.errors import DataError, Problem
from treekit.leaf_models import LeafModels, leaf_answers
from treekit.linear import asked_columns
from treekit.table.record import Floats, Ints, Table
from treekit.tree import (
    LEAF,
    LEVELS,
    LINEAR,
    NOWHERE,
    REFUSE,
    SPREAD,
    STAY,
    TERM,
    Surrogates,
    Tree,
    no_surrogates,
)


@kernel
def value_asked(cells, row, column, kind, operands, start, stop):  # type: ignore[no-untyped-def]
    """The value of a row that a test asks for: a column's, or a sum of several columns'."""
    if kind != LINEAR:
        return cells[column, row]
    total = 0.0
    for term in range(start + 1, stop, TERM):
        total += operands[term + 1] * cells[int(operands[term]), row]
    return total


@kernel
def branch_of(kind, operands, start, stop, value):  # type: ignore[no-untyped-def]
    """The branch that a value takes, NOWHERE if it is unknown or its level was never taught."""
    if value != value:
        return NOWHERE
    if kind == LEVELS:
        return int(operands[start + int(value)])
    last = start + 1 if kind == LINEAR else stop
    branch = 0
    while start + branch < last and value > operands[start + branch]:
        branch += 1
    return branch


@kernel
def branches_of(cells, rows, column, kind, operands, out):  # type: ignore[no-untyped-def]
    """The branch of many rows by one test."""
    stop = operands.shape[0]
    for i in range(rows.shape[0]):
        value = value_asked(cells, rows[i], column, kind, operands, 0, stop)
        out[i] = branch_of(kind, operands, 0, stop, value)


@kernel
def stand_in(  # type: ignore[no-untyped-def]
    cells, row, begin, end, column, kind, start, operands, flipped
):
    """The branch that the first surrogate with a known value sends a row to; NOWHERE: none."""
    for s in range(begin, end):
        branch = branch_of(kind[s], operands, start[s], start[s + 1], cells[column[s], row])
        if branch != NOWHERE:
            return 1 - branch if flipped[s] else branch
    return NOWHERE


@kernel
def stand_in_rows(  # type: ignore[no-untyped-def]
    cells, rows, begin, end, column, kind, start, operands, flipped, branch
):
    """`stand_in` for the rows whose `branch` is NOWHERE yet."""
    for i in range(rows.shape[0]):
        if branch[i] == NOWHERE:
            branch[i] = stand_in(cells, rows[i], begin, end, column, kind, start, operands, flipped)


@kernel
def _descend(  # type: ignore[no-untyped-def]
    cells, kind, column, first_child, n_children, start, operands, unknown, weight,
    first, s_column, s_kind, s_start, s_operands, s_flipped,
    row, stack_node, stack_share, end_row, end_node, end_share,
):  # fmt: skip
    """Follow rows from `row` on to the nodes where they end, until the ends are full.

    Returns the first row not followed and the number of ends; a refused row as -1 - row.
    """
    capacity = end_row.shape[0]
    count = 0
    n_rows = cells.shape[1]
    while row < n_rows:
        begun = count
        stack_node[0] = 0
        stack_share[0] = 1.0
        pending = 1
        while pending > 0:
            pending -= 1
            node = stack_node[pending]
            share = stack_share[pending]
            while kind[node] != LEAF:
                value = value_asked(
                    cells, row, column[node], kind[node], operands, start[node], start[node + 1]
                )
                branch = branch_of(kind[node], operands, start[node], start[node + 1], value)
                if branch == NOWHERE:
                    branch = stand_in(
                        cells, row, first[node], first[node + 1],
                        s_column, s_kind, s_start, s_operands, s_flipped,
                    )  # fmt: skip
                if branch == NOWHERE:
                    branch = unknown[node]
                    if branch == REFUSE:
                        return -1 - row, node
                    if branch == STAY:
                        break
                    if branch == SPREAD:
                        # C4.5: by the weight of each child within the node, not renormalised.
                        for child in range(n_children[node] - 1, -1, -1):
                            below = first_child[node] + child
                            if weight[below] > 0.0:
                                stack_node[pending] = below
                                stack_share[pending] = share * weight[below] / weight[node]
                                pending += 1
                        node = -1
                        break
                node = first_child[node] + branch
            if node >= 0:
                if count == capacity:
                    return row, begun
                end_row[count] = row
                end_node[count] = node
                end_share[count] = share
                count += 1
        row += 1
    return row, count


@frozen(eq=False)
class Ends:
    """Where rows end: row, node and the share of the row that ends there."""

    row: Ints
    node: Ints
    share: Floats


def ends(tree: Tree, table: Table, compiled: bool = False) -> Ends:
    """Every node where a row of the table ends. Fractional trees spread a row over many.

    `compiled` however few rows there are: it is one of many trees.
    """
    compiled = compiled or table.n_rows * (tree.depth + 1) > SMALL
    descend = _descend.bound(compiled)
    widest = int(tree.n_children.sum()) + 1 if (tree.unknown == SPREAD).any() else 1
    stack_node, stack_share = np.empty(widest, np.int64), np.empty(widest)
    capacity = table.n_rows + tree.n_leaves
    parts: list[Ends] = []
    stand_ins = surrogate_arrays(tree.surrogates or no_surrogates(tree.n_nodes))
    row = 0
    while row < table.n_rows:
        part = Ends(np.empty(capacity, np.int64), np.empty(capacity, np.int64), np.empty(capacity))
        row, count = descend(
            table.cells, tree.kind, tree.column, tree.first_child, tree.n_children, tree.start,
            tree.operands, tree.unknown, np.ascontiguousarray(tree.weight),
            *stand_ins, row, stack_node, stack_share, part.row, part.node, part.share,
        )  # fmt: skip
        if row < 0:
            raise _refused(table, -1 - row, tree, count)
        parts.append(Ends(part.row[:count], part.node[:count], part.share[:count]))
    if len(parts) == 1:
        return parts[0]
    nothing = [Ends(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    names = ("row", "node", "share")
    return Ends(*(np.concatenate([getattr(p, n) for p in parts or nothing]) for n in names))


def surrogate_arrays(surrogates: Surrogates) -> tuple[Any, ...]:
    """What `stand_in` needs; nothing if they are not asked."""
    s = surrogates if surrogates.asked else no_surrogates(len(surrogates.first) - 1)
    return s.first, s.column, s.kind, s.start, s.operands, s.flipped


def answers_for(
    tree: Tree,
    answers: Floats,
    table: Table,
    leaf_models: LeafModels | None = None,
    compiled: bool = False,
) -> Floats:
    """[rows, A]: the answers of the nodes where each row ends, by share.

    Where there are leaf models, they answer. `compiled` as in `ends`.
    """
    found = ends(tree, table, compiled)
    if leaf_models is None:
        said = answers[found.node] * found.share[:, None]
    else:
        said = leaf_answers(leaf_models, table, found.row, found.node) * found.share[:, None]
    if len(found.row) == table.n_rows and np.array_equal(found.row, np.arange(table.n_rows)):
        return np.asarray(said)
    total = np.zeros((table.n_rows, answers.shape[1]))
    np.add.at(total, found.row, said)
    return total


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
        raise _refused(table, int(rows[lost.argmax()]), tree, node)
    return np.where(lost, to, branch) if to >= 0 else branch


def _refused(table: Table, row: int, tree: Tree, node: int) -> DataError:
    asked = asked_columns(tree)
    columns = asked.column[asked.node == node]
    column = columns[np.isnan(table.cells[columns, row]).argmax()]
    name = table.columns[column].name
    return DataError(
        Problem(
            f"row {row + 1} (counted from 1) has no known value in column {name!r}, and the model"
            " was grown to refuse unknown values",
            table.source,
            "fill the value in, or grow the model with another `missing` strategy",
        )
    )
