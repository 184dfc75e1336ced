"""What a splitter may ask of the open nodes, against the rows themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import BestFirst, Bins, Fractional, MajorityBranch, MaxDepth, Multiway, Pure

from tests.engine.by_definition import statistics
from tests.engine.recipes import parts, searches
from tests.engine.tables import tables
from treekit import (
    CUTS,
    LEVELS,
    NOWHERE,
    SMALL,
    Column,
    Floats,
    Ints,
    Kind,
    Offers,
    Schema,
    Search,
    Table,
    join_offers,
)
from treekit import Tests as Asked
from treekit.engine import grow, growth
from treekit.testing.expecting import expect_same_tree
from treekit.testing.samples import sample_table
from treekit.testing.trees import check_tree

from ..properties import examples

MISSING = st.sampled_from([Fractional(), MajorityBranch()])


def measured(search: Search, rows: Ints, weights: Floats) -> Floats:
    """The statistics of weighted rows, as the engine keeps them."""
    table = search.table
    found = statistics(table, rows, weights)
    if table.task == "regression":
        centre = float(np.average(table.y, weights=table.weights))
        weight, total, squares = found
        squares = squares - 2 * centre * total + centre**2 * weight
        return np.array([weight, total - centre * weight, squares])
    return found


def nodes_of(
    table: Table, compiled: bool, missing: Any
) -> Iterator[tuple[Search, int, Ints, Floats]]:
    """Every node that growth looked at: the search, its place there, its rows and weights."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "SMALL", -1 if compiled else 10**9)
        # One at a time, so that every search still holds its own cases.
        grower = BestFirst()
        stop = (Pure(), MaxDepth(3))
        for search in searches(table, missing=missing, grower=grower, stop=stop):
            for node in range(len(search.nodes)):
                yield search, node, *search.cases_of(node)


ANY = given(table=tables(), compiled=st.booleans(), missing=MISSING)
SOME = examples(40)


@SOME
@ANY
def test_the_cases_of_a_node_are_its_rows_and_their_weights(
    table: Table, compiled: bool, missing: Any
) -> None:
    for search, node, rows, weights in nodes_of(table, compiled, missing):
        assert len(rows) == len(np.unique(rows)) == search.nodes.rows[node]
        np.testing.assert_allclose(
            measured(search, rows, weights), search.nodes.stats[node], atol=1e-9
        )
        if missing == MajorityBranch():
            np.testing.assert_array_equal(weights, table.weights[rows])


@SOME
@ANY
def test_the_span_of_a_column_is_its_least_and_greatest_known_value(
    table: Table, compiled: bool, missing: Any
) -> None:
    ordered = np.array([i for i, c in enumerate(table.columns) if c.kind != "nominal"], np.int64)
    if not len(ordered):
        return
    for search, node, rows, _ in nodes_of(table, compiled, missing):
        spans = search.span(ordered)[node]
        for column, span in zip(ordered, spans, strict=True):
            values = table.cells[column, rows]
            known = values[~np.isnan(values)]
            wanted = [known.min(), known.max()] if len(known) else [np.nan, np.nan]
            np.testing.assert_array_equal(span, wanted)


@SOME
@ANY
def test_the_typical_value_is_a_mean_or_the_most_common_level(
    table: Table, compiled: bool, missing: Any
) -> None:
    by_class = table.task == "classification"
    groups = [None, *range(len(table.schema.classes))]
    for search, node, rows, weights in nodes_of(table, compiled, missing):
        for column in range(table.n_columns):
            found = search.typical(column, by_class)[node]
            assert found[0] == pytest.approx(search.typical(column)[node, 0], nan_ok=True)
            for group, typical in zip(groups, found, strict=True):
                values = table.cells[column, rows]
                some = ~np.isnan(values) & ((group is None) | (table.y[rows] == group))
                if not some.any():
                    assert np.isnan(typical)
                elif table.columns[column].is_numeric:
                    assert typical == pytest.approx(np.average(values[some], weights=weights[some]))
                else:
                    by_level = np.bincount(values[some].astype(int), weights[some])
                    assert by_level[int(typical)] == pytest.approx(by_level.max())


def random_tests(table: Table, column: int, n: int, rng: np.random.Generator) -> Asked:
    """For each of n nodes: up to three cuts, or up to four groups of levels."""
    if table.columns[column].kind == "nominal":
        groups = rng.integers(NOWHERE, 4, (n, len(table.columns[column].levels)))
        return Asked(LEVELS, groups.astype(float), np.full(n, 4, np.int64))
    cuts = np.sort(rng.choice(np.arange(-1.0, 12.0, 0.5), (n, 3), replace=True), axis=1)
    # What lies behind a test's own operands means nothing.
    return Asked(CUTS, cuts, rng.integers(2, 5, n))


@SOME
@ANY
def test_a_test_divides_the_rows_that_it_knows(table: Table, compiled: bool, missing: Any) -> None:
    rng = np.random.default_rng(0)
    for search, node, rows, weights in nodes_of(table, compiled, missing):
        for column in range(table.n_columns):
            tests = random_tests(table, column, len(search.nodes), rng)
            found = search.divided(column, tests)
            values = table.cells[column, rows]
            operands = tests.operands[node, : tests.n_operands[node]]
            if tests.kind == CUTS:
                branch = (values[:, None] > operands).sum(axis=1)
            else:
                branch = operands[np.nan_to_num(values).astype(int)].astype(int)
            for b in range(found.rows.shape[1]):
                mine = (branch == b) & ~np.isnan(values)
                assert found.rows[node, b] == mine.sum()
                wanted = measured(search, rows[mine], weights[mine])
                np.testing.assert_allclose(found.stats[node, b], wanted, atol=1e-9)


@frozen
class SeveralCuts:
    """One test for each column: a cut between any two neighbouring values, but not more than 3."""

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")

    def offer(self, search: Search, columns: Ints) -> Offers:
        return join_offers([self._of_column(search, int(c)) for c in columns])

    def _of_column(self, search: Search, column: int) -> Offers:
        operands = np.zeros((len(search.nodes), 3))
        n_branches = np.ones(len(search.nodes), np.int64)
        for node in range(len(search.nodes)):
            values = np.unique(search.table.cells[column, search.cases_of(node)[0]])
            values = values[~np.isnan(values)][:4]
            cuts = (values[:-1] + values[1:]) / 2
            operands[node, : len(cuts)] = cuts
            n_branches[node] = len(cuts) + 1
        tests = Asked(CUTS, operands, n_branches)
        seen = search.divided(column, tests)
        score = np.where(search.enough(seen.weight, seen.rows), search.score(seen.stats), -np.inf)
        return search.offer_tests(column, tests, score, seen.weight)


@examples(60)
@given(table=tables(), compiled=st.booleans(), missing=MISSING, best_first=st.booleans())
def test_tests_with_several_cuts_grow_valid_trees(
    table: Table, compiled: bool, missing: Any, best_first: bool
) -> None:
    several = {"numeric": SeveralCuts(), "ordinal": SeveralCuts(), "nominal": Multiway()}
    grower = {"grower": BestFirst()} if best_first else {}
    chosen = parts(table, splitter=several, missing=missing, **grower)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "SMALL", -1 if compiled else 10**9)
        tree = grow(table, chosen, np.random.default_rng(0))
    check_tree(tree, table)
    for node in np.flatnonzero(tree.kind == CUTS):
        assert len(tree.test_operands(int(node))) == tree.n_children[node] - 1


def test_a_test_with_several_cuts_sends_each_value_between_its_own() -> None:
    table = Table(
        Schema((Column("x", "numeric"),), Column("y", "nominal", tuple("pqrs"))),
        np.array([[1, 2, 2, 3, 4, np.nan]]),
        np.array([0, 1, 1, 2, 3, 3.0]),
    )
    splitter = {"numeric": SeveralCuts()}
    tree = grow(
        table, parts(table, splitter=splitter, missing=MajorityBranch()), np.random.default_rng(0)
    )
    assert tree.test_operands(0).tolist() == [1.5, 2.5, 3.5]
    assert tree.unknown[0] == 1
    assert tree.rows.tolist()[:5] == [6, 1, 3, 1, 1]


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("rows", [30, SMALL // 3])
def test_small_tables_are_interpreted_large_ones_compiled_and_both_grow_the_same(
    task: str, rows: int
) -> None:
    table = sample_table(task, rows=rows, unknown=True, weighted=True)
    bins = {"numeric": Bins(bins=3), "ordinal": Multiway(), "nominal": Multiway()}
    chosen = parts(table, splitter=bins, stop=(Pure(), MaxDepth(3)))
    usual = grow(table, chosen, np.random.default_rng(0))
    for small in (-1, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(growth, "SMALL", small)
            expect_same_tree(grow(table, chosen, np.random.default_rng(0)), usual, "another tree")
