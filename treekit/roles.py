"""The roles that strategies play.

A strategy is a frozen attrs class without a base class; its fields are the recipe's parameters.
Each protocol below says what one role is asked. Everything is asked of many nodes at once, so that
a strategy written in NumPy costs nothing per node. Optional parts are marked so: the engine looks
for them with `getattr`.

`tasks` (optional, any role) names the tasks a strategy serves: ("classification",),
("regression",) or both (the default). `check(self, table: Table) -> None` (optional, any role)
raises DataError or RecipeError if the strategy cannot learn from the training table.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from treekit.offers import (
    Forest,
    Offers,
    PruningData,
)
from treekit.provided import Grow, Growth, Search
from treekit.table.record import Floats, Ints, Kind, Table
from treekit.tree import Int32s, Tree

ROLES: tuple[str, ...] = (
    "impurity",
    "criterion",
    "splitter",
    "stop",
    "missing",
    "label",
    "pruner",
    "grower",
    "ensemble",
)

BOTH_TASKS: tuple[str, ...] = ("classification", "regression")


def tasks_of(strategy: Any) -> tuple[str, ...]:
    """The tasks a strategy (or its class) serves."""
    return tuple(getattr(strategy, "tasks", BOTH_TASKS))


def tree_task_of(ensemble: Any, task: str) -> str:
    """What the trees of an ensemble predict, if the recipe's task is this."""
    return str(getattr(ensemble, "tree_task", task))


def retargets(ensemble: Any) -> bool:
    """Are the trees of an ensemble grown on another target than the table's?"""
    return bool(getattr(ensemble, "retargets", False))


def takes_greatest(criterion: Any) -> bool:
    """Does a criterion take the column of the greatest score, whatever the others score?"""
    plain = not hasattr(criterion, "choose") and not hasattr(criterion, "review")
    return bool(getattr(criterion, "takes_greatest", plain))


class Impurity(Protocol):
    """How mixed is a node?

    `strictly_concave` (optional, default False): it is so in the class shares, and the engine may
    pass over cuts that cannot win. `uncentred` (optional, default False): it needs the sums of the
    target itself; otherwise numbers are measured from the sample's mean. `unit` (optional): what it
    is measured in, in words ("bits"), for those who show it.
    """

    def impurity(self, stats: Floats) -> Floats:
        """stats[..., S] -> [...], 0 when pure. An empty node (weight 0) is pure. Or `@row_form`."""


class Criterion(Protocol):
    """How good is a split? Greater is better.

    Optional `review(self, offers: Offers, search: Search) -> Offers`: the same offers with other
    scores, once each column's best test is known (a p-value corrected for the tests tried).
    Optional `choose(self, offers: Offers) -> Ints`: for each node, the position in
    `offers.columns` to split on, or -1 for none. Without it the greatest score wins, the earlier
    column on ties. Optional `worth(self, tree: Tree, task: Task) -> Floats`: what each node's test
    is worth to importances, if that is not its score times the node's weight.
    `by_mean_impurity` (optional, default False): of a node's cuts, the one with the least mean
    impurity of its branches scores best. `takes_greatest` (optional): the column of the greatest
    score is taken, so that the others' need not be known; so it is without `review` and `choose`.
    `by_column_merit` (optional, default False): `choose` takes the column of the greatest
    `column_merit(score, split_info)`, the first of equals: `@row_form`, of one column's best test,
    in terms that serve for arrays of them, too.

    Next to `choose`, for those who explain (each optional): `merit(self, offers: Offers) ->
    Floats`: [nodes, columns], what `choose` compares, -inf where a column may not win;
    `merit_name`: what that is, in words; `rejected(self, offers: Offers) -> list[list[str]]`:
    [nodes][columns], the rule that keeps a column from winning, empty where none does.
    """

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        """parent[..., S], branches[..., k, S], impurities before[...], after[..., k] -> [...].

        Known values only. Branches may be empty. Or `@row_form`.
        """


class Splitter(Protocol):
    """Which tests may be asked of a column?

    `kinds` are the column kinds it serves. Optional `asked_once(self, column: Column) -> bool`: a
    column it split on is not asked about again below. A splitter may offer tests of several of
    its columns at once (LINEAR), in addition to those of single columns or in their place:
    `Search.along` weighs their cuts, `Search.offer_tests` offers them under any of the columns.

    Optional, for those who explain and for growers that look ahead: `every_test(self, search:
    Search, column: int) -> Tests`: every test of a column that is weighed for a node, one entry per
    test; the search is of one node. Without it a splitter that offers single cuts is taken to weigh
    every one, another one only what it offers. `declines`: in words, why a column may be offered
    nothing though its tests hold the branch minimum.

    Optional `any_cut`: True says that a column's offer is its best cut between neighbouring values,
    whichever that is, at `place(self, table: Table, columns: Ints, low: Floats, high: Floats) ->
    Floats`: where the columns are cut between these neighbours. Growth may then look for it by
    itself, and ask only where it lies.

    Optional `any_division(self, table: Table) -> int`: the same of levels: a column's offer is its
    best division into two groups, as `treekit.divisions` has them: of every one, if a node holds no
    more levels than this, else of those of the order.
    """

    kinds: ClassVar[tuple[Kind, ...]]

    def offer(self, search: Search, columns: Ints) -> Offers:
        """The best test of each of these columns in each node."""


class Stop(Protocol):
    """Why stop here? `reason` says it in words.

    At least one of these (each optional):
    `before(self, nodes: Nodes) -> Bools`: which nodes are leaves, before any test is looked for;
    `look(self, search: Search) -> Bools`: the same, by a look at the nodes' rows;
    `after(self, nodes: Nodes, found: Found) -> Bools`: the same, knowing the best test;
    `branch_rows` / `branch_weight`: what at least two branches of a test must hold;
    `most_leaves`: how many leaves the tree may have.

    What `before` would say may be told beforehand, so that nothing grows in vain (each optional):
    `node_rows` / `node_weight`: a node that holds less is a leaf;
    `deepest`: so is one at this depth or deeper; `stops_pure`: so is a pure one.
    """

    @property
    def reason(self) -> str: ...


class Missing(Protocol):
    """How do unknown values count in a score, and where do they go?

    What follows is optional.
    `prepare(self, table: Table) -> Table`: the training rows as growth is to see them.
    `typical(self, search: Search, column: int) -> Floats`: [n, 1] or [n, 1 + classes]: the value
    that stands for an unknown one, in a query and in training; or in a query, then in training
    for a row of each class. Scores count the unknown rows with it, and are not discounted.
    `join(self, branches: Floats, unknown: Floats) -> Floats`: [..., k, S], [..., S] ->
    [..., ways, k', S]: every way in which the unknown rows may join the branches, or be a branch of
    their own behind them. The way that scores best is taken; scores are not discounted.
    `surrogates(self, division: Division) -> Surrogates`: tests that stand in, for tests with two
    branches. Only rows that none of them can send anywhere go to `destination`.
    `by_agreement` (optional, default None): how many of them a node has at most, if they are the
    best by their agreement (`treekit.standing_in`), the first of equals, which `place(self, table,
    columns, low, high) -> Floats` cuts between neighbours; growth may then find them by itself.
    `query_destination(self, owner: Ints, weight: Floats, rows: Ints, n: int) -> Int32s`: as
    `destination`, for queries; `rows` are all the training rows that each branch got.
    `to_heaviest` (optional, default False): True says that a score counts by the share of the
    weight that is known, and that unknown cases go to the heaviest branch, the first of equals;
    growth may then do so by itself.
    """

    def discount(self, known: Floats, total: Floats) -> Floats:
        """What a score is multiplied by when only `known` of `total` weight has a known value."""

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        """For n split nodes: where unknown values go, a branch number or SPREAD, STAY, REFUSE.

        The branches of all nodes come end to end: `owner[j]` is the node, `weight[j]` the known
        weight of branch j.
        """


class Label(Protocol):
    """What does a leaf answer?

    Optional `models(self, tree: Tree, table: Table, grown: Tree) -> LeafModels`: answers that
    depend on the row. `grown` is the tree before it was pruned. `answers` are then what the reports
    show.
    `has_costs` (optional, default False): the answers are not shares but go by costs of its own, so
    that a recipe's [classes] costs are refused.
    """

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares whose greatest is the label; or [nodes, 1]: a number.

        `table` is what the tree was grown on.
        """


class Pruner(Protocol):
    """What is cut after growth?

    Optional `reserve(self, table, rng) -> Bools`: rows that growth must not see, for validation;
    not asked where such rows are given. Optional `table(self, tree: Tree, data: PruningData, folds:
    Ints | None) -> ComplexityTable`: the subtrees that it chooses from; `folds` deals the rows of
    `data.table` out for cross-validation, None: no cross-validation. Optional `in_vain(self, nodes:
    Nodes, data: PruningData) -> Bools`: nodes that it makes leaves whatever grows below them,
    saying `reason`, so that growth may pass them over; what else it cuts must not depend on that.
    Optional `wrong_in_vain(self, sample: Floats, data: PruningData) -> float`: so do all nodes that
    get no more wrong than this, by weight or by squares about the mean; `sample` are the statistics
    of all rows. Negative: that cannot be told.
    """

    def prune(self, tree: Tree, data: PruningData) -> Tree: ...


class Grower(Protocol):
    """In which order, and how far ahead, is the tree grown?

    `counts_errors` (optional, default False): it weighs whole trees by their errors, each by the
    weight of its row. Costs that such weights do not stand for are refused: those of three or more
    classes that depend on the answer.
    """

    def grow(self, growth: Growth) -> None: ...


class Ensemble(Protocol):
    """How do many trees become one answer?

    `tree_task` (optional): the task of its trees, where that is not the recipe's: boosting classes
    grows trees of numbers. `retargets` (optional, default False): its trees are grown on another
    target than the table's, so that rows given for validation could not judge them, and are
    refused. `trees` (optional): how many it grows, or rounds of them; the more they are, the sooner
    it pays to compile.
    """

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest: ...
