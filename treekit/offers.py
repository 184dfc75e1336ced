"""The records that strategies are handed and hand back, many nodes at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from treekit.leaf_models import LeafModels
from treekit.linear import Linear
from treekit.narrow import first_true, greatest
from treekit.splitting import part_information
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import CUTS, LINEAR, TERM, Int32s, Tree

Rule = Literal["sum", "vote", "weighted_median", "softmax"]
"""How the answers of many trees become one: `treekit.combining` has the meanings."""


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

    `score` is -inf where no cut is allowed, `tries` how many cuts were weighed. `low` and `high`
    are the neighbouring values that the cut separates, NaN where there is none, and
    `weights[..., 2]` what each side weighs; they are found when they are asked for, since most
    cuts are not chosen.
    """

    score: Floats
    tries: Ints
    find_neighbours: Callable[[Ints, Ints], tuple[Floats, Floats]]
    find_weights: Callable[[Cuts], Floats]

    def between(self, nodes: Ints, at: Ints) -> tuple[Floats, Floats]:
        """The neighbours that some nodes' cuts separate, of the columns at these positions."""
        return self.find_neighbours(nodes, at)

    @cached_property
    def _neighbours(self) -> tuple[Floats, Floats]:
        shape = self.score.shape
        low, high = self.between(*(at.ravel() for at in np.indices(shape)))
        return low.reshape(shape), high.reshape(shape)

    @property
    def low(self) -> Floats:
        return self._neighbours[0]

    @property
    def high(self) -> Floats:
        return self._neighbours[1]

    @cached_property
    def weights(self) -> Floats:
        return self.find_weights(self)


@frozen(eq=False)
class Histogram:
    """A column's statistics by level in each node, known values only.

    stats [n, L, S], rows [n, L]; of c columns [n, c, L, S] and [n, c, L], where L is the most
    levels that one of them has.
    """

    stats: Floats
    rows: Ints

    def of(self, column: int, levels: int | None = None) -> Histogram:
        """That of one of the columns, with its own number of levels."""
        return Histogram(self.stats[:, column, :levels], self.rows[:, column, :levels])

    @property
    def weight(self) -> Floats:
        return self.stats[..., 0]


@frozen(eq=False)
class Later:
    """The cuts of a column that stands at some position, found when they are asked for.

    `find` takes nodes and positions, and serves all columns of a splitter at once.
    """

    find: Callable[[Ints, Ints], Floats]
    position: int


@frozen(eq=False)
class Tests:
    """One test in each node: `operands[n, p]` as a Tree keeps them.

    Of CUTS, a node's first `n_branches[n] - 1` operands count; of LINEAR, those before the first
    NaN.
    """

    kind: int
    told: Floats | Later = field(alias="operands")
    n_branches: Ints

    @cached_property
    def operands(self) -> Floats:
        return self.of(np.arange(len(self.n_branches)))

    def of(self, nodes: Ints) -> Floats:
        """The operands of some nodes' tests, found for these alone if they are not known yet."""
        if isinstance(self.told, Later):
            return self.told.find(nodes, np.full(len(nodes), self.told.position))[:, None]
        return self.told[nodes]

    @property
    def n_operands(self) -> Ints:
        """[n]: how many operands each node's test has."""
        if self.kind == CUTS:
            return np.maximum(self.n_branches - 1, 0)
        if self.kind == LINEAR:
            return np.asarray((~np.isnan(self.operands)).sum(axis=1), np.int64)
        return np.full(len(self.operands), self.operands.shape[1], np.int64)

    def leading(self, column: int) -> Ints:
        """[n]: the column of each node's test, which stands under `column` among the offers.

        Of LINEAR, the one that weighs most in it.
        """
        if self.kind != LINEAR:
            return np.full(len(self.n_branches), column, np.int64)
        first = self.operands[:, 1]
        return np.where(np.isnan(first), column, first).astype(np.int64)


def linear_tests(tests: Sequence[Linear | None], most: int) -> Tests:
    """A LINEAR test of no more than `most` columns in each node; None: it has none."""
    operands = np.full((len(tests), 1 + TERM * most), np.nan)
    for i, test in enumerate(tests):
        if test is not None:
            operands[i, : 1 + TERM * len(test.columns)] = test.operands
    return Tests(LINEAR, operands, np.full(len(tests), 2, np.int64))


@frozen(eq=False)
class Offers:
    """What columns offer to each node: arrays [nodes, columns], and a `Tests` for each column.

    A test of several columns (LINEAR) stands under one column of its splitter, whichever columns it
    asks about in each node; a column may be there several times.

    score       the criterion's score, -inf where the column offers nothing
    split_info  entropy in bits of the branch weights, the unknown being a branch of its own
                (Quinlan 1993, section 2.4)
    columns     which columns of the table
    tries       how many tests of the column were weighed to find this one
    n_levels    how many levels each column has, 0 if it is numeric
    sample_rows rows of the whole training sample
    """

    columns: Ints
    score: Floats
    told: Floats | Callable[[], Floats] = field(alias="split_info", repr=False)
    tests: tuple[Tests, ...]
    tries: Ints
    n_levels: Ints
    sample_rows: int

    @cached_property
    def split_info(self) -> Floats:
        return self.told if isinstance(self.told, np.ndarray) else self.told()

    def held(self) -> Offers:
        """The same offers with all that was still to be found: the nodes' cases move on."""
        tests = tuple(Tests(t.kind, t.operands, t.n_branches) for t in self.tests)
        return evolve(self, split_info=self.split_info, tests=tests)

    def penalised(self, penalty: Floats) -> Offers:
        """The same offers with `penalty` taken from their scores."""
        return evolve(self, score=self.score - penalty)

    def only(self, allowed: Bools) -> Offers:
        """The same offers where `allowed`, nothing elsewhere."""
        return evolve(self, score=np.where(allowed, self.score, -np.inf))


@frozen(eq=False)
class Found:
    """The best test of each node, for the stop rules that look at it.

    score     the criterion's score, -inf where there is none
    tries     how many tests of the chosen column were weighed
    branches  [n, k, S]: the statistics of the branches, known values only; those that a node's
              test does not have are 0
    """

    score: Floats
    tries: Ints
    find_branches: Callable[[], Floats]

    @cached_property
    def branches(self) -> Floats:
        return self.find_branches()


@frozen(eq=False)
class Decisions:
    """What a pruner decided about some nodes, for those who watch.

    node     numbers in the tree before pruning
    as_tree  the estimate with the subtree kept
    as_leaf  the estimate with a leaf in its place
    cut      was it cut back?
    measure  what is estimated, in words
    raised   the estimate with its heaviest branch in its place; NaN where that was not looked at
    replaced did that branch take its place?
    """

    node: Ints
    as_tree: Floats
    as_leaf: Floats
    cut: Bools
    measure: str
    raised: Floats | None = None
    replaced: Bools | None = None


def _nobody(decisions: Decisions) -> None:
    """Nobody watches."""


@frozen(eq=False)
class PruningData:
    """What a pruner may look at: the training table, its reserved rows, and how to grow again.

    A pruner may `tell` its decisions to whoever watches. `costs[actual, predicted]` is what an
    answer costs for each unit of weight; None: every error costs 1 (`answer_costs` adds them up).
    The tables' weights already stand for the costs, so that of two classes an error's weight is
    its cost, but for a common factor; of more classes it is near it. `factors[class]` is what the
    weights of the rows of a class were multiplied by for that; None: by 1.
    """

    table: Table
    validation: Table | None
    grow: Callable[[Table], Tree]
    rng: np.random.Generator = field(factory=np.random.default_rng)
    tell: Callable[[Decisions], None] = _nobody
    costs: Floats | None = None
    factors: Floats | None = None


@frozen(eq=False)
class Member:
    """One tree of a model: what it answers at each node, [nodes, A], and the rows it learned from.

    `learned` is the table that growth saw, without rows kept for validation; rows of weight 0 in
    it were not seen, so that the trees of an ensemble may share their rows. Where the answer
    depends on the row, `leaf_models` tell it (`answers_for` takes them). `facts` are what its
    grower tells of the tree as it was grown.
    """

    tree: Tree
    answers: Floats
    learned: Table
    leaf_models: LeafModels | None = None
    facts: Mapping[str, float] = field(factory=dict)


@frozen(eq=False)
class Forest:
    """What an ensemble leaves: its members, and how their answers become one.

    `rule`, `base` and `outputs` are those of `treekit.combining.Combination`. `facts` are what is
    to be told of the whole, by name: the out-of-bag error, say.
    """

    members: tuple[Member, ...]
    weights: tuple[float, ...]
    rule: Rule = "sum"
    base: tuple[float, ...] = ()
    outputs: tuple[int, ...] = ()
    facts: Mapping[str, float] = field(factory=dict)


def split_information(weights: Floats, unknown: Floats) -> Floats:
    """Entropy in bits of the branch weights [..., k] and the unknown [...] (Quinlan 1993, 2.4)."""
    parts = np.concatenate([weights, np.asarray(unknown)[..., None]], axis=-1)
    total = parts.sum(axis=-1, keepdims=True)
    return np.asarray(part_information(parts, total).sum(axis=-1) + 0.0)


RELATIVE_TIE = 1e-12
ABSOLUTE_TIE = 1e-14


def first_best(values: Floats, scale: Floats | float = 1.0) -> Ints:
    """Along the last axis: the first value that none beats by more than a rounding error; -1: none.

    `scale` is the magnitude from which the values were computed (a node's impurity).
    """
    if values.shape[-1] == 0:
        return np.full(values.shape[:-1], -1, np.int64)
    best = greatest(values)
    slack = RELATIVE_TIE * np.abs(best) + ABSOLUTE_TIE * np.asarray(scale)
    with np.errstate(invalid="ignore"):
        winners = values >= (best - slack)[..., None]
    position = np.where(np.isfinite(best), first_true(winners), -1)
    return position.astype(np.int64)


def heaviest_branch(owner: Ints, weight: Floats, n: int) -> Int32s:
    """For n nodes whose branches come end to end: the number of the heaviest, first of equals."""
    first = np.searchsorted(owner, np.arange(n))
    order = np.lexsort((np.arange(len(owner)), -weight, owner))
    return (order[first] - first).astype(np.int32)


def join_offers(parts: list[Offers]) -> Offers:
    """Offers of several splitters as one, in the table's order of columns.

    Tests of several columns come last: of equals, the simpler test is taken.
    """
    if len(parts) == 1:
        return parts[0]
    columns = np.concatenate([p.columns for p in parts])
    tests = [t for p in parts for t in p.tests]
    order = np.lexsort((columns, np.array([t.kind == LINEAR for t in tests])))
    return Offers(
        columns=columns[order],
        score=np.concatenate([p.score for p in parts], axis=1)[:, order],
        split_info=lambda: np.concatenate([p.split_info for p in parts], axis=1)[:, order],
        tests=tuple(tests[i] for i in order),
        tries=np.concatenate([p.tries for p in parts], axis=1)[:, order],
        n_levels=np.concatenate([p.n_levels for p in parts])[order],
        sample_rows=parts[0].sample_rows,
    )
