"""A random forest of full trees beside scikit-learn's: the ratio of times, and errors held out."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.data import Matrix, as_table, continuous
from benchmarks.timing import interleaved
from treekit import Model, Table, load_recipe
from treekit.fitting import fit_table
from treekit.planting import Means

PEER = "scikit-learn"
OURS = "treekit"
THREADS = 2


def ours(table: Table, trees: int, seed: int = 0) -> Model:
    """A fit on a table that nothing was remembered of: encoding is part of the work."""
    recipe = load_recipe("random_forest", set={"ensemble.trees": trees})
    fresh = Table(table.schema, table.cells, table.target_values)
    return fit_table(recipe, fresh, seed, means=Means(THREADS))


def theirs(x: Matrix, y: Matrix, trees: int, seed: int = 0) -> RandomForestClassifier:
    forest = RandomForestClassifier(
        trees, max_features="sqrt", min_samples_split=2, n_jobs=THREADS, random_state=seed
    )
    return forest.fit(x, y)


def report_forest(n_rows: int, trees: int, repeats: int, seeds: int = 10) -> str:
    return (
        f"{_times(n_rows, trees, repeats)}\n\n{_errors(n_rows // 10, max(trees // 2, 10), seeds)}"
    )


def _times(n_rows: int, trees: int, repeats: int) -> str:
    x, y = continuous(n_rows)
    table = as_table(x, y)
    ours(as_table(*continuous(2_000)), 2)
    timings = interleaved(
        {PEER: lambda: theirs(x, y, trees), OURS: lambda: ours(table, trees)}, repeats
    )
    peer = timings[PEER].least
    nodes = {
        PEER: sum(tree.tree_.node_count for tree in timings[PEER].result.estimators_),
        OURS: timings[OURS].result.n_nodes,
    }
    lines = [
        f"Random forest of {trees} full trees, {n_rows:,} x 20 continuous, 2 classes, {THREADS}"
        f" threads, {repeats} repeats.",
        "",
        "| | least s | spread | nodes | times as fast |",
        "|---|---|---|---|---|",
    ]
    for name, timing in timings.items():
        lines.append(
            f"| {name} | {timing.least:.2f} | {timing.spread:.0%} | {nodes[name]:,} |"
            f" {peer / timing.least:.2f} |"
        )
    return "\n".join(lines)


def _errors(n_rows: int, trees: int, seeds: int) -> str:
    """The errors of both on the same rows held out, each seed drawing tables of its own."""
    apart, mine, peers, told = [], [], [], []
    for seed in range(seeds):
        x, y = continuous(2 * n_rows, seed=seed)
        (x, test_x), (y, test_y) = np.split(x, 2), np.split(y, 2)
        model = ours(as_table(x, y), trees, seed)
        answers = model.predict_proba(as_table(test_x, test_y)).argmax(axis=1)
        mine.append(float((answers != test_y).mean()))
        peers.append(float((theirs(x, y, trees, seed).predict(test_x) != test_y).mean()))
        told.append(model.facts["out_of_bag_error"])
        apart.append(mine[-1] - peers[-1])
    noise = np.std(apart, ddof=1) / np.sqrt(seeds)
    return (
        f"Errors on {n_rows:,} rows held out, of {trees} trees on as many rows, {seeds} seeds:"
        f" {OURS} {np.mean(mine):.4f} (out of bag {np.mean(told):.4f}), {PEER}"
        f" {np.mean(peers):.4f}; the difference is {np.mean(apart):+.4f}, with a standard error of"
        f" {noise:.4f}."
    )
