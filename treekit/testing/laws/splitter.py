"""Laws of splitters. They are watched while a tree grows, at every level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import frozen

from treekit.offers import Offers, split_information
from treekit.provided import Search
from treekit.route import branches_of, visits
from treekit.table.record import Column, Floats, Ints, Table
from treekit.testing.expecting import expect, expect_all, expect_same
from treekit.testing.hosting import AtDepth, grown, host, hosting, score_of, tasks
from treekit.testing.samples import offers_to, sample_tables
from treekit.testing.trees import faults_of_sum, statistics_of
from treekit.tree import CUTS, LEVELS, LINEAR, NOWHERE, Tree

Ask = Callable[[Search], Offers]  # asks the splitter about the same columns
Check = Callable[[Ask, Search, Offers], None]


@frozen(eq=False)
class Watched:
    """A splitter each of whose answers is checked while the engine's search is at hand."""

    inner: Any
    check: Check

    @property
    def kinds(self) -> Any:
        return self.inner.kinds

    def asked_once(self, column: Column) -> bool:
        return hasattr(self.inner, "asked_once") and bool(self.inner.asked_once(column))

    def offer(self, search: Search, columns: Ints) -> Offers:
        offers: Offers = self.inner.offer(search, columns)
        self.check(lambda again: self.inner.offer(again, columns), search, offers)
        return offers


@frozen
class BranchMinimum:
    """What at least two branches of a test must hold."""

    reason: ClassVar[str] = "never"

    branch_rows: float
    branch_weight: float


ROOT_ALONE = AtDepth(1)  # where only what the root is offered is looked at (`_roots`)


def offers_are_well_formed(strategy: Any) -> None:
    """Each node and column has a score and a test of the right shape, whose branches exist."""
    _watch(strategy, _check_form)


def only_tests_that_separate_rows_are_offered(strategy: Any) -> None:
    """Two branches at least receive known rows; a constant or unknown column offers nothing."""
    _watch(strategy, lambda _, search, offers: _check_held(search, offers, 1.0, 0.0), ROOT_ALONE)


def two_branches_hold_the_branch_minimum(strategy: Any) -> None:
    """Where stop rules ask for rows or weight in the branches, two of them hold it."""
    for rows, weight in ((8.0, 0.0), (0.0, 6.5)):

        def check(
            _: Any, search: Search, offers: Offers, r: float = rows, w: float = weight
        ) -> None:
            _check_held(search, offers, r, w)

        _watch(strategy, check, BranchMinimum(rows, weight), ROOT_ALONE)


def scores_are_the_criterions(strategy: Any) -> None:
    """The score of a test is the criterion's for the rows as the test sends them."""
    for task in tasks(strategy):
        for kind in strategy.kinds:
            for table in sample_tables(task, (kind,)):
                tree = grown(table, hosting(task, "splitter", strategy))
                for node, rows, weights in visits(tree, table):
                    if tree.n_children[node]:
                        wanted = _rescored(tree, node, table, rows, weights)
                        what = f"at node {node} the score is not the criterion's"
                        expect_same(tree.score[node], wanted, what)


def split_information_is_that_of_the_branches(strategy: Any) -> None:
    """The branch weights that the splitter tells are those of the rows that take them."""
    _watch(strategy, _check_information, ROOT_ALONE)


def is_deterministic(strategy: Any) -> None:
    """Asked twice, it offers the same."""

    def check(ask: Ask, search: Search, offers: Offers) -> None:
        _expect_same_offers(ask(search), offers, "asked again")

    _watch(strategy, check)


def nodes_are_asked_as_if_alone(strategy: Any) -> None:
    """What a node is offered does not depend on the nodes beside it."""

    def check(ask: Ask, search: Search, offers: Offers) -> None:
        if len(search.nodes) == 1:  # a node by itself is asked again by `is_deterministic`
            return
        for node in range(len(search.nodes)):
            alone = ask(search.at(node))
            _expect_same_offers(alone, offers_to(offers, node), "asked alone")

    _watch(strategy, check)


def laws(strategy: Any) -> Iterator[Callable[[Any], None]]:
    """The laws that such a splitter must keep."""
    yield offers_are_well_formed
    yield only_tests_that_separate_rows_are_offered
    yield two_branches_hold_the_branch_minimum
    yield scores_are_the_criterions
    yield split_information_is_that_of_the_branches
    yield is_deterministic
    yield nodes_are_asked_as_if_alone


def _watch(strategy: Any, check: Check, *stops: Any) -> None:
    """Grow trees on tables of each of the splitter's kinds, and check all that it offers."""
    for task in tasks(strategy):
        for kind in strategy.kinds:
            for table in sample_tables(task, (kind,)):
                parts = hosting(task, "splitter", Watched(strategy, check))
                grown(table, attrs.evolve(parts, stop=(*parts.stop, *stops)))


def _check_form(_: Any, search: Search, offers: Offers) -> None:
    shape = (len(search.nodes), len(offers.columns))
    for name in ("score", "split_info"):
        found = getattr(offers, name).shape
        expect(found == shape, f"`{name}` has the shape {found}, not {shape}")
    expect(len(offers.tests) == shape[1], f"{shape[1]} columns have {len(offers.tests)} tests")
    expect_all(
        np.isfinite(offers.score) | (offers.score == -np.inf), "a score is no number", offers.score
    )
    for j, (column, tests) in enumerate(zip(offers.columns, offers.tests, strict=True)):
        levels = len(search.table.columns[column].levels)
        for node in np.flatnonzero(offers.score[:, j] > -np.inf):
            k = int(tests.n_branches[node])
            operands = tests.operands[node][: tests.n_operands[node]]
            if tests.kind == CUTS:
                ascending = np.isfinite(operands).all() and (np.diff(operands) > 0).all()
                expect(ascending, f"the cuts {operands} do not ascend")
                expect(len(operands) == k - 1, f"{len(operands)} cuts do not make {k} branches")
            elif tests.kind == LINEAR:
                faults = list(faults_of_sum(operands, search.table))
                expect(not faults, "; ".join(faults))
                expect(k == 2, f"a sum makes 2 branches, not {k}")
            else:
                expect(tests.kind == LEVELS, f"{tests.kind} is no kind of test")
                expect(len(operands) == levels, f"{len(operands)} of {levels} levels have a branch")
                known = np.isin(operands, np.arange(NOWHERE, k)).all()
                expect(known, f"levels go to branches {operands}, of {k}")


def _roots(search: Search, offers: Offers) -> Iterator[tuple[int, int, Ints, int]]:
    """The offers to the root, whose rows are all the table's: column, branch of each row, count."""
    if len(search.nodes) == 1 and search.nodes.depth[0] == 0:
        for j in np.flatnonzero(offers.score[0] > -np.inf):
            tests = offers.tests[j]
            column, rows = int(offers.columns[j]), np.arange(search.table.n_rows)
            operands = tests.operands[0, : tests.n_operands[0]]
            branch = _routed(search.table, rows, column, tests.kind, operands)
            yield int(j), column, branch, int(tests.n_branches[0])


def _check_held(search: Search, offers: Offers, least_rows: float, least_weight: float) -> None:
    for _, column, branch, k in _roots(search, offers):
        known = branch != NOWHERE
        rows = np.bincount(branch[known], minlength=k)
        weight = np.bincount(branch[known], search.table.weights[known], k)
        holds = (rows >= least_rows) & (weight >= least_weight) & (weight > 0.0)
        name = search.table.columns[column].name
        expect(
            holds.sum() >= 2,
            f"the test of {name!r} sends {rows} rows, of weight {weight}, to its branches;"
            f" two must hold {least_rows:g} rows and weigh {least_weight:g}",
        )


def _check_information(_: Any, search: Search, offers: Offers) -> None:
    for j, _column, branch, k in _roots(search, offers):
        known = branch != NOWHERE
        weight: Floats = np.bincount(branch[known], search.table.weights[known], k).astype(float)
        wanted = split_information(weight, search.table.weights.sum() - weight.sum())
        what = "the split information is not that of the branches"
        expect_same(offers.split_info[0, j], wanted, what)


def _routed(table: Table, rows: Ints, column: int, kind: int, operands: Floats) -> Ints:
    branch = np.empty(len(rows), np.int64)
    branches_of(table.cells, rows, column, kind, operands, branch)
    return branch


def _rescored(tree: Tree, node: int, table: Table, rows: Ints, weights: Floats) -> float:
    """The criterion's score of a node's test, from the rows that reach the node."""
    test = int(tree.column[node]), int(tree.kind[node]), tree.test_operands(node)
    branch = _routed(table, rows, *test)
    stats = [statistics_of(tree, table, rows[branch == k], weights[branch == k])
             for k in range(tree.n_children[node])]  # fmt: skip
    parts = host(table.task).tree
    known, total = np.array([sum(s[0] for s in stats)]), np.array([weights.sum()])
    whole = known >= total * (1 - 1e-12)
    discount = np.where(whole, 1.0, parts.missing.discount(known, total))
    return float(score_of(table.task, parts.criterion, np.array(stats)) * discount[0])


def _expect_same_offers(found: Offers, wanted: Offers, how: str) -> None:
    expect_same(found.score, wanted.score, f"{how}, it scores otherwise")
    for j, (one, other) in enumerate(zip(found.tests, wanted.tests, strict=True)):
        real = wanted.score[:, j] > -np.inf
        what = f"{how}, it offers another test"
        expect_same(one.operands[real], other.operands[real], what)
        expect_same(one.n_branches[real], other.n_branches[real], what)
