"""Quinlan's collapse: a subtree that errs no less than its root would as a leaf is useless."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Bools, PruningData, Tree, class_errors, rebuilt, stay_errors

from .bottom_up import judged
from .telling import tell

_SLACK = 0.001
_REASON = "pruned: the subtree makes no fewer training errors"


@frozen
class Collapse:
    """Make a leaf of each node whose subtree errs no less in training (C4.5 Release 8).

    C4.5 release 8 does so while it grows its "unpruned" tree: bottom-up, a node becomes a leaf
    when its children's errors sum to its own less 0.001, or more. The errors of a leaf are the
    weight outside its greatest class.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        return collapsed(tree, data)[0]


def collapsed(tree: Tree, data: PruningData) -> tuple[Tree, Bools]:
    """The tree without subtrees that make no fewer training errors than a leaf, and those nodes."""
    errors = class_errors(tree.stats)
    cut, as_tree = judged(tree, errors, stay_errors(tree), _SLACK)
    tell(tree, data, as_tree, errors, cut, "training errors")
    return rebuilt(tree, np.arange(tree.n_nodes), cut, _REASON), cut
