"""The subtrees that a pruner has to choose from, and how to choose by cross-validation."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit.errors import Problem, TreekitError
from treekit.offers import RELATIVE_TIE, first_best
from treekit.table.record import Floats, Ints


@frozen(eq=False)
class ComplexityTable:
    """Nested subtrees, the root alone first. Every array has one entry per subtree.

    alpha           the pruner's alpha that leaves this subtree, and no larger one; descending
    splits          how many splits it has; a test of k branches counts as k - 1
    error           what it gets wrong of the training rows, the root alone counting as 1
    cross_error     the same of rows that growth did not see, by cross-validation; or None
    standard_error  of `cross_error`; or None
    """

    alpha: Floats
    splits: Ints
    error: Floats
    cross_error: Floats | None = None
    standard_error: Floats | None = None

    def __len__(self) -> int:
        return len(self.alpha)

    def least_error(self) -> int:
        """The subtree of least cross-validated error, the smallest of equals (the 0-SE rule)."""
        return int(first_best(-self._crossed()[0], 0.0))

    def within_one_standard_error(self) -> int:
        """The smallest subtree no worse than the best and its standard error (the 1-SE rule).

        Breiman, Friedman, Olshen and Stone 1984, section 3.4.3.
        """
        errors, standard_errors = self._crossed()
        best = self.least_error()
        limit = errors[best] + standard_errors[best]
        return int(np.argmax(errors <= limit * (1.0 + RELATIVE_TIE)))

    def _crossed(self) -> tuple[Floats, Floats]:
        if self.cross_error is None or self.standard_error is None:
            raise TreekitError(
                Problem("the table was made without cross-validation", instead="give folds")
            )
        return self.cross_error, self.standard_error
