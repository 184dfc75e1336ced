"""Optimal trees beside pystreed: the same error, and the ratio of the times.

pystreed needs columns of 0 and 1. It gets one for every test that treekit may ask; the time that
takes is not counted.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import interleaved
from treekit import Table, fit, read_table

FOLDER = Path(__file__).parents[2] / "shared" / "data"
QUICK = ("c45-monk1", "balance-scale", "R-iris", "breast-w")
DATA = (*QUICK, "tic-tac-toe", "car", "c45-vote", "kr-vs-kp", "sklearn-wine", "weka-glass")
LIMIT = 30.0  # seconds, after which pystreed is stopped
SPLITTER = {"numeric": "threshold", "ordinal": "threshold", "nominal": "one_vs_rest"}


def complete(name: str) -> Table:
    """The rows without unknown values."""
    table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
    return table.take(~np.isnan(table.cells).any(axis=0))


def binarised(table: Table) -> NDArray[np.int64]:
    """[rows, tests]: the answer to every cut and to every level against the rest."""
    answers = []
    for column, values in zip(table.columns, table.cells, strict=True):
        distinct = np.unique(values)
        if column.kind == "nominal":
            answers += [values == level for level in distinct]
        else:
            answers += [values <= cut for cut in distinct[:-1]]
    return np.array(answers).T.astype(np.int64)


def report_optimal(depth: int, repeats: int, quick: bool) -> str:
    try:
        from pystreed import STreeDClassifier
    except ImportError:
        return "Optimal trees: pystreed is not installed."
    if not FOLDER.is_dir():
        return "Optimal trees: there are no data sets in ../shared/data."
    lines = [
        f"Optimal trees of depth {depth}, one thread, {repeats} repeats; treekit's are proved.",
        "",
        "| data | rows | tests | errors | treekit s | pystreed s | times as fast |",
        "|---|---|---|---|---|---|---|",
    ]
    changes = {"tree.grower": {"use": "optimal", "depth": depth}, "tree.splitter": SPLITTER}
    for name in QUICK if quick else DATA:
        table = complete(name)
        x, y = binarised(table), table.y.astype(np.int64)
        peer = STreeDClassifier("accuracy", max_depth=depth, time_limit=LIMIT)
        timings = interleaved(
            {
                "treekit": partial(fit, "optimal", table, set=changes),
                "pystreed": partial(peer.fit, x, y),
            },
            repeats,
        )
        ours, others = timings["treekit"], timings["pystreed"].least
        wrong = round(ours.result.facts["training_error"] * table.n_rows)
        in_time = others < LIMIT
        if in_time and wrong != int((peer.predict(x) != y).sum()):
            raise SystemExit(f"error: {name}: treekit and pystreed find different errors")
        lines.append(
            f"| {name} | {table.n_rows:,} | {x.shape[1]} | {wrong} | {ours.least:.2f} |"
            f" {others:.2f}{'' if in_time else ' (stopped)'} |"
            f" {'' if in_time else 'more than '}{others / ours.least:.2f} |"
        )
    return "\n".join(lines)
