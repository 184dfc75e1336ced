"""Cross-validation of the subtrees that a pruner chooses from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import evolve, frozen

from treekit import DataError, Floats, Ints, Problem, PruningData, Table, Tree, answer_costs, ends
from treekit_builtin.labels.nodes import who_answers


@frozen(eq=False)
class HeldOut:
    """What the subtrees get wrong of rows that growth did not see, in sum, for each alpha.

    standard_error  of the sum, as if every unit of weight were a row of its own
    """

    error: Floats
    standard_error: Floats


def held_out_errors(
    data: PruningData, folds: Ints, collapse: Callable[[Tree], Floats], alphas: Floats
) -> HeldOut:
    """Leave out one fold after the other, grow on the rest, and ask the subtree of each alpha.

    collapse  for each node of a tree, in units of risk: the alpha from which on it is a leaf; no
              greater than its parent's
    alphas    descending, in units of the whole table's risk. A fold's tree is smaller by the share
              of the weight that is left out, and so are its alphas (as rpart does)

    A row that is spread over several nodes is wrong in each by its share.
    """
    table = data.table
    total, squares = np.zeros(len(alphas)), np.zeros(len(alphas))
    for fold in range(int(folds.max()) + 1):
        training, held_out = table.take(folds != fold), table.take(folds == fold)
        training = evolve(training, origin=table)
        share = training.weights.sum() / table.weights.sum()
        if not share > 0.0:
            what = "all the weight lies in one fold, so that nothing is left to grow on"
            raise DataError(Problem(what, table.source, "ask for other folds"))
        tree = data.grow(training)
        errors = _errors_by_alpha(tree, collapse(tree), alphas * share, held_out, data)
        total += errors[0]
        squares += errors[1]
    weight = _plain_weights(table, data).sum()
    return HeldOut(total, np.sqrt(np.maximum(squares - total**2 / weight, 0.0)))


def _errors_by_alpha(
    tree: Tree, collapse: Floats, alphas: Floats, held_out: Table, data: PruningData
) -> Floats:
    """[2, alphas]: the sum of the rows' errors, and that of their squares.

    From where a row ends in the whole tree it climbs to the nodes that answer it for greater and
    greater alphas. So a row takes as many steps as the tree is deep, however many alphas there are.
    """
    # Node i is reached by the alphas numbered `reached[i]` and more: those that leave its parent.
    gone = np.searchsorted(-alphas, -np.where(tree.is_leaf, np.inf, collapse), side="right")
    reached = np.where(tree.parent >= 0, gone[tree.parent], 0)
    weights = _plain_weights(held_out, data)
    found = ends(tree, held_out)
    node, row, share = found.node, found.row, found.share
    until = np.full(len(node), len(alphas))
    change = np.zeros((2, len(alphas) + 1))
    while len(node):
        error = _errors(tree, node, held_out, row, data)
        amounts = weights[row] * share * np.stack([error, error**2])
        since = reached[node]
        for one, amount in zip(change, amounts, strict=True):
            one += np.bincount(since, amount, len(one)) - np.bincount(until, amount, len(one))
        above = since > 0
        node = tree.parent[node][above].astype(np.int64)
        row, share, until = row[above], share[above], since[above]
    return np.asarray(np.cumsum(change, axis=1)[:, :-1])


def _errors(tree: Tree, node: Ints, table: Table, row: Ints, data: PruningData) -> Floats:
    """What each node gets wrong of the row beside it, for a unit of the row's plain weight."""
    stats = tree.stats[who_answers(tree)]
    if table.task == "regression":
        mean = stats[:, 1] / stats[:, 0] + tree.centre
        return np.asarray((table.y[row] - mean[node]) ** 2)
    answer = answer_costs(stats, data.costs).argmin(axis=1)[node]
    actual = table.y[row].astype(np.int64)
    wrong = (answer != actual).astype(float) if data.costs is None else data.costs[actual, answer]
    return np.asarray(wrong if data.factors is None else wrong * data.factors[actual])


def _plain_weights(table: Table, data: PruningData) -> Floats:
    """The weights of rows without what their classes were given."""
    if data.factors is None:
        return table.weights
    factors = data.factors[table.y.astype(np.int64)]
    return np.divide(table.weights, factors, out=np.zeros(table.n_rows), where=factors > 0.0)
