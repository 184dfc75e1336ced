"""Criteria that compare the impurity before and after a split."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen, validators

from treekit import Bools, Floats, Ints, Offers, Search, first_best, row_form

from .single import CLOSE, reckoned_singly

Precision = Literal["double", "single"]
PRECISIONS = ("double", "single")


@frozen
class Gain:
    """The impurity that a split takes away (Quinlan 1986, section 4).

    precision: with "single", columns that are all but equally good are compared as C4.5 compares
        them, in 32 bits, if the impurity is entropy in bits; with "double" the earlier one wins.
    """

    by_mean_impurity: ClassVar[bool] = True

    precision: Precision = field(default="double", validator=validators.in_(PRECISIONS))

    @property
    def takes_greatest(self) -> bool:
        return self.precision == "double"

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        weight: float = parent[0]
        remainder: float = 0.0
        for k in range(branches.shape[0]):
            remainder += branches[k, 0] * after[k]
        return before - remainder / weight

    def review(self, offers: Offers, search: Search) -> Offers:
        if self.precision == "double":
            return offers
        return reckoned_singly(offers, search, _contested(offers.score, CLOSE))


@frozen
class WeightedImpurity:
    """Minus the mean impurity of the branches, by their weight (Quinlan 1986, section 4).

    It ranks the tests of complete columns as `gain` does, but no score is above 0: bind no
    `min_gain` of 0 or more. A missing-value handler that discounts a score (`fractional`,
    `majority_branch`) makes it greater, so prefer `gain` where values are unknown.
    """

    by_mean_impurity: ClassVar[bool] = True

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        weight: float = parent[0]
        remainder: float = 0.0
        for k in range(branches.shape[0]):
            remainder += branches[k, 0] * after[k]
        return -remainder / weight


@frozen
class GainRatio:
    """Gain divided by the split information (Quinlan 1993, section 2.4).

    guard: only columns whose gain is at least the average may win. Columns with very many levels
        are left out of the average, as in C4.5 Release 8.
    many_levels: a column with this share of the sample's rows as levels counts as many-valued.
    slack: how far below the average a gain may be, and the least split information that counts.
    precision: with "single", columns that are all but equally good are compared as C4.5 compares
        them, in 32 bits, if the impurity is entropy in bits; with "double" the earlier one wins.
    """

    by_mean_impurity: ClassVar[bool] = True
    merit_name: ClassVar[str] = "gain ratio"

    guard: bool = False
    many_levels: float = field(default=0.3, validator=validators.gt(0.0))
    slack: float = field(default=1e-3, validator=validators.ge(0.0))
    precision: Precision = field(default="double", validator=validators.in_(PRECISIONS))

    # Within a column the cut of the greatest gain is taken; columns compete by their ratio.
    score = Gain.__dict__["score"]

    def review(self, offers: Offers, search: Search) -> Offers:
        if self.precision == "double":
            return offers
        close = CLOSE / np.clip(offers.split_info, self.slack or 1e-3, 1.0)
        return reckoned_singly(offers, search, _contested(self.merit(offers), close))

    @property
    def by_column_merit(self) -> bool:
        return self.precision == "double" and not self.guard

    @row_form
    @staticmethod
    def column_merit(score: Floats, split_info: Floats, slack: float) -> Floats:
        """The ratio; -inf where there is none."""
        worthy = (score > -slack) & (split_info > slack)
        return np.where(worthy, score / split_info, -np.inf)

    def choose(self, offers: Offers) -> Ints:
        return first_best(self.merit(offers))

    def merit(self, offers: Offers) -> Floats:
        """[nodes, columns]: the ratio; -inf where there is none, or the guard forbids it."""
        ratio = np.asarray(self.column_merit(offers.score, offers.split_info))
        if self.guard:
            average = self._average(offers, offers.score > -self.slack)[:, None]
            ratio = np.where(offers.score >= average - self.slack, ratio, -np.inf)
        return ratio.astype(np.float32).astype(np.float64) if self.precision == "single" else ratio

    def rejected(self, offers: Offers) -> list[list[str]]:
        """[nodes][columns]: why a column with a test may not win."""
        possible = offers.score > -self.slack
        average = self._average(offers, possible)[:, None]
        low = possible & (offers.score < average - self.slack) & self.guard
        even = possible & (offers.split_info <= self.slack)
        words = np.where(low, "its gain is below the average", "")
        words = np.where(even, "its split information is next to nothing", words)
        return [[str(word) for word in row] for row in words]

    def _average(self, offers: Offers, possible: Bools) -> Floats:
        """The mean gain of the possible columns; infinite if none counts."""
        many = offers.n_levels >= self.many_levels * offers.sample_rows
        counted = possible if many.all() else possible & ~many
        n = counted.sum(axis=1)
        total = np.where(counted, offers.score, 0.0).sum(axis=1)
        return np.asarray(np.divide(total, n, out=np.full(len(n), np.inf), where=n > 0))


def _contested(merit: Floats, close: Floats | float) -> Bools:
    """Which columns are within `close` of the best, in nodes where more than one is."""
    with np.errstate(invalid="ignore"):
        near = np.isfinite(merit) & (merit >= merit.max(axis=1, keepdims=True) - close)
    return np.asarray(near & (near.sum(axis=1, keepdims=True) > 1))
