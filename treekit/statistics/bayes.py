"""Bayesian signed-rank test: how probable is it that one contender is better in practice?

Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014 (ICML), with the region of practical
equivalence of Benavoli, Corani, Demsar and Zaffalon 2017 (JMLR 18).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from treekit.table.record import Floats

PRIOR: Final = 0.5
"""The strength of the prior, which lies at no difference: half a data set (as in baycomp)."""

N_DRAWS: Final = 50_000


def drawn_weights(n_data: int, n_draws: int = N_DRAWS, seed: int = 0) -> Floats:
    """[1 + data, draws]: how much the prior and each data set weigh, from their Dirichlet.

    The same draws serve all pairs.
    """
    strengths = np.concatenate([[PRIOR], np.ones(n_data)])
    drawn = np.random.default_rng(seed).dirichlet(strengths, n_draws)
    return np.ascontiguousarray(drawn.T)


def probabilities(gained: Floats, weights: Floats, rope: float) -> tuple[float, float, float]:
    """The probabilities that the first is better, that both are equal, that it is worse.

    gained   [data]: by how much the first is better
    weights  as drawn
    rope     means of two data sets (Walsh averages) from -rope to rope count as equal

    In each draw the region counts that most of the weight of these means lies in.
    """
    values = np.concatenate([[0.0], gained])
    above = _beyond(values, weights, 2 * rope)
    below = _beyond(-values, weights, 2 * rope)
    regions = np.stack([above, 1 - above - below, below])
    most = regions >= regions.max(axis=0) - 1e-12
    better, equal, worse = (most / most.sum(axis=0)).mean(axis=1)
    return float(better), float(equal), float(worse)


def _beyond(values: Floats, weights: Floats, limit: float) -> Floats:
    """[draws]: the weight of the sums of two values beyond a limit; those that meet it count half.

    In descending order the partners that bring a value beyond are the first few, so the weights
    need be summed up only once.
    """
    order = np.argsort(-values)
    falling, ordered = values[order], weights[order]
    first = np.vstack([np.zeros_like(ordered[:1]), np.cumsum(ordered, axis=0)])
    found = np.zeros(weights.shape[1])
    for value, weight in zip(falling, ordered, strict=True):
        beyond, met = (value + falling > limit).sum(), (value + falling >= limit).sum()
        found += weight * (first[beyond] + first[met]) / 2
    return found
