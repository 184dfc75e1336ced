"""Comparisons: contenders on the same folds of the same data, and what came of it.

contenders + data sets + resampling -> Plan -> outcomes, one for each fold -> Results
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from treekit.comparing.backends import Dask, Processes, Usual, by_jobs
from treekit.comparing.comparison import Comparison, Statistics, Variant, contenders_of, planned
from treekit.comparing.contenders import Contender
from treekit.comparing.data import DataSet
from treekit.comparing.file import is_comparison, load_comparison
from treekit.comparing.plan import Plan
from treekit.comparing.resampling import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    Fold,
    HoldOut,
    LeaveOneOut,
    Resampling,
)
from treekit.comparing.results import Results
from treekit.comparing.running import Backend, Here, Progress, Told, run
from treekit.comparing.store import Outcome, opened


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
    jobs: int | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
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
    jobs        how many processes work; unless given one for each processor, if that is worth it
    backend     who does the work, in the place of `jobs`
    progress    is told how far it is
    reading     how the data are read: target, kinds and so on, as in `fit`
    """
    comparison = Comparison(
        recipes=tuple(recipes),
        data=tuple(data) if isinstance(data, list | tuple) else (data,),
        metrics=tuple(metrics),
        seed=seed,
        reading=reading,
        settings=(set,) if isinstance(set, str | Mapping) else tuple(set),
        vary=vary or {},
        resampling=resampling or CrossValidation(),
    )
    return compared(comparison, store, backend or by_jobs(jobs), progress)


def compare_file(
    path: str | os.PathLike[str],
    *,
    store: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
    **changes: Any,
) -> Results:
    """Carry out the comparison that a file asks for.

    `changes` take the place of what the file says: the fields of a `Comparison`, such as `seed`.
    The others are as in `compare`.
    """
    comparison = evolve(load_comparison(os.fspath(path)), **changes)
    return compared(comparison, store, backend or by_jobs(jobs), progress)


def compared(
    comparison: Comparison,
    store: str | os.PathLike[str] | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
) -> Results:
    """Carry a comparison out; the arguments are those of `compare`."""
    plan = planned(comparison)
    with opened(store) as kept:
        return results_of(plan, run(plan, kept, backend, progress))


def results_of(plan: Plan, outcomes: Iterable[Outcome]) -> Results:
    """The results of a plan."""
    return Results(
        tuple(outcomes),
        tuple(data.name for data in plan.data),
        tuple(contender.name for contender in plan.contenders),
        plan.data[0].table.task,
        {contender.name: dict(contender.varied) for contender in plan.contenders},
    )


__all__ = [
    "Backend",
    "Bootstrap",
    "Comparison",
    "Contender",
    "CrossValidation",
    "Dask",
    "DataSet",
    "FixedTest",
    "Fold",
    "Here",
    "HoldOut",
    "LeaveOneOut",
    "Outcome",
    "Plan",
    "Processes",
    "Progress",
    "Resampling",
    "Results",
    "Statistics",
    "Usual",
    "Variant",
    "by_jobs",
    "compare",
    "compare_file",
    "compared",
    "contenders_of",
    "is_comparison",
    "load_comparison",
    "results_of",
]
