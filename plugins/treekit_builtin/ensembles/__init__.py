"""Ensembles: how many trees become one answer."""

from treekit_builtin.ensembles.adaboost import AdaBoost, AdaBoostResampled
from treekit_builtin.ensembles.adaboost_r2 import AdaBoostR2, AdaBoostR2Weighted
from treekit_builtin.ensembles.bagging import Bagging
from treekit_builtin.ensembles.gradient_boosting import GradientBoosting
from treekit_builtin.ensembles.random_forest import RandomForest
from treekit_builtin.ensembles.single import Single

__all__ = [
    "AdaBoost",
    "AdaBoostR2",
    "AdaBoostR2Weighted",
    "AdaBoostResampled",
    "Bagging",
    "GradientBoosting",
    "RandomForest",
    "Single",
]
