"""Tests drawn at random, as extra trees ask them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from treekit_builtin import RandomCuts, Threshold
from treekit_builtin.column_counts import number_of

from treekit import Column, RecipeError, fit, load_recipe
from treekit.testing.samples import sample_table

from .offering import cuts_of, groups_of, root_offers, table_of

X = Column("x", "numeric")
MANY = Column("x", "nominal", tuple("abcdef"))


def test_a_number_is_cut_uniformly_between_the_least_and_the_greatest() -> None:
    table = table_of(X, [0, 10, 3, 10], [0, 1, 0, 1], classes="ab")
    cuts = np.array([cuts_of(root_offers(table, RandomCuts(), seed)) for seed in range(400)])
    assert ((cuts >= 0) & (cuts < 10)).all()
    # Tenths of the range hold 40 cuts each, give or take; 27.9 is chi-squared's 99.9 %.
    seen = np.histogram(cuts, 10, (0, 10))[0]
    assert ((seen - 40) ** 2 / 40).sum() < 27.9


def test_of_several_draws_the_best_is_offered() -> None:
    table = table_of(X, [0, 1, 2, 3, 4, 20], [0, 0, 0, 1, 1, 1], classes="ab")
    best = root_offers(table, Threshold()).score[0, 0]
    one, many = (
        np.array([root_offers(table, RandomCuts(draws=d), s).score[0, 0] for s in range(n)])
        for d, n in ((1, 20), (200, 4))
    )
    assert many == pytest.approx(best)
    assert one.mean() < 0.6 * best


def test_tries_are_the_draws_that_separate_rows() -> None:
    table = table_of(X, [0, 1, 2, 3], [0, 0, 1, 1], classes="ab")
    assert root_offers(table, RandomCuts(draws=5)).tries.tolist() == [[5]]


def test_levels_are_dealt_to_two_sides_neither_of_which_is_empty() -> None:
    table = table_of(MANY, [0, 0, 2, 2, 3], [0, 1, 1, 0, 1], classes="pq")
    found = {tuple(groups_of(root_offers(table, RandomCuts(), seed))) for seed in range(300)}
    of_present = {(g[0], g[2], g[3]) for g in found}
    assert len(of_present) == 6
    assert of_present.isdisjoint({(0, 0, 0), (1, 1, 1)})
    assert {g[1] for g in found} == {0, 1}  # a level that the node does not hold goes to either


@pytest.mark.parametrize(
    ("columns", "of", "expected"),
    [
        ("all", 20, 20),
        ("sqrt", 20, 4),
        ("sqrt", 25, 5),
        ("log2", 20, 4),
        ("log2", 1, 1),
        (3, 20, 3),
        (0.3, 10, 3),
        (0.01, 10, 1),
        (1.0, 10, 10),
    ],
)
def test_how_many_columns_may_offer_a_test(columns: Any, of: int, expected: int) -> None:
    assert number_of(columns, of) == expected


@pytest.mark.parametrize("columns", [1, 2, "sqrt"])
def test_only_columns_with_a_test_are_drawn(columns: Any) -> None:
    """Of the sample's twelve columns, the third of each kind is constant and offers nothing."""
    table = sample_table("classification")
    splitter = RandomCuts(columns=columns)
    for seed in range(10):
        offered = root_offers(table, splitter, seed).score[0] > -np.inf
        assert offered.sum() == number_of(columns, 12)
        assert not offered[2::4].any()


def test_every_column_is_drawn_sooner_or_later() -> None:
    table = sample_table("classification")
    drawn = sum(
        root_offers(table, RandomCuts(columns=1), seed).score[0] > -np.inf for seed in range(40)
    )
    assert (np.delete(drawn, [2, 6, 10]) > 0).all()


def test_the_same_seed_grows_the_same_tree_and_another_seed_another() -> None:
    table = sample_table("classification", rows=60)
    first, again, other = (str(fit("extra_tree", table, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_an_extra_tree_of_numbers_learns_its_rows_but_for_small_leaves() -> None:
    table = sample_table("regression", rows=80)
    tree = fit("extra_tree_regression", table).trees[0]
    splits = ~tree.is_leaf
    assert (tree.rows[splits] >= 5).all()
    assert tree.n_leaves > 10


@pytest.mark.parametrize("columns", [0, -1, 0.0, 1.5, True, "half", float("nan")])
def test_a_wrong_number_of_columns_is_told(columns: Any) -> None:
    with pytest.raises((ValueError, RecipeError), match="columns"):
        RandomCuts(columns=columns)


def test_a_recipe_says_what_columns_may_be() -> None:
    with pytest.raises(RecipeError, match=r"tree.splitter.numeric.columns: .*share > 0.0"):
        load_recipe("extra_tree", set={"tree.splitter.numeric.columns": 1.5})
