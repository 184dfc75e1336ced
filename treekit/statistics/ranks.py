"""Contenders ranked on several data sets: do their mean ranks differ, and by how much must they?

After Demsar 2006, "Statistical comparisons of classifiers over multiple data sets" (JMLR 7).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from treekit.comparing.results import settled
from treekit.statistics.record import Friedman
from treekit.table.record import Floats


def ranked(values: Floats, greater_is_better: bool) -> Floats:
    """[data, contenders]: the ranks on each data set; 1 is the best, equals share their mean rank.

    What differs in the last bits only is equal.
    """
    from scipy.stats import rankdata

    told = np.vectorize(settled, otypes=[float])(values)
    return np.asarray(rankdata(-told if greater_is_better else told, axis=1), np.float64)


def friedman(ranks: Floats, *, ties: bool = True) -> Friedman:
    """Friedman's test of ranks [data, contenders], and F after Iman and Davenport 1980.

    ties  allow for equal ranks (Conover 1999, 5.8), as scipy does; Demsar's formula does not.

    If there are only ties the statistics are 0. p is never less than the share of the rankings of
    this size that are as unanimous as can be: F takes no heed of how few there are.
    """
    from scipy.stats import chi2, f

    n, k = ranks.shape
    between = n * float(np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2))
    spread = float(np.sum((ranks - (k + 1) / 2) ** 2)) if ties else n * k * (k * k - 1) / 12
    most = n * (k - 1)
    chi_squared = min(most * between / spread, most) if spread else 0.0
    left = most - chi_squared
    unanimous = left <= 1e-9 * most
    value = math.inf if unanimous else (n - 1) * chi_squared / left
    degrees = (k - 1, (k - 1) * (n - 1))
    fewest = math.exp(-(n - 1) * math.lgamma(k + 1))
    return Friedman(
        n_data=n,
        n_contenders=k,
        chi_squared=chi_squared,
        p_chi_squared=float(chi2.sf(chi_squared, k - 1)),
        f=value,
        degrees=degrees,
        p=max(0.0 if unanimous else float(f.sf(value, *degrees)), fewest),
    )


def critical_difference(n_contenders: int, n_data: int, alpha: float) -> float:
    """How far apart two mean ranks must lie for Nemenyi's test (1963) to tell them apart."""
    from scipy.stats import studentized_range

    q = float(studentized_range.ppf(1 - alpha, n_contenders, np.inf)) / math.sqrt(2)
    return q * _error(n_contenders, n_data)


def nemenyi(mean_ranks: Floats, n_data: int) -> Floats:
    """[contenders, contenders]: p of Nemenyi's test of every two mean ranks."""
    from scipy.stats import studentized_range

    k = len(mean_ranks)
    apart = np.abs(mean_ranks[:, None] - mean_ranks) / _error(k, n_data)
    above = np.triu_indices(k, 1)
    found = np.ones((k, k))
    found[above] = np.clip(studentized_range.sf(apart[above] * math.sqrt(2), k, np.inf), 0.0, 1.0)
    return np.minimum(found, found.T)


def _error(n_contenders: int, n_data: int) -> float:
    """The standard error of the difference of two mean ranks."""
    return math.sqrt(n_contenders * (n_contenders + 1) / (6 * n_data))


def groups_of(mean_ranks: Mapping[str, float], difference: float) -> tuple[tuple[str, ...], ...]:
    """The largest groups of two or more whose mean ranks lie no further apart than this.

    The best are first, in each group and among the groups.
    """
    names = sorted(mean_ranks, key=lambda name: mean_ranks[name])
    found: list[tuple[str, ...]] = []
    reached = 0
    for begin, first in enumerate(names):
        end = begin + sum(mean_ranks[name] - mean_ranks[first] <= difference + 1e-12
                          for name in names[begin:])  # fmt: skip
        if end > max(reached, begin + 1):
            found.append(tuple(names[begin:end]))
            reached = end
    return tuple(found)
