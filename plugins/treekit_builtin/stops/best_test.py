"""Stops that look at a node's best test: is it worth asking?"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from attrs import Attribute, field, frozen
from attrs.validators import and_, gt, le

from treekit import Bools, Found, Nodes
from treekit_builtin.criteria.counts import chi_squared_of, freedom_of
from treekit_builtin.criteria.p_values import log_chi_squared
from treekit_builtin.stops.noise import SCORE_NOISE, number


def _finite(strategy: Any, attribute: Attribute[float], value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"'{attribute.name}' must be a finite number: {value}")


@frozen
class MinGain:
    """Stop where the best test's score does not exceed a gain (Breiman et al. 1984, 3.1).

    A score is the difference of nearly equal numbers when a test tells nothing. So a score counts
    as exceeding the gain only by more than 1e-12 of the node's impurity (of 1 where the recipe
    binds no impurity), and rounding never decides.

    gain  what the score must exceed, in the criterion's unit
    """

    gain: float = field(default=0.0, validator=and_(number, _finite))

    @property
    def reason(self) -> str:
        return f"no test scores more than {self.gain:g}"

    def after(self, nodes: Nodes, found: Found) -> Bools:
        scale = np.where(nodes.impurity > 0.0, nodes.impurity, 1.0)
        return np.asarray(~(found.score > self.gain + SCORE_NOISE * scale))


@frozen
class ChiSquaredTest:
    """Stop where the best test's branches may be independent of the class (Quinlan 1986, 6).

    Pearson's chi-squared of the branches and the classes must exceed what chance would make of it,
    whatever the criterion. Known values only; weights count as rows. The test was chosen for its
    branches, so chance does better than `alpha` says.

    alpha  the greatest p-value that counts as telling something; Quinlan asks for 0.01
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    alpha: float = field(default=0.01, validator=and_(number, gt(0.0), le(1.0)))

    @property
    def reason(self) -> str:
        return f"the best test's chi-squared has a p-value of more than {self.alpha:g}"

    def after(self, nodes: Nodes, found: Found) -> Bools:
        branches = found.branches
        log_p = log_chi_squared(chi_squared_of(branches), freedom_of(branches))
        return np.asarray(log_p > math.log(self.alpha) + SCORE_NOISE)


@frozen
class PValue:
    """Stop where the best test's p-value is too great (Hothorn et al. 2006; Kass 1980).

    For criteria that score -log10 of a p-value: `permutation_test`, `permutation_test_number`, and
    `chi_squared`, `g_statistic` and `f_test` with value = "p_value". Another score is not a
    p-value, and this rule then means nothing.

    alpha  the greatest p-value with which a node is split
    """

    alpha: float = field(default=0.05, validator=and_(number, gt(0.0), le(1.0)))

    @property
    def reason(self) -> str:
        return f"no test has a p-value of at most {self.alpha:g}"

    def after(self, nodes: Nodes, found: Found) -> Bools:
        return np.asarray(~(found.score >= -math.log10(self.alpha) - SCORE_NOISE))
