"""Ensembles: how many trees become one answer."""

from treekit_builtin.ensembles.bagging import Bagging
from treekit_builtin.ensembles.random_forest import RandomForest
from treekit_builtin.ensembles.single import Single

__all__ = ["Bagging", "RandomForest", "Single"]
