"""Kernels that follow many rows down a tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treekit.compiling import Function, Kernel, kernel
from treekit.route.rule import branch_of, known_branch, stand_in, surrogate_arrays, value_asked
from treekit.table.record import Bools, Floats
from treekit.tree import (
    CUTS,
    LEAF,
    NOWHERE,
    REFUSE,
    STAY,
    Int8s,
    Int32s,
    Int64s,
    Tree,
    no_surrogates,
)

TOGETHER = 128  # rows whose steps are taken in turn: their cells stay in the nearest cache
NEAR = 2560  # cells that do
WORTH = 4  # columns looked through for unknown values, for each step that need not look then
UNSORTED = 2  # steps between those after which rows that stand still are left out
STAND_INS = 1  # a slot: are there surrogates to ask?
NO_SURROGATES = surrogate_arrays(no_surrogates(0))  # they are not looked up


class Followed(NamedTuple):
    """A tree as the kernels take it: arrays of a Tree, and of the surrogates that are asked.

    known     columns to be looked through for unknown values; none: that is not worth it
    straight  how many steps each row takes before those that stand still are left out
    unsorted  how many they take between two leavings out afterwards
    together  how many rows take their steps in turn
    """

    signs: npt.NDArray[np.void]
    known: Int64s
    straight: int
    unsorted: int
    together: int
    kind: Int8s
    column: Int32s
    first_child: Int32s
    n_children: Int32s
    start: Int64s
    operands: Floats
    unknown: Int32s
    weight: Floats
    s_first: Int64s
    s_column: Int32s
    s_kind: Int8s
    s_start: Int64s
    s_operands: Floats
    s_flipped: Bools


def followed(tree: Tree) -> Followed:
    """A tree for the kernels."""
    columns = tree.cut_columns
    few = len(columns) <= WORTH * tree.straight
    together = min(TOGETHER, max(TOGETHER // 4, NEAR // max(1, len(columns)))) if few else TOGETHER
    return Followed(
        tree.signs, columns if few else columns[:0],
        tree.straight, UNSORTED if tree.only_single_cuts else 0, together,
        tree.kind, tree.column, tree.first_child, tree.n_children, tree.start,
        tree.operands, tree.unknown, tree.weight,
        *(surrogate_arrays(tree.surrogates) if tree.surrogates else NO_SURROGATES),
    )  # fmt: skip


def for_tree(kernel: Kernel, tree: Followed, compiled: bool) -> Function:
    """`walk` or `descend` as this tree needs it."""
    return kernel.bound(compiled, {"STAND_INS": int(len(tree.s_column) > 0)})


@kernel
def child_of(cells, row, node, tree):  # type: ignore[no-untyped-def]
    """The child that a row goes to from a node, all of it; NOWHERE: there is no such child."""
    kind, start, stop = tree.kind[node], tree.start[node], tree.start[node + 1]
    value = value_asked(cells, row, tree.column[node], kind, tree.operands, start, stop)
    branch = branch_of(kind, tree.operands, start, stop, value)
    # All arrays are read whatever the branch is: numba counts references to those that are not.
    below, otherwise = tree.first_child[node], tree.unknown[node]
    if STAND_INS:
        first, last = tree.s_first[node], tree.s_first[node + 1]
        if branch != NOWHERE:
            last = first
        instead = stand_in(
            cells, row, first, last,
            tree.s_column, tree.s_kind, tree.s_start, tree.s_operands, tree.s_flipped,
        )  # fmt: skip
        if branch == NOWHERE:
            branch = instead
    if branch == NOWHERE:
        branch = otherwise
    return below + branch if branch >= 0 else NOWHERE


@kernel
def all_known(cells, columns, begin, end):  # type: ignore[no-untyped-def]
    """Have these rows a value in each of these columns? Their cells are near the processor then."""
    unknown = 0
    for i in range(columns.shape[0]):
        values = cells[columns[i], begin:end]
        for k in range(values.shape[0]):
            unknown += values[k] != values[k]
    return unknown == 0


@kernel
def known_step(cells, signs, begin, nodes, count):  # type: ignore[no-untyped-def]
    """A step by the signs for each of so many rows, whose values are known."""
    for i in range(np.uint64(count)):
        sign = signs[nodes[i]]
        value = cells[sign["column"], begin + np.uint64(i)]
        nodes[i] = sign["first"] + np.uint32(known_branch(CUTS, (sign["cut"],), 0, 1, value))


@kernel
def any_step(cells, signs, begin, nodes, count):  # type: ignore[no-untyped-def]
    """The same for rows of which nothing is known."""
    for i in range(np.uint64(count)):
        nodes[i] = next_node(cells, signs, begin + np.uint64(i), nodes[i])


@kernel
def next_node(cells, signs, row, node):  # type: ignore[no-untyped-def]
    """Where a sign leads a row, or the same node."""
    sign = signs[node]
    branch = branch_of(CUTS, (sign["cut"],), 0, 1, cells[sign["column"], row])
    return node if branch == NOWHERE else np.uint32(sign["first"] + branch)


@kernel
def follow_signs(cells, tree, begin, rows, nodes, count, at):  # type: ignore[no-untyped-def]
    """Follow so many rows from these nodes on as far as the signs lead them: at[row].

    A row is counted from `begin`. Each goes a step in turn, so that none waits for the memory
    that another one needs; whichever stands still at the last of some steps is left out of the
    next ones, without a branch.
    """
    signs = tree.signs
    # Numbers without a sign, as numba looks out for an index that is negative.
    begin = np.uint64(begin)
    while count > 0:
        going = np.uint64(count)
        for _ in range(tree.unsorted):
            for i in range(going):
                nodes[i] = next_node(cells, signs, begin + np.uint64(rows[i]), nodes[i])
        count = 0
        for i in range(going):
            row = rows[i]
            node = nodes[i]
            to = next_node(cells, signs, begin + np.uint64(row), node)
            at[row] = to
            rows[np.uint64(count)] = row
            nodes[np.uint64(count)] = to
            count += to != node


@kernel
def walk(cells, tree, begin, at):  # type: ignore[no-untyped-def]
    """Where rows are when they have gone as far as each goes to one child: at[row - begin].

    Returns how many of them are not at a leaf then.
    """
    rows = np.empty(TOGETHER, np.uint32)
    nodes = np.empty(TOGETHER, np.uint32)
    stopped = np.empty(TOGETHER, np.uint32)
    left = 0
    # Where a row's cells lie together, they come near with the first that is asked.
    look = tree.known.shape[0] > 0 and cells.strides[1] == cells.itemsize
    for first in range(0, at.shape[0], tree.together):
        here = at[first : first + tree.together]
        start = np.uint64(begin + first)
        count = here.shape[0]
        for i in range(count):
            nodes[i] = 0
        if look and all_known(cells, tree.known, begin + first, begin + first + count):
            for _ in range(tree.straight):
                known_step(cells, tree.signs, start, nodes, count)
        else:
            for _ in range(tree.straight):
                any_step(cells, tree.signs, start, nodes, count)
        waiting = 0
        for i in range(count):
            here[i] = nodes[i]
            stopped[waiting] = i
            waiting += tree.kind[nodes[i]] != LEAF
        while waiting > 0:
            for i in range(waiting):
                rows[i] = stopped[i]
                nodes[i] = here[stopped[i]]
            follow_signs(cells, tree, begin + first, rows, nodes, waiting, here)
            asked = waiting
            waiting = 0
            for i in range(asked):
                row = stopped[i]
                node = here[row]
                if tree.kind[node] != LEAF:
                    child = child_of(cells, begin + first + row, node, tree)
                    if child == NOWHERE:
                        left += 1
                    else:
                        here[row] = child
                        stopped[waiting] = row
                        waiting += 1
    return left


@kernel
def spread(tree, node, share, stack_node, stack_share, pending):  # type: ignore[no-untyped-def]
    """Put the children of a node on the stack, the first on top; returns how many are there.

    As in C4.5: by the weight of each child within the node, not renormalised.
    """
    for branch in range(tree.n_children[node] - 1, -1, -1):
        below = tree.first_child[node] + branch
        if tree.weight[below] > 0.0:
            stack_node[pending] = below
            stack_share[pending] = share * tree.weight[below] / tree.weight[node]
            pending += 1
    return pending


@kernel
def descend(  # type: ignore[no-untyped-def]
    cells, tree, begin, at, row, stack_node, stack_share, end_row, end_node, end_share
):
    """Follow rows from `row` on to the nodes where they end, until the ends are full.

    Row `begin + i` starts at node at[i]. Returns the first row not followed and the number of
    ends; a refused row as -1 - row, and the node that refuses it.
    """
    capacity = end_row.shape[0]
    count = 0
    while row < begin + at.shape[0]:
        begun = count
        stack_node[0] = at[row - begin]
        stack_share[0] = 1.0
        pending = 1
        while pending > 0:
            pending -= 1
            node = stack_node[pending]
            share = stack_share[pending]
            while node != NOWHERE and tree.kind[node] != LEAF:
                child = child_of(cells, row, node, tree)
                if child == NOWHERE:
                    if tree.unknown[node] == REFUSE:
                        return -1 - row, node
                    if tree.unknown[node] == STAY:
                        break
                    pending = spread(tree, node, share, stack_node, stack_share, pending)
                node = child
            if node != NOWHERE:
                if count == capacity:
                    return row, begun
                end_row[count] = row
                end_node[count] = node
                end_share[count] = share
                count += 1
        row += 1
    return row, count
