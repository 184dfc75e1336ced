"""Explanations: how a tree grew, step by step, and how a row is answered.

They are frozen records; `treekit.report.explaining` writes them as text, Markdown, LaTeX or JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treekit.errors import DataError, ModelError, Problem
from treekit.explain.growing import explain_growth
from treekit.explain.path import row_path
from treekit.explain.record import (
    Candidate,
    ColumnSeen,
    Explanation,
    Judgement,
    Limits,
    NodeSeen,
    Part,
    Test,
)
from treekit.explain.row_record import Asked, End, Neighbour, Path, RowExplanation, Tried
from treekit.model import Model, table_for
from treekit.table.record import Table

__all__ = [
    "Asked",
    "Candidate",
    "ColumnSeen",
    "End",
    "Explanation",
    "Judgement",
    "Limits",
    "Neighbour",
    "NodeSeen",
    "Part",
    "Path",
    "RowExplanation",
    "Test",
    "Tried",
    "explained",
    "explained_row",
]


def explained(
    model: Model,
    data: Any = None,
    validation: Any = None,
    limits: Limits | None = None,
    tree: int = 0,
    node: int | Sequence[int] | None = None,
) -> Explanation:
    """How a tree of the model grew; see `Model.explain`."""
    picked = () if node is None else (node,) if isinstance(node, int) else tuple(node)
    if data is not None:
        table = _given(model, data, "training data")
        judges = None if validation is None else _given(model, validation, "validation data")
    elif model.learned_from is not None:
        table, judges = model.learned_from, model.judged_by
    else:
        raise ModelError(
            Problem(
                "a saved model does not hold the rows it was learned from, and its growth cannot be"
                " explained without them",
                instead="give the training data, as in model.explain(data), or ask for the path of"
                " a row",
            )
        )
    return explain_growth(model, table, judges, limits or Limits(), tree, picked)


def _given(model: Model, data: Any, role: str) -> Table:
    """Data that the model was made with, given again."""
    table = data if isinstance(data, Table) else table_for(model.schema, data)
    if table.target_values is None:
        target = model.schema.target.name
        what = f"there are no values of the target {target!r}, so these are not the {role}"
        raise DataError(Problem(what, table.source))
    if table.schema != model.schema:
        what = f"these are not the {role}: the model's columns, levels or target differ"
        raise DataError(Problem(what, table.source))
    return table


def explained_row(model: Model, data: Any, row: int, trees: int | None = 3) -> RowExplanation:
    """How the model answers for one row; see `Model.explain_row`."""
    table = table_for(model.schema, data)
    if not 0 <= row < table.n_rows:
        raise DataError(
            Problem(
                f"there is no row {row + 1}: the rows are counted from 1 to {table.n_rows}",
                table.source,
            )
        )
    return row_path(model, table, row, trees)
