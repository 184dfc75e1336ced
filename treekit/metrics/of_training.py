"""What a tree tells of itself by the statistics of the rows that it was grown on."""

from __future__ import annotations

import math

import numpy as np

from treekit.table.record import Floats
from treekit.tree import Tree


def class_errors(stats: Floats) -> Floats:
    """The weight that does not belong to a node's greatest class."""
    return np.asarray(np.maximum(stats[:, 0] - stats[:, 1:].max(axis=1, initial=0.0), 0.0))


def squared_error(stats: Floats) -> Floats:
    """The sum of squares about a node's mean; 0 of an empty node."""
    weight = stats[:, 0]
    explained = np.divide(stats[:, 1] ** 2, weight, out=np.zeros_like(weight), where=weight > 0.0)
    return np.asarray(np.maximum(stats[:, 2] - explained, 0.0))


def stayed(tree: Tree, stats: Floats) -> Floats:
    """[n, S]: the statistics of the rows that went no further than each inner node."""
    rest = np.zeros_like(stats)
    some = tree.n_children > 0
    rest[some] = (stats - tree.sum_over_children(stats))[some]
    return rest


def stay_errors(tree: Tree) -> Floats:
    """The weight of the rows that go no further than an inner node, and are not of its class."""
    staying = stayed(tree, tree.stats)
    answer = tree.stats[:, 1:].argmax(axis=1)
    wrong = staying[:, 0] - staying[np.arange(tree.n_nodes), 1 + answer]
    return np.asarray(np.maximum(wrong, 0.0))


def description_length(tree: Tree, n_columns: int, alpha: float = 1.0) -> float:
    """The bits of a tree of classes and its training errors (Tan et al. 2006, section 4.4).

    Somebody who knows the columns but not the classes is sent the tree, then its errors. Of m
    columns, k classes and n rows, an inner node takes lg m bits, to name its column; a leaf takes
    ceil(lg k), to name its class; each row that is answered wrongly takes lg n, to name the row.
    Rows count by their weight. What a test says beyond its column (a cut, a grouping of levels)
    is sent for nothing. The bits of the tree count `alpha` times.
    """
    as_leaf, as_inner = description_bits(tree, n_columns, alpha)
    return float(np.where(tree.is_leaf, as_leaf, as_inner).sum())


def description_bits(tree: Tree, n_columns: int, alpha: float = 1.0) -> tuple[Floats, Floats]:
    """What each node takes: as a leaf, and as an inner node with the rows that stay there."""
    n_classes = tree.stats.shape[1] - 1
    per_leaf = alpha * (n_classes - 1).bit_length()
    per_inner = alpha * math.log2(max(n_columns, 1))
    per_error = math.log2(max(float(tree.weight[0]), 1.0))
    as_leaf = per_leaf + per_error * class_errors(tree.stats)
    return as_leaf, per_inner + per_error * stay_errors(tree)
