"""Is a tree whole? What every grown or pruned tree keeps, checked against the table it is of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treekit.linear import linear_of
from treekit.route import visits
from treekit.table.record import Floats, Ints, Table
from treekit.tree import (
    CUTS,
    LEAF,
    LEVELS,
    LINEAR,
    NOWHERE,
    REFUSE,
    SPREAD,
    STAY,
    TERM,
    Tree,
)


def check_tree(tree: Tree, table: Table) -> None:
    """Raise AssertionError with every fault of a tree that was grown on this table."""
    __tracebackhide__ = True
    found = faults_of(tree, table)
    if found:
        raise AssertionError("the tree is not valid: " + "; ".join(found))


def faults_of(tree: Tree, table: Table) -> list[str]:
    """What is wrong with a tree that was grown on this table. Empty: it is valid."""
    faults = list(_shape(tree)) or list(_order(tree))
    faults = faults or [*_tests(tree, table), *_leaves(tree), *_statistics(tree, table)]
    return faults or list(_recount(tree, table))


def statistics_of(tree: Tree, table: Table, rows: Ints, weights: Floats) -> Floats:
    """[S]: the statistics of these weighted rows, as the tree keeps them."""
    y = table.y[rows]
    if table.task == "classification":
        counts = np.bincount(y.astype(np.int64), weights, len(table.schema.classes))
        return np.concatenate([[weights.sum()], counts])
    y = y - tree.centre
    return np.array([weights.sum(), (weights * y).sum(), (weights * y * y).sum()])


def _shape(tree: Tree) -> Iterator[str]:
    n = tree.n_nodes
    if n == 0:
        yield "it has no node"
    for name in ("column", "first_child", "n_children", "unknown", "rows", "score", "reason"):
        if getattr(tree, name).shape != (n,):
            yield f"`{name}` has the shape {getattr(tree, name).shape}, not ({n},)"
    if tree.stats.ndim != 2 or len(tree.stats) != n:
        yield f"`stats` has the shape {tree.stats.shape}, not ({n}, S)"
    if tree.start.shape != (n + 1,):
        yield f"`start` has the shape {tree.start.shape}, not ({n + 1},)"
    elif (
        tree.start[0] != 0
        or tree.start[-1] != len(tree.operands)
        or (np.diff(tree.start) < 0).any()
    ):
        yield "`start` does not divide the operands"


def _order(tree: Tree) -> Iterator[str]:
    inner = tree.kind != LEAF
    first = 1 + np.cumsum(tree.n_children, dtype=np.int64) - tree.n_children
    yield from _at(~np.isin(tree.kind, (LEAF, CUTS, LEVELS, LINEAR)), "is of no kind")
    yield from _at(inner & (tree.n_children < 2), "has a test and fewer than two children")
    yield from _at(~inner & (tree.n_children != 0), "is a leaf and has children")
    yield from _at(inner & (tree.first_child != first), "has its children out of level order")
    yield from _at(inner & (first <= np.arange(tree.n_nodes)), "comes after its children")
    told = 1 + int(tree.n_children.sum())
    if told != tree.n_nodes:
        yield f"there are {tree.n_nodes} nodes, but {told} are referred to"


def _tests(tree: Tree, table: Table) -> Iterator[str]:
    inner = tree.kind != LEAF
    if (inner & ((tree.column < 0) | (tree.column >= table.n_columns))).any():
        yield "a test asks about a column that is not there"
        return
    for node in np.flatnonzero(inner):
        column, operands = table.columns[tree.column[node]], tree.test_operands(int(node))
        n_children = int(tree.n_children[node])
        if tree.kind[node] == CUTS:
            if column.kind == "nominal":
                yield f"node {node} cuts the nominal column {column.name!r}"
            own_branch = tree.unknown[node] == n_children - 1 == len(operands) + 1
            if len(operands) != n_children - 1 and not own_branch:
                yield f"node {node} has {len(operands)} cuts for {n_children} children"
            if not np.isfinite(operands).all() or (np.diff(operands) <= 0).any():
                yield f"the cuts of node {node} do not ascend: {operands}"
        elif tree.kind[node] == LINEAR:
            yield from (f"node {node} {fault}" for fault in faults_of_sum(operands, table))
            if len(operands) > 1 and operands[1] != tree.column[node]:
                yield f"node {node} is not of the first column of its sum"
            if n_children != 2 and tree.unknown[node] != n_children - 1:
                yield f"node {node} has a sum for {n_children} children"
        else:
            if len(operands) != len(column.levels):
                yield f"node {node} sends {len(operands)} of {len(column.levels)} levels"
            if not np.isin(operands, np.arange(NOWHERE, n_children)).all():
                yield f"node {node} sends levels to children that it has not: {operands}"
        to = int(tree.unknown[node])
        if to not in (SPREAD, STAY, REFUSE, *range(n_children)):
            yield f"node {node} sends unknown values to {to}"
    yield from _at(inner & ~np.isfinite(tree.score), "has a test without a score")


def faults_of_sum(operands: Floats, table: Table) -> Iterator[str]:
    """What is wrong with the operands of a test of several columns, in words."""
    if len(operands) <= TERM or len(operands) % TERM != 1 or not np.isfinite(operands).all():
        yield f"has no sum of columns: {operands}"
        return
    test = linear_of(operands)
    if not np.isin(operands[1::TERM], np.arange(table.n_columns)).all():
        yield f"adds columns that are not there: {operands[1::TERM]}"
    elif any(table.columns[c].kind == "nominal" for c in test.columns):
        yield "adds nominal columns"
    if len(set(test.columns.tolist())) < len(test.columns):
        yield f"adds a column twice: {test.columns}"
    if (test.coefficients == 0.0).any() or (test.spreads < 0.0).any():
        yield f"has coefficients {test.coefficients} of spreads {test.spreads}"


def _leaves(tree: Tree) -> Iterator[str]:
    leaf = tree.kind == LEAF
    yield from _at(leaf & (tree.column != -1), "is a leaf with a column")
    yield from _at(leaf & (np.diff(tree.start) > 0), "is a leaf with operands")
    yield from _at(leaf & ~np.isnan(tree.score), "is a leaf with a score")
    told = (tree.reason >= 0) & (tree.reason < len(tree.reasons))
    yield from _at(leaf & ~told, "is a leaf without a reason")
    yield from _at(~leaf & (tree.reason != -1), "is no leaf and has a reason")
    if not all(isinstance(reason, str) and reason.strip() for reason in tree.reasons):
        yield f"a reason is not said in words: {tree.reasons}"


def _statistics(tree: Tree, table: Table) -> Iterator[str]:
    stats = tree.stats
    if not np.isfinite(stats).all():
        yield "a statistic is not finite"
        return
    noise = 1e-9 * np.abs(stats[0]).max()
    yield from _at(stats[:, 0] < 0.0, "has a negative weight")
    yield from _at(tree.rows < 0, "has a negative number of rows")
    if table.task == "classification":
        yield from _at((stats[:, 1:] < -noise).any(axis=1), "has a negative class weight")
        apart = np.abs(stats[:, 1:].sum(axis=1) - stats[:, 0]) > noise
        yield from _at(apart, "has class weights that do not add up to its weight")
    sums = np.column_stack([tree.sum_over_children(column) for column in stats.T])
    adds_up = (tree.kind != LEAF) & (tree.unknown != STAY)
    apart = np.abs(sums - stats).max(axis=1) > noise
    yield from _at(adds_up & apart, "has children whose statistics do not add up to its own")


def _recount(tree: Tree, table: Table) -> Iterator[str]:
    noise = 1e-9 * np.abs(tree.stats[0]).max()
    for node, rows, weights in visits(tree, table):
        counted = statistics_of(tree, table, rows, weights)
        if np.abs(counted - tree.stats[node]).max() > noise:
            yield f"node {node} keeps the statistics {tree.stats[node]}, its rows give {counted}"
        if len(rows) != tree.rows[node]:
            yield f"node {node} keeps {tree.rows[node]} rows, {len(rows)} reach it"


def _at(wrong: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], what: str) -> Iterator[str]:
    if wrong.any():
        yield f"node {int(wrong.argmax())} {what}"
