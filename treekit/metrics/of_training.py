"""What a tree tells of itself by the statistics of the rows that it was grown on."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from treekit.linear import asked_columns
from treekit.table.record import Floats
from treekit.tree import Tree

# How precisely numbers are told, as a share of their standard deviation.
PRECISION: Final = 0.01


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
    columns, k classes and n rows, an inner node takes lg m bits to name its column, or each of
    several; a leaf takes ceil(lg k), to name its class; each row that is answered wrongly takes
    lg n, to name the row. Rows count by their weight. What a test says beyond its columns (a cut,
    a grouping of levels, coefficients) is sent for nothing. The bits of the tree count `alpha`
    times.
    """
    as_leaf, as_inner = description_bits(tree, n_columns, alpha)
    return float(np.where(tree.is_leaf, as_leaf, as_inner).sum())


def description_bits(tree: Tree, n_columns: int, alpha: float = 1.0) -> tuple[Floats, Floats]:
    """What each node takes: as a leaf, and as an inner node with the rows that stay there."""
    n_classes = tree.stats.shape[1] - 1
    per_leaf = alpha * (n_classes - 1).bit_length()
    per_inner = alpha * bits_of_tests(tree, n_columns)
    per_error = math.log2(max(float(tree.weight[0]), 1.0))
    as_leaf = per_leaf + per_error * class_errors(tree.stats)
    return as_leaf, per_inner + per_error * stay_errors(tree)


def bits_of_tests(tree: Tree, n_columns: int) -> Floats:
    """[nodes]: lg m bits for each of the m columns that a node's test names; one at least."""
    named = np.bincount(asked_columns(tree).node, minlength=tree.n_nodes)
    return np.asarray(np.maximum(named, 1) * math.log2(max(n_columns, 1)))


def description_length_of_numbers(tree: Tree, n_columns: int) -> float:
    """The bits of a tree of numbers and what it leaves unexplained in training (Rissanen 1978).

    Of m columns and n rows by weight, an inner node takes lg m bits to name its column, or each of
    several; each mean of a leaf, and the variance that they share, takes 0.5 lg n; the distances
    of the rows from their means are sent by the code of a normal distribution, told to PRECISION
    of the target's standard deviation. A target that does not vary takes no bits beyond the tree's.
    """
    n = max(float(tree.weight[0]), 1.0)
    left = np.where(tree.is_leaf, squared_error(tree.stats), _stay_squares(tree)).sum() / n
    whole = float(squared_error(tree.stats[:1])[0]) / n
    tests = float(bits_of_tests(tree, n_columns)[~tree.is_leaf].sum())
    bits = tests + 0.5 * (tree.n_leaves + 1) * math.log2(n)
    if whole <= 0.0:
        return bits
    step = PRECISION**2
    # Rounding to a step adds its variance, a twelfth of its square.
    return bits + 0.5 * n * math.log2(2 * math.pi * math.e * (left / whole + step / 12) / step)


def _stay_squares(tree: Tree) -> Floats:
    """The squares of the rows that go no further than an inner node, about its mean."""
    weight, total, squares = stayed(tree, tree.stats).T
    nodes = tree.weight
    mean = np.divide(tree.stats[:, 1], nodes, out=np.zeros_like(nodes), where=nodes > 0.0)
    return np.asarray(np.maximum(squares - 2.0 * mean * total + mean**2 * weight, 0.0))
