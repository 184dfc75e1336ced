"""Reduced-error pruning: rows that growth did not see decide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from treekit_builtin.labels import Majority, Mean
from treekit_builtin.pruners import ReducedError

from treekit.errors import DataError
from treekit.route import answers_for
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, SPREAD, STAY, Tree

from ..properties import examples
from .naive import Branching, flat, is_cut_back, pruning_data, random_table, random_tree, structure

SCHEMA = Schema((Column("a", "numeric"),), Column("t", "nominal", ("n", "y")))


def table_of(a: list[float], y: list[int], source: str = "some rows") -> Table:
    return Table(SCHEMA, np.array([a], dtype=float), np.array(y, dtype=float), None, source)


def stump() -> Tree:
    leaves = [Branching([5.0, 5.0, 0.0]), Branching([4.0, 0.0, 4.0])]
    return flat(Branching([9.0, 5.0, 4.0], [], CUTS, 0, (0.5,), SPREAD, leaves))


@pytest.mark.parametrize(
    ("a", "y", "nodes"),
    [
        ([0.0, 1.0], [0, 1], 3),  # the split is right where the root is wrong
        ([0.0, 1.0], [0, 0], 1),  # the split is wrong where the root is right
        ([0.0, 0.0], [0, 0], 1),  # no better, no worse
        ([], [], 1),  # no row comes
    ],
)
def test_a_split_stays_only_if_it_answers_the_validation_rows_better(
    a: list[float], y: list[int], nodes: int
) -> None:
    rows = table_of(a, y)
    assert ReducedError().prune(stump(), pruning_data(rows, rows)).n_nodes == nodes


def test_a_pruned_node_says_why_and_keeps_its_training_statistics() -> None:
    rows = table_of([0.0], [0])
    pruned = ReducedError().prune(stump(), pruning_data(rows, rows))
    expected = "pruned: the subtree does no better on the validation rows"
    assert pruned.reasons[pruned.reason[0]] == expected
    assert pruned.stats.tolist() == [[9.0, 5.0, 4.0]]


def test_a_subtree_that_no_validation_row_reaches_goes() -> None:
    inner = Branching([4.0, 1.0, 3.0], [], CUTS, 0, (2.0,), SPREAD)
    inner.children = [Branching([1.0, 1.0, 0.0]), Branching([3.0, 0.0, 3.0])]
    outer = Branching([9.0, 5.0, 4.0], [], CUTS, 0, (1.5,), SPREAD)
    middle = Branching([5.0, 4.0, 1.0], [], CUTS, 0, (0.5,), SPREAD)
    middle.children = [Branching([4.0, 4.0, 0.0]), Branching([1.0, 0.0, 1.0])]
    outer.children = [middle, inner]
    rows = table_of([0.0, 1.0], [0, 1])
    pruned = ReducedError().prune(flat(outer), pruning_data(rows, rows))
    assert pruned.n_children.tolist() == [2, 2, 0, 0, 0]


def loss(tree: Tree, table: Table) -> float:
    """Squared error if a row ends in one node, whatever the pruner computed."""
    answers = answers_for(tree, Mean().answers(tree, table), table)[:, 0]
    return float((table.weights * (answers - table.y) ** 2).sum())


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_a_pruned_regression_tree_does_no_worse_on_the_validation_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = random_table(rng, 90, missing=0.1, regression=True, weighted=True)
    kept = ReducedError().reserve(whole, rng)
    table, validation = whole.take(~kept), whole.take(kept)
    tree = random_tree(rng, table, unknowns=(STAY, 0), centre=0.7)
    pruned = ReducedError().prune(tree, pruning_data(table, validation))
    assert is_cut_back(pruned, tree)
    assert loss(pruned, validation) <= loss(tree, validation) + 1e-9
    again = ReducedError().prune(pruned, pruning_data(table, validation))
    assert structure(again) == structure(pruned)


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_a_pruned_class_tree_makes_no_more_validation_errors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, validation = random_table(rng, 70, missing=0), random_table(rng, 40, missing=0)
    tree = random_tree(rng, table)
    pruned = ReducedError().prune(tree, pruning_data(table, validation))

    def errors(of: Tree) -> int:
        answers = answers_for(of, Majority().answers(of, validation), validation)
        return int((answers.argmax(axis=1) != validation.y).sum())

    assert is_cut_back(pruned, tree)
    assert errors(pruned) <= errors(tree)


@settings(deadline=None)
@given(
    counts=st.lists(st.integers(1, 40), min_size=2, max_size=4).filter(lambda c: sum(c) > 5),
    share=st.floats(0.3, 0.7),
    seed=st.integers(0, 100),
)
def test_each_class_gives_its_share_and_keeps_a_row(
    counts: list[int], share: float, seed: int
) -> None:
    y = np.repeat(np.arange(len(counts)), counts).astype(float)
    schema = Schema((Column("a", "numeric"),), Column("t", "nominal", tuple("abcd"[: len(counts)])))
    table = Table(schema, np.zeros((1, len(y))), y)
    kept = ReducedError(share).reserve(table, np.random.default_rng(seed))
    for value, count in enumerate(counts):
        taken = int(kept[y == value].sum())
        assert taken <= count - 1
        assert abs(taken - share * count) <= 1


def test_the_same_seed_keeps_the_same_rows() -> None:
    table = table_of([0.0] * 30, [0, 1] * 15)
    masks = [ReducedError().reserve(table, np.random.default_rng(5)) for _ in range(2)]
    assert masks[0].tolist() == masks[1].tolist()
    assert masks[0].sum() == 10


def test_a_number_is_not_stratified() -> None:
    table = random_table(np.random.default_rng(0), 30, regression=True)
    assert ReducedError(0.5).reserve(table, np.random.default_rng(0)).sum() == 15


def test_a_table_too_small_to_keep_a_row_is_an_error() -> None:
    with pytest.raises(DataError) as caught:
        ReducedError().reserve(table_of([0.0, 1.0], [0, 1], "tiny.csv"), np.random.default_rng(0))
    assert str(caught.value) == (
        "tiny.csv: no row can be kept for validation: 0.333333 of each class of 2 rows is less than"
        " one row; give more rows, a greater `share`, or another pruner"
    )


def test_pruning_without_validation_rows_is_an_error() -> None:
    with pytest.raises(DataError) as caught:
        ReducedError().prune(stump(), pruning_data(table_of([0.0], [0], "some.csv")))
    assert str(caught.value) == (
        "some.csv: reduced-error pruning needs rows that growth did not see, and none were kept;"
        " keep the rows that `reserve` names for validation"
    )


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_leaves_rows_on_both_sides(share: float) -> None:
    with pytest.raises(ValueError, match="'share' must be"):
        ReducedError(share)
