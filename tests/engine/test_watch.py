"""Who looks on while a tree grows is told of every node once, and truly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import BestFirst, Level, MaxDepth, MaxLeaves, MinGain, Pure

from tests.engine.recipes import Onlooker, parts, watched
from tests.engine.tables import tables
from tests.engine.test_growth import numeric_table
from treekit import Step, Table, Tree
from treekit.engine import grow
from treekit.testing.expecting import expect_same_tree

from ..properties import examples

GROWERS = st.sampled_from([Level(), BestFirst()])
STOPS = st.sampled_from(
    [(Pure(),), (Pure(), MaxDepth(2)), (Pure(), MinGain(0.05)), (Pure(), MaxLeaves(4))]
)
FROM_THE_STEP = {"no test tells its rows apart", "no test gains more than 0.05"}


def told(onlooker: Onlooker) -> dict[int, tuple[Step, int]]:
    """By the number in the tree: the step that told of a node, and its place there."""
    (opened,) = onlooker.opened
    number = {when: node for node, when in enumerate(opened)}
    found: dict[int, tuple[Step, int]] = {}
    for step in onlooker.steps:
        for place, when in enumerate(step.numbers.tolist()):
            assert number[when] not in found
            found[number[when]] = (step, place)
    return found


def check_test(tree: Tree, node: int, step: Step, place: int) -> None:
    """The node's test is the one that was chosen."""
    at = int(step.choice[place])
    tests = step.offers.tests[at]
    assert tree.column[node] == step.offers.columns[at]
    assert tree.kind[node] == tests.kind
    assert tree.test_operands(node).tolist() == (
        tests.operands[place, : tests.n_operands[place]].tolist()
    )
    assert tree.score[node] == step.offers.score[place, at]
    assert tree.n_children[node] == tests.n_branches[place]


@examples(80)
@given(table=tables(), grower=GROWERS, stop=STOPS)
def test_the_steps_tell_of_every_node_for_which_a_test_was_looked_for(
    table: Table, grower: Any, stop: Any
) -> None:
    tree, onlooker = watched(table, grower=grower, stop=stop)
    (opened,) = onlooker.opened
    assert sorted(opened) == list(range(tree.n_nodes))
    found = told(onlooker)
    for node in range(tree.n_nodes):
        reason = "" if not tree.is_leaf[node] else tree.reasons[tree.reason[node]]
        if not tree.is_leaf[node] or reason in FROM_THE_STEP:
            assert node in found
        if node not in found:
            continue
        step, place = found[node]
        np.testing.assert_array_equal(step.search.nodes.stats[place], tree.stats[node])
        assert step.search.nodes.rows[place] == tree.rows[node]
        assert step.search.nodes.depth[place] == tree.depth_of[node]
        if tree.is_leaf[node] and not step.reason[place]:
            # A test was found, and there was no room for its leaves.
            assert reason == MaxLeaves(4).reason
        else:
            assert step.reason[place] == reason
        if not tree.is_leaf[node]:
            check_test(tree, node, step, place)


@examples(40)
@given(table=tables(), grower=GROWERS)
def test_who_looks_on_changes_nothing(table: Table, grower: Any) -> None:
    seen, _ = watched(table, grower=grower)
    unseen = grow(table, parts(table, grower=grower), np.random.default_rng(0))
    expect_same_tree(seen, unseen, "a watched tree is another")


@examples(40)
@given(table=tables())
def test_a_column_that_is_asked_once_is_told_as_used_below(table: Table) -> None:
    tree, onlooker = watched(table)
    for node, (step, place) in told(onlooker).items():
        above, used = node, set()
        while above:
            above = int(tree.parent[above])
            if table.columns[tree.column[above]].kind == "nominal":
                used.add(int(tree.column[above]))
        assert set(np.flatnonzero(step.used[place]).tolist()) == used
        offered = step.offers.score[place] > -np.inf
        assert not set(step.offers.columns[offered].tolist()) & used


@pytest.mark.parametrize(
    ("grower", "order"),
    [(Level(), [0, 1, 2, 3, 4, 5, 6]), (BestFirst(), [0, 1, 2, 5, 6, 3, 4])],
)
def test_numbers_count_nodes_in_the_order_of_opening(grower: Any, order: list[int]) -> None:
    # p p p p p q on the left, r r r s s s on the right, which takes away more when it is split.
    x = np.column_stack([np.repeat([0.0, 1.0], 6), np.arange(12.0) % 6])
    table = numeric_table(x, np.repeat([0.0, 1.0, 2.0, 3.0], [5, 1, 3, 3]), tuple("pqrs"))
    tree, onlooker = watched(table, grower=grower)
    assert tree.n_children.tolist() == [2, 2, 2, 0, 0, 0, 0]
    assert onlooker.opened == [order]
