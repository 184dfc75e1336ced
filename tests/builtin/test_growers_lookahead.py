"""Looking further than the next test."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit import Column, Floats, Model, Schema, Table, fit, load_dataset
from treekit.testing.expecting import expect_same_tree
from treekit.testing.trees import check_tree

from ..properties import examples
from .naive import random_table


def bits(n: int, noise: int = 0, seed: int = 0) -> Table:
    """The parity of n bits; columns of noise come before them, so that greed asks those first."""
    rng = np.random.default_rng(seed)
    x = np.array(list(product([0.0, 1.0], repeat=n))).repeat(4, axis=0)
    tosses = rng.integers(0, 2, (len(x), noise)).astype(np.float64)
    y = x.sum(axis=1) % 2
    x = np.column_stack([tosses, x])
    return numbers(x, y)


def numbers(x: Floats, y: Floats) -> Table:
    columns = tuple(Column(f"x{i}", "numeric") for i in range(x.shape[1]))
    return Table(Schema(columns, Column("y", "nominal", ("even", "odd"))), x.T.copy(), y)


def checkerboard(n: int = 120, seed: int = 1) -> Table:
    """Exclusive or of two numbers, and two columns of noise."""
    x = np.random.default_rng(seed).uniform(-1, 1, (n, 4))
    return numbers(x, ((x[:, 1] > 0) ^ (x[:, 2] > 0.1)).astype(np.float64))


def errors(model: Model, table: Table) -> int:
    wanted = np.array(table.schema.classes, dtype=object)[table.y.astype(np.int64)]
    return int((model.predict(table) != wanted).sum())


def looking(table: Table, depth: int, most: int | None = None, **others: Any) -> Model:
    """With `depth` 0 the tree is greedy; it may be `most` levels deep."""
    stop: list[Any] = ["pure", "min_gain"]
    if most is not None:
        stop = ["pure", {"use": "max_depth", "depth": most}]
    grower = {"use": "lookahead", "depth": depth} if depth else "level"
    settings = {"tree.grower": grower, "tree.stop": stop}
    return fit("lookahead", table, set={**settings, **others})


def test_the_greedy_tree_sees_nothing_in_parity_and_asks_nothing() -> None:
    table = load_dataset("parity3")
    greedy = looking(table, 0)
    assert (greedy.n_nodes, errors(greedy, table)) == (1, 4)


@pytest.mark.parametrize(("depth", "wrong"), [(1, 4), (2, 4), (3, 0)])
def test_parity_of_three_bits_needs_a_look_of_three_levels(depth: int, wrong: int) -> None:
    table = load_dataset("parity3")
    assert errors(looking(table, depth), table) == wrong


@pytest.mark.parametrize("n", [2, 3, 4])
def test_parity_of_n_bits_is_solved_by_a_look_of_n_levels(n: int) -> None:
    table = bits(n)
    model = looking(table, n)
    assert (errors(model, table), model.n_leaves, model.depth) == (0, 2**n, n)


def test_exclusive_or_behind_noise_is_solved_where_greed_asks_the_noise() -> None:
    table = bits(2, noise=3)
    assert errors(looking(table, 0, most=2), table) > 0
    assert errors(looking(table, 2, most=2), table) == 0


def test_a_checkerboard_of_numbers_is_solved_where_greed_asks_the_noise() -> None:
    table = checkerboard()
    greedy, model = looking(table, 0, most=2), looking(table, 2, most=2)
    assert errors(greedy, table) > 30
    assert errors(model, table) == 0
    check_tree(model.trees[0], table)


@examples(25)
@given(seed=st.integers(0, 10**6), regression=st.booleans(), missing=st.sampled_from([0.0, 0.2]))
def test_a_look_of_one_level_is_the_greedy_tree(
    seed: int, regression: bool, missing: float
) -> None:
    table = random_table(np.random.default_rng(seed), 60, missing=missing, regression=regression)
    recipe, full = "regression" if regression else "cart", {"tree.stop": "pure"}
    one, greedy = (
        fit(recipe, table, set={**full, "tree.pruner": "none", "tree.grower": grower}).trees[0]
        for grower in ({"use": "lookahead", "depth": 1}, "level")
    )
    expect_same_tree(one, greedy, "lookahead grows another tree")


def gini(y: Floats) -> float:
    """The index times the rows."""
    p = np.bincount(y.astype(np.int64), minlength=2) / max(len(y), 1)
    return float(len(y) * (1 - (p**2).sum()))


def least_impurity(x: Floats, y: Floats, depth: int) -> float:
    """Of all trees of this depth: the least impurity of the leaves together, by definition."""
    least = gini(y)
    if depth == 0 or least == 0:
        return least
    for column in x.T:
        for cut in np.unique(column)[:-1]:
            left = column <= cut
            sides = [least_impurity(x[side], y[side], depth - 1) for side in (left, ~left)]
            least = min(least, sum(sides))
    return least


@examples(40)
@given(seed=st.integers(0, 10**6), depth=st.sampled_from([2, 3]))
def test_the_tree_of_the_levels_looked_at_is_the_purest_of_all(seed: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, (9, 2)).astype(np.float64)
    y = rng.integers(0, 2, 9).astype(np.float64)
    tree = looking(numbers(x, y), depth, most=depth).trees[0]
    leaves = tree.stats[tree.is_leaf]
    found = sum(row[0] - (row[1:] ** 2).sum() / row[0] for row in leaves)
    assert found == pytest.approx(least_impurity(x, y, depth), abs=1e-9)


def test_what_gains_all_at_once_is_asked_first() -> None:
    """A useless test before it gains as much in two levels, and stands in an earlier column."""
    x = np.column_stack([np.arange(12.0) % 5, np.arange(12.0)])
    model = looking(numbers(x, (np.arange(12) > 6).astype(np.float64)), 2)
    assert (model.n_nodes, model.trees[0].column[0]) == (3, 1)


@pytest.mark.parametrize("criterion", ["gain_ratio", "twoing", "chi_squared"])
def test_any_criterion_judges(criterion: str) -> None:
    table = bits(2, noise=2)
    model = looking(table, 2, most=2, **{"tree.criterion": criterion, "tree.impurity": "entropy"})
    assert errors(model, table) == 0


def test_numbers_are_predicted_too() -> None:
    table = bits(2, noise=2)
    target = table.aiming_at(Column("y", "numeric"), table.y * 3.0)
    grower = {"use": "lookahead", "depth": 2}
    stop = ["pure", {"use": "max_depth", "depth": 2}]
    changes = {"tree.grower": grower, "tree.stop": stop, "tree.pruner": "none"}
    model = fit("regression", target, set=changes)
    assert np.abs(model.predict(target) - target.y).max() == 0.0


@pytest.mark.parametrize("missing", ["fractional", "majority_branch", "own_branch", "surrogate"])
def test_unknown_values_go_where_the_handler_sends_them(missing: str) -> None:
    table = random_table(np.random.default_rng(3), 40, missing=0.2)
    model = looking(table, 2, most=3, **{"tree.missing": missing})
    check_tree(model.trees[0], table)


def test_the_branch_minimum_holds() -> None:
    stop = ["pure", {"use": "min_rows", "branch": 9}]
    tree = fit("lookahead", checkerboard(), set={"tree.stop": stop}).trees[0]
    assert tree.n_nodes > 3
    assert tree.rows.min() >= 9


def test_the_recipe_solves_parity_as_far_as_it_looks() -> None:
    table = load_dataset("parity3")
    assert errors(fit("lookahead", table, set={"tree.grower.depth": 3}), table) == 0
