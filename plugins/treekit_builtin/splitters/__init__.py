"""Splitters: which tests may be asked of a column?"""

from treekit_builtin.splitters.grouping import Grouping
from treekit_builtin.splitters.multiway import Multiway
from treekit_builtin.splitters.subset import Subset
from treekit_builtin.splitters.threshold import Threshold

__all__ = ["Grouping", "Multiway", "Subset", "Threshold"]
