"""Splits into branches with given counts, and what a criterion makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from treekit_builtin.impurities import Entropy

from tests.worked.figures import counts
from treekit import Floats


def score(criterion: Any, branches: Any, impurity: Any = None) -> float:
    """The score of a split into branches with these class counts."""
    stats = np.array([counts(*branch) for branch in branches])
    return float(score_stats(criterion, stats, impurity or Entropy()))


def score_stats(criterion: Any, stats: Floats, impurity: Any) -> Floats:
    parent = stats.sum(axis=-2)
    before, after = impurity.impurity(parent), impurity.impurity(stats)
    return np.asarray(criterion.score(parent, stats, before, after))


def tables(classes: int = 5, branches: int = 5) -> st.SearchStrategy[list[list[int]]]:
    """Class counts of two branches or more, none and no class without rows."""
    sizes = st.tuples(st.integers(2, branches), st.integers(2, classes))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 30), min_size=size[1], max_size=size[1]).filter(any),
            min_size=size[0],
            max_size=size[0],
        )
    ).filter(lambda table: all(map(any, zip(*table, strict=True))))
