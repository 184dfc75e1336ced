"""C4.5 Release 8: the recipe `c45` against the trees that the original printed.

Owed: the default run, where the original's float32 arithmetic decided nothing ("double"), on data
without unknown values: the same unpruned tree, the same pruned tree, the same predictions.
Further runs are compared and counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treekit
from treekit.model import Model

from .comparing import Difference, Ours, by_level, first_difference
from .conftest import Verdict
from .originals import (
    Run,
    dataset_names,
    has_gaps,
    held_out_table,
    load_run,
    needs_originals,
    run_names,
    training_table,
)

pytestmark = [pytest.mark.golden, needs_originals]


def stop(branch: int) -> dict[str, Any]:
    """The original's -m."""
    return {"tree.stop": ["pure", {"use": "min_rows", "branch": branch, "count": "weight"}]}


# With -s no column is too many-valued for the average gain.
EVERY_COLUMN_COUNTS = {"use": "gain_ratio", "guard": True, "many_levels": 1e9}

# The options of the original, as the recipe says them.
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "gain": {"tree.criterion": "gain"},
    "subset": {"tree.splitter.nominal": "grouping", "tree.criterion": EVERY_COLUMN_COUNTS},
    "subset_gain": {
        "tree.splitter.nominal": {"use": "grouping", "by": "gain"},
        "tree.criterion": "gain",
    },
    "cf10": {"tree.pruner.confidence": 0.10},
    "cf50": {"tree.pruner.confidence": 0.50},
    "m5": stop(branch=5),
    "m1": stop(branch=1),
}

RUNS = [
    (dataset, run, agreement)
    for dataset in dataset_names("c45")
    for run, agreement in run_names("c45", dataset).items()
    if run in SETTINGS
]


def owed(dataset: str, run: str, agreement: str) -> bool:
    return run == "default" and agreement == "double" and not has_gaps(dataset)


def compared(run: Run) -> list[Difference]:
    """The first difference in the unpruned tree, the pruned tree, or what they predict."""
    table = training_table(run.dataset)
    settings = SETTINGS[run.name]
    growth = {key: value for key, value in settings.items() if "pruner" not in key}
    models = {
        "unpruned": treekit.fit("c45", table, set={**growth, "tree.pruner": "collapse"}),
        "pruned": treekit.fit("c45", table, set=settings),
    }
    for name, model in models.items():
        if told := first_difference(run.trees[name], ours(model)):
            return [Difference(f"{name} tree: {told}")]
    for (part, name), expected in run.predictions.items():
        rows = table if part == "train" else held_out_table(run.dataset)
        wanted = np.array(table.schema.classes)[expected]
        got = np.asarray(models[name].predict(rows))
        if unlike := np.flatnonzero(got != wanted).tolist():
            first = unlike[0]
            return [
                Difference(
                    f"{name} tree: {len(unlike)} {part} rows predicted otherwise, first row"
                    f" {first + 1}: expected {wanted[first]}, got {got[first]}"
                )
            ]
    return []


def ours(model: Model) -> Ours:
    (tree,), (answers,) = model.trees, model.answers
    return Ours(
        tree=tree,
        schema=model.schema,
        figures={
            "items": lambda node: tree.weight[node],
            "dist": lambda node: tree.stats[node, 1:],
            "class": lambda node: answers[node].argmax(),
        },
        align=by_level(tree, model.schema),
        cut_tolerance=1e-4,
        figure_tolerance=1e-4,
    )


@pytest.mark.parametrize(("dataset", "name", "agreement"), RUNS)
def test_c45_grows_and_prunes_as_the_original_did(
    dataset: str, name: str, agreement: str, verdict: Verdict
) -> None:
    run = load_run("c45", dataset, name)
    found = compared(run)
    verdict(run, owed(dataset, name, agreement), found)
    if owed(dataset, name, agreement):
        assert found == []
