"""Boosting beside scikit-learn: seconds, and the accuracy on rows that were not seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier

from benchmarks.data import Matrix, as_table, continuous
from benchmarks.timing import interleaved
from treekit import Table
from treekit.fitting import fit_table
from treekit.model import Model
from treekit.recipe import load_recipe


def fitted(recipe: str, rounds: int, table: Table) -> Callable[[], Model]:
    """A fit on a table that nothing was remembered of: sorting is part of the work."""
    resolved = load_recipe(recipe, {"ensemble.rounds": rounds})
    return lambda: fit_table(resolved, Table(table.schema, table.cells, table.target_values))


def accuracy(model: Any, x: Matrix, y: Matrix) -> float:
    """The share of the rows that a model of either kind answers right."""
    if isinstance(model, Model):
        return float((model.predict(as_table(x, y)) == np.where(y == 1, "yes", "no")).mean())
    return float((model.predict(x) == y).mean())


def report_boosting(n_rows: int, repeats: int) -> str:
    """50 stumps by AdaBoost, and 20 rounds of trees of depth 3 by gradient boosting."""
    x, y = continuous(2 * n_rows)
    seen, unseen = slice(0, n_rows), slice(n_rows, None)
    table, warm = as_table(x[seen], y[seen]), as_table(*continuous(2_000))
    peers: dict[str, tuple[Any, int]] = {
        "adaboost": (AdaBoostClassifier(n_estimators=50, random_state=0), 50),
        "gradient_boosting": (GradientBoostingClassifier(n_estimators=20, random_state=0), 20),
    }
    lines = [
        f"### Boosting, {n_rows:,} x 20, least seconds of {repeats}",
        "",
        "| recipe | rounds | treekit | scikit-learn | times as fast | accuracy | scikit-learn's |",
        "|---|---|---|---|---|---|---|",
    ]
    for recipe, (peer, rounds) in peers.items():
        fitted(recipe, 2, warm)()
        ours, theirs = "treekit", "scikit-learn"
        timings = interleaved(
            {
                theirs: lambda peer=peer: peer.fit(x[seen], y[seen]),  # type: ignore[misc]
                ours: fitted(recipe, rounds, table),
            },
            repeats,
        )
        ratio = timings[theirs].least / timings[ours].least
        right = [accuracy(timings[name].result, x[unseen], y[unseen]) for name in (ours, theirs)]
        lines.append(
            f"| `{recipe}` | {rounds} | {timings[ours].least:.2f} | {timings[theirs].least:.2f}"
            f" | {ratio:.1f} | {right[0]:.4f} | {right[1]:.4f} |"
        )
    return "\n".join(lines)
