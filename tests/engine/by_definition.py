"""The greedy tree by its definition: every test of every column, scored from the rows themselves.

Slow, recursive and plain, so that the engine can be held to it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from treekit import NOWHERE, Floats, Ints, Table


def statistics(table: Table, rows: Ints, weights: Floats) -> Floats:
    y = table.y[rows]
    if table.task == "regression":
        return np.array([weights.sum(), (weights * y).sum(), (weights * y * y).sum()])
    counts = np.bincount(y.astype(int), weights, len(table.schema.classes))
    return np.concatenate([[weights.sum()], counts])


def candidate_tests(table: Table, column: int, rows: Ints) -> Iterator[tuple[Any, Ints]]:
    """Each test of a column with the branch of every row, NOWHERE where the value is unknown."""
    values = table.cells[column, rows]
    known = ~np.isnan(values)
    if table.columns[column].kind == "nominal":
        branch = np.where(known, np.nan_to_num(values), NOWHERE).astype(int)
        yield "levels", branch
        return
    distinct = np.unique(values[known])
    for low, high in itertools.pairwise(distinct):
        yield (low + high) / 2, np.where(known, (values > low).astype(int), NOWHERE)


def best_test(
    table: Table, rows: Ints, weights: Floats, used: set[int], impurity: Any, criterion: Any
) -> tuple[float, int, Any, Ints] | None:
    best = None
    scale = float(impurity.impurity(statistics(table, rows, weights)))
    for column in range(table.n_columns):
        if column in used:
            continue
        for test, branch in candidate_tests(table, column, rows):
            known = branch != NOWHERE
            n_branches = 2 if test != "levels" else len(table.columns[column].levels)
            split = [branch == b for b in range(n_branches)]
            branches = np.array([statistics(table, rows[b], weights[b]) for b in split])
            if (branches[:, 0] > 0).sum() < 2:
                continue
            parent = statistics(table, rows[known], weights[known])
            before = float(impurity.impurity(parent))
            after = impurity.impurity(branches)
            score = float(criterion.score(parent, branches, np.asarray(before), after))
            score *= weights[known].sum() / weights.sum()
            if best is None or score > best[0] + 1e-12 * abs(best[0]) + 1e-14 * scale:
                best = (score, column, test, branch)
    return best


def grow(
    table: Table, rows: Ints, weights: Floats, impurity: Any, criterion: Any,
    spread: bool, used: frozenset[int] = frozenset(),
) -> dict[str, Any]:  # fmt: skip
    """The tree as nested dicts; unknown values go over all branches, or to the heaviest."""
    stats = statistics(table, rows, weights)
    node: dict[str, Any] = {"stats": stats}
    pure = len(np.unique(table.y[rows])) <= 1
    best = None if pure else best_test(table, rows, weights, set(used), impurity, criterion)
    if best is None:
        return node
    _, column, test, branch = best
    n_branches = 2 if test != "levels" else len(table.columns[column].levels)
    known = np.array([weights[branch == b].sum() for b in range(n_branches)])
    unknown = branch == NOWHERE
    children = []
    for b in range(n_branches):
        if spread and known[b] > 0:
            mine = (branch == b) | unknown
            share = np.where(unknown, weights * known[b] / known.sum(), weights)
        else:
            mine = (branch == b) | (unknown & (not spread) & (b == known.argmax()))
            share = weights
        below = used | {column} if test == "levels" else used
        children.append(grow(table, rows[mine], share[mine], impurity, criterion, spread, below))
    return {**node, "column": column, "test": test, "children": children}
