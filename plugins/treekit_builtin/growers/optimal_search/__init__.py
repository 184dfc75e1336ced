"""The search for the tree of least error, of rows as points and tests as families of cuts."""

from treekit_builtin.growers.optimal_search.points import RowsAndTests
from treekit_builtin.growers.optimal_search.search import Outcome, Plan, best_tree

__all__ = ["Outcome", "Plan", "RowsAndTests", "best_tree"]
