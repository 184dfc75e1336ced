"""Growers: in which order, and how far ahead, the tree is grown."""

from treekit_builtin.growers.lookahead import Lookahead
from treekit_builtin.growers.optimal import Optimal
from treekit_builtin.growers.orders import BestFirst, Level

__all__ = ["BestFirst", "Level", "Lookahead", "Optimal"]
