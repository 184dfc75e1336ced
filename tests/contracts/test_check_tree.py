"""`check_tree` finds what is wrong with a tree, and nothing wrong with a good one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest

from treekit.testing import check_tree, faults_of, sample_table
from treekit.testing.hosting import grown, host
from treekit.tree import CUTS, LEVELS, Tree, single_leaf

TABLE = sample_table("classification", seed=1)
TREE = grown(TABLE, host("classification").tree)
LEAF = int(TREE.is_leaf.argmax())
CUT = int((TREE.kind == CUTS).argmax())
GROUPS = int((TREE.kind == LEVELS).argmax())


def changed(name: str, node: int | tuple[int, int], value: Any) -> Tree:
    """The tree with another value in one of a node's arrays."""
    array = getattr(TREE, name).copy()
    array[node] = value
    return attrs.evolve(TREE, **{name: array})


def operand(node: int, value: float) -> Tree:
    return changed("operands", int(TREE.start[node]), value)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("unknown", [False, True])
def test_a_grown_tree_is_valid(task: str, unknown: bool) -> None:
    table = sample_table(task, unknown=unknown, weighted=True, seed=5)
    assert faults_of(grown(table, host(task).tree), table) == []


def test_a_single_leaf_is_valid() -> None:
    assert faults_of(single_leaf(TREE.stats[0], TABLE.n_rows, "alone"), TABLE) == []


def test_a_tree_grown_on_another_table_is_not_valid() -> None:
    assert faults_of(TREE, sample_table("classification", seed=2))


FAULTS: list[tuple[Callable[[], Tree], str]] = [
    (lambda: attrs.evolve(TREE, rows=TREE.rows[:-1]), "`rows` has the shape"),
    (lambda: attrs.evolve(TREE, stats=TREE.stats[:-1]), "`stats` has the shape"),
    (lambda: attrs.evolve(TREE, start=TREE.start[:-1]), "`start` has the shape"),
    (lambda: attrs.evolve(TREE, operands=TREE.operands[:-1]), "`start` does not divide"),
    (lambda: changed("kind", 0, 7), "node 0 is of no kind"),
    (lambda: changed("n_children", 0, 1), "node 0 has a test and fewer than two children"),
    (lambda: changed("n_children", LEAF, 2), f"node {LEAF} is a leaf and has children"),
    (lambda: changed("first_child", 0, 2), "node 0 has its children out of level order"),
    (lambda: changed("column", 0, 99), "a test asks about a column that is not there"),
    (lambda: operand(CUT, np.nan), f"the cuts of node {CUT} do not ascend: [nan]"),
    (lambda: operand(GROUPS, 9.0), f"node {GROUPS} sends levels to children that it has not"),
    (lambda: changed("unknown", 0, 50), "node 0 sends unknown values to 50"),
    (lambda: changed("score", 0, np.nan), "node 0 has a test without a score"),
    (lambda: changed("score", LEAF, 0.0), f"node {LEAF} is a leaf with a score"),
    (lambda: changed("column", LEAF, 0), f"node {LEAF} is a leaf with a column"),
    (lambda: changed("reason", LEAF, 99), f"node {LEAF} is a leaf without a reason"),
    (lambda: changed("reason", 0, 0), "node 0 is no leaf and has a reason"),
    (lambda: attrs.evolve(TREE, reasons=("",) * len(TREE.reasons)), "is not said in words"),
    (lambda: changed("stats", LEAF, np.nan), "a statistic is not finite"),
    (lambda: changed("stats", LEAF, -1.0), f"node {LEAF} has a negative weight"),
    (lambda: changed("stats", (LEAF, 0), 9.0), "do not add up to its weight"),
    (lambda: changed("stats", LEAF, 0.0), "do not add up to its own"),
    (lambda: changed("rows", LEAF, 99), f"node {LEAF} keeps 99 rows"),
    (lambda: attrs.evolve(TREE, stats=2.0 * TREE.stats), "node 0 keeps the statistics"),
]


@pytest.mark.parametrize(("made", "told"), FAULTS, ids=[told for _, told in FAULTS])
def test_a_fault_is_told(made: Callable[[], Tree], told: str) -> None:
    assert any(told in fault for fault in faults_of(made(), TABLE))


def test_check_tree_raises_with_every_fault() -> None:
    wrong = attrs.evolve(changed("score", 0, np.nan), reasons=("",) * len(TREE.reasons))
    with pytest.raises(AssertionError) as error:
        check_tree(wrong, TABLE)
    assert str(error.value) == (
        "the tree is not valid: node 0 has a test without a score;"
        f" a reason is not said in words: {wrong.reasons}"
    )
