"""Laws of criteria."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treekit.compiling import SMALL
from treekit.formula import is_row_form
from treekit.table.record import Floats
from treekit.testing.expecting import expect, expect_all, expect_same, expect_same_tree
from treekit.testing.hosting import (
    grown_both_ways,
    host,
    hosting,
    score_of,
    tables_for_both_ways,
    tasks,
)
from treekit.testing.samples import offers_to, random_branches, random_offers

BRANCHES = (2, 3, 20)
NOISE = 1e-9


def is_finite_or_minus_infinity(strategy: Any) -> None:
    """A score is a number, or -inf for a split that must not be made; empty branches are fine."""
    for task, branches in _cases(strategy):
        found = score_of(task, strategy, branches)
        fine = np.isfinite(found) | (found == -np.inf)
        expect_all(fine, "the score is not a number", found, branches)


def useless_splits_score_no_better_than_perfect_ones(strategy: Any) -> None:
    """A split that tells nothing does not beat one that sorts the target out."""
    for task in tasks(strategy):
        for perfect in _perfect(task):
            best = score_of(task, strategy, perfect)
            for what, useless in _useless(perfect):
                found = score_of(task, strategy, useless)
                worse = (found <= best + NOISE * np.abs(best)) | (found == -np.inf)
                expect_all(
                    worse, f"{what} scores better than a perfect split", found, best, useless
                )


def branch_order_changes_nothing(strategy: Any) -> None:
    """Branches have no order."""
    for task, branches in _cases(strategy):
        found = score_of(task, strategy, branches)
        turned = score_of(task, strategy, branches[:, ::-1])
        expect_same(turned, found, "the order of the branches changes the score", branches)


def leading_axes_change_nothing(strategy: Any) -> None:
    """Branches of any shape [..., k, S] give [...], each as if it were asked alone."""
    for task in tasks(strategy):
        branches = random_branches(task, 3, 24)
        alone = [score_of(task, strategy, one) for one in branches]
        expect(alone[0].shape == (), f"[k, S] gives the shape {alone[0].shape}")
        found = score_of(task, strategy, branches.reshape(2, 3, 4, 3, -1))
        expect_same(found.ravel(), alone, "an array gives other values than its rows", branches)
        expect(found.shape == (2, 3, 4), f"[2, 3, 4, k, S] gives the shape {found.shape}")
        planes = np.asfortranarray(branches)
        expect_same(score_of(task, strategy, planes), alone, "the memory layout matters", branches)


def leaves_its_input_alone(strategy: Any) -> None:
    """Neither parent nor branches nor impurities are written to."""
    for task, branches in _cases(strategy):
        impurity: Any = host(task).tree.impurity
        parent = branches.sum(axis=-2)
        given = [parent, branches, impurity.impurity(parent), impurity.impurity(branches)]
        copies = [array.copy() for array in given]
        with np.errstate(all="ignore"):
            strategy.score(*given)
        for array, copy in zip(given, copies, strict=True):
            expect_same(array, copy, "an argument was written to")


def compiled_and_interpreted_agree(strategy: Any) -> None:
    """A row form gives the same values compiled (a large array) and interpreted (a small one)."""
    for task in tasks(strategy):
        branches = random_branches(task, 2, SMALL // 4)
        parts = [score_of(task, strategy, part) for part in np.array_split(branches, 8)]
        found = score_of(task, strategy, branches)
        expect_same(found, np.concatenate(parts), "compiled, it gives another value", branches)


def fused_and_block_growth_agree(strategy: Any) -> None:
    """A row form compiled into the scan grows the tree that blocks of candidates grow."""
    for task in tasks(strategy):
        parts = hosting(task, "criterion", strategy)
        for table in tables_for_both_ways(task):
            fused, blocks = grown_both_ways(table, parts, parts.impurity)
            expect_same_tree(blocks, fused, f"{table.n_rows} rows grow another tree in blocks")


def prefers_the_least_mean_impurity_as_it_says(strategy: Any) -> None:
    """With `by_mean_impurity`, a node's best cut is one whose branches are least impure."""
    for task in tasks(strategy):
        impurity: Any = host(task).tree.impurity
        for branches in _cuts_of(task):
            mean = (branches[..., 0] * impurity.impurity(branches)).sum(axis=-1)
            best = score_of(task, strategy, branches).argmax()
            scale = NOISE * mean.max()
            what = "the best score is not that of the least mean impurity"
            expect(mean[best] <= mean.min() + scale, f"{what}: {branches[best]}")


def chooses_what_is_offered(strategy: Any) -> None:
    """`choose` gives each node a position among the offers, or -1; never one that scores -inf."""
    offers = random_offers()
    n, columns = offers.score.shape
    choice = np.asarray(strategy.choose(offers))
    expect(choice.shape == (n,), f"{n} nodes were given {choice.shape} choices")
    expect(choice.dtype.kind in "iu", f"choices are {choice.dtype}, not whole numbers")
    inside = (choice >= -1) & (choice < columns)
    expect_all(inside, f"a choice among {columns} columns is out of range", choice)
    score = np.append(offers.score, np.zeros((n, 1)), axis=1)[np.arange(n), choice]
    expect_all(score > -np.inf, "a column that offers nothing was chosen", choice, offers.score)


def chooses_for_each_node_alone(strategy: Any) -> None:
    """What a node is given does not depend on the nodes beside it."""
    offers = random_offers()
    together = np.asarray(strategy.choose(offers))
    alone = [int(strategy.choose(offers_to(offers, i))[0]) for i in range(len(together))]
    expect_same(together, alone, "a node's choice depends on other nodes", offers.score)


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a criterion must keep."""
    yield is_finite_or_minus_infinity
    yield useless_splits_score_no_better_than_perfect_ones
    yield branch_order_changes_nothing
    yield leading_axes_change_nothing
    yield leaves_its_input_alone
    if is_row_form(getattr(strategy, "score", None)):
        yield compiled_and_interpreted_agree
        yield fused_and_block_growth_agree
    if getattr(strategy, "by_mean_impurity", False):
        yield prefers_the_least_mean_impurity_as_it_says
    if hasattr(strategy, "choose"):
        yield chooses_what_is_offered
        yield chooses_for_each_node_alone


def _cases(strategy: Any) -> Iterator[tuple[str, Floats]]:
    for task in tasks(strategy):
        for k in BRANCHES:
            yield task, random_branches(task, k, seed=k)


def _perfect(task: str) -> Iterator[Floats]:
    """Splits [n, k, S] into branches of one class, or one number, each."""
    weight = np.random.default_rng(0).integers(1, 40, (50, 3)).astype(np.float64)
    for k in (2, 3):
        if task == "classification":
            parts = weight[:, :k, None] * np.eye(k)
        else:
            y = np.arange(k) - 0.5
            parts = np.stack([weight[:, :k] * y, weight[:, :k] * y * y], axis=-1)
        yield np.concatenate([weight[:, :k, None], parts], axis=-1)


def _useless(perfect: Floats) -> Iterator[tuple[str, Floats]]:
    """Splits of the same nodes that tell nothing."""
    k = perfect.shape[1]
    parent = perfect.sum(axis=1, keepdims=True)
    yield "all rows in one branch", parent * (np.arange(k) == 1)[:, None]
    share = (1.0 + np.arange(k)) / np.sum(1.0 + np.arange(k))
    yield "branches that are all like their parent", parent * share[:, None]


def _cuts_of(task: str) -> Iterator[Floats]:
    """Nodes' candidate cuts [n, 2, S], each in order of a made-up column."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        if task == "classification":
            row = np.column_stack([np.ones(25), np.eye(3)[rng.integers(0, 3, 25)]])
        else:
            y = rng.normal(size=25)
            row = np.column_stack([np.ones(25), y, y * y])
        left = np.cumsum(row, axis=0)[:-1]
        yield np.stack([left, row.sum(axis=0) - left], axis=1)
