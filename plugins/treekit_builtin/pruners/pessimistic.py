"""Pessimistic pruning: training errors, and something on top for every leaf."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, in_, instance_of, lt

from treekit import SMALL, Floats, PruningData, Tree, class_errors, kernel, rebuilt, stay_errors

from .bottom_up import summed_upward
from .telling import not_below, tell

_REASON = "pruned: with a penalty for each leaf, the subtree makes no fewer errors"
_NOISE = 1e-12

_share = and_(instance_of((int, float)), ge(0.0), lt(math.inf))


@frozen
class Pessimistic:
    """Make a leaf of each subtree whose corrected errors are no fewer (Quinlan 1987, section 2.3).

    The corrected errors of a subtree are its training errors and `penalty` for each of its leaves,
    empty ones too; of a node as a leaf, its own errors and one `penalty`. A subtree is kept only
    if its corrected errors, and `standard_errors` of them, are fewer than the leaf's. The standard
    error of e errors among n rows is sqrt(e (n - e) / n). Quinlan's own form is
    `standard_errors = 1` and `order = "top_down"`.

    penalty          added to the training errors for each leaf
    standard_errors  how many of them are added to a subtree's errors
    order            "bottom_up" judges a subtree when those below it have been pruned; "top_down"
                     as it was grown, and nothing below a pruned node is looked at
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    penalty: float = field(default=0.5, validator=_share)
    standard_errors: float = field(default=0.0, validator=_share)
    order: Literal["bottom_up", "top_down"] = field(
        default="bottom_up", validator=in_(("bottom_up", "top_down"))
    )

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        as_leaf_errors = class_errors(tree.stats) + self.penalty
        below = stay_errors(tree)
        as_tree_errors = np.zeros(tree.n_nodes)
        as_leaf = np.zeros(tree.n_nodes, dtype=bool)
        _judge.bound(tree.n_nodes > SMALL)(
            tree.parent, tree.n_children, np.ascontiguousarray(tree.weight), as_leaf_errors, below,
            float(self.standard_errors), self.order == "bottom_up", _NOISE * float(tree.weight[0]),
            as_tree_errors, as_leaf,
        )  # fmt: skip
        looked_at = not_below(tree, as_leaf) if self.order == "top_down" else None
        tell(tree, data, as_tree_errors, as_leaf_errors, as_leaf, "corrected errors", looked_at)
        return rebuilt(tree, np.arange(tree.n_nodes), as_leaf, _REASON)


def pessimistic_errors(tree: Tree, penalty: float = 0.5) -> Floats:
    """Each node's corrected errors, of its subtree as it stands: what `Pessimistic` compares."""
    at_leaf = class_errors(tree.stats) + penalty
    ending = np.where(tree.is_leaf, at_leaf, stay_errors(tree))
    return summed_upward(tree, ending[:, None])[:, 0]


@kernel
def _judge(  # type: ignore[no-untyped-def]
    parent, n_children, weight, as_leaf_errors, below, standard_errors, bottom_up, slack,
    as_tree_errors, as_leaf,
):  # fmt: skip
    for node in range(parent.shape[0] - 1, -1, -1):
        errors = as_leaf_errors[node]
        if n_children[node] > 0:
            grown = below[node]
            variance = grown * (weight[node] - grown) / weight[node] if weight[node] > 0.0 else 0.0
            margin = standard_errors * math.sqrt(max(variance, 0.0))
            as_tree_errors[node] = grown + margin
            as_leaf[node] = errors <= grown + margin + slack
            if not (as_leaf[node] and bottom_up):
                errors = grown
        if node > 0:
            below[parent[node]] += errors
