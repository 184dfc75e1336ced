"""Laws of pruners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from treekit.offers import PruningData
from treekit.route import answers_for
from treekit.table.record import Table
from treekit.testing.expecting import expect, expect_same_tree
from treekit.testing.hosting import grown, host, tasks
from treekit.testing.samples import sample_tables
from treekit.testing.trees import check_tree
from treekit.tree import Tree, single_leaf


@frozen(eq=False)
class Pruned:
    """What a pruner made of a tree: the tree before and after, and the table it was grown on."""

    before: Tree
    after: Tree
    table: Table


def gives_a_valid_tree(strategy: Any) -> None:
    """The pruned tree is whole, and its statistics are those of the rows that reach each node."""
    for pruned in _pruned(strategy):
        check_tree(pruned.after, pruned.table)


def makes_no_tree_larger(strategy: Any) -> None:
    """The pruned tree has no more nodes, leaves or levels."""
    for pruned in _pruned(strategy):
        for name in ("n_nodes", "n_leaves", "depth"):
            before, after = getattr(pruned.before, name), getattr(pruned.after, name)
            expect(after <= before, f"`{name}` was {before} and is {after} after pruning")


def leaves_trees_that_predict(strategy: Any) -> None:
    """Every row, with unknown values too, is still answered."""
    for pruned in _pruned(strategy):
        task = pruned.table.task
        answers = host(task).tree.label.answers(pruned.after, pruned.table)
        for table in sample_tables(task):
            try:
                found = answers_for(pruned.after, answers, table)
            except Exception as error:
                raise AssertionError(f"a row is not answered after pruning: {error}") from error
            expect(np.isfinite(found).all(), "a row is not answered after pruning")


def is_deterministic(strategy: Any) -> None:
    """With the same seed it prunes the same."""
    for one, other in zip(_pruned(strategy), _pruned(strategy), strict=True):
        expect_same_tree(other.after, one.after, "pruned again with the same seed, it differs")


def leaves_its_input_alone(strategy: Any) -> None:
    """The tree that is pruned is not written to."""
    for pruned in _pruned(strategy):
        fresh = grown(pruned.table, host(pruned.table.task).tree)
        expect_same_tree(pruned.before, fresh, "the grown tree was written to")


def keeps_a_single_leaf(strategy: Any) -> None:
    """There is nothing to prune in a tree of one node."""
    for pruned in _pruned(strategy):
        tree = pruned.before
        leaf = single_leaf(tree.stats[0], int(tree.rows[0]), "alone", tree.centre)
        found = strategy.prune(leaf, _data(pruned.table, pruned.table))
        expect_same_tree(found, leaf, "a single leaf is changed")


def reserves_some_rows_and_leaves_others(strategy: Any) -> None:
    """`reserve` marks rows for validation, at least one, and leaves every class for growth."""
    for task in tasks(strategy):
        for table in sample_tables(task):
            mask = np.asarray(strategy.reserve(table, np.random.default_rng(0)))
            expect(mask.shape == (table.n_rows,), f"{table.n_rows} rows have {mask.shape} marks")
            expect(mask.dtype == np.bool_, f"the marks are {mask.dtype}, not true or false")
            expect(mask.any(), "no row is reserved")
            expect(not mask.all(), "no row is left for growth")
            if task == "classification":
                left = np.unique(table.y[~mask])
                expect(len(left) == len(np.unique(table.y)), "a class has no row left for growth")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a pruner must keep."""
    yield gives_a_valid_tree
    yield makes_no_tree_larger
    yield leaves_trees_that_predict
    yield is_deterministic
    yield leaves_its_input_alone
    yield keeps_a_single_leaf
    if hasattr(strategy, "reserve"):
        yield reserves_some_rows_and_leaves_others


def _pruned(strategy: Any) -> Iterator[Pruned]:
    for task in tasks(strategy):
        for table in sample_tables(task):
            training, validation = table, None
            if hasattr(strategy, "reserve"):
                mask = np.asarray(strategy.reserve(table, np.random.default_rng(0)))
                training, validation = table.take(~mask), table.take(mask)
            tree = grown(training, host(task).tree)
            yield Pruned(tree, strategy.prune(tree, _data(training, validation)), training)


def _data(training: Table, validation: Table | None) -> PruningData:
    parts = host(training.task).tree
    return PruningData(
        table=training,
        validation=validation,
        grow=lambda table: grown(table, attrs.evolve(parts)),
        rng=np.random.default_rng(0),
    )
