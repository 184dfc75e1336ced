"""Minimum description length: a subtree must save more bits than it takes to write down."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, instance_of, lt

from treekit import PruningData, Tree, description_bits

from .telling import cut_back

_REASON = "pruned: with the subtree, tree and errors take no fewer bits to describe"
_NOISE = 1e-12


@frozen
class Mdl:
    """Prune to the least description length of tree and errors (Tan et al. 2006, section 4.4).

    The code lengths are those of Tan, Steinbach and Kumar: `treekit.description_length`. Of m
    columns, k classes and n rows, an inner node takes lg m bits, a leaf ceil(lg k), and each row
    that is answered wrongly lg n. Bottom-up, a node becomes a leaf where that takes no more bits.

    alpha  what a bit of the tree counts against a bit of the errors; 0 prunes only what saves no
           error
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    alpha: float = field(
        default=1.0, validator=and_(instance_of((int, float)), ge(0.0), lt(math.inf))
    )

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        ends, inner = description_bits(tree, data.table.n_columns, self.alpha)
        slack = _NOISE * float(ends[0] + np.where(tree.is_leaf, ends, inner).sum())
        return cut_back(tree, data, ends, inner, slack, "bits of tree and errors", _REASON)
