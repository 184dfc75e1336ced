"""Pruning to the least description length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin.pruners import Mdl

from treekit.metrics.of_training import description_length
from treekit.offers import PruningData
from treekit.table.record import Column, Schema, Table
from treekit.testing import contract_tests
from treekit.tree import CUTS, SPREAD, STAY, Tree, single_leaf

from .naive import Branching, flat, nested, pruning_data, random_table, random_tree, structure

test_contract = contract_tests("pruner", Mdl(0.0), Mdl(0.1), Mdl(5.0))


def node(stats: list[float], *children: Branching) -> Branching:
    if not children:
        return Branching(stats=stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(children) - 1)), SPREAD, list(children))


def data_of(columns: int) -> PruningData:
    schema = Schema(
        tuple(Column(f"c{i}", "numeric") for i in range(columns)),
        Column("t", "nominal", ("A", "B")),
    )
    return pruning_data(Table(schema, np.zeros((columns, 1)), np.zeros(1)))


@pytest.mark.parametrize(
    ("classes", "bits"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)]
)
def test_a_leaf_names_its_class_in_whole_bits(classes: int, bits: int) -> None:
    tree = single_leaf(np.array([7.0, 7.0, *[0.0] * (classes - 1)]), 7, "alone")
    assert description_length(tree, 4) == bits


@pytest.mark.parametrize("columns", [1, 2, 5, 16])
def test_an_inner_node_names_its_column(columns: int) -> None:
    tree = flat(node([4.0, 2.0, 2.0], node([2.0, 2.0, 0.0]), node([2.0, 0.0, 2.0])))
    assert description_length(tree, columns) == pytest.approx(math.log2(columns) + 2)


@pytest.mark.parametrize(
    ("weight", "errors"), [(8.0, 3.0), (100.0, 7.0), (1.0, 0.0), (0.5, 0.2), (6.5, 2.25)]
)
def test_an_error_names_its_row(weight: float, errors: float) -> None:
    tree = single_leaf(np.array([weight, weight - errors, errors]), 8, "alone")
    assert description_length(tree, 4) == pytest.approx(1 + errors * math.log2(max(weight, 1.0)))


def test_alpha_weighs_the_tree_against_the_errors() -> None:
    tree = flat(node([8.0, 5.0, 3.0], node([4.0, 4.0, 0.0]), node([4.0, 1.0, 3.0])))
    tree_bits, error_bits = math.log2(4) + 2, 1 * math.log2(8)
    found = [description_length(tree, 4, alpha) for alpha in (0.0, 0.5, 1.0, 3.0)]
    assert found == pytest.approx([error_bits + a * tree_bits for a in (0.0, 0.5, 1.0, 3.0)])


def saving_two_errors() -> Tree:
    """2 errors of 8 are saved: 6 bits, for lg m + 1."""
    return flat(node([8.0, 6.0, 2.0], node([6.0, 6.0, 0.0]), node([2.0, 0.0, 2.0])))


@pytest.mark.parametrize(("columns", "nodes"), [(16, 3), (31, 3), (32, 1), (33, 1)])
def test_a_subtree_must_save_more_bits_than_it_takes(columns: int, nodes: int) -> None:
    assert Mdl().prune(saving_two_errors(), data_of(columns)).n_nodes == nodes


@pytest.mark.parametrize(("alpha", "nodes"), [(0.0, 3), (1.0, 3), (1.9, 3), (2.0, 1), (9.0, 1)])
def test_the_greater_alpha_the_smaller_the_tree(alpha: float, nodes: int) -> None:
    """Of 4 columns the split takes 3 bits, alpha times, and saves 6."""
    assert Mdl(alpha).prune(saving_two_errors(), data_of(4)).n_nodes == nodes


def test_the_reason_is_said_in_words() -> None:
    pruned = Mdl(9.0).prune(saving_two_errors(), data_of(4))
    assert pruned.reasons[pruned.reason[0]] == (
        "pruned: with the subtree, tree and errors take no fewer bits to describe"
    )


def test_repeating_every_row_and_doubling_every_weight_are_the_same() -> None:
    tree = saving_two_errors()
    doubled = evolve(tree, stats=2.0 * tree.stats)
    repeated = evolve(doubled, rows=2 * tree.rows)
    assert description_length(doubled, 4) == description_length(repeated, 4)


def bits(at: Branching, columns: int, n: float, alpha: float) -> float:
    """A subtree's code in so many words, as short as cutting back makes it."""
    k = len(at.stats) - 1
    wrong = at.stats[0] - max(at.stats[1:])
    own = alpha * math.ceil(math.log2(k)) + math.log2(n) * wrong
    if not at.children:
        return own
    staying = [mine - sum(c.stats[i] for c in at.children) for i, mine in enumerate(at.stats)]
    lost = staying[0] - staying[1 + int(np.argmax(at.stats[1:]))]
    below = alpha * math.log2(columns) + math.log2(n) * lost
    below += sum(bits(child, columns, n, alpha) for child in at.children)
    if own <= below + 1e-9:
        at.become_leaf()
        return own
    return below


@pytest.mark.parametrize("seed", range(20))
def test_pruning_finds_the_shortest_code(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, missing=0.2, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, unknowns=(SPREAD, STAY, 0))
    alpha = (0.3, 1.0, 2.0)[seed % 3]
    root = nested(tree)
    shortest = bits(root, 4, float(tree.weight[0]), alpha)
    pruned = Mdl(alpha).prune(tree, pruning_data(table))
    assert structure(pruned) == structure(flat(root))
    assert description_length(pruned, 4, alpha) == pytest.approx(shortest)
    assert description_length(pruned, 4, alpha) <= description_length(tree, 4, alpha) + 1e-9


@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        (-1.0, "'alpha' must be >= 0.0: -1.0"),
        (math.nan, "'alpha' must be >= 0.0: nan"),
        (math.inf, "'alpha' must be < inf: inf"),
    ],
)
def test_a_bad_parameter_is_named(alpha: Any, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        Mdl(alpha)
    assert str(caught.value) == message
