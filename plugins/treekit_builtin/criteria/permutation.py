"""Criteria by which columns compete by the p-value of a test of independence from the target."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen, validators

from treekit import Floats, Offers, Search
from treekit_builtin.criteria.association import associations, cases_of, log_resampled
from treekit_builtin.criteria.counts import chi_squared_of
from treekit_builtin.criteria.p_values import log_adjusted, log_chi_squared, minus_log10
from treekit_builtin.criteria.squares import squares_of

MOST_RESAMPLES = 1_000_000


@frozen
class PermutationTest:
    """-log10 of the p-value that a column is independent of the class (Hothorn et al. 2006).

    A column is tested as a whole, so one that offers many tests wins nothing by their number. The
    statistic is the quadratic form of Strasser and Weber 1999: with a nominal column (W - 1) / W
    times Pearson's chi-squared of levels and classes, with a numeric or ordinal one W - 1 times
    the share of its squares that lies between the classes. Within a column, the test whose own
    quadratic form is greatest is taken. Known values only; weights count as rows.

    bonferroni: correct for the number m of columns that vary in the node: 1 - (1 - p)^m.
    resamples: how many permutations of the target to compare with; 0 takes the p-value of the
        chi-squared distribution instead. A row is permuted as one, whatever its weight. Where no
        permutation reaches the statistic, the lesser of 1 / (resamples + 1) and the chi-squared
        p-value counts.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    bonferroni: bool = True
    resamples: int = field(default=0, validator=[validators.ge(0), validators.le(MOST_RESAMPLES)])

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        weight = parent[..., 0]
        share = chi_squared_of(branches) / np.where(weight > 0.0, weight, 1.0)
        return np.asarray(np.maximum(weight - 1.0, 0.0) * share)

    def review(self, offers: Offers, search: Search) -> Offers:
        return _by_p_value(offers, search, self.bonferroni, self.resamples)


@frozen
class PermutationTestNumber:
    """-log10 of the p-value that a column is independent of a number (Hothorn et al. 2006).

    A column is tested as a whole, so one that offers many tests wins nothing by their number. The
    statistic is the quadratic form of Strasser and Weber 1999: with a numeric or ordinal column
    W - 1 times the squared correlation, with a nominal one W - 1 times the share of the target's
    squares that lies between the levels. Within a column, the test whose own quadratic form is
    greatest is taken. Known values only; weights count as rows.

    bonferroni: correct for the number m of columns that vary in the node: 1 - (1 - p)^m.
    resamples: how many permutations of the target to compare with; 0 takes the p-value of the
        chi-squared distribution instead. A row is permuted as one, whatever its weight. Where no
        permutation reaches the statistic, the lesser of 1 / (resamples + 1) and the chi-squared
        p-value counts.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    bonferroni: bool = True
    resamples: int = field(default=0, validator=[validators.ge(0), validators.le(MOST_RESAMPLES)])

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        share = 1.0 - squares_of(branches).unexplained
        return np.asarray(np.maximum(parent[..., 0] - 1.0, 0.0) * share)

    def review(self, offers: Offers, search: Search) -> Offers:
        return _by_p_value(offers, search, self.bonferroni, self.resamples)


def _by_p_value(offers: Offers, search: Search, bonferroni: bool, resamples: int) -> Offers:
    """The same offers, scored by the p-value of their column."""
    cases = cases_of(search)
    tested = associations(search, offers.columns, cases)
    if resamples:
        log_p = log_resampled(search, offers.columns, cases, *tested, resamples)
    else:
        log_p = log_chi_squared(*tested)
    if bonferroni:
        vary = (tested[1] > 0.0).sum(axis=1, keepdims=True)
        log_p = log_adjusted(log_p, np.maximum(vary, 1))
    return evolve(offers, score=minus_log10(log_p)).only(offers.score > -np.inf)
