"""Directions in which to look at the rows of a node."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treekit import Floats

from .sums import Points

STEPS = 50  # of Newton's method
CLOSE = 1e-8  # a step that changes no coefficient by more is the last
SHORTEST = 1e-4  # of a step, before the search gives up
SMALL_ROOT = 1e-6  # a discriminant this much weaker than the first is noise


def discriminants(points: Points, ridge: float) -> Floats:
    """[directions, columns]: along which class means differ, by the scatter within the classes.

    The generalised eigenvectors of the two scatters, the strongest first.
    """
    x, weights = points.x, points.weights
    classes, which = np.unique(points.y, return_inverse=True)
    if len(x) <= x.shape[1] or len(classes) < 2:
        return np.empty((0, x.shape[1]))
    share = np.bincount(which, weights)
    means = np.stack([weights[which == k] @ x[which == k] / share[k] for k in range(len(classes))])
    away = x - means[which]
    total = weights.sum()
    within = (weights[:, None] * away).T @ away / total + ridge * np.eye(x.shape[1])
    root = np.linalg.cholesky(within)
    apart = np.sqrt(share / total)[:, None] * (means - share @ means / total)
    _, strength, ways = np.linalg.svd(np.linalg.solve(root, apart.T).T, full_matrices=False)
    ways = ways[: len(classes) - 1][strength[: len(classes) - 1] > SMALL_ROOT * strength[0]]
    return np.asarray(np.linalg.solve(root.T, ways.T).T)


def logistic(points: Points, ridge: float) -> Floats:
    """[directions, columns]: logistic regressions of each class against the rest; of two, one."""
    classes = np.unique(points.y)
    if len(points.x) <= points.x.shape[1] or len(classes) < 2:
        return np.empty((0, points.x.shape[1]))
    told = classes[1:] if len(classes) == 2 else classes
    return np.stack([_regressed(points, points.y == one, ridge) for one in told])


def _regressed(points: Points, is_one: Floats, ridge: float) -> Floats:
    """The coefficients of the least penalised loss, by Newton's method; steps that fail are cut."""
    x = np.column_stack([np.ones(len(points.x)), points.x])
    sign = np.where(is_one, 1.0, -1.0)
    penalty = np.full(x.shape[1], ridge)
    penalty[0] = 0.0  # the constant is free

    def loss(beta: Floats) -> float:
        return float(points.weights @ np.logaddexp(0.0, -sign * (x @ beta)) + penalty @ beta**2 / 2)

    beta = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(x @ beta, -500.0, 500.0)))
        slope = x.T @ (points.weights * (chance - is_one)) + penalty * beta
        bend = (x * (points.weights * chance * (1.0 - chance))[:, None]).T @ x + np.diag(penalty)
        bend[0, 0] += CLOSE  # where all is told apart, nothing bends along the constant
        step = np.linalg.solve(bend, slope)
        length, before = 1.0, loss(beta)
        while length > SHORTEST and loss(beta - length * step) > before:
            length /= 2
        beta = beta - length * step
        if np.abs(length * step).max() <= CLOSE:
            break
    return np.asarray(beta[1:])


def least_squares(points: Points, ridge: float) -> Floats:
    """[1, columns]: the coefficients of a least-squares fit of the target."""
    x, weights = points.x, points.weights
    if len(x) <= x.shape[1]:
        return np.empty((0, x.shape[1]))
    total = weights.sum()
    y = points.y - weights @ points.y / total
    scatter = (weights[:, None] * x).T @ x / total + ridge * np.eye(x.shape[1])
    return np.asarray(np.linalg.solve(scatter, x.T @ (weights * y) / total)[None])


def random_uniform(rng: np.random.Generator, draws: int, columns: int, of: int) -> Floats:
    """[draws, of]: coefficients between -1 and 1 of some columns drawn at random."""
    return _sparse(rng, draws, columns, of, lambda shape: rng.uniform(-1.0, 1.0, shape))


def random_signs(rng: np.random.Generator, draws: int, columns: int, of: int) -> Floats:
    """[draws, of]: -1 or 1 for some columns drawn at random."""
    return _sparse(rng, draws, columns, of, lambda shape: rng.choice([-1.0, 1.0], shape))


def _sparse(
    rng: np.random.Generator,
    draws: int,
    columns: int,
    of: int,
    drawn: Callable[[tuple[int, int]], Floats],
) -> Floats:
    rank = np.argsort(rng.random((draws, of)), axis=1)
    return np.where(rank < columns, drawn((draws, of)), 0.0)
