"""The one comparison: the first difference between an original's tree and ours, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from treekit.route import ends
from treekit.table.record import Floats, Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, Tree

from .originals import Node

Align = Callable[[Node, int], "list[int] | str"]


def _never(expected: Node, node: int) -> bool:
    return False


@frozen(eq=False)
class Ours:
    """Our tree, with how to read its figures and how to find an original's children in it.

    Tolerances are relative, and say with how many digits the original keeps or prints a number;
    `slack` is what a figure may differ from 0. `tied` tells whether the original's split of a node
    and ours are worth the same, so that only the rounding of a sum chose between them.
    """

    tree: Tree
    schema: Schema
    figures: Mapping[str, Callable[[int], Any]]
    align: Align
    cut_tolerance: float
    figure_tolerance: float
    slack: float = 1e-9
    tied: Callable[[Node, int], bool] = _never


@frozen
class Difference:
    """Where the trees part: path, what, expected, got; `tie` if both splits are worth the same."""

    words: str
    tie: bool = False


def first_difference(original: Node, ours: Ours) -> str | None:
    """The first difference from the root down and left to right, ties included."""
    return next((difference.words for difference in differences(original, ours)), None)


def differences(original: Node, ours: Ours) -> Iterator[Difference]:
    """The differences from the root down and left to right, as far as the first that is no tie.

    Below a tie the trees are compared on where both send the same rows the same way.
    """
    pending = [("root", original, 0)]
    while pending:
        path, expected, node = pending.pop()
        for what, value in expected.figures.items():
            got = ours.figures[what](node)
            if not _near(value, got, ours.figure_tolerance, ours.slack):
                yield Difference(f"{path}: {_words(what, value, got)}")
                return
        children = ours.align(expected, node) if expected.children else []
        told = _split_differs(expected, ours, node)
        if told is None and isinstance(children, str):
            told = children
        if told is not None:
            tie = bool(expected.children) and ours.tied(expected, node)
            yield Difference(f"{path}: {told}", tie)
            if not tie:
                return
        if not isinstance(children, str):
            below = zip(expected.branches, expected.children, children, strict=True)
            pending += [(f"{path} / {word}", one, other) for word, one, other in below][::-1]


def _split_differs(expected: Node, ours: Ours, node: int) -> str | None:
    tree = ours.tree
    column = None if tree.kind[node] == LEAF else ours.schema.columns[tree.column[node]].name
    if column != expected.column:
        return _words("test", expected.column or "a leaf", column or "a leaf")
    if expected.cut is None:
        return None
    cuts = tree.test_operands(node)
    if tree.kind[node] == CUTS and _near([expected.cut], cuts, ours.cut_tolerance, 0.0):
        return None
    return _words("cut", expected.cut, cuts.tolist())


def by_level(tree: Tree, schema: Schema) -> Align:
    """The children that the levels named by the original's branches take, or those at the cut."""

    def align(expected: Node, node: int) -> list[int] | str:
        children = list(tree.children(node))
        if tree.kind[node] != LEVELS or not expected.levels:
            same = len(expected.children) == len(children)
            words = _words("branches", len(expected.children), len(children))
            return children if same else words
        levels, taken = schema.columns[tree.column[node]].levels, tree.test_operands(node)
        groups = [
            {level for level, to in zip(levels, taken, strict=True) if to == branch}
            for branch in range(len(children))
        ]
        wanted = [set(group) for group in expected.levels]
        if sorted(map(sorted, wanted)) != sorted(map(sorted, groups)):
            return _words("groups", _listed(wanted), _listed(groups))
        return [children[groups.index(group)] for group in wanted]

    return align


def _listed(groups: list[set[str]]) -> str:
    return " | ".join(", ".join(sorted(group)) for group in groups)


def rows_of_nodes(tree: Tree, table: Table) -> list[frozenset[int]]:
    """The training rows that reach each node."""
    rows: list[set[int]] = [set() for _ in range(tree.n_nodes)]
    found = ends(tree, table)
    for row, node in zip(found.row.tolist(), found.node.tolist(), strict=True):
        while node >= 0:
            rows[node].add(row)
            node = int(tree.parent[node])
    return [frozenset(each) for each in rows]


def by_rows(tree: Tree, rows: list[frozenset[int]]) -> Align:
    """The children by which training rows they hold: left and right may be swapped."""

    def align(expected: Node, node: int) -> list[int] | str:
        left, right = expected.children
        children = list(tree.children(node))
        for pair in (children, children[::-1]):
            if [rows[child] for child in pair] == [left.rows, right.rows]:
                return pair
        sizes = [len(rows[child]) for child in children]
        return _words("rows of the children", [len(left.rows), len(right.rows)], sizes)

    return align


def loss(stats: Floats) -> float:
    """The weight of the rows that the node's own class does not name."""
    return float(stats[0] - stats[1:].max())


def squared_error(stats: Floats) -> float:
    """The sum of squares about the node's mean."""
    return float(stats[2] - stats[1] ** 2 / stats[0])


def _near(expected: Any, got: Any, tolerance: float, slack: float) -> bool:
    one, other = np.asarray(expected, dtype=float), np.asarray(got, dtype=float)
    return one.shape == other.shape and bool(np.allclose(other, one, rtol=tolerance, atol=slack))


def _words(what: str, expected: Any, got: Any) -> str:
    return f"{what}: expected {expected}, got {got}"
