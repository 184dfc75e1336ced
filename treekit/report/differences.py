"""How the trees that several recipes grew on the same data differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.errors import ModelError, Problem
from treekit.linear import asked_columns
from treekit.model import Model
from treekit.report.branch import name, number
from treekit.report.view import views
from treekit.table.record import Table

SAME = 1e-9


@frozen
class Summary:
    """One model: its size, its columns, its root test, and how it does on the table.

    `errors` are the rows it gets wrong (classification), `rmse` its root mean squared error
    (regression), both over the rows whose target is known; None where they do not apply, or the
    table has no target values.
    """

    name: str
    n_trees: int
    n_nodes: int
    n_leaves: int
    depth: int
    errors: int | None
    rmse: float | None
    root: str
    columns: tuple[str, ...]


@frozen
class Pair:
    """How many rows two models predict differently."""

    first: str
    second: str
    rows: int


@frozen
class Differences:
    """Every model in turn, then every pair of them; as text, two small tables."""

    target: str
    n_rows: int
    models: tuple[Summary, ...]
    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        return "\n".join([*_models_table(self), *_pairs_table(self)]) + "\n"


def differences(models: Mapping[str, Model], table: Table) -> Differences:
    """What the models, by name, have in common and have not, on the rows of this table."""
    targets = {model.schema.target.name for model in models.values()}
    if len(targets) != 1:
        listed = ", ".join(map(repr, sorted(targets))) or "none"
        raise ModelError(
            Problem(
                f"models can be compared only if they predict the same target, got {listed}",
                instead="grow them on the same table",
            )
        )
    predicted = {label: model.predict(table) for label, model in models.items()}
    return Differences(
        targets.pop(),
        table.n_rows,
        tuple(_summary(label, m, table, predicted[label]) for label, m in models.items()),
        tuple(
            Pair(a, b, _different(predicted[a], predicted[b])) for a, b in combinations(models, 2)
        ),
    )


def _summary(label: str, model: Model, table: Table, predicted: npt.NDArray[Any]) -> Summary:
    errors = rmse = None
    if table.target_values is not None:
        known = ~np.isnan(table.y)
        y, answers = table.y[known], predicted[known]
        if model.task == "regression":
            rmse = float(np.sqrt(np.mean((answers - y) ** 2))) if len(y) else 0.0
        else:
            actual = np.array(table.schema.classes, dtype=object)[y.astype(np.int64)]
            errors = int((answers != actual).sum())
    used = {int(c) for tree in model.trees for c in np.unique(asked_columns(tree).column)}
    return Summary(
        label,
        len(model.trees),
        model.n_nodes,
        model.n_leaves,
        model.depth,
        errors,
        rmse,
        _root(model),
        tuple(model.columns[c].name for c in sorted(used)),
    )


def _root(model: Model) -> str:
    """The test at the root (of the first tree): its column, and where it cuts or how it groups."""
    view = next(views(model))
    if not view.kind[0]:
        return f"none, a leaf: {view.brief(0)}"
    return f"{name(view.column(0).name)}: {' | '.join(view.edges(0))}"


def _different(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> int:
    if first.dtype == np.float64 and second.dtype == np.float64:
        return int((~np.isclose(first, second, rtol=SAME, atol=0.0)).sum())
    return int((first != second).sum())


def _models_table(found: Differences) -> list[str]:
    several = any(model.n_trees > 1 for model in found.models)
    head = ["model", *(["trees"] if several else []), "nodes", "leaves", "depth"]
    with_errors = any(model.errors is not None for model in found.models)
    with_rmse = any(model.rmse is not None for model in found.models)
    head += ["errors"] * with_errors + ["rmse"] * with_rmse + ["columns", "root test"]
    rows = [head]
    for model in found.models:
        sizes = [model.n_nodes, model.n_leaves, model.depth]
        rows.append(
            [
                model.name,
                *map(str, [model.n_trees, *sizes] if several else sizes),
                *([str(model.errors)] if with_errors else []),
                *([number(model.rmse or 0.0)] if with_rmse else []),
                ", ".join(map(name, model.columns)) or "-",
                model.root,
            ]
        )
    return [f"{found.target}, {found.n_rows} rows", *_aligned(rows, len(head) - 2)]


def _pairs_table(found: Differences) -> list[str]:
    if not found.pairs:
        return []
    lines = ["", "predicted differently"]
    for pair in found.pairs:
        share = f" ({pair.rows / found.n_rows:.1%})" if found.n_rows else ""
        lines.append(f"{pair.first} and {pair.second}: {pair.rows} of {found.n_rows} rows{share}")
    return lines


def _aligned(rows: Sequence[Sequence[str]], n_figures: int) -> list[str]:
    """Columns two blanks apart; those between the first and the `n_figures`-th to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if 0 < i < n_figures else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
