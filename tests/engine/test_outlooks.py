"""What a grower may ask that looks further than a node's best test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from treekit_builtin import Fractional, MajorityBranch, MaxDepth, MinGain, MinRows, Pure

from tests.engine.recipes import parts
from tests.engine.tables import tables
from tests.engine.test_growth import numeric_table
from tests.engine.test_prospects import STEPS, growing
from treekit import CUTS, Growth, Outlook, Table, fit
from treekit import Tests as ColumnTests
from treekit.engine import grow
from treekit.testing.expecting import expect_same_tree
from treekit.testing.trees import check_tree

from ..properties import examples


def cuts(*at: float) -> ColumnTests:
    return ColumnTests(CUTS, np.array(at)[:, None], np.full(len(at), 2, np.int64))


def test_an_outlook_is_an_open_node_that_is_not_stopped_and_is_told_once() -> None:
    growth = growing(STEPS)
    (root,) = growth.outlooks()
    assert (len(root), root.numbers.tolist(), growth.open_nodes) == (1, [0], 1)
    assert growth.outlooks() == []
    rows, weights = root.search.cases_of(0)
    assert (rows.tolist(), weights.tolist()) == (list(range(12)), [1.0] * 12)


def test_the_tests_of_a_node_are_those_that_the_splitters_may_ask() -> None:
    (root,) = growing(STEPS).outlooks()
    ((column, tests),) = root.tests(0)
    assert column == 0
    assert tests.operands[:, 0].tolist() == (np.arange(11) + 0.5).tolist()


def test_trying_tests_tells_their_scores_and_the_children_that_may_be_split() -> None:
    growth = growing(STEPS)
    (root,) = growth.outlooks()
    tried = root.tried(0, 0, cuts(3.5, 5.5, 7.5))
    # Gini 4/9; at 5.5 both sides have 4 of one class and 2 of the other.
    assert tried.score == pytest.approx([1 / 9, 0.0, 1 / 9])
    assert tried.owner.tolist() == [0, 1, 1, 2]
    assert tried.below.search.nodes.rows.tolist() == [8, 6, 6, 8]
    assert tried.below.numbers.tolist() == [-1] * 4
    assert tried.below.best() == pytest.approx([1 / 2, 4 / 9, 4 / 9, 1 / 2])
    assert growth.open_nodes == 1


def test_a_test_whose_branches_hold_too_little_scores_nothing() -> None:
    (root,) = growing(STEPS, stop=(Pure(), MinRows(branch=4))).outlooks()
    tried = root.tried(0, 0, cuts(2.5, 3.5))
    assert tried.score.tolist() == [-np.inf, pytest.approx(1 / 9)]
    assert set(tried.owner.tolist()) == {1}


def test_what_is_below_may_be_tried_further() -> None:
    (root,) = growing(STEPS).outlooks()
    below = root.tried(0, 0, cuts(5.5)).below
    ((_, tests),) = below.tests(1)
    assert tests.operands[:, 0].tolist() == [6.5, 7.5, 8.5, 9.5, 10.5]
    # Gini 4/9 again; the cut at 7.5 leaves nothing of it.
    wanted = [4 / 9 - 4 / 15, 4 / 9, 2 / 9, 1 / 9, 4 / 9 - 2 / 5]
    assert below.tried(1, 0, tests).score == pytest.approx(wanted)


def test_a_node_is_split_by_a_test_of_the_growers_own() -> None:
    growth = growing(STEPS)
    growth.outlooks()
    assert growth.split_by(0, 0, cuts(5.5)).tolist() == [1, 2]
    growth.close("enough")
    tree = growth.tree()
    check_tree(tree, STEPS)
    assert (tree.operands.tolist(), tree.score[0]) == ([5.5], pytest.approx(0.0))


@pytest.mark.parametrize(("worth", "children"), [(None, 2), (0.3, 2), (0.0, 0)])
def test_stop_rules_that_look_at_a_best_test_see_its_worth(worth: Any, children: int) -> None:
    growth = growing(STEPS, stop=(Pure(), MinGain()))
    growth.outlooks()
    assert len(growth.split_by(0, 0, cuts(5.5), worth)) == children
    growth.close("enough")
    assert growth.tree().n_nodes == 1 + children


def test_what_a_stop_rule_closes_has_no_outlook() -> None:
    growth = growing(STEPS, stop=(Pure(), MaxDepth(1)))
    growth.outlooks()
    growth.split_by(0, 0, cuts(5.5))
    assert growth.outlooks() == []
    assert growth.open_nodes == 0


@frozen
class LooksAround:
    """Tries everything, and then splits every node by its best test."""

    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            for outlook in growth.outlooks():
                self._look(outlook)
                growth.split(int(outlook.numbers[0]))

    def _look(self, outlook: Outlook) -> None:
        for column, tests in outlook.tests(0):
            below = outlook.tried(0, column, tests).below
            if len(below):
                below.best()


@examples(40)
@given(table=tables())
@pytest.mark.parametrize("missing", [Fractional(), MajorityBranch()])
def test_who_only_looks_changes_nothing(missing: Any, table: Table) -> None:
    stop = (Pure(), MaxDepth(3))
    grown = [
        grow(table, parts(table, stop=stop, missing=missing, **grower), np.random.default_rng(0))
        for grower in ({}, {"grower": LooksAround()})
    ]
    expect_same_tree(grown[1], grown[0], "looking changes the tree")


@frozen
class ByEveryTest:
    """Splits every node by the first of the tests that scores most, found by trying them all."""

    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            for outlook in growth.outlooks():
                found = [
                    (float(score), column, ColumnTests(t.kind, t.operands[[i]], t.n_branches[[i]]))
                    for column, t in outlook.tests(0)
                    for i, score in enumerate(outlook.tried(0, column, t).score)
                ]
                score, column, test = max(
                    found, key=lambda one: round(one[0], 9), default=(-np.inf, -1, cuts())
                )
                if score > -np.inf:
                    growth.split_by(int(outlook.numbers[0]), column, test)
                else:
                    growth.split(int(outlook.numbers[0]))


@examples(40)
@given(table=tables())
def test_trying_every_test_finds_scores_that_are_the_searchs_own(table: Table) -> None:
    stop = (Pure(), MaxDepth(2), MinRows(branch=2))
    chosen = {"stop": stop, "missing": Fractional()}
    level = grow(table, parts(table, **chosen), np.random.default_rng(0))
    tried = grow(table, parts(table, **chosen, grower=ByEveryTest()), np.random.default_rng(0))
    check_tree(tried, table)
    assert tried.score[0] == pytest.approx(level.score[0], nan_ok=True, abs=1e-9)


@frozen
class Teller:
    """Says something of the tree."""

    def grow(self, growth: Growth) -> None:
        growth.split_level()
        growth.tell({"levels": 1.0})
        growth.close("told")


def test_what_a_grower_tells_is_a_fact_of_the_model() -> None:
    table = numeric_table(np.arange(12.0)[:, None], np.repeat([0.0, 1.0, 0.0], 4))
    model = fit("id3", table, set={"tree.grower": Teller()})
    assert model.facts == {"levels": 1.0}
