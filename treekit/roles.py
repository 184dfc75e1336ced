"""The roles that strategies play.

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

from treekit.offers import Cuts, Forest, Histogram, Nodes, Offers, PruningData
from treekit.table.record import Bools, Floats, Ints, Kind, Table
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
        neighbours no further apart than `gap`, in single precision, are not cut apart.
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


class Impurity(Protocol):
    """How mixed is a node?

    `strictly_concave` (optional, default False): it is so in the class shares, and the engine may
    pass over cuts that cannot win. `uncentred` (optional, default False): it needs the sums of the
    target itself; otherwise numbers are measured from the sample's mean.
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

    `kinds` are the column kinds it serves. Optional `asked_once(self, column: Column) -> bool`: a
    column it split on is not asked about again below.
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
