"""Nearest neighbours word for word: every distance by its definition, one row at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from treekit.table.record import Floats, Table

SAME = 1e-9


def difference(kind: str, x: float, z: float, centre: float, scale: float) -> float:
    """How far apart two values of a column are; NaN is unknown."""
    if kind == "nominal":
        return 0.0 if x == z else 1.0
    x, z = (centre if math.isnan(value) else value for value in (x, z))
    return abs(x - z) / scale


def norm(differences: list[float], p: float) -> float:
    """In units of the greatest difference, and by logarithms: no p is too great."""
    greatest = max(differences, default=0.0)
    if p == math.inf or greatest == 0.0:
        return greatest
    powers = (math.exp(p * math.log(d / greatest)) for d in differences if d > 0.0)
    return greatest * math.exp(math.log(sum(powers)) / p)


def distances(training: Table, query: Floats, p: float, scales: list[float]) -> list[float]:
    """From one row to each of the training rows."""
    centres = [
        float(np.average(v[~np.isnan(v)], weights=training.weights[~np.isnan(v)]))
        if c.kind != "nominal" and not np.isnan(v).all()
        else 0.0
        for c, v in zip(training.columns, training.cells, strict=True)
    ]
    kinds = [column.kind for column in training.columns]
    return [
        norm(
            [
                difference(*parts)
                for parts in zip(kinds, query, training.cells[:, row], centres, scales, strict=True)
            ],
            p,
        )
        for row in range(training.n_rows)
    ]


def counts(away: list[float], weights: Floats, k: float) -> Any:
    """What each row counts: shell by shell outward, until a weight of k is reached."""
    out = np.zeros(len(away))
    left, waiting = float(k), list(range(len(away)))
    while waiting and left > 0:
        least = min(away[row] for row in waiting)
        shell = [row for row in waiting if away[row] <= least * (1 + SAME)]
        weight = sum(weights[row] for row in shell)
        for row in shell:
            out[row] = weights[row] * min(1.0, left / weight)
        left -= weight
        waiting = [row for row in waiting if row not in shell]
    return out


def answer(training: Table, query: Floats, k: int, p: float, scales: list[float]) -> Any:
    """The shares of the classes, or the mean, of the nearest rows."""
    counted = counts(distances(training, query, p, scales), training.weights, k)
    if training.task == "regression":
        return [counted @ training.y / counted.sum()]
    return [
        counted[training.y == c].sum() / counted.sum() for c in range(len(training.schema.classes))
    ]
