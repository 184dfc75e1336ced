"""Criteria that test whether target and branches are independent. They need no impurity.

Weights count as rows: a table with every weight doubled is twice the evidence.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from attrs import Attribute, field, frozen, validators

from treekit import Floats, Offers, Search
from treekit_builtin.criteria.counts import chi_squared_of, freedom_of, g_of
from treekit_builtin.criteria.p_values import log_chi_squared, log_f, minus_log10
from treekit_builtin.criteria.squares import squares_of

Value = Literal["statistic", "p_value"]
VALUES = ("statistic", "p_value")


def _of_p_values(strategy: Any, attribute: Attribute[bool], value: bool) -> None:
    if value and strategy.value != "p_value":
        raise ValueError(f"'{attribute.name}' corrects p-values: it needs value = \"p_value\"")


@frozen
class ChiSquared:
    """Pearson's chi-squared of classes and branches, or its p-value (Kass 1980; Pearson 1900).

    value: what is scored: "statistic", or "p_value" as -log10 of it, which is fair to columns with
        few branches. Degrees of freedom are counted by the classes and branches that hold rows.
    bonferroni: multiply a column's p-value by the number of its tests that were weighed (Kass
        1980, section 3); with "p_value" only. What exceeds 1 scores below 0.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    value: Value = field(default="statistic", validator=validators.in_(VALUES))
    bonferroni: bool = field(default=False, validator=_of_p_values)

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        return _scored(self.value, chi_squared_of(branches), branches)

    def review(self, offers: Offers, search: Search) -> Offers:
        return _multiplied(offers) if self.bonferroni else offers


@frozen
class GStatistic:
    """The likelihood ratio G of classes and branches, or its p-value (Mingers 1987; Wilks 1938).

    G is the gain on entropy in nats times twice the weight.

    value: what is scored: "statistic", or "p_value" as -log10 of it, which is fair to columns with
        few branches. Degrees of freedom are counted by the classes and branches that hold rows.
    bonferroni: multiply a column's p-value by the number of its tests that were weighed (Kass
        1980, section 3); with "p_value" only. What exceeds 1 scores below 0.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    value: Value = field(default="statistic", validator=validators.in_(VALUES))
    bonferroni: bool = field(default=False, validator=_of_p_values)

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        return _scored(self.value, g_of(branches), branches)

    def review(self, offers: Offers, search: Search) -> Offers:
        return _multiplied(offers) if self.bonferroni else offers


@frozen
class FTest:
    """Fisher's F of a number's means in the branches, or its p-value (Biggs et al. 1991).

    The squares between the branches over those within, each by its degrees of freedom: one less
    than the branches that hold rows, and the weight less these branches. It is to a number what
    chi-squared is to classes.

    value: what is scored: "statistic", or "p_value" as -log10 of it, which is fair to columns with
        few branches.
    bonferroni: multiply a column's p-value by the number of its tests that were weighed (Kass
        1980, section 3); with "p_value" only. What exceeds 1 scores below 0.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    value: Value = field(default="statistic", validator=validators.in_(VALUES))
    bonferroni: bool = field(default=False, validator=_of_p_values)

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        squares = squares_of(branches)
        if self.value == "p_value":
            return minus_log10(log_f(squares.unexplained, squares.between, squares.within))
        told = (squares.between > 0.0) & (squares.within > 0.0)
        ratio = (1.0 - squares.unexplained) / squares.unexplained
        f = ratio * squares.within / np.where(told, squares.between, 1.0)
        return np.asarray(np.where(told, f, 0.0))

    def review(self, offers: Offers, search: Search) -> Offers:
        return _multiplied(offers) if self.bonferroni else offers


def _scored(value: Value, statistic: Floats, branches: Floats) -> Floats:
    if value == "statistic":
        return statistic
    return minus_log10(log_chi_squared(statistic, freedom_of(branches)))


def _multiplied(offers: Offers) -> Offers:
    """The offers' p-values, multiplied by the number of tests that were tried."""
    return offers.penalised(np.log10(np.maximum(offers.tries, 1)))
