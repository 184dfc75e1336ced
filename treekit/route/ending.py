"""The nodes where rows end, and what is answered there."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit.compiling import SMALL, kernel
from treekit.leaf_models import LeafModels, leaf_answers
from treekit.route.refusing import refused
from treekit.route.rule import branch_of, stand_in, surrogate_arrays, value_asked
from treekit.table.record import Floats, Ints, Table
from treekit.tree import LEAF, NOWHERE, REFUSE, SPREAD, STAY, Tree, no_surrogates


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
            raise refused(table, -1 - row, tree, count)
        parts.append(Ends(part.row[:count], part.node[:count], part.share[:count]))
    if len(parts) == 1:
        return parts[0]
    nothing = [Ends(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    names = ("row", "node", "share")
    return Ends(*(np.concatenate([getattr(p, n) for p in parts or nothing]) for n in names))


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
