"""What a leaf answers by where that depends on the row, in words and as data."""

from __future__ import annotations

import math
from typing import Any

from treekit.leaf_models import LeafModels, Neighbours
from treekit.report import formula
from treekit.table.record import Schema


def answer(models: LeafModels, node: int, schema: Schema) -> str:
    """What stands for the answer, of a model of numbers."""
    if isinstance(models, Neighbours):
        return f"mean of {who_answers(models, node)}"
    return formula.formula(models, node, schema)


def basis(models: LeafModels, node: int, schema: Schema, most: int | None = None) -> str:
    """What a node's model looks at, after `by`; nothing if there is nothing to look at."""
    if isinstance(models, Neighbours):
        return f"by {who_answers(models, node)}"
    return formula.basis(models, node, schema, most)


def who_answers(models: Neighbours, node: int) -> str:
    """`the 5 nearest of 41 rows`."""
    weight = models.weight[models.rows_of(node)]
    if weight.sum() <= models.k:
        return "its only row" if len(weight) == 1 else f"all {len(weight)} rows"
    if (weight == 1.0).all():
        return (
            f"the {models.k} nearest of {len(weight)} rows"
            if models.k > 1
            else (f"the nearest of {len(weight)} rows")
        )
    return f"the nearest of {len(weight)} rows, to a weight of {models.k}"


def data_of(models: LeafModels, node: int, schema: Schema) -> dict[str, Any]:
    """The model of a node for other programs."""
    if isinstance(models, Neighbours):
        rows = len(models.weight[models.rows_of(node)])
        p = models.p if math.isfinite(models.p) else "inf"
        return {"nearest": models.k, "p": p, "rows": rows}
    return formula.data_of(models, node, schema)
