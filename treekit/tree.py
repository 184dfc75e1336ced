"""The Tree: nodes as arrays, level by level, the children of a node side by side.

A node's test is of one of three kinds. CUTS: ascending numbers, and the branch is how many of them
lie below the value (so one cut sends `value <= cut` to branch 0). LEVELS: the branch of each
level, or NOWHERE for a level the test was never taught. LINEAR: a cut of the sum of several numeric
or ordinal columns (a level counts by its place, from 0), each times a coefficient; `treekit.linear`
says how it is kept. The sum is unknown where a value of one of its columns is.

An unknown value, and a level that leads NOWHERE, goes where `unknown` says: to a child, over all
children by their weight (SPREAD), no further (STAY), or it is an error (REFUSE).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from treekit.table.record import Bools, Floats

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Int8s = npt.NDArray[np.int8]

LEAF: Final = 0
CUTS: Final = 1
LEVELS: Final = 2
LINEAR: Final = 3

TERM: Final = 3  # numbers that a LINEAR test keeps for each of its columns

SIGN: Final = np.dtype([("cut", np.float64), ("column", np.uint32), ("first", np.uint32)])

NOWHERE: Final = -1
SPREAD: Final = -1
STAY: Final = -2
REFUSE: Final = -3


@frozen(eq=False)
class Surrogates:
    """Tests that stand in for a node's own when its value is unknown, the best first.

    Those of node i are first[i] .. first[i + 1] - 1. Each sends rows to the two branches of the
    node's own test (Breiman et al. 1984, section 5.3).

    first      [nodes + 1]
    column     the column tested
    kind       CUTS or LEVELS
    start      operands[start[j]:start[j + 1]] are surrogate j's, as a Tree keeps them
    flipped    the branch is 1 where the test says 0, and 0 where it says 1
    agreement  the share of the weight that it sends where the node's own test does
    adjusted   what it gains over the greater branch alone, 1 at best
    asked      are rows sent by them? Otherwise they are there to be looked at
    """

    first: Int64s
    column: Int32s
    kind: Int8s
    start: Int64s
    operands: Floats
    flipped: Bools
    agreement: Floats
    adjusted: Floats
    asked: bool = True

    def __len__(self) -> int:
        return len(self.column)


def no_surrogates(n_nodes: int) -> Surrogates:
    """None for any of n nodes."""
    return Surrogates(
        first=np.zeros(n_nodes + 1, np.int64),
        column=np.empty(0, np.int32),
        kind=np.empty(0, np.int8),
        start=np.zeros(1, np.int64),
        operands=np.empty(0),
        flipped=np.empty(0, bool),
        agreement=np.empty(0),
        adjusted=np.empty(0),
    )


def end_to_end(parts: Sequence[Surrogates]) -> Surrogates:
    """The surrogates of several lists of nodes as one list."""

    def bounds(name: str) -> Int64s:
        sizes = [np.diff(getattr(part, name)) for part in parts]
        return np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64)

    def one(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Surrogates(
        first=bounds("first"),
        column=one("column"),
        kind=one("kind"),
        start=bounds("start"),
        operands=one("operands"),
        flipped=one("flipped"),
        agreement=one("agreement"),
        adjusted=one("adjusted"),
        asked=all(part.asked for part in parts),
    )


@frozen(eq=False)
class Tree:
    """Node 0 is the root. Every array has one entry per node; `operands` is flat.

    kind         LEAF, CUTS, LEVELS or LINEAR
    column       the column tested, -1 at a leaf; of LINEAR, the one that weighs most
    first_child  the children are first_child .. first_child + n_children - 1
    n_children   0 at a leaf
    start        operands[start[i]:start[i + 1]] are node i's cuts, or the branch of each level, or
                 what `treekit.linear` says
    unknown      a child's number within the node, or SPREAD, STAY, REFUSE
    stats        [n, S] statistics: total weight first, then class weights or sums of y and y*y
    rows         training rows that reached the node, whatever their weights
    score        the criterion's score of the node's test, NaN at a leaf
    reason       at a leaf, an index into `reasons`: why growth stopped here; -1 elsewhere
    centre       what was taken from y before it was summed (regression; else 0)
    surrogates   tests for rows whose value is unknown; None: the tree has none
    """

    kind: Int8s
    column: Int32s
    first_child: Int32s
    n_children: Int32s
    start: Int64s
    operands: Floats
    unknown: Int32s
    stats: Floats
    rows: Int64s
    score: Floats
    reason: Int32s
    reasons: tuple[str, ...] = ()
    centre: float = 0.0
    surrogates: Surrogates | None = None

    @property
    def n_nodes(self) -> int:
        return len(self.kind)

    @cached_property
    def weight(self) -> Floats:
        return np.ascontiguousarray(self.stats[:, 0])

    @property
    def is_leaf(self) -> Bools:
        return np.asarray(self.kind == LEAF)

    @property
    def is_single_cut(self) -> Bools:
        return np.asarray((self.kind == CUTS) & (np.diff(self.start) == 1))

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @cached_property
    def parent(self) -> Int32s:
        """Each node's parent; -1 at the root."""
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        inner = np.flatnonzero(self.n_children)
        owner = np.repeat(inner, self.n_children[inner])
        parent[ranges(self.first_child[inner], self.n_children[inner])] = owner
        return parent

    @cached_property
    def level_starts(self) -> Int64s:
        """Where each level begins in the node order, and where the last one ends."""
        starts = [0, 1]
        while starts[-1] < self.n_nodes:
            level = slice(starts[-2], starts[-1])
            starts.append(starts[-1] + int(self.n_children[level].sum()))
        return np.array(starts, dtype=np.int64)

    @cached_property
    def depth_of(self) -> Int32s:
        """Each node's depth; 0 at the root."""
        sizes = np.diff(self.level_starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @cached_property
    def signs(self) -> npt.NDArray[np.void]:
        """What most steps down the tree need, side by side: `cut`, `column` and `first` child.

        That is of nodes with a single cut. The others, leaves or not, are their own `first`, and
        have the column of the root, which every row was asked. Empty if no node has a single cut.
        """
        single = self.is_single_cut
        if not single.any():
            return np.empty(0, SIGN)
        signs = np.empty(self.n_nodes, SIGN)
        signs["cut"] = np.inf
        signs["cut"][single] = self.operands[self.start[:-1][single]]
        signs["column"] = np.where(single, self.column, self.column[0])
        signs["first"] = np.where(single, self.first_child, np.arange(self.n_nodes))
        return signs

    @cached_property
    def only_single_cuts(self) -> bool:
        """Is there no other test?"""
        return bool((self.is_single_cut | self.is_leaf).all())

    @cached_property
    def straight(self) -> int:
        """How many steps from the root lead a third of the training rows or more by single cuts."""
        single_cut = np.where(self.is_single_cut, self.rows, 0)
        led = np.add.reduceat(single_cut, self.level_starts[:-1])
        few = 3 * led <= self.rows[0]  # there is one: the last level is leaves
        return int(few.argmax())

    @cached_property
    def cut_columns(self) -> Int64s:
        """The columns that single cuts are asked of, in ascending order."""
        return np.flatnonzero(np.bincount(self.signs["column"]))

    @property
    def depth(self) -> int:
        return int(self.depth_of[-1])

    def children(self, node: int) -> range:
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def test_operands(self, node: int) -> Floats:
        return self.operands[self.start[node] : self.start[node + 1]]

    def sum_over_children(self, values: Floats) -> Floats:
        """For each node, the sum of `values` over its children (0 at a leaf)."""
        totals = np.zeros_like(values)
        np.add.at(totals, self.parent[1:], values[1:])
        return totals


def ranges(starts: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> Int64s:
    """starts[0] .. starts[0] + lengths[0] - 1, then the same for the next, end to end."""
    lengths = lengths.astype(np.int64)
    ends = np.cumsum(lengths)
    offsets = np.repeat(starts.astype(np.int64) - (ends - lengths), lengths)
    return np.asarray(np.arange(int(lengths.sum()), dtype=np.int64) + offsets)


def single_leaf(stats: Floats, rows: int, reason: str, centre: float = 0.0) -> Tree:
    """A tree of one node."""
    return Tree(
        kind=np.zeros(1, np.int8),
        column=np.full(1, -1, np.int32),
        first_child=np.zeros(1, np.int32),
        n_children=np.zeros(1, np.int32),
        start=np.zeros(2, np.int64),
        operands=np.empty(0),
        unknown=np.full(1, STAY, np.int32),
        stats=np.asarray(stats, dtype=np.float64).reshape(1, -1),
        rows=np.array([rows], np.int64),
        score=np.full(1, np.nan),
        reason=np.zeros(1, np.int32),
        reasons=(reason,),
        centre=centre,
    )


def rebuilt(tree: Tree, stands_for: Int64s, as_leaf: Bools, reason: str) -> Tree:
    """The tree after pruning: `as_leaf` nodes lose their subtrees, saying `reason`.

    `stands_for[i]` is the node whose subtree takes node i's place (i itself unless a subtree was
    raised). Nodes are numbered anew, level by level.
    """
    order: list[Int64s] = []
    counts: list[Int32s] = []
    level = stands_for[:1].astype(np.int64)
    while len(level):
        order.append(level)
        n_children = np.where(as_leaf[level], 0, tree.n_children[level]).astype(np.int32)
        counts.append(n_children)
        level = stands_for[ranges(tree.first_child[level], n_children)].astype(np.int64)
    old = np.concatenate(order)
    n_children = np.concatenate(counts)
    inner = n_children > 0
    first = 1 + np.cumsum(n_children, dtype=np.int64) - n_children
    lengths = np.where(inner, np.diff(tree.start)[old], 0)
    start = np.zeros(len(old) + 1, np.int64)
    np.cumsum(lengths, out=start[1:])
    cut_back = as_leaf[old] & ~tree.is_leaf[old]
    reasons = tree.reasons
    if cut_back.any() and reason not in reasons:
        reasons = (*reasons, reason)
    return evolve(
        tree,
        kind=np.where(inner, tree.kind[old], LEAF).astype(np.int8),
        column=np.where(inner, tree.column[old], -1).astype(np.int32),
        first_child=np.where(inner, first, 0).astype(np.int32),
        n_children=n_children,
        start=start,
        operands=tree.operands[ranges(tree.start[old], lengths)],
        unknown=np.where(inner, tree.unknown[old], STAY).astype(np.int32),
        stats=tree.stats[old],
        rows=tree.rows[old],
        score=np.where(inner, tree.score[old], np.nan),
        reason=np.where(
            cut_back, reasons.index(reason) if cut_back.any() else -1, tree.reason[old]
        ).astype(np.int32),
        reasons=reasons,
        surrogates=None if tree.surrogates is None else arranged(tree.surrogates, old, inner),
    )


def arranged(surrogates: Surrogates, old: Int64s, inner: Bools) -> Surrogates:
    """The surrogates of these nodes, in this order; none of a node that is not `inner` now."""
    count = np.where(inner, np.diff(surrogates.first)[old], 0)
    which = ranges(surrogates.first[old], count)
    lengths = np.diff(surrogates.start)[which]
    return evolve(
        surrogates,
        first=np.concatenate([[0], np.cumsum(count)]).astype(np.int64),
        column=surrogates.column[which],
        kind=surrogates.kind[which],
        start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        operands=surrogates.operands[ranges(surrogates.start[which], lengths)],
        flipped=surrogates.flipped[which],
        agreement=surrogates.agreement[which],
        adjusted=surrogates.adjusted[which],
    )
