"""What a grower may ask of a growth: prospects, a split at a time, a close; and most leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import BestFirst, Level, MaxLeaves, Pure

from tests.engine.recipes import parts
from tests.engine.tables import tables
from tests.engine.test_growth import numeric_table
from treekit import Column, Growth, Schema, Table, Tree
from treekit.engine import grow
from treekit.engine.growth import Growing
from treekit.testing.expecting import expect_same_tree
from treekit.testing.trees import check_tree

from ..properties import examples

# Cut at 3.5, then the right side at 7.5: three leaves, all pure.
STEPS = numeric_table(np.arange(12.0)[:, None], np.repeat([0.0, 1.0, 0.0], 4))


def growing(table: Table, **others: Any) -> Growing:
    return Growing(table, parts(table, **others), np.random.default_rng(0))


def test_prospects_are_the_open_nodes_that_have_a_test() -> None:
    growth = growing(STEPS)
    numbers, scores, weights = growth.prospects()
    # 4/9 - 8/12 * 1/2
    assert (numbers.tolist(), scores.tolist(), weights.tolist()) == (
        [0],
        [pytest.approx(1 / 9)],
        [12],
    )
    growth.split(0)
    assert growth.open_nodes == 2
    numbers, scores, weights = growth.prospects()
    assert (numbers.tolist(), scores.tolist(), weights.tolist()) == ([2], [0.5], [8])
    assert growth.open_nodes == 1


def test_a_prospect_is_told_once_and_stays_open_until_it_is_split() -> None:
    growth = growing(STEPS)
    assert [growth.prospects()[0].tolist() for _ in range(2)] == [[0], []]
    assert growth.open_nodes == 1
    growth.split(0)
    assert growth.open_nodes == 2


def test_of_no_open_node_there_are_no_prospects() -> None:
    growth = growing(numeric_table(np.arange(4.0)[:, None], np.zeros(4)))
    assert [len(part) for part in growth.prospects()] == [0, 0, 0]
    assert growth.open_nodes == 0
    assert growth.tree().n_nodes == 1


def test_closing_says_why_of_the_nodes_that_could_be_split() -> None:
    growth = growing(STEPS)
    growth.prospects()
    growth.split(0)
    growth.close("that is enough")
    assert growth.open_nodes == 0
    tree = growth.tree()
    reasons = [tree.reasons[r] for r in tree.reason[1:]]
    assert reasons == [Pure().reason, "that is enough"]
    check_tree(tree, STEPS)


def test_closing_at_once_leaves_one_leaf() -> None:
    growth = growing(STEPS)
    growth.close("enough")
    tree = growth.tree()
    assert (tree.n_nodes, tree.reasons[tree.reason[0]]) == (1, "enough")


@frozen
class InAnyOrder:
    """Splits prospects in a random order."""

    seed: int

    def grow(self, growth: Growth) -> None:
        rng = np.random.default_rng(self.seed)
        waiting: list[int] = []
        while growth.open_nodes:
            waiting += growth.prospects()[0].tolist()
            if waiting:
                growth.split(waiting.pop(int(rng.integers(len(waiting)))))


@examples(60)
@given(table=tables(), seed=st.integers(0, 999))
def test_the_order_of_splits_does_not_change_the_tree(table: Table, seed: int) -> None:
    level = grow(table, parts(table), np.random.default_rng(0))
    any_order = grow(table, parts(table, grower=InAnyOrder(seed)), np.random.default_rng(0))
    expect_same_tree(any_order, level, "the order of splits matters")


@frozen
class ByTurns:
    """Looks at the open nodes, splits the last prospect, and then the rest of the level."""

    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            numbers, _, _ = growth.prospects()
            if len(numbers):
                growth.split(int(numbers[-1]))
            growth.split_level()


@examples(30)
@given(table=tables())
def test_both_ways_of_splitting_may_be_mixed(table: Table) -> None:
    level = grow(table, parts(table), np.random.default_rng(0))
    mixed = grow(table, parts(table, grower=ByTurns()), np.random.default_rng(0))
    expect_same_tree(mixed, level, "mixing them matters")


def leaves_of(table: Table, grower: Any, leaves: int) -> Tree:
    stop = (Pure(), MaxLeaves(leaves))
    return grow(table, parts(table, grower=grower, stop=stop), np.random.default_rng(0))


@examples(60)
@given(table=tables(), grower=st.sampled_from([Level(), BestFirst()]), leaves=st.integers(2, 9))
def test_a_tree_has_no_more_leaves_than_it_may(table: Table, grower: Any, leaves: int) -> None:
    tree = leaves_of(table, grower, leaves)
    check_tree(tree, table)
    assert tree.n_leaves <= leaves
    whole = grow(table, parts(table, grower=grower), np.random.default_rng(0))
    reasons = [tree.reasons[r] for r in tree.reason[tree.is_leaf]]
    if whole.n_leaves <= leaves:
        assert tree.n_nodes == whole.n_nodes
    else:
        assert MaxLeaves(leaves).reason in reasons


def test_the_nodes_of_a_level_are_split_in_their_order_as_long_as_there_is_room() -> None:
    # The first column tells the halves apart, the second one the classes of each half.
    x = np.column_stack([np.repeat([0.0, 1.0], 4), np.arange(8.0)])
    table = numeric_table(x, np.repeat(np.arange(4.0), 2), tuple("pqrs"))
    tree = leaves_of(table, Level(), 3)
    assert tree.operands.tolist() == [0.5, 1.5]
    assert tree.n_children.tolist() == [2, 2, 0, 0, 0]
    assert tree.reasons[tree.reason[2]] == MaxLeaves(3).reason


def test_a_test_with_more_branches_than_there_is_room_for_is_not_made() -> None:
    levels = Column("x", "nominal", tuple("abcd"))
    cells = np.arange(4.0)[None]
    table = Table(Schema((levels,), Column("y", "nominal", tuple("pqrs"))), cells, cells[0])
    assert leaves_of(table, Level(), 4).n_leaves == 4
    assert leaves_of(table, Level(), 3).n_leaves == 1
