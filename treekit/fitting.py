"""From data and a recipe to a model: grow, prune, label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treekit.datasets import built_in, load_dataset
from treekit.engine import grow
from treekit.errors import DataError, Problem, TreekitError
from treekit.model import Model, versions_used
from treekit.offers import PruningData
from treekit.recipe import Recipe, load_recipe
from treekit.recipe.record import slots_of
from treekit.registry import installed
from treekit.table import Schema, SchemaFile, Table, read_table
from treekit.tree import Tree

Setting = Mapping[str, object] | Sequence[str] | None


def fit(
    recipe: str | Path | Mapping[str, Any] | Recipe,
    data: Any,
    *,
    target: str | None = None,
    schema: str | Path | SchemaFile | Schema | None = None,
    kinds: Mapping[str, str] | None = None,
    missing: Sequence[str] | None = None,
    weights: str | None = None,
    encoding: str | None = None,
    drop_missing_target: bool = False,
    set: Setting = None,  # noqa: A002
    seed: int = 0,
) -> Model:
    """Learn a model from data by a recipe.

    recipe   a shipped recipe's name, a TOML file, a mapping, or a Recipe composed in Python
    data     a Table, a DataFrame, a file, or a built-in data set's name
    target   the column to predict; a built-in data set and a schema know their own
    schema, kinds, missing, weights, encoding, drop_missing_target   as in `read_table`
    set      changes to the recipe, as {"tree.pruner.confidence": 0.1}
    seed     of everything random; the same seed gives the same model
    """
    resolved = load_recipe(recipe, set or ())
    options: dict[str, Any] = {
        "target": target,
        "schema": schema,
        "kinds": kinds,
        "missing": missing,
        "weights": weights,
        "encoding": encoding,
        "drop_missing_target": drop_missing_target or None,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return fit_table(resolved, training_data(data, **given), seed)


def training_data(data: Any, **given: Any) -> Table:
    """A table to learn from: a Table, a built-in data set's name, or what `read_table` takes."""
    if isinstance(data, Table):
        if given:
            raise DataError(
                Problem(
                    f"a Table is read already, so {', '.join(given)} cannot be said any more",
                    data.source,
                    "say it to read_table, or give the data themselves",
                )
            )
        return data
    named = built_in(data) if isinstance(data, str) else None
    return load_dataset(*named, **given) if named else read_table(data, **given)


def fit_table(recipe: Recipe, table: Table, seed: int = 0) -> Model:
    """Learn a model from a table by a resolved recipe."""
    _check_seed(seed)
    check_task(recipe, table)
    _check_target(table)
    rng = np.random.default_rng(seed)
    forest = recipe.ensemble.plant(table, lambda t, r: grow_pruned(recipe, t, r), rng)
    return Model(
        schema=table.schema,
        trees=forest.trees,
        answers=tuple(recipe.tree.label.answers(tree) for tree in forest.trees),
        tree_weights=forest.weights,
        recipe=dict(recipe.document),
        versions=versions_used(_distributions(recipe)),
        seed=seed,
    )


def _distributions(recipe: Recipe) -> set[str]:
    """The plugin distributions that offer the recipe's strategies."""
    used = {type(strategy) for _, _, strategy in slots_of(recipe.tree, recipe.ensemble)}
    return {e.distribution for e in installed().entries if e.strategy in used}


def grow_pruned(recipe: Recipe, table: Table, rng: np.random.Generator) -> Tree:
    """One tree: grown on the rows that the pruner does not reserve, then pruned."""
    parts = recipe.tree
    reserved = None
    if hasattr(parts.pruner, "reserve"):
        reserved = parts.pruner.reserve(table, rng)
    training = table if reserved is None else table.take(~reserved)
    validation = None if reserved is None else table.take(reserved)
    tree = grow(training, parts, rng)
    data = PruningData(training, validation, lambda t: grow(t, parts, rng), rng)
    return parts.pruner.prune(tree, data)


def _check_seed(seed: object) -> None:
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise TreekitError(Problem(f"seed must be a whole number from 0. Got {seed!r} instead"))


def _check_target(table: Table) -> None:
    """Every row to learn from must say what it is."""
    unknown = table.target_values is None or bool(np.isnan(table.y).any())
    if unknown:
        name = table.schema.target.name
        what = f"there are rows without a value of the target {name!r}"
        raise DataError(Problem(what, table.source, "learn from rows that carry it"))


def check_task(recipe: Recipe, table: Table) -> None:
    """A recipe for classes wants a nominal target, one for numbers a numeric target."""
    if recipe.task == table.task:
        return
    target = table.schema.target
    if recipe.task == "classification":
        wants, instead = (
            "classes",
            (
                f"say that it holds classes (--kind {target.name}=nominal, or"
                f" kinds={{{target.name!r}: 'nominal'}}), or take a recipe for numbers"
            ),
        )
    else:
        wants, instead = "a number", ("name a numeric target, or take a recipe for classes")
    raise DataError(
        Problem(
            f"recipe {recipe.name!r} predicts {wants}, but the target {target.name!r} is"
            f" {target.kind}",
            table.source,
            instead,
        )
    )
