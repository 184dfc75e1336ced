"""The complexity table of a recipe on data: which subtrees its pruner has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from treekit.classes import altered
from treekit.errors import Problem, RecipeError
from treekit.fitting import Setting, check_fit, class_terms, grown, training_data
from treekit.folds import folds_in_turn, random_folds
from treekit.recipe import Recipe, load_recipe
from treekit.recipe.record import place_of
from treekit.subtrees import ComplexityTable
from treekit.table import Table


def complexity_table(
    recipe: str | Path | Mapping[str, Any] | Recipe,
    data: Any,
    *,
    folds: int = 10,
    fixed_folds: bool = False,
    set: Setting = None,  # noqa: A002
    seed: int = 0,
    **reading: Any,
) -> ComplexityTable:
    """The subtrees that a recipe's pruner has to choose from, with their cross-validated errors.

    They are those of one tree grown on all the data, whatever the recipe's ensemble.

    recipe, data, set, seed   as in `fit`
    folds        how many parts cross-validation divides the rows into; 0: no cross-validation
    fixed_folds  deal the rows out in turn, not at random
    reading      how the data are read: target, schema, kinds and so on, as in `fit`
    """
    resolved = load_recipe(recipe, set or ())
    check_has_table(resolved)
    return table_of(resolved, training_data(data, **reading), folds, fixed_folds, seed)


def check_has_table(recipe: Recipe) -> None:
    """Only a pruner that chooses from a row of subtrees has a table to show."""
    if not hasattr(recipe.tree.pruner, "table"):
        pruner = recipe.document["tree"]["pruner"]["use"]
        raise RecipeError(
            Problem(
                f"the pruner {pruner!r} of recipe {recipe.name!r} has no complexity table",
                place_of(recipe, ("tree", "pruner")),
                "take a pruner that chooses by cost and complexity",
            )
        )


def table_of(
    recipe: Recipe, table: Table, folds: int = 10, fixed_folds: bool = False, seed: int = 0
) -> ComplexityTable:
    """The same from a resolved recipe and a table."""
    check_has_table(recipe)
    check_fit(recipe, table, seed)
    terms = class_terms(recipe, table)
    rng = np.random.default_rng(seed)
    tree, pruning = grown(recipe, altered(table, terms), rng, terms=terms)
    pruner: Any = recipe.tree.pruner
    n_rows = pruning.table.n_rows
    if folds == 0:
        dealt = None
    else:
        dealt = folds_in_turn(n_rows, folds) if fixed_folds else random_folds(n_rows, folds, rng)
    found: ComplexityTable = pruner.table(tree, pruning, dealt)
    return found
