"""Minimum description length: a subtree must save more bits than it takes to write down."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, instance_of, lt

from treekit import Floats, PruningData, Tree

from .bottom_up import class_errors, stay_errors
from .telling import cut_back

_REASON = "pruned: with the subtree, tree and errors take no fewer bits to describe"
_NOISE = 1e-12


@frozen
class Mdl:
    """Prune to the least description length of tree and errors (Tan et al. 2006, section 4.4).

    The code lengths are those of Tan, Steinbach and Kumar. Somebody who knows the columns but not
    the classes is sent the tree, then its errors. Of m columns, k classes and n rows, an inner
    node takes lg m bits, to name its column; a leaf takes ceil(lg k), to name its class; each row
    that is answered wrongly takes lg n, to name the row. Rows count by their weight. What a test
    says beyond its column (a cut, a grouping of levels) is sent for nothing. Bottom-up, a node
    becomes a leaf where that takes no more bits.

    alpha  what a bit of the tree counts against a bit of the errors; 0 prunes only what saves no
           error
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    alpha: float = field(
        default=1.0, validator=and_(instance_of((int, float)), ge(0.0), lt(math.inf))
    )

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        ends, inner = _bits(tree, data.table.n_columns, self.alpha)
        slack = _NOISE * float(ends[0] + np.where(tree.is_leaf, ends, inner).sum())
        return cut_back(tree, data, ends, inner, slack, "bits of tree and errors", _REASON)


def description_length(tree: Tree, n_columns: int, alpha: float = 1.0) -> float:
    """The bits that a tree over `n_columns` columns and its training errors take, as `Mdl` counts.

    `alpha` times the bits of the tree, and the bits of the errors.
    """
    ends, inner = _bits(tree, n_columns, alpha)
    return float(np.where(tree.is_leaf, ends, inner).sum())


def _bits(tree: Tree, n_columns: int, alpha: float) -> tuple[Floats, Floats]:
    """What each node takes: as a leaf, and as an inner node with the rows that stay there."""
    n_classes = tree.stats.shape[1] - 1
    per_leaf = alpha * (n_classes - 1).bit_length()
    per_inner = alpha * math.log2(max(n_columns, 1))
    per_error = math.log2(max(float(tree.weight[0]), 1.0))
    ends = per_leaf + per_error * class_errors(tree.stats)
    return ends, per_inner + per_error * stay_errors(tree)
