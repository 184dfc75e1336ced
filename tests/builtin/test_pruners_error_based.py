"""Error-based pruning against C4.5's rules, said recursively and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.pruners import ErrorBased, estimated_errors

from treekit.compiling import SMALL
from treekit.roles import tasks_of
from treekit.route import ends
from treekit.table.record import Column, Schema, Table
from treekit.tree import CUTS, LEVELS, REFUSE, SPREAD, STAY, Tree

from ..properties import examples
from . import rule7
from .naive import (
    Branching,
    dealt,
    flat,
    is_cut_back,
    nested,
    pruning_data,
    random_table,
    random_tree,
    statistics,
    structure,
    walk,
)


def all_cases(table: Table) -> list[tuple[int, float]]:
    return [(row, float(table.weights[row])) for row in range(table.n_rows)]


def assert_as_the_rule_says(
    tree: Tree, table: Table, confidence: float = 0.25, raising: bool = True
) -> Tree:
    expected = nested(tree)
    estimate = rule7.prune(expected, table, all_cases(table), confidence, raising, True)
    rule7.forget_impossible(expected)
    strategy = ErrorBased(confidence, raise_subtrees=raising, collapse=False)
    pruned = strategy.prune(tree, pruning_data(table))
    assert structure(pruned) == structure(flat(expected))
    nodes = list(walk(expected))
    assert np.allclose(pruned.stats, [node.stats for node in nodes], rtol=1e-9, atol=1e-9)
    reached = pruned.rows > 0
    assert pruned.rows[reached].tolist() == [len(n.cases) for n in nodes if n.cases]
    assert estimated_errors(pruned, confidence)[0] == pytest.approx(estimate, rel=1e-9)
    return pruned


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_random_trees_are_pruned_as_the_recursive_rule_does(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 70, missing=missing, weighted=seed % 3 == 0)
    assert_as_the_rule_says(random_tree(rng, table, depth=4), table)


@pytest.mark.parametrize("confidence", [0.01, 0.1, 0.5, 1.0])
def test_every_confidence_agrees_with_the_recursive_rule(confidence: float) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = random_table(rng, 60)
        assert_as_the_rule_says(random_tree(rng, table, depth=4), table, confidence)


@pytest.mark.parametrize("seed", range(20))
def test_without_raising_subtrees_only_leaves_replace(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 70)
    tree = random_tree(rng, table, depth=4)
    assert is_cut_back(assert_as_the_rule_says(tree, table, raising=False), tree)


@pytest.mark.parametrize("seed", range(40))
def test_rows_that_stay_or_take_a_default_branch_are_counted_where_they_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 70, missing=0.2)
    assert_as_the_rule_says(random_tree(rng, table, depth=4, unknowns=(SPREAD, STAY, 0, 1)), table)


@pytest.mark.parametrize("missing", [0.0, 0.02])
def test_compiled_and_interpreted_passes_agree_with_the_rule(missing: float) -> None:
    rng = np.random.default_rng(7)
    table = random_table(rng, 3500, missing=missing)
    tree = random_tree(rng, table, depth=6)
    assert table.n_rows * (tree.depth + 1) > SMALL
    assert_as_the_rule_says(tree, table)


@examples(40)
@given(seed=st.integers(0, 10**6))
def test_statistics_after_pruning_are_those_of_the_rows_that_arrive(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 50, missing=0.2)
    pruned = ErrorBased().prune(random_tree(rng, table, depth=5), pruning_data(table))
    root = nested(pruned)
    pending = [(root, all_cases(table))]
    for node, cases in pending:
        assert np.allclose(node.stats, statistics(table, cases), atol=1e-9)
        groups, _ = dealt(node, len(node.children), table, cases) if node.children else ([], [])
        pending.extend((c, g) for c, g in zip(node.children, groups, strict=True) if g)


def two_columns(a: list[float], b: list[float], y: list[int]) -> Table:
    schema = Schema(
        (Column("a", "numeric"), Column("b", "numeric")), Column("t", "nominal", ("n", "y"))
    )
    return Table(schema, np.array([a, b]), np.array(y, dtype=float))


def on(column: int, cut: float, *children: Branching, unknown: int = SPREAD) -> Branching:
    kind, operands = CUTS, (cut,)
    return Branching([], [], kind, column, operands, unknown, list(children))


def counted(root: Branching, table: Table) -> Tree:
    pending = [(root, all_cases(table))]
    for node, cases in pending:
        node.stats, node.cases = statistics(table, cases), cases
        if node.children:
            groups, _ = dealt(node, len(node.children), table, cases)
            pending.extend(zip(node.children, groups, strict=True))
    return flat(root)


def test_a_node_that_adds_nothing_gives_way_to_its_largest_branch() -> None:
    a = [0.0, 0.0] + [1.0] * 20
    b = [0.0, 1.0] + [0.0] * 10 + [1.0] * 10
    y = [0, 1] + [0] * 10 + [1] * 10
    table = two_columns(a, b, y)
    good = on(1, 0.5, Branching(), Branching())
    tree = counted(on(0, 0.5, Branching(), good), table)
    pruned = ErrorBased().prune(tree, pruning_data(table))
    assert pruned.column.tolist() == [1, -1, -1]
    assert pruned.stats.tolist() == [[22, 11, 11], [11, 11, 0], [11, 0, 11]]
    assert pruned.rows.tolist() == [22, 11, 11]
    assert ErrorBased(raise_subtrees=False).prune(tree, pruning_data(table)).n_nodes == 5


def test_a_split_of_noise_becomes_a_leaf_that_says_why() -> None:
    table = two_columns([0.0] * 8 + [1.0] * 8, [0.0] * 16, [0] * 7 + [1] + [0] * 8)
    tree = counted(on(0, 0.5, Branching(), Branching()), table)
    pruned = ErrorBased(collapse=False).prune(tree, pruning_data(table))
    assert pruned.n_nodes == 1
    expected = "pruned: a leaf is expected to err no more than the subtree"
    assert pruned.reasons[pruned.reason[0]] == expected


def test_the_last_of_equal_branches_is_the_largest() -> None:
    """Both branches of the root hold 12 rows; only the right one is worth raising."""
    a = [0.0] * 12 + [1.0] * 12
    b = [0.0, 1.0] * 12
    y = [0, 1] * 12
    table = two_columns(a, b, y)
    tree = counted(on(0, 0.5, *(on(1, cut, Branching(), Branching()) for cut in (0.3, 0.7))), table)
    pruned = ErrorBased().prune(tree, pruning_data(table))
    assert [pruned.column.tolist(), pruned.test_operands(0).tolist()] == [[1, -1, -1], [0.7]]


def test_a_branch_that_would_refuse_a_row_is_not_raised() -> None:
    """The row without a known b never reached the test of b, and must still be answered."""
    a = [0.0, 0.0] + [1.0] * 20
    b = [np.nan, 1.0] + [0.0] * 10 + [1.0] * 10
    y = [0, 1] + [0] * 10 + [1] * 10
    table = two_columns(a, b, y)
    good = on(1, 0.5, Branching(), Branching(), unknown=REFUSE)
    pruned = ErrorBased().prune(counted(on(0, 0.5, Branching(), good), table), pruning_data(table))
    assert pruned.column[0] == 0
    assert len(ends(pruned, table).row) == table.n_rows


def test_branches_that_no_case_reaches_are_left_alone() -> None:
    schema = Schema((Column("a", "nominal", ("x", "y", "z")),), Column("t", "nominal", ("n", "y")))
    table = Table(schema, np.array([[0.0] * 10 + [1.0] * 10]), np.array([0.0] * 10 + [1.0] * 10))
    root = Branching(
        [], [], LEVELS, 0, (0.0, 1.0, 2.0), SPREAD, [Branching(), Branching(), Branching()]
    )
    pruned = ErrorBased().prune(counted(root, table), pruning_data(table))
    assert pruned.stats.tolist() == [[20, 10, 10], [10, 10, 0], [10, 0, 10], [0, 0, 0]]


def test_useless_subtrees_collapse_first() -> None:
    """At a confidence of 1 a split without errors costs nothing, so only collapse removes it."""
    table = two_columns([0.0] * 5 + [1.0] * 5, [0.0] * 10, [0] * 10)
    tree = counted(on(0, 0.5, Branching(), Branching()), table)
    pruned = ErrorBased(1.0).prune(tree, pruning_data(table))
    assert pruned.reasons[pruned.reason[0]] == "pruned: the subtree makes no fewer training errors"


def chain(levels: int, stats: list[float], last: list[list[float]]) -> Tree:
    """Every level but the last sends all rows on; the last tells the classes apart."""
    inner = np.append(np.arange(2 * levels) % 2 == 0, False)
    inner[0] = True
    nodes = np.arange(2 * levels + 1)
    all_stats = np.where(inner[:, None], stats, 0.0)
    all_stats[-2:] = last
    return Tree(
        kind=np.where(inner, CUTS, 0).astype(np.int8),
        column=np.where(inner, np.where(nodes == 2 * levels - 2, 1, 0), -1).astype(np.int32),
        first_child=np.where(inner, nodes + 1, 0).astype(np.int32),
        n_children=np.where(inner, 2, 0).astype(np.int32),
        start=np.concatenate([[0], np.cumsum(inner)]),
        operands=np.append(np.full(levels - 1, -1.0), 0.5),
        unknown=np.where(inner, SPREAD, STAY).astype(np.int32),
        stats=all_stats,
        rows=all_stats[:, 0].astype(np.int64),
        score=np.where(inner, 1.0, np.nan),
        reason=np.where(inner, -1, 0).astype(np.int32),
        reasons=("grown so",),
    )


@pytest.mark.parametrize(("raising", "nodes"), [(True, 3), (False, 40_001)])
def test_a_chain_of_20_000_levels_does_not_overflow(raising: bool, nodes: int) -> None:
    table = two_columns([0.0] * 10, [0.0] * 5 + [1.0] * 5, [0] * 5 + [1] * 5)
    tree = chain(20_000, [10.0, 5.0, 5.0], [[5.0, 5.0, 0.0], [5.0, 0.0, 5.0]])
    pruned = ErrorBased(raise_subtrees=raising).prune(tree, pruning_data(table))
    assert pruned.n_nodes == nodes


@pytest.mark.parametrize(
    ("confidence", "message"),
    [(0.0, "'confidence' must be > 0.0: 0.0"), (1.5, "'confidence' must be <= 1.0: 1.5")],
)
def test_a_confidence_is_a_share(confidence: float, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        ErrorBased(confidence)
    assert str(caught.value) == message


def test_it_serves_classification_only() -> None:
    assert tasks_of(ErrorBased) == ("classification",)
