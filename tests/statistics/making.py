"""Results made by hand: what every contender reached on each fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from treekit.comparing import Outcome, Results

SIZES = (90, 10)  # rows learned from, rows tested on


def results(
    figures: Mapping[str, Mapping[str, Sequence[float | None]]],
    metric: str = "accuracy",
    sizes: tuple[int, int] = SIZES,
) -> Results:
    """By data set and contender the figures of the folds; None: the fold failed."""
    outcomes = tuple(
        Outcome("", data, name, 0, fold, 0, *_came_of(metric, value), *sizes)
        for data, by_name in figures.items()
        for name, values in by_name.items()
        for fold, value in enumerate(values)
    )
    names = tuple(dict.fromkeys(name for by_name in figures.values() for name in by_name))
    return Results(outcomes, tuple(figures), names, "classification")


def _came_of(metric: str, value: float | None) -> tuple[dict[str, float], str]:
    return ({}, "ValueError: no luck") if value is None else ({metric: float(value)}, "")


def of_means(table: np.ndarray, names: Sequence[str], metric: str = "accuracy") -> Results:
    """Two folds on each data set, on either side of the mean."""
    figures = {
        f"d{d}": {name: (mean - 0.01, mean + 0.01) for name, mean in zip(names, row, strict=True)}
        for d, row in enumerate(table)
    }
    return results(figures, metric)


def figures_of(n_data: int, names: Sequence[str], seed: int, folds: int = 5) -> dict:
    """Accuracies that differ by data set, by contender and by fold."""
    rng = np.random.default_rng(seed)
    return {
        f"d{d}": {
            name: (0.6 + rng.normal(0, 0.05) + 0.02 * k + rng.normal(0, 0.02, folds)).tolist()
            for k, name in enumerate(names)
        }
        for d in range(n_data)
    }
