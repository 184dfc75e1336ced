"""Impurities: how mixed is a node?

Statistics are [W, c1..cK] for classes and [W, sum wy, sum wy^2] for a number.
"""

from treekit_builtin.impurities.classes import Dkm, Entropy, Gini, Misclassification
from treekit_builtin.impurities.numbers import Poisson, StandardDeviation, Variance
from treekit_builtin.impurities.orders import Renyi, Tsallis

__all__ = [
    "Dkm",
    "Entropy",
    "Gini",
    "Misclassification",
    "Poisson",
    "Renyi",
    "StandardDeviation",
    "Tsallis",
    "Variance",
]
