"""What tests have in common is grown once: the tree that would be grown, and never another's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from treekit.datasets import load_dataset
from treekit.engine import grow
from treekit.recipe import load_recipe
from treekit.table.record import Table
from treekit.testing.expecting import expect_same_tree
from treekit.tree import Tree

from .growing import Grow, growing_once

CHEAT = load_dataset("cheat")
ALL_BUT_ONE = np.arange(CHEAT.n_rows) > 0


class Counting:
    """`engine.grow`, and how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, *given: Any) -> Tree:
        self.times += 1
        return grow(*given)


def tree_of(
    growing: Grow, table: Table = CHEAT, recipe: str = "cart", settings: Any = (), **more: Any
) -> Tree:
    return growing(table, load_recipe(recipe, settings).tree, np.random.default_rng(0), **more)


@pytest.mark.parametrize(
    "settings",
    [{}, {"tree.pruner": "none"}, {"tree.pruner.alpha": 0.5}, {"tree.label": "laplace"}],
    ids=str,
)
def test_a_tree_is_grown_once_whatever_prunes_and_labels_it(settings: dict[str, Any]) -> None:
    counting = Counting()
    once = growing_once(counting)
    tree_of(once)
    found = tree_of(once, settings=settings)
    assert counting.times == 1
    expect_same_tree(found, tree_of(grow, settings=settings), "it is another tree")


@pytest.mark.parametrize(
    ("table", "settings"),
    [
        (CHEAT.take(ALL_BUT_ONE), {}),
        (CHEAT.reweighted(1.0 + ALL_BUT_ONE), {}),
        (CHEAT, {"tree.impurity": "entropy"}),
        (CHEAT, {"tree.criterion": "gain_ratio"}),
        (CHEAT, {"tree.splitter.nominal": "multiway"}),
        (CHEAT, {"tree.stop": ["pure", {"use": "max_depth", "depth": 1}]}),
        (CHEAT, {"tree.missing": "fractional"}),
        (CHEAT, {"tree.missing": {"use": "surrogate", "keep": 1}}),
        (CHEAT, {"tree.grower": "best_first"}),
    ],
    ids=str,
)
def test_what_changes_growth_is_grown_for_itself(table: Table, settings: dict[str, Any]) -> None:
    counting = Counting()
    once = growing_once(counting)
    tree_of(once)
    tree_of(once, table, settings=settings)
    assert counting.times == 2


def test_a_fold_is_told_from_the_same_rows_of_another_whole() -> None:
    counting = Counting()
    once = growing_once(counting)
    for whole in (CHEAT, CHEAT.reweighted(2.0 - ALL_BUT_ONE)):
        tree_of(once, evolve(CHEAT.take(ALL_BUT_ONE), origin=whole))
    assert counting.times == 2


def test_what_is_drawn_is_drawn_anew() -> None:
    counting = Counting()
    once = growing_once(counting)
    for _ in range(2):
        tree_of(once, recipe="extra_tree")
    assert counting.times == 2


def test_who_writes_to_a_tree_writes_to_his_own() -> None:
    once = growing_once(grow)
    for _ in range(2):
        tree_of(once).stats[:] = 0.0
    expect_same_tree(tree_of(once), tree_of(grow), "it was written to")


def test_what_the_grower_tells_is_told_again() -> None:
    once, told = growing_once(grow), []
    for _ in range(2):
        tree_of(once, recipe="optimal", tell=lambda facts: told.append(dict(facts)))
    assert told[0] == told[1] != {}
