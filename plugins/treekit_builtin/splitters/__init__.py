"""Splitters: which tests may be asked of a column?"""

from treekit_builtin.splitters.bins import Bins
from treekit_builtin.splitters.grouping import Grouping
from treekit_builtin.splitters.level_cuts import LevelCuts
from treekit_builtin.splitters.merging import Merging
from treekit_builtin.splitters.multiway import Multiway
from treekit_builtin.splitters.oblique import (
    ObliqueLda,
    ObliqueLeastSquares,
    ObliqueLogistic,
    RandomProjections,
)
from treekit_builtin.splitters.one_vs_rest import OneVsRest
from treekit_builtin.splitters.random_cuts import RandomCuts
from treekit_builtin.splitters.rpart_anova import RpartAnova
from treekit_builtin.splitters.rpart_class import RpartClass
from treekit_builtin.splitters.subset import Subset
from treekit_builtin.splitters.threshold import Threshold

__all__ = [
    "Bins",
    "Grouping",
    "LevelCuts",
    "Merging",
    "Multiway",
    "ObliqueLda",
    "ObliqueLeastSquares",
    "ObliqueLogistic",
    "OneVsRest",
    "RandomCuts",
    "RandomProjections",
    "RpartAnova",
    "RpartClass",
    "Subset",
    "Threshold",
]
