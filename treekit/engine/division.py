"""How some nodes were divided in two, as those who look for surrogates see it."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from treekit.engine import agreement, agreement_in_order, partition
from treekit.engine.cases import Cases
from treekit.engine.sending import Splits, Taken
from treekit.offers import Nodes
from treekit.roles import Missing
from treekit.route import surrogate_arrays
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import Surrogates, no_surrogates, ranges

NO_ROWS = np.empty(0, np.int64)


@frozen(eq=False)
class Divided:
    """The engine's `provided.Division`: nodes, their tests of two branches, and what those did."""

    nodes: Nodes
    cases: Cases
    splits: Splits
    taken: Taken

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

    @property
    def compiled(self) -> bool:
        return self.cases.compiled

    def cuts(self, columns: Ints, branch_rows: int) -> tuple[Floats, Floats, Floats]:
        cases, ranked = self.cases, self.cases.sample.code_row[columns]
        low, high, sides = _none_found(len(self.nodes), len(columns))
        in_order = (cases.carried[ranked] > 0) & cases.weigh_one
        for which, find in ((in_order, self._cuts_in_order), (~in_order, self._cuts_in_bins)):
            here = np.flatnonzero(which)
            if len(here):
                low[:, here], high[:, here], sides[:, here] = find(ranked[here], branch_rows)
        return self._values(ranked, low), self._values(ranked, high), sides

    def _cuts_in_order(self, ranked: Ints, branch_rows: int) -> tuple[Ints, Ints, Floats]:
        """The ranks next to the best cuts of columns that are carried, and their sides."""
        cases, splits = self.cases, self.splits
        low, high, sides = _none_found(len(self.nodes), len(ranked))
        stops = np.repeat(splits.stop[:, None], len(ranked), axis=1)
        agreement_in_order.best_cuts_in_order.bound(cases.compiled)(
            cases.words, cases.class_bits, cases.carried[ranked], splits.start, splits.stop,
            cases.known_ends(ranked, splits.start, stops), self.taken.branch, branch_rows,
            low, high, sides,
        )  # fmt: skip
        return low, high, sides

    def _cuts_in_bins(self, ranked: Ints, branch_rows: int) -> tuple[Ints, Ints, Floats]:
        """The same of any columns."""
        sample, cases = self.cases.sample, self.cases
        low, high, sides = _none_found(len(self.nodes), len(ranked))
        # The codes of cases lie closer together than the table's, where every column has them.
        loose = cases.has_all_codes
        agreement.best_cuts.bound(cases.compiled)(
            cases.order, self.splits.start, self.splits.stop, self.taken.branch,
            NO_ROWS if loose else cases.rows, cases.weights,
            cases.codes if loose else sample.codes, cases.class_bits, ranked,
            sample.n_distinct[ranked], branch_rows, np.maximum(np.abs(self.nodes.impurity), 1.0),
            low, high, sides,
        )  # fmt: skip
        return low, high, sides

    def _values(self, ranked: Ints, rank: Ints) -> Floats:
        """The values of ranks [n, c], NaN in the place of -1."""
        sample = self.cases.sample
        if not len(sample.values):
            return np.full(rank.shape, np.nan)
        at = np.where(rank >= 0, sample.offset[ranked] + rank, 0)
        return np.where(rank >= 0, sample.values[at], np.nan)

    def levels(self, columns: Ints) -> tuple[Floats, Ints]:
        cases, sample = self.cases, self.cases.sample
        n_levels = np.array([len(self.table.columns[c].levels) for c in columns], np.int64)
        shape = (len(self.nodes), len(columns), int(n_levels.max()), 2)
        weight, rows = np.zeros(shape), np.zeros(shape, np.int64)
        agreement.count_levels.bound(cases.compiled)(
            cases.order, self.splits.start, self.splits.stop, self.taken.branch, cases.rows,
            cases.weights, sample.levels, sample.level_row[columns], n_levels, weight, rows,
        )  # fmt: skip
        return (rows.astype(np.float64) if cases.weigh_one else weight), rows


def _none_found(nodes: int, columns: int) -> tuple[Ints, Ints, Floats]:
    """Of no cut: the ranks on both sides, and what lies there."""
    low = np.full((nodes, columns), -1, np.int64)
    return low, low.copy(), np.zeros((nodes, columns, 2, 2))


def divided(nodes: Nodes, cases: Cases, splits: Splits, taken: Taken) -> Divided:
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
