"""Columns as predictors of a linear model: centred, of unit spread, an unknown value at the centre.

A number, or the place of an ordinal level, is one predictor. A nominal column's levels are put in
order by their mean target, and k of them make k - 1 indicators: is the level beyond the first i?
(Wang and Witten 1997, section 2.3; the order is the node's own here.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from treekit import LEVELS, POWERS, Bools, Floats, Ints, Table, Term

# A spread below this share of the values is rounding.
_FLAT = 1e-12


@frozen(eq=False)
class Predictor:
    """A column of a design: `values` per row, and the term that a coefficient of 1 stands for."""

    values: Floats
    term: Term


def predictors(
    table: Table, columns: Ints, rows: Ints, weights: Floats, y: Floats
) -> list[Predictor]:
    """What these columns offer to a model of the weighted rows; a constant column: nothing."""
    return [p for c in columns for p in _of_column(table, int(c), rows, weights, y)]


def _of_column(
    table: Table, column: int, rows: Ints, weights: Floats, y: Floats
) -> Iterator[Predictor]:
    values = table.cells[column, rows]
    known = ~np.isnan(values)
    if not known.any():
        return
    if table.columns[column].kind != "nominal":
        yield from _number(column, values, known, weights)
        return
    level = np.where(known, values, 0.0).astype(np.int64)
    yield from _indicators(column, len(table.columns[column].levels), level, known, weights, y)


def _number(column: int, values: Floats, known: Bools, weights: Floats) -> Iterator[Predictor]:
    size = float(np.abs(values[known]).max())
    if size == 0.0:
        return
    # In units of the greatest value, so that no square overflows.
    scaled = values / size
    standard = standardised(scaled, known, weights)
    if standard is None:
        return
    design, mean, spread = standard
    unit = size * spread
    if unit > 0.0 and np.isfinite(1.0 / unit):
        yield Predictor(
            design, Term(column, POWERS, np.array([[0.0], [1.0 / unit]]), centre=mean * size)
        )


def _indicators(
    column: int, n_levels: int, level: Ints, known: Bools, weights: Floats, y: Floats
) -> Iterator[Predictor]:
    weight = np.bincount(level[known], weights[known], n_levels)
    total = np.bincount(level[known], (weights * y)[known], n_levels)
    present = np.flatnonzero(weight > 0.0)
    order = present[np.argsort(total[present] / weight[present], kind="stable")]
    beyond = np.zeros(n_levels)
    beyond[present] = 1.0
    for first in order[:-1]:
        beyond[first] = 0.0
        standard = standardised(beyond[level], known, weights)
        if standard is not None:
            design, mean, spread = standard
            table = np.zeros(n_levels)
            table[present] = (beyond[present] - mean) / spread
            yield Predictor(design, Term(column, LEVELS, table[:, None]))


def standardised(
    values: Floats, known: Bools, weights: Floats
) -> tuple[Floats, float, float] | None:
    """The values less their mean, over their standard deviation; these two; None if all alike."""
    weight = np.where(known, weights, 0.0)
    total = weight.sum()
    filled = np.where(known, values, 0.0)
    if total <= 0.0:
        return None
    mean = float(weight @ filled / total)
    away = np.where(known, filled - mean, 0.0)
    spread = float(np.sqrt(weight @ away**2 / total))
    if spread <= _FLAT * float(np.abs(filled).max()):
        return None
    return away / spread, mean, spread
