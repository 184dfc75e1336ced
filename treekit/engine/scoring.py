"""Impurity and criterion composed: the score of a split, in blocks or compiled into a scan."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from treekit.compiling import Formula
from treekit.formula import is_row_form
from treekit.table.record import Floats


def _no_impurity(stats: Floats) -> float:
    return 0.0


def _score_itself(score: float, split_info: float) -> float:
    return score


@frozen
class Scoring:
    """A recipe's impurity (or None) and criterion."""

    impurity: Any
    criterion: Any

    @property
    def is_fused(self) -> bool:
        """Can both formulas be compiled into the scan?"""
        rows = self.impurity is None or is_row_form(self.impurity.impurity)
        return rows and is_row_form(self.criterion.score)

    @property
    def formulas(self) -> dict[str, Formula]:
        """The row-form formulas that fill the scan's slots."""
        own = Formula(_no_impurity, 1) if self.impurity is None else self.impurity.impurity.formula
        return {"impurity": own, "score": self.criterion.score.formula}

    @property
    def parameters(self) -> tuple[Floats, Floats]:
        """What the formulas take besides, of the impurity and of the criterion."""
        own = np.empty(0) if self.impurity is None else self.impurity.impurity.parameters
        return own, self.criterion.score.parameters

    @property
    def by_merit(self) -> bool:
        """Do columns compete by the merit of their own best test, not by its score?"""
        return bool(getattr(self.criterion, "by_column_merit", False))

    @property
    def merit(self) -> tuple[Formula, Floats]:
        """What columns are compared by, and what the formula takes besides."""
        if not self.by_merit:
            return Formula(_score_itself, 2), np.empty(0)
        own = self.criterion.column_merit
        return own.formula, own.parameters

    @property
    def skips_runs(self) -> bool:
        """May cuts inside a run of one class be passed over? See `scan.within_run`."""
        return bool(
            getattr(self.impurity, "strictly_concave", False)
            and getattr(self.criterion, "by_mean_impurity", False)
        )

    @property
    def floor(self) -> float:
        """The least scale of a score, for ties: without an impurity, scores are of order 1."""
        return 1.0 if self.impurity is None else 0.0

    def impurity_of(self, stats: Floats, compiled: bool = False) -> Floats:
        """[...]: the impurity of statistics [..., S]."""
        if self.impurity is None:
            return np.zeros(stats.shape[:-1])
        return _values(self.impurity.impurity, compiled, stats)

    def score(
        self, parent: Floats, branches: Floats, before: Floats, compiled: bool = False
    ) -> Floats:
        """[...]: the score of splitting `parent` [..., S] into `branches` [..., k, S].

        NaN is no score.
        """
        after = self.impurity_of(branches, compiled)
        return _values(self.criterion.score, compiled, parent, branches, before, after)


def _values(formula: Any, compiled: bool, *arrays: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        if is_row_form(formula):
            return np.asarray(formula(*arrays, compiled=compiled))
        return np.asarray(formula(*arrays), dtype=np.float64)
