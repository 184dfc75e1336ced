"""Metrics of answers that are classes. Rows count by weight; NaN is what cannot be told."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations

import numpy as np

from treekit.metrics.answered import Answered, mean_of
from treekit.table.record import Bools, Floats

# A probability of 0 for what was true would make the log loss infinite, whatever the other rows.
LEAST_SHARE = float(np.finfo(np.float64).eps)


def wrong(found: Answered) -> float:
    """The weight of the rows that are answered wrong."""
    return float(found.weights[found.said != found.actual].sum())


def error(found: Answered) -> float:
    """The share of the weight that is answered wrong."""
    return wrong(found) / found.weight if found.weight > 0 else float("nan")


def accuracy(found: Answered) -> float:
    """The share of the weight that is answered right."""
    return 1.0 - error(found)


def balanced_accuracy(found: Answered) -> float:
    """The mean over the classes that occur of the share of each that is answered right."""
    of_class = found.confusion.sum(axis=1)
    occurs = of_class > 0
    if not occurs.any():
        return float("nan")
    return float((found.confusion.diagonal()[occurs] / of_class[occurs]).mean())


def macro_f1(found: Answered) -> float:
    """The mean of precision and recall's harmonic mean, over the classes that occur or are said."""
    either = found.confusion.sum(axis=0) + found.confusion.sum(axis=1)
    occurs = either > 0
    if not occurs.any():
        return float("nan")
    return float((2.0 * found.confusion.diagonal()[occurs] / either[occurs]).mean())


def log_loss(found: Answered) -> float:
    """The mean of -ln of the probability of the true class (not below LEAST_SHARE)."""
    of_true = found.probabilities[np.arange(len(found.actual)), found.actual.astype(np.int64)]
    return mean_of(-np.log(np.clip(of_true, LEAST_SHARE, 1.0)), found.weights)


def brier(found: Answered) -> float:
    """The mean squared distance of the probabilities from the truth (Brier 1950).

    It is summed over the classes, so 2 at worst; of two classes it is that of one of them, and 1
    at worst, as scikit-learn has it.
    """
    squares = ((found.probabilities - found.is_class) ** 2).sum(axis=1)
    return mean_of(squares, found.weights) / (2.0 if found.n_classes <= 2 else 1.0)


def auc(found: Answered) -> float:
    """The area under the ROC curve; of more than two classes the mean of each against the rest.

    A class that none of the rows is of, or all, has no area and is left out of the mean.
    """
    return _mean_area(
        area(found.is_class[:, c], found.probabilities[:, c], found.weights)
        for c in range(found.n_classes)
    )


def auc_pairs(found: Answered) -> float:
    """The mean of the areas under the ROC curve of each class against each other one.

    Hand and Till 2001: unlike `auc` it does not depend on how frequent the classes are.
    """

    def against(one: int, other: int) -> float:
        rows = found.is_class[:, one] | found.is_class[:, other]
        of_one = found.is_class[rows, one]
        return area(of_one, found.probabilities[rows, one], found.weights[rows])

    return _mean_area(against(*pair) for pair in permutations(range(found.n_classes), 2))


def area(positive: Bools, score: Floats, weights: Floats) -> float:
    """Of the pairs of a positive row and another, the share where the positive one scores higher.

    Pairs count by the product of the weights, those of equal scores half. NaN: there are none.
    """
    order = np.argsort(score, kind="stable")
    score, positive, weights = score[order], positive[order], weights[order]
    starts = np.flatnonzero(np.r_[True, score[1:] != score[:-1]][: len(score)])
    if not len(starts):
        return float("nan")
    ours = np.add.reduceat(np.where(positive, weights, 0.0), starts)
    others = np.add.reduceat(np.where(positive, 0.0, weights), starts)
    below = np.cumsum(others) - others
    pairs = float(ours.sum() * others.sum())
    return float(ours @ (below + others / 2.0)) / pairs if pairs > 0 else float("nan")


def _mean_area(areas: Iterable[float]) -> float:
    known = [one for one in areas if not math.isnan(one)]
    return float(np.mean(known)) if known else float("nan")
