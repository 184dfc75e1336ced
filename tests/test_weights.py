"""Weights throughout: a row of weight 3 is three rows, and one of weight 0 is none.

So it is with every strategy but those that are listed with a reason. Ensembles are left out: they
draw rows by number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin import MinRows

from treekit.fitting import fit_table
from treekit.model import Model, row_answers
from treekit.registry import installed
from treekit.roles import BOTH_TASKS
from treekit.table.record import KINDS, Table
from treekit.testing.examples import examples_of, label_of
from treekit.testing.hosting import AtDepth, recipe_with, tasks
from treekit.testing.samples import sample_table

from .growing import GROWING_ONCE

DRAWN = "it deals or draws rows, each of which is one whatever it weighs"
COUNTS_ROWS = "it counts rows, as it says"
LAST_BIT = "between tests of equal worth the last bit of a sum chooses, as in rpart"
NO_SCALE = "perfect splits score 0, which is no scale for the rounding of the sums of numbers"
AGREEING = "a surrogate must send two rows each way, counted as rows (rpart)"


def both_tasks(*names: str) -> list[str]:
    return [f"{name}-{task}" for name in names for task in BOTH_TASKS]


EXCEPTIONS = {
    "criterion.improvement-regression": LAST_BIT,
    "criterion.weighted_impurity-regression": NO_SCALE,
    **dict.fromkeys(
        both_tasks(
            "pruner.reduced_error",
            "pruner.cost_complexity(choose=least_error)",
            "pruner.cost_complexity(choose=one_se)",
        ),
        DRAWN,
    ),
    **dict.fromkeys(both_tasks("stop.min_rows(split=12)"), COUNTS_ROWS),
    **dict.fromkeys(
        both_tasks(
            "missing.surrogate",
            "missing.surrogate(then=stay)",
            "missing.surrogate(share_of=both)",
            "missing.surrogate(as_rpart=True)",
        ),
        AGREEING,
    ),
}

# What defaults and choices do not reach.
FURTHER = {"min_rows": [MinRows(split=12), MinRows(split=12, count="weight")]}

NEEDS_CLASSES = "missing.typical(within=class)"
NEEDS_NO_GAPS = "missing.refuse"


def cases() -> Iterator[Any]:
    for entry in installed().entries:
        if entry.distribution != "treekit" or entry.role == "ensemble":
            continue
        for strategy in [*examples_of(entry.strategy), *FURTHER.get(entry.name, [])]:
            name = f"{entry.role}.{label_of(entry.name, strategy)}"
            for task in tasks(strategy):
                if (name, task) != (NEEDS_CLASSES, "regression"):
                    yield pytest.param(name, entry.role, strategy, task, id=f"{name}-{task}")


def both_ways(name: str, role: str, strategy: Any, task: str, seed: int) -> tuple[Model, Model]:
    """The models of a table with whole weights, and of one with its rows repeated."""
    table = table_for(name, role, strategy, task, seed)
    times = np.random.default_rng(seed).integers(0, 4, table.n_rows)
    recipe = recipe_with(task, role, strategy)
    # Deep down many tests are worth the same, and the rounding of a sum may choose between them.
    shallow = evolve(recipe.tree, stop=(*recipe.tree.stop, AtDepth(3)))
    recipe = evolve(recipe, tree=shallow)
    weighted = table.reweighted(times.astype(np.float64))
    repeated = table.take(np.repeat(np.arange(table.n_rows), times))
    return fit_table(recipe, weighted), fit_table(recipe, repeated)


def table_for(name: str, role: str, strategy: Any, task: str, seed: int) -> Table:
    """A table of the kinds of column that the strategy serves; with gaps if they are its matter."""
    table = sample_table(task, getattr(strategy, "kinds", KINDS), rows=60, seed=seed)
    if role != "missing" or name == NEEDS_NO_GAPS:
        return table
    cells = table.cells.copy()
    gaps = np.random.default_rng(seed).random(cells.shape) < 0.15
    gaps[np.arange(len(cells)) % 4 > 1] = False
    cells[gaps] = np.nan
    return evolve(table, cells=cells)


def same_answers(name: str, role: str, strategy: Any, task: str, seed: int) -> bool:
    one, other = both_ways(name, role, strategy, task, seed)
    queries = table_for(name, role, strategy, task, seed + 100)
    found = [row_answers(model, queries) for model in (one, other)]
    return one.n_nodes == other.n_nodes and np.allclose(*found, rtol=1e-9, atol=1e-12)


@pytest.fixture
def trees_in_common_are_grown_once(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What labels and prunes has no part in growth."""
    if role in ("label", "pruner"):
        monkeypatch.setattr("treekit.fitting.grow", GROWING_ONCE)


@pytest.mark.usefixtures("trees_in_common_are_grown_once")
@pytest.mark.parametrize(("name", "role", "strategy", "task"), list(cases()))
def test_a_row_of_weight_3_is_three_rows(name: str, role: str, strategy: Any, task: str) -> None:
    reason = EXCEPTIONS.get(f"{name}-{task}")
    seeds = range(12 if reason else 2)
    same = all(same_answers(name, role, strategy, task, seed) for seed in seeds)
    assert same == (reason is None), f"no exception is needed: {reason}" if reason else ""


def test_every_exception_is_one() -> None:
    assert set(EXCEPTIONS) <= {case.id for case in cases()}
