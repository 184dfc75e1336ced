"""Optimal trees beside pystreed: the same error, and the ratio of the times.

pystreed needs columns of 0 and 1. It gets one for every test that treekit may ask; the time that
takes is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.contest import Contender, Contest, Row
from benchmarks.options import NotHere, Options
from treekit import Model, Table, fit, read_table

FOLDER = Path(__file__).parents[2] / "shared" / "data"
QUICK = ("c45-monk1", "balance-scale", "R-iris", "breast-w")
DATA = (*QUICK, "tic-tac-toe", "car", "c45-vote", "kr-vs-kp", "sklearn-wine", "weka-glass")
DEPTH = 3
LIMIT = 30.0  # seconds, after which pystreed is stopped
SPLITTER = {"numeric": "threshold", "ordinal": "threshold", "nominal": "one_vs_rest"}


def optimal(options: Options) -> Iterator[Row]:
    if find_spec("pystreed") is None:
        raise NotHere("pystreed is not installed")
    if not FOLDER.is_dir():
        raise NotHere("there are no data sets in ../shared/data")
    for name in QUICK if options.quick else DATA:
        yield from options.held(contest(name))


def contest(name: str) -> Contest:
    """The answers compared are the numbers of training errors; treekit's are proved least."""
    from pystreed import STreeDClassifier

    table = complete(name)
    x, y = binarised(table), table.y.astype(np.int64)
    changes = {"tree.grower": {"use": "optimal", "depth": DEPTH}, "tree.splitter": SPLITTER}

    def fitted() -> Any:
        begun = time.perf_counter()
        peer = STreeDClassifier("accuracy", max_depth=DEPTH, time_limit=LIMIT).fit(x, y)
        if time.perf_counter() - begun >= LIMIT:
            raise TimeoutError(f"stopped after {LIMIT:.0f} s")
        return peer

    def wrong(model: Model) -> list[int]:
        return [round(model.facts["training_error"] * table.n_rows)]

    ours = partial(fit, "optimal", table, set=changes)
    contenders = [
        Contender("treekit", ours, wrong, lambda model: int(model.n_nodes), warm=ours),
        Contender("pystreed", fitted, lambda peer: [int((peer.predict(x) != y).sum())]),
    ]
    what = f"optimal tree of depth {DEPTH}, {table.n_rows:,} rows, {x.shape[1]} tests"
    return Contest(f"optimal {name}", what, contenders)


def complete(name: str) -> Table:
    """The rows without unknown values."""
    table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
    return table.take(np.asarray(~np.isnan(table.cells).any(axis=0)))


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
