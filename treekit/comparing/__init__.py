"""Comparisons: contenders on the same folds of the same data, and what came of it.

contenders + data sets + resampling -> Plan -> outcomes, one for each fold -> Results
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treekit.comparing.bundle import Bundle, check_bundle, write_bundle
from treekit.comparing.bundle_reading import read_bundle
from treekit.comparing.contenders import Contender, recipe_contenders
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.estimators import PREFIX, estimator_contender
from treekit.comparing.plan import Plan, plan_of
from treekit.comparing.resampling import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    Fold,
    HoldOut,
    LeaveOneOut,
    Resampling,
)
from treekit.comparing.results import Results, check_metrics
from treekit.comparing.running import Backend, Progress, Told, run
from treekit.comparing.store import Outcome, opened
from treekit.comparing.verifying import Verdict, verify


def compare(
    recipes: Iterable[Any],
    data: Any,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    set: Sequence[str] | Mapping[str, Any] = (),  # noqa: A002
    resampling: Resampling | None = None,
    seed: int = 0,
    metrics: Iterable[str] = (),
    store: str | os.PathLike[str] | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
    bundle: str | os.PathLike[str] | None = None,
    bundle_data: bool = False,
    **reading: Any,
) -> Results:
    """Which recipe is better, on which data? Every contender is tested on the same folds.

    recipes     shipped names, .toml files, mappings, Recipes, or `sklearn:NAME` of an estimator
    data        one or several: files, folders, globs, built-in names, `sklearn:NAME`, tables
    vary        the grid: {"tree.impurity": ["entropy", "gini"], ...} for every recipe
    set         changes to all recipes, as in `fit`
    resampling  `CrossValidation()` unless given
    seed        of the folds and of all that contenders draw
    metrics     those that will be looked at: if they cannot be measured, it is told before any work
    store       a results file: what is in it is not computed again
    backend     who does the work; this process unless given
    progress    is told how far it is
    bundle      a file to write it all to, for `verify`; with `bundle_data` the data, too
    reading     how the data are read: target, kinds and so on, as in `fit`
    """
    how = resampling or CrossValidation()
    plan = plan_of(
        contenders_of(recipes, vary, set),
        data_sets(_several(data), isinstance(how, FixedTest), **reading),
        how,
        seed,
    )
    check_metrics(metrics, plan.data[0].table.task)
    if bundle is not None:
        check_bundle(plan, bundle_data, bundle)
    with opened(store) as kept:
        outcomes = run(plan, kept, backend, progress)
    if bundle is not None:
        write_bundle(bundle, plan, outcomes, bundle_data)
    return results_of(plan, outcomes)


def contenders_of(
    words: Iterable[Any],
    vary: Mapping[str, Sequence[Any]] | None = None,
    settings: Sequence[str] | Mapping[str, Any] = (),
) -> list[Contender]:
    """Who takes part: recipes with all their variations, and estimators."""
    found: list[Contender] = []
    for word in words:
        if isinstance(word, str) and word.startswith(PREFIX):
            found.append(estimator_contender(word))
        else:
            found += recipe_contenders([word], vary, settings)
    return found


def results_of(plan: Plan, outcomes: Iterable[Outcome]) -> Results:
    """The results of a plan."""
    return Results(
        tuple(outcomes),
        tuple(data.name for data in plan.data),
        tuple(contender.name for contender in plan.contenders),
        plan.data[0].table.task,
    )


def _several(data: Any) -> Iterable[Any]:
    return data if isinstance(data, list | tuple) else (data,)


__all__ = [
    "Backend",
    "Bootstrap",
    "Bundle",
    "Contender",
    "CrossValidation",
    "DataSet",
    "FixedTest",
    "Fold",
    "HoldOut",
    "LeaveOneOut",
    "Outcome",
    "Plan",
    "Progress",
    "Resampling",
    "Results",
    "Verdict",
    "compare",
    "contenders_of",
    "read_bundle",
    "results_of",
    "verify",
    "write_bundle",
]
