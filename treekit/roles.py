"""The roles that strategies play, and the records that they are handed.

A strategy is a frozen attrs class without a base class; its fields are the recipe's parameters.
Each protocol below says what one role is asked. Everything is asked of many nodes at once, so that
a strategy written in NumPy costs nothing per node. Optional parts are marked so: the engine looks
for them with `getattr`.

`tasks` (optional, any role) names the tasks a strategy serves: ("classification",),
("regression",) or both (the default).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np
from attrs import evolve, field, frozen

from treekit.table.record import Bools, Floats, Ints, Kind, Table
from treekit.tree import CUTS, LEVELS, Int32s, Tree

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


# --- records -------------------------------------------------------------------------------------


@frozen(eq=False)
class Nodes:
    """A batch of open nodes. Arrays have one entry per node.

    stats         [n, S]: total weight, then class weights or sums of y and y*y
    rows          how many training rows, whatever their weights
    depth         0 at the root
    impurity      of the node (0 where the recipe binds no impurity)
    pure          all the target values are the same
    columns_left  how many columns may still be asked about
    sample        [S]: the statistics of the whole training sample
    """

    stats: Floats
    rows: Ints
    depth: Ints
    impurity: Floats
    pure: Bools
    columns_left: Ints
    sample: Floats

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def weight(self) -> Floats:
        return self.stats[:, 0]

    def only(self, some: Ints | slice) -> Nodes:
        """Some of the nodes."""
        return evolve(
            self,
            stats=np.ascontiguousarray(self.stats[some]),
            rows=self.rows[some],
            depth=self.depth[some],
            impurity=self.impurity[some],
            pure=self.pure[some],
            columns_left=self.columns_left[some],
        )


@frozen(eq=False)
class Cuts:
    """The best cut of each column in each node: arrays [nodes, columns].

    `score` is -inf where no cut is allowed. `low` and `high` are the neighbouring values that the
    cut separates, `weights[..., 2]` what each side weighs, `tries` how many cuts were weighed.
    """

    score: Floats
    low: Floats
    high: Floats
    weights: Floats
    tries: Ints


@frozen(eq=False)
class Histogram:
    """A column's statistics by level in each node, known values only.

    stats [n, L, S], rows [n, L].
    """

    stats: Floats
    rows: Ints

    @property
    def weight(self) -> Floats:
        return self.stats[..., 0]


@frozen(eq=False)
class Tests:
    """One column's test in each node: `operands[n, p]` as a Tree keeps them."""

    kind: int
    operands: Floats
    n_branches: Ints


@frozen(eq=False)
class Offers:
    """What columns offer to each node: arrays [nodes, columns], and a `Tests` for each column.

    score       the criterion's score, -inf where the column offers nothing
    split_info  entropy in bits of the branch weights, the unknown being a branch of its own
                (Quinlan 1993, section 2.4)
    columns     which columns of the table
    n_levels    how many levels each column has, 0 if it is numeric
    sample_rows rows of the whole training sample
    """

    columns: Ints
    score: Floats
    split_info: Floats
    tests: tuple[Tests, ...]
    n_levels: Ints
    sample_rows: int

    def penalised(self, penalty: Floats) -> Offers:
        """The same offers with `penalty` taken from their scores."""
        return evolve(self, score=self.score - penalty)

    def only(self, allowed: Bools) -> Offers:
        """The same offers where `allowed`, nothing elsewhere."""
        return evolve(self, score=np.where(allowed, self.score, -np.inf))


class Search(Protocol):
    """What a splitter may ask of the open nodes. The engine provides it."""

    @property
    def nodes(self) -> Nodes: ...
    @property
    def table(self) -> Table: ...
    @property
    def branch_rows(self) -> float: ...
    @property
    def branch_weight(self) -> float: ...

    def known_weight(self, columns: Ints) -> Floats:
        """[n, c]: the weight of the rows whose value is known."""

    def cuts(self, columns: Ints, margin: Floats | None = None, gap: float = 0.0) -> Cuts:
        """The best cut of each of these ordered columns in each node, by the recipe's criterion.

        Each side must hold the stop rules' branch minimum and weigh at least `margin[n, c]`;
        neighbours closer than `gap` are not cut apart.
        """

    def histogram(self, column: int) -> Histogram:
        """The statistics of each level of a nominal or ordinal column in each node."""

    def score(self, branches: Floats) -> Floats:
        """[n, ...]: the score of splitting each node into `branches[n, ..., k, S]`."""

    def at(self, node: int) -> Search:
        """The same search for one of the nodes."""

    def enough(self, weight: Floats, rows: Floats | Ints) -> Bools:
        """[...]: do at least two of the branches `[..., k]` hold the branch minimum?"""

    def offer_cuts(self, columns: Ints, cuts: Cuts, at: Floats) -> Offers:
        """Offers of binary tests `value <= at[n, c]`."""

    def offer_groups(
        self, column: int, groups: Floats, n_branches: Ints, score: Floats, weights: Floats
    ) -> Offers:
        """Offers of one column whose level l goes to branch `groups[n, l]` (NOWHERE: as unknown).

        `score[n]` is -inf where there is no offer; `weights[n, k]` is what each branch weighs.
        """


@frozen(eq=False)
class PruningData:
    """What a pruner may look at: the training table, its reserved rows, and how to grow again."""

    table: Table
    validation: Table | None
    grow: Callable[[Table], Tree]
    rng: np.random.Generator = field(factory=np.random.default_rng)


@frozen(eq=False)
class Forest:
    """What an ensemble leaves: trees and their weights in the sum of answers."""

    trees: tuple[Tree, ...]
    weights: tuple[float, ...]


# --- roles ---------------------------------------------------------------------------------------


class Impurity(Protocol):
    """How mixed is a node?

    `strictly_concave` (optional, default False): it is so in the class shares, and the engine may
    pass over cuts that cannot win.
    """

    def impurity(self, stats: Floats) -> Floats:
        """stats[..., S] -> [...], 0 when pure. An empty node (weight 0) is pure. Or `@row_form`."""


class Criterion(Protocol):
    """How good is a split? Greater is better.

    Optional `choose(self, offers: Offers) -> Ints`: for each node, the position in
    `offers.columns` to split on, or -1 for none. Without it the greatest score wins, the earlier
    column on ties. `by_mean_impurity` (optional, default False): of a node's cuts, the one with the
    least mean impurity of its branches scores best.
    """

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        """parent[..., S], branches[..., k, S], impurities before[...], after[..., k] -> [...].

        Known values only. Branches may be empty. Or `@row_form`.
        """


class Splitter(Protocol):
    """Which tests may be asked of a column?

    `kinds` are the column kinds it serves. `once` (optional, default False): a column it split on
    is not asked again below.
    """

    kinds: ClassVar[tuple[Kind, ...]]

    def offer(self, search: Search, columns: Ints) -> Offers:
        """The best test of each of these columns in each node."""


class Stop(Protocol):
    """Why stop here? `reason` says it in words.

    At least one of these (each optional):
    `before(self, nodes: Nodes) -> Bools`: which nodes are leaves, before any test is looked for;
    `after(self, nodes: Nodes, score: Floats) -> Bools`: the same, knowing the best test's score;
    `branch_rows` / `branch_weight`: what at least two branches of a test must hold.
    """

    @property
    def reason(self) -> str: ...


class Missing(Protocol):
    """How do unknown values count in a score, and where do they go?"""

    def check(self, table: Table) -> None:
        """Raise DataError if the training table cannot be used."""

    def discount(self, known: Floats, total: Floats) -> Floats:
        """What a score is multiplied by when only `known` of `total` weight has a known value."""

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        """For n split nodes: where unknown values go, a branch number or SPREAD, STAY, REFUSE.

        The branches of all nodes come end to end: `owner[j]` is the node, `weight[j]` the known
        weight of branch j.
        """


class Label(Protocol):
    """What does a leaf answer?"""

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares whose greatest is the label; or [nodes, 1]: a number."""


class Pruner(Protocol):
    """What is cut after growth?

    Optional `reserve(self, table, rng) -> Bools`: rows that growth must not see, for validation.
    """

    def prune(self, tree: Tree, data: PruningData) -> Tree: ...


class Growth(Protocol):
    """A tree under way. The engine provides it to a grower."""

    @property
    def open_nodes(self) -> int:
        """How many nodes may still be split."""

    def split_level(self) -> None:
        """Split or close every open node; their children are the next open nodes."""


class Grower(Protocol):
    """In which order is the tree grown?"""

    def grow(self, growth: Growth) -> None: ...


class Ensemble(Protocol):
    """How do many trees become one answer? A row's answer is the weighted sum of the trees'."""

    def plant(
        self,
        table: Table,
        grow: Callable[[Table, np.random.Generator], Tree],
        rng: np.random.Generator,
    ) -> Forest: ...


# --- formulas that every strategy shares ---------------------------------------------------------


def split_information(weights: Floats, unknown: Floats) -> Floats:
    """Entropy in bits of the branch weights [..., k] and the unknown [...] (Quinlan 1993, 2.4)."""
    parts = np.concatenate([weights, np.asarray(unknown)[..., None]], axis=-1)
    total = parts.sum(axis=-1, keepdims=True)
    share = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-(share * logs).sum(axis=-1) + 0.0)


RELATIVE_TIE = 1e-12
ABSOLUTE_TIE = 1e-14


def first_best(values: Floats, scale: Floats | float = 1.0) -> Ints:
    """Along the last axis: the first value that none beats by more than a rounding error; -1: none.

    `scale` is the magnitude from which the values were computed (a node's impurity).
    """
    best = values.max(axis=-1, initial=-np.inf)
    slack = RELATIVE_TIE * np.abs(best) + ABSOLUTE_TIE * np.asarray(scale)
    with np.errstate(invalid="ignore"):
        winners = values >= (best - slack)[..., None]
    position = np.where(np.isfinite(best), winners.argmax(axis=-1), -1)
    return position.astype(np.int64)


def heaviest_branch(owner: Ints, weight: Floats, n: int) -> Int32s:
    """For n nodes whose branches come end to end: the number of the heaviest, first of equals."""
    first = np.searchsorted(owner, np.arange(n))
    order = np.lexsort((np.arange(len(owner)), -weight, owner))
    return (order[first] - first).astype(np.int32)


def join_offers(parts: list[Offers]) -> Offers:
    """Offers of several splitters as one, in the table's order of columns."""
    if len(parts) == 1:
        return parts[0]
    columns = np.concatenate([p.columns for p in parts])
    order = np.argsort(columns, kind="stable")
    tests = [t for p in parts for t in p.tests]
    return Offers(
        columns=columns[order],
        score=np.concatenate([p.score for p in parts], axis=1)[:, order],
        split_info=np.concatenate([p.split_info for p in parts], axis=1)[:, order],
        tests=tuple(tests[i] for i in order),
        n_levels=np.concatenate([p.n_levels for p in parts])[order],
        sample_rows=parts[0].sample_rows,
    )


__all__ = [
    "BOTH_TASKS",
    "CUTS",
    "LEVELS",
    "ROLES",
    "Criterion",
    "Cuts",
    "Ensemble",
    "Forest",
    "Grower",
    "Growth",
    "Histogram",
    "Impurity",
    "Label",
    "Missing",
    "Nodes",
    "Offers",
    "Pruner",
    "PruningData",
    "Search",
    "Splitter",
    "Stop",
    "Tests",
    "first_best",
    "heaviest_branch",
    "join_offers",
    "split_information",
    "tasks_of",
]
