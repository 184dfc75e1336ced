"""The comparison itself: it finds the first difference, and says it in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

import treekit
from treekit.datasets import load_dataset

from .comparing import (
    Difference,
    Ours,
    by_level,
    by_rows,
    differences,
    first_difference,
    loss,
    rows_of_nodes,
    squared_error,
)
from .originals import Node

INCOME = ("taxable_income <= 97.5", "taxable_income > 97.5")


def cheat(aligned: str) -> Ours:
    """One cut of taxable_income: (3 Yes, 3 No) below it, (0, 4) above."""
    table = load_dataset("cheat", kinds={"refund": "ignore", "marital_status": "ignore"})
    settings = {"tree.impurity": "gini", "tree.stop": {"use": "max_depth", "depth": 1}}
    tree = treekit.fit("id3", table, set=settings).trees[0]
    return Ours(
        tree=tree,
        schema=table.schema,
        figures={"items": lambda node: tree.weight[node], "dist": lambda n: tree.stats[n, 1:]},
        align=by_level(tree, table.schema)
        if aligned == "by level"
        else by_rows(tree, rows_of_nodes(tree, table)),
        cut_tolerance=1e-8,
        figure_tolerance=1e-8,
    )


LOW = Node(None, None, {"items": 6, "dist": [3, 3]}, rows=frozenset({2, 4, 5, 7, 8, 9}))
HIGH = Node(None, None, {"items": 4, "dist": [0, 4]}, rows=frozenset({0, 1, 3, 6}))
SAME = Node("taxable_income", 97.5, {"items": 10}, INCOME, (LOW, HIGH))


@pytest.mark.parametrize("aligned", ["by level", "by rows"])
def test_the_same_tree_has_no_difference(aligned: str) -> None:
    assert first_difference(SAME, cheat(aligned)) is None


def test_left_and_right_may_be_swapped_where_rows_tell_them_apart() -> None:
    swapped = evolve(SAME, children=(HIGH, LOW))
    assert first_difference(swapped, cheat("by rows")) is None
    assert first_difference(swapped, cheat("by level")) == (
        "root / taxable_income <= 97.5: items: expected 4, got 6.0"
    )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"column": "refund"}, "root: test: expected refund, got taxable_income"),
        (
            {"column": None, "cut": None, "children": (), "branches": ()},
            "root: test: expected a leaf, got taxable_income",
        ),
        ({"cut": 97.0}, "root: cut: expected 97.0, got [97.5]"),
        ({"figures": {"items": 11}}, "root: items: expected 11, got 10.0"),
        (
            {"children": (LOW, HIGH, HIGH), "branches": (*INCOME, "?")},
            "root: branches: expected 3, got 2",
        ),
        (
            {"children": (evolve(LOW, column="refund"), HIGH)},
            "root / taxable_income <= 97.5: test: expected refund, got a leaf",
        ),
        (
            {"children": (LOW, evolve(HIGH, figures={"dist": [1, 3]}))},
            "root / taxable_income > 97.5: dist: expected [1, 3], got [0. 4.]",
        ),
    ],
)
def test_the_first_difference_is_told(changed: dict[str, Any], told: str) -> None:
    assert first_difference(evolve(SAME, **changed), cheat("by level")) == told


def test_rows_that_went_elsewhere_are_a_difference() -> None:
    other = evolve(SAME, children=(evolve(LOW, rows=frozenset({2, 4})), HIGH))
    assert first_difference(other, cheat("by rows")) == (
        "root: rows of the children: expected [2, 4], got [6, 4]"
    )


def test_after_a_tie_the_comparison_goes_on_where_rows_go_the_same_way() -> None:
    other_name = evolve(SAME, column="refund", children=(evolve(LOW, figures={"items": 7}), HIGH))
    assert list(differences(other_name, evolve(cheat("by rows"), tied=lambda *_: True))) == [
        Difference("root: test: expected refund, got taxable_income", tie=True),
        Difference("root / taxable_income <= 97.5: items: expected 7, got 6.0"),
    ]


def test_below_a_tie_that_parts_the_rows_nothing_is_compared() -> None:
    elsewhere = evolve(SAME, children=(evolve(LOW, rows=frozenset({2, 4})), HIGH))
    assert list(differences(elsewhere, evolve(cheat("by rows"), tied=lambda *_: True))) == [
        Difference("root: rows of the children: expected [2, 4], got [6, 4]", tie=True)
    ]


def test_a_node_errs_on_the_rows_outside_its_class() -> None:
    tree = cheat("by level").tree
    assert [loss(stats) for stats in tree.stats] == [3.0, 3.0, 0.0]


def test_a_node_errs_by_the_squares_about_its_mean() -> None:
    assert squared_error(np.array([4.0, 10.0, 30.0])) == pytest.approx(5.0)
