"""The nodes where rows end, and what is answered there."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit.compiling import SMALL
from treekit.leaf_models import LeafModels, leaf_answers
from treekit.route.descent import descend, followed, for_tree, walk
from treekit.route.refusing import refused
from treekit.table.record import Floats, Ints, Table
from treekit.tree import SPREAD, Tree


@frozen(eq=False)
class Ends:
    """Where rows end: row, node and the share of the row that ends there, in the order of rows.

    rows   those that were followed
    parts  the row and the share of each entry; None: all of every row ends at one node, and
           there is one entry for each row
    """

    rows: range
    node: Ints
    parts: tuple[Ints, Floats] | None = None

    @property
    def whole(self) -> bool:
        return self.parts is None

    @property
    def row(self) -> Ints:
        return np.arange(self.rows.start, self.rows.stop) if self.parts is None else self.parts[0]

    @property
    def share(self) -> Floats:
        return np.ones(len(self.rows)) if self.parts is None else self.parts[1]


def ends(tree: Tree, table: Table, compiled: bool = False, rows: range | None = None) -> Ends:
    """Every node where a row of the table ends. Fractional trees spread a row over many.

    `compiled` however few rows there are: it is one of many trees. Of `rows` only, if they are
    told: some that follow each other.
    """
    rows = range(table.n_rows) if rows is None else rows
    compiled = compiled or len(rows) * (tree.depth + 1) > SMALL
    if compiled and len(tree.signs):
        at = np.empty(len(rows), np.int64)
        arrays = followed(tree)
        left = for_tree(walk, arrays, True)(_read_only(table.cells), arrays, rows.start, at)
        if not left:
            return Ends(rows, at)
    else:
        at = np.zeros(len(rows), np.int64)
    return _descended(tree, table, rows, at, compiled)


def _descended(tree: Tree, table: Table, rows: range, at: Ints, compiled: bool) -> Ends:
    """Where rows end that have come as far as these nodes."""
    widest = int(tree.n_children.sum()) + 1 if (tree.unknown == SPREAD).any() else 1
    stack = np.empty(widest, np.int64), np.empty(widest)
    capacity = len(rows) + tree.n_leaves
    cells, arrays = _read_only(table.cells), followed(tree)
    follow = for_tree(descend, arrays, compiled)
    parts = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    row = rows.start
    while row < rows.stop:
        part = np.empty(capacity, np.int64), np.empty(capacity, np.int64), np.empty(capacity)
        row, count = follow(cells, arrays, rows.start, at, row, *stack, *part)
        if row < 0:
            raise refused(table, -1 - row, tree, count)
        parts.append((part[0][:count], part[1][:count], part[2][:count]))
    lists = zip(*parts, strict=True)
    row_of, node, share = parts[1] if len(parts) == 2 else map(np.concatenate, lists)
    one_each = np.array_equal(row_of, np.arange(rows.start, rows.stop))
    whole = one_each and bool((share == 1.0).all())
    return Ends(rows, node, None if whole else (row_of, share))


def _read_only(cells: Floats) -> Floats:
    """The same cells: a kernel is compiled once for those that may be written to and others."""
    view = cells.view()
    view.flags.writeable = False
    return view


def answers_for(
    tree: Tree,
    answers: Floats,
    table: Table,
    leaf_models: LeafModels | None = None,
    compiled: bool = False,
    rows: range | None = None,
) -> Floats:
    """[rows, A]: the answers of the nodes where each row ends, by share.

    Where there are leaf models, they answer. `compiled` and `rows` as in `ends`.
    """
    return answers_at(ends(tree, table, compiled, rows), answers, table, leaf_models)


def answers_at(
    found: Ends, answers: Floats, table: Table, leaf_models: LeafModels | None = None
) -> Floats:
    """`answers_for` rows whose ends are found."""
    if leaf_models is None:
        said = answers.take(found.node, axis=0)
    else:
        said = leaf_answers(leaf_models, table, found.row, found.node)
    if found.whole:
        return said
    total = np.zeros((len(found.rows), answers.shape[1]))
    np.add.at(total, found.row - found.rows.start, said * found.share[:, None])
    return total
