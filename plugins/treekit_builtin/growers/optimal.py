"""A grower that finds the tree of least error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from attrs import field, frozen, validators

from treekit import (
    CUTS,
    LEVELS,
    LINEAR,
    NOWHERE,
    DataError,
    Floats,
    Growth,
    Ints,
    Outlook,
    Problem,
    RecipeError,
    Table,
    Tests,
    go_on,
)

from .optimal_search import Plan, RowsAndTests, best_tree

ENOUGH = "no further test lessens the error of the whole tree"


@frozen
class Optimal:
    """The tree of least training error of a depth, with a proof (Brita et al. 2025).

    All trees of tests with two branches that the recipe's splitters may ask of the whole table are
    searched by branch and bound. A test with more branches stands for each of its cuts, or for each
    of its branches against the rest; so a nominal column with `multiway` or `one_vs_rest` is asked
    for one level against the rest. Sums of columns are left out. A cut is then placed as the
    splitter places it in the node. Rows count by weight, every branch holds the stop rules'
    minimum, and no impurity has a say. Of stop rules that close a node otherwise the search knows
    nothing: if they do, the tree is not proved.
    Unknown values are refused in training; in queries they go where the missing-value handler says.
    Refused, too, are columns drawn node by node, as the search is of whole trees; and costs of
    three or more classes that depend on the answer, as errors are counted by weight.

    It tells these facts, as shares of the training weight: `training_error` of the tree,
    `lower_bound` of the error of any such tree, and `gap` between them; `proven` is 1 if there is
    none. Without `seconds` the outcome is always the same, and proved. The time grows with the
    number of cuts to the power of depth - 1, though most are never looked at: depth 3 takes
    seconds on some hundred rows of numbers, depth 4 minutes.

    depth: the most levels of tests.
    seconds: when they are over, the best tree found until then is grown.
    leaf_cost: each leaf costs as much as this share of the training weight in errors. The bound and
        the gap are then of errors and leaves together, told as `training_cost`.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    counts_errors: ClassVar[bool] = True

    depth: int = field(default=3, validator=validators.ge(1))
    seconds: float | None = field(default=None, validator=validators.optional(validators.gt(0.0)))
    leaf_cost: float = field(default=0.0, validator=[validators.ge(0.0), validators.lt(1.0)])

    def check(self, table: Table) -> None:
        if not table.has_unknown.any():
            return
        name = table.columns[int(table.has_unknown.argmax())].name
        raise DataError(
            Problem(
                f"column {name!r} has unknown values, and the grower `optimal` must know where"
                " every training row goes",
                table.source,
                "fill them in, or leave the column or the rows out",
            )
        )

    def grow(self, growth: Growth) -> None:
        reason = ENOUGH
        for root in growth.outlooks():
            _refuse_draws(root)
            asked = Asked.of(root)
            total = float(asked.weights.sum())
            outcome = best_tree(
                RowsAndTests(
                    codes=asked.codes,
                    target=asked.target,
                    weights=asked.weights,
                    n_classes=len(root.search.table.schema.classes),
                    branch_rows=root.search.branch_rows,
                    # Sums of fractional weights that differ by less are the same.
                    branch_weight=root.search.branch_weight * (1 - 1e-9),
                    leaf_cost=self.leaf_cost * total,
                ),
                self.depth,
                self._clock(),
            )
            if self.seconds is not None and not outcome.proven:
                reason = f"the time limit, {self.seconds:g} seconds, was reached"
            wrong, leaves = planted(growth, root, outcome.plan, asked)
            cost = wrong / total + self.leaf_cost * leaves
            gap = max(cost - outcome.lower / total, 0.0)
            proven = gap <= 1e-9
            growth.tell({"training_error": wrong / total})
            if self.leaf_cost > 0.0:
                growth.tell({"training_cost": cost})
            growth.tell(
                {
                    "lower_bound": outcome.lower / total,
                    "gap": 0.0 if proven else gap,
                    "proven": float(proven),
                }
            )
        growth.close(reason)

    def _clock(self) -> Callable[[], bool]:
        """Is the time up? Work that was given up ends here."""
        end = inf if self.seconds is None else perf_counter() + self.seconds

        def expired() -> bool:
            go_on()
            return perf_counter() >= end

        return expired


def _refuse_draws(root: Outlook) -> None:
    if root.columns is not None:
        raise RecipeError(
            Problem(
                "the grower `optimal` searches whole trees, and cannot choose from"
                f" {root.columns} of {root.search.table.n_columns} columns in each node",
                "tree.grower",
                "let the ensemble draw no columns, or take another grower",
            )
        )


@frozen(eq=False)
class Asked:
    """The rows of a node and the tests that may be asked of them, in families of nested tests.

    codes    [families, rows]: test r of a family sends the rows whose code is r or less left
    tests    of each family: its column and its tests
    """

    codes: Ints
    tests: list[tuple[int, Tests]]
    target: Ints
    weights: Floats

    @staticmethod
    def of(outlook: Outlook) -> Asked:
        table = outlook.search.table
        rows, weights = outlook.search.cases_of(0)
        found = [
            (column, family) for column, tests in outlook.tests(0) for family in families(tests)
        ]
        codes = np.empty((len(found), len(rows)), np.int64)
        for i, (column, family) in enumerate(found):
            values = table.cells[column, rows]
            if family.kind == CUTS:
                codes[i] = np.searchsorted(family.operands[:, 0], values)
            else:
                codes[i] = family.operands[0, values.astype(np.int64)]
        return Asked(codes, found, table.y[rows].astype(np.int64), weights)


def families(tests: Tests) -> Iterator[Tests]:
    """The tests with two branches that these stand for, nested ones together in ascending order.

    A sum of several columns is found for the rows of one node, and is no test of another.
    """
    if tests.kind == LINEAR:
        return
    if tests.kind == CUTS:
        held = np.arange(tests.operands.shape[1]) < tests.n_operands[:, None]
        cuts = np.unique(tests.operands[held])
        if len(cuts):
            yield Tests(CUTS, cuts[:, None], np.full(len(cuts), 2, np.int64))
    if tests.kind != LEVELS:
        return
    two = np.full(1, 2, np.int64)
    for operands, n_branches in zip(tests.operands, tests.n_branches, strict=True):
        for branch in range(1 if n_branches == 2 else int(n_branches)):
            apart = np.where(operands == branch, 0.0, 1.0)
            yield Tests(LEVELS, np.where(operands == NOWHERE, NOWHERE, apart)[None], two)


def planted(growth: Growth, root: Outlook, plan: Plan, asked: Asked) -> tuple[float, int]:
    """Grow the tree of a plan; the weight that its leaves get wrong, and how many there are."""
    waiting = {int(root.numbers[0]): (plan, np.arange(len(asked.target)))}
    outlooks, wrong, leaves = [root], 0.0, 0
    while waiting:
        is_open = {int(outlook.numbers[0]): outlook for outlook in outlooks}
        following: dict[int, tuple[Plan, Ints]] = {}
        for number, (here, rows) in waiting.items():
            children: Any = ()
            if here.left is not None and number in is_open:
                column, test = placed(is_open[number], here, asked)
                children = growth.split_by(number, column, test)
            if here.left is not None and here.right is not None and len(children):
                left = asked.codes[here.family, rows] <= here.code
                following[int(children[0])] = (here.left, rows[left])
                following[int(children[1])] = (here.right, rows[~left])
            else:
                by_class = np.bincount(asked.target[rows], asked.weights[rows])
                wrong += float(by_class.sum() - by_class.max())
                leaves += 1
        outlooks, waiting = list(growth.outlooks()), following
    return wrong, leaves


def placed(outlook: Outlook, plan: Plan, asked: Asked) -> tuple[int, Tests]:
    """A plan's test as the splitter asks it of this node, where that divides its rows alike."""
    column, family = asked.tests[plan.family]
    one = np.full(1, 2, np.int64)
    if family.kind != CUTS:
        return column, family
    cut = float(family.operands[plan.code, 0])
    rows, _ = outlook.search.cases_of(0)
    values = outlook.search.table.cells[column, rows]
    low, high = values[values <= cut].max(), values[values > cut].min()
    for other, tests in outlook.tests(0):
        if other == column and tests.kind == CUTS and tests.operands.shape[1] == 1:
            cuts = tests.operands[:, 0]
            alike = cuts[(cuts >= low) & (cuts < high)]
            cut = float(alike[0]) if len(alike) else cut
    return column, Tests(CUTS, np.array([[cut]]), one)
