"""treekit composes decision-tree algorithms from small parts, named in a TOML recipe.

import treekit
model = treekit.fit("c45", df, target="play", set={"tree.pruner.confidence": 0.1}, seed=0)
model.predict(df)
print(model)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treekit.classes import Classes, answer_costs, least_cost, softmax
    from treekit.combining import Combination, combined, votes, weighted_median, winners
    from treekit.comparing import compare, compare_file
    from treekit.compiling import SMALL, kernel
    from treekit.complexity import complexity_table
    from treekit.datasets import dataset_names, load_dataset
    from treekit.divisions import (
        first_groups,
        leading_statistic,
        n_divisions,
        place_levels,
        write_groups,
    )
    from treekit.errors import (
        DataError,
        ModelError,
        PluginError,
        Problem,
        RecipeError,
        TreekitError,
    )
    from treekit.fitting import fit
    from treekit.folds import bootstrap, folds_in_turn, random_folds
    from treekit.formula import row_form
    from treekit.graph import Graph, graph_answers
    from treekit.hooks import hookimpl
    from treekit.leaf_models import POWERS, Additive, Neighbours, Term, additive, neighbours
    from treekit.linear import Linear, asked_columns, linear_of
    from treekit.metrics import Answered, Metric, metric_names
    from treekit.metrics.of_classes import error, log_loss
    from treekit.metrics.of_models import expected_path_length
    from treekit.metrics.of_numbers import mean_squared_error, r_squared
    from treekit.metrics.of_training import (
        class_errors,
        description_bits,
        description_length,
        squared_error,
        stay_errors,
        stayed,
    )
    from treekit.model import Model, load
    from treekit.offers import (
        Cuts,
        Decisions,
        Forest,
        Found,
        Histogram,
        Member,
        Nodes,
        Offers,
        PruningData,
        Tests,
        first_best,
        heaviest_branch,
        join_offers,
        linear_tests,
        split_information,
    )
    from treekit.provided import Division, Grow, Growth, Outlook, Search, Step, Tried
    from treekit.recipe import Recipe, TreeParts, load_recipe, recipe_names
    from treekit.route import answers_for, branch_of, ends, split_rows, value_asked, visits
    from treekit.standing_in import (
        SURROGATE_GAIN,
        SURROGATE_ROWS,
        rate_agreement,
        right_branch,
        send_levels,
    )
    from treekit.subtrees import ComplexityTable
    from treekit.table import describe, read_table
    from treekit.table.record import Bools, Column, Floats, Ints, Kind, Schema, Table, Task
    from treekit.threads import go_on
    from treekit.tree import (
        CUTS,
        LEAF,
        LEVELS,
        LINEAR,
        NOWHERE,
        REFUSE,
        SPREAD,
        STAY,
        Int32s,
        Int64s,
        Surrogates,
        Tree,
        rebuilt,
    )

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for, so `treekit --help`
# waits for neither NumPy nor pandas.
_HOMES = {
    "treekit.classes": ("Classes", "answer_costs", "least_cost", "softmax"),
    "treekit.combining": (
        "Combination", "combined", "votes", "weighted_median", "winners",
    ),
    "treekit.comparing": ("compare", "compare_file"),
    "treekit.compiling": ("SMALL", "kernel"),
    "treekit.datasets": ("dataset_names", "load_dataset"),
    "treekit.divisions": (
        "first_groups", "leading_statistic", "n_divisions", "place_levels", "write_groups",
    ),
    "treekit.errors": (
        "DataError", "ModelError", "PluginError", "Problem", "RecipeError", "TreekitError",
    ),
    "treekit.complexity": ("complexity_table",),
    "treekit.fitting": ("fit",),
    "treekit.folds": ("bootstrap", "folds_in_turn", "random_folds"),
    "treekit.formula": ("row_form",),
    "treekit.graph": ("Graph", "graph_answers"),
    "treekit.hooks": ("hookimpl",),
    "treekit.leaf_models": (
        "POWERS", "Additive", "Neighbours", "Term", "additive", "neighbours",
    ),
    "treekit.linear": ("Linear", "asked_columns", "linear_of"),
    "treekit.metrics": ("Answered", "Metric", "metric_names"),
    "treekit.metrics.of_classes": ("error", "log_loss"),
    "treekit.metrics.of_models": ("expected_path_length",),
    "treekit.metrics.of_numbers": ("mean_squared_error", "r_squared"),
    "treekit.metrics.of_training": (
        "class_errors", "description_bits", "description_length", "squared_error",
        "stay_errors", "stayed",
    ),
    "treekit.model": ("Model", "load"),
    "treekit.recipe": ("Recipe", "TreeParts", "load_recipe", "recipe_names"),
    "treekit.offers": (
        "Cuts", "Decisions", "Forest", "Found", "Histogram", "Member", "Nodes", "Offers",
        "PruningData", "Tests",
        "first_best", "heaviest_branch", "join_offers", "linear_tests", "split_information",
    ),
    "treekit.provided": ("Division", "Grow", "Growth", "Outlook", "Search", "Step", "Tried"),
    "treekit.route": ("answers_for", "branch_of", "ends", "split_rows", "value_asked", "visits"),
    "treekit.standing_in": (
        "SURROGATE_GAIN", "SURROGATE_ROWS", "rate_agreement", "right_branch", "send_levels",
    ),
    "treekit.subtrees": ("ComplexityTable",),
    "treekit.table": ("describe", "read_table"),
    "treekit.table.record": (
        "Bools", "Column", "Floats", "Ints", "Kind", "Schema", "Table", "Task",
    ),
    "treekit.threads": ("go_on",),
    "treekit.tree": (
        "CUTS", "LEAF", "LEVELS", "LINEAR", "NOWHERE", "REFUSE", "SPREAD", "STAY", "Int32s",
        "Int64s", "Surrogates", "Tree", "rebuilt",
    ),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'treekit' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


__all__ = [
    "CUTS",
    "LEAF",
    "LEVELS",
    "LINEAR",
    "NOWHERE",
    "POWERS",
    "REFUSE",
    "SMALL",
    "SPREAD",
    "STAY",
    "SURROGATE_GAIN",
    "SURROGATE_ROWS",
    "Additive",
    "Answered",
    "Bools",
    "Classes",
    "Column",
    "Combination",
    "ComplexityTable",
    "Cuts",
    "DataError",
    "Decisions",
    "Division",
    "Floats",
    "Forest",
    "Found",
    "Graph",
    "Grow",
    "Growth",
    "Histogram",
    "Int32s",
    "Int64s",
    "Ints",
    "Kind",
    "Linear",
    "Member",
    "Metric",
    "Model",
    "ModelError",
    "Neighbours",
    "Nodes",
    "Offers",
    "Outlook",
    "PluginError",
    "Problem",
    "PruningData",
    "Recipe",
    "RecipeError",
    "Schema",
    "Search",
    "Step",
    "Surrogates",
    "Table",
    "Task",
    "Term",
    "Tests",
    "Tree",
    "TreeParts",
    "TreekitError",
    "Tried",
    "additive",
    "answer_costs",
    "answers_for",
    "asked_columns",
    "bootstrap",
    "branch_of",
    "class_errors",
    "combined",
    "compare",
    "compare_file",
    "complexity_table",
    "dataset_names",
    "describe",
    "description_bits",
    "description_length",
    "ends",
    "error",
    "expected_path_length",
    "first_best",
    "first_groups",
    "fit",
    "folds_in_turn",
    "go_on",
    "graph_answers",
    "heaviest_branch",
    "hookimpl",
    "join_offers",
    "kernel",
    "leading_statistic",
    "least_cost",
    "linear_of",
    "linear_tests",
    "load",
    "load_dataset",
    "load_recipe",
    "log_loss",
    "mean_squared_error",
    "metric_names",
    "n_divisions",
    "neighbours",
    "place_levels",
    "r_squared",
    "random_folds",
    "rate_agreement",
    "read_table",
    "rebuilt",
    "recipe_names",
    "right_branch",
    "row_form",
    "send_levels",
    "softmax",
    "split_information",
    "split_rows",
    "squared_error",
    "stay_errors",
    "stayed",
    "value_asked",
    "visits",
    "votes",
    "weighted_median",
    "winners",
    "write_groups",
]
