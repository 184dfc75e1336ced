"""Criteria that test whether classes and branches are independent. They need no impurity.

Weights count as rows: a table with every weight doubled is twice the evidence.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen, validators

from treekit import Floats

Value = Literal["statistic", "p_value"]
VALUES = ("statistic", "p_value")

TINY = 1e-280  # below this a p-value loses digits
TERMS = 200  # of the continued fraction


@frozen
class ChiSquared:
    """Pearson's chi-squared of classes and branches, or its p-value (Kass 1980; Pearson 1900).

    value: what is scored: "statistic", or "p_value" as -log10 of it, which is fair to columns with
        few branches. Degrees of freedom are counted by the classes and branches that hold rows.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    value: Value = field(default="statistic", validator=validators.in_(VALUES))

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        seen, expected = branches[..., 1:], _expected(branches)
        each = (seen - expected) ** 2 / np.where(expected > 0.0, expected, 1.0)
        return _scored(self.value, each.sum(axis=(-2, -1)), branches)


@frozen
class GStatistic:
    """The likelihood ratio G of classes and branches, or its p-value (Mingers 1987; Wilks 1938).

    G is the gain on entropy in nats times twice the weight.

    value: what is scored: "statistic", or "p_value" as -log10 of it, which is fair to columns with
        few branches. Degrees of freedom are counted by the classes and branches that hold rows.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    value: Value = field(default="statistic", validator=validators.in_(VALUES))

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        seen, expected = branches[..., 1:], _expected(branches)
        ratio = np.divide(seen, expected, out=np.ones_like(expected), where=seen * expected > 0.0)
        statistic = 2.0 * (seen * np.log(ratio)).sum(axis=(-2, -1))
        return _scored(self.value, np.maximum(statistic, 0.0), branches)


def _expected(branches: Floats) -> Floats:
    """[..., k, classes]: the class weights of the branches, were they independent."""
    seen = branches[..., 1:]
    by_branch = seen.sum(axis=-1, keepdims=True)
    by_class = seen.sum(axis=-2, keepdims=True)
    total = by_class.sum(axis=-1, keepdims=True)
    return np.asarray(by_branch * (by_class / np.where(total > 0.0, total, 1.0)))


def _scored(value: Value, statistic: Floats, branches: Floats) -> Floats:
    if value == "statistic":
        return np.asarray(statistic)
    seen = branches[..., 1:]
    # Less than this is what rounding left.
    noise = 1e-12 * seen.sum(axis=(-2, -1))[..., None]
    n_branches = (seen.sum(axis=-1) > noise).sum(axis=-1)
    n_classes = (seen.sum(axis=-2) > noise).sum(axis=-1)
    freedom = np.maximum(n_branches - 1, 0) * np.maximum(n_classes - 1, 0)
    return np.asarray(-log_p_value(statistic, freedom.astype(np.float64)) / math.log(10.0))


def log_p_value(statistic: Floats, freedom: Floats) -> Floats:
    """Log of the chance that chi-squared is at least `statistic`; it never underflows.

    Without freedom nothing can be told, and the chance is 1. Where it is too small for a number,
    the continued fraction of the incomplete gamma function is used (Abramowitz and Stegun 6.5.31).
    """
    from scipy.special import chdtrc, gammaln

    told = freedom > 0.0
    chance = np.where(told, chdtrc(np.where(told, freedom, 1.0), statistic), 1.0)
    log = np.array(np.log(np.maximum(chance, TINY)))
    tail = chance < TINY
    if tail.any():
        a, x = np.broadcast_arrays(freedom / 2.0, statistic / 2.0)
        log[tail] = _log_tail(a[tail], x[tail]) - gammaln(a[tail])
    return np.asarray(log)


def _log_tail(a: Floats, x: Floats) -> Floats:
    """Log of the upper incomplete gamma function of a at x, for x far above a."""
    fraction = np.zeros_like(x)
    for n in range(TERMS, 0, -1):
        fraction = n * (n - a) / (x + 2 * n + 1 - a - fraction)
    return np.asarray(a * np.log(x) - x - np.log(x + 1 - a - fraction))
