"""Pessimistic pruning: a penalty for each leaf, and Quinlan's standard error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from treekit_builtin.pruners import Pessimistic, pessimistic, pessimistic_errors

from treekit.offers import PruningData
from treekit.testing import contract_tests
from treekit.tree import CUTS, SPREAD, STAY

from .naive import Branching, flat, nested, pruning_data, random_table, random_tree, structure

test_contract = contract_tests(
    "pruner",
    Pessimistic(penalty=0.0),
    Pessimistic(standard_errors=1.0),
    Pessimistic(standard_errors=1.0, order="top_down"),
)


def node(stats: list[float], *children: Branching) -> Branching:
    if not children:
        return Branching(stats=stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


@pytest.fixture
def data() -> PruningData:
    return pruning_data(random_table(np.random.default_rng(0), 10))


@pytest.mark.parametrize(("penalty", "nodes"), [(0.0, 3), (0.5, 3), (3.9, 3), (4.0, 1), (5.0, 1)])
def test_a_leaf_is_made_where_corrected_errors_are_no_fewer(
    data: PruningData, penalty: float, nodes: int
) -> None:
    """The split saves 4 errors and costs one leaf more."""
    tree = flat(node([10.0, 6.0, 4.0], node([6.0, 6.0, 0.0]), node([4.0, 0.0, 4.0])))
    assert Pessimistic(penalty).prune(tree, data).n_nodes == nodes


def test_an_empty_leaf_is_paid_for_too(data: PruningData) -> None:
    pure = node([6.0, 6.0, 0.0]), node([1.0, 0.0, 1.0])
    two = node([7.0, 6.0, 1.0], *pure)
    three = node([7.0, 6.0, 1.0], *pure, node([0.0, 0.0, 0.0]))
    assert [Pessimistic().prune(flat(at), data).n_nodes for at in (two, three)] == [3, 1]


def test_the_reason_is_said_in_words(data: PruningData) -> None:
    tree = flat(node([4.0, 3.0, 1.0], node([2.0, 2.0, 0.0]), node([2.0, 1.0, 1.0])))
    pruned = Pessimistic().prune(tree, data)
    assert pruned.reasons[pruned.reason[0]] == (
        "pruned: with a penalty for each leaf, the subtree makes no fewer errors"
    )
    assert pruned.stats.tolist() == [[4.0, 3.0, 1.0]]


@pytest.mark.parametrize("order", ["bottom_up", "top_down"])
@pytest.mark.parametrize(
    ("standard_errors", "saved", "nodes"),
    [
        (0.0, 0.5, 1),
        (0.0, 0.6, 3),
        (1.0, 3.4, 1),
        (1.0, 3.5, 1),
        (1.0, 3.6, 3),
        (2.0, 6.5, 1),
        (2.0, 6.6, 3),
    ],
)
def test_a_subtree_must_be_better_by_its_standard_errors(
    data: PruningData, standard_errors: float, saved: float, nodes: int, order: Any
) -> None:
    """9 + 2 * 0.5 errors of 100, give or take 3 = sqrt(10 * 90 / 100), against 9.5 and `saved`."""
    wrong = node([100.0 - saved, 91.0 - saved, 9.0])
    tree = flat(node([100.0, 91.0 - saved, 9.0 + saved], wrong, node([saved, 0.0, saved])))
    pruner = Pessimistic(standard_errors=standard_errors, order=order)
    assert pruner.prune(tree, data).n_nodes == nodes


@pytest.mark.parametrize(("order", "nodes"), [("bottom_up", 3), ("top_down", 1)])
def test_the_order_decides_whether_a_subtree_is_judged_as_it_was_grown(
    data: PruningData, order: Any, nodes: int
) -> None:
    """As a leaf 8 + 2; as it was grown 4 * 2 and 1 + 2 * 2; when the useless splits are gone 5."""
    useless = node([12.0, 12.0, 0.0], *(node([3.0, 3.0, 0.0]) for _ in range(4)))
    other = node([9.0, 1.0, 8.0], node([5.0, 0.0, 5.0]), node([4.0, 1.0, 3.0]))
    tree = flat(node([21.0, 13.0, 8.0], useless, other))
    assert pessimistic_errors(tree, 2.0)[0] == 13.0
    assert Pessimistic(2.0, order=order).prune(tree, data).n_nodes == nodes


MARKED = -9


def by_recursion(at: Branching, rule: Pessimistic) -> float:
    """The rule in so many words: a subtree's corrected errors, cut back where the rule says so.

    Top-down, a node is marked only, to be cut when all have been judged.
    """
    own = at.stats[0] - max(at.stats[1:]) + rule.penalty
    if not at.children:
        return own
    staying = [mine - sum(c.stats[i] for c in at.children) for i, mine in enumerate(at.stats)]
    below = staying[0] - staying[1 + int(np.argmax(at.stats[1:]))]
    below += sum(by_recursion(child, rule) for child in at.children)
    variance = below * (at.stats[0] - below) / at.stats[0]
    if below + rule.standard_errors * math.sqrt(max(variance, 0.0)) < own - 1e-9:
        return below
    if rule.order == "top_down":
        at.unknown = MARKED
        return below
    at.become_leaf()
    return own


def cut_marked(at: Branching) -> None:
    if at.unknown == MARKED:
        at.become_leaf()
    for child in at.children:
        cut_marked(child)


@pytest.mark.parametrize("order", ["bottom_up", "top_down"])
@pytest.mark.parametrize("seed", range(20))
def test_pruning_agrees_with_the_recursive_rule(seed: int, order: Any) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.2, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, unknowns=(SPREAD, STAY, 0))
    rule = Pessimistic(0.5 - 0.4 * (seed % 3 == 0), float(seed % 3 == 1), order)
    root = nested(tree)
    by_recursion(root, rule)
    cut_marked(root)
    assert structure(rule.prune(tree, pruning_data(table))) == structure(flat(root))


@pytest.mark.parametrize("order", ["bottom_up", "top_down"])
def test_compiled_it_prunes_the_same(order: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    table = random_table(rng, 200, missing=0.2)
    tree = random_tree(rng, table, unknowns=(SPREAD, STAY, 0))
    rule = Pessimistic(0.2, 0.1, order)
    interpreted = rule.prune(tree, pruning_data(table))
    monkeypatch.setattr(pessimistic, "SMALL", 0)
    assert 1 < interpreted.n_nodes < tree.n_nodes
    assert structure(rule.prune(tree, pruning_data(table))) == structure(interpreted)


def test_a_subtrees_corrected_errors_are_those_of_its_leaves() -> None:
    rng = np.random.default_rng(5)
    tree = random_tree(rng, random_table(rng, 80))
    leaves = tree.stats[tree.is_leaf]
    errors = (leaves[:, 0] - leaves[:, 1:].max(axis=1)).sum()
    assert pessimistic_errors(tree)[0] == pytest.approx(errors + 0.5 * tree.n_leaves)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pessimistic(-0.5), "'penalty' must be >= 0.0: -0.5"),
        (lambda: Pessimistic(math.inf), "'penalty' must be < inf: inf"),
        (lambda: Pessimistic(standard_errors=-1), "'standard_errors' must be >= 0.0: -1"),
        (lambda: Pessimistic(standard_errors=math.nan), "'standard_errors' must be >= 0.0: nan"),
    ],
)
def test_a_bad_parameter_is_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        make()
    assert str(caught.value) == message
