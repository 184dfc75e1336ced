"""Reduced-error pruning: rows that growth did not see decide."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, gt, instance_of, lt

from treekit import Bools, DataError, Floats, Problem, PruningData, Table, Tree, answer_costs, ends
from treekit_builtin.labels import who_answers

from .bottom_up import summed_upward
from .telling import cut_back

_REASON = "pruned: the subtree does no better on the validation rows"
_NOISE = 1e-12


@frozen
class ReducedError:
    """Make a leaf of each node that errs no more so on rows kept from growth (Quinlan 1987, 2.2).

    Quinlan 1987, section 2.2. Bottom-up, a node becomes a leaf when the validation rows that
    reach it are answered no worse by the node (by its training rows' greatest class, or mean)
    than by its subtree. Worse means more errors, or a greater squared error. A row that is spread
    over several nodes counts in each by its share. A subtree that no validation row reaches does
    no better than a leaf, so it goes.

    share  how much of the table is kept for validation. The rows are drawn at random, from each
           class its share; every class leaves at least one row for growth
    """

    share: float = field(default=1 / 3, validator=and_(instance_of((int, float)), gt(0.0), lt(1.0)))

    def reserve(self, table: Table, rng: np.random.Generator) -> Bools:
        """The rows that growth must not see."""
        of_class = table.y if table.task == "classification" else np.zeros(table.n_rows)
        reserved = np.zeros(table.n_rows, dtype=bool)
        for value in np.unique(of_class):
            members = np.flatnonzero(of_class == value)
            wanted = min(int(self.share * len(members) + 0.5), len(members) - 1)
            reserved[rng.permutation(members)[:wanted]] = True
        if not reserved.any():
            raise DataError(
                Problem(
                    f"no row can be kept for validation: {self.share:g} of each class of"
                    f" {table.n_rows} rows is less than one row",
                    table.source,
                    "give more rows, a greater `share`, or another pruner",
                )
            )
        return reserved

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        if data.validation is None:
            raise DataError(
                Problem(
                    "reduced-error pruning needs rows that growth did not see, and none were kept",
                    data.table.source,
                    "keep the rows that `reserve` names for validation",
                )
            )
        staying = _ending_stats(tree, data.validation)
        reaching = summed_upward(tree, staying)
        if data.validation.task == "classification":
            cost, scale, measure = _cost_by_class, reaching[0, 0], "errors"
        else:
            cost, scale, measure = _cost_by_mean, reaching[0, 2], "squared error"
        return cut_back(
            tree,
            data,
            cost(tree, reaching, data),
            cost(tree, staying, data),
            _NOISE * float(scale),
            f"{measure} on the validation rows",
            _REASON,
        )


def _ending_stats(tree: Tree, table: Table) -> Floats:
    """[n, S]: the statistics of the rows that end at each node."""
    found = ends(tree, table)
    weight = table.weights[found.row] * found.share
    stats = np.zeros_like(tree.stats)
    np.add.at(stats[:, 0], found.node, weight)
    if table.task == "classification":
        np.add.at(stats, (found.node, 1 + table.y[found.row].astype(np.int64)), weight)
        return stats
    y = table.y[found.row] - tree.centre
    np.add.at(stats[:, 1], found.node, weight * y)
    np.add.at(stats[:, 2], found.node, weight * y * y)
    return stats


def _cost_by_class(tree: Tree, stats: Floats, data: PruningData) -> Floats:
    """What each node's class costs on rows with these statistics; the errors, without costs."""
    answer = answer_costs(tree.stats[who_answers(tree)], data.costs).argmin(axis=1)
    return np.asarray(answer_costs(stats, data.costs)[np.arange(tree.n_nodes), answer])


def _cost_by_mean(tree: Tree, stats: Floats, data: PruningData) -> Floats:
    """The squared error of each node's mean on rows with these statistics."""
    source = tree.stats[who_answers(tree)]
    mean = source[:, 1] / source[:, 0]
    return np.asarray(stats[:, 2] - 2.0 * mean * stats[:, 1] + mean * mean * stats[:, 0])
