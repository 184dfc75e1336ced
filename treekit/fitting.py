"""From data and a recipe to a model: grow, prune, label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve

from treekit.classes import ClassTerms, altered, answers_by, terms_for
from treekit.compiling import SMALL
from treekit.datasets import built_in, dataset_path, load_dataset
from treekit.engine import grow, prepared
from treekit.engine.vain import in_vain_for
from treekit.errors import DataError, Problem, RecipeError, TreekitError
from treekit.model import Model, versions_used
from treekit.offers import Decisions, Forest, Member, PruningData
from treekit.planting import Means, Planter, Progress, silent
from treekit.provided import Watch
from treekit.recipe import Recipe, load_recipe
from treekit.recipe.record import place_of, tree_task
from treekit.registry import installed
from treekit.roles import retargets
from treekit.table import Schema, SchemaFile, Table, read_like, read_table
from treekit.table.record import Column
from treekit.threads import checked_threads, using
from treekit.tree import Tree

Setting = Mapping[str, object] | Sequence[str] | None
GrowMember = Callable[..., Member]


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
    validation: Any = None,
    set: Setting = None,  # noqa: A002
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Model:
    """Learn a model from data by a recipe.

    recipe   a shipped recipe's name, a TOML file, a mapping, or a Recipe composed in Python
    data     a Table, a DataFrame, a file, or a built-in data set's name
    target   the column to predict; a built-in data set and a schema know their own
    schema, kinds, missing, weights, encoding, drop_missing_target   as in `read_table`
    validation   rows for a pruner that judges by rows which growth does not see, instead of those
             that it would keep from the data: whatever `data` may be, with the same columns
    set      changes to the recipe, as {"tree.pruner.confidence": 0.1}
    seed     of everything random; the same seed gives the same model
    threads  how many may work at a time on trees, parts of a tree and columns, as many as there are
             processors unless given; the model does not depend on it
    progress is told `(done, of)` as an ensemble's trees get done
    """
    means = _means(threads, progress)
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
    table = training_data(data, **given)
    if validation is None:
        return fit_table(resolved, table, seed, means=means)
    check_takes_validation(resolved)
    like = {name: given[name] for name in ("missing", "encoding", "weights") if name in given}
    judges = validation_data(validation, table.schema, **like)
    return fit_table(resolved, table, seed, judges, means)


def validation_data(data: Any, schema: Schema, **given: Any) -> Table:
    """Rows to judge pruning by: a Table, a built-in data set's name, or what `read_like` takes."""
    if isinstance(data, Table):
        return data
    named = built_in(data) if isinstance(data, str) else None
    return read_like(dataset_path(*named) if named else data, schema, **given)


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


def fit_table(
    recipe: Recipe,
    table: Table,
    seed: int = 0,
    validation: Table | None = None,
    means: Means | None = None,
) -> Model:
    """Learn a model from a table by a resolved recipe; `validation` as in `fit`."""
    grow: GrowMember = grow_member
    if validation is not None:
        _check_validation(recipe, table, validation)
        grow = partial(grow_member, validation=validation)
    forest = planted(recipe, table, seed, grow, means)
    return Model(
        schema=table.schema,
        trees=tuple(member.tree for member in forest.members),
        answers=tuple(member.answers for member in forest.members),
        tree_weights=forest.weights,
        recipe=dict(recipe.document),
        versions=versions_of(recipe),
        seed=seed,
        leaf_models=tuple(member.leaf_models for member in forest.members),
        rule=forest.rule,
        base=forest.base,
        outputs=forest.outputs,
        facts=dict(forest.facts),
        learned_from=table,
        judged_by=validation,
    )


def planted(
    recipe: Recipe, table: Table, seed: int, grow: GrowMember, means: Means | None = None
) -> Forest:
    """The trees that a recipe grows on a table, each by `grow`."""
    check_fit(recipe, table, seed)
    terms = class_terms(recipe, table)

    # Of many trees even small ones are worth compiling for.
    compiled = getattr(recipe.ensemble, "trees", 0) * table.cells.size > SMALL

    def grown(sample: Table, rng: np.random.Generator, columns: int | None) -> Member:
        # What is said of classes is nothing to trees of numbers.
        said = terms if sample.task == recipe.task else None
        return grow(recipe, sample, rng, terms=said, columns=columns, compiled=compiled)

    means = means or Means(threads=1)
    with using(means.threads):
        return recipe.ensemble.plant(
            altered(table, terms),
            Planter(grown, table.weights, means),
            np.random.default_rng(seed),
        )


def _means(threads: int | None, progress: Progress | None) -> Means:
    return Means(checked_threads(threads), progress or silent)


def versions_of(recipe: Recipe) -> dict[str, str]:
    """The versions that decide what a recipe makes of data."""
    offered = installed().distributions
    used = {type(strategy) for _, _, strategy in recipe.slots}
    return versions_used({name for strategy in used for name in offered.get(strategy, ())})


def grow_member(
    recipe: Recipe,
    table: Table,
    rng: np.random.Generator,
    watch: Watch | None = None,
    tell: Callable[[Decisions], None] | None = None,
    terms: ClassTerms | None = None,
    validation: Table | None = None,
    columns: int | None = None,
    compiled: bool = False,
) -> Member:
    """One tree: grown on the rows that the pruner does not reserve, pruned, and labelled.

    `watch` looks on while it grows, and `tell` is told what the pruner decides. `terms` are those
    by which the table was `altered`; None: it was not. With rows for `validation` none are
    reserved. `columns` and `compiled` as in `engine.grow`.
    """
    facts: dict[str, float] = {}
    label: Any = recipe.tree.label
    whole = watch is not None or tell is not None or hasattr(label, "models")
    tree, data = grown(
        recipe, table, rng, watch, terms, validation, facts.update, columns, compiled, whole
    )
    training = data.table
    pruned = recipe.tree.pruner.prune(tree, data if tell is None else evolve(data, tell=tell))
    leaf_models = label.models(pruned, training, tree) if hasattr(label, "models") else None
    answers = (
        label.answers(pruned, training)
        if terms is None
        else answers_by(label.answers, pruned, training, terms)
    )
    return Member(pruned, answers, training, leaf_models, facts)


def grown(
    recipe: Recipe,
    table: Table,
    rng: np.random.Generator,
    watch: Watch | None = None,
    terms: ClassTerms | None = None,
    validation: Table | None = None,
    tell: Callable[[Mapping[str, float]], None] | None = None,
    columns: int | None = None,
    compiled: bool = False,
    whole: bool = True,
) -> tuple[Tree, PruningData]:
    """A tree before it is pruned, and what its pruner may look at. As in `grow_member`.

    `tell` gets what the grower tells of the tree. Not `whole`, it may lack what the pruner would
    take off in any case.
    """
    parts = recipe.tree
    pruner: Any = parts.pruner
    if validation is not None:
        training = table
        validation = validation if terms is None else altered(validation, terms)
    elif hasattr(parts.pruner, "reserve"):
        reserved = parts.pruner.reserve(table, rng)
        training, validation = table.take(~reserved), table.take(reserved)
    else:
        training = table
    training = prepared(training, parts)
    data = PruningData(
        training,
        validation,
        lambda t: grow(t, parts, rng, columns=columns, compiled=compiled),
        rng,
        costs=None if terms is None else terms.unit_costs,
        factors=None if terms is None or table.task == "regression" else terms.factors,
    )
    in_vain = None if whole else in_vain_for(pruner, data)
    tree = grow(training, parts, rng, watch, tell, columns, compiled, in_vain)
    if watch is not None:
        watch.grown(tree)
    return tree, data


def class_terms(recipe: Recipe, table: Table) -> ClassTerms:
    """What a recipe says of the classes, met with a table; RecipeError if they do not fit."""
    terms = terms_for(recipe.classes, table, lambda path: place_of(recipe, ("classes", *path)))
    if getattr(recipe.tree.grower, "counts_errors", False) and not terms.by_weight:
        grower = recipe.document["tree"]["grower"]["use"]
        raise RecipeError(
            Problem(
                f"the grower {grower!r} counts errors by weight, but these costs depend on the"
                " answer",
                place_of(recipe, ("classes", "costs")),
                "let all errors of a class cost the same, or take another grower",
            )
        )
    return terms


def check_fit(recipe: Recipe, table: Table, seed: int) -> None:
    """Can this recipe learn from this table?"""
    _check_seed(seed)
    check_task(recipe, table)
    _check_target(table)
    trees_see = table
    if tree_task(recipe) != table.task:
        trees_see = table.aiming_at(Column("score", "numeric"), table.y)
    for path, _, strategy in recipe.slots:
        if hasattr(strategy, "check"):
            strategy.check(trees_see if path[0] == "tree" else table)


def _check_seed(seed: object) -> None:
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise TreekitError(Problem(f"seed must be a whole number from 0. Got {seed!r} instead"))


def _check_target(table: Table) -> None:
    """Every row to learn from must say what it is."""
    if not table.is_labelled:
        name = table.schema.target.name
        what = f"there are rows without a value of the target {name!r}"
        raise DataError(Problem(what, table.source, "learn from rows that carry it"))


def check_takes_validation(recipe: Recipe) -> None:
    """Only a pruner that would keep rows for validation has a use for some.

    Nor can they judge trees that are grown on another target than theirs.
    """
    if retargets(recipe.ensemble):
        ensemble = recipe.document["ensemble"]["use"]
        raise RecipeError(
            Problem(
                f"rows for validation are given, but the trees of the ensemble {ensemble!r} predict"
                " another target than theirs",
                place_of(recipe, ("ensemble",)),
                "leave them out: the pruner then keeps some of the rows that each tree is grown on",
            )
        )
    if not hasattr(recipe.tree.pruner, "reserve"):
        pruner = recipe.document["tree"]["pruner"]["use"]
        raise RecipeError(
            Problem(
                f"rows for validation are given, but the pruner {pruner!r} of recipe"
                f" {recipe.name!r} looks at training rows only",
                place_of(recipe, ("tree", "pruner")),
                "leave them out, or take a pruner that keeps rows for validation",
            )
        )


def _check_validation(recipe: Recipe, table: Table, validation: Table) -> None:
    check_takes_validation(recipe)
    if validation.schema != table.schema:
        raise DataError(
            Problem(
                "the rows for validation have other columns, levels or classes than the training"
                " rows",
                validation.source,
                "read them by the schema of the training table",
            )
        )
    if validation.n_rows == 0:
        raise DataError(Problem("there are no rows for validation", validation.source))
    _check_target(validation)


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
