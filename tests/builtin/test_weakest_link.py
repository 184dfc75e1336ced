"""Weakest-link pruning: by hand, by the book's own steps, by brute force, and by law."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.impurities import Gini, Variance
from treekit_builtin.pruners import (
    CostComplexity,
    WeakestLink,
    complexities,
    weakest_link,
    weakest_link_path,
)
from treekit_builtin.pruners.bottom_up import risk
from treekit_builtin.pruners.weakest_link import stay_risks

import treekit
from treekit.datasets import load_dataset
from treekit.offers import Decisions
from treekit.table.record import Floats
from treekit.tree import CUTS, LEAF, SPREAD, STAY, Tree, rebuilt

from ..properties import examples
from .naive import (
    Branching,
    flat,
    is_cut_back,
    pruning_data,
    random_table,
    random_tree,
    structure,
)

DATA = pruning_data(random_table(np.random.default_rng(0), 10, classes=2))
NUMBERS = pruning_data(random_table(np.random.default_rng(0), 10, regression=True))


def with_risk(value: float, *children: Branching) -> Branching:
    """A node of 100 rows that gets `value` of them wrong as a leaf."""
    stats = [100.0, 100.0 - value, value]
    if not children:
        return Branching(stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


def risks_of(tree: Tree) -> Floats:
    return risk(tree.stats, "classification")


# Two levels: the lower split saves 4, the upper one then 12.
SMALL_TREE = with_risk(20, with_risk(6, with_risk(1), with_risk(1)), with_risk(2))

# Three levels, saving 5, 6 and 1 a split from the lowest up.
DEEP_TREE = with_risk(
    12, with_risk(11, with_risk(5, with_risk(0), with_risk(0)), with_risk(0)), with_risk(0)
)


def test_the_path_starts_with_the_whole_tree_and_ends_with_the_root() -> None:
    tree = flat(SMALL_TREE)
    path = weakest_link_path(tree, risks_of(tree))
    assert path.alphas.tolist() == [0.0, 4.0, 12.0]
    assert path.risks.tolist() == [4.0, 8.0, 20.0]
    assert path.leaves.tolist() == [3, 2, 1]


def test_each_inner_node_has_the_alpha_from_which_on_it_is_a_leaf() -> None:
    tree = flat(SMALL_TREE)
    collapse = weakest_link_path(tree, risks_of(tree)).collapse
    assert collapse.tolist() == pytest.approx([12.0, 4.0, *[np.nan] * 3], nan_ok=True)


def test_a_node_goes_no_later_than_its_parent() -> None:
    tree = flat(with_risk(21, with_risk(20, with_risk(0), with_risk(0)), with_risk(1)))
    path = weakest_link_path(tree, risks_of(tree))
    assert path.collapse[:2].tolist() == [10.0, 10.0]
    assert path.alphas.tolist() == [0.0, 10.0]


def test_what_takes_nothing_off_the_risk_is_gone_from_0_on() -> None:
    tree = flat(with_risk(20, with_risk(10, with_risk(4), with_risk(6)), with_risk(2)))
    path = weakest_link_path(tree, risks_of(tree))
    assert path.alphas.tolist() == [0.0, 8.0]
    assert path.leaves.tolist() == [2, 1]


def test_a_test_of_k_branches_adds_k_less_one_leaves() -> None:
    tree = flat(with_risk(20, *(with_risk(2) for _ in range(5))))
    assert weakest_link_path(tree, risks_of(tree)).alphas.tolist() == [0.0, 10 / 4]


def test_a_tree_of_one_leaf_has_a_path_of_one_subtree() -> None:
    tree = flat(with_risk(20))
    path = weakest_link_path(tree, risks_of(tree))
    assert (path.alphas.tolist(), path.risks.tolist(), path.leaves.tolist()) == ([0], [20], [1])
    assert structure(WeakestLink(0.5).prune(tree, DATA)) == structure(tree)


def test_three_levels_are_exact_where_cost_complexity_is_not() -> None:
    """The root's branch saves 12 by three splits. rpart judges it by (12 - 5) / 2, because the
    lowest split had to go before the middle one.
    """
    tree = flat(DEEP_TREE)
    path = weakest_link_path(tree, risks_of(tree))
    assert path.alphas.tolist() == [0.0, 4.0]
    assert complexities(tree, risks_of(tree))[0] * 12 == pytest.approx(3.5)


def counted(*classes: float) -> Branching:
    return Branching([sum(classes), *classes])


def above(*children: Branching) -> Branching:
    """A node that holds what its children hold."""
    stats = np.sum([child.stats for child in children], axis=0).tolist()
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


# Of 100 rows the leaves get 4 wrong, the two branches 8, the root 24.
COUNTED_TREE = above(above(counted(1, 5), counted(21, 1)), counted(2, 70))


@pytest.mark.parametrize(("alpha", "nodes"), [(0.039, 5), (0.04, 3), (0.159, 3), (0.16, 1)])
def test_alpha_is_what_a_leaf_must_take_off_the_error_rate(alpha: float, nodes: int) -> None:
    assert WeakestLink(alpha).prune(flat(COUNTED_TREE), DATA).n_nodes == nodes


def test_whoever_watches_is_told_what_each_branch_costs() -> None:
    told: list[Decisions] = []
    WeakestLink(0.05).prune(flat(COUNTED_TREE), evolve(DATA, tell=told.append))
    (decisions,) = told
    assert decisions.measure == "risk + alpha for each leaf"
    assert decisions.as_tree.tolist() == pytest.approx([0.02 + 0.06 + 2 * 0.05, 0.02 + 2 * 0.05])
    assert decisions.as_leaf.tolist() == pytest.approx([0.24 + 0.05, 0.06 + 0.05])
    assert decisions.cut.tolist() == [False, True]


def test_errors_count_what_they_cost() -> None:
    """To take an A for a B costs 3, so the leaf of 5 B and 1 A errs by 3, that of 70 and 2 by 6."""
    dear = evolve(DATA, costs=np.array([[0.0, 3.0], [1.0, 0.0]]))
    path = WeakestLink().path(flat(COUNTED_TREE), dear)
    assert path.risks.tolist() == pytest.approx([0.10, 0.12, 0.72])
    assert path.alphas.tolist() == pytest.approx([0.0, 0.02, 0.60])


def test_a_pruned_node_says_why() -> None:
    pruned = WeakestLink(0.5).prune(flat(COUNTED_TREE), DATA)
    assert pruned.reasons[pruned.reason[0]] == "pruned: its tests are worth no more than 0.5 a leaf"


def test_rounding_does_not_save_a_split() -> None:
    tree = flat(above(counted(0.9, 0.1), counted(0.7, 0.2 - 1e-16)))
    assert WeakestLink(0).prune(tree, DATA).n_nodes == 1


def test_rounding_does_not_part_links_of_equal_strength() -> None:
    lower = [with_risk(0.3 + i * 1e-16, with_risk(0.1), with_risk(0.1)) for i in range(3)]
    tree = flat(with_risk(9, *lower))
    path = weakest_link_path(tree, risks_of(tree))
    assert path.alphas.tolist() == pytest.approx([0.0, 0.1, 8.1 / 2])


def test_rows_that_go_no_further_are_answered_by_the_node_itself() -> None:
    """Of 10 rows 4 stay, 1 of them not of the node's class; the leaves are pure."""
    leaves = [Branching([3.0, 3.0, 0.0]), Branching([3.0, 0.0, 3.0])]
    tree = flat(Branching([10.0, 6.0, 4.0], [], CUTS, 0, (0.5,), STAY, leaves))
    path = weakest_link_path(tree, risks_of(tree), stay_risks(tree, DATA))
    assert path.risks.tolist() == [1.0, 4.0]
    assert path.alphas.tolist() == [0.0, 3.0]


def test_rows_of_a_number_that_go_no_further_count_their_squares_about_the_nodes_mean() -> None:
    """Of 1, 1, 3, 3 and 7 the 7 stays at a node whose mean is 3."""
    leaves = [Branching([2.0, 2.0, 2.0]), Branching([2.0, 6.0, 18.0])]
    tree = flat(Branching([5.0, 15.0, 69.0], [], CUTS, 0, (0.5,), STAY, leaves))
    assert stay_risks(tree, NUMBERS).tolist() == [16.0, 0.0, 0.0]


# --- the measure "score" -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tennis", "cheat", "buys_computer"])
def test_scores_of_gain_add_up_to_the_fall_in_impurity(name: str) -> None:
    table = load_dataset(name)
    full = {"tree.stop": ["pure"], "tree.pruner": "none"}
    (tree,) = treekit.fit("cart", table, set=full).trees
    impurities = Gini().impurity(tree.stats) * tree.weight / tree.weight[0]
    by_impurity = weakest_link_path(tree, impurities)
    by_score = WeakestLink(measure="score").path(tree, pruning_data(table))
    assert by_score.alphas == pytest.approx(by_impurity.alphas, abs=1e-14)
    assert by_score.leaves.tolist() == by_impurity.leaves.tolist()
    assert by_score.risks + by_impurity.risks[0] == pytest.approx(by_impurity.risks)


def test_of_numbers_both_measures_are_the_mean_squared_error() -> None:
    table = random_table(np.random.default_rng(3), 60, missing=0.0, regression=True)
    full = {"tree.stop": ["pure"], "tree.pruner": "none"}
    (tree,) = treekit.fit("regression", table, set=full).trees
    paths = [
        WeakestLink(measure=each).path(tree, pruning_data(table)) for each in ("error", "score")
    ]
    assert len(paths[0].alphas) > 5
    assert paths[0].alphas == pytest.approx(paths[1].alphas, abs=1e-12)
    assert paths[0].risks[-1] == pytest.approx(Variance().impurity(tree.stats)[0])


def test_a_test_that_scores_less_than_nothing_goes_at_once() -> None:
    tree = flat(SMALL_TREE)
    scored = evolve(tree, score=np.array([0.5, -0.25, np.nan, np.nan, np.nan]))
    path = WeakestLink(measure="score").path(scored, DATA)
    assert path.alphas.tolist() == [0.0, 0.5]
    assert path.leaves.tolist() == [2, 1]


# --- laws ----------------------------------------------------------------------------------------


def subtrees(tree: Tree, node: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way to cut a node's branch back, as the nodes that are its leaves."""
    yield (node,)
    below = [tuple(subtrees(tree, child)) for child in tree.children(node)]
    for parts in itertools.product(*below) if below else ():
        yield tuple(itertools.chain(*parts))


def leaves_left(tree: Tree, collapse: Floats, alpha: float) -> tuple[int, ...]:
    """The nodes that are leaves of the subtree for an alpha."""
    gone = ~(collapse > alpha)
    found, pending = [], [0]
    for node in pending:
        if gone[node]:
            found.append(node)
        else:
            pending += tree.children(node)
    return tuple(sorted(found))


small_trees = st.recursive(
    st.just(()), lambda below: st.lists(below, min_size=2, max_size=3).map(tuple), max_leaves=8
)


@st.composite
def trees_with_risks(draw: st.DrawFn) -> tuple[Tree, Floats]:
    """A tree of at most some ten leaves, and risks of which a branch's never exceed its node's."""

    def grown(plan: tuple[object, ...]) -> Branching:
        children = [grown(below) for below in plan]  # type: ignore[arg-type]
        saved = draw(st.sampled_from([0, 0, 1, 2, 3, 5, 8, 0.1, 0.2, 0.3]))
        total = saved + sum(child.stats[2] for child in children)
        return with_risk(total, *children)

    tree = flat(grown(draw(small_trees)))
    return tree, tree.stats[:, 2].copy()


@examples(75)
@given(given_tree=trees_with_risks(), extra=st.floats(0.0, 12.0))
def test_each_subtree_is_the_smallest_of_least_risk_and_leaves(
    given_tree: tuple[Tree, Floats], extra: float
) -> None:
    tree, risks = given_tree
    path = weakest_link_path(tree, risks)
    every = [(risks[list(leaves)].sum(), leaves) for leaves in subtrees(tree)]
    middles = (path.alphas[1:] + path.alphas[:-1]) / 2
    for alpha in (*path.alphas, *middles, extra):
        # Within rounding of a step either side of it may be asked for.
        if np.abs(path.alphas - alpha).min() < 1e-9:
            alpha = path.alphas[np.abs(path.alphas - alpha).argmin()]
        least = min(cost + alpha * len(leaves) for cost, leaves in every)
        best = [e for e in every if e[0] + alpha * len(e[1]) <= least + 1e-9]
        smallest = min(best, key=lambda e: len(e[1]))
        assert leaves_left(tree, path.collapse, alpha) == tuple(sorted(smallest[1]))
        at = int(np.searchsorted(path.alphas, alpha, side="right")) - 1
        assert path.risks[at] == pytest.approx(smallest[0], abs=1e-9)
        assert path.leaves[at] == len(smallest[1])


def by_the_book(tree: Tree, risks: Floats) -> list[tuple[float, float, int]]:
    """Breiman et al. 1984, section 3.3, step by step: alpha, risk and leaves of each subtree."""
    alive = ~tree.is_leaf
    steps: list[tuple[float, float, int]] = []
    alpha = 0.0
    while True:
        branch_risk, count = risks.copy(), np.ones(tree.n_nodes)
        for node in range(tree.n_nodes - 1, -1, -1):
            if alive[node]:
                branch_risk[node] = branch_risk[list(tree.children(node))].sum()
                count[node] = count[list(tree.children(node))].sum()
        link = np.where(alive, (risks - branch_risk) / np.maximum(count - 1, 1), np.inf)
        if link.min() > alpha + 1e-9:
            steps.append((alpha, branch_risk[0], int(count[0])))
            alpha = link.min()
        if not alive[0]:
            return steps
        for node in np.flatnonzero(link <= alpha + 1e-9).tolist():
            below = [node]
            for each in below:
                alive[each] = False
                below += tree.children(each)


@examples(60)
@given(seed=st.integers(0, 10**6), regression=st.booleans(), missing=st.sampled_from([0.0, 0.2]))
def test_the_path_is_that_of_the_books_own_steps(
    seed: int, regression: bool, missing: float
) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 120, missing=missing, regression=regression)
    tree = random_tree(rng, table, depth=7)
    risks = risk(tree.stats, table.task)
    path = weakest_link_path(tree, risks)
    expected = by_the_book(tree, risks)
    assert path.alphas == pytest.approx([alpha for alpha, _, _ in expected], abs=1e-7)
    assert path.risks == pytest.approx([r for _, r, _ in expected], abs=1e-7)
    assert path.leaves.tolist() == [leaves for _, _, leaves in expected]


@examples(60)
@given(seed=st.integers(0, 10**6), unknown=st.sampled_from([SPREAD, STAY]))
def test_subtrees_are_nested_and_alphas_and_risks_ascend(seed: int, unknown: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80)
    tree = random_tree(rng, table, depth=6, unknowns=(unknown,))
    path = weakest_link_path(
        tree, risk(tree.stats, table.task), stay_risks(tree, pruning_data(table))
    )
    assert path.alphas[0] == 0.0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.risks) > 0).all()
    assert (np.diff(path.leaves) < 0).all()
    whole = np.arange(tree.n_nodes)
    cut = [rebuilt(tree, whole, ~(path.collapse > alpha), "gone") for alpha in path.alphas]
    assert [each.n_leaves for each in cut] == path.leaves.tolist()
    assert all(is_cut_back(small, large) for large, small in itertools.pairwise(cut))


@examples(60)
@given(
    seed=st.integers(0, 10**6),
    measure=st.sampled_from(["error", "score"]),
    unknown=st.sampled_from([SPREAD, STAY]),
)
def test_the_pruner_leaves_the_subtrees_of_its_path(
    seed: int, measure: Literal["error", "score"], unknown: int
) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80)
    tree = random_tree(rng, table, depth=6, unknowns=(unknown,))
    tree = evolve(tree, score=np.where(tree.is_leaf, np.nan, rng.random(tree.n_nodes)))
    data = pruning_data(table)
    path = WeakestLink(measure=measure).path(tree, data)
    between = (path.alphas[1:] + path.alphas[:-1]) / 2
    for alphas in (path.alphas, between):
        pruned = [WeakestLink(float(a), measure).prune(tree, data).n_leaves for a in alphas]
        assert pruned == path.leaves[: len(alphas)].tolist()


@examples(60)
@given(seed=st.integers(0, 10**6), alpha=st.floats(0.0, 0.2))
def test_of_two_levels_cost_complexity_cuts_the_same(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60)
    tree = random_tree(rng, table, depth=2)
    share = risk(tree.stats, table.task)[0] / tree.weight[0]
    exact, rparts = WeakestLink(alpha * share), CostComplexity(alpha)
    data = pruning_data(table)
    assert structure(exact.prune(tree, data)) == structure(rparts.prune(tree, data))


# --- large trees ---------------------------------------------------------------------------------


def test_compiled_and_interpreted_paths_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    table = random_table(rng, 300)
    tree = random_tree(rng, table, depth=7)
    paths = []
    for small in (0, tree.n_nodes):
        monkeypatch.setattr(weakest_link, "SMALL", small)
        paths.append(weakest_link_path(tree, risk(tree.stats, table.task)))
    one, other = paths
    for name in ("alphas", "risks", "leaves", "collapse"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)


@pytest.mark.parametrize(("towards_the_root", "subtrees_left"), [("more", 20_001), ("less", 2)])
def test_a_deep_chain_of_tests_has_its_path_at_once(
    towards_the_root: str, subtrees_left: int
) -> None:
    """Each test parts a leaf from the rest. Where those nearer the root save more, they go one by
    one from the lowest up; where they save less, all go together.
    """
    n = 20_000
    nodes = np.arange(2 * n + 1)
    inner = (nodes % 2 == 0) & (nodes < 2 * n)
    tree = evolve(
        flat(SMALL_TREE),
        kind=np.where(inner, CUTS, LEAF).astype(np.int8),
        first_child=np.where(inner, nodes + 1, 0).astype(np.int32),
        n_children=np.where(inner, 2, 0).astype(np.int32),
    )
    saved = np.where(inner, 1.0 + (nodes[::-1] if towards_the_root == "more" else nodes), 0.0)
    risks = np.where(inner, np.cumsum(saved[::-1])[::-1], 0.0)
    path = weakest_link_path(tree, risks)
    assert len(path.alphas) == subtrees_left
    assert path.leaves[[0, -1]].tolist() == [n + 1, 1]
    assert path.risks[-1] == pytest.approx(saved.sum())


# --- the parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_fields", "told"),
    [
        ({"alpha": -0.1}, r"'alpha' must be >= 0\.0: -0\.1"),
        ({"alpha": "0"}, r"'alpha' must be \(<class 'int'>, <class 'float'>\)"),
        ({"measure": "gini"}, r"'measure' must be in \('error', 'score'\)"),
    ],
)
def test_its_parameters_are_checked(given_fields: dict[str, object], told: str) -> None:
    with pytest.raises((ValueError, TypeError), match=told):
        WeakestLink(**given_fields)  # type: ignore[arg-type]
