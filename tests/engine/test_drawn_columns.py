"""Columns drawn at random in every node: how many, how evenly, and what if they offer nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from treekit_builtin import Lookahead, MaxDepth, Multiway, ObliqueLda, Pure, RandomCuts, Threshold

from treekit import Column, Schema, Table, Tree
from treekit.engine import grow
from treekit.engine.growth import Growing
from treekit.linear import asked_columns
from treekit.testing.expecting import expect_same_tree
from treekit.testing.samples import sample_table
from treekit.testing.trees import check_tree

from .recipes import Onlooker, parts

RANDOM = {kind: RandomCuts() for kind in ("numeric", "ordinal", "nominal")}


def drawn(table: Table, columns: int | None, seed: int = 0, **others: Any) -> tuple[Tree, Onlooker]:
    onlooker = Onlooker()
    rng = np.random.default_rng(seed)
    return grow(table, parts(table, **others), rng, onlooker, columns=columns), onlooker


def telling(n_columns: int, informative: tuple[int, ...], rows: int = 40) -> Table:
    """Two classes; the informative columns tell them apart, the others are constant."""
    y = np.arange(rows) % 2.0
    cells = np.ones((n_columns, rows))
    cells[list(informative)] = y
    columns = tuple(Column(f"x{i}", "numeric") for i in range(n_columns))
    return Table(Schema(columns, Column("y", "nominal", ("no", "yes"))), cells, y)


@pytest.mark.parametrize("columns", [1, 3, 11])
def test_every_node_is_offered_so_many_columns(columns: int) -> None:
    table = sample_table("classification", rows=60)
    _, onlooker = drawn(table, columns)
    for step in onlooker.steps:
        assert step.asked is not None
        assert (step.asked.sum(axis=1) <= columns).all()
        offered = step.offers.score > -np.inf
        assert not (offered & ~step.asked[:, step.offers.columns]).any()
    first = onlooker.steps[0].asked
    assert first is not None
    assert first.sum() == columns


def test_columns_are_drawn_evenly() -> None:
    table = telling(6, tuple(range(6)))
    roots = Counter(int(drawn(table, 1, seed)[0].column[0]) for seed in range(600))
    assert sorted(roots) == list(range(6))
    # Of 600 draws each has 100, with a standard deviation of 9.1.
    assert all(60 < count < 140 for count in roots.values())


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_where_the_drawn_columns_offer_nothing_others_are_drawn(columns: int) -> None:
    table = telling(7, (4,))
    for seed in range(20):
        tree, _ = drawn(table, columns, seed)
        assert (tree.n_nodes, tree.column[0]) == (3, 4)


def test_a_node_without_any_test_has_been_asked_about_every_column_once() -> None:
    table = telling(5, ())
    tree, onlooker = drawn(table, 2)
    assert tree.reasons[tree.reason[0]] == "no test tells its rows apart"
    asked = sum(step.asked.sum(axis=0) for step in onlooker.steps if step.asked is not None)
    assert asked.tolist() == [1] * 5


def test_columns_that_are_asked_once_are_not_drawn_again_below() -> None:
    table = sample_table("classification", ("nominal",), rows=80)
    splitter = {"nominal": Multiway()}
    for seed in range(5):
        _, onlooker = drawn(table, 1, seed, splitter=splitter)
        for step in onlooker.steps:
            assert step.asked is not None
            assert not (step.asked & step.used).any()


LOOKAHEAD = Lookahead(depth=2)
SHALLOW = (Pure(), MaxDepth(depth=3))


@pytest.mark.parametrize("columns", [1, 2])
def test_a_grower_that_looks_ahead_chooses_from_the_drawn_columns(columns: int) -> None:
    table = sample_table("classification", rows=30, seed=2)
    for seed in range(3):
        tree, onlooker = drawn(table, columns, seed, grower=LOOKAHEAD, stop=SHALLOW)
        check_tree(tree, table)
        steps = [step for step in onlooker.steps if step.choice[0] >= 0]
        assert len(steps) == (~tree.is_leaf).sum() > 2
        for step in steps:
            assert step.asked is not None
            assert step.asked.sum() <= columns
            assert step.asked[0, step.offers.columns[step.choice[0]]]
            assert not (step.asked & step.used).any()


def test_looking_ahead_draws_columns_evenly() -> None:
    table = telling(4, tuple(range(4)), rows=8)
    trees = [drawn(table, 1, seed, grower=LOOKAHEAD)[0] for seed in range(200)]
    roots = Counter(int(tree.column[0]) for tree in trees)
    # Of 200 draws each has 50, with a standard deviation of 6.1.
    assert [25 < roots[column] < 75 for column in range(4)] == [True] * 4


def test_looking_ahead_draws_others_where_the_drawn_columns_offer_nothing() -> None:
    table = telling(7, (4,), rows=8)
    for seed in range(20):
        tree, _ = drawn(table, 2, seed, grower=LOOKAHEAD)
        assert (tree.n_nodes, tree.column[0]) == (3, 4)


def test_sums_of_a_grower_that_looks_ahead_are_of_drawn_columns() -> None:
    table = sample_table("classification", ("numeric",), rows=40, seed=2)
    splitter = {"numeric": ObliqueLda(cuts=False)}
    for seed in range(5):
        stop = (Pure(), MaxDepth(depth=2))
        tree, onlooker = drawn(table, 2, seed, grower=LOOKAHEAD, splitter=splitter, stop=stop)
        steps = {int(step.numbers[0]): step for step in onlooker.steps if step.choice[0] >= 0}
        test = asked_columns(tree)
        assert len(test.node) > 0
        for node, column in zip(test.node, test.column, strict=True):
            asked = steps[onlooker.opened[0][node]].asked
            assert asked is not None
            assert asked[0, column]


def test_an_outlook_has_the_same_columns_however_often_it_is_asked() -> None:
    table = sample_table("classification", rows=30)
    rng = np.random.default_rng(0)
    (root,) = Growing(table, parts(table), rng, columns=3).outlooks()
    asked = [[column for column, _ in root.tests(0)] for _ in range(3)]
    assert (root.columns, len(asked[0])) == (3, 3)
    assert asked[1:] == asked[:-1]


@pytest.mark.parametrize("columns", [None, 12, 50])
def test_all_columns_are_the_usual_tree(columns: int | None) -> None:
    table = sample_table("classification", rows=60, unknown=True)
    usual = grow(table, parts(table), np.random.default_rng(0))
    expect_same_tree(drawn(table, columns)[0], usual, "another tree")


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("splitter", [None, RANDOM])
@pytest.mark.parametrize("rows", [40, 2000])  # interpreted, and compiled on the way
def test_a_tree_of_drawn_columns_is_whole(task: str, splitter: Any, rows: int) -> None:
    table = sample_table(task, rows=rows, unknown=True, weighted=True)
    others: dict[str, Any] = {} if splitter is None else {"splitter": splitter}
    others["stop"] = (*parts(table).stop, MaxDepth(depth=6))
    tree, _ = drawn(table, 3, **others)
    assert tree.n_nodes > 3
    check_tree(tree, table)
    expect_same_tree(drawn(table, 3, **others)[0], tree, "the same seed grows another tree")


def test_the_drawn_columns_best_test_is_the_one_that_a_table_of_them_alone_has() -> None:
    table = sample_table("classification", ("numeric",), rows=50, seed=5)
    compared = 0
    for seed in range(10):
        splitter = {"numeric": Threshold()}
        stop = (MaxDepth(depth=1),)
        tree, onlooker = drawn(table, 2, seed, splitter=splitter, stop=stop)
        (asked,) = onlooker.steps[-1].asked  # type: ignore[misc]
        which = np.flatnonzero(asked)
        schema = Schema(tuple(table.columns[c] for c in which), table.schema.target)
        few = Table(schema, table.cells[which], table.y)
        alone = grow(few, parts(few, splitter=splitter, stop=stop), np.random.default_rng(0))
        if len(onlooker.steps) == 1 and alone.n_nodes > 1:
            assert which[alone.column[0]] == tree.column[0]
            assert alone.operands[0] == tree.operands[0]
            compared += 1
    assert compared >= 5, "hardly any seed has a test among the first columns drawn"
