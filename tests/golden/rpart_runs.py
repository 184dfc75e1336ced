"""How a recipe says each run of rpart, and what was written down of it besides the tree."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.complexity import table_of
from treekit.fitting import fit_table, grown
from treekit.model import Model
from treekit.offers import PruningData
from treekit.recipe import Recipe, load_recipe
from treekit.subtrees import ComplexityTable
from treekit.table.record import KINDS, Floats, Table
from treekit.tree import STAY, Tree

from .originals import Node, dataset_names, document, load_run, run_names, training_table

Settings = dict[str, Any]
Key = tuple[str, str]  # a data set and the name of a run

WHOLE = {"use": "cost_complexity", "alpha": -1.0}
FAMILIES: dict[str, Settings] = {
    "gini": {},
    "info": {
        "tree.impurity": "entropy",
        **{f"tree.splitter.{kind}.split": "information" for kind in KINDS},
    },
}


def stop(split: int = 20, branch: int = 7, depth: int = 30) -> Settings:
    """The minsplit, minbucket and maxdepth of rpart."""
    return {
        "tree.stop": [
            "pure",
            {"use": "min_rows", "split": split, "branch": branch},
            "min_gain",
            {"use": "max_depth", "depth": depth},
        ]
    }


def surrogates(alpha: float | None = None, **parameters: Any) -> Settings:
    """The surrogates of rpart, and its cp if that is given."""
    settings: Settings = {"tree.missing": {"use": "surrogate", "as_rpart": True, **parameters}}
    return settings if alpha is None else {**settings, "tree.pruner.alpha": alpha}


CONTROLS: dict[str, Settings] = {
    "default": surrogates(),
    "cp0": surrogates(0.0),
    "full": {**surrogates(keep=0), **stop(split=2, branch=1), "tree.pruner": WHOLE},
    "ms2_cp0": {**surrogates(0.0), **stop(split=2, branch=1)},
    "depth3": {**surrogates(0.0), **stop(depth=3)},
    "weights": surrogates(),
    "usesurrogate0": surrogates(0.001, then="stay_at_once"),
    "usesurrogate1": surrogates(0.001, then="stay"),
    "usesurrogate2": surrogates(0.001),
    "surrogatestyle1": surrogates(0.001, share_of="both"),
    "maxsurrogate0": surrogates(0.001, keep=0),
}


def settings_of(name: str) -> Settings | None:
    """What the recipe is set to for a run; None: classes have priors or losses in it."""
    family, _, control = name.partition("_")
    if family not in FAMILIES:
        family, control = "gini", name
    if control not in CONTROLS:
        return None
    return {**FAMILIES[family], **CONTROLS[control]}


RUNS: list[Key] = [
    (dataset, name)
    for dataset in dataset_names("rpart")
    for name in run_names("rpart", dataset)
    if settings_of(name) is not None
]


def table_for(dataset: str, name: str) -> Table:
    """The rows of a run, with its weights."""
    table = training_table(dataset)
    if name.endswith("weights"):
        return table.reweighted(np.resize([1.0, 2.0, 0.5, 1.0], table.n_rows))
    return table


def recipe_for(table: Table, name: str, **more: Any) -> Recipe:
    return _recipe("rpart" if table.task == "classification" else "rpart_regression", name, **more)


@cache
def _recipe(recipe: str, name: str, **more: Any) -> Recipe:
    return load_recipe(recipe, {**(settings_of(name) or {}), **more})


@cache
def model_of(dataset: str, name: str) -> Model:
    table = table_for(dataset, name)
    return fit_table(recipe_for(table, name), table)


@cache
def grown_for(dataset: str, name: str) -> tuple[Tree, PruningData]:
    """The tree of a run before it is pruned."""
    table = table_for(dataset, name)
    return grown(recipe_for(table, name), table, np.random.default_rng(0))


def pruned_at(dataset: str, name: str, alpha: float) -> Model:
    """The model of a run with its tree pruned at another alpha."""
    recipe = recipe_for(table_for(dataset, name), name, **{"tree.pruner.alpha": alpha})
    tree, data = grown_for(dataset, name)
    pruned = recipe.tree.pruner.prune(tree, data)
    answers = recipe.tree.label.answers(pruned, data.table)
    return evolve(model_of(dataset, name), trees=(pruned,), answers=(answers,))


def as_in_training(tree: Tree, name: str) -> Tree:
    """The tree as it sent its training rows: rpart without surrogates let them stay at the node."""
    if (settings_of(name) or {})["tree.missing"].get("keep") == 0:
        return evolve(tree, unknown=np.full_like(tree.unknown, STAY))
    return tree


# --- what was written down -----------------------------------------------------------------------


def told(dataset: str, name: str) -> Mapping[str, Any]:
    """All that was written down of a run."""
    run: dict[str, Any] = document("rpart", dataset)["runs"][name]
    return run


def has_cross_validation(dataset: str, name: str) -> bool:
    return "xerror" in told(dataset, name)["cptable"]["columns"]


def with_improvements(dataset: str, name: str) -> Node:
    """The tree of rpart, each split with what rpart calls its improvement."""
    run = told(dataset, name)
    frame, improve, at = run["frame"], {}, 0
    for i, var in enumerate(frame["var"]):
        if var != "<leaf>":
            improve[frame["node"][i]] = run["splits"]["rows"][at][2]
            at += 1 + frame["ncompete"][i] + frame["nsurrogate"][i]

    def added(node: Node, number: int) -> Node:
        if not node.children:
            return node
        below = [added(child, 2 * number + i) for i, child in enumerate(node.children)]
        figures = {**node.figures, "improve": improve[number]}
        return evolve(node, figures=figures, children=tuple(below))

    return added(load_run("rpart", dataset, name).trees["tree"], 1)


def cut_back(tree: Node, numbers: list[int]) -> Node:
    """The tree of rpart with only the nodes of these numbers: those without children are leaves."""
    kept = set(numbers)

    def at(node: Node, number: int) -> Node:
        if 2 * number not in kept:
            return evolve(node, column=None, cut=None, branches=(), children=())
        below = [at(child, 2 * number + i) for i, child in enumerate(node.children)]
        return evolve(node, children=tuple(below))

    return at(tree, 1)


# --- complexity tables ---------------------------------------------------------------------------


@frozen(eq=False)
class Rows:
    """A complexity table as rpart prints it: [rows, 3 or 5] of CP, nsplit, rel error, xerror, xstd.

    rpart has two rows where the rounding of a sum tells two complexities apart; here they are one.
    """

    values: Floats

    def __len__(self) -> int:
        return len(self.values)


def rows_of(values: Any) -> Rows:
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    again = np.isclose(rows[1:, 0], rows[:-1, 0], rtol=1e-7, atol=1e-10)
    return Rows(rows[np.append(True, ~again)])


def rows_told(dataset: str, name: str) -> Rows:
    return rows_of(told(dataset, name)["cptable"]["rows"])


@cache
def found_table(dataset: str, name: str) -> ComplexityTable:
    """Ours, by the folds that rpart was given if it was given any."""
    table = table_for(dataset, name)
    return by_rparts_folds(table, recipe_for(table, name), has_cross_validation(dataset, name))


def by_rparts_folds(table: Table, recipe: Recipe, cross_validated: bool) -> ComplexityTable:
    return table_of(recipe, table, folds=10 if cross_validated else 0, fixed_folds=True)


def rows_found(found: ComplexityTable) -> Rows:
    columns = [found.alpha, found.splits, found.error, found.cross_error, found.standard_error]
    return rows_of(np.transpose([column for column in columns if column is not None]))
