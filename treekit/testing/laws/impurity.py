"""Laws of impurities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treekit.compiling import SMALL
from treekit.formula import is_row_form
from treekit.table.record import Floats
from treekit.testing.expecting import expect, expect_all, expect_same, expect_same_tree
from treekit.testing.hosting import grown_both_ways, host, tables_for_both_ways, tasks
from treekit.testing.samples import pure_stats, random_stats

NOISE = 1e-9


def pure_nodes_are_zero(strategy: Any) -> None:
    """Where all the target values are the same the impurity is 0."""
    for task in tasks(strategy):
        stats = pure_stats(task)
        found = _impurity(strategy, stats)
        expect_all(np.abs(found) <= NOISE, "a pure node's impurity is not 0", found, stats)


def empty_nodes_are_zero(strategy: Any) -> None:
    """A node without weight is pure."""
    for task in tasks(strategy):
        stats = np.zeros_like(random_stats(task, 2))
        found = _impurity(strategy, stats)
        expect_all(found == 0.0, "an empty node's impurity is not 0", found)


def mixed_nodes_are_more_than_zero(strategy: Any) -> None:
    """Where the classes are even, or the numbers differ, the impurity is more than 0."""
    for task in tasks(strategy):
        one = [[30.0, 10.0, 10.0, 10.0]] if task == "classification" else [[30.0, 0.0, 5.0]]
        found = _impurity(strategy, np.array(one))
        expect_all(found > 0.0, "a mixed node's impurity is not more than 0", found, one)


def is_never_negative_nor_nan(strategy: Any) -> None:
    """The impurity is a finite number, 0 or more."""
    for task in tasks(strategy):
        stats = random_stats(task)
        found = _impurity(strategy, stats)
        expect_all(np.isfinite(found), "the impurity is not finite", found, stats)
        expect_all(found >= -NOISE, "the impurity is negative", found, stats)


def class_order_changes_nothing(strategy: Any) -> None:
    """Classes have no order."""
    stats = random_stats("classification")
    turned = np.concatenate([stats[:, :1], stats[:, :0:-1]], axis=1)
    found, other = _impurity(strategy, stats), _impurity(strategy, turned)
    expect_same(other, found, "the order of the classes changes the impurity", stats)


def scaling_weights_changes_nothing(strategy: Any) -> None:
    """The impurity depends on shares: three times each row's weight is the same node."""
    for task in tasks(strategy):
        stats = random_stats(task)
        found, other = _impurity(strategy, stats), _impurity(strategy, 3.0 * stats)
        expect_same(other, found, "three times the weight changes the impurity", stats)


def leading_axes_change_nothing(strategy: Any) -> None:
    """Statistics of any shape [..., S] give [...], each as if it were asked alone."""
    for task in tasks(strategy):
        stats = random_stats(task, 24)
        alone = [_impurity(strategy, one) for one in stats]
        expect(alone[0].shape == (), f"[S] gives the shape {alone[0].shape}")
        found = _impurity(strategy, stats.reshape(2, 3, 4, -1))
        expect_same(found.ravel(), alone, "an array gives other values than its rows", stats)
        expect(found.shape == (2, 3, 4), f"[2, 3, 4, S] gives the shape {found.shape}")
        planes = np.asfortranarray(stats)
        expect_same(_impurity(strategy, planes), alone, "the memory layout matters", stats)


def leaves_its_input_alone(strategy: Any) -> None:
    """The statistics are not written to."""
    for task in tasks(strategy):
        stats = random_stats(task)
        _impurity(strategy, stats)
        expect_same(stats, random_stats(task), "the statistics were written to")


def is_strictly_concave_as_it_says(strategy: Any) -> None:
    """With `strictly_concave`, two unlike nodes are less impure than the two put together."""
    one, other = random_stats("classification", seed=1), random_stats("classification", seed=2)
    shares = [stats[:, 1:] / stats[:, :1] for stats in (one, other)]
    unlike = np.abs(shares[0] - shares[1]).max(axis=1) > 0.01
    apart = one[:, 0] * _impurity(strategy, one) + other[:, 0] * _impurity(strategy, other)
    joined = (one + other)[:, 0] * _impurity(strategy, one + other)
    fine = ~unlike | (joined > apart + NOISE)
    expect_all(fine, "two nodes are no less impure apart than joined", apart, joined, one, other)


def compiled_and_interpreted_agree(strategy: Any) -> None:
    """A row form gives the same values compiled (a large array) and interpreted (a small one)."""
    for task in tasks(strategy):
        stats = random_stats(task, SMALL // 2)
        parts = [_impurity(strategy, part) for part in np.array_split(stats, 8)]
        found = _impurity(strategy, stats)
        expect_same(found, np.concatenate(parts), "compiled, it gives another value", stats)


def fused_and_block_growth_agree(strategy: Any) -> None:
    """A row form compiled into the scan grows the tree that blocks of candidates grow."""
    for task in tasks(strategy):
        for table in tables_for_both_ways(task):
            fused, blocks = grown_both_ways(table, host(task).tree, strategy)
            expect_same_tree(blocks, fused, f"{table.n_rows} rows grow another tree in blocks")


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such an impurity must keep."""
    yield pure_nodes_are_zero
    yield empty_nodes_are_zero
    yield mixed_nodes_are_more_than_zero
    yield is_never_negative_nor_nan
    if "classification" in tasks(strategy):
        yield class_order_changes_nothing
    yield scaling_weights_changes_nothing
    yield leading_axes_change_nothing
    yield leaves_its_input_alone
    if getattr(strategy, "strictly_concave", False):
        yield is_strictly_concave_as_it_says
    if is_row_form(getattr(strategy, "impurity", None)):
        yield compiled_and_interpreted_agree
        yield fused_and_block_growth_agree


def _impurity(strategy: Any, stats: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(strategy.impurity(stats), dtype=np.float64)
