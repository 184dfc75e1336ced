"""Prediction with one tree beside scikit-learn's and oneDAL's, in one thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve
from sklearn.tree import DecisionTreeClassifier
from treekit_builtin import Gini, MaxDepth

from benchmarks.data import Matrix, as_table, continuous
from benchmarks.growth import recipe
from benchmarks.timing import interleaved
from treekit import Model, Table, ends
from treekit.fitting import fit_table

PEER = "scikit-learn"
DEPTHS = (None, 10)
ALIKE = 1e-3  # the share of rows that may be answered otherwise


@contextmanager
def one_processor() -> Iterator[None]:
    """Whoever asks how many processors there are is told one, here and in the libraries."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def ours(table: Table, depth: int | None) -> Model:
    full = recipe(Gini())
    stop = (*full.tree.stop, *([] if depth is None else [MaxDepth(depth)]))
    return fit_table(evolve(full, tree=evolve(full.tree, stop=stop)), table)


def oneapi(x: Matrix, y: Matrix, depth: int | None) -> Any:
    """A forest of one tree by oneDAL; None if that is not installed."""
    try:
        from sklearnex.ensemble import RandomForestClassifier
    except ImportError:
        return None
    forest = RandomForestClassifier(
        1, bootstrap=False, max_features=None, max_depth=depth, n_jobs=1, random_state=0
    )
    return forest.fit(x, y)


def contenders(n_rows: int, depth: int | None) -> dict[str, Callable[[], Any]]:
    """Each predicts the rows that it was grown on.

    Cut off at a depth, the trees differ in a few rows: of equal cuts scikit-learn draws one.
    """
    x, y = continuous(n_rows)
    learned = as_table(x, y)
    rows, frame = Table(learned.schema, learned.cells), pd.DataFrame(x).add_prefix("x")
    model, peer = ours(learned, depth), DecisionTreeClassifier(max_depth=depth, random_state=0)
    peer.fit(x, y)
    if np.mean((model.predict(rows) == "yes") != peer.predict(x)) > ALIKE:
        raise SystemExit(f"error: treekit predicts otherwise than {PEER}")
    named = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(frame, y)
    work: dict[str, Callable[[], Any]] = {
        f"{PEER}, array": lambda: peer.predict(x),
        f"{PEER}, DataFrame": lambda: named.predict(frame),
        "treekit, Table": lambda: model.predict(rows),
        "treekit, Table, probabilities": lambda: model.predict_proba(rows),
        "treekit, DataFrame": lambda: model.predict(frame),
        "treekit, DataFrame, probabilities": lambda: model.predict_proba(frame),
        "treekit, the way to the leaves alone": lambda: ends(model.trees[0], rows, True),
    }
    other = oneapi(x, y, depth)
    if other is not None:
        framed = oneapi(frame, y, depth)
        work["oneDAL, array"] = lambda: other.predict(x)
        work["oneDAL, DataFrame"] = lambda: framed.predict(frame)
    return work


def report_predict(n_rows: int, repeats: int) -> str:
    lines = [
        f"Prediction, {n_rows:,} x 20 continuous, 2 classes, one thread, {repeats} repeats;"
        f" trees that answer 999 of 1,000 rows as {PEER}'s do.",
        "",
        "| | depth | least ms | spread | million rows a second | times as fast |",
        "|---|---|---|---|---|---|",
    ]
    with one_processor():
        for depth in DEPTHS:
            work = contenders(n_rows, depth)
            for run in work.values():
                run()
            timings = interleaved(work, repeats)
            peer = timings[f"{PEER}, array"].least
            lines += [
                f"| {name} | {depth or 'full'} | {1e3 * timing.least:.1f} | {timing.spread:.0%} |"
                f" {n_rows / timing.least / 1e6:.1f} | {peer / timing.least:.2f} |"
                for name, timing in timings.items()
            ]
    return "\n".join(lines)
