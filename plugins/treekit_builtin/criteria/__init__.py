"""Criteria: how good is a split? Greater is better."""

from treekit_builtin.criteria.coding import MdlGain, NormalisedGain
from treekit_builtin.criteria.distances import KolmogorovSmirnov, Twoing
from treekit_builtin.criteria.gains import Gain, GainRatio, WeightedImpurity
from treekit_builtin.criteria.independence import ChiSquared, GStatistic

__all__ = [
    "ChiSquared",
    "GStatistic",
    "Gain",
    "GainRatio",
    "KolmogorovSmirnov",
    "MdlGain",
    "NormalisedGain",
    "Twoing",
    "WeightedImpurity",
]
