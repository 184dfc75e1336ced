"""C4.5 Release 8: the recipe `c45` against the trees that the original printed.

Owed: every run that double-precision arithmetic can give ("double"), whatever its options and
whether or not values are unknown: the same unpruned tree, the same pruned tree with the same
estimates of its errors, and the same predictions of both. The other runs hang on the rounding of
the original's 32-bit numbers; they are compared, and how far ours are from them is told.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from treekit_builtin.pruners.estimates import estimated_errors

import treekit
from treekit.model import Model

from .comparing import Difference, Ours, by_level, first_difference, rows_of_nodes
from .conftest import Verdict
from .originals import (
    Run,
    dataset_names,
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


FORGETS_M = "the original forgets -m once a column of groups has no known value"

GAIN = {"use": "gain", "precision": "single"}
CONFIDENCE = {"cf10": 0.10, "cf50": 0.50}

# The options of the original, as the recipe says them.
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "gain": {"tree.criterion": GAIN},
    # With -s no column is too many-valued for the average gain.
    "subset": {"tree.splitter.nominal": "grouping", "tree.criterion.many_levels": 1e9},
    "subset_gain": {
        "tree.splitter.nominal": {"use": "grouping", "by": "gain"},
        "tree.criterion": GAIN,
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


def grown(run: Run) -> dict[str, Model]:
    """Our two trees for a run, by the names that the original's have."""
    table, settings = training_table(run.dataset), SETTINGS[run.name]
    growth = {key: value for key, value in settings.items() if "pruner" not in key}
    return {
        "unpruned": treekit.fit("c45", table, set={**growth, "tree.pruner": "collapse"}),
        "pruned": treekit.fit("c45", table, set=settings),
    }


def compared(run: Run) -> list[Difference]:
    """The first difference in the unpruned tree, the pruned tree, or what they predict."""
    models = grown(run)
    confidence = CONFIDENCE.get(run.name, 0.25)
    for name, model in models.items():
        if told := first_difference(run.trees[name], ours(model, confidence)):
            return [Difference(f"{name} tree: {told}; {how_far(run, models)}")]
    if any(unlike(run, models).values()):
        return [Difference(how_far(run, models))]
    return []


def unlike(run: Run, models: dict[str, Model]) -> dict[str, int]:
    """How many rows each tree answers otherwise than the original's, by tree and table."""
    table = training_table(run.dataset)
    classes = np.array(table.schema.classes)
    counts = {}
    for (part, name), expected in run.predictions.items():
        rows = table if part == "train" else held_out_table(run.dataset)
        got = np.asarray(models[name].predict(rows))
        assert len(got) == len(expected)
        counts[f"{name} {part}"] = int((got != classes[expected]).sum())
    return counts


def how_far(run: Run, models: dict[str, Model]) -> str:
    """Sizes and predictions beside the original's."""
    sizes = ", ".join(
        f"{name} {run.trees[name].size} and {model.trees[0].n_nodes}"
        for name, model in models.items()
    )
    rows = ", ".join(f"{where} {count}" for where, count in unlike(run, models).items())
    return f"nodes: {sizes}; rows predicted otherwise: {rows}"


def forgets_m(run: Run) -> bool:
    """Did the original, given -s, go on with -m 1 (rule 5.5)?

    It does from the first node on where a column of groups has no known value.
    """
    if not run.name.startswith("subset"):
        return False
    table = training_table(run.dataset)
    (tree,) = treekit.fit("c45", table, set={**SETTINGS[run.name], "tree.pruner": "none"}).trees
    rows = rows_of_nodes(tree, table)
    grouped = [i for i, column in enumerate(table.columns) if len(column.levels) > 2]
    return any(
        np.isnan(table.cells[column][sorted(rows[node])]).all()
        for node in np.flatnonzero(~tree.is_leaf)
        for column in grouped
    )


def ours(model: Model, confidence: float) -> Ours:
    (tree,), (answers,) = model.trees, model.answers
    estimates = estimated_errors(tree, confidence)
    return Ours(
        tree=tree,
        schema=model.schema,
        figures={
            "items": lambda node: tree.weight[node],
            "dist": lambda node: tree.stats[node, 1:],
            "estimate": lambda node: estimates[node],
            "class": lambda node: answers[node].argmax(),
        },
        align=by_level(tree, model.schema),
        cut_tolerance=1e-4,
        figure_tolerance=1e-4,
    )


@pytest.mark.parametrize(("dataset", "name", "agreement"), RUNS)
def test_c45_grows_prunes_and_predicts_as_the_original_did(
    dataset: str, name: str, agreement: str, verdict: Verdict
) -> None:
    run = load_run("c45", dataset, name)
    owed = agreement == "double"
    found = compared(run)
    verdict(run, owed, found, FORGETS_M if found and forgets_m(run) else "")
    if owed:
        assert found == []


def test_every_recorded_run_is_compared() -> None:
    recorded = [run for dataset in dataset_names("c45") for run in run_names("c45", dataset)]
    assert len(RUNS) == len(recorded)
