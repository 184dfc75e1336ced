"""Where does a row go? The one routing rule, for growth, pruning and prediction."""

from __future__ import annotations

from treekit.route.ending import Ends, answers_at, answers_for, ends
from treekit.route.rule import (
    branch_of,
    branches_of,
    stand_in,
    stand_in_rows,
    surrogate_arrays,
    value_asked,
)
from treekit.route.visiting import branches_at, split_rows, visits

__all__ = [
    "Ends",
    "answers_at",
    "answers_for",
    "branch_of",
    "branches_at",
    "branches_of",
    "ends",
    "split_rows",
    "stand_in",
    "stand_in_rows",
    "surrogate_arrays",
    "value_asked",
    "visits",
]
