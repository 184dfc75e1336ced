"""Two contenders on the folds of one data set: the corrected resampled t-test.

Nadeau and Bengio 2003, "Inference for the generalization error" (Machine Learning 52). Folds share
the rows that are learned from, so their differences vary too little for the plain t-test.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from attrs import evolve, field, frozen

from treekit.statistics.adjusting import holm
from treekit.statistics.differences import differences
from treekit.statistics.record import PairOnData
from treekit.table.record import Floats


@frozen(eq=False)
class PairedFolds:
    """What every contender reached on the folds of a data set that all of them finished.

    values     [folds, contenders]
    n_learned  [folds]: the rows learned from, each counted once; 0: nobody knows
    n_tested   [folds]: the rows tested on
    """

    data: str
    contenders: tuple[str, ...]
    values: Floats = field(repr=False)
    n_learned: Floats = field(repr=False)
    n_tested: Floats = field(repr=False)


def unfit(folds: PairedFolds) -> str:
    """Why the corrected t-test does not apply to these folds; empty: it does."""
    if len(folds.values) < 2:
        return "a single fold tells nothing of how much the difference varies"
    if (folds.n_learned <= 0).any() or (folds.n_tested <= 0).any():
        return "the sizes of the folds are not known"
    if (folds.n_tested == 1).all():
        return "leaving one row out each time tells nothing of how much the difference varies"
    return ""


def pairs_on(folds: PairedFolds, alpha: float) -> tuple[PairOnData, ...]:
    """Every two contenders on one data set, adjusted after Holm for its pairs; none if `unfit`."""
    if unfit(folds):
        return ()
    factor = variance_factor(folds)
    found = [
        PairOnData(
            folds.data,
            folds.contenders[i],
            folds.contenders[j],
            *corrected_t(differences(folds.values[:, i], folds.values[:, j]), factor, alpha),
            holm=None,
        )
        for i, j in itertools.combinations(range(len(folds.contenders)), 2)
    ]
    return _adjusted(found)


def _adjusted(pairs: Sequence[PairOnData]) -> tuple[PairOnData, ...]:
    """What cannot be tested counts among the tests all the same, so that the rest get no easier."""
    adjusted = holm([1.0 if pair.p is None else pair.p for pair in pairs])
    return tuple(
        evolve(pair, holm=None if pair.p is None else p)
        for pair, p in zip(pairs, adjusted, strict=True)
    )


def variance_factor(folds: PairedFolds) -> float:
    """1/n + n_test/n_train, by which the folds' variance becomes that of their mean.

    Rows that a bootstrap draws twice count once in n_train: what matters is what is left to test.
    """
    return 1 / len(folds.values) + float(folds.n_tested.mean() / folds.n_learned.mean())


def corrected_t(
    apart: Floats, factor: float, alpha: float
) -> tuple[float, float | None, float | None, float, int, float | None]:
    """Mean difference over the folds, its interval from low to high, t, degrees of freedom, p.

    If all folds differ alike there is no spread to go by: t is infinite, and there is neither an
    interval nor a p. If none differs, t is 0 and p 1.
    """
    from scipy.special import stdtr, stdtrit

    degrees = len(apart) - 1
    mean = float(apart.mean())
    if np.ptp(apart) == 0:
        mean = float(apart[0])
        if mean:
            return mean, None, None, math.copysign(math.inf, mean), degrees, None
        return mean, mean, mean, 0.0, degrees, 1.0
    error = math.sqrt(factor) * float(apart.std(ddof=1))
    half = float(stdtrit(degrees, 1 - alpha / 2)) * error
    t = mean / error
    return mean, mean - half, mean + half, t, degrees, 2 * float(stdtr(degrees, -abs(t)))
