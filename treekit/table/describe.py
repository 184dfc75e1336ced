"""A table in words: one entry per column."""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.table.record import Column, Floats, Table


def describe(table: Table) -> list[dict[str, Any]]:
    """Name, kind, levels (None for a number), distinct known values, unknown values and role
    ("column" or "target") of each column, the target last. Plain values, fit for JSON.
    """
    entries = [
        _entry(column, values, "column")
        for column, values in zip(table.columns, table.cells, strict=True)
    ]
    if table.target_values is not None:
        entries.append(_entry(table.schema.target, table.target_values, "target"))
    return entries


def _entry(column: Column, values: Floats, role: str) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    return {
        "name": column.name,
        "kind": column.kind,
        "levels": None if column.is_numeric else list(column.levels),
        "distinct": len(np.unique(known)),
        "unknown": len(values) - len(known),
        "role": role,
    }
