"""Small tables with unknown values, and trees of one test: for the tests of `missing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from treekit_builtin import (
    DefaultDirection,
    DropRows,
    Fractional,
    Frequencies,
    Gain,
    Gini,
    Level,
    MajorityBranch,
    MaxDepth,
    Mean,
    NoPruning,
    OwnBranch,
    Pure,
    Refuse,
    StopAtNode,
    Subset,
    Surrogate,
    Threshold,
    Typical,
    Variance,
)

from treekit import Column, Floats, Model, Recipe, Schema, Table, Tree, TreeParts, fit
from treekit.engine import grow

UNKNOWN = np.nan

EVERY_HANDLER = (
    Refuse(),
    DropRows(),
    Typical("table"),
    Typical("node"),
    Typical("class"),
    OwnBranch(),
    DefaultDirection(),
    MajorityBranch(),
    Fractional(),
    StopAtNode(),
    Surrogate(),
    Surrogate(then="stay", share_of="both"),
    Surrogate(then="stay_at_once"),
    Surrogate(keep=0),
    Surrogate(as_rpart=True),
    Surrogate(as_rpart=True, keep=0),
)


def parts(missing: Any, task: str = "classification", **others: Any) -> TreeParts:
    """Gini's index or the variance, binary tests of every kind, one level deep."""
    numbers = task == "regression"
    given = {
        "impurity": Variance() if numbers else Gini(),
        "criterion": Gain(),
        "splitter": {
            "numeric": Threshold(),
            "ordinal": Threshold(),
            "nominal": Subset(divisions="every"),
        },
        "stop": (Pure(), MaxDepth(1)),
        "missing": missing,
        "label": Mean() if numbers else Frequencies(),
        "pruner": NoPruning(),
        "grower": Level(),
    }
    return TreeParts(**{**given, **others})


def one_test(missing: Any, table: Table, **others: Any) -> Tree:
    """The tree of at most one test."""
    return grow(table, parts(missing, table.task, **others), np.random.default_rng(0))


def learned(missing: Any, table: Table, **others: Any) -> Model:
    """The model of that tree."""
    return fit(Recipe(task=table.task, tree=parts(missing, table.task, **others)), table)


def table_of(y: Sequence[object], weights: Sequence[float] | None = None, **columns: Any) -> Table:
    """A table of numbers, and of levels where a column is a text of words; ? is unknown.

    Classes are the letters of y, in their order; numbers are a number to predict.
    """
    described, cells = [], []
    for name, values in columns.items():
        if isinstance(values, str):
            levels = tuple(sorted({*values.split()} - {"?"}))
            described.append(Column(name, "nominal", levels))
            told = [levels.index(v) if v != "?" else UNKNOWN for v in values.split()]
        else:
            described.append(Column(name, "numeric"))
            told = values
        cells.append(np.array(told, dtype=np.float64))
    if isinstance(y[0], str):
        classes = tuple(sorted({str(c) for c in y}))
        target = Column("y", "nominal", classes)
        wanted = np.array([classes.index(str(c)) for c in y], dtype=np.float64)
    else:
        target, wanted = Column("y", "numeric"), np.array(y, dtype=np.float64)
    given = None if weights is None else np.array(weights, dtype=np.float64)
    return Table(Schema(tuple(described), target), np.array(cells), wanted, given, "small")


def query(table: Table, *cells: float) -> Table:
    """One row to be answered by a model of the table."""
    return Table(table.schema, np.array(cells, dtype=np.float64)[:, None], source="a query")


@st.composite
def gappy_tables(
    draw: Any,
    kinds: Sequence[str] = ("numeric", "ordinal", "nominal"),
    tasks: Sequence[str] = ("classification", "regression"),
    gaps: float = 0.3,
    max_rows: int = 24,
) -> Table:
    """A table of one to four columns with few values, many of them unknown; sometimes weighted."""
    n = draw(st.integers(2, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns, cells = [], []
    for i in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(list(kinds)))
        levels = tuple("abcde"[: rng.integers(1, 6)]) if kind != "numeric" else ()
        values = rng.integers(0, len(levels) or rng.integers(1, 9), n).astype(float)
        values[rng.random(n) < draw(st.sampled_from([0.0, gaps, 1.0, gaps]))] = UNKNOWN
        columns.append(Column(f"x{i}", kind, levels))
        cells.append(values)
    target, y = _target(draw(st.sampled_from(list(tasks))), rng, n)
    weights = rng.choice([0.5, 1.0, 2.0], n) if draw(st.booleans()) else None
    return Table(Schema(tuple(columns), target), np.array(cells), y, weights, "a random table")


@st.composite
def agreeing_tables(draw: Any, tasks: Sequence[str] = ("classification", "regression")) -> Table:
    """A table whose columns follow one hidden number, some of them backwards, with errors."""
    n = draw(st.integers(8, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    hidden = rng.integers(0, 6, n)
    columns, cells = [], []
    for i in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from(["numeric", "ordinal", "nominal"]))
        levels = tuple("abcdef") if kind != "numeric" else ()
        values = np.where(rng.random(n) < draw(st.sampled_from([0.0, 0.2])), 2, hidden)
        values = (5 - values if draw(st.booleans()) else values).astype(float)
        values[rng.random(n) < draw(st.sampled_from([0.0, 0.25]))] = UNKNOWN
        columns.append(Column(f"x{i}", kind, levels))
        cells.append(values)
    target, y = _target(draw(st.sampled_from(list(tasks))), rng, n)
    follows = rng.random(n) < 0.7
    y[follows] = np.minimum(hidden // 2, y.max())[follows]
    weights = rng.choice([0.5, 1.0, 2.0], n) if draw(st.booleans()) else None
    return Table(Schema(tuple(columns), target), np.array(cells), y, weights, "a random table")


def _target(task: str, rng: np.random.Generator, n: int) -> tuple[Column, Floats]:
    if task == "regression":
        return Column("y", "numeric"), rng.integers(0, 6, n) / 4.0
    classes = tuple("pqr"[: rng.integers(2, 4)])
    return Column("y", "nominal", classes), rng.integers(0, len(classes), n).astype(float)
