"""AdaBoost with 50 stumps beside scikit-learn's and Weka's: accuracy on the same ten folds."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from benchmarks.data import Matrix
from benchmarks.optimal import FOLDER
from treekit import Table, load_recipe, read_table
from treekit.comparing.estimators import matrix
from treekit.fitting import fit_table
from treekit.folds import stratified_folds

QUICK: Final = ("weka-iris", "weka-glass")
DATA: Final = (
    *QUICK, "weka-diabetes", "weka-ionosphere", "sonar", "vehicle", "heart-c", "hepatitis",
    "weka-vote", "tic-tac-toe",
)  # fmt: skip
WEKA: Final = os.environ.get("WEKA_JAR", "")  # the file weka.jar, if there is one
FOLDS: Final = 10
ROUNDS: Final = 50

# How many of the tested rows are answered right by what was learned from the others.
Right = Callable[[Table, Table], int]


def by_treekit(seen: Table, tested: Table) -> int:
    """The recipe `adaboost`."""
    model = fit_table(load_recipe("adaboost", {"ensemble.rounds": ROUNDS}), seen)
    return int((model.answered(tested).said == tested.y).sum())


def by_scikit_learn(seen: Table, tested: Table) -> int:
    """Nominal columns are indicators of their levels, unknown numbers the column's median."""
    boosted = AdaBoostClassifier(n_estimators=ROUNDS, random_state=0)
    peer = make_pipeline(SimpleImputer(strategy="median"), boosted)
    peer.fit(matrix(seen), seen.y)
    return int((peer.predict(matrix(tested)) == tested.y).sum())


def by_weka(seen: Table, tested: Table) -> int:
    """`AdaBoostM1 -I 50` with `DecisionStump`, on ARFF files."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"-t": Path(folder) / "seen.arff", "-T": Path(folder) / "tested.arff"}
        for table, file in zip((seen, tested), files.values(), strict=True):
            file.write_text(arff(table), encoding="utf-8")
        words = [str(word) for pair in files.items() for word in pair]
        told = subprocess.run(
            ["java", "-cp", WEKA, "weka.classifiers.meta.AdaBoostM1", *words, "-p", "0",
             "-I", str(ROUNDS), "-W", "weka.classifiers.trees.DecisionStump"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    # Each row's number, "1:actual", "1:predicted" and so on, after two lines of heading.
    rows = [line.split() for line in told.splitlines() if ":" in line]
    if len(rows) != tested.n_rows:
        raise RuntimeError(f"Weka answered for {len(rows)} of {tested.n_rows} rows")
    return sum(row[1].split(":")[0] == row[2].split(":")[0] for row in rows)


def arff(table: Table) -> str:
    """A table as Weka reads it; columns, levels and classes by their numbers."""
    names = [*(f"c{i}" for i in range(table.n_columns)), "target"]
    columns = [*table.columns, table.schema.target]
    lines = ["@relation data"]
    for name, column in zip(names, columns, strict=True):
        levels = "{" + ",".join(f"v{i}" for i in range(len(column.levels))) + "}"
        lines.append(f"@attribute {name} {'numeric' if column.is_numeric else levels}")
    lines.append("@data")
    values = [*table.cells, table.y]
    cells = [_cells(of, column.is_numeric) for of, column in zip(values, columns, strict=True)]
    return "\n".join([*lines, *(",".join(row) for row in zip(*cells, strict=True))]) + "\n"


def _cells(values: Matrix, numeric: bool) -> list[str]:
    return ["?" if np.isnan(v) else repr(float(v)) if numeric else f"v{int(v)}" for v in values]


def accuracies(table: Table, programs: Mapping[str, Right]) -> dict[str, float]:
    """The share of the rows that each program answers right, each row tested once."""
    dealt = stratified_folds(table.y, FOLDS, np.random.default_rng(0))
    return {
        name: sum(right(table.take(dealt != k), table.take(dealt == k)) for k in range(FOLDS))
        / table.n_rows
        for name, right in programs.items()
    }


def report_adaboost(quick: bool) -> str:
    """Accuracy by data set and program; Weka's where WEKA_JAR names its file."""
    if not FOLDER.is_dir():
        return "AdaBoost: there are no data sets in ../shared/data."
    programs: dict[str, Right] = {"treekit": by_treekit, "scikit-learn": by_scikit_learn}
    if WEKA:
        programs["Weka"] = by_weka
    lines = [
        f"### AdaBoost, {ROUNDS} stumps, accuracy by {FOLDS} folds",
        "",
        f"| data set | rows | classes | {' | '.join(programs)} | s.e. |",
        "|---" * (4 + len(programs)) + "|",
    ]
    for name in QUICK if quick else DATA:
        table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
        found = accuracies(table, programs)
        classes = len(np.unique(table.y))
        spread = np.sqrt(found["treekit"] * (1 - found["treekit"]) / table.n_rows)
        told = " | ".join(f"{share:.3f}" for share in found.values())
        lines.append(f"| {name} | {table.n_rows} | {classes} | {told} | {spread:.3f} |")
    return "\n".join(lines)
