"""Laws of leaf labelers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treekit.table.record import Floats, Table
from treekit.testing.expecting import expect, expect_all, expect_same
from treekit.testing.hosting import grown, host, tasks
from treekit.testing.samples import sample_tables
from treekit.tree import Tree


def answers_for_every_node(strategy: Any) -> None:
    """[nodes, classes] or [nodes, 1], all finite; empty nodes are answered too."""
    for task, table, tree in _trees(strategy):
        found = _answers(strategy, tree)
        wide = len(table.schema.classes) if task == "classification" else 1
        shape = (tree.n_nodes, wide)
        expect(found.shape == shape, f"the answers have the shape {found.shape}, not {shape}")
        expect_all(np.isfinite(found).all(axis=1), "an answer is not finite", found, tree.stats)


def shares_sum_to_one(strategy: Any) -> None:
    """A node's class shares are 0 or more and sum to 1."""
    for task, _, tree in _trees(strategy):
        if task == "classification":
            found = _answers(strategy, tree)
            expect_all((found >= 0.0).all(axis=1), "a share is negative", found, tree.stats)
            sums = found.sum(axis=1)
            expect_same(sums, np.ones(len(sums)), "shares do not sum to 1", found, tree.stats)


def is_deterministic(strategy: Any) -> None:
    """Asked twice, it answers the same."""
    for _, _, tree in _trees(strategy):
        again = _answers(strategy, tree)
        expect_same(again, _answers(strategy, tree), "asked again, it answers otherwise")


def leaves_the_tree_alone(strategy: Any) -> None:
    """The tree is not written to."""
    for _, _, tree in _trees(strategy):
        stats = tree.stats.copy()
        _answers(strategy, tree)
        expect_same(tree.stats, stats, "the tree's statistics were written to")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a labeler must keep."""
    yield answers_for_every_node
    if "classification" in tasks(strategy):
        yield shares_sum_to_one
    yield is_deterministic
    yield leaves_the_tree_alone


def _trees(strategy: Any) -> Iterator[tuple[str, Table, Tree]]:
    """Trees with empty branches among them: a split on a nominal column has one for each level."""
    for task in tasks(strategy):
        for table in sample_tables(task):
            yield task, table, grown(table, host(task).tree)


def _answers(strategy: Any, tree: Tree) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(strategy.answers(tree))
