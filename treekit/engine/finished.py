"""What becomes of nodes that kernels grew below others: the stop rules are asked, and they close.

A node that a stop rule makes a leaf loses what was grown below it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.compiling import kernel
from treekit.engine.choosing import NO_TEST, Choosing
from treekit.engine.chosen import SPLIT, VAIN, Chosen
from treekit.engine.joining import toward_width
from treekit.engine.sample import Sample, is_pure
from treekit.engine.subtrees import layout
from treekit.engine.vain import InVain
from treekit.offers import Found, Nodes
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import CUTS, LEAF, LEVELS, STAY, Int32s, Surrogates, ranges

BOTH = np.arange(2)  # branches


@frozen(eq=False)
class Grown:
    """Nodes as `subtrees.layout` has them.

    groups    [nodes, levels]: the branch of each level, -1 for one without cases, where the test
              is of levels
    branches  [nodes, 2, S]: the statistics of the known cases of each branch, if values are unknown
    stood, stood_figures, stood_groups  [nodes, keep, ...]: the tests that stand in for the nodes'
              own, as many as the facts say; of levels, the branch of each level
    """

    facts: Ints
    figures: Floats
    groups: npt.NDArray[np.int8]
    branches: Floats
    stood: Ints
    stood_figures: Floats
    stood_groups: npt.NDArray[np.int8]

    def fact(self, number: int) -> Ints:
        return np.ascontiguousarray(self.facts[:, number])

    @property
    def score(self) -> Floats:
        return self.figures[:, layout.SCORE]

    @property
    def stats(self) -> Floats:
        return np.ascontiguousarray(self.figures[:, layout.STATS :])

    def only(self, kept: Bools) -> Grown:
        def only(told: Any) -> Any:
            return told[kept] if len(told) else told

        return Grown(
            self.facts[kept],
            self.figures[kept],
            only(self.groups),
            only(self.branches),
            only(self.stood),
            only(self.stood_figures),
            only(self.stood_groups),
        )

    def known_branches(self, stats: Floats, tested: Bools, child: Ints) -> Floats:
        """[n, 2, S]: the statistics of the known cases of each branch of a node with a test."""
        if len(self.branches):
            return np.where(tested[:, None, None], self.branches, 0.0)
        return np.asarray(stats[child[:, None] + np.where(tested[:, None], BOTH, 0)])

    def known_weights(self, stats: Floats, split: Bools, child: Ints) -> Floats:
        """[m, 2]: the weight of the known cases of each branch of the m nodes that are split."""
        if len(self.branches):
            return self.branches[split, :, 0]
        return np.asarray(stats[child[split][:, None] + BOTH, 0])


@frozen(eq=False)
class Finished:
    """Closed nodes: each root in its place, followed by what is below it.

    is_root      the node was open before, and has a number
    first_child  the position of a node's first child; 0 where it is a leaf
    """

    nodes: Nodes
    chosen: Chosen
    unknown: Int32s
    first_child: Ints
    is_root: Bools
    surrogates: Surrogates | None


@frozen(eq=False)
class Closing:
    """How nodes that are grown are closed, by a recipe's strategies."""

    choosing: Choosing
    sample: Sample
    vain: InVain | None

    def finished(self, grown: Grown, roots: Ints) -> Finished:
        """The nodes that the stop rules leave, closed."""
        nodes = self._nodes(grown)
        is_root = np.zeros(len(nodes), dtype=bool)
        is_root[roots] = True
        tested, child = grown.fact(layout.WHY) == layout.SPLIT, grown.fact(layout.CHILD)
        reason = self.choosing.stopped_before(nodes)
        reason[(reason == SPLIT) & ~tested] = NO_TEST
        self.choosing.judge(nodes, _found(grown, nodes, tested, child), reason)
        if self.vain is not None:
            reason[(reason == SPLIT) & self.vain.nodes(nodes)] = VAIN
        split = reason == SPLIT
        if np.count_nonzero(split != tested):
            kept = is_root.copy()
            keep_below.bound(True)(child, split, kept)
            grown, nodes = grown.only(kept), nodes.only(np.flatnonzero(kept))
            reason, split, is_root = reason[kept], split[kept], is_root[kept]
            child = (np.cumsum(kept) - 1)[child[kept]]
        first_child = np.where(split, child, 0)
        unknown = np.full(len(split), STAY, np.int32)
        unknown[split] = self._unknown(grown, nodes, split, first_child)
        chosen, surrogates = self._chosen(grown, split, reason), self._surrogates(grown, split)
        return Finished(nodes, chosen, unknown, first_child, is_root, surrogates)

    def _nodes(self, grown: Grown) -> Nodes:
        stats, rows = grown.stats, grown.fact(layout.ROWS)
        return Nodes(
            stats=stats,
            rows=rows,
            depth=grown.fact(layout.DEPTH),
            impurity=grown.figures[:, layout.IMPURITY],
            pure=is_pure(stats, rows, self.sample, True),
            columns_left=np.full(len(rows), self.sample.table.n_columns),
            sample=self.sample.stats,
        )

    def _chosen(self, grown: Grown, split: Bools, reason: Ints) -> Chosen:
        n, width = len(split), toward_width(self.choosing.parts.missing, self.sample.table)
        asked, below, above = grown.facts[split][:, :3].T
        row = self.sample.code_row[asked]
        column, n_operands = np.full(n, -1, np.int64), split.astype(np.int64)
        kind = np.where(split, CUTS, LEAF)
        column[split] = asked
        by_level = row < 0
        if by_level.any():
            at = np.flatnonzero(split)[by_level]
            kind[at], n_operands[at] = LEVELS, self.sample.n_levels[asked[by_level]]
            held = np.arange(grown.groups.shape[1]) < n_operands[at][:, None]
            start = (np.cumsum(n_operands) - n_operands)[split]
            operands = np.empty(int(n_operands.sum()))
            cut = ~by_level
            operands[start[cut]] = self._places(asked[cut], row[cut], below[cut], above[cut])
            operands[ranges(start[by_level], n_operands[at])] = grown.groups[at][held]
        else:
            operands = self._places(asked, row, below, above)
        return Chosen(
            column,
            kind,
            np.where(split, 2, 0),
            n_operands,
            operands,
            np.where(split, grown.score, -np.inf),
            reason,
            np.full((n, width), -1, np.int64),
        )

    def _surrogates(self, grown: Grown, split: Bools) -> Surrogates | None:
        """The tests that stand in for the nodes' own."""
        missing, sample = self.choosing.parts.missing, self.sample
        if not hasattr(missing, "surrogates") or not split.any():
            return None
        count = np.where(split, grown.fact(layout.STAND_INS), 0)
        held = np.arange(grown.stood.shape[1]) < count[:, None]
        column, below, above, flipped = grown.stood[held].T
        agreement, adjusted = grown.stood_figures[held].T
        row = sample.code_row[column]
        by_level = row < 0
        widths = np.where(by_level, sample.n_levels[column], 1)
        start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        operands = np.empty(int(start[-1]))
        cut = ~by_level
        low, high = self._neighbours(row[cut], below[cut], above[cut])
        operands[start[:-1][cut]] = missing.place(sample.table, column[cut], low, high)
        groups = grown.stood_groups[held][by_level]
        of_level = np.arange(groups.shape[1]) < widths[by_level][:, None]
        operands[ranges(start[:-1][by_level], widths[by_level])] = groups[of_level]
        return Surrogates(
            first=np.concatenate([[0], np.cumsum(count)]).astype(np.int64),
            column=column.astype(np.int32),
            kind=np.where(by_level, LEVELS, CUTS).astype(np.int8),
            start=start,
            operands=operands,
            flipped=flipped.astype(bool),
            agreement=agreement,
            adjusted=adjusted,
        )

    def _neighbours(self, row: Ints, below: Ints, above: Ints) -> tuple[Floats, Floats]:
        """The values of ranks."""
        begin = self.sample.offset[row]
        return self.sample.values[begin + below], self.sample.values[begin + above]

    def _places(self, asked: Ints, row: Ints, below: Ints, above: Ints) -> Floats:
        """Where columns are cut between values of these ranks."""
        low, high = self._neighbours(row, below, above)
        places = np.empty(len(asked))
        for number, (splitter, _) in enumerate(self.choosing.groups):
            here = self.group_of[asked] == number
            if here.any():
                places[here] = splitter.place(self.sample.table, asked[here], low[here], high[here])
        return places

    def _unknown(self, grown: Grown, nodes: Nodes, split: Bools, first_child: Ints) -> Int32s:
        """Where unknown values go in queries; the handler is asked."""
        missing, n = self.choosing.parts.missing, int(np.count_nonzero(split))
        owner = np.repeat(np.arange(n), 2)
        known = grown.known_weights(nodes.stats, split, first_child).ravel()
        if hasattr(missing, "query_destination"):
            rows = nodes.rows[(first_child[split][:, None] + BOTH).ravel()]
            return np.asarray(missing.query_destination(owner, known, rows, n), np.int32)
        return np.asarray(missing.destination(owner, known, n), np.int32)

    @cached_property
    def group_of(self) -> Ints:
        """For each column of the table, the number of the splitter that serves it."""
        group = np.empty(self.sample.table.n_columns, np.int64)
        for number, (_, columns) in enumerate(self.choosing.groups):
            group[columns] = number
        return group


def _found(grown: Grown, nodes: Nodes, tested: Bools, child: Ints) -> Found:
    """The tests, for the stop rules."""

    def branches() -> Floats:
        return grown.known_branches(nodes.stats, tested, child)

    return Found(
        score=np.where(tested, grown.score, -np.inf),
        tries=np.where(tested, grown.fact(layout.TRIES), 0),
        find_branches=branches,
    )


@kernel
def keep_below(child, split, kept):  # type: ignore[no-untyped-def]
    """Which nodes are below no leaf; a node comes before its children."""
    for i in range(child.shape[0]):
        if kept[i] and split[i]:
            kept[child[i]] = True
            kept[child[i] + 1] = True
