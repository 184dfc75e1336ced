"""A node's surrogate tests in words and as data: what sends a row to the first branch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treekit.report.branch import Branch, branches, condition
from treekit.table.record import Column, Schema
from treekit.tree import CUTS, STAY, Surrogates

BRANCHES = 2


def stand_ins(surrogates: Surrogates, node: int, schema: Schema) -> Iterator[str]:
    """`surrogate: humidity <= 75, agrees 0.87`: such rows go to the first branch."""
    for j in range(int(surrogates.first[node]), int(surrogates.first[node + 1])):
        column, first, _ = _branches(surrogates, j, schema)
        agrees = f"{float(surrogates.agreement[j]):.2f}"
        yield f"surrogate: {condition(column, first)}, agrees {agrees}"


def data_of(surrogates: Surrogates, node: int, schema: Schema) -> list[dict[str, Any]]:
    """The surrogates of a node for other programs, as its own test is told.

    Where one is `flipped`, a value <= cut goes to the second child.
    """
    told = []
    for j in range(int(surrogates.first[node]), int(surrogates.first[node + 1])):
        column, first, second = _branches(surrogates, j, schema)
        test: dict[str, Any] = {"column": column.name, "kind": column.kind}
        if surrogates.kind[j] == CUTS and column.is_numeric:
            test["cut"] = float(surrogates.operands[surrogates.start[j]])
            test["flipped"] = bool(surrogates.flipped[j])
        else:
            test["branches"] = [
                [column.levels[level] for level in b.levels or ()] for b in (first, second)
            ]
        told.append(
            test
            | {
                "agreement": float(surrogates.agreement[j]),
                "adjusted": float(surrogates.adjusted[j]),
            }
        )
    return told


def _branches(surrogates: Surrogates, j: int, schema: Schema) -> tuple[Column, Branch, Branch]:
    column = schema.columns[int(surrogates.column[j])]
    operands = surrogates.operands[surrogates.start[j] : surrogates.start[j + 1]].tolist()
    first, second = branches(int(surrogates.kind[j]), column, operands, BRANCHES, STAY)
    return (column, second, first) if surrogates.flipped[j] else (column, first, second)
