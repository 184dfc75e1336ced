"""How some nodes were divided in two, as those who look for surrogates see it."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.engine import partition
from treekit.engine.cases import Cases, Splits, Taken
from treekit.engine.scoring import Scoring
from treekit.engine.search import NodeSearch
from treekit.offers import Nodes
from treekit.roles import Missing
from treekit.route import surrogate_arrays
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import NOWHERE, Surrogates, no_surrogates, ranges


@frozen(eq=False)
class Divided:
    """The engine's `provided.Division`: nodes, their tests of two branches, and what those did."""

    nodes: Nodes
    cases: Cases
    splits: Splits
    taken: Taken
    rng: np.random.Generator

    @property
    def table(self) -> Table:
        return self.cases.sample.table

    @property
    def column(self) -> Ints:
        return self.splits.column

    @property
    def sent(self) -> Floats:
        return self.taken.known_weight.reshape(-1, 2)

    @property
    def branches(self) -> Floats:
        """[n, 2, S]: the statistics of each branch, known values only."""
        stats = np.zeros((len(self.nodes), 2, self.nodes.stats.shape[1]))
        partition.sent_stats.bound(self.cases.compiled)(
            self.cases.order, self.splits.start, self.splits.stop, self.taken.branch,
            self.cases.weights, self.cases.targets, stats,
        )  # fmt: skip
        return stats

    def next_above(self, columns: Ints, low: Floats) -> Floats:
        sample = self.cases.sample
        which = sample.code_row[columns]
        above = np.full(low.shape, np.nan)
        partition.next_above.bound(self.cases.compiled)(
            self.cases.order, self.cases.rows, sample.codes, self.cases.class_bits, which,
            sample.n_distinct[which], self.splits.start, self.splits.stop, sample.values,
            sample.offset[which], low, above,
        )  # fmt: skip
        return above

    def search(self, criterion: Any, branch_rows: int, weighted: bool = True) -> NodeSearch:
        splits, branch = self.splits, self.taken.branch
        sent = self.sent
        stats = np.concatenate([sent.sum(axis=1, keepdims=True), sent], axis=1)
        kept = splits.stop - splits.start - self.taken.lost
        stop = np.cumsum(kept)
        order = np.empty(int(stop[-1]), np.uint64)
        partition.keep_sent.bound(self.cases.compiled)(
            self.cases.order, splits.start, splits.stop, branch, order
        )
        return NodeSearch(
            nodes=evolve(self.nodes, stats=stats, rows=kept, sample=stats.sum(axis=0)),
            cases=evolve(
                self.cases.only(order),
                targets=branch[order].astype(np.uint8),
                weights=self.cases.weights_of(order) if weighted else np.ones(1),
                packed=False,
            ),
            start=stop - kept,
            stop=stop,
            scoring=Scoring(None, criterion),
            missing=_Apart(),
            branch_rows=branch_rows,
            branch_weight=0.0,
            rng=self.rng,
        )


@frozen
class _Apart:
    """Unknown values count for nothing."""

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Any:
        return np.full(n, NOWHERE, np.int32)


def divided(
    nodes: Nodes, cases: Cases, splits: Splits, taken: Taken, rng: np.random.Generator
) -> Divided:
    """The nodes whose tests have two branches."""
    two = np.flatnonzero(splits.n_children == 2)
    children = ranges(splits.first_child[two], splits.n_children[two])
    return Divided(
        nodes=nodes.only(two),
        cases=cases,
        splits=evolve(
            splits,
            start=splits.start[two],
            stop=splits.stop[two],
            kind=splits.kind[two],
            column=splits.column[two],
            operand_start=splits.operand_start[two],
            first_child=2 * np.arange(len(two)),
            n_children=splits.n_children[two],
        ),
        taken=evolve(taken, known_weight=taken.known_weight[children], lost=taken.lost[two]),
        rng=rng,
    )


def with_surrogates(
    missing: Missing, division: Divided, splits: Splits, taken: Taken
) -> Surrogates:
    """Find surrogates, and send the cases that go nowhere where those of their node say."""
    if len(division.nodes) == 0:
        return no_surrogates(len(splits.start))
    found: Surrogates = missing.surrogates(division)  # type: ignore[attr-defined]
    surrogates = spread_out(found, splits.n_children == 2)
    cases = division.cases
    partition.stand_in_cases.bound(cases.compiled)(
        cases.order, splits.start, splits.stop, cases.sample.table.cells, cases.rows,
        *surrogate_arrays(surrogates), taken.branch, taken.lost,
    )  # fmt: skip
    return surrogates


def spread_out(surrogates: Surrogates, which: Bools) -> Surrogates:
    """The surrogates of the nodes in `which`, in a list of all nodes."""
    count = np.zeros(len(which), np.int64)
    count[which] = np.diff(surrogates.first)
    return evolve(surrogates, first=np.concatenate([[0], np.cumsum(count)]).astype(np.int64))
