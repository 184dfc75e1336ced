"""Importances: how much each column has to do with what a model answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from treekit.combining import Combination
from treekit.errors import DataError, Problem, TreekitError, did_you_mean
from treekit.linear import asked_columns
from treekit.metrics import Answered
from treekit.metrics.of_classes import error
from treekit.metrics.of_numbers import mean_squared_error
from treekit.recipe import load_recipe
from treekit.table.record import Column, Floats, Schema, Table, Task
from treekit.tree import Tree

WAYS = ("impurity", "surrogates", "permutation")


class Asked(Protocol):
    """What is asked of a model."""

    @property
    def trees(self) -> tuple[Tree, ...]: ...
    @property
    def tree_weights(self) -> tuple[float, ...]: ...
    @property
    def combination(self) -> Combination: ...
    @property
    def leaf_models(self) -> tuple[Any, ...]: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def task(self) -> str: ...
    @property
    def recipe(self) -> dict[str, Any]: ...
    def schema_of(self, tree: int) -> Schema: ...
    def answered(self, data: Any) -> Answered: ...


def importances(
    model: Asked, by: str, table: Table | None = None, repeats: int = 5, seed: int = 0
) -> dict[str, float]:
    """The importance of each column in one of the `WAYS`; "permutation" needs a table."""
    if by not in WAYS:
        what = f"there are no importances by {by!r}"
        raise TreekitError(Problem(what, instead=did_you_mean(by, WAYS)))
    if (table is not None) != (by == "permutation"):
        what = f"importances by {by} are of the model alone, whatever the data"
        if table is None:
            what = "importances by permutation need data to count errors on"
        raise TreekitError(Problem(what))
    if table is not None:
        return by_permutation(model, table, repeats, seed)
    return by_impurity(model) if by == "impurity" else by_surrogates(model)


def by_impurity(model: Asked) -> dict[str, float]:
    """By how much the tests on each column lower the impurity, in shares that sum to 1.

    A test counts by the weight of the rows that are asked; one of several columns is shared out
    among them by their |coefficient| x spread in its node. The impurity is the one that the recipe
    binds, whatever the criterion, and is computed from the nodes' statistics; where it binds none,
    the score that the criterion gave the test is taken instead. Of several trees it is the mean of
    their shares, by their weights; but where they are steps that lead on from each other, as in
    gradient boosting, a tree counts by how much it lowers the impurity for each unit of weight.
    This is scikit-learn's `feature_importances_`.
    """
    impurity = load_recipe(model.recipe).tree.impurity if model.recipe else None
    total = np.zeros(len(model.columns))
    for tree, weight, task in _members(model):
        worth = _scored(tree, model, task) if impurity is None else _lowered(tree, impurity)
        asked = _asked(tree, worth, len(total))
        of_tree = asked / tree.weight[0] if model.combination.is_additive else _shares(asked)
        total += weight * of_tree
    return _named(model, _shares(total))


def by_surrogates(model: Asked) -> dict[str, float]:
    """What the tests on each column are worth, and what they are worth as stand-ins for others.

    Breiman et al. 1984, section 5.3.4. A test is worth its score, by the weight of the rows that
    are asked; a surrogate the same, by how far it does better than the greater branch alone
    (`Surrogates.adjusted`). With the criterion `gain` this is rpart's `variable.importance`, but
    that entropy counts in bits here and in natural units there. Of several trees it is the sum by
    their weights.
    """
    total = np.zeros(len(model.columns))
    for tree, weight, task in _members(model):
        worth = _scored(tree, model, task)
        total += weight * _asked(tree, worth, len(total))
        if tree.surrogates is not None:
            stand_ins = tree.surrogates
            owner = np.repeat(np.arange(tree.n_nodes), np.diff(stand_ins.first))
            further = worth[owner] * stand_ins.adjusted
            total += weight * _by_column(stand_ins.column, further, len(total))
    return _named(model, total)


def by_permutation(model: Asked, table: Table, repeats: int = 5, seed: int = 0) -> dict[str, float]:
    """By how much the error on these rows grows when a column's values change places at random.

    Breiman 2001, section 10. The error is the share of the weight that is answered wrong, or the
    mean squared error. The mean of `repeats` shuffles; what is below 0 is chance. Columns that
    nothing in the model looks at have 0, and cost nothing.
    """
    if table.target_values is None or bool(np.isnan(table.y).any()):
        what = "errors can only be counted on rows that all have a target value"
        raise DataError(Problem(what, table.source))
    rng = np.random.default_rng(seed)
    before = _error(model, table)
    grown = np.zeros(len(model.columns))
    for column in _looked_at(model):
        for _ in range(repeats):
            cells = table.cells.copy()
            cells[column] = rng.permutation(cells[column])
            shuffled = Table(table.schema, cells, table.target_values, table.given_weights)
            grown[column] += (_error(model, shuffled) - before) / repeats
    return _named(model, grown)


def _looked_at(model: Asked) -> list[int]:
    """The columns that a test, a stand-in or the answer of a leaf depends on."""
    if any(models is not None for models in model.leaf_models):
        return list(range(len(model.columns)))
    asked: list[Any] = [asked_columns(tree).column for tree in model.trees]
    asked += [tree.surrogates.column for tree in model.trees if tree.surrogates is not None]
    return [int(column) for column in np.unique(np.concatenate(asked))]


def _error(model: Asked, table: Table) -> float:
    measure = mean_squared_error if model.task == "regression" else error
    return measure(model.answered(table))


def _members(model: Asked) -> Iterator[tuple[Tree, float, Task]]:
    """Each tree, its weight and what it predicts: of boosted classes a score."""
    for i, (tree, weight) in enumerate(zip(model.trees, model.tree_weights, strict=True)):
        yield tree, weight, model.schema_of(i).task


def _scored(tree: Tree, model: Asked, task: Task) -> Floats:
    """What each test is worth to its criterion: its score by the weight of its node, as a rule."""
    criterion: Any = load_recipe(model.recipe).tree.criterion if model.recipe else None
    own = hasattr(criterion, "worth")
    worth = criterion.worth(tree, task) if own else tree.weight * tree.score
    return np.asarray(np.where(tree.is_leaf, 0.0, worth))


def _lowered(tree: Tree, impurity: Any) -> Floats:
    """By how much each test lowers the impurity, by weight. Rows that stay are left out of it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        measured = np.asarray(impurity.impurity(tree.stats), dtype=np.float64)
    measured = np.where(tree.weight > 0.0, measured, 0.0)
    further = tree.sum_over_children(tree.weight)
    left = tree.sum_over_children(tree.weight * measured)
    return np.asarray(np.where(tree.is_leaf, 0.0, further * measured - left))


def _asked(tree: Tree, worth: Floats, n_columns: int) -> Floats:
    """What the tests are worth, by the columns they ask about."""
    asked = asked_columns(tree)
    return _by_column(asked.column, worth[asked.node] * asked.share, n_columns)


def _by_column(column: Any, worth: Floats, n_columns: int) -> Floats:
    return np.asarray(np.bincount(column, worth, n_columns), dtype=np.float64)


def _shares(worth: Floats) -> Floats:
    total = worth.sum()
    return np.asarray(worth / total if total > 0.0 else np.zeros_like(worth))


def _named(model: Asked, worth: Floats) -> dict[str, float]:
    return {column.name: float(x) for column, x in zip(model.columns, worth, strict=True)}
