"""AdaBoost with 50 stumps beside scikit-learn's and Weka's: accuracy on the same ten folds.

scikit-learn's is SAMME, as is the recipe `adaboost`; Weka's is AdaBoost.M1, as is `adaboost_m1`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

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
# What Weka's DecisionStump does: entropy, one level against the rest, unknown values apart.
WEKA_STUMP: Final = {
    "tree.impurity": "entropy",
    "tree.splitter.nominal": "one_vs_rest",
    "tree.missing": "own_branch",
}

# The classes, by number, that the tested rows get by what was learned from the others.
Answers = Callable[[Table, Table], Matrix]


def by_treekit(recipe: str, changes: Mapping[str, Any] | None = None) -> Answers:
    """A recipe, with changes."""
    chosen = load_recipe(recipe, {"ensemble.rounds": ROUNDS, **(changes or {})})
    return lambda seen, tested: fit_table(chosen, seen).answered(tested).said


def by_scikit_learn(seen: Table, tested: Table) -> Matrix:
    """Nominal columns are indicators of their levels, unknown numbers the column's median."""
    boosted = AdaBoostClassifier(n_estimators=ROUNDS, random_state=0)
    peer = make_pipeline(SimpleImputer(strategy="median"), boosted)
    peer.fit(matrix(seen), seen.y)
    return np.asarray(peer.predict(matrix(tested)))


def by_weka(seen: Table, tested: Table) -> Matrix:
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
    # Each row's number, "1:v0" for its class, "2:v1" for the answer; after two lines of heading.
    rows = [line.split() for line in told.splitlines() if ":" in line]
    if len(rows) != tested.n_rows:
        raise RuntimeError(f"Weka answered for {len(rows)} of {tested.n_rows} rows")
    return np.array([float(row[2].split(":v")[1]) for row in rows])


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


def answers(table: Table, programs: Mapping[str, Answers]) -> dict[str, Matrix]:
    """What each program answers for every row, each tested once."""
    dealt = stratified_folds(table.y, FOLDS, np.random.default_rng(0))
    said = {name: np.empty(table.n_rows) for name in programs}
    for k in range(FOLDS):
        seen, tested = table.take(dealt != k), table.take(dealt == k)
        for name, program in programs.items():
            said[name][dealt == k] = program(seen, tested)
    return said


def report_adaboost(quick: bool) -> str:
    """Accuracy by data set and program; Weka's where WEKA_JAR names its file."""
    if not FOLDER.is_dir():
        return "AdaBoost: there are no data sets in ../shared/data."
    programs: dict[str, Answers] = {
        "SAMME": by_treekit("adaboost"),
        "scikit-learn's": by_scikit_learn,
        "M1": by_treekit("adaboost_m1"),
        "M1 of Weka's stumps": by_treekit("adaboost_m1", WEKA_STUMP),
    }
    if WEKA:
        programs["Weka's"] = by_weka
    lines = [
        f"### AdaBoost, {ROUNDS} stumps, accuracy by {FOLDS} folds",
        "",
        f"| data set | rows | classes | {' | '.join(programs)} | s.e. |",
        "|---" * (4 + len(programs)) + "|",
    ]
    rows, otherwise = 0, 0
    for name in QUICK if quick else DATA:
        table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
        said = answers(table, programs)
        found = [(of == table.y).mean() for of in said.values()]
        classes = len(np.unique(table.y))
        spread = np.sqrt(found[0] * (1 - found[0]) / table.n_rows)
        told = " | ".join(f"{share:.3f}" for share in found)
        lines.append(f"| {name} | {table.n_rows} | {classes} | {told} | {spread:.3f} |")
        rows += table.n_rows
        otherwise += int((said["M1 of Weka's stumps"] != said["Weka's"]).sum()) if WEKA else 0
    if WEKA:
        lines += ["", f"Weka answers {otherwise} of {rows} rows otherwise than M1 of its stumps."]
    return "\n".join(lines)
