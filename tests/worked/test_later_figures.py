"""Figures of pruning: the pessimistic error of a split, and two trees by description length."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from treekit_builtin.pruners import Mdl, Pessimistic, pessimistic_errors

from treekit.metrics.of_training import description_length
from treekit.offers import PruningData
from treekit.table.record import Column, Schema, Table
from treekit.tree import LEVELS, REFUSE, STAY, Tree

from .figures import counts


def drawn(*levels: Sequence[tuple[tuple[float, ...], int]]) -> Tree:
    """A tree level by level: each node's class counts and how many children it has."""
    nodes = [node for level in levels for node in level]
    width = np.array([n for _, n in nodes], np.int32)
    inner = width > 0
    first = 1 + np.cumsum(width) - width
    return Tree(
        kind=np.where(inner, LEVELS, 0).astype(np.int8),
        column=np.where(inner, 0, -1).astype(np.int32),
        first_child=np.where(inner, first, 0).astype(np.int32),
        n_children=width,
        start=np.concatenate([[0], np.cumsum(width)]).astype(np.int64),
        operands=np.concatenate([np.arange(n, dtype=np.float64) for n in width]),
        unknown=np.where(inner, REFUSE, STAY).astype(np.int32),
        stats=np.array([counts(*c) for c, _ in nodes]),
        rows=np.array([sum(c) for c, _ in nodes]).astype(np.int64),
        score=np.where(inner, 0.0, np.nan),
        reason=np.where(inner, -1, 0).astype(np.int32),
        reasons=("drawn so",),
    )


def given_to_pruners(n_columns: int, levels: int, classes: int) -> PruningData:
    names = tuple("abcd"[:levels])
    columns = tuple(Column(f"x{i}", "nominal", names) for i in range(n_columns))
    schema = Schema(columns, Column("y", "nominal", tuple("ABC"[:classes])))
    table = Table(schema, np.zeros((n_columns, 1)), np.zeros(1))
    return PruningData(table, None, grow=lambda _: pytest.fail("nothing is grown again"))


# --- deck 002: 20 yes and 10 no, and a split into four leaves that make 9 errors ------------------

FOUR = drawn([((20, 10), 4)], [((8, 4), 0), ((3, 4), 0), ((4, 1), 0), ((5, 1), 0)])
ALONE = drawn([((20, 10), 0)])


def test_the_pessimistic_error_before_and_after_a_split() -> None:
    assert pessimistic_errors(ALONE, 0.5)[0] / 30 == pytest.approx(10.5 / 30)
    assert pessimistic_errors(FOUR, 0.5)[0] / 30 == pytest.approx(11 / 30)


def test_the_split_makes_fewer_training_errors() -> None:
    assert pessimistic_errors(ALONE, 0.0)[0] == 10
    assert pessimistic_errors(FOUR, 0.0)[0] == 9


@pytest.mark.parametrize(("penalty", "leaves"), [(0.5, 1), (0.25, 4)])
def test_the_split_is_pruned_at_half_an_error_for_each_leaf(penalty: float, leaves: int) -> None:
    data = given_to_pruners(1, levels=4, classes=2)
    assert Pessimistic(penalty).prune(FOUR, data).n_leaves == leaves


# --- deck 003: 16 binary attributes, 3 classes, n rows --------------------------------------------


def two_trees(n: int) -> tuple[Tree, Tree]:
    """2 inner nodes, 3 leaves, 7 errors; and the same with 2 more tests: 5 leaves, 4 errors."""
    some = (n - 11) // 2
    others = (2, 0, some), (0, n - 11 - some, 2)
    root = 6, n - 8 - some, some + 2
    above = [(root, 2)], [((6, 3, some), 2), (others[1], 0)]
    smaller = drawn(*above, [((4, 3, 0), 0), (others[0], 0)])
    larger = drawn(
        *above,
        [((4, 3, 0), 2), (others[0], 0)],
        [((2, 0, 0), 0), ((2, 3, 0), 2)],
        [((2, 0, 0), 0), ((0, 3, 0), 0)],
    )
    return smaller, larger


@pytest.mark.parametrize("n", [15, 16, 17, 64, 1000])
def test_the_description_lengths_of_the_two_trees(n: int) -> None:
    smaller, larger = two_trees(n)
    assert (smaller.n_nodes - smaller.n_leaves, smaller.n_leaves) == (2, 3)
    assert (larger.n_nodes - larger.n_leaves, larger.n_leaves) == (4, 5)
    assert description_length(smaller, 16) == pytest.approx(14 + 7 * math.log2(n))
    assert description_length(larger, 16) == pytest.approx(26 + 4 * math.log2(n))


@pytest.mark.parametrize(("n", "better"), [(15, "smaller"), (16, "neither"), (17, "larger")])
def test_the_larger_tree_wins_from_more_than_sixteen_rows_on(n: int, better: str) -> None:
    smaller, larger = (description_length(tree, 16) for tree in two_trees(n))
    found = "neither" if math.isclose(smaller, larger) else None
    assert (found or ("smaller" if smaller < larger else "larger")) == better


@pytest.mark.parametrize("n", [64, 256, 1024])
@pytest.mark.parametrize(("times", "leaves"), [(0.5, 5), (0.99, 5), (1.0, 3), (1.01, 3)])
def test_pruning_chooses_between_the_two_by_alpha(n: int, times: float, leaves: int) -> None:
    """12 bits more of tree, alpha times, against 3 lg n bits of errors."""
    data = given_to_pruners(16, levels=2, classes=3)
    larger = two_trees(n)[1]
    assert Mdl(times * math.log2(n) / 4).prune(larger, data).n_leaves == leaves
