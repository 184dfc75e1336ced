"""Stops: why a node is a leaf. `before` looks at the node alone, `after` at its best test too."""

from treekit_builtin.stops.best_test import ChiSquaredTest, MinGain, PValue
from treekit_builtin.stops.nodes import MinImpurity, NoColumns, Pure, SameValues
from treekit_builtin.stops.size import MaxDepth, MaxLeaves, MinRows, MinWeightFraction
from treekit_builtin.stops.spread import MinSpread

__all__ = [
    "ChiSquaredTest",
    "MaxDepth",
    "MaxLeaves",
    "MinGain",
    "MinImpurity",
    "MinRows",
    "MinSpread",
    "MinWeightFraction",
    "NoColumns",
    "PValue",
    "Pure",
    "SameValues",
]
