"""A full Gini tree on continuous data, beside scikit-learn: the same predictions, and the ratio."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from attrs import frozen
from sklearn.tree import DecisionTreeClassifier
from treekit_builtin import Gain, Gini, Level, Majority, NoPruning, Pure, Refuse, Threshold

from benchmarks.data import as_table, continuous
from benchmarks.timing import Timing, interleaved
from treekit import Floats, Recipe, Table, TreeParts, ends
from treekit.fitting import fit_table
from treekit.model import Model

PEER = "scikit-learn"
ROW_FORM = "treekit, row form"
ARRAY_FORM = "treekit, array form"


@frozen
class NumpyGini:
    """Gini's index as a user writes it, in one line of NumPy."""

    def impurity(self, stats: Floats) -> Floats:
        return np.asarray(1 - ((stats[..., 1:] / stats[..., :1]) ** 2).sum(-1))


def recipe(impurity: object) -> Recipe:
    """Full growth, no pruning."""
    return Recipe(
        task="classification",
        tree=TreeParts(
            impurity=impurity,  # type: ignore[arg-type]
            criterion=Gain(),
            splitter={"numeric": Threshold()},
            stop=(Pure(),),
            missing=Refuse(),
            label=Majority(),
            pruner=NoPruning(),
            grower=Level(),
        ),
    )


def fitted(table: Table, impurity: object) -> Callable[[], Model]:
    """A fit on a table that nothing was remembered of: encoding is part of the work."""
    prepared = recipe(impurity)
    return lambda: fit_table(prepared, Table(table.schema, table.cells, table.target_values))


def compare(n_rows: int, repeats: int) -> dict[str, Timing]:
    """Time all three; fail if their training predictions differ."""
    x, y = continuous(n_rows)
    table = as_table(x, y)
    warm = as_table(*continuous(2_000))
    for impurity in (Gini(), NumpyGini()):
        fitted(warm, impurity)()
    timings = interleaved(
        {
            PEER: lambda: DecisionTreeClassifier(random_state=0).fit(x, y),
            ROW_FORM: fitted(table, Gini()),
            ARRAY_FORM: fitted(table, NumpyGini()),
        },
        repeats,
    )
    wanted = timings[PEER].result.predict(x)
    for name in (ROW_FORM, ARRAY_FORM):
        model = timings[name].result
        leaf = ends(model.trees[0], table).node
        if not np.array_equal(model.answers[0][leaf].argmax(axis=1), wanted):
            raise SystemExit(f"error: {name} predicts otherwise than {PEER}")
    return timings


def report_growth(n_rows: int, repeats: int) -> str:
    timings = compare(n_rows, repeats)
    peer = timings[PEER].least
    lines = [
        f"Full Gini tree, {n_rows:,} x 20 continuous, 2 classes, one thread, {repeats} repeats;"
        " equal training predictions.",
        "",
        "| | least s | spread | nodes | times as fast |",
        "|---|---|---|---|---|",
    ]
    for name, timing in timings.items():
        model = timing.result
        nodes = model.tree_.node_count if name == PEER else model.n_nodes
        lines.append(
            f"| {name} | {timing.least:.2f} | {timing.spread:.0%} | {nodes:,} |"
            f" {peer / timing.least:.2f} |"
        )
    return "\n".join(lines)


def report_scaling(sizes: tuple[int, ...], repeats: int) -> str:
    """How the time grows with the rows; n log n is the algorithm's own growth, per level."""
    lines = [
        "Growth of the fit time with the rows (row form, full tree).",
        "",
        "| rows | least s | depth | s per (n log2 n) relative to the first |",
        "|---|---|---|---|",
    ]
    first = None
    for n in sizes:
        table = as_table(*continuous(n))
        timing = interleaved({ROW_FORM: fitted(table, Gini())}, repeats)[ROW_FORM]
        unit = timing.least / (n * math.log2(n))
        first = first or unit
        lines.append(f"| {n:,} | {timing.least:.2f} | {timing.result.depth} | {unit / first:.2f} |")
    return "\n".join(lines)
