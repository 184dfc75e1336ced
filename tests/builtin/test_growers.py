"""In which order a tree is grown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from treekit_builtin.growers import BestFirst, Level

from treekit import Column, Floats, Growth, Ints, Schema, Table, ends, fit
from treekit.testing.expecting import expect_same_tree
from treekit.testing.samples import sample_table

from ..properties import examples
from .naive import random_table


@frozen
class OneLevelAfterTheOther:
    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            growth.split_level()


@pytest.mark.parametrize("rows", [60, 5_000])
def test_the_level_grower_splits_until_no_node_is_open(rows: int) -> None:
    table = sample_table("classification", ("numeric",), rows=rows)
    growers = (Level(), OneLevelAfterTheOther())
    one, other = (fit("id3", table, set={"tree.grower": g}).trees[0] for g in growers)
    expect_same_tree(one, other, "level by level")


class Family:
    """A growth of nodes whose children are known: {number: (score, weight, children)}."""

    def __init__(self, nodes: dict[int, tuple[float, float, tuple[int, ...]]]) -> None:
        self.nodes = nodes
        self.open = [0]
        self.order: list[int] = []

    @property
    def open_nodes(self) -> int:
        return len(self.open)

    def split_level(self) -> None: ...

    def prospects(self) -> tuple[Ints, Floats, Floats]:
        self.open = [number for number in self.open if number in self.nodes]
        scores = [self.nodes[number][0] for number in self.open]
        weights = [self.nodes[number][1] for number in self.open]
        return np.array(self.open, np.int64), np.array(scores), np.array(weights)

    def split(self, number: int) -> None:
        self.order.append(number)
        self.open.remove(number)
        self.open += self.nodes[number][2]

    def close(self, reason: str) -> None: ...


def test_the_best_first_grower_takes_the_greatest_score_times_weight_next() -> None:
    growth = Family(
        {
            0: (0.1, 10.0, (1, 2)),
            1: (0.5, 4.0, (3, 4)),
            2: (0.4, 6.0, (5, 6)),
            3: (0.9, 2.0, (7, 8)),
            6: (0.3, 3.0, (9, 10)),
        }
    )
    BestFirst().grow(growth)
    assert growth.order == [0, 2, 1, 3, 6]
    assert growth.open_nodes == 0


def test_of_equals_the_node_that_was_opened_first_is_split_next() -> None:
    third = 1.0 / 3.0
    growth = Family(
        {0: (1.0, 9.0, (1, 2, 3)), 1: (0.1 + 0.2, 1.0, ()), 2: (0.3, 1.0, ()), 3: (third, 1.0, ())}
    )
    BestFirst().grow(growth)
    assert growth.order == [0, 3, 1, 2]


FULL = {"tree.stop": "pure", "tree.pruner": "none"}


def both(recipe: str, table: Table, **changes: Any) -> tuple[Any, Any]:
    """The trees of the two growers."""
    settings = {f"tree.{name}": value for name, value in changes.items()}
    level, best = (
        fit(recipe, table, set={**FULL, **settings, "tree.grower": grower}).trees[0]
        for grower in ("level", "best_first")
    )
    return level, best


@examples(25)
@given(seed=st.integers(0, 10**6), regression=st.booleans(), missing=st.sampled_from([0.0, 0.2]))
def test_without_a_limit_both_growers_grow_the_same_tree(
    seed: int, regression: bool, missing: float
) -> None:
    table = random_table(np.random.default_rng(seed), 60, missing=missing, regression=regression)
    level, best = both("regression" if regression else "cart", table)
    expect_same_tree(best, level, "best_first grows another tree")


def test_a_large_table_is_grown_alike_where_kernels_are_compiled() -> None:
    table = sample_table("classification", rows=3000, unknown=True, weighted=True)
    rows = {"use": "min_rows", "split": 60, "branch": 20}
    level, best = both("cart", table, missing="fractional", stop=["pure", rows])
    expect_same_tree(best, level, "best_first grows another tree")


def continuous(task: str) -> Table:
    """Numbers in single precision without ties, so that no two splits are worth the same."""
    rng = np.random.default_rng(11)
    cells = rng.normal(size=(5, 400)).astype(np.float32).astype(np.float64)
    y = cells[0] * cells[1] + cells[2] + rng.normal(size=400)
    target = Column("y", "numeric")
    if task == "classification":
        target, y = Column("y", "nominal", ("a", "b", "c")), np.digitize(y, [-0.5, 0.5]) * 1.0
    columns = tuple(Column(f"x{i}", "numeric") for i in range(5))
    return Table(Schema(columns, target), cells, y)


def groups(leaf_of_row: Any) -> set[frozenset[int]]:
    """The leaves as sets of rows."""
    return {frozenset(np.flatnonzero(leaf_of_row == leaf)) for leaf in np.unique(leaf_of_row)}


@pytest.mark.parametrize("leaves", [2, 5, 12, 40])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_with_max_leaves_the_leaves_are_scikit_learns(task: str, leaves: int) -> None:
    table = continuous(task)
    peer = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    other = peer(max_leaf_nodes=leaves, random_state=0).fit(table.cells.T, table.y)
    recipe = "cart" if task == "classification" else "regression"
    stop = ["pure", {"use": "max_leaves", "leaves": leaves}]
    changes = {**FULL, "tree.stop": stop, "tree.grower": "best_first"}
    tree = fit(recipe, table, set=changes).trees[0]
    assert tree.is_leaf.sum() == leaves
    assert groups(ends(tree, table).node) == groups(other.apply(table.cells.T))
