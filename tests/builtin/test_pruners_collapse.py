"""Collapse, and the pruner that cuts nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.pruners import Collapse, NoPruning

from treekit.tree import CUTS, SPREAD, STAY, Tree

from ..properties import examples
from .naive import (
    Branching,
    flat,
    is_cut_back,
    nested,
    pruning_data,
    random_table,
    random_tree,
    structure,
    walk,
)


def node(stats: list[float], *children: Branching) -> Branching:
    if not children:
        return Branching(stats=stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


def training_errors(tree: Tree) -> float:
    leaves = tree.stats[tree.is_leaf]
    return float((leaves[:, 0] - leaves[:, 1:].max(axis=1)).sum())


@pytest.fixture
def data():  # type: ignore[no-untyped-def]
    return pruning_data(random_table(np.random.default_rng(0), 10))


def test_no_pruning_gives_the_very_tree(data) -> None:  # type: ignore[no-untyped-def]
    tree = flat(node([4.0, 2.0, 2.0], node([2.0, 2.0, 0.0]), node([2.0, 0.0, 2.0])))
    assert NoPruning().prune(tree, data) is tree


def test_a_split_that_saves_no_error_collapses(data) -> None:  # type: ignore[no-untyped-def]
    tree = flat(node([10.0, 8.0, 2.0], node([5.0, 5.0, 0.0]), node([5.0, 3.0, 2.0])))
    pruned = Collapse().prune(tree, data)
    assert pruned.n_nodes == 1
    assert pruned.reasons[pruned.reason[0]] == "pruned: the subtree makes no fewer training errors"
    assert pruned.stats.tolist() == [[10.0, 8.0, 2.0]]


def test_a_split_that_saves_an_error_stays(data) -> None:  # type: ignore[no-untyped-def]
    tree = flat(node([10.0, 8.0, 2.0], node([7.0, 7.0, 0.0]), node([3.0, 1.0, 2.0])))
    assert structure(Collapse().prune(tree, data)) == structure(tree)


@pytest.mark.parametrize(("saved", "nodes"), [(0.0005, 1), (0.002, 3)])
def test_saving_less_than_a_thousandth_of_a_case_is_no_use(data, saved: float, nodes: int) -> None:  # type: ignore[no-untyped-def]
    small = [saved, 0.0, saved]
    tree = flat(node([10.0, 8.0, 2.0], node([10.0 - saved, 8.0, 2.0 - saved]), node(small)))
    assert Collapse().prune(tree, data).n_nodes == nodes


def test_children_collapse_before_their_parent_is_judged(data) -> None:  # type: ignore[no-untyped-def]
    useless = node([6.0, 4.0, 2.0], node([3.0, 2.0, 1.0]), node([3.0, 2.0, 1.0]))
    tree = flat(node([10.0, 4.0, 6.0], useless, node([4.0, 0.0, 4.0])))
    assert Collapse().prune(tree, data).n_nodes == 3


@examples(60)
@given(seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.2]))
def test_collapsing_cuts_back_without_making_more_errors(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 40, missing=missing)
    tree = random_tree(rng, table)
    pruned = Collapse().prune(tree, pruning_data(table))
    assert is_cut_back(pruned, tree)
    assert training_errors(pruned) <= training_errors(tree) + 0.001 * tree.n_nodes


def by_recursion(at: Branching) -> float:
    """The rule in so many words: collapse the children, then the node; the errors left."""
    own = at.stats[0] - max(at.stats[1:])
    if not at.children:
        return own
    staying = [own - sum(c.stats[i] for c in at.children) for i, own in enumerate(at.stats)]
    answer = 1 + int(np.argmax(at.stats[1:]))
    below = sum(by_recursion(child) for child in at.children) + staying[0] - staying[answer]
    if below >= own - 0.001:
        at.become_leaf()
        return own
    return below


@pytest.mark.parametrize("seed", range(30))
def test_collapsing_agrees_with_the_recursive_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.2, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, unknowns=(SPREAD, STAY, 0))
    root = nested(tree)
    by_recursion(root)
    assert structure(Collapse().prune(tree, pruning_data(table))) == structure(
        flat(next(walk(root)))
    )
