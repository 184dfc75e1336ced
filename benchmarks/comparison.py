"""A research comparison: four criteria of treekit's beside scikit-learn's two, fold by fold.

treekit takes unknown values and levels as they are and measures all its metrics; scikit-learn gets
a column of 0 and 1 for each level, and its accuracy alone. What is told is the time of a fold, all
of it, and of the fits within it.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from benchmarks.contest import Row, ratio
from benchmarks.optimal import FOLDER
from benchmarks.options import NotHere, Options
from treekit import Table
from treekit.comparing import Comparison, CrossValidation, Variant, by_jobs, carried_out, planned
from treekit.comparing.data import data_sets

QUICK = ("R-iris", "balance-scale", "c45-vote", "zoo")
DATA = (
    *QUICK, "anneal", "autos", "breast-w", "c45-crx", "c45-monk1", "car", "colic", "heart-c",
    "hepatitis", "primary-tumor", "sklearn-wine", "sonar", "tic-tac-toe", "vehicle", "vowel",
    "weka-glass",
)  # fmt: skip
CRITERIA = {
    "entropy": {"tree.impurity": "entropy"},
    "gini": {"tree.impurity": "gini"},
    "gain ratio": {"tree.impurity": "entropy", "tree.criterion": "gain_ratio"},
    "misclassification": {"tree.impurity": "misclassification"},
}
SETTINGS = {"tree.pruner": "none", "tree.missing": "majority_branch"}
JOBS = 2


def compare(options: Options) -> Iterator[Row]:
    if find_spec("sklearn") is None:
        raise NotHere("scikit-learn is not installed")
    if not FOLDER.is_dir():
        raise NotHere("there are no data sets in ../shared/data")
    names = QUICK if options.quick else DATA
    repeats = 1 if options.quick else 10
    title = f"four criteria on {len(names)} data sets, {repeats} x 10 folds, {JOBS} processes"
    options.tell("compare: treekit")
    whole, fits, told = ours(names, repeats)
    yield Row("compare, a fold", "treekit", whole, ratio=1.0, answers=told, title=title)
    options.tell("compare: scikit-learn")
    its, its_fits, its_told = theirs(names, repeats)
    yield Row("compare, a fold", "scikit-learn", its, "s", None, ratio(its, whole), its_told)
    yield Row("compare, a fit", "treekit", fits, ratio=1.0, title=f"the fits of {title}")
    yield Row("compare, a fit", "scikit-learn", its_fits, "s", None, ratio(its_fits, fits))


def ours(names: tuple[str, ...], repeats: int) -> tuple[float, float, str]:
    """The seconds of a fold, those of a fit, and how many folds there were."""
    comparison = Comparison(
        data=tuple(str(FOLDER / f"{name}.csv") for name in names),
        settings=(SETTINGS,),
        variants=tuple(Variant(name, change, "cart") for name, change in CRITERIA.items()),
        resampling=CrossValidation(10, repeats),
    )
    plan = planned(comparison)
    begin = time.perf_counter()
    results = carried_out(plan, None, by_jobs(JOBS))
    taken = time.perf_counter() - begin
    n = len(results.outcomes)
    fit = float(results.frame["fit_seconds"].mean())
    return taken / n, fit, f"{n:,} folds in {taken:,.0f} s, {len(results.failed)} failed"


def theirs(names: tuple[str, ...], repeats: int) -> tuple[float, float, str]:
    """The same of scikit-learn's two criteria, by its own cross-validation."""
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    from sklearn.tree import DecisionTreeClassifier

    taken, n, fits = 0.0, 0, []
    for data in data_sets([FOLDER / f"{name}.csv" for name in names]):
        x, y = spread_out(data.table), data.table.y
        for criterion in ("gini", "entropy"):
            folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=0)
            tree = DecisionTreeClassifier(criterion=criterion, random_state=0)
            begin = time.perf_counter()
            with warnings.catch_warnings(action="ignore"):  # of classes with few rows
                found = cross_validate(tree, x, y, cv=folds, n_jobs=JOBS)
            taken += time.perf_counter() - begin
            fits += found["fit_time"].tolist()
            n += len(found["fit_time"])
    return taken / n, float(np.mean(fits)), f"{n:,} folds in {taken:,.0f} s"


def spread_out(table: Table) -> NDArray[np.float32]:
    """[rows, columns]: numbers as they are, and a column of 0 and 1 for each level."""
    columns = []
    for column, values in zip(table.columns, table.cells, strict=True):
        if column.kind == "nominal":
            columns += [values == level for level in range(len(column.levels))]
        else:
            columns.append(values)
    return np.array(columns, np.float32).T
