"""The one comparison: the first difference between an original's tree and ours, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from treekit.route import ends
from treekit.table.record import Floats, Schema, Table
from treekit.tree import CUTS, LEAF, Tree

from .originals import Node

Align = Callable[[Node, int], "list[int] | str"]


@frozen(eq=False)
class Ours:
    """Our tree, with how to read its figures and how to find an original's children in it.

    Tolerances are relative, and say with how many digits the original keeps or prints a number;
    `slack` is what a figure may differ from 0.
    """

    tree: Tree
    schema: Schema
    figures: Mapping[str, Callable[[int], Any]]
    align: Align
    cut_tolerance: float
    figure_tolerance: float
    slack: float = 1e-9


def first_difference(original: Node, ours: Ours) -> str | None:
    """Where the trees part, from the root down and left to right: path, what, expected, got."""
    tree = ours.tree
    pending = [("root", original, 0)]
    while pending:
        path, expected, node = pending.pop()
        leaf = tree.kind[node] == LEAF
        column = None if leaf else ours.schema.columns[tree.column[node]].name
        if column != expected.column:
            return _told(path, "test", expected.column or "a leaf", column or "a leaf")
        if expected.cut is not None:
            cuts = tree.test_operands(node)
            if tree.kind[node] != CUTS or not _near([expected.cut], cuts, ours.cut_tolerance, 0.0):
                return _told(path, "cut", expected.cut, cuts.tolist())
        for what, value in expected.figures.items():
            got = ours.figures[what](node)
            if not _near(value, got, ours.figure_tolerance, ours.slack):
                return _told(path, what, value, got)
        if expected.children:
            children = ours.align(expected, node)
            if isinstance(children, str):
                return f"{path}: {children}"
            below = zip(expected.branches, expected.children, children, strict=True)
            pending += [(f"{path} / {word}", one, other) for word, one, other in below][::-1]
    return None


def by_level(tree: Tree) -> Align:
    """The children in the order of the column's levels, or below and above the cut."""

    def align(expected: Node, node: int) -> list[int] | str:
        children = tree.children(node)
        branches = (0, 1) if tree.kind[node] == CUTS else tree.test_operands(node).astype(int)
        if len(branches) != len(expected.children):
            return _words("branches", len(expected.children), len(branches))
        return [children[int(branch)] for branch in branches]

    return align


def by_rows(tree: Tree, table: Table) -> Align:
    """The children by which training rows they hold: left and right may be swapped."""
    rows: list[set[int]] = [set() for _ in range(tree.n_nodes)]
    found = ends(tree, table)
    for row, node in zip(found.row.tolist(), found.node.tolist(), strict=True):
        while node >= 0:
            rows[node].add(row)
            node = int(tree.parent[node])

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


def _told(path: str, what: str, expected: Any, got: Any) -> str:
    return f"{path}: {_words(what, expected, got)}"


def _words(what: str, expected: Any, got: Any) -> str:
    return f"{what}: expected {expected}, got {got}"
