"""Criteria: how good is a split? Greater is better."""

from treekit_builtin.criteria.coding import MdlGain, NormalisedGain
from treekit_builtin.criteria.distances import Hellinger, KolmogorovSmirnov, Twoing
from treekit_builtin.criteria.gains import Gain, GainRatio, WeightedImpurity
from treekit_builtin.criteria.improvement import Improvement
from treekit_builtin.criteria.independence import ChiSquared, FTest, GStatistic
from treekit_builtin.criteria.permutation import PermutationTest, PermutationTestNumber

__all__ = [
    "ChiSquared",
    "FTest",
    "GStatistic",
    "Gain",
    "GainRatio",
    "Hellinger",
    "Improvement",
    "KolmogorovSmirnov",
    "MdlGain",
    "NormalisedGain",
    "PermutationTest",
    "PermutationTestNumber",
    "Twoing",
    "WeightedImpurity",
]
