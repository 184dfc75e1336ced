"""Comparisons: contenders on the same folds of the same data, and what came of it.

contenders + data sets + resampling -> Plan -> outcomes, one for each fold -> Results
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from treekit.comparing.backends import Dask, Processes, Usual, by_jobs
from treekit.comparing.bundle import Bundle, check_bundle, write_bundle
from treekit.comparing.bundle_reading import read_bundle
from treekit.comparing.comparison import Comparison, Statistics, Variant, contenders_of, planned
from treekit.comparing.contenders import Contender
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.disturbing import Disturbing
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
from treekit.comparing.verifying import Verdict, verify


def compare(
    recipes: Iterable[Any],
    data: Any,
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    set: Sequence[str] | Mapping[str, Any] = (),  # noqa: A002
    resampling: Resampling | None = None,
    learn: Iterable[float] = (),
    disturb: Disturbing | None = None,
    seed: int = 0,
    metrics: Iterable[str] = (),
    store: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
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
    learn       shares of the rows that each contender learns from, for learning curves
    disturb     adds disturbed copies of the data
    seed        of the folds and of all that contenders draw
    metrics     those that will be looked at: if they cannot be measured, it is told before any work
    store       a results file: what is in it is not computed again
    jobs        how many processes work; unless given one for each processor, if that is worth it
    backend     who does the work, in the place of `jobs`
    progress    is told how far it is
    bundle      a file to write it all to, for `verify`; with `bundle_data` the data, too
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
        learn=tuple(learn),
        disturb=disturb,
        resampling=resampling or CrossValidation(),
    )
    packed = Packing(bundle, bundle_data)
    return carried_out(planned(comparison), store, backend or by_jobs(jobs), progress, packed)


def compare_file(
    path: str | os.PathLike[str],
    *,
    store: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
    bundle: str | os.PathLike[str] | None = None,
    bundle_data: bool = False,
    **changes: Any,
) -> Results:
    """Carry out the comparison that a file asks for.

    `changes` take the place of what the file says: the fields of a `Comparison`, such as `seed`.
    The others are as in `compare`.
    """
    comparison = evolve(load_comparison(os.fspath(path)), **changes)
    packed = Packing(bundle, bundle_data, comparison.title)
    return carried_out(planned(comparison), store, backend or by_jobs(jobs), progress, packed)


@frozen
class Packing:
    """Whether a comparison is written to a bundle, with its data or without them."""

    path: str | os.PathLike[str] | None = None
    with_data: bool = False
    title: str = ""


def carried_out(
    plan: Plan,
    store: str | os.PathLike[str] | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
    packed: Packing | None = None,
) -> Results:
    """Carry a plan out; the arguments are those of `compare`."""
    how = packed or Packing()
    if how.path is not None:
        check_bundle(plan, how.with_data, how.path)
    with opened(store) as kept:
        outcomes = run(plan, kept, backend, progress)
    if how.path is not None:
        write_bundle(how.path, plan, outcomes, how.with_data, how.title)
    return results_of(plan, outcomes)


def results_of(plan: Plan, outcomes: Iterable[Outcome]) -> Results:
    """The results of a plan."""
    return Results(
        tuple(outcomes),
        tuple(data.name for data in plan.data),
        tuple(contender.name for contender in plan.contenders),
        plan.data[0].table.task,
        {contender.name: dict(contender.varied) for contender in plan.contenders},
        {data.name: data.copy_of for data in plan.data if data.copy_of},
    )


__all__ = [
    "Backend",
    "Bootstrap",
    "Bundle",
    "Comparison",
    "Contender",
    "CrossValidation",
    "Dask",
    "DataSet",
    "Disturbing",
    "FixedTest",
    "Fold",
    "Here",
    "HoldOut",
    "LeaveOneOut",
    "Outcome",
    "Packing",
    "Plan",
    "Processes",
    "Progress",
    "Resampling",
    "Results",
    "Statistics",
    "Usual",
    "Variant",
    "Verdict",
    "by_jobs",
    "carried_out",
    "compare",
    "compare_file",
    "contenders_of",
    "data_sets",
    "is_comparison",
    "load_comparison",
    "planned",
    "read_bundle",
    "results_of",
    "verify",
    "write_bundle",
]
