"""Critical-value pruning: a weak test stays only above a strong one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin.pruners import CriticalValue, bottom_up

from treekit.offers import PruningData
from treekit.testing import contract_tests
from treekit.tree import CUTS, SPREAD, Tree

from .naive import Branching, flat, pruning_data, random_table, random_tree, structure

test_contract = contract_tests("pruner", CriticalValue(0.1), CriticalValue(-1.0))


@pytest.fixture
def data() -> PruningData:
    return pruning_data(random_table(np.random.default_rng(0), 10))


def inner(*children: Branching) -> Branching:
    return Branching([2.0, 1.0, 1.0], [], CUTS, 0, (0.0,), SPREAD, list(children))


def tree_with(root: float, left: float, right: float, below_left: float) -> Tree:
    """Four tests with these scores, `below_left` under `left`."""
    leaves = [Branching(stats=[1.0, 1.0, 0.0]) for _ in range(5)]
    deepest = inner(leaves[0], leaves[1])
    tree = flat(inner(inner(deepest, leaves[2]), inner(leaves[3], leaves[4])))
    score = tree.score.copy()
    score[~tree.is_leaf] = [root, left, right, below_left]
    return evolve(tree, score=score)


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ((0.9, 0.5, 0.2, 0.1), [0.9, 0.5]),
        ((0.9, 0.2, 0.5, 0.1), [0.9, 0.5]),
        ((0.1, 0.1, 0.1, 0.5), [0.1, 0.1, 0.5]),
        ((0.9, 0.1, 0.1, 0.1), [0.9]),
        ((0.1, 0.1, 0.1, 0.1), []),
        ((0.9, 0.8, 0.7, 0.6), [0.9, 0.8, 0.7, 0.6]),
    ],
)
def test_a_test_stays_if_it_or_one_below_reaches_the_value(
    data: PruningData, scores: tuple[float, ...], kept: list[float]
) -> None:
    pruned = CriticalValue(0.5).prune(tree_with(*scores), data)
    assert pruned.score[~pruned.is_leaf].tolist() == kept


@pytest.mark.parametrize(("value", "kept"), [(0.3, 1), (0.1 + 0.2, 1), (0.3001, 0)])
def test_a_score_reaches_the_value_up_to_rounding(
    data: PruningData, value: float, kept: int
) -> None:
    tree = tree_with(0.3, 0.1, 0.1, 0.1)
    assert (~CriticalValue(value).prune(tree, data).is_leaf).sum() == kept


def test_the_reason_is_said_in_words(data: PruningData) -> None:
    pruned = CriticalValue(0.25).prune(tree_with(0.1, 0.1, 0.1, 0.1), data)
    assert pruned.reasons[pruned.reason[0]] == "pruned: no test from here on scores 0.25 or more"


@pytest.mark.parametrize("seed", range(10))
def test_exactly_the_nodes_above_a_strong_test_keep_theirs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60)
    grown = random_tree(rng, table)
    score = np.where(grown.is_leaf, np.nan, rng.random(grown.n_nodes))
    tree = evolve(grown, score=score)
    wanted = set()
    for strong in np.flatnonzero(score >= 0.7):
        at = int(strong)
        while at >= 0:
            wanted.add(float(score[at]))
            at = int(tree.parent[at])
    pruned = CriticalValue(0.7).prune(tree, pruning_data(table))
    assert set(pruned.score[~pruned.is_leaf].tolist()) == wanted


def test_compiled_it_prunes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    table = random_table(rng, 200)
    grown = random_tree(rng, table)
    tree = evolve(grown, score=np.where(grown.is_leaf, np.nan, rng.random(grown.n_nodes)))
    interpreted = CriticalValue(0.9).prune(tree, pruning_data(table))
    monkeypatch.setattr(bottom_up, "SMALL", 0)
    assert 1 < interpreted.n_nodes < tree.n_nodes
    compiled = CriticalValue(0.9).prune(tree, pruning_data(table))
    assert structure(compiled) == structure(interpreted)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.inf, "'value' must be < inf: inf"),
        (-math.inf, "'value' must be > -inf: -inf"),
        (math.nan, "'value' must be > -inf: nan"),
    ],
)
def test_a_bad_parameter_is_named(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        CriticalValue(value)
    assert str(caught.value) == message
