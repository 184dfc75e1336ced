"""Linear models of the nodes of a tree, each with as many terms as earn their place."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Bools, Floats, Int64s, Ints, Table, Term, Tree, asked_columns, visits

from .predictors import Predictor, predictors

# A predictor that the others explain but for this share is left out.
_DEPENDENT = 1e-6
# Errors are compared in units of the target's greatest deviation; less than this is rounding.
_NOISE = 1e-10
# What multiplies the error where there are no more cases than parameters (as Weka's M5P).
_HOPELESS = 10.0


@frozen(eq=False)
class LinearModel:
    """A node's model: constant and terms; `error` is its mean absolute residual."""

    constant: float
    terms: tuple[Term, ...]
    error: float


def columns_below(tree: Tree, n_columns: int) -> Bools:
    """[nodes, columns]: the columns that a node or its descendants test."""
    below = np.zeros((tree.n_nodes, n_columns), dtype=bool)
    asked = asked_columns(tree)
    below[asked.node, asked.column] = True
    starts = tree.level_starts
    for begin, end in zip(starts[-2:0:-1], starts[:1:-1], strict=True):
        np.logical_or.at(below, tree.parent[begin:end], below[begin:end])
    return below


def where_grown(tree: Tree, grown: Tree) -> Int64s:
    """For each node of a pruned tree, the node that stood in its place when it was grown.

    Below a subtree that was raised there is no such node: what it was raised to stands for all.
    """
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    if tree is grown:
        return np.arange(tree.n_nodes)
    for node in np.flatnonzero(tree.n_children):
        there = int(place[node])
        children = tree.children(int(node))
        same = (
            tree.column[node] == grown.column[there]
            and tree.n_children[node] == grown.n_children[there]
            and np.array_equal(tree.test_operands(int(node)), grown.test_operands(there))
        )
        place[children.start : children.stop] = grown.children(there) if same else there
    return place


def node_models(tree: Tree, table: Table, allowed: Bools) -> list[LinearModel]:
    """For each node, the linear model of the rows that reach it, on the columns allowed[node]."""
    return [
        linear_model(table, np.flatnonzero(allowed[node]), rows, weights)
        for node, rows, weights in visits(tree, table)
    ]


def linear_model(table: Table, columns: Ints, rows: Ints, weights: Floats) -> LinearModel:
    """The least-squares model of the weighted rows, simplified (Quinlan 1992).

    Terms are dropped one by one, that which costs the least squares first; of the models on the
    way, that of the least estimate is taken, the shortest of equals. A node without weight
    answers 0.
    """
    rows, weights = rows[weights > 0.0], weights[weights > 0.0]
    n = float(weights.sum())
    if not len(rows):
        return LinearModel(0.0, (), 0.0)
    y = table.y[rows]
    mean = float(weights @ (y / n))
    unit = float(np.abs(y - mean).max())
    if unit == 0.0:
        return LinearModel(mean, (), 0.0)
    deviation = (y - mean) / unit
    found = predictors(table, columns, rows, weights, deviation)
    kept, coefficients, residuals = _simplified(found, deviation, weights, n)
    terms = tuple(_scaled(found[i].term, unit * b) for i, b in zip(kept, coefficients, strict=True))
    if not all(np.isfinite(term.coefficients).all() for term in terms):
        terms, residuals = (), deviation
    error = unit * float(weights @ np.abs(residuals)) / n
    return LinearModel(mean, terms, error)


def penalty(n: float, v: int) -> float:
    """What an error on n training cases is multiplied by to tell that on unseen ones.

    v is the number of the model's parameters (Quinlan 1992).
    """
    return (n + v) / (n - v) if n > v else _HOPELESS


def _scaled(term: Term, by: float) -> Term:
    return Term(term.column, term.kind, term.coefficients * by, term.centre)


def _simplified(
    found: list[Predictor], y: Floats, weights: Floats, n: float
) -> tuple[Ints, Floats, Floats]:
    """Which predictors stay, their coefficients, and the residuals."""
    most = int(min(len(found), np.ceil(n) - 2.0))
    if most < 1:
        return np.empty(0, np.int64), np.empty(0), y
    from scipy.linalg import qr

    design = np.column_stack([p.values for p in found])
    root = np.sqrt(weights)
    q, upper, order = qr(design * root[:, None], mode="economic", pivoting=True)
    strength = np.abs(np.diag(upper))
    rank = min(int((strength > _DEPENDENT * strength[0]).sum()), most)
    r, pivots = np.asarray(upper[:rank, :rank], np.float64), order[:rank].astype(np.int64)
    target = np.asarray(q[:, :rank].T @ (root * y), np.float64)
    chosen = _best_on_the_way(r, target, design[:, pivots], y, weights, n)
    coefficients = np.asarray(np.linalg.lstsq(r[:, chosen], target, rcond=None)[0], np.float64)
    kept = pivots[chosen]
    return kept, coefficients, y - design[:, kept] @ coefficients


def _best_on_the_way(
    r: Floats, target: Floats, design: Floats, y: Floats, weights: Floats, n: float
) -> Ints:
    """The terms of the best model on the way from all terms to none.

    (Without a term, the squares grow by its coefficient squared over its entry on the diagonal of
    the inverse of the normal equations' matrix; the rest follows by elimination.)
    """
    half = np.linalg.solve(r, np.eye(len(r)))
    inverse, coefficients = half @ half.T, half @ target
    left = np.arange(len(r))
    sets, estimates = [], []
    while True:
        residuals = y - design[:, left] @ coefficients
        sets.append(left)
        estimates.append(float(weights @ np.abs(residuals)) / n * penalty(n, 1 + len(left)))
        if not len(left):
            break
        diagonal = np.diag(inverse)
        out = int(np.argmin(coefficients**2 / diagonal))
        stay = np.arange(len(left)) != out
        column = inverse[stay, out]
        coefficients = coefficients[stay] - column * coefficients[out] / diagonal[out]
        inverse = inverse[np.ix_(stay, stay)] - np.outer(column, column) / diagonal[out]
        left = left[stay]
    good = np.array(estimates) <= min(estimates) + _NOISE
    return np.asarray(sets[int(np.flatnonzero(good)[-1])], dtype=np.int64)
