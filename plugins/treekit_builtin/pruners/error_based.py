"""Error-based pruning, as C4.5 release 8 does it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, gt, instance_of, le

from treekit import SMALL, Decisions, Floats, Ints, PruningData, Table, Tree, rebuilt

from .collapse import collapsed
from .estimates import squared_deviate
from .impossible import without_impossible_levels
from .raising import AS_LEAF, BRANCH, SLACK, SUBTREE, decide
from .telling import not_below

_REASON = "pruned: a leaf is expected to err no more than the subtree"


@frozen
class ErrorBased:
    """Replace a subtree by a leaf or its largest branch where that errs less (Quinlan 1993, 4.2).

    Quinlan 1993, section 4.2, with the arithmetic and the order of release 8: one pass bottom-up,
    in which the training cases are dealt out anew. A node becomes a leaf if the leaf's estimate
    is at most 0.1 above its subtree's and above what its largest branch (the last one on ties)
    would be given all the node's cases. Else that branch takes the node's place if its estimate
    is at most 0.1 above the subtree's; it is then pruned again with all those cases. Branches
    that no case reaches are left alone. At last, levels that cannot get as far as a test of groups
    are taken from its last branch.

    confidence      C4.5's -c as a share: the lower, the more is pruned
    raise_subtrees  whether a largest branch may take its node's place
    collapse        whether useless subtrees are collapsed first, as C4.5 does
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    confidence: float = field(
        default=0.25, validator=and_(instance_of((int, float)), gt(0.0), le(1.0))
    )
    raise_subtrees: bool = field(default=True, validator=instance_of(bool))
    collapse: bool = field(default=True, validator=instance_of(bool))

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        start, numbers = tree, np.arange(tree.n_nodes)
        if self.collapse:
            start, cut = collapsed(tree, data)
            numbers = np.flatnonzero(not_below(tree, cut))
        told = np.full((start.n_nodes, 3), np.nan)
        pruned = _pruned(start, data.table, self.confidence, self.raise_subtrees, told)
        _tell(data, numbers, told)
        return pruned


def _tell(data: PruningData, numbers: Ints, told: Floats) -> None:
    """Tell the estimates of the nodes that were decided about; `numbers` are those as grown."""
    decided = np.flatnonzero(~np.isnan(told[:, SUBTREE]))
    if len(decided):
        tree, leaf, raised = (told[decided, e] for e in (SUBTREE, AS_LEAF, BRANCH))
        cut = (leaf <= raised + SLACK) & (leaf <= tree + SLACK)
        replaced = ~cut & (raised <= tree + SLACK)
        raised = np.where(np.isfinite(raised), raised, np.nan)
        measure = "estimated errors"
        data.tell(Decisions(numbers[decided], tree, leaf, cut, measure, raised, replaced))


def _pruned(
    tree: Tree, table: Table, confidence: float, raise_subtrees: bool, told: Floats
) -> Tree:
    stats, rows = tree.stats.copy(), tree.rows.copy()
    stands_for = np.arange(tree.n_nodes, dtype=np.int64)
    as_leaf = tree.is_leaf.copy()
    decide.bound(table.n_rows * (tree.depth + 1) > SMALL)(
        tree.kind, tree.column, tree.first_child, tree.n_children, tree.start, tree.operands,
        tree.unknown, tree.depth, table.cells, table.y.astype(np.int64), table.weights,
        float(confidence), squared_deviate(confidence), raise_subtrees,
        stats, rows, stands_for, as_leaf, told,
    )  # fmt: skip
    recounted = evolve(tree, stats=stats, rows=rows)
    pruned = rebuilt(recounted, stands_for, as_leaf, _REASON)
    return without_impossible_levels(pruned)
