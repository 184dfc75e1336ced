"""What becomes of nodes that kernels grew below others: the stop rules are asked, and they close.

A node that a stop rule makes a leaf loses what was grown below it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import frozen

from treekit.compiling import kernel
from treekit.engine import subtrees
from treekit.engine.choosing import NO_TEST, Choosing
from treekit.engine.chosen import SPLIT, Chosen
from treekit.engine.joining import toward_width
from treekit.engine.sample import Sample, is_pure
from treekit.offers import Found, Nodes
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import CUTS, LEAF, STAY, Int32s


@frozen(eq=False)
class Grown:
    """Nodes as `engine.subtrees` has them."""

    facts: Ints
    figures: Floats

    def fact(self, number: int) -> Ints:
        return np.ascontiguousarray(self.facts[:, number])

    @property
    def score(self) -> Floats:
        return self.figures[:, subtrees.SCORE]

    @property
    def stats(self) -> Floats:
        return np.ascontiguousarray(self.figures[:, subtrees.STATS :])

    def only(self, kept: Bools) -> Grown:
        return Grown(self.facts[kept], self.figures[kept])


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


@frozen(eq=False)
class Closing:
    """How nodes that are grown are closed, by a recipe's strategies."""

    choosing: Choosing
    sample: Sample

    def finished(self, grown: Grown, roots: Ints) -> Finished:
        """The nodes that the stop rules leave, closed."""
        nodes = self._nodes(grown)
        is_root = np.zeros(len(nodes), dtype=bool)
        is_root[roots] = True
        tested, child = grown.fact(subtrees.WHY) == subtrees.SPLIT, grown.fact(subtrees.CHILD)
        reason = self.choosing.stopped_before(nodes)
        reason[(reason == SPLIT) & ~tested] = NO_TEST
        self.choosing.judge(nodes, _found(grown, nodes, tested, child), reason)
        split = reason == SPLIT
        if np.count_nonzero(split != tested):
            kept = is_root.copy()
            keep_below.bound(True)(child, split, kept)
            grown, nodes = grown.only(kept), nodes.only(np.flatnonzero(kept))
            reason, split, is_root = reason[kept], split[kept], is_root[kept]
            child = (np.cumsum(kept) - 1)[child[kept]]
        first_child = np.where(split, child, 0)
        unknown = np.full(len(split), STAY, np.int32)
        unknown[split] = self._unknown(nodes, first_child[split])
        return Finished(nodes, self._chosen(grown, split, reason), unknown, first_child, is_root)

    def _nodes(self, grown: Grown) -> Nodes:
        stats, rows = grown.stats, grown.fact(subtrees.ROWS)
        return Nodes(
            stats=stats,
            rows=rows,
            depth=grown.fact(subtrees.DEPTH),
            impurity=grown.figures[:, subtrees.IMPURITY],
            pure=is_pure(stats, rows, self.sample, True),
            columns_left=np.full(len(rows), self.sample.table.n_columns),
            sample=self.sample.stats,
        )

    def _chosen(self, grown: Grown, split: Bools, reason: Ints) -> Chosen:
        n, width = len(split), toward_width(self.choosing.parts.missing, self.sample.table)
        which, below, above = grown.facts[split][:, :3].T
        asked = self.sample.ranked.columns[which]
        begin = self.sample.offset[which]
        low, high = self.sample.values[begin + below], self.sample.values[begin + above]
        operands = np.empty(len(which))
        for number, (splitter, _) in enumerate(self.choosing.groups):
            here = self.group_of[asked] == number
            operands[here] = splitter.place(self.sample.table, asked[here], low[here], high[here])
        column = np.full(n, -1, np.int64)
        column[split] = asked
        return Chosen(
            column,
            np.where(split, CUTS, LEAF),
            np.where(split, 2, 0),
            split.astype(np.int64),
            operands,
            np.where(split, grown.score, -np.inf),
            reason,
            np.full((n, width), -1, np.int64),
        )

    def _unknown(self, nodes: Nodes, first_child: Ints) -> Int32s:
        """Where unknown values go in queries; the handler is asked."""
        missing, n = self.choosing.parts.missing, len(first_child)
        children = (first_child[:, None] + np.arange(2)).ravel()
        owner, weight = np.repeat(np.arange(n), 2), nodes.weight[children]
        if hasattr(missing, "query_destination"):
            rows = nodes.rows[children]
            return np.asarray(missing.query_destination(owner, weight, rows, n), np.int32)
        return np.asarray(missing.destination(owner, weight, n), np.int32)

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
        return np.asarray(nodes.stats[child[:, None] + np.where(tested[:, None], [0, 1], 0)])

    return Found(
        score=np.where(tested, grown.score, -np.inf),
        tries=np.where(tested, grown.fact(subtrees.TRIES), 0),
        find_branches=branches,
    )


@kernel
def keep_below(child, split, kept):  # type: ignore[no-untyped-def]
    """Which nodes are below no leaf; a node comes before its children."""
    for i in range(child.shape[0]):
        if kept[i] and split[i]:
            kept[child[i]] = True
            kept[child[i] + 1] = True
