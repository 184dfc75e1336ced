"""Cost-complexity pruning: by hand, by brute force, and by law."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.pruners import CostComplexity, complexities, complexity
from treekit_builtin.pruners.bottom_up import risk
from treekit_builtin.pruners.complexity import risks_of

from treekit.offers import Decisions
from treekit.roles import tasks_of
from treekit.table.record import Task
from treekit.tree import CUTS, SPREAD, Tree

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


def with_risk(value: float, *children: Branching) -> Branching:
    """A node of 100 rows that gets `value` of them wrong as a leaf."""
    stats = [100.0, 100.0 - value, value]
    if not children:
        return Branching(stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


def found(root: Branching) -> list[float]:
    tree = flat(root)
    return complexities(tree, risk(tree.stats, "classification")).tolist()


DATA = pruning_data(random_table(np.random.default_rng(0), 10))


def test_a_stumps_complexity_is_what_it_saves_as_a_share_of_the_root() -> None:
    assert found(with_risk(20, with_risk(5), with_risk(5)))[0] == pytest.approx(0.5)


def test_a_leaf_has_no_complexity() -> None:
    assert np.isnan(found(with_risk(20, with_risk(5), with_risk(5)))[1:]).all()


def test_a_saving_is_shared_by_all_the_splits_that_make_it() -> None:
    """The upper split alone saves nothing; the two together save 20, 10 a split."""
    lower = with_risk(20, with_risk(0), with_risk(0))
    assert found(with_risk(20, lower, with_risk(0)))[0] == pytest.approx(0.5)


def test_a_weaker_child_collapses_before_its_parent_is_judged() -> None:
    lower = with_risk(6, with_risk(1), with_risk(1))
    assert found(with_risk(20, lower, with_risk(2)))[:2] == pytest.approx([12 / 20, 4 / 20])


def test_a_child_reports_no_more_than_its_parent() -> None:
    lower = with_risk(20, with_risk(0), with_risk(0))
    values = found(with_risk(21, lower, with_risk(1)))
    assert values[0] == pytest.approx(20 / 21 / 2)
    assert values[1] == values[0]


def test_a_test_of_k_branches_counts_as_k_less_one_splits() -> None:
    assert found(with_risk(20, *(with_risk(2) for _ in range(5))))[0] == pytest.approx(10 / 4 / 20)


def test_a_root_without_risk_gives_complexities_of_zero() -> None:
    assert found(with_risk(0, with_risk(0), with_risk(0)))[0] == 0.0


@pytest.mark.parametrize(("alpha", "nodes"), [(0.19, 5), (0.2, 3), (0.59, 3), (0.6, 1), (-1, 5)])
def test_splits_whose_complexity_is_at_most_alpha_go(alpha: float, nodes: int) -> None:
    lower = with_risk(6, with_risk(1), with_risk(1))
    tree = flat(with_risk(20, lower, with_risk(2)))
    assert CostComplexity(alpha).prune(tree, DATA).n_nodes == nodes


def test_a_pruned_node_says_why() -> None:
    pruned = CostComplexity(0.5).prune(flat(with_risk(20, with_risk(8), with_risk(8))), DATA)
    assert pruned.reasons[pruned.reason[0]] == "pruned: its complexity is at most 0.5"


@pytest.mark.parametrize(("alpha", "nodes"), [(0, 1), (-1, 3)])
def test_an_alpha_of_0_removes_what_saves_nothing_and_of_minus_1_keeps_it(
    alpha: float, nodes: int
) -> None:
    tree = flat(with_risk(20, with_risk(10), with_risk(10)))
    assert CostComplexity(alpha).prune(tree, DATA).n_nodes == nodes


def test_rounding_does_not_save_a_split() -> None:
    tree = flat(with_risk(0.3, with_risk(0.1), with_risk(0.2 - 1e-16)))
    assert CostComplexity(0).prune(tree, DATA).n_nodes == 1


def test_a_regression_trees_risk_is_the_sum_of_squares_about_the_mean() -> None:
    stats = np.array([[4.0, 8.0, 20.0], [0.0, 0.0, 0.0]])
    assert risk(stats, "regression").tolist() == [4.0, 0.0]


def optimal(node: Branching, alpha: float, task: Task) -> tuple[float, int]:
    """The least risk + alpha * splits of any cut-back tree, and the fewest splits that reach it."""
    own = float(risk(np.array([node.stats]), task)[0])
    if not node.children:
        return own, 0
    parts = [optimal(child, alpha, task) for child in node.children]
    cost = sum(c for c, _ in parts) + alpha * (len(parts) - 1)
    if own <= cost + 1e-9:
        return own, 0
    return cost, sum(s for _, s in parts) + len(parts) - 1


def cost_of(tree: Tree, task: Task, price: float) -> tuple[float, int]:
    """The tree's risk + price * splits, and its splits."""
    splits = int((tree.n_children[tree.n_children > 0] - 1).sum())
    return float(risk(tree.stats, task)[tree.is_leaf].sum() + price * splits), splits


@examples(80)
@given(
    seed=st.integers(0, 10**6),
    alpha=st.floats(0.0, 0.3),
    regression=st.booleans(),
    missing=st.sampled_from([0.0, 0.2]),
)
def test_of_two_levels_the_smallest_tree_of_least_cost_is_left(
    seed: int, alpha: float, regression: bool, missing: float
) -> None:
    """Breiman et al. 1984, section 3.3: it minimises risk + alpha * splits among all subtrees."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=missing, regression=regression)
    tree = random_tree(rng, table, depth=2)
    pruned = CostComplexity(alpha).prune(tree, pruning_data(table))
    price = alpha * risk(tree.stats, table.task)[0]
    least, fewest = optimal(nested(tree), price, table.task)
    cost, splits = cost_of(pruned, table.task, price)
    assert cost == pytest.approx(least, abs=1e-7)
    assert splits == fewest
    assert is_cut_back(pruned, tree)


def by_recursion(node: Branching, task: Task) -> tuple[float, float, int]:
    """The rule in so many words: a node's complexity, and its subtree's risk and splits then."""
    own = float(risk(np.array([node.stats]), task)[0])
    if not node.children:
        return -np.inf, own, 0
    parts = [by_recursion(child, task) for child in node.children]
    alone = [float(risk(np.array([child.stats]), task)[0]) for child in node.children]

    def complexity() -> float:
        splits = len(parts) - 1 + sum(part[2] for part in parts)
        return (own - sum(part[1] for part in parts)) / splits

    for i in sorted(range(len(parts)), key=lambda i: (parts[i][0], -i)):
        if complexity() > parts[i][0]:
            parts[i] = (parts[i][0], alone[i], 0)
    node.cases = [(0, complexity())]
    splits = len(parts) - 1 + sum(part[2] for part in parts)
    return complexity(), sum(part[1] for part in parts), splits


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_complexities_agree_with_the_recursive_rule(seed: int, regression: bool) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80, regression=regression)
    tree = random_tree(rng, table, depth=6)
    root = nested(tree)
    by_recursion(root, table.task)
    risks = risk(tree.stats, table.task)
    expected = [np.nan if not node.cases else node.cases[0][1] / risks[0] for node in walk(root)]
    for node in range(1, tree.n_nodes):
        expected[node] = min(expected[node], expected[tree.parent[node]])
    found = complexities(tree, risks)
    inner = ~tree.is_leaf
    assert found[inner] == pytest.approx(np.array(expected)[inner], abs=1e-12)


@examples(60)
@given(seed=st.integers(0, 10**6), low=st.floats(0.0, 0.5), more=st.floats(0.0, 0.5))
def test_a_larger_alpha_never_gives_a_larger_tree(seed: int, low: float, more: float) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60)
    tree = random_tree(rng, table)
    small, large = (
        CostComplexity(alpha).prune(tree, pruning_data(table)) for alpha in (low + more, low)
    )
    assert is_cut_back(small, large)


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_complexities_never_grow_on_the_way_down(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60)
    tree = random_tree(rng, table)
    values = complexities(tree, risk(tree.stats, table.task))
    inner = np.flatnonzero(tree.n_children[1:]) + 1
    assert (values[inner] <= values[tree.parent[inner]]).all()


def test_compiled_and_interpreted_complexities_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    table = random_table(rng, 200)
    tree = random_tree(rng, table, depth=6)
    values = []
    for small in (0, tree.n_nodes):
        monkeypatch.setattr(complexity, "SMALL", small)
        values.append(complexities(tree, risk(tree.stats, table.task)))
    assert np.array_equal(*values, equal_nan=True)


def test_equal_children_give_the_same_complexity_in_any_order() -> None:
    parts = [with_risk(6, with_risk(2), with_risk(2)), with_risk(5, with_risk(3)), with_risk(1)]
    values = {round(found(with_risk(30, *order))[0], 12) for order in itertools.permutations(parts)}
    assert len(values) == 1


def test_it_serves_both_tasks_and_wants_a_number() -> None:
    assert tasks_of(CostComplexity()) == ("classification", "regression")
    with pytest.raises(ValueError, match=r"'alpha' must be >= -1\.0: -2"):
        CostComplexity(-2)


def test_folds_are_for_choosing_only() -> None:
    with pytest.raises(ValueError, match="`folds` goes with choose"):
        CostComplexity(folds=5)
    assert CostComplexity(choose="one_se", folds=5).folds == 5


def test_who_watches_is_told_both_costs_of_the_nodes_that_were_decided() -> None:
    """At alpha = 0.3 the upper split costs (2 + 6) / 20 + 0.3 against 1, the lower 0.1 + 0.3."""
    lower = with_risk(6, with_risk(1), with_risk(1))
    heard: list[Decisions] = []
    data = evolve(DATA, tell=heard.append)
    CostComplexity(0.3).prune(flat(with_risk(20, lower, with_risk(2))), data)
    (told,) = heard
    assert told.node.tolist() == [0, 1]
    assert told.as_tree == pytest.approx([0.7, 0.4])
    assert told.as_leaf == pytest.approx([1.0, 0.3])
    assert told.cut.tolist() == [False, True]


def test_of_what_goes_with_its_parent_nothing_is_told() -> None:
    lower = with_risk(6, with_risk(1), with_risk(1))
    heard: list[Decisions] = []
    CostComplexity(0.9).prune(
        flat(with_risk(20, lower, with_risk(2))), evolve(DATA, tell=heard.append)
    )
    assert heard[0].node.tolist() == [0]


def test_costs_of_errors_are_the_risk() -> None:
    """An error on one of the 30 rows of the first class costs 5: better be wrong about the 70."""
    stump = flat(with_risk(70, with_risk(5), with_risk(5)))
    costs = np.array([[0.0, 5.0], [1.0, 0.0]])
    assert risks_of(stump.stats, evolve(DATA, costs=costs)).tolist() == [70.0, 5.0, 5.0]
    assert risks_of(stump.stats, DATA).tolist() == [30.0, 5.0, 5.0]


def test_a_tree_of_one_leaf_stays() -> None:
    tree = flat(with_risk(20))
    assert structure(CostComplexity(0.5).prune(tree, DATA)) == structure(tree)
